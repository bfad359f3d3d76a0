//! Bots in worker processes: the real binary at the other end of the pipe.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::ffi::OsString;
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use arena_record::{Budgets, ForfeitCode};
use arena_referee::{Failure, Player, Reply, Started, play};
use arena_rules::BySeat;
use arena_runner::{Contender, Folder, Host, LoadError, Table};
use arena_sandbox::{RefusalCode, Sandbox, Wall};
use arena_tournaments::Definition;
use arena_worker::{Pool, RemotePlayer};

/// Places the first block of its home, then one cell too few.
const BOT: &str = r#"(module (import "arena" "log" (func $log (param i32 i32))) (memory (export "memory") 1)
    (data (i32.const 0) "\01\01\04\0c\03\0c\04\0d\03\0d\04")
    (data (i32.const 32) "\01\01\04\0c\17\0c\18\0d\17\0d\18")
    (data (i32.const 64) "hello")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64)
        (call $log (i32.const 64) (i32.const 5))
        (if (result i64) (i32.load8_u (i32.const 1026))
            (then (i64.const 0xb00000020)) (else (i64.const 0xb00000000)))))"#;
const ENDLESS: &str = r#"(module (memory (export "memory") 1)
    (func (export "arena_observation") (param i32) (result i32) (i32.const 0))
    (func (export "arena_turn") (param i32) (result i64) (loop (br 0)) (i64.const 0)))"#;
const OPTIONS: &str = "chain_needs_home,weighted_majority";

fn pool() -> Pool {
    let arguments = ["worker", "--stdio"].map(OsString::from).to_vec();
    Pool::new(env!("CARGO_BIN_EXE_arena").into(), arguments, 2)
}

fn table(budgets: Budgets) -> Table {
    Table::new("conquerors@2", OPTIONS, budgets, Wall::Milliseconds(10_000))
}

fn bytes(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap()
}

#[test]
fn a_game_in_workers_is_the_game_in_this_process() {
    let easy = Contender::baseline("easy").unwrap();
    let here = Host::Here(Sandbox::new().unwrap()).load(&bytes(BOT), &Budgets::DEFAULT).unwrap();
    let there = Host::Workers(pool()).load(&bytes(BOT), &Budgets::DEFAULT).unwrap();
    for seed in 0..5 {
        for seats in [[&here, &easy], [&easy, &here]] {
            let remote = seats.map(|contender| if contender.id() == here.id() { &there } else { contender });
            let record = table(Budgets::DEFAULT).play([seed; 32], &BySeat::from(seats)).unwrap();
            assert_eq!(table(Budgets::DEFAULT).play([seed; 32], &BySeat::from(remote)).unwrap(), record);
            assert_eq!(record.forfeits[0].code, ForfeitCode::IllegalMove);
        }
    }
}

#[test]
fn refusals_come_through_with_code_and_offset() {
    let here = Sandbox::new().unwrap().load(b"\0asm\x01\0\0\0\xff", &Budgets::DEFAULT).map(drop).unwrap_err();
    match Host::Workers(pool()).load(b"\0asm\x01\0\0\0\xff", &Budgets::DEFAULT).map(drop) {
        Err(LoadError::Refused(there)) => assert_eq!(there, here),
        other => panic!("{other:?}"),
    }
    assert_eq!(here.code, RefusalCode::InvalidModule);
    assert!(here.offset.is_some());
}

/// Ends its worker before the answer of one turn, as a crash of the engine would.
struct Killer<'a> {
    player: RemotePlayer,
    turn: u32,
    turns: &'a AtomicU32,
}

impl Player for Killer<'_> {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        self.player.start(observation_len, fuel)
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        if self.turns.fetch_add(1, Ordering::Relaxed) == self.turn {
            let id = self.player.process_id().unwrap().to_string();
            assert!(Command::new("kill").args(["-KILL", &id]).status().unwrap().success());
        }
        self.player.turn(observation, fuel)
    }
}

#[test]
fn a_killed_worker_is_a_platform_fault_and_the_next_try_is_the_same_game() {
    let pool = pool();
    let bot = pool.load(&bytes(BOT), &Budgets::DEFAULT).unwrap().unwrap();
    let easy = Contender::baseline("easy").unwrap();
    let table = table(Budgets::DEFAULT);
    let header = || table.header([3; 32], vec![bot.id().clone(), easy.id()]);
    let turns = AtomicU32::new(0);
    let once = |turn| {
        let mut blue = Killer { player: bot.player(Wall::Milliseconds(10_000)), turn, turns: &turns };
        let mut red = easy.player(Wall::None);
        play(header(), BySeat::from([&mut blue as &mut dyn Player, &mut red]))
    };
    let whole = once(u32::MAX).unwrap();
    turns.store(0, Ordering::Relaxed);
    let error = once(1).unwrap_err();
    assert!(error.to_string().contains("the worker died"), "{error}");
    assert_eq!(once(u32::MAX).unwrap(), whole);
}

