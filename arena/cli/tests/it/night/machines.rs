//! The servers of a site, its workers and their database, each a process that dies or freezes at any moment: no game is
//! lost or duplicated, and the results are the same bytes as those of a single process.
//!
//! `cargo xtask kill-machines` does it more often; `heavy::samples` has some of it.
#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Permissions};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use arena_released::Released;
use arena_rules::Rng;
use arena_store::{BotName, DisplayName, Store, UnixSeconds, VOLUNTEER_FIRST_GAMES, Verdict};
use arena_wire::GAMES;
use rustix::process::Signal;
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use tokio::runtime::Runtime;

use serde_json::{Value, json};

use crate::cluster::{self, Cluster};
use crate::disk::{Disk, does};
use crate::eventually::{Found, eventually_here, pass_here};
use crate::left_out::left_out;
use crate::made_once::made_once;
use crate::process::{Process, finished};
use crate::site::{HONEST, Site, get, post_json};
use crate::tree::files;

const SIGTERM: i32 = 15;
/// How `verify` ends that played some games again and found no difference.
const SAMPLED: i32 = 7;

const NOW: UnixSeconds = UnixSeconds(1_800_000_000);
const SITES: usize = 2;
const WORKERS: [&str; 4] = ["ant", "bee", "cat", "dog"];
/// A worker that freezes for longer loses its games.
const LEASE: Duration = Duration::from_secs(1);
/// Between two questions to the database.
const SQL_PAUSE: Duration = Duration::from_millis(50);
/// The edition that is looked at.
const EDITION: &str = "standing-1";
/// Processes that the tests kill.
const KILLS: u64 = 10;
/// Bounds on how long they are made: editions, and moments in each.
const EDITIONS_MAX: u64 = 1_000;
const MOMENTS_MAX: u64 = 1_000;

/// A bot, and secrets, so that the same games are drawn everywhere.
async fn furnish(store: &Store) {
    let owner = store.create_account(&DisplayName::parse("Ann").unwrap(), NOW).await.unwrap().0.id;
    let bytes = Released::named(GAMES[0].ruleset, "mason").unwrap().bytes;
    let name = BotName::parse("mason").unwrap();
    let submitted = store.submit(owner, &name, GAMES[0].ruleset, bytes.into(), NOW).await.unwrap();
    store.set_verdict(submitted.version().id, Verdict::Accepted).await.unwrap();
    for number in 1..=2 {
        store.secret(GAMES[0].ruleset, number, [number as u8; 32]).await.unwrap();
    }
}

/// The files of an edition: its results by name, and the lines of its journal.
#[derive(PartialEq, Eq, Debug)]
struct Left {
    results: BTreeMap<PathBuf, Vec<u8>>,
    games: BTreeSet<String>,
}

fn edition(folder: &Path) -> PathBuf {
    folder.join("data/tournaments").join(EDITION)
}

fn left(folder: &Path) -> Left {
    let journal = fs::read_to_string(edition(folder).join("journal")).unwrap();
    let games: BTreeSet<String> = journal.lines().map(String::from).collect();
    let numbers: BTreeSet<&str> = games.iter().map(|line| line.split(' ').nth(1).unwrap()).collect();
    assert_eq!(
        (games.len(), numbers.len()),
        (journal.lines().count(), journal.lines().count()),
        "a game is there twice"
    );
    Left { results: files(&edition(folder).join("results")), games }
}

/// The edition as one process plays it alone: played once for all tests.
fn alone() -> Left {
    left(&made_once(env!("CARGO_TARGET_TMPDIR"), "edition-of-one", play_alone))
}

fn play_alone(folder: &Path) {
    let runtime = Runtime::new().unwrap();
    let data = folder.join("data");
    fs::create_dir_all(&data).unwrap();
    runtime.block_on(async {
        let store = std::sync::Arc::new(Store::open(&data).await.unwrap());
        furnish(&store).await;
        store.close().await;
    });
    let _site = Site::start(folder, &[]);
    until_finished(folder);
}

