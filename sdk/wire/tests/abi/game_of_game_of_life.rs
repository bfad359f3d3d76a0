//! Game of Game of Life.

use arena_rules::game_of_game_of_life::{
    Action, Board, Cell, Colour, GENERATIONS, Length, Lots, Options, Position, Setup, Side, Target, Turn,
};
use arena_rules::{BySeat, Rng, Ruleset, Seat, Seats, Seed};
use arena_wire::game_of_game_of_life::{Observation, observation_len};
use arena_wire::{GAMES, Picture, Protocol};
use proptest::prelude::*;

use crate::document::{ABI, Vector, bytes, number};
use crate::laws;

fn target(text: &str) -> Target {
    let (row, col) = text.split_once(',').expect("row,column");
    Target { row: row.parse().expect("a row"), col: col.parse().expect("a column") }
}

fn action(text: &str) -> Action {
    if text == "pass" { Action::Pass } else { Action::Cell(target(text)) }
}

/// The board from a vector's lines `seat N` and `black`.
fn board(vector: &Vector, seats: u8) -> Board {
    let mut board = Board::empty(Options { seats, ..Options::default() }.side(), seats);
    let side = board.side();
    let mut paint = |cells: &str, colour| {
        for target in cells.split_whitespace().map(target) {
            board.set(side.cell(target.row, target.col).expect("on the board"), colour);
        }
    };
    for (seat, cells) in vector.under("cells of") {
        paint(cells, Colour::Seat(Seat(number(seat) as u8)));
    }
    paint(vector.get("black"), Colour::Black);
    board
}

/// The position after the turns of the vector, and an observation of it.
#[test]
fn the_observation_is_as_written() {
    for vector in Vector::all("game-of-game-of-life-observation") {
        let mut position = Position::start(&Position::parse_options(vector.get("options")).expect("options"), &[0; 32]);
        for (_, actions) in vector.under("turn") {
            let mut turns: BySeat<Option<Turn>> = BySeat::new(position.seats(), |_| None);
            for (seat, text) in (0..).map(Seat).zip(actions.split_whitespace()) {
                turns[seat] = Some(position.check(seat, &action(text)).expect("legal"));
            }
            position.advance(turns);
        }
        assert_eq!(u64::from(position.generation()), number(vector.get("generation")));
        assert_eq!(*position.board(), board(&vector, position.seats()));
        let seat_seed = Vector::all("seat-seed")[0].seed("seat_seed");
        let observation = Observation { position, seat: Seat(number(vector.get("seat")) as u8), seat_seed };
        assert_eq!(observation.encode(), vector.observation());
        assert_eq!(Observation::decode(&vector.observation()), Ok(observation));
    }
    let lengths = Side::ALL.map(|side| observation_len(side).to_string());
    assert!(ABI.contains(&format!(
        "{} bytes on the board of 12 x 12, {} on 18 x 18, {} on 24 x 24",
        lengths[0], lengths[1], lengths[2]
    )));
}

#[test]
fn actions_are_as_written() {
    for (text, written) in &Vector::all("game-of-game-of-life-actions")[0].0 {
        assert_eq!(Position::encode_action(&action(text)), bytes(written), "{text}");
        assert_eq!(Position::decode_action(&bytes(written)), Ok(action(text)), "{text}");
    }
    for (why, written) in &Vector::all("game-of-game-of-life-not-actions")[0].0 {
        assert!(Position::decode_action(&bytes(written)).is_err(), "{why}");
    }
    assert_eq!(Position::pass(), Some(Action::Pass));
}

#[test]
fn starts_are_as_written() {
    for vector in Vector::all("game-of-game-of-life-start") {
        let options = Position::parse_options(vector.get("options")).expect("options");
        assert_eq!(*Position::start(&options, &vector.seed("seed")).board(), board(&vector, options.seats));
    }
    let stream = u64::from_le_bytes(*b"gogolot1");
    assert!(ABI.contains(&format!("`gogolot1`: {stream:#018x}.")));
}

#[test]
fn budgets_are_as_written() {
    let allowance = Position::ALLOWANCE;
    assert_eq!((allowance.fuel_per_move, allowance.fuel_per_game), (5_000_000, Some(1_000_000_000)));
    assert!(ABI.contains("5,000,000 a turn and 1,000,000,000 for the game"));
    assert!(ABI.contains("After 1,000 generations"));
    assert_eq!(GENERATIONS, 1000);
}

