//! Bots: a name that belongs to an account, and versions under it.

use std::collections::BTreeMap;

use arena_record::EntrantId;
use async_trait::async_trait;

use crate::{AccountId, BotId, BotName, DisplayName, Page, StoreError, UnixSeconds, Version, VersionId};

/// A bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bot {
    /// Its number.
    pub id: BotId,
    /// The account that owns it.
    pub account: AccountId,
    /// The current name of its owner.
    pub owner: DisplayName,
    /// Its name, as it was first written.
    pub name: BotName,
    /// The game it plays, for good: its ruleset's name and version.
    pub game: String,
    /// The version that plays: the one that its owner chose, or the last accepted one that was submitted after that choice. `None` while
    /// no version is accepted, and if the bot is withdrawn.
    pub active: Option<VersionId>,
    /// When its first version was submitted.
    pub created_at: UnixSeconds,
    /// Whether the operator has disabled it or its account: then no version is active.
    pub disabled: bool,
}

/// A bot with an active version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActiveBot {
    /// The bot.
    pub bot: Bot,
    /// Its active version.
    pub version: Version,
}

/// A version of a bot, as shown to people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedVersion {
    /// The bot.
    pub name: BotName,
    /// The version's number, from 1.
    pub number: u32,
    /// The account that owns the bot.
    pub account: AccountId,
    /// The current name of the owner.
    pub owner: DisplayName,
    /// When the version was submitted.
    pub submitted_at: UnixSeconds,
}

/// Why a bot was not changed.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// There is no such bot, or all its versions were refused.
    #[error("there is no such bot")]
    NoSuchBot,
    /// It has no such version, or the version is not accepted.
    #[error("this bot has no accepted version of this number")]
    NotAccepted,
    /// Another bot has this name or one that looks like it.
    #[error("this name, or one that looks like it, is another bot's")]
    NameTaken,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Bots. They are created by [`Versions::submit`](crate::Versions::submit).
///
/// A bot is returned with the version that is active at the moment of the call. That the bot is the asker's is for the caller to
/// check. Calls that change a bot may be repeated.
#[async_trait]
pub trait Bots: Send + Sync + 'static {
    /// The bot with this number.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn bot(&self, id: BotId) -> Result<Option<Bot>, StoreError>;

    /// The bot with this name, ignoring case.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn bot_by_name(&self, name: &BotName) -> Result<Option<Bot>, StoreError>;

    /// The bots of an account, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn bots_of(&self, account: AccountId, page: Page<BotId>) -> Result<Vec<Bot>, StoreError>;

    /// The bots with an active version, oldest first: those of one game, which are candidates for its standing tournament, or all.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn active_bots(&self, game: Option<&str>, page: Page<BotId>) -> Result<Vec<ActiveBot>, StoreError>;

    /// Those of a game's bots with an active version that have one of these names, ignoring case, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn active_bots_named(&self, game: &str, names: &[BotName]) -> Result<Vec<ActiveBot>, StoreError>;

    /// The bots that were accepted with some bytes, for one game or any, by the bytes' id; ids without an accepted bot are left out. If
    /// there are several bots, the one whose version was submitted first: the others are copies. Deleted bots come last, and are named
    /// [`DELETED`](crate::DELETED).
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn named(
        &self,
        game: Option<&str>,
        entrants: &[EntrantId],
    ) -> Result<BTreeMap<EntrantId, NamedVersion>, StoreError>;

    /// Makes an accepted version of a bot the one that plays, or withdraws the bot if there is no number. The choice holds until a
    /// version that is submitted later is accepted.
    ///
    /// # Errors
    /// When there is no such bot, or the version is not an accepted one.
    async fn choose_version(&self, id: BotId, number: Option<u32>) -> Result<Bot, BotError>;

    /// Gives a bot another name, which may differ only in case. Nobody else gets the old one, because kept editions show it.
    ///
    /// # Errors
    /// When there is no such bot, all its versions were refused, or the name looks like another bot's.
    async fn rename_bot(&self, id: BotId, name: &BotName) -> Result<Bot, BotError>;

    /// Deletes a bot: its logs, its pending and refused versions, and their bytes unless another bot has them. Accepted versions may be
    /// in a published edition: they stay under their hash, with a name that nobody else gets. The bot no longer counts towards its owner's
    /// limit; its number is never given out again.
    ///
    /// # Errors
    /// When the store fails. Deleting a missing bot succeeds.
    async fn delete_bot(&self, id: BotId, now: UnixSeconds) -> Result<(), StoreError>;
}
