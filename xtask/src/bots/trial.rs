//! A newcomer's steps with the binary: every bot is checked and played, and in every language a bot is started with
//! `arena new` and brought into a game by the commands of its own README.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Instant;

use anyhow::{Context, Result, anyhow, bail, ensure};
use arena_released::ALL;
use fs_err as fs;
use serde_json::Value;
use toml::Table;

use super::languages::Language;
use super::newcomer::{Newcomer, shell};
use super::sources::BASELINE;
use crate::files::remove_folder;
use crate::process::{find_on_path, output};
use crate::workspace::Workspace;

/// Languages that need only what the arena itself needs.
const OWN_LANGUAGES: [&str; 5] = ["rust", "wat", "javascript", TYPESCRIPT, "python"];

/// The language whose projects are checked by a compiler that does not build them.
const TYPESCRIPT: &str = "typescript";

/// A call that no types allow.
const WRONG_CALL: &str = "\npass(bomb());\n";

/// The command of the shell that builds what is not built, a script.
const NO_BUILD: &str = "true";

/// The prefix of a line of `arena --version` about a game; name and version of its ruleset follow.
const GAME_LINE: &str = "semantics of ";

/// Commands of a new Rust project that are not in its README's blocks, because they do not concern WebAssembly.
const ON_THIS_MACHINE: [&str; 2] = ["cargo test", "cargo bench"];

/// A line in a turn of a new bot in Rust.
const IN_A_TURN: &str = "let mut rng = seen.rng();\n";

/// The last line of a new bot in C.
const BOT_IN_C: &str = "ARENA_BOT(turn)";

/// What a build.sh of C takes first, where it is: programs, and their packages in Debian.
pub(crate) const CLANG: [[&str; 2]; 2] = [["clang", "clang"], ["wasm-ld", "lld"]];

/// The folder of the gallery.
pub(super) const GALLERY: &str = "bots/gallery";

/// Builds by language whose verdict is known. Wrong ones: what real toolchains make when an option is wrong or missing,
/// or published packages have of them, and what `arena check` says of it. And in C those where compilers could differ.
const MISBUILT: &str = "xtask/misbuilt";

/// The module or other file that such a build leaves.
const WRONG: &str = "wrong.wasm";

/// The name of the new bots.
const NAME: &str = "first-bot";

/// Games of each match: both seats, twice.
const MATCH: &str = "4";

/// The scripts of the gallery: a bot, its file, its game, an opponent that it beats, and in how many games that is
/// seen. The first is played in the gate.
pub(super) const SCRIPTS: [[&str; 5]; 10] = [
    ["sprout", "bot.js", "conquerors", "normal", MATCH],
    ["thinker", "bot.js", "conquerors", "hard", MATCH],
    ["sergeant", "bot.js", "war-of-life", "self-preservation", MATCH],
    ["tiller", "bot.js", "game-of-game-of-life", "greedy", "2"],
    ["settler", "bot.js", "life2", "expander", "2"],
    ["sapling", "bot.py", "conquerors", "normal", MATCH],
    ["ponderer", "bot.py", "conquerors", "hard", MATCH],
    ["corporal", "bot.py", "war-of-life", "self-preservation", MATCH],
    ["plougher", "bot.py", "game-of-game-of-life", "greedy", "2"],
    ["pioneer", "bot.py", "life2", "expander", "2"],
];

/// Checks every bot of the gallery that could be built, and plays its game against the weakest opponent, without a
/// forfeit; and a script against an opponent that it beats. The baselines as guests have their own tests.
///
/// # Errors
/// If a bot is not accepted in its game, or forfeits; if its game is not known; or if the script is the weaker one.
pub(crate) fn check_bots(workspace: &Workspace, arena: &Path) -> Result<()> {
    let mut files = Vec::new();
    for entry in fs::read_dir(workspace.bots())? {
        files.push(entry?.file_name().into_string().ok().context("a bot has a plain name")?);
    }
    files.retain(|file| !file.starts_with(BASELINE));
    files.sort();
    // Two at once: each is mostly the work of one process.
    let checked =
        |files: &[String]| files.iter().map(|file| check_bot(workspace, arena, file)).collect::<Result<Vec<_>>>();
    let (first, second) = files.split_at(files.len() / 2);
    let (first, second) = thread::scope(|scope| {
        let first = scope.spawn(|| checked(first));
        let second = checked(second);
        (first.join(), second)
    });
    for line in [first.map_err(|_| anyhow!("a check panicked"))??, second?].concat() {
        println!("    {line}");
    }
    beats_its_opponent(workspace, arena, SCRIPTS[0])
}

