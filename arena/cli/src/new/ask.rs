//! Questions to a person at a terminal, behind a trait, so that tests need no terminal.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use dialoguer::{Input, Select};

/// A source of answers.
pub(super) trait Asker {
    /// Asks for one of several items; returns its index.
    ///
    /// # Errors
    /// If there is no answer.
    fn choose(&mut self, what: &str, items: &[&str]) -> Result<usize>;

    /// Asks for a folder to create, until `judge` has no objection.
    ///
    /// # Errors
    /// If there is no answer.
    fn folder(&mut self, judge: &dyn Fn(&Path) -> Result<()>) -> Result<PathBuf>;
}

/// The person at this terminal. Questions are written to stderr.
pub(super) struct Terminal(());

impl Terminal {
    /// The terminal, if stdin and stderr are one, so that a person can read questions and answer.
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
