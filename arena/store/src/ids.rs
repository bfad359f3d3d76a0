//! Numbers of bots and of their versions.

/// The number of a bot. Not shown to people, who use its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BotId(pub i64);

/// A version of a bot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VersionId {
    /// The bot.
    pub bot: BotId,
    /// Its number, from 1 and without gaps.
    pub number: u32,
}
