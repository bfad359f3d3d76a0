//! The rules for the page: the same crates that judge every game, compiled to WebAssembly, so that the page can never
//! disagree with the referee.
//!
//! Every operation is one of all games: it asks the game for what it declares (`arena_wire::Protocol`: tools, zones,
//! stages), so no page knows a game by its name, and a new version of a ruleset is shown as well as the one before. A page
//! sees actions as tools and cells, never as bytes.
//!
//! There is one function, [`call`]: a request in JSON goes in, an answer in JSON comes out. It keeps no state: a game
//! travels with the request, as all that was played. `web/static/engine.js` wraps it for the page. On wasm32 the module
//! exports three functions over its linear memory and needs no bindings generator:
//!
//! | export | meaning |
//! |---|---|
//! | `arena_alloc(bytes) -> address` | a buffer to write a request in; 0 when it is longer than [`REQUEST_BYTES_MAX`] |
//! | `arena_call(address, bytes) -> answer` | takes that buffer back; the answer's address is in the high 32 bits, its length in the low ones |
//! | `arena_free(address, bytes)` | gives the answer's buffer back |
//!
//! What this crate deliberately is not: it draws nothing, fetches nothing, has no clock and keeps no game. It judges by the
//! rules alone, so it cannot tell whether a bot ran out of fuel.
//!
//! ```
//! let request = r#"{"op":"compose","ruleset":"conquerors@2","calls":[{"tool":"skip","cells":[]}]}"#;
//! let answer = arena_engine::call(request);
//! assert_eq!(answer, r#"{"ok":{"bytes":"010300"}}"#);
//! let answer = arena_engine::call(r#"{"op":"divine"}"#);
//! assert!(answer.starts_with(r#"{"error":{"code":"bad_request","message":"#));
//! ```

#[cfg(target_arch = "wasm32")]
mod abi;
mod action;
mod check;
mod failure;
mod game;
mod observe;
mod position;
mod questions;
mod replay;
mod request;
#[cfg(test)]
mod versions;

pub use request::{REQUEST_BYTES_MAX, call};
