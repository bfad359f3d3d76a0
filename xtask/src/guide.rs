//! The guide in `guide/`, done as a reader would: each chapter in a folder of its own, its listings saved where it says so
//! and its commands run in order. How a chapter is marked up for that is said in `guide/README.md`.

mod chapter;
mod reader;
mod shown;

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use crate::languages::{Compilers, Language};
use crate::wasm::WasmToolchain;
use crate::workspace::{Workspace, remove_folder};
use chapter::{Block, Kind};
use reader::Reader;

/// Reads every chapter whose language is at hand.
///
/// # Errors
/// A listing is not what its file says, or a command does not do what the chapter says.
pub(crate) fn read_all(
    workspace: &Workspace,
    arena: &Path,
    toolchain: &WasmToolchain,
    compilers: &Compilers,
) -> Result<()> {
    let folder = workspace.target.join("guide");
    remove_folder(&folder)?;
    let mut env: Vec<(&str, OsString)> = crate::newcomer::env(arena, toolchain, compilers)?;
    // What a project makes stays where its reader looks for it; what cargo needs on the way is shared by all projects.
    env.push(("CARGO_BUILD_BUILD_DIR", workspace.target.join("guide-build").into_os_string()));
    for path in chapters(&workspace.root)? {
        let name = path.file_stem().and_then(|stem| stem.to_str()).context("a chapter has a plain name")?;
        let language = Language::ALL.into_iter().find(|language| language.name() == name);
        if let Some(line) = language.and_then(|language| compilers.skipped(language, "chapter of the guide")) {
            println!("    {line}");
            continue;
        }
        let start = Instant::now();
        let text = fs::read_to_string(&path)?;
        let blocks = chapter::blocks(&text).with_context(|| format!("{name}.md"))?;
        let mut reader = Reader::new(&folder.join(name), &env)?;
        for block in &blocks {
            read(&workspace.root, &mut reader, block).with_context(|| format!("{name}.md, line {}", block.line))?;
        }
        reader.leave().with_context(|| format!("{name}.md"))?;
        if reader.commands > 0 {
            println!("    {name}: {} commands in {:.1} s", reader.commands, start.elapsed().as_secs_f64());
        }
    }
    Ok(())
}

/// The chapters' files, by name.
fn chapters(root: &Path) -> Result<Vec<std::path::PathBuf>> {
    let folder = root.join("guide");
    let entries = fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut paths = Vec::new();
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "md") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Does what a block is for.
fn read(root: &Path, reader: &mut Reader, block: &Block) -> Result<()> {
    match &block.kind {
        Kind::Text => Ok(()),
        Kind::Console(session) => session.iter().try_for_each(|step| reader.run(step)),
        Kind::Listing { file, save } => {
            let whole = fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
            let listing: String = block.lines.iter().flat_map(|line| [*line, "\n"]).collect();
            ensure!(is_part(&listing, &whole), "the listing is not a part of {file}");
            let Some(save) = save else { return Ok(()) };
            if listing != whole {
                bail!("the listing is to be saved, but it is not the whole of {file}");
            }
            ensure!(block.before.contains(&format!("`{save}`")), "the text before the listing does not name `{save}`");
            reader.save(save, &listing)
        }
    }
}

/// Whether a text is whole lines of another, one after the other.
fn is_part(part: &str, whole: &str) -> bool {
    whole.starts_with(part) || whole.contains(&format!("\n{part}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_chapter_is_marked_up_and_every_listing_is_its_file() -> Result<()> {
        let root = Workspace::here()?.root;
        for path in chapters(&root)? {
            let text = fs::read_to_string(&path)?;
            for block in chapter::blocks(&text).with_context(|| path.display().to_string())? {
                let Kind::Listing { file, .. } = &block.kind else { continue };
                let whole = fs::read_to_string(root.join(file)).with_context(|| format!("cannot read {file}"))?;
                let listing: String = block.lines.iter().flat_map(|line| [*line, "\n"]).collect();
                assert!(is_part(&listing, &whole), "{}, line {}: not in {file}", path.display(), block.line);
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
