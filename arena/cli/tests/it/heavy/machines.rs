//! The servers of a site, its workers and their database, each a process that dies or freezes at any moment: no game is lost or duplicated,
//! and the results are the same bytes as those of a single process.
//!
//! `cargo xtask kill-machines` does it more often.
#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, Permissions};
use std::io::{BufRead, BufReader};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use arena_released::Released;
use arena_rules::Rng;
use arena_store::{
    BotName, DisplayName, PostgresStore, SqliteStore, Store, UnixSeconds, VOLUNTEER_FIRST_GAMES, Verdict,
};
use arena_wire::GAMES;
use rustix::process::{Pid, Signal, kill_process};
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use tokio::runtime::Runtime;

use serde_json::{Value, json};

use crate::cluster::{self, Cluster};
use crate::disk::{Disk, does};
use crate::left_out::left_out;
use crate::site::{HONEST, LOOK, Site, get, post_json};
use crate::tls::Authority;
use crate::tree::files;

const SIGTERM: i32 = 15;
/// How `verify` ends that played some games again and found no difference.
const SAMPLED: i32 = 7;

const NOW: UnixSeconds = UnixSeconds(1_800_000_000);
const SITES: usize = 2;
const WORKERS: [&str; 4] = ["ant", "bee", "cat", "dog"];
/// A worker that freezes for longer loses its games.
const LEASE: Duration = Duration::from_secs(1);
/// The edition that is looked at.
const EDITION: &str = "standing-1";
/// Faults that the tests make: processes killed, databases crashed, workers stopped beyond their lease.
const KILLS: u64 = 10;
const CRASHES: u64 = 1;
const STOPS: u64 = 1;

/// A bot, and secrets, so that the same games are drawn everywhere.
async fn furnish(store: &dyn Store) {
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
fn alone() -> &'static Left {
    static ALONE: OnceLock<Left> = OnceLock::new();
    ALONE.get_or_init(play_alone)
}

fn play_alone() -> Left {
    let runtime = Runtime::new().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    fs::create_dir_all(&data).unwrap();
    runtime.block_on(async {
        let store = std::sync::Arc::new(SqliteStore::open(&data).await.unwrap());
        furnish(&*store).await;
        arena_store::Upkeep::close(store).await;
    });
    let site = Site::start(folder.path(), &[]);
    while !edition(folder.path()).join("results").exists() {
        thread::sleep(LOOK);
    }
    drop(site);
    left(folder.path())
}

/// Processes over one database.
struct Machines<'a> {
    folder: &'a Path,
    url: &'a str,
    sites: Vec<Child>,
    workers: Vec<Child>,
}

impl Machines<'_> {
    fn start<'a>(folder: &'a Path, url: &'a str) -> Machines<'a> {
        let sites = (0..SITES).map(|number| site(folder, url, number)).collect();
        let workers = (0..WORKERS.len()).map(|number| worker(folder, url, number)).collect();
        Machines { folder, url, sites, workers }
    }

    /// Kills a server. Its copies of tournaments are there when it starts again, or have vanished.
    fn kill_site(&mut self, number: usize, vanish: bool) {
        self.sites[number].kill().unwrap();
        self.sites[number].wait().unwrap();
        if vanish {
            fs::remove_dir_all(place(self.folder, number).join("data")).unwrap();
        }
        self.sites[number] = site(self.folder, self.url, number);
    }

    fn kill(&mut self, number: usize) {
        self.workers[number].kill().unwrap();
        self.workers[number].wait().unwrap();
        self.workers[number] = worker(self.folder, self.url, number);
    }

    /// Asks a worker to stop, as an operator does.
    fn end(&mut self, number: usize) {
        signal(&self.workers[number], Signal::TERM);
        let status = self.workers[number].wait().unwrap();
        // It may be asked before it listens: then it has claimed nothing.
        assert!(status.success() || status.signal() == Some(SIGTERM), "{status}");
        self.workers[number] = worker(self.folder, self.url, number);
    }

    /// Whether it held games: if it did not, it goes on at once.
    fn stop_beyond_its_lease(&mut self, number: usize, cluster: &Cluster, name: &str) -> bool {
        signal(&self.workers[number], Signal::STOP);
        let of_worker = format!("worker = '{}' and end_hash is null", WORKERS[number]);
        let now = "extract(epoch from clock_timestamp()) * 1000";
        let held = format!("select count(*) from queued_games where {of_worker} and leased_until > {now}");
        let held = cluster.sql(name, &held) != "0";
        if held {
            thread::sleep(LEASE + LEASE / 4);
        }
        signal(&self.workers[number], Signal::CONT);
        held
    }
}

