//! War of Life.

use arena_rules::war_of_life::{Action, Board, ByColour, Cell, Cells, Colour, MOVES_MAX, Position, Start, Target};
use arena_rules::{BySeat, Rng, Ruleset, Seat, Seed};
use arena_wire::war_of_life::{OBSERVATION_LEN, Observation};
use arena_wire::{GAMES, Protocol};
use proptest::prelude::*;

use crate::document::{ABI, Vector, bytes, number};
use crate::laws;

/// The two places of a line such as `2,3 1,3`.
fn action(text: &str) -> Action {
    let target = |pair: &str| {
        let (row, col) = pair.split_once(',').expect("row,column");
        Target { row: row.parse().expect("a row"), col: col.parse().expect("a column") }
    };
    let (from, to) = text.split_once(' ').expect("two places");
    Action { from: target(from), to: target(to) }
}

fn cells(text: &str) -> Cells {
    text.split_whitespace().fold(Cells::EMPTY, |mut cells, pair| {
        let (row, col) = pair.split_once(',').expect("row,column");
        let cell = Cell::new(row.parse().expect("a row"), col.parse().expect("a column"));
        cells.insert(cell.expect("on the board"));
        cells
    })
}

fn board(vector: &Vector) -> Board {
    let pieces = ByColour { blue: cells(vector.get("blue")), red: cells(vector.get("red")) };
    Board::new(pieces).expect("no cell has two colours")
}

/// The position after the moves of the vector, and its observation.
#[test]
fn the_observation_is_as_written() {
    for vector in Vector::all("war-of-life-observation") {
        let mut position = Position::start(&Position::parse_options(vector.get("options")).expect("options"), &[0; 32]);
        for (_, moved) in vector.under("move") {
            let mover = position.to_move().expect("in play").seat();
            let step = position.check(mover, &action(moved)).expect("legal");
            position.advance(BySeat::new(2, |seat| (seat == mover).then_some(step)));
        }
        assert_eq!(u64::from(position.ply()), number(vector.get("ply")));
        assert_eq!(*position.board(), board(&vector));
        let seat_seed = Vector::all("seat-seed")[0].seed("seat_seed");
        let observation = Observation { position, seat: Seat(number(vector.get("seat")) as u8), seat_seed };
        assert_eq!(observation.encode(), vector.observation());
        assert_eq!(Observation::decode(&vector.observation()), Ok(observation));
    }
    assert!(ABI.contains(&format!("{OBSERVATION_LEN} bytes: a header")));
    assert!(ABI.contains(&format!("{MOVES_MAX} moves are made")));
}

#[test]
fn actions_are_as_written() {
    for (text, written) in Vector::all("war-of-life-actions")[0].under("move") {
        assert_eq!(Position::encode_action(&action(text)), bytes(written), "{text}");
        assert_eq!(Position::decode_action(&bytes(written)), Ok(action(text)), "{text}");
    }
    for (why, written) in &Vector::all("war-of-life-not-actions")[0].0 {
        assert!(Position::decode_action(&bytes(written)).is_err(), "{why}");
    }
}

#[test]
fn starts_are_as_written() {
    for vector in Vector::all("war-of-life-start") {
        let start = Position::parse_options(vector.get("options")).expect("options");
        assert_eq!(*Position::start(&start, &vector.seed("seed")).board(), board(&vector), "{start}");
        assert!(ABI.contains(&format!("| `{}` |", vector.get("options").replace(":7", ":N"))));
    }
    let stream = u64::from_le_bytes(*b"wolstart");
    assert!(ABI.contains(&format!("`wolstart`: {stream:#018x}.")));
}

