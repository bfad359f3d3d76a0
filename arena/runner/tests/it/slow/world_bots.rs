//! Modules that hold kingdoms of a world: what they do is computed again, whatever happens to them.

use std::sync::Arc;

use arena_record::EntrantId;
use arena_rules::life2::Account;
use arena_runner::{
    Contender, Host, InProcess, UnfitForWorlds, WorldBots, fit_for_worlds, world_budgets, world_start_fuel_max,
};
use arena_sandbox::Sandbox;
use arena_worker::Wall;
use arena_world::{Event, LoggedCall, Nobody, Span};

use crate::live::Live;

/// A bot that places a cell of its base's inside, another one each time it is asked, and does something else the third
/// time.
fn module(third: &str) -> Vec<u8> {
    let text = format!(
        r#"(module (memory (export "memory") 1)
  (data (i32.const 0) "\01\01\01\00")
  (global $asked (mut i32) (i32.const 0))
  (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
  (func (export "arena_turn") (param i32) (result i64) (local $base i32)
    (global.set $asked (i32.add (global.get $asked) (i32.const 1)))
    (if (i32.eq (global.get $asked) (i32.const 3)) (then {third}))
    (local.set $base (i32.add (i32.const 1072) (i32.mul (i32.const 20) (i32.load8_u (i32.const 1026)))))
    (i32.store16 (i32.const 4) (i32.add (i32.load16_u (local.get $base)) (i32.const 2)))
    (i32.store16 (i32.const 6) (i32.add (i32.load16_u offset=2 (local.get $base)) (global.get $asked)))
    (i64.const 0x800000000)))"#
    );
    wat::parse_str(text).unwrap()
}

/// Asks only these bots.
fn asker(modules: &[Vec<u8>]) -> WorldBots {
    let (host, modules) = (InProcess::new(Sandbox::new().unwrap()), Arc::new(modules.to_vec()));
    let find = move |id: &EntrantId| -> Option<Contender> {
        let bytes = modules.iter().find(|bytes| EntrantId::of_bytes(bytes) == *id)?;
        host.load(bytes, &world_budgets()).ok()
    };
    WorldBots::new(Box::new(find), Wall::None)
}

/// Generations in which an account placed cells.
fn placed(live: &Live, account: u64) -> Vec<u64> {
    let by = |line: &String| match Event::parse(line).unwrap() {
        Event::Called { generation, account: by, call: LoggedCall::Place(_), .. }
            if u64::from_be_bytes(by.0) == account =>
        {
            Some(generation)
        }
        _ => None,
    };
    live.log.iter().filter_map(by).collect()
}

#[test]
fn modules_play_and_what_they_do_is_computed_again() {
    let thirds = ["(nop)", "(unreachable)", "(loop $ever (br $ever))", "(return (i64.const 0))"];
    let modules: Vec<Vec<u8>> = thirds.into_iter().map(module).collect();
    let mut asked = asker(&modules);
    let mut live = Live::new();
    for (account, bytes) in (1..).zip(&modules) {
        live.seat(account, Some(EntrantId::of_bytes(bytes)));
    }
    live.seat(5, Some(Contender::baseline("life2@2", "besieger").unwrap().id()));
    for _ in 0..720 {
        live.step(&mut asked);
    }
    live.end();
    assert!((1..=5).all(|account| live.slot(account).is_some()), "all have joined");
    // A trap, an endless loop and an answer that is not an action: each bot is not asked again until it restarts, at
    // 600.
    assert_eq!(placed(&live, 1), [70, 130, 190, 250, 310, 370, 610, 670], "its base has six columns");
    for account in 2..=4 {
        assert_eq!(placed(&live, account), [70, 130, 610, 670], "account {account}");
    }
    assert!(!placed(&live, 5).is_empty());
    assert_eq!(live.machine.world().balance(Account(2)), 1_000 - 100 - 2 + 1_000 - 2, "wallets are filled up at 600");
    let log = live.log.concat();
    let span = Span::verify(&log, &mut asker(&modules)).expect("its own");
    assert_eq!((span.from, span.to, span.taken.len()), (0, 720, 0));
    // Who has only some of them believes the others.
    let span = Span::verify(&log, &mut asker(&modules[..2])).expect("its own");
    assert_eq!(span.taken, [&modules[2], &modules[3]].map(|bytes| EntrantId::of_bytes(bytes)));
    assert_eq!(Span::verify(&log, &mut Nobody).expect("its own").taken.len(), 5);
    // A process that comes back in the middle brings its players back, with what they remember.
    for cut in [live.log.len() / 3, live.log.len() - 3] {
        let mut asked = asker(&modules);
        let mut again = Live::resumed(&live.log[..cut], &mut asked);
        again.attend(&mut asked);
        while again.machine.world().generation() < 720 {
            again.step(&mut asked);
        }
        again.end();
        assert_eq!(again.log, live.log, "after line {cut}");
    }
}

