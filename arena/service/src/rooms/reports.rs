//! Chat messages that were reported to the operator: the latest ones, in memory only, like the chats.

use std::collections::VecDeque;

use arena_rooms::{PersonId, RoomId};
use arena_store::UnixSeconds;
use parking_lot::Mutex;

use crate::limits::REPORTS_KEPT_MAX;

/// A reported message.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// When the first report came.
    pub at: UnixSeconds,
    /// Where it was said.
    pub room: RoomId,
    /// Its number in the room.
    pub number: u64,
    /// Who sent it.
    pub said_by: PersonId,
    /// The message.
    pub text: String,
    /// Who reported it first.
    pub by: PersonId,
}

/// The latest reports.
#[derive(Default)]
pub(crate) struct Reports(Mutex<VecDeque<Report>>);

impl Reports {
    /// Keeps a report. Reporting a message again changes nothing.
    pub(super) fn keep(&self, report: Report) {
        let mut reports = self.0.lock();
        if reports.iter().any(|one| (one.room, one.number) == (report.room, report.number)) {
            return;
        }
        reports.push_front(report);
        reports.truncate(REPORTS_KEPT_MAX);
    }

    /// Forgets the reports of a person's messages.
    pub(super) fn forget(&self, person: PersonId) {
        self.0.lock().retain(|report| report.said_by != person);
    }

    /// The reports, latest first.
    pub(crate) fn latest(&self) -> Vec<Report> {
        self.0.lock().iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use arena_record::Hex;

    use super::*;

    #[test]
    fn the_latest_are_kept_each_message_once() {
        let reports = Reports::default();
        let report = |number| Report {
            at: UnixSeconds(0),
            room: RoomId(Hex([1; 16])),
            number,
            said_by: PersonId(Hex([7; 8])),
            text: "rude".into(),
            by: PersonId(Hex([8; 8])),
        };
        for number in 0..=REPORTS_KEPT_MAX as u64 {
            reports.keep(report(number));
            reports.keep(report(number));
        }
        let numbers: Vec<u64> = reports.latest().iter().map(|report| report.number).collect();
        assert_eq!(numbers, (1..=REPORTS_KEPT_MAX as u64).rev().collect::<Vec<_>>());
    }
}
