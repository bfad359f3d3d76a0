//! Floods against a real site, each from its own networks on the loopback and from its own process, while an honest
//! visitor plays on in this one. The test checks the visitor's answers, never their speed.

use std::fs;
use std::net::Ipv4Addr;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use arena_service::limits::{ROOM_SILENCE_SECONDS_MIN, SEATED_BOTS_MAX};
use arena_store::Limits;

use super::flooding::{COSTLIEST, Flood, HEAVY, PREFIX, PROXY, Row, SMALL, UNREAD, WORLD, asks_for, mason, submission};
use crate::eventually::{eventually, pass, within};
use crate::site::clock::Clock;
use crate::site::fill::fill;
use crate::site::narrow;
use crate::site::{Answer, BLOCK, Game, HONEST, Honest, Site, flood, get, play, post};

/// A site with the default limits.
fn site() -> (TempDir, Site) {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--no-standing"]);
    (folder, site)
}

/// The same with a standing tournament, which also uses the machine.
fn site_with_standings() -> (TempDir, Site) {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--standing", "conquerors"]);
    (folder, site)
}

/// The limits of a site, as it says them, and what visitors get within them.
pub(crate) struct Shares(Value);

impl Shares {
    pub(crate) async fn of(site: &Site) -> Shares {
        Shares(site.ask(HONEST, get("/api/v1/limits")).await.json())
    }

    fn named(&self, name: &str) -> u64 {
        let row = self.0.as_array().unwrap().iter().find(|row| row["name"] == name);
        row.unwrap_or_else(|| panic!("no limit is called {name}"))["value"].as_u64().unwrap()
    }

    /// How much a visitor gets who asks for more than there is, with what its bucket has regained since: however slow
    /// the machine is.
    pub(crate) fn share(&self, bucket: &str, whose: &str, cost: u64, since: Duration) -> RangeInclusive<u64> {
        let [burst, per_hour] = ["burst", "per_hour"].map(|name| self.named(&format!("{bucket}_{name}_{whose}")));
        let regained = per_hour * (since.as_secs() + 1) / 3_600;
        burst / cost..=(burst + regained).div_ceil(cost)
    }

    /// The same of what is held at once, each until so many seconds have passed at least.
    fn held(&self, name: &str, seconds: u64, since: Duration) -> RangeInclusive<u64> {
        let most = self.named(name);
        most..=most * (1 + since.as_secs() / seconds)
    }
}

/// The result of a flood before it lets go, and how long it took; an honest visitor plays on meanwhile.
async fn flooded(name: &str, site: &Site) -> (Value, Duration) {
    let mut honest = Honest::arrive(site).await;
    let before = slowest_pages(site).await;
    let began = Instant::now();
    let flood = Flood::start(name, site.address);
    let during = slowest_pages(site).await;
    honest.plays().await;
    let (came_to, took) = (flood.came_to(), began.elapsed());
    honest.plays().await;
    println!("{name}: {came_to}, {} honest games; a page, p99: {before:?} before, {during:?} during", honest.games);
    (came_to, took)
}

/// How long a visitor waits for a page: the second slowest of a hundred. It is printed and never compared. Each comes
/// from a network of its own provider, or the share of either would not be enough.
async fn slowest_pages(site: &Site) -> Duration {
    static VISITORS: AtomicU8 = AtomicU8::new(0);
    let from = Ipv4Addr::new(127, 100 + VISITORS.fetch_add(1, Ordering::Relaxed), 78, 1);
    let mut waits = Vec::new();
    for _ in 0..100 {
        let began = Instant::now();
        assert_eq!(site.insist(from, || get("/standings")).await.status, 200);
        waits.push(began.elapsed());
    }
    waits.sort_unstable();
    waits[98]
}

/// The same during a flood, printed beside how long it took before.
async fn print_slowest_pages(name: &str, site: &Site, before: Duration) {
    let during = slowest_pages(site).await;
    println!("{name}: a page, p99: {before:?} before, {during:?} during");
}

