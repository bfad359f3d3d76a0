//! Recordings: how they are read, and the errors for texts that are not recordings.

use arena_sdk::conquerors::{self, Action, Board, ByColour, Cell, Colour, Options, Setup, Target};
use arena_sdk::testing::{ReplayError, observations, replay};
use arena_sdk::{Bot, Observation, Protocol, Seat, first_legal, game_of_game_of_life, war_of_life};

/// Answers with the first legal cells, and from its third turn on with a cell that is off the board.
#[derive(Default)]
struct Stumbles {
    turns: u32,
}

impl Bot for Stumbles {
    fn turn(&mut self, seen: &Observation) -> Action {
        self.turns += 1;
        if self.turns > 2 { Action::Place(vec![Target { row: 26, col: 0 }]) } else { first_legal(seen) }
    }
}

/// Plays the first move of any game of pieces, and passes in any other.
#[derive(Default)]
struct First;

impl Bot<war_of_life::Position> for First {
    fn turn(&mut self, seen: &Observation<war_of_life::Position>) -> war_of_life::Action {
        seen.position.moves(seen.seat).next().expect("a move").into()
    }
}

impl Bot<game_of_game_of_life::Position> for First {
    fn turn(&mut self, _seen: &Observation<game_of_game_of_life::Position>) -> game_of_game_of_life::Action {
        game_of_game_of_life::Action::Pass
    }
}

fn line<G: Protocol>(observation: &Observation<G>) -> String {
    observation.encode().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Blue's observations over this many rounds in which only a block lives.
fn recorded(rounds: u8) -> Vec<Observation> {
    let mut board = Board::EMPTY;
    for (row, col) in [(8, 3), (8, 4), (9, 3), (9, 4)] {
        board.set(Cell::new(row, col).expect("on the board"), Colour::Blue);
    }
    let seen = |round| {
        let setup = Setup {
            options: Options::default(),
            board,
            to_move: Colour::Blue,
            round,
            cooldown: ByColour::default(),
            skip_used: ByColour::default(),
        };
        Observation { position: setup.position().expect("a position"), seat: Seat(0), seat_seed: [7; 32] }
    };
    (1..=rounds).map(seen).collect()
}

fn recording(rounds: u8) -> String {
    let lines = recorded(rounds).iter().map(|seen| format!("# for people\n\n  {}  \n", line(seen))).collect::<String>();
    lines.replace('\n', "\r\n")
}

#[test]
fn a_recording_is_read_as_it_was_seen() {
    assert_eq!(observations::<conquerors::Position>(&recording(3)), Ok(recorded(3)));
    let upper = recording(1).to_uppercase();
    assert_eq!(observations::<conquerors::Position>(&upper), Ok(recorded(1)));
}

#[test]
fn a_bot_lives_through_all_turns_and_the_last_is_given() {
    let last = replay::<Stumbles, conquerors::Position>(&recording(2)).expect("it stumbles later");
    assert_eq!(last.observation, recorded(2)[1]);
    assert_eq!(last.action, first_legal(&last.observation));
}

#[test]
fn an_illegal_answer_is_said_with_its_turn_and_rule() {
    let error = replay::<Stumbles, conquerors::Position>(&recording(4)).map(|_| ()).expect_err("it stumbles");
    assert_eq!(
        error.to_string(),
        "in turn 5 (line 9 of the recording) the bot would forfeit: row 26, column 0 is not on the board (rows 0-25, \
         columns 0-27)"
    );
}

#[test]
fn every_game_has_recordings() {
    fn plays<G: Protocol>(options: &str)
    where
        First: Bot<G>,
    {
        let position = G::start(&G::parse_options(options).expect("options"), &[3; 32]);
        let seen = Observation { position, seat: Seat(0), seat_seed: [7; 32] };
        assert!(replay::<First, G>(&line(&seen)).is_ok());
    }
    plays::<war_of_life::Position>(war_of_life::Position::RANKED);
    plays::<game_of_game_of_life::Position>(game_of_game_of_life::Position::RANKED);
}

#[test]
fn what_is_no_recording_is_said_with_its_line() {
    let said = |text: &str| observations::<conquerors::Position>(text).expect_err("no recording");
    for empty in ["", "# nothing\n\n"] {
        assert_eq!(said(empty), ReplayError::Empty);
    }
    for odd in ["0", "0g", "01 02", "é0", "00\u{661}0"] {
        assert_eq!(said(&format!("# a\n{odd}\n")), ReplayError::NotHex { line: 2 }, "{odd:?}");
    }
    let short = said("0101").to_string();
    assert_eq!(
        short,
        "line 1 of the recording is no observation of this game: an observation of this game has 776 bytes, not 2"
    );
    let other_game = observations::<war_of_life::Position>(&recording(1)).expect_err("of another game");
    assert!(matches!(other_game, ReplayError::NotAnObservation { line: 3, .. }));
}
