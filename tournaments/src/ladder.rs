//! A ladder in rounds: in each, every entrant plays at most one pair of games, against the most informative opponent.
//!
//! A pair is more informative the more open it is, and the less is known about the difference of the two: p (1 - p) V,
//! where p is the chance that one beats the other, and V the variance of the difference of their strengths by the
//! model. All pairs of a round are chosen together, so that their sum is largest.

use std::cmp::Reverse;

use crate::format::{Format, LADDER};
use crate::matching::heaviest_in_line;
use crate::meetings::{Draft, lot, meetings, without_a_game};
use crate::rating::expected;
use crate::rounds::{Round, rounds};
use crate::scores::Scores;
use crate::stop::Stop;
use crate::{Entrant, Leave, Schedule, Settled, Standings, fairness};

/// Entrants this close by rating are candidates for a pair. Those further away are less informative: with 40
/// candidates, ratings of 1,000 are 3 % nearer to the truth after eleven rounds; the number of choices is 2 to the
/// power of half the number of candidates.
const NEAREST: usize = 8;
/// The unit's fraction in which the information of a pair is counted.
const PARTS: f64 = 1e9;
/// Bits of a drawn lot, which decides between equally informative choices.
const LOT_BITS: u32 = 40;
/// Separates the lots of pairs from others.
const PAIR_TAG: &[u8] = b"arena/ladder-pair/1";
/// The same, for the order of entrants with equal ratings.
const ORDER_TAG: &[u8] = b"arena/ladder-order/1";

/// A ladder with a number of rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ladder {
    /// The seed from which all draws and the games' seeds are derived.
    pub seed: u64,
    /// The number of rounds.
    pub rounds: u32,
    /// When to stop earlier.
    pub stop: Option<Stop>,
}

impl Ladder {
    /// The scores, and how each may be placed: one that withdrew would have played a pair in each round but those in
    /// which it had no opponent.
    fn scores(&self, entrants: &[Entrant], settled: &Settled) -> Scores {
        let mut due = vec![2 * u32::try_from(settled.next_round()).unwrap_or(u32::MAX / 2); entrants.len()];
        if settled.left.values().any(|left| left.why == Leave::Withdrawn) {
            for round in meetings(settled).chunk_by(|one, other| one.round == other.round) {
                without_a_game(round, entrants.len(), settled).into_iter().for_each(|entrant| due[entrant] -= 2);
            }
        }
        Scores::of(entrants, settled).placed(settled.placings(entrants.len(), |entrant, _| due[entrant]))
    }

    fn pairings(&self, round: usize, playing: &[usize], scores: &Scores) -> Vec<[usize; 2]> {
        let (mut order, certainty) = (playing.to_vec(), scores.strengths.certainty());
        let place = |entrant: usize| {
            (Reverse(scores.of[entrant].strength_tenths), lot(self.seed, ORDER_TAG, &[round, entrant]))
        };
        order.sort_by_cached_key(|entrant| place(*entrant));
        let weight = |ends: [usize; 2]| {
            let both = ends.map(|place| order[place]);
            // A bot against itself tells nothing.
            let bots = both.map(|entrant| scores.bots.bot(entrant));
            let [one, other] = bots.map(|bot| scores.strengths.of[bot]);
            let chance = expected(one, other);
            let told = chance * (1.0 - chance) * certainty.of_difference(bots[0], bots[1]);
            let lot = lot(self.seed, PAIR_TAG, &[round, both[0].min(both[1]), both[0].max(both[1])]);
            let unit = (order.len() as i128) << LOT_BITS;
            libm::round(told * PARTS) as i128 * unit + i128::from(lot >> (u64::BITS - LOT_BITS))
        };
        let pairs = heaviest_in_line(order.len(), NEAREST / 2, weight);
        pairs.into_iter().map(|pair| pair.map(|place| order[place])).collect()
    }
}

