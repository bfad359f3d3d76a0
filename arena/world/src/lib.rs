//! A world of Life2 that never ends, as a pure state machine over an append-only log.
//!
//! Two methods advance a [`Machine`]: [`Machine::step`] by a generation, and [`Machine::apply`] by an [`Event`] of the
//! log. [`Machine::propose`] turns an account's call into an event, or refuses it with the rules' text. The holder has
//! one duty: write the event to the log, then apply it, then answer. Calls in the same generation take effect in the
//! order of the log. Every [`CHECKED_EVERY`] generations the machine returns an event with the digest of the world,
//! which goes into the log, too.
//!
//! A log begins with a snapshot, so any span that begins with one is a complete log: [`Span::verify`] recomputes it.
//! `arena/world/FORMAT.md` describes the file. Spectators receive [`LogTail`]: each steps a machine of its own,
//! which [`Machine::follow`]s the lines.
//!
//! [`Bots`] can hold kingdoms, too. When one is asked, what it sees and when its answer counts follows from the world:
//! a bot restarts every [`BOTS_AFRESH_EVERY`] generations and is asked every [`ASKED_EVERY`], and its answer counts
//! [`ANSWERED_AFTER`] later. So a span is a function of its snapshot, people's calls and the bots' bytes. [`replay`] is
//! that function, and [`Players`] asks the bots.
//!
//! What this crate deliberately is not: it has no clock, no I/O, no threads and no randomness; the holder of a machine
//! says when a generation is due.
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

mod log_tail;
mod machine;

mod bots;
mod replay;
mod span;

pub use bots::{Answer, Bots, Next, Nobody, Players, Turn};
pub use event::{By, Event, Fallen, Format, LoggedCall, Opened, ParseEventError, Seated};
pub use limits::{
    ANSWERED_AFTER, ASKED_EVERY, BOTS_AFRESH_EVERY, BOTS_MAX, CALL_BYTES_MAX, CHECKED_EVERY, FALLEN_MAX,
    LINES_KEPT_MAX, OPENED_BYTES_MAX, SPAN_BYTES_MAX, STATE_BYTES_MAX,
};
pub use log_tail::{Lines, LogTail};
pub use machine::{BadSnapshot, IllegalEvent, Machine, SeatError};
pub use packed::Packed;
pub use replay::{Replay, SpanError, replay};
pub use span::Span;
