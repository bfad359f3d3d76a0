//! Rooms, people and legal turns for these tests.

use arena_baselines::conquerors::{Params, Tier, choose};
use arena_record::{Budgets, Bytes, EntrantId, Hex};
use arena_referee::Reply;
use arena_rooms::{Command, Event, IllegalEvent, Opened, PersonId, Proposal, Room, RoomId, Seated};
use arena_rules::conquerors::{Action, Cell, Options, Position, Target, TurnDraft};
use arena_rules::{Rng, Ruleset, Seat};
use arena_wire::Protocol;
use arena_wire::conquerors::Observation;

pub(crate) const ANN: PersonId = PersonId(Hex([0xa1; 8]));
pub(crate) const BOB: PersonId = PersonId(Hex([0xb2; 8]));
pub(crate) const STRANGER: PersonId = PersonId(Hex([0xc3; 8]));

pub(crate) fn easy() -> Seated {
    Seated::Contender(EntrantId::of_baseline("easy", 1))
}

/// The first event of a room of Conquerors.
pub(crate) fn opened(seats: [Seated; 2]) -> Opened {
    Opened {
        format: Default::default(),
        room: RoomId(Hex([1; 16])),
        semantics: "example".into(),
        build: "example".into(),
        ruleset: Position::ID.into(),
        options: Position::options_text(&Options::V2.into()),
        budgets: Budgets::DEFAULT,
        seed: Hex([5; 32]),
        seats: seats.to_vec(),
        opponents: Default::default(),
        starts: vec![None, None],
        browsers: Vec::new(),
        table: None,
    }
}

pub(crate) fn room(seats: [Seated; 2]) -> Room {
    Room::open(opened(seats)).expect("a game of this release")
}

/// The room after an event, by way of what it leads to, which is what the event does when it is applied.
pub(crate) trait With: Sized {
    fn with(&self, event: Event) -> Result<Self, IllegalEvent>;
}

impl With for Room {
    fn with(&self, event: Event) -> Result<Room, IllegalEvent> {
        let (mut room, mut applied) = (self.clone(), self.clone());
        let next = room.next(event.clone(), 0).map(|next| room.advance(next));
        assert_eq!(next, applied.apply(event));
        assert_eq!(room, applied);
        next.map(|()| room)
    }
}

/// The board of a room of Conquerors.
pub(crate) fn board(room: &Room) -> &Position {
    room.position().expect("a room of Conquerors")
}

/// Ann plays blue, Bob red.
pub(crate) fn ann_and_bob() -> Room {
    room([Seated::Person(ANN), Seated::Person(BOB)])
}

/// Ann plays blue, the easy baseline red.
pub(crate) fn ann_and_easy() -> Room {
    room([Seated::Person(ANN), easy()])
}

pub(crate) fn command(ply: u16, client_seq: u64, action: &Action) -> Command {
    Command { ply, client_seq, action: Bytes(Position::encode_action(action)) }
}

/// A still life whose left column is `col`.
pub(crate) fn home_block(col: u8) -> Action {
    Action::Place([(12, col), (12, col + 1), (13, col), (13, col + 1)].map(|(row, col)| Target { row, col }).to_vec())
}

/// The room after a command that it takes.
pub(crate) fn after(room: &Room, person: PersonId, command: &Command) -> Room {
    match room.propose(person, command) {
        Ok(Proposal::Append(event)) => room.with(event).expect("it was proposed"),
        other => panic!("{command:?}: {other:?}"),
    }
}

/// The room after the native baseline has answered for `seat`.
pub(crate) fn answered(room: &Room, seat: Seat) -> Room {
    let event = room.answer(room.ply(), seat, Ok(baseline_reply(room, seat))).expect("it is asked");
    room.with(event).expect("it was proposed")
}

pub(crate) fn baseline_reply(room: &Room, seat: Seat) -> Reply {
    let observation = Observation::decode(&room.observation(seat).expect("it is asked")).expect("an observation");
    Reply { action: baseline_action(&observation), fuel: None }
}

pub(crate) fn baseline_action(Observation { position, seat, seat_seed }: &Observation) -> Vec<u8> {
    let turn = choose(position, *seat, Tier::Easy, &Params::SHIPPED, seat_seed);
    Position::encode_action(&Action::from(&turn))
}

/// Some legal turn of the seat to move: mostly placements, now and then a bomb or the skip.
pub(crate) fn any_turn(position: &Position, rng: &mut Rng) -> Action {
    let seat = position.to_move().expect("the game goes on").seat();
    let draft = || TurnDraft::new(position, seat).expect("it moves");
    let centre = Target { row: rng.below(26) as u8, col: rng.below(28) as u8 };
    match rng.below(10) {
        0 if draft().skip().is_ok() => return Action::Skip,
        1..=3 if draft().bomb(centre).is_ok() => return Action::Bomb(centre),
        _ => {}
    }
    let mut draft = draft();
    while !draft.placeable().is_empty() {
        let cells: Vec<Cell> = draft.placeable().cells().collect();
        // Near cells already there, so that something lives.
        let near: Vec<Cell> = cells
            .iter()
            .copied()
            .filter(|cell| draft.placed().last().is_some_and(|last| touches(*cell, *last)))
            .collect();
        let cells = if near.is_empty() { cells } else { near };
        draft.place(cells[rng.below(cells.len() as u32) as usize].into()).expect("placeable");
    }
    match draft.finish() {
        Ok(turn) => Action::from(&turn),
        Err(_) if !position.skip_used()[position.setup().to_move] => Action::Skip,
        Err(_) => Action::Pass,
    }
}

fn touches(one: Cell, other: Cell) -> bool {
    one.row().abs_diff(other.row()) <= 1 && one.col().abs_diff(other.col()) <= 1
}

/// Ann and Bob's room, played to its end by such turns; and the room before each event on the way.
pub(crate) fn played_out(seed: u8) -> Vec<Room> {
    let mut rng = Rng::new(&[seed; 32], 0);
    let mut rooms = vec![ann_and_bob()];
    while let Some(room) = rooms.last().filter(|room| room.outcome().is_none()) {
        let person = [ANN, BOB][usize::from(room.ply() % 2)];
        let next = after(room, person, &command(room.ply(), 7, &any_turn(board(room), &mut rng)));
        rooms.push(next);
    }
    rooms
}

/// The events as a store has them: lines, written and read again.
pub(crate) fn reread(events: impl IntoIterator<Item = Event>) -> Vec<Event> {
    let lines = events.into_iter().map(|event| event.to_line());
    lines.map(|line| Event::parse(&line).expect(&line)).collect()
}
