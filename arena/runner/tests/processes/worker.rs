//! The worker process of the tests. It dies in some moves, as a broken engine or a machine without memory would.
//!
//! Its arguments: a folder; a seed; of a thousand moves, how many are deadly; how often the moves of a seat in a game may
//! kill (0: always); how many deaths there are at most (0: any number); and, if only one bot's moves are deadly, its id.
//! Which moves are deadly, and how they kill, follows from the seed and what the bot is shown. Deaths are files in the folder,
//! so that the next process knows of them.

use std::fs::{self, File};
use std::io::{self, PipeWriter};
use std::path::PathBuf;
use std::{env, process, ptr, thread};

use arena_sandbox::Sandbox;
use arena_worker::pipe::{Inbox, Outbox, Request};
use arena_worker::walls::{self, WorkerWall};
use sha2::{Digest, Sha256};

/// Where the seat's seed is in an observation.
const SEAT_SEED: std::ops::Range<usize> = 16..48;

struct Plan {
    folder: PathBuf,
    seed: String,
    per_mille: u16,
    times_per_seat: usize,
    deaths_max: usize,
    bot: Option<String>,
}

impl Plan {
    fn of_arguments() -> Option<Plan> {
        let mut arguments = env::args().skip(1);
        Some(Plan {
            folder: arguments.next()?.into(),
            seed: arguments.next()?,
            per_mille: arguments.next()?.parse().ok()?,
            times_per_seat: arguments.next()?.parse().ok()?,
            deaths_max: arguments.next()?.parse().ok()?,
            bot: arguments.next(),
        })
    }

    /// Dies if a turn with this observation is deadly and may still kill.
    fn meet(&self, observation: &[u8]) {
        let Some(seat_seed) = observation.get(SEAT_SEED) else { return };
        let hash = Sha256::new().chain_update(&self.seed).chain_update(observation).finalize();
        let seat_seed: String = seat_seed.iter().map(|byte| format!("{byte:02x}")).collect();
        if u16::from_le_bytes([hash[0], hash[1]]) % 1_000 >= self.per_mille {
            return;
        }
        let deaths = fs::read_dir(&self.folder).map_or(usize::MAX, Iterator::count);
        if self.deaths_max > 0 && deaths >= self.deaths_max {
            return;
        }
        let times = if self.times_per_seat == 0 { usize::MAX } else { self.times_per_seat };
        // The process that makes the file is the one that dies.
        if (0..times).any(|time| File::create_new(self.folder.join(format!("{seat_seed}-{time}"))).is_ok()) {
            die(hash[2]);
        }
    }
}

fn die(how: u8) {
    match how % 4 {
        0 => segmentation_fault(),
        1 => process::abort(),
        2 => out_of_memory(),
        _ => loop {
            thread::park();
        },
    }
}

#[expect(unsafe_code, reason = "to die of it")]
fn segmentation_fault() {
    // SAFETY: none. Nothing is mapped there, and reading it ends the process.
    unsafe { ptr::without_provenance::<u8>(8).read_volatile() };
}

/// Ends the process when its address space is full.
fn out_of_memory() {
    let mut all = Vec::new();
    loop {
        all.push(vec![1_u8; 64 << 20]);
    }
}

/// Passes requests on, but for those that kill.
fn pass_on(plan: &Plan, to: PipeWriter) -> io::Result<()> {
    let (mut inbox, mut outbox) = (Inbox::new(io::stdin().lock()), Outbox::new(to));
    let mut is_deadly = false;
    while let Some(request) = inbox.next::<Request>()? {
        match &request {
            Request::Start { bot, .. } => {
                is_deadly = plan.bot.as_ref().is_none_or(|deadly| deadly == bot.as_str());
            }
            Request::Turn { observation, .. } if is_deadly => plan.meet(observation),
            _ => {}
        }
        outbox.send(&request)?;
    }
    Ok(())
}

fn main() -> io::Result<()> {
    // For the address space: the other walls would keep it from its folder.
    walls::raise(&[WorkerWall::Limits]);
    let plan = Plan::of_arguments().ok_or_else(|| io::Error::other("arguments are missing"))?;
    let sandbox = Sandbox::new().map_err(io::Error::other)?;
    let (requests, to) = io::pipe()?;
    let passing = thread::spawn(move || pass_on(&plan, to));
    arena_worker::serve(&sandbox, requests, io::stdout())?;
    passing.join().unwrap_or_else(|_| Err(io::Error::other("the requests were lost")))
}
