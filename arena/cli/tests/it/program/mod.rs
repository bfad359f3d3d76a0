//! The binary, run to its end, and what it said.

use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::process::finished;

pub(crate) fn arena(arguments: &[&str]) -> Output {
    finished(Command::new(env!("CARGO_BIN_EXE_arena")).args(arguments).stdin(Stdio::null()))
}

pub(crate) fn code(output: &Output) -> i32 {
    output.status.code().unwrap()
}

pub(crate) fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

pub(crate) fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

pub(crate) fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap()
}
