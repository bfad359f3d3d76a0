//! How large a tournament may get.

use arena_limits::limits;
use arena_record::RECORD_BYTES_MAX;
use arena_rules::game_of_game_of_life::SEATS_MAX;
use arena_tournaments::limits::FIELD_GAMES_MAX;

/// The longest line of a journal, in bytes: a record, and less than 64 bytes before it.
pub const LINE_BYTES_MAX: u64 = RECORD_BYTES_MAX as u64 + 64;

/// The larger of two numbers.
const fn max(one: u64, other: u64) -> u64 {
    if one > other { one } else { other }
}

limits! { pub LIMITS:
    pub GAMES_MAX: usize = 200_000, "games", "of a tournament",
        "each takes 200 bytes of memory, and of the journal 4 kB in Conquerors and up to 100 kB with two seats elsewhere";
    /// As many games as a field has with records as long as any may be; or as many as any tournament has with two
    /// seats, which are an eighth of the seats of the largest field.
    pub JOURNAL_BYTES_MAX: u64 = max(
        FIELD_GAMES_MAX as u64 * LINE_BYTES_MAX,
        GAMES_MAX as u64 * LINE_BYTES_MAX * 2 / SEATS_MAX as u64,
    ), "journal_bytes", "bytes of a tournament's journal",
        "as many games as there may be with the longest records; an archive with more is refused";
}