/// What is said of a bot that is accepted and plays.
fn check_bot(workspace: &Workspace, arena: &Path, file: &str) -> Result<String> {
    let (name, game) = duty(file)?;
    let module = workspace.bots().join(file);
    let verdict = verdict(Command::new(arena).arg("check").arg(&module).args(["--json", "--game", game]))?;
    let summary = summary(&verdict).with_context(|| format!("{name} does not play {game}"))?;
    let opponent = verdict["measured"]["opponent"].as_str().context("a sample game has an opponent")?;
    let mut play = Command::new(arena);
    play.arg("play").arg(&module).args([opponent, "--json", "--games", MATCH, "--game", game]);
    no_forfeits(&output(&mut play)?).with_context(|| format!("{name} in {game}"))?;
    Ok(format!("{name}, {game}: {summary}"))
}

/// Plays each script of the gallery against an opponent that it beats.
///
/// # Errors
/// If one forfeits, or is the weaker one.
pub(crate) fn check_scripts(workspace: &Workspace, arena: &Path) -> Result<()> {
    SCRIPTS.into_iter().try_for_each(|script| beats_its_opponent(workspace, arena, script))
}

fn beats_its_opponent(
    workspace: &Workspace,
    arena: &Path,
    [name, file, game, opponent, games]: [&str; 5],
) -> Result<()> {
    let mut play = Command::new(arena);
    play.arg("play").arg(workspace.root.join(GALLERY).join(name).join(file));
    let standings = output(play.args([opponent, "--json", "--games", games, "--game", game]))?;
    no_forfeits(&standings).with_context(|| format!("{name} in {game}"))?;
    let score = won_more(&standings, "bot").with_context(|| format!("{name} against {opponent} in {game}"))?;
    println!("    {name}, {game}: {score} against {opponent}");
    Ok(())
}

/// The points of an entrant, which has more than half of its games, if it has.
fn won_more(standings: &str, name: &str) -> Result<String> {
    let standings: Value = serde_json::from_str(standings)?;
    let rows = standings["entrants"].as_array().context("standings have entrants")?;
    let row = rows.iter().find(|row| row["name"] == name).context("the entrant has a row")?;
    let [won, lost, games] = ["wins", "losses", "games"].map(|count| row[count].as_u64().unwrap_or_default());
    ensure!(won > lost, "it is not the stronger one: {row}");
    Ok(format!("{won} of {games} games won"))
}

/// The name of the bot in a file, and its game.
fn duty(file: &str) -> Result<(&'static str, &'static str)> {
    let known = ALL.iter().find(|bot| file.strip_suffix(".wasm") == Some(bot.name));
    let bot = known.with_context(|| format!("which game does {file} play? `cargo xtask gallery` releases it"))?;
    let game = bot.ruleset.split_once('@').map_or(bot.ruleset, |(game, _)| game);
    Ok((bot.name, game))
}

/// The output of `arena check --json`, whatever the verdict.
fn verdict(check: &mut Command) -> Result<Value> {
    let said = check.output().context("cannot start the arena")?;
    serde_json::from_slice(&said.stdout).with_context(|| String::from_utf8_lossy(&said.stderr).into_owned())
}

/// Starts a bot in every available language, and asks `arena doctor` about the same languages.
///
/// # Errors
/// If `arena new` or a command of a README fails; if the bot forfeits; or if the doctor finds a fault.
pub(crate) fn start_bots(newcomer: &Newcomer) -> Result<()> {
    let folder = newcomer.workspace.target.join("newcomer");
    remove_folder(&folder)?;
    let env = newcomer.env()?;
    let languages = languages(newcomer);
    for language in &languages {
        Trial { root: &newcomer.workspace.root, folder: folder.join(language), language, env: &env }.run()?;
    }
    let report = output(&mut shell(&folder, "arena doctor --json", &env))?;
    are_ready(&report, &languages)?;
    println!("    arena doctor: ready are {}", languages.join(", "));
    Ok(())
}

/// The languages in which a bot can be started here.
pub(super) fn languages(newcomer: &Newcomer) -> Vec<&'static str> {
    let mut languages = OWN_LANGUAGES.to_vec();
    for language in Language::ALL {
        match newcomer.compilers.skipped(language, "template") {
            Some(line) => println!("    {line}"),
            None => languages.push(language.name()),
        }
    }
    languages
}

