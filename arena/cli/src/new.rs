//! `arena new`: a project for a bot that builds, is accepted, and plays every game.
//!
//! | module | contents |
//! |---|---|
//! | `ask` | the questions, for a person at a terminal |
//! | `languages` | the table of languages |
//! | `names` | the form of a bot's name, and the names that a language reserves |
//! | `games` | what a template must know of a game |
//! | `templates` | the files of a project, with their blanks filled |
//! | `embedded` | the files of `sdk/` that are compiled in |

mod ask;
mod embedded;
mod games;
mod languages;
mod names;
mod templates;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use arena_wire::{GAMES, Game};
use clap::{Args, ValueEnum};

use self::ask::Asker;
pub(crate) use self::languages::Language;
use self::templates::{File, Project};
use crate::exit::{Exit, program};
use crate::game;
use crate::tools::{State, Tool};

/// The start of a command of this program, as templates write it.
pub(crate) const ARENA: &str = "arena ";

#[derive(Args)]
pub(crate) struct New {
    /// The folder to create. Its last part is the bot's name: lower-case letters, digits and hyphens, starting with a
    /// letter. In a terminal, `new` asks for what is missing.
    folder: Option<PathBuf>,
    /// The language of the bot.
    #[arg(long = "lang", value_enum)]
    language: Option<Language>,
    #[arg(long = "game", value_name = "GAME", help = game::names(), value_parser = game::named)]
    game: Option<&'static Game>,
}

/// The commands to type in a new project, in this order. Those of this program begin with [`ARENA`].
pub(crate) struct Commands {
    /// None for a script.
    pub(crate) build: Option<String>,
    pub(crate) check: String,
    pub(crate) play: String,
}

/// The complete description of a new bot.
struct Wanted {
    folder: PathBuf,
    language: Language,
    game: &'static Game,
}

pub(crate) fn run(new: &New, out: &mut dyn Write) -> Result<Exit> {
    let wanted = new.complete(Asker::here().as_mut())?;
    let Wanted { folder, language, game } = &wanted;
    let Commands { build, check, play } = start(folder, *language, game)?;
    let title = language.row().title;
    writeln!(out, "{}: a bot in {title} that plays already; its README says more", folder.display())?;
    writeln!(out, "  cd {}", quoted(&folder.display().to_string()))?;
    if let Some(command) = once_before(*language, Tool::look) {
        writeln!(out, "  {command}")?;
    }
    let arena = program_from_there();
    for command in build.into_iter().chain([check, play]) {
        writeln!(out, "  {}", command.replacen(ARENA, &format!("{arena} "), 1))?;
    }
    Ok(Exit::Yes)
}

/// The command that a machine needs once, before the others: a bot in Rust is built for a target that may not be
/// installed.
fn once_before(language: Language, look: impl Fn(Tool) -> State) -> Option<&'static str> {
    let lacks_target = language == Language::Rust && !matches!(look(Tool::WasmTarget), State::Found { .. });
    lacks_target.then(|| Tool::WasmTarget.row().get.trim_matches('`'))
}

/// Creates a project in a new folder.
///
/// # Errors
/// If the folder's name is not one for a bot in this language, or the folder cannot be created.
pub(crate) fn start(folder: &Path, language: Language, game: &Game) -> Result<Commands> {
    let name = name_of(folder, language)?;
    let project = Project::new(language, name, game);
    make(folder, name, &project.files())?;
    let (module, option) = (project.module(), game::option(game));
    let opponent = games::opponent(game, &module);
    Ok(Commands {
        build: project.build(),
        check: format!("{ARENA}check {module}{option}"),
        play: format!("{ARENA}play {module} {opponent}{option}"),
    })
}

/// The name of a bot in this folder and language.
fn name_of(folder: &Path, language: Language) -> Result<&str> {
    let name = names::of_folder(folder)?;
    // In the other languages, only the module has the name.
    if language == Language::Rust
        && let Some(why) = names::reserved_in_rust(name)
    {
        bail!("{why} is called {name}; choose another name, such as {name}-bot");
    }
    Ok(name)
}

impl New {
    /// Asks for what is missing, if there is a person to ask. If folder and language are given, nothing is asked, and
    /// the game is the first one by default.
    fn complete(&self, asker: Option<&mut Asker>) -> Result<Wanted> {
        let first = &GAMES[0];
        if let (Some(folder), Some(language)) = (&self.folder, self.language) {
            return Ok(Wanted { folder: folder.clone(), language, game: self.game.unwrap_or(first) });
        }
        let languages = Language::value_variants();
        let Some(asker) = asker else {
            let names: Vec<String> = languages.iter().map(|language| language.name()).collect();
            bail!("a new bot needs a folder and a language: {} new FOLDER --lang {}", program(), names.join("|"));
        };
        let language = match self.language {
            Some(language) => language,
            None => {
                languages[asker.choose("Language", &languages.iter().map(|one| one.row().title).collect::<Vec<_>>())?]
            }
        };
        let game = match self.game {
            Some(game) => game,
            None => &GAMES[asker.choose("Game", &GAMES.iter().map(|game| game.title).collect::<Vec<_>>())?],
        };
        let folder = match &self.folder {
            Some(folder) => folder.clone(),
            None => asker.folder(&|folder| ensure_free(folder).and_then(|()| name_of(folder, language).map(drop)))?,
        };
        Ok(Wanted { folder, language, game })
    }
}

