//! Requests and how they are answered.

#[cfg(feature = "opponents")]
use std::collections::BTreeMap;

use arena_record::{Bytes, Hex, RECORD_BYTES_MAX};
#[cfg(feature = "opponents")]
use arena_record::{EntrantId, Header};
#[cfg(feature = "opponents")]
use arena_referee::Player;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[cfg(feature = "pages")]
use crate::action::{CallText, compose, describe};
use crate::failure::Failure;
use crate::game::GameText;
#[cfg(feature = "opponents")]
use crate::guests::{Guest, Guests, budgets, lost};
#[cfg(feature = "pages")]
use crate::held::{check, hold};
use crate::observe::observe;
#[cfg(feature = "opponents")]
use crate::play::{Terms, play};
#[cfg(feature = "pages")]
use crate::position::position;
#[cfg(feature = "pages")]
use crate::replay::replay;
#[cfg(feature = "opponents")]
use crate::rerun::{agreed, answer, ended, rerun};

/// The longest request, in bytes: the longest record with every byte escaped, and the words around it.
pub const REQUEST_BYTES_MAX: usize = 2 * RECORD_BYTES_MAX + 1024;

/// A request.
#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    /// The position of a game.
    #[cfg(feature = "pages")]
    Position { game: GameText },
    /// Holds a game, in place of the one before, to be asked about by its number.
    #[cfg(feature = "pages")]
    Hold { game: GameText },
    /// Checks a turn in the making in the held game: what can come next, and what the turn would lead to.
    #[cfg(feature = "pages")]
    Check { held: u32, seat: u8, calls: Vec<CallText> },
    /// The bytes of the action that these calls make.
    #[cfg(feature = "pages")]
    Compose { ruleset: String, calls: Vec<CallText> },
    /// Describes the actions in these bytes.
    #[cfg(feature = "pages")]
    Describe { ruleset: String, actions: Vec<Bytes> },
    /// A record, picture by picture, and whether it agrees with the rules.
    #[cfg(feature = "pages")]
    Replay { record: String },
    /// A recorded game, played again by bots that the page runs, each with the fuel that its start takes before any of
    /// its code runs.
    #[cfg(feature = "opponents")]
    Rerun { record: String, bots: BTreeMap<EntrantId, u64> },
    /// A recorded game, replayed by the rules alone: no bot runs.
    #[cfg(feature = "opponents")]
    Agreed { record: String },
    /// A game without a record, played again from its header.
    #[cfg(feature = "opponents")]
    Ended { header: Box<Header>, bots: BTreeMap<EntrantId, u64> },
    /// A game that the page has played, between bots that it runs and built-in opponents.
    #[cfg(feature = "opponents")]
    Play { terms: Terms, bots: BTreeMap<EntrantId, u64> },
    /// The observation of a seat of a game.
    Observe { game: GameText, seat: u8, seat_seed: Hex<32> },
    /// Starts a bot that the page runs, in a game that does not count.
    #[cfg(feature = "opponents")]
    Begin { ruleset: String, seat: u8, start_fuel: u64, observation_len: usize },
    /// Asks a bot that was started.
    #[cfg(feature = "opponents")]
    Turn { ruleset: String, seat: u8, observation_at: u32, observation: Bytes },
    /// The answer of a built-in opponent to an observation.
    #[cfg(feature = "opponents")]
    Answer { ruleset: String, entrant: EntrantId, observation: Bytes },
}

/// Answers a request in JSON, `{"op": ..., ...}`, with `{"ok": ...}` or `{"error": {"code": ..., "message": ...,
/// "phrases": ...}}`. What the rules say is phrases, each a code with its numbers. Codes are stable:
/// `bad_request`, `too_long`, `unknown_game`, `illegal_move`, `not_a_record`, `bot_failed`, and `differs` for a
/// record with which the rules do not agree before it is played again.
pub fn call(request: &str) -> String {
    #[cfg(feature = "opponents")]
    return call_with(request, None);
    #[cfg(not(feature = "opponents"))]
    said(answered(request))
}

/// The same with bots, which the page runs.
#[cfg(feature = "opponents")]
pub fn call_with(request: &str, guests: Option<&dyn Guests>) -> String {
    said(answered(request, guests))
}

fn said(answer: Result<String, Failure>) -> String {
    answer.unwrap_or_else(|failure| json!({ "error": failure }).to_string())
}

fn answered(request: &str, #[cfg(feature = "opponents")] guests: Option<&dyn Guests>) -> Result<String, Failure> {
    if request.len() > REQUEST_BYTES_MAX {
        let message = format!("a request has at most {REQUEST_BYTES_MAX} bytes, this one has {}", request.len());
        return Err(Failure::new("too_long", message));
    }
    let request = serde_json::from_str(request).map_err(|error| Failure::new("bad_request", error))?;
    match request {
        #[cfg(feature = "pages")]
        Request::Position { game } => told(position(&game)?),
        #[cfg(feature = "pages")]
        Request::Hold { game } => told(json!({ "held": hold(&game)? })),
        #[cfg(feature = "pages")]
        Request::Check { held, seat, calls } => told(check(held, seat, &calls)?),
        #[cfg(feature = "pages")]
        Request::Compose { ruleset, calls } => told(json!({ "bytes": Bytes(compose(&ruleset, &calls)?) })),
        #[cfg(feature = "pages")]
        Request::Describe { ruleset, actions } => told(describe(&ruleset, actions.iter().map(|action| &action.0[..]))?),
        #[cfg(feature = "pages")]
        Request::Replay { record } => told(replay(&record)?),
        #[cfg(feature = "opponents")]
        Request::Rerun { record, bots } => told(rerun(&record, &bots, guests)?),
        #[cfg(feature = "opponents")]
        Request::Agreed { record } => told(agreed(&record)?),
        #[cfg(feature = "opponents")]
        Request::Ended { header, bots } => told(ended(*header, &bots, guests)?),
        #[cfg(feature = "opponents")]
        Request::Begin { ruleset, seat, start_fuel, observation_len } => {
            let mut guest = Guest::new(there(guests)?, seat, start_fuel);
            guest.start(observation_len, budgets(&ruleset)?.fuel_at_start).map_err(lost)?;
            told(json!({ "observation_at": guest.observation_at }))
        }
        #[cfg(feature = "opponents")]
        Request::Turn { ruleset, seat, observation_at, observation } => {
            let mut guest = Guest { observation_at, ..Guest::new(there(guests)?, seat, 0) };
            let reply = guest.turn(&observation.0, budgets(&ruleset)?.fuel_per_move).map_err(lost)?;
            told(json!({ "action": Bytes(reply.action) }))
        }
        #[cfg(feature = "opponents")]
        Request::Play { terms, bots } => told(json!({ "record": play(terms, &bots, guests)? })),
        Request::Observe { game, seat, seat_seed } => told(observe(&game, seat, seat_seed)?),
        #[cfg(feature = "opponents")]
        Request::Answer { ruleset, entrant, observation } => {
            told(json!({ "action": answer(&ruleset, &entrant, &observation.0)? }))
        }
    }
}

#[cfg(feature = "opponents")]
fn there(guests: Option<&dyn Guests>) -> Result<&dyn Guests, Failure> {
    guests.ok_or_else(|| Failure::new("bot_failed", "the bot is not there"))
}

fn told(answer: impl Serialize) -> Result<String, Failure> {
    #[derive(Serialize)]
    struct Told<T> {
        ok: T,
    }
    // Serialized directly: building a tree of values for a whole game would take longer than playing it.
    serde_json::to_string(&Told { ok: answer }).map_err(|error| Failure::new("bad_request", error))
}
