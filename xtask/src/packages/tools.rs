//! The programs that make packages.

use std::path::PathBuf;

use anyhow::{Context, Result, bail};

use super::wheel;
use crate::bots::languages::in_a_line;
use crate::process::find_on_path;
use crate::workspace::Workspace;

/// What a machine may be without, or why it is: all packages need all of them.
pub(crate) struct Tools {
    /// A folder with PyPA's `wheel`: no wheel without it.
    pub(crate) wheel: Result<PathBuf>,
    /// npm: no packages for it without.
    pub(crate) npm: Result<()>,
}

impl Tools {
    /// Looks for the tools, and fetches what can be fetched.
    pub(crate) fn ready(workspace: &Workspace) -> Self {
        Self { wheel: wheel::tool(workspace), npm: find_on_path("npm").map(drop).context("there is no npm on PATH") }
    }

    /// Whether all packages can be made, as a release needs.
    ///
    /// # Errors
    /// A tool is missing.
    pub(crate) fn are_all_there(&self) -> Result<()> {
        match self.wheel.as_ref().err().or(self.npm.as_ref().err()) {
            Some(reason) => bail!("not all packages can be made: {}", in_a_line(reason)),
            None => Ok(()),
        }
    }
}
