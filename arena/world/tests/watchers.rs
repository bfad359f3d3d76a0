//! Clients that follow a world in which as much is called as a site allows, by people and nine bots: the bytes each gets, and whether it comes to the same world.
//! `cargo xtask watch-world` does it for an hour of the world's time.

#![expect(clippy::print_stdout, reason = "what a command of xtask reports")]

use std::collections::BTreeMap;

use arena_record::EntrantId;
use arena_rules::Rng;
use arena_rules::life2::{Account, BASE_COST, CELLS_A_TURN, Call, Cell, Rates, Side, World};
use arena_world::{ANSWERED_AFTER, ASKED_EVERY, BOTS_MAX, Event, Machine, Shown};
use serde_json::Value;

/// Seconds of the world's time that the tests take.
const SECONDS: u64 = 60;
/// Clients that receive everything, each at its own times.
const CLIENTS: u64 = 500;
/// Of these, how many step the world, each since another moment.
const FOLLOWERS: u64 = 5;
/// Generations a second; and those between two messages to a client.
const RATE: u64 = 10;
const PAUSE: u64 = 2;
/// What everybody together may do in a second: `arena limits` has `calls_per_hour_arena` and `cells_per_hour_arena`; a test of
/// `arena/server/src/visitors/table.rs` holds the same numbers.
const CALLS: u64 = 8;
const CELLS: u64 = 180;
/// Seconds from one call that changes the seated bot, or removes it, to the next: `seats_per_hour_arena`.
const SEATED_EVERY: u64 = 3;
/// Bytes of the answer to the question who holds the slots; a test of `arena/server/src/world_talk.rs` has it.
const HOLDERS_BYTES: u64 = 3_000;
/// How often a page asks it: each such call is a reason to.
const NAMES_EVERY: u64 = 15;
/// Bytes of what says on a socket that it is alive, every ten seconds, with its ping.
const BEAT_BYTES: u64 = 17 + 2;
const BEAT_EVERY: u64 = 10;
/// Bytes a second that a client gets at most, on average.
const BYTES_MAX: u64 = 4 << 10;

/// A client that steps the world.
struct Follower {
    machine: Machine,
    next: u64,
    /// Generations whose calls it has heard.
    heard: u64,
    waiting: Vec<Event>,
}

impl Follower {
    fn hear(&mut self, news: &str) {
        let mut news: Value = serde_json::from_str(news).expect("JSON");
        assert_eq!(news["behind"], Value::Null, "nobody is behind here");
        let lines = news["lines"].take();
        let lines = lines.as_array().expect("lines");
        let (next, generation) = (news["next"].as_u64().expect("a number"), news["generation"].as_u64());
        assert_eq!(next - lines.len() as u64, self.next, "no line is missing");
        self.next = next;
        // As a page says it again: the spelling does not matter to it.
        self.waiting.extend(lines.iter().map(|line| serde_json::from_value::<Event>(line.clone()).expect("an event")));
        self.heard = generation.expect("a number");
        for event in self.waiting.drain(..) {
            self.machine.follow(&event).expect("both worlds are one");
        }
        while self.machine.world().generation() < self.heard {
            self.machine.step();
        }
    }
}

/// Some cells of an account's own ground on which nothing lives; a call that is allowed as a rule.
fn call_of(world: &World, account: Account, cells: u64, rng: &mut Rng) -> Call {
    let Some(slot) = world.slot_of(account) else {
        if world.balance(account) < BASE_COST {
            return Call::Faucet;
        }
        return Call::Join { x: rng.below(512) as i32, y: rng.below(512) as i32 };
    };
    if world.balance(account) < cells {
        return Call::Faucet;
    }
    let free = |cell: &Cell| {
        let wall = world.kingdom(slot).is_some_and(|kingdom| kingdom.base.is_wall(world.ground().side(), *cell));
        !world.ground().is_alive(*cell) && !wall
    };
    let own: Vec<Cell> = world.ground().of(slot).filter(free).collect();
    if own.is_empty() {
        return Call::Faucet;
    }
    let chosen = (0..cells).map(|_| own[rng.below(own.len() as u32) as usize]);
    Call::Place(chosen.map(|cell| (cell.x.into(), cell.y.into())).collect())
}

/// Bytes of a message on a socket: the head of its frame, too.
fn framed(bytes: u64) -> u64 {
    bytes + if bytes < 126 { 2 } else { 4 }
}

#[test]
fn a_page_asks_for_names_as_rarely_as_is_counted() {
    let page = include_str!("../../../web/static/world-feed.js");
    let pause = format!("NAMES_MS = {NAMES_EVERY}_000;");
    assert!(page.contains(&pause), "{pause}");
}