/// Whether `arena doctor --json` built, checked and played a bot in each of these languages.
fn are_ready(report: &str, languages: &[&str]) -> Result<()> {
    let report: Value = serde_json::from_str(report)?;
    let found = report["languages"].as_array().context("a report has languages")?;
    for language in languages {
        let found = found.iter().find(|found| found["language"] == *language);
        ensure!(found.is_some_and(|found| found["status"] == "ready"), "{language} is not ready: {report:#}");
    }
    Ok(())
}

/// A bot started in one language: a project for each game, and one bot that plays them all.
struct Trial<'a> {
    /// The workspace's.
    root: &'a Path,
    folder: PathBuf,
    /// Its name in `arena new --lang`.
    language: &'static str,
    env: &'a [(&'static str, OsString)],
}

impl Trial<'_> {
    /// Builds the bot, and plays every game with it.
    fn run(&self) -> Result<()> {
        let start = Instant::now();
        let took = || format!("after {:.1} s", start.elapsed().as_secs_f64());
        fs::create_dir_all(&self.folder)?;
        let version = self.shell(&self.folder, "arena --version")?;
        let games = games(&version)?;
        // The first game is the default of `arena new`.
        let project = self.folder.join(games[0]).join(NAME);
        let mut said = Vec::new();
        for game in &games {
            let place = self.folder.join(game);
            fs::create_dir_all(&place)?;
            self.shell(&place, &format!("arena new {NAME} --lang {} --game {game}", self.language))?;
            // The same bot plays all games; each README says how to check and play it in its own game.
            let readme = fs::read_to_string(place.join(NAME).join("README.md"))?;
            let [[build, check, play], after] = commands(&readme)?;
            if *game == games[0] {
                // A Rust project uses the versions of its lock file.
                let locked = if self.is_rust() { " --locked" } else { "" };
                self.shell(&project, &format!("{build}{locked}"))?;
                said.push(format!("built {}", took()));
            }
            let summary = self.play(&project, game, [check, play], after)?;
            if self.is_rust() && *game != games[0] {
                self.test_in_rust(game, games[0])?;
            }
            said.push(format!("{game} {} ({summary})", took()));
        }
        if self.is_rust() {
            self.lock_in_rust()?;
            let readme = fs::read_to_string(project.join("README.md"))?;
            for command in ON_THIS_MACHINE {
                ensure!(readme.contains(&format!("`{command}`")), "the README does not name `{command}`");
                self.shell(&project, command)?;
                said.push(format!("{command} {}", took()));
            }
            let [[build, check, _], _] = commands(&readme)?;
            self.print_in_rust(&project, [build, check])?;
            said.push(format!("printed {}", took()));
        }
        if self.language == Language::C.name() {
            said.push(self.compile_in_c(&project)?);
        }
        if self.language == TYPESCRIPT {
            said.push(self.check_types(&project)?);
        }
        said.push(self.misbuild(&project)?);
        println!("    {}: {}", self.language, said.join(", "));
        Ok(())
    }

    /// TypeScript accepts the new bot, and refuses it with a wrong call.
    fn check_types(&self, project: &Path) -> Result<String> {
        if find_on_path("npm").is_none() {
            return Ok("no types checked: there is no npm".into());
        }
        self.shell(project, "npm install --no-audit --no-fund && npm run check")?;
        let source = project.join("bot.js");
        let right = fs::read_to_string(&source)?;
        fs::write(&source, format!("{right}{WRONG_CALL}"))?;
        let checked = shell(project, "npm run check", self.env).output()?;
        let said = String::from_utf8_lossy(&checked.stdout);
        ensure!(!checked.status.success() && said.contains("error TS"), "a wrong call passes the check: {said}");
        fs::write(&source, right)?;
        Ok("types checked".into())
    }

    /// Builds the bot in wrong ways: `arena check` names the cause of each.
    fn misbuild(&self, project: &Path) -> Result<String> {
        let (folder, list) = (self.root.join(MISBUILT), self.known_builds()?);
        let functions = list.get("functions").and_then(|functions| functions.as_str()).unwrap_or_default();
        let ways = list["build"].as_array().context("wrong builds")?;
        for way in ways {
            let [what, script, code, hint] =
                ["what", "script", "code", "hint"].map(|key| way[key].as_str().unwrap_or_default());
            output(shell(project, &format!("{functions}{script}"), self.env).env("MISBUILT", &folder))
                .with_context(|| format!("{}: {what}", self.language))?;
            let verdict = verdict(&mut shell(project, &format!("arena check {WRONG} --json"), self.env))?;
            let told = verdict["hint"].as_str().unwrap_or_default();
            ensure!(verdict["code"] == code && told.contains(hint), "{}, {what}: {verdict:#}", self.language);
            fs::remove_file(project.join(WRONG))?;
        }
        Ok(format!("{} wrong builds explained", ways.len()))
    }

    fn known_builds(&self) -> Result<Table> {
        let list = self.root.join(MISBUILT).join(self.language).with_extension("toml");
        Ok(fs::read_to_string(list)?.parse()?)
    }

    fn is_rust(&self) -> bool {
        self.language == "rust"
    }

    fn shell(&self, place: &Path, command: &str) -> Result<String> {
        output(&mut shell(place, command, self.env))
    }

    /// Checks the bot in a game and plays it, by the commands of that game's README; returns the resources that it
    /// used.
    fn play(
        &self,
        project: &Path,
        game: &str,
        [check, play]: [&str; 2],
        [record, replay, debug]: [&str; 3],
    ) -> Result<String> {
        let verdict: Value = serde_json::from_str(&self.shell(project, &format!("{check} --json"))?)?;
        ensure!(!is_said_to_print(&verdict), "a bot that may only panic is said to print: {verdict}");
        names_its_functions(&verdict).with_context(|| format!("the new bot in {}, {game}", self.language))?;
        let standings = self.shell(project, &format!("{play} --json --games {MATCH}"))?;
        no_forfeits(&standings).with_context(|| format!("the new bot in {}, {game}", self.language))?;
        for command in [record, replay] {
            self.shell(project, command)?;
        }
        asked_again(&self.shell(project, &format!("{debug} --json"))?)
            .with_context(|| format!("the README in {}, {game}: {debug}", self.language))?;
        summary(&verdict)
    }

    /// Runs the tests and the bench of a project for a game. Most of what they need was built for the first project;
    /// with its name, too, cargo would take one's tests for the other's.
    fn test_in_rust(&self, game: &str, first: &str) -> Result<()> {
        let place = self.folder.join(game);
        self.shell(&place, &format!("arena new {game} --lang rust --game {game}"))?;
        let tests = format!("cargo test --tests --benches --target-dir ../../{first}/{NAME}/target");
        self.shell(&place.join(game), &tests).map(drop).with_context(|| format!("tests in Rust, {game}"))
    }

    /// `arena check`, as the README of a Rust project runs it, remarks on a bot that prints.
    fn print_in_rust(&self, project: &Path, [build, check]: [&str; 2]) -> Result<()> {
        let source = project.join("src/lib.rs");
        let silent = fs::read_to_string(&source)?;
        let printing = silent.replacen(IN_A_TURN, &format!("{IN_A_TURN}println!(\"{{:?}}\", seen.seat);\n"), 1);
        ensure!(printing != silent, "no turn of {} has the line `{IN_A_TURN}`", source.display());
        fs::write(&source, printing)?;
        self.shell(project, build)?;
        let verdict: Value = serde_json::from_str(&self.shell(project, &format!("{check} --json"))?)?;
        ensure!(is_said_to_print(&verdict), "a bot that prints is not told so: {verdict}");
        Ok(fs::write(&source, silent)?)
    }

    /// A project in C is the same with every compiler that its build.sh may find: names of functions, what happens at
    /// the stack's end, and statics that constructors set.
    fn compile_in_c(&self, project: &Path) -> Result<String> {
        let (source, list) = (project.join("bot.c"), self.known_builds()?);
        let whole = fs::read_to_string(&source)?;
        let python = self.shell(project, "python3 -c 'import sys; print(sys.executable)'")?;
        let mut compilers = vec![("ziglang", format!("export PATH={}", without_clang(&self.folder, python.trim())?))];
        match CLANG.iter().find(|[program, _]| find_on_path(program).is_none()) {
            None => compilers.push(("clang", ":".into())),
            Some([program, _]) => println!("    skipped: {program} is not installed"),
        }
        for (compiler, first) in &compilers {
            for build in list["compilers"].as_array().context("builds of every compiler")? {
                let [what, ending, word] =
                    ["what", "ending", "code"].map(|key| build[key].as_str().unwrap_or_default());
                let words: Vec<&str> =
                    build["words"].as_array().into_iter().flatten().filter_map(|w| w.as_str()).collect();
                let changed = whole.replacen(BOT_IN_C, ending, 1);
                ensure!(changed != whole || ending == BOT_IN_C, "bot.c does not end with {BOT_IN_C}");
                fs::write(&source, changed)?;
                self.shell(project, &format!("{first}; sh build.sh"))?;
                let mut check = shell(project, "arena check *.wasm --json", self.env);
                let verdict = verdict(&mut check)?;
                let is_as_it_should =
                    verdict["code"] == word && words.iter().all(|word| verdict.to_string().contains(word));
                ensure!(is_as_it_should, "{what}, by {compiler}: {verdict:#}");
                if word == "accepted" {
                    names_its_functions(&verdict).with_context(|| format!("{what}, by {compiler}"))?;
                }
            }
        }
        fs::write(&source, whole)?;
        let names: Vec<&str> = compilers.iter().map(|(name, _)| *name).collect();
        Ok(format!("the same by {}", names.join(" and ")))
    }

    /// A project's lock file holds wherever the bot's name stands among those of the packages.
    fn lock_in_rust(&self) -> Result<()> {
        let place = self.folder.join("locked");
        fs::create_dir_all(&place)?;
        for name in ["a", NAME, "zz"] {
            self.shell(&place, &format!("arena new {name} --lang rust"))?;
            self.shell(&place.join(name), "cargo metadata --locked --format-version 1")?;
        }
        Ok(())
    }
}

