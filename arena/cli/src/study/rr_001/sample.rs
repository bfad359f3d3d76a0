//! Games of the study, and what is counted in them.

use arena_baselines::conquerors::{Params, choose};
use arena_record::EntrantId;
use arena_rules::conquerors::{Colour, Position, ROUNDS};
use arena_rules::{BySeat, Reason, Ruleset, Seat, Seed};
use sha2::{Digest, Sha256};

use super::reference::Figures;
use super::{Matchup, Variant};

/// What is counted of one game.
#[derive(Clone, Copy)]
pub(super) struct Game {
    winner: Option<Seat>,
    extinct: bool,
    round: u8,
    margin: u32,
}

/// Plays one game of a row. Seeds are those of real games: the game's from the study's, the seats' from the game's.
pub(super) fn play(matchup: Matchup, variant: Variant, params: &Params, study_seed: u64, game: u32) -> Game {
    let mut hasher = Sha256::new();
    hasher.update(b"arena/study-seed/1");
    hasher.update(study_seed.to_le_bytes());
    hasher.update(game.to_le_bytes());
    hasher.update(variant.name());
    hasher.update(matchup.name());
    let seed: Seed = hasher.finalize().into();
    let tiers = [matchup.first, matchup.second];
    let seeds = [0, 1].map(|seat: u8| {
        let id = EntrantId::of_baseline(tiers[usize::from(seat)].name(), 1);
        arena_wire::seat_seed(&seed, Seat(seat), id.as_str())
    });
    let mut position = Position::start(&variant.options().into(), &seed);
    while let Some(seat) = position.to_move().map(Colour::seat) {
        let turn = choose(&position, seat, tiers[seat.index()], params, &seeds[seat.index()]);
        position.advance(BySeat::new(2, |other| (other == seat).then(|| turn.clone())));
    }
    let scores = position.board().scores();
    let outcome = position.outcome();
    Game {
        winner: outcome.as_ref().and_then(|outcome| outcome.winner),
        extinct: outcome.is_some_and(|outcome| matches!(outcome.reason, Reason::Extinction | Reason::MutualExtinction)),
        round: position.round().min(ROUNDS),
        margin: scores.blue.abs_diff(scores.red),
    }
}

/// Sums over the games of a row.
#[derive(Clone, Copy, Default)]
pub(super) struct Sample {
    pub(super) games: f64,
    first: f64,
    second: f64,
    extinctions: f64,
    rounds: Sums,
    margins: Sums,
}

#[derive(Clone, Copy, Default)]
struct Sums {
    sum: f64,
    squares: f64,
}

impl Sums {
    fn add(&mut self, value: f64) {
        self.sum += value;
        self.squares += value * value;
    }

    fn deviation(self, games: f64) -> f64 {
        let mean = self.sum / games;
        (self.squares / games - mean * mean).max(0.0).sqrt()
    }
}

impl FromIterator<Game> for Sample {
    fn from_iter<I: IntoIterator<Item = Game>>(games: I) -> Sample {
        let mut sample = Sample::default();
        for game in games {
            sample.games += 1.0;
            sample.first += f64::from(u8::from(game.winner == Some(Seat(0))));
            sample.second += f64::from(u8::from(game.winner == Some(Seat(1))));
            sample.extinctions += f64::from(u8::from(game.extinct));
            sample.rounds.add(game.round.into());
            sample.margins.add(game.margin.into());
        }
        sample
    }
}

impl Sample {
    /// The row's figures.
    pub(super) fn figures(&self) -> Figures {
        let percent = |count: f64| 100.0 * count / self.games;
        Figures {
            first: percent(self.first),
            second: percent(self.second),
            draw: percent(self.games - self.first - self.second),
            extinction: percent(self.extinctions),
            round: self.rounds.sum / self.games,
            margin: self.margins.sum / self.games,
        }
    }

    /// Standard deviation of a game's round and margin.
    pub(super) fn deviation(&self) -> (f64, f64) {
        (self.rounds.deviation(self.games), self.margins.deviation(self.games))
    }
}
