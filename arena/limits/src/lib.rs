//! Limits, each declared once with its value, unit and reason ([`limits!`]), and what an error answers to the person or
//! program that caused it: a [`Refusal`], defined next to the error. Sentences count with [`counted`].
//!
//! ```
//! use arena_limits::{Kind, Refusal, Refused};
//!
//! #[derive(Debug)]
//! enum LendError {
//!     NoSuchBook,
//!     Closed,
//! }
//!
//! impl Refused for LendError {
//!     fn refusal(&self) -> Refusal {
//!         match self {
//!             LendError::NoSuchBook => Kind::NotFound.says("no_such_book", "/books has all of them"),
//!             LendError::Closed => Kind::Busy.says("closed", "what you have can be kept").again_in(600),
//!         }
//!     }
//! }
//! # impl std::fmt::Display for LendError {
//! #     fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
//! #         f.write_str("no book was lent")
//! #     }
//! # }
//! # impl std::error::Error for LendError {}
//! assert_eq!(LendError::Closed.refusal().again_in, Some(600));
//! ```
//!
//! What this crate deliberately is not: it knows no error of the arena, and no protocol. Servers turn a [`Kind`] into
//! the status of theirs.

mod limit;
mod refusal;
mod words;

pub use limit::{Adjustable, Limit};
pub use refusal::{CLOSED_SECONDS, Kind, Refusal, Refused};
pub use words::counted;
