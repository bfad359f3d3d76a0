//! Bots, each with its versions.

use std::collections::{BTreeMap, BTreeSet};

use arena_record::EntrantId;

use super::{Model, State, paged};
use crate::policy::names::{NameView, may_rename_bot};
use crate::policy::version::{ChoiceView, may_choose};
use crate::{
    AccountId, ActiveBot, Bot, BotError, BotId, BotName, DELETED, DisplayName, Limits, NamedVersion, Page, StoreError,
    UnixSeconds, Version, VersionState,
};

#[derive(Debug)]
pub(super) struct StoredBot {
    pub(super) id: BotId,
    pub(super) account: AccountId,
    pub(super) name: BotName,
    /// Its earlier names, which nobody else gets.
    pub(super) former: Vec<BotName>,
    pub(super) game: String,
    pub(super) created_at: UnixSeconds,
    /// By number, from 1.
    pub(super) versions: Vec<Version>,
    pub(super) disabled: bool,
    /// Its owner deleted it, or the account was deleted: only accepted versions are left, and a name that nobody else
    /// gets.
    pub(super) deleted: bool,
    pub(super) chosen: Choice,
}

/// The version that plays unless one above `after` is accepted.
#[derive(Debug, Default)]
pub(super) struct Choice {
    number: Option<u32>,
    pub(super) after: u32,
}

impl StoredBot {
    /// Its latest version that is not refused. A bot without one has no name and no number of its own.
    pub(super) fn latest(&self) -> Option<&Version> {
        self.versions.iter().rev().find(|version| !matches!(version.state, VersionState::Refused(_)))
    }

    /// Whether its name or an earlier one looks like this one.
    pub(super) fn looks_like(&self, name: &BotName) -> bool {
        self.former.iter().chain([&self.name]).any(|own| own.looks_like(name.as_str()))
    }

    fn active(&self) -> Option<&Version> {
        let Choice { number, after } = self.chosen;
        let mut accepted = self.versions.iter().rev().filter(|version| version.state == VersionState::Accepted);
        accepted.find(|version| version.id.number > after || Some(version.id.number) == number)
    }
}

impl State {
    /// The bot as readers get it: with its owner's name and its active version.
    fn bot(&self, stored: &StoredBot) -> Option<Bot> {
        // A deleted bot cannot be read.
        let owner = self.account(stored.account).filter(|_| !stored.deleted)?;
        let disabled = stored.disabled || owner.disabled;
        Some(Bot {
            id: stored.id,
            account: stored.account,
            owner: owner.name,
            name: stored.name.clone(),
            game: stored.game.clone(),
            active: stored.active().map(|version| version.id).filter(|_| !disabled),
            created_at: stored.created_at,
            disabled,
        })
    }

    /// Deletes a bot, except what may be in a published edition.
    pub(super) fn delete_bot(&mut self, id: BotId) {
        self.sample_logs.retain(|version, _| version.bot != id);
        let Some(bot) = self.bots.get_mut(&id) else { return };
        bot.deleted = true;
        let (accepted, others): (Vec<Version>, Vec<Version>) =
            bot.versions.drain(..).partition(|version| version.state == VersionState::Accepted);
        let gone = accepted.is_empty();
        bot.versions = accepted;
        if gone {
            self.bots.remove(&id);
        }
        for version in others {
            self.release(&version.entrant);
        }
    }

    /// Gives a bot another name, unless another bot has it.
    pub(super) fn rename_bot(&mut self, id: BotId, name: &BotName, limits: &Limits) -> Result<Bot, BotError> {
        let kept = |bot: &&StoredBot| bot.latest().is_some();
        let own = self.bots.get(&id).filter(kept).filter(|bot| !bot.deleted).map(|bot| bot.account);
        let mut others = self.bots.values().filter(kept).filter(|bot| bot.id != id);
        may_rename_bot(NameView { is_there: own.is_some(), is_taken: others.any(|bot| bot.looks_like(name)) })?;
        self.make_way(own.ok_or(BotError::NoSuchBot)?, name, limits);
        let bot = self.bots.get_mut(&id).ok_or(BotError::NoSuchBot)?;
        let former = std::mem::replace(&mut bot.name, name.clone());
        bot.former.push(former);
        self.bots(|bot| bot.id == id).next().ok_or(BotError::NoSuchBot)
    }

