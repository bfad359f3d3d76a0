//! A live game, with people in some seats and bots in others, as a pure state machine over an append-only log.
//!
//! A [`Room`] is a fold over its [`Event`]s: [`Room::apply`] is the one function that advances it, in live play, in
//! recovery ([`Room::from_log`]) and in verification. People send a [`Command`]. [`Room::propose`] turns it into an
//! event, reports that it is already in the log, or rejects it with a stable code. The room's holder asks bots, with
//! the bytes of [`Room::observation`], and [`Room::answer`] turns their replies into events. The holder has one duty:
//! write each event to the log, then apply it, then show it. [`Room::next`] gives the line for the log and what the
//! event leads to, at a cost that does not grow with the game; [`Room::advance`] applies that in place.
//!
//! People may find a room and join it ([`Table`]): its game starts when every seat is taken. Time is data: the holder
//! passes the time since the last event ([`Room::next`]), the room updates the clocks with it and puts them into the
//! log's line next to the digest ([`Stamp`]), and a log whose stamps are inconsistent is rejected.
//!
//! What this crate deliberately is not: it has no clock, no I/O, no threads and no randomness; it stores nothing, runs
//! no bot and knows no connections. Rulesets, records and the referee are those of any other game, so a finished room's
//! [`Room::record`] is a record like any other.
//!
//! ```
//! use arena_record::{Budgets, Bytes, EntrantId, Hex};
//! use arena_rooms::{Command, Opened, PersonId, Proposal, Room, RoomId, Seated};
//! use arena_rules::conquerors::{Action, Position};
//! use arena_wire::Protocol;
//!
//! let ann = PersonId(Hex([7; 8]));
//! let opened = Opened {
//!     format: Default::default(),
//!     room: RoomId(Hex([3; 16])),
//!     semantics: "example".into(),
//!     build: "example".into(),
//!     ruleset: "conquerors@2".into(),
//!     options: "chain_needs_home,weighted_majority".into(),
//!     budgets: Budgets::DEFAULT,
//!     seed: Hex([0; 32]),
//!     opponents: Default::default(),
//!     seats: vec![Seated::Person(ann), Seated::Contender(EntrantId::of_baseline("easy", 1))],
//!     starts: vec![None, None],
//!     browsers: Vec::new(),
//!     table: None,
//! };
//! let mut room = Room::open(opened).expect("a game of this release");
//! let skip = Command { ply: 0, client_seq: 1, action: Bytes(Position::encode_action(&Action::Skip)) };
//! let Ok(Proposal::Append(event)) = room.propose(ann, &skip) else { panic!("a skip is legal at the start") };
//! let next = room.next(event, 0).expect("it was proposed");
//! let line = next.logged().event.to_line(); // written down first ...
//! room.advance(next); // ... then applied
//! assert_eq!(room.ply(), 1);
//! assert_eq!(room.propose(ann, &skip), Ok(Proposal::AlreadyApplied)); // sent again: still once
//! assert_eq!(line, "{\"event\":\"played\",\"ply\":0,\"seat\":0,\"action\":\"010300\",\"fuel\":null,\"client_seq\":1}\n");
//! ```

mod clock;
mod command;
mod event;
mod game;
mod ids;
mod illegal;
mod limits;
mod people;
mod room;
mod table;
mod view;

pub use clock::{Clock, Stamp};
pub use command::{Command, Proposal, Rejected};
pub use event::{Door, Event, FORMAT, Format, Logged, Opened, OtherFormat, ParseEventError, Seating, Table};
pub use ids::{Bot, Newcomer, NotARoomCode, PersonId, RoomCode, RoomId, Seated};
pub use illegal::{BadLog, IllegalEvent};
pub use limits::{
    ACTION_BYTES_MAX, CHAT_BURST, CHAT_CHARS_MAX, CHAT_WITHIN, CLOCK_MS_MAX, CLOCK_MS_MIN, DETAIL_BYTES_MAX,
    EVENT_BYTES_MAX, EVENTS_MAX, INCREMENT_MS_MAX, JOINS_MAX, LIMITS, NOTE_BYTES_MAX,
};
pub use people::Finished;
pub use room::{Exchange, Next, Room};
pub use table::TableFault;
pub use view::RoomView;
