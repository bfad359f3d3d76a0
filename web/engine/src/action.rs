//! Actions as pages write and read them: tools and cells, never bytes.

use arena_wire::{Call, Game, Point, Protocol, Tool};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// A call: `{"tool":"place","cells":[[row,column],...]}`. It is unchecked: its cells may not even be on the board.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct CallText {
    tool: String,
    cells: Vec<[u16; 2]>,
}

impl From<&Call> for CallText {
    fn from(Call { tool, cells }: &Call) -> CallText {
        CallText { tool: tool.name.into(), cells: cells.iter().map(pair).collect() }
    }
}

/// A cell as pages write it: row, column.
pub(crate) fn pair(point: &Point) -> [u16; 2] {
    [point.row, point.col]
}

/// Reads calls with the tools of a game.
pub(crate) fn calls(texts: &[CallText], tools: &[Tool]) -> Result<Vec<Call>, Failure> {
    let call = |CallText { tool: name, cells }: &CallText| {
        let tool = tools.iter().find(|tool| tool.name == name);
        let tool = tool.ok_or_else(|| Failure::new("bad_request", format!("the game has no {name:?}")))?;
        Ok(Call::new(*tool, cells.iter().map(|[row, col]| Point::new(*row, *col))))
    };
    texts.iter().map(call).collect()
}

/// The bytes of the action that these calls make in a game.
pub(crate) fn compose(ruleset: &str, texts: &[CallText]) -> Result<Vec<u8>, Failure> {
    let game = Game::named(ruleset).map_err(|error| Failure::new("unknown_game", error))?;
    let no_action = || Failure::new("bad_request", "these calls are no action of the game");
    game.compose(&calls(texts, game.tools)?).ok_or_else(no_action)
}

/// An action, described for a page.
#[derive(Serialize)]
pub(crate) struct ActionView {
    calls: Vec<CallText>,
}

impl ActionView {
    /// Describes the action in these bytes, if they are one.
    pub(crate) fn of(game: &Game, action: &[u8]) -> Option<ActionView> {
        let calls = game.describe(action).ok()?;
        Some(ActionView { calls: calls.iter().map(CallText::from).collect() })
    }
}

/// Describes the actions in these bytes; `null` for bytes that are not an action.
pub(crate) fn describe<'a>(
    ruleset: &str,
    actions: impl IntoIterator<Item = &'a [u8]>,
) -> Result<Vec<Option<ActionView>>, Failure> {
    let game = Game::named(ruleset).map_err(|error| Failure::new("unknown_game", error))?;
    Ok(actions.into_iter().map(|action| ActionView::of(game, action)).collect())
}

/// Something that a seat can do.
#[derive(Serialize)]
pub(crate) struct ToolView {
    name: &'static str,
    /// The code of its name among the tools of all games, such as `conquerors-place`.
    code: String,
    /// How its cells are given: `nothing`, `cell`, `piece` or `cells`.
    input: &'static str,
    least: u16,
    most: u16,
    /// The distance from each of its cells up to which it acts, too.
    spread: u16,
}

impl ToolView {
    /// A tool of a game.
    pub(crate) fn of<P: Protocol>(Tool { name, input, spread, .. }: &Tool) -> ToolView {
        let game = P::ID.split('@').next().unwrap_or_default();
        let code = format!("{game}-{name}");
        ToolView { name, code, input: input.name(), least: input.least(), most: input.most(), spread: *spread }
    }
}
