//! The limits of a room. Everything that can grow in a log is here; `arena-store` accepts as much.

use std::time::Duration;

use arena_limits::limits;

/// Events of a room: an answer, an offer of a draw and its refusal for each of 16 seats in each of 1,000 turns, and
/// those before and at the end of the game. A game of Conquerors has at most 25. Answers of people and bots have some
/// 300 bytes, so the longest log has 5 MB.
pub const EVENTS_MAX: usize = 3 * 16 * 1_000 + 2 * JOINS_MAX + 100;

/// Bytes of an event's line with its newline: a detail of [`DETAIL_BYTES_MAX`]; or four notes with every byte escaped,
/// and sixteen opponents with their digests; or an action of [`ACTION_BYTES_MAX`] in hex; each with its surroundings.
pub const EVENT_BYTES_MAX: usize = 10 << 10;

/// Bytes of a legal action in a room. Actions of Conquerors have at most 11.
pub const ACTION_BYTES_MAX: usize = 1 << 10;

/// Bytes of a forfeit's detail. The sandbox's longest has a few hundred bytes; longer ones are cut.
pub const DETAIL_BYTES_MAX: usize = 1 << 10;

/// Bytes of each of the texts semantics, build, ruleset and options, and of a contender's id. A bot's id has 71 bytes,
/// the semantics id 64.
pub const NOTE_BYTES_MAX: usize = 128;

/// How often people may join a room before its game, so that coming and going leaves space in the log for the game.
pub const JOINS_MAX: usize = 100;

/// The shortest time for a turn or a game, in milliseconds: with less, slow networks decide games.
pub const CLOCK_MS_MIN: u32 = 5_000;

/// The longest time for a turn or a game, in milliseconds: a clock must run out before a silent room is closed.
pub const CLOCK_MS_MAX: u32 = 3_600_000;

/// The longest increment for a turn, in milliseconds.
pub const INCREMENT_MS_MAX: u32 = 60_000;

limits! { pub LIMITS:
    /// Once it is cleaned.
    pub CHAT_CHARS_MAX: usize = 200, "chat_characters", "of a message in a room", "a sentence or two";
    /// Within [`CHAT_WITHIN`].
    pub CHAT_BURST: usize = 5, "chat_messages", "messages of a person in a room within 5 seconds",
        "people read them while they play";
}

/// See [`CHAT_BURST`].
pub const CHAT_WITHIN: Duration = Duration::from_secs(5);
