//! Bots, each with its versions.

use std::collections::BTreeMap;

use arena_record::EntrantId;
use async_trait::async_trait;

use super::{MemoryStore, State};
use crate::{
    AccountId, ActiveBot, Bot, BotError, BotId, BotName, Bots, NamedVersion, Page, StoreError, UnixSeconds, Version,
    VersionState,
};

#[derive(Debug)]
pub(super) struct StoredBot {
    pub(super) id: BotId,
    pub(super) account: AccountId,
    pub(super) name: BotName,
    pub(super) game: String,
    pub(super) created_at: UnixSeconds,
    /// By number, from 1.
    pub(super) versions: Vec<Version>,
    pub(super) chosen: Choice,
}

/// Which version plays unless one above `after` is accepted.
#[derive(Debug, Default)]
pub(super) struct Choice {
    number: Option<u32>,
    pub(super) after: u32,
}

impl StoredBot {
    /// Its latest version that is not refused. A bot without one has no name and no place.
    pub(super) fn latest(&self) -> Option<&Version> {
        self.versions.iter().rev().find(|version| !matches!(version.state, VersionState::Refused(_)))
    }

    fn active(&self) -> Option<&Version> {
        let Choice { number, after } = self.chosen;
        let mut accepted = self.versions.iter().rev().filter(|version| version.state == VersionState::Accepted);
        accepted.find(|version| version.id.number > after || Some(version.id.number) == number)
    }
}

impl State {
    /// The bot as it is read: with its owner's name and its active version.
    fn bot(&self, stored: &StoredBot) -> Option<Bot> {
        Some(Bot {
            id: stored.id,
            account: stored.account,
            owner: self.accounts.get(&stored.account)?.name().clone(),
            name: stored.name.clone(),
            game: stored.game.clone(),
            active: stored.active().map(|version| version.id),
            created_at: stored.created_at,
        })
    }

    /// The bots that pass, oldest first.
    fn bots(&self, passes: impl Fn(&StoredBot) -> bool) -> impl Iterator<Item = Bot> {
        self.bots.values().filter(move |bot| passes(bot)).filter_map(|bot| self.bot(bot))
    }
}

#[async_trait]
impl Bots for MemoryStore {
    async fn bot(&self, id: BotId) -> Result<Option<Bot>, StoreError> {
        Ok(self.state()?.bots(|bot| bot.id == id).next())
    }

    async fn bot_by_name(&self, name: &BotName) -> Result<Option<Bot>, StoreError> {
        Ok(self.state()?.bots(|bot| bot.name.key() == name.key()).next())
    }

    async fn bots_of(&self, account: AccountId, page: Page<BotId>) -> Result<Vec<Bot>, StoreError> {
        let state = self.state()?;
        Ok(page.of(state.bots(|bot| bot.account == account), |bot, after| bot.id > *after))
    }

    async fn active_bots(&self, game: Option<&str>, page: Page<BotId>) -> Result<Vec<ActiveBot>, StoreError> {
        let state = self.state()?;
        let of_game = state.bots.values().filter(|bot| game.is_none_or(|game| bot.game == game));
        let active = of_game.filter_map(|stored| {
            let version = stored.active()?.clone();
            Some(ActiveBot { bot: state.bot(stored)?, version })
        });
        Ok(page.of(active, |active, after| active.bot.id > *after))
    }

    async fn named(
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
            let (bot, version) = accepted.min_by_key(|(_, version)| (version.submitted_at, version.id))?;
            let owner = state.accounts.get(&bot.account)?.name().clone();
            let (name, account) = (bot.name.clone(), bot.account);
            let named = NamedVersion { name, number: version.id.number, account, owner };
            Some((entrant.clone(), named))
        };
        Ok(entrants.iter().filter_map(named).collect())
    }

    async fn choose_version(&self, id: BotId, number: Option<u32>) -> Result<Bot, BotError> {
        let mut state = self.state()?;
        let bot = state.bots.get_mut(&id).ok_or(BotError::NoSuchBot)?;
        let is_accepted =
            |version: &Version| Some(version.id.number) == number && version.state == VersionState::Accepted;
        if number.is_some() && !bot.versions.iter().any(is_accepted) {
            return Err(BotError::NotAccepted);
        }
        bot.chosen = Choice { number, after: bot.latest().map_or(0, |latest| latest.id.number) };
        state.bots(|bot| bot.id == id).next().ok_or(BotError::NoSuchBot)
    }

    async fn rename_bot(&self, id: BotId, name: &BotName) -> Result<Bot, BotError> {
        let mut state = self.state()?;
        let kept = |bot: &&StoredBot| bot.latest().is_some();
        let account = state.bots.get(&id).filter(kept).ok_or(BotError::NoSuchBot)?.account;
        let mut others = state.bots.values().filter(kept).filter(|bot| bot.id != id);
        if others.any(|bot| bot.name.looks_like(name.as_str())) {
            return Err(BotError::NameTaken);
        }
        state.make_way(account, name, &self.limits);
        state.bots.get_mut(&id).ok_or(BotError::NoSuchBot)?.name = name.clone();
        state.bots(|bot| bot.id == id).next().ok_or(BotError::NoSuchBot)
    }

    async fn delete_bot(&self, id: BotId) -> Result<(), StoreError> {
        let mut state = self.state()?;
        let entrants =
            state.bots.get(&id).map(|bot| bot.versions.iter().map(|version| version.entrant.clone()).collect());
        state.remove_bot(id);
        for entrant in entrants.unwrap_or_else(Vec::new) {
            state.release(&entrant);
        }
        Ok(())
    }
}
