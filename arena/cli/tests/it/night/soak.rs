//! A site whose clock runs a thousand times as fast as the machine's, for minutes: visitors play, bots are submitted,
//! networks flood it, it is killed and restarted, and backups are taken. What was acknowledged is there at the end, and
//! neither memory nor disk grow beyond their budgets. `cargo xtask soak` does it for ten minutes, a week of the site's
//! time, with a site whose budget for finished rooms is used up from the start.
#![cfg(target_os = "linux")]

use std::fs;
use std::net::{Ipv4Addr, SocketAddr};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use arena_rules::Rng;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::eventually::{eventually, eventually_spawned, pass};
use crate::process::finished;
use crate::site::clock::Clock;
use crate::site::fill::fill;
use crate::site::{Answer, Ask, BLOCK, SECOND_BLOCK, Site, Visited, flood, get, play, post, post_json};

/// How often as fast as the machine's clock the site's is.
const SPEED: i64 = 1_000;
/// How long the test lasts where nothing else is said, in seconds.
const SECONDS: u64 = 20;
/// Those who play, those who submit, and networks that flood.
const PLAYERS: u8 = 6;
const AUTHORS: u8 = 2;
const FLOODS: u8 = 3;
/// The longest time between two restarts; in a short run there are three.
const RESTART_EVERY: Duration = Duration::from_secs(20);
/// How often a visitor does something, and an author.
const VISIT_EVERY: Duration = Duration::from_millis(500);
const SUBMIT_EVERY: Duration = Duration::from_secs(15);
/// Budgets, in bytes: what the site's process may have in memory, and its folder on the disk. Finished rooms may take
/// 256 MiB of that, the rest are bots and the editions that are kept.
const MEMORY_MAX: u64 = 512 << 20;
const DISK_MAX: u64 = 2 << 30;
/// A run of at least this many seconds shows whether either grows: it is restarted in its first third only, and the
/// process that is then left is compared with itself.
const LONG_SECONDS: u64 = 120;
/// How much each may grow from the second quarter of that process's time to the last, in bytes. Of the disk, editions
/// take more until as many are kept as may be.
const MEMORY_GROWTH_MAX: u64 = 16 << 20;
const DISK_GROWTH_MAX: u64 = 64 << 20;

/// Work acknowledged by the site.
#[derive(Default)]
struct Acknowledged {
    /// Codes and names.
    accounts: Vec<(String, String)>,
    /// Names of bots, numbers of versions, and the hashes of their bytes.
    versions: Vec<(String, u64, String)>,
    /// Addresses of rooms, and how many plies of each at least.
    plies: Vec<(String, u64)>,
    /// Rooms in which a resignation was taken.
    resigned: Vec<String>,
}

/// Counters during the run.
#[derive(Default)]
struct Counts {
    answered: u64,
    refused: u64,
    /// Requests without an answer: the site was down, or died.
    lost: u64,
    kills: u64,
    stops: u64,
    backups: u64,
    /// Bytes in memory and on the disk, second by second.
    memory: Vec<u64>,
    disk: Vec<u64>,
    /// How many of each there were when the last process was started.
    before: (usize, usize),
}

/// The state shared by all tasks.
struct Soak {
    /// Where the site listens, and its process; it moves with every restart.
    site: watch::Receiver<(SocketAddr, u32)>,
    /// Whether all have done enough.
    is_over: AtomicBool,
    acknowledged: Mutex<Acknowledged>,
    counts: Mutex<Counts>,
}

impl Soak {
    fn goes_on(&self) -> bool {
        !self.is_over.load(Ordering::SeqCst)
    }

    /// Turns that were acknowledged.
    fn turns(&self) -> usize {
        self.acknowledged.lock().unwrap().plies.len()
    }

    /// Lets time pass, or less if it is over before; whether all go on.
    async fn rests(&self, time: Duration) -> bool {
        let until = Instant::now() + time;
        while self.goes_on() && Instant::now() < until {
            pass(VISIT_EVERY.min(time)).await;
        }
        self.goes_on()
    }

