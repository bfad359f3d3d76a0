//! Which of two entrants is better against a field: both play every opponent from the same openings, and their scores
//! there are compared opening by opening.
//!
//! The score of a pair of games is in 0..1; a difference of two such scores, from one opening against one opponent, is
//! an observation. The result is the mean over the opponents of the mean difference against each, so all opponents have
//! the same weight. Its variance is pooled over the differences around their opponents' means. For the variance alone,
//! one difference of every size is added before the first observation, since a few observations can be all alike; see
//! [`PairCounts`](crate::PairCounts).

use std::collections::BTreeSet;

use arena_limits::counted;
use arena_record::Digest;
use arena_rules::{BySeat, Seat};
use sha2::{Digest as _, Sha256};

use crate::certainty::{doubt, superiority};
use crate::rating::{Difference, Z95};
use crate::{Entrant, GameResult, PAIRS_MIN, ScheduledGame, Stage};

/// Separates these hashes from all others.
const TAG: &[u8] = b"arena/against-seed/1";
/// Entrants before the field: the two that are compared.
pub const COMPARED: usize = 2;
/// Games of one opening against one opponent.
pub const GAMES_OF_AN_OPENING: usize = 4;
/// Half points of a pair.
const HALF_POINTS: i32 = 4;

/// A comparison of the first two entrants against all others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Against {
    /// The seed from which the games' seeds are derived.
    pub seed: u64,
    /// Openings for each opponent; each of the two entrants plays a pair from each.
    pub openings: u32,
}

impl Against {
    /// The games, in groups of four with one seed: the first entrant against an opponent, with seats swapped, and the
    /// same for the second. Every opponent has its first opening before any has its second.
    pub fn games(&self, entrants: &[Entrant]) -> Vec<ScheduledGame> {
        let mut games = Vec::new();
        for pair in 0..self.openings {
            for (opponent, entrant) in entrants.iter().enumerate().skip(COMPARED) {
                let (round, pairing, stage) = (pair as usize, opponent - COMPARED, Stage::Main);
                let seed = Sha256::new()
                    .chain_update(TAG)
                    .chain_update(self.seed.to_le_bytes())
                    .chain_update(entrant.id.as_str())
                    .chain_update(pair.to_le_bytes());
                let seed = seed.finalize().into();
                for seats in [[0, opponent], [opponent, 0], [1, opponent], [opponent, 1]] {
                    let (number, seats) = (games.len(), BySeat::from(seats));
                    games.push(ScheduledGame { number, round, pairing, pair, stage, seats, seed });
                }
            }
        }
        games
    }
}

/// The result of a comparison so far: a fold over openings in schedule order.
#[derive(Clone, Debug)]
pub struct Comparison {
    opponents: Vec<Opponent>,
    repeated: u32,
    seen: BTreeSet<(usize, usize, Digest)>,
}

/// An opponent in the field.
#[derive(Clone, Default, Debug)]
struct Opponent {
    /// Openings that count.
    openings: u32,
    /// Half points of each of the two entrants.
    half_points: [u32; COMPARED],
    /// The squares of all differences of half points.
    squares: u64,
}

/// How far the first of two is ahead of the second, in ten-thousandths of the points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Advantage {
    /// The estimate, from -10,000 to 10,000.
    pub mean: i64,
    /// Half of its 95 % interval.
    pub half_interval: i64,
    /// The probability that the first entrant is the better one, in ten-thousandths.
    pub superiority: u32,
}

impl Comparison {
    /// A comparison before the first game, against this many opponents.
    pub fn against(opponents: usize) -> Comparison {
        Comparison { opponents: vec![Opponent::default(); opponents], repeated: 0, seen: BTreeSet::new() }
    }

    /// Counts an opening: its four games, in the order of the schedule. The opening does not count if one of them
    /// repeats an earlier game.
    pub fn add(&mut self, games: [(&ScheduledGame, &GameResult); GAMES_OF_AN_OPENING]) {
        let (mut half_points, mut is_new) = ([0; COMPARED], true);
        for (game, result) in games {
            let [first, second] = *game.seats.values() else { return };
            is_new &= self.seen.insert((first, second, result.digest));
            let (own, seat) = if first < COMPARED { (first, Seat(0)) } else { (second, Seat(1)) };
            half_points[own] += result.winner.map_or(1, |winner| 2 * u32::from(winner == seat));
        }
        let Some(opponent) = self.opponents.get_mut(games[0].0.pairing) else { return };
        if !is_new {
            self.repeated += 1;
            return;
        }
        opponent.openings += 1;
        opponent.squares += u64::from(half_points[0].abs_diff(half_points[1]).pow(2));
        for (sum, half_points) in opponent.half_points.iter_mut().zip(half_points) {
            *sum += half_points;
        }
    }

    /// Openings that count, over all opponents.
    pub fn openings(&self) -> u32 {
        self.opponents.iter().map(|opponent| opponent.openings).sum()
    }

