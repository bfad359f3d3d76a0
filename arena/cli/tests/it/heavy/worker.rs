//! Bots in worker processes: the real binary at the other end of the pipe.

use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use arena_record::{Budgets, ForfeitCode};
use arena_referee::{Failure, Player, Reply, Started, play};
use arena_rules::BySeat;
use arena_runner::{Contender, Folder, GameTerms, Host, InProcess, LoadError, Workers};
use arena_sandbox::{RefusalCode, Sandbox};
use arena_tournaments::Definition;
use arena_worker::limits::{
    ADDRESS_SPACE_BYTES_MAX, COMPILE_TRIES, COMPILE_WALL_SECONDS_MAX, Patience, SEATS_PER_WORKER_MAX,
    WORKER_MEMORY_BYTES_MAX,
};
use arena_worker::pipe::{Inbox, Outbox, Request, Response};
use arena_worker::walls::WorkerWall;
use arena_worker::{Lack, Pool, RemotePlayer, Wall, WallPolicy, WorkerError};

use crate::process::output;

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
/// How often a test begins anew that a busy machine has kept from proving anything.
const TRIES: u32 = 50;

fn pool() -> Pool {
    let arguments = [OsString::from("guests")].to_vec();
    Pool::new(env!("CARGO_BIN_EXE_arena").into(), arguments, 2)
}

fn terms(budgets: Budgets) -> GameTerms {
    GameTerms::new("conquerors@2", OPTIONS, budgets, Wall::Milliseconds(10_000))
}

fn bytes(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap()
}

#[test]
fn a_game_in_workers_is_the_game_in_this_process() {
    let easy = Contender::baseline("conquerors@2", "easy").unwrap();
    let (process, workers) = (InProcess::new(Sandbox::new().unwrap()), Workers::new(pool()));
    let here = process.load(&bytes(BOT), &Budgets::DEFAULT).unwrap();
    let there = workers.load(&bytes(BOT), &Budgets::DEFAULT).unwrap();
    let terms = terms(Budgets::DEFAULT);
    for seed in 0..5 {
        for seats in [[&here, &easy], [&easy, &here]] {
            let remote = seats.map(|contender| if contender.id() == here.id() { &there } else { contender });
            let played = process.play(&terms.game([seed; 32], &BySeat::from(seats))).unwrap();
            assert_eq!(workers.play(&terms.game([seed; 32], &BySeat::from(remote))).unwrap(), played);
            let record = played.ended.into_record().unwrap();
            assert_eq!(record.forfeits[0].code, ForfeitCode::IllegalMove);
        }
    }
}

#[test]
fn refusals_come_through_with_code_and_offset() {
    let here = Sandbox::new().unwrap().load(b"\0asm\x01\0\0\0\xff", &Budgets::DEFAULT).map(drop).unwrap_err();
    match Workers::new(pool()).load(b"\0asm\x01\0\0\0\xff", &Budgets::DEFAULT).map(drop) {
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
            let process = rustix::process::Pid::from_raw(self.player.process_id().unwrap() as i32).unwrap();
            rustix::process::kill_process(process, rustix::process::Signal::KILL).unwrap();
        }
        self.player.turn(observation, fuel)
    }
}

