//! How often what standings claim is true: simulated tournaments of entrants whose strengths are known.
//!
//! `cargo xtask coverage` runs 10,000 of each kind; tests run fewer, with wider limits. The claims are pooled over all kinds: two-sided
//! intervals of ratings and of differences between neighbours, exact bounds, rank intervals, and the same where tournaments stop
//! when the first places are settled.

#![expect(clippy::print_stdout, reason = "what a command of xtask reports")]

use std::thread;

use arena_rules::Rng;

use crate::certainty::{is_settled, ranks};
use crate::rating::{ELO, Fit, PairResult, Rating, Strengths, expected};

/// A kind of tournament: a round robin of so many entrants whose strengths are drawn with this standard deviation, in Elo points,
/// with so many pairs for each pairing; `draws` is the part of upsets that are drawn instead.
#[derive(Clone, Copy, Debug)]
struct Kind {
    entrants: usize,
    deviation: f64,
    pairs: u32,
    draws: f64,
    /// Whether it stops when the first three are settled; it has at most ten times the pairs.
    stops: bool,
}

const KINDS: [Kind; 9] = [
    Kind { entrants: 4, deviation: 60.0, pairs: 40, draws: 0.0, stops: false },
    Kind { entrants: 6, deviation: 150.0, pairs: 20, draws: 0.5, stops: false },
    Kind { entrants: 8, deviation: 200.0, pairs: 10, draws: 0.0, stops: false },
    Kind { entrants: 8, deviation: 400.0, pairs: 10, draws: 0.3, stops: false },
    Kind { entrants: 12, deviation: 150.0, pairs: 20, draws: 0.0, stops: false },
    Kind { entrants: 5, deviation: 800.0, pairs: 8, draws: 0.0, stops: false },
    Kind { entrants: 6, deviation: 200.0, pairs: 5, draws: 0.0, stops: true },
    Kind { entrants: 8, deviation: 300.0, pairs: 4, draws: 0.1, stops: true },
    Kind { entrants: 5, deviation: 500.0, pairs: 4, draws: 0.0, stops: true },
];

/// How many claims there were, and how many of them were true.
#[derive(Clone, Copy, Default, Debug)]
struct Claims {
    made: u64,
    kept: u64,
}

impl Claims {
    fn note(&mut self, kept: bool) {
        self.made += 1;
        self.kept += u64::from(kept);
    }

    fn percent(self) -> f64 {
        100.0 * self.kept as f64 / self.made.max(1) as f64
    }
}

#[derive(Clone, Copy, Default, Debug)]
struct Tally {
    ratings: Claims,
    differences: Claims,
    bounds: Claims,
    ranks: Claims,
    /// Claims that the order of the first is settled.
    settled: Claims,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        for (all, one) in [
            (&mut self.ratings, other.ratings),
            (&mut self.differences, other.differences),
            (&mut self.bounds, other.bounds),
            (&mut self.ranks, other.ranks),
            (&mut self.settled, other.settled),
        ] {
            all.made += one.made;
            all.kept += one.kept;
        }
    }
}

/// A normal value by the sum of twelve uniform ones: near enough for strengths.
fn normal(rng: &mut Rng) -> f64 {
    (0..12).fold(-6.0, |sum, _| sum + f64::from(rng.word()) / 4_294_967_296.0)
}

/// Half points of the first in a pair of games.
fn pair(rng: &mut Rng, chance: f64, draws: f64) -> u32 {
    let drawn = draws * chance.min(1.0 - chance);
    let game = |rng: &mut Rng| match f64::from(rng.word()) / 4_294_967_296.0 {
        value if value < chance - drawn => 2,
        value if value < chance + drawn => 1,
        _ => 0,
    };
    game(rng) + game(rng)
}

