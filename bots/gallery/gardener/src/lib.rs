//! `gardener`: plants the cell that looks best one generation later, one cell at a time.
//!
//! The rules come with the SDK, so nothing has to be guessed: [`Board::next`] *is* the referee's generation. The gardener
//! tries every legal cell, looks at the board after the generation, and keeps the cell that leaves it the most weighted
//! cells; equal ones are told apart by how few the neighbour has left, and then by lot. Four times, and the turn is made.
//!
//! Greed has one blind spot: a lone cell dies, and so does a pair, so no single step ever leads to a first colony. With
//! fewer than three cells alive the gardener therefore plants a block, the still life of four cells, in its home.
//!
//! ```
//! use arena_sdk::conquerors::{Options, Position};
//! use arena_sdk::{Bot, Observation, Ruleset, Seat};
//!
//! let position = Position::start(&Options::default().into(), &[0; 32]);
//! let seen = Observation { position, seat: Seat(0), seat_seed: [1; 32] };
//! let action = gardener::Gardener.turn(&seen);
//! assert!(seen.position.check(seen.seat, &action).is_ok());
//! ```

use core::cmp::Reverse;

use arena_sdk::conquerors::{Action, Board, Cell, Colour, Plane, ROWS, Target, Zone};
use arena_sdk::{Bot, Observation, Rng};

/// Fewer cells than this cannot grow into anything.
const COLONY_CELLS_MIN: u32 = 3;

/// Plants greedily.
#[derive(Default)]
pub struct Gardener;

impl Bot for Gardener {
    fn turn(&mut self, observation: &Observation) -> Action {
        let colour = observation.colour();
        let mut rng = observation.rng();
        let Ok(mut draft) = observation.draft() else { return Action::Pass };
        let seedlings = match draft.board().counts()[colour] {
            0..COLONY_CELLS_MIN => block(&draft.placeable(), colour),
            _ => None,
        };
        let mut seedlings = seedlings.into_iter().flatten();
        while let Some(cell) = seedlings.next().or_else(|| best(draft.board(), &draft.placeable(), colour, &mut rng)) {
            if draft.place(Target::from(cell)).is_err() {
                break;
            }
        }
        draft.finish().map_or_else(|_| arena_sdk::first_legal(observation), |turn| Action::from(&turn))
    }
}

/// The cell that leaves the best board after the generation.
fn best(board: &Board, placeable: &Plane, colour: Colour, rng: &mut Rng) -> Option<Cell> {
    let mut best = None;
    for cell in placeable.cells() {
        let mut planted = *board;
        planted.set(cell, colour);
        let scores = planted.next().scores();
        let harvest = (scores[colour], Reverse(scores[colour.other()]), rng.word());
        if best.is_none_or(|(most, _)| harvest > most) {
            best = Some((harvest, cell));
        }
    }
    best.map(|(_, cell)| cell)
}

/// The free 2 x 2 block at home that is nearest to the middle row.
fn block(placeable: &Plane, colour: Colour) -> Option<[Cell; 4]> {
    let home = Zone::home_of(colour) & *placeable;
    let corners = home.cells().filter_map(|corner| {
        let (row, col) = (corner.row() as u8, corner.col() as u8);
        let [right, below, across] =
            [(row, col + 1), (row + 1, col), (row + 1, col + 1)].map(|(row, col)| Cell::new(row, col));
        Some([corner, right?, below?, across?])
    });
    corners
        .filter(|cells| cells.iter().all(|cell| home.contains(*cell)))
        .min_by_key(|[corner, ..]| corner.row().abs_diff(ROWS / 2))
}

arena_sdk::bot!(Gardener);