/// Waits until a site has written what the edition came to.
fn until_finished(folder: &Path) {
    let edition = edition(folder);
    let games = || fs::read_to_string(edition.join("journal")).unwrap_or_default().lines().count();
    let finished = || if edition.join("results").exists() { Ok(()) } else { Err(format!("{} games", games())) };
    eventually_here("the results of the edition", finished);
}

/// Processes over one database.
struct Machines<'a> {
    folder: &'a Path,
    url: &'a str,
    workers: Vec<Process>,
    sites: Vec<Process>,
}

impl Machines<'_> {
    fn start<'a>(folder: &'a Path, url: &'a str) -> Machines<'a> {
        let sites = (0..SITES).map(|number| site(folder, url, number)).collect();
        let workers = (0..WORKERS.len()).map(|number| worker(folder, url, number)).collect();
        Machines { folder, url, sites, workers }
    }

    /// Kills a server. Its copies of tournaments are there when it starts again, or have vanished.
    fn kill_site(&mut self, number: usize, vanish: bool) {
        self.sites[number].kill();
        if vanish {
            fs::remove_dir_all(place(self.folder, number).join("data")).unwrap();
        }
        self.sites[number] = site(self.folder, self.url, number);
    }

    fn kill(&mut self, number: usize) {
        self.workers[number].kill();
        self.workers[number] = worker(self.folder, self.url, number);
    }

    /// Asks a worker to stop, as an operator does.
    fn end(&mut self, number: usize) {
        let status = self.workers[number].stop();
        // It may be asked before it listens: then it has claimed nothing.
        assert!(status.success() || status.signal() == Some(SIGTERM), "{status}");
        self.workers[number] = worker(self.folder, self.url, number);
    }

    /// Whether it held games: if it did not, it goes on at once.
    fn stop_beyond_its_lease(&mut self, number: usize, cluster: &Cluster, name: &str) -> bool {
        self.workers[number].signal(Signal::STOP);
        let leases = format!("queued_games where worker = '{}' and end_hash is null", WORKERS[number]);
        let held = is_held(cluster, name, &leases, "leased_until");
        until_expired(cluster, name, &leases, "leased_until");
        self.workers[number].signal(Signal::CONT);
        held
    }
}

/// Whether one of these rows ends later than now, by the database's clock.
fn is_held(cluster: &Cluster, name: &str, leases: &str, end: &str) -> bool {
    let held = format!("select count(*) from {leases} and {end} > extract(epoch from clock_timestamp()) * 1000");
    cluster.sql(name, &held) != "0"
}

/// As [`eventually_here`], where each look asks the database, which takes a process: not a hundred times a second.
fn eventually_there<T, F: Found<T>>(what: &str, mut look: impl FnMut() -> F) -> T {
    eventually_here(what, || {
        pass_here(SQL_PAUSE);
        look()
    })
}

fn until_expired(cluster: &Cluster, name: &str, leases: &str, end: &str) {
    eventually_there("the end of the leases", || !is_held(cluster, name, leases, end));
}

/// Where a server has what it needs: no other sees it.
fn place(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("site-{number}"))
}

/// A server that plays nothing itself. The place of one that was killed is free as soon as its processes are gone.
fn site(folder: &Path, url: &str, number: usize) -> Process {
    site_of(arena(), folder, url, number)
}

/// The program under test.
fn arena() -> &'static Path {
    Path::new(env!("CARGO_BIN_EXE_arena"))
}

/// The same command of another build.
fn of(build: &Path, command: &Command) -> Command {
    let mut theirs = Command::new(build);
    theirs.args(command.get_args());
    give_variables(command, &mut theirs);
    theirs
}

/// Gives a command the variables of another one.
fn give_variables(from: &Command, to: &mut Command) {
    to.envs(from.get_envs().filter_map(|(name, value)| Some((name, value?))));
}

