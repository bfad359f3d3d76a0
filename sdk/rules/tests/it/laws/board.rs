//! Boards, their generation and their text.

use arena_rules::Rng;
use arena_rules::conquerors::{Board, ByColour, CELLS, Cell, Colour, ParseBoardError, Plane};
use proptest::prelude::*;

use super::play::{any_board, cell};

/// Proptest's cases are drawn from a fixed seed, and none are kept on disk: a run is the same everywhere.
fn config(cases: u32) -> ProptestConfig {
    let rng_seed = proptest::test_runner::RngSeed::Fixed(1);
    ProptestConfig { rng_seed, failure_persistence: None, ..ProptestConfig::with_cases(cases) }
}

#[test]
fn what_leads_to_an_empty_board() {
    assert_eq!(Board::EMPTY.next(), Board::EMPTY);
    for pattern in [vec![(3, 3)], vec![(3, 3), (3, 4)], vec![(0, 0), (25, 27)]] {
        let mut board = Board::EMPTY;
        pattern.iter().for_each(|(row, col)| board.set(cell(*row, *col), Colour::Blue));
        assert_eq!(board.next(), Board::EMPTY, "{pattern:?}");
    }
    // All alive: everything but the corners dies of crowding.
    let full = Board::new(ByColour { blue: Plane::FULL, red: Plane::EMPTY }).expect("no cell has two colours");
    let corners = full.next();
    assert_eq!(corners.counts(), ByColour { blue: 4, red: 0 });
    assert_eq!(corners.next(), Board::EMPTY);
    assert_eq!(Board::new(ByColour { blue: Plane::FULL, red: Plane::FULL }), None);
}

#[test]
fn a_birth_takes_the_majority_of_its_parents_and_survivors_keep_their_colour() {
    for parents in 0..8_u8 {
        let mut board = Board::EMPTY;
        let colours = [0, 1, 2].map(|bit| Colour::BOTH[usize::from(parents >> bit & 1)]);
        for (place, colour) in [(3, 3), (3, 4), (4, 3)].into_iter().zip(colours) {
            board.set(cell(place.0, place.1), colour);
        }
        let next = board.next();
        let majority = if parents.count_ones() >= 2 { Colour::Red } else { Colour::Blue };
        assert_eq!(next.colour_at(cell(4, 4)), Some(majority), "{colours:?}");
        assert_eq!(next.colour_at(cell(3, 3)), Some(colours[0]));
        assert_eq!(next.living().count(), 4);
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn text_of_a_board_parses_to_the_board(seed in any::<[u8; 32]>(), percent in 0..=100_u32) {
        let board = any_board(&mut Rng::new(&seed, 0), percent);
        let text = board.to_string();
        prop_assert_eq!(text.len(), CELLS + 25);
        prop_assert_eq!(text.parse(), Ok(board));
    }

    #[test]
    fn a_text_that_parses_is_the_text_of_its_board(text in "([br.]{28}/){25}[br.]{27,29}") {
        match text.parse::<Board>() {
            Ok(board) => prop_assert_eq!(board.to_string(), text),
            Err(error) => {
                prop_assert_eq!(error, ParseBoardError::Columns(25));
                prop_assert_ne!(text.len(), CELLS + 25);
            }
        }
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "\\PC{0,40}(/\\PC{0,40}){24,26}") {
        if let Ok(board) = text.parse::<Board>() {
            prop_assert_eq!(board.to_string(), text);
        }
    }

    #[test]
    fn turning_and_recolouring_twice_change_nothing(seed in any::<[u8; 32]>(), percent in 0..=100_u32) {
        let board = any_board(&mut Rng::new(&seed, 0), percent);
        prop_assert_eq!(board.turned().turned(), board);
        prop_assert_eq!(board.recoloured().recoloured(), board);
        prop_assert_eq!(board.turned().next(), board.next().turned());
        prop_assert_eq!(board.recoloured().next(), board.next().recoloured());
        prop_assert_eq!(board.turned().scores(), board.scores().swapped());
    }

    #[test]
    fn planes_are_sets(seed in any::<[u8; 32]>(), percent in 0..=100_u32) {
        let board = any_board(&mut Rng::new(&seed, 0), percent);
        let living = board.living();
        let cells: Vec<Cell> = living.cells().collect();
        prop_assert!(cells.is_sorted());
        prop_assert_eq!(cells.len(), living.count() as usize);
        prop_assert_eq!((!living).count() as usize, CELLS - cells.len());
        prop_assert!(!living.meets(&!living));
        prop_assert_eq!(living | !living, Plane::FULL);
        prop_assert_eq!(cells.is_empty(), living.is_empty());
        prop_assert!(cells.iter().all(|cell| living.contains(*cell) && board.colour_at(*cell).is_some()));
    }
}

#[test]
fn broken_texts_of_boards_say_what_is_wrong() {
    let row = ".".repeat(28);
    let rows = |count: usize| vec![row.as_str(); count].join("/");
    assert_eq!(rows(26).parse(), Ok(Board::EMPTY));
    assert_eq!("".parse::<Board>(), Err(ParseBoardError::Rows(1)));
    assert_eq!(rows(25).parse::<Board>(), Err(ParseBoardError::Rows(25)));
    assert_eq!(rows(27).parse::<Board>(), Err(ParseBoardError::Rows(27)));
    assert_eq!(format!("{}/", rows(26)).parse::<Board>(), Err(ParseBoardError::Rows(27)));
    assert_eq!(format!("{}/.{row}", rows(25)).parse::<Board>(), Err(ParseBoardError::Columns(25)));
    assert_eq!(format!("{}/{}", &row[1..], rows(25)).parse::<Board>(), Err(ParseBoardError::Columns(0)));
    for character in ['B', 'R', ' ', '0', '\n', 'é'] {
        let text = format!("{character}{}/{}", &row[1..], rows(25));
        assert_eq!(text.parse::<Board>(), Err(ParseBoardError::Character(character)));
    }
    assert!(format!("{}\n", rows(26)).parse::<Board>().is_err());
}

#[test]
fn squares_are_cut_at_the_edges() {
    for centre in Plane::FULL.cells() {
        let square = Plane::square(centre);
        for cell in Plane::FULL.cells() {
            let near = cell.row().abs_diff(centre.row()) <= 1 && cell.col().abs_diff(centre.col()) <= 1;
            assert_eq!(square.contains(cell), near, "{cell:?} around {centre:?}");
        }
    }
}
