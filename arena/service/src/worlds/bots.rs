//! The bots of a world: found in the store, and asked beside the world while it goes on.

use std::sync::Arc;

use arena_record::EntrantId;
use arena_rules::Ruleset;
use arena_rules::life2::Position;
use arena_runner::{Contender, WorldBots, world_budgets};
use arena_store::{AccountId, BotName, DELETED, StoreError};
use arena_world::{Answer, Players, Turn};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tracing::warn;

use crate::core::{Core, WALL, on_a_thread, with_causes};

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

/// What asks the bots of a world: those that are deleted or disabled are not there any more when they would begin afresh.
pub(super) fn asker(core: &Arc<Core>) -> WorldBots {
    let (core, runtime) = (core.clone(), Handle::current());
    let find = move |id: &EntrantId| {
        let found = runtime.block_on(find(&core, id));
        let found = found.inspect_err(|cause| warn!(bot = id.as_str(), cause, "a bot of a world is not there"));
        found.ok()
    };
    WorldBots::new(Box::new(find), WALL)
}

async fn find(core: &Core, id: &EntrantId) -> Result<Contender, String> {
    let store = &core.store;
    let named = store.named(Some(Position::ID), std::slice::from_ref(id)).await.map_err(|error| with_causes(&error))?;
    let named = named.get(id).filter(|named| named.name.as_str() != DELETED).ok_or("it was deleted")?;
    let bot = store.bot_by_name(&named.name).await.map_err(|error| with_causes(&error))?;
    if bot.is_none_or(|bot| bot.disabled) {
        return Err("it is disabled".into());
    }
    let bytes = store.module(id).await.map_err(|error| with_causes(&error))?;
    core.host().load(&bytes, &world_budgets()).map_err(|error| with_causes(&error))
}

/// The bots of a world, and what they are asked at the moment.
pub(super) enum Thinking {
    /// Nothing.
    Idle(Box<WorldBots>),
    /// A thread of their own asks them.
    Asked(oneshot::Receiver<(Box<WorldBots>, Vec<Answer>)>),
    /// They have answered.
    Answered(Box<WorldBots>, Vec<Answer>),
    /// The thread is gone: nobody asks them until they begin afresh.
    Lost,
}

impl Thinking {
    /// Has them asked, while the world goes on.
    pub(super) fn ask(&mut self, core: &Arc<Core>, turn: Turn) {
        let mut bots = match std::mem::replace(self, Thinking::Lost) {
            Thinking::Idle(bots) | Thinking::Answered(bots, _) => bots,
            Thinking::Asked(_) | Thinking::Lost => Box::new(asker(core)),
        };
        let asked = on_a_thread("world bots", move || {
            let answers = bots.turn(&turn);
            (bots, answers)
        });
        match asked {
            Ok(asked) => *self = Thinking::Asked(asked),
            Err(error) => warn!(cause = with_causes(&error), "bots of a world are not asked"),
        }
    }

    /// What they answered; waits for it.
    pub(super) async fn answers(&mut self) -> Vec<Answer> {
        let (now, answers) = match std::mem::replace(self, Thinking::Lost) {
            Thinking::Asked(asked) => match asked.await {
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