    async fn ask(&self, from: Ipv4Addr, ask: Ask<'_>) -> Option<Answer> {
        let (address, _) = *self.site.borrow();
        let answer = Visited { address }.try_ask(from, &ask).await;
        let mut counts = self.counts.lock().unwrap();
        match &answer {
            None => counts.lost += 1,
            Some(answer) if answer.refuses() => counts.refused += 1,
            Some(answer) => {
                // A site that stops says so with 503; nothing else may fail.
                assert!(answer.status < 500, "{} {}: {}", ask.method, ask.path, answer.body);
                counts.answered += 1;
            }
        }
        answer
    }

    /// An account of its own, asked for until there is one.
    async fn account(&self, from: Ipv4Addr, name: &str) -> Option<String> {
        // A name is taken if the answer was lost: then another is asked for.
        for attempt in 0.. {
            if !self.goes_on() {
                break;
            }
            let name = format!("{name} {attempt}");
            let claimed = self.ask(from, post_json("/api/v1/accounts", &json!({ "name": name }))).await;
            if let Some(claimed) = claimed.filter(|claimed| claimed.status == 201) {
                let code = claimed.json()["code"].as_str().unwrap().to_owned();
                self.acknowledged.lock().unwrap().accounts.push((code.clone(), name));
                return Some(code);
            }
            pass(VISIT_EVERY).await;
        }
        None
    }

    /// Plays games against a built-in opponent: two turns, then a resignation.
    async fn player(self: Arc<Self>, number: u8) {
        let from = Ipv4Addr::new(127, 77, number, 1);
        let Some(code) = self.account(from, &format!("Player {number}")).await else { return };
        while self.goes_on() {
            let _ = self.game(from, &code).await;
            pass(VISIT_EVERY).await;
        }
    }

    async fn game(&self, from: Ipv4Addr, code: &str) -> Option<()> {
        let wanted = json!({ "opponent": "easy", "seat": 0 });
        let opened = self.ask(from, post_json("/api/v1/rooms", &wanted).bearer(code)).await?;
        if opened.status != 201 {
            return None;
        }
        let room = format!("/api/v1/rooms/{}", opened.json()["room"].as_str().unwrap());
        for block in [BLOCK, SECOND_BLOCK] {
            let ply = self.awaited(from, &room).await?;
            let turn = json!({ "ply": ply, "client_seq": ply + 1, "action": block });
            let played = self.ask(from, post_json(&format!("{room}/turns"), &turn).bearer(code)).await?;
            if played.status != 200 {
                return None;
            }
            self.acknowledged.lock().unwrap().plies.push((room.clone(), ply + 1));
        }
        let ply = self.awaited(from, &room).await?;
        let resignation = format!("{room}/resignation");
        let resigned = self.ask(from, post_json(&resignation, &json!({ "ply": ply })).bearer(code)).await?;
        if resigned.status == 200 {
            self.acknowledged.lock().unwrap().resigned.push(room);
        }
        Some(())
    }

    /// Waits until the person is to move; none where the room is closed or the site does not answer.
    async fn awaited(&self, from: Ipv4Addr, room: &str) -> Option<u64> {
        let turn = || async move {
            let Some(state) = self.ask(from, get(room)).await.filter(|state| state.status == 200) else {
                return Ok(None);
            };
            let state = state.json();
            if !state["outcome"].is_null() {
                return Ok(None);
            }
            if state["awaiting"] == json!([0]) { Ok(state["ply"].as_u64()) } else { Err(state) }
        };
        eventually_spawned("the person's turn", turn).await
    }

