//! A site with a crowd: 10,000 accepted bots, 64 entrants, and 1,000,000 games in the index. What its start and its
//! pages cost, and how often a page takes a connection of the store, for a read or a transaction, and how many
//! statements it sends: `cargo xtask crowd`. With PostgreSQL the same site is then moved there: its pages take as many
//! of both.
//!
//! As many bots play as an edition has places for; the others are withdrawn, since qualifying all of them would take
//! days.
//!
//! The first edition is played by the site itself. The others that it keeps are that one again, by hard links; what is
//! in the index beyond them belongs to tournaments that are no longer kept.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use arena_service::limits::{EDITIONS_KEPT_MAX, ENTRANTS_MAX};
use arena_store::{BotName, DisplayName, IndexedGame, PAGE_MAX, Page, Store, TournamentId, UnixSeconds, Verdict};
use arena_wire::GAMES;
use std::sync::Arc;
use tokio::runtime::Runtime;

use crate::cluster::{self, Cluster};
use crate::cpu::seconds_of;
use crate::games::run as run_program;
use crate::site::{OPERATOR, Site};
use crate::table::{Table, Unit};
use crate::{ARENA, ROUNDS};

/// Accounts, each with a bot that is accepted.
const ACCOUNTS: usize = 10_000;
/// Built-in opponents have the other places of an edition; the bots beyond are withdrawn.
const BOTS_PLAYING: usize = ENTRANTS_MAX - 3;
const INDEXED: usize = 1_000_000;
/// Games of a tournament in the index that is no longer kept.
const FORMER_GAMES: usize = 20_000;
/// How long the edition of all bots may take.
const PATIENCE: Duration = Duration::from_secs(3_600);
/// Requests of a page in a round.
const REQUESTS: u64 = 100;
/// How many connections of the store a page may take, as the test of all addresses holds
/// (`arena/server/tests/it/slow/layers/queries.rs`).
const ASKED_MAX: f64 = 7.0;
/// What a page may take at most, times `/healthz`: the largest, with a table of all against all, is some 500 kB of
/// text.
const TIMES_HEALTH_MAX: f64 = 200.0;
/// What the site may have in memory when it has answered everything, in bytes.
const RESIDENT_MAX: f64 = 512e6;

/// Every page that a visitor can open, and what programs ask for, the first being what an answer costs at least. `ROOM`
/// is a room of the run. There is no `/volunteers`, because this site plays its own games; and none of the pages that
/// play a game again, whose cost is that of the game.
const PAGES: [&str; 58] = [
    "/healthz",
    "/",
    "/standings",
    "/standings/war-of-life",
    "/play",
    "/practice",
    "/games",
    "/games?bot=bot-7",
    "/games/standing-50.7",
    "/games/standing-50.7/picture.png",
    "/open",
    "/bots/bot-7",
    "/bots/bot-7/picture.png",
    "/bots/bot-7?version=1&opponent=bot-8",
    "/bots/bot-7/versions/1",
    "/bots/easy",
    "/authors/7",
    "/people",
    "/lobby",
    "/rooms/ROOM",
    "/tournaments",
    "/tournaments/cup-1",
    "/tournaments/new",
    "/worlds",
    "/worlds/meadow",
    "/operator",
    "/submit",
    "/account",
    "/guide",
    "/guide/wat",
    "/guide/search?q=fuel",
    "/guide/files/guide/bots/wat/bot.wat",
    "/api",
    "/learn",
    "/learn/conquerors/1",
    "/learn/life2",
    "/rules/conquerors",
    "/privacy",
    "/api/v1/standings",
    "/api/v1/people",
    "/api/v1/lobby",
    "/api/v1/limits",
    "/api/v1/bots",
    "/api/v1/bots/bot-7",
    "/api/v1/bots/bot-7/versions",
    "/api/v1/bots/bot-7/versions/1",
    "/api/v1/games",
    "/api/v1/games/standing-50.7",
    "/api/v1/games/standing-50.7/record",
    "/api/v1/bots/bot-7/games",
    "/api/v1/rooms/ROOM",
    "/api/v1/rooms/ROOM/events",
    "/api/v1/tournaments",
    "/api/v1/tournaments/cup-1",
    "/api/v1/worlds",
    "/api/v1/worlds/meadow",
    "/api/v1/worlds/meadow/spans",
    "/api/v1/openapi.json",
];

