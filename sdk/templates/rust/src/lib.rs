//! A bot for Life Arena. It plays every game legally, but none well: your idea goes into `turn`.

use arena_sdk::{Bot, Observation, Ruleset, conquerors, game_of_game_of_life, life2, war_of_life};

/// Plays one game; what it keeps here lasts from turn to turn, and nothing survives the game.
#[derive(Default)]
pub struct Mine;

/// Units of fuel that places are drawn by lot for, before the bot gives up: one of the fifty million of most turns.
const DRAWING: u64 = 1_000_000;

impl Bot<conquerors::Position> for Mine {
    /// A block at home, the still life of four cells, wherever there is room for it.
    fn turn(&mut self, seen: &Observation<conquerors::Position>) -> conquerors::Action {
        let mut rng = seen.rng();
        let home = if seen.seat.0 == 0 { 0 } else { 20 };
        let least = arena_sdk::fuel().saturating_sub(DRAWING);
        while arena_sdk::fuel() > least {
            let (row, col) = (rng.below(25) as u8, home + rng.below(7) as u8);
            let block = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
            let block = conquerors::Action::Place(block.map(|(row, col)| conquerors::Target { row, col }).to_vec());
            // The rules are the referee's own: ask them what is legal, and what comes of a turn.
            if seen.position.check(seen.seat, &block).is_ok() {
                return block;
            }
        }
        arena_sdk::first_legal(seen)
    }
}

impl Bot<war_of_life::Position> for Mine {
    /// Any piece to any empty neighbour.
    fn turn(&mut self, seen: &Observation<war_of_life::Position>) -> war_of_life::Action {
        let moves: Vec<_> = seen.position.moves(seen.seat).collect();
        moves[seen.rng().below(moves.len() as u32) as usize].into()
    }
}

impl Bot<game_of_game_of_life::Position> for Mine {
    /// Any dead cell near an own one.
    fn turn(&mut self, seen: &Observation<game_of_game_of_life::Position>) -> game_of_game_of_life::Action {
        let board = seen.position.board();
        let cells: Vec<_> = (board.reach(seen.seat) & !board.living()).cells().collect();
        match cells.get(seen.rng().below(cells.len() as u32) as usize) {
            Some(cell) => game_of_game_of_life::Action::Cell((*cell).into()),
            None => game_of_game_of_life::Action::Pass,
        }
    }
}

/// A glider that goes down and to the right: row and column of each cell.
const GLIDER: [(u16, u16); 5] = [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)];

impl Bot<life2::Position> for Mine {
    /// A glider somewhere inside the base, if all of it may be placed.
    fn turn(&mut self, seen: &Observation<life2::Position>) -> life2::Action {
        let Some(kingdom) = seen.position.kingdom(seen.seat) else { return life2::Action::Pass };
        let mut rng = seen.rng();
        let mut away = || 1 + rng.below(4) as u16;
        let (row, col) = (kingdom.base.y + away(), kingdom.base.x + away());
        let cells = GLIDER.map(|(down, right)| life2::Target { row: row + down, col: col + right }).to_vec();
        let glider = life2::Action::Place(cells);
        if seen.position.check(seen.seat, &glider).is_ok() { glider } else { life2::Action::Pass }
    }
}

arena_sdk::bot!(Mine: conquerors::Position, war_of_life::Position, game_of_game_of_life::Position, life2::Position);
