//! The bots of a world: found in the store, and asked on a thread of their own while the world runs.

use std::collections::VecDeque;
use std::sync::Arc;

use arena_record::EntrantId;
use arena_rules::Ruleset;
use arena_rules::life2::Position;
use arena_runner::{Contender, UnfitForWorlds, WorldBots, fit_for_worlds, world_budgets};
use arena_store::{AccountId, BotName, DELETED, StoreError};
use arena_world::{Answer, Players, Turn};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};
use tracing::warn;

use super::Worlds;
use crate::core::{Core, WALL, on_a_thread, unavailable, with_causes};
use crate::limits::WORLD_BOTS_KEPT_MAX;

/// The account of one of the places that the site gives to bots, from 1. No person has a negative number.
pub fn site_account(place: u8) -> AccountId {
    AccountId(-i64::from(place))
}

/// The place behind an account of the site's.
pub fn site_place(account: AccountId) -> Option<u8> {
    account.0.checked_neg().and_then(|place| u8::try_from(place).ok()).filter(|place| *place > 0)
}

/// Why a bot cannot play in a world.
#[derive(Debug, thiserror::Error)]
pub enum UnseatableError {
    /// There is no active bot of this name for the game and owner.
    #[error("you have no bot of this name that plays Life2, and no opponent comes with the arena under it")]
    NoSuchBot,
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why an accepted bot is not seated.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotAdmitted {
    /// It would hold up the world.
    #[error(transparent)]
    Unfit(UnfitForWorlds),
    /// It is missing, or the machine failed with it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Worlds {
    /// The bot with a name in a world: a built-in opponent, or an active bot, of `owner` if one is given.
    ///
    /// # Errors
    /// When there is none.
    pub async fn bot(&self, name: &str, owner: Option<AccountId>) -> Result<EntrantId, UnseatableError> {
        if let Ok(built_in) = Contender::baseline(Position::ID, name) {
            return Ok(built_in.id());
        }
        let (store, name) = (&self.core.store, BotName::parse(name).map_err(|_| UnseatableError::NoSuchBot)?);
        let bot = store.bot_by_name(&name).await?.ok_or(UnseatableError::NoSuchBot)?;
        let is_allowed = bot.game == Position::ID && owner.is_none_or(|owner| bot.account == owner);
        let active = bot.active.filter(|_| is_allowed && !bot.disabled).ok_or(UnseatableError::NoSuchBot)?;
        let version = store.version(active).await?.ok_or(UnseatableError::NoSuchBot)?;
        Ok(version.entrant)
    }
}

/// Loaded bots of a world, the latest last. Bots restart every minute, and compiling one may take seconds.
#[derive(Clone, Default)]
pub(super) struct LoadedBots(Arc<Mutex<VecDeque<Contender>>>);

impl LoadedBots {
    /// Asks the bots of a world. Deleted or disabled bots are no longer found when they are to restart.
    pub(super) fn asker(&self, core: &Arc<Core>) -> WorldBots {
        let (loaded, core, runtime) = (self.clone(), core.clone(), Handle::current());
        let find = move |id: &EntrantId| {
            let found = loaded.find(&core, &runtime, id);
            let found = found.inspect_err(|cause| warn!(bot = id.as_str(), cause, "a bot of a world is not there"));
            found.ok()
        };
        WorldBots::new(Box::new(find), WALL)
    }

    fn find(&self, core: &Core, runtime: &Handle, id: &EntrantId) -> Result<Contender, String> {
        let known = self.0.lock().iter().find(|bot| bot.id() == *id).cloned();
        let bytes = runtime.block_on(async {
            is_there(core, id).await?;
            match known {
                Some(_) => Ok(Vec::new()),
                None => core.store.module(id).await.map_err(|error| with_causes(&error)),
            }
        })?;
        if let Some(known) = known {
            return Ok(known);
        }
        let bot = core.host().load(&bytes, &world_budgets()).map_err(|error| with_causes(&error))?;
        let mut kept = self.0.lock();
        kept.push_back(bot.clone());
        if kept.len() > WORLD_BOTS_KEPT_MAX {
            kept.pop_front();
        }
        Ok(bot)
    }

