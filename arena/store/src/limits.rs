//! What may grow, and how far.

use arena_record::Budgets;
use arena_rooms::EVENTS_MAX;

/// The longest display name, in characters after normalisation: what fits a row of the standings on a phone.
pub const DISPLAY_NAME_CHARS_MAX: usize = 32;

/// The longest name of a bot or a tournament, in bytes, which are characters there: as for display names.
pub const NAME_BYTES_MAX: usize = 32;

/// The largest module of a bot, in bytes: what tournaments accept.
pub const MODULE_BYTES_MAX: u64 = Budgets::DEFAULT.module_bytes;

/// How much of each text of an objection is kept, in bytes. Messages quote the module, so their length is the submitter's.
pub const OBJECTION_TEXT_BYTES_MAX: usize = 2048;

/// How much of a bot's log of a sample game is kept, in bytes: more than a sandbox lets a bot log, newlines included.
pub const SAMPLE_LOG_BYTES_MAX: usize = 32 << 10;

/// The most games of a tournament that are indexed: as many as a tournament may have.
pub const GAMES_PER_TOURNAMENT_MAX: usize = 200_000;

/// The most rows that one reading method returns: bounds the time and memory of a request.
pub const PAGE_MAX: u32 = 100;

/// Over how long versions of a bot are counted against [`Limits::versions_per_bot_per_day_max`], in seconds.
pub(crate) const DAY_SECONDS: i64 = 86_400;

/// Limits that an operator may choose; tests choose small ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Accounts of the whole store.
    pub accounts_max: u32,
    /// Open sessions of an account. One more ends the one that would expire first: a person who lost the cookies of old
    /// browsers must not be locked out.
    pub sessions_per_account_max: u32,
    /// Tokens of an account, those that are over not counted.
    pub tokens_per_account_max: u32,
    /// Bots of an account.
    pub bots_per_account_max: u32,
    /// New versions of a bot within any 86,400 seconds.
    pub versions_per_bot_per_day_max: u32,
    /// Versions of a bot, ever.
    pub versions_per_bot_max: u32,
    /// Versions of an account's bots that wait for their verdict.
    pub pending_per_account_max: u32,
    /// Versions that wait for their verdict.
    pub pending_max: u32,
    /// Bytes of all modules that are kept: those of versions that are not refused.
    pub module_bytes_max: u64,
    /// Rooms that are open at once.
    pub open_rooms_max: u32,
    /// Rooms of one person that are open at once.
    pub open_rooms_per_owner_max: u32,
    /// Bytes of the logs of finished rooms, those of rated games of two people aside. Beyond them the oldest are forgotten.
    pub finished_room_bytes_max: u64,
    /// Bytes of the logs of the rooms of rated games of two people.
    pub rated_room_bytes_max: u64,
    /// Rated games of two people that are kept for the leaderboard.
    pub rated_games_max: u32,
    /// Other games that are kept for the leaderboard: against built-in opponents, or not rated.
    pub practice_games_max: u32,
    /// Free bytes of the disk below which nothing new is taken.
    pub free_disk_bytes_min: u64,
    /// Events of a room.
    pub events_per_room_max: u32,
    /// Tournaments that an account started and that are not over.
    pub contests_per_account_max: u32,
    /// Tournaments that accounts started and that are not over.
    pub contests_max: u32,
    /// Games that the tournaments have at most which an account starts within any 86,400 seconds.
    pub contest_games_per_day_max: u32,
    /// Fuel that these games use at most.
    pub contest_fuel_per_day_max: u64,
    /// Fuel that the games of all tournaments use at most that are not over.
    pub contest_fuel_max: u64,
    /// Worlds of the site.
    pub worlds_max: u32,
    /// Bytes of the log of a world. Beyond them its oldest spans are forgotten.
    pub world_bytes_max: u64,
    /// Removed things of which it is remembered since when they are gone. Beyond them the oldest are forgotten.
    pub gone_max: u32,
    /// How long a write may wait for others, in milliseconds, before it is `Unavailable`.
    pub wait_ms_max: u64,
}

impl Limits {
    /// What a store has unless its operator says otherwise.
    pub const DEFAULT: Limits = Limits {
        // About 30 MB of rows.
        accounts_max: 100_000,
        // A few browsers on a few devices.
        sessions_per_account_max: 20,
        // One for each program and machine of a busy author.
        tokens_per_account_max: 20,
        // The standing tournament plays all against all: its games grow with the square of the bots.
        bots_per_account_max: 10,
        // Each costs a compilation and a game on the machine that judges.
        versions_per_bot_per_day_max: 20,
        // At most 500 MiB of modules for a bot.
        versions_per_bot_max: 500,
        // More than an author tries while the first is judged.
        pending_per_account_max: 10,
        // At about a second each, a quarter of an hour.
        pending_max: 1_000,
        // A million bots of a usual size.
        module_bytes_max: 20 << 30,
        // Each live room is held in memory by the server.
        open_rooms_max: 2_000,
        // A person plays one or two games at once, and leaves some.
        open_rooms_per_owner_max: 10,
        // Some 40,000 games.
        finished_room_bytes_max: 256 << 20,
        // So many games, at 5 kB each.
        rated_room_bytes_max: 1 << 30,
        // A thousand a day for half a year: some 100 MB of rows.
        rated_games_max: 200_000,
        // What rated play takes of each account there may be, ten games: some 500 MB of rows.
        practice_games_max: 1_000_000,
        // An edition being finished, a database's log and a backup need some.
        free_disk_bytes_min: 512 << 20,
        // What a room appends at most: at most 5 MB to load of what games write, see there.
        events_per_room_max: EVENTS_MAX as u32,
        // Two that are entered while one is played.
        contests_per_account_max: 5,
        // A page of them.
        contests_max: 100,
        // Two editions of the standing tournament.
        contest_games_per_day_max: 10_000,
        // As much as two editions of the standing tournament may use.
        contest_fuel_per_day_max: 9_600_000_000_000,
        // Some hours of two cores with bots as they are.
        contest_fuel_max: 200_000_000_000_000,
        // Each takes up to a tenth of a core, for ever.
        worlds_max: 4,
        // A day of a world that is full, some weeks of one that is settled.
        world_bytes_max: 256 << 20,
        // As many as finished rooms fit their budget: some 5 MB of rows.
        gone_max: 40_000,
        // Longer than the longest write (an index of 200,000 games takes about three seconds), shorter than a person's
        // patience.
        wait_ms_max: 5_000,
    };
}

/// As much of a text as is kept. Zeros are replaced: some databases refuse them, others take them for the text's end.
pub(crate) fn kept(text: &str, bytes_max: usize) -> String {
    let mut text = text.replace('\0', "\u{fffd}");
    text.truncate(text.floor_char_boundary(bytes_max));
    text
}
