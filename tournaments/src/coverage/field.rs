//! Fields: entrants get shares by their strength in a game, which chance changes, and some of them get nothing.

use arena_rules::{BySeat, Rng};

use super::{Kind, Tally, normal, uniform};
use crate::standings::{Gap, Share, Value};
use crate::testing::{drawn, entrants};
use crate::{Field, Format, GameResult, Settled};

/// Games that tell what an entrant's mean share is.
const GAMES_OF_TRUTH: u32 = 200_000;
/// What the tally of a game comes to, about.
const TALLY: f64 = 10_000.0;

/// A kind of field.
#[derive(Clone, Copy, Debug)]
struct Dealt {
    entrants: usize,
    seats: u8,
    games: u32,
    /// From the strongest to the weakest, and how far chance moves a strength in a game: logarithms of what it grows to.
    apart: f64,
    chance: f64,
    /// How often the weakest dies out; the strongest never does, and the others in between.
    dies: f64,
}

const ALL: [Dealt; 6] = [
    Dealt { entrants: 5, seats: 5, games: 40, apart: 1.2, chance: 0.5, dies: 0.0 },
    Dealt { entrants: 9, seats: 9, games: 8, apart: 1.2, chance: 0.6, dies: 0.0 },
    Dealt { entrants: 9, seats: 9, games: 8, apart: 1.2, chance: 0.6, dies: 0.6 },
    Dealt { entrants: 6, seats: 4, games: 30, apart: 1.6, chance: 1.0, dies: 0.5 },
    Dealt { entrants: 16, seats: 8, games: 80, apart: 2.0, chance: 0.8, dies: 0.2 },
    Dealt { entrants: 5, seats: 5, games: 40, apart: 1.2, chance: 0.5, dies: 1.0 },
];

/// All of them. What is true of them follows from games of their own.
pub(super) fn kinds(seed: u64) -> Vec<Kind> {
    let kind = |(number, kind): (u64, &'static Dealt)| {
        let truth = kind.truth(&mut Rng::new(&[seed as u8; 32], u64::MAX - number));
        Kind { name: format!("{kind:?}"), play: Box::new(move |rng, tally| kind.play(&truth, rng, tally)) }
    };
    (0..).zip(&ALL).map(kind).collect()
}

impl Dealt {
    /// What an entrant has at the end of a game.
    fn grown(&self, entrant: usize, rng: &mut Rng) -> u32 {
        let part = entrant as f64 / (self.entrants - 1) as f64;
        let lives = uniform(rng) > self.dies * part;
        let size = TALLY * libm::exp(self.chance * normal(rng) - self.apart * part);
        if lives { libm::round(size) as u32 } else { 0 }
    }

    /// The mean share of each entrant, in millionths.
    fn truth(&self, rng: &mut Rng) -> Vec<f64> {
        let (mut sums, mut played) = (vec![0.0; self.entrants], vec![0.0; self.entrants]);
        let mut deck: Vec<usize> = (0..self.entrants).collect();
        for _ in 0..GAMES_OF_TRUTH {
            rng.shuffle(&mut deck);
            let tallies: Vec<(usize, f64)> = deck[..self.seats.into()]
                .iter()
                .map(|entrant| (*entrant, f64::from(self.grown(*entrant, rng))))
                .collect();
            let whole = tallies.iter().fold(0.0, |sum, (_, tally)| sum + tally);
            for (entrant, tally) in tallies {
                sums[entrant] += if whole > 0.0 { tally / whole } else { 0.0 };
                played[entrant] += 1.0;
            }
        }
        sums.iter().zip(played).map(|(sum, played)| Share::WHOLE as f64 * sum / played).collect()
    }

    fn play(&self, truth: &[f64], rng: &mut Rng, tally: &mut Tally) {
        let names = entrants(self.entrants);
        let field = Field { seed: u64::from(rng.word()), seats: self.seats, games: self.games, pairs: 0 };
        let result = |tallies: Vec<u32>, number: usize| {
            let mut digest = [0; 32];
            digest[..8].copy_from_slice(&(number as u64).to_le_bytes());
            GameResult { tally: BySeat::from(tallies), digest, ..drawn() }
        };
        let next = field.next(&names, &Settled::default());
        let played = next.iter().map(|game| {
            let tallies = game.seats.values().iter().map(|entrant| self.grown(*entrant, rng)).collect();
            let result = result(tallies, game.number);
            (game, result)
        });
        let settled: Settled = played.collect();
        let standings = field.standings(&names, &settled);
        let entrant_of = |name: &str| names.iter().position(|one| one.name == name).expect("an entrant");
        let order: Vec<usize> = standings.rows.iter().map(|row| entrant_of(&row.name)).collect();
        for (place, (row, entrant)) in standings.rows.iter().zip(&order).enumerate() {
            let Some(Value::Share(Share { low, high, .. })) = standings.value(row, "score") else { panic!("a score") };
            let ends = [low, high].map(|end| end.map(|end| end as f64));
            Tally::note(ends, truth[*entrant], &mut tally.own, &mut tally.bounds);
            if let Some(Value::Lead(Some(Gap::Share { low, high, .. }))) = standings.value(row, "lead") {
                let ends = [low, high].map(|end| end.map(|end| end as f64));
                let lead = truth[*entrant] - truth[order[place + 1]];
                Tally::note(ends, lead, &mut tally.differences, &mut tally.bounds);
            }
            let Some(Value::Ranks(ranks)) = standings.value(row, "rank") else { panic!("ranks") };
            let rank = 1 + truth.iter().filter(|other| **other > truth[*entrant]).count() as u32;
            tally.ranks.note((ranks.best..=ranks.worst).contains(&rank));
        }
    }
}
