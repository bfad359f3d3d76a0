//! Game of Game of Life. `arena/oracle` tests that generations and actions follow the naive rule.

use std::collections::BTreeSet;

use arena_rules::game_of_game_of_life::{
    Action, Board, Camp, Cell, Colour, GENERATIONS, LOT_SIDE, Length, Lots, Options, Plane, Position, Refusal, Setup,
    SetupError, Side, Target, Turn,
};
use arena_rules::{BySeat, Reason, Ruleset, Seat, Seats};
use proptest::prelude::*;

const IN_ORDER: Options = Options { seats: 2, lots: Lots::Fixed, length: Length::Thousand };

fn at(side: Side, row: u8, col: u8) -> Cell {
    side.cell(row, col).expect("on the board")
}

fn cell(row: u8, col: u8) -> Action {
    Action::Cell(Target { row, col })
}

/// A board of 12 x 12 with these cells.
fn board(seats: u8, cells: &[(Colour, &[(u8, u8)])]) -> Board {
    let mut board = Board::empty(Side::Twelve, seats);
    for (colour, cells) in cells {
        cells.iter().for_each(|(row, col)| board.set(at(Side::Twelve, *row, *col), *colour));
    }
    board
}

fn position(board: Board, generation: u16, forfeited: Seats) -> Position {
    let last = BySeat::new(board.seats(), |_| None);
    Setup { board, generation, last, forfeited }.position().expect("a position")
}

/// Plays legal actions of all seats.
fn play(position: &mut Position, actions: &[Action]) {
    let mut turns = BySeat::new(position.seats(), |_| None);
    for (seat, action) in (0..).map(Seat).zip(actions) {
        turns[seat] = Some(position.check(seat, action).expect("legal"));
    }
    position.advance(turns);
}

const ONE: Colour = Colour::Seat(Seat(0));
const TWO: Colour = Colour::Seat(Seat(1));
const BLOCK_ONE: &[(u8, u8)] = &[(2, 2), (2, 3), (3, 2), (3, 3)];
const BLOCK_TWO: &[(u8, u8)] = &[(2, 8), (2, 9), (3, 8), (3, 9)];

#[test]
fn every_number_of_seats_has_its_side_and_a_block_a_lot() {
    for seats in 2..=16 {
        let side = Options { seats, ..Options::default() }.side();
        let root = (1..).find(|root| root * root >= seats).expect("a root");
        assert_eq!(side.length(), (LOT_SIDE * root).max(12));
        for lots in [Lots::Shuffled, Lots::Fixed] {
            let position = Position::start(&Options { seats, lots, ..Options::default() }, &[seats; 32]);
            assert_eq!(position.tally(), BySeat::new(seats, |_| 4));
            assert_eq!(position.board().living().count(), 4 * u32::from(root.max(2) * root.max(2)));
            // All blocks are still lifes.
            let mut next = position.clone();
            next.advance(BySeat::new(seats, |_| None));
            assert_eq!(next.board(), position.board());
            assert_eq!(position.awaiting(), (0..seats).map(Seat).collect());
        }
    }
}

#[test]
fn lots_in_order_ignore_the_seed_and_shuffled_ones_take_every_place() {
    let corners = |position: &Position, seat| {
        position.board().seat(seat).cells().next().map(|cell| (cell.row(), cell.col())).expect("a block")
    };
    for seed in 0..20 {
        let position = Position::start(&IN_ORDER, &[seed; 32]);
        assert_eq!([Seat(0), Seat(1)].map(|seat| corners(&position, seat)), [(2, 2), (2, 8)]);
    }
    let shuffled = Options { seats: 2, ..Options::default() };
    let places: BTreeSet<_> = (0..200_u8)
        .map(|seed| Position::start(&shuffled, &[seed; 32]))
        .map(|position| [Seat(0), Seat(1)].map(|seat| corners(&position, seat)))
        .collect();
    assert_eq!(places.len(), 12, "two seats on four lots");
}

