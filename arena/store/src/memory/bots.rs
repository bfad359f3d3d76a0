//! Bots, each with its versions.

use arena_record::EntrantId;
use async_trait::async_trait;

use super::MemoryStore;
use crate::{
    AccountId, ActiveBot, Bot, BotId, BotName, Bots, NamedVersion, Page, StoreError, UnixSeconds, Version, VersionState,
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
}

impl StoredBot {
    fn active(&self) -> Option<&Version> {
        self.versions.iter().rev().find(|version| version.state == VersionState::Accepted)
    }

    fn bot(&self) -> Bot {
        Bot {
            id: self.id,
            account: self.account,
            name: self.name.clone(),
            game: self.game.clone(),
            active: self.active().map(|version| version.id),
            created_at: self.created_at,
        }
    }
}

#[async_trait]
impl Bots for MemoryStore {
    async fn bot(&self, id: BotId) -> Result<Option<Bot>, StoreError> {
        Ok(self.state()?.bots.get(&id).map(StoredBot::bot))
    }

    async fn bot_by_name(&self, name: &BotName) -> Result<Option<Bot>, StoreError> {
        Ok(self.state()?.bots.values().find(|bot| bot.name.key() == name.key()).map(StoredBot::bot))
    }

    async fn bots_of(&self, account: AccountId, page: Page<BotId>) -> Result<Vec<Bot>, StoreError> {
        let state = self.state()?;
        let bots = state.bots.values().filter(|bot| bot.account == account).map(StoredBot::bot);
        Ok(page.of(bots, |bot, after| bot.id > *after))
    }

    async fn active_bots(&self, game: Option<&str>, page: Page<BotId>) -> Result<Vec<ActiveBot>, StoreError> {
        let state = self.state()?;
        let of_game = state.bots.values().filter(|bot| game.is_none_or(|game| bot.game == game));
        let active = of_game.filter_map(|bot| Some(ActiveBot { bot: bot.bot(), version: bot.active()?.clone() }));
        Ok(page.of(active, |active, after| active.bot.id > *after))
    }

    async fn named(&self, game: Option<&str>, entrant: &EntrantId) -> Result<Option<NamedVersion>, StoreError> {
        let state = self.state()?;
        let of_game = state.bots.values().filter(|bot| game.is_none_or(|game| bot.game == game));
        let versions = of_game.flat_map(|bot| bot.versions.iter().map(move |version| (bot, version)));
        let accepted =
            versions.filter(|(_, version)| version.entrant == *entrant && version.state == VersionState::Accepted);
        let first = accepted.min_by_key(|(_, version)| (version.submitted_at, version.id));
        Ok(first.map(|(bot, version)| NamedVersion {
            name: bot.name.clone(),
            number: version.id.number,
            account: bot.account,
        }))
    }
}
