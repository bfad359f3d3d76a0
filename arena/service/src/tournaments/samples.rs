//! How long tournaments whose games are all played wait for sampled ones to be compared.

use std::collections::BTreeMap;
use std::time::Duration;

use arena_clock::Instant;
use arena_store::TournamentId;

use crate::limits::{SAMPLE_WAIT_SECONDS, WORKER_THERE_SECONDS};

/// The tournaments that wait, each with the moment when it began to.
#[derive(Default)]
pub(super) struct SampleWaits(BTreeMap<TournamentId, Instant>);

impl SampleWaits {
    /// Whether a tournament that has sampled games to be compared waits for them at this moment. `is_there` says
    /// whether a worker that could play them has asked for something lately. Nobody is missed before a worker had the
    /// time to ask: the site itself may have been away.
    pub(super) fn waits(&mut self, tournament: &TournamentId, is_there: bool, now: Instant) -> bool {
        let waited = now.duration_since(*self.0.entry(tournament.clone()).or_insert(now));
        waited < seconds(WORKER_THERE_SECONDS) || (is_there && waited < seconds(SAMPLE_WAIT_SECONDS))
    }

    /// Forgets that a tournament waits: it is over, or games of it are played again.
    pub(super) fn forget(&mut self, tournament: &TournamentId) {
        self.0.remove(tournament);
    }
}

fn seconds(limit: i64) -> Duration {
    Duration::from_secs(limit.unsigned_abs())
}

#[cfg(test)]
mod tests {
    use arena_clock::Clock;

    use super::*;

    /// For how many seconds a tournament waits if a worker is there for so many of them.
    fn waited(waits: &mut SampleWaits, there: i64) -> i64 {
        let (clock, cup) = (Clock::manual(Duration::ZERO), TournamentId::parse("cup-1").expect("an id"));
        (0..2 * SAMPLE_WAIT_SECONDS)
            .find(|second| {
                let waits = waits.waits(&cup, *second < there, clock.now());
                clock.advance(Duration::from_secs(1));
                !waits
            })
            .expect("an end")
    }

    #[test]
    fn a_tournament_waits_for_a_worker_that_is_there_but_not_for_ever() {
        for (there, expected) in [(0, 60), (30, 60), (61, 61), (200, 200), (600, 600), (i64::MAX, 600)] {
            assert_eq!(waited(&mut SampleWaits::default(), there), expected, "there for {there} s");
        }
    }

    #[test]
    fn what_was_waited_counts_once_more_only_if_it_is_forgotten() {
        let (clock, cup) = (Clock::manual(Duration::ZERO), TournamentId::parse("cup-1").expect("an id"));
        let mut waits = SampleWaits::default();
        assert!(waits.waits(&cup, true, clock.now()));
        clock.advance(seconds(SAMPLE_WAIT_SECONDS));
        assert!(!waits.waits(&cup, true, clock.now()), "also if its end is tried again");
        waits.forget(&cup);
        assert!(waits.waits(&cup, false, clock.now()), "games of it were played again");
    }
}
