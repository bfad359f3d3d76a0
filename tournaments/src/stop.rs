//! When a tournament may stop: once the order of the first places is settled, or ratings are precise enough.

use crate::Settled;
use crate::scores::Scores;

/// What must be settled before a tournament stops: the order of the first places, and each entrant's strength. This is
/// only decided between rounds, so it does not depend on threads or restarts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stop {
    /// How many places must be settled; may be 0. Entrants that are placed last, as disqualified ones, take none of
    /// them.
    pub top: u32,
    /// The confidence in their order, in thousandths.
    pub confidence_per_mille: u32,
    /// The maximum length of a rating's interval on either side, in Elo points. Entrants that won or lost every game
    /// have no interval and do not prevent a stop, nor do those who left.
    pub within: Option<u32>,
    /// The maximum number of pairs of games per entrant, even if nothing is settled.
    pub max_pairs: u32,
}

impl Stop {
    /// Whether to play another round, in which nobody plays more than `pairs_each` pairs, after games with these
    /// scores.
    pub(crate) fn continues(&self, scores: &Scores, settled: &Settled, pairs_each: u32) -> bool {
        let mut played = vec![0_u32; scores.of.len()];
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{entrants, play};
    use crate::{Fate, Format, Leave, Left, RoundRobin, Row, ScheduledGame};

    const STOP: Stop = Stop { top: 1, confidence_per_mille: 950, within: None, max_pairs: 400 };

    #[test]
    fn who_is_placed_last_settles_nothing_and_has_the_last_rank() {
        let names = entrants(3);
        let format = RoundRobin { stop: Some(STOP), ..RoundRobin::new(5, 4) };
        // The first wins all of its games, and the others draw theirs.
        let mut settled = play(&format, &names, |game| game.seats.values().contains(&0).then_some(0));
        assert!(settled.len() < format.games_max(3) && format.next(&names, &settled).is_empty());
        let ranks = |settled: &Settled| {
            let standings = format.standings(&names, settled);
            let rank = |row: &Row| standings.value(row, "rank").expect("a column").to_string();
            standings.rows.iter().map(|row| (row.name.clone(), rank(row))).collect::<Vec<_>>()
        };
        let row = |name: &str, rank: &str| (name.to_string(), rank.to_string());
        let from = settled.len();
        for (why, is_over, wanted) in [
            (Leave::Withdrawn, true, [row("bot0", "1"), row("bot1", "2-3"), row("bot2", "2-3")]),
            (Leave::Disqualified, false, [row("bot1", "1-2"), row("bot2", "1-2"), row("bot0", "3")]),
        ] {
            settled.left.insert(0, Left { from, why });
            assert_eq!(format.next(&names, &settled).is_empty(), is_over, "{why:?}");
            assert_eq!(ranks(&settled), wanted);
        }
    }

    #[test]
    fn nobody_waits_for_the_rating_of_one_who_left() {
        let names = entrants(3);
        // Each of two wins every other pair.
        let winner = |game: &ScheduledGame| {
            let [one, other] = *game.seats.values() else { panic!("two seats") };
            Some(if game.pair.is_multiple_of(2) { one.min(other) } else { one.max(other) })
        };
        let mut settled = play(&RoundRobin::new(5, 40), &names, winner);
        let mut played = 0;
        for number in 0..settled.len() {
            played += u32::from(settled.seated(number).any(|entrant| entrant == 2));
            if played > 4 && settled.seated(number).any(|entrant| entrant == 2) {
                settled.decide(number, Fate::Cancelled);
            }
        }
        let stop = Stop { top: 0, within: Some(150), ..STOP };
        let continues = |settled: &Settled| stop.continues(&Scores::of(&names, settled), settled, 80);
        assert!(continues(&settled));
        settled.left.insert(2, Left { from: 0, why: Leave::Withdrawn });
        assert!(!continues(&settled));
    }
}
