//! Fills the templates of a new project. A blank is a word in double braces.

use arena_wire::Game;

use super::embedded::under;
use super::games;
use super::languages::{Language, Row};
use super::names::{NAME, camel, snake};
use crate::game;

/// A file of a project: its path, and its text.
pub(super) type File = (String, String);

/// The description of a project.
pub(super) struct Project<'a> {
    language: Language,
    row: &'static Row,
    name: &'a str,
    game: &'a Game,
}

impl<'a> Project<'a> {
    pub(super) fn new(language: Language, name: &'a str, game: &'a Game) -> Self {
        Self { language, row: language.row(), name, game }
    }

    /// The command that builds the module, if there is one.
    pub(super) fn build(&self) -> Option<String> {
        self.row.build.map(|build| self.named(build))
    }

    /// The file of the module after it, or of the script.
    pub(super) fn module(&self) -> String {
        self.named(self.row.module)
    }

    /// The function or type in the source that plays the game.
    fn function(&self) -> String {
        self.named(self.row.function)
    }

    /// The project's files: the filled templates, and a copy of the layer over the contract, which has no blanks.
    pub(super) fn files(&self) -> Vec<File> {
        let blanks = self.blanks();
        let templates = format!("templates/{}", self.language.name());
        let of_game = format!("{templates}-games/{}", self.game.name());
        // The second exists only for Rust: tests and benches are of one game, the bot is of all.
        let taken = [(&*templates, ""), (&*of_game, ""), ("templates/README.md", "README.md"), ("ABI.md", "ABI.md")];
        let mut files = Vec::new();
        for (from, to) in taken {
            files.extend(under(from, to).map(|(path, text)| (path, filled(text, &blanks))));
        }
        for (from, to) in self.row.along {
            files.extend(under(&self.named(from), to).map(|(path, text)| {
                let text = if path.ends_with("Cargo.toml") { without_tests(text) } else { text.to_owned() };
                (path, filled(&text, &blanks))
            }));
        }
        files
    }

    /// A text of the language's row, with the names of bot and game filled in.
    fn named(&self, text: &str) -> String {
        filled(text, &self.names())
    }

    /// The spellings of the names of bot and game.
    fn names(&self) -> Vec<(&'static str, String)> {
        let game = self.game.name();
        vec![
            (NAME, self.name.to_owned()),
            ("{{library}}", snake(self.name)),
            ("{{rules}}", snake(game)),
            ("{{camel}}", camel(game)),
            ("{{folder}}", game.to_owned()),
        ]
    }

    /// All blanks of the templates with their values.
    fn blanks(&self) -> Vec<(&'static str, String)> {
        let (row, game, module) = (self.row, self.game, self.module());
        let build = self.build().map_or_else(String::new, |build| build + "\n");
        let [builds, then, last] = match self.row.build {
            Some(_) => ["The first command builds the module. ", "second", "third"],
            None => ["There is nothing to build. ", "first command", "second"],
        };
        let mut blanks = self.names();
        blanks.extend([
            ("{{language}}", row.title.to_owned()),
            ("{{build}}", build),
            ("{{builds}}", builds.to_owned()),
            ("{{then}}", then.to_owned()),
            ("{{last}}", last.to_owned()),
            ("{{source}}", row.source.to_owned()),
            ("{{function}}", self.function()),
            ("{{needs}}", row.needs.to_owned()),
            ("{{layer}}", row.layer.to_owned()),
            ("{{title}}", game.title.to_owned()),
            ("{{game}}", game::option(game)),
            ("{{seat}}", games::seat(game).to_owned()),
            ("{{turns}}", games::turns(game).to_owned()),
            ("{{opponent}}", games::opponent(game, &module)),
            ("{{module}}", module),
        ]);
        blanks
    }
}

/// A text with its blanks filled.
fn filled(text: &str, blanks: &[(&str, String)]) -> String {
    blanks.iter().fold(text.to_owned(), |text, (blank, value)| text.replace(blank, value))
}

