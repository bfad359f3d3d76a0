//! Uploads by the ten thousand, made up, mutated or broken: whatever the bytes are, the answer is a bot or a refusal,
//! and a bot's game ends in an answer or a fault. `cargo xtask fuzz` continues with the same for as long as one likes,
//! and says what happens to the memory of a process that answers them.
#![expect(clippy::print_stdout, reason = "what a command of xtask reports")]

mod families;
mod memory;
pub(crate) mod smith;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use arena_record::Budgets;
use arena_referee::{Failure, Player};
use arena_sandbox::{Sandbox, SandboxPlayer, check};

use crate::number_of;

use families::{Families, Family, Upload};
use memory::Memory;

use crate::guests;

/// Uploads in CI; `cargo xtask fuzz` makes more.
const UPLOADS: u64 = 1_000;
/// Threads that answer them.
const THREADS: usize = 2;
/// Fuel for the start and for each turn: enough to do something, and soon used up by what is endless.
const FUEL: u64 = 100_000;
/// Length of an observation of the fixtures: that of Conquerors.
const OBSERVATION_LEN: usize = 776;
/// How many uploads are answered before all threads wait and the memory is read.
const READ_EVERY: u64 = 500;
/// How many uploads are answered before a reading is shown.
const SAY_EVERY: u64 = 25_000;
/// How many blocks of memory all uploads of the second half may leave behind: none. At rest there are about 700; the
/// compiler's buffers make that ten more or fewer, at either end. So CI notices what one upload in thirty leaves
/// behind.
const BLOCKS_MAX: f64 = 60.0;
/// How many bytes an upload may cost a process that goes on: 10 MiB for 100,000. Of the heap and of what is resident:
/// only the latter has what is mapped, which is code, stacks and bots' memories.
const BYTES_SLOPE_MAX: f64 = 105.0;
/// Below so many uploads bytes say nothing: the compiler keeps buffers as large as the largest function so far asked
/// for, and the allocator's pools fill.
const BYTES_FROM: u64 = 500_000;

/// What became of uploads: how many, by family and answer.
type Counts = BTreeMap<(Family, &'static str), u64>;

/// Answers an upload as a worker does: check, compile, start, and two turns of a game.
///
/// # Panics
/// When the machine is at fault, or what passes the check does not compile.
fn answer(sandbox: &Sandbox, upload: &Upload) -> &'static str {
    if let Err(refusal) = check(&upload.bytes, &Budgets::DEFAULT) {
        return refusal.code.as_str();
    }
    if !upload.play {
        return "passed";
    }
    let bot = match sandbox.load(&upload.bytes, &Budgets::DEFAULT) {
        Ok(bot) => bot,
        Err(refusal) => panic!("it passes the check and is refused: {}, {refusal}", refusal.code),
    };
    let mut player = SandboxPlayer::new(&bot);
    let observation = [1; OBSERVATION_LEN];
    let mut game = || {
        player.start(OBSERVATION_LEN, FUEL)?;
        player.turn(&observation, FUEL)?;
        player.turn(&observation, FUEL)
    };
    match game() {
        Ok(_) => "answered",
        Err(Failure::Own(fault)) => fault.code.as_str(),
        Err(Failure::Platform(fault)) => panic!("{fault}"),
    }
}

/// Answers uploads `0..uploads` of a seed, each a function of its number alone; reads the memory now and then.
fn answer_all(sandbox: &Sandbox, bots: &Path, seed: u64, uploads: u64) -> (Counts, Memory) {
    let families = Families::new(seed, bots);
    let (mut counts, mut memory) = (Counts::new(), Memory::default());
    for first in (0..uploads).step_by(READ_EVERY as usize) {
        let end = uploads.min(first + READ_EVERY);
        let next = AtomicU64::new(first);
        let work = || answer_from(sandbox, &families, seed, &next, end);
        thread::scope(|scope| {
            let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(work)).collect();
            // Joined one by one: that waits for what a thread frees at its end.
            for thread in threads {
                let own = thread.join().unwrap_or_else(|panic| resume_unwind(panic));
                own.into_iter().for_each(|(key, count)| *counts.entry(key).or_default() += count);
            }
        });
        let reading = memory.read(end);
        if end / SAY_EVERY > first / SAY_EVERY {
            println!("{reading}");
        }
    }
    (counts, memory)
}

/// Answers uploads as long as the next one's number is below `end`.
fn answer_from(sandbox: &Sandbox, families: &Families, seed: u64, next: &AtomicU64, end: u64) -> Counts {
    let mut counts = Counts::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= end {
            return counts;
        }
        if let Some(upload) = families.upload(number) {
            let answered = catch_unwind(AssertUnwindSafe(|| answer(sandbox, &upload)));
            let Ok(answer) = answered else { panic!("upload {number} of seed {seed}, of {:?}", upload.family) };
            *counts.entry((upload.family, answer)).or_default() += 1;
        }
    }
}

#[test]
fn uploads_are_bots_or_refused() {
    let Some(bots) = guests::folder() else { return };
    let (uploads, seed) = (number_of("ARENA_UPLOADS", UPLOADS), number_of("ARENA_UPLOAD_SEED", 1));
    println!("{uploads} uploads of seed {seed}");
    let (counts, memory) = answer_all(&Sandbox::new().expect("this machine runs bots"), &bots, seed, uploads);
    for ((family, answer), count) in &counts {
        println!("{family:?}: {count} {answer}");
    }
    for family in Family::ALL {
        let of = |answer: &str| counts.get(&(family, answer)).copied().unwrap_or(0);
        let all: u64 = counts.iter().filter(|((other, _), _)| *other == family).map(|(_, count)| count).sum();
        let played = of("answered") + of("trap") + of("fuel_exhausted") + of("bad_pointer") + of("bad_output");
        // No generator makes only what dies at the door, or only what passes it.
        assert!(all >= uploads / 20, "{family:?}: {all} uploads");
        assert!(of("answered") > 0, "{family:?}: nobody answered");
        assert!(of("trap") + of("fuel_exhausted") + of("bad_pointer") > 0, "{family:?}: nobody failed");
        assert!(all - played - of("passed") >= all / 100, "{family:?}: nearly nobody was refused");
    }
    let blocks = memory.slope(|reading| reading.blocks);
    let heap = memory.slope(|reading| reading.heap_bytes);
    let resident = memory.slope(|reading| reading.resident_bytes);
    println!(
        "an upload of the second half adds: {blocks:.6} blocks, {heap:.2} bytes of heap, {resident:.1} bytes resident"
    );
    let left = blocks * (uploads / 2) as f64;
    assert!(left < BLOCKS_MAX, "uploads leave {left} blocks behind");
    if uploads >= BYTES_FROM {
        assert!(heap < BYTES_SLOPE_MAX, "an upload costs {heap} bytes of heap for ever");
        assert!(resident < BYTES_SLOPE_MAX, "an upload costs {resident} bytes of resident memory for ever");
    }
}

#[test]
fn an_upload_is_a_function_of_its_number() {
    let Some(bots) = guests::folder() else { return };
    let (first, again) = (Families::new(3, &bots), Families::new(3, &bots));
    for number in (0..400).rev() {
        let bytes = |families: &Families| families.upload(number).map(|upload| upload.bytes);
        assert_eq!(bytes(&first), bytes(&again), "upload {number}");
    }
}