#[test]
fn a_killed_worker_is_a_platform_fault_and_the_next_try_is_the_same_game() {
    let pool = pool();
    let bot = pool.load(&bytes(BOT), &Budgets::DEFAULT).unwrap().unwrap();
    let easy = Contender::baseline("conquerors@2", "easy").unwrap();
    let terms = terms(Budgets::DEFAULT);
    let header = || terms.header([3; 32], vec![bot.id().clone(), easy.id()]);
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
fn a_bot_is_compiled_as_long_as_an_idle_worker_has_it() {
    let pool = pool();
    let bot = pool.load(&bytes(BOT), &Budgets::DEFAULT).unwrap().unwrap();
    let other = pool.load(&bytes(ENDLESS), &Budgets::DEFAULT).unwrap().unwrap();
    assert!(bot.is_compiled() && other.is_compiled(), "the workers that compiled them are idle");
    let mut player = bot.player(Wall::Milliseconds(10_000));
    player.start(776, Budgets::DEFAULT.fuel_at_start).unwrap();
    assert!(!bot.is_compiled() && other.is_compiled(), "its worker plays");
    drop(player);
    assert!(bot.is_compiled(), "idle again");
    let mut players = [(); 2].map(|()| other.player(Wall::Milliseconds(10_000)));
    for player in &mut players {
        player.start(776, Budgets::DEFAULT.fuel_at_start).unwrap();
    }
    drop(players);
    assert!(!bot.is_compiled() && other.is_compiled(), "only two idle workers are kept, the latest");
}

#[test]
fn a_worker_keeps_the_log_and_has_no_environment() {
    let pool = pool();
    let bot = pool.load(&bytes(BOT), &Budgets::DEFAULT).unwrap().unwrap();
    let mut blue = bot.player(Wall::Milliseconds(10_000));
    let mut red = Contender::baseline("conquerors@2", "easy").unwrap().player(Wall::None);
    let header = terms(Budgets::DEFAULT).header([1; 32], vec![bot.id().clone(), bot.id().clone()]);
    let id = {
        let players: [&mut dyn Player; 2] = [&mut blue, &mut red];
        play(header, BySeat::from(players)).unwrap();
        blue.process_id()
    };
    assert_eq!((blue.left().log.lines(), blue.left().log.dropped()), (&vec!["hello".to_string(); 2][..], 0));
    let environment = std::fs::read(format!("/proc/{}/environ", id.unwrap())).unwrap();
    assert_eq!(environment, b"");
}

#[test]
fn a_bot_that_never_answers_is_decided_by_fuel() {
    // Seconds of fuel against a wall of 10 ms: the wall always comes first, until it is taken away.
    let budgets = Budgets { fuel_per_move: 1_000_000_000, ..Budgets::DEFAULT };
    let workers = Workers::new(pool());
    let endless = workers.load(&bytes(ENDLESS), &budgets).unwrap();
    let easy = Contender::baseline("conquerors@2", "easy").unwrap();
    let terms = GameTerms::new("conquerors@2", OPTIONS, budgets, Wall::Milliseconds(10));
    let finished = workers.play(&terms.game([1; 32], &BySeat::from([&endless, &easy]))).unwrap();
    assert_eq!(finished.platform_faults, 2);
    let record = finished.ended.into_record().unwrap();
    assert_eq!(record.forfeits[0].code, ForfeitCode::FuelExhausted);
    assert_eq!(record.outcome.winner, Some(1));
}

#[test]
fn the_wall_ends_a_start_and_a_turn_and_is_never_the_bots_fault() {
    let late = ENDLESS.replace("(memory", "(func $first (loop (br 0))) (start $first) (memory");
    let pool = pool();
    for (text, starts) in [(ENDLESS, true), (&late, false)] {
        let bot = pool.load(&bytes(text), &Budgets::DEFAULT).unwrap().unwrap();
        let begin = || {
            let mut player = bot.player(Wall::Milliseconds(500));
            let started = player.start(1_000, if starts { 1_000 } else { u64::MAX });
            (player, started)
        };
        // A machine that is busy with something else may let a short start take so long, too.
        let (mut player, started) = (0..TRIES).map(|_| begin()).find(|(_, started)| started.is_ok() == starts).unwrap();
        let failure = started.err().or_else(|| player.turn(&[0; 1_000], u64::MAX).err()).unwrap();
        let wanted = "the worker did not answer within 500ms and was ended";
        assert!(matches!(&failure, Failure::Platform(fault) if fault.0 == wanted), "{failure:?}");
        assert!(player.lost_worker() && player.process_id().is_none());
        assert!(!bot.is_compiled(), "its process was ended");
    }
}

#[test]
fn the_wall_is_of_each_call_and_the_fuel_strikes_first() {
    const WALL: Duration = Duration::from_secs(1);
    // Many turns that together take longer than any one may.
    let pool = pool();
    let long = ENDLESS.replace(
        "(loop (br 0))",
        "(local.set 0 (i32.const 2000000)) (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))",
    );
    let bot = pool.load(&bytes(&long), &Budgets::DEFAULT).unwrap().unwrap();
    let is_through = (0..TRIES).any(|_| {
        let mut player = bot.player(Wall::Milliseconds(WALL.as_millis() as u64));
        if player.start(1_000, 1_000).is_err() {
            return false;
        }
        let mut together = Duration::ZERO;
        while together <= WALL {
            let began = Instant::now();
            let answer = player.turn(&[0; 1_000], 100_000_000);
            if let Err(failure) = answer {
                // A machine that is busy with something else: only a turn that took so long itself is ended.
                assert!(began.elapsed() >= WALL, "{failure:?} after {:?}", began.elapsed());
                return false;
            }
            together += began.elapsed();
        }
        true
    });
    assert!(is_through, "each time some turn alone took {WALL:?}");
    let bot = pool.load(&bytes(ENDLESS), &Budgets::DEFAULT).unwrap().unwrap();
    let mut player = bot.player(Wall::Milliseconds(60_000));
    player.start(1_000, 1_000).unwrap();
    assert!(matches!(player.turn(&[0; 1_000], 1_000_000), Err(Failure::Own(_))));
}

/// A module that passes the check and takes seconds to compile: many locals, each alive across many branches, and much
/// straight code beside them.
fn costly() -> Vec<u8> {
    let mut text = BOT.trim_end().strip_suffix(')').unwrap().to_string();
    for _ in 0..8 {
        text += &format!("(func (param i32) (local{})", " i32".repeat(500));
        for branch in 0..2_000 {
            let (from, to) = (1 + branch % 500, 1 + (branch * 7 + 3) % 500);
            text += &format!("(if (local.get 0) (then (local.set {to} (i32.add (local.get {from}) (i32.const 1)))))");
        }
        text += &(1..=500)
            .map(|local| format!("(local.set 0 (i32.add (local.get 0) (local.get {local})))"))
            .collect::<String>();
        text += ")";
    }
    for _ in 0..8 {
        let mixed = "(local.set 0 (i32.add (i32.mul (local.get 0) (local.get 1)) (i32.xor (local.get 1) (local.get 0))))\
                     (local.set 1 (i32.sub (local.get 1) (i32.rotl (local.get 0) (local.get 1))))";
        text += &format!("(func (param i32 i32) {})", mixed.repeat(4_500));
    }
    bytes(&(text + ")"))
}

/// The real worker, spoken to by hand.
fn worker(arguments: &[&str], environment: &[(&str, &str)], requests: &[Request<'_>]) -> (Vec<Response>, ExitStatus) {
    let mut worker = Command::new(env!("CARGO_BIN_EXE_arena"))
        .arg("guests")
        .args(arguments)
        .env_clear()
        .envs(environment.iter().copied())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = Outbox::new(worker.stdin.take().unwrap());
    for request in requests {
        // It may be gone before it has read all.
        let _ = input.send(request);
    }
    drop(input);
    let output = output("a worker", worker);
    let (mut inbox, mut answers) = (Inbox::new(output.stdout.as_slice()), Vec::new());
    while let Some(answer) = inbox.next().unwrap() {
        answers.push(answer);
    }
    (answers, output.status)
}

fn load(module: &[u8], cpu_seconds: u64) -> Request<'_> {
    Request::Load { module, memory_bytes: Budgets::DEFAULT.memory_bytes, is_profiled: false, cpu_seconds }
}

fn is_loaded(answer: &Response) -> bool {
    matches!(answer, Response::Loaded)
}

#[cfg(target_os = "linux")]
#[test]
fn compiling_has_so_much_processor_time_and_no_more() {
    let module = costly();
    let (answers, status) = worker(&[], &[], &[load(&module, 0)]);
    assert!(answers.is_empty(), "{answers:?}");
    const SIGXCPU: i32 = 24;
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(SIGXCPU));
    // Its compiled modules and its games do not count afterwards.
    let (first, last) = (bytes(BOT), bytes(ENDLESS));
    let (answers, status) = worker(&[], &[], &[load(&first, 1), load(&module, 60), load(&last, 3)]);
    assert!(answers.iter().all(is_loaded) && answers.len() == 3, "{status}: {answers:?}");
    assert!(status.success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_worker_has_the_walls_that_the_kernel_shows() {
    let pool = pool();
    let walls = pool.walls().unwrap();
    assert_eq!(walls.holding, WorkerWall::ALL, "{walls}");
    let bot = pool.load(&bytes(BOT), &Budgets::DEFAULT).unwrap().unwrap();
    let mut player = bot.player(Wall::Milliseconds(10_000));
    player.start(1_000, 1_000_000).unwrap();
    let process = player.process_id().unwrap();
    let read = |file: &str| std::fs::read_to_string(format!("/proc/{process}/{file}")).unwrap();
    let status = read("status");
    let field = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).unwrap();
        line.split_whitespace().next().unwrap().to_string()
    };
    assert_ne!(field("Uid"), "0");
    assert_eq!((field("NoNewPrivs"), field("Seccomp"), field("Threads")), ("1".into(), "2".into(), "1".into()));
    assert_eq!((field("CapEff"), field("CapPrm")), ("0".repeat(16), "0".repeat(16)));
    let limits = read("limits");
    for (name, most) in [
        ("Max core file size", 0),
        ("Max file size", 0),
        ("Max processes", 0),
        ("Max open files", 0),
        ("Max locked memory", 0),
        ("Max msgqueue size", 0),
        ("Max data size", WORKER_MEMORY_BYTES_MAX),
        ("Max address space", ADDRESS_SPACE_BYTES_MAX),
    ] {
        let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        let found: Vec<&str> = line.split_whitespace().take(2).collect();
        assert_eq!(found, [most.to_string(), most.to_string()], "{name}");
    }
    let descriptors = std::fs::read_dir(format!("/proc/{process}/fd")).unwrap().count();
    assert_eq!(descriptors, 3);
}