    /// Openings that do not count, because one of their games repeats an earlier one.
    pub fn repeated(&self) -> u32 {
        self.repeated
    }

    /// The scores of the two entrants against an opponent, in ten-thousandths; `None` before an opening counts.
    pub fn scores(&self, opponent: usize) -> Option<[u32; COMPARED]> {
        let Opponent { openings, half_points, .. } = self.opponents.get(opponent)?;
        let score = |points: u32| (10_000 * u64::from(points) / (4 * u64::from(*openings))) as u32;
        (*openings > 0).then(|| half_points.map(score))
    }

    /// The first entrant's advantage; `None` until every opponent has an opening that counts, and below [`PAIRS_MIN`]
    /// openings.
    pub fn advantage(&self) -> Option<Advantage> {
        let field = self.opponents.len() as f64;
        if self.openings() < PAIRS_MIN || self.opponents.iter().any(|opponent| opponent.openings == 0) {
            return None;
        }
        let whole = f64::from(HALF_POINTS);
        // The differences added for the variance.
        let before = (-HALF_POINTS..=HALF_POINTS).map(|size| f64::from(size * size) / (whole * whole));
        let (mut mean, mut squares, mut parts) = (0.0, before.clone().fold(0.0, |sum, square| sum + square), 0.0);
        for Opponent { openings, half_points: [first, second], squares: own } in &self.opponents {
            let openings = f64::from(*openings);
            let difference = (f64::from(*first) - f64::from(*second)) / (whole * openings);
            mean += difference / field;
            squares += *own as f64 / (whole * whole) - openings * difference * difference;
            parts += 1.0 / (field * field * openings);
        }
        let variance = squares / (f64::from(self.openings()) + before.count() as f64);
        let difference = Difference { estimate: mean, error: libm::sqrt(variance * parts) };
        let whole = |share: f64| libm::round(10_000.0 * share) as i64;
        Some(Advantage {
            mean: whole(mean),
            half_interval: whole(Z95 * difference.error),
            superiority: superiority(doubt(difference)),
        })
    }

    /// Which entrant is better according to these games, in a sentence with one figure.
    pub fn sentence(&self, [a, b]: [&str; COMPARED]) -> String {
        let openings = counted(self.openings(), "opening");
        let Some(Advantage { mean, half_interval, superiority }) = self.advantage() else {
            return format!(
                "too few games to tell which of {a} and {b} is better against this field: {openings} played; play at least {PAIRS_MIN} that differ, and one with each opponent"
            );
        };
        let (low, high) = (mean - half_interval, mean + half_interval);
        if low <= 0 && high >= 0 {
            return format!(
                "not shown which is better against this field: {a} is {} % of the points ahead of {b} (95 %: {} to {}) after {openings}, and the better one with a probability of {} %; play more games to tell",
                signed(mean),
                signed(low),
                signed(high),
                percent(superiority.into())
            );
        }
        let (better, other, [near, mean, far], sure) = match mean > 0 {
            true => (a, b, [low, mean, high], superiority),
            false => (b, a, [-high, -mean, -low], 10_000 - superiority),
        };
        format!(
            "{better} is better than {other} against this field by {} % of the points (95 %: {} to {}) after {openings}, with a probability of {} %",
            percent(mean),
            percent(near),
            percent(far.min(10_000)),
            percent(sure.into())
        )
    }
}

/// Ten-thousandths in percent; what is 0.0 with one decimal has no minus.
fn shown(ten_thousandths: i64) -> f64 {
    if ten_thousandths.abs() < 5 { 0.0 } else { ten_thousandths as f64 / 100.0 }
}

/// Ten-thousandths as percent with one decimal and a sign.
fn signed(ten_thousandths: i64) -> String {
    format!("{:+.1}", shown(ten_thousandths))
}

/// Ten-thousandths as percent with one decimal, without a sign.
fn percent(ten_thousandths: i64) -> String {
    format!("{:.1}", shown(ten_thousandths))
}

#[cfg(test)]
mod tests {
    use arena_rules::Rng;

    use super::*;
    use crate::testing::{entrants, won};

    #[test]
    fn nothing_is_below_zero_by_a_rounding() {
        let all = |shown: fn(i64) -> String| [-6, -5, -1, 0, 1, 5, 6, -123].map(shown).join(" ");
        assert_eq!(all(signed), "-0.1 -0.1 +0.0 +0.0 +0.0 +0.1 +0.1 -1.2");
        assert_eq!(all(percent), "-0.1 -0.1 0.0 0.0 0.0 0.1 0.1 -1.2");
    }

