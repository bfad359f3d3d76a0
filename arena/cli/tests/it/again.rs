//! The program of these tests once more, as a child: one of its tests, which does nothing in a process that is not the
//! child.

use std::env;
use std::process::Command;

use serde_json::Value;

use crate::process::Lines;

/// The command that runs this test alone.
pub(crate) fn test(path: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", path, "--test-threads", "1", "--nocapture"]);
    command
}

/// The next line of JSON that a child says. The harness says lines of its own before.
pub(crate) fn next_json(said: &Lines) -> Value {
    let line = said.find(|line| line.starts_with('{').then(|| line.to_owned()));
    serde_json::from_str(&line).unwrap()
}
