//! A bot in a worker as a player.

use std::sync::Arc;
use std::time::Duration;

use arena_record::{Budgets, Bytes, EntrantId};
use arena_referee::{Failure, Fault, PlatformFault, Player, Reply, Started};
use arena_sandbox::Wall;

use crate::message::{Request, Response};
use crate::pool::{Lease, Pool, WorkerError};

/// How much longer than the wall budget an answer may take before the worker counts as hung: it measures the wall itself.
const GRACE: Duration = Duration::from_secs(5);
/// How long an answer without a wall budget may take. Fuel ends it long before, unless the machine is broken.
const UNWALLED_LIMIT: Duration = Duration::from_secs(600);

/// A bot that plays in workers of a pool. Cheap to clone.
#[derive(Clone)]
pub struct RemoteBot {
    pool: Pool,
    id: EntrantId,
    bytes: Arc<[u8]>,
    budgets: Budgets,
    exports: Arc<[String]>,
}

impl RemoteBot {
    pub(crate) fn new(pool: Pool, bytes: &[u8], budgets: Budgets) -> RemoteBot {
        RemoteBot { pool, id: EntrantId::of_bytes(bytes), bytes: bytes.into(), budgets, exports: Arc::default() }
    }

    pub(crate) fn with_exports(self, exports: Vec<String>) -> RemoteBot {
        RemoteBot { exports: exports.into(), ..self }
    }

    /// The names of its exports. Hostile text: escape it wherever it is shown.
    pub fn exports(&self) -> &[String] {
        &self.exports
    }

    /// The hash of its bytes.
    pub fn id(&self) -> &EntrantId {
        &self.id
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub(crate) fn budgets(&self) -> &Budgets {
        &self.budgets
    }

    /// A player for one game.
    pub fn player(&self, wall: Wall) -> RemotePlayer {
        RemotePlayer { bot: self.clone(), wall, lease: None, memory_bytes: 0 }
    }
}

/// A bot playing one game in a worker, which it has for itself from its start to its end.
pub struct RemotePlayer {
    bot: RemoteBot,
    wall: Wall,
    lease: Option<Lease>,
    memory_bytes: usize,
}

impl RemotePlayer {
    /// The process it plays in, once started.
    pub fn process_id(&self) -> Option<u32> {
        self.lease.as_ref().and_then(Lease::process_id)
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

    fn ask(&mut self, request: &Request) -> Result<Response, WorkerError> {
        let limit = match self.wall {
            Wall::Milliseconds(ms) => Duration::from_millis(ms) + GRACE,
            Wall::None => UNWALLED_LIMIT,
        };
        self.lease.as_mut().ok_or(WorkerError::Died)?.ask(request, limit)
    }

    /// An answer that is a failure, or is no answer to what was asked.
    fn failed(&mut self, response: Response) -> Failure {
        match response {
            Response::Forfeited { code, detail } => Failure::Own(Fault { code, detail }),
            Response::Failed { why } => Failure::Platform(PlatformFault(why)),
            _ => platform(self.lease.as_mut().map_or(WorkerError::Died, Lease::nonsense)),
        }
    }
}

fn platform(error: WorkerError) -> Failure {
    Failure::Platform(PlatformFault(error.to_string()))
}

impl Player for RemotePlayer {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        let mut lease = self.bot.pool.lease().map_err(platform)?;
        if let Err(refusal) = lease.ensure(&self.bot).map_err(platform)? {
            return Err(Failure::Platform(PlatformFault(format!("a checked bot was refused: {refusal}"))));
        }
        self.lease = Some(lease);
        let wall_ms = match self.wall {
            Wall::Milliseconds(ms) => Some(ms),
            Wall::None => None,
        };
        match self
            .ask(&Request::Start { bot: self.bot.id.clone(), wall_ms, observation_len, fuel })
            .map_err(platform)?
        {
            Response::Started { fuel, memory_bytes } => {
                self.memory_bytes = memory_bytes;
                Ok(Started { fuel })
            }
            other => Err(self.failed(other)),
        }
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        match self.ask(&Request::Turn { observation: Bytes(observation.to_vec()), fuel }).map_err(platform)? {
            Response::Replied { action, fuel, memory_bytes } => {
                self.memory_bytes = memory_bytes;
                Ok(Reply { action: action.0, fuel })
            }
            other => Err(self.failed(other)),
        }
    }
}
