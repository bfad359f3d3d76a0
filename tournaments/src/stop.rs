//! When a tournament may stop: once the order of the first places is settled, or ratings are precise enough.

use crate::scores::Scores;
use crate::{Entrant, Settled};

/// What must be settled before a tournament stops: the order of the first places, and each entrant's strength. This is only decided between
/// rounds, so it does not depend on threads or restarts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stop {
    /// How many places must be settled; may be 0.
    pub top: u32,
    /// The confidence in their order, in thousandths.
    pub confidence_per_mille: u32,
    /// The maximum length of a rating's interval on either side, in Elo points. Entrants that won or lost every game have no interval and
    /// do not prevent a stop.
    pub within: Option<u32>,
    /// The maximum number of pairs of games per entrant, even if nothing is settled.
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

    /// The permitted probability that a settled order is wrong.
    fn wrong(&self) -> f64 {
        1.0 - f64::from(self.confidence_per_mille) / 1_000.0
    }

    /// The maximum number of repetitions of a round with this many pairs per entrant.
    pub(crate) fn repeats_max(&self, pairs_each: u32) -> usize {
        (self.max_pairs / pairs_each.max(1)).max(1) as usize
    }
}
