//! `arena new`: a project for a bot that builds, is accepted, and plays every game.
//!
//! | in the folder | what |
//! |---|---|
//! | `languages` | the languages, one table |
//! | `names` | what a bot's name looks like, and what a language reserves |
//! | `games` | what a template must know of a game |
//! | `templates` | the files of a project, their blanks filled |
//! | `embedded` | the files of `sdk/` that are compiled in |

mod embedded;
mod games;
mod languages;
mod names;
mod templates;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;

use self::languages::Language;
use self::templates::{File, Project};
use crate::exit::{Exit, program};
use crate::game::GameChoice;

#[derive(Args)]
pub(crate) struct New {
    /// The folder to create. Its last part is the bot's name: lower-case letters, digits and hyphens, starting with a letter.
    folder: PathBuf,
    /// The language of the bot.
    #[arg(long = "lang", value_enum)]
    language: Language,
    #[command(flatten)]
    choice: GameChoice,
}

pub(crate) fn run(new: &New, out: &mut dyn Write) -> Result<Exit> {
    let name = names::of_folder(&new.folder)?;
    let (language, game) = (new.language.row(), new.choice.game);
    if let Some(why) = (language.reserved)(name) {
        bail!("{why} is called {name}; choose another name, such as {name}-bot");
    }
    let project = Project::new(new.language, name, game);
    make(&new.folder, name, &project.files())?;
    let (module, option) = (project.module(), games::option(game));
    let opponent = games::opponent(game, &module);
    let arena = program_from_there();
    writeln!(out, "{}: a bot in {} that plays already; its README says more", new.folder.display(), language.title)?;
    writeln!(out, "  cd {}", quoted(&new.folder.display().to_string()))?;
    writeln!(out, "  {}", project.build().replacen("arena ", &format!("{arena} "), 1))?;
    writeln!(out, "  {arena} check {module}{option}")?;
    writeln!(out, "  {arena} play {module} {opponent}{option}")?;
    Ok(Exit::Yes)
}

/// Makes the folder whole or not at all: it is written beside its place, and moved there.
fn make(folder: &Path, name: &str, files: &[File]) -> Result<()> {
    if folder.symlink_metadata().is_ok() {
        bail!("{} already exists; nothing was changed: choose another name, or remove it", folder.display());
    }
    if !folder.parent().is_some_and(is_folder) {
        bail!("the parent folder of {} does not exist; create it first", folder.display())
    }
    let beside = folder.with_file_name(format!(".{name}.{}", std::process::id()));
    fs::create_dir(&beside).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let made = write(&beside, files).and_then(|()| {
        // Whatever came there in the meantime stays: only an empty folder can be moved onto.
        fs::rename(&beside, folder).with_context(|| format!("cannot create the folder {}", folder.display()))
    });
    if made.is_err() {
        fs::remove_dir_all(&beside).with_context(|| format!("cannot remove {}", beside.display()))?;
    }
    made
}

/// Whether a path leads to a folder; the path of no words is where we are.
fn is_folder(path: &Path) -> bool {
    path.as_os_str().is_empty() || path.is_dir()
}

/// Writes the files of a project into a folder.
fn write(folder: &Path, files: &[File]) -> Result<()> {
    for (path, text) in files {
        let path = folder.join(path);
        path.parent()
            .map_or(Ok(()), fs::create_dir_all)
            .and_then(|()| fs::write(&path, text))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// A path as a shell takes it.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-".contains(c);
    if path.chars().all(is_plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// This program, so that it is found from the new folder: as it was called, or its whole path if it was called by one.
fn program_from_there() -> String {
    let called = program();
    if Path::new(&called).components().count() < 2 {
        return called;
    }
    std::env::current_exe().map_or(called, |path| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(target_os = "linux")]
    fn a_folder_that_takes_nothing_is_not_said_to_be_missing() {
        let error = make(Path::new("/proc/mine"), "mine", &[]).expect_err("no folder can be made there");
        assert_eq!(error.to_string(), "cannot create the folder /proc/mine");
    }

    #[test]
    fn a_project_that_cannot_be_written_leaves_nothing() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().join("mine");
        let files = ["a", "a/b"].map(|path| (path.to_owned(), "text".to_owned()));
        let error = make(&folder, "mine", &files).expect_err("a file is no folder");
        assert!(error.to_string().starts_with("cannot write "), "{error}");
        assert_eq!(std::fs::read_dir(place.path()).expect("a folder").count(), 0);
        make(&folder, "mine", &files[..1]).expect("nothing is in the way");
        assert_eq!(std::fs::read_dir(place.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_folder_is_written_as_a_shell_takes_it() {
        for (folder, expected) in [("mine", "mine"), ("my dir/bot", "'my dir/bot'"), ("it's/bot", r"'it'\''s/bot'")] {
            assert_eq!(quoted(folder), expected);
        }
    }
}