#[test]
fn distance_decides_effect_and_the_board_decides_legality() {
    let start = Position::start(&IN_ORDER, &[0; 32]);
    let check = |row, col| start.check(Seat(0), &cell(row, col));
    // Seat 1's block is on rows and columns 2 and 3: rows and columns 0..6 are within reach.
    for row in 0..12 {
        for col in 0..12 {
            let near = row < 6 && col < 6;
            let turn = if near { Turn::Cell(at(Side::Twelve, row, col)) } else { Turn::Pass };
            assert_eq!(check(row, col), Ok(turn), "({row}, {col})");
        }
    }
    assert_eq!(start.check(Seat(0), &Action::Pass), Ok(Turn::Pass));
    for (row, col) in [(12, 0), (0, 12), (255, 255), (3, 200)] {
        assert_eq!(check(row, col), Err(Refusal::OffBoard(Target { row, col }, 12)));
    }
    assert_eq!(start.check(Seat(2), &Action::Pass), Err(Refusal::NotAwaited));
    // Across the edges.
    let corner = position(board(2, &[(ONE, &[(0, 0)]), (TWO, BLOCK_TWO)]), 0, Seats::NONE);
    for (row, col, near) in
        [(10, 10, true), (11, 2, true), (10, 9, false), (9, 0, false), (2, 10, true), (3, 11, false)]
    {
        let turn = if near { Turn::Cell(at(Side::Twelve, row, col)) } else { Turn::Pass };
        assert_eq!(corner.check(Seat(0), &cell(row, col)), Ok(turn), "({row}, {col})");
    }
}

#[test]
fn kills_claims_and_conflicts_are_read_against_one_grid() {
    let three = Colour::Seat(Seat(2));
    let start = board(3, &[(ONE, BLOCK_ONE), (TWO, &[(2, 5), (3, 5)]), (three, &[(5, 4)]), (Colour::Black, &[(0, 3)])]);
    let side = Side::Twelve;
    let acted = |cells: [Option<(u8, u8)>; 3]| {
        let cells = BySeat::from(cells.map(|cell| cell.map(|(row, col)| at(side, row, col))));
        let (board, effective) = start.acted(&cells);
        (board, effective.into_values())
    };
    let colour = |board: &Board, row, col| board.colour_at(at(side, row, col));
    // Alone on a dead cell; another's living cell; a black one.
    let (after, effective) = acted([Some((1, 1)), Some((3, 3)), None]);
    assert_eq!(colour(&after, 1, 1), Some(ONE));
    assert_eq!(colour(&after, 3, 3), Some(ONE));
    assert_eq!(effective, [Some(at(side, 1, 1)), None, None]);
    let (after, effective) = acted([Some((0, 3)), None, None]);
    assert_eq!((after, effective), (start.clone(), vec![None; 3]));
    // Two and three on a dead cell.
    let (after, effective) = acted([Some((3, 4)), Some((3, 4)), None]);
    assert_eq!(colour(&after, 3, 4), Some(Colour::Black));
    assert_eq!(effective, [Some(at(side, 3, 4)), Some(at(side, 3, 4)), None]);
    let (after, _) = acted([Some((4, 4)), Some((4, 4)), Some((4, 4))]);
    assert_eq!(colour(&after, 4, 4), Some(Colour::Black));
    // A killed cell: nobody's, the only claimant's, or black. The order of seats does not matter.
    let killed = |second, third| colour(&acted([Some((3, 3)), second, third]).0, 3, 3);
    assert_eq!(killed(None, None), None);
    assert_eq!(killed(Some((3, 3)), None), Some(TWO));
    assert_eq!(killed(None, Some((3, 3))), Some(three));
    assert_eq!(killed(Some((3, 3)), Some((3, 3))), Some(Colour::Black));
    let (after, effective) = acted([Some((3, 5)), Some((3, 5)), None]);
    assert_eq!(colour(&after, 3, 5), Some(ONE));
    assert_eq!(effective, [Some(at(side, 3, 5)), Some(at(side, 3, 5)), None]);
}

#[test]
fn last_actions_are_those_with_effect() {
    let mut position = position(board(2, &[(ONE, BLOCK_ONE), (TWO, &[(2, 5), (3, 5), (4, 5)])]), 0, Seats::NONE);
    assert_eq!(position.setup().last, BySeat::from([None, None]));
    play(&mut position, &[cell(1, 1), cell(3, 3)]);
    assert_eq!(position.setup().last, BySeat::from([Some(at(Side::Twelve, 1, 1)), None]));
    assert_eq!([0, 1, 9].map(|seat| position.last_move(Seat(seat))), [Some(at(Side::Twelve, 1, 1)), None, None]);
    play(&mut position, &[cell(9, 9), Action::Pass]);
    assert_eq!(position.setup().last, BySeat::from([None, None]));
}