/// A bot whose start counts to a number.
fn starting(rounds: u64) -> Vec<u8> {
    let text = format!(
        r#"(module (memory (export "memory") 2)
  (func (export "arena_observation") (param i32) (result i32) (local $left i64)
    (local.set $left (i64.const {rounds}))
    (loop $on (local.set $left (i64.sub (local.get $left) (i64.const 1))) (br_if $on (i64.ne (local.get $left) (i64.const 0))))
    (i32.const 1024))
  (func (export "arena_turn") (param i32) (result i64) (i64.const 0)))"#
    );
    wat::parse_str(text).unwrap()
}

#[test]
fn a_bot_whose_start_takes_more_fuel_than_a_turn_is_not_for_worlds() {
    let host = InProcess::new(Sandbox::new().unwrap());
    let load = |bytes: Vec<u8>| host.load(&bytes, &world_budgets()).unwrap();
    assert!(fit_for_worlds(&load(starting(1)), Wall::None).is_ok());
    assert!(fit_for_worlds(&Contender::baseline("life2@2", "besieger").unwrap(), Wall::None).is_ok());
    // Games of tournaments give ten times as much.
    assert!(world_start_fuel_max() < world_budgets().fuel_at_start);
    let slow = load(starting(world_start_fuel_max()));
    assert!(matches!(fit_for_worlds(&slow, Wall::None), Err(UnfitForWorlds::Start)));
}

/// Generations that the tests take; `cargo xtask long-world` takes a million.
const GENERATIONS: u64 = 1_200;

/// Resident memory of this process, in KiB; 0 where the system does not say.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap_or("0");
    line.trim().trim_end_matches(" kB").parse().unwrap_or_default()
}

#[test]
fn a_world_full_of_bots_goes_on_with_no_more_memory() {
    let generations = std::env::var("ARENA_GENERATIONS").map_or(GENERATIONS, |text| text.parse().unwrap());
    let modules: Vec<Vec<u8>> = ["(nop)", "(unreachable)", "(loop $ever (br $ever))"].map(module).into();
    let mut asked = asker(&modules);
    let mut live = Live::new();
    for account in 1..=3 {
        live.seat(account, Some(EntrantId::of_bytes(&modules[account as usize - 1])));
        live.seat(account + 3, Some(Contender::baseline("life2@2", "expander").unwrap().id()));
        live.seat(account + 6, Some(Contender::baseline("life2@2", "besieger").unwrap().id()));
    }
    let (mut lines, mut early, mut most) = (0, 0, 0);
    for generation in 1..=generations {
        live.step(&mut asked);
        if generation.is_multiple_of(600) {
            lines += live.log.len();
            live.log.clear();
            most = most.max(resident());
        }
        if generation == generations / 10 {
            (early, most) = (resident(), 0);
        }
    }
    let (kingdoms, living) = (live.machine.world().kingdoms().count(), live.machine.world().ground().living().count());
    println!(
        "{generations} generations, {lines} lines of bots, {kingdoms} kingdoms and {living} living cells at the end; memory after a tenth \
         of them {early} KiB, later at most {most} KiB"
    );
    assert!(kingdoms >= 5 && lines as u64 > generations / 60, "{kingdoms} kingdoms, {lines} lines");
    // The memory that an allocator keeps for the largest state seen.
    assert!(most <= early + early / 10 + (8 << 10), "{early} KiB, then {most} KiB");
}
