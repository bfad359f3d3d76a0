//! A file named on the command line that is missing, or is a folder: the message names the files that could be meant.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Result, bail};
use arena_runner::layout::JOURNAL;

use crate::output;

/// File names that are listed when the named file is missing.
const LISTED_MAX: usize = 5;

/// What a command wants to read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// A bot: a module or a script.
    Bot,
    /// A bot in WebAssembly text.
    Text,
    /// A tournament's definition.
    Definition,
    /// A recorded game: a file, or DIR#N.
    Game,
    /// A game in notation.
    Notation,
}

impl Wanted {
    /// The usual endings of such a file.
    const fn endings(self) -> &'static [&'static str] {
        match self {
            Wanted::Bot => &["wasm", "js", "py"],
            Wanted::Text => &["wat"],
            Wanted::Definition => &["toml"],
            Wanted::Game => &["json"],
            Wanted::Notation => &["txt"],
        }
    }

    /// Whether a file's name ends as usual.
    pub(crate) fn is_named(self, path: &Path) -> bool {
        path.extension().is_some_and(|ending| self.endings().iter().any(|own| ending == *own))
    }

    /// The endings in words.
    fn named(self) -> String {
        let all: Vec<String> = self.endings().iter().map(|ending| format!(".{ending}")).collect();
        match all.split_last() {
            Some((last, others)) if !others.is_empty() => format!("{} or {last}", others.join(", ")),
            _ => all.concat(),
        }
    }
}

/// Refuses a path at which there is no file to read. Any other error is left to the reader.
///
/// # Errors
/// If it is missing, or is a folder; the message lists what is there instead.
pub(crate) fn ensure_file(path: &Path, wanted: Wanted) -> Result<()> {
    match fs::metadata(path) {
        Ok(found) if found.is_dir() => bail!(folder(path, wanted)),
        Err(error) if error.kind() == ErrorKind::NotFound => bail!(missing(path, wanted)),
        Ok(_) | Err(_) => Ok(()),
    }
}

/// Says that the path is a folder, and what is in it.
fn folder(path: &Path, wanted: Wanted) -> String {
    let name = path.display();
    if wanted == Wanted::Game && is_tournament(path) {
        return format!("{name} is the folder of a tournament; name a game of it: {name}#0 is the first");
    }
    format!("{name} is a folder; give the {} file itself: {}", wanted.named(), listed(path, wanted))
}

/// Says that a file is missing, and what is in its folder instead.
fn missing(path: &Path, wanted: Wanted) -> String {
    let name = path.display();
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if folder.is_dir() {
        return format!("there is no file {name}: {}", listed(folder, wanted));
    }
    let missing = folder.ancestors().take_while(|folder| !folder.as_os_str().is_empty() && !folder.is_dir()).last();
    let missing = missing.unwrap_or(folder).display();
    let hint = if wanted == Wanted::Bot { "; was the bot built?" } else { "" };
    format!("there is no file {name}: there is no folder {missing}{hint}")
}

/// What could be meant in a folder, as words: files with the ending, and tournaments for a game.
fn listed(folder: &Path, wanted: Wanted) -> String {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    // A link to nothing is there by its name alone.
    let entries = entries.filter(|path| path.exists());
    let named = |path: &Path| {
        let name = output::text(&path.file_name()?.to_string_lossy());
        if wanted == Wanted::Game && is_tournament(path) {
            return Some(format!("{name}#N"));
        }
        wanted.is_named(path).then_some(name)
    };
    let mut names: Vec<String> = entries.filter_map(|path| named(&path)).collect();
    names.sort();
    let more = names.len().saturating_sub(LISTED_MAX);
    names.truncate(LISTED_MAX);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let folder = if folder == Path::new(".") { "this folder".into() } else { folder.display().to_string() };
    let names = if names.is_empty() { format!("no {} file", wanted.named()) } else { names.join(", ") };
    format!("{folder} has {names}{more}")
}

/// Whether a folder has the games of a tournament.
fn is_tournament(folder: &Path) -> bool {
    folder.join(JOURNAL).is_file()
}
