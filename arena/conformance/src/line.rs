//! What all readers do with a line.

use std::fmt::Debug;

use serde::Deserialize;

pub(crate) fn parse<'a, T: Deserialize<'a>>(line: &'a str) -> Result<T, String> {
    serde_json::from_str(line).map_err(|error| format!("not a line of this file: {error}"))
}

pub(crate) fn expect<T: PartialEq + Debug>(what: &str, wanted: T, got: T) -> Result<(), String> {
    if wanted == got { Ok(()) } else { Err(format!("{what}: wanted {wanted:?}, got {got:?}")) }
}
