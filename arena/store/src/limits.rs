//! What may grow, and how far.

use arena_limits::{Limit, limits};
use arena_record::Budgets;
use arena_rooms::EVENTS_MAX;

limits! { pub(crate) LIMITS:
    /// What fits into a row of the standings on a phone, after normalisation.
    pub DISPLAY_NAME_CHARS_MAX: usize = 32, "display_name_chars", "characters", "fits a row of the standings";
    /// ASCII characters, of a bot or a tournament.
    pub NAME_BYTES_MAX: usize = 32, "name_bytes", "bytes of a bot's name", "fits a row of the standings";
    /// What is kept of it, newlines included.
    pub SAMPLE_LOG_BYTES_MAX: usize = 32 << 10, "sample_log_bytes", "bytes of a sample game's log",
        "more than a sandbox lets a bot log";
    /// At most 640 KiB of a bot of two seats.
    pub LOGGED_VERSIONS_MAX: usize = 10, "logged_versions", "versions of a bot whose sample games' logs are kept",
        "those that an author compares; earlier ones make room";
    pub CONTEST_EVENTS_MAX: u32 = 1_000, "tournament_events", "lines of a tournament's log",
        "everybody comes and goes a few times";
}

/// The largest module of a bot, in bytes: what tournaments accept.
pub const MODULE_BYTES_MAX: u64 = Budgets::DEFAULT.module_bytes;

/// How many bytes of each text of an objection are kept. Messages quote the module, so their length is up to the
/// submitter.
pub const OBJECTION_TEXT_BYTES_MAX: usize = 2048;

/// The most games of a tournament that are indexed: the maximum of a tournament.
pub const GAMES_PER_TOURNAMENT_MAX: usize = 200_000;

/// The most rows that one call returns. Bounds the time and memory of a request.
pub const PAGE_MAX: u32 = 100;

/// The period in which versions of a bot count towards [`Limits::versions_per_bot_per_day_max`], in seconds.
pub(crate) const DAY_SECONDS: i64 = 86_400;