#[test]
fn options_have_one_text() {
    for text in ["random", "deal:0", "deal:4294967295", "cross", "checkers", "gliders", "pictured"] {
        let options = format!("start={text}");
        let start = Position::parse_options(&options).expect(text);
        assert_eq!(Position::options_text(&start), options);
        assert_eq!(Position::starts_from_seed(&start), start == Start::Random);
        assert!(Position::may_count(&start));
        assert!(Position::options_help().contains(text.split(':').next().expect("a word")));
    }
    for other in
        ["", "random", "start=", "start=deal", "start=deal:007", "start=cross,", "start = cross", "START=cross"]
    {
        assert_eq!(Position::parse_options(other), None, "{other}");
    }
    let ranked = Position::parse_options(Position::RANKED).expect("canonical");
    let casual = Position::parse_options(Position::CASUAL).expect("canonical");
    assert!(Position::starts_from_seed(&ranked) && !Position::starts_from_seed(&casual));
    assert!(GAMES.iter().any(|game| game.ruleset == Position::ID && game.tag == Position::TAG));
}

fn any_board() -> impl Strategy<Value = Board> {
    any::<(u64, u64)>().prop_map(|(living, red)| {
        let half = |bits| Cells::from_bits(living & bits);
        Board::new(ByColour { blue: half(!red), red: half(red) }).expect("no cell has two colours")
    })
}

fn any_observation() -> impl Strategy<Value = Observation> {
    (any_board(), 0..=MOVES_MAX, any::<bool>(), any::<Seed>()).prop_map(|(board, ply, mine, seat_seed)| {
        let position = Position::new(board, ply).expect("not too many moves");
        Observation { position, seat: Seat(mine.into()), seat_seed }
    })
}

fn any_action() -> impl Strategy<Value = Action> {
    let target = || any::<(u8, u8)>().prop_map(|(row, col)| Target { row, col });
    (target(), target()).prop_map(|(from, to)| Action { from, to })
}

proptest! {
    #[test]
    fn actions_keep_the_laws(action in any_action(), noise in prop_oneof![laws::bytes_like_an_action(3, 4, 8), prop::collection::vec(any::<u8>(), 0..64)]) {
        laws::of_actions::<Position>(&action, &noise)?;
    }

    #[test]
    fn observations_keep_the_laws(
        observation in any_observation(),
        change in (any::<prop::sample::Index>(), prop_oneof![0..20_u8, Just(255_u8), any::<u8>()]),
        noise in prop::collection::vec(any::<u8>(), 0..=OBSERVATION_LEN + 1),
    ) {
        laws::of_observations(observation, change, &noise)?;
    }

    /// Equal positions have equal states, and different ones have different states.
    #[test]
    fn a_state_is_a_position(first in any_observation(), second in any_observation()) {
        prop_assert_eq!(first.position.state() == second.position.state(), first.position == second.position);
        let mut lost = first.position.clone();
        lost.forfeit(Seat(0));
        prop_assert_eq!(lost.state() == first.position.state(), lost == first.position);
    }

    #[test]
    fn what_is_offered_is_what_is_legal(Observation { position, seat_seed, .. } in any_observation()) {
        let target = |index: u8| Target { row: index / 9, col: index % 9 };
        let actions = (0..81).flat_map(|from| (0..81).map(move |to| Action { from: target(from), to: target(to) }));
        let all = actions.flat_map(|action| [(Seat(0), action), (Seat(1), action)]);
        let legal: Vec<_> = all.filter(|(seat, action)| position.check(*seat, action).is_ok()).collect();
        laws::of_choices(&position, &legal, &mut Rng::new(&seat_seed, 0))?;
    }

    #[test]
    fn a_picture_shows_the_board(board in any_board()) {
        let picture = Position::new(board, 0).expect("not too many moves").picture();
        for (index, owner) in picture.cells.iter().enumerate() {
            let cell = Cell::new((index / 8) as u8, (index % 8) as u8).expect("on the board");
            prop_assert_eq!(*owner, board.colour_at(cell).map_or(0, |colour| 1 + colour.seat().0));
        }
        prop_assert_eq!(picture.tally.values(), &Colour::BOTH.map(|colour| board.counts()[colour]));
    }
}
