//! `arena new`: a project for a bot that builds, is accepted, and plays every game.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use arena_baselines::Opponent;
use arena_wire::{GAMES, Game};
use clap::{Args, ValueEnum};

use crate::exit::{Exit, program};
use crate::game::GameChoice;

/// Characters of a bot's name, at most.
const NAME_CHARS_MAX: usize = 32;

/// Stands for the bot's name in the templates.
const NAME: &str = "{{name}}";

/// Names that no crate of a Rust project can have: the words that edition 2024 keeps for the language, since a test could not
/// import from such a crate, and the crates that come with the compiler.
/// Source: <https://doc.rust-lang.org/reference/keywords.html>, strict and reserved; a bot's name has no capitals.
const TAKEN_IN_RUST: [&str; 56] = [
    "abstract",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "const",
    "continue",
    "core",
    "crate",
    "do",
    "dyn",
    "else",
    "enum",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "if",
    "impl",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "priv",
    "proc_macro",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
    "yield",
];

/// Files of `sdk/`, by their paths there.
const SDK: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sdk.rs"));

#[derive(Args)]
pub(crate) struct New {
    /// The folder to make. Its last part is the bot's name: lower-case letters, digits and hyphens, a letter first.
    folder: PathBuf,
    /// The language to write it in.
    #[arg(long = "lang", value_enum)]
    language: Language,
    #[command(flatten)]
    choice: GameChoice,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Language {
    Rust,
    C,
    Zig,
    #[value(name = "assemblyscript")]
    AssemblyScript,
    /// WebAssembly text.
    Wat,
}

impl Language {
    fn name(self) -> &'static str {
        match self {
            Language::Rust => "rust",
            Language::C => "c",
            Language::Zig => "zig",
            Language::AssemblyScript => "assemblyscript",
            Language::Wat => "wat",
        }
    }

    fn title(self) -> &'static str {
        match self {
            Language::Rust => "Rust",
            Language::C => "C",
            Language::Zig => "Zig",
            Language::AssemblyScript => "AssemblyScript",
            Language::Wat => "WebAssembly text",
        }
    }

    /// Where the author's code goes.
    fn source(self) -> &'static str {
        match self {
            Language::Rust => "src/lib.rs",
            Language::C => "bot.c",
            Language::Zig => "bot.zig",
            Language::AssemblyScript => "bot.ts",
            Language::Wat => "bot.wat",
        }
    }

    /// What in the source plays a game.
    fn function(self, game: &Game) -> String {
        let rules = rules(game);
        match self {
            Language::Rust => format!("impl Bot<{rules}::Position>"),
            Language::C => rules,
            Language::Zig | Language::AssemblyScript => camel(game.name()),
            Language::Wat => format!("${rules}"),
        }
    }

    /// The command that makes the module.
    fn build(self, name: &str) -> String {
        match self {
            Language::Rust => "cargo build --release --target wasm32-unknown-unknown".into(),
            Language::C | Language::Zig => "sh build.sh".into(),
            Language::AssemblyScript => "npm install && npm run build".into(),
            Language::Wat => format!("arena assemble arena.wat bot.wat --output {name}.wasm"),
        }
    }

    /// Where that command leaves it.
    fn module(self, name: &str) -> String {
        match self {
            Language::Rust => format!("target/wasm32-unknown-unknown/release/{}.wasm", library(name)),
            _ => format!("{name}.wasm"),
        }
    }

    /// What has to be there before the first command.
    fn needs(self) -> &'static str {
        match self {
            Language::Rust => "Rust 1.95 or newer is needed, and once `rustup target add wasm32-unknown-unknown`.",
            Language::C => {
                "clang and wasm-ld are needed (Debian: `apt-get install clang lld`), or Python 3 with pip: then `build.sh` \
                 fetches a compiler of 100 MB into this folder."
            }
            Language::Zig => "Python 3 with pip is needed: `build.sh` fetches Zig, 100 MB, into this folder.",
            Language::AssemblyScript => "Node.js 20 or newer with npm is needed.",
            Language::Wat => "Nothing else is needed.",
        }
    }

    /// The folder's layer over the contract, in a line of the README.
    fn layer(self) -> &'static str {
        match self {
            Language::Rust => {
                "`arena-sdk/`: the SDK, with the referee's own rules. `cargo doc --open --package arena-sdk` shows it.\n\
                 - `cargo test` plays the bot against positions of recorded games, `cargo bench` measures a turn: `tests/`, `benches/`."
            }
            Language::C => "`arena.h`: observations, actions, the log, random numbers, and a board to think on.",
            Language::Zig => "`arena.zig`: observations, actions, the log, random numbers, and a board to think on.",
            Language::AssemblyScript => {
                "`arena.ts`: observations, actions, the log, random numbers, and a board to think on."
            }
            Language::Wat => "`arena.wat`: observations, actions, the log, random numbers, and a board to think on.",
        }
    }

    /// Files and folders of the SDK that come along, and where they go.
    fn along(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Language::Rust => &[("rules", "arena-sdk/rules"), ("wire", "arena-sdk/wire"), ("rust", "arena-sdk/rust")],
            Language::C => &[("c", "")],
            Language::Zig => &[("zig", "")],
            Language::AssemblyScript => &[("assemblyscript", "")],
            Language::Wat => &[("wat", "")],
        }
    }
}

