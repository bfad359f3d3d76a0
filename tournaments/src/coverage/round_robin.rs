//! Round robins as their pairs alone, without games: many are played in little time.

use arena_rules::Rng;

use super::{Kind, Tally, game, normal};
use crate::certainty::{is_settled, ranks};
use crate::rating::{ELO, Fit, PairResult, Rating, Strengths, expected};

/// So many entrants whose strengths are drawn with this standard deviation, in Elo points, with so many pairs for each pairing; `draws`
/// is the part of upsets that are drawn instead.
#[derive(Clone, Copy, Debug)]
struct RoundRobin {
    entrants: usize,
    deviation: f64,
    pairs: u32,
    draws: f64,
    /// Whether it stops when the first three are settled; it has at most ten times the pairs.
    stops: bool,
}

const ALL: [RoundRobin; 9] = [
    RoundRobin { entrants: 4, deviation: 60.0, pairs: 40, draws: 0.0, stops: false },
    RoundRobin { entrants: 6, deviation: 150.0, pairs: 20, draws: 0.5, stops: false },
    RoundRobin { entrants: 8, deviation: 200.0, pairs: 10, draws: 0.0, stops: false },
    RoundRobin { entrants: 8, deviation: 400.0, pairs: 10, draws: 0.3, stops: false },
    RoundRobin { entrants: 12, deviation: 150.0, pairs: 20, draws: 0.0, stops: false },
    RoundRobin { entrants: 5, deviation: 800.0, pairs: 8, draws: 0.0, stops: false },
    RoundRobin { entrants: 6, deviation: 200.0, pairs: 5, draws: 0.0, stops: true },
    RoundRobin { entrants: 8, deviation: 300.0, pairs: 4, draws: 0.1, stops: true },
    RoundRobin { entrants: 5, deviation: 500.0, pairs: 4, draws: 0.0, stops: true },
];

/// Those of fixed length, or those that stop.
pub(super) fn kinds(stops: bool) -> impl Iterator<Item = Kind> {
    ALL.into_iter()
        .filter(move |kind| kind.stops == stops)
        .map(|kind| Kind { name: format!("{kind:?}"), play: Box::new(move |rng, tally| play(kind, rng, tally)) })
}

fn play(kind: RoundRobin, rng: &mut Rng, tally: &mut Tally) {
    let truth: Vec<f64> = (0..kind.entrants).map(|_| kind.deviation / ELO * normal(rng)).collect();
    let mut pairs = Vec::new();
    let mut order: Vec<usize> = (0..kind.entrants).collect();
    for look in 1..=if kind.stops { 10 } else { 1 } {
        for first in 0..kind.entrants {
            for second in first + 1..kind.entrants {
                for _ in 0..kind.pairs {
                    let chance = expected(truth[first], truth[second]);
                    let half_points = game(rng, chance, kind.draws) + game(rng, chance, kind.draws);
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
    let ends = |rating: Rating| [rating.low(), rating.high()].map(|end| end.map(|tenths| tenths as f64));
    for (entrant, strength) in truth.iter().enumerate() {
        let tenths = (strength - middle) * ELO * 10.0;
        Tally::note(ends(fit.rating(entrant)), tenths, &mut tally.own, &mut tally.bounds);
    }
    for two in order.windows(2) {
        let tenths = (truth[two[0]] - truth[two[1]]) * ELO * 10.0;
        Tally::note(ends(fit.difference_rating(two[0], two[1])), tenths, &mut tally.differences, &mut tally.bounds);
    }
    for (entrant, ranks) in ranks(kind.entrants, &fit).into_iter().enumerate() {
        let rank = 1 + truth.iter().filter(|other| **other > truth[entrant]).count() as u32;
        tally.ranks.note((ranks.best..=ranks.worst).contains(&rank));
    }
}
