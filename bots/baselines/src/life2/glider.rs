//! Gliders, and places with room for them.

use arena_rules::life2::{BASE_AT, BASE_SIDE, Base, Position, Side, Target, VIEW_SIDE};
use arena_rules::{Rng, Seat};

/// Places drawn for a glider.
const TRIES: u32 = 120;
/// Of these, those within the base, where the first one has room.
const TRIES_AT_HOME: u32 = 20;
/// Rows and columns of a glider.
const SIDE: u16 = 3;
/// A glider that goes down and to the right: row and column of each cell.
const CELLS: [(u16, u16); 5] = [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)];

/// A glider to be placed.
#[derive(Clone, Copy)]
pub(super) struct Glider {
    /// Its top left cell.
    row: u16,
    col: u16,
    /// Whether it goes up instead of down, and left instead of right.
    up: bool,
    left: bool,
}

fn wrap(at: u16) -> u16 {
    at & (Side::WORLD.length() - 1)
}

/// The distance from one row or column to another, the shorter way.
fn way(from: u16, to: u16) -> i32 {
    let length = i32::from(Side::WORLD.length());
    (i32::from(to) - i32::from(from) + length / 2).rem_euclid(length) - length / 2
}

impl Glider {
    /// Of some randomly drawn places and directions, those for which a seat has ground, room and coins.
    pub(super) fn some(position: &Position, seat: Seat, rng: &mut Rng) -> impl Iterator<Item = Glider> {
        let corner = position.view(seat);
        let pays = position.coins(seat) >= CELLS.len() as u64;
        (0..TRIES).filter_map(move |number| {
            let (from, span) =
                if number < TRIES_AT_HOME { (BASE_AT + 1, BASE_SIDE - 1 - SIDE) } else { (0, VIEW_SIDE + 1 - SIDE) };
            let mut drawn = || from + rng.below(span.into()) as u16;
            let (row, col) = (wrap(corner.y + drawn()), wrap(corner.x + drawn()));
            let way = rng.below(4);
            let glider = Glider { row, col, up: way & 1 == 1, left: way & 2 == 2 };
            (pays && glider.fits(position, seat)).then_some(glider)
        })
    }

    /// Its cells.
    pub(super) fn cells(&self) -> [Target; 5] {
        let at = |from: u16, back: bool, cell: u16| wrap(from + if back { SIDE - 1 - cell } else { cell });
        CELLS.map(|(row, col)| Target { row: at(self.row, self.up, row), col: at(self.col, self.left, col) })
    }

    /// Whether all its cells may be placed, and nothing lives beside them.
    fn fits(&self, position: &Position, seat: Seat) -> bool {
        let placeable = self.cells().into_iter().all(|cell| position.may_place(seat, cell).is_ok());
        let ground = position.world().ground();
        let around = |from: u16, at: u16| wrap(from.wrapping_sub(1).wrapping_add(at));
        placeable
            && (0..SIDE + 2).all(|row| {
                (0..SIDE + 2).all(|col| {
                    let cell = arena_rules::life2::Cell { x: around(self.col, col), y: around(self.row, row) };
                    !ground.is_alive(cell)
                })
            })
    }

    /// The direction of a step: one row down and one column to the right, or the opposite of either.
    fn steps(&self) -> (i32, i32) {
        (if self.up { -1 } else { 1 }, if self.left { -1 } else { 1 })
    }

    /// How far out from a base it is, in its direction.
    pub(super) fn lead(&self, base: Base) -> i32 {
        let (down, right) = self.steps();
        down * way(base.y, self.row) + right * way(base.x, self.col)
    }

    /// After how many rows it meets a base, if nothing stops it.
    pub(super) fn meets(&self, base: Base) -> Option<i32> {
        let (down, right) = self.steps();
        let length = i32::from(Side::WORLD.length());
        let middle = i32::from(BASE_SIDE / 2);
        let ahead =
            |step: i32, from: u16, to: u16| (step * (i32::from(to) + middle - i32::from(from))).rem_euclid(length);
        let (rows, cols) = (ahead(down, self.row, base.y), ahead(right, self.col, base.x));
        ((rows - cols).abs() < middle).then_some(rows)
    }
}