#[test]
fn a_worker_without_a_wall_runs_bots_only_where_that_is_allowed() {
    let secret = [("SECRET", "x")];
    let module = bytes(BOT);
    let requests = [Request::Walls, load(&module, 10)];
    let (answers, _) = worker(&["--walls", "best"], &secret, &requests);
    let [Response::Walls(walls), loaded] = &answers[..] else { panic!("{answers:?}") };
    assert_eq!(walls.missing[0].wall, WorkerWall::Environment);
    assert!(is_loaded(loaded), "{answers:?}");
    let (answers, _) = worker(&["--walls", "required"], &secret, &requests);
    let [_, Response::Unwalled(walls)] = &answers[..] else { panic!("{answers:?}") };
    assert_eq!(walls.missing[0].wall, WorkerWall::Environment);
    let arguments = ["guests", "--walls", "required"].map(OsString::from).to_vec();
    let required = Pool::new(env!("CARGO_BIN_EXE_arena").into(), arguments, 1);
    let loaded = required.load(&bytes(BOT), &Budgets::DEFAULT);
    if required.walls().unwrap().satisfy(WallPolicy::Required) {
        assert!(loaded.unwrap().is_ok());
    } else {
        assert!(matches!(loaded, Err(WorkerError::Unwalled(_))));
    }
}