pub(crate) fn run(new: &New, out: &mut dyn Write) -> Result<Exit> {
    let name = name(&new.folder)?;
    if new.language == Language::Rust
        && let Some(why) = taken_in_rust(name)
    {
        bail!("{why} is called {name}; choose another name, such as {name}-bot");
    }
    let files = project(new.language, name, new.choice.game);
    make(&new.folder, name, &files)?;
    let (language, game) = (new.language, option(new.choice.game));
    let module = language.module(name);
    let opponent = opponent(new.choice.game, &module);
    let arena = program_from_there();
    writeln!(out, "{}: a bot in {} that plays already; its README says more", new.folder.display(), language.title())?;
    writeln!(out, "  cd {}", quoted(&new.folder.display().to_string()))?;
    writeln!(out, "  {}", language.build(name).replacen("arena ", &format!("{arena} "), 1))?;
    writeln!(out, "  {arena} check {module}{game}")?;
    writeln!(out, "  {arena} play {module} {opponent}{game}")?;
    Ok(Exit::Yes)
}

/// Makes the folder whole or not at all: it is written beside its place, and moved there.
fn make(folder: &Path, name: &str, files: &[(String, String)]) -> Result<()> {
    if folder.symlink_metadata().is_ok() {
        bail!("{} is there already; nothing was changed: choose another name, or remove it", folder.display());
    }
    if !folder.parent().is_some_and(is_folder) {
        bail!("the folder that {} is to be in is not there; make it first", folder.display())
    }
    let beside = folder.with_file_name(format!(".{name}.{}", std::process::id()));
    fs::create_dir(&beside).with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let made = write(&beside, files).and_then(|()| {
        // Whatever came there in the meantime stays: only an empty folder can be moved onto.
        fs::rename(&beside, folder).with_context(|| format!("cannot make the folder {}", folder.display()))
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
fn write(folder: &Path, files: &[(String, String)]) -> Result<()> {
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

/// The bot's name, by its folder.
fn name(folder: &Path) -> Result<&str> {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let is_plain = name.starts_with(|first: char| first.is_ascii_lowercase())
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-');
    if !is_plain || name.len() > NAME_CHARS_MAX {
        bail!(
            "{:?} is no name for a bot: it has 1 to {NAME_CHARS_MAX} lower-case letters, digits and hyphens, a letter first",
            folder.display().to_string()
        );
    }
    Ok(name)
}

/// What has a name already that a project in Rust would need for itself.
fn taken_in_rust(name: &str) -> Option<&'static str> {
    if TAKEN_IN_RUST.contains(&library(name).as_str()) {
        return Some("a word of Rust, or a crate that comes with it,");
    }
    packages().any(|package| package == name).then_some("a package that a project in Rust is built from")
}

/// Packages that a project in Rust is built from, by its lock file. Cargo cannot tell one of the same name from them.
fn packages() -> impl Iterator<Item = &'static str> {
    let (_, lock) = under("templates/rust/Cargo.lock", "").next().unwrap_or_default();
    let names = lock.lines().filter_map(|line| line.strip_prefix("name = \"")?.strip_suffix('"'));
    names.filter(|name| *name != NAME)
}

/// The files of a new project: paths and texts.
fn project(language: Language, name: &str, game: &Game) -> Vec<(String, String)> {
    let template = format!("templates/{}", language.name());
    let module = language.module(name);
    let words = [
        (NAME, name.to_owned()),
        ("{{library}}", library(name)),
        ("{{language}}", language.title().to_owned()),
        ("{{build}}", language.build(name)),
        ("{{source}}", language.source().to_owned()),
        ("{{function}}", language.function(game)),
        ("{{needs}}", language.needs().to_owned()),
        ("{{layer}}", language.layer().to_owned()),
        ("{{title}}", game.title.to_owned()),
        ("{{rules}}", rules(game)),
        ("{{game}}", option(game)),
        ("{{seat}}", if alternates(game) { "" } else { " --seat 1" }.to_owned()),
        ("{{turns}}", turns(game).to_owned()),
        ("{{opponent}}", opponent(game, &module)),
        ("{{module}}", module),
    ];
    let filled = |text: &str| words.iter().fold(text.to_owned(), |text, (word, value)| text.replace(word, value));
    let of_game = format!("{template}-games/{}", game.name());
    // The second is there in Rust alone: tests and benches are of one game, the bot is of all.
    let mut taken = vec![(template.as_str(), ""), (of_game.as_str(), "")];
    taken.extend([("templates/README.md", "README.md"), ("ABI.md", "ABI.md")]);
    let mut files = Vec::new();
    for (from, to) in taken {
        files.extend(under(from, to).map(|(path, text)| (path, filled(text))));
    }
    for (from, to) in language.along() {
        files.extend(under(from, to).map(|(path, text)| {
            let text = if path.ends_with("Cargo.toml") { without_tests(text) } else { text.to_owned() };
            (path, text)
        }));
    }
    files
}

/// What most languages call a game: in Rust, the module of its rules.
fn rules(game: &Game) -> String {
    game.name().replace('-', "_")
}

/// A file of the SDK, or all in a folder of it, with where they go.
fn under(from: &str, to: &str) -> impl Iterator<Item = (String, &'static str)> {
    SDK.iter().filter_map(move |(path, text)| {
        let rest = path.strip_prefix(from)?;
        let rest = match rest.strip_prefix('/') {
            Some(rest) => rest,
            None if rest.is_empty() => rest,
            None => return None,
        };
        // A file of its real name would be taken for this repository's own.
        let rest = if rest == "gitignore" { ".gitignore" } else { rest };
        let between = if to.is_empty() || rest.is_empty() { "" } else { "/" };
        Some((format!("{to}{between}{rest}"), *text))
    })
}

/// A manifest without what its crate's tests and examples need: they stay at home.
fn without_tests(manifest: &str) -> String {
    let mut is_kept = true;
    let mut kept = String::new();
    for line in manifest.lines() {
        if line.starts_with('[') {
            is_kept = !["[dev-dependencies]", "[[example]]"].contains(&line);
        }
        if is_kept {
            kept.push_str(line);
            kept.push('\n');
        }
    }
    kept
}

/// The name as Rust's libraries have it.
fn library(name: &str) -> String {
    name.replace('-', "_")
}

/// `some-words` as `someWords`.
fn camel(name: &str) -> String {
    let mut words = name.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |text, word| {
        let (initial, rest) = word.split_at(word.len().min(1));
        text + &initial.to_uppercase() + rest
    })
}

/// What has to be said for a game that is not the first.
fn option(game: &Game) -> String {
    if game.ruleset == GAMES[0].ruleset { String::new() } else { format!(" --game {}", game.name()) }
}

/// Whether the seats of a casual game answer one after the other.
fn alternates(game: &Game) -> bool {
    game.shape(game.casual).is_ok_and(|shape| shape.alternates)
}

/// Which turns of a match's games are those of the bot that is named first.
fn turns(game: &Game) -> &'static str {
    if alternates(game) {
        "Games with an even number begin with the bot's turn, those with an odd one with the opponent's."
    } else {
        "Every seat is asked in every turn. In games with an even number the bot has seat 1, in the others seat 2."
    }
}