    /// Submits one bot after the other, each like no other.
    async fn author(self: Arc<Self>, number: u8) {
        let from = Ipv4Addr::new(127, 78, number, 1);
        let Some(code) = self.account(from, &format!("Author {number}")).await else { return };
        let name = format!("bot-{number}");
        for version in 0_u32.. {
            if version > 0 && !self.rests(SUBMIT_EVERY).await {
                return;
            }
            let path = format!("/api/v1/bots/{name}/versions");
            let submit = post(&path, "application/wasm", module(u32::from(number) << 16 | version)).bearer(&code);
            let Some(answer) = self.ask(from, submit).await else { continue };
            if matches!(answer.status, 200..=202) {
                let said = answer.json();
                let entry = (name.clone(), said["number"].as_u64(), said["entrant"].as_str());
                if let (name, Some(number), Some(entrant)) = entry {
                    self.acknowledged.lock().unwrap().versions.push((name, number, entrant.into()));
                }
            }
        }
    }

    /// Takes what a network can get: rooms, accounts, and the costliest page.
    async fn flood(self: Arc<Self>, network: u8) {
        for round in 0_u64.. {
            if round > 0 && !self.rests(Duration::from_secs(1)).await {
                return;
            }
            for number in 0..20 {
                self.ask(flood(network), play()).await;
                let name = json!({ "name": format!("Flood {network} {round} {number}") });
                self.ask(flood(network), post_json("/api/v1/accounts", &name)).await;
                self.ask(flood(network), get("/api/v1/games/standing-1.0/log")).await;
            }
        }
    }

    /// Looks at memory and disk once a second.
    async fn look(self: Arc<Self>, data: std::path::PathBuf) {
        while self.rests(Duration::from_secs(1)).await {
            let (_, process) = *self.site.borrow();
            let disk = bytes_in(&data);
            let mut counts = self.counts.lock().unwrap();
            counts.disk.push(disk);
            counts.memory.extend(resident(process));
        }
    }
}

/// A bot like no other: mason with a function more.
fn module(number: u32) -> Vec<u8> {
    let mason = include_str!("../../../../../bots/gallery/mason/bot.wat");
    let end = mason.rfind(')').unwrap();
    wat::parse_str(format!("{} (func (result i32) (i32.const {number})))", &mason[..end])).unwrap()
}

/// The space that a folder takes on the disk, in bytes. Files that vanish meanwhile count as 0.
fn bytes_in(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else { return 0 };
    let of = |entry: fs::DirEntry| match entry.metadata() {
        Ok(about) if about.is_dir() => bytes_in(&entry.path()),
        Ok(about) => about.blocks() * 512,
        Err(_) => 0,
    };
    entries.flatten().map(of).sum()
}

/// Bytes of a process that are in memory; none of one that is gone.
fn resident(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    Some(line.trim().trim_end_matches(" kB").parse::<u64>().ok()? << 10)
}

/// Takes a backup of a running site, restores it elsewhere, and reads all of it.
fn back_up(folder: &Path, data: &Path) {
    let (backup, restored) = (folder.join("backup"), folder.join("restored"));
    admin(&["backup"], &[("--data", data), ("--to", &backup)]);
    admin(&["restore"], &[("--from", &backup), ("--data", &restored)]);
    // After the restore: reading a database may change its file, though none of its rows.
    assert_eq!(digests(&restored), digests(&backup), "what was restored is what was backed up");
    fs::remove_dir_all(backup).unwrap();
    fs::remove_dir_all(restored).unwrap();
}

/// The digests of all that is in a folder of data, which is whole.
fn digests(data: &Path) -> Vec<String> {
    let said = admin(&["check"], &[("--data", data)]);
    let digests: Vec<String> = said.lines().filter(|line| line.contains("sha256:")).map(str::to_owned).collect();
    assert!(!digests.is_empty(), "{said}");
    digests
}

/// Runs a command of the operator, which succeeds; what it says.
fn admin(arguments: &[&str], paths: &[(&str, &Path)]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.arg("admin").args(arguments);
    for (flag, path) in paths {
        command.arg(flag).arg(path);
    }
    let done = finished(&mut command);
    assert!(done.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&done.stderr));
    String::from_utf8(done.stdout).unwrap()
}

/// The middle of some values.
fn median(values: &[u64]) -> u64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable();
    sorted.get(sorted.len() / 2).copied().unwrap_or_default()
}

