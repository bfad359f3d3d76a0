//! Files that a command writes, where a person may have written another.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Refuses to write over a file unless `is_own` says of its text that this command wrote it. What is not there may be written,
/// and so may what is no file, such as a pipe.
///
/// # Errors
/// When the file is of another kind, or cannot be read. `what` is what would be written.
pub(crate) fn refuse_others(file: &Path, what: &str, is_own: impl Fn(&str) -> bool) -> Result<()> {
    if !fs::metadata(file).is_ok_and(|metadata| metadata.is_file()) {
        return Ok(());
    }
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    if !std::str::from_utf8(&bytes).is_ok_and(is_own) {
        bail!("{} already exists and is not {what}; name another file, or remove it first", file.display());
    }
    Ok(())
}
