//! The pairs of a match between two entrants: a fold over games in schedule order.

use std::collections::BTreeSet;

use arena_record::Digest;

use crate::{GameResult, PairCounts, ScheduledGame};

/// The results of a match's pairs so far, from the first entrant's side.
///
/// No game counts twice: a pair is left out if one of its games equals an earlier one, with the same seats and an equal
/// digest. Otherwise two deterministic bots that ignore the opening would seem to prove more with every repetition.
#[derive(Clone, Default, Debug)]
pub struct Pairs {
    counts: PairCounts,
    repeated: u32,
    seen: BTreeSet<(usize, Digest)>,
}

impl Pairs {
    /// Counts a pair: two games of one seed with the seats swapped.
    pub fn add(&mut self, pair: [(&ScheduledGame, &GameResult); 2]) {
        let mut half_points = 0;
        let mut is_new = true;
        for (game, result) in pair {
            let Some(first) = game.seats.values().first() else { continue };
            is_new &= self.seen.insert((*first, result.digest));
            half_points += match result.winner {
                None => 1,
                Some(winner) => 2 * u32::from(game.seats[winner] == 0),
            };
        }
        if is_new {
            self.counts.add(half_points);
        } else {
            self.repeated += 1;
        }
    }

    /// The pairs that count, by result.
    pub fn counts(&self) -> PairCounts {
        self.counts
    }

    /// Pairs that do not count, because one of their games repeats an earlier one.
    pub fn repeated(&self) -> u32 {
        self.repeated
    }
}

#[cfg(test)]
mod tests {
    use arena_record::EntrantId;
    use arena_rules::{BySeat, Seat};

    use super::*;
    use crate::{Entrant, RoundRobin};

    fn result(winner: Option<u8>, digest: u8) -> GameResult {
        let tally = BySeat::from([0, 0]);
        GameResult {
            winner: winner.map(Seat),
            forfeits: Vec::new(),
            tally,
            digest: [digest; 32],
            reason: arena_rules::Reason::Majority,
            turns: 0,
        }
    }

    fn games() -> Vec<ScheduledGame> {
        let entrant = |name: &str| Entrant::new(name, EntrantId::of_baseline(name, 1));
        RoundRobin::new(1, 2).games(&[entrant("easy"), entrant("hard")]).iter().collect()
    }

    #[test]
    fn half_points_are_the_first_entrants_whatever_its_seat() {
        let games = games();
        for (winners, result_of_pair) in [
            ([Some(0), Some(1)], 4),
            ([Some(1), Some(0)], 0),
            ([Some(0), Some(0)], 2),
            ([None, Some(1)], 3),
            ([None, Some(0)], 1),
        ] {
            let mut pairs = Pairs::default();
            let results = [result(winners[0], 1), result(winners[1], 2)];
            pairs.add([(&games[0], &results[0]), (&games[1], &results[1])]);
            let mut expected = PairCounts::default();
            expected.add(result_of_pair);
            assert_eq!((pairs.counts(), pairs.repeated()), (expected, 0), "{winners:?}");
        }
    }

    #[test]
    fn a_pair_with_a_game_that_was_played_before_does_not_count() {
        let (games, mut pairs) = (games(), Pairs::default());
        let mut add = |one: u8, other: u8| {
            let results = [result(Some(0), one), result(None, other)];
            pairs.add([(&games[0], &results[0]), (&games[1], &results[1])]);
            (pairs.counts().pairs(), pairs.repeated())
        };
        assert_eq!(add(1, 2), (1, 0));
        assert_eq!(add(1, 2), (1, 1));
        assert_eq!(add(3, 2), (1, 2));
        // Equal digests with swapped seats are different games.
        assert_eq!(add(2, 1), (2, 2));
    }
}
