//! When a tournament has shown enough: the order of the first places is settled, or ratings are known well enough.

use crate::scores::Scores;
use crate::{Entrant, Settled};

/// What a tournament must have shown before it ends: who takes the first places, in order, and how strong each entrant is. It is
/// decided only between rounds, so it does not depend on threads or restarts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stop {
    /// How many places must be settled; may be 0.
    pub top: u32,
    /// How sure their order must be, in thousandths.
    pub confidence_per_mille: u32,
    /// How far, in Elo points, an interval may reach on either side of its rating. Entrants that won or lost every game have no interval
    /// and are not waited for.
    pub within: Option<u32>,
    /// Pairs of games that an entrant plays at most, even if nothing is settled.
    pub max_pairs: u32,
}

impl Stop {
    /// Whether to play another round, in which nobody plays more than `pairs_each` pairs.
    pub(crate) fn goes_on(&self, entrants: &[Entrant], settled: &Settled, pairs_each: u32) -> bool {
        let scores = Scores::of(entrants, settled);
        let mut played = vec![0_u32; entrants.len()];
        for one in settled.games().filter(|one| one.game.seats.seats() == 2) {
            one.game.seats.values().iter().for_each(|entrant| played[*entrant] += 1);
        }
        let most = played.into_iter().max().unwrap_or(0) / 2;
        let looks = (most / pairs_each.max(1)).max(1);
        let shows_enough = || {
            scores.is_settled(self.top as usize, self.wrong(), looks)
                && self.within.is_none_or(|within| scores.is_within(within))
        };
        most.saturating_add(pairs_each) <= self.max_pairs && !shows_enough()
    }

    /// How likely it may be that what is settled is wrong.
    fn wrong(&self) -> f64 {
        1.0 - f64::from(self.confidence_per_mille) / 1_000.0
    }

    /// How often a round of so many pairs for each is played at most.
    pub(crate) fn repeats_max(&self, pairs_each: u32) -> usize {
        (self.max_pairs / pairs_each.max(1)).max(1) as usize
    }
}