#[test]
fn a_short_game_is_the_last_part_of_a_long_one() {
    for (length, generations) in [(Length::Fifty, 50), (Length::Hundred, 100)] {
        let options = Options { length, ..IN_ORDER };
        let (mut short, long) = (Position::start(&options, &[0; 32]), Position::start(&IN_ORDER, &[0; 32]));
        assert_eq!(short.board(), long.board());
        assert_eq!(short.generation(), GENERATIONS - generations);
        let played = (0..).take_while(|_| {
            let goes_on = short.outcome().is_none();
            short.advance(BySeat::new(2, |_| None));
            goes_on
        });
        assert_eq!(played.count(), usize::from(generations));
        assert_eq!(short.outcome().map(|outcome| outcome.reason), Some(Reason::Majority));
    }
}

#[test]
fn a_game_ends_after_a_thousand_generations_by_majority() {
    let mut game = Position::start(&IN_ORDER, &[0; 32]);
    let mut generations = 0;
    while game.outcome().is_none() {
        game.advance(BySeat::new(2, |_| None));
        generations += 1;
    }
    assert_eq!((generations, game.generation()), (GENERATIONS, GENERATIONS));
    let outcome = game.outcome().expect("over");
    assert_eq!((outcome.winner, outcome.reason, outcome.tally), (None, Reason::Majority, BySeat::from([4, 4])));
    assert_eq!(game.check(Seat(0), &Action::Pass), Err(Refusal::GameOver));
    assert!(game.awaiting().is_empty());
    let end = game.clone();
    game.advance(BySeat::from([Some(Turn::Cell(at(Side::Twelve, 1, 1))), None]));
    game.forfeit(Seat(0));
    assert_eq!(game, end, "what is over stays as it is");

    let more = board(2, &[(ONE, &[(2, 2), (2, 3), (3, 2)]), (TWO, &[(2, 7), (2, 8), (2, 9), (3, 7), (3, 8), (3, 9)])]);
    let ending = position(more, GENERATIONS, Seats::NONE);
    assert_eq!(ending.outcome().map(|outcome| outcome.winner), Some(Some(Seat(1))));
}

#[test]
fn a_game_ends_when_one_colour_or_none_is_left() {
    let lonely: &[(u8, u8)] = &[(8, 8)];
    for (cells, reason, winner, tally) in [
        ([(ONE, BLOCK_ONE), (TWO, lonely)], Reason::Extinction, Some(Seat(0)), [4, 0]),
        ([(ONE, lonely), (TWO, BLOCK_ONE)], Reason::Extinction, Some(Seat(1)), [0, 4]),
        ([(ONE, lonely), (TWO, &[(2, 2)][..])], Reason::MutualExtinction, None, [0, 0]),
    ] {
        // The game does not continue with black cells alone.
        let mut board = board(2, &cells);
        BLOCK_TWO.iter().for_each(|(row, col)| board.set(at(Side::Twelve, *row, *col), Colour::Black));
        let mut game = position(board, 5, Seats::NONE);
        assert_eq!(game.outcome(), None);
        game.advance(BySeat::new(2, |_| None));
        let outcome = game.outcome().expect("over");
        assert_eq!((outcome.reason, outcome.winner, outcome.tally), (reason, winner, BySeat::from(tally)));
    }
}

#[test]
fn a_seat_without_cells_is_not_awaited() {
    let three = Colour::Seat(Seat(2));
    let start = board(3, &[(ONE, BLOCK_ONE), (three, BLOCK_TWO)]);
    let game = position(start, 0, Seats::NONE);
    assert_eq!(game.awaiting(), [Seat(0), Seat(2)].into_iter().collect());
    assert_eq!(game.check(Seat(1), &Action::Pass), Err(Refusal::NotAwaited));
    // Its actions would have no effect.
    let mut moved = game.clone();
    moved.advance(BySeat::from([None, Some(Turn::Cell(at(Side::Twelve, 6, 6))), None]));
    let mut passed = game;
    passed.advance(BySeat::new(3, |_| None));
    assert_eq!(moved, passed);
}

#[test]
fn with_two_seats_a_forfeit_is_the_opponents_win() {
    for seat in [Seat(0), Seat(1)] {
        let mut game = Position::start(&IN_ORDER, &[0; 32]);
        game.forfeit(seat);
        let outcome = game.outcome().expect("over");
        assert_eq!((outcome.reason, outcome.winner), (Reason::Forfeit, Some(seat.opponent())));
        assert_eq!((outcome.tally[seat], outcome.tally[seat.opponent()]), (0, 4));
        let over = game.clone();
        game.forfeit(seat.opponent());
        assert_eq!(game, over);
    }
}

