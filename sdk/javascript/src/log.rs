//! The author's log, of which the last lines are kept for an error.

use core::cell::Cell;

use crate::js::{self, Result, Thrown, Value};

/// Lines and bytes of a game's log that are the script's. The arena keeps 64 lines and 8,192 bytes; the rest is for an error.
const LINES_MAX: u32 = 44;
const BYTES_MAX: usize = 6_000;

/// Adds `log` and `console` to the script's global variables.
pub(crate) fn install() -> Result<()> {
    js::global().method(c"log", 1, log)?;
    let console = Value::object()?;
    for name in [c"log", c"info", c"warn", c"error", c"debug"] {
        console.method(name, 1, log)?;
    }
    js::global().set(c"console", console)
}

fn log(_: &Value, arguments: &[Value]) -> Result<Value> {
    thread_local! {
        static LEFT: Cell<(u32, usize)> = const { Cell::new((LINES_MAX, BYTES_MAX)) };
    }
    let (lines, bytes) = LEFT.get();
    if lines == 0 {
        return Ok(Value::UNDEFINED);
    }
    let words = arguments.iter().map(word).collect::<Result<Vec<_>>>()?;
    let (mut lines, mut bytes) = (lines, bytes);
    for line in words.join(" ").split('\n') {
        if lines <= 1 || line.len() >= bytes {
            arena_sdk::log("the log is full: what follows is left out, but for an error");
            lines = 0;
            break;
        }
        arena_sdk::log(line);
        lines -= 1;
        bytes -= line.len();
    }
    LEFT.set((lines, bytes));
    Ok(Value::UNDEFINED)
}

/// A value in the log: texts as they are, plain objects and lists as JSON, all others as they describe themselves.
fn word(value: &Value) -> Result<String> {
    if !value.is_object() || value.is_function() || value.held::<core::cell::RefCell<crate::board::Board>>().is_some() {
        return value.to_text();
    }
    let json = value.to_json().and_then(|json| if json.is_undefined() { value.to_text() } else { json.to_text() });
    match json {
        Ok(text) if text == "{}" => value.to_text(),
        Ok(text) => Ok(text),
        // Of cycles and big integers there is no JSON.
        Err(Thrown) => {
            let error = js::caught();
            if error.is_end() { Err(js::rethrow(error)) } else { value.to_text() }
        }
    }
}
