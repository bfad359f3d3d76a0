//! The games of the study, and the counts taken from them.

use arena_baselines::conquerors::choose;
use arena_rules::conquerors::{Colour, Options, Position, ROUNDS, Turn, Zone};
use arena_rules::{BySeat, Reason, Ruleset, Seat};

use super::campaign::{Play, RowKey};
use super::figures::{Estimate, Figures};
use crate::seat_seed;

/// Games of a run, for the variation of figures between runs: the most that a row of the published tables had.
pub(super) const RUN: usize = 200;

/// The counts of one game. Pairs have the first player's value first.
#[derive(Clone, Copy, Default)]
pub(super) struct Game {
    winner: Option<Seat>,
    extinct: bool,
    round: u8,
    margin: u32,
    bombs: [u16; 2],
    /// Whether the enemy's home was open to a seat in one of its turns.
    invaded: [bool; 2],
    /// Whether a seat had no living cell at home after some generation since its first turn.
    unanchored: [bool; 2],
}

/// Plays one game of a row. Seeds are derived as for real games: the game's from the study's, the seats' from the
/// game's.
pub(super) fn play(row: &RowKey, play: &Play, study_seed: u64, game: u32) -> Game {
    let RowKey { campaign, seating, matchup } = *row;
    let tiers = [matchup.first, matchup.second];
    let players = tiers.map(|tier| campaign.player(tier));
    let seed = crate::seed(crate::GAMES, study_seed, game, [seating.letter(), &players.join("-")]);
    let seeds = [0, 1].map(|seat| seat_seed(&seed, Seat(seat), &players[usize::from(seat)]));
    let mut position = Position::start(&play.options.into(), &seed);
    let mut counted = Game::default();
    while let Some(colour) = position.to_move() {
        let seat = colour.seat();
        counted.invaded[seat.index()] |= position.reach(colour).is_open(Zone::Enemy);
        let turn = choose(&position, seat, tiers[seat.index()], &play.params, &seeds[seat.index()]);
        counted.bombs[seat.index()] += u16::from(matches!(turn, Turn::Bomb(_)));
        position.advance(BySeat::new(2, |other| (other == seat).then(|| turn.clone())));
        counted.look(&position, &play.options);
    }
    counted.end(&position);
    counted
}

impl Game {
    /// Checks for lost homes after a generation.
    fn look(&mut self, position: &Position, options: &Options) {
        for colour in Colour::BOTH {
            let own = position.board().of(colour);
            let at_home = own.meets(&Zone::Home.cells(colour, options));
            self.unanchored[colour.seat().index()] |= !own.is_empty() && !at_home;
        }
    }

    fn end(&mut self, position: &Position) {
        let Some(outcome) = position.outcome() else { return };
        let tally = position.setup().tally();
        self.winner = outcome.winner;
        self.extinct = matches!(outcome.reason, Reason::Extinction | Reason::MutualExtinction);
        self.round = position.round().min(ROUNDS);
        self.margin = tally.blue.abs_diff(tally.red);
    }
}

/// The games of a row.
pub(super) struct Sample(Vec<Game>);

impl FromIterator<Game> for Sample {
    fn from_iter<I: IntoIterator<Item = Game>>(games: I) -> Sample {
        Sample(games.into_iter().collect())
    }
}

impl Sample {
    pub(super) fn games(&self) -> f64 {
        self.0.len() as f64
    }

    /// The share of games that satisfy a condition, in percent.
    pub(super) fn share(&self, is: impl Fn(&Game) -> bool) -> Estimate {
        Estimate::share(self.0.iter().filter(|game| is(game)).count() as f64, self.games())
    }

    fn mean(&self, of: impl Fn(&Game) -> f64) -> Estimate {
        Estimate::mean(self.0.iter().map(of))
    }

    /// The row's figures, in the order of the published tables.
    pub(super) fn figures(&self) -> Figures {
        [
            self.share(|game| game.winner == Some(Seat(0))),
            self.share(|game| game.winner == Some(Seat(1))),
            self.share(|game| game.winner.is_none()),
            self.share(|game| game.extinct),
            self.mean(|game| game.round.into()),
            self.mean(|game| game.margin.into()),
        ]
    }

    /// The points of player 1 in percent; a draw is half a point for both.
    pub(super) fn score(&self) -> Estimate {
        self.balance([100.0, 50.0, 0.0])
    }

    /// Wins of player 1 less those of player 2, in percent of the games.
    pub(super) fn lead(&self) -> Estimate {
        self.balance([100.0, 0.0, -100.0])
    }

    /// The mean of these values for a win of player 1, a draw, a win of player 2.
    fn balance(&self, [first, draw, second]: [f64; 3]) -> Estimate {
        self.mean(|game| match game.winner {
            Some(Seat(0)) => first,
            Some(_) => second,
            None => draw,
        })
    }

    /// Bombs per game, of both players.
    pub(super) fn bombs(&self) -> Estimate {
        self.mean(|game| f64::from(game.bombs[0] + game.bombs[1]))
    }

    /// The share of games in which a seat could once place in the enemy's home.
    pub(super) fn invaded(&self, seat: Seat) -> Estimate {
        self.share(|game| game.invaded[seat.index()])
    }

    /// The number of games in which a seat lived without a cell at home.
    pub(super) fn unanchored(&self, seat: Seat) -> usize {
        self.0.iter().filter(|game| game.unanchored[seat.index()]).count()
    }

    /// The variation of the share of extinctions between runs of [`RUN`] games: the standard deviation found, and that
    /// of independent games.
    pub(super) fn extinctions_by_run(&self) -> Option<(Estimate, f64)> {
        let share = |run: &[Game]| 100.0 * run.iter().filter(|game| game.extinct).count() as f64 / run.len() as f64;
        let runs: Vec<f64> = self.0.chunks_exact(RUN).map(share).collect();
        if runs.len() < 2 {
            return None;
        }
        let mean = runs.iter().sum::<f64>() / runs.len() as f64;
        let squares: f64 = runs.iter().map(|run| (run - mean).powi(2)).sum();
        let expected = (mean * (100.0 - mean) / RUN as f64).sqrt();
        let (all, free) = (runs.len() as f64, (runs.len() - 1) as f64);
        let value = (squares / free).sqrt();
        // A standard deviation has the standard error of itself over the root of twice its degrees of freedom.
        Some((Estimate { value, deviation: value * (all / (2.0 * free)).sqrt(), games: all }, expected))
    }
}