#[test]
fn with_more_seats_a_forfeit_passes_to_the_end_and_scores_nothing() {
    let mut game = Position::start(&Options { seats: 5, ..Options::default() }, &[3; 32]);
    game.forfeit(Seat(1));
    game.forfeit(Seat(9));
    assert_eq!(game.outcome(), None);
    assert_eq!(game.awaiting(), [0, 2, 3, 4].map(Seat).into_iter().collect());
    assert_eq!(game.check(Seat(1), &Action::Pass), Err(Refusal::NotAwaited));
    let mut turns = BySeat::new(5, |_| None);
    turns[Seat(1)] = game.board().seat(Seat(1)).cells().next().map(Turn::Cell);
    game.advance(turns);
    assert_eq!(game.board().seat(Seat(1)).count(), 4, "its cells live on");
    while game.outcome().is_none() {
        game.advance(BySeat::new(5, |_| None));
    }
    let outcome = game.outcome().expect("over");
    assert_eq!((outcome.reason, outcome.winner), (Reason::Majority, None));
    assert_eq!(outcome.tally, BySeat::from([4, 0, 4, 4, 4]));
}

#[test]
fn the_end_comes_when_only_one_seat_is_left_that_can_play() {
    let three = Colour::Seat(Seat(2));
    let start = board(3, &[(ONE, BLOCK_ONE), (TWO, BLOCK_TWO), (three, &[(8, 8), (8, 9), (9, 8), (9, 9)])]);
    let mut game = position(start, 7, Seats::NONE);
    game.forfeit(Seat(2));
    assert_eq!(game.outcome(), None);
    game.forfeit(Seat(0));
    let outcome = game.outcome().expect("over");
    assert_eq!(
        (outcome.reason, outcome.winner, outcome.tally),
        (Reason::Forfeit, Some(Seat(1)), BySeat::from([0, 4, 0]))
    );

    // Cells of a seat that has dropped out win nothing.
    let start = board(2, &[(ONE, BLOCK_ONE)]);
    let outcome = position(start, 7, Seats::only(Seat(0))).outcome().expect("over");
    assert_eq!((outcome.reason, outcome.winner), (Reason::Extinction, None));
}

#[test]
fn setups_out_of_range_are_refused() {
    let start = Position::start(&IN_ORDER, &[0; 32]);
    let setup = |change: &dyn Fn(&mut Setup)| {
        let mut setup = start.setup().clone();
        change(&mut setup);
        setup.position()
    };
    assert_eq!(setup(&|_| {}), Ok(start.clone()));
    assert!(setup(&|setup| setup.generation = GENERATIONS).is_ok());
    assert_eq!(setup(&|setup| setup.generation = GENERATIONS + 1), Err(SetupError::Generation(1001)));
    let far = at(Side::Eighteen, 12, 3);
    assert_eq!(setup(&|setup| setup.last[Seat(1)] = Some(far)), Err(SetupError::Last(Seat(1))));
    assert_eq!(setup(&|setup| setup.last = BySeat::new(3, |_| None)), Err(SetupError::Last(Seat(2))));
    assert_eq!(setup(&|setup| setup.last = BySeat::new(1, |_| None)), Err(SetupError::Last(Seat(1))));
}

fn any_side() -> impl Strategy<Value = Side> {
    prop::sample::select(&Side::ALL[..])
}

/// A side and a value from 0 to `values` for every cell, often 0.
fn any_grid(values: u8) -> impl Strategy<Value = (Side, Vec<u8>)> {
    any_side().prop_flat_map(move |side| {
        let value = prop_oneof![3 => Just(0), 2 => 0..=values];
        (Just(side), prop::collection::vec(value, side.area()))
    })
}

fn plane(side: Side, grid: &[u8]) -> Plane {
    let cells = side.cells().zip(grid).filter(|(_, value)| **value > 0);
    cells.fold(Plane::empty(side), |mut plane, (cell, _)| {
        plane.insert(cell);
        plane
    })
}

/// Values 1.. are seats, the last one black.
fn coloured(side: Side, grid: &[u8], seats: u8) -> Board {
    let mut board = Board::empty(side, seats);
    for (cell, value) in side.cells().zip(grid).filter(|(_, value)| **value > 0) {
        board.set(cell, if *value > seats { Colour::Black } else { Colour::Seat(Seat(value - 1)) });
    }
    board
}

/// The eight cells around one, across the edges.
fn neighbours(side: Side, cell: Cell) -> impl Iterator<Item = Cell> {
    let len = side.length();
    let steps = [len - 1, 0, 1];
    let offsets = steps.into_iter().flat_map(move |down| steps.map(|right| (down, right)));
    offsets
        .filter(|offset| *offset != (0, 0))
        .map(move |(down, right)| at(side, (cell.row() + down) % len, (cell.col() + right) % len))
}

