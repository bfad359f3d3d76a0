//! The rules for pages: the same crates that judge every game, compiled to WebAssembly, so that a page can never
//! disagree with the referee.
//!
//! Every operation serves all games through what a game declares (`arena_wire::Protocol`: tools, zones, stages). So no
//! page knows a game by its name, and a new version of a ruleset is shown as well as the one before. A page sees
//! actions as tools and cells, never as bytes.
//!
//! There is one function, [`call`]: a request in JSON goes in, an answer in JSON comes out. A request holds the whole
//! game, as all its plays; or the game is held here, and the request has its number. `web/static/rules/engine.js` wraps
//! it for the page. On wasm32 the module exports three functions over its linear memory and needs no bindings
//! generator:
//!
//! | export | meaning |
//! |---|---|
//! | `arena_alloc(bytes) -> address` | a buffer to write a request in; 0 when it is longer than [`REQUEST_BYTES_MAX`] |
//! | `arena_call(address, bytes) -> answer` | takes that buffer back; the answer's address is in the high 32 bits, its length in the low ones |
//! | `arena_free(address, bytes)` | gives the answer's buffer back |
//!
//! It is built as several modules: the rules that rooms and replays load (feature `pages`), the built-in opponents that
//! workers load (`opponents`), the static check and the meter (`meter`), with an export of its own,
//! `arena_meter(address, bytes, memory_bytes, module_bytes)`, the same with what makes modules of texts (`texts`, and
//! `python` for those in Python), with `arena_text(address, bytes)` and `arena_pairs(lost, .., won)`, the reading of a
//! tournament's folder (`ledger`), with `arena_own(address, bytes)` and `arena_ledger(address, bytes)`, and the
//! unpacking of archives (`archives`), with `arena_unpack(address, bytes)`. The first two are built twice
//! (`--cfg arena_games`), for the games with wide frames and for all others, so that a room loads no rules of large
//! worlds. One more module (`worlds`) follows a world of Life2: `arena_world(address, bytes)` answers as `arena_call`
//! does, and `arena_world_cells()` gives a byte for each cell. With all features, as in tests, it answers everything.
//!
//! The module `opponents` plays a recorded game again. It runs no bot itself: it has the page call each function of a
//! metered module, by imports that it names `guests`, and judges what comes of it, fuel included.
//!
//! What this crate deliberately is not: it draws nothing, fetches nothing and has no clock.
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
#[cfg(feature = "pages")]
mod action;
// Only in the module for archives, and for its tests: native programs use other libraries.
#[cfg(all(any(test, target_arch = "wasm32"), feature = "archives"))]
mod archive;
#[cfg(feature = "pages")]
mod check;
#[cfg(any(feature = "pages", feature = "opponents"))]
mod failure;
#[cfg(any(feature = "pages", feature = "opponents"))]
mod game;
#[cfg(feature = "opponents")]
mod guests;
#[cfg(feature = "pages")]
mod held;
#[cfg(feature = "ledger")]
mod ledger;
#[cfg(feature = "meter")]
mod metered;
#[cfg(any(feature = "pages", feature = "opponents"))]
mod observe;
#[cfg(any(feature = "texts", feature = "python"))]
mod pairs;
#[cfg(any(feature = "pages", feature = "opponents", feature = "worlds"))]
mod phrases;
#[cfg(feature = "opponents")]
mod play;
#[cfg(feature = "pages")]
mod position;
#[cfg(any(feature = "pages", feature = "opponents"))]
mod record;
#[cfg(feature = "pages")]
mod replay;
#[cfg(any(feature = "pages", feature = "opponents"))]
mod request;
#[cfg(feature = "opponents")]
mod rerun;
#[cfg(any(feature = "texts", feature = "python"))]
mod texts;
#[cfg(all(test, feature = "pages"))]
mod versions;
#[cfg(feature = "worlds")]
mod world;

#[cfg(feature = "opponents")]
pub use guests::Guests;
#[cfg(feature = "ledger")]
pub use ledger::{FOLDER_BYTES_MAX, ledger, own};
#[cfg(feature = "meter")]
pub use metered::{MODULE_BYTES_MAX, metered};
#[cfg(any(feature = "texts", feature = "python"))]
pub use pairs::pairs;
#[cfg(feature = "opponents")]
pub use request::call_with;
#[cfg(any(feature = "pages", feature = "opponents"))]
pub use request::{REQUEST_BYTES_MAX, call};
#[cfg(any(feature = "texts", feature = "python"))]
pub use texts::made;
#[cfg(feature = "worlds")]
pub use world::{REQUEST_BYTES_MAX as WORLD_REQUEST_BYTES_MAX, call as call_world, painted as painted_world};
