//! A lookahead sees what `Board::next` computes, however its board is disturbed.

use arena_sdk::Rng;
use arena_sdk::conquerors::{Board, Cell, Colour, Plane, Zone};
use arena_sdk::kit::{Branch, Census, LOOKAHEAD_MAX, Lookahead};
use proptest::prelude::*;

/// Proptest's cases are drawn from a fixed seed, and none are kept on disk: a run is the same everywhere.
fn config(cases: u32) -> ProptestConfig {
    let rng_seed = proptest::test_runner::RngSeed::Fixed(1);
    ProptestConfig { rng_seed, failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

/// A board of which about so many percent live, in either colour.
fn any_board(rng: &mut Rng, percent: u32) -> Board {
    let mut board = Board::EMPTY;
    for cell in Plane::FULL.cells() {
        if rng.below(100) < percent {
            board.set(cell, Colour::BOTH[rng.below(2) as usize]);
        }
    }
    board
}

/// Holds a branch against the generations of the board it begins with.
fn agrees(branch: &Branch<'_>, mut board: Board) -> Result<(), TestCaseError> {
    for generation in 0..=branch.generations() {
        prop_assert_eq!(branch.census(generation), Census::of(&board), "generation {}", generation);
        if generation == branch.generations() {
            prop_assert_eq!(branch.board(), board);
        }
        board = board.next();
    }
    Ok(())
}

/// Some cells, anywhere or near each other.
fn any_cells(rng: &mut Rng, count: u32, spread: u32) -> Vec<Cell> {
    let (top, left) = (rng.below(26), rng.below(28));
    let mut cells = Vec::new();
    while cells.len() < count as usize {
        let (row, col) = (top + rng.below(spread), left + rng.below(spread));
        cells.extend(Cell::new((row % 26) as u8, (col % 28) as u8));
    }
    cells
}

proptest! {
    #![proptest_config(config(600))]

    #[test]
    fn placed_cells_lead_where_the_rules_lead(
        seed in any::<[u8; 32]>(),
        percent in 0..=60_u32,
        generations in 0..=LOOKAHEAD_MAX,
        (count, spread) in (0..=8_u32, prop_oneof![Just(3_u32), Just(28)]),
    ) {
        let mut rng = Rng::new(&seed, 0);
        let board = any_board(&mut rng, percent);
        let future = Lookahead::of(&board, generations);
        for colour in Colour::BOTH {
            let cells = any_cells(&mut rng, count, spread);
            let mut placed = board;
            cells.iter().for_each(|cell| placed.set(*cell, colour));
            agrees(&future.with(&cells, colour), placed)?;
            agrees(&future.instead(&placed), placed)?;
        }
    }

    #[test]
    fn another_board_leads_where_the_rules_lead(seed in any::<[u8; 32]>(), percent in 0..=60_u32) {
        let mut rng = Rng::new(&seed, 0);
        let board = any_board(&mut rng, percent);
        let future = Lookahead::of(&board, LOOKAHEAD_MAX);
        let mut bombed = board;
        any_cells(&mut rng, 1, 28).into_iter().for_each(|centre| bombed.clear(Plane::square(centre)));
        agrees(&future.instead(&bombed), bombed)?;
        let other = any_board(&mut rng, percent);
        agrees(&future.instead(&other), other)?;
    }

    #[test]
    fn an_undisturbed_future_is_the_boards_own(seed in any::<[u8; 32]>(), percent in 0..=60_u32) {
        let board = any_board(&mut Rng::new(&seed, 0), percent);
        let future = Lookahead::of(&board, LOOKAHEAD_MAX);
        agrees(&future.with(&[], Colour::Red), board)?;
        agrees(&future.instead(&board), board)?;
        let mut after = board;
        for generation in 0..=LOOKAHEAD_MAX {
            prop_assert_eq!((future.board(generation), future.census(generation)), (&after, Census::of(&after)));
            after = after.next();
        }
    }

    #[test]
    fn a_census_counts_what_the_board_counts(seed in any::<[u8; 32]>(), percent in 0..=100_u32) {
        let board = any_board(&mut Rng::new(&seed, 0), percent);
        let census = Census::of(&board);
        for colour in Colour::BOTH {
            let in_home_of = |whose: Colour| (*board.of(colour) & Zone::home_of(whose)).count();
            prop_assert_eq!(census.cells(colour), board.counts()[colour]);
            prop_assert_eq!(census.score(colour), board.scores()[colour]);
            prop_assert_eq!(census.at_home(colour), in_home_of(colour));
            prop_assert_eq!(census.abroad(colour), in_home_of(colour.other()));
        }
    }
}

#[test]
#[should_panic(expected = "8 generations at most")]
fn a_lookahead_has_an_end() {
    Lookahead::of(&Board::EMPTY, LOOKAHEAD_MAX + 1);
}

#[test]
#[should_panic(expected = "out of bounds")]
fn a_branch_is_not_asked_beyond_its_future() {
    Lookahead::of(&Board::EMPTY, 2).with(&[], Colour::Blue).census(3);
}
