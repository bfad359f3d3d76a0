//! What bounds what can be gained, each with its reason.

/// Games against built-in opponents that an account finishes before it plays rated games with people: a second account costs an
/// hour of play.
pub const PRACTICE_GAMES_MIN: u32 = 10;

/// Games of the same two that count on one day of UTC, the first ones: as many as friends play in an evening.
pub const PAIR_GAMES_A_DAY_MAX: u32 = 3;

/// What one partner gives is at most the whole divided by this.
pub const PARTNER_PART: u64 = 10;
