//! A world of five kingdoms, three of which bots hold, one of them a module of an account, on a site that is killed at
//! any moment: it comes back at the last answered call or later, and says of every generation what it said before.
//! `cargo xtask kill-world` kills more often.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use arena_record::{EntrantId, Hex};
use arena_rules::Rng;
use arena_runner::{Contender, Host, InProcess, WorldBots, world_budgets};
use arena_sandbox::Sandbox;
use arena_store::{Page, Store, WorldName, WorldSpan};
use arena_worker::Wall;
use arena_world::{ANSWERED_AFTER, ASKED_EVERY, Event, LoggedCall, Machine, Span};
use serde_json::{Value, json};

use crate::cluster::{self, cluster};
use crate::eventually::{eventually_here, pass_here};
use crate::process::finished;
use crate::settler;
use crate::site::{Answer, Ask, HONEST, Site, get, post, post_json};

/// Kills that the tests make in each kind of store.
const KILLS: u64 = 3;
/// How many calls a life lasts, some dozens of generations; and how many more there may be until the site is gone or
/// has gone on.
const LIFE_CALLS: u32 = 30;
const MORE_CALLS: u32 = 10_000;
/// One look at the whole world in so many calls: comparing it with the log takes a span's generations.
const LOOKS_ONE_IN: u32 = 3;
/// From one call to the next at most: fewer than the world has place for in its log.
const PAUSE: Duration = Duration::from_millis(150);
const WORLD: &str = "/api/v1/worlds/meadow";
/// The accounts that play, and the places of their bases.
const PEOPLE: [(&str, i32, i32); 2] = [("Ann", 60, 60), ("Ben", 188, 60)];
/// For whom bots play, and which.
const BOTS: [(&str, &str); 3] = [("Cleo", "expander"), ("Dan", "besieger"), ("Eve", SETTLER)];
/// The one that its account submits.
const SETTLER: &str = "settler";

/// A site with a world; requests block.
struct Meadow {
    site: Site,
    runtime: tokio::runtime::Runtime,
}

/// A person with a kingdom.
struct Person {
    code: String,
    /// As the log has it.
    account: Hex<8>,
    base: (i32, i32),
}

/// A call that was answered.
#[derive(PartialEq, Debug)]
struct Answered {
    account: Hex<8>,
    call: LoggedCall,
    answer: u64,
}

/// The contents of a snapshot.
#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Heard {
    generation: u64,
    digest: Hex<32>,
}

impl Meadow {
    fn start(folder: &Path, flags: &[&str]) -> Meadow {
        let flags = [flags, &["--no-standing", "--world", "meadow"]].concat();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Meadow { site: Site::start(folder, &flags), runtime }
    }

    fn ask_once(&self, ask: &Ask<'_>) -> Option<Answer> {
        self.runtime.block_on(self.site.try_ask(HONEST, ask))
    }

    /// The answer; `None` where the site is gone.
    fn try_ask(&self, ask: &Ask<'_>) -> Option<Value> {
        let answer = eventually_here("a share of requests", || match self.ask_once(ask) {
            Some(answer) if answer.status == 429 => Err(answer.body),
            answer => Ok(answer),
        })?;
        assert_eq!(answer.status / 100, 2, "{} {}: {}", ask.method, ask.path, answer.body);
        serde_json::from_str(&answer.body).ok()
    }

    fn call(&self, code: &str, call: &Value) -> Option<Value> {
        self.try_ask(&post_json(&format!("{WORLD}/commands"), call).bearer(code))
    }

    fn generation(&self) -> Option<u64> {
        self.try_ask(&get("/api/v1/worlds"))?[0]["generation"].as_u64()
    }

    /// The world as a snapshot has it: after the last answered call, and at most some seconds old.
    fn heard(&self) -> Option<Heard> {
        let opened = self.try_ask(&get(WORLD))?["opened"].take();
        let Ok(Event::Opened(opened)) = serde_json::from_value(opened) else { panic!("no snapshot") };
        // It is the world that it says.
        Machine::open(&opened).unwrap();
        Some(Heard { generation: opened.generation, digest: opened.digest })
    }

    fn code(&self, name: &str) -> String {
        let claimed = self.try_ask(&post_json("/api/v1/accounts", &json!({ "name": name }))).unwrap();
        claimed["code"].as_str().unwrap().to_owned()
    }