impl Soak {
    /// Asks a site that is up until there is an answer that is no refusal.
    async fn insist(&self, site: &Site, ask: Ask<'_>) -> Answer {
        eventually("a share of requests", async || {
            let answer = site.try_ask(Ipv4Addr::new(127, 79, 0, 1), &ask).await.unwrap();
            if answer.refuses() { Err(answer.body) } else { Ok(answer) }
        })
        .await
    }

    /// Reads everything that was acknowledged from a site.
    async fn assert_all_is_there(&self, site: &Site, acknowledged: &Acknowledged) {
        let Acknowledged { accounts, versions, plies, resigned } = acknowledged;
        for (code, name) in accounts {
            let account = self.insist(site, get("/api/v1/account").bearer(code)).await;
            assert_eq!((account.status, &account.json()["name"]), (200, &Value::from(name.as_str())));
        }
        for (name, number, entrant) in versions {
            let version = self.insist(site, get(&format!("/api/v1/bots/{name}/versions/{number}"))).await;
            assert_eq!(version.json()["entrant"], entrant.as_str(), "{}", version.body);
            let module = format!("/api/v1/modules/{}", entrant.trim_start_matches("sha256:"));
            let wanted = if version.json()["state"] == "accepted" { 200 } else { 404 };
            assert_eq!(self.insist(site, get(&module)).await.status, wanted, "{}", version.body);
        }
        for (room, ply) in plies {
            let state = self.insist(site, get(room)).await;
            assert!(state.json()["ply"].as_u64() >= Some(*ply), "{room} had {ply} plies: {}", state.body);
        }
        for room in resigned {
            let state = self.insist(site, get(room)).await;
            assert!(!state.json()["outcome"].is_null(), "{room} was over: {}", state.body);
        }
    }
}

impl Soak {
    /// A site whose clock is the machine's after all would age by minutes only: what was submitted last lies in the
    /// machine's future.
    async fn assert_time_flew(&self, site: &Site, acknowledged: &Acknowledged) {
        let Some((name, number, _)) = acknowledged.versions.last() else { return };
        let version = self.insist(site, get(&format!("/api/v1/bots/{name}/versions/{number}"))).await.json();
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
        assert!(version["submitted_at"].as_u64() > Some(now), "{version}, and it is {now}");
    }
}

/// How long a site is soaked.
#[derive(Clone, Copy)]
pub(crate) enum Lasts {
    /// With restarts at drawn moments.
    Seconds(u64),
    /// So many restarts, each after more was acknowledged.
    Restarts(u64),
}

#[tokio::test(flavor = "multi_thread")]
async fn a_week_of_visitors_floods_restarts_and_backups_loses_nothing_and_stays_within_its_budgets() {
    let number = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let seconds = number("ARENA_SOAK_SECONDS").unwrap_or(SECONDS);
    soaked(Lasts::Seconds(seconds), number("ARENA_SOAK_SEED").unwrap_or(1), &[]).await;
}