fn site_of(build: &Path, folder: &Path, url: &str, number: usize) -> Process {
    let place = place(folder, number);
    fs::create_dir_all(&place).unwrap();
    eventually_here("a server that listens", || {
        let flags = ["--database", url, "--games", "elsewhere"];
        let mut command = of(build, &Site::command_at(&address(number), &place, &flags));
        let (site, said) = Process::heard(format!("server {number}"), command.stdin(Stdio::null()));
        if said.next().is_some_and(|line| line.starts_with("listening")) { Ok(site) } else { Err(site.log()) }
    })
}

/// Where a server listens, however often it starts: no other test's servers have the address.
fn address(number: usize) -> String {
    let [.., high, low] = std::process::id().to_be_bytes();
    format!("127.{}.{high}.{low}:8080", 100 + number)
}

fn worker(folder: &Path, url: &str, number: usize) -> Process {
    start_worker(number, &mut worker_command(folder, url, &address(number % SITES), number))
}

/// The token of one of the site's own workers, which its operator makes the first time.
fn token(folder: &Path, url: &str, number: usize) -> String {
    let (name, file) = (WORKERS[number], folder.join(format!("token of {}", WORKERS[number])));
    if !file.exists() {
        let add = ["admin", "worker", "add", name, "--database", url];
        let added = finished(Command::new(arena()).args(add).stdin(Stdio::null()));
        assert!(added.status.success(), "{}", String::from_utf8_lossy(&added.stderr));
        fs::write(&file, String::from_utf8(added.stdout).unwrap().lines().next().unwrap()).unwrap();
    }
    fs::read_to_string(file).unwrap()
}

fn start_worker(number: usize, command: &mut Command) -> Process {
    Process::start(format!("worker {}", WORKERS[number]), command.stdin(Stdio::null()).stdout(Stdio::null()))
}

/// One of the site's own workers, which knows an address of the site and its token.
fn worker_command(folder: &Path, url: &str, address: &str, number: usize) -> Command {
    let mut command = Command::new(arena());
    command.args(["worker", "--server", &format!("http://{address}"), "--threads", "1", "--batch", "4"]);
    command.args(["--lease", &LEASE.as_secs().to_string(), "--cache"]).arg(folder.join("cache"));
    command.env("ARENA_TOKEN", token(folder, url, number));
    command
}

/// A token of a new account of a site, to play games with.
pub(crate) async fn volunteer(site: &Site) -> String {
    account_to_volunteer(site).await.1["secret"].as_str().unwrap().into()
}

/// The code of a new account, and a token of it to play games with.
pub(crate) async fn account_to_volunteer(site: &Site) -> (String, Value) {
    let claimed = site.ask(HONEST, post_json("/api/v1/accounts", &json!({ "name": "Vera" }))).await;
    let code = claimed.json()["code"].as_str().unwrap().to_owned();
    let wanted = json!({ "name": "attic", "scope": "work", "days": 1 });
    let made = site.ask(HONEST, post_json("/api/v1/account/tokens", &wanted).bearer(&code)).await;
    assert_eq!(made.status, 201, "{}", made.body);
    (code, made.json())
}

/// Plays games for the site at this address, as the account of a token.
pub(crate) fn volunteer_command(folder: &Path, address: &str, token: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(["worker", "--server", address, "--threads", "1", "--cache"]).arg(folder.join("theirs"));
    command.env("ARENA_TOKEN", token).stdin(Stdio::null()).stdout(Stdio::null());
    command
}

/// Waits until the first volunteer of a site has played so many games; what the site says of it.
pub(crate) fn volunteered(runtime: &Runtime, site: &Site, games: u64) -> Value {
    eventually_here("games of a volunteer", || {
        let said = runtime.block_on(site.ask(HONEST, get("/api/v1/volunteers"))).json()["volunteers"][0].clone();
        if said["games"].as_u64() >= Some(games) { Ok(said) } else { Err(said) }
    })
}

