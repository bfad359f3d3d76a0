//! The games of the study, and the counts taken from them.

use arena_baselines::war_of_life::{Strategy, choose};
use arena_rules::war_of_life::{MOVES_MAX, Position, Start};
use arena_rules::{BySeat, Reason, Rng, Ruleset, Seat};

use super::chi_square::Results;
use crate::seat_seed;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Won(Seat),
    BothExtinct,
    Stalemate,
    /// The coursework's minimax had a legal move but played none, which its controller called a stalemate.
    NoMovePlayed,
    Exhausted,
}

/// The counts of one game.
#[derive(Clone, Copy)]
pub(super) struct Game {
    end: End,
    moves: u16,
}

/// Plays one game from a random start. Seeds are derived as for real games: the game's from the study's, the seats'
/// from the game's.
pub(super) fn play(players: [Strategy; 2], study_seed: u64, game: u32) -> Game {
    let names = players.map(Strategy::name);
    let seed = crate::seed(crate::GAMES, study_seed, game, [Position::ID, names[0], names[1]]);
    let seeds = [0, 1].map(|seat| seat_seed(&seed, Seat(seat), names[usize::from(seat)]));
    let mut position = Position::start(&Start::Random, &seed);
    let mut stopped = false;
    while let Some(colour) = position.to_move() {
        let seat = colour.seat();
        let mut rng = Rng::new(&seeds[seat.index()], position.ply().into());
        let Some(step) = choose(position.board(), colour, players[seat.index()], &mut rng) else {
            stopped = true;
            break;
        };
        position.advance(BySeat::new(2, |other| (other == seat).then_some(step)));
    }
    let outcome = position.outcome();
    let end = match outcome.map(|outcome| (outcome.winner, outcome.reason)) {
        None => End::NoMovePlayed,
        Some((Some(winner), _)) => End::Won(winner),
        Some((None, Reason::MutualExtinction)) => End::BothExtinct,
        Some((None, Reason::Exhausted)) => End::Exhausted,
        Some((None, _)) => End::Stalemate,
    };
    debug_assert_eq!(stopped, end == End::NoMovePlayed);
    Game { end, moves: position.ply() }
}

/// Sums over the games of a row.
#[derive(Clone, Copy, Default)]
pub(super) struct Sample {
    pub(super) games: u32,
    pub(super) won: u32,
    pub(super) lost: u32,
    pub(super) both_extinct: u32,
    pub(super) stalemate: u32,
    pub(super) no_move_played: u32,
    pub(super) exhausted: u32,
    pub(super) shortest: u16,
    /// The longest game that was not exhausted.
    pub(super) longest: u16,
    moves: u64,
}

impl FromIterator<Game> for Sample {
    fn from_iter<I: IntoIterator<Item = Game>>(games: I) -> Sample {
        let mut sample = Sample { shortest: MOVES_MAX, ..Sample::default() };
        for game in games {
            sample.games += 1;
            *match game.end {
                End::Won(Seat(0)) => &mut sample.won,
                End::Won(_) => &mut sample.lost,
                End::BothExtinct => &mut sample.both_extinct,
                End::Stalemate => &mut sample.stalemate,
                End::NoMovePlayed => &mut sample.no_move_played,
                End::Exhausted => &mut sample.exhausted,
            } += 1;
            sample.shortest = sample.shortest.min(game.moves);
            if game.end != End::Exhausted {
                sample.longest = sample.longest.max(game.moves);
            }
            sample.moves += u64::from(game.moves);
        }
        sample
    }
}

impl Sample {
    pub(super) fn drawn(&self) -> u32 {
        self.both_extinct + self.stalemate + self.no_move_played + self.exhausted
    }

    pub(super) fn results(&self) -> Results {
        [self.won, self.lost, self.drawn()].map(f64::from)
    }

    pub(super) fn mean_moves(&self) -> f64 {
        self.moves as f64 / f64::from(self.games)
    }

    /// Draws in percent by kind: nobody left, stalemate, no move played, exhausted.
    pub(super) fn draws(&self) -> [f64; 4] {
        [self.both_extinct, self.stalemate, self.no_move_played, self.exhausted]
            .map(|count| 100.0 * f64::from(count) / f64::from(self.games))
    }
}
