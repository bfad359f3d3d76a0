//! What a newcomer does, done with the binary: every bot is checked and played, and in every language a bot is started
//! with `arena new` and brought into a game by the commands that its own README names.

use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;

use crate::languages::{Compilers, Language};
use crate::process::output;
use crate::wasm::WasmToolchain;
use crate::workspace::{Workspace, remove_folder};

/// Languages that need nothing but what the arena itself needs.
const OWN_LANGUAGES: [&str; 2] = ["rust", "wat"];

/// Which game each bot of the gallery has to play.
const GALLERY: [(&str, &str); 8] = [
    ("beekeeper", "conquerors"),
    ("farmer", "conquerors"),
    ("gardener", "conquerors"),
    ("marshal", "war-of-life"),
    ("mason", "conquerors"),
    ("raider", "conquerors"),
    ("scatter", "conquerors"),
    ("strategist", "conquerors"),
];

/// What begins a line of `arena --version` about a game; name and version of its ruleset follow.
const GAME_LINE: &str = "semantics of ";

/// Commands of a new project in Rust beside those of its README's blocks: they do not concern WebAssembly.
const ON_THIS_MACHINE: [&str; 2] = ["cargo test", "cargo bench"];

/// What the new bots are called.
const NAME: &str = "first-bot";

/// Games of each match: both seats, twice.
const MATCH: &str = "4";

/// Checks every bot of the gallery that could be built, and plays its game, without a forfeit, against the weakest opponent.
/// The baselines as guests have tests of their own.
///
/// # Errors
/// A bot is not accepted in its game, or forfeits; or nothing is said of its game.
pub(crate) fn check_bots(workspace: &Workspace, arena: &Path) -> Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(workspace.bots())? {
        files.push(entry?.file_name().into_string().ok().context("a bot has a plain name")?);
    }
    files.retain(|file| !file.starts_with("baseline-"));
    files.sort();
    for file in files {
        let (name, game) = duty(&file)?;
        let module = workspace.bots().join(&file);
        let verdict = verdict(Command::new(arena).arg("check").arg(&module).args(["--json", "--game", game]))?;
        let summary = summary(&verdict).with_context(|| format!("{name} does not play {game}"))?;
        let opponent = verdict["measured"]["opponent"].as_str().context("a sample game has an opponent")?;
        let mut play = Command::new(arena);
        play.arg("play").arg(&module).args([opponent, "--json", "--games", MATCH, "--game", game]);
        no_forfeits(&output(&mut play)?).with_context(|| format!("{name} in {game}"))?;
        println!("    {name}, {game}: {summary}");
    }
    Ok(())
}

/// The name of the bot in a file, and the game that it has to play.
fn duty(file: &str) -> Result<(&'static str, &'static str)> {
    let known = GALLERY.into_iter().find(|(name, _)| file.strip_suffix(".wasm") == Some(name));
    known.with_context(|| format!("which game does {file} play? Say it in xtask/src/newcomer.rs, `GALLERY`"))
}

/// What `arena check --json` says, whether it is yes or no.
fn verdict(check: &mut Command) -> Result<Value> {
    let said = check.output().context("cannot start the arena")?;
    serde_json::from_slice(&said.stdout).with_context(|| String::from_utf8_lossy(&said.stderr).into_owned())
}

/// Starts a bot in every language that is at hand.
///
/// # Errors
/// `arena new`, or one of the commands that a README names, fails; or the bot forfeits.
pub(crate) fn start_bots(
    workspace: &Workspace,
    arena: &Path,
    toolchain: &WasmToolchain,
    compilers: &Compilers,
) -> Result<()> {
    let folder = workspace.target.join("newcomer");
    remove_folder(&folder)?;
    let env = env(arena, toolchain, compilers)?;
    for language in OWN_LANGUAGES {
        start_bot(&folder.join(language), language, &env)?;
    }
    for language in Language::ALL {
        match compilers.skipped(language, "template") {
            Some(line) => println!("    {line}"),
            None => start_bot(&folder.join(language.name()), language.name(), &env)?,
        }
    }
    Ok(())
}

/// What a newcomer's shell needs to find the arena and the compilers that are at hand.
///
/// # Errors
/// `PATH` cannot be written down.
pub(crate) fn env(
    arena: &Path,
    toolchain: &WasmToolchain,
    compilers: &Compilers,
) -> Result<Vec<(&'static str, OsString)>> {
    let toolchain = toolchain.env().map(|(name, value)| (name, value.clone()));
    Ok(toolchain.chain(compilers.env()).chain([("PATH", path_with(arena)?)]).collect())
}

