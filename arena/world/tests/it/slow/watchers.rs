//! Clients that follow a world in which as much is called as a site allows, by people and nine bots: the bytes each
//! gets, whether it hears of everything, and whether who steps the world comes to the same one.
//! `cargo xtask watch-world` does it for an hour of the world's time.

#![expect(clippy::print_stdout, reason = "what a command of xtask reports")]

use std::ops::Range;

use arena_record::{EntrantId, Hex};
use arena_rules::Rng;
use arena_rules::life2::{Account, BASE_COST, CELLS_A_TURN, COINS_MAX, Call, Cell, Rates, Side, Word, World};
use arena_world::{ANSWERED_AFTER, ASKED_EVERY, BOTS_MAX, CHECKED_EVERY, Event, LogTail, LoggedCall, Machine};
use serde_json::Value;

/// Seconds of the world's time that the tests take.
const SECONDS: u64 = 60;
/// Clients that receive everything, each at its own times.
const CLIENTS: usize = 500;
/// Of these, how many step the world, each since another moment.
const FOLLOWERS: u64 = 5;
/// Generations a second; and those between two messages to a client.
const RATE: u64 = 10;
const PAUSE: u64 = 2;
/// What everybody together may do in a second: `arena limits` has `calls_per_hour_arena` and `cells_per_hour_arena`; a
/// test of `arena/server/src/visitors/table.rs` holds the same numbers.
const CALLS: u64 = 8;
const CELLS: u64 = 150;
/// Seconds from one call that changes the seated bot, or removes it, to the next: `seats_per_hour_arena`.
const SEATED_EVERY: u64 = 3;
/// Bytes of the answer to the question who holds the slots; a test of `arena/server/src/world_protocol.rs` has it.
const HOLDERS_BYTES: u64 = 3_000;
/// How often a page asks it: each such call is a reason to.
const NAMES_EVERY: u64 = 15;
/// Bytes of what says on a socket that it is alive, every ten seconds, with its ping.
const BEAT_BYTES: u64 = 17 + 2;
const BEAT_EVERY: u64 = 10;
/// Bytes a second that a client gets at most, on average.
const BYTES_MAX: u64 = 4 << 10;
/// The first number of a line, as a service has it: microseconds since 1970.
const FIRST: u64 = 1_800_000_000_000_000;
/// The generations of a world that is three years old.
const OLD: u64 = 1_000_000_000;
/// The cell with the most digits.
const FAR: Word = (511, 511);

/// What a site shows, and all that it ever did, with a comma after each line.
struct Told {
    shown: LogTail,
    log: String,
}

impl Told {
    fn new(generation: u64) -> Told {
        Told { shown: LogTail::new(generation, FIRST), log: String::new() }
    }

    fn add(&mut self, event: &Event) {
        let line = event.to_line();
        self.shown.add(&line);
        self.log.extend([line.trim_end(), ","]);
    }
}

/// A client that receives everything.
#[derive(Clone, Copy)]
struct Client {
    next: u64,
    /// How much of the log it has heard.
    heard: usize,
    bytes: u64,
    /// Bytes of its longest message.
    longest: u64,
}

impl Client {
    const NEW: Client = Client { next: FIRST, heard: 0, bytes: 0, longest: 0 };

    fn hear(&mut self, told: &Told) {
        let news = told.shown.news(self.next);
        let lines = news.split_once("\"lines\":[").and_then(|(_, lines)| lines.strip_suffix("]}"));
        assert_eq!(lines, Some(told.log[self.heard..].trim_end_matches(',')), "no line is missing, and none is new");
        let bytes = framed(news.len() as u64);
        (self.next, self.heard) = (told.shown.next, told.log.len());
        (self.bytes, self.longest) = (self.bytes + bytes, self.longest.max(bytes));
    }

    /// Bytes a second, with beats and the answers to its questions for names.
    fn a_second(&self, seconds: u64) -> u64 {
        (self.bytes + names(seconds) + framed(BEAT_BYTES) * (seconds / BEAT_EVERY)) / seconds
    }
}

fn names(seconds: u64) -> u64 {
    framed(HOLDERS_BYTES) * seconds.div_ceil(NAMES_EVERY)
}

/// The numbers of the calls in a generation.
fn calls_in(generation: u64) -> Range<u64> {
    generation * CALLS / RATE..(generation + 1) * CALLS / RATE
}

/// Whether a call changes who plays.
fn seats(call: u64) -> bool {
    call.is_multiple_of(SEATED_EVERY * CALLS)
}

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
    let page = include_str!("../../../../../web/static/worlds/feed.js");
    let pause = format!("NAMES_MS = {NAMES_EVERY}_000;");
    assert!(page.contains(&pause), "{pause}");
}

