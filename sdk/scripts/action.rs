//! Actions as scripts have them: objects with a kind and cells, made by functions that are called like the games' tools.

use core::cell::RefCell;
use core::ffi::CStr;
use std::rc::Rc;

use arena_wire::{Call, Game, Point};

use crate::cells;
use crate::host::{self, Native, Result, Thrown, Value, argument};

/// What an action of the script holds.
#[derive(PartialEq)]
pub(crate) struct Made {
    pub(crate) kind: &'static str,
    pub(crate) cells: Vec<Point>,
}

thread_local! {
    static PROTOTYPE: RefCell<Value> = const { RefCell::new(Value::UNDEFINED) };
}

/// The functions that make actions.
const MAKERS: [(&CStr, u8, Native); 7] = [
    (c"place", 1, |_, arguments| make("place", cells::cells("place", argument(arguments, 0))?)),
    (c"bomb", 2, |_, arguments| make("bomb", vec![one("bomb", arguments)?])),
    (c"cell", 2, |_, arguments| make("cell", vec![one("cell", arguments)?])),
    (c"skip", 0, |_, _| make("skip", Vec::new())),
    (c"pass", 0, |_, _| make("pass", Vec::new())),
    (c"move", 2, |_, arguments| {
        let end = |index| cells::cell("move(from, to)", argument(arguments, index));
        make("move", vec![end(0)?, end(1)?])
    }),
    (c"look", 4, look),
];

/// Adds the functions to the script's global variables.
pub(crate) fn install() -> Result<()> {
    let prototype = Value::prototype(c"Action")?;
    prototype.getter(c"kind", |this, _| Value::text(of(this)?.kind))?;
    prototype.getter(c"cells", |this, _| listed(&of(this)?.cells))?;
    prototype.json(|this, _| {
        let (made, plain) = (of(this)?, Value::object()?);
        plain.set(c"kind", Value::text(made.kind)?)?;
        plain.set(c"cells", listed(&made.cells)?)?;
        Ok(plain)
    })?;
    PROTOTYPE.set(prototype.kept());
    MAKERS.into_iter().try_for_each(|(name, length, native)| host::global().method(name, length, native))
}

fn of(this: &Value) -> Result<Rc<Made>> {
    this.held().ok_or_else(|| host::type_error("this belongs to actions, such as place([[12, 3]])"))
}

fn listed(cells: &[Point]) -> Result<Value> {
    cells::list(cells.iter().map(|cell| (cell.row, cell.col)))
}

/// An action of this kind. Its list of cells is made when a script asks for it: a search makes hundreds that it never looks into.
pub(crate) fn make(kind: &'static str, cells: Vec<Point>) -> Result<Value> {
    PROTOTYPE.with_borrow(|prototype| Value::holding(prototype, Rc::new(Made { kind, cells })))
}

/// The only cell of an action.
fn one(function: &str, arguments: &[Value]) -> Result<Point> {
    let pair = cells::row_and_column(function, arguments)?;
    cells::point(pair)
        .ok_or_else(|| host::range_error(&format!("{function}: row {}, column {} is on no board", pair.0, pair.1)))
}

/// `look(row, col, rows, cols, cells)`: Life2's, in a world.
fn look(_: &Value, arguments: &[Value]) -> Result<Value> {
    let number = |index: usize| argument(arguments, index).as_int();
    let centre = number(0).zip(number(1)).and_then(cells::point);
    let size = number(2).zip(number(3)).and_then(cells::point);
    let Some((centre, size)) = centre.zip(size) else {
        return Err(host::type_error("look(row, col, rows, cols): four whole numbers, and cells to place if you like"));
    };
    let placed = argument(arguments, 4);
    let placed = if placed.is_undefined() { Vec::new() } else { cells::cells("look", placed)? };
    make("look", [centre, size].into_iter().chain(placed).collect())
}

/// An action that was read.
pub(crate) enum Wanted {
    /// A tool's.
    Call(Call),
    /// Life2's choice of a view: its centre, its rows and columns, and cells to place.
    Look(Point, Point, Vec<Point>),
}

/// Reads an action of a game. `asks` is what asks for it, with its verb.
pub(crate) fn read(asks: &str, game: &Game, value: &Value) -> Result<Wanted> {
    if let Some(made) = value.held::<Made>() {
        return wanted(game, made.kind, made.cells.clone());
    }
    let kind = if value.is_object() { value.get(c"kind")? } else { Value::UNDEFINED };
    if !kind.is_string() {
        return Err(no_action(asks, game, value));
    }
    wanted(game, &kind.to_text()?, cells::cells("action.cells", &value.get(c"cells")?)?)
}

fn wanted(game: &Game, kind: &str, cells: Vec<Point>) -> Result<Wanted> {
    match (game.tool(kind), kind, &cells[..]) {
        (Some(tool), ..) => Ok(Wanted::Call(Call { tool, cells })),
        (None, "look", [centre, size, placed @ ..]) if game.wide => Ok(Wanted::Look(*centre, *size, placed.to_vec())),
        _ => {
            let tools: Vec<&str> = game.tools.iter().map(|tool| tool.name).collect();
            Err(host::type_error(&format!("{} has no `{kind}`; its actions are {}", game.title, tools.join(", "))))
        }
    }
}

fn no_action(asks: &str, game: &Game, value: &Value) -> Thrown {
    let example = match game.tools[0].name {
        "move" => "move([1, 2], [1, 3])",
        "cell" => "cell(3, 4)",
        _ => "place([[12, 3], [12, 4], [13, 3], [13, 4]])",
    };
    let got = if value.is_promise() {
        host::PROMISE.into()
    } else if value.is_undefined() {
        "nothing: is a `return` missing?".into()
    } else {
        cells::shown(value)
    };
    host::type_error(&format!("{asks} an action, such as {example}, not {got}"))
}