#[test]
fn what_a_volunteer_plays_are_the_games_that_one_process_plays() {
    if !cluster::is_there() {
        return;
    }
    let runtime = Runtime::new().unwrap();
    let expected = alone();
    let (_, url) = furnished(&runtime, cluster::cluster());
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--database", &url, "--games", "elsewhere", "--volunteers", "0.1"]);
    let token = runtime.block_on(volunteer(&site));
    let address = format!("http://{}", site.address);
    let plays = |token: &str| volunteer_command(folder.path(), &address, token);
    let refused = finished(&mut plays("at_nobodys"));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("bad_code"), "{said}");
    let mut theirs = Process::start("the volunteer", &mut plays(&token));
    // It plays alone until it has played what counts only when it was played again.
    volunteered(&runtime, &site, VOLUNTEER_FIRST_GAMES);
    let own = start_worker(0, &mut worker_command(folder.path(), &url, &site.address.to_string(), 0));
    until_finished(folder.path());
    let known = volunteered(&runtime, &site, VOLUNTEER_FIRST_GAMES);
    assert_eq!((&known["name"], &known["banned"]), (&json!("Vera"), &json!(false)));
    assert!(known["verified"].as_u64().unwrap() >= VOLUNTEER_FIRST_GAMES, "{known}");
    assert!(theirs.stop().success());
    drop(own);
    drop(site);
    assert_eq!(left(folder.path()), expected);
}

/// A new database in which the edition is to be played: its name and its address.
pub(crate) fn furnished(runtime: &Runtime, cluster: &Cluster) -> (String, String) {
    let url = cluster.database(None);
    runtime.block_on(async {
        let store = std::sync::Arc::new(Store::connect(&url).await.unwrap());
        furnish(&store).await;
        store.close().await;
    });
    (url.split(['/', '?']).nth(3).unwrap().into(), url)
}

/// Whether the edition is finished, with no open games; how many there are if not.
fn is_over(cluster: &Cluster, name: &str) -> Result<(), String> {
    let results = format!("select 1 from kept_files where folder = '{EDITION}' and file like 'results/%'");
    let open = format!("queued_games where tournament = '{EDITION}'");
    let ask = format!(
        "select exists ({results}) and not exists (select 1 from {open}), count(*), count(end_hash) from {open}"
    );
    let said = cluster.sql(name, &ask);
    if said.starts_with('t') { Ok(()) } else { Err(format!("{said} (over, open games, of which played)")) }
}

fn until_over(cluster: &Cluster, name: &str) {
    eventually_there("the end of the edition", || is_over(cluster, name));
}

/// Keeps the edition from ending, however quick the machine is: one of its games that no worker has is for a release
/// that nobody has.
fn hold_a_game(cluster: &Cluster, name: &str) {
    let nobodys = "worker is null and end_hash is null";
    let one = format!("select max(number) from queued_games where tournament = '{EDITION}' and {nobodys}");
    // None if a worker was faster.
    let held = format!(
        "update queued_games set semantics = '-' || semantics where number = ({one}) and {nobodys} returning number"
    );
    eventually_there("a game that nobody has", || !cluster.sql(name, &held).is_empty());
}

/// Lets workers have what was held.
const GIVE_BACK: &str = "update queued_games set semantics = substr(semantics, 2) where semantics like '-%'";

/// The edition, written out of a database whose servers are gone: a tournament like any other.
fn written_out(folder: &Path, url: &str) -> Left {
    written_out_by(arena(), folder, url)
}

