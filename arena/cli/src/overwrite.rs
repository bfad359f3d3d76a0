//! Guards files that a command writes, in case a person's file is in the place.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

/// Refuses to overwrite a file unless `is_own` recognises its text as written by this command. A missing file may be written, and
/// so may something that is not a file, such as a pipe.
///
/// # Errors
/// If the file is of another kind, or cannot be read. `what` names what would be written.
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
