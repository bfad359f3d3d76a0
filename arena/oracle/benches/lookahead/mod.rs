//! What a lookahead saves: four generations after a block is placed, against whole boards. Natively in CPU time, as a
//! guest in fuel, which is the same on every machine.

use std::hint::black_box;
use std::path::PathBuf;

use arena_record::Budgets;
use arena_referee::Player;
use arena_rules::Seat;
use arena_rules::conquerors::{Board, ByColour, Cell, Colour, Options, Plane, Setup};
use arena_sandbox::SandboxPlayer;
use arena_sdk::kit::Lookahead;
use arena_wire::Protocol;

use super::load;

/// Generations that each block is followed for.
const GENERATIONS: usize = 4;
/// The guest, `sdk/rust/examples/lookahead.rs`, looks ahead in odd rounds and plays whole boards in even ones.
const ROUNDS: [u8; 2] = [5, 6];

/// More than either takes.
const FUEL: u64 = 1_000_000_000;

/// A board, and the blocks that may be placed on it.
pub(super) type Task = (Board, Vec<[Cell; 4]>);

pub(super) fn task(board: Board) -> Task {
    let open = !board.living();
    let block = |corner: Cell| {
        let (row, col) = (corner.row() as u8, corner.col() as u8);
        let cells = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
        let [a, b, c, d] = cells.map(|(row, col)| Cell::new(row, col).filter(|cell| open.contains(*cell)));
        Some([a?, b?, c?, d?])
    };
    (board, Plane::FULL.cells().filter_map(block).collect())
}

pub(super) fn ahead(tasks: &[Task]) -> u64 {
    let mut tried = 0;
    for (board, blocks) in tasks {
        let future = Lookahead::of(black_box(board), GENERATIONS);
        for block in blocks {
            let branch = future.with(black_box(block), Colour::Blue);
            black_box((1..=GENERATIONS).map(|generation| branch.census(generation).score(Colour::Blue)).sum::<u32>());
            tried += 1;
        }
    }
    tried
}

pub(super) fn whole(tasks: &[Task]) -> u64 {
    let mut tried = 0;
    for (board, blocks) in tasks {
        for block in blocks {
            let mut board = *board;
            black_box(block).iter().for_each(|cell| board.set(*cell, Colour::Blue));
            let next = |_| {
                board = board.next();
                board.scores().blue
            };
            black_box((1..=GENERATIONS).map(next).sum::<u32>());
            tried += 1;
        }
    }
    tried
}

/// Fuel of the guest's turn with whole boards, over that of the same turn with a lookahead.
pub(super) fn fuel_ratio(board: &Board) -> f64 {
    let path = std::env::var_os("ARENA_LOOKAHEAD_WASM").map(PathBuf::from).expect("run this as `cargo xtask bench`");
    let bot = load(&std::fs::read(&path).expect("xtask has built the guest"));
    let [ahead, whole] = ROUNDS.map(|round| {
        let setup = Setup {
            options: Options::V2,
            board: *board,
            to_move: Colour::Blue,
            round,
            cooldown: ByColour::default(),
            skip_used: ByColour::default(),
        };
        let position = setup.position().expect("the round is in range");
        let mut player = SandboxPlayer::new(&bot);
        player.start(position.observation_len(), Budgets::DEFAULT.fuel_at_start).expect("it starts");
        let reply = player.turn(&position.observation(Seat(0), &[0; 32]), FUEL).expect("it answers");
        (reply.fuel.expect("a guest uses fuel") as f64, player.left().log.lines().to_vec())
    });
    assert_eq!(ahead.1, whole.1, "both ways lead to the same sum");
    whole.0 / ahead.0
}