impl Drop for Machines<'_> {
    fn drop(&mut self) {
        for child in self.workers.iter_mut().chain(&mut self.sites) {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

fn signal(child: &Child, signal: Signal) {
    kill_process(Pid::from_child(child), signal).unwrap();
}

/// Where a server has what it needs: no other sees it.
fn place(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("site-{number}"))
}

/// A server that plays nothing itself. The place of one that was killed is free as soon as its processes are gone.
fn site(folder: &Path, url: &str, number: usize) -> Child {
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
    theirs
}

fn site_of(build: &Path, folder: &Path, url: &str, number: usize) -> Child {
    let place = place(folder, number);
    fs::create_dir_all(&place).unwrap();
    loop {
        let mut command = of(build, &Site::command(&place, &["--database", url, "--games", "elsewhere"]));
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        if line.starts_with("listening") {
            return child;
        }
        child.wait().unwrap();
    }
}

fn worker(folder: &Path, url: &str, number: usize) -> Child {
    worker_command(folder, url, number)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

fn worker_command(folder: &Path, url: &str, number: usize) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(["worker", "--database", url, "--name", WORKERS[number], "--threads", "1", "--batch", "4"]);
    command.args(["--lease", &LEASE.as_secs().to_string(), "--cache"]).arg(folder.join("cache"));
    command
}

/// A token of a new account of a site, to play games with.
async fn volunteer(site: &Site) -> String {
    account_to_volunteer(site).await.1["secret"].as_str().unwrap().into()
}

/// The code of a new account, and a token of it to play games with.
async fn account_to_volunteer(site: &Site) -> (String, Value) {
    let claimed = site.ask(HONEST, post_json("/api/v1/accounts", &json!({ "name": "Vera" }))).await;
    let code = claimed.json()["code"].as_str().unwrap().to_owned();
    let wanted = json!({ "name": "attic", "scope": "work", "days": 1 });
    let made = site.ask(HONEST, post_json("/api/v1/account/tokens", &wanted).bearer(&code)).await;
    assert_eq!(made.status, 201, "{}", made.body);
    (code, made.json())
}

/// Plays games for the site at this address, as the account of a token.
fn volunteer_command(folder: &Path, address: &str, token: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(["worker", "--server", address, "--threads", "1", "--cache"]).arg(folder.join("theirs"));
    command.env("ARENA_TOKEN", token).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
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
    let refused = plays("at_nobodys").output().unwrap();
    let said = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && said.contains("bad_code"), "{said}");
    let mut theirs = plays(&token).stderr(Stdio::null()).spawn().unwrap();
    let volunteers = || runtime.block_on(site.ask(HONEST, get("/api/v1/volunteers"))).json()["volunteers"][0].clone();
    // It plays alone until it has played what counts only when it was played again.
    while volunteers()["games"].as_u64().is_none_or(|games| games < VOLUNTEER_FIRST_GAMES) {
        thread::sleep(LOOK);
    }
    let mut own = worker(folder.path(), &url, 0);
    while !edition(folder.path()).join("results").exists() {
        thread::sleep(LOOK);
    }
    let known = volunteers();
    assert_eq!((&known["name"], &known["banned"]), (&json!("Vera"), &json!(false)));
    assert!(known["verified"].as_u64().unwrap() >= VOLUNTEER_FIRST_GAMES, "{known}");
    signal(&theirs, Signal::TERM);
    assert!(theirs.wait().unwrap().success());
    own.kill().unwrap();
    own.wait().unwrap();
    drop(site);
    assert_eq!(&left(folder.path()), expected);
}

