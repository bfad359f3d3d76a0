//! The protocol of the pipe. A frame each way: four bytes of length (little-endian) and a message in [postcard]. Not
//! here: what a worker does with a message (`worker.rs`).
//!
//! ```
//! use arena_worker::pipe::{Inbox, Outbox, Request, Response};
//!
//! let mut asked = Vec::new();
//! Outbox::new(&mut asked).send(&Request::Walls)?;
//! let mut answered = Vec::new();
//! arena_worker::serve(&arena_sandbox::Sandbox::new()?, asked.as_slice(), &mut answered)?;
//! assert!(matches!(Inbox::new(answered.as_slice()).next()?, Some(Response::Walls(_))));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod frame;
mod message;

pub use frame::{Inbox, Outbox};
pub use message::{Request, Response};
pub(crate) use message::{cut, refusal};
