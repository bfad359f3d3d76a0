//! The limits on what can be gained, each with its reason.

/// Games against built-in opponents that an account must finish before rated games against people, so that a second
/// account costs an hour of play.
pub const PRACTICE_GAMES_MIN: u32 = 10;

/// Games of the same two that count on one day of UTC, namely the first ones: as many as friends play in an evening.
pub const PAIR_GAMES_A_DAY_MAX: u32 = 3;

/// One partner gives at most the total divided by this.
pub const PARTNER_PART: u64 = 10;