/// Declares [`Limits`]: each with its usual value, its name, unit and reason in the list, and what an operator may make
/// of it, if no result depends on it.
macro_rules! quotas {
    ($(
        $(#[$doc:meta])*
        $field:ident: $type:ty = $value:expr, $name:literal, $unit:literal, $reason:literal $(, $min:literal..=$max:literal)?;
    )+) => {
        /// Limits of what a store keeps; tests set small ones.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Limits {
            $(#[doc = concat!("`", $name, "`: ", $unit, "; ", $reason, ".")]
            ///
            $(#[$doc])*
            pub $field: $type,)+
            /// How long a write may wait for others, in milliseconds, before it fails as `Unavailable`.
            pub wait_ms_max: u64,
        }

        impl Limits {
            /// The usual limits. A write waits longer than the longest one takes (an index of 200,000 games: about
            /// three seconds), and shorter than a person's patience.
            pub const DEFAULT: Limits = Limits { $($field: $value,)+ wait_ms_max: 5_000 };

            /// Those that an operator may adjust, with the lowest and the highest value.
            pub const ADJUSTABLE: &[(&'static str, u64, u64)] = &[$($(($name, $min, $max),)?)+];

            /// For people to read, with all other limits of a store, and what these are unless they are adjusted.
            pub fn list(&self, default: &Limits) -> Vec<Limit> {
                let own = [$(
                    Limit::new($name, self.$field.into(), $unit, $reason)
                    $(.adjustable(default.$field.into(), $min, $max))?
                ),+];
                own.into_iter().chain(LIMITS.iter().cloned()).collect()
            }

            /// Adjusts the limit of this name, if that may have this value.
            pub(crate) fn adjust(&mut self, name: &str, value: u64) {
                match name {
                    $($($name if ($min..=$max).contains(&value) => self.$field = value as $type,)?)+
                    _ => {}
                }
            }
        }
    };
}

quotas! {
    bots_per_account_max: u32 = 10, "bots", "of an account",
        "the games of the standing tournament grow with their square";
    /// New ones within any 86,400 seconds.
    versions_per_bot_per_day_max: u32 = 20, "versions_per_day", "of a bot within 24 hours",
        "each costs a compilation and its sample games; `arena check` judges at home as often as you like", 2..=200;
    /// At most 500 MiB of modules for a bot.
    versions_per_bot_max: u32 = 500, "versions", "of a bot", "all are kept";
    /// A few browsers on a few devices. One more ends the session that would expire first, so that a person who lost
    /// the cookies of old browsers is not locked out.
    sessions_per_account_max: u32 = 20, "sessions", "of an account", "one more signs out the oldest browser";
    /// Those of some years: one whose cookies were cleared is another. Some 100 bytes each. One more forgets the one in
    /// which the account signed in longest ago.
    browsers_per_account_max: u32 = 50, "browsers", "of an account that are remembered",
        "two accounts of one browser play no rated games with each other";
    /// Those that have not expired.
    tokens_per_account_max: u32 = 20, "tokens", "of an account", "one for each program and machine of a busy author",
        2..=100;
    /// Without deleted ones: of these a row of some 100 bytes stays, and creating accounts is limited by rates. About
    /// 30 MB of rows.
    accounts_max: u32 = 100_000, "accounts", "of the arena", "each is a few rows", 1..=100_000;
    /// As many as are considered together, at most.
    pending_max: u32 = 1_000, "pending", "submissions that wait for their verdict", "a quarter of an hour of judging",
        1..=1_000;
    pending_per_account_max: u32 = 10, "pending_per_account", "submissions of an account that wait",
        "more than an author tries while the first is judged", 2..=100;
    /// Of versions that are not refused: about a million bots of the usual size.
    module_bytes_max: u64 = 20 << 30, "modules_bytes", "bytes of all modules", "beyond it nothing new is taken";
    /// A server holds at most 4,000 in memory.
    open_rooms_max: u32 = 2_000, "open_rooms", "of the arena", "each is held in memory", 1..=3_000;
    /// And some that are left.
    open_rooms_per_owner_max: u32 = 10, "open_rooms_per_person", "of a person", "one or two games are played at once",
        2..=100;
    /// Some 40,000 games.
    finished_room_bytes_max: u64 = 256 << 20,
        "finished_rooms_bytes", "bytes of all finished games of rooms, rated ones of two people aside",
        "beyond them the oldest are forgotten";
    /// As many as there may be, at 5 kB each.
    rated_room_bytes_max: u64 = 1 << 30, "rated_rooms_bytes", "bytes of all rated games of two people",
        "beyond them the oldest go of the account that has most";
    /// A thousand a day for half a year: some 100 MB of rows.
    rated_games_max: u32 = 200_000, "rated_games", "rated games of two people that count for the leaderboard",
        "beyond them the oldest go of the account that has most";
    /// Against built-in opponents, or not rated. For each of the most accounts that there may be, the ten games that
    /// rated play requires: some 500 MB of rows.
    practice_games_max: u32 = 1_000_000, "practice_games", "other games that the leaderboard is made from",
        "beyond them the oldest go of the account that has most";
    /// Space for an edition being finished, a database's log and a backup.
    free_disk_bytes_min: u64 = 512 << 20, "free_disk_bytes", "free bytes of the disk",
        "with less, nothing new is taken";
    /// The most that a room appends, which is 5 MB to load at most; see there.
    events_per_room_max: u32 = EVENTS_MAX as u32, "room_events", "of a room", "bounds what is read to rebuild it";
    /// Two with entry open while one is played.
    contests_per_account_max: u32 = 5, "tournaments_per_account", "of an account that are not over",
        "leaves time for other accounts' tournaments", 2..=100;
    /// As many as fit one page.
    contests_max: u32 = 100, "tournaments", "of accounts that are not over", "all are looked at after a restart",
        2..=100;
    /// As many as two editions of the standing tournament have, within any 86,400 seconds.
    contest_games_per_day_max: u32 = 10_000,
        "tournament_games_per_day", "games of the tournaments that an account starts within 24 hours, at most",
        "leaves time for other accounts' tournaments",
        200..=100_000;
    contest_fuel_per_day_max: u64 = 9_600_000_000_000, "tournament_fuel_per_day", "fuel of these games, at most",
        "as much as two editions of a standing tournament",
        1_000_000_000_000..=200_000_000_000_000;
    /// Ten times what an account starts in a day.
    contest_games_max: u32 = 100_000, "tournaments_games", "games of all tournaments that are not over, at most",
        "bounds what is replayed after a restart";
    /// Some hours of two cores with bots as they are.
    contest_fuel_max: u64 = 200_000_000_000_000, "tournaments_fuel", "fuel of these games, at most",
        "bounds how long the last one waits";
    /// As many as the finished rooms that fit their budget: some 5 MB of rows. Beyond this only the day is known by
    /// which they were gone, and nothing tells a room that did not count from one that never was.
    gone_max: u32 = 40_000, "gone", "things that were removed and whose addresses say since when",
        "beyond them the oldest are forgotten";
    /// Up to a tenth of a core each.
    worlds_max: u32 = 4, "worlds", "of the arena", "each takes a part of a core, for ever";
    /// A day of a full world, or some weeks of a settled one.
    world_bytes_max: u64 = 256 << 20, "world_bytes", "bytes of a world's log",
        "beyond them its oldest spans are forgotten";
}

/// The part of a text that is kept. NUL characters are replaced: some databases refuse them, others take them for the
/// text's end.
pub(crate) fn kept(text: &str, bytes_max: usize) -> String {
    let mut text = text.replace('\0', "\u{fffd}");
    text.truncate(text.floor_char_boundary(bytes_max));
    text
}