#[test]
fn a_volunteer_whose_token_is_revoked_says_so_and_ends() {
    if !cluster::is_there() {
        return;
    }
    let runtime = Runtime::new().unwrap();
    let (_, url) = furnished(&runtime, cluster::cluster());
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--database", &url, "--games", "elsewhere", "--volunteers", "0.1"]);
    let (code, token) = runtime.block_on(account_to_volunteer(&site));
    let (number, secret) = (token["number"].as_i64().unwrap(), token["secret"].as_str().unwrap());
    let theirs = volunteer_command(folder.path(), &format!("http://{}", site.address), secret).spawn().unwrap();
    let volunteers = || runtime.block_on(site.ask(HONEST, get("/api/v1/volunteers"))).json()["volunteers"][0].clone();
    while volunteers()["games"].as_u64().is_none_or(|games| games == 0) {
        thread::sleep(LOOK);
    }
    let revocation = format!("/api/v1/account/tokens/{number}/revocation");
    let revoked = runtime.block_on(site.ask(HONEST, post_json(&revocation, &json!({})).bearer(&code)));
    assert!((200..300).contains(&revoked.status), "{}", revoked.body);
    let ended = theirs.wait_with_output().unwrap();
    let said = String::from_utf8(ended.stderr).unwrap();
    assert!(!ended.status.success() && said.contains("no account has this token (unknown_token)"), "{said}");
}

#[test]
fn a_site_says_how_probable_it_is_that_forged_games_stay_undetected() {
    if !cluster::is_there() {
        return;
    }
    let (folder, url) = (tempfile::tempdir().unwrap(), cluster::cluster().database(None));
    let flags = ["--database", url.as_str(), "--games", "elsewhere", "--no-standing", "--volunteers", "0.1"];
    let mut site = Site::command(folder.path(), &flags);
    let mut site = site.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let said = BufReader::new(site.stdout.take().unwrap()).lines().nth(2).unwrap().unwrap();
    site.kill().unwrap();
    site.wait().unwrap();
    assert_eq!(
        said,
        "chance that forged games stay undetected, after a volunteer's first 50 games: 1: 90.0 %, 10: 34.9 %, 100: 0.0 %"
    );
}

#[test]
fn a_volunteer_plays_over_tls_for_a_site_whose_authority_it_was_given() {
    if !cluster::is_there() {
        return;
    }
    if !does("openssl", &["version"]) {
        return left_out("a volunteer of a site with a private certificate needs openssl, to make one");
    }
    let runtime = Runtime::new().unwrap();
    let (_, url) = furnished(&runtime, cluster::cluster());
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--database", &url, "--games", "elsewhere", "--volunteers", "0.1"]);
    let token = runtime.block_on(volunteer(&site));
    let [own, other] = ["own", "other"].map(|name| Authority::new(folder.path().join(name)));
    let address = format!("https://{}", own.in_front_of(site.address));
    let plays = |ca: Option<&Path>| {
        let mut command = volunteer_command(folder.path(), &address, &token);
        if let Some(ca) = ca {
            command.arg("--ca").arg(ca);
        }
        command
    };
    let empty = folder.path().join("empty.pem");
    fs::write(&empty, "no certificate\n").unwrap();
    let nowhere = folder.path().join("nowhere.pem");
    for (file, sentence) in
        [(nowhere, "cannot read"), (empty, "has no certificate in PEM"), (own.key(), "leave private keys out of it")]
    {
        let refused = plays(Some(&file)).output().unwrap();
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && said.contains(sentence), "{said}");
        assert!(said.contains(file.to_str().unwrap()), "{said}");
    }
    // It asks again and again: the site may get another certificate.
    for ca in [None, Some(other.certificate())] {
        let mut theirs = plays(ca.as_deref()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(theirs.stderr.take().unwrap()).read_line(&mut line).unwrap();
        theirs.kill().unwrap();
        theirs.wait().unwrap();
        assert!(line.contains("`arena worker --ca FILE`"), "{line}");
    }
    let mut theirs = plays(Some(&own.certificate())).stderr(Stdio::null()).spawn().unwrap();
    let volunteers = || runtime.block_on(site.ask(HONEST, get("/api/v1/volunteers"))).json()["volunteers"][0].clone();
    while volunteers()["games"].as_u64().is_none_or(|games| games == 0) {
        thread::sleep(LOOK);
    }
    signal(&theirs, Signal::TERM);
    assert!(theirs.wait().unwrap().success());
}

