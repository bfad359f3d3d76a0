//! Where bots run.

use arena_record::Budgets;
use arena_sandbox::{Refusal, Sandbox};
use arena_worker::{Pool, WorkerError};

use crate::Contender;

/// Where bots run: in this process, as on an author's own machine, or in worker processes, as with strangers' bots.
#[derive(Clone)]
pub enum Host {
    /// In this process.
    Here(Sandbox),
    /// In processes of their own.
    Workers(Pool),
}

/// Why a bot cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The bytes are not a bot.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A worker failed.
    #[error("the bot could not be checked")]
    Worker(#[from] WorkerError),
}

impl Host {
    /// Checks and compiles a bot.
    ///
    /// # Errors
    /// Why the bytes are not a bot, or that a worker failed.
    pub fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Contender, LoadError> {
        match self {
            Host::Here(sandbox) => Ok(Contender::Bot(sandbox.load(bytes, budgets)?)),
            Host::Workers(pool) => Ok(Contender::Remote(pool.load(bytes, budgets)??)),
        }
    }
}
