//! Game of Game of Life: bits against a grid, on random boards of every size and on the boards of whole games.

use arena_oracle::game_of_game_of_life::DEAD;
use arena_rules::game_of_game_of_life::{Action, Board, Cell, Colour, Options, Position, Target};
use arena_rules::{BySeat, Rng, Ruleset, Seat};

use crate::plain::grid;

/// Boards of each number of seats.
const BOARDS: usize = 60;
/// Games of each number of seats.
const GAMES: u8 = 10;

/// A board on which one cell in `thinness` lives, of any colour.
fn random_board(seats: u8, thinness: u32, rng: &mut Rng) -> Board {
    let side = Options { seats, ..Options::default() }.side();
    let mut board = Board::empty(side, seats);
    for cell in side.cells() {
        if rng.below(thinness) == 0 {
            let colour = rng.below(u32::from(seats) + 1) as u8;
            board.set(cell, if colour == seats { Colour::Black } else { Colour::Seat(Seat(colour)) });
        }
    }
    board
}

/// Mostly a few places, so that seats meet on a cell.
fn random_cell(board: &Board, rng: &mut Rng) -> Cell {
    let side = board.side();
    let most = if rng.below(2) == 0 { 4 } else { u32::from(side.length()) };
    side.cell(rng.below(most) as u8, rng.below(most) as u8).expect("on the board")
}

fn place(cell: Cell) -> (usize, usize) {
    (cell.row().into(), cell.col().into())
}

#[test]
fn actions_and_generations_are_the_naive_ones() {
    let mut rng = Rng::new(&[1; 32], 0);
    for seats in 2..=16 {
        for _ in 0..BOARDS {
            let thinness = 2 + rng.below(3);
            let board = random_board(seats, thinness, &mut rng);
            let naive = grid(&board);
            let cells: Vec<Option<Cell>> =
                (0..seats).map(|_| (rng.below(4) > 0).then(|| random_cell(&board, &mut rng))).collect();
            let near = |(seat, cell): (u8, &Option<Cell>)| {
                let cell = (*cell)?;
                let (row, col) = place(cell);
                let near = naive.near(seat as i8 + 1, row, col);
                assert_eq!(board.reach(Seat(seat)).contains(cell), near);
                near.then_some(cell)
            };
            let near: Vec<Option<Cell>> = (0..).zip(&cells).map(near).collect();
            let (mut after, effective) = board.acted(&BySeat::from(near.clone()));
            let naive_after = naive.acted(&cells.iter().map(|cell| cell.map(place)).collect::<Vec<_>>());
            assert_eq!(grid(&after), naive_after);
            // An action has an effect unless it leaves a living cell of another as it was.
            for (seat, cell) in effective.iter() {
                assert!(cell.is_none() || *cell == near[seat.index()]);
                let (Some(at), None) = (near[seat.index()], cell) else { continue };
                let (row, col) = place(at);
                assert_ne!(naive.cells[row][col], DEAD);
                assert_eq!(naive.cells[row][col], naive_after.cells[row][col]);
            }
            after.step();
            assert_eq!(grid(&after), naive_after.next());
        }
    }
}

#[test]
fn whole_games_are_the_naive_ones() {
    let mut rng = Rng::new(&[2; 32], 0);
    for seats in [2, 5, 9, 16] {
        let generations: u16 = (0..GAMES).map(|game| play(seats, game, &mut rng)).sum();
        // Seats that act at random soon kill themselves and each other.
        assert!(generations > 10 * u16::from(GAMES), "{seats} seats: {generations} generations");
    }
}

/// Plays a random game on both boards; returns its generations.
fn play(seats: u8, game: u8, rng: &mut Rng) -> u16 {
    let mut position = Position::start(&Options { seats, ..Options::default() }, &[game; 32]);
    let mut naive = grid(position.board());
    while position.outcome().is_none() && position.generation() < 200 {
        let mut turns = BySeat::new(seats, |_| None);
        let mut actions = vec![None; seats.into()];
        for seat in position.awaiting().iter() {
            // Near an own cell, now and then too far away.
            let own: Vec<Cell> = position.board().seat(seat).cells().collect();
            let from = own[rng.below(own.len() as u32) as usize];
            let side = position.board().side().length();
            let mut step = |from: u8| (u32::from(from + side) + rng.below(6) - 3) as u8 % side;
            let target = Target { row: step(from.row()), col: step(from.col()) };
            turns[seat] = Some(position.check(seat, &Action::Cell(target)).expect("on the board"));
            actions[seat.index()] = Some((target.row.into(), target.col.into()));
        }
        position.advance(turns);
        naive = naive.acted(&actions).next();
        assert_eq!(grid(position.board()), naive);
    }
    position.generation()
}