/// A new database in which the edition is to be played: its name and its address.
fn furnished(runtime: &Runtime, cluster: &Cluster) -> (String, String) {
    let url = cluster.database(None);
    runtime.block_on(async {
        let store = std::sync::Arc::new(PostgresStore::open(&url).await.unwrap());
        furnish(&*store).await;
        arena_store::Upkeep::close(store).await;
    });
    (url.split(['/', '?']).nth(3).unwrap().into(), url)
}

/// Whether the edition is finished, with no open games.
fn is_over(cluster: &Cluster, name: &str) -> bool {
    let results = format!("select count(*) from kept_files where folder = '{EDITION}' and file like 'results/%'");
    let open = format!("select count(*) from queued_games where tournament = '{EDITION}'");
    cluster.sql(name, &results) != "0" && cluster.sql(name, &open) == "0"
}

/// Keeps the edition from ending, however quick the machine is: one of its games that no worker has is for a release that nobody has.
fn hold_a_game(cluster: &Cluster, name: &str) {
    let nobodys = "worker is null and end_hash is null";
    let one = format!("select max(number) from queued_games where tournament = '{EDITION}' and {nobodys}");
    // None if a worker was faster.
    let held = format!(
        "update queued_games set semantics = '-' || semantics where number = ({one}) and {nobodys} returning number"
    );
    while cluster.sql(name, &held).is_empty() {
        thread::sleep(LOOK);
    }
}

/// Lets workers have what was held.
const GIVE_BACK: &str = "update queued_games set semantics = substr(semantics, 2) where semantics like '-%'";

/// The edition, written out of a database whose servers are gone: a tournament like any other.
fn written_out(folder: &Path, url: &str) -> Left {
    written_out_by(arena(), folder, url)
}

fn written_out_by(build: &Path, folder: &Path, url: &str) -> Left {
    let arena = |arguments: &[&str]| {
        let output = Command::new(build).args(arguments).stdin(Stdio::null()).output().unwrap();
        (output.status.code(), String::from_utf8([output.stdout, output.stderr].concat()).unwrap())
    };
    let out = folder.join("out");
    // The database may not know yet that they are gone.
    loop {
        let (code, said) = arena(&["admin", "copy", url, out.join("data").to_str().unwrap()]);
        if code == Some(0) {
            break;
        }
        assert!(said.contains("is in use"), "{said}");
        thread::sleep(LOOK);
    }
    let verified = arena(&["verify", edition(&out).to_str().unwrap(), "--sample", "2"]);
    assert_eq!(verified.0, Some(SAMPLED), "{}", verified.1);
    left(&out)
}