#[test]
fn five_hundred_clients_are_told_little_and_come_to_the_same_world() {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seconds = number("ARENA_WATCH_SECONDS").unwrap_or(SECONDS);
    let seed = number("ARENA_WATCH_SEED").unwrap_or(1);
    let mut rng = Rng::new(&[seed as u8; 32], 0);
    let mut machine = Machine::new(World::new(Side::WORLD, Rates::FOUNDING));
    let mut shown = Shown::new(0, 1);
    let mut bytes = BTreeMap::from_iter((0..CLIENTS).map(|client| (client, (0_u64, 1_u64, 0_u64))));
    let mut followers: Vec<Follower> = Vec::new();
    let (mut calls, mut answers, mut seats, mut compared) = (0, 0, 0, 0);
    for generation in 0..seconds * RATE {
        for call in (generation * CALLS / RATE)..((generation + 1) * CALLS / RATE) {
            // Bots are seated and taken away again, as often as everybody may.
            if call.is_multiple_of(SEATED_EVERY * CALLS) {
                let bot = machine.bots().next().is_none().then(|| EntrantId::of_bytes(b"a bot"));
                let event = machine.seat(Account(1), bot).expect("there is a place").expect("it changes something");
                machine.apply(&event).expect("it was proposed");
                shown.add(&event.to_line());
                seats += 1;
                continue;
            }
            let account = Account(1 + u64::from(rng.below(9)));
            let call = call_of(machine.world(), account, CELLS.div_ceil(CALLS), &mut rng);
            if let Ok(Some(event)) = machine.propose(account, &call) {
                machine.apply(&event).expect("it was proposed");
                shown.add(&event.to_line());
                calls += 1;
            }
        }
        // And nine bots at their limit: their answers count all in one generation.
        if generation % ASKED_EVERY == ANSWERED_AFTER {
            for account in (1..=BOTS_MAX as u64).map(Account) {
                let call = call_of(machine.world(), account, CELLS_A_TURN as u64, &mut rng);
                if let Ok(Some(event)) = machine.propose(account, &call) {
                    machine.apply(&event).expect("it was proposed");
                    shown.add(&event.to_line());
                    answers += 1;
                }
            }
        }
        if let Some(checked) = machine.step() {
            shown.add(&checked.to_line());
        }
        shown.generation = machine.world().generation();
        if followers.len() < FOLLOWERS as usize
            && generation >= followers.len() as u64 * seconds * RATE / (2 * FOLLOWERS)
        {
            let Event::Opened(opened) = machine.opened("a test") else { continue };
            let machine = Machine::open(&opened).expect("its own");
            followers.push(Follower { machine, next: shown.next, heard: opened.generation, waiting: Vec::new() });
        }
        for (client, (told, next, worst)) in &mut bytes {
            if (generation + client).is_multiple_of(PAUSE) {
                let news = framed(shown.news(*next).len() as u64);
                (*told, *next, *worst) = (*told + news, shown.next, news.max(*worst));
            }
        }
        for (at, follower) in (0..).zip(&mut followers) {
            // One of them listens rarely.
            if (generation + at).is_multiple_of(PAUSE + 20 * (at / (FOLLOWERS - 1))) {
                follower.hear(&shown.news(follower.next));
                if generation.is_multiple_of(100) || generation + 50 > seconds * RATE {
                    assert_eq!(follower.machine.digest(), machine.digest(), "generation {generation}");
                    compared += 1;
                }
            }
        }
    }
    let told = bytes.values().map(|(told, ..)| *told).max().unwrap_or_default();
    let names = framed(HOLDERS_BYTES) * seconds.div_ceil(NAMES_EVERY);
    let beats = framed(BEAT_BYTES) * (seconds / BEAT_EVERY);
    let most = (told + names + beats) / seconds;
    let worst = bytes.values().map(|(.., worst)| *worst).max().unwrap_or_default();
    let (kingdoms, living) = (machine.world().kingdoms().count(), machine.world().ground().living().count());
    println!(
        "{CLIENTS} clients, {seconds} s of the world's time, {calls} calls, {seats} changes of who plays, {answers} answers of bots, {kingdoms} kingdoms and {living} living cells at the end: \
         at most {most} bytes a second each, with frames, beats and {} for names, {worst} in one message; {compared} comparisons of {FOLLOWERS} worlds, 0 divergences",
        names / seconds
    );
    assert!(most <= BYTES_MAX, "{most} bytes a second");
    assert!(kingdoms >= 5 && calls > seconds * CALLS / 2 && compared > 0, "{kingdoms} kingdoms, {calls} calls");
    assert!(answers > seconds * RATE / ASKED_EVERY, "{answers} answers");
}