fn written_out_by(build: &Path, folder: &Path, url: &str) -> Left {
    let arena = |arguments: &[&str]| {
        let output = finished(Command::new(build).args(arguments).stdin(Stdio::null()));
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let out = folder.join("out");
    // The database may not know yet that they are gone.
    eventually_here("a database that nobody uses", || {
        let (code, said) = arena(&["admin", "copy", url, out.join("data").to_str().unwrap()]);
        assert!(code == Some(0) || said.contains("is in use"), "{said}");
        if code == Some(0) { Ok(()) } else { Err(said) }
    });
    let verified = arena(&["verify", edition(&out).to_str().unwrap(), "--sample", "2"]);
    assert_eq!(verified.0, Some(SAMPLED), "{}", verified.1);
    left(&out)
}

/// Faults that a test makes.
#[derive(Clone, Copy)]
pub(crate) struct Faults {
    /// Servers and workers that are killed.
    pub(crate) servers: u64,
    pub(crate) workers: u64,
    /// Crashes of the database.
    pub(crate) crashes: u64,
    /// Workers that are stopped beyond their lease.
    pub(crate) stops: u64,
}

impl Faults {
    fn are_left(self) -> bool {
        self.servers + self.workers + self.crashes + self.stops > 0
    }
}

#[test]
fn whatever_dies_the_results_are_those_of_one_process() {
    if !cluster::is_there() {
        return;
    }
    let number = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let kills = number("ARENA_KILLS").unwrap_or(KILLS);
    // A tenth as many of what takes longer.
    let rare = kills.div_ceil(10);
    let servers = kills / 4;
    let faults = Faults { servers, workers: kills - servers, crashes: rare, stops: rare };
    println!("{}", whatever_dies(faults, number("ARENA_KILL_SEED").unwrap_or(1)));
}

/// Plays editions until these faults were made, each at a drawn moment, and holds their results against those of one
/// process. Returns a summary.
pub(crate) fn whatever_dies(faults: Faults, seed: u64) -> String {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = Rng::new(&key, 23);
    let runtime = Runtime::new().unwrap();
    let expected = alone();
    let cluster = Cluster::start("-c fsync=on -c full_page_writes=on");
    let (mut left, mut editions, mut ended) = (faults, 0, 0);
    for _ in 0..EDITIONS_MAX {
        if !left.are_left() {
            break;
        }
        let folder = tempfile::tempdir().unwrap();
        let (name, url) = furnished(&runtime, &cluster);
        let mut machines = Machines::start(folder.path(), &url);
        for _ in 0..MOMENTS_MAX {
            if !left.are_left() || is_over(&cluster, &name).is_ok() {
                break;
            }
            pass_here(Duration::from_millis(rng.below(250).into()));
            let one = rng.below(WORKERS.len() as u32) as usize;
            match rng.below(12) {
                0 if left.crashes > 0 => {
                    cluster.crash_and_restart();
                    left.crashes -= 1;
                }
                1 if left.stops > 0 => {
                    left.stops -= u64::from(machines.stop_beyond_its_lease(one, &cluster, &name));
                }
                2 => {
                    machines.end(one);
                    ended += 1;
                }
                3..6 if left.servers > 0 => {
                    machines.kill_site(one % SITES, rng.below(3) == 0);
                    left.servers -= 1;
                }
                _ if left.workers > 0 => {
                    machines.kill(one);
                    left.workers -= 1;
                }
                _ => {}
            }
        }
        until_over(&cluster, &name);
        drop(machines);
        assert_eq!(written_out(folder.path(), &url), expected);
        assert_eq!(cluster.sql(&name, "select count(*) from quarantined_workers"), "0", "nobody was wrong");
        editions += 1;
    }
    assert!(!left.are_left(), "{editions} editions were too short for the faults");
    let Faults { servers, workers, crashes, stops } = faults;
    format!(
        "{editions} editions of {} games by {SITES} servers and {} workers, seed {seed}: {servers} servers and {workers} workers killed, \
         {ended} workers ended, {crashes} crashes of the database, {stops} workers stopped beyond their lease; 0 lost, 0 double, the \
         same bytes",
        expected.games.len(),
        WORKERS.len(),
    )
}

/// The migration of a later build: a step that adds to every table, and one table more.
const LATER_STEP: [&str; 3] = [
    "select pg_advisory_xact_lock(7201839455);",
    include_str!("../../../../store/migrations/later.sql"),
    "insert into _sqlx_migrations (version, description, success, checksum, execution_time) values (9999, 'later', true, '', 0)",
];

/// From here on no worker gets a game: each that is asked for is for a release that nobody has.
const HOLD_ALL: &str = "
    select pg_advisory_xact_lock(7201839455);
    create function held() returns trigger language plpgsql as
        'begin new.semantics := ''-'' || new.semantics; return new; end';
    create trigger held before insert on queued_games for each row execute function held();
    update queued_games set semantics = '-' || semantics";

/// Lets workers have some games that are held.
fn give_back_some() -> String {
    const SOME: u64 = 4;
    let held = "semantics like '-%' and end_hash is null";
    let some = format!("select number from queued_games where {held} order by number limit {SOME}");
    format!("update queued_games set semantics = substr(semantics, 2) where number in ({some})")
}

#[test]
fn two_builds_one_migration_apart_play_a_tournament_side_by_side() {
    const EARLIER: usize = 0;
    const LATER: usize = 1;
    const TOO_LATE: usize = 2;
    if !cluster::is_there() {
        return;
    }
    // The program of a build that has the step, if there is one.
    let later = std::env::var_os("ARENA_LATER").map(PathBuf::from);
    let build = later.as_deref().unwrap_or(arena());
    let (runtime, cluster) = (Runtime::new().unwrap(), cluster::cluster());
    let expected = alone();
    let (name, url) = furnished(&runtime, cluster);
    let folder = tempfile::tempdir().unwrap();
    let games = |what: &str, worker: usize| {
        let of_worker = format!("tournament = '{EDITION}' and worker = '{}'", WORKERS[worker]);
        cluster.sql(&name, &format!("select count(*) from {what} {of_worker}")).parse::<u64>().unwrap()
    };
    let played_by = |worker: usize| games("queued_ends where", worker);
    let mut machines = Machines { folder: folder.path(), url: &url, sites: Vec::new(), workers: Vec::new() };
    // Before the step of the later build: the earlier one adds no worker afterwards.
    for number in [EARLIER, LATER] {
        token(folder.path(), &url, number);
    }
    machines.sites.push(site(folder.path(), &url, EARLIER));
    machines.workers.push(worker(folder.path(), &url, EARLIER));
    let has_played = |worker: usize, before: u64| {
        eventually_there(&format!("a game of {}", WORKERS[worker]), || played_by(worker) > before);
    };
    has_played(EARLIER, 0);
    if later.is_some() {
        machines.sites.push(site_of(build, folder.path(), &url, LATER));
    } else {
        // It locks every table, and may meet a process that has locked two of them in another order.
        let step = || {
            cluster
                .try_sql(&name, &LATER_STEP.concat())
                .inspect_err(|said| assert!(said.contains("deadlock"), "{said}"))
        };
        eventually_here("the step of the later build", step);
    }
    // However quick the earlier worker is, the edition goes on only when the later one is there.
    cluster.sql(&name, HOLD_ALL);
    eventually_there("the end of the games under way", || {
        games("queued_games where end_hash is null and", EARLIER) == 0
    });
    // Servers of the earlier build go on; none starts any more.
    let place = place(folder.path(), TOO_LATE);
    fs::create_dir_all(&place).unwrap();
    let mut server = Site::command(&place, &["--database", &url, "--games", "elsewhere"]);
    let refused = finished(server.stdin(Stdio::null()));
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("was written by a later release"), "{said}");
    if later.is_none() {
        // A later build knows its own step: to this binary, which plays its part, that is as if there were none.
        cluster.sql(&name, "delete from _sqlx_migrations where version = 9999");
        machines.sites.push(site(folder.path(), &url, LATER));
    }
    let theirs = worker_command(folder.path(), &url, &address(LATER), LATER);
    machines.workers.push(start_worker(LATER, &mut of(build, &theirs)));
    machines.workers[LATER].logs("waiting games need");
    // Each plays some games of which the other gets none, whichever is quicker.
    for (plays, waits) in [(LATER, EARLIER), (EARLIER, LATER)] {
        let before = played_by(plays);
        machines.workers[waits].signal(Signal::STOP);
        cluster.sql(&name, &give_back_some());
        has_played(plays, before);
        machines.workers[waits].signal(Signal::CONT);
    }
    cluster.sql(&name, &format!("drop trigger held on queued_games; drop function held; {GIVE_BACK}"));
    // The later server continues the work of the earlier one, whose place the later build takes, too. The workers play
    // side by side to the end.
    assert!(machines.sites[EARLIER].stop().success());
    machines.sites[EARLIER] = site_of(build, folder.path(), &url, EARLIER);
    until_over(cluster, &name);
    assert!(machines.workers.iter_mut().all(Process::is_running), "a worker gave up");
    drop(machines);
    assert_eq!(written_out_by(build, folder.path(), &url), expected);
    assert_eq!(cluster.sql(&name, "select count(*) from quarantined_workers"), "0", "nobody was wrong");
}