#[test]
fn options_have_one_text() {
    for seats in 2..=16 {
        for (lots, tail) in [(Lots::Shuffled, ""), (Lots::Fixed, ",lots=fixed")] {
            let (options, text) = (Options { seats, lots, ..Options::default() }, format!("seats={seats}{tail}"));
            assert_eq!(Position::parse_options(&text), Some(options));
            assert_eq!(Position::options_text(&options), text);
            assert_eq!(Position::starts_from_seed(&options), lots == Lots::Shuffled);
            assert!(Position::may_count(&options));
            let duel = (seats > 2).then_some(Options { seats: 2, ..options });
            assert_eq!(Position::duel(&options), duel);
            for (length, generations) in [(Length::Fifty, 50), (Length::Hundred, 100)] {
                let (short, text) = (Options { length, ..options }, format!("{text},generations={generations}"));
                assert_eq!(Position::parse_options(&text), Some(short));
                assert_eq!(Position::options_text(&short), text);
                assert!(!Position::may_count(&short));
                assert_eq!(Position::duel(&short).map(|duel| duel.length), duel.map(|_| length));
            }
        }
    }
    for other in [
        "",
        "seats=",
        "seats=1",
        "seats=17",
        "seats=02",
        "seats=2,",
        "seats=2,lots=shuffled",
        "lots=fixed",
        "seats=2,generations=1000",
        "seats=2,generations=51",
    ] {
        assert_eq!(Position::parse_options(other), None, "{other}");
    }
    let ranked = Position::parse_options(Position::RANKED).expect("canonical");
    let casual = Position::parse_options(Position::CASUAL).expect("canonical");
    assert!(Position::starts_from_seed(&ranked) && !Position::starts_from_seed(&casual));
    assert_eq!(casual.seats, 2);
    assert!(GAMES.iter().any(|game| game.ruleset == Position::ID && game.tag == Position::TAG));
}

/// A position of any number of seats; nobody has forfeited.
fn any_position() -> impl Strategy<Value = Position> {
    (2..=16_u8).prop_flat_map(|seats| {
        let side = Options { seats, ..Options::default() }.side();
        let value = prop_oneof![2 => Just(0), 1 => 0..=seats + 1];
        let last = prop::option::of((0..side.length(), 0..side.length()));
        let parts = (
            prop::collection::vec(value, side.area()),
            prop::collection::vec(last, usize::from(seats)),
            0..=GENERATIONS,
        );
        parts.prop_map(move |(values, last, generation)| {
            let mut board = Board::empty(side, seats);
            for (cell, value) in side.cells().zip(values).filter(|(_, value)| *value > 0) {
                board.set(cell, if value > seats { Colour::Black } else { Colour::Seat(Seat(value - 1)) });
            }
            let cell = |(row, col)| side.cell(row, col).expect("on the board");
            let last: Vec<Option<Cell>> = last.into_iter().map(|at| at.map(cell)).collect();
            let setup = Setup { board, generation, last: BySeat::from(last), forfeited: Seats::NONE };
            setup.position().expect("a position")
        })
    })
}

fn any_action() -> impl Strategy<Value = Action> {
    prop_oneof![Just(Action::Pass), any::<(u8, u8)>().prop_map(|(row, col)| Action::Cell(Target { row, col })),]
}

fn any_observation() -> impl Strategy<Value = Observation> {
    (any_position(), any::<prop::sample::Index>(), any::<Seed>()).prop_map(|(position, seat, seat_seed)| {
        let seat = Seat(seat.index(position.seats().into()) as u8);
        Observation { position, seat, seat_seed }
    })
}

proptest! {
    #[test]
    fn actions_keep_the_laws(action in any_action(), noise in prop_oneof![laws::bytes_like_an_action(3, 3, 6), prop::collection::vec(any::<u8>(), 0..64)]) {
        laws::of_actions::<Position>(&action, &noise)?;
    }

    #[test]
    fn observations_keep_the_laws(
        observation in any_observation(),
        change in (any::<prop::sample::Index>(), prop_oneof![0..20_u8, Just(255_u8), any::<u8>()]),
        noise in prop::collection::vec(any::<u8>(), 0..=700),
    ) {
        laws::of_observations(observation, change, &noise)?;
    }

    /// Equal positions have equal states, and different ones have different states. Forfeits are in the state, and hidden from bots.
    #[test]
    fn a_state_is_a_position(first in any_observation(), second in any_position(), out in 0..16_u8) {
        prop_assert_eq!(first.position.state() == second.state(), first.position == second);
        let mut lost = first.clone();
        lost.position.forfeit(Seat(out));
        prop_assert_eq!(lost.position.state() == first.position.state(), lost == first);
        prop_assert_eq!(lost.encode(), first.encode());
    }

    #[test]
    fn what_is_offered_is_what_is_legal(Observation { position, seat, seat_seed } in any_observation()) {
        let cells = (0..=24).flat_map(|row| (0..=24).map(move |col| Action::Cell(Target { row, col })));
        let legal: Vec<_> =
            cells.chain([Action::Pass]).map(|action| (seat, action)).filter(|(seat, action)| position.check(*seat, action).is_ok()).collect();
        laws::of_choices(&position, &legal, &mut Rng::new(&seat_seed, 0))?;
    }

    #[test]
    fn a_picture_shows_the_board(position in any_position()) {
        let picture = position.picture();
        let side = position.board().side();
        prop_assert_eq!((picture.rows, picture.cols), (side.length().into(), side.length().into()));
        prop_assert_eq!(picture.cells.len(), side.area());
        for (cell, owner) in side.cells().zip(&picture.cells) {
            let wanted = match position.board().colour_at(cell) {
                None => 0,
                Some(Colour::Seat(seat)) => 1 + seat.0,
                Some(Colour::Black) => Picture::NEUTRAL,
            };
            prop_assert_eq!(*owner, wanted);
        }
        prop_assert_eq!(picture.tally, position.tally());
    }
}
