//! A later version of a ruleset is shown as well as the first, because no operation depends on a name.

use arena_record::{Budgets, EntrantId, ForfeitCode, Header, Hex, Record};
use arena_referee::{Fault, Referee, Reply};
use arena_rules::conquerors::{Action, Position, Refusal, Start, Target, Turn};
use arena_rules::{BySeat, Outcome, Phrase, Ruleset, Seat, Seats, Seed};
use arena_wire::{
    ActionError, Allowance, Call, Observation, ObservationError, Picture, Point, Protocol, Stages, Tool, Zone,
};
use serde_json::{Value, json};

use crate::action::CallText;
use crate::check::CheckView;
use crate::position::PositionView;
use crate::replay::Film;

/// Conquerors under the name that its next version would have.
#[derive(Clone)]
struct Later(Position);

impl Ruleset for Later {
    const ID: &'static str = "conquerors@3";
    type Options = Start;
    type Action = Action;
    type Checked = Turn;
    type Refusal = Refusal;

    fn start(options: &Start, seed: &Seed) -> Later {
        Later(Position::start(options, seed))
    }
    fn seats(&self) -> u8 {
        self.0.seats()
    }
    fn awaiting(&self) -> Seats {
        self.0.awaiting()
    }
    fn check(&self, seat: Seat, action: &Action) -> Result<Turn, Refusal> {
        self.0.check(seat, action)
    }
    fn advance(&mut self, turns: BySeat<Option<Turn>>) {
        self.0.advance(turns);
    }
    fn forfeit(&mut self, seat: Seat) {
        self.0.forfeit(seat);
    }
    fn outcome(&self) -> Option<Outcome> {
        self.0.outcome()
    }
}

impl Protocol for Later {
    const TAG: u8 = 200;
    const TITLE: &'static str = Position::TITLE;
    const RANKED: &'static str = Position::RANKED;
    const CASUAL: &'static str = Position::CASUAL;
    const TURNS_MAX: u16 = Position::TURNS_MAX;
    const SEAT_NAMES: &'static [&'static str] = Position::SEAT_NAMES;
    const TOOLS: &'static [Tool] = Position::TOOLS;
    const RULES: &'static [&'static str] = Position::RULES;
    const ZONES: &'static [Zone] = Position::ZONES;
    const ALLOWANCE: Allowance = Position::ALLOWANCE;

    fn observation_len(&self) -> usize {
        self.0.observation_len()
    }
    fn observation(&self, seat: Seat, seat_seed: &Seed) -> Vec<u8> {
        self.0.observation(seat, seat_seed)
    }
    fn observe(bytes: &[u8]) -> Result<Observation<Later>, ObservationError> {
        let Observation { position, seat, seat_seed } = Position::observe(bytes)?;
        Ok(Observation { position: Later(position), seat, seat_seed })
    }
    fn turns_played(&self) -> u32 {
        self.0.turns_played()
    }
    fn picture(&self) -> Picture {
        self.0.picture()
    }
    fn clock(&self) -> Option<Phrase> {
        self.0.clock()
    }
    fn limit(&self, seat: Seat, tool: &Tool) -> Option<Phrase> {
        self.0.limit(seat, tool)
    }
    fn open(&self, seat: Seat, calls: &[Call]) -> Vec<Phrase> {
        self.0.open(seat, calls)
    }
    fn stages(&self, seat: Seat, calls: &[Call]) -> Option<Stages> {
        self.0.stages(seat, calls)
    }
    fn decode_action(bytes: &[u8]) -> Result<Action, ActionError> {
        Position::decode_action(bytes)
    }
    fn encode_action(action: &Action) -> Vec<u8> {
        Position::encode_action(action)
    }
    fn describe(action: &Action) -> Vec<Call> {
        Position::describe(action)
    }
    fn compose(calls: &[Call]) -> Option<Action> {
        Position::compose(calls)
    }
    fn choices(&self, seat: Seat, calls: &[Call]) -> Vec<Point> {
        self.0.choices(seat, calls)
    }
    fn pass() -> Option<Action> {
        Position::pass()
    }
    fn state(&self) -> Vec<u8> {
        self.0.state()
    }
    fn may_count(options: &Start) -> bool {
        Position::may_count(options)
    }
    fn starts_from_seed(options: &Start) -> bool {
        Position::starts_from_seed(options)
    }
    fn options_help() -> String {
        Position::options_help()
    }
    fn options_text(options: &Start) -> String {
        Position::options_text(options)
    }
    fn parse_options(text: &str) -> Option<Start> {
        Position::parse_options(text)
    }
}

