//! Glicko-2 ratings of people, from their games against each other that count. A rating period is a day of UTC.
//!
//! The crate `skillratings` computes a period with the platform's exponential and logarithm, whose last bits may differ
//! between machines. So results of a period are rounded far above those bits before anything depends on them, and games
//! are taken in order (`docs/decisions/0037-skillratings.md`).
//!
//! Source: M. Glickman, "Example of the Glicko-2 system".

use std::collections::BTreeMap;

use arena_rooms::PersonId;
use skillratings::Outcomes;
use skillratings::glicko2::{Glicko2Config, Glicko2Rating, decay_deviation, glicko2_rating_period};

use crate::Day;

/// `tau` limits changes of volatility, and is the middle of the range that Glickman advises. The tolerance is far below
/// the rounding, so one step more or less of the search makes no difference.
const CONFIG: Glicko2Config = Glicko2Config { tau: 0.5, convergence_tolerance: 1e-12 };

/// The deviation of a person without games, which no pause exceeds.
const DEVIATION_THOUSANDTHS_MAX: i64 = 350_000;

/// A person's strength, as estimated from games.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Strength {
    /// The rating, in thousandths of a point; 1,500 points at the start.
    pub rating_thousandths: i64,
    /// Its standard deviation, in thousandths of a point; 350 points at the start and at most.
    pub deviation_thousandths: i64,
    /// How erratic the results are, in billionths; 0.06 at the start.
    pub volatility_billionths: i64,
    /// The last day whose games are included.
    pub through: Day,
}

impl Strength {
    /// The rating in points, rounded.
    pub fn rating(&self) -> i64 {
        (self.rating_thousandths + 500).div_euclid(1_000)
    }

    /// Half of the 95 % interval of the true strength: two deviations, in points, rounded.
    pub fn half_interval(&self) -> i64 {
        (2 * self.deviation_thousandths + 500).div_euclid(1_000)
    }

    /// The strength of a person without games before this day.
    fn new(day: Day) -> Strength {
        Strength {
            rating_thousandths: 1_500_000,
            deviation_thousandths: DEVIATION_THOUSANDTHS_MAX,
            volatility_billionths: 60_000_000,
            through: Day(day.0 - 1),
        }
    }

    /// The strength at the beginning of a day: each day without a game makes it less certain.
    fn at_start_of(self, day: Day) -> Strength {
        let mut rating = self.precise();
        let mut idle_days = day.0 - self.through.0 - 1;
        while idle_days > 0 && rounded(rating.deviation, 1e3) < DEVIATION_THOUSANDTHS_MAX {
            rating = decay_deviation(&rating);
            idle_days -= 1;
        }
        Strength::rounded(rating, self.through)
    }

    /// The strength after all games of a day, against opponents as they were when it began.
    fn after(self, day: Day, results: &[(Strength, Outcomes)]) -> Strength {
        let results: Vec<_> = results.iter().map(|(opponent, outcome)| (opponent.precise(), *outcome)).collect();
        Strength::rounded(glicko2_rating_period(&self.precise(), &results, &CONFIG), day)
    }

    fn precise(&self) -> Glicko2Rating {
        Glicko2Rating {
            rating: self.rating_thousandths as f64 / 1e3,
            deviation: self.deviation_thousandths as f64 / 1e3,
            volatility: self.volatility_billionths as f64 / 1e9,
        }
    }

    /// Rounds a result. The bounds keep the next period from dividing by zero.
    fn rounded(precise: Glicko2Rating, through: Day) -> Strength {
        Strength {
            rating_thousandths: rounded(precise.rating, 1e3),
            deviation_thousandths: rounded(precise.deviation, 1e3).clamp(1, DEVIATION_THOUSANDTHS_MAX),
            volatility_billionths: rounded(precise.volatility, 1e9).max(1),
            through,
        }
    }
}

/// Rounds a value to a number of parts of one.
fn rounded(value: f64, parts: f64) -> i64 {
    (value * parts).round() as i64
}

/// The strengths of everybody in one game: a fold over games, in order.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Strengths {
    /// After all days except that of the last game.
    settled: BTreeMap<PersonId, Strength>,
    /// The day of the last game, and its games so far.
    today: Option<Day>,
    games: Vec<Meeting>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Meeting {
    players: [PersonId; 2],
    /// By player.
    outcomes: [Outcomes; 2],
}

