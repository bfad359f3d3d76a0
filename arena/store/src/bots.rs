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
    /// The version that plays: the accepted one with the highest number.
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
}

/// Who the bots are. They are made by [`Versions::submit`](crate::Versions::submit).
///
/// These methods only read. A bot is shown with the version that is active at the moment of the call.
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
}
