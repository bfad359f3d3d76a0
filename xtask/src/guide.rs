//! The guide in `guide/`, followed as by a reader: each chapter in its own folder, its listings saved where it says and
//! its commands run in order. `guide/README.md` describes the markup of chapters for this.

mod chapter;
mod named;
mod reader;
mod shown;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use fs_err as fs;

use self::chapter::{Block, Kind};
use self::reader::Reader;
use crate::bots::languages::Language;
use crate::bots::newcomer::Newcomer;
use crate::files::{ending_in, remove_folder};
use crate::process::{find_on_path, output};
use crate::wasm;

/// The tournament shown in the README and played by the demo.
pub(crate) const OPENING: &str = "tournaments/definitions/opening.toml";

/// The chapters that take longest, a minute of processor time together and more: the gate leaves them to the night.
const LONG: [&str; 4] = ["javascript", "ladder", "python", "rust"];

/// How much of the guide is followed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Chapters {
    All,
    /// Without the longest. A test below compares their listings all the same.
    Short,
}

/// Follows every chapter whose language is available.
///
/// # Errors
/// If a listing differs from its file, or a command does not do what the chapter says.
pub(crate) fn read(newcomer: &Newcomer, which: Chapters) -> Result<()> {
    let workspace = newcomer.workspace;
    let folder = workspace.target.join("guide");
    remove_folder(&folder)?;
    let mut env = newcomer.env()?;
    // A project's output stays where its reader looks for it; cargo's intermediate files are shared by all projects.
    env.push(("CARGO_BUILD_BUILD_DIR", workspace.target.join("guide-build").into_os_string()));
    let chapters = chapters(&workspace.root)?;
    named::ensure_run(&chapters)?;
    let is_by_rustup = wasm::is_by_rustup(workspace)?;
    for (file, text) in &chapters {
        let name = file.trim_end_matches(".md");
        let language = Language::ALL.into_iter().find(|language| language.name() == name);
        if let Some(line) = language.and_then(|language| newcomer.compilers.skipped(language, "chapter of the guide")) {
            println!("    {line}");
            continue;
        }
        if which == Chapters::Short && LONG.contains(&name) {
            println!("    {name}: at night, or by `cargo xtask guide`");
            continue;
        }
        let start = Instant::now();
        let blocks = chapter::blocks(text).with_context(|| file.clone())?;
        let mut reader = Reader::new(&folder.join(name), &env)?;
        for block in &blocks {
            read_block(&workspace.root, &mut reader, block, is_by_rustup)
                .with_context(|| format!("{file}, line {}", block.line))?;
        }
        reader.leave().with_context(|| file.clone())?;
        if reader.commands > 0 {
            println!("    {name}: {} commands in {:.1} s", reader.commands, start.elapsed().as_secs_f64());
        }
    }
    Ok(())
}

/// Plays the opening tournament, and compares its standings and its number of games with the README.
///
/// # Errors
/// If the README shows another table, or `arena` fails.
pub(crate) fn read_the_table(newcomer: &Newcomer) -> Result<()> {
    let workspace = newcomer.workspace;
    let folder = workspace.target.join("opening");
    remove_folder(&folder)?;
    let mut arena = Command::new(newcomer.arena);
    arena.current_dir(&workspace.root).args(["tournament", "run", OPENING, "--out"]).arg(&folder);
    let printed = output(&mut arena)?;
    let readme = fs::read_to_string(workspace.root.join("README.md"))?;
    let table = shown_block(&readme, "Opening tournament\n").context("the README shows no standings")?;
    ensure!(printed.contains(table), "the README shows other standings than these:\n{printed}");
    let games =
        printed.lines().find_map(|line| line.split_once(" games, all distinct")).context("games are counted")?.0;
    ensure!(readme.contains(&format!("{games} of {games} games")), "the README does not say {games} games");
    println!("    the README's standings are those that {OPENING} gives");
    Ok(())
}

