//! `log` and `console.log`.

use crate::journal;
use crate::js::{self, Result, Thrown, Value};

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
    if !journal::is_full() {
        let words = arguments.iter().map(word).collect::<Result<Vec<_>>>()?;
        journal::write(&words.join(" "));
    }
    Ok(Value::UNDEFINED)
}

/// A value in the log: texts as they are, plain objects and lists as JSON, all others as they describe themselves.
fn word(value: &Value) -> Result<String> {
    if value.is_symbol() {
        return Ok("a symbol".into());
    }
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