/// Blocks of cells by their upper left corners, blue's and red's alternately; `None` is a skip.
const TURNS: [Option<[u8; 2]>; 5] = [Some([2, 2]), Some([2, 20]), None, Some([8, 20]), Some([8, 2])];

fn action(block: Option<[u8; 2]>) -> Action {
    block.map_or(Action::Skip, |[row, col]| {
        let cells = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
        Action::Place(cells.map(|(row, col)| Target { row, col }).into())
    })
}

/// The game after these turns, and its record after the next seat to move has resigned.
fn played<P: Protocol>() -> (Referee<P>, Record) {
    let options = P::parse_options(P::CASUAL).expect("a game by the rules");
    let mut game = Referee::new(P::start(&options, &[0; 32]), P::CASUAL, &Budgets::DEFAULT);
    for block in TURNS {
        let seat = game.awaiting().iter().next().expect("a game by the rules");
        let action = Position::encode_action(&action(block));
        game.submit(seat, Reply { action, fuel: None }).expect("a game by the rules");
    }
    let so_far = game.clone();
    let seat = game.awaiting().iter().next().expect("a game by the rules");
    game.forfeit(seat, Fault { code: ForfeitCode::Resigned, detail: String::new() }).expect("a game by the rules");
    let header = Header {
        semantics: "example".into(),
        build: "example".into(),
        ruleset: P::ID.into(),
        options: P::CASUAL.into(),
        budgets: Budgets::DEFAULT,
        seed: Hex([0; 32]),
        opponents: Default::default(),
        entrants: vec![EntrantId::of_baseline("easy", 1); 2],
    };
    (so_far, game.record(header, vec![None; 2]).expect("a game by the rules"))
}

/// Everything that a page shows, except the name and what is hashed from it.
fn shown<P: Protocol>() -> [Value; 4] {
    let (game, record) = played::<P>();
    let mut position = json!(PositionView::of(&game));
    position["digest"] = Value::Null;
    let seat = game.awaiting().iter().next().expect("a game by the rules");
    let check = |calls: Value| {
        let texts: Vec<CallText> = serde_json::from_value(calls).expect("a game by the rules");
        let Ok(check) = CheckView::of(game.clone(), seat, &texts) else { panic!("not checked") };
        json!(check)
    };
    let begun = check(json!([{ "tool": "place", "cells": [[12, 22], [12, 23]] }]));
    let bomb = check(json!([{ "tool": "bomb", "cells": [] }]));
    [position, begun, bomb, json!(Film::of::<P>(&record).expect("a game by the rules"))]
}

#[test]
fn a_second_version_of_conquerors_has_the_same_page() {
    let [position, begun, bombed, film] = shown::<Position>();
    assert_eq!(shown::<Later>(), [position.clone(), begun.clone(), bombed.clone(), film.clone()]);
    // Make sure that the compared page is the rich one.
    assert_eq!(
        (position["zones"].as_array().map(Vec::len), &position["clock"]),
        (Some(3), &json!(["round", { "round": 3, "rounds": 12 }]))
    );
    let bomb = json!(["from-round", { "round": 7 }]);
    assert_eq!(position["limits"], json!([[null, bomb, ["used", {}], null], [null, bomb, ["once", {}], null]]));
    assert_eq!((&begun["open"], &begun["legal"]), (&json!([["open-home", {}], ["open-neutral", {}]]), &json!(false)));
    assert!(
        begun["before"]["cells"] != position["cells"] && begun["after"].is_object(),
        "a turn in the making has stages"
    );
    assert_eq!(bombed["why_not"], json!([["bomb-too-early", { "round": 7 }]]));
    assert_eq!(film["stages"].as_array().map(Vec::len), Some(TURNS.len()));
}
