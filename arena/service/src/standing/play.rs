//! The thread that plays: whose turn it is.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use arena_wire::GAMES;
use tokio::runtime::Handle;

use super::track::{Next, Track};
use super::{Ending, StandingTournaments};
use crate::core::{Core, with_causes};
use crate::limits::{STANDING_PAUSES, pause};

/// Plays until it is stopped. Blocks; `runtime` does what is asynchronous.
pub(crate) fn play(standing: StandingTournaments, core: Arc<Core>, data: PathBuf, threads: usize, runtime: Handle) {
    let _ending = Ending(standing.clone());
    let tracks = GAMES.iter().map(|game| {
        let track = Track::new(game, standing.clone(), core.clone(), data.clone(), threads, runtime.clone());
        Turns { track, rest: Rest::None, failures: 0, last: 0 }
    });
    let mut tracks: Vec<Turns> = tracks.collect();
    // Only the tracks have it, and they are dropped before the end is announced: then the store is free.
    drop(core);
    let mut turn = 0;
    while !standing.is_stopping() {
        let now = Instant::now();
        // The one that has not played for longest; at first in the order of the games.
        let ready = (0..tracks.len()).filter(|track| tracks[*track].is_ready(&standing, now));
        let Some(next) = ready.min_by_key(|track| tracks[*track].last) else {
            let idle = tracks.iter().filter(|turns| turns.rest == Rest::UntilChanged);
            let games: BTreeSet<&str> = idle.map(|turns| turns.track.game().ruleset).collect();
            standing.sleep(&games, tracks.iter().filter_map(|turns| turns.rest.end()).min());
            continue;
        };
        let others_wait =
            tracks.iter().enumerate().any(|(track, turns)| track != next && turns.is_ready(&standing, now));
        turn += 1;
        tracks[next].last = turn;
        if !tracks[next].take(others_wait) {
            return;
        }
    }
}

/// A game's standing tournament, and when it is its turn again.
struct Turns {
    track: Track,
    rest: Rest,
    /// Failed steps since the last good one.
    failures: u32,
    /// The number of its last turn.
    last: u64,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Rest {
    /// There is something to do.
    None,
    /// All that is to be played is played.
    UntilChanged,
    /// Something failed, and is tried again then.
    Until(Instant),
}

impl Rest {
    fn end(self) -> Option<Instant> {
        match self {
            Rest::Until(end) => Some(end),
            Rest::None | Rest::UntilChanged => None,
        }
    }
}

impl Turns {
    fn is_ready(&self, standing: &StandingTournaments, now: Instant) -> bool {
        match self.rest {
            Rest::None => true,
            Rest::UntilChanged => standing.has_changed(self.track.game()),
            Rest::Until(end) => end <= now,
        }
    }

    /// Takes a turn; whether there may be another.
    fn take(&mut self, others_wait: bool) -> bool {
        let taken = self.track.step(others_wait, self.failures);
        match taken {
            Ok(Next::Step) => (self.rest, self.failures) = (Rest::None, 0),
            Ok(Next::Sleep) => (self.rest, self.failures) = (Rest::UntilChanged, 0),
            Ok(Next::Stop) => return false,
            Err(trouble) => {
                self.failures = self.failures.saturating_add(1);
                self.track.trouble(with_causes(&trouble));
                self.rest = Rest::Until(Instant::now() + pause(STANDING_PAUSES, self.failures));
            }
        }
        true
    }
}