/// Refuses a path that exists.
fn ensure_free(folder: &Path) -> Result<()> {
    if folder.symlink_metadata().is_ok() {
        bail!("{} already exists; nothing was changed: choose another name, or remove it", folder.display());
    }
    Ok(())
}

/// Creates the folder entirely or not at all: it is written beside its place, then moved there.
fn make(folder: &Path, name: &str, files: &[File]) -> Result<()> {
    ensure_free(folder)?;
    if !folder.parent().is_some_and(is_folder) {
        bail!("the parent folder of {} does not exist; create it first", folder.display())
    }
    let beside = folder.with_file_name(format!(".{name}.{}", std::process::id()));
    fs::create_dir(&beside).with_context(|| format!("cannot create the folder {}", folder.display()))?;
    let made = write(&beside, files).and_then(|()| {
        // Keeps what was created there meanwhile: only an empty folder can be replaced.
        fs::rename(&beside, folder).with_context(|| format!("cannot create the folder {}", folder.display()))
    });
    if made.is_err() {
        fs::remove_dir_all(&beside).with_context(|| format!("cannot remove {}", beside.display()))?;
    }
    made
}

/// Whether a path leads to a folder. The empty path is the current one.
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

/// A path quoted for a shell.
fn quoted(path: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-".contains(c);
    if path.chars().all(is_plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// This program as it is found from the new folder: by the name it was called, or by its whole path if it was called by
/// a path.
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

    /// Answers from a script: an item, and folders until one is accepted.
    pub(super) struct Script {
        choices: Vec<usize>,
        folders: Vec<&'static str>,
        /// All questions, and all objections.
        heard: Vec<String>,
    }

    impl Script {
        pub(super) fn choose(&mut self, what: &str, items: &[&str]) -> Result<usize> {
            self.heard.push(format!("{what}: {}", items.join(", ")));
            Ok(self.choices.remove(0))
        }

        pub(super) fn folder(&mut self, judge: &dyn Fn(&Path) -> Result<()>) -> Result<PathBuf> {
            loop {
                let folder = Path::new(self.folders.remove(0));
                match judge(folder) {
                    Ok(()) => return Ok(folder.to_owned()),
                    Err(error) => self.heard.push(error.to_string()),
                }
            }
        }
    }

    fn heard(asker: Asker) -> Vec<String> {
        let Asker::Script(script) = asker else { panic!("a script answers") };
        script.heard
    }

    #[test]
    fn what_is_not_given_is_asked_for_until_it_can_be_made() {
        let script = Script { choices: vec![0, 1], folders: vec!["My Bot", "fn", "src", "mine"], heard: Vec::new() };
        let mut asker = Asker::Script(script);
        let nothing = New { folder: None, language: None, game: None };
        let wanted = nothing.complete(Some(&mut asker)).expect("all is answered");
        assert_eq!((wanted.folder.to_str(), wanted.language), (Some("mine"), Language::Rust));
        assert_eq!(wanted.game.ruleset, GAMES[1].ruleset);
        let heard = heard(asker);
        assert_eq!(
            heard[0],
            "Language: Rust, C, Zig, AssemblyScript, WebAssembly text, JavaScript, TypeScript, Python"
        );
        assert!(heard[1].starts_with("Game: ") && heard[1].contains(GAMES[1].title), "{heard:?}");
        assert!(heard[2].contains("is not a name for a bot"), "{}", heard[2]);
        assert!(heard[3].contains("choose another name, such as fn-bot"), "{}", heard[3]);
        assert!(heard[4].contains("src already exists"), "{}", heard[4]);
    }

    #[test]
    fn nothing_is_asked_that_was_given() {
        let mut asker = Asker::Script(Script { choices: vec![0], folders: vec!["mine"], heard: Vec::new() });
        let game = Some(&GAMES[1]);
        let named = New { folder: Some("mine".into()), language: None, game };
        assert_eq!(named.complete(Some(&mut asker)).expect("one answer").language, Language::Rust);
        let in_c = New { folder: None, language: Some(Language::C), game };
        assert_eq!(in_c.complete(Some(&mut asker)).expect("one answer").folder.to_str(), Some("mine"));
        let whole = New { folder: Some("mine".into()), language: Some(Language::C), game: None };
        let wanted = whole.complete(Some(&mut asker)).expect("no question");
        assert_eq!(wanted.game.ruleset, GAMES[0].ruleset);
        let heard = heard(asker);
        assert_eq!(heard.len(), 1, "{heard:?}");
    }

    #[test]
    fn the_target_is_added_before_a_first_build_in_rust() {
        let missing = |_: Tool| State::Missing;
        let found = |_: Tool| State::Found { version: "found".into() };
        let add = Some("rustup target add wasm32-unknown-unknown");
        assert_eq!(once_before(Language::Rust, missing), add);
        assert_eq!(once_before(Language::Rust, found), None);
        assert_eq!(once_before(Language::C, missing), None);
    }

    #[test]
    fn a_folder_is_written_as_a_shell_takes_it() {
        for (folder, expected) in [("mine", "mine"), ("my dir/bot", "'my dir/bot'"), ("it's/bot", r"'it'\''s/bot'")] {
            assert_eq!(quoted(folder), expected);
        }
    }
}
