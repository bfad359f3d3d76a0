//! The sources of the guest bots.
//!
//! | source | becomes |
//! |---|---|
//! | `bots/gallery/NAME/Cargo.toml`: package `bot-NAME`, library `NAME` (with `_` for `-`), a cdylib | `NAME.wasm` |
//! | `bots/gallery/NAME/bot.wat` | `NAME.wasm` |
//! | `bots/gallery/NAME/bot.c`, `.zig` or `.ts` | `NAME.wasm`, where the language is at hand |
//! | `bots/gallery/NAME/bot.js`, `bot.py` | nothing: it is a bot as it is |
//! | `bots/baselines/examples/NAME.rs`, a cdylib | `baseline-NAME.wasm` |

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anyhow::{Result, bail};
use fs_err as fs;

use super::languages::Language;

/// The prefix of a baseline's name as a guest.
pub(super) const BASELINE: &str = "baseline-";

/// The folder of the gallery with the released modules instead of a bot's source.
const RELEASED: &str = "released";

/// The source of a guest.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// A package of the workspace that makes one cdylib.
    Package { package: String, library: String },
    /// A module in the text format.
    Text(PathBuf),
    /// One file in a language whose compiler is fetched.
    Foreign { language: Language, path: PathBuf },
    /// An example of the baselines' package.
    Example(String),
}

/// All guests by name.
///
/// # Errors
/// If two sources make the same file, or a folder cannot be read.
pub(super) fn find(root: &Path) -> Result<BTreeMap<String, Source>> {
    let mut guests = BTreeMap::new();
    let mut add = |name: String, source: Source| match guests.insert(name.clone(), source) {
        None => Ok(()),
        Some(_) => bail!("two bots would become {name}.wasm: rename or remove one"),
    };
    let gallery = root.join("bots/gallery");
    if gallery.is_dir() {
        for entry in fs::read_dir(&gallery)? {
            let folder = entry?.path();
            let Some(name) = folder.file_name().and_then(|name| name.to_str()) else {
                bail!("a bot's folder needs a plain name: {}", folder.display());
            };
            if name == RELEASED {
                continue;
            }
            if folder.join("Cargo.toml").is_file() {
                let package = format!("bot-{name}");
                let library = name.replace('-', "_");
                add(name.to_owned(), Source::Package { package, library })?;
            }
            let text = folder.join("bot.wat");
            if text.is_file() {
                add(name.to_owned(), Source::Text(text))?;
            }
            for language in Language::ALL {
                let path = folder.join(format!("bot.{}", language.ending()));
                if path.is_file() {
                    // Relative to the root, so that no compiler sees a path of this machine.
                    let path = path.strip_prefix(root)?.to_owned();
                    add(name.to_owned(), Source::Foreign { language, path })?;
                }
            }
        }
    }
    let examples = root.join("bots/baselines/examples");
    if examples.is_dir() {
        for entry in fs::read_dir(&examples)? {
            let path = entry?.path();
            let source = path.extension().is_some_and(|extension| extension == "rs");
            if let Some(name) = path.file_stem().and_then(|stem| stem.to_str()).filter(|_| source) {
                add(format!("{BASELINE}{name}"), Source::Example(name.to_owned()))?;
            }
        }
    }
    Ok(guests)
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;

    fn touch(root: &Path, file: &str) -> Result<()> {
        let path = root.join(file);
        fs::create_dir_all(path.parent().context("a file in a folder")?)?;
        Ok(fs::write(path, "")?)
    }

    #[test]
    fn sources_of_all_kinds_are_found() -> Result<()> {
        let root = tempfile::tempdir()?;
        touch(root.path(), "bots/gallery/slow-and-steady/Cargo.toml")?;
        touch(root.path(), "bots/gallery/by-hand/bot.wat")?;
        touch(root.path(), "bots/gallery/in-c/bot.c")?;
        touch(root.path(), "bots/gallery/README.md")?;
        touch(root.path(), "bots/gallery/released/Cargo.toml")?;
        touch(root.path(), "bots/baselines/examples/easy.rs")?;
        touch(root.path(), "bots/baselines/examples/one-more.rs")?;
        touch(root.path(), "bots/baselines/examples/notes.txt")?;
        let found = find(root.path())?;
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(names, ["baseline-easy", "baseline-one-more", "by-hand", "in-c", "slow-and-steady"]);
        assert_eq!(found["baseline-one-more"], Source::Example("one-more".to_owned()));
        assert_eq!(
            found["slow-and-steady"],
            Source::Package { package: "bot-slow-and-steady".to_owned(), library: "slow_and_steady".to_owned() }
        );
        let path = PathBuf::from("bots/gallery/in-c/bot.c");
        assert_eq!(found["in-c"], Source::Foreign { language: Language::C, path });
        Ok(())
    }

    #[test]
    fn two_sources_for_one_name_are_refused() -> Result<()> {
        let root = tempfile::tempdir()?;
        touch(root.path(), "bots/gallery/twice/Cargo.toml")?;
        touch(root.path(), "bots/gallery/twice/bot.wat")?;
        let refused = find(root.path()).map_err(|error| error.to_string());
        assert_eq!(refused, Err("two bots would become twice.wasm: rename or remove one".to_owned()));
        Ok(())
    }
}