    /// Submits the module, and waits until it is accepted.
    fn submit_settler(&self, code: &str) {
        let versions = format!("/api/v1/bots/{SETTLER}/versions");
        let path = format!("{versions}?game=life2");
        let submit = post(&path, "application/wasm", settler::module()).bearer(code);
        self.try_ask(&submit).unwrap();
        let version = eventually_here("a verdict", || {
            let version = self.try_ask(&get(&format!("{versions}/1")).bearer(code)).unwrap();
            if version["state"] == "pending" { Err(version) } else { Ok(version) }
        });
        assert_eq!(version["state"], "accepted", "{version}");
    }

    /// The people who play, and the account of the module, once all five kingdoms stand and bots have placed cells.
    fn settled(&self) -> ([Person; 2], Hex<8>) {
        let codes = PEOPLE.map(|(name, x, y)| {
            let code = self.code(name);
            for call in [json!({ "type": "faucet" }), json!({ "type": "join_game", "base_x": x, "base_y": y })] {
                assert_eq!(self.call(&code, &call).unwrap()["type"], "answer");
            }
            code
        });
        for (name, bot) in BOTS {
            let code = self.code(name);
            if bot == SETTLER {
                self.submit_settler(&code);
            }
            let seated = self.call(&code, &json!({ "type": "seat_bot", "bot": bot })).unwrap();
            assert_eq!(seated["answer"], bot, "{seated}");
        }
        let asked = (self.generation().unwrap() / ASKED_EVERY + 1) * ASKED_EVERY;
        eventually_here("the answers of the bots", || {
            let generation = self.generation().unwrap();
            if generation > asked + ANSWERED_AFTER { Ok(()) } else { Err(generation) }
        });
        let slots = self.call(&codes[0], &json!({ "type": "get_slots_info" })).unwrap()["answer"].take();
        let names = || slots.as_array().unwrap().iter().filter_map(|slot| slot["name"].as_str());
        let all = BTreeSet::from(["Ann", "Ben", "Cleo", "Dan", "Eve"]);
        assert_eq!(names().collect::<BTreeSet<_>>(), all, "{slots}");
        let of = |name: &str| names().position(|holder| holder == name).and_then(|at| slots[at]["account"].as_i64());
        let account = |name: &str| Hex(of(name).unwrap().to_be_bytes());
        let mut codes = codes.into_iter();
        let people =
            PEOPLE.map(|(name, x, y)| Person { code: codes.next().unwrap(), account: account(name), base: (x, y) });
        (people, account("Eve"))
    }
}

impl Person {
    /// Something that one may do, or is refused: coins, a base again after a fall, or cells inside the own walls.
    fn any_call(&self, rng: &mut Rng) -> LoggedCall {
        let (x, y) = self.base;
        match rng.below(8) {
            0..3 => LoggedCall::Faucet,
            3 => LoggedCall::Join(x, y),
            _ => {
                let mut cell = || (x + 1 + rng.below(6) as i32, y + 1 + rng.below(6) as i32);
                LoggedCall::Place(vec![cell(), cell(), cell()])
            }
        }
    }
}

fn said(call: &LoggedCall) -> Value {
    match call {
        LoggedCall::Faucet => json!({ "type": "faucet" }),
        LoggedCall::Join(x, y) => json!({ "type": "join_game", "base_x": x, "base_y": y }),
        LoggedCall::Place(cells) => json!({ "type": "place_cells", "cells": cells }),
    }
}

#[test]
fn a_world_that_is_killed_at_any_moment_comes_back_with_every_answered_call() {
    let number = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let kills = number("ARENA_KILLS").unwrap_or(KILLS);
    let seed = number("ARENA_KILL_SEED").unwrap_or(1);
    // Lives are mostly waiting: both kinds of store are lived in at once.
    thread::scope(|scope| {
        if cluster::is_there() {
            scope.spawn(|| {
                let url = cluster().database(None);
                println!("in a database: {}", killed(Some(&url), kills, seed));
            });
        }
        println!("in a file: {}", killed(None, kills, seed));
    });
}

