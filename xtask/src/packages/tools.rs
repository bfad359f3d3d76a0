//! The programs that make packages.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::wheel;
use crate::bots::languages::in_a_line;
use crate::process::find_on_path;
use crate::workspace::Workspace;

/// The tools that a machine may lack, with the reason: all of them are needed for all packages.
pub(crate) struct Tools {
    /// A folder with PyPA's `wheel`, which makes wheels.
    pub(crate) wheel: Result<PathBuf>,
    /// npm, which makes its packages.
    pub(crate) npm: Result<()>,
}

impl Tools {
    /// Looks for the tools, and fetches those that can be fetched.
    pub(crate) fn ready(workspace: &Workspace) -> Self {
        Self { wheel: wheel::tool(workspace), npm: find_on_path("npm").map(drop).context("there is no npm on PATH") }
    }

    /// Fails unless all packages can be made, as a release requires.
    ///
    /// # Errors
    /// If a tool is missing.
    pub(crate) fn are_all_there(&self) -> Result<()> {
        match self.wheel.as_ref().err().or(self.npm.as_ref().err()) {
            Some(reason) => bail!("not all packages can be made: {}", in_a_line(reason)),
            None => Ok(()),
        }
    }
}
