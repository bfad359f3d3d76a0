//! Requests and how they are answered.

use arena_record::{Bytes, EntrantId, Hex, RECORD_BYTES_MAX};
use arena_rules::conquerors::{
    BOMB_COOLDOWN, BOMB_FROM_ROUND, COLS, HOME_COLS, PLACEMENTS, Position, ROUNDS, ROWS, Target,
};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::action::{CallText, action, compose, describe};
use crate::draft::check_draft;
use crate::failure::Failure;
use crate::grid::{GridGame, grid_check, grid_position};
use crate::grid_replay::grid_replay;
use crate::position::{PositionText, PositionView, after, start};
use crate::preview::preview;
use crate::questions::{answer, questions};
use crate::replay::replay;

/// The longest request, in bytes: a record of its own greatest length, every byte of it escaped, and the words around it.
pub const REQUEST_BYTES_MAX: usize = 2 * RECORD_BYTES_MAX + 1024;

/// What can be asked.
#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "snake_case", deny_unknown_fields)]
enum Request {
    /// The sizes of the game.
    Rules {},
    /// The first position under these options. With an opening among them it depends on the game's seed.
    NewGame {
        options: String,
        #[serde(default)]
        seed: Option<Hex<32>>,
    },
    /// The position after these actions.
    State {
        options: String,
        #[serde(default)]
        seed: Option<Hex<32>>,
        actions: Vec<Bytes>,
    },
    /// What of these cells could be placed in this order, and where the next could go.
    CheckDraft { position: PositionText, cells: Vec<[u8; 2]> },
    /// What a turn, or the beginning of one, would lead to.
    Preview { position: PositionText, calls: Vec<CallText> },
    /// The bytes of the action that these calls make in any game.
    Compose { ruleset: String, calls: Vec<CallText> },
    /// What the bytes of actions of any game say.
    Describe { ruleset: String, actions: Vec<Bytes> },
    /// A record, position by position, and whether the rules agree with it.
    Replay { record: String },
    /// What the players of a record were asked, and what they answered.
    Questions { record: String },
    /// What the built-in opponent of this id answers to an observation.
    Answer { ruleset: String, entrant: EntrantId, observation: Bytes },
    /// A record of any game, picture by picture, and whether the rules agree with it.
    GridReplay { record: String },
    /// The position of any game.
    GridPosition { game: GridGame },
    /// What the rules of any game say to a turn in the making: what can come next, and what it would lead to.
    GridCheck { game: GridGame, seat: u8, calls: Vec<CallText> },
}

/// Answers a request in JSON, `{"op": ..., ...}`, by `{"ok": ...}` or `{"error": {"code": ..., "message": ...}}`. Codes are
/// stable: `bad_request`, `too_long`, `unknown_game`, `not_a_position`, `game_over`, `illegal_move`, `not_a_record`.
pub fn call(request: &str) -> String {
    answered(request).unwrap_or_else(|failure| json!({ "error": failure }).to_string())
}

fn answered(request: &str) -> Result<String, Failure> {
    if request.len() > REQUEST_BYTES_MAX {
        let message = format!("a request has at most {REQUEST_BYTES_MAX} bytes, this one has {}", request.len());
        return Err(Failure::new("too_long", message));
    }
    let request = serde_json::from_str(request).map_err(|error| Failure::new("bad_request", error))?;
    match request {
        Request::Rules {} => told(json!({
            "rows": ROWS, "cols": COLS, "home_cols": HOME_COLS, "rounds": ROUNDS, "placements": PLACEMENTS,
            "bomb_from_round": BOMB_FROM_ROUND, "bomb_cooldown": BOMB_COOLDOWN,
        })),
        Request::NewGame { options, seed } => told(PositionView::of(&start(&options, seed)?, 0)),
        Request::State { options, seed, actions } => {
            told(PositionView::of(&after(start(&options, seed)?, &actions)?, actions.len()))
        }
        Request::CheckDraft { position, cells } => {
            told(check_draft(&position.parse()?, cells.into_iter().map(|[row, col]| Target { row, col }))?)
        }
        Request::Preview { position, calls } => told(preview(&position.parse()?, &action::<Position>(&calls)?)?),
        Request::Compose { ruleset, calls } => told(json!({ "bytes": Bytes(compose(&ruleset, &calls)?) })),
        Request::Describe { ruleset, actions } => told(describe(&ruleset, actions.iter().map(|action| &action.0[..]))?),
        Request::Replay { record } => told(replay(&record)?),
        Request::Questions { record } => told(questions(&record)?),
        Request::Answer { ruleset, entrant, observation } => {
            told(json!({ "action": answer(&ruleset, &entrant, &observation.0)? }))
        }
        Request::GridReplay { record } => told(grid_replay(&record)?),
        Request::GridPosition { game } => told(grid_position(&game)?),
        Request::GridCheck { game, seat, calls } => told(grid_check(&game, seat, &calls)?),
    }
}

fn told(answer: impl Serialize) -> Result<String, Failure> {
    #[derive(Serialize)]
    struct Told<T> {
        ok: T,
    }
    // Written as it is: a whole game as a tree of values would take longer to build than to play.
    serde_json::to_string(&Told { ok: answer }).map_err(|error| Failure::new("bad_request", error))
}
