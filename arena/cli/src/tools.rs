//! The tools that bots' languages need: their table, and a look for them on this machine.

use std::env;
use std::io;
use std::path::Path;
use std::process::{Command, Stdio};

use serde::Serialize;

/// A tool that some language needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tool {
    Cargo,
    WasmTarget,
    Clang,
    WasmLd,
    Ziglang,
    Pip,
    Node,
    Npm,
}

/// A row of the table.
pub(crate) struct Row {
    pub(crate) name: &'static str,
    /// The command that prints its version, or its place.
    command: &'static str,
    answer: Answer,
    /// How to install it.
    pub(crate) get: &'static str,
}

/// What the command prints.
#[derive(Clone, Copy)]
enum Answer {
    /// A version, in its first line.
    Version,
    /// A version that must be at least this one.
    VersionFrom(u32, u32),
    /// The path of a folder, which may be missing.
    Folder,
}

/// The state of a tool on this machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "state", rename_all = "snake_case")]
pub(crate) enum State {
    Found { version: String },
    Missing,
    TooOld { version: String, least: String },
    Broken { why: String },
}

impl Tool {
    pub(crate) const ALL: [Tool; 8] =
        [Tool::Cargo, Tool::WasmTarget, Tool::Clang, Tool::WasmLd, Tool::Ziglang, Tool::Pip, Tool::Node, Tool::Npm];

    pub(crate) const fn row(self) -> &'static Row {
        match self {
            Tool::Cargo => &Row {
                name: "cargo",
                command: "cargo --version",
                answer: Answer::VersionFrom(1, 95),
                get: "install Rust from https://rustup.rs, or `rustup update`",
            },
            Tool::WasmTarget => &Row {
                name: "wasm32-unknown-unknown",
                command: "rustc --print target-libdir --target wasm32-unknown-unknown",
                answer: Answer::Folder,
                get: "`rustup target add wasm32-unknown-unknown`",
            },
            Tool::Clang => &Row {
                name: "clang",
                command: "clang --version",
                answer: Answer::Version,
                get: "Debian: `apt-get install clang`",
            },
            Tool::WasmLd => &Row {
                name: "wasm-ld",
                command: "wasm-ld --version",
                answer: Answer::Version,
                get: "Debian: `apt-get install lld`",
            },
            Tool::Ziglang => &Row {
                name: "ziglang",
                command: "python3 -m ziglang version",
                answer: Answer::Version,
                get: "`python3 -m pip install ziglang`, 100 MB; with pip, a project's build.sh fetches it for itself",
            },
            Tool::Pip => &Row {
                name: "pip",
                command: "python3 -m pip --version",
                answer: Answer::Version,
                get: "Debian: `apt-get install python3-pip`; for C without clang, and for Zig without ziglang",
            },
            Tool::Node => &Row {
                name: "node",
                command: "node --version",
                answer: Answer::VersionFrom(20, 0),
                get: "install Node.js 20 or newer from https://nodejs.org; `npm install` fetches AssemblyScript",
            },
            Tool::Npm => &Row {
                name: "npm",
                command: "npm --version",
                answer: Answer::Version,
                get: "it comes with Node.js; Debian: `apt-get install npm`",
            },
        }
    }

    /// Runs the tool's command.
    pub(crate) fn look(self) -> State {
        let Row { command, answer, .. } = self.row();
        let mut words = command.split(' ');
        let program = words.next().unwrap_or_default();
        // Cargo, too, takes this one instead.
        let chosen = (program == "rustc").then(|| env::var_os("RUSTC")).flatten();
        let program = chosen.unwrap_or_else(|| program.into());
        match Command::new(program).args(words).stdin(Stdio::null()).output() {
            Ok(said) if said.status.success() => state_of(*answer, &String::from_utf8_lossy(&said.stdout)),
            Ok(said) => {
                let stderr = String::from_utf8_lossy(&said.stderr);
                // For a tool that is a Python package.
                if stderr.contains("No module named") {
                    return State::Missing;
                }
                let why = stderr.lines().find(|line| !line.trim().is_empty()).unwrap_or_default().trim();
                State::Broken { why: format!("{}: {why}", said.status) }
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => State::Missing,
            Err(error) => State::Broken { why: error.to_string() },
        }
    }
}

/// The tool's state, from what its command printed.
fn state_of(answer: Answer, said: &str) -> State {
    if matches!(answer, Answer::Folder) {
        let is_there = Path::new(said.trim()).is_dir();
        return if is_there { State::Found { version: "found".into() } } else { State::Missing };
    }
    let line = said.lines().next().unwrap_or_default();
    let versions = line.split_whitespace().map(|word| word.trim_start_matches('v'));
    let Some(version) = versions.into_iter().find(|word| word.starts_with(|first: char| first.is_ascii_digit())) else {
        return State::Broken { why: format!("it says {line:?}, not its version") };
    };
    let version = version.to_owned();
    let mut numbers = version.split(['.', '-']).map(|number| number.parse().unwrap_or(0));
    let mut next = || numbers.next().unwrap_or(0);
    match answer {
        Answer::VersionFrom(major, minor) if (next(), next()) < (major, minor) => {
            State::TooOld { version, least: format!("{major}.{minor}") }
        }
        _ => State::Found { version },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(version: &str) -> State {
        State::Found { version: version.into() }
    }

    #[test]
    fn versions_are_found_in_what_tools_say() {
        for (said, version) in [
            ("cargo 1.95.0 (abc 2026-01-01)\n", "1.95.0"),
            ("Debian clang version 19.1.7 (3+b1)\nTarget: x\n", "19.1.7"),
            ("v22.1.0\n", "22.1.0"),
            ("0.15.1\n", "0.15.1"),
            ("pip 23.2.1 from /lib/python3.11/pip (python 3.11)\n", "23.2.1"),
        ] {
            assert_eq!(state_of(Answer::Version, said), found(version), "{said}");
        }
        for said in ["", "\n1.0\n", "no version"] {
            assert!(matches!(state_of(Answer::Version, said), State::Broken { .. }), "{said}");
        }
    }

    #[test]
    fn a_version_is_old_below_the_least_alone() {
        for good in ["1.95.0", "1.96.0-nightly", "2.0.0", "1.95"] {
            assert_eq!(state_of(Answer::VersionFrom(1, 95), good), found(good));
        }
        for old in ["1.94.9", "0.99.0", "1"] {
            let expected = State::TooOld { version: old.into(), least: "1.95".into() };
            assert_eq!(state_of(Answer::VersionFrom(1, 95), old), expected);
        }
    }

    #[test]
    fn a_folder_is_there_or_not() {
        let place = tempfile::tempdir().expect("a folder");
        let path = place.path().display().to_string();
        assert_eq!(state_of(Answer::Folder, &format!("{path}\n")), found("found"));
        assert_eq!(state_of(Answer::Folder, &format!("{path}/none\n")), State::Missing);
    }
}
