//! A world of Life2 that never ends, as a pure state machine over an append-only log.
//!
//! Two things advance a [`Machine`]: [`Machine::step`], a generation, and [`Machine::apply`], an [`Event`] of the log.
//! Accounts ask for a call; [`Machine::propose`] turns it into an event or refuses it with the rules' text. The holder has
//! one duty: write the event down, then apply it, then answer. Calls of the same generation happen in the order of the log.
//! Every [`CHECKED_EVERY`] generations the machine gives an event with the digest of the world, which goes into the log, too.
//!
//! A log begins with a snapshot, so any span of a world's life that does is a whole log: [`Span::verify`] computes it again.
//! `arena/world/FORMAT.md` describes the file. [`Shown`] is what spectators receive: each steps its own machine,
//! which [`Machine::follow`]s the lines.
//!
//! [`Bots`] hold kingdoms, too. When one is asked, what it sees and when its answer counts follows from the world: a bot begins
//! afresh every [`BOTS_AFRESH_EVERY`] generations, is asked every [`ASKED_EVERY`], and its answer counts [`ANSWERED_AFTER`] later. So a span
//! is a function of its snapshot, the calls of people, and the bots' bytes; [`replay`] is that function, and [`Players`] who asks them.
//!
//! What this crate deliberately is not: it has no clock, no I/O, no threads and no randomness; the holder of a machine says when
//! a generation is due.
//!
//! ```
//! use arena_rules::life2::{Account, Call, Rates, Side, World};
//! use arena_world::{Machine, Nobody, Span};
//!
//! let mut machine = Machine::new(World::new(Side::WORLD, Rates::FOUNDING));
//! let mut log = machine.opened("example").to_line();
//! for call in [Call::Faucet, Call::Join { x: 60, y: 60 }, Call::Place(vec![(62, 63), (63, 63), (64, 63)])] {
//!     let event = machine.propose(Account(7), &call).expect("allowed").expect("it changes something");
//!     log += &event.to_line(); // written down first ...
//!     machine.apply(&event).expect("it was proposed"); // ... then applied
//! }
//! let checked = std::iter::repeat_with(|| machine.step()).find_map(|event| event).expect("after some generations");
//! log += &checked.to_line();
//! let span = Span::verify(&log, &mut Nobody).expect("nobody changed it");
//! assert_eq!((span.from, span.to, span.calls), (0, 600, 3));
//! ```

mod event;
mod limits;
mod packed;

mod machine;
mod shown;

mod bots;
mod replay;
mod span;

pub use bots::{Answer, Bots, Next, Nobody, Players, Turn};
pub use event::{Asked, Event, FORMAT, Format, Opened, ParseEventError, Seated};
pub use limits::{
    ANSWERED_AFTER, ASKED_EVERY, BOTS_AFRESH_EVERY, BOTS_MAX, CALL_BYTES_MAX, CHECKED_EVERY, LINES_KEPT_MAX,
    OPENED_BYTES_MAX, SPAN_BYTES_MAX, STATE_BYTES_MAX,
};
pub use machine::{BadSnapshot, IllegalEvent, Machine, SeatError};
pub use packed::Packed;
pub use replay::{Replay, SpanError, replay};
pub use shown::{Lines, Shown};
pub use span::Span;