/// How large the disk of a database is before it is full.
const DISK: &str = "1g";
/// A small disk has no room for more of the log that is written ahead.
const SMALL_LOG: &str = "-c max_wal_size=64MB -c min_wal_size=32MB -c fsync=on -c full_page_writes=on";
/// Games that are played before the disk is full, or machines are cut off.
const PLAYED: u64 = 40;

#[test]
fn whatever_dies_of_a_full_disk_the_results_are_those_of_one_process() {
    if !cluster::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let Some(disk) = Disk::mounted(folder.path().join("disk"), DISK) else {
        return left_out("a full disk of the database needs root, to mount one");
    };
    // For the server's user, which is not root.
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let runtime = Runtime::new().unwrap();
    let expected = alone();
    let cluster = Cluster::start_in(disk.path(), SMALL_LOG);
    let (name, url) = furnished(&runtime, &cluster);
    let machines = Machines::start(folder.path(), &url);
    hold_a_game(&cluster, &name);
    has_played(&cluster, &name);
    disk.fill();
    // Of what it says since, the server's log has no room for all; it writes on until there is none.
    eventually_here("a full disk", || !does_write(&cluster, &name));
    disk.remount(&format!("size={DISK}"));
    // It may have given up.
    cluster.crash_and_restart();
    cluster.sql(&name, GIVE_BACK);
    until_over(&cluster, &name);
    drop(machines);
    assert_eq!(written_out(folder.path(), &url), expected);
    assert_eq!(cluster.sql(&name, "select count(*) from quarantined_workers"), "0", "nobody was wrong");
    // Before its disk.
    drop(cluster);
}

