//! A player made of a `.wasm` file. The only crate that names wasmtime.
//!
//! Bytes become a [`Bot`] when they pass the [static check](arena_check), which is re-exported, and compile. A bot
//! becomes a [`SandboxPlayer`] for one seat of one game: a fresh instance, dropped after the game. A bot's budget is
//! counted in fuel, never in time, by its own code, which the [meter](arena_meter) rewrites before it is compiled: a
//! call ends when its fuel does. To end a call sooner, end its process, as `arena-worker` does. `sdk/ABI.md` is the
//! contract this crate keeps.
//!
//! ```
//! use arena_record::Budgets;
//! use arena_sandbox::{RefusalCode, check};
//!
//! let refused = check(b"not a module", &Budgets::DEFAULT).unwrap_err();
//! assert_eq!(refused.code, RefusalCode::NotWasm);
//! ```
//!
//! [`instance`] is what another engine needs to run bots instead; this crate has Wasmtime.
//!
//! What this crate deliberately is not: it knows no game. It only carries bytes.

mod call_by_call;
mod engine;
mod frame;
mod guest;
pub mod instance;
mod native;
mod player;
mod prints;
mod settings;

pub use arena_check::calls::Returned;
pub use arena_check::*;
pub use call_by_call::Calls;
pub use engine::{Bot, Sandbox, SandboxError};
pub use frame::{Frame, Used, exports, names};
pub use guest::{Guest, Left, MemoryRefused};
pub use player::SandboxPlayer;
pub use prints::prints;
pub use settings::{NATIVE_STACK_BYTES, RESERVED_BYTES, build};
