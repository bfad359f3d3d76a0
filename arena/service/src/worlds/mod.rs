//! The worlds of a site. Each runs while a server is up, and stands still otherwise. Not here: what may happen in a
//! world (`arena_world`) and who asks (`arena_server`).

mod bots;
mod live;
mod messages;
mod queries;
#[cfg(test)]
mod tests;
mod ticker;

use std::collections::BTreeMap;
use std::sync::Arc;

use arena_rules::life2::{Rates, Side, World};
use arena_store::{Act, StoreError, WorldError, WorldName};
use arena_world::Machine;
use parking_lot::Mutex;
use tracing::{info, warn};

pub use bots::{UnseatableError, site_account, site_place};
pub use live::{CallError, LiveWorld, WorldSnapshot};
pub use queries::{BaseInfo, SlotInfo, TerritoryInfo, Wipe};

use crate::core::{Core, unavailable, with_causes};
use crate::servers::Pending;

/// The build named in snapshots.
const BUILD: &str = concat!("arena ", env!("CARGO_PKG_VERSION"));

/// Why a world does not run.
#[derive(Debug, thiserror::Error)]
pub enum OpenWorldError {
    /// There are as many as allowed.
    #[error("a site has at most {0} worlds")]
    TooMany(u32),
    /// Its log is not a valid log of a world.
    #[error("the log of the world {world} cannot be read: {why}")]
    Damaged {
        /// Which world.
        world: WorldName,
        /// What is wrong with it.
        why: String,
    },
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The operator's act that starts a world, which is empty at first.
pub fn start_of(world: WorldName) -> Act {
    Act::StartWorld { world, snapshot: empty() }
}

/// The snapshot that a world begins with.
fn empty() -> String {
    Machine::new(World::new(Side::WORLD, Rates::FOUNDING)).opened(BUILD).to_line()
}

/// The running worlds.
pub struct Worlds {
    core: Arc<Core>,
    live: Mutex<BTreeMap<WorldName, Arc<LiveWorld>>>,
    /// Calls that wait for another server.
    waiting: Arc<Pending<Result<u64, CallError>>>,
    /// Held while a world is started, so that concurrent callers get the same one.
    starting: tokio::sync::Mutex<()>,
}

impl Worlds {
    /// Resumes every world of the store from the end of its log. A world that cannot be read stands still.
    pub(crate) async fn resume(core: Arc<Core>) -> Worlds {
        let worlds =
            Worlds { core, live: Mutex::default(), waiting: Arc::default(), starting: tokio::sync::Mutex::default() };
        match worlds.core.store.worlds().await {
            Ok(names) => {
                for name in names {
                    if let Err(error) = worlds.start(&name).await {
                        warn!(world = name.as_str(), cause = with_causes(&error), "a world cannot be resumed");
                    }
                }
            }
            Err(error) => warn!(cause = with_causes(&error), "no world is resumed: the store cannot be read"),
        }
        worlds
    }

    /// Starts a world, unless it is running already. A new one is empty; any other continues where its log ends. From
    /// now on it runs whenever the service does.
    ///
    /// # Errors
    /// When there are as many as allowed, or its log cannot be read.
    pub async fn start(&self, name: &WorldName) -> Result<Arc<LiveWorld>, OpenWorldError> {
        let _starting = self.starting.lock().await;
        if let Some(world) = self.world(name) {
            return Ok(world);
        }
        let store = &self.core.store;
        let span = match store.world_span(name, u64::MAX).await? {
            Some(span) => span,
            None => {
                let empty = empty();
                match store.begin_span(name, 0, &empty).await {
                    Ok(_) => {}
                    Err(WorldError::TooManyWorlds(max)) => return Err(OpenWorldError::TooMany(max)),
                    Err(WorldError::Store(error)) => return Err(error.into()),
                    Err(error) => return Err(unavailable(error).into()),
                }
                info!(world = name.as_str(), "a world begins");
                arena_store::WorldSpan { from: 0, lines: vec![empty] }
            }
        };
        let damaged = |why: String| OpenWorldError::Damaged { world: name.clone(), why };
        let world = LiveWorld::resume(self.core.clone(), name.clone(), self.waiting.clone(), &span).map_err(damaged)?;
        info!(world = name.as_str(), generation = world.shown().generation, "a world resumes");
        // Before anybody can call it: a call of the first moments would be sent to a server that does not exist. If the
        // store does not answer, the ticker tries again.
        if let Ok(true) = self.core.leases.take(&world.duty).await {
            world.take_over().await;
        }
        self.core.tasks.spawn(world.clone().tick());
        self.live.lock().insert(name.clone(), world.clone());
        Ok(world)
    }

    /// Another server wrote to the log of a world.
    pub(crate) async fn notified(&self, name: &WorldName) {
        let heard = match self.world(name) {
            Some(world) => world.notified().await.map_err(OpenWorldError::from),
            None => self.start(name).await.map(drop),
        };
        if let Err(error) = heard {
            warn!(world = name.as_str(), cause = with_causes(&error), "a world of another server cannot be followed");
        }
    }

    /// A running world.
    pub fn world(&self, name: &WorldName) -> Option<Arc<LiveWorld>> {
        self.live.lock().get(name).cloned()
    }

    /// All running worlds, by name.
    pub fn all(&self) -> Vec<Arc<LiveWorld>> {
        self.live.lock().values().cloned().collect()
    }
}