#[test]
fn whatever_dies_the_results_are_those_of_one_process() {
    if !cluster::is_there() {
        return;
    }
    let number = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let kills = number("ARENA_KILLS").unwrap_or(KILLS);
    // A tenth as many of what takes longer.
    let (mut crashes, mut stops) = match number("ARENA_KILLS") {
        Some(kills) => (kills.div_ceil(10), kills.div_ceil(10)),
        None => (CRASHES, STOPS),
    };
    let mut key = [0; 32];
    key[..8].copy_from_slice(&number("ARENA_KILL_SEED").unwrap_or(1).to_le_bytes());
    let mut rng = Rng::new(&key, 23);
    let runtime = Runtime::new().unwrap();
    let expected = alone();
    let cluster = Cluster::start("-c fsync=on -c full_page_writes=on");
    let (mut left_to_kill, mut editions, mut ended, mut sites) = (kills, 0, 0, 0);
    let (all_crashes, all_stops) = (crashes, stops);
    while editions == 0 || left_to_kill + crashes + stops > 0 {
        let folder = tempfile::tempdir().unwrap();
        let (name, url) = furnished(&runtime, &cluster);
        let mut machines = Machines::start(folder.path(), &url);
        while !is_over(&cluster, &name) {
            // Not to wait for anything: the moment is drawn.
            thread::sleep(Duration::from_millis(rng.below(250).into()));
            let one = rng.below(WORKERS.len() as u32) as usize;
            match rng.below(12) {
                0 if crashes > 0 => {
                    cluster.crash_and_restart();
                    crashes -= 1;
                }
                1 if stops > 0 => {
                    stops -= u64::from(machines.stop_beyond_its_lease(one, &cluster, &name));
                }
                2 => {
                    machines.end(one);
                    ended += 1;
                }
                3 | 4 if left_to_kill > 0 => {
                    machines.kill_site(one % SITES, rng.below(3) == 0);
                    (left_to_kill, sites) = (left_to_kill - 1, sites + 1);
                }
                _ if left_to_kill > 0 => {
                    machines.kill(one);
                    left_to_kill -= 1;
                }
                _ => {}
            }
        }
        drop(machines);
        assert_eq!(&written_out(folder.path(), &url), expected);
        assert_eq!(cluster.sql(&name, "select count(*) from quarantined_workers"), "0", "nobody was wrong");
        editions += 1;
    }
    println!(
        "{editions} editions of {} games by {SITES} servers and {} workers: {sites} servers and {} workers killed, {ended} workers ended, \
         {all_crashes} crashes of the database, {all_stops} workers stopped beyond their lease; 0 lost, 0 double, the same bytes",
        expected.games.len(),
        WORKERS.len(),
        kills - sites,
    );
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
    machines.sites.push(site(folder.path(), &url, EARLIER));
    machines.workers.push(worker(folder.path(), &url, EARLIER));
    while played_by(EARLIER) == 0 {
        thread::sleep(LOOK);
    }
    if later.is_some() {
        machines.sites.push(site_of(build, folder.path(), &url, LATER));
    } else {
        // It locks every table, and may meet a process that has locked two of them in another order.
        while let Err(said) = cluster.try_sql(&name, &LATER_STEP.concat()) {
            assert!(said.contains("deadlock"), "{said}");
        }
    }
    // However quick the earlier worker is, the edition goes on only when the later one is there.
    cluster.sql(&name, HOLD_ALL);
    while games("queued_games where end_hash is null and", EARLIER) > 0 {
        thread::sleep(LOOK);
    }
    // Processes of the earlier build go on; none starts any more.
    let place = place(folder.path(), TOO_LATE);
    fs::create_dir_all(&place).unwrap();
    let server = Site::command(&place, &["--database", &url, "--games", "elsewhere"]);
    for mut command in [server, worker_command(folder.path(), &url, TOO_LATE)] {
        let refused = command.stdin(Stdio::null()).output().unwrap();
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(!refused.status.success() && said.contains("was written by a later release"), "{said}");
    }
    if later.is_none() {
        // A later build knows its own step: to this binary, which plays its part, that is as if there were none.
        cluster.sql(&name, "delete from _sqlx_migrations where version = 9999");
        machines.sites.push(site(folder.path(), &url, LATER));
    }
    let mut worker = of(build, &worker_command(folder.path(), &url, LATER));
    let worker = worker.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    machines.workers.push(worker);
    let mut told = BufReader::new(machines.workers[LATER].stderr.take().unwrap()).lines();
    assert!(told.any(|line| line.unwrap().contains("waiting games need")), "the later worker has asked for games");
    let before = played_by(EARLIER);
    cluster.sql(&name, &format!("drop trigger held on queued_games; drop function held; {GIVE_BACK}"));
    while played_by(LATER) == 0 || played_by(EARLIER) == before {
        assert!(!is_over(cluster, &name), "only one of the builds played");
        thread::sleep(LOOK);
    }
    // The later server continues the work of the earlier one. The workers play side by side to the end.
    signal(&machines.sites[EARLIER], Signal::TERM);
    assert!(machines.sites[EARLIER].wait().unwrap().success());
    while !is_over(cluster, &name) {
        thread::sleep(LOOK);
    }
    for worker in &mut machines.workers {
        assert!(worker.try_wait().unwrap().is_none(), "a worker gave up");
    }
    drop(machines);
    assert_eq!(&written_out_by(build, folder.path(), &url), expected);
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
    let count = |table: &str| cluster.sql(&name, &format!("select count(*) from {table}")).parse::<u64>().unwrap();
    while count("queued_ends") < PLAYED {
        thread::sleep(LOOK);
    }
    disk.fill();
    // Of what it says since, the server's log has no room for all; it writes on until there is none.
    while does_write(&cluster, &name) {}
    disk.remount(&format!("size={DISK}"));
    // It may have given up.
    cluster.crash_and_restart();
    cluster.sql(&name, GIVE_BACK);
    while !is_over(&cluster, &name) {
        thread::sleep(LOOK);
    }
    drop(machines);
    assert_eq!(&written_out(folder.path(), &url), expected);
    assert_eq!(count("quarantined_workers"), 0, "nobody was wrong");
    // Before its disk.
    drop(cluster);
}

