//! Cells as scripts write them: `[row, col]`.

use arena_wire::Point;

use crate::host::{self, Result, Thrown, Value, argument};

/// Row and column from the arguments of a function: `(row, col)` or `([row, col])`.
pub(crate) fn row_and_column(function: &str, arguments: &[Value]) -> Result<(i32, i32)> {
    let first = argument(arguments, 0);
    let pair = if first.is_array() { pair(first)? } else { first.as_int().zip(argument(arguments, 1).as_int()) };
    pair.ok_or_else(|| host::type_error(&format!("{function}(row, col): row and column are whole numbers")))
}

fn pair(value: &Value) -> Result<Option<(i32, i32)>> {
    if value.len()? != 2 {
        return Ok(None);
    }
    Ok(value.at(0)?.as_int().zip(value.at(1)?.as_int()))
}

/// A cell from its row and column; whether it is on the board is for the rules to say.
pub(crate) fn point((row, col): (i32, i32)) -> Option<Point> {
    Some(Point { row: row.try_into().ok()?, col: col.try_into().ok()? })
}

/// The cell that an argument of a function is.
pub(crate) fn cell(function: &str, value: &Value) -> Result<Point> {
    let found = if value.is_array() { pair(value)? } else { None };
    found.and_then(point).ok_or_else(|| wrong(function, "a cell", value))
}

/// The cells that an argument of a function is a list of.
pub(crate) fn cells(function: &str, value: &Value) -> Result<Vec<Point>> {
    if !value.is_array() {
        return Err(wrong(function, "a list of cells", value));
    }
    (0..value.len()?).map(|index| cell(function, &value.at(index)?)).collect()
}

fn wrong(function: &str, what: &str, value: &Value) -> Thrown {
    let example = if what == "a cell" { "[12, 3]" } else { "[[12, 3], [12, 4]]" };
    host::type_error(&format!("{function}: {what} is written as {example}, not {}", shown(value)))
}

/// A value for an error: as JSON, if it is short.
pub(crate) fn shown(value: &Value) -> String {
    const LEN_MAX: usize = 80;
    let json = value.to_json().and_then(|json| if json.is_undefined() { value.to_text() } else { json.to_text() });
    let mut text = json.unwrap_or_else(|Thrown| {
        let _ = host::caught();
        "something else".into()
    });
    if text.len() > LEN_MAX {
        let end = (0..LEN_MAX).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
        text.truncate(end);
        text.push('…');
    }
    text
}

/// A cell for the script.
pub(crate) fn value(row: u16, col: u16) -> Result<Value> {
    Value::pair(row.into(), col.into())
}

/// A list of cells for the script.
pub(crate) fn list(cells: impl IntoIterator<Item = (u16, u16)>) -> Result<Value> {
    Value::cells(cells)
}
