//! What may grow, and how far.

use arena_record::Budgets;
use arena_rooms::EVENTS_MAX;

/// The longest display name, in characters after normalisation: what fits into a row of the standings on a phone.
pub const DISPLAY_NAME_CHARS_MAX: usize = 32;

/// The longest name of a bot or a tournament, in bytes, which are ASCII characters: as for display names.
pub const NAME_BYTES_MAX: usize = 32;

/// The largest module of a bot, in bytes: what tournaments accept.
pub const MODULE_BYTES_MAX: u64 = Budgets::DEFAULT.module_bytes;

/// How many bytes of each text of an objection are kept. Messages quote the module, so their length is up to the
/// submitter.
pub const OBJECTION_TEXT_BYTES_MAX: usize = 2048;

/// How many bytes of a bot's log of a sample game are kept: more than a sandbox lets a bot log, newlines included.
pub const SAMPLE_LOG_BYTES_MAX: usize = 32 << 10;

/// How many versions of a bot keep the logs of their sample games: what an author compares. At most 640 KiB of a bot of
/// two seats.
pub const LOGGED_VERSIONS_MAX: usize = 10;

/// The most games of a tournament that are indexed: the maximum of a tournament.
pub const GAMES_PER_TOURNAMENT_MAX: usize = 200_000;

/// The most rows that one call returns. Bounds the time and memory of a request.
pub const PAGE_MAX: u32 = 100;

/// The period in which versions of a bot count towards [`Limits::versions_per_bot_per_day_max`], in seconds.
pub(crate) const DAY_SECONDS: i64 = 86_400;

/// Limits that an operator may set; tests set small ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Accounts in the store, without deleted ones: of these a row of some 100 bytes stays, and creating accounts is
    /// limited by rates.
    pub accounts_max: u32,
    /// Open sessions of an account. One more ends the session that would expire first, so that a person who lost the
    /// cookies of old browsers is not locked out.
    pub sessions_per_account_max: u32,
    /// Browsers in which an account signed in. One more forgets the one in which it signed in longest ago.
    pub browsers_per_account_max: u32,
    /// Tokens of an account that have not expired.
    pub tokens_per_account_max: u32,
    /// Bots of an account.
    pub bots_per_account_max: u32,
    /// New versions of a bot within any 86,400 seconds.
    pub versions_per_bot_per_day_max: u32,
    /// Versions of a bot, ever.
    pub versions_per_bot_max: u32,
    /// Pending versions of an account's bots.
    pub pending_per_account_max: u32,
    /// Pending versions.
    pub pending_max: u32,
    /// Bytes of all kept modules, which are those of versions that are not refused.
    pub module_bytes_max: u64,
    /// Open rooms.
    pub open_rooms_max: u32,
    /// Open rooms of one person.
    pub open_rooms_per_owner_max: u32,
    /// Bytes of the logs of finished rooms, except those of rated games of two people. Beyond this the oldest are
    /// forgotten.
    pub finished_room_bytes_max: u64,
    /// Bytes of the logs of the rooms of rated games of two people.
    pub rated_room_bytes_max: u64,
    /// Rated games of two people that are kept for the leaderboard.
    pub rated_games_max: u32,
    /// Other games that are kept for the leaderboard: against built-in opponents, or not rated.
    pub practice_games_max: u32,
    /// Free bytes of the disk below which nothing new is accepted.
    pub free_disk_bytes_min: u64,
    /// Events of a room.
    pub events_per_room_max: u32,
    /// Unfinished tournaments of an account.
    pub contests_per_account_max: u32,
    /// Unfinished tournaments that accounts started.
    pub contests_max: u32,
    /// Maximum games of all tournaments that an account starts within any 86,400 seconds.
    pub contest_games_per_day_max: u32,
    /// Maximum fuel of these games.
    pub contest_fuel_per_day_max: u64,
    /// Maximum games of all unfinished tournaments together.
    pub contest_games_max: u32,
    /// Maximum fuel of these games.
    pub contest_fuel_max: u64,
    /// Worlds of the site.
    pub worlds_max: u32,
    /// Bytes of a world's log. Beyond this its oldest spans are forgotten.
    pub world_bytes_max: u64,
    /// Removed things that are remembered as gone. Beyond this the oldest are forgotten: then only the day is known by
    /// which they were gone, and nothing tells a room that did not count from one that never was.
    pub gone_max: u32,
    /// How long a write may wait for others, in milliseconds, before it fails as `Unavailable`.
    pub wait_ms_max: u64,
}

impl Limits {
    /// The limits unless an operator sets others.
    pub const DEFAULT: Limits = Limits {
        // About 30 MB of rows.
        accounts_max: 100_000,
        // A few browsers on a few devices.
        sessions_per_account_max: 20,
        // Those of some years: one whose cookies were cleared is another. Some 100 bytes each.
        browsers_per_account_max: 50,
        // One for each program and machine of a busy author.
        tokens_per_account_max: 20,
        // The standing tournament plays all against all: its games grow with the square of the bots.
        bots_per_account_max: 10,
        // Each costs a compilation and sample games on the machine that judges.
        versions_per_bot_per_day_max: 20,
        // At most 500 MiB of modules for a bot.
        versions_per_bot_max: 500,
        // More than an author tries while the first one is judged.
        pending_per_account_max: 10,
        // A quarter of an hour, at about a second each.
        pending_max: 1_000,
        // About a million bots of the usual size.
        module_bytes_max: 20 << 30,
        // Each live room is held in memory by the server.
        open_rooms_max: 2_000,
        // A person plays one or two games at once, and leaves some.
        open_rooms_per_owner_max: 10,
        // Some 40,000 games.
        finished_room_bytes_max: 256 << 20,
        // This many games, at 5 kB each.
        rated_room_bytes_max: 1 << 30,
        // A thousand a day for half a year: some 100 MB of rows.
        rated_games_max: 200_000,
        // For each of the most accounts that there may be, the ten games that rated play requires: some 500 MB of rows.
        practice_games_max: 1_000_000,
        // Space for an edition being finished, a database's log and a backup.
        free_disk_bytes_min: 512 << 20,
        // The most that a room appends, which is 5 MB to load at most; see there.
        events_per_room_max: EVENTS_MAX as u32,
        // Two with entry open while one is played.
        contests_per_account_max: 5,
        // As many as fit one page.
        contests_max: 100,
        // As many as two editions of the standing tournament.
        contest_games_per_day_max: 10_000,
        // As much as two editions of the standing tournament.
        contest_fuel_per_day_max: 9_600_000_000_000,
        // Ten times what an account starts in a day.
        contest_games_max: 100_000,
        // Some hours of two cores with bots as they are.
        contest_fuel_max: 200_000_000_000_000,
        // Each takes up to a tenth of a core, all the time.
        worlds_max: 4,
        // A day of a full world, or some weeks of a settled one.
        world_bytes_max: 256 << 20,
        // As many as the finished rooms that fit their budget: some 5 MB of rows.
        gone_max: 40_000,
        // Longer than the longest write (an index of 200,000 games takes about three seconds), shorter than a person's
        // patience.
        wait_ms_max: 5_000,
    };
}

/// The part of a text that is kept. NUL characters are replaced: some databases refuse them, others take them for the
/// text's end.
pub(crate) fn kept(text: &str, bytes_max: usize) -> String {
    let mut text = text.replace('\0', "\u{fffd}");
    text.truncate(text.floor_char_boundary(bytes_max));
    text
}