/// The module whose compilation ends each worker in a way: once beyond a limit, which is the module's fault if the
/// smallest one is compiled well; as often as it is tried, if that may be the machine's.
#[cfg(unix)]
#[test]
fn a_module_that_ends_its_compiler_is_refused_and_one_whose_compiler_was_ended_is_not() {
    for (deed, code, tries) in [
        ("kill -XCPU $$", Some(RefusalCode::CompileBudget), 1),
        ("kill -ABRT $$", Some(RefusalCode::CompileBudget), 1),
        ("kill -SEGV $$", Some(RefusalCode::CompileFailed), COMPILE_TRIES),
        ("exit 101", Some(RefusalCode::CompileFailed), COMPILE_TRIES),
        ("kill -KILL $$", None, COMPILE_TRIES),
        ("echo nonsense; exec sleep 1000000", None, 1),
    ] {
        let place = tempfile::tempdir().unwrap();
        let pool = workers_that(place.path(), &vec![deed; tries as usize], Patience::DEFAULT);
        let loaded = pool.load(&bytes(BOT), &Budgets::DEFAULT).map(Result::err);
        assert_eq!(loaded.ok().flatten().map(|refusal| refusal.code), code, "{deed}");
        let ended = std::fs::read_dir(place.path()).unwrap().count();
        assert_eq!(ended, tries as usize, "{deed}: no further worker was tried, or all were");
    }
}

/// Where every module ends the compiler, none is refused for that.
#[cfg(unix)]
#[test]
fn a_machine_on_which_nothing_compiles_judges_nothing() {
    let tries = COMPILE_TRIES as usize;
    for (deed, tries) in [("kill -XCPU $$", 1), ("kill -ABRT $$", 1), ("kill -SEGV $$", tries), ("exit 101", tries)] {
        let place = tempfile::tempdir().unwrap();
        // The module each time, then the smallest one.
        let pool = workers_that(place.path(), &vec![deed; tries + 1], Patience::DEFAULT);
        let loaded = pool.load(&bytes(BOT), &Budgets::DEFAULT).map(drop);
        assert!(matches!(loaded, Err(WorkerError::Lacking(Lack::Everything(_)))), "{deed}: {loaded:?}");
        assert!(pool.load(&bytes(BOT), &Budgets::DEFAULT).unwrap().is_ok(), "{deed}: as soon as it is well again");
    }
}