/// Soaks a site with these flags.
pub(crate) async fn soaked(lasts: Lasts, seed: u64, flags: &[&str]) {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = Rng::new(&key, 0);
    let folder = tempfile::tempdir().unwrap();
    let Some(clock) = Clock::new(folder.path(), SPEED) else { return };
    let data = folder.path().join("data");
    let is_long = matches!(lasts, Lasts::Seconds(LONG_SECONDS..));
    if is_long {
        fill(&data).await;
    }
    let start = || Site::run(clock.given_to(Site::command(folder.path(), flags)));
    let mut site = start();
    let (moved, address) = watch::channel((site.address, site.id()));
    let began = Instant::now();
    let soak = Arc::new(Soak {
        site: address,
        is_over: AtomicBool::new(false),
        acknowledged: Mutex::default(),
        counts: Mutex::default(),
    });
    let mut tasks: Vec<_> = (0..PLAYERS).map(|number| tokio::spawn(soak.clone().player(number))).collect();
    tasks.extend((0..AUTHORS).map(|number| tokio::spawn(soak.clone().author(number))));
    tasks.extend((0..FLOODS).map(|network| tokio::spawn(soak.clone().flood(network))));
    tasks.push(tokio::spawn(soak.clone().look(data.clone())));

    // A backup now and then, and a restart, killed or stopped.
    for number in 0_u64.. {
        let (killed, restarts) = match lasts {
            Lasts::Seconds(seconds) => {
                // At a drawn moment; in the end of a long run backups alone.
                let lasts = Duration::from_secs(seconds);
                let longest = RESTART_EVERY.min(lasts / 4);
                let pause = longest / 2 + Duration::from_millis(rng.below(longest.as_millis() as u32 / 2).into());
                pass(pause.min(lasts.saturating_sub(began.elapsed()))).await;
                if began.elapsed() >= lasts {
                    break;
                }
                (rng.below(2) == 0, !is_long || began.elapsed() < lasts / 3)
            }
            Lasts::Restarts(restarts) if number < restarts => {
                let before = soak.turns();
                eventually("more turns", async || soak.turns() > before).await;
                (number % 2 == 0, true)
            }
            Lasts::Restarts(_) => break,
        };
        tokio::task::block_in_place(|| back_up(folder.path(), &data));
        soak.counts.lock().unwrap().backups += 1;
        if !restarts {
            continue;
        }
        site = tokio::task::block_in_place(|| {
            if killed {
                drop(site)
            } else {
                site.stop()
            }
            start()
        });
        let mut counts = soak.counts.lock().unwrap();
        *(if killed { &mut counts.kills } else { &mut counts.stops }) += 1;
        counts.before = (counts.memory.len(), counts.disk.len());
        drop(counts);
        moved.send((site.address, site.id())).unwrap();
    }
    soak.is_over.store(true, Ordering::SeqCst);
    for task in tasks {
        task.await.unwrap();
    }

    let acknowledged = std::mem::take(&mut *soak.acknowledged.lock().unwrap());
    soak.assert_all_is_there(&site, &acknowledged).await;
    soak.assert_time_flew(&site, &acknowledged).await;
    site.stop();
    admin(&["check"], &[("--data", &data)]);
    let counts = soak.counts.lock().unwrap();
    let seconds = began.elapsed().as_secs();
    println!("{seconds} s, {:.1} days of the site's time, seed {seed}", (seconds * SPEED as u64) as f64 / 86_400.0);
    println!("{} kills, {} stops, {} backups restored and checked", counts.kills, counts.stops, counts.backups);
    println!("{} answers, {} refusals, {} requests without an answer", counts.answered, counts.refused, counts.lost);
    let Acknowledged { accounts, versions, plies, resigned } = &acknowledged;
    let (accounts, versions, plies, resigned) = (accounts.len(), versions.len(), plies.len(), resigned.len());
    println!("acknowledged: {accounts} accounts, {versions} versions, {plies} turns, {resigned} resignations; lost: 0");
    let (memory, disk) = counts.before;
    for (what, values, before, most, growth) in [
        ("memory", &counts.memory, memory, MEMORY_MAX, MEMORY_GROWTH_MAX),
        ("disk", &counts.disk, disk, DISK_MAX, DISK_GROWTH_MAX),
    ] {
        let highest = values.iter().copied().max().unwrap_or_default();
        assert!(highest <= most, "{what} beyond its budget");
        let last = &values[before..];
        if last.is_empty() {
            continue;
        }
        let quarters: Vec<u64> = last.chunks(last.len().div_ceil(4).max(1)).map(median).collect();
        let mib: Vec<u64> = quarters.iter().map(|bytes| bytes >> 20).collect();
        println!(
            "{what} by quarters of the last process's time ({} s), MiB: {mib:?}; at most {} of {} in all",
            last.len(),
            highest >> 20,
            most >> 20
        );
        if is_long {
            let [_, early, _, late] = quarters[..] else { panic!("{what} was looked at too rarely: {last:?}") };
            assert!(late <= early + growth, "{what} grows: {early} bytes, then {late}");
        }
    }
    assert!(plies > 0 && counts.kills + counts.stops > 0, "there was something to lose");
}
