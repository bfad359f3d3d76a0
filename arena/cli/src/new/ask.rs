//! Questions to a person at a terminal, or in tests to a script.

use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use dialoguer::{Input, Select};

/// A source of answers.
pub(super) enum Asker {
    /// The person at this terminal. Questions are written to stderr.
    Terminal,
    #[cfg(test)]
    Script(super::tests::Script),
}

impl Asker {
    /// The terminal, if stdin and stderr are one, so that a person can read questions and answer.
    pub(super) fn here() -> Option<Asker> {
        (io::stdin().is_terminal() && io::stderr().is_terminal()).then_some(Asker::Terminal)
    }

    /// Asks for one of several items; returns its index.
    ///
    /// # Errors
    /// If there is no answer.
    pub(super) fn choose(&mut self, what: &str, items: &[&str]) -> Result<usize> {
        match self {
            Asker::Terminal => {
                let prompt = format!("{what} (arrows, then Enter)");
                let choice = Select::new().with_prompt(prompt).items(items).default(0).interact();
                choice.context("there is no answer")
            }
            #[cfg(test)]
            Asker::Script(script) => script.choose(what, items),
        }
    }

    /// Asks for a folder to create, until `judge` has no objection.
    ///
    /// # Errors
    /// If there is no answer.
    pub(super) fn folder(&mut self, judge: &dyn Fn(&Path) -> Result<()>) -> Result<PathBuf> {
        match self {
            Asker::Terminal => {
                let objects = |name: &String| judge(Path::new(name)).map_err(|error| error.to_string());
                let input = Input::new().with_prompt("Name of the bot").validate_with(objects);
                Ok(input.interact_text().context("there is no answer")?.into())
            }
            #[cfg(test)]
            Asker::Script(script) => script.folder(judge),
        }
    }
}
