//! Limits of definitions, each with its reason.

/// Bytes of a definition: bounds the work on a file from a stranger. The longest full text takes less than half.
pub const DEFINITION_BYTES_MAX: usize = 1 << 20;
/// Characters of the name of a ruleset or of a built-in opponent: far more than any has.
pub const ID_CHARS_MAX: usize = 64;
/// Characters of a ruleset's options: far more than all options of any ruleset together.
pub const OPTIONS_CHARS_MAX: usize = 256;
/// Openings that a definition names: more pairs than most pairings have.
pub const OPENINGS_MAX: usize = 1_000;
/// Characters of the path of a bot's file.
pub const FILE_CHARS_MAX: usize = 1_024;
/// Entrants; two make a match.
pub const ENTRANTS_MIN: usize = 2;
/// Entrants of any format: choosing a round of so many takes a second, and the manifest less than a megabyte.
pub const ENTRANTS_MAX: usize = 1_024;
/// Entrants of a round robin: more would make more pairings than a table can show.
pub const EACH_ENTRANTS_MAX: usize = 64;
/// Rounds of a Swiss tournament or a ladder: more would not fit the weights of pairings.
pub const ROUNDS_MAX: u32 = 64;
/// Round robins in one tournament: a single and a double one.
pub const CYCLES_MAX: u32 = 2;
/// Characters of a tournament's name: one line.
pub const NAME_CHARS_MAX: usize = 64;
/// Characters of an entrant's name: one column of a table.
pub const ENTRANT_NAME_CHARS_MAX: usize = 32;
/// Characters of an entrant's name for people: the names of teams are longer.
pub const DISPLAY_CHARS_MAX: usize = 48;
/// Pairs of games per pairing, and pairs after a level match.
pub const PAIRS_MAX: u32 = 10_000;
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
/// Games of more than two seats: as many as the founding document of Game of Game of Life plays. The record of each
/// takes up to half a megabyte of the journal.
pub const FIELD_GAMES_MAX: u32 = 10_000;
/// Fuel of a turn or a start: some minutes of a processor.
pub const FUEL_MAX: u64 = 1_000_000_000_000;
/// Bytes of a bot's memory: what the sandbox reserves.
pub const MEMORY_BYTES_MAX: u64 = 64 << 20;
/// Bytes of a page of memory, of which a bot's memory is a multiple.
pub const MEMORY_PAGE_BYTES: u64 = 64 << 10;
/// Bytes of a module: bounds what compiling costs.
pub const MODULE_BYTES_MAX: u64 = 16 << 20;
/// Milliseconds of the wall budget; less would strike honest bots on a busy machine.
pub const WALL_MS_MIN: u64 = 100;
/// See [`WALL_MS_MIN`]; more would let a broken machine hang for long.
pub const WALL_MS_MAX: u64 = 600_000;
/// The default wall budget: far more than the fuel can buy.
pub const WALL_MS_DEFAULT: u64 = 10_000;
/// The largest seed: representable for every reader of TOML and JSON.
pub const SEED_MAX: u64 = i64::MAX as u64;
