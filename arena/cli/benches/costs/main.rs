//! What the arena spends on everything but the bots' own thinking: `cargo xtask bench`.
//!
//! Processor time, user and system, of every process that works for it, in ticks of 10 ms of which a sample has at
//! least thirty. Every round runs each subject once, so that a machine whose speed drifts drifts for all of them. A
//! figure is the median of the rounds; differences and ratios are formed round by round. What each means is in
//! `docs/performance.md`. Only public interfaces are used: crates, commands, addresses. With the argument `crowd` it is
//! another one: `cargo xtask crowd`; with `games` it measures the built-in opponents' games, and rounds of many
//! entrants beside them; with `nine` the tournament of nine modules alone, with `window` the windows of Life2, with
//! `scheduling` whole tournaments beside their games, with `scripts` scripts beside a bot in Rust, with `requests` the
//! answers and changes of a site, with `world` its empty worlds, with `fleet` tournaments that other processes play.
//! `once` asks for a single round.

mod changes;
#[path = "../../../store/tests/it/slow/postgres/cluster.rs"]
mod cluster;
mod cpu;
mod crowd;
mod fleet;
mod games;
#[path = "../../../tests/left_out.rs"]
mod left_out;
mod rounds;
mod routes;
mod scheduling;
mod scripts;
mod site;
mod socket;
mod table;
mod tournament;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use games::{Games, TRIVIAL, released};
use rounds::Rounds;
use routes::{PAGES, UNMEASURED, Why, is_of};
use scheduling::{Cost, Scheduled};
use scripts::{Costs, SCRIPTS};
use site::{SPECTATORS, Site, Unvisited};
use table::{Table, Unit};
use tournament::Nine;

/// The arena that is measured.
const ARENA: &str = env!("CARGO_BIN_EXE_arena");
/// Rounds of which the median is taken.
const ROUNDS: usize = 5;
/// Of answers and changes of a site alone, of which there are many.
const ROUNDS_OF_REQUESTS: usize = 3;
/// Built-in opponents, played natively and as modules.
const OPPONENTS: [&str; 3] = ["easy", "normal", "hard"];
/// What an answer of a site costs at least.
const HEALTH: &str = "/healthz";
/// How many times that an answer may take on the threads that answer everybody.
const TIMES_HEALTH_THERE_MAX: f64 = 20.0;
/// What medians may be at most: a module in workers against the same opponent natively, an answer against `/healthz`
/// for each unit that it is charged, a tournament's games against the games alone, and a turn of a bot that hardly
/// thinks, in seconds on the machine of `docs/performance.md`.
const MODULE_TIMES_NATIVE: f64 = 2.5;
const TIMES_HEALTH_A_UNIT: f64 = 1.0;
const FOLDER_TIMES_GAMES: f64 = 1.15;
const NINE_TIMES_BOTS: f64 = 1.1;
const TURN_SECONDS: f64 = 25e-6;
/// Of 1,000 entrants: choosing a round, deriving eleven again, standings; and games of modules in workers with their
/// part of the choosing against the games alone. Native games are shorter, and choosing is a larger part of them. The
/// last is also the bar of a smaller tournament of modules as the command plays it, with everything that it does.
const ROUND_SECONDS: f64 = 1.0;
const ROUNDS_SECONDS: f64 = 15.0;
const STANDINGS_SECONDS: f64 = 2.0;
const SCHEDULED_TIMES_GAMES: f64 = 1.05;
/// A script's verdict, once its interpreter is compiled.
const VERDICT_SECONDS: f64 = 3.0;
/// Of a second: a world of Life2 without kingdoms, at which nobody looks; a thousandth of a core.
const EMPTY_WORLD_SECONDS: f64 = 1e-3;
/// As many of them as a site may have, so that a tick of processor time is little beside what they take.
const EMPTY_WORLDS: [&str; 4] = ["meadow", "moor", "heath", "marsh"];
/// A round of them alone: a tick is a fortieth of the bar.
const EMPTY_WORLDS_ROUND: Duration = Duration::from_secs(100);
/// Modules whose verdicts are measured: one kilobyte, and some fifty.
const JUDGED: [&str; 2] = [TRIVIAL, "scatter"];