proptest! {
    #[test]
    fn a_plane_is_a_set_of_cells((side, grid) in any_grid(1)) {
        let plane = plane(side, &grid);
        let set: Vec<Cell> = side.cells().zip(&grid).filter(|(_, value)| **value > 0).map(|(cell, _)| cell).collect();
        prop_assert_eq!(plane.count() as usize, set.len());
        prop_assert_eq!(plane.is_empty(), set.is_empty());
        prop_assert_eq!((!plane).count() as usize, side.area() - set.len());
        prop_assert_eq!((plane | !plane, plane & !plane), (Plane::full(side), Plane::empty(side)));
        prop_assert_eq!(plane.cells().collect::<Vec<_>>(), set);
    }

    #[test]
    fn neighbours_are_counted_over_the_edges((side, grid) in any_grid(1)) {
        let plane = plane(side, &grid);
        let (around, grown) = (plane.around(), plane.grown());
        for cell in side.cells() {
            let count = neighbours(side, cell).filter(|cell| plane.contains(*cell)).count() as u8;
            for neighbours in 0..=9 {
                prop_assert_eq!(around.exactly(neighbours).contains(cell), neighbours == count);
            }
            prop_assert_eq!(around.at(cell), count);
            prop_assert_eq!(around.any().contains(cell), count >= 1);
            prop_assert_eq!(around.many().contains(cell), count >= 2);
            prop_assert_eq!(grown.contains(cell), count >= 1 || plane.contains(cell));
        }
    }

    #[test]
    fn a_camp_sees_what_becomes_of_its_colour((side, grid) in any_grid(5), at in any::<prop::sample::Index>(), generations in 1..5_u8) {
        let mut board = coloured(side, &grid, 4);
        let cell = side.cells().nth(at.index(side.area())).expect("a cell");
        let mut camp = Camp::of(&board, Seat(2)).after(cell);
        let mut cells = BySeat::new(4, |_| None);
        cells[Seat(2)] = Some(cell);
        board = board.acted(&cells).0;
        prop_assert_eq!(Camp::of(&board, Seat(2)), camp);
        let mut seen = Vec::new();
        camp.generations(generations, |census| seen.push((census.own, census.others)));
        for (own, others) in seen {
            board.step();
            prop_assert_eq!(board.seat(Seat(2)).count(), own);
            prop_assert_eq!(board.living().count(), own + others);
        }
        prop_assert_eq!(Camp::of(&board, Seat(2)), camp);
    }

    /// No place on the torus and no seat is special.
    #[test]
    fn the_generation_commutes_with_shifts_and_with_exchanging_seats(
        (side, grid) in any_grid(5),
        (down, right) in (0..24_u8, 0..24_u8),
    ) {
        let len = side.length();
        let changed = |board: &Board| {
            let mut changed = Board::empty(side, 4);
            for cell in board.living().cells() {
                let moved = at(side, (cell.row() + down) % len, (cell.col() + right) % len);
                changed.set(moved, match board.colour_at(cell).expect("alive") {
                    Colour::Seat(seat) => Colour::Seat(Seat(3 - seat.0)),
                    Colour::Black => Colour::Black,
                });
            }
            changed
        };
        let board = coloured(side, &grid, 4);
        let (mut next, mut other) = (board.clone(), changed(&board));
        next.step();
        other.step();
        prop_assert_eq!(changed(&next), other);
    }

    /// Whatever is submitted, every cell has at most one colour, and a refused action does not affect other seats' turns.
    #[test]
    fn advance_is_total((side, grid) in any_grid(5), targets in prop::collection::vec((0..30_u8, 0..30_u8), 4)) {
        let mut position = position(coloured(side, &grid, 4), 0, Seats::only(Seat(3)));
        let mut turns = BySeat::new(4, |_| None);
        for (seat, (row, col)) in (0..).map(Seat).zip(targets) {
            turns[seat] = match position.check(seat, &cell(row, col)) {
                Ok(turn) => Some(turn),
                Err(Refusal::OffBoard(..)) => Side::TwentyFour.cell(row, col).map(Turn::Cell),
                Err(_) => None,
            };
        }
        position.advance(turns);
        let board = position.board();
        let colours: u32 = board.counts().values().iter().sum::<u32>() + board.black().count();
        prop_assert_eq!(colours, board.living().count());
        prop_assert!(board.living().cells().all(|cell| side.cell(cell.row(), cell.col()).is_some()));
    }
}