/// Limits of the shell that a machine may have: `arena check` says which, and gives no verdict.
#[cfg(target_os = "linux")]
#[test]
fn what_the_machine_lacks_is_said_and_is_no_verdict() {
    let place = tempfile::tempdir().unwrap();
    let bot = place.path().join("bot.wasm");
    std::fs::write(&bot, bytes(BOT)).unwrap();
    for (limit, words) in [
        ("ulimit -v 4194304", " MiB of address space, and 4096 are allowed here (`ulimit -v`)"),
        ("ulimit -d 1000000", "1536 MiB of memory, and 976 are allowed here (`ulimit -d`)"),
        ("ulimit -s 1024", "2048 KiB of stack, and 1024 are allowed here (`ulimit -s`)"),
        ("ulimit -s 128", "2048 KiB of stack, and 128 are allowed here (`ulimit -s`)"),
        ("ulimit -t 30", "60 s of processor time, and 30 are allowed here (`ulimit -t`)"),
        ("ulimit -n 6", "no more files may be open here (`ulimit -n`)"),
    ] {
        for json in ["", "--json"] {
            let script = format!("{limit}; exec \"$0\" check \"$1\" {json}");
            let mut shell = Command::new("/bin/sh");
            let output = shell.args(["-c", &script, env!("CARGO_BIN_EXE_arena")]).arg(&bot).output().unwrap();
            let said = String::from_utf8(output.stderr).unwrap();
            assert_eq!(output.status.code(), Some(2), "{limit}: {said}");
            assert!(
                (said.contains("cannot judge here") || said.contains("cannot run here")) && said.contains(words),
                "{limit}: {said}"
            );
            assert!(!String::from_utf8_lossy(&output.stdout).contains("REFUSED"), "{limit}");
        }
    }
}

