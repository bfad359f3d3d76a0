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
    /// Whose it is.
    pub account: AccountId,
    /// How its owner is known now.
    pub owner: DisplayName,
    /// Its name, as it was first written.
    pub name: BotName,
    /// The game it plays, for good: name and version of its ruleset.
    pub game: String,
    /// The version that plays: the one that its owner chose, or an accepted one that was submitted later, the last of them.
    /// None while none is accepted, and of a bot that is withdrawn.
    pub active: Option<VersionId>,
    /// When its first version was submitted.
    pub created_at: UnixSeconds,
    /// Whether the operator has disabled it or its account: then no version is active.
    pub disabled: bool,
}

/// A bot that plays, with the version that does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActiveBot {
    /// The bot.
    pub bot: Bot,
    /// Its active version.
    pub version: Version,
}

/// A version of a bot, as people call it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedVersion {
    /// The bot.
    pub name: BotName,
    /// The version's number, from 1.
    pub number: u32,
    /// Whose bot it is.
    pub account: AccountId,
    /// How its owner is known now.
    pub owner: DisplayName,
    /// When the version was submitted.
    pub submitted_at: UnixSeconds,
}

/// Why a bot stays as it is.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// There is none, or nothing of it that is not refused.
    #[error("there is no such bot")]
    NoSuchBot,
    /// It has no such version, or it is not accepted.
    #[error("this bot has no accepted version of this number")]
    NotAccepted,
    /// There is another bot of this name, or of one that looks like it.
    #[error("this name, or one that looks like it, is another bot's")]
    NameTaken,
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Who the bots are. They are made by [`Versions::submit`](crate::Versions::submit).
///
/// A bot is shown with the version that is active at the moment of the call. The caller has seen that the bot is the
/// asker's. What changes a bot may be repeated.
#[async_trait]
pub trait Bots: Send + Sync + 'static {
    /// The bot with this number.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn bot(&self, id: BotId) -> Result<Option<Bot>, StoreError>;

    /// The bot with this name, in capitals or not.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn bot_by_name(&self, name: &BotName) -> Result<Option<Bot>, StoreError>;

    /// The bots of an account, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn bots_of(&self, account: AccountId, page: Page<BotId>) -> Result<Vec<Bot>, StoreError>;

    /// The bots with an active version, oldest first: of one game the field of its standing tournament, or of all.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn active_bots(&self, game: Option<&str>, page: Page<BotId>) -> Result<Vec<ActiveBot>, StoreError>;

    /// The bots that were accepted with some bytes, of one game or of any, by the id of the bytes; an id that no bot was
    /// accepted with is left out. Of several bots it is the one whose version was submitted first: the others are copies. Those that were deleted
    /// come last, and are called [`DELETED`](crate::DELETED).
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn named(
        &self,
        game: Option<&str>,
        entrants: &[EntrantId],
    ) -> Result<BTreeMap<EntrantId, NamedVersion>, StoreError>;

    /// Makes an accepted version of a bot the one that plays, or none: the bot is withdrawn. It stays so until a version that
    /// is submitted later is accepted.
    ///
    /// # Errors
    /// When there is no such bot, or the version is not an accepted one.
    async fn choose_version(&self, id: BotId, number: Option<u32>) -> Result<Bot, BotError>;

    /// Gives a bot another name, in capitals or not. Its old one stays with it: kept editions show it, so that nobody else gets it.
    ///
    /// # Errors
    /// When there is no such bot, all its versions were refused, or the name looks like another bot's.
    async fn rename_bot(&self, id: BotId, name: &BotName) -> Result<Bot, BotError>;

    /// Deletes a bot: its logs, what waits and what was refused, and the bytes that no other bot has of these. What was accepted
    /// may stand in a published edition: it stays under its hash, with a name that nobody else gets. Its place among its owner's bots
    /// is free from then on; its number is given to no other.
    ///
    /// # Errors
    /// When the store does not do its work. A bot that is not there is deleted.
    async fn delete_bot(&self, id: BotId, now: UnixSeconds) -> Result<(), StoreError>;
}
