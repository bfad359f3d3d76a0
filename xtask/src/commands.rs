//! The table of commands: their names, arguments and actions.

use anyhow::{Context, Result, bail};

use crate::count;
use crate::nextest;
use crate::tasks::{self, AtLength, Ready, test};
use crate::unknown::Unknown;
use crate::web;
use crate::workspace::Workspace;

pub(crate) struct Command {
    name: &'static str,
    /// Its arguments, for the help.
    takes: &'static str,
    /// Its description, for the help.
    says: &'static [&'static str],
    run: Run,
}

/// The function of a command.
enum Run {
    /// Without arguments.
    Alone(fn(&Ready) -> Result<()>),
    /// With arguments.
    With(fn(&Ready, &[String]) -> Result<()>),
    /// With an option for a count, which has a default.
    Counted(&'static str, u64, fn(&Ready, u64) -> Result<()>),
    /// The same, with a seed.
    Repeated(&'static str, u64, fn(&Ready, u64, u64) -> Result<()>),
    /// The same, where it is nothing but tests.
    Tests(&'static str, u64, &'static [AtLength]),
}

use Run::{Alone, Counted, Repeated, Tests, With};

#[rustfmt::skip]
const COMMANDS: [Command; 51] = [
    Command { name: "demo", takes: "[arguments]", run: With(tasks::demo), says: &[
        "build the arena and play the opening tournament into target/demo; arguments go to `arena tournament run`",
    ] },
    Command { name: "build", takes: "", run: Alone(tasks::build), says: &[
        "build the arena (release) and every guest bot (target/bots/*.wasm)",
    ] },
    Command { name: "bots", takes: "", run: Alone(|ready| ready.bots().map(drop)), says: &[
        "build the guest bots, as `build` and `test` do: fetch missing compilers for C, Zig and AssemblyScript from",
        "PyPI and npm into target/tools, and skip what is not available",
    ] },
    Command { name: "gallery", takes: "[NAME...]", run: With(tasks::gallery), says: &[
        "build the gallery's bots, or only those named, and release them into bots/gallery/released, with their",
        "hashes",
    ] },
    Command { name: "interpreters", takes: "[--release]", run: With(tasks::interpreters), says: &[
        "build the interpreters of scripts from the sources of registries, and compare them with the released bytes in",
        "arena/scripts/interpreters, where the compilers are the same; --release writes them there. Needs clang, and for",
        "Python's curl, patch, python3 and xz",
    ] },
    Command { name: "engine", takes: "", run: Alone(|ready| ready.engine()), says: &[
        "build the rules for pages, which `arena serve` needs: later builds of the arena embed them",
    ] },
    Command { name: "bundle", takes: "", run: Alone(|ready| web::bundle(ready.workspace)), says: &[
        "bundle the scripts of pages, as `build`, `test` and `dist` do: later builds of the arena embed the bundles instead of modules",
    ] },
    Command { name: "test", takes: "[STEP...]", run: With(test::run), says: &[
        "run everything that a change must pass: tests, formatting, lints, pure crates on wasm32, every bot, the guide's commands, the",
        "server in a browser; or only the named steps, with what they need: --list shows all. Prints what each step and the costliest",
        "tests took. --quick runs the tests that are not slow, formatting and lints; --repeat N [STEP...] runs steps N times (those with",
        "processes, sockets and clocks), resumes on the same commit, and lists the rounds that failed",
    ] },
    Command { name: "night", takes: "", run: With(tasks::night), says: &[
        "run what is long, random or needs the machine for itself, in at most four hours, and print a table: --seed N (1), --only",
        "NAME,..., --list; resumes where a run of this commit with the same seed was interrupted, --anew starts again",
    ] },
    Command { name: "guide", takes: "", run: Alone(|ready| test::run_one(ready, test::GUIDE)), says: &[
        "run every command of guide/, as `test` does",
    ] },
    Command { name: "first-minutes", takes: "", run: Alone(tasks::first_minutes), says: &[
        "record what a newcomer types and reads, from the demo's tournament to one of their own, into docs/first-minutes",
    ] },
    Command { name: "dist", takes: "", run: Alone(tasks::dist), says: &[
        "make a static binary, and the packages for pip, npm and cargo around it, in target/packages; needs musl's",
        "compiler (Debian: musl-tools)",
    ] },
    Command { name: "bench", takes: "", run: With(tasks::bench), says: &[
        "build the guests, then measure kernels against the plain rules, games, turns by layer, verdicts, pages and memory;",
        "arguments go to the kernels",
    ] },
    Command { name: "costs", takes: "", run: Repeated("--requests", 1_000, tasks::costs), says: &[
        "search every address of a site for the request that takes most of what its price allows: --requests N (1000) of each,",
        "--seed S (1); then measure answers as multiples of /healthz, against what they are charged",
    ] },
    Command { name: "compiling", takes: "", run: Repeated("--shapes", 1_000, tasks::compiling), says: &[
        "search for the module that takes longest to compile of those that pass the check: --shapes N random functions and changes of",
        "them (1000), --seed S (1)",
    ] },
    Command { name: "boards", takes: "", run: Tests("--boards", 10_000_000, &[
        AtLength::new("comparing boards", "on_random_boards", ["BOARDS", "BOARDS_SEED"]),
        AtLength::new("comparing whole games", "slow::agreement::whole_games", ["GAMES", "GAMES_SEED"]).times(|_| 12),
    ]), says: &[
        "compare random boards advanced together with each advanced alone: --boards N (10000000), --seed S (1); then whole games",
        "with the plain rules and players",
    ] },
    Command { name: "meter", takes: "", run: With(meter), says: &[
        "compare fuel, verdicts, logs and memories under the engine's meter and the code's own, and of the latter in three engines, in a",
        "release build: each operator alone, --games N of the gallery and of new bots in all languages (10000), --points N at which",
        "their fuel ends within a turn (10000), and --modules N random ones (100000); --seed S (1). Half an hour on one core",
    ] },
    Command { name: "forgeries", takes: "", run: Tests("--forgeries", 1_000, &[
        AtLength::new("verifying forgeries", "slow::forgeries", ["FORGERIES", "FORGERY_SEED"]),
        AtLength::new("unpacking archives of any bytes", "bundle::tests", ["ARCHIVES", "FORGERY_SEED"]).times(|count| 100 * count),
    ]), says: &[
        "change folders, archives, journals and spans as people, systems and forgers do, and verify them: --forgeries N of each kind",
        "(1000), and a hundred times as many members of archives, --seed S (1)",
    ] },
    Command { name: "worlds", takes: "", run: Tests("--worlds", 10_000, &[
        AtLength::new("comparing worlds of Life2 with the plain ones", "slow::life2::worlds_are_the_naive_ones", ["WORLDS", "WORLDS_SEED"]),
    ]), says: &[
        "compare random worlds of Life2 with the plain rules, and their connected ground with a complete flood fill:",
        "--worlds N (10000), --seed S (1, below 256)",
    ] },
    Command { name: "releases", takes: "", run: Alone(tasks::releases), says: &[
        "compile what other commands run in a release build, so that their time is their own",
    ] },
    Command { name: "prices", takes: "", run: With(tasks::prices), says: &[
        "measure the most time that a unit of fuel buys, for every operator or only those named: --all prints each",
    ] },
    Command { name: "schemathesis", takes: "[arguments]", run: With(tasks::schemathesis), says: &[
        "send a site requests that the API's document allows and forbids, singly and in sequences; installs schemathesis",
        "into target; arguments go to `schemathesis run`",
    ] },
    Command { name: "load", takes: "", run: Counted("--rooms", 1_000, tasks::load), says: &[
        "play in many rooms of two people and ten spectators on one server, a ply a second in each; check that nothing is lost or",
        "duplicated, and that bytes, commits and memory stay within their bounds: --rooms N (1000)",
    ] },
    Command { name: "crowd", takes: "", run: Alone(|ready| tasks::measure(ready, "measuring a site with a crowd", "crowd")), says: &[
        "measure the start and the pages of a site with 10,000 accepted bots, 64 entrants and 1,000,000 games in its index: processor",
        "time relative to /healthz, connections of the store and statements (as many in PostgreSQL), memory",
    ] },
    Command { name: "fleet", takes: "", run: Alone(|ready| tasks::measure(ready, "measuring a tournament that other processes play", "fleet")), says: &[
        "measure a tournament that other processes play: two workers against one, the queue against the games, PostgreSQL",
        "and the server apart",
    ] },
    Command { name: "soak", takes: "", run: Repeated("--seconds", 600, tasks::soak), says: &[
        "run a release, its clock a thousand times as fast, under visitors, submissions, floods, kills, restarts and backups, then",
        "check that nothing acknowledged was lost: --seconds N (600), --seed S (1)",
    ] },
    Command { name: "floods", takes: "", run: Alone(tasks::floods), says: &[
        "flood a release in every way we know of while another visitor plays, as `test` does with lighter modules, and print the",
        "result of each flood",
    ] },
    Command { name: "paints", takes: "", run: Alone(tasks::paints), says: &[
        "measure how soon the front page, a room and a replay appear over a slow connection",
    ] },
    Command { name: "recompute", takes: "", run: Alone(tasks::recompute), says: &[
        "measure the processor time of checking a tournament of 840 games by `arena verify`, in Node and in a browser's tab; fails if",
        "one of these takes more than twice that of the first",
    ] },
    Command { name: "heap", takes: "", run: Alone(tasks::heap), says: &[
        "check that a frame's script takes at most 6 ms; leave a room's page open for 10,000 plies and 30,000 heartbeats, and check that",
        "its heap grows by at most 5 MB; `test` compares frames, and does the rest with fewer",
    ] },
    Command { name: "kill-tournament", takes: "", run: Tests("--kills", 300, &[
        AtLength::new("killing tournaments of every format", "night::kill::a_tournament_of_any_format", ["KILLS", "KILL_SEED"]),
        AtLength::new("killing workers of a tournament", "slow::deaths::deaths_at_random_moves", ["KILLS", "KILL_SEED"]),
    ]), says: &[
        "kill tournaments of every format at random moments and resume them: --kills N (300) of each, --seed S (1); then kill",
        "workers of one as often",
    ] },
    Command { name: "kill-games", takes: "", run: Tests("--kills", 100, &[
        AtLength::new("killing a server with games between people", "night::kill_games::a_killed_server", ["GAME_KILLS", "GAME_KILL_SEED"]),
    ]), says: &[
        "kill a server at random points of 20 games between people, then check the clocks and every acknowledged event:",
        "--kills N (100), --seed S (1)",
    ] },
    Command { name: "repeats", takes: "", run: Tests("--repeats", 500, &[
        AtLength::new("sending requests again", "slow::layers::keys", ["REPEATS", "REPEAT_SEED"]).times(|count| count.div_ceil(50)),
        AtLength::new("coming to rooms at any moment", "slow::api::rooms::invitations::whenever_somebody_comes", ["REPEATS", "REPEAT_SEED"]).times(|count| count.div_ceil(5)),
        AtLength::new("entering tournaments at any moment", "contests::late::whenever_a_bot_comes", ["REPEATS", "REPEAT_SEED"]).times(|count| 100 * count),
    ]), says: &[
        "send requests that create something again with the same keys and others, and come to rooms and tournaments at any moment:",
        "--repeats N (500; a fiftieth as many sites, a fifth as many rooms, a hundred times as many tournaments), --seed S (1)",
    ] },
    Command { name: "schedules", takes: "", run: Repeated("--schedules", 10_000, tasks::schedules), says: &[
        "let the transports of two pages play over networks that lose, repeat, delay and break messages, and switch between sockets and",
        "requests, with a simulated room; then a room alone, and two clients of a real server; check that the room's log has each command",
        "once; and that stored pages and notices at the board are true: --schedules N (10000, and a twentieth as many, 500, of the real",
        "server), --seed S (1)",
    ] },
    Command { name: "kill-machines", takes: "", run: Tests("--kills", 200, &[
        AtLength::new("killing sites, workers and their database", "night::machines::whatever_dies_the", ["KILLS", "KILL_SEED"]),
    ]), says: &[
        "kill servers and workers that share one PostgreSQL at random moments, crash it, suspend workers beyond their leases, fill its",
        "disk once, and compare the results with those of one process: --kills N (200, and a tenth as many crashes and suspensions),",
        "--seed S (1)",
    ] },
    Command { name: "rolling", takes: "", run: Alone(tasks::rolling), says: &[
        "build the arena once more, as a later build with one migration more, and let both play a tournament side by side",
    ] },
    Command { name: "queue-seeds", takes: "", run: Tests("--seeds", 2_000, &[
        AtLength::new("simulating the queue of games", "slow::fleet::whatever_happens", ["SEEDS", "SEED"]),
        AtLength::new("counting forgers", "fleet::volunteers", ["FORGERS", "SEED"]).times(|seeds| seeds / 5),
    ]), says: &[
        "simulate workers, their database and a site on machines and networks that fail in every way: --seeds N (2000), --seed S (1);",
        "then count how many forgers nobody finds, of a fifth as many",
    ] },
    Command { name: "kill-world", takes: "", run: Tests("--kills", 200, &[
        AtLength::new("killing a site with a world", "night::worlds::a_world_that_is_killed", ["KILLS", "KILL_SEED"]),
    ]), says: &[
        "kill a site with a world at random moments and compare it with its log, on both kinds of store: --kills N (200)",
        "of each, --seed S (1)",
    ] },
    Command { name: "long-world", takes: "", run: Counted("--generations", 1_000_000, tasks::long_world), says: &[
        "run a world full of bots, and measure its memory: --generations N (1000000)",
    ] },
    Command { name: "watch-world", takes: "", run: Tests("--seconds", 3_600, &[
        AtLength::new("following a world", "slow::watchers::five_hundred_clients", ["WATCH_SECONDS", "WATCH_SEED"]),
    ]), says: &[
        "let 500 clients follow a world with as many calls as a site allows, and count the bytes that each gets: --seconds N (3600) of",
        "world time, --seed S (1)",
    ] },
    Command { name: "tamper", takes: "", run: Tests("--mutations", 10_000, &[
        AtLength::new("changing bytes of a tournament", "slow::verify::every_change_of_one_byte", ["MUTATIONS", "MUTATION_SEED"]),
        AtLength::new("changing bytes of one of each format", "slow::formats::every_change_and_every_forged_game", ["MUTATIONS", "MUTATION_SEED"]),
    ]), says: &[
        "change random bytes of a tournament's folder, which `verify` has to notice: --mutations N (10000), --seed S (1);",
        "then do the same to a tournament of each format, and forge its games",
    ] },
    Command { name: "coverage", takes: "", run: Repeated("--tournaments", 10_000, tasks::coverage), says: &[
        "simulate tournaments of each kind with known strengths, and count how often intervals, bounds, rank intervals and",
        "stops are right: --tournaments N (10000), --seed S (1); then as many matches of each kind under a sequential test, and",
        "studies, one for 250 tournaments",
    ] },
    Command { name: "studies", takes: "", run: Repeated("--studies", 200, tasks::studies), says: &[
        "make the studies of `arena study` with other seeds and few games, and count the verdicts that contradict those of",
        "docs/studies: --studies N (200), --seed S (1)",
    ] },
    Command { name: "farming", takes: "", run: Alone(tasks::farming), says: &[
        "simulate what an owner of several accounts can still gain on the leaderboard of people: the table in docs/leaderboard.md",
    ] },
    Command { name: "pairings", takes: "", run: Repeated("--tournaments", 1_000, tasks::pairings), says: &[
        "compare the rounds of simulated Swiss tournaments with those of networkx and of a program of FIDE's Dutch system, in a",
        "separate Python environment: --tournaments N (1000, and a fiftieth as many large ones for networkx), --seed S (1)",
    ] },
    Command { name: "fuzz", takes: "", run: Repeated("--uploads", 1_000_000, tasks::fuzz), says: &[
        "upload made-up, mutated and broken modules: --uploads N (1000000), --seed S (1); prints how memory grows",
    ] },
    Command { name: "fuzz-smoke", takes: "", run: Repeated("--seconds", 30, tasks::fuzz_smoke), says: &[
        "run the targets of fuzz/ under libFuzzer: --seconds N (30) for each, --seed S (1); installs cargo-fuzz",
        "into target/tools, and needs a C++ compiler; uses no sanitizer, so no nightly toolchain",
    ] },
    Command { name: "screenshots", takes: "", run: Alone(tasks::screenshots), says: &[
        "draw the README's pictures as `picture` does, then take a picture of every page at six widths, light and",
        "dark, and of the README, into target/screenshots",
    ] },
    Command { name: "picture", takes: "", run: Alone(tasks::picture), says: &[
        "draw the README's pictures into web/screenshots, and the site's icons into web/static",
    ] },
    Command { name: "count", takes: "", run: With(|ready, rest| count::run(ready.workspace, rest)), says: &[
        "count product code by folder and language, without tests and comments: --base REV compares with a commit",
    ] },
    Command { name: "help", takes: "", run: Alone(|_| { println!("{}", help_text()); Ok(()) }), says: &[
        "print this text",
    ] },
];

/// The help's text after the commands.
const NOTES: &str = "\
Tests of pages, `bundle`, `screenshots` and `picture` need Node.js 20 with npm, and Chromium.

Environment: ARENA_CHROMIUM=<program> is the browser to use. ARENA_WASM_NO_RUSTUP=1 passes rustup over for a toolchain of
Debian's packages, kept in ARENA_WASM_DIR (target/wasm-toolchain).";

/// Runs a command.
///
/// # Errors
/// [`Unknown`] if there is no such command; else the command's own.
pub(crate) fn run(name: &str, rest: &[String]) -> Result<()> {
    // How each test is started: not for people.
    if name == nextest::METERED {
        return nextest::metered(rest);
    }
    let Some(command) = named(name) else {
        let known: Vec<&str> = COMMANDS.iter().map(|command| command.name).collect();
        bail!(Unknown { kind: "command", given: name.to_owned(), known: known.join(", ") });
    };
    let workspace = Workspace::here()?;
    let ready = &Ready::new(&workspace);
    match command.run {
        Alone(run) => no_more(rest).and_then(|()| run(ready)),
        With(run) => run(ready, rest),
        Counted(option, default, run) => repeats(rest, option, default, false).and_then(|(count, _)| run(ready, count)),
        Repeated(option, default, run) => {
            repeats(rest, option, default, true).and_then(|(count, seed)| run(ready, count, seed))
        }
        Tests(option, default, all) => {
            let (count, seed) = repeats(rest, option, default, true)?;
            all.iter().try_for_each(|tests| tests.run(ready, count, seed))
        }
    }
}

/// The command with a name.
pub(crate) fn named(name: &str) -> Option<&'static Command> {
    let name = if matches!(name, "--help" | "-h") { "help" } else { name };
    const { &COMMANDS }.iter().find(|command| command.name == name)
}

/// The column of the usage at which descriptions begin.
const COLUMN: usize = 19;

/// The usage, a paragraph for each command, and the notes.
fn help_text() -> String {
    let mut text = "Usage: cargo xtask <command>\n\n".to_owned();
    for command in &COMMANDS {
        let usage = format!("{} {}", command.name, command.takes);
        let mut before = usage.trim_end();
        if before.len() >= COLUMN {
            text += &format!("  {before}\n");
            before = "";
        }
        for line in command.says {
            text += &format!("  {before:<COLUMN$}{line}\n");
            before = "";
        }
    }
    text + "\n" + NOTES
}

/// `cargo xtask meter` with its counts.
fn meter(ready: &Ready, rest: &[String]) -> Result<()> {
    let counts = numbers(rest, [("--modules", 100_000), ("--games", 10_000), ("--points", 10_000), ("--seed", 1)])?;
    tasks::meter(ready, counts)
}

/// The count (`name N`) and, if the command takes one, the seed (`--seed S`).
fn repeats(rest: &[String], name: &str, default: u64, seeded: bool) -> Result<(u64, u64)> {
    if seeded {
        numbers(rest, [(name, default), ("--seed", 1)]).map(|[count, seed]| (count, seed))
    } else {
        numbers(rest, [(name, default)]).map(|[count]| (count, 1))
    }
}

/// The numbers of these options, or their defaults.
fn numbers<const N: usize>(rest: &[String], options: [(&str, u64); N]) -> Result<[u64; N]> {
    let mut numbers = options.map(|(_, default)| default);
    for argument in rest.chunks(2) {
        let [option, value] = argument else { bail!("`{}` needs a number", argument[0]) };
        let Some(at) = options.iter().position(|(name, _)| name == option) else {
            bail!("this command takes {}, but got `{option}`", options.map(|(name, _)| name).join(" and "))
        };
        numbers[at] = value.parse().with_context(|| format!("`{option}` needs a whole number, not `{value}`"))?;
    }
    Ok(numbers)
}

/// Refuses arguments of commands that take none.
fn no_more(rest: &[String]) -> Result<()> {
    match rest.first() {
        None => Ok(()),
        Some(argument) => bail!("this command takes no arguments, but got `{argument}`"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_command_is_unknown_and_an_argument_too_many_is_refused() {
        let unknown = run("tets", &[]).err().and_then(|error| error.downcast::<Unknown>().ok());
        let said = unknown.map(|unknown| unknown.to_string()).unwrap_or_default();
        assert!(said.starts_with("no command `tets`; there are: demo, build, "), "{said}");
        let refused = run("engine", &["now".to_owned()]).err().map(|error| error.to_string());
        assert_eq!(refused.as_deref(), Some("this command takes no arguments, but got `now`"));
    }

    #[test]
    fn a_number_and_a_seed_are_read_in_any_order() {
        let words = |text: &str| text.split_whitespace().map(str::to_owned).collect::<Vec<String>>();
        assert_eq!(repeats(&words(""), "--kills", 7, true).ok(), Some((7, 1)));
        assert_eq!(repeats(&words("--seed 3 --kills 2"), "--kills", 7, true).ok(), Some((2, 3)));
        for bad in ["--kills", "--kills x", "--uploads 3"] {
            assert!(repeats(&words(bad), "--kills", 7, true).is_err(), "{bad}");
        }
        // A command that draws nothing refuses a seed instead of ignoring it.
        assert_eq!(repeats(&words("--rooms 2"), "--rooms", 7, false).ok(), Some((2, 1)));
        assert!(repeats(&words("--seed 3"), "--rooms", 7, false).is_err());
    }

    #[test]
    fn the_help_has_a_column_for_names_and_one_for_words() {
        let text = help_text();
        assert!(text.contains("\n  demo [arguments]   build the arena and play "), "{text}");
        assert!(text.contains("\n                     hashes\n"), "{text}");
        for command in &COMMANDS {
            assert!(text.contains(&format!("\n  {} ", command.name)), "{}", command.name);
        }
    }
}
