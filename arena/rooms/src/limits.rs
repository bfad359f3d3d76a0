//! What bounds a room. Everything that can grow in a log is here.

/// Events of a room. A game of Conquerors has at most 25; the longest games of the family a few thousand turns. With
/// [`EVENT_BYTES_MAX`] it bounds what is read to rebuild a room.
pub const EVENTS_MAX: usize = 4_096;

/// Bytes of an event's line, with its newline: an action of [`ACTION_BYTES_MAX`] in hex, or a detail of
/// [`DETAIL_BYTES_MAX`] or four notes of which every byte is escaped, and what is around them.
pub const EVENT_BYTES_MAX: usize = 12 << 10;

/// Bytes of an action; as many as the sandbox takes from a bot.
pub const ACTION_BYTES_MAX: usize = 4 << 10;

/// Bytes of a forfeit's detail. The sandbox's longest has a few hundred; longer ones are cut.
pub const DETAIL_BYTES_MAX: usize = 1 << 10;

/// Bytes of each of the texts semantics, build, ruleset and options, and of a contender's id.
pub const NOTE_BYTES_MAX: usize = 256;

/// Bytes of a room's id.
pub const ROOM_ID_BYTES_MAX: usize = 64;