/// `PATH` with the arena's folder first: a README says `arena`.
pub(crate) fn path_with(arena: &Path) -> Result<OsString> {
    let own = arena.parent().context("a program is in a folder")?.to_owned();
    let path = std::env::var_os("PATH").unwrap_or_default();
    Ok(std::env::join_paths([own].into_iter().chain(std::env::split_paths(&path)))?)
}

/// Starts a bot in a language, in a folder, and plays every game with it.
///
/// # Errors
/// As [`start_bots`].
pub(crate) fn start_bot(folder: &Path, language: &str, env: &[(&str, OsString)]) -> Result<()> {
    let start = Instant::now();
    // A new project is built as a stranger would: nothing of ours is set for cargo.
    let shell = |place: &Path, command: &str| {
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(place).env_remove("RUSTFLAGS").env_remove("CARGO_TARGET_DIR");
        output(shell.envs(env.iter().map(|(name, value)| (name, value))))
    };
    fs::create_dir_all(folder)?;
    let version = shell(folder, "arena --version")?;
    let games = games(&version)?;
    // The first is the one that `arena new` has by default.
    let project = folder.join(games[0]).join(NAME);
    let mut said = Vec::new();
    for game in &games {
        let place = folder.join(game);
        fs::create_dir_all(&place)?;
        shell(&place, &format!("arena new {NAME} --lang {language} --game {game}"))?;
        // The same bot plays all games; each README says how it is checked and played in its own.
        let readme = fs::read_to_string(place.join(NAME).join("README.md"))?;
        let [[build, check, play], [record, replay, debug]] = commands(&readme)?;
        if *game == games[0] {
            // A Rust project is of the versions that its lock file names.
            let locked = if language == "rust" { " --locked" } else { "" };
            shell(&project, &format!("{build}{locked}"))?;
            said.push(format!("built after {:.1} s", start.elapsed().as_secs_f64()));
        }
        let verdict: Value = serde_json::from_str(&shell(&project, &format!("{check} --json"))?)?;
        let standings = shell(&project, &format!("{play} --json --games {MATCH}"))?;
        no_forfeits(&standings).with_context(|| format!("the new bot in {language}, {game}"))?;
        for command in [record, replay] {
            shell(&project, command)?;
        }
        asked_again(&shell(&project, &format!("{debug} --json"))?)
            .with_context(|| format!("the README in {language}, {game}: {debug}"))?;
        if language == "rust" && *game != games[0] {
            // Its tests and its bench are of its own game. Most of what they need was built for the first project; with its
            // name, too, cargo would take one's tests for the other's.
            shell(&place, &format!("arena new {game} --lang rust --game {game}"))?;
            let tests = format!("cargo test --tests --benches --target-dir ../../{}/{NAME}/target", games[0]);
            shell(&place.join(game), &tests).with_context(|| format!("tests in Rust, {game}"))?;
        }
        said.push(format!("{game} after {:.1} s ({})", start.elapsed().as_secs_f64(), summary(&verdict)?));
    }
    if language == "rust" {
        // Wherever the bot's name stands among those of the packages.
        for name in ["a", NAME, "zz"] {
            let place = folder.join("locked");
            fs::create_dir_all(&place)?;
            shell(&place, &format!("arena new {name} --lang rust"))?;
            shell(&place.join(name), "cargo metadata --locked --format-version 1")?;
        }
        let readme = fs::read_to_string(project.join("README.md"))?;
        for command in ON_THIS_MACHINE {
            ensure!(readme.contains(&format!("`{command}`")), "the README does not name `{command}`");
            shell(&project, command)?;
            said.push(format!("{command} after {:.1} s", start.elapsed().as_secs_f64()));
        }
    }
    println!("    {language}: {}", said.join(", "));
    Ok(())
}

/// The names of all games, by what `arena --version` says.
fn games(version: &str) -> Result<Vec<&str>> {
    let rulesets = version.lines().filter_map(|line| line.strip_prefix(GAME_LINE));
    let games: Vec<&str> = rulesets.filter_map(|rest| Some(rest.split_once('@')?.0)).collect();
    ensure!(!games.is_empty(), "`arena --version` names no game: {version}");
    Ok(games)
}

/// The commands of a README's two blocks: build, check, play; record, replay, debug.
fn commands(readme: &str) -> Result<[[&str; 3]; 2]> {
    let blocks: Vec<&str> = readme.split("```").skip(1).step_by(2).collect();
    let [first, second] = blocks[..] else { bail!("the README has {} blocks of commands, not two", blocks.len()) };
    Ok([three_lines(first)?, three_lines(second)?])
}