/// A `PATH` with what a build.sh needs, but for clang.
fn without_clang(place: &Path, python: &str) -> Result<String> {
    let folder = place.join("without-clang");
    fs::create_dir_all(&folder)?;
    let found = |program: &str| find_on_path(program).with_context(|| format!("there is no {program} on PATH"));
    for (name, program) in
        [("sh", found("sh")?), ("dirname", found("dirname")?), ("rm", found("rm")?), ("python3", python.into())]
    {
        std::os::unix::fs::symlink(program, folder.join(name))?;
    }
    folder.into_os_string().into_string().ok().context("a folder has a plain name")
}

/// The names of all games, by what `arena --version` says.
pub(super) fn games(version: &str) -> Result<Vec<&str>> {
    let rulesets = version.lines().filter_map(|line| line.strip_prefix(GAME_LINE));
    let games: Vec<&str> = rulesets.filter_map(|rest| Some(rest.split_once('@')?.0)).collect();
    ensure!(!games.is_empty(), "`arena --version` names no game: {version}");
    Ok(games)
}

/// The commands of a README's two blocks: build, check, play; record, replay, debug. That of a script has no build.
pub(super) fn commands(readme: &str) -> Result<[[&str; 3]; 2]> {
    let blocks: Vec<&str> = readme.split("```").skip(1).step_by(2).collect();
    let [first, second] = blocks[..] else { bail!("the README has {} blocks of commands, not two", blocks.len()) };
    let first = match lines(first)[..] {
        [build, check, play] => [build, check, play],
        [check, play] => [NO_BUILD, check, play],
        _ => bail!("the README's first block is not two or three commands: {first}"),
    };
    let [record, replay, debug] = lines(second)[..] else { bail!("its second block is not three commands: {second}") };
    Ok([first, [record, replay, debug]])
}

