//! What a lookahead saves, as a guest: `cargo xtask bench` compares the fuel of its turns. It looks at every 2 x 2 block that it may
//! place, four generations ahead: in odd rounds with a lookahead, in even ones by playing whole boards. It plays no game well.

use arena_sdk::conquerors::{Action, Board, Cell, Colour, Plane};
use arena_sdk::kit::Lookahead;
use arena_sdk::{Bot, Observation, first_legal};

/// Generations that each block is followed for.
const GENERATIONS: usize = 4;

#[derive(Default)]
struct Guest;

impl Bot for Guest {
    fn turn(&mut self, seen: &Observation) -> Action {
        let (board, me) = (seen.position.board(), seen.colour());
        let blocks = blocks(&seen.position.placeable(me));
        let sum: u32 = if seen.position.round() % 2 == 1 {
            let future = Lookahead::of(board, GENERATIONS);
            blocks.iter().map(|block| ahead(&future, block, me)).sum()
        } else {
            blocks.iter().map(|block| whole(*board, block, me)).sum()
        };
        arena_sdk::log(&format!("{} blocks: {sum}", blocks.len()));
        first_legal(seen)
    }
}

/// The scores of all generations, by a lookahead.
fn ahead(future: &Lookahead, block: &[Cell; 4], me: Colour) -> u32 {
    let branch = future.with(block, me);
    (1..=GENERATIONS).map(|generation| branch.census(generation).score(me)).sum()
}

/// The same by whole boards.
fn whole(mut board: Board, block: &[Cell; 4], me: Colour) -> u32 {
    block.iter().for_each(|cell| board.set(*cell, me));
    let next = |_| {
        board = board.next();
        board.scores()[me]
    };
    (1..=GENERATIONS).map(next).sum()
}

/// All blocks within `open`.
fn blocks(open: &Plane) -> Vec<[Cell; 4]> {
    let block = |corner: Cell| {
        let (row, col) = (corner.row() as u8, corner.col() as u8);
        let cells = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
        let [a, b, c, d] = cells.map(|(row, col)| Cell::new(row, col).filter(|cell| open.contains(*cell)));
        Some([a?, b?, c?, d?])
    };
    open.cells().filter_map(block).collect()
}

arena_sdk::bot!(Guest);