impl Format for Ladder {
    fn name(&self) -> &'static str {
        LADDER
    }

    fn seed(&self) -> u64 {
        self.seed
    }

    fn next(&self, entrants: &[Entrant], settled: &Settled) -> Schedule {
        let last = settled.last();
        let (round, pairing) = last.map_or((0, 0), |game| (game.round + 1, game.pairing + 1));
        let mut draft = Draft::behind(settled, self.seed, entrants);
        let playing: Vec<usize> = (0..entrants.len()).filter(|entrant| !settled.left.contains_key(entrant)).collect();
        let scores = self.scores(entrants, settled);
        let continues = round == 0 || self.stop.is_none_or(|stop| stop.continues(&scores, settled, 1));
        if round < self.rounds as usize && playing.len() > 1 && continues {
            for (number, pair) in self.pairings(round, &playing, &scores).into_iter().enumerate() {
                draft.add(round, pairing + number, pair, 1);
            }
        }
        draft.games()
    }

    fn last_entry(&self) -> Option<usize> {
        Some(self.rounds.saturating_sub(1) as usize)
    }

    fn games_max(&self, entrants: usize) -> usize {
        let rounds = self.stop.map_or(self.rounds, |stop| self.rounds.min(stop.max_pairs).max(1));
        entrants / 2 * 2 * rounds as usize
    }

    /// Ranked by rating, then points.
    fn standings(&self, entrants: &[Entrant], settled: &Settled) -> Standings {
        let scores = self.scores(entrants, settled);
        scores.standings(entrants, &scores.ranking(entrants), Vec::new())
    }

    fn reports(&self, _title: Option<&str>, entrants: &[Entrant], settled: &Settled) -> Vec<(&'static str, String)> {
        let met = meetings(settled);
        let by_round = met.chunk_by(|one, other| one.round == other.round).zip(1..).map(|(meetings, number)| Round {
            title: format!("round {number}"),
            meetings: meetings.to_vec(),
            byes: without_a_game(meetings, entrants.len(), settled),
        });
        let by_round: Vec<Round> = by_round.collect();
        fairness(entrants, settled).files().into_iter().chain(rounds(entrants, &by_round)).collect()
    }
}

#[cfg(test)]
mod tests {
    use arena_rules::Rng;

    use super::*;
    use crate::testing::{by_strength, entrants, play};
    use crate::{Fate, Left};

    #[test]
    fn everybody_plays_a_pair_a_round_and_soon_against_those_that_are_near() {
        let names = entrants(32);
        let format = Ladder { seed: 5, rounds: 20, stop: None };
        let settled = play(&format, &names, by_strength(&mut Rng::new(&[6; 32], 1), 0.3));
        let met = meetings(&settled);
        assert_eq!(met.len(), 20 * 16);
        let distance = |rounds: std::ops::Range<usize>| {
            let of = met.iter().filter(|meeting| rounds.contains(&meeting.round));
            of.map(|meeting| meeting.entrants[0].abs_diff(meeting.entrants[1])).sum::<usize>()
        };
        assert!(2 * distance(15..20) < distance(0..5), "{} {}", distance(0..5), distance(15..20));
        for round in met.chunk_by(|one, other| one.round == other.round) {
            let mut playing: Vec<usize> = round.iter().flat_map(|meeting| meeting.entrants).collect();
            playing.sort_unstable();
            assert_eq!(playing, (0..32).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_round_names_who_has_no_game_once_it_is_over() {
        let names = entrants(3);
        let format = Ladder { seed: 5, rounds: 4, stop: None };
        let settled = play(&format, &names, |game| game.seats.values().iter().min().copied());
        let texts = |settled: &Settled| -> Vec<String> {
            let files = format.reports(None, &names, settled).into_iter();
            files.filter(|(file, _)| file.starts_with("rounds.")).map(|(_, text)| text).collect()
        };
        let [json, text] = &texts(&settled)[..] else { panic!("two files") };
        assert_eq!(
            (json.matches("\"byes\":[{\"name\":\"bot").count(), text.matches("  without a game\n").count()),
            (4, 4)
        );
        let mut first = Settled::default();
        first.append(format.next(&names, &first));
        first.keep(0, &crate::testing::drawn());
        first.decide(0, Fate::Counted);
        assert!(!texts(&first)[1].contains("without a game"), "the pair is not over");
    }

    #[test]
    fn rounds_without_an_opponent_are_not_missed() {
        let (names, format) = (entrants(3), Ladder { seed: 5, rounds: 10, stop: None });
        // An entrant that leaves after six of ten rounds played or sat out all six.
        for gone in 0..3 {
            let mut settled = Settled::default();
            for round in 0..10 {
                let first = settled.len();
                settled.append(format.next(&names, &settled));
                for place in first..settled.len() {
                    settled.keep(place, &crate::testing::won(None, place));
                    settled.decide(place, Fate::Counted);
                }
                if round == 5 {
                    settled.left.insert(gone, Left { from: settled.len(), why: Leave::Withdrawn });
                }
            }
            let standings = format.standings(&names, &settled);
            assert!(standings.rows.iter().all(|row| row.rank.0.is_some()), "{gone}\n{}", standings.to_table());
        }
    }

    mod slow {
        use super::*;

        #[test]
        fn it_stops_when_the_first_are_settled_or_enough_was_played() {
            let names = entrants(8);
            let stop = |top, max_pairs| Some(Stop { top, confidence_per_mille: 950, within: None, max_pairs });
            let played = |stop| {
                let format = Ladder { seed: 5, rounds: 400, stop };
                let settled = play(&format, &names, by_strength(&mut Rng::new(&[6; 32], 2), 1.0));
                settled.len() / 8
            };
            let (first, three) = (played(stop(1, 400)), played(stop(3, 400)));
            assert!(5 < first && first < three && three < 400, "{first} {three} rounds");
            assert_eq!(played(stop(8, 12)), 12);
        }
    }
}
