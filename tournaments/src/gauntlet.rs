//! Gauntlets: the first entrant against all others.

use crate::format::{Format, GAUNTLET};
use crate::meetings::Draft;
use crate::scores::Scores;
use crate::stop::Stop;
use crate::{Entrant, Schedule, Settled, Standings};

/// The first entrant meets each other one; the others do not meet each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Gauntlet {
    /// The seed from which all games' seeds are derived.
    pub seed: u64,
    /// Pairs of games per pairing.
    pub pairs: u32,
    /// When to stop repeating the whole schedule.
    pub stop: Option<Stop>,
}

impl Gauntlet {
    /// The number of pairs that the first entrant plays between decisions about a stop.
    fn pairs_each(&self, entrants: usize) -> u32 {
        u32::try_from(entrants.saturating_sub(1)).unwrap_or(u32::MAX).saturating_mul(self.pairs)
    }
}

impl Format for Gauntlet {
    fn name(&self) -> &'static str {
        GAUNTLET
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn next(&self, entrants: &[Entrant], settled: &Settled) -> Schedule {
        let mut draft = Draft::behind(settled, self.seed, entrants);
        let missing: Vec<usize> = (1..entrants.len()).filter(|other| draft.is_missing([0, *other], settled)).collect();
        let others = match self.stop {
            _ if !missing.is_empty() => missing,
            Some(stop) if stop.continues(&Scores::of(entrants, settled), settled, self.pairs_each(entrants.len())) => {
                (1..entrants.len()).collect()
            }
            _ => Vec::new(),
        };
        let (round, pairing) = settled.last().map_or((0, 0), |game| (game.round + 1, game.pairing + 1));
        for (number, other) in others.into_iter().enumerate() {
            draft.add(round + number, pairing + number, [0, other], self.pairs);
        }
        draft.games()
    }

    fn last_entry(&self) -> Option<usize> {
        None
    }

    fn games_max(&self, entrants: usize) -> usize {
        let once = 2 * entrants.saturating_sub(1) * self.pairs as usize;
        once * self.stop.map_or(1, |stop| stop.repeats_max(self.pairs_each(entrants)))
    }

    /// Ranked by rating, then points.
    fn standings(&self, entrants: &[Entrant], settled: &Settled) -> Standings {
        let scores = Scores::of(entrants, settled);
        scores.standings(entrants, &scores.ranking(entrants), Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{entrants, play};

    #[test]
    fn the_first_meets_each_other_one() {
        let names = entrants(6);
        let format = Gauntlet { seed: 3, pairs: 4, stop: None };
        let settled = play(&format, &names, |_| Some(0));
        assert_eq!(settled.len(), format.games_max(6));
        for other in 1..6 {
            let met = settled.games().filter(|one| one.game.seats.values().contains(&other));
            assert_eq!(met.filter(|one| one.game.seats.values().contains(&0)).count(), 8);
        }
        let ranks: Vec<Option<usize>> = format.standings(&names, &settled).rows.iter().map(|row| row.rank.0).collect();
        assert_eq!(ranks, [1, 2, 2, 2, 2, 2].map(Some));
    }
}
