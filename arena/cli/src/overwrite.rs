//! Guards files that a command writes, in case a person's file is in the place.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use arena_files::{TextError, read_text};

/// The greatest size of a file that a command of ours wrote and would overwrite, in bytes: far more than all of them
/// have.
const OWN_BYTES_MAX: u64 = 64 << 20;

/// Refuses to overwrite a file unless `is_own` recognises its text as written by this command. A missing file may be
/// written, and so may something that is not a file, such as a pipe.
///
/// # Errors
/// If the file is of another kind, or cannot be read. `what` names what would be written.
pub(crate) fn refuse_others(file: &Path, what: &str, is_own: impl Fn(&str) -> bool) -> Result<()> {
    if !fs::metadata(file).is_ok_and(|metadata| metadata.is_file()) {
        return Ok(());
    }
    let text = read_text(file, OWN_BYTES_MAX);
    if let Err(TextError::Io(error)) = text {
        return Err(error).with_context(|| format!("cannot read {}", file.display()));
    }
    if !text.is_ok_and(|text| is_own(&text)) {
        bail!("{} already exists and is not {what}; name another file, or remove it first", file.display());
    }
    Ok(())
}
