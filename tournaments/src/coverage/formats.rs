//! Gauntlets, Swiss tournaments and ladders, round by round as a runner plays them, and what their standings say.

use arena_rules::Rng;

use super::{Kind, Tally, game, normal};
use crate::rating::{ELO, Strengths, expected};
use crate::scores::Scores;
use crate::standings::{Gap, Value};
use crate::testing::{entrants, play};
use crate::{Format, Gauntlet, Ladder, Rating, Stop, Swiss, TieBreak, TieBreaks};

/// A kind of tournament.
#[derive(Clone, Copy, Debug)]
struct Played {
    format: What,
    entrants: usize,
    /// Strengths are drawn with this standard deviation, in Elo points.
    deviation: f64,
    /// The part of upsets that are drawn instead.
    draws: f64,
    /// When it is over before.
    stop: Option<Stop>,
}

#[derive(Clone, Copy, Debug)]
enum What {
    /// With so many pairs per pairing.
    Gauntlet(u32),
    /// Of so many rounds, with so many pairs per pairing.
    Swiss(u32, u32),
    /// Of so many rounds.
    Ladder(u32),
}

const fn stop(top: u32, max_pairs: u32) -> Option<Stop> {
    Some(Stop { top, confidence_per_mille: 950, max_pairs })
}

const ALL: [Played; 8] = [
    Played { format: What::Gauntlet(20), entrants: 6, deviation: 150.0, draws: 0.2, stop: None },
    Played { format: What::Swiss(6, 5), entrants: 10, deviation: 200.0, draws: 0.0, stop: None },
    Played { format: What::Swiss(5, 10), entrants: 16, deviation: 150.0, draws: 0.3, stop: None },
    Played { format: What::Ladder(40), entrants: 8, deviation: 200.0, draws: 0.0, stop: None },
    Played { format: What::Ladder(20), entrants: 16, deviation: 150.0, draws: 0.3, stop: None },
    Played { format: What::Ladder(60), entrants: 6, deviation: 300.0, draws: 0.0, stop: stop(1, 60) },
    Played { format: What::Ladder(60), entrants: 8, deviation: 300.0, draws: 0.2, stop: stop(3, 60) },
    Played { format: What::Gauntlet(5), entrants: 5, deviation: 250.0, draws: 0.1, stop: stop(1, 160) },
];

/// Those of fixed length, or those that stop.
pub(super) fn kinds(stops: bool) -> impl Iterator<Item = Kind> {
    ALL.into_iter()
        .filter(move |kind| kind.stop.is_some() == stops)
        .map(|kind| Kind { name: format!("{kind:?}"), play: Box::new(move |rng, tally| kind.play(rng, tally)) })
}

impl Played {
    fn format(&self, seed: u64) -> Box<dyn Format> {
        let stop = self.stop;
        match self.format {
            What::Gauntlet(pairs) => Box::new(Gauntlet { seed, pairs, stop }),
            What::Swiss(rounds, pairs) => {
                let tie_breaks = TieBreaks::new(&TieBreak::ALL).expect("each is there once");
                Box::new(Swiss { seed, rounds, pairs, tie_breaks })
            }
            What::Ladder(rounds) => Box::new(Ladder { seed, rounds, stop }),
        }
    }

    /// Pairs of a round of who plays most.
    fn pairs_each(&self) -> u32 {
        match self.format {
            What::Gauntlet(pairs) => pairs * (self.entrants as u32 - 1),
            What::Swiss(_, pairs) => pairs,
            What::Ladder(_) => 1,
        }
    }

    fn play(&self, rng: &mut Rng, tally: &mut Tally) {
        let truth: Vec<f64> = (0..self.entrants).map(|_| self.deviation / ELO * normal(rng)).collect();
        let (names, format) = (entrants(self.entrants), self.format(u64::from(rng.word())));
        let settled = play(&*format, &names, |scheduled| {
            let [first, second] = *scheduled.seats.values() else { panic!("two seats") };
            match game(rng, expected(truth[first], truth[second]), self.draws) {
                2 => Some(first),
                1 => None,
                _ => Some(second),
            }
        });
        let scores = Scores::of(&names, &settled);
        let weights = Strengths::of(names.len(), &scores.pairs).weights();
        let middle = truth.iter().zip(&weights).fold(0.0, |sum, (truth, weight)| sum + truth * weight);
        if let Some(stop) = self.stop.filter(|stop| stop.is_settled(&names, &settled, self.pairs_each())) {
            let mut order: Vec<usize> = (0..names.len()).collect();
            order.sort_by_key(|entrant| std::cmp::Reverse(scores.of[*entrant].strength_tenths));
            let is_true = |place: usize| order[place + 1..].iter().all(|other| truth[order[place]] > truth[*other]);
            tally.settled.note((0..stop.top as usize).all(is_true));
        }
        let standings = format.standings(&names, &settled);
        let ends = |rating: &Rating| [rating.low(), rating.high()].map(|end| end.map(|tenths| tenths as f64));
        let entrant_of = |name: &str| names.iter().position(|one| one.name == name).expect("an entrant");
        let order: Vec<usize> = standings.rows.iter().map(|row| entrant_of(&row.name)).collect();
        for (place, (row, entrant)) in standings.rows.iter().zip(&order).enumerate() {
            let Some(Value::Rating(rating)) = standings.value(row, "rating") else { panic!("a rating") };
            let tenths = (truth[*entrant] - middle) * ELO * 10.0;
            Tally::note(ends(rating), tenths, &mut tally.own, &mut tally.bounds);
            if let Some(Value::Lead(Some(Gap::Elo(lead)))) = standings.value(row, "lead") {
                let tenths = (truth[*entrant] - truth[order[place + 1]]) * ELO * 10.0;
                Tally::note(ends(lead), tenths, &mut tally.differences, &mut tally.bounds);
            }
            let Some(Value::Ranks(ranks)) = standings.value(row, "rank") else { panic!("ranks") };
            let rank = 1 + truth.iter().filter(|other| **other > truth[*entrant]).count() as u32;
            tally.ranks.note((ranks.best..=ranks.worst).contains(&rank));
        }
    }
}
