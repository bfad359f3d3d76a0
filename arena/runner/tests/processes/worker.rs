//! The worker process of the tests. It dies in some moves, as a broken engine or a machine without memory would.
//!
//! Its arguments: a folder; a seed; of a thousand moves, how many are deadly; how often the moves of a seat in a game
//! may kill (0: always); how many deaths there are at most (0: any number); and, if only one bot's moves are deadly,
//! its id. Which moves are deadly, and how they kill, follows from the seed and what the bot is shown. Deaths are files
//! in the folder, so that the next process knows of them. It has no walls: they would keep it from the folder.

use std::fs::{self, File};
use std::hint::black_box;
use std::io::{self, Read, StdinLock};
use std::path::PathBuf;
use std::{env, process, ptr, thread};

use arena_record::EntrantId;
use arena_sandbox::Sandbox;
use arena_worker::limits::SEATS_PER_WORKER_MAX;
use arena_worker::pipe::{Inbox, Outbox, Request};
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

/// Asks for more memory than any machine has, which aborts.
fn out_of_memory() {
    black_box(Vec::<u8>::with_capacity(isize::MAX as usize));
}

/// Requests as they come, but for those that kill.
struct Requests {
    plan: Plan,
    inbox: Inbox<StdinLock<'static>>,
    is_deadly: bool,
    frame: Vec<u8>,
    at: usize,
}

impl Requests {
    fn new(plan: Plan) -> Requests {
        Requests { plan, inbox: Inbox::new(io::stdin().lock()), is_deadly: false, frame: Vec::new(), at: 0 }
    }

    /// The frame of the next request; empty at the end.
    fn next(&mut self) -> io::Result<()> {
        self.frame.clear();
        self.at = 0;
        let Some(request) = self.inbox.next::<Request>()? else { return Ok(()) };
        match &request {
            Request::Load { module, .. } => {
                let bot = EntrantId::of_bytes(module);
                self.is_deadly = self.plan.bot.as_ref().is_none_or(|deadly| deadly == bot.as_str());
            }
            Request::Turn { observation, .. } if self.is_deadly => self.plan.meet(observation),
            _ => {}
        }
        Outbox::new(&mut self.frame).send(&request)
    }
}

impl Read for Requests {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.at == self.frame.len() {
            self.next()?;
        }
        let count = into.len().min(self.frame.len() - self.at);
        into[..count].copy_from_slice(&self.frame[self.at..self.at + count]);
        self.at += count;
        Ok(count)
    }
}

fn main() -> io::Result<()> {
    let plan = Plan::of_arguments().ok_or_else(|| io::Error::other("arguments are missing"))?;
    let sandbox = Sandbox::reusing(SEATS_PER_WORKER_MAX.into()).map_err(io::Error::other)?;
    arena_worker::serve(&sandbox, Requests::new(plan), io::stdout())
}
