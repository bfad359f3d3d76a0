//! The program of these tests once more, as a child: one of its tests, which does nothing in a process that is not the child.

use std::env;
use std::io::BufRead;
use std::process::Command;

use serde_json::Value;

/// The command that runs this test alone.
pub(crate) fn test(path: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.args(["--exact", path, "--test-threads", "1", "--nocapture"]);
    command
}

/// The next line of JSON that a child says. The harness says lines of its own before.
pub(crate) fn next_json(said: &mut impl BufRead) -> Value {
    let line = said.lines().map_while(Result::ok).find(|line| line.starts_with('{'));
    serde_json::from_str(&line.expect("a child says a line of JSON")).unwrap()
}