#[test]
fn the_longest_lines_that_a_site_allows_are_not_too_many_bytes() {
    let (mut told, mut client, mut placed) = (Told::new(OLD), Client::NEW, 0);
    let account = Hex([0xff; 8]);
    for generation in 0..SECONDS * RATE {
        let now = OLD + generation;
        let called = |call: LoggedCall, answer: u64| Event::Called { generation: now, account, call, answer };
        let places = |cells: u64| called(LoggedCall::Place(vec![FAR; cells as usize]), cells);
        if generation.is_multiple_of(CHECKED_EVERY) {
            (0..BOTS_MAX).for_each(|_| told.add(&called(LoggedCall::Faucet, COINS_MAX)));
        }
        if generation % ASKED_EVERY == ANSWERED_AFTER {
            (0..BOTS_MAX).for_each(|_| told.add(&places(CELLS_A_TURN as u64)));
        }
        for call in calls_in(generation) {
            if seats(call) {
                let bot = Some(EntrantId::of_bytes(b"a bot"));
                told.add(&Event::Seated { generation: now, account, bot });
            } else {
                let cells = (call + 1) * CELLS / CALLS - placed;
                told.add(&places(cells));
                placed += cells;
            }
        }
        if (generation + 1).is_multiple_of(CHECKED_EVERY) {
            told.add(&Event::Checked { generation: now + 1, digest: Hex([0; 32]), calls: Hex([0; 32]) });
        }
        told.shown.generation = now + 1;
        if (generation + 1).is_multiple_of(PAUSE) {
            client.hear(&told);
        }
    }
    assert_eq!(placed, SECONDS * CELLS, "all that may be placed is");
    let most = client.a_second(SECONDS);
    println!("at most {most} bytes a second, if all that a site allows is called in its longest form");
    assert!(most <= BYTES_MAX, "{most} bytes a second");
}

#[test]
fn five_hundred_clients_are_told_little_and_come_to_the_same_world() {
    let number = |name| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let seconds = number("ARENA_WATCH_SECONDS").unwrap_or(SECONDS);
    let seed = number("ARENA_WATCH_SEED").unwrap_or(1);
    let mut rng = Rng::new(&[seed as u8; 32], 0);
    let mut machine = Machine::new(World::new(Side::WORLD, Rates::FOUNDING));
    let mut told = Told::new(0);
    let mut clients = [Client::NEW; CLIENTS];
    let mut followers: Vec<Follower> = Vec::new();
    let (mut calls, mut answers, mut seated, mut compared) = (0, 0, 0, 0);
    for generation in 0..seconds * RATE {
        for call in calls_in(generation) {
            // Bots are seated and taken away again, as often as everybody may.
            if seats(call) {
                let bot = machine.bots().next().is_none().then(|| EntrantId::of_bytes(b"a bot"));
                let event = machine.seat(Account(1), bot).expect("there is a place").expect("it changes something");
                machine.apply(&event).expect("it was proposed");
                told.add(&event);
                seated += 1;
                continue;
            }
            let account = Account(1 + u64::from(rng.below(9)));
            let call = call_of(machine.world(), account, CELLS.div_ceil(CALLS), &mut rng);
            if let Ok(Some(event)) = machine.propose(account, &call) {
                machine.apply(&event).expect("it was proposed");
                told.add(&event);
                calls += 1;
            }
        }
        // And nine bots at their limit: their answers count all in one generation.
        if generation % ASKED_EVERY == ANSWERED_AFTER {
            for account in (1..=BOTS_MAX as u64).map(Account) {
                let call = call_of(machine.world(), account, CELLS_A_TURN as u64, &mut rng);
                if let Ok(Some(event)) = machine.propose(account, &call) {
                    machine.apply(&event).expect("it was proposed");
                    told.add(&event);
                    answers += 1;
                }
            }
        }
        if let Some(checked) = machine.step() {
            told.add(&checked);
        }
        told.shown.generation = machine.world().generation();
        if followers.len() < FOLLOWERS as usize
            && generation >= followers.len() as u64 * seconds * RATE / (2 * FOLLOWERS)
        {
            let Event::Opened(opened) = machine.opened("a test") else { continue };
            let machine = Machine::open(&opened).expect("its own");
            followers.push(Follower { machine, next: told.shown.next, heard: opened.generation, waiting: Vec::new() });
        }
        for (at, client) in (0..).zip(&mut clients) {
            if (generation + at).is_multiple_of(PAUSE) {
                client.hear(&told);
            }
        }
        for (at, follower) in (0..).zip(&mut followers) {
            // One of them listens rarely.
            if (generation + at).is_multiple_of(PAUSE + 20 * (at / (FOLLOWERS - 1))) {
                follower.hear(&told.shown.news(follower.next));
                if generation.is_multiple_of(100) || generation + 50 > seconds * RATE {
                    assert_eq!(follower.machine.digest(), machine.digest(), "generation {generation}");
                    compared += 1;
                }
            }
        }
    }
    let most = clients.iter().map(|client| client.a_second(seconds)).max().unwrap_or_default();
    let longest = clients.iter().map(|client| client.longest).max().unwrap_or_default();
    let (kingdoms, living) = (machine.world().kingdoms().count(), machine.world().ground().living().count());
    println!(
        "{CLIENTS} clients, {seconds} s of the world's time, {calls} calls, {seated} changes of who plays, {answers} answers of bots, {kingdoms} kingdoms and {living} living cells at the end: \
         at most {most} bytes a second each, with frames, beats and {} for names, {longest} in one message; all heard every line once; {compared} comparisons of {FOLLOWERS} worlds, 0 divergences",
        names(seconds) / seconds
    );
    assert!(most <= BYTES_MAX, "{most} bytes a second");
    assert!(kingdoms >= 5 && calls > seconds * CALLS / 2 && compared > 0, "{kingdoms} kingdoms, {calls} calls");
    assert!(answers > seconds * RATE / ASKED_EVERY, "{answers} answers");
}