    /// Loads a bot and starts it once, before it is seated, so that the world does not wait for either.
    pub(super) async fn admit(&self, core: &Arc<Core>, id: &EntrantId) -> Result<(), NotAdmitted> {
        if WorldBots::built_in(id).is_some() {
            return Ok(());
        }
        let (loaded, core, runtime, id) = (self.clone(), core.clone(), Handle::current(), id.clone());
        let admitted = move || {
            let bot = loaded.find(&core, &runtime, &id).map_err(unavailable)?;
            fit_for_worlds(&bot, WALL).map_err(|why| match why {
                UnfitForWorlds::Start => NotAdmitted::Unfit(why),
                UnfitForWorlds::Platform(_) => unavailable(why).into(),
            })
        };
        on_a_thread("world bot", admitted)?.await.map_err(unavailable)?
    }
}

/// Checks that a bot is neither deleted nor disabled.
async fn is_there(core: &Core, id: &EntrantId) -> Result<(), String> {
    let store = &core.store;
    let named = store.named(Some(Position::ID), std::slice::from_ref(id)).await.map_err(|error| with_causes(&error))?;
    let named = named.get(id).filter(|named| named.name.as_str() != DELETED).ok_or("it was deleted")?;
    let bot = store.bot_by_name(&named.name).await.map_err(|error| with_causes(&error))?;
    if bot.is_none_or(|bot| bot.disabled) { Err("it is disabled".into()) } else { Ok(()) }
}

/// The bots of a world, and what they are doing.
pub(super) enum Thinking {
    /// They are not being asked.
    Idle(Box<WorldBots>),
    /// A thread asks them; the channel's other end is dropped when it is done.
    Asked(oneshot::Receiver<(Box<WorldBots>, Vec<Answer>)>, watch::Receiver<()>),
    /// They have answered.
    Answered(Box<WorldBots>, Vec<Answer>),
    /// The thread died: they are not asked until they restart.
    Lost,
}

impl Thinking {
    /// Starts asking them, while the world runs.
    pub(super) fn ask(&mut self, core: &Arc<Core>, loaded: &LoadedBots, turn: Turn) {
        let mut bots = match std::mem::replace(self, Thinking::Lost) {
            Thinking::Idle(bots) | Thinking::Answered(bots, _) => bots,
            Thinking::Asked(..) | Thinking::Lost => Box::new(loaded.asker(core)),
        };
        let (ending, ends) = watch::channel(());
        let asked = on_a_thread("world bots", move || {
            let _ending = ending;
            let answers = bots.turn(&turn);
            (bots, answers)
        });
        match asked {
            Ok(asked) => *self = Thinking::Asked(asked, ends),
            Err(error) => warn!(cause = with_causes(&error), "cannot ask the bots of a world"),
        }
    }

    /// A channel that closes when they have answered; `None` if they are not being asked.
    pub(super) fn unfinished(&self) -> Option<watch::Receiver<()>> {
        match self {
            Thinking::Asked(_, ends) if ends.has_changed().is_ok() => Some(ends.clone()),
            _ => None,
        }
    }

    /// Waits for their answers.
    pub(super) async fn answers(&mut self) -> Vec<Answer> {
        let (now, answers) = match std::mem::replace(self, Thinking::Lost) {
            Thinking::Asked(asked, _) => match asked.await {
                Ok((bots, answers)) => (Thinking::Idle(bots), answers),
                Err(_) => (Thinking::Lost, Vec::new()),
            },
            Thinking::Answered(bots, answers) => (Thinking::Idle(bots), answers),
            other => (other, Vec::new()),
        };
        *self = now;
        answers
    }
}
