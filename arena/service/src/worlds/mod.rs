//! The worlds of a site: each goes on while the server is up, and stands still while it is down.

mod asked;
mod bots;
mod live;
mod said;
#[cfg(test)]
mod tests;
mod ticker;
mod waiting;

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arena_rules::life2::{Rates, Side, World};
use arena_store::{StoreError, WorldError, WorldName};
use arena_world::Machine;
use tracing::{info, warn};

pub use asked::{BaseInfo, SlotInfo, TerritoryInfo, Wipe};
pub(crate) use bots::named;
pub use bots::{UnseatableError, site_account, site_place};
pub use live::{CallError, LiveWorld, WorldSnapshot};

use crate::core::{Core, unavailable, with_causes};
use waiting::Waiting;

/// What a snapshot says of the program that made it.
const BUILD: &str = concat!("arena ", env!("CARGO_PKG_VERSION"));

/// Why a world does not go on.
#[derive(Debug, thiserror::Error)]
pub enum OpenWorldError {
    /// There are as many as may be.
    #[error("a site has at most {0} worlds")]
    TooMany(u32),
    /// Its log is not that of a world.
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

/// The worlds that go on.
pub(crate) struct Worlds {
    core: Arc<Core>,
    live: Mutex<BTreeMap<WorldName, Arc<LiveWorld>>>,
    /// Calls that another server is to do.
    waiting: Arc<Waiting<Result<u64, CallError>>>,
    /// Held while one is started, so that two who ask for it get the same.
    starting: tokio::sync::Mutex<()>,
}

impl Worlds {
    /// Every world of the store, from where its log ends. One that cannot be read stands still.
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

    /// Starts a world, unless it goes on already; a new one is empty.
    pub(crate) async fn start(&self, name: &WorldName) -> Result<Arc<LiveWorld>, OpenWorldError> {
        let _starting = self.starting.lock().await;
        if let Some(world) = self.world(name) {
            return Ok(world);
        }
        let store = &self.core.store;
        let span = match store.world_span(name, u64::MAX).await? {
            Some(span) => span,
            None => {
                let empty = Machine::new(World::new(Side::WORLD, Rates::FOUNDING)).opened(BUILD).to_line();
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
        self.core.tasks.spawn(world.clone().tick());
        self.live().insert(name.clone(), world.clone());
        Ok(world)
    }

    /// Another server wrote into the log of a world.
    pub(crate) async fn heard(&self, name: &WorldName) {
        let heard = match self.world(name) {
            Some(world) => world.heard().await.map_err(OpenWorldError::from),
            None => self.start(name).await.map(drop),
        };
        if let Err(error) = heard {
            warn!(world = name.as_str(), cause = with_causes(&error), "a world of another server cannot be followed");
        }
    }

    /// A world that goes on.
    pub(crate) fn world(&self, name: &WorldName) -> Option<Arc<LiveWorld>> {
        self.live().get(name).cloned()
    }

    /// All of them, by name.
    pub(crate) fn all(&self) -> Vec<Arc<LiveWorld>> {
        self.live().values().cloned().collect()
    }

    fn live(&self) -> MutexGuard<'_, BTreeMap<WorldName, Arc<LiveWorld>>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