/// The lines of a block of three.
fn three_lines(block: &str) -> Result<[&str; 3]> {
    let lines: Vec<&str> = block.lines().filter(|line| !line.is_empty()).collect();
    match lines[..] {
        [first, second, third] => Ok([first, second, third]),
        _ => bail!("a block of the README is not three commands: {lines:?}"),
    }
}

/// Whether `arena debug --json` asked the bot in a turn of its own, and it answered as in the game.
fn asked_again(report: &str) -> Result<()> {
    let report: Value = serde_json::from_str(report)?;
    ensure!(report["bot"] == report["recorded_bot"], "the turn is not the bot's own: {report}");
    ensure!(report["same"] == true, "it answers otherwise than in the game: {report}");
    Ok(())
}

/// The first block of a README, without its fences.
///
/// # Errors
/// There is none.
pub(crate) fn first_block(readme: &str) -> Result<&str> {
    readme.split("```").nth(1).context("the README has a block of commands")
}

/// Size, and fuel per turn, as `arena check --json` says it.
fn summary(verdict: &Value) -> Result<String> {
    ensure!(verdict["accepted"] == true, "not accepted: {verdict}");
    let mut fuel: Vec<u64> = serde_json::from_value(verdict["measured"]["turn_fuel"].clone())?;
    fuel.sort_unstable();
    // As the table of `arena check` has them.
    let (p50, max) = (fuel.get(fuel.len().div_ceil(2).saturating_sub(1)), fuel.last());
    let (p50, max) = p50.zip(max).context("a bot that played has used fuel")?;
    Ok(format!("{} bytes, fuel of a turn: p50 {p50}, max {max}", verdict["size_bytes"]))
}

/// Whether a match's standings have games and no forfeit.
fn no_forfeits(standings: &str) -> Result<()> {
    let standings: Value = serde_json::from_str(standings)?;
    let rows = standings["entrants"].as_array().context("standings have entrants")?;
    for row in rows {
        ensure!(row["games"].as_u64().is_some_and(|games| games > 0), "nothing was played: {row}");
        ensure!(row["forfeits"] == Value::Object(Default::default()), "a game was forfeited: {row}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_blocks_of_three_commands_are_taken_from_a_readme_and_no_others() {
        let readme = "# A bot\n\n```\nmake\narena check a\narena play a\n```\n\nThen:\n\n```\na\nb\nc\n```\n";
        let expected = [["make", "arena check a", "arena play a"], ["a", "b", "c"]];
        assert_eq!(commands(readme).ok(), Some(expected));
        for line in ["make\n", "b\n", "\nThen:\n\n```\na\nb\nc\n```\n"] {
            assert!(commands(&readme.replace(line, "")).is_err(), "{line}");
        }
    }

    #[test]
    fn games_are_those_of_the_arena() {
        let version = "arena 0.1.0\nbuild: x\nsemantics of a-game@2: 00\nsemantics of another@1: 01\n";
        assert_eq!(games(version).ok(), Some(vec!["a-game", "another"]));
        assert!(games("arena 0.1.0\n").is_err());
    }

    #[test]
    fn every_bot_of_the_gallery_has_a_game_to_play() -> Result<()> {
        let gallery = Workspace::here()?.root.join("bots/gallery");
        let mut bots = Vec::new();
        for entry in fs::read_dir(&gallery)? {
            let path = entry?.path();
            // What the tests of those in Rust share is no bot.
            if path.is_dir() && !path.ends_with("testing") {
                bots.push(path.file_name().context("a name")?.to_string_lossy().into_owned());
            }
        }
        bots.sort();
        assert_eq!(bots, GALLERY.map(|(name, _)| name));
        assert_eq!(duty("marshal.wasm")?, ("marshal", "war-of-life"));
        assert!(duty("stranger.wasm").is_err());
        Ok(())
    }

    #[test]
    fn a_turn_that_is_not_the_bots_is_seen() {
        let report = |bot: &str, same: bool| format!(r#"{{"bot":"{bot}","recorded_bot":"mine","same":{same}}}"#);
        assert!(asked_again(&report("mine", true)).is_ok());
        assert!(asked_again(&report("mine", false)).is_err());
        assert!(asked_again(&report("another", true)).is_err());
    }

    #[test]
    fn a_forfeit_is_seen() {
        let row =
            |games: u32, forfeits: &str| format!(r#"{{"entrants":[{{"games":{games},"forfeits":{{{forfeits}}}}}]}}"#);
        assert!(no_forfeits(&row(4, "")).is_ok());
        assert!(no_forfeits(&row(4, r#""trap":1"#)).is_err());
        assert!(no_forfeits(&row(0, "")).is_err());
    }
}
