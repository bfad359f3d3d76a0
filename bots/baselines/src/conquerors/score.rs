//! The score of a single placement, and the greedy pick.

use alloc::vec::Vec;

use arena_rules::conquerors::{BOMB_FROM_ROUND, COLS, Cell, Colour, HOME_COLS, Impacts, Plane, Zone};
use arena_rules::scale;

use super::params::Pool;
use super::view::zone;
use super::{Open, TierParams, View, Words};

/// A twentieth of a point, the unit of all constants, in the fixed-point format of scores with 16 bits of fraction.
pub const TWENTIETH: i32 = 1 << 16;
/// A point in the fixed-point format of scores. Scores stay far below the 1,638 points that fit.
pub const POINT: i32 = 20 * TWENTIETH;

const NEUTRAL: i32 = 5;
/// By own neighbours of the cell; that of three is [open](super::Open). Source: RR-001 §5.3, shape prior.
const SHAPE: [i32; 9] = [-2, 4, 4, 0, -4, -4, -4, -4, -4];
/// One or more cells placed this turn among the neighbours. Source: RR-001 §5.2.
const BESIDE_ONE: i32 = 12;
const BESIDE_TWO: i32 = 16;
/// The window's change of own cells counts twice in the enemy's home.
const INVASION_FACTOR: i32 = 2;
/// The killer instinct applies to colonies of at most this many cells.
const KILLER_COUNT_MAX: u32 = 12;

/// A legal cell and its score.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scored {
    /// The cell, as the view has it.
    pub cell: Cell,
    /// In units of [`TWENTIETH`] / 65536.
    pub score: i32,
}

/// Uniform below `twentieths`, in the fixed point of scores. Draws a word even for a noise of 0.
pub(super) fn noise(words: &mut impl Words, twentieths: u32) -> i32 {
    scale(words.word(), twentieths * TWENTIETH as u32) as i32
}

/// The value of a cell by its zone, before its surroundings are considered.
struct Terrain {
    base: [i32; COLS],
    own_weight: [i32; COLS],
}

impl Terrain {
    fn of(view: &View, params: &TierParams) -> Terrain {
        let (home, chain, factor) = if params.zone_aware { zone_values(view, &params.open) } else { (0, 0, 1) };
        let neutral = NEUTRAL + chain;
        let late = view.round() >= params.invasion_late_from;
        let enemy = if late { params.invasion_late } else { params.invasion_early };
        let by_column = |col: usize, home: i32, neutral: i32, enemy: i32| match col {
            0..HOME_COLS => enemy,
            col if col >= COLS - HOME_COLS => home,
            _ => neutral,
        };
        Terrain {
            base: core::array::from_fn(|col| by_column(col, home, neutral, enemy) * POINT),
            own_weight: core::array::from_fn(|col| by_column(col, 1, 1, factor) * params.own_weight * POINT),
        }
    }
}

/// What V2 adds to the value of a cell at home and in neutral, and the factor for the change of own cells in the
/// enemy's home. Source: RR-001 §5.4, numbers of the released game.
fn zone_values(view: &View, open: &Open) -> (i32, i32, i32) {
    let home = open.anchor[match (*view.own() & zone(Zone::Home)).count() {
        0..=2 => 0,
        3..=4 => 1,
        5..=9 => 2,
        _ => 3,
    }];
    let builds_chain = view.own().meets(&zone(Zone::Enemy)) && !view.own().meets(&zone(Zone::Neutral));
    (home, if builds_chain { open.chain_builder } else { 0 }, INVASION_FACTOR)
}

/// Scores all legal cells, row by row; one word is drawn for each. `placed` are the cells placed earlier in the turn.
pub fn cell_scores(view: &View, params: &TierParams, placed: &Plane, words: &mut impl Words) -> Vec<Scored> {
    let impacts = Impacts::of(view.board(), Colour::Red);
    let terrain = Terrain::of(view, params);
    let hunts = view.round() >= BOMB_FROM_ROUND && (1..=KILLER_COUNT_MAX).contains(&view.enemy().count());
    let harm_weight = (params.harm_weight + if hunts { params.killer_weight } else { 0 }) * POINT;
    let (beside_one, beside_two) = beside(placed);
    let mut by_neighbours = SHAPE;
    by_neighbours[3] = params.open.three_neighbours;
    let placeable = view.placeable();
    let mut scores = Vec::with_capacity(placeable.count() as usize);
    for cell in placeable.cells() {
        let adjacency = match (beside_one.contains(cell), beside_two.contains(cell)) {
            (_, true) => BESIDE_TWO,
            (true, _) => BESIDE_ONE,
            _ => 0,
        };
        let shape = by_neighbours[usize::from(impacts.own_neighbours(cell))];
        let harm = i32::from(impacts.enemy(cell)).min(0);
        let score = terrain.base[cell.col()]
            + (shape + adjacency) * POINT
            + terrain.own_weight[cell.col()] * i32::from(impacts.own(cell))
            - harm_weight * harm
            + noise(words, params.noise_twentieths);
        scores.push(Scored { cell, score });
    }
    scores
}

/// The cells next to at least one, and to at least two, of `placed`.
fn beside(placed: &Plane) -> (Plane, Plane) {
    placed.cells().fold((Plane::EMPTY, Plane::EMPTY), |(one, two), cell| {
        let mut ring = Plane::square(cell);
        ring.remove(cell);
        (one | ring, two | one & ring)
    })
}

/// The next cell of a greedy player: a uniform choice among the best of all legal cells, ties in row order. `None`
/// without a legal cell, and then no word is drawn.
pub fn pick(view: &View, params: &TierParams, placed: &Plane, words: &mut impl Words) -> Option<Cell> {
    let scores = cell_scores(view, params, placed, words);
    if scores.is_empty() {
        return None;
    }
    // Only keys, because choosing moves and compares each several times.
    let mut keys: Vec<u64> = scores.iter().map(best_first).collect();
    let all = keys.len() as u32;
    let pool = match params.pool {
        Pool::OneIn(share) => (all / share).max(1),
        Pool::Top(cells) => cells.min(all),
    };
    let rank = scale(words.word(), pool) as usize;
    let (_, chosen, _) = keys.select_nth_unstable(rank);
    Cell::new((*chosen >> 8) as u8, *chosen as u8)
}

/// A sort key that puts high scores first and keeps the row order among equals. A single number, because a guest compares it often.
pub(super) fn best_first(scored: &Scored) -> u64 {
    // Inverted, then shifted to be unsigned.
    let score = u64::from(!scored.score as u32 ^ 1 << 31);
    score << 16 | (scored.cell.row() as u64) << 8 | scored.cell.col() as u64
}

#[cfg(test)]
mod tests {
    use core::cmp::Reverse;

    use super::*;

    #[test]
    fn the_best_come_first_and_equal_ones_by_rows() {
        let cells = [(0, 0), (0, 1), (1, 0), (25, 27)].map(|(row, col)| Cell::new(row, col).expect("on the board"));
        let scores = [i32::MIN, -POINT, -1, 0, 1, POINT, i32::MAX];
        let all: Vec<Scored> = scores.into_iter().flat_map(|score| cells.map(|cell| Scored { cell, score })).collect();
        for (one, other) in all.iter().flat_map(|one| all.iter().map(move |other| (one, other))) {
            let plain = |scored: &Scored| (Reverse(scored.score), scored.cell);
            assert_eq!(best_first(one).cmp(&best_first(other)), plain(one).cmp(&plain(other)), "{one:?} {other:?}");
        }
    }
}
