//! Exit codes, the same for every command.

use std::process::ExitCode;

/// The result of a command.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Exit {
    /// Done; the answer, if there is one, is yes.
    Yes = 0,
    /// Done; the answer is no: a bot is refused, a vector differs, a figure disagrees, or a test accepts that a bot is
    /// not stronger.
    No = 1,
    /// What was to be verified contradicts itself.
    Damaged = 3,
    /// What was to be verified comes from a release with other semantics, or has a form that this one does not read.
    OtherRelease = 4,
    /// Neither yes nor no: nothing differs, but not everything could be checked; or a test was not decided.
    Incomplete = 5,
    /// Nothing differs, but games that are void in the journal are not void here.
    NotConfirmed = 6,
    /// Nothing differs in a sample of what was to be verified.
    Sampled = 7,
    /// Stopped on request; nothing is lost.
    Interrupted = INTERRUPTED,
}

/// The request could not be carried out: a file is missing, an argument makes no sense. The same code as for wrong
/// usage.
pub(crate) const UNUSABLE: u8 = 2;

/// The code that shells give to a program that SIGINT ended.
pub(crate) const INTERRUPTED: u8 = 130;

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> ExitCode {
        ExitCode::from(exit as u8)
    }
}

/// The codes, for `--help`.
pub(crate) const HELP: &str = "Exit codes: 0 done, the answer is yes; 1 done, the answer is no (a refused bot, a vector or \
figure that differs, a record that does not replay, a test that accepts elo0); 2 not done: wrong usage, an unreadable file, a \
machine that failed. `verify` adds 3 damaged (`admin check`, too), 4 played under other semantics or in another format, 5 not everything could be \
checked, 6 a void game is not confirmed or a world's bots were not asked again, 7 a sample was checked; `play --sprt` exits with 5 if it is \
undecided. 130 interrupted by Ctrl-C, nothing is lost; `watch`, `serve` and `worker`, which run until then, exit with 0.";

/// The name by which this program was called, for hints that can be typed as they are.
pub(crate) fn program() -> String {
    std::env::args_os().next().map_or_else(|| "arena".into(), |name| name.to_string_lossy().into_owned())
}
