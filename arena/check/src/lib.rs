//! What can be said of a bot's module without an engine, and of its calls on any engine.
//!
//! [`check`] is the static check that every module passes before it is metered and compiled, with its [limits](LIMITS)
//! and the [`Refusal`] of what does not pass. [`calls`] are those of a game, whatever engine runs
//! the module: what they may use and return, and whose fault it is if they fail.
//!
//! ```
//! use arena_check::{RefusalCode, check};
//! use arena_record::Budgets;
//!
//! let refused = check(b"not a module", &Budgets::DEFAULT).unwrap_err();
//! assert_eq!(refused.code, RefusalCode::NotWasm);
//! ```
//!
//! What this crate deliberately is not: it runs no module and names no engine. It compiles to WebAssembly, so that a
//! page refuses and judges what a server does.

pub mod calls;
mod check;
mod limits;
mod log;
mod metered;
mod refusal;
mod semantics;
pub mod sentences;

pub use arena_meter::Checks;
pub use calls::{OUT_OF_BOUNDS, UNREACHABLE};
pub use check::{Invalid, Place, check, check_beginning, compile_weight, invalid};
pub use limits::*;
pub use log::Log;
pub use metered::metered;
pub use refusal::{Refusal, RefusalCode};
pub use semantics::semantics;