/// Kills a site until the number of kills is reached, and returns a summary.
pub(crate) fn killed(database: Option<&str>, kills: u64, seed: u64) -> String {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let rng = &mut Rng::new(&key, database.is_some().into());
    let folder = tempfile::tempdir().unwrap();
    let flags: Vec<&str> = database.into_iter().flat_map(|url| ["--database", url]).collect();
    let mut meadow = Meadow::start(folder.path(), &flags);
    let (people, settler) = meadow.settled();
    let (mut log, mut kept): (Vec<String>, usize) = (Vec::new(), 0);
    let (mut answered, mut unanswered, mut snapshots, mut lost) = (Vec::new(), 0, 0, 0);
    let (mut start, mut later, mut lives) = (meadow.generation().unwrap(), 0, 0);
    for kill in 0..kills {
        let life = rng.below(LIFE_CALLS);
        // Every second life lasts at least until the world was seen in a later generation than its first.
        let (mut has_gone_on, mut end) = (kill % 2 == 1, None);
        let (mut heard, mut furthest) = (BTreeSet::new(), 0);
        for number in 0..LIFE_CALLS + MORE_CALLS {
            if number >= life && has_gone_on && end.is_none() {
                // In the middle of some call, or between two.
                let (process, moment) =
                    (meadow.site.id(), Duration::from_micros(rng.below(PAUSE.as_micros() as u32).into()));
                end = Some(thread::spawn(move || {
                    pass_here(moment);
                    let process = rustix::process::Pid::from_raw(process as i32).unwrap();
                    rustix::process::kill_process(process, rustix::process::Signal::KILL).unwrap();
                }));
            }
            let person = &people[rng.below(2) as usize];
            let call = person.any_call(rng);
            let commands = format!("{WORLD}/commands");
            match meadow.ask_once(&post_json(&commands, &said(&call)).bearer(&person.code)) {
                // It may be in the log without having been answered.
                None => {
                    unanswered += 1;
                    break;
                }
                Some(Answer { status: 503, .. }) => unanswered += 1,
                Some(answer) => {
                    let answer = answer.json();
                    if answer["type"] == "answer" {
                        furthest = furthest.max(answer["generation"].as_u64().unwrap());
                        let answer = answer["answer"].as_u64().unwrap();
                        answered.push(Answered { account: person.account, call, answer });
                    }
                }
            }
            if rng.below(LOOKS_ONE_IN) == 0 {
                let Some(snapshot) = meadow.heard() else { break };
                has_gone_on |= snapshot.generation > start;
                heard.insert(snapshot);
            }
            // Calls come at any moment of a generation.
            pass_here(Duration::from_micros(rng.below(PAUSE.as_micros() as u32).into()));
        }
        end.expect("the world went on, and the site was killed").join().unwrap();
        meadow.site.kill();
        let spans = meadow.runtime.block_on(spans(database, folder.path()));
        meadow = Meadow::start(folder.path(), &flags);
        let back = meadow.generation().unwrap();
        for heard in &heard {
            assert!(passes_through(&spans, heard), "the log does not come to {heard:?}");
        }
        let of_later = heard.iter().filter(|heard| heard.generation > start).count();
        (snapshots, later, lives) = (snapshots + heard.len(), later + of_later, lives + u64::from(of_later > 0));
        let lines: Vec<String> = spans.into_iter().flat_map(|span| span.lines).collect();
        assert!(lines.starts_with(&log), "what is in a log stays in it");
        log = lines;
        let (found, latest) = people_of(&log, &people);
        kept = found.len();
        assert_all_are_there(&answered, &found, unanswered);
        assert!(back >= latest, "{back} is before the last call, at {latest}");
        lost = lost.max(furthest.saturating_sub(back));
        start = back;
    }
    assert!(lives >= kills.div_ceil(2), "{lives} lives of {kills} were seen beyond their first generation");
    // The world that came back last is the log's, too.
    let last = meadow.heard().unwrap();
    let Meadow { site, runtime } = meadow;
    site.stop();
    let spans = runtime.block_on(spans(database, folder.path()));
    assert!(passes_through(&spans, &last), "the log does not come to {last:?}");
    let mut calls = 0;
    let host = Arc::new(InProcess::new(Sandbox::new().unwrap()));
    for span in &spans {
        let host = host.clone();
        let mut bots = WorldBots::new(Box::new(move |id| settler_of(&*host, id)), Wall::None);
        let verified = Span::verify(&span.lines.concat(), &mut bots).unwrap();
        assert!(verified.taken.is_empty(), "bots are asked again, too");
        calls += verified.calls;
    }
    let chain = folder.path().join("chain");
    fs::create_dir(&chain).unwrap();
    for span in &spans {
        fs::write(chain.join(span.from.to_string()), span.lines.concat()).unwrap();
    }
    let paths = fs::read_dir(&chain).unwrap().map(|entry| entry.unwrap().path());
    let bots = folder.path().join("bots");
    fs::create_dir(&bots).unwrap();
    fs::write(bots.join("settler.wasm"), settler::module()).unwrap();
    let mut verify = Command::new(env!("CARGO_BIN_EXE_arena"));
    let verified = finished(verify.arg("verify").args(paths).arg("--bots").arg(&bots));
    assert!(verified.status.success(), "from the empty world on: {}", String::from_utf8_lossy(&verified.stderr));
    let of_bots = calls as usize - kept;
    assert!(of_bots > BOTS.len(), "bots place cells");
    assert!(log.iter().any(|line| places(line, settler)), "the module, too");
    format!(
        "{kills} kills with the seed {seed} in {} generations of five kingdoms, {} answered calls of people, all of them in the log after \
         each; {of_bots} calls of bots; it went back by at most {lost} generations, before the last call never; {snapshots} snapshots have a digest that the \
         log comes to, {later} of them, in {lives} lives, of a later generation than the first of its life",
        last.generation,
        answered.len(),
    )
}

