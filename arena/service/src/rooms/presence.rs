//! Who is in a room now: players, while a page or program of theirs is connected, and the number of spectators.

use std::collections::BTreeMap;
use std::sync::Arc;

use arena_clock::{Clock, Instant};
use arena_record::Hex;
use arena_rooms::PersonId;
use parking_lot::Mutex;

use crate::limits::HERE_FOR;

/// Players and spectators of a room.
pub(super) struct Attendance {
    clock: Clock,
    counts: Mutex<Counts>,
}

#[derive(Default)]
struct Counts {
    spectators: usize,
    /// The players here: at most one for each seat, and those who left a seat lately.
    people: BTreeMap<PersonId, Attending>,
    /// When the last page of each player on this server was closed.
    left: BTreeMap<PersonId, Instant>,
    /// When players were last on another server, as that one reported.
    seen: BTreeMap<PersonId, Instant>,
    /// Players and spectators on other servers, as last reported.
    elsewhere: BTreeMap<Hex<16>, Elsewhere>,
}

struct Elsewhere {
    people: Vec<PersonId>,
    spectators: usize,
    said_at: Instant,
}

impl Elsewhere {
    fn counts(&self, at: Instant) -> bool {
        at.saturating_duration_since(self.said_at) < HERE_FOR
    }
}

struct Attending {
    /// Connected pages and programs.
    listening: usize,
    /// When the last one disconnected.
    left_at: Instant,
}

impl Attending {
    fn is_here(&self, at: Instant) -> bool {
        self.listening > 0 || at.saturating_duration_since(self.left_at) < HERE_FOR
    }
}

impl Attendance {
    pub(super) fn new(clock: Clock) -> Arc<Attendance> {
        Arc::new(Attendance { clock, counts: Mutex::default() })
    }

    /// Counts a player, or one more spectator.
    pub(super) fn attend(self: &Arc<Self>, person: Option<PersonId>) -> Attendee {
        let mut counts = self.counts.lock();
        match person {
            None => counts.spectators += 1,
            Some(person) => {
                let now = self.clock.now();
                counts.people.retain(|_, attending| attending.is_here(now));
                let attending = counts.people.entry(person).or_insert(Attending { listening: 0, left_at: now });
                attending.listening += 1;
            }
        }
        Attendee { attendance: self.clone(), person }
    }

    pub(super) fn spectators(&self) -> usize {
        let (counts, now) = (self.counts.lock(), self.clock.now());
        let elsewhere = counts.elsewhere.values().filter(|there| there.counts(now)).map(|there| there.spectators);
        counts.spectators + elsewhere.sum::<usize>()
    }

    pub(super) fn is_here(&self, person: PersonId, at: Instant) -> bool {
        let counts = self.counts.lock();
        counts.people.get(&person).is_some_and(|attending| attending.is_here(at))
            || counts.elsewhere.values().any(|there| there.counts(at) && there.people.contains(&person))
    }

    /// When a player was last here, on any server; `None` for one whom this server has not seen.
    pub(super) fn last_here(&self, person: PersonId) -> Option<Instant> {
        let counts = self.counts.lock();
        counts.left.get(&person).max(counts.seen.get(&person)).copied()
    }

    /// Whether a player was on this server, and is on none any more.
    pub(super) fn has_left(&self, person: PersonId, at: Instant) -> bool {
        !self.is_here(person, at) && self.counts.lock().left.contains_key(&person)
    }

    /// The players on this server, and its number of spectators.
    pub(super) fn by_this_server(&self, at: Instant) -> (Vec<PersonId>, usize) {
        let counts = self.counts.lock();
        let here = counts.people.iter().filter(|(_, attending)| attending.is_here(at));
        (here.map(|(person, _)| *person).collect(), counts.spectators)
    }

    /// Whether a player is connected to another server.
    pub(super) fn is_elsewhere(&self) -> bool {
        let now = self.clock.now();
        self.counts.lock().elsewhere.values().any(|there| there.counts(now) && !there.people.is_empty())
    }

    /// Notes the players and spectators on another server, as it reports them.
    pub(super) fn by_another_server(&self, server: Hex<16>, people: Vec<PersonId>, spectators: usize) {
        let (mut counts, said_at) = (self.counts.lock(), self.clock.now());
        // Drops servers that have stopped reporting.
        counts.elsewhere.retain(|_, there| there.counts(said_at));
        counts.seen.extend(people.iter().map(|person| (*person, said_at)));
        counts.elsewhere.insert(server, Elsewhere { people, spectators, said_at });
    }
}

/// A player or spectator of a room, counted until this is dropped.
pub struct Attendee {
    attendance: Arc<Attendance>,
    person: Option<PersonId>,
}

impl Drop for Attendee {
    fn drop(&mut self) {
        let (mut counts, now) = (self.attendance.counts.lock(), self.attendance.clock.now());
        let Some(person) = self.person else {
            counts.spectators -= 1;
            return;
        };
        counts.left.insert(person, now);
        if let Some(attending) = counts.people.get_mut(&person) {
            attending.listening -= 1;
            attending.left_at = now;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const ANN: PersonId = PersonId(Hex([7; 8]));
    const BOB: PersonId = PersonId(Hex([8; 8]));

    #[test]
    fn who_plays_is_there_until_the_last_page_is_gone_and_a_little_longer() {
        let clock = Clock::manual(Duration::ZERO);
        let attendance = Attendance::new(clock.clone());
        let (page, other, watcher) =
            (attendance.attend(Some(ANN)), attendance.attend(Some(ANN)), attendance.attend(None));
        let here = |at| (attendance.is_here(ANN, at), attendance.is_here(BOB, at));
        assert_eq!((here(clock.now()), attendance.spectators()), ((true, false), 1));
        drop(page);
        assert_eq!(here(clock.now() + HERE_FOR), (true, false), "another page listens");
        drop((other, watcher));
        let left = clock.now();
        assert_eq!((here(left), attendance.spectators()), ((true, false), 0), "between two polls nobody listens");
        assert_eq!(here(left + HERE_FOR), (false, false));
        let gone = |person, at| attendance.has_left(person, at);
        assert_eq!((gone(ANN, left), gone(ANN, left + HERE_FOR), gone(BOB, left)), (false, true, false));
        let other = Hex([1; 16]);
        attendance.by_another_server(other, vec![BOB], 2);
        let heard = clock.now();
        assert_eq!((here(heard), attendance.spectators()), ((true, true), 2));
        assert_eq!(attendance.by_this_server(heard), (vec![ANN], 0), "each server says its own");
        assert!(!attendance.is_here(BOB, heard + HERE_FOR), "a server that says nothing is gone");
        let last = (attendance.last_here(ANN), attendance.last_here(BOB));
        assert_eq!(last, (Some(left), Some(heard)));
        assert!(!attendance.has_left(BOB, heard + HERE_FOR), "his own server says so");
        attendance.by_another_server(other, Vec::new(), 0);
        assert!(!attendance.is_elsewhere());
    }
}
