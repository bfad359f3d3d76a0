//! Questions to a person at a terminal. What answers is behind a trait, so that tests need no terminal.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use dialoguer::{Input, Select};

/// Somebody who can be asked.
pub(super) trait Asker {
    /// Which of some items: its place among them.
    ///
    /// # Errors
    /// There is no answer.
    fn choose(&mut self, what: &str, items: &[&str]) -> Result<usize>;

    /// A folder to make, asked for until `judge` has no objection.
    ///
    /// # Errors
    /// There is no answer.
    fn folder(&mut self, judge: &dyn Fn(&Path) -> Result<()>) -> Result<PathBuf>;
}

/// The person at this terminal. Questions are written to stderr.
pub(super) struct Terminal(());

impl Terminal {
    /// Where somebody reads what is asked and can answer: stdin and stderr are terminals.
    pub(super) fn here() -> Option<Terminal> {
        (io::stdin().is_terminal() && io::stderr().is_terminal()).then_some(Terminal(()))
    }
}

impl Asker for Terminal {
    fn choose(&mut self, what: &str, items: &[&str]) -> Result<usize> {
        let choice =
            Select::new().with_prompt(format!("{what} (arrows, then Enter)")).items(items).default(0).interact();
        choice.context("there is no answer")
    }

    fn folder(&mut self, judge: &dyn Fn(&Path) -> Result<()>) -> Result<PathBuf> {
        let input = Input::new().with_prompt("Name of the bot");
        let input = input.validate_with(|name: &String| judge(Path::new(name)).map_err(|error| error.to_string()));
        Ok(input.interact_text().context("there is no answer")?.into())
    }
}
