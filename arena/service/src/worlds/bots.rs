//! The bots of a world: found in the store, and asked beside the world while it goes on.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arena_record::EntrantId;
use arena_rules::Ruleset;
use arena_rules::life2::Position;
use arena_runner::{Contender, UnfitForWorlds, WorldBots, fit_for_worlds, world_budgets};
use arena_store::{AccountId, BotName, DELETED, StoreError};
use arena_world::{Answer, Players, Turn};
use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};
use tracing::warn;

use crate::core::{Core, WALL, on_a_thread, unavailable, with_causes};
use crate::limits::WORLD_BOTS_KEPT_MAX;

/// The account of a place that the site gives its bots, from 1: no person has a number below zero.
pub fn site_account(place: u8) -> AccountId {
    AccountId(-i64::from(place))
}

/// The place of an account that is the site's.
pub fn site_place(account: AccountId) -> Option<u8> {
    account.0.checked_neg().and_then(|place| u8::try_from(place).ok()).filter(|place| *place > 0)
}

/// Why a bot cannot play in a world.
#[derive(Debug, thiserror::Error)]
pub enum UnseatableError {
    /// There is none of this name, or it is somebody else's, or of another game, or does not play.
    #[error("you have no bot of this name that plays Life2, and no opponent comes with the arena under it")]
    NoSuchBot,
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a bot that is accepted is not seated.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotAdmitted {
    /// It would hold the world up.
    #[error(transparent)]
    Unfit(UnfitForWorlds),
    /// It is not there, or the machine failed with it.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The bot that a name stands for: a built-in opponent's, or that of an active one, of `owner` if any is asked for.
pub(crate) async fn named(core: &Core, name: &str, owner: Option<AccountId>) -> Result<EntrantId, UnseatableError> {
    if let Ok(built_in) = Contender::baseline(Position::ID, name) {
        return Ok(built_in.id());
    }
    let name = BotName::parse(name).map_err(|_| UnseatableError::NoSuchBot)?;
    let bot = core.store.bot_by_name(&name).await?.ok_or(UnseatableError::NoSuchBot)?;
    let is_allowed = bot.game == Position::ID && owner.is_none_or(|owner| bot.account == owner);
    let active = bot.active.filter(|_| is_allowed && !bot.disabled).ok_or(UnseatableError::NoSuchBot)?;
    let version = core.store.version(active).await?.ok_or(UnseatableError::NoSuchBot)?;
    Ok(version.entrant)
}

/// Bots of a world that are loaded, the latest last: they begin afresh every minute, and compiling one may take seconds.
#[derive(Clone, Default)]
pub(super) struct LoadedBots(Arc<Mutex<VecDeque<Contender>>>);

impl LoadedBots {
    fn kept(&self) -> MutexGuard<'_, VecDeque<Contender>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What asks the bots of a world: those that are deleted or disabled are not there any more when they would begin afresh.
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
        runtime.block_on(is_there(core, id))?;
        let known = self.kept().iter().find(|bot| bot.id() == *id).cloned();
        if let Some(known) = known {
            return Ok(known);
        }
        let bytes = runtime.block_on(core.store.module(id)).map_err(|error| with_causes(&error))?;
        let bot = core.host().load(&bytes, &world_budgets()).map_err(|error| with_causes(&error))?;
        let mut kept = self.kept();
        kept.push_back(bot.clone());
        if kept.len() > WORLD_BOTS_KEPT_MAX {
            kept.pop_front();
        }
        Ok(bot)
    }

    /// Loads a bot and starts it once, beside the world: the world waits for neither when it is seated.
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

/// That a bot may play: nobody has deleted or disabled it.
async fn is_there(core: &Core, id: &EntrantId) -> Result<(), String> {
    let store = &core.store;
    let named = store.named(Some(Position::ID), std::slice::from_ref(id)).await.map_err(|error| with_causes(&error))?;
    let named = named.get(id).filter(|named| named.name.as_str() != DELETED).ok_or("it was deleted")?;
    let bot = store.bot_by_name(&named.name).await.map_err(|error| with_causes(&error))?;
    if bot.is_none_or(|bot| bot.disabled) { Err("it is disabled".into()) } else { Ok(()) }
}

/// The bots of a world, and what they are asked at the moment.
pub(super) enum Thinking {
    /// Nothing.
    Idle(Box<WorldBots>),
    /// A thread of their own asks them; the other end says when it ends.
    Asked(oneshot::Receiver<(Box<WorldBots>, Vec<Answer>)>, watch::Receiver<()>),
    /// They have answered.
    Answered(Box<WorldBots>, Vec<Answer>),
    /// The thread is gone: nobody asks them until they begin afresh.
    Lost,
}

impl Thinking {
    /// Has them asked, while the world goes on.
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

    /// What changes, or is gone, when they have answered; none where nobody is asked.
    pub(super) fn unfinished(&self) -> Option<watch::Receiver<()>> {
        match self {
            Thinking::Asked(_, ends) if ends.has_changed().is_ok() => Some(ends.clone()),
            _ => None,
        }
    }

    /// What they answered; waits for it.
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
