//! A lookahead sees what `Board::next` computes, however its board is disturbed.

use arena_sdk::Rng;
use arena_sdk::conquerors::{Board, Cell, Colour, Plane, Zone};
use arena_sdk::kit::{Branch, Census, LOOKAHEAD_MAX, Lookahead};

/// Boards on which each law is tested.
const BOARDS: u64 = 600;

/// Boards of every density, each with the generator that drew it; the same in every run.
fn boards() -> impl Iterator<Item = (Board, Rng)> {
    (0..BOARDS).map(|number| {
        let mut rng = Rng::new(&[9; 32], number);
        let percent = rng.below(70);
        let mut board = Board::EMPTY;
        for cell in Plane::FULL.cells() {
            if rng.below(100) < percent {
                board.set(cell, Colour::BOTH[rng.below(2) as usize]);
            }
        }
        (board, rng)
    })
}

/// Up to eight cells, anywhere or near each other.
fn any_cells(rng: &mut Rng) -> Vec<Cell> {
    let spread = [3, 28][rng.below(2) as usize];
    let (top, left) = (rng.below(26), rng.below(28));
    let mut any = || Cell::new(((top + rng.below(spread)) % 26) as u8, ((left + rng.below(spread)) % 28) as u8);
    let count = any().map_or(0, |cell| cell.col() % 9);
    (0..count).filter_map(|_| any()).collect()
}

/// Compares a branch with the generations of the board that it starts with.
fn agrees(branch: &Branch<'_>, mut board: Board) {
    for generation in 0..=branch.generations() {
        assert_eq!(branch.census(generation), Census::of(&board), "generation {generation} of\n{board}");
        if generation == branch.generations() {
            assert_eq!(branch.board(), board);
        }
        board = board.next();
    }
}

#[test]
fn placed_cells_lead_where_the_rules_lead() {
    for (board, mut rng) in boards() {
        let future = Lookahead::of(&board, rng.below(LOOKAHEAD_MAX as u32 + 1) as usize);
        for colour in Colour::BOTH {
            let cells = any_cells(&mut rng);
            let mut placed = board;
            cells.iter().for_each(|cell| placed.set(*cell, colour));
            agrees(&future.with(&cells, colour), placed);
            agrees(&future.instead(&placed), placed);
        }
    }
}

#[test]
fn another_board_leads_where_the_rules_lead() {
    let mut others = boards().skip(1).map(|(board, _)| board);
    for (board, mut rng) in boards() {
        let future = Lookahead::of(&board, LOOKAHEAD_MAX);
        let mut bombed = board;
        any_cells(&mut rng).into_iter().for_each(|centre| bombed.clear(Plane::square(centre)));
        agrees(&future.instead(&bombed), bombed);
        let other = others.next().unwrap_or(Board::EMPTY);
        agrees(&future.instead(&other), other);
    }
}

#[test]
fn an_undisturbed_future_is_the_boards_own() {
    for (board, _) in boards() {
        let future = Lookahead::of(&board, LOOKAHEAD_MAX);
        agrees(&future.with(&[], Colour::Red), board);
        agrees(&future.instead(&board), board);
        assert_eq!(future.with(&[], Colour::Red).rows_computed(), 0);
        let mut after = board;
        for generation in 0..=LOOKAHEAD_MAX {
            assert_eq!((future.board(generation), future.census(generation)), (&after, Census::of(&after)));
            after = after.next();
        }
    }
}

/// A cell changes no row that is further away than the number of generations.
#[test]
fn no_row_is_computed_that_cannot_differ() {
    for (board, mut rng) in boards() {
        let future = Lookahead::of(&board, LOOKAHEAD_MAX);
        for cell in any_cells(&mut rng) {
            let most: usize = (1..=LOOKAHEAD_MAX).map(|generation| 1 + 2 * generation).sum();
            assert!(future.with(&[cell], Colour::Blue).rows_computed() as usize <= most);
        }
    }
}

#[test]
fn a_census_counts_what_the_board_counts() {
    for (board, _) in boards() {
        let census = Census::of(&board);
        for colour in Colour::BOTH {
            let in_home_of = |whose: Colour| (*board.of(colour) & Zone::home_of(whose)).count();
            assert_eq!(census.cells(colour), board.counts()[colour]);
            assert_eq!(census.score(colour), board.scores()[colour]);
            assert_eq!(census.at_home(colour), in_home_of(colour));
            assert_eq!(census.abroad(colour), in_home_of(colour.other()));
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
