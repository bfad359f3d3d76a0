//! A bot in a worker as a player.

use std::sync::Arc;
use std::time::Duration;

use arena_record::EntrantId;
use arena_referee::{Failure, Fault, PlatformFault, Player, Reply, Started};
use arena_sandbox::{FRAMES_MAX, Frame, MemoryRefused, Wall};

use crate::failure::{Ending, WorkerError};
use crate::limits::UNWALLED_NANOS_PER_FUEL;
use crate::module::Module;
use crate::pipe::{Request, Response, cut};
use crate::pool::{Lease, Pool};

/// A bot that plays in workers of a pool. Cheap to clone.
#[derive(Clone)]
pub struct RemoteBot {
    pool: Pool,
    module: Module,
    exports: Arc<[String]>,
}

impl RemoteBot {
    pub(crate) fn new(pool: Pool, module: Module, exports: Vec<String>) -> RemoteBot {
        RemoteBot { pool, module, exports: exports.into() }
    }

    /// The names of its exports. Hostile text: escape it wherever it is shown.
    pub fn exports(&self) -> &[String] {
        &self.exports
    }

    /// The hash of its bytes.
    pub fn id(&self) -> &EntrantId {
        &self.module.id
    }

    /// A player for one game.
    pub fn player(&self, wall: Wall) -> RemotePlayer {
        RemotePlayer { bot: self.clone(), wall, lease: None, memory_bytes: 0, lost_worker: false }
    }
}

/// A bot playing one game in a worker, which it has for itself from its start to its end.
pub struct RemotePlayer {
    bot: RemoteBot,
    wall: Wall,
    lease: Option<Lease>,
    memory_bytes: usize,
    lost_worker: bool,
}

impl RemotePlayer {
    /// The process it plays in, once started.
    pub fn process_id(&self) -> Option<u32> {
        self.lease.as_ref().and_then(Lease::process_id)
    }

    /// Whether this game cost its worker: it died, hung or spoke nonsense, also while it loaded the bot.
    pub fn lost_worker(&self) -> bool {
        self.lost_worker
    }

    /// Memory of the guest after its last answer, in bytes.
    pub fn memory_bytes(&self) -> usize {
        self.memory_bytes
    }

    /// What the bot logged so far, and how many more lines there were. Hostile text: escape it wherever it is shown.
    pub fn log(&mut self) -> (Vec<String>, u64) {
        match self.ask(&Request::Log) {
            Ok(Response::Logged { lines, dropped }) => (lines, dropped),
            _ => (Vec::new(), 0),
        }
    }

    /// The functions that were running when the bot failed, the innermost first. Their names are hostile text.
    pub fn frames(&mut self) -> Vec<Frame> {
        match self.ask(&Request::Frames) {
            Ok(Response::Framed { frames }) => {
                let frames = frames.into_iter().take(FRAMES_MAX);
                frames.map(|(function, name)| Frame { function, name }).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The last memory that was refused to the bot in the call in which it failed.
    pub fn memory_refused(&mut self) -> Option<MemoryRefused> {
        match self.ask(&Request::MemoryRefused) {
            Ok(Response::MemoryRefused { bytes }) => bytes.map(|(had, wanted)| MemoryRefused { had, wanted }),
            _ => None,
        }
    }

    fn ask(&mut self, request: &Request<'_>) -> Result<Response, WorkerError> {
        let patience = self.bot.pool.patience();
        let limit = match self.wall {
            Wall::Milliseconds(ms) => Duration::from_millis(ms) + patience.grace,
            Wall::None => {
                let fuel = match request {
                    Request::Start { fuel, .. } | Request::Turn { fuel, .. } => *fuel,
                    _ => 0,
                };
                patience.unwalled + Duration::from_nanos(fuel.saturating_mul(UNWALLED_NANOS_PER_FUEL))
            }
        };
        self.lease.as_mut().ok_or(WorkerError::Died(Ending::Unknown))?.ask(request, limit)
    }

    /// A worker that did not answer: never the bot's failure.
    fn platform(&mut self, error: WorkerError) -> Failure {
        self.lost_worker |= error.is_death();
        Failure::Platform(PlatformFault(error.to_string()))
    }

    /// An answer that is a failure, or is no answer to what was asked.
    fn failed(&mut self, response: Response) -> Failure {
        match response {
            Response::Forfeited { code, detail } => Failure::Own(Fault { code, detail }),
            Response::Failed { why } => {
                // What is wrong with it may be wrong for the next game, too.
                if let Some(mut lease) = self.lease.take() {
                    lease.end();
                }
                Failure::Platform(PlatformFault(cut(why)))
            }
            _ => {
                let error = self.lease.as_mut().map_or(WorkerError::Nonsense, Lease::nonsense);
                self.platform(error)
            }
        }
    }
}

impl Player for RemotePlayer {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        let mut lease = self.bot.pool.lease(Some(&self.bot.module)).map_err(|error| self.platform(error))?;
        if let Err(refusal) = lease.ensure(&self.bot.module).map_err(|error| self.platform(error))? {
            return Err(Failure::Platform(PlatformFault(format!("a checked bot was refused: {refusal}"))));
        }
        self.lease = Some(lease);
        let wall_ms = match self.wall {
            Wall::Milliseconds(ms) => Some(ms),
            Wall::None => None,
        };
        match self
            .ask(&Request::Start {
                bot: self.bot.module.id.clone(),
                wall_ms,
                observation_len: observation_len as u64,
                fuel,
            })
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
        match self.ask(&Request::Turn { observation, fuel }).map_err(|error| self.platform(error))? {
            Response::Replied { action, fuel, memory_bytes } => {
                self.memory_bytes = memory_bytes as usize;
                Ok(Reply { action, fuel })
            }
            other => Err(self.failed(other)),
        }
    }
}