/// The block of a text with this first line.
fn shown_block<'a>(text: &'a str, first: &str) -> Option<&'a str> {
    let begin = text.find(&format!("```\n{first}"))? + "```\n".len();
    text[begin..].split_once("\n```").map(|(block, _)| block)
}

/// The chapters sorted by file name, with their texts.
fn chapters(root: &Path) -> Result<Vec<(String, String)>> {
    let with_text = |path: PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).context("a chapter has a plain name")?;
        Ok((name.to_owned(), fs::read_to_string(&path)?))
    };
    ending_in(&root.join("guide"), ".md")?.into_iter().map(with_text).collect()
}

/// Runs or compares a block. Commands that need a program which is not here are skipped.
fn read_block(root: &Path, reader: &mut Reader, block: &Block, is_by_rustup: bool) -> Result<()> {
    match &block.kind {
        Kind::Text => Ok(()),
        Kind::Console(session) => session.iter().try_for_each(|step| {
            let lacks = match step.needs.as_deref() {
                Some("rustup") => (!is_by_rustup).then_some("this machine has the target, but not from rustup"),
                Some(program) => find_on_path(program).is_none().then_some("it needs a program that is missing"),
                None => None,
            };
            if let Some(why) = lacks {
                println!("    not run: `{}`: {why}", step.command);
                return Ok(());
            }
            reader.run(step)
        }),
        Kind::Listing { file, save } => {
            let listing = listing(root, block, file, save.as_deref())?;
            save.as_ref().map_or(Ok(()), |save| reader.save(save, &listing))
        }
    }
}

/// A listing that is what its block says: a part of a file, or the whole of one that the reader saves, by a name that
/// the text has.
fn listing(root: &Path, block: &Block, file: &str, save: Option<&str>) -> Result<String> {
    let whole = fs::read_to_string(root.join(file))?;
    let listing = block.text();
    ensure!(is_part(&listing, &whole), "the listing is not a part of {file}");
    let Some(save) = save else { return Ok(listing) };
    ensure!(listing == whole, "the listing is to be saved, but it is not the whole of {file}");
    ensure!(block.before.contains(&format!("`{save}`")), "the text before the listing does not name `{save}`");
    Ok(listing)
}

/// Whether a text consists of complete, consecutive lines of another.
fn is_part(part: &str, whole: &str) -> bool {
    whole.starts_with(part) || whole.contains(&format!("\n{part}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workspace::Workspace;

    #[test]
    fn the_readme_shows_the_opening_tournament() -> Result<()> {
        let readme = fs::read_to_string(Workspace::here()?.root.join("README.md"))?;
        let table = shown_block(&readme, "Opening tournament\n").context("standings")?;
        assert!(table.lines().count() > 8 && !table.contains("```"), "{table}");
        assert_eq!(shown_block(&readme, "Another tournament\n"), None);
        Ok(())
    }

    #[test]
    fn every_chapter_is_marked_up_every_listing_is_its_file_and_every_command_is_run() -> Result<()> {
        let root = Workspace::here()?.root;
        let chapters = chapters(&root)?;
        named::ensure_run(&chapters)?;
        for (name, text) in &chapters {
            for block in chapter::blocks(text).with_context(|| name.clone())? {
                let Kind::Listing { file, save } = &block.kind else { continue };
                listing(&root, &block, file, save.as_deref())
                    .with_context(|| format!("{name}, line {}", block.line))?;
            }
        }
        Ok(())
    }

    #[test]
    fn a_part_is_whole_lines() {
        let whole = "a line\nanother\nthe last\n";
        for good in ["a line\n", "another\nthe last\n", whole] {
            assert!(is_part(good, whole), "{good}");
        }
        for bad in ["line\n", "a line\nthe last\n", "the last\n\n"] {
            assert!(!is_part(bad, whole), "{bad}");
        }
    }
}
