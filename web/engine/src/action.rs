//! Actions as pages write and read them: tools and cells, never bytes.

use arena_wire::{Call, Game, Point, Tool, words};
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// A call: `{"tool":"place","cells":[[row,column],...]}`. Nothing is known of it yet, not even that its cells are on the board.
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

/// A cell as pages have it: row, column.
pub(crate) fn pair(point: &Point) -> [u16; 2] {
    [point.row, point.col]
}

/// Calls with the tools of a game.
pub(crate) fn calls(texts: &[CallText], tools: &[Tool]) -> Result<Vec<Call>, Failure> {
    let call = |CallText { tool: name, cells }: &CallText| {
        let tool = tools.iter().find(|tool| tool.name == name);
        let tool = tool.ok_or_else(|| Failure::new("bad_request", format!("the game has no {name:?}")))?;
        Ok(Call::new(*tool, cells.iter().map(|[row, col]| Point::new(*row, *col))))
    };
    texts.iter().map(call).collect()
}

/// The bytes of the action that calls make in a game.
pub(crate) fn compose(ruleset: &str, texts: &[CallText]) -> Result<Vec<u8>, Failure> {
    let game = Game::named(ruleset).map_err(|error| Failure::new("unknown_game", error))?;
    let no_action = || Failure::new("bad_request", "these calls are no action of the game");
    game.compose(&calls(texts, game.tools)?).ok_or_else(no_action)
}

/// What an action is, for a page.
#[derive(Serialize)]
pub(crate) struct ActionView {
    calls: Vec<CallText>,
    /// What is said of the seat that plays it, after its name: `places 3,4, 3,5 and 4,4`.
    words: String,
}

impl ActionView {
    /// What the bytes of an action say.
    pub(crate) fn of(game: &Game, action: &[u8]) -> Option<ActionView> {
        let calls = game.describe(action).ok()?;
        Some(ActionView { words: words(&calls, list), calls: calls.iter().map(CallText::from).collect() })
    }
}

/// What the bytes of actions say, each `null` when it is none.
pub(crate) fn describe<'a>(
    ruleset: &str,
    actions: impl IntoIterator<Item = &'a [u8]>,
) -> Result<Vec<Option<ActionView>>, Failure> {
    let game = Game::named(ruleset).map_err(|error| Failure::new("unknown_game", error))?;
    Ok(actions.into_iter().map(|action| ActionView::of(game, action)).collect())
}

/// Cells as pages name them: `3,4, 3,5 and 4,4`.
fn list(cells: &[Point]) -> String {
    let names: Vec<String> = cells.iter().map(|Point { row, col }| format!("{row},{col}")).collect();
    match &names[..] {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

/// Something that a seat can do.
#[derive(Serialize)]
pub(crate) struct ToolView {
    name: &'static str,
    purpose: &'static str,
    /// How its cells are given: `nothing`, `cell`, `piece` or `cells`.
    input: &'static str,
    least: u16,
    most: u16,
    /// How many cells around each of them it acts on, too.
    spread: u16,
}

impl From<&Tool> for ToolView {
    fn from(Tool { name, purpose, input, spread, .. }: &Tool) -> ToolView {
        ToolView { name, purpose, input: input.name(), least: input.least(), most: input.most(), spread: *spread }
    }
}