#[cfg(unix)]
#[test]
fn what_the_check_refuses_meets_no_worker() {
    let folder = tempfile::tempdir().unwrap();
    let large = [b"\0asm\x01\0\0\0".to_vec(), vec![0; Budgets::DEFAULT.module_bytes as usize]].concat();
    for (module, code) in [(&b"MZ"[..], RefusalCode::NotWasm), (&large, RefusalCode::TooLarge)] {
        let pool = workers_that(folder.path(), &["exit 1"], Patience::DEFAULT);
        assert_eq!(pool.load(module, &Budgets::DEFAULT).unwrap().map(drop).unwrap_err().code, code);
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_worker_plays_one_module_and_as_many_are_kept_as_may_be() {
    let arguments = [OsString::from("guests")].to_vec();
    let pool = Pool::new(env!("CARGO_BIN_EXE_arena").into(), arguments, 2);
    let process = |number: usize| {
        let text = BOT.replace("\"hello\"", &format!("\"bot {number}\""));
        let bot = pool.load(&bytes(&text), &Budgets::DEFAULT).unwrap().unwrap();
        let mut player = bot.player(Wall::Milliseconds(10_000));
        player.start(1_000, 1_000_000).unwrap();
        player.process_id().unwrap()
    };
    let (first, second) = (process(0), process(1));
    assert_ne!(first, second);
    assert_eq!((process(0), process(1)), (first, second));
    // The one that was needed longest ago makes way.
    let third = process(2);
    assert_eq!((process(1), process(2)), (second, third));
    assert_ne!(process(0), first);
}

#[test]
fn seats_of_a_bot_in_a_game_share_a_process_and_nothing_else() {
    let pool = pool();
    let bot = pool.load(&bytes(BOT), &Budgets::DEFAULT).unwrap().unwrap();
    let mut players = vec![bot.player(Wall::Milliseconds(10_000))];
    while let Some(player) = players[0].beside() {
        players.push(player);
    }
    assert_eq!(players.len(), usize::from(SEATS_PER_WORKER_MAX));
    for player in &mut players {
        player.start(1_000, 1_000_000).unwrap();
    }
    assert!(players.iter().all(|player| player.process_id() == players[0].process_id()));
    for (turns, player) in players.iter_mut().enumerate() {
        for _ in 0..turns {
            player.turn(&[0; 1_000], 1_000_000).unwrap();
        }
    }
    for (turns, player) in players.iter_mut().enumerate() {
        assert_eq!(
            (player.left().log.lines(), player.left().log.dropped()),
            (&vec!["hello".to_string(); turns][..], 0)
        );
    }
    let mut another = bot.player(Wall::Milliseconds(10_000));
    another.start(1_000, 1_000_000).unwrap();
    assert_ne!(another.process_id(), players[0].process_id(), "of another game");
}

#[test]
fn a_worker_that_hangs_is_ended() {
    // `sleep` reads nothing and answers nothing, like a worker that hangs: as good as for ever.
    assert_eq!(Patience::DEFAULT.compile, Duration::from_secs(COMPILE_WALL_SECONDS_MAX));
    let compile = Duration::from_millis(200);
    let patience = Patience { compile, ..Patience::DEFAULT };
    let pool = Pool::with_patience("/bin/sleep".into(), vec!["1000000".into()], 1, patience);
    let loaded = pool.load(&bytes(BOT), &Budgets::DEFAULT).map(drop);
    assert!(matches!(loaded, Err(WorkerError::Hung(limit)) if limit == compile), "{loaded:?}");
}

/// The behaviour of a shell as the first, the second, ... worker; later workers work properly.
fn workers_that(place: &Path, each: &[&str], patience: Patience) -> Pool {
    let lines = each.iter().enumerate();
    let lines = lines.map(|(number, line)| format!("mkdir \"$0/{number}\" 2>/dev/null && {{ {line}; }}\n"));
    let script = lines.collect::<String>() + "exec \"$1\" guests";
    let arguments = ["-c".into(), script.into(), place.into(), env!("CARGO_BIN_EXE_arena").into()];
    Pool::with_patience("/bin/sh".into(), arguments.to_vec(), 1, patience)
}

#[test]
fn a_module_whose_workers_wait_for_the_machine_is_tried_again() {
    let patience = Patience { compile: Duration::from_secs(2), ..Patience::DEFAULT };
    let is_tried_again = || {
        let place = tempfile::tempdir().unwrap();
        let pool = workers_that(place.path(), &["exec sleep 1000000"; 2], patience);
        match pool.load(&bytes(BOT), &Budgets::DEFAULT) {
            Ok(loaded) => {
                assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 2);
                loaded.is_ok()
            }
            // A machine that is busy with something else let the third one wait, too.
            Err(error) => {
                assert!(matches!(error, WorkerError::Hung(_)), "{error}");
                false
            }
        }
    };
    assert!((0..TRIES).any(|_| is_tried_again()));
}

/// The first worker gets no more than 3,000 bytes of requests, so that it dies in the middle of a turn; the second then
/// hangs. The others are well: a third that dies could be the third of one game, which would be void.
const FLAKY: &str = r#"
    if mkdir "$0/dies" 2>/dev/null; then dd bs=1 count=3000 2>/dev/null | "$1" guests; exit; fi
    if mkdir "$0/hangs" 2>/dev/null; then dd bs=1 count=3000 2>/dev/null | "$1" guests; exec sleep 60; fi
    exec "$1" guests"#;

#[test]
fn workers_that_die_or_hang_cost_no_game_of_a_tournament() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    std::fs::write(path("builder.wasm"), bytes(BOT)).unwrap();
    std::fs::create_dir(path("workers")).unwrap();
    // Games of a kilobyte or two: so many that both bad workers are used up, however the two threads share them.
    let text = "name = \"t\"\noptions = \"chain_needs_home,weighted_majority\"\nseed = 1\npairs = 100\nwall_ms_per_move = 1000\n[[entrants]]\nname = \"easy\"\n\
        baseline = \"easy\"\n[[entrants]]\nname = \"builder\"\nfile = \"builder.wasm\"\n";
    let definition = Definition::parse(text).unwrap();
    let play = |name: &str, host: Arc<dyn Host>| {
        let (mut folder, _) = Folder::open(&path(name), &definition, place.path(), &host).unwrap();
        let played = folder.run(2, |_| {}).unwrap();
        let records: Vec<String> = folder.records().map(|record| record.unwrap().1.to_text()).collect();
        (played.platform_faults, played.games, played.standings, records)
    };
    let (faults, games, standings, records) = play("well", Arc::new(InProcess::new(Sandbox::new().unwrap())));
    assert_eq!((faults, games), (0, 200));
    let arguments = ["-c".into(), FLAKY.into(), path("workers").into(), env!("CARGO_BIN_EXE_arena").into()];
    let flaky = Pool::new("/bin/sh".into(), arguments.to_vec(), 2);
    let (faults, games, again, others) = play("flaky", Arc::new(Workers::new(flaky)));
    assert!(path("workers/hangs").exists());
    // And those that a busy machine kept longer than the wall.
    assert!(faults >= 2, "{faults} games were played again");
    assert_eq!((games, again, others), (200, standings, records));
}