fn lines(block: &str) -> Vec<&str> {
    block.lines().filter(|line| !line.is_empty()).collect()
}

/// Whether `arena debug --json` asked the bot in one of its turns, and got the same answer as in the game.
fn asked_again(report: &str) -> Result<()> {
    let report: Value = serde_json::from_str(report)?;
    ensure!(report["bot"] == report["recorded_bot"], "the turn is not the bot's own: {report}");
    ensure!(report["same"] == true, "it answers otherwise than in the game: {report}");
    Ok(())
}

/// Size, and fuel per turn, from `arena check --json`.
fn summary(verdict: &Value) -> Result<String> {
    ensure!(verdict["accepted"] == true, "not accepted: {verdict}");
    let mut fuel: Vec<u64> = serde_json::from_value(verdict["measured"]["turn_fuel"].clone())?;
    fuel.sort_unstable();
    // The same percentiles as in the table of `arena check`.
    let (p50, max) = (fuel.get(fuel.len().div_ceil(2).saturating_sub(1)), fuel.last());
    let (p50, max) = p50.zip(max).context("a bot that played has used fuel")?;
    Ok(format!("{} bytes, fuel of a turn: p50 {p50}, max {max}", verdict["size_bytes"]))
}

/// Whether a bot's profile has names of functions, not just their numbers.
fn names_its_functions(verdict: &Value) -> Result<()> {
    let functions = verdict["profile"]["functions"].as_array().context("a profile has functions")?;
    let is_named = |row: &Value| row["function"].as_str().is_some_and(|name| !name.starts_with("func["));
    ensure!(functions.iter().any(is_named), "no function has a name: {}", verdict["profile"]);
    Ok(())
}

