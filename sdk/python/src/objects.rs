//! What objects of ours are as words, and when two of them are equal.

use core::cell::RefCell;

use crate::action::Made;
use crate::board::Board;
use crate::py::{Thrown, Value};

/// `str(object)` or `repr(object)`; nothing if there is no memory for it.
#[unsafe(no_mangle)]
extern "C" fn arena_object_text(object: Value, as_str: i32) -> usize {
    let text = if let Some(board) = object.held::<RefCell<Board>>() {
        let text = board.borrow().text();
        if as_str == 0 { format!("Board('{}')", text.replace('\n', "/")) } else { text }
    } else if let Some(made) = object.held::<Made>() {
        described(&made)
    } else {
        "<object of the arena>".to_owned()
    };
    Value::text(&text).map_or_else(|Thrown| 0, Value::raw)
}

/// An action as a script makes it.
fn described(made: &Made) -> String {
    let cells: Vec<String> = made.cells.iter().map(|cell| format!("({}, {})", cell.row, cell.col)).collect();
    match (made.kind, &made.cells[..]) {
        ("pass", _) => "pass_()".into(),
        ("skip", _) => "skip()".into(),
        ("place", _) => format!("place([{}])", cells.join(", ")),
        ("move", _) => format!("move({})", cells.join(", ")),
        ("look", [centre, size, ..]) => {
            let numbers = format!("{}, {}, {}, {}", centre.row, centre.col, size.row, size.col);
            format!("look({numbers}, [{}])", cells[2..].join(", "))
        }
        (kind, [cell, ..]) => format!("{kind}({}, {})", cell.row, cell.col),
        (kind, []) => format!("{kind}()"),
    }
}

#[unsafe(no_mangle)]
extern "C" fn arena_object_equal(one: Value, other: Value) -> i32 {
    let boards = one.held::<RefCell<Board>>().zip(other.held::<RefCell<Board>>());
    let actions = one.held::<Made>().zip(other.held::<Made>());
    let is_equal = boards.is_some_and(|(one, other)| *one.borrow() == *other.borrow())
        || actions.is_some_and(|(one, other)| one == other)
        || one == other;
    is_equal.into()
}

/// Equal for equal actions, and never of boards, which change.
#[unsafe(no_mangle)]
extern "C" fn arena_object_hash(object: Value) -> i32 {
    let Some(made) = object.held::<Made>() else { return 0 };
    let mut hash = made.kind.len() as i32;
    for cell in &made.cells {
        hash = hash.wrapping_mul(31).wrapping_add(i32::from(cell.row) * 64 + i32::from(cell.col));
    }
    hash >> 2
}
