//! A bot in a worker, as a player.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arena_record::EntrantId;
use arena_referee::{Failure, Fault, PlatformFault, Player, Reply, Started};
use arena_sandbox::{Checks, FRAMES_MAX, Left, Refusal};

use crate::failure::{Ending, WorkerError};
use crate::limits::{SEATS_PER_WORKER_MAX, UNWALLED_NANOS_PER_FUEL};
use crate::module::Module;
use crate::pipe::{Request, Response, cut};
use crate::pool::{Lease, Pool};

/// How long a call into a bot may take before it counts as a platform fault: the asker ends the worker, about 50 ms
/// later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wall {
    /// At most this many milliseconds.
    Milliseconds(u64),
    /// As long as the fuel lasts.
    None,
}

/// A bot that plays in workers of a pool. Cheap to clone.
#[derive(Clone)]
pub struct RemoteBot {
    pool: Pool,
    module: Module,
}

impl RemoteBot {
    pub(crate) fn new(pool: Pool, module: Module) -> RemoteBot {
        RemoteBot { pool, module }
    }

    /// The hash of its bytes.
    pub fn id(&self) -> &EntrantId {
        &self.module.loaded.id
    }

    /// Whether an idle worker has compiled it. If none has, the next player to start compiles it again.
    pub fn is_compiled(&self) -> bool {
        self.pool.has_compiled(&self.module)
    }

    /// The same bot for a profile: a call ends in the function that used its fuel up.
    pub fn profiled(&self) -> RemoteBot {
        let mut profiled = self.clone();
        profiled.module.loaded.checks = Checks::Everywhere;
        profiled
    }

    /// A player for one game.
    pub fn player(&self, wall: Wall) -> RemotePlayer {
        RemotePlayer::at(Arc::new(Mutex::new(Table { lease: None, seats: 1, started: 0 })), self, wall)
    }
}

/// A worker in a game, from the bot's first start to the end of its last player.
struct Table {
    lease: Option<Lease>,
    /// Players of the bot in this game.
    seats: u8,
    /// How many of them were asked to start.
    started: u8,
}

/// A bot playing one game in a worker, which only the bot's other seats in this game share.
pub struct RemotePlayer {
    bot: RemoteBot,
    wall: Wall,
    table: Arc<Mutex<Table>>,
    /// The bot's seat in the worker, once asked to start.
    seat: u8,
    memory_bytes: usize,
    lost_worker: bool,
    /// Fuel that its turns lack.
    withheld: u64,
}

impl RemotePlayer {
    fn at(table: Arc<Mutex<Table>>, bot: &RemoteBot, wall: Wall) -> RemotePlayer {
        RemotePlayer { bot: bot.clone(), wall, table, seat: 0, memory_bytes: 0, lost_worker: false, withheld: 0 }
    }

    /// The same bot in another seat of the same game and in the same process; `None` if that process has [as many as it
    /// may](SEATS_PER_WORKER_MAX).
    pub fn beside(&self) -> Option<RemotePlayer> {
        let mut table = self.table();
        if table.seats >= SEATS_PER_WORKER_MAX {
            return None;
        }
        table.seats += 1;
        Some(RemotePlayer::at(self.table.clone(), &self.bot, self.wall))
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Withholds so much fuel from all turns to come, as
    /// [`SandboxPlayer::withhold`](arena_sandbox::SandboxPlayer::withhold).
    pub fn withhold(&mut self, fuel: u64) {
        self.withheld = fuel;
    }

    /// The id of the process that it plays in, once started.
    pub fn process_id(&self) -> Option<u32> {
        self.table().lease.as_ref().and_then(Lease::process_id)
    }

    /// Whether this game cost its worker: it died, hung, sent nonsense, or its engine failed, even while loading the
    /// bot.
    pub fn lost_worker(&self) -> bool {
        self.lost_worker
    }

    /// Memory of the guest after its last answer, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.memory_bytes
    }

    /// What the bot has left behind so far; until it failed, if it did. Hostile text: escape it wherever it is shown.
    pub fn left(&mut self) -> Left {
        let Ok(Response::Left(mut left)) = self.ask(&Request::Left(self.seat)) else { return Left::default() };
        left.frames.truncate(FRAMES_MAX);
        left
    }

    fn ask(&self, request: &Request<'_>) -> Result<Response, WorkerError> {
        let patience = self.bot.pool.patience();
        let fuel = match request {
            Request::Start { fuel, .. } | Request::Turn { fuel, .. } => Some(*fuel),
            _ => None,
        };
        let limit = match (self.wall, fuel) {
            (Wall::Milliseconds(ms), Some(_)) => Duration::from_millis(ms).saturating_mul(patience.slowness),
            (Wall::Milliseconds(_), None) => patience.answer,
            (Wall::None, fuel) => {
                let fuel = fuel.unwrap_or_default();
                let nanos = fuel.saturating_mul(UNWALLED_NANOS_PER_FUEL).saturating_mul(patience.slowness.into());
                patience.unwalled + Duration::from_nanos(nanos)
            }
        };
        self.table().lease.as_mut().ok_or(WorkerError::Died(Ending::Unknown))?.ask(request, limit)
    }

    /// Takes the next seat, in a worker that has the bot's module.
    fn sit(&self) -> Result<Result<u8, Refusal>, WorkerError> {
        let mut table = self.table();
        if table.lease.is_none() {
            let mut lease = match self.bot.pool.lease(&self.bot.module)? {
                Ok(lease) => lease,
                Err(refusal) => return Ok(Err(refusal)),
            };
            lease.come_along();
            table.lease = Some(lease);
        }
        let seat = table.started;
        table.started += 1;
        Ok(Ok(seat))
    }

    /// The failure of a worker that did not answer: a platform fault, never the bot's.
    fn platform(&mut self, error: WorkerError) -> Failure {
        self.lost_worker |= error.is_death();
        Failure::Platform(PlatformFault(error.to_string()))
    }

    /// The failure in an answer, or that of a wrong kind of answer.
    fn failed(&mut self, response: Response) -> Failure {
        match response {
            Response::Forfeited { code, detail } => Failure::Own(Fault { code, detail }),
            Response::Failed { why } => {
                // Whatever is wrong with the worker may also harm the next game.
                self.lost_worker = true;
                if let Some(lease) = &mut self.table().lease {
                    lease.end();
                }
                Failure::Platform(PlatformFault(cut(why)))
            }
            _ => {
                let error = self.table().lease.as_mut().map_or(WorkerError::Nonsense, Lease::nonsense);
                self.platform(error)
            }
        }
    }
}

impl Player for RemotePlayer {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        let seat = self.sit().map_err(|error| self.platform(error))?;
        self.seat =
            seat.map_err(|refusal| Failure::Platform(PlatformFault(format!("a checked bot was refused: {refusal}"))))?;
        match self
            .ask(&Request::Start { seat: self.seat, observation_len: observation_len as u64, fuel })
            .map_err(|error| self.platform(error))?
        {
            Response::Started { fuel, memory_bytes } => {
                self.memory_bytes = memory_bytes as usize;
                Ok(Started { fuel })
            }
            other => Err(self.failed(other)),
        }
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let request = Request::Turn { seat: self.seat, observation, fuel, withheld: self.withheld };
        match self.ask(&request).map_err(|error| self.platform(error))? {
            Response::Replied { action, fuel, memory_bytes } => {
                self.memory_bytes = memory_bytes as usize;
                Ok(Reply { action, fuel })
            }
            other => Err(self.failed(other)),
        }
    }
}