    /// Plays all games; `wins` says whether the compared entrant wins a game.
    fn compared(format: Against, field: usize, mut wins: impl FnMut(usize, usize) -> bool) -> Comparison {
        let mut comparison = Comparison::against(field);
        let results: Vec<(ScheduledGame, GameResult)> = format
            .games(&entrants(COMPARED + field))
            .into_iter()
            .map(|game| {
                let [first, second] = *game.seats.values() else { unreachable!() };
                let (own, opponent, seat) = if first < COMPARED { (first, second, 0) } else { (second, first, 1) };
                let winner = Some(Seat(if wins(own, opponent) { seat } else { 1 - seat }));
                let result = won(winner, game.number);
                (game, result)
            })
            .collect();
        for four in results.chunks_exact(GAMES_OF_AN_OPENING) {
            comparison.add([0, 1, 2, 3].map(|place| (&four[place].0, &four[place].1)));
        }
        comparison
    }

    #[test]
    fn both_meet_the_same_opponents_from_the_same_openings_in_both_seats() {
        let games = Against { seed: 3, openings: 5 }.games(&entrants(5));
        assert_eq!(games.len(), 5 * 3 * GAMES_OF_AN_OPENING);
        for (number, four) in games.chunks(GAMES_OF_AN_OPENING).enumerate() {
            assert!(four.iter().all(|game| game.seed == four[0].seed && game.pairing == number % 3));
            let seats: Vec<&[usize]> = four.iter().map(|game| game.seats.values()).collect();
            let opponent = COMPARED + number % 3;
            assert_eq!(seats, [[0, opponent], [opponent, 0], [1, opponent], [opponent, 1]]);
        }
        let seeds: BTreeSet<_> = games.iter().map(|game| game.seed).collect();
        assert_eq!(seeds.len(), 15);
    }

    #[test]
    fn the_figure_is_that_of_the_formula() {
        // 20 openings with each of two opponents. The first wins all, the second half of the games with the first
        // opponent, one of each pair, and all with the second: differences 1/2 and 0, mean 1/4. Around their means they
        // do not vary; the nine sizes have 60/16: variance 3.75 / 49 = 0.076531, error sqrt(0.076531 * 2 / (4 * 20)) =
        // 0.043741, times 1.96 0.0857.
        let mut turn = 0;
        let comparison = compared(Against { seed: 1, openings: 20 }, 2, |own, opponent| {
            turn += usize::from(own == 1 && opponent == 2);
            own == 0 || opponent == 3 || turn % 2 == 0
        });
        let advantage = comparison.advantage();
        assert_eq!(advantage, Some(Advantage { mean: 2_500, half_interval: 857, superiority: 10_000 }));
        assert_eq!([0, 1].map(|opponent| comparison.scores(opponent)), [Some([10_000, 5_000]), Some([10_000, 10_000])]);
        assert_eq!(
            comparison.sentence(["new", "old"]),
            "new is better than old against this field by 25.0 % of the points (95 %: 16.4 to 33.6) after 40 openings, with a probability of 100.0 %"
        );
        // Swapping the two entrants mirrors the result.
        let other = compared(Against { seed: 1, openings: 20 }, 2, |own, opponent| own == 1 || opponent == 3);
        let other = other.sentence(["new", "old"]);
        assert!(other.starts_with("old is better than new against this field by 50.0 %"), "{other}");
    }

    #[test]
    fn few_equal_and_repeated_games_show_nothing() {
        let few = compared(Against { seed: 1, openings: 3 }, 2, |own, _| own == 0);
        assert!(few.advantage().is_none() && few.sentence(["a", "b"]).starts_with("too few games"));
        let level = compared(Against { seed: 1, openings: 30 }, 2, |_, _| true);
        assert!(level.sentence(["a", "b"]).starts_with("not shown which is better"), "{}", level.sentence(["a", "b"]));
        let mut again = few.clone();
        let games = Against { seed: 1, openings: 3 }.games(&entrants(4));
        let results: Vec<GameResult> = games.iter().map(|game| won(Some(Seat(0)), game.number)).collect();
        again.add([0, 1, 2, 3].map(|place| (&games[place], &results[place])));
        assert_eq!((again.openings(), again.repeated()), (few.openings(), 1));
    }

    mod slow {
        use super::*;

        #[test]
        fn the_interval_holds_as_often_as_it_says() {
            let mut rng = Rng::new(&[9; 32], 0);
            let (trials, mut held) = (1_500, 0);
            for trial in 0..trials {
                // The chances of each of the two against each of three opponents; openings differ, too.
                let chances = [[0.3, 0.6, 0.9], [0.25, 0.65, 0.7]];
                let openings = [10, 40][trial % 2];
                let comparison = compared(Against { seed: 1, openings }, 3, |own, opponent| {
                    f64::from(rng.word()) < chances[own][opponent - COMPARED] * 4_294_967_296.0
                });
                let truth = (0.05 - 0.05 + 0.2) / 3.0 * 10_000.0;
                let Some(Advantage { mean, half_interval, .. }) = comparison.advantage() else { continue };
                held += usize::from((mean as f64 - truth).abs() <= half_interval as f64);
            }
            // Wider where there are few: 30 and 120 openings.
            let percent = 100.0 * held as f64 / trials as f64;
            assert!((94.0..=99.0).contains(&percent), "{percent}");
        }
    }
}