/// Whom a new bot is played against: the weakest there is, or itself.
fn opponent(game: &Game, module: &str) -> String {
    Opponent::sample(game.ruleset).map_or_else(|| module.to_owned(), |opponent| opponent.name().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of the recording in a new project: a person may look into it.
    const RECORDING_BYTES_MAX: usize = 10_000;

    fn languages() -> &'static [Language] {
        Language::value_variants()
    }

    fn text(files: &[(String, String)], path: &str) -> String {
        files.iter().find(|(name, _)| name == path).unwrap_or_else(|| panic!("no {path}")).1.clone()
    }

    /// Words in double braces; C and Rust have other things there.
    fn blanks(text: &str) -> Vec<&str> {
        let words = text.split("{{").skip(1).filter_map(|rest| Some(rest.split_once("}}")?.0));
        words.filter(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase())).collect()
    }

    #[test]
    fn names_are_plain() {
        for good in ["a", "my-bot", "x/y/bot2", &format!("x/{}", "a".repeat(NAME_CHARS_MAX))] {
            assert!(name(Path::new(good)).is_ok(), "{good}");
        }
        let long = "a".repeat(NAME_CHARS_MAX + 1);
        for bad in ["", "..", "/", "My-bot", "2bot", "-bot", "my_bot", "my bot", "b\u{f6}t", "bot.wasm", &long] {
            assert!(name(Path::new(bad)).is_err(), "{bad}");
        }
    }

    #[test]
    fn no_blank_is_left_and_no_path_is_there_twice() {
        for language in languages() {
            for game in GAMES {
                let files = project(*language, "my-bot", game);
                let mut paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
                for path in ["README.md", "ABI.md", ".gitignore", language.source()] {
                    assert!(paths.contains(&path), "{language:?} has no {path}");
                }
                for (path, text) in &files {
                    assert_eq!(blanks(text), [""; 0], "{language:?} {path}");
                    assert!(!text.is_empty(), "{language:?} {path}");
                }
                let count = paths.len();
                paths.sort_unstable();
                paths.dedup();
                assert_eq!(paths.len(), count);
            }
        }
    }

    #[test]
    fn every_template_plays_every_game() {
        for language in languages() {
            for game in GAMES {
                let files = project(*language, "my-bot", game);
                let function = language.function(game);
                assert!(text(&files, language.source()).contains(&function), "{language:?}: no {function}");
                assert!(text(&files, "README.md").contains(&format!("arena check {}", language.module("my-bot"))));
            }
        }
    }

    #[test]
    fn the_rust_project_tests_and_measures_the_game_that_was_asked_for() {
        for game in GAMES {
            let files = project(Language::Rust, "my-bot", game);
            let used = format!("use arena_sdk::{}::", rules(game));
            for path in ["tests/recorded.rs", "tests/last_turn.rs", "benches/turns.rs"] {
                assert!(text(&files, path).contains(&used), "{path} of {}", game.name());
            }
            let recording = text(&files, "tests/recorded.txt");
            assert!(recording.lines().next().is_some_and(|first| first.contains(game.ruleset)), "{}", game.name());
            assert!(recording.len() < RECORDING_BYTES_MAX, "{}", game.name());
        }
    }

    #[test]
    fn the_rust_project_knows_what_the_sdk_inherits() {
        let files = project(Language::Rust, "my-bot", &GAMES[0]);
        let known: toml::Table = text(&files, "Cargo.toml").parse().expect("a manifest");
        for part in ["rules", "wire", "rust"] {
            let manifest: toml::Table =
                text(&files, &format!("arena-sdk/{part}/Cargo.toml")).parse().expect("a manifest");
            assert!(!manifest.contains_key("dev-dependencies") && !manifest.contains_key("example"));
            let targets = manifest.get("target").and_then(toml::Value::as_table).into_iter().flatten();
            let tables =
                targets.filter_map(|(_, target)| target.get("dependencies")).chain(manifest.get("dependencies"));
            for dependency in tables.flat_map(|table| table.as_table().expect("a table").keys()) {
                assert!(known["workspace"]["dependencies"].get(dependency).is_some(), "{part}: {dependency}");
            }
            for (key, value) in manifest["package"].as_table().expect("a table") {
                let is_inherited = value.get("workspace").is_some();
                assert!(!is_inherited || known["workspace"]["package"].get(key).is_some(), "{part}: {key}");
            }
        }
    }

    #[test]
    fn versions_from_outside_are_this_workspaces() {
        let ours: toml::Table = include_str!("../../../Cargo.toml").parse().expect("a manifest");
        let files = project(Language::Rust, "my-bot", &GAMES[0]);
        let theirs: toml::Table = text(&files, "Cargo.toml").parse().expect("a manifest");
        for (name, value) in theirs["workspace"]["dependencies"].as_table().expect("a table") {
            if value.get("path").is_none() {
                assert_eq!(Some(value), ours["workspace"]["dependencies"].get(name), "{name}");
            }
        }
        assert_eq!(theirs["workspace"]["package"]["rust-version"], ours["workspace"]["package"]["rust-version"]);
    }

    #[test]
    fn the_rust_project_is_built_of_what_this_workspace_is() {
        let ours: toml::Table = include_str!("../../../Cargo.lock").parse().expect("a lock file");
        let theirs: toml::Table =
            text(&project(Language::Rust, "my-bot", &GAMES[0]), "Cargo.lock").parse().expect("a lock file");
        let packages = |lock: &toml::Table| lock["package"].as_array().expect("a list").clone();
        let ours = packages(&ours);
        for package in packages(&theirs) {
            let is_same = |our: &toml::Value| {
                ["name", "version", "source", "checksum"].iter().all(|key| our.get(key) == package.get(key))
            };
            let is_its_own = package.get("source").is_none();
            assert!(is_its_own || ours.iter().any(is_same), "not in this workspace's Cargo.lock: {package}");
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
    fn names_that_rust_keeps_are_taken() {
        for name in ["fn", "gen", "loop", "match", "self", "crate", "yield", "std", "proc-macro", "test", "sha2"] {
            assert!(taken_in_rust(name).is_some(), "{name}");
        }
        // The last are words of the language only in their places.
        for name in ["fn-bot", "mine", "tests", "union", "raw", "macro-rules"] {
            assert_eq!(taken_in_rust(name), None, "{name}");
        }
        assert!(TAKEN_IN_RUST.is_sorted());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_folder_that_takes_nothing_is_not_said_to_be_missing() {
        let error = make(Path::new("/proc/mine"), "mine", &[]).expect_err("no folder can be made there");
        assert_eq!(error.to_string(), "cannot make the folder /proc/mine");
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

    #[test]
    fn c_and_zig_are_compiled_by_the_same() {
        let pin = |language| text(&project(language, "my-bot", &GAMES[0]), "requirements.txt");
        assert_eq!(pin(Language::C), pin(Language::Zig));
    }
}
