//! What holds in every game of War of Life, checked on random boards and in random play.

use std::collections::BTreeSet;

use arena_rules::war_of_life::{
    Action, Board, ByColour, Cell, Cells, Colour, MOVES_MAX, Move, PIECES_AT_START, Position, Refusal, Start, Target,
};
use arena_rules::{BySeat, Reason, Rng, Ruleset, Seat};
use proptest::prelude::*;

const NAMED: [Start; 4] = [Start::Cross, Start::Checkers, Start::Gliders, Start::Pictured];

fn board(text: &str) -> Board {
    text.parse().expect("a board")
}

/// Rows from the top; the rest is empty.
fn top(rows: &[&str]) -> Board {
    let all: Vec<&str> = rows.iter().copied().chain(std::iter::repeat("........")).take(8).collect();
    board(&all.join("/"))
}

fn at(board: &Board, ply: u16) -> Position {
    Position::new(*board, ply).expect("not more moves than there are")
}

fn advanced(position: &Position, step: Option<Move>) -> Position {
    let mut next = position.clone();
    let mover = position.to_move().expect("in play").seat();
    next.advance(BySeat::new(2, |seat| step.filter(|_| seat == mover)));
    next
}

/// Boards from nearly empty to nearly full.
fn any_board() -> impl Strategy<Value = Board> {
    (any::<[u64; 4]>(), 0..4_u8).prop_map(|([a, b, c, red], density)| {
        let living = match density {
            0 => a & b & c,
            1 => a & b,
            2 => a,
            _ => a | b,
        };
        let half = |bits| Cells::from_bits(living & bits);
        Board::new(ByColour { blue: half(!red), red: half(red) }).expect("no cell has two colours")
    })
}

fn result(position: &Position) -> Option<(Option<Seat>, Reason)> {
    position.outcome().map(|outcome| (outcome.winner, outcome.reason))
}

const BLUE: Option<Seat> = Some(Seat(0));
const RED: Option<Seat> = Some(Seat(1));

#[test]
fn a_game_ends_by_the_first_check_that_holds() {
    let nobody = Board::EMPTY;
    let no_blue = top(&["r......."]);
    let no_red = top(&["b......."]);
    let blue_stuck = top(&["br......", "rr......"]);
    let both_free = top(&["b......r"]);
    for ply in [0, 1, 249, 250] {
        assert_eq!(result(&at(&nobody, ply)), Some((None, Reason::MutualExtinction)));
    }
    for board in [&no_blue, &no_red, &blue_stuck, &both_free] {
        assert_eq!(result(&at(board, MOVES_MAX)), Some((None, Reason::Exhausted)));
    }
    for ply in [0, 1, 248, 249] {
        assert_eq!(result(&at(&no_blue, ply)), Some((RED, Reason::Extinction)));
        assert_eq!(result(&at(&no_red, ply)), Some((BLUE, Reason::Extinction)));
        assert_eq!(result(&at(&both_free, ply)), None);
        // Only the mover is checked for stalemate.
        let stuck = (ply % 2 == 0).then_some((None, Reason::Stalemate));
        assert_eq!(result(&at(&blue_stuck, ply)), stuck);
    }
    assert!(Position::new(both_free, MOVES_MAX + 1).is_err());
}

/// Red's only piece dies of its own move, or blue's: what counts is the colour that is extinct, not the mover.
#[test]
fn a_player_can_lose_by_the_own_move() {
    let position = at(&top(&["bb....r.", "bb......"]), 1);
    let step = position.moves(Seat(1)).next().expect("red has moves");
    assert_eq!(result(&advanced(&position, Some(step))), Some((BLUE, Reason::Extinction)));
}

#[test]
fn the_last_move_makes_a_draw_unless_nobody_is_left() {
    let winning = at(&top(&["bb....r.", "bb......"]), MOVES_MAX - 1);
    let step = winning.moves(Seat(1)).next();
    assert_eq!(result(&advanced(&winning, step)), Some((None, Reason::Exhausted)));
    let emptying = at(&top(&["b.....r."]), MOVES_MAX - 1);
    let step = emptying.moves(Seat(1)).next();
    assert_eq!(result(&advanced(&emptying, step)), Some((None, Reason::MutualExtinction)));
}

