//! Names of bots: their form, their spelling in each language, and the names that a language reserves.

use std::path::Path;

use anyhow::{Result, bail};

use super::embedded::under;

/// Longest name of a bot, in characters.
const NAME_CHARS_MAX: usize = 32;

/// The blank for the bot's name in the templates.
pub(super) const NAME: &str = "{{name}}";

/// Names that no crate of a Rust project can have: the keywords of edition 2024, because a test could not import from
/// such a crate, and the crates that come with the compiler.
/// Source: <https://doc.rust-lang.org/reference/keywords.html>, strict and reserved; a bot's name has no capitals.
#[rustfmt::skip]
const RESERVED_IN_RUST: [&str; 56] = [
    "abstract", "alloc", "as", "async", "await", "become", "box", "break", "const", "continue", "core", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let", "loop", "macro", "match", "mod",
    "move", "mut", "override", "priv", "proc_macro", "pub", "ref", "return", "self", "static", "std", "struct", "super", "test",
    "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while", "yield",
];

/// The name of the bot in a folder: the folder's own.
pub(super) fn of_folder(folder: &Path) -> Result<&str> {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_plain = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !is_plain || name.len() > NAME_CHARS_MAX {
        bail!(
            "{:?} is not a name for a bot: use 1 to {NAME_CHARS_MAX} lower-case letters, digits and hyphens, starting with a letter",
            folder.display().to_string()
        );
    }
    Ok(name)
}

/// What already has this name, so that a project in Rust cannot.
pub(super) fn reserved_in_rust(name: &str) -> Option<&'static str> {
    if RESERVED_IN_RUST.contains(&snake(name).as_str()) {
        return Some("a word of Rust, or a crate that comes with it,");
    }
    packages().any(|package| package == name).then_some("a package that a project in Rust is built from")
}

/// Packages that a project in Rust is built from, by its lock file. Cargo cannot tell a package of the same name from
/// them.
fn packages() -> impl Iterator<Item = &'static str> {
    let (_, lock) = under("templates/rust/Cargo.lock", "").next().unwrap_or_default();
    let names = lock.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    names.filter(|name| *name != NAME)
}

/// `some-words` as `some_words`, as Rust names a library or a module.
pub(super) fn snake(name: &str) -> String {
    name.replace('-', "_")
}

/// `some-words` as `someWords`.
pub(super) fn camel(name: &str) -> String {
    let mut words = name.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| {
        let (initial, rest) = word.split_at(word.len().min(1));
        text + &initial.to_uppercase() + rest
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_plain() {
        for good in ["a", "my-bot", "x/y/bot2", &format!("x/{}", "a".repeat(NAME_CHARS_MAX))] {
            assert!(of_folder(Path::new(good)).is_ok(), "{good}");
        }
        let long = "a".repeat(NAME_CHARS_MAX + 1);
        for bad in ["", "..", "/", "My-bot", "2bot", "-bot", "my_bot", "my bot", "b\u{f6}t", "bot.wasm", &long] {
            assert!(of_folder(Path::new(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn names_of_packages_are_known() {
        let names: Vec<&str> = packages().collect();
        for name in ["arena-sdk", "arena-rules", "arena-wire", "sha2"] {
            assert!(names.contains(&name), "{name} is not in {names:?}");
        }
        assert!(!names.contains(&NAME));
    }

    #[test]
    fn names_that_rust_keeps_are_reserved() {
        for name in ["fn", "gen", "loop", "match", "self", "crate", "yield", "std", "proc-macro", "test", "sha2"] {
            assert!(reserved_in_rust(name).is_some(), "{name}");
        }
        // The last ones are keywords only in some places.
        for name in ["fn-bot", "mine", "tests", "union", "raw", "macro-rules"] {
            assert_eq!(reserved_in_rust(name), None, "{name}");
        }
        assert!(RESERVED_IN_RUST.is_sorted());
    }

    #[test]
    fn words_are_joined_as_a_language_joins_them() {
        assert_eq!(snake("game-of-game-of-life"), "game_of_game_of_life");
        assert_eq!(camel("game-of-game-of-life"), "gameOfGameOfLife");
        assert_eq!(camel("conquerors"), "conquerors");
    }
}