/// Waits until the first games of an edition are played.
fn has_played(cluster: &Cluster, name: &str) {
    eventually_there("the first games", || {
        let played = cluster.sql(name, "select count(*) from queued_ends");
        if played.parse::<u64>().unwrap() >= PLAYED { Ok(()) } else { Err(played) }
    });
}

/// Whether a database still has room for a row of a megabyte.
fn does_write(cluster: &Cluster, name: &str) -> bool {
    let row = "create table if not exists filler (bytes bytea); alter table filler alter bytes set storage external;
               insert into filler select decode(repeat('00', 1000000), 'hex')";
    cluster.try_sql(name, row).is_ok()
}

/// Machines of a network that only they are on, each a name space of this one. The database is on another, which has
/// the network's bridge.
struct Network {
    name: String,
    machines: usize,
}

/// Where the database is.
const DATABASE: &str = "10.77.0.1";

fn ip(words: &str) -> bool {
    does("ip", &words.split(' ').collect::<Vec<_>>())
}

impl Network {
    /// `None` where this process may not make one.
    fn of(machines: usize) -> Option<Network> {
        let network = Network { name: format!("ar{}", std::process::id()), machines };
        let name = &network.name;
        let is_made = ip(&format!("netns add {name}"))
            && ip(&format!("-n {name} link add bridge type bridge"))
            && ip(&format!("-n {name} addr add {DATABASE}/24 dev bridge"))
            && ip(&format!("-n {name} link set bridge up"))
            && (0..machines).all(|number| {
                let machine = network.machine(number);
                ip(&format!("netns add {machine}"))
                    && ip(&format!("-n {name} link add {machine} type veth peer name eth0 netns {machine}"))
                    && ip(&format!("-n {name} link set {machine} master bridge up"))
                    && ip(&format!("-n {machine} addr add {}/24 dev eth0", Network::host(number)))
                    && ip(&format!("-n {machine} link set eth0 up"))
                    && ip(&format!("-n {machine} link set lo up"))
            });
        is_made.then_some(network)
    }

    /// The address of a machine.
    fn host(number: usize) -> String {
        format!("10.77.0.{}", 10 + number)
    }