#[test]
fn a_forfeit_loses_once() {
    let mut position = Position::start(&Start::Pictured, &[0; 32]);
    position.forfeit(Seat(0));
    assert_eq!(result(&position), Some((RED, Reason::Forfeit)));
    assert!(position.awaiting().is_empty());
    position.forfeit(Seat(1));
    assert_eq!(result(&position), Some((RED, Reason::Forfeit)));
    let before = position.clone();
    position.advance(BySeat::new(2, |_| None));
    assert_eq!(position, before);
}

/// An action's cells are bytes of the bot's choice.
#[test]
fn a_cell_off_the_board_is_none_whatever_its_bytes() {
    for (row, col) in (0..=u8::MAX).flat_map(|row| (0..=u8::MAX).map(move |col| (row, col))) {
        let place = Cell::new(row, col).map(|cell| (cell.row(), cell.col()));
        assert_eq!(place, (row < 8 && col < 8).then_some((row.into(), col.into())));
    }
}

#[test]
fn refusals_name_the_broken_rule() {
    let position = at(&top(&["b.r.....", "b......."]), 0);
    let target = |row, col| Target { row, col };
    let refusal = |from: (u8, u8), to: (u8, u8)| {
        position.check(Seat(0), &Action { from: target(from.0, from.1), to: target(to.0, to.1) }).err()
    };
    let cell = |row, col| Cell::new(row, col).expect("on the board");
    assert_eq!(refusal((0, 0), (0, 1)), None);
    assert_eq!(refusal((8, 0), (7, 0)), Some(Refusal::OffBoard(target(8, 0))));
    assert_eq!(refusal((0, 0), (0, 255)), Some(Refusal::OffBoard(target(0, 255))));
    assert_eq!(refusal((0, 2), (0, 3)), Some(Refusal::NotYours(cell(0, 2))));
    assert_eq!(refusal((5, 5), (5, 6)), Some(Refusal::NotYours(cell(5, 5))));
    assert_eq!(refusal((0, 0), (0, 0)), Some(Refusal::NotANeighbour(cell(0, 0))));
    assert_eq!(refusal((0, 0), (0, 7)), Some(Refusal::NotANeighbour(cell(0, 7))));
    assert_eq!(refusal((0, 0), (1, 0)), Some(Refusal::Occupied(cell(1, 0))));
    let legal = Action { from: target(0, 0), to: target(0, 1) };
    assert_eq!(position.check(Seat(1), &legal), Err(Refusal::NotYourTurn));
    assert_eq!(position.check(Seat(2), &legal), Err(Refusal::NotYourTurn));
    assert_eq!(at(&top(&["b......."]), 0).check(Seat(0), &legal), Err(Refusal::GameOver));
}

#[test]
fn random_starts_have_all_pieces_and_differ() {
    let seeds = (0..=255).map(|byte| [byte; 32]);
    let starts: BTreeSet<String> = seeds
        .map(|seed| {
            let board = Start::Random.board(&seed);
            assert_eq!(board.counts(), ByColour::new(|_| PIECES_AT_START as u32));
            board.to_string()
        })
        .collect();
    assert_eq!(starts.len(), 256);
}

#[test]
fn all_other_starts_ignore_the_seed() {
    let deals = [0, 1, 255, 256, u32::MAX].map(Start::Deal);
    let boards: BTreeSet<String> = NAMED
        .iter()
        .chain(&deals)
        .map(|start| {
            assert!(!start.is_from_seed());
            assert_eq!(start.board(&[0; 32]), start.board(&[9; 32]), "{start}");
            start.board(&[0; 32]).to_string()
        })
        .collect();
    assert_eq!(boards.len(), NAMED.len() + deals.len());
}

/// On a named board both sides have a game: whatever blue moves first, red survives and can answer, and in random play
/// each has two or more moves on average.
#[test]
fn named_starts_are_playable() {
    for start in NAMED {
        let position = Position::start(&start, &[0; 32]);
        let counts = position.board().counts();
        assert_eq!(counts.blue, counts.red, "{start}");
        for first in position.moves(Seat(0)) {
            let after = advanced(&position, Some(first));
            assert_eq!(result(&after), None, "{start}: {first:?}");
        }
        let mut rng = Rng::new(&[3; 32], 0);
        let lengths: u32 = (0..200).map(|_| u32::from(random_game(&position, &mut rng).ply())).sum();
        assert!(lengths > 200 * 4, "{start}: games of random moves have {} moves in the mean", lengths / 200);
    }
}

fn random_game(start: &Position, rng: &mut Rng) -> Position {
    let mut position = start.clone();
    while let Some(mover) = position.to_move() {
        let moves: Vec<Move> = position.moves(mover.seat()).collect();
        position = advanced(&position, Some(moves[rng.below(moves.len() as u32) as usize]));
    }
    position
}