/// Whether a database still has room for a row of a megabyte.
fn does_write(cluster: &Cluster, name: &str) -> bool {
    let row = "create table if not exists filler (bytes bytea); alter table filler alter bytes set storage external;
               insert into filler select decode(repeat('00', 1000000), 'hex')";
    cluster.try_sql(name, row).is_ok()
}

/// Machines of a network that only they are on, each a name space of this one. The database is on another, which has the network's bridge.
struct Network {
    name: String,
    machines: usize,
}

/// By then a server goes on once the line is healed, or has finished once all games are played: it gives up a statement without an
/// answer after 20 seconds, and the connection after five more.
const RECOVERED: Duration = Duration::from_secs(120);

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
                    && ip(&format!("-n {machine} addr add 10.77.0.{}/24 dev eth0", 10 + number))
                    && ip(&format!("-n {machine} link set eth0 up"))
                    && ip(&format!("-n {machine} link set lo up"))
            });
        is_made.then_some(network)
    }

    fn machine(&self, number: usize) -> String {
        format!("{}-{number}", self.name)
    }

    /// A command on one of the machines.
    fn on(&self, number: usize, command: &Command) -> Command {
        let mut there = Command::new("ip");
        there.args(["netns", "exec", &self.machine(number)]).arg(command.get_program()).args(command.get_args());
        there.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
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
    let site = Site::command(&place, &["--database", &url, "--games", "elsewhere"]);
    let mut machines = Machines { folder: folder.path(), url: &url, sites: Vec::new(), workers: Vec::new() };
    machines.sites.push(network.on(0, &site).spawn().unwrap());
    for number in 1..=2 {
        let worker = worker_command(folder.path(), &url, number);
        machines.workers.push(network.on(number, &worker).stdout(Stdio::null()).spawn().unwrap());
    }
    hold_a_game(&cluster, &name);
    let played = || cluster.sql(&name, "select count(*) from queued_ends").parse::<u64>().unwrap();
    let until_expired = |leases: &str, end: &str| {
        let held = format!("select count(*) from {leases} and {end} > extract(epoch from clock_timestamp()) * 1000");
        while cluster.sql(&name, &held) != "0" {
            thread::sleep(LOOK);
        }
    };
    while played() < PLAYED {
        thread::sleep(LOOK);
    }
    // The server, until none of its duties is its own: workers go on with what it has asked for, and the edition waits for it.
    assert_ne!(cluster.sql(&name, "select count(*) from duties"), "0");
    network.cut_off(0);
    // A worker, too: the other one plays its games.
    network.cut_off(1);
    until_expired("duties where true", "until_ms");
    until_expired(&format!("queued_games where worker = '{}'", WORKERS[1]), "leased_until");
    // Meanwhile the database is another process, and says nothing to those who still wait for the one before.
    network.at_the_database(|| cluster.crash_and_restart());
    network.heal(0);
    network.heal(1);
    cluster.sql(&name, GIVE_BACK);
    let (mut seen, mut since) = (String::new(), Instant::now());
    // What the edition came to is written by the server. How long its games take says nothing.
    while !is_over(&cluster, &name) {
        let now = cluster.sql(&name, "select count(*), count(end_hash) from queued_games");
        if now != seen {
            (seen, since) = (now, Instant::now());
        }
        assert!(since.elapsed() < RECOVERED, "the server writes nothing any more");
        thread::sleep(LOOK);
    }
    drop(machines);
    assert_eq!(&written_out(folder.path(), &here), alone());
    assert_eq!(cluster.sql(&name, "select count(*) from quarantined_workers"), "0", "nobody was wrong");
}
