//! Actions as scripts write them: objects with a kind and cells, made by functions that are called like the games' tools.

use core::ffi::CStr;

use arena_wire::{Call, Game, Point};

use crate::cells;
use crate::js::{self, Native, Result, Thrown, Value, argument};

/// The functions that make actions.
const MAKERS: [(&CStr, u8, Native); 7] = [
    (c"place", 1, |_, arguments| make(c"place", cells::cells("place", argument(arguments, 0))?)),
    (c"bomb", 2, |_, arguments| make(c"bomb", vec![one("bomb", arguments)?])),
    (c"cell", 2, |_, arguments| make(c"cell", vec![one("cell", arguments)?])),
    (c"skip", 0, |_, _| make(c"skip", Vec::new())),
    (c"pass", 0, |_, _| make(c"pass", Vec::new())),
    (c"move", 2, |_, arguments| {
        let end = |index| cells::cell("move(from, to)", argument(arguments, index));
        make(c"move", vec![end(0)?, end(1)?])
    }),
    (c"look", 4, look),
];

/// Adds the functions to the script's global variables.
pub(crate) fn install() -> Result<()> {
    MAKERS.into_iter().try_for_each(|(name, length, native)| js::global().method(name, length, native))
}

/// An action of this kind.
pub(crate) fn make(kind: &CStr, cells: Vec<Point>) -> Result<Value> {
    let action = Value::object()?;
    action.set(c"kind", Value::text(kind.to_str().unwrap_or_default())?)?;
    action.set(c"cells", cells::list(cells.into_iter().map(|cell| (cell.row, cell.col)))?)?;
    Ok(action)
}

/// The only cell of an action.
fn one(function: &str, arguments: &[Value]) -> Result<Point> {
    let pair = cells::row_and_column(function, arguments)?;
    cells::point(pair)
        .ok_or_else(|| js::range_error(&format!("{function}: row {}, column {} is on no board", pair.0, pair.1)))
}

/// `look(row, col, rows, cols, cells)`: Life2's, in a world.
fn look(_: &Value, arguments: &[Value]) -> Result<Value> {
    let number = |index: usize| argument(arguments, index).as_int();
    let centre = number(0).zip(number(1)).and_then(cells::point);
    let size = number(2).zip(number(3)).and_then(cells::point);
    let Some((centre, size)) = centre.zip(size) else {
        return Err(js::type_error("look(row, col, rows, cols): four whole numbers, and cells to place if you like"));
    };
    let placed = argument(arguments, 4);
    let placed = if placed.is_undefined() { Vec::new() } else { cells::cells("look", placed)? };
    make(c"look", [centre, size].into_iter().chain(placed).collect())
}

/// An action that was read.
pub(crate) enum Wanted {
    /// A tool's.
    Call(Call),
    /// Life2's choice of a view: its centre, its rows and columns, and cells to place.
    Look(Point, Point, Vec<Point>),
}

/// Reads an action of a game. `function` is what asks for it.
pub(crate) fn read(function: &str, game: &Game, value: &Value) -> Result<Wanted> {
    let kind = if value.is_object() { value.get(c"kind")? } else { Value::UNDEFINED };
    if !kind.is_string() {
        return Err(no_action(function, game, value));
    }
    let kind = kind.to_text()?;
    let cells = cells::cells(function, &value.get(c"cells")?)?;
    match (game.tool(&kind), kind.as_str(), &cells[..]) {
        (Some(tool), ..) => Ok(Wanted::Call(Call { tool, cells })),
        (None, "look", [centre, size, placed @ ..]) if game.wide => Ok(Wanted::Look(*centre, *size, placed.to_vec())),
        _ => {
            let tools: Vec<&str> = game.tools.iter().map(|tool| tool.name).collect();
            Err(js::type_error(&format!("{} has no `{kind}`; its actions are {}", game.title, tools.join(", "))))
        }
    }
}

fn no_action(function: &str, game: &Game, value: &Value) -> Thrown {
    let example = match game.tools[0].name {
        "move" => "move([1, 2], [1, 3])",
        "cell" => "cell(3, 4)",
        _ => "place([[12, 3], [12, 4], [13, 3], [13, 4]])",
    };
    let got = if value.is_promise() {
        "a promise: leave out `async`".into()
    } else if value.is_undefined() {
        "nothing: a `return` is missing".into()
    } else {
        cells::shown(value)
    };
    js::type_error(&format!("{function} takes an action, such as {example}; it got {got}"))
}
