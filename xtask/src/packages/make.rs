//! All packages, made around one binary.

use std::path::Path;

use anyhow::Result;
use fs_err as fs;

use super::product::Product;
use super::tools::Tools;
use super::{archive, crates, npm, wheel};
use crate::files::remove_folder;
use crate::workspace::Workspace;

/// Makes all packages that the tools allow around a binary, in a folder that is emptied first.
///
/// # Errors
/// If packages do not support the binary, a tool fails, or a file cannot be read or written.
pub(crate) fn all(workspace: &Workspace, binary: &Path, tools: &Tools, out: &Path) -> Result<()> {
    let product = Product::new(workspace, binary)?;
    remove_folder(out)?;
    let scratch = out.join("scratch");
    fs::create_dir_all(&scratch)?;
    archive::make(&product, &scratch, out)?;
    if let Ok(tool) = &tools.wheel {
        wheel::make(&product, tool, &scratch, out)?;
    }
    if tools.npm.is_ok() {
        npm::make(&product, &scratch, out)?;
    }
    remove_folder(&scratch)?;
    crates::make(workspace, &product, out)
}