pub(crate) fn run() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("site");
    let runtime = Runtime::new().expect("a runtime");
    step("making accounts and bots", || runtime.block_on(people(&data)));
    step("playing an edition of all bots", || {
        let site = Site::serve(&data, &["--standing-threads", "2"]);
        site.until_at_rest("bot-0", PATIENCE);
        site.stop();
    });
    step("making editions and games of it", || {
        (2..=EDITIONS_KEPT_MAX).for_each(|number| link(&edition(&data, 1), &edition(&data, number)));
        runtime.block_on(index(&data));
    });
    let mut table = Table::default();
    let began = Instant::now();
    let token = folder.path().join("operator");
    fs::write(&token, OPERATOR).expect("written");
    let flags = ["--world", "meadow", "--operator-token-file", token.to_str().expect("a path in UTF-8")];
    let site = Site::serve(&data, &flags);
    let listening = began.elapsed();
    site.until_at_rest("bot-0", PATIENCE);
    let section = "the start";
    table.note(section, "until it listens", Unit::Millis, listening.as_secs_f64());
    table.note(section, "until the standings are there", Unit::Millis, began.elapsed().as_secs_f64());
    table.note(section, "processor time until then", Unit::Millis, seconds_of(site.process()));
    table.note("memory", "resident after the start", Unit::Megabytes, resident(site.process()));
    let room = site.room_and_tournament();
    for _ in 0..ROUNDS {
        let pages = PAGES.map(|page| (page, site.page(&page.replace("ROOM", &room)), asked(&site, page, &room)));
        let health = pages[0].1;
        for (page, seconds, asked) in pages {
            table.note("an answer", page, Unit::Micros, seconds);
            table.hold("an answer, times /healthz", page, Unit::Times, seconds / health, TIMES_HEALTH_MAX);
            let [connections, statements] = asked;
            table.hold("connections of the store for an answer", page, Unit::Count, connections, ASKED_MAX);
            table.note("statements for an answer", page, Unit::Count, statements);
        }
    }
    table.hold("memory", "resident after all answers", Unit::Megabytes, resident(site.process()), RESIDENT_MAX);
    let counts = PAGES.map(|page| asked(&site, page, &room));
    site.stop();
    let others = cluster::is_there().then(|| in_a_database(&data, &flags, &room, counts, &mut table));
    table.print(ROUNDS);
    if let Some(others) = &others {
        print_compared(others);
    }
    if !table.holds() || others.is_some_and(|others| !others.is_empty()) {
        std::process::exit(1);
    }
}

/// Prints whether both databases are asked equally often.
#[expect(clippy::print_stdout, reason = "a benchmark is for reading")]
fn print_compared(others: &[&str]) {
    println!("\nconnections of the store and statements for an answer, SQLite and PostgreSQL");
    if others.is_empty() {
        println!("  equal for each of {} pages", PAGES.len());
    } else {
        println!("  NOT equal: {}", others.join(", "));
    }
}

/// The pages for which the site takes more or fewer connections of a database of a server than of its file, or sends
/// more or fewer statements.
fn in_a_database(
    data: &Path,
    flags: &[&str],
    room: &str,
    counts: [[f64; 2]; PAGES.len()],
    table: &mut Table,
) -> Vec<&'static str> {
    let cluster = Cluster::start("");
    let url = cluster.database(None);
    step("moving the site", || run_program(Command::new(ARENA).args(["admin", "copy"]).arg(data).arg(&url)));
    let flags: Vec<&str> = ["--database", url.as_str()].into_iter().chain(flags.iter().copied()).collect();
    let site = Site::serve(&data.with_extension("copies"), &flags);
    site.until_at_rest("bot-0", PATIENCE);
    let mut others = Vec::new();
    // A server of several also asks by itself, in bursts: the median of three is of none.
    let passes = [(); 3].map(|()| PAGES.map(|page| asked(&site, page, room)));
    for (number, (page, before)) in PAGES.into_iter().zip(counts).enumerate() {
        let asked: [f64; 2] = std::array::from_fn(|which| {
            let mut of_page = passes.map(|pass| pass[number][which]);
            of_page.sort_by(f64::total_cmp);
            of_page[1]
        });
        table.hold("connections in PostgreSQL", page, Unit::Count, asked[0], ASKED_MAX);
        table.note("statements in PostgreSQL", page, Unit::Count, asked[1]);
        if asked.map(f64::round) != before.map(f64::round) {
            others.push(page);
        }
    }
    others
}