impl Strengths {
    /// Adds the next game. `winner` is an index into the players.
    pub(crate) fn add(&mut self, day: Day, players: [PersonId; 2], winner: Option<usize>) {
        if self.today != Some(day) {
            let played = self.after_today();
            self.settled.extend(played);
            self.games.clear();
            self.today = Some(day);
        }
        let outcomes = match winner {
            None => [Outcomes::DRAW; 2],
            Some(0) => [Outcomes::WIN, Outcomes::LOSS],
            Some(_) => [Outcomes::LOSS, Outcomes::WIN],
        };
        self.games.push(Meeting { players, outcomes });
    }

    /// The strengths of these people when `day` begins; on the day of the last game, including its games so far.
    pub(crate) fn on(&self, day: Day, persons: &[PersonId]) -> BTreeMap<PersonId, Strength> {
        let today = self.after_today();
        let last = |person| today.get(person).or_else(|| self.settled.get(person));
        persons.iter().filter_map(|person| Some((*person, last(person)?.at_start_of(day)))).collect()
    }

    /// The strengths, after its games, of those who played on the day of the last game.
    fn after_today(&self) -> BTreeMap<PersonId, Strength> {
        let Some(today) = self.today else { return BTreeMap::new() };
        let before = |person: PersonId| {
            self.settled.get(&person).map_or(Strength::new(today), |strength| strength.at_start_of(today))
        };
        let mut results: BTreeMap<PersonId, Vec<(Strength, Outcomes)>> = BTreeMap::new();
        for Meeting { players, outcomes } in &self.games {
            let [first, second] = *players;
            for (own, opponent, outcome) in [(first, second, outcomes[0]), (second, first, outcomes[1])] {
                results.entry(own).or_default().push((before(opponent), outcome));
            }
        }
        results.into_iter().map(|(person, results)| (person, before(person).after(today, &results))).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn strength(rating: f64, deviation: f64) -> Strength {
        Strength::rounded(Glicko2Rating { rating, deviation, volatility: 0.06 }, Day(0))
    }

    /// Source: M. Glickman, "Example of the Glicko-2 system".
    #[test]
    fn the_published_example() {
        let results = [
            (strength(1_400.0, 30.0), Outcomes::WIN),
            (strength(1_550.0, 100.0), Outcomes::LOSS),
            (strength(1_700.0, 300.0), Outcomes::LOSS),
        ];
        let after = strength(1_500.0, 200.0).after(Day(1), &results);
        // To the last digit of the paper, which rounds intermediate results.
        assert!((after.rating_thousandths - 1_464_060).abs() <= 10, "{after:?}");
        assert!((after.deviation_thousandths - 151_520).abs() <= 10, "{after:?}");
        assert!((after.volatility_billionths - 59_990_000).abs() <= 10_000, "{after:?}");
        assert_eq!((after.rating(), after.half_interval(), after.through), (1_464, 303, Day(1)));
    }

    #[test]
    fn a_pause_makes_less_certain_and_never_less_than_at_the_start() {
        let known = strength(1_700.0, 50.0);
        let deviations = [0, 1, 2, 30, 365, 100_000].map(|days| known.at_start_of(Day(1 + days)).deviation_thousandths);
        assert!(deviations.is_sorted(), "{deviations:?}");
        assert_eq!((deviations[0], deviations[5]), (50_000, DEVIATION_THOUSANDTHS_MAX));
        assert_eq!(known.at_start_of(Day(500)).rating_thousandths, known.rating_thousandths);
    }

    /// A period computed by the paper's steps, with `libm`, and with bisection instead of its search. `None` if several
    /// volatilities solve the equation, as after very unexpected results: then each search may find a different one.
    fn period_by_libm(player: &Strength, results: &[(Strength, Outcomes)], day: Day) -> Option<Strength> {
        const SCALE: f64 = 173.7178;
        let Glicko2Rating { rating, deviation, volatility } = player.precise();
        let (mu, phi) = ((rating - 1_500.0) / SCALE, deviation / SCALE);
        let (mut information, mut gain) = (0.0, 0.0);
        for (opponent, outcome) in results {
            let opponent = opponent.precise();
            let phi_of = opponent.deviation / SCALE;
            let pi = std::f64::consts::PI;
            let g = 1.0 / libm::sqrt(1.0 + 3.0 * phi_of * phi_of / (pi * pi));
            let expected = 1.0 / (1.0 + libm::exp(-g * (mu - (opponent.rating - 1_500.0) / SCALE)));
            information += g * g * expected * (1.0 - expected);
            gain += g * (outcome.to_chess_points() - expected);
        }
        let v = 1.0 / information;
        let delta = v * gain;
        let start = libm::log(volatility * volatility);
        let f = |x: f64| {
            let e = libm::exp(x);
            let sum = phi * phi + v + e;
            e * (delta * delta - sum) / (2.0 * sum * sum) - (x - start) / (CONFIG.tau * CONFIG.tau)
        };
        let excess = delta * delta - phi * phi - v;
        let (mut low, mut high) = if excess > 0.0 {
            (start.min(libm::log(excess)), start.max(libm::log(excess)))
        } else {
            let steps =
                (1..).find(|steps| f(start - f64::from(*steps) * CONFIG.tau) >= 0.0).expect("f rises without end");
            (start - f64::from(steps) * CONFIG.tau, start)
        };
        let solved = |step: u32| f(low + (high - low) * f64::from(step) / 1_000.0) > 0.0;
        if (1..=1_000).filter(|step| solved(step - 1) != solved(*step)).count() > 1 {
            return None;
        }
        for _ in 0..100 {
            let middle = f64::midpoint(low, high);
            if f(middle) > 0.0 { low = middle } else { high = middle }
        }
        let volatility = libm::exp(low / 2.0);
        let deviation = 1.0 / libm::sqrt(1.0 / (phi * phi + volatility * volatility) + information);
        let rating = (mu + deviation * deviation * gain) * SCALE + 1_500.0;
        Some(Strength::rounded(Glicko2Rating { rating, deviation: deviation * SCALE, volatility }, day))
    }

    fn any_strength(ratings_thousandths: std::ops::Range<i64>) -> impl Strategy<Value = Strength> {
        (ratings_thousandths, 30_000_i64..=350_000, 30_000_000_i64..120_000_000).prop_map(
            |(rating_thousandths, deviation_thousandths, volatility_billionths)| Strength {
                rating_thousandths,
                deviation_thousandths,
                volatility_billionths,
                through: Day(0),
            },
        )
    }

    fn any_outcome() -> impl Strategy<Value = Outcomes> {
        prop_oneof![Just(Outcomes::WIN), Just(Outcomes::DRAW), Just(Outcomes::LOSS)]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        /// Other functions, another order and another search change at most the last digit that is written.
        #[test]
        fn the_platforms_mathematics_do_not_show(
            player in any_strength(1_000_000..2_200_000),
            results in proptest::collection::vec((any_strength(1_000_000..2_200_000), any_outcome()), 1..20),
        ) {
            let (ours, other) = (player.after(Day(1), &results), period_by_libm(&player, &results, Day(1)));
            let Some(other) = other else { return Err(TestCaseError::reject("several volatilities")) };
            prop_assert!((ours.rating_thousandths - other.rating_thousandths).abs() <= 1, "{ours:?} {other:?}");
            prop_assert!((ours.deviation_thousandths - other.deviation_thousandths).abs() <= 1, "{ours:?} {other:?}");
            prop_assert!((ours.volatility_billionths - other.volatility_billionths).abs() <= 1, "{ours:?} {other:?}");
        }

        /// Even if they are so far apart that an exponential cannot tell the difference from zero.
        #[test]
        fn a_win_never_lowers_and_a_loss_never_raises(
            player in any_strength(-90_000_000..90_000_000),
            opponent in any_strength(-90_000_000..90_000_000),
        ) {
            let rating = |outcome| player.after(Day(1), &[(opponent, outcome)]).rating_thousandths;
            prop_assert!(rating(Outcomes::LOSS) <= player.rating_thousandths);
            prop_assert!(rating(Outcomes::LOSS) <= rating(Outcomes::DRAW) && rating(Outcomes::DRAW) <= rating(Outcomes::WIN));
            prop_assert!(rating(Outcomes::WIN) >= player.rating_thousandths);
        }
    }
}