/// A manifest without the parts for its crate's tests and examples, which are not copied.
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

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use arena_wire::GAMES;
    use clap::ValueEnum;

    use super::*;

    /// Largest recording in a new project, in bytes: a person may read it.
    const RECORDING_BYTES_MAX: usize = 10_000;

    fn projects() -> impl Iterator<Item = (Language, Project<'static>)> {
        let languages = Language::value_variants().iter();
        languages.flat_map(|language| GAMES.iter().map(|game| (*language, Project::new(*language, "my-bot", game))))
    }

    fn files(language: Language) -> Vec<File> {
        Project::new(language, "my-bot", &GAMES[0]).files()
    }

    fn text(files: &[File], path: &str) -> String {
        files.iter().find(|(name, _)| name == path).unwrap_or_else(|| panic!("no {path}")).1.clone()
    }

    /// Words in double braces. C and Rust use double braces for other things, too.
    fn blanks(text: &str) -> Vec<&str> {
        let words = text.split("{{").skip(1).filter_map(|rest| Some(rest.split_once("}}")?.0));
        words.filter(|word| !word.is_empty() && word.chars().all(|c| c.is_ascii_lowercase())).collect()
    }

    #[test]
    fn no_blank_is_left_and_no_path_is_there_twice() {
        for (language, project) in projects() {
            let files = project.files();
            let mut paths: Vec<&str> = files.iter().map(|(path, _)| path.as_str()).collect();
            for path in ["README.md", "ABI.md", ".gitignore", language.row().source] {
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

    #[test]
    fn every_template_plays_every_game() {
        for (language, project) in projects() {
            let files = project.files();
            let function = project.function();
            assert!(text(&files, language.row().source).contains(&function), "{language:?}: no {function}");
            assert!(text(&files, "README.md").contains(&format!("arena check {}", project.module())));
        }
    }

    #[test]
    fn the_rust_project_tests_and_measures_the_game_that_was_asked_for() {
        for game in GAMES {
            let files = Project::new(Language::Rust, "my-bot", game).files();
            let used = format!("use arena_sdk::{}::", snake(game.name()));
            for path in ["tests/recorded.rs", "tests/last_turn.rs", "benches/turns.rs"] {
                assert!(text(&files, path).contains(&used), "{path} of {}", game.name());
            }
            let recording = text(&files, "tests/recorded.txt");
            assert!(recording.lines().next().is_some_and(|first| first.contains(game.ruleset)), "{}", game.name());
            assert!(recording.len() < RECORDING_BYTES_MAX, "{}", game.name());
        }
    }

    /// What a manifest's crate depends on, on any target.
    fn dependencies(manifest: &toml::Table) -> BTreeSet<&str> {
        let targets = manifest.get("target").and_then(toml::Value::as_table).into_iter().flatten();
        let tables = targets.filter_map(|(_, target)| target.get("dependencies")).chain(manifest.get("dependencies"));
        tables.flat_map(|table| table.as_table().expect("a table").keys()).map(String::as_str).collect()
    }

    #[test]
    fn the_rust_project_knows_what_the_sdk_inherits() {
        let files = files(Language::Rust);
        let known: toml::Table = text(&files, "Cargo.toml").parse().expect("a manifest");
        for part in ["rules", "wire", "rust"] {
            let manifest: toml::Table =
                text(&files, &format!("arena-sdk/{part}/Cargo.toml")).parse().expect("a manifest");
            assert!(!manifest.contains_key("dev-dependencies") && !manifest.contains_key("example"));
            for dependency in dependencies(&manifest) {
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
        let ours: toml::Table = include_str!("../../../../Cargo.toml").parse().expect("a manifest");
        let theirs: toml::Table = text(&files(Language::Rust), "Cargo.toml").parse().expect("a manifest");
        for (name, value) in theirs["workspace"]["dependencies"].as_table().expect("a table") {
            if value.get("path").is_none() {
                assert_eq!(Some(value), ours["workspace"]["dependencies"].get(name), "{name}");
            }
        }
        for key in ["version", "rust-version"] {
            assert_eq!(theirs["workspace"]["package"][key], ours["workspace"]["package"][key], "{key}");
        }
    }

    #[test]
    fn the_rust_project_is_built_of_what_this_workspace_is() {
        let ours: toml::Table = include_str!("../../../../Cargo.lock").parse().expect("a lock file");
        let theirs: toml::Table = text(&files(Language::Rust), "Cargo.lock").parse().expect("a lock file");
        let packages = |lock: &toml::Table| lock["package"].as_array().expect("a list").clone();
        let ours = packages(&ours);
        for package in packages(&theirs) {
            let is_same = |our: &toml::Value| {
                ["name", "version", "source", "checksum"].iter().all(|key| our.get(key) == package.get(key))
            };
            let is_its_own = package["name"].as_str() == Some("my-bot");
            assert!(is_its_own || ours.iter().any(is_same), "not in this workspace's Cargo.lock: {package}");
        }
    }

    #[test]
    fn the_rust_project_is_locked_to_what_its_crates_depend_on() {
        let files = files(Language::Rust);
        let lock: toml::Table = text(&files, "Cargo.lock").parse().expect("a lock file");
        let packages = lock["package"].as_array().expect("a list");
        let listed = |package: &toml::Value| -> BTreeSet<String> {
            let list = package.get("dependencies").and_then(toml::Value::as_array).into_iter().flatten();
            list.map(|name| name.as_str().expect("a name").to_owned()).collect()
        };
        for part in ["rules", "wire", "rust"] {
            let manifest: toml::Table =
                text(&files, &format!("arena-sdk/{part}/Cargo.toml")).parse().expect("a manifest");
            let package = packages.iter().find(|package| package["name"] == manifest["package"]["name"]);
            let locked = package.map(listed).unwrap_or_default();
            assert!(locked.iter().eq(dependencies(&manifest)), "{part}: {locked:?}");
        }
        let needed: BTreeSet<String> = packages.iter().flat_map(listed).collect();
        for name in packages.iter().map(|package| package["name"].as_str().expect("a name")) {
            assert!(name == "my-bot" || needed.contains(name), "nothing depends on {name}");
        }
    }

    #[test]
    fn c_and_zig_are_compiled_by_the_same() {
        let pin = |language| text(&files(language), "requirements.txt");
        assert_eq!(pin(Language::C), pin(Language::Zig));
    }
}