#[test]
fn a_worker_keeps_the_log_and_has_no_environment() {
    let pool = pool();
    let bot = pool.load(&bytes(BOT), &Budgets::DEFAULT).unwrap().unwrap();
    let mut blue = bot.player(Wall::Milliseconds(10_000));
    let mut red = Contender::baseline("easy").unwrap().player(Wall::None);
    let header = table(Budgets::DEFAULT).header([1; 32], vec![bot.id().clone(), bot.id().clone()]);
    let id = {
        let players: [&mut dyn Player; 2] = [&mut blue, &mut red];
        play(header, BySeat::from(players)).unwrap();
        blue.process_id()
    };
    assert_eq!(blue.log(), (vec!["hello".to_string(); 2], 0));
    let environment = std::fs::read(format!("/proc/{}/environ", id.unwrap())).unwrap();
    assert_eq!(environment, b"");
}

#[test]
fn a_bot_that_never_answers_is_decided_by_fuel_in_a_worker_too() {
    let budgets = Budgets { fuel_per_move: 300_000_000, ..Budgets::DEFAULT };
    let endless = Host::Workers(pool()).load(&bytes(ENDLESS), &budgets).unwrap();
    let easy = Contender::baseline("easy").unwrap();
    let table = Table::new("conquerors@2", OPTIONS, budgets, Wall::Milliseconds(10));
    let record = table.play([1; 32], &BySeat::from([&endless, &easy])).unwrap();
    assert_eq!(record.forfeits[0].code, ForfeitCode::FuelExhausted);
    assert_eq!(table.platform_faults(), 2);
}

#[test]
fn a_worker_that_hangs_is_ended() {
    // `sleep` reads nothing and answers nothing, like a worker that hangs.
    let pool = Pool::new("/bin/sleep".into(), vec!["60".into()], 1);
    let started = std::time::Instant::now();
    let refused = pool.load(&bytes(BOT), &Budgets::DEFAULT).unwrap().map(drop).unwrap_err();
    assert_eq!(refused.code, RefusalCode::CompileBudget);
    assert!(started.elapsed() < Duration::from_secs(30));
}

#[test]
fn a_worker_goes_back_to_the_pool_with_so_many_bots_and_no_more() {
    let pool = pool();
    let load = |number: u32| {
        let text = ENDLESS.replace("(memory", &format!("(global i32 (i32.const {number})) (memory"));
        pool.load(&bytes(&text), &Budgets::DEFAULT).unwrap().unwrap()
    };
    let mut bots: Vec<_> = (0..arena_worker::BOTS_PER_WORKER_MAX).map(|number| load(number as u32)).collect();
    let process = |bot: &arena_worker::RemoteBot| {
        let mut player = bot.player(Wall::None);
        player.start(1024, Budgets::DEFAULT.fuel_at_start).unwrap();
        player.process_id().unwrap()
    };
    let first = process(&bots[0]);
    assert_eq!(process(&bots[1]), first, "it is lent again");
    bots.push(load(bots.len() as u32));
    assert_ne!(process(&bots[0]), first, "it has one too many");
}

/// The first four workers die after six requests, in the middle of a turn; the fifth answers no more. The others are well.
const FLAKY: &str = r#"
    for worker in 1 2 3 4; do
        if mkdir "$0/$worker" 2>/dev/null; then sed -u 6q | "$1" worker --stdio; exit; fi
    done
    if mkdir "$0/hangs" 2>/dev/null; then sed -u 6q | "$1" worker --stdio; exec sleep 60; fi
    exec "$1" worker --stdio"#;

#[test]
fn workers_that_die_or_hang_cost_no_game_of_a_tournament() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    std::fs::write(path("builder.wasm"), bytes(BOT)).unwrap();
    std::fs::create_dir(path("workers")).unwrap();
    let text = "name = \"t\"\noptions = \"chain_needs_home,weighted_majority\"\nseed = 1\npairs = 12\nwall_ms_per_move = 1000\n[[entrants]]\nname = \"easy\"\n\
        baseline = \"easy\"\n[[entrants]]\nname = \"builder\"\nfile = \"builder.wasm\"\n";
    let definition = Definition::parse(text).unwrap();
    let play = |name: &str, host: Host| {
        let (mut folder, _) = Folder::open(&path(name), &definition, place.path(), &host).unwrap();
        let played = folder.run(2, |_| {}).unwrap();
        let records: Vec<String> = folder.records().map(|(_, record)| record.to_text()).collect();
        (played.platform_faults, played.games, played.standings, records)
    };
    let (faults, games, standings, records) = play("well", Host::Here(Sandbox::new().unwrap()));
    assert_eq!((faults, games), (0, 24));
    let arguments = ["-c".into(), FLAKY.into(), path("workers").into(), env!("CARGO_BIN_EXE_arena").into()];
    let flaky = Pool::new("/bin/sh".into(), arguments.to_vec(), 2);
    let (faults, games, again, others) = play("flaky", Host::Workers(flaky));
    assert!(path("workers/hangs").exists());
    assert!((5..=8).contains(&faults), "{faults} games were played again");
    assert_eq!((games, again, others), (24, standings, records));
}
