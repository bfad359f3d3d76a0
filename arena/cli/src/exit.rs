//! Exit codes, the same for every command.

use std::process::ExitCode;

/// What a command came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Exit {
    /// It did what was asked, and the answer, if there is one, is yes.
    Yes,
    /// It did what was asked, and the answer is no: a bot is refused, a vector differs, a figure does not agree.
    No,
}

/// It could not do what was asked: a file is missing, an argument makes no sense. The same as for wrong usage.
pub(crate) const UNUSABLE: u8 = 2;

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        match exit {
            Exit::Yes => ExitCode::SUCCESS,
            Exit::No => ExitCode::from(1),
        }
    }
}

/// The codes, for `--help`.
pub(crate) const HELP: &str = "Exit codes: 0 done, the answer is yes; 1 done, the answer is no (a bot refused, a vector or \
figure that differs, a record that does not replay); 2 not done: wrong usage, an unreadable file, a machine that failed.";

/// How this program was called, for hints that can be typed as they are.
pub(crate) fn program() -> String {
    std::env::args_os().next().map_or_else(|| "arena".into(), |name| name.to_string_lossy().into_owned())
}
