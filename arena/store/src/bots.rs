//! Bots: a name that belongs to an account, and versions under it.

use arena_limits::{Kind, Refusal, Refused};

use crate::{AccountId, BotId, BotName, DisplayName, StoreError, UnixSeconds, Version, VersionId};

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
    /// The version that plays: the one that its owner chose, or the last accepted one that was submitted after that
    /// choice. `None` while no version is accepted, and if the bot is withdrawn.
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

impl Refused for BotError {
    fn refusal(&self) -> Refusal {
        match self {
            BotError::NoSuchBot => Kind::NotFound.says("no_such_bot", "/standings lists every bot that plays"),
            BotError::NotAccepted => Kind::NotFound.says("no_such_version", "its page has all of them"),
            BotError::NameTaken => Kind::Conflict.says("name_taken", "choose another name for your bot"),
            BotError::Store(error) => error.refusal(),
        }
    }
}