/// TR-001 §4.4 has flood limits for each address; these are for each network.
#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_all_rooms() {
    let (_folder, site) = site_with_standings();
    takes_its_share_of_rooms(&site).await;
}

pub(crate) async fn takes_its_share_of_rooms(site: &Site) {
    let (came_to, took) = flooded("rooms", site).await;
    let [opened, refused] = ["opened", "refused"].map(|what| came_to[what].as_u64().unwrap());
    let share = Shares::of(site).await.share("rooms", "network", 1, took);
    assert!(share.contains(&opened) && refused > 0, "{came_to} of a share of {share:?}");
    // A new cookie makes a new guest, but in the same network. On a slow machine there is a place again.
    let again = site.ask(flood(1), play()).await;
    let told: Option<u64> = again.header("retry-after").map(|seconds| seconds.parse().unwrap());
    assert!(again.status == 303 || told.is_some_and(|told| told <= 10), "{}", again.head);
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_that_are_left_open_take_no_core_and_make_way_when_places_run_short() {
    let folder = tempfile::tempdir().unwrap();
    let Some(clock) = Clock::new(folder.path(), 1) else { return };
    let site = Site::run(clock.given_to(narrow::command(folder.path(), OPERATOR)));
    let honest = Honest::arrive(&site).await;
    let game = Game::open(&site, &honest.code).await;
    let before = slowest_pages(&site).await;
    let places = Flood::start("places", site.address);
    print_slowest_pages("places", &site, before).await;
    let came_to = places.came_to();
    println!("places: {came_to} of {}", narrow::ROOMS);
    assert_eq!(came_to["opened"], narrow::ROOMS - 1, "{came_to}");
    // No network gets a place now.
    let full = site.ask(HONEST, play()).await;
    assert!(full.refuses());
    let minute = ROOM_SILENCE_SECONDS_MIN.to_string();
    assert_eq!((full.status, full.header("retry-after"), &full.json()["code"]), (503, Some(&*minute), &json!("full")));
    // Their bots wait for people who never move, and who plays gets an answer.
    assert_eq!(game.turn(&site, 0, BLOCK).await.status, 200);
    assert!(game.awaited(&site).await > 0);
    let going = site.ask(HONEST, get("/api/v1/operator").bearer(OPERATOR)).await.json();
    assert_eq!(going["thinking"], 0);
    clock.jump(ROOM_SILENCE_SECONDS_MIN + 1);
    for _ in 0..10 {
        let opened = site.ask(HONEST, play()).await;
        assert_eq!(opened.status, 303, "silent rooms make way: {}", opened.body);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_the_lobby() {
    let (_folder, site) = site();
    let (came_to, _) = flooded("waiting", &site).await;
    assert_eq!(came_to, json!({ "opened": 40, "refused": 15 }));
    let open = post("/lobby", "application/x-www-form-urlencoded", "door=public&seat=0&clock=game-600-5");
    let opened = site.ask(HONEST, open).await;
    assert_eq!(opened.status, 303, "{}", opened.body);
    let room = opened.header("location").unwrap().rsplit('/').next().unwrap();
    let lobby = site.ask(HONEST, get("/api/v1/lobby")).await.json();
    let rows = lobby["waiting"].as_array().unwrap();
    let place = rows.iter().position(|row| row["room"] == room);
    println!("lobby: {} rooms of one network listed, another visitor's in row {place:?}", rows.len() - 1);
    assert!(place.is_some_and(|place| place <= 1), "{place:?} of {}", rows.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_all_accounts() {
    let (_folder, site) = site();
    let (came_to, took) = flooded("accounts", &site).await;
    let share = Shares::of(&site).await.share("accounts", "network", 1, took);
    assert!(share.contains(&came_to["made"].as_u64().unwrap()), "{came_to} of a share of {share:?}");
}

/// Tries of an honest visitor, with a pause after each so that the flood lasts about a minute, and refusals among them.
const TRIES: usize = 100;
const TRY_PAUSE: Duration = Duration::from_millis(500);
const REFUSED_MAX: usize = 1;
/// Pupils behind one address.
const PUPILS: usize = 30;

/// Behind a proxy, a /48 of IPv6 asks for accounts, rooms and places in rooms as often as it can, each time from
/// another of its networks.
#[tokio::test(flavor = "multi_thread")]
async fn one_48_does_not_take_all_accounts_rooms_and_joins() {
    let (folder, proxy) = (tempfile::tempdir().unwrap(), PROXY.to_string());
    let key = folder.path().join("operator");
    fs::write(&key, OPERATOR).unwrap();
    let flags = ["--no-standing", "--trusted-proxy", &proxy, "--operator-token-file", key.to_str().unwrap()];
    let site = Site::start(folder.path(), &flags);
    let before = slowest_pages(&site).await;
    let flood = Flood::start("prefix", site.address);
    // Each of its shares is used up from here on, and it asks on until the test ends.
    let came_to = flood.came_to();
    print_slowest_pages("a /48", &site, before).await;
    let (mut refused, mut pupils) = (Vec::new(), 0);
    for number in 0..TRIES {
        let honest = || asks_for(number, &format!("honest {number}"), "198.51.100.9");
        let answer = site.insist(PROXY, honest).await;
        if answer.refuses() {
            refused.push(answer.body);
        }
        if pupils < PUPILS {
            let pupil = || asks_for(0, &format!("pupil {pupils}"), "203.0.113.77");
            pupils += usize::from(site.insist(PROXY, pupil).await.status == 201);
        }
        pass(TRY_PAUSE).await;
    }
    let used = site.ask(HONEST, get("/api/v1/operator").bearer(OPERATOR)).await.json()["used"].take();
    println!(
        "a /48: {came_to}; {} of {TRIES} honest tries refused, {pupils} pupils signed up; used: {used}",
        refused.len()
    );
    assert!(used.to_string().contains(&format!("{PREFIX}::/48")), "the flood goes on: {used}");
    assert!(refused.len() <= REFUSED_MAX, "{refused:?}");
    assert_eq!(pupils, PUPILS);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_all_connections() {
    let (_folder, site) = site();
    let mut honest = Honest::arrive(&site).await;
    let before = slowest_pages(&site).await;
    let held = Flood::start("connections", site.address);
    honest.plays().await;
    print_slowest_pages("connections", &site, before).await;
    let came_to = held.came_to();
    println!("connections: {came_to}");
    assert_eq!(came_to["next_is_refused"], true, "its network has had its share");
    honest.plays().await;
    let others = site.ask(flood(2), get("/")).await;
    assert_eq!(others.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_all_sockets() {
    let (_folder, site) = site();
    let (came_to, took) = flooded("sockets", &site).await;
    // Who says nothing is given up after 25 s.
    let share = Shares::of(&site).await.held("sockets_network", 25, took);
    assert!(share.contains(&came_to["opened"].as_u64().unwrap()), "{came_to} of a share of {share:?}");
}

/// The maximum memory held for an unread socket, in the server and in the system.
const HELD_BYTES_MAX: usize = 64 << 10;

#[tokio::test(flavor = "multi_thread")]
async fn sockets_that_nobody_reads_hold_little() {
    let (_folder, site) = site();
    let mut honest = Honest::arrive(&site).await;
    honest.plays().await;
    let unhurried = slowest_pages(&site).await;
    let before = resident_bytes(&site);
    let flood = Flood::start("unread", site.address);
    let room = format!("/api/v1/rooms/{}", flood.came_to()["room"].as_str().unwrap());
    print_slowest_pages("unread", &site, unhurried).await;
    let (mut unreceived, mut resident) = (0, before);
    // Their room goes on, and so does another one.
    eventually("the end of the room", async || {
        // At the end, too: what nobody reads is there for a while.
        let state = site.ask(HONEST, get(&room)).await.json();
        unreceived = unreceived.max(unreceived_bytes(&site));
        resident = resident.max(resident_bytes(&site));
        if !state["outcome"].is_null() {
            return Ok(());
        }
        if honest.games < 10 {
            honest.plays().await;
        }
        Err(state["ply"].to_string())
    })
    .await;
    let each = resident.saturating_sub(before) / UNREAD;
    println!(
        "unread: {UNREAD} sockets, {each} bytes each in the server, at most {unreceived} in the system, {} honest games",
        honest.games
    );
    assert!(unreceived > 0, "nothing had to wait");
    assert!(each + unreceived <= HELD_BYTES_MAX, "{each} and {unreceived} bytes");
    are_given_up(&site).await;
}

/// Waits until no connection to a flood is left.
async fn are_given_up(site: &Site) {
    eventually("the end of the flood's connections", async || match open_to_floods(site) {
        0 => Ok(()),
        open => Err(open),
    })
    .await;
}

/// The resident memory of the server's process, in bytes.
fn resident_bytes(site: &Site) -> usize {
    let status = fs::read_to_string(format!("/proc/{}/status", site.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<usize>().unwrap() << 10
}

/// The number of the site's connections with floods' addresses that are open on its side.
fn open_to_floods(site: &Site) -> usize {
    // 127.1.0.0/16 and `ESTABLISHED`, as the system writes them.
    const FLOODS: &str = "017F";
    const ESTABLISHED: &str = "01";
    let connections = fs::read_to_string("/proc/net/tcp").unwrap();
    let port = format!(":{:04X}", site.address.port());
    let is_open = |line: &&str| {
        let fields: Vec<&str> = line.split_whitespace().take(4).collect();
        let [_, at, to, ESTABLISHED] = fields[..] else { return false };
        at.ends_with(&port) && to.split(':').next().is_some_and(|address| address.ends_with(FLOODS))
    };
    connections.lines().filter(is_open).count()
}

/// The largest number of unreceived bytes that the system holds for one connection of the site.
fn unreceived_bytes(site: &Site) -> usize {
    let connections = fs::read_to_string("/proc/net/tcp").unwrap();
    let port = format!(":{:04X}", site.address.port());
    let waiting = connections.lines().filter_map(|line| {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let queue = fields.get(4)?.split(':').next()?;
        fields[1].ends_with(&port).then(|| usize::from_str_radix(queue, 16).unwrap())
    });
    waiting.max().unwrap_or_default()
}

#[tokio::test(flavor = "multi_thread")]
async fn who_vanishes_or_trickles_is_given_up_and_others_play_on() {
    let (_folder, site) = site();
    let mut honest = Honest::arrive(&site).await;
    let before = slowest_pages(&site).await;
    for (name, games) in [("gone", 5), ("slow", 5)] {
        let flood = Flood::start(name, site.address);
        print_slowest_pages(name, &site, before).await;
        let opened = flood.came_to()["opened"].clone();
        assert!(open_to_floods(&site) > 0, "{name}");
        for _ in 0..games {
            honest.plays().await;
        }
        are_given_up(&site).await;
        honest.plays().await;
        println!("{name}: {opened} peers are given up, {} honest games", honest.games);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_network_does_not_take_all_answers() {
    let (_folder, site) = site_with_standings();
    let (came_to, took) = flooded("answers", &site).await;
    let limits = Shares::of(&site).await;
    let share = limits.share("requests", "network", limits.named("cost_game_again"), took);
    let got = 40 - came_to["refused"].as_u64().unwrap();
    assert!(got <= *share.end(), "{came_to} of a share of {share:?}");
}

/// A network gets its share of every other shared resource, and the honest visitor is answered meanwhile.
#[tokio::test(flavor = "multi_thread")]
async fn small_floods_get_their_share_and_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--no-standing", "--world", WORLD]);
    let mut honest = Honest::arrive(&site).await;
    let limits = Shares::of(&site).await;
    let before = slowest_pages(&site).await;
    for (name, tries, row) in SMALL {
        let began = Instant::now();
        let flood = Flood::start(name, site.address);
        print_slowest_pages(name, &site, before).await;
        honest.plays().await;
        let (got, took) = (flood.came_to()["got"].as_u64().unwrap(), began.elapsed());
        println!("{name}: {got} of {tries}");
        let share = match row {
            Row::Bucket(bucket, whose, cost) => limits.share(bucket, whose, cost, took),
            Row::AtOnce(name, seconds) => limits.held(name, seconds, took),
        };
        assert!(share.contains(&got), "{name}: {got} of {tries}, and a share is {share:?}");
    }
    honest.plays().await;
    println!("beside them {} honest games", honest.games);
}

/// Rooms that the flood opens at least. Its four networks are of one provider, whose share is smaller than four shares.
const RESIGNED_MIN: u64 = 100;

/// The maximum growth of the database, in bytes, while rooms that yield their places end: its log is written first.
const GROWS_BYTES_MAX: u64 = 8 << 20;

#[tokio::test(flavor = "multi_thread")]
async fn opening_and_resigning_takes_no_more_of_the_disk() {
    let folder = tempfile::tempdir().unwrap();
    let (data, key) = (folder.path().join("data"), folder.path().join("operator"));
    fill(&data).await;
    fs::write(&key, OPERATOR).unwrap();
    let site = Site::start(folder.path(), &["--no-standing", "--operator-token-file", key.to_str().unwrap()]);
    let stored = || -> u64 {
        let files =
            ["arena.db", "arena.db-wal"].map(|name| fs::metadata(data.join(name)).map_or(0, |about| about.len()));
        files.iter().sum()
    };
    let before = stored();
    let resigned = flooded("resigns", &site).await.0["resigned"].as_u64().unwrap();
    let going = site.ask(HONEST, get("/api/v1/operator").bearer(OPERATOR)).await.json();
    let kept = going["finished_room_bytes"].as_u64().unwrap();
    let grown = stored().saturating_sub(before);
    println!("open and resign: {resigned} rooms, {kept} bytes of finished rooms kept, {grown} bytes more on the disk");
    assert!(resigned >= RESIGNED_MIN, "{resigned}");
    assert!(kept <= Limits::DEFAULT.finished_room_bytes_max && grown <= GROWS_BYTES_MAX, "{kept} {grown}");
}

async fn submit(site: &Site, code: &str, name: &str, module: Vec<u8>) -> Answer {
    site.ask(HONEST, submission(&format!("/api/v1/bots/{name}/versions"), code, module)).await
}

/// What an operator does whose pages are slow because the machine is busy: editions take as many cores as they have
/// threads, and no more.
#[tokio::test(flavor = "multi_thread")]
async fn editions_take_as_many_cores_as_they_have_threads() {
    /// What the site itself may take beside them, of a core.
    const BESIDE: f64 = 0.5;
    for threads in [2_u32, 1] {
        let folder = tempfile::tempdir().unwrap();
        let count = threads.to_string();
        let flags = ["--standing", "life2", "--standing-threads", &count, "--metrics", "127.0.0.1:0"];
        let site = Site::start(folder.path(), &flags);
        let metrics = site.metrics();
        let used = async || metrics.figure("arena_processor_milliseconds").await / 1e3;
        let (began, before) = (Instant::now(), used().await);
        let slowest = slowest_pages(&site).await;
        let cores = (used().await - before) / began.elapsed().as_secs_f64();
        println!("editions on {threads} threads take {cores:.2} cores; a page, p99: {slowest:?}");
        assert!(cores <= f64::from(threads) + BESIDE, "{cores}");
    }
}

/// How often the flood of modules is begun.
const JUDGE_TRIES: u32 = 10;

const OPERATOR: &str = "an-operators-token-of-thirty-two-characters";

/// Three honest games beside a flood of players that think: how many of these waited after each, and how many rooms the
/// flood opened. The first game begins once a turn is seen to wait or, where turns are too short to be seen, once all
/// rooms are open.
async fn thinking_beside(name: &str, are_long: bool) -> (Vec<u64>, u64) {
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("operator");
    fs::write(&key, OPERATOR).unwrap();
    let site = Site::start(folder.path(), &["--no-standing", "--operator-token-file", key.to_str().unwrap()]);
    let mut honest = Honest::arrive(&site).await;
    let waiting = async || {
        let going = async || {
            let going = site.ask(HONEST, get("/api/v1/operator").bearer(OPERATOR)).await;
            if going.status == 200 { Ok(going.json()) } else { Err(going.body) }
        };
        eventually("what is going on", going).await["thinking"].as_u64().unwrap()
    };
    let unhurried = slowest_pages(&site).await;
    let flood = Flood::start(name, site.address);
    let opened = || flood.came_to()["opened"].as_u64().unwrap();
    let before = (!are_long).then(opened);
    if are_long {
        eventually("a turn that waits", async || waiting().await > 0).await;
    }
    print_slowest_pages(name, &site, unhurried).await;
    let mut waited = Vec::new();
    for _ in 0..3 {
        within("the turn of the honest visitor", honest.plays()).await;
        waited.push(waiting().await);
    }
    (waited, before.unwrap_or_else(opened))
}

#[tokio::test(flavor = "multi_thread")]
async fn one_bot_does_not_take_all_places_to_think() {
    let (waited, opened) = thinking_beside("turns", true).await;
    println!("rooms against a slow bot: {opened} of 100 opened; {waited:?} of its turns waited after each honest game");
    assert!(opened >= 60, "{opened}");
}

/// More rooms than there are bots whose processes wait for their next turn, so that it starts again for the turns of
/// the others.
#[tokio::test(flavor = "multi_thread")]
async fn one_bot_that_starts_again_does_not_either() {
    let (waited, opened) = thinking_beside("starts", false).await;
    println!("rooms against a slow start: {opened} opened; {waited:?} of its turns waited after each honest game");
    assert!(opened > SEATED_BOTS_MAX as u64, "{opened}");
}

/// Verdicts on modules of a flood: before an honest upload, and between it and its own verdict.
struct Verdicts {
    before: usize,
    between: usize,
}

/// An honest upload beside a flood of so many modules, once each of these paths shows one of them.
async fn judged_beside(name: &str, shown: &[String], sent: u64) -> Verdicts {
    let folder = tempfile::tempdir().unwrap();
    let site = Site::start(folder.path(), &["--standing", "conquerors", "--log-level", "info"]);
    let mut honest = Honest::arrive(&site).await;
    honest.plays().await;
    let unhurried = slowest_pages(&site).await;
    let modules = Flood::start(name, site.address);
    for path in shown {
        eventually("a module of the flood", async || site.ask(HONEST, get(path)).await.status == 200).await;
    }
    let began = Instant::now();
    let taken = submit(&site, &honest.code, "honest", mason("", "")).await;
    let waited = began.elapsed();
    assert_eq!((taken.status, &taken.json()["state"]), (201, &"accepted".into()), "{}", taken.body);
    honest.plays().await;
    print_slowest_pages(name, &site, unhurried).await;
    let came_to = modules.came_to();
    assert_eq!(came_to["sent"], sent, "all of them are taken");
    // The log has all in its order.
    let (log, entrant) = (site.log(), taken.json()["entrant"].as_str().unwrap().to_owned());
    let lines: Vec<&str> = log.lines().collect();
    let of_it = |what: &str| lines.iter().position(|line| line.contains(what) && line.contains(&entrant)).unwrap();
    let judged = |lines: &[&str]| lines.iter().filter(|line| line.contains(" judged ")).count();
    let (submitted, told) = (of_it(" submitted "), of_it(" judged "));
    let (before, between) = (judged(&lines[..submitted]), judged(&lines[submitted..told]));
    println!(
        "{name}: {before} of {sent} modules were judged before an honest one came, {between} before it, in {waited:?}: {came_to}"
    );
    Verdicts { before, between }
}

#[tokio::test(flavor = "multi_thread")]
async fn one_account_does_not_take_the_judge() {
    /// Verdicts that may be given between an upload and its own: one that was being judged, and one that was about to
    /// be.
    const BETWEEN_MAX: usize = 2;
    // A quick judge may be through with the flood before the honest upload comes: then it proves nothing, and is begun
    // anew.
    for _ in 0..JUDGE_TRIES {
        let last = format!("/api/v1/bots/heavy/versions/{HEAVY}");
        let Verdicts { before, between } = judged_beside("modules", &[last], HEAVY).await;
        assert!(between <= BETWEEN_MAX);
        if before + BETWEEN_MAX < HEAVY as usize {
            return;
        }
    }
    panic!("too few were left for the honest one to wait for, {JUDGE_TRIES} times");
}

/// An honest author, whose module is light, waits for none of twenty networks' modules that take as long to compile
/// as any.
#[tokio::test(flavor = "multi_thread")]
async fn twenty_networks_do_not_take_the_judge() {
    /// The one that was being judged, in the other place.
    const BETWEEN_MAX: usize = 1;
    let all: Vec<String> = (0..COSTLIEST).map(|number| format!("/api/v1/bots/costly-{number}/versions/1")).collect();
    let Verdicts { before, between } = judged_beside("costliest", &all, COSTLIEST).await;
    assert!(between <= BETWEEN_MAX && before + BETWEEN_MAX < COSTLIEST as usize, "{before} {between}");
}

#[tokio::test(flavor = "multi_thread")]
async fn copies_take_one_place_in_the_standings() {
    let (_folder, site) = site_with_standings();
    let mut honest = Honest::arrive(&site).await;
    let before = slowest_pages(&site).await;
    let copies = Flood::start("copies", site.address);
    honest.plays().await;
    print_slowest_pages("copies", &site, before).await;
    let sent = copies.came_to()["sent"].clone();
    honest.plays().await;
    assert_eq!(submit(&site, &honest.code, "honest", mason("(drop (i32.const 7))", "")).await.status, 201);
    let names = eventually("an edition with the honest bot", async || {
        let mut standings = site.ask(HONEST, get("/api/v1/standings")).await.json();
        let rows = standings["edition"]["standings"]["rows"].as_array().cloned().unwrap_or_default();
        let names: Vec<String> = rows.iter().filter_map(|row| row["name"].as_str().map(str::to_owned)).collect();
        if standings["playing"].is_null() && names.iter().any(|name| name == "honest") {
            return Ok(names);
        }
        if honest.games < 5 {
            honest.plays().await;
        }
        Err(standings["playing"].take())
    })
    .await;
    let copies = names.iter().filter(|name| name.starts_with("copy")).count();
    println!("standings: {sent} copies accepted, {copies} of them in the field, with {} others", names.len() - copies);
    assert_eq!(copies, 1, "{names:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn refused_uploads_take_no_names() {
    let (_folder, site) = site();
    let mut honest = Honest::arrive(&site).await;
    let before = slowest_pages(&site).await;
    let names = Flood::start("names", site.address);
    honest.plays().await;
    print_slowest_pages("names", &site, before).await;
    let refused = names.came_to()["refused"].clone();
    let mut got = 0;
    for number in 0..10 {
        let taken = submit(&site, &honest.code, &format!("name-{number}"), mason("", "")).await;
        got += u32::from(taken.status == 201);
    }
    println!("names: {refused} of 10 uploads refused, {got} of their names were somebody else's a moment later");
    assert_eq!((refused, got), (json!(10), 10));
}