/// Whether `arena check --json` remarks that a bot prints.
fn is_said_to_print(verdict: &Value) -> bool {
    let mut remarks = verdict["remarks"].as_array().into_iter().flatten();
    remarks.any(|remark| remark["note"].as_str().is_some_and(|note| note.starts_with("it prints ")))
}

/// Whether a match's standings have games and no forfeits.
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
    fn two_blocks_of_commands_are_taken_from_a_readme_and_no_others() {
        let readme = "# A bot\n\n```\nmake\narena check a\narena play a\n```\n\nThen:\n\n```\na\nb\nc\n```\n";
        let expected = [["make", "arena check a", "arena play a"], ["a", "b", "c"]];
        assert_eq!(commands(readme).ok(), Some(expected));
        let of_script = [[NO_BUILD, "arena check a", "arena play a"], expected[1]];
        assert_eq!(commands(&readme.replace("make\n", "")).ok(), Some(of_script));
        for line in ["make\narena check a\n", "b\n", "\nThen:\n\n```\na\nb\nc\n```\n"] {
            assert!(commands(&readme.replace(line, "")).is_err(), "{line}");
        }
    }

    #[test]
    fn clang_is_what_the_guide_says_to_install() -> Result<()> {
        let guide = fs::read_to_string(Workspace::here()?.root.join("guide/c.md"))?;
        let [[clang, its], [linker, of_the_linker]] = CLANG;
        assert!(
            guide.contains(&format!("{clang} and {linker} (on Debian, the packages `{its}` and `{of_the_linker}`)"))
        );
        Ok(())
    }

    #[test]
    fn games_are_those_of_the_arena() {
        let version = "arena 0.1.0\nbuild: x\nsemantics of a-game@2: 00\nsemantics of another@1: 01\n";
        assert_eq!(games(version).ok(), Some(vec!["a-game", "another"]));
        assert!(games("arena 0.1.0\n").is_err());
    }

    #[test]
    fn every_bot_of_the_gallery_has_a_game_to_play() -> Result<()> {
        let gallery = Workspace::here()?.root.join(GALLERY);
        let mut bots = Vec::new();
        for entry in fs::read_dir(&gallery)? {
            let path = entry?.path();
            // `testing` is shared by tests of Rust bots, and `released` holds modules of the other bots.
            if path.is_dir() && !path.ends_with("testing") && !path.ends_with("released") {
                bots.push(path.file_name().context("a name")?.to_string_lossy().into_owned());
            }
        }
        bots.sort();
        let mut known: Vec<&str> = ALL.iter().map(|bot| bot.name).chain(SCRIPTS.map(|[name, ..]| name)).collect();
        known.sort_unstable();
        assert_eq!(bots, known);
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
    fn a_language_that_the_doctor_does_not_find_ready_is_seen() {
        let report = r#"{"languages":[{"language":"rust","status":"ready"},{"language":"c","status":"missing"}]}"#;
        assert!(are_ready(report, &["rust"]).is_ok());
        assert!(are_ready(report, &["rust", "c"]).is_err());
        assert!(are_ready(report, &["zig"]).is_err());
    }

    #[test]
    fn a_profile_without_names_is_seen() {
        let profile = |name: &str| serde_json::json!({ "profile": { "functions": [{ "function": name }] } });
        assert!(names_its_functions(&profile("bot.value")).is_ok());
        assert!(names_its_functions(&profile("func[7]")).is_err());
        assert!(names_its_functions(&serde_json::json!({ "profile": null })).is_err());
    }

    #[test]
    fn a_remark_on_printing_is_seen_among_others() {
        let prints = serde_json::json!({ "remarks": [{ "warning": "costly" }, { "note": "it prints (println!)" }] });
        assert!(is_said_to_print(&prints));
        for other in [serde_json::json!({}), serde_json::json!({ "remarks": [{ "warning": "it prints " }] })] {
            assert!(!is_said_to_print(&other), "{other}");
        }
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