#[test]
fn starts_have_one_text() {
    for start in NAMED.into_iter().chain([Start::Random, Start::Deal(0), Start::Deal(77), Start::Deal(u32::MAX)]) {
        assert_eq!(start.to_string().parse(), Ok(start));
    }
    for other in
        ["", "Random", "deal", "deal:", "deal:-1", "deal:+1", "deal:01", "deal:00", "deal:4294967296", "cross "]
    {
        assert!(other.parse::<Start>().is_err(), "{other}");
    }
}

#[test]
fn games_of_random_moves_end_as_they_say() {
    let mut rng = Rng::new(&[1; 32], 0);
    for game in 0..=255 {
        let last = random_game(&Position::start(&Start::Random, &[game; 32]), &mut rng);
        let outcome = last.outcome().expect("it is over");
        let counts = last.board().counts();
        assert_eq!(outcome.tally, BySeat::from([counts.blue, counts.red]));
        match outcome.reason {
            Reason::Extinction => assert!(counts[Colour::of(outcome.winner.expect("one")).expect("a seat")] > 0),
            Reason::MutualExtinction => assert_eq!(counts, ByColour::default()),
            Reason::Exhausted => assert_eq!(last.ply(), MOVES_MAX),
            Reason::Stalemate => assert!(outcome.winner.is_none() && counts.blue > 0 && counts.red > 0),
            other => panic!("{other:?}"),
        }
    }
}

/// The board turned by a quarter.
fn turned(board: &Board) -> Board {
    rearranged(board, |cell| Cell::new(cell.col() as u8, 7 - cell.row() as u8))
}

fn mirrored(board: &Board) -> Board {
    rearranged(board, |cell| Cell::new(cell.row() as u8, 7 - cell.col() as u8))
}

fn rearranged(board: &Board, place: impl Fn(Cell) -> Option<Cell>) -> Board {
    let mut new = Board::EMPTY;
    for colour in Colour::BOTH {
        board.of(colour).filter_map(&place).for_each(|cell| new.set(cell, colour));
    }
    new
}

proptest! {
    /// The enumerated moves are exactly the accepted ones, in the order of rows and columns.
    #[test]
    fn moves_are_the_actions_that_are_legal(board in any_board(), ply in 0..MOVES_MAX) {
        let position = at(&board, ply);
        for seat in [Seat(0), Seat(1)] {
            let targets: Vec<Target> =
                (0..9).flat_map(|row| (0..9).map(move |col| Target { row, col })).collect();
            let actions = targets.iter().flat_map(|from| targets.iter().map(|to| Action { from: *from, to: *to }));
            let legal: Vec<Move> = actions.filter_map(|action| position.check(seat, &action).ok()).collect();
            prop_assert_eq!(position.moves(seat).collect::<Vec<_>>(), legal);
        }
        for colour in Colour::BOTH {
            prop_assert_eq!(board.can_move(colour), board.moves(colour).next().is_some());
        }
    }

    #[test]
    fn a_preview_is_what_a_move_leads_to(board in any_board(), ply in 0..MOVES_MAX) {
        let position = at(&board, ply);
        let Some(colour) = position.to_move() else { return Ok(()) };
        for step in position.moves(colour.seat()) {
            let next = advanced(&position, Some(step));
            prop_assert_eq!(*next.board(), position.preview(colour, step));
            prop_assert_eq!(next.ply(), ply + 1);
            prop_assert!(next.to_move().is_none_or(|mover| mover == colour.other()));
        }
        prop_assert_eq!(*advanced(&position, None).board(), board.next());
    }

    #[test]
    fn the_generation_knows_no_direction_and_no_colour(board in any_board()) {
        let next = board.next();
        prop_assert_eq!(turned(&board).next(), turned(&next));
        prop_assert_eq!(mirrored(&board).next(), mirrored(&next));
        prop_assert_eq!(board.recoloured().next(), next.recoloured());
        prop_assert_eq!(board.recoloured().of(Colour::Blue), board.of(Colour::Red));
    }

    #[test]
    fn a_board_has_one_text(board in any_board()) {
        prop_assert_eq!(board.to_string().parse(), Ok(board));
    }

    #[test]
    fn no_text_makes_the_parser_panic(text in "[.br/x]{0,80}") {
        if let Ok(board) = text.parse::<Board>() {
            prop_assert_eq!(board.to_string(), text);
        }
    }
}