    /// The bots that satisfy a condition, oldest first.
    fn bots(&self, passes: impl Fn(&StoredBot) -> bool) -> impl Iterator<Item = Bot> {
        self.bots.values().filter(move |bot| passes(bot)).filter_map(|bot| self.bot(bot))
    }

    /// The bots with an active version that satisfy a condition, oldest first.
    fn active_bots(&self, passes: impl Fn(&StoredBot) -> bool) -> impl Iterator<Item = ActiveBot> {
        self.bots.values().filter(move |bot| passes(bot)).filter_map(|stored| {
            let bot = self.bot(stored).filter(|bot| !bot.disabled)?;
            Some(ActiveBot { bot, version: stored.active()?.clone() })
        })
    }
}

impl Model {
    pub(crate) async fn bot(&self, id: BotId) -> Result<Option<Bot>, StoreError> {
        Ok(self.state()?.bots(|bot| bot.id == id).next())
    }

    pub(crate) async fn bot_by_name(&self, name: &BotName) -> Result<Option<Bot>, StoreError> {
        Ok(self.state()?.bots(|bot| bot.name.key() == name.key()).next())
    }

    pub(crate) async fn bots_of(&self, account: AccountId, page: Page<BotId>) -> Result<Vec<Bot>, StoreError> {
        let state = self.state()?;
        Ok(paged(page, state.bots(|bot| bot.account == account), |bot, after| bot.id > *after))
    }

    pub(crate) async fn active_bots(
        &self,
        game: Option<&str>,
        page: Page<BotId>,
    ) -> Result<Vec<ActiveBot>, StoreError> {
        let state = self.state()?;
        let active = state.active_bots(|bot| game.is_none_or(|game| bot.game == game));
        Ok(paged(page, active, |active, after| active.bot.id > *after))
    }

    pub(crate) async fn active_bots_named(&self, game: &str, names: &[BotName]) -> Result<Vec<ActiveBot>, StoreError> {
        let keys: BTreeSet<String> = names.iter().map(BotName::key).collect();
        let state = self.state()?;
        Ok(state.active_bots(|bot| bot.game == game && keys.contains(&bot.name.key())).collect())
    }

    pub(crate) async fn named(
        &self,
        game: Option<&str>,
        entrants: &[EntrantId],
    ) -> Result<BTreeMap<EntrantId, NamedVersion>, StoreError> {
        let state = self.state()?;
        let named = |entrant: &EntrantId| {
            let of_game = state.bots.values().filter(|bot| game.is_none_or(|game| bot.game == game));
            let versions = of_game.flat_map(|bot| bot.versions.iter().map(move |version| (bot, version)));
            let accepted =
                versions.filter(|(_, version)| version.entrant == *entrant && version.state == VersionState::Accepted);
            let (bot, version) =
                accepted.min_by_key(|(bot, version)| (bot.deleted, version.submitted_at, version.id))?;
            let name = if bot.deleted { BotName::stored(DELETED.into()) } else { bot.name.clone() };
            let owner = state.account(bot.account).map_or(DisplayName::stored(DELETED.into()), |account| account.name);
            let (number, account, submitted_at) = (version.id.number, bot.account, version.submitted_at);
            let named = NamedVersion { name, number, account, owner, submitted_at };
            Some((entrant.clone(), named))
        };
        Ok(entrants.iter().filter_map(named).collect())
    }

    pub(crate) async fn choose_version(&self, id: BotId, number: Option<u32>) -> Result<Bot, BotError> {
        let mut state = self.state()?;
        let bot = state.bots.get_mut(&id).filter(|bot| !bot.deleted);
        let accepted = |number| {
            let is_it = |version: &Version| version.id.number == number && version.state == VersionState::Accepted;
            bot.as_ref().is_some_and(|bot| bot.versions.iter().any(is_it))
        };
        may_choose(ChoiceView { is_there: bot.is_some(), is_accepted: number.map(accepted) })?;
        let bot = bot.ok_or(BotError::NoSuchBot)?;
        bot.chosen = Choice { number, after: bot.latest().map_or(0, |latest| latest.id.number) };
        state.bots(|bot| bot.id == id).next().ok_or(BotError::NoSuchBot)
    }

    pub(crate) async fn rename_bot(&self, id: BotId, name: &BotName) -> Result<Bot, BotError> {
        self.state()?.rename_bot(id, name, &self.limits)
    }

    pub(crate) async fn delete_bot(&self, id: BotId, _: UnixSeconds) -> Result<(), StoreError> {
        self.state()?.delete_bot(id);
        Ok(())
    }
}
