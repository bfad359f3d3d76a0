//! Who is in a room now: those who play, as long as a page or a program of theirs listens, and how many look on.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arena_rooms::PersonId;
use tokio::time::Instant;

use crate::limits::HERE_FOR;

/// Who is there.
#[derive(Default)]
pub(super) struct Attendance(Mutex<Counts>);

#[derive(Default)]
struct Counts {
    spectators: usize,
    /// Those who play: at most one for each seat, and who left one lately.
    people: BTreeMap<PersonId, Attending>,
}

struct Attending {
    /// Pages and programs that listen.
    listening: usize,
    /// When the last one stopped.
    left_at: Instant,
}

impl Attending {
    fn is_here(&self, at: Instant) -> bool {
        self.listening > 0 || at.saturating_duration_since(self.left_at) < HERE_FOR
    }
}

impl Attendance {
    /// Counts somebody who plays, or one more who looks on.
    pub(super) fn attend(self: &Arc<Self>, person: Option<PersonId>) -> Attendee {
        let mut counts = self.counts();
        match person {
            None => counts.spectators += 1,
            Some(person) => {
                let now = Instant::now();
                counts.people.retain(|_, attending| attending.is_here(now));
                let attending = counts.people.entry(person).or_insert(Attending { listening: 0, left_at: now });
                attending.listening += 1;
            }
        }
        Attendee { attendance: self.clone(), person }
    }

    pub(super) fn spectators(&self) -> usize {
        self.counts().spectators
    }

    pub(super) fn is_here(&self, person: PersonId, at: Instant) -> bool {
        self.counts().people.get(&person).is_some_and(|attending| attending.is_here(at))
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody who is in a room: counted as long as this lives.
pub struct Attendee {
    attendance: Arc<Attendance>,
    person: Option<PersonId>,
}

impl Drop for Attendee {
    fn drop(&mut self) {
        let mut counts = self.attendance.counts();
        match self.person.map(|person| counts.people.get_mut(&person)) {
            None => counts.spectators -= 1,
            Some(Some(attending)) => {
                attending.listening -= 1;
                attending.left_at = Instant::now();
            }
            Some(None) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use arena_record::Hex;

    use super::*;

    const ANN: PersonId = PersonId(Hex([7; 8]));
    const BOB: PersonId = PersonId(Hex([8; 8]));

    #[test]
    fn who_plays_is_there_until_the_last_page_is_gone_and_a_little_longer() {
        let attendance = Arc::new(Attendance::default());
        let (page, other, watcher) =
            (attendance.attend(Some(ANN)), attendance.attend(Some(ANN)), attendance.attend(None));
        let here = |at| (attendance.is_here(ANN, at), attendance.is_here(BOB, at));
        assert_eq!((here(Instant::now()), attendance.spectators()), ((true, false), 1));
        drop(page);
        assert_eq!(here(Instant::now() + HERE_FOR), (true, false), "another page listens");
        drop((other, watcher));
        let left = Instant::now();
        assert_eq!((here(left), attendance.spectators()), ((true, false), 0), "between two polls nobody listens");
        assert_eq!(here(left + HERE_FOR), (false, false));
    }
}