/// Says what is done, and how long it took.
fn step(what: &str, work: impl FnOnce()) {
    let (began, mut out) = (Instant::now(), std::io::stderr());
    work();
    writeln!(out, "{what}: {:.0} s", began.elapsed().as_secs_f64()).expect("written");
}

fn edition(data: &Path, number: usize) -> std::path::PathBuf {
    data.join(format!("tournaments/standing-{number}"))
}

fn tournament(name: &str) -> TournamentId {
    TournamentId::parse(name).expect("a name")
}

/// Accounts with a bot each that is accepted.
async fn people(data: &Path) {
    let (store, now) = (Arc::new(Store::open(data).await.expect("a store")), UnixSeconds(1_700_000_000));
    for number in 0..ACCOUNTS {
        let name = DisplayName::parse(&format!("Visitor {number}")).expect("a name");
        let (account, _) = store.create_account(&name, now).await.expect("a place");
        let name = BotName::parse(&format!("bot-{number}")).expect("a name");
        let taken = store.submit(account.id, &name, GAMES[0].ruleset, module(number), now).await.expect("taken");
        let version = taken.version().id;
        store.set_verdict(version, Verdict::Accepted).await.expect("pending");
        if number >= BOTS_PLAYING {
            store.choose_version(version.bot, None).await.expect("withdrawn");
        }
    }
    store.close().await;
}

/// A bot like no other: mason with a function more.
pub(crate) fn module(number: usize) -> Arc<[u8]> {
    let mason = include_str!("../../../../bots/gallery/mason/bot.wat");
    let end = mason.rfind(')').expect("a module");
    let text = format!("{} (func (result i32) (i32.const {number})))", &mason[..end]);
    wat::parse_str(text).expect("a module").into()
}

/// The same folder under another name, without its bytes.
fn link(from: &Path, to: &Path) {
    fs::create_dir(to).expect("a folder");
    for entry in fs::read_dir(from).expect("readable") {
        let (entry, to) = entry.map(|entry| (entry.path(), to.join(entry.file_name()))).expect("an entry");
        if entry.is_dir() {
            link(&entry, &to);
        } else {
            fs::hard_link(entry, to).expect("linked");
        }
    }
}

/// Puts the games of all editions into the index, and as many others as it takes.
async fn index(data: &Path) {
    let store = Arc::new(Store::open(data).await.expect("a store"));
    let (first, mut games, mut page) = (tournament("standing-1"), Vec::<IndexedGame>::new(), Page::first(PAGE_MAX));
    loop {
        let more = store.games(&first, page).await.expect("readable");
        let Some(last) = more.last() else { break };
        page = Page::after(last.number, PAGE_MAX);
        games.extend(more);
    }
    let mut indexed = games.len();
    for number in 2..=EDITIONS_KEPT_MAX {
        let name = format!("standing-{number}");
        let own: Vec<IndexedGame> =
            games.iter().map(|game| IndexedGame { path: name.clone(), ..game.clone() }).collect();
        store.reindex(&tournament(&name), &own).await.expect("indexed");
        indexed += own.len();
    }
    while indexed < INDEXED {
        let name = format!("former-{indexed}");
        let own = games.iter().cycle().take(FORMER_GAMES.min(INDEXED - indexed)).enumerate();
        let own = own.map(|(number, game)| IndexedGame { number: number as u32, path: name.clone(), ..game.clone() });
        let own: Vec<IndexedGame> = own.collect();
        store.reindex(&tournament(&name), &own).await.expect("indexed");
        indexed += own.len();
    }
    store.close().await;
}

/// How many connections of the store an answer takes, and how many statements.
fn asked(site: &Site, page: &str, room: &str) -> [f64; 2] {
    let path = page.replace("ROOM", room);
    let counts = [site.asked(), site.asked()];
    (0..REQUESTS).for_each(|_| drop(site.get(&path)));
    let now = site.asked();
    std::array::from_fn(|which| {
        let [first, second] = counts.map(|count| count[which]);
        // To find out has taken as many once more.
        (now[which] - second - (second - first)) as f64 / REQUESTS as f64
    })
}

/// Bytes of a process that are in memory.
fn resident(process: u32) -> f64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("Linux has it");
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).expect("a line");
    line.trim().trim_end_matches(" kB").parse::<f64>().expect("a number") * 1024.0
}