/// The module, loaded, if this is its id.
fn settler_of(host: &dyn Host, id: &EntrantId) -> Option<Contender> {
    let module = settler::module();
    if *id == EntrantId::of_bytes(&module) { host.load(&module, &world_budgets()).ok() } else { None }
}

/// Whether a line is a placement of an account's cells.
fn places(line: &str, by: Hex<8>) -> bool {
    matches!(Event::parse(line), Ok(Event::Called { account, call: LoggedCall::Place(_), .. }) if account == by)
}

/// Calls of people in a log, and the generation of the last.
fn people_of(log: &[String], people: &[Person]) -> (Vec<Answered>, u64) {
    let (mut found, mut latest) = (Vec::new(), 0);
    for line in log {
        let Event::Called { generation, account, call, answer } = Event::parse(line).unwrap() else { continue };
        if people.iter().any(|person| person.account == account) {
            found.push(Answered { account, call, answer });
            latest = generation;
        }
    }
    (found, latest)
}

/// Every answered call is among those of the log, in order; others are there only where a site was killed before it
/// answered.
fn assert_all_are_there(answered: &[Answered], found: &[Answered], unanswered: usize) {
    let mut rest = found.iter();
    for call in answered {
        assert!(rest.any(|found| found == call), "{call:?} was answered and is not in the log");
    }
    // Each has taken coins and joined before the first kill.
    let more = found.len() - answered.len() - 2 * PEOPLE.len();
    assert!(more <= unanswered, "{more} calls more than were answered, after {unanswered} that may be there");
}

/// The log of the world, by spans, the oldest first.
async fn spans(database: Option<&str>, folder: &Path) -> Vec<WorldSpan> {
    let store: Arc<Store> = match database {
        Some(url) => Arc::new(Store::connect_to_serve(url, folder).await.unwrap()),
        None => Arc::new(Store::open(&folder.join("data")).await.unwrap()),
    };
    let world = WorldName::parse("meadow").unwrap();
    let mut spans = Vec::new();
    for from in store.world_spans(&world, Page::first(100)).await.unwrap().into_iter().rev() {
        spans.push(store.world_span(&world, from).await.unwrap().unwrap());
    }
    store.close().await;
    spans
}

/// Whether the world of the log was what a snapshot says, before or after a call of that generation. After its last
/// line nothing was called: what a snapshot has is in the log before.
fn passes_through(spans: &[WorldSpan], heard: &Heard) -> bool {
    let span = spans.iter().rfind(|span| span.from <= heard.generation).unwrap();
    let mut events = span.lines.iter().map(|line| Event::parse(line).unwrap());
    let Some(Event::Opened(opened)) = events.next() else { panic!("no snapshot") };
    let mut machine = Machine::open(&opened).unwrap();
    for event in events.take_while(|event| event.generation() <= heard.generation) {
        machine.advance_to(event.generation());
        if event.generation() == heard.generation && machine.digest() == heard.digest {
            return true;
        }
        machine.follow(&event).unwrap();
    }
    machine.advance_to(heard.generation);
    machine.digest() == heard.digest
}