    fn machine(&self, number: usize) -> String {
        format!("{}-{number}", self.name)
    }

    /// A command on one of the machines.
    fn on(&self, number: usize, command: &Command) -> Command {
        let mut there = Command::new("ip");
        there.args(["netns", "exec", &self.machine(number)]).arg(command.get_program()).args(command.get_args());
        give_variables(command, &mut there);
        there.stdin(Stdio::null()).stdout(Stdio::null());
        there
    }

    /// Does something on the database's machine: the processes that it starts stay there.
    fn at_the_database<T: Send>(&self, does: impl FnOnce() -> T + Send) -> T {
        let machine = File::open(Path::new("/var/run/netns").join(&self.name)).unwrap();
        // Only this thread moves there, and it ends.
        thread::scope(|scope| {
            let there = scope.spawn(|| {
                move_into_link_name_space(machine.as_fd(), Some(LinkNameSpaceType::Network)).unwrap();
                does()
            });
            there.join().unwrap()
        })
    }

    fn cut_off(&self, number: usize) {
        assert!(ip(&format!("-n {} link set {} down", self.name, self.machine(number))));
    }

    fn heal(&self, number: usize) {
        assert!(ip(&format!("-n {} link set {} up", self.name, self.machine(number))));
    }
}

impl Drop for Network {
    fn drop(&mut self) {
        for number in 0..self.machines {
            ip(&format!("netns del {}", self.machine(number)));
        }
        ip(&format!("netns del {}", self.name));
    }
}

#[test]
fn a_machine_that_is_cut_off_and_healed_changes_no_result() {
    if !cluster::is_there() {
        return;
    }
    let Some(network) = Network::of(3) else {
        return left_out("machines that are cut off need root and the command `ip`, to make a network");
    };
    let folder = tempfile::tempdir().unwrap();
    // For the server's user, which is not root.
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).unwrap();
    let known = folder.path().join("known");
    fs::write(&known, "local all all trust\nhost all all 10.77.0.0/24 trust\n").unwrap();
    let options = format!("-c listen_addresses={DATABASE} -c hba_file={}", known.display());
    let cluster = network.at_the_database(|| Cluster::start(&options));
    let (name, here) = furnished(&Runtime::new().unwrap(), &cluster);
    let url = format!("postgres://arena@{DATABASE}/{name}");
    let place = place(folder.path(), 0);
    fs::create_dir_all(&place).unwrap();
    let address = format!("{}:8080", Network::host(0));
    let site = Site::command_at(&address, &place, &["--database", &url, "--games", "elsewhere"]);
    let mut machines = Machines { folder: folder.path(), url: &url, sites: Vec::new(), workers: Vec::new() };
    machines.sites.push(Process::start("the server", &mut network.on(0, &site)));
    for number in 1..=2 {
        let worker = network.on(number, &worker_command(folder.path(), &here, &address, number));
        machines.workers.push(start_worker(number, &mut { worker }));
    }
    hold_a_game(&cluster, &name);
    has_played(&cluster, &name);
    // The server, until none of its duties is its own: what workers have played they keep, and the edition waits for
    // it.
    assert_ne!(cluster.sql(&name, "select count(*) from duties"), "0");
    network.cut_off(0);
    // A worker, too.
    network.cut_off(1);
    until_expired(&cluster, &name, "duties where true", "until_ms");
    until_expired(&cluster, &name, &format!("queued_games where worker = '{}'", WORKERS[1]), "leased_until");
    // Meanwhile the database is another process, and says nothing to those who still wait for the one before.
    network.at_the_database(|| cluster.crash_and_restart());
    network.heal(0);
    network.heal(1);
    cluster.sql(&name, GIVE_BACK);
    // A server gives up a statement without an answer after 20 seconds, and the connection after five more.
    until_over(&cluster, &name);
    drop(machines);
    assert_eq!(written_out(folder.path(), &here), alone());
    assert_eq!(cluster.sql(&name, "select count(*) from quarantined_workers"), "0", "nobody was wrong");
}