fn play(kind: Kind, rng: &mut Rng, tally: &mut Tally) {
    let truth: Vec<f64> = (0..kind.entrants).map(|_| kind.deviation / ELO * normal(rng)).collect();
    let mut pairs = Vec::new();
    let mut order: Vec<usize> = (0..kind.entrants).collect();
    for look in 1..=if kind.stops { 10 } else { 1 } {
        for first in 0..kind.entrants {
            for second in first + 1..kind.entrants {
                for _ in 0..kind.pairs {
                    let half_points = pair(rng, expected(truth[first], truth[second]), kind.draws);
                    pairs.push(PairResult { first, second, games: 2, half_points });
                }
            }
        }
        let fit = Fit::of(kind.entrants, &pairs);
        order.sort_by_key(|entrant| std::cmp::Reverse(fit.tenths(*entrant)));
        if kind.stops && is_settled(&order, 3, 0.05, look, &fit) {
            let is_true = |place: usize| order[place + 1..].iter().all(|other| truth[order[place]] > truth[*other]);
            tally.settled.note((0..3).all(is_true));
            break;
        }
    }
    let fit = Fit::of(kind.entrants, &pairs);
    let weights = Strengths::of(kind.entrants, &pairs).weights();
    let middle = truth.iter().zip(&weights).fold(0.0, |sum, (truth, weight)| sum + truth * weight);
    let claim = |rating: Rating, truth: f64, two_sided: &mut Claims, one_sided: &mut Claims| {
        let tenths = truth * ELO * 10.0;
        let kept = rating.low().is_none_or(|low| low as f64 <= tenths)
            && rating.high().is_none_or(|high| tenths <= high as f64);
        if rating.tenths().is_some() { two_sided.note(kept) } else { one_sided.note(kept) }
    };
    for (entrant, strength) in truth.iter().enumerate() {
        claim(fit.rating(entrant), strength - middle, &mut tally.ratings, &mut tally.bounds);
    }
    for two in order.windows(2) {
        claim(
            fit.difference_rating(two[0], two[1]),
            truth[two[0]] - truth[two[1]],
            &mut tally.differences,
            &mut tally.bounds,
        );
    }
    for (entrant, ranks) in ranks(kind.entrants, &fit).into_iter().enumerate() {
        let rank = 1 + truth.iter().filter(|other| **other > truth[entrant]).count() as u32;
        tally.ranks.note((ranks.best..=ranks.worst).contains(&rank));
    }
}

#[test]
fn claims_are_kept_as_often_as_they_say() {
    let count = |name: &str, usual: u64| std::env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(usual);
    let (tournaments, seed) = (count("ARENA_TOURNAMENTS", 250), count("ARENA_TOURNAMENT_SEED", 1));
    // What chance may do to so few.
    let (slack, is_long) = if tournaments < 5_000 { (1.5, false) } else { (0.0, true) };
    let simulate = |number: usize| {
        let mut tally = Tally::default();
        for trial in 0..tournaments {
            let mut rng = Rng::new(&[seed as u8; 32], (number as u64) << 32 | trial);
            play(KINDS[number], &mut rng, &mut tally);
        }
        tally
    };
    // Each has random numbers of its own, so all may go on at once.
    let tallies: Vec<Tally> = thread::scope(|scope| {
        let playing: Vec<_> = (0..KINDS.len()).map(|number| scope.spawn(move || simulate(number))).collect();
        playing.into_iter().map(|one| one.join().expect("no tournament fails")).collect()
    });
    for stops in [false, true] {
        let mut all = Tally::default();
        for (kind, tally) in KINDS.iter().zip(&tallies).filter(|(kind, _)| kind.stops == stops) {
            println!(
                "{kind:?}: ratings {:.2} %, differences {:.2} %, bounds {:.2} % of {}, ranks {:.2} %, settled {:.2} % of {}",
                tally.ratings.percent(),
                tally.differences.percent(),
                tally.bounds.percent(),
                tally.bounds.made,
                tally.ranks.percent(),
                tally.settled.percent(),
                tally.settled.made
            );
            all.add(*tally);
        }
        let name = if stops { "with a stop" } else { "of fixed length" };
        for (what, claims, least, most) in [
            ("intervals of ratings", all.ratings, 94.0, 96.0),
            ("intervals of differences", all.differences, 94.0, 96.0),
            ("exact bounds", all.bounds, 95.0, 100.0),
            ("rank intervals", all.ranks, 95.0, 100.0),
        ] {
            // One-sided claims may hold more often than promised; the excess is printed.
            let wanted = match most < 100.0 {
                true => format!("wanted {least} to {most} %"),
                false => format!("{:+.2} above the {least} % that are promised", claims.percent() - least),
            };
            println!("{name}: {what} {:.2} % of {}, {wanted}", claims.percent(), claims.made);
            let enough = is_long || claims.made > 500;
            assert!(!enough || (least - slack..=most + slack).contains(&claims.percent()), "{name}: {what} {claims:?}");
        }
        if stops {
            println!("{name}: settled orders {:.2} % true of {}", all.settled.percent(), all.settled.made);
            assert!(all.settled.percent() >= 95.0, "{:?}", all.settled);
        }
    }
}
