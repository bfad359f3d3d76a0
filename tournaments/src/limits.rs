//! Limits of definitions, each with its reason.

use arena_limits::limits;

limits! { pub LIMITS:
    pub DEFINITION_BYTES_MAX: usize = 1 << 20, "definition_bytes", "bytes", "bounds the work on a file from a stranger";
    pub OPENINGS_MAX: usize = 1_000, "openings_of_a_definition", "openings", "more pairs than most pairings have";
    pub ENTRANTS_MAX: usize = 1_024, "entrants", "of a tournament", "choosing a round of so many takes about a second";
    pub EACH_ENTRANTS_MAX: usize = 64, "entrants_of_a_round_robin", "of a round robin or a field",
        "more make more pairings than a table can show";
    pub ROUNDS_MAX: u32 = 64, "rounds", "of a Swiss or a ladder", "weights of pairings have room for them";
    pub NAME_CHARS_MAX: usize = 64, "tournament_name_chars", "characters", "one line";
    pub ENTRANT_NAME_CHARS_MAX: usize = 32, "entrant_name_chars", "characters", "one column of a table";
    pub DISPLAY_CHARS_MAX: usize = 48, "entrant_display_chars", "characters", "names of teams are longer";
    pub PAIRS_MAX: u32 = 10_000, "pairs", "pairs of games of a pairing", "narrows intervals to about one Elo point";
    pub FIELD_GAMES_MAX: u32 = 10_000, "games_of_a_field", "games of a field, whose games have more than two seats",
        "as many as the founding document of Game of Game of Life plays; each takes up to half a megabyte of the journal";
    pub FUEL_MAX: u64 = 1_000_000_000_000, "fuel_of_a_definition", "fuel", "some minutes of a processor";
    pub MEMORY_BYTES_MAX: u64 = 64 << 20, "memory_bytes_of_a_definition", "bytes", "what the sandbox reserves";
    pub MODULE_BYTES_MAX: u64 = 16 << 20, "module_bytes_of_a_definition", "bytes", "bounds what compiling costs";
    pub WALL_MS_MAX: u64 = 600_000, "wall_ms_of_a_definition", "milliseconds",
        "more would let a broken machine hang for long";
}

/// Characters of the name of a ruleset or of a built-in opponent: far more than any has.
pub const ID_CHARS_MAX: usize = 64;
/// Characters of a ruleset's options: far more than all options of any ruleset together.
pub const OPTIONS_CHARS_MAX: usize = 256;
/// Characters of the path of a bot's file.
pub const FILE_CHARS_MAX: usize = 1_024;
/// Entrants; two make a match.
pub const ENTRANTS_MIN: usize = 2;
/// Round robins in one tournament: a single and a double one.
pub const CYCLES_MAX: u32 = 2;
/// Pairs per entrant after which a tournament stops even if nothing is settled.
pub const STOP_PAIRS_MAX: u32 = 100_000;
/// The narrowest interval on either side of a rating that a stop may require, in Elo points; less takes too many games.
pub const STOP_WITHIN_MIN: u32 = 5;
/// See [`STOP_WITHIN_MIN`]; a wider interval is useless.
pub const STOP_WITHIN_MAX: u32 = 1_000;
/// The minimum confidence in the order of the first places at a stop, in thousandths.
pub const CONFIDENCE_PER_MILLE_MIN: u32 = 500;
/// See [`CONFIDENCE_PER_MILLE_MIN`]; more would never be reached.
pub const CONFIDENCE_PER_MILLE_MAX: u32 = 999;
/// The largest rating of an anchor, above or below zero, in Elo points: with it all ratings of a table have five digits
/// at most.
pub const ANCHOR_RATING_MAX: i32 = 10_000;
/// Bytes of a page of memory, of which a bot's memory is a multiple.
pub const MEMORY_PAGE_BYTES: u64 = 64 << 10;
/// Milliseconds of the wall budget; less would strike honest bots on a busy machine.
pub const WALL_MS_MIN: u64 = 100;
/// The default wall budget: far more than the fuel can buy.
pub const WALL_MS_DEFAULT: u64 = 10_000;
/// The largest seed: representable for every reader of TOML and JSON.
pub const SEED_MAX: u64 = i64::MAX as u64;