fn main() -> ExitCode {
    let asked = |what: &str| std::env::args().any(|argument| argument == what);
    // What `cargo test --benches` runs: that it builds is enough.
    if !asked("--bench") {
        return ExitCode::SUCCESS;
    }
    if asked("crowd") {
        crowd::run();
        return ExitCode::SUCCESS;
    }
    if asked("fleet") {
        fleet::run_all();
        return ExitCode::SUCCESS;
    }
    let mut table = Table::default();
    let rounds = match (asked("once"), asked("requests")) {
        (true, _) => 1,
        (false, true) => ROUNDS_OF_REQUESTS,
        (false, false) => ROUNDS,
    };
    if asked("games") {
        let games = Games::new();
        for _ in 0..rounds {
            let [native, workers] = of_opponents(&games, &mut table);
            of_rounds(native, workers, &mut table);
        }
    } else if asked("nine") {
        let nine = Nine::of_conquerors();
        (0..rounds).for_each(|_| of_tournament(&nine, &mut table));
    } else if asked("window") {
        let window = Nine::of_life2();
        (0..rounds).for_each(|_| of_window(&window, &mut table));
    } else if asked("scheduling") {
        let scheduled = Scheduled::all();
        (0..rounds).for_each(|_| of_scheduling(&scheduled, &mut table));
    } else if asked("scripts") {
        (0..rounds).for_each(|_| of_scripts(&mut table));
    } else if asked("requests") {
        let site = Site::start();
        for _ in 0..rounds {
            of_requests(&site, &mut table);
            changes::of_changes(&mut table);
        }
        print_unmeasured();
    } else if asked("world") {
        let mut unvisited = unvisited();
        for _ in 0..rounds {
            thread::sleep(EMPTY_WORLDS_ROUND);
            of_empty_worlds(&mut unvisited, &mut table);
        }
    } else {
        of_everything(rounds, &mut table);
    }
    table.print(rounds);
    if table.holds() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn of_everything(rounds: usize, table: &mut Table) {
    let (games, nine, window) = (Games::new(), Nine::of_conquerors(), Nine::of_life2());
    let (site, mut unvisited, scheduled) = (Site::start(), unvisited(), Scheduled::all());
    for _ in 0..rounds {
        let [native, workers] = of_opponents(&games, table);
        of_turns(&games, table);
        of_rounds(native, workers, table);
        of_scheduling(&scheduled, table);
        of_tournament(&nine, table);
        of_window(&window, table);
        of_verdicts(&games, table);
        of_scripts(table);
        of_site(&site, table);
        of_empty_worlds(&mut unvisited, table);
    }
}

/// A site without a world, and one with [`EMPTY_WORLDS`].
fn unvisited() -> Unvisited<2> {
    let flags = EMPTY_WORLDS.map(|name| ["--world", name]).concat();
    Unvisited::new([&[][..], &flags[..]].map(Site::with))
}

/// What an empty world adds to a site.
fn of_empty_worlds(unvisited: &mut Unvisited<2>, table: &mut Table) {
    let [alone, with_worlds] = unvisited.of_a_second();
    let each = (with_worlds - alone) / EMPTY_WORLDS.len() as f64;
    table.hold("a second of a site", "an empty world", Unit::Micros, each, EMPTY_WORLD_SECONDS);
}

/// Games of the built-in opponents against themselves; what one of easy and hard takes natively, and as modules in
/// workers.
fn of_opponents(games: &Games, table: &mut Table) -> [f64; 2] {
    let mut sums = [0.0; 2];
    for name in OPPONENTS {
        let module = fs::read(bots_folder().join(format!("baseline-{name}.wasm")));
        let module = module.unwrap_or_else(|error| panic!("{name}: {error}; run this as `cargo xtask bench`"));
        let native = games.native(name);
        let [here, workers] = games.module(&module);
        let section = "games a second and core";
        table.note(section, &format!("{name}, native"), Unit::PerSecond, 1.0 / native);
        table.note(section, &format!("{name}, as a module in this process"), Unit::PerSecond, 1.0 / here);
        table.note(section, &format!("{name}, as a module in workers"), Unit::PerSecond, 1.0 / workers);
        let section = "modules in workers, times native";
        table.hold(section, name, Unit::Times, workers / native, MODULE_TIMES_NATIVE);
        if name != "normal" {
            sums = [sums[0] + native, sums[1] + workers];
        }
    }
    sums.map(|sum| sum / 2.0)
}

/// A turn of a bot that hardly thinks, by layers, and what a folder costs.
fn of_turns(games: &Games, table: &mut Table) {
    let [here, workers] = games.module(released(TRIVIAL).bytes).map(|game| game / games.turns());
    let (native, folder) = (games.pairing(), games.tournament());
    table.hold(
        "a game of a native tournament",
        "of 10,000, times the game alone",
        Unit::Times,
        folder / native,
        FOLDER_TIMES_GAMES,
    );
    let journal = (folder - native) / games.turns();
    for (layer, seconds) in [
        ("referee: observation, checks, generation, digest", games.referee()),
        ("record: written as text and read again", games.record()),
        ("sandbox: the call", games.call()),
        ("a game in one process, all of these but the record", here),
        ("pipe: what workers add", workers - here),
        ("journal and results: what a folder adds to native games", journal),
        ("network: its bytes over loopback and back, both ends", games.network()),
    ] {
        table.note(&format!("a turn of {TRIVIAL}"), layer, Unit::Micros, seconds);
    }
    table.hold(&format!("a turn of {TRIVIAL}"), "a game in workers", Unit::Micros, workers, TURN_SECONDS);
}

/// A tournament of nine modules against what the modules themselves compute in its games.
fn of_tournament(nine: &Nine, table: &mut Table) {
    let section = "a tournament of nine modules";
    let Compared { all, bots, .. } = of_nine(section, nine, table);
    table.hold(section, "all programs, times the bots", Unit::Times, all / bots, NINE_TIMES_BOTS);
}

/// Windows of 6,000 generations with nine modules: the world takes its part, too.
fn of_window(nine: &Nine, table: &mut Table) {
    let section = "a window of Life2: 6,000 generations, nine modules";
    let Compared { all, bots, fuel } = of_nine(section, nine, table);
    table.note(section, "all programs, times the bots", Unit::Times, all / bots);
    table.note(section, "a game: the bots' fuel", Unit::Count, fuel);
}

/// A game of nine modules, in seconds of all programs and of the bots, and in the bots' fuel.
struct Compared {
    all: f64,
    bots: f64,
    fuel: f64,
}

/// A tournament of nine modules: its games, and what the modules themselves compute in them.
fn of_nine(section: &str, nine: &Nine, table: &mut Table) -> Compared {
    let games = nine.games();
    // Half before and half after, so that a machine that becomes faster or slower does so for both.
    let (first, second) = games.split_at(games.len() / 2);
    let before = nine.bots(first);
    let spent = nine.spent();
    let (bots, compiling) = (before + nine.bots(second), nine.compiling());
    let count = games.len() as f64;
    // What the table shows apart is not in it: compiling, and the time in the kernel.
    let all = (spent.user - compiling) / count;
    for (what, seconds) in [
        ("a game: the bots' own code", bots / count),
        ("a game: in all programs, without compiling and kernel", all),
        ("a game: in the kernel, apart", spent.system / count),
        ("compiling the nine once, apart", compiling),
    ] {
        table.note(section, what, Unit::Millis, seconds);
    }
    let plays = games.iter().flat_map(|game| &game.turns).flat_map(|turn| &turn.plays);
    let fuel: u64 = plays.filter_map(|play| play.fuel).sum();
    Compared { all, bots: bots / count, fuel: fuel as f64 / count }
}

/// Rounds of 1,000 entrants, beside games of modules in workers, as bots play them, and beside native ones, the
/// cheapest there are.
fn of_rounds(native: f64, workers: f64, table: &mut Table) {
    for Rounds { format, costliest, all, standings, of_a_game } in rounds::rounds() {
        let section = format!("{format} of 1,000 entrants");
        table.hold(&section, "the costliest round", Unit::Millis, costliest, ROUND_SECONDS);
        table.hold(&section, "11 rounds, derived again", Unit::Millis, all, ROUNDS_SECONDS);
        table.hold(
            &section,
            "standings with rank intervals, and their files",
            Unit::Millis,
            standings,
            STANDINGS_SECONDS,
        );
        let times = |game: f64| (game + of_a_game) / game;
        let what = "games of modules in workers and their pairing, times the games alone";
        table.hold(&section, what, Unit::Times, times(workers), SCHEDULED_TIMES_GAMES);
        table.note(&section, "the same of native games, no bar", Unit::Times, times(native));
    }
}

/// Whole tournaments of modules in workers, against their games alone.
fn of_scheduling(scheduled: &[Scheduled], table: &mut Table) {
    for tournament in scheduled {
        let Cost { games, alone, lines, rest } = tournament.cost();
        let section = &tournament.section;
        table.note(section, "a game alone", Unit::Millis, alone / games);
        table.note(section, "what the tournament adds to a game", Unit::Millis, rest / games);
        table.hold(section, "all, times the games alone", Unit::Times, 1.0 + rest / alone, SCHEDULED_TIMES_GAMES);
        let unkept = (alone + rest) / (alone - lines);
        table.note(section, "the same if games alone are not kept, no bar", Unit::Times, unkept);
    }
}

fn of_verdicts(games: &Games, table: &mut Table) {
    for name in JUDGED {
        let what = format!("{name}, {} bytes", released(name).bytes.len());
        table.note("a verdict: `arena check`", &what, Unit::Millis, games.verdict(name));
    }
}

/// One bot in three languages, which leaves the search to the kit in each.
fn of_scripts(table: &mut Table) {
    let Costs { game: alone, .. } = scripts::in_rust();
    let section = "one bot as scripts, in workers";
    table.note(section, "a game in Rust", Unit::Millis, alone);
    for (language, path) in SCRIPTS {
        let Costs { game, compiling, verdict } = scripts::script(path);
        table.note(section, &format!("a game in {language}"), Unit::Millis, game);
        table.note(section, &format!("a game in {language}, times one in Rust"), Unit::Times, game / alone);
        table.note(section, &format!("compiling it in {language}"), Unit::Millis, compiling);
        let what = format!("`arena check` in {language}, without compiling");
        table.hold(section, &what, Unit::Millis, verdict - compiling, VERDICT_SECONDS);
    }
}

fn of_site(site: &Site, table: &mut Table) {
    of_requests(site, table);
    changes::of_changes(table);
    let ((alone, _), (watched, messages)) = (site.ply(0), site.ply(SPECTATORS));
    let section = "a room";
    table.note(section, "a person's turn and easy's answer, over a socket", Unit::Micros, alone);
    table.note(section, "a spectator's message", Unit::Micros, (watched - alone) / messages);
}

/// What answers take, as multiples of the least, against what they are charged.
fn of_requests(site: &Site, table: &mut Table) {
    site.fill_the_lobby();
    for page in PAGES {
        let charged = site.charged(page);
        let [seconds, health] = site.interleaved([page, HEALTH]);
        table.note("an answer of a site", page, Unit::Micros, seconds);
        table.note("an answer, in units of the cost of requests", page, Unit::Count, charged);
        let section = format!("an answer, times {HEALTH}");
        let path = page.split('?').next().unwrap_or_default();
        table.hold(&section, page, Unit::Times, seconds / health, times_health_max("GET", path, charged));
        table.note("an answer of a site", HEALTH, Unit::Micros, health);
    }
}

/// Prints what is not measured, and why.
#[expect(clippy::print_stdout, reason = "a benchmark is for reading")]
fn print_unmeasured() {
    println!("not measured");
    for (route, why) in UNMEASURED {
        match why {
            Why::Does(other) => println!("  {route:<56}does what {other} does"),
            Why::Itself(reason) => println!("  {route:<56}{reason}"),
        }
    }
    println!();
}

/// How many times [`HEALTH`] an answer may take that is charged so much.
fn times_health_max(method: &str, path: &str, charged: f64) -> f64 {
    let is_aside = arena_server::ASIDE.iter().any(|(of, address)| *of == method && is_of(address, path));
    let most = if is_aside { f64::INFINITY } else { TIMES_HEALTH_THERE_MAX };
    most.min(TIMES_HEALTH_A_UNIT * charged)
}

fn bots_folder() -> PathBuf {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bots");
    std::env::var_os("ARENA_BOTS_DIR").map_or(default, PathBuf::from)
}
