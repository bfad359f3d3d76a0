//! The thread that plays: whose turn it is.

use std::collections::BTreeSet;
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use arena_wire::GAMES;
use tokio::runtime::Handle;

use super::track::{Next, Track};
use super::{Ending, StandingTournaments};
use crate::core::{Core, with_causes};
use crate::limits::{STANDING_PAUSES, pause};
use crate::shares::{Shares, Wish};

/// Plays until it is stopped. Blocks; `runtime` does what is asynchronous.
pub(crate) fn play(standing: StandingTournaments, core: Arc<Core>, data: PathBuf, threads: usize, runtime: Handle) {
    let _ending = Ending(standing.clone());
    let tracks = GAMES.iter().map(|game| {
        let track = Track::new(game, standing.clone(), core.clone(), data.clone(), threads, runtime.clone());
        Turns { track, rest: Rest::None, failures: 0 }
    });
    let mut tracks: Vec<Turns> = tracks.collect();
    let mut shares = Shares::new(1, 0, 0);
    // Only the tracks have it, and they are dropped before the end is announced: then the store is free.
    drop(core);
    while !standing.is_stopping() {
        let now = Instant::now();
        let waiting: Vec<usize> = shares.waiting().copied().collect();
        let ready = (0..tracks.len()).filter(|track| tracks[*track].is_ready(&standing, now));
        // The last newcomer is first: so they begin in the order of the games.
        for track in ready.rev().filter(|track| !waiting.contains(track)) {
            shares.wait(Wish { key: track, weight: NonZeroU32::MIN, cost: 1, reserve: false }, track);
        }
        let Some((next, service)) = shares.begin() else {
            let idle = tracks.iter().filter(|turns| turns.rest == Rest::UntilChanged);
            let games: BTreeSet<&str> = idle.map(|turns| turns.track.game().ruleset).collect();
            standing.sleep(&games, tracks.iter().filter_map(|turns| turns.rest.end()).min());
            continue;
        };
        let others_wait =
            tracks.iter().enumerate().any(|(track, turns)| track != next && turns.is_ready(&standing, now));
        // Turns are equal: one is not long while others wait.
        let goes_on = tracks[next].take(others_wait);
        let cost = service.cost();
        shares.end(service, cost);
        if !goes_on {
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
