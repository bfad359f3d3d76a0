//! A newcomer's first minutes in a language, recorded as text: the demo's commands on its tournament, then each command
//! of a new project with all of its output, from the first build to its own tournament.

use std::time::Instant;

use anyhow::{Context, Result};
use fs_err as fs;

use super::newcomer::{Newcomer, shell};
use super::trial::commands;
use crate::files::remove_folder;
use crate::process::output;

/// The languages that are recorded, as in `arena new --lang`.
const LANGUAGES: [&str; 3] = ["rust", "c", "assemblyscript"];

/// The recorded bot's name.
const NAME: &str = "mybot";

/// The demo's commands in the repository's folder: the tournament, one of its games, and its verification.
const DEMO: [&str; 3] = [
    "arena tournament run tournaments/definitions/opening.toml --out target/demo",
    "arena replay target/demo#15 --turn 24",
    "arena verify target/demo",
];

/// The commands after those of the project's README, with `MODULE` for the bot: a mistake, better opponents, and a
/// tournament that is played, viewed and verified.
const AFTER: [&str; 7] = [
    "arena check MODUL || true",
    "arena play MODULE normal --games 40",
    "arena play MODULE mason --games 40",
    "printf 'name = \"My cup\"\\nruleset = \"conquerors@2\"\\nseed = 7\\npairs = 5\\n' > cup.toml
printf '[[entrants]]\\nname = \"mybot\"\\nfile = \"MODULE\"\\n' >> cup.toml
for bot in easy normal hard; do printf '[[entrants]]\\nname = \"%s\"\\nbaseline = \"%s\"\\n' $bot $bot >> cup.toml; done",
    "arena tournament run cup.toml --out cup",
    "arena replay cup#3 --turn 8",
    "arena verify cup",
];

/// Writes a recording for each language into `docs/first-minutes`.
///
/// # Errors
/// If a command fails.
pub(crate) fn record(newcomer: &Newcomer) -> Result<()> {
    let docs = newcomer.workspace.root.join("docs/first-minutes");
    fs::create_dir_all(&docs)?;
    let env = newcomer.env()?;
    for language in LANGUAGES {
        let home = newcomer.workspace.target.join("first-minutes").join(language);
        remove_folder(&home)?;
        fs::create_dir_all(&home)?;
        let project = home.join(NAME);
        let began = Instant::now();
        let mut text = String::new();
        let mut run = |place, command: &str| -> Result<()> {
            let said = output(&mut shell(place, &format!("{{ {command}; }} 2>&1"), &env))?;
            let said = said.replace(&home.display().to_string(), "~");
            let minute = began.elapsed().as_secs();
            text += &format!("$ {command}\n{}\n[{}:{:02}]\n\n", said.trim_end(), minute / 60, minute % 60);
            Ok(())
        };
        remove_folder(&newcomer.workspace.root.join("target/demo"))?;
        for command in DEMO {
            run(&newcomer.workspace.root, command)?;
        }
        run(&home, "arena doctor")?;
        run(&home, &format!("arena new {NAME} --lang {language}"))?;
        let readme = fs::read_to_string(project.join("README.md"))?;
        let [[build, check, play], [record, replay, debug]] = commands(&readme)?;
        for command in [build, check, play, record, replay, debug] {
            run(&project, command)?;
        }
        let module = play.split_whitespace().nth(2).context("a README plays the module")?;
        for command in AFTER {
            run(&project, &command.replace("MODULE", module).replace("MODUL", &module[..module.len() - 1]))?;
        }
        fs::write(docs.join(format!("{language}.txt")), text)?;
    }
    Ok(())
}
