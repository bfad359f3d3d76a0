//! What may grow, how often is tried, and how long is waited; each with its reason.

use std::time::Duration;

use arena_limits::limits;
use arena_sandbox::COMPILE_WEIGHT_TOTAL_MAX;

limits! { pub LIMITS:
    pub FIELD_ENTRANTS_MAX: usize = 16, "field_entrants", "of an edition of a game with more than two seats",
        "the two-seat games that break ties grow with their square";
    pub BOTS_PER_OWNER_MAX: usize = 3, "tournament_bots_per_owner", "of an account in a tournament of an account",
        "more would take others' places, and could help one of them";
    pub EDITION_BOTS_PER_OWNER_MAX: usize = arena_store::Limits::DEFAULT.bots_per_account_max as usize,
        "field_bots_per_owner_max", "of an account in an edition that the operator may allow",
        "all bots that an account may have";
    /// Fuel of all games of an edition together, if each lasts as long as possible: 4,000 games of Conquerors. With
    /// bots as they are these take some minutes of two cores, and give confidence intervals that separate neighbours.
    pub EDITION_FUEL: u64 = 4_800_000_000_000, "edition_fuel", "fuel of an edition's games",
        "bounds how long an edition is played";
    pub EDITION_ANSWERS: u64 = 500_000, "edition_answers", "in an edition's games", "each is 100 bytes of a record";
    /// Cells that the automaton computes in all games of an edition, which limits games on large boards: thirty games
    /// of Life2 take seconds of a core, and some minutes where everything is checked.
    pub EDITION_CELLS: u64 = 50_000_000_000, "edition_cells", "of the boards of an edition's games",
        "a large board takes long to advance";
    pub PAIRS_MAX: u32 = 20, "edition_pairs", "pairs of games of a pairing",
        "a small field does not need hundreds of them";
    /// Pairs of games that a newcomer plays against each built-in opponent, if there are more newcomers than places:
    /// enough to tell a bot that wins from one that loses. Before an edition newcomers together play at most as many
    /// games as the edition aims at, so that its entrants wait at most twice as long.
    pub QUALIFYING_PAIRS: u32 = 1, "qualifying_pairs", "pairs of games of a newcomer against each built-in opponent",
        "where there are more newcomers than places in an edition; they tell who wins from who loses";
    pub EDITIONS_KEPT_MAX: usize = 50, "editions_kept", "of a game", "each has some 100 MB at most";
    pub CONTEST_ENTRANTS_MAX: usize = 64, "tournament_entrants", "of a tournament of an account",
        "a page of them; more play at home";
    pub CONTEST_ENTRIES_OF_BOT_MAX: usize = 3, "tournament_entries_of_bot", "times that a bot enters a tournament",
        "its author may change their mind";
    /// Fuel of all games of a tournament that an account starts, if each lasts as long as possible: as for an edition.
    /// This, and no number of games, bounds the processor time that it takes; what the operator starts is bounded as at
    /// home.
    pub CONTEST_FUEL_MAX: u64 = EDITION_FUEL,
        "tournament_fuel", "fuel of the games of a tournament of an account, at most",
        "as much as an edition of a standing tournament";
    pub CHALLENGE_GAMES_MAX: u32 = 200, "challenge_games", "games of a challenge", "minutes of two cores";
    pub CONTEST_ENTRY_DAYS_MAX: i64 = 30, "tournament_entry_days", "days that entry of a tournament is open",
        "a forgotten one expires";
    pub CONTEST_INVITED_MAX: usize = CONTEST_ENTRANTS_MAX,
        "tournament_invited", "accounts that are invited to a tournament", "as many as may enter";
    pub CONTEST_OPENINGS_BYTES_MAX: usize = arena_store::CONTEST_EVENT_BYTES_MAX / 2,
        "tournament_openings_bytes", "bytes of the openings of a tournament of an account",
        "half of a line of its log, which has its entrants, too";
    pub CONTESTS_KEPT_MAX: usize = 200, "tournaments_kept", "tournaments of accounts that are over",
        "beyond them the oldest are forgotten";
    pub THINKING_MAX: usize = 4, "thinking", "players in rooms that think at once",
        "each keeps a core busy, usually for less than a second";
    pub THINKING_RESERVE: usize = 2, "thinking_reserve", "of these for built-in opponents and games in progress",
        "opening rooms does not hold them up";
    pub JUDGE_SLOTS: usize = 2, "judged_at_once", "submissions that are judged at once",
        "accounts take turns; each keeps a core busy";
    pub JUDGE_RESERVE: usize = 1, "judged_light_at_least", "of these, for modules that are light to compile",
        "heavy ones go after them, one at a time: they take up to 10 s each";
    pub JUDGE_LIGHT_WEIGHT_MAX: u64 = COMPILE_WEIGHT_TOTAL_MAX / 8,
        "judged_light_weight", "weight of a module that is light to compile",
        "every bot of the gallery is lighter; it compiles in about a second";
    pub LOGS_AT_ONCE_MAX: usize = 1, "games_again_at_once", "games that are played again at once",
        "each takes a core; others wait for their turn";
    /// How long a room stays in the lobby's list without any event, in seconds, before it is closed: nobody wants to
    /// play there. Any other room that waits is closed when its host has been away for as long.
    pub WAITING_SECONDS_MAX: i64 = 600, "waiting_room_seconds", "seconds that the lobby lists a room without an event",
        "then it is closed: nobody wants to play there";
    /// How long a room of an account may be silent, in seconds, before it is closed: a long lunch. Abandoned rooms
    /// would take the places of new ones for ever.
    pub ROOM_SILENCE_SECONDS_MAX: i64 = 7_200, "room_silence_seconds", "seconds without an event in an account's room",
        "then it is closed, so that others have the place";
    pub GUEST_ROOM_SILENCE_SECONDS_MAX: i64 = 900,
        "guest_room_silence_seconds", "seconds without an event in a guest's room", "a guest may be gone for good";
    /// How long everybody for whom a game without a clock waits must have been away, in minutes, before the others may
    /// end it without a result: longer than a phone takes to find its network again.
    pub AWAY_MINUTES_MIN: u64 = 5,
        "room_away_minutes_min", "minutes for which everybody whose turn a game without a clock waits for has been away",
        "after them the others may end it without a result";
    pub ROOM_SILENCE_SECONDS_MIN: i64 = 60, "room_silence_seconds_min", "seconds without an event",
        "after them a room makes way for another when no place is left, the most silent one first";
    pub WORLD_CALLS_A_SPAN_MAX: u32 = 1_000, "world_calls", "calls in a world within 600 generations",
        "bounds what is computed again to verify them";
    pub WORLD_WALLETS_MAX: usize = 200_000, "world_wallets", "wallets of a world", "all are in every snapshot";
}

/// Folders of accounts' tournaments that stay open between two turns. Each takes an open file and less than 200 bytes
/// for each of its games. Any other folder is opened again, which replays its games by the rules: 0.06 ms for a game of
/// Conquerors, 3 ms for one of Game of Game of Life, so seconds at most before a turn of 30. After a restart each is
/// opened once.
pub(crate) const PAUSED_FOLDERS_MAX: usize = 8;

/// Entrants of an edition, built-in opponents among them: the limit of any tournament.
pub const ENTRANTS_MAX: usize = arena_tournaments::limits::EACH_ENTRANTS_MAX;
/// How often bots may enter a tournament in all: each may be taken out again, and the log needs room for its end.
pub const CONTEST_ENTRIES_MAX: usize =
    (arena_store::CONTEST_EVENTS_MAX as usize - CONTEST_ENTRANTS_MAX - CONTEST_ROUNDS_MAX) / 2 - 8;
/// Rounds of a tournament with late entry: one secret is drawn for each, each from the one before.
pub(crate) const CONTEST_ROUNDS_MAX: usize = arena_tournaments::limits::ROUNDS_MAX as usize;
/// Tournaments of an account that were cancelled before their start and are still listed. Each has only a log.
pub const CONTESTS_CANCELLED_OF_ACCOUNT_MAX: usize = 20;
/// The same of all accounts.
pub const CONTESTS_CANCELLED_MAX: usize = 200;
/// Tournaments whose standings stay in memory without watchers, each less than 500 kB: all that are kept or running, so
/// that asking for one after the other does not make the site read folders.
pub(crate) const CONTESTS_REMEMBERED_MAX: usize =
    CONTESTS_KEPT_MAX + arena_store::Limits::DEFAULT.contests_max as usize;
/// The shortest pause between two looks at the standings of a running tournament, and how many times as long as the
/// last look the pause is at least.
pub(crate) const CONTEST_LOOKS: (Duration, u32) = (Duration::from_secs(1), 20);
/// The pause between two counts of the games that newcomers have played in an edition so far: each looks at all games.
pub(crate) const NEWCOMERS_LOOK: Duration = Duration::from_secs(1);
/// How long a tournament that waits for its date sleeps at most.
pub(crate) const CONTEST_SLEEP_MAX: Duration = Duration::from_secs(60);
/// How long a tournament is played before another may continue: if something of the other has changed or its date has
/// come, such as a new bot, and if only its games wait. A tournament is played to its end if nothing waits.
pub(crate) const STANDING_TURNS: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(30));
/// The shortest and the longest pause before the standing tournament is tried again.
pub(crate) const STANDING_PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
/// How often a started edition is retried when one of its frozen bots is suddenly refused: a very busy machine may take
/// too long to compile it.
pub(crate) const REFUSED_TRIES: u32 = 5;

/// How often a version is tried in a row when the machine fails, before others have their turn.
pub const JUDGE_TRIES: u32 = 3;
/// The shortest and the longest pause before such a version is tried again.
pub(crate) const JUDGE_PAUSES: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(3_600));
/// Pending versions that are considered together. Each takes about 200 bytes.
pub(crate) const QUEUE_MAX: usize = 1_000;

/// Rooms in memory. One of two seats takes at most 100 kB. One of 16 seats takes 5 MB after 1,000 turns, which take its
/// people hours.
pub const LIVE_ROOMS_MAX: usize = 4_000;
/// How long a room that is neither held nor watched stays in memory: longer than a page takes to reload.
pub const ROOM_IDLE: Duration = Duration::from_secs(60);
/// How often idle rooms are looked for.
pub(crate) const SWEEP_EVERY: Duration = Duration::from_secs(15);
/// The cost of a built-in opponent's turn, in fuel: the slowest take some ten milliseconds.
pub(crate) const BUILT_IN_COST: u64 = 10_000_000;
/// How far a player who was idle gets ahead of those who always wait, in fuel: one turn.
pub(crate) const THINKING_CREDIT: u64 = 50_000_000;
/// The fixed cost of a verdict, in fuel: a process is started, and up to four games are played by the rules. Also how
/// far an account that was idle gets ahead of those that always wait.
pub(crate) const JUDGE_COST: u64 = 10_000_000;
/// The cost of compiling for each unit of a module's weight, in fuel: about 2 microseconds, as long as the slowest
/// operators take for it.
pub(crate) const JUDGE_WEIGHT_FUEL: u64 = 100;
/// Bots of rooms whose processes wait for their next turn, about 20 MB each. Any other bot is rebuilt for every turn,
/// which costs milliseconds.
pub const SEATED_BOTS_MAX: usize = 32;
/// Compiled bots that are kept for rooms, each a module of 1 MiB at most.
pub(crate) const BOTS_REMEMBERED_MAX: usize = 64;
/// How often a player is tried in a row when the machine fails, before people see it.
pub const QUICK_TRIES: u32 = 3;
/// The shortest and the longest pause between the tries after that.
pub(crate) const ASK_PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));
/// How often an event is proposed again when another one took its place in the log.
pub(crate) const APPEND_TRIES: u32 = 3;
/// Messages that a room keeps, in memory only, for people who reload or come later.
pub(crate) const CHAT_KEPT_MAX: usize = 50;
/// Bytes of their texts as JSON. A newcomer gets all of them at once, and a socket that is not read from holds them.
pub(crate) const CHAT_KEPT_BYTES_MAX: usize = 8 << 10;
/// How long a player counts as present after their last page or poll: between two polls nothing is connected.
pub(crate) const HERE_FOR: Duration = Duration::from_secs(5);
/// Reported messages that the operator sees: as many as one can read. At most 100 kB.
pub const REPORTS_KEPT_MAX: usize = 100;
/// Rooms that the lobby lists of each kind: as many as one can look over.
pub const LOBBY_ROWS_MAX: usize = 50;
/// The pause before recording an expired clock is retried, or a store that refused a turn is asked whether it takes
/// one.
pub(crate) const FLAG_PAUSE: Duration = Duration::from_secs(1);
/// How often silent rooms are closed.
pub(crate) const CLEAN_EVERY: Duration = Duration::from_secs(30);

/// People on a page of the leaderboard. With the person who asks these are as many as the store names in one call.
pub const LEADERS_MAX: usize = 99;

/// Seconds after its end before a game may enter the leaderboard: by then all games that ended in the same second are
/// in the store.
pub(crate) const TALLY_AFTER_SECONDS: i64 = 2;

/// Games of a tournament that are asked for at once if workers play them: more than the workers of a few machines
/// claim.
pub const ELSEWHERE_GAMES: usize = 64;
/// How often the queue is asked whether games have ended. The store announces it, but an announcement may be missed.
pub(crate) const QUEUE_LOOKS: Duration = Duration::from_secs(1);
/// The shortest and the longest pause after a queue did not answer.
pub(crate) const QUEUE_PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));
/// How often games without an end are asked for once more: a database that was restored may not know them.
pub(crate) const QUEUE_ASK_AGAIN: Duration = Duration::from_secs(60);
/// How long games may wait for workers before the log says so.
pub(crate) const QUEUE_SILENCE: Duration = Duration::from_secs(60);
/// How old the noted last use of an own worker's token must be before a use is noted again, in seconds.
pub const WORKER_NOTED_SECONDS: i64 = 20;
/// How long a tournament waits for a worker that asks for nothing, in seconds: several times as long as a use goes
/// unnoted. An idle worker asks each second.
pub(crate) const WORKER_THERE_SECONDS: i64 = 60;
/// How long a tournament whose games are all played waits for sampled ones to be compared, in seconds: ten times as
/// long as for a silent worker. One that is there may be unable to play them.
pub(crate) const SAMPLE_WAIT_SECONDS: i64 = 600;
/// How often a tournament looks whether its sampled games are compared, in seconds.
pub(crate) const SAMPLES_SECONDS: i64 = 1;
/// Bytes of bots in a worker's cache: 256 of the largest.
pub(crate) const CACHE_BYTES_MAX: u64 = 256 << 20;
/// Bots that a worker remembers as checked: those of two tournaments.
pub(crate) const WORKER_BOTS_MAX: usize = 128;
/// How often a worker that is to stop tries to hand its games back: a second, if nobody is there to answer.
pub(crate) const HAND_BACK_TRIES: u32 = 3;
/// How long it waits for each answer. Its leases expire by themselves.
pub(crate) const HAND_BACK_WAIT: Duration = Duration::from_secs(5);
/// How often a server sends what is new in the tournament that it plays. At most this much is played again if it dies.
pub(crate) const SEND_EVERY: Duration = Duration::from_secs(10);
/// How often a server looks at what another one plays, to show it.
pub(crate) const FOLLOW_EVERY: Duration = Duration::from_secs(1);
/// How long a server keeps a duty without renewing it. After its death another server takes over this much later.
pub(crate) const DUTY_LEASE: Duration = Duration::from_secs(5);
/// How much earlier a lease ends for its holder than in the store: longer than asking for it takes.
pub(crate) const DUTY_MARGIN: Duration = Duration::from_secs(1);
/// How often duties are renewed.
pub(crate) const DUTY_KEEP: Duration = Duration::from_secs(1);
/// How often a server tries to take a duty that another one has.
pub(crate) const DUTY_LOOK: Duration = Duration::from_millis(500);
/// How often the store is asked for news if it does not ring.
pub(crate) const NEWS_EVERY: Duration = Duration::from_secs(1);
/// How often a server tells the others who is in its rooms: more than once in [`HERE_FOR`].
pub(crate) const HERE_EVERY: Duration = Duration::from_secs(2);
/// An event from another server counts as old as its news, unless its second is longer ago than this. The store has
/// whole seconds only, and people's clocks run from the event.
pub(crate) const NEWS_LATE: Duration = Duration::from_secs(3);
/// The time between two generations of a world: ten a second, as its founding document says.
pub const GENERATION_EVERY: Duration = Duration::from_millis(100);
/// Generations that an empty world without watchers computes at once: waking up for each would be most of its cost.
pub(crate) const RESTING_GENERATIONS: u32 = 10;
/// After how many generations a server tells the others how far a world is.
pub(crate) const WORLD_SAID_EVERY: u64 = 5;
/// How long a server waits for a message of its own. Servers get it within milliseconds, unless it is lost.
pub(crate) const MESSAGE_PATIENCE: Duration = Duration::from_secs(1);
/// How long a server waits for another one to answer a call in a world.
pub(crate) const WORLD_ANSWER: Duration = Duration::from_secs(5);
/// The pause before a world whose write failed is retried.
pub(crate) const WORLD_PAUSE: Duration = Duration::from_secs(1);
/// How long such a span lasts, in seconds; then the next one has room.
pub const WORLD_SPAN_SECONDS: u64 = arena_world::CHECKED_EVERY * GENERATION_EVERY.as_millis() as u64 / 1_000;
/// Bots of a world that stay loaded: all that it has, and some that it had before.
pub(crate) const WORLD_BOTS_KEPT_MAX: usize = 2 * arena_world::BOTS_MAX;
/// How old a snapshot of a world may be, in generations. For five seconds without a call everybody who comes gets the
/// same one and steps on from it.
pub(crate) const WORLD_SNAPSHOT_GENERATIONS: u64 = 50;

/// How long closing waits for games and writes in progress. Nothing is lost if they take longer.
pub const CLOSE_GRACE: Duration = Duration::from_secs(2);
/// How long closing takes in all, handing over the duties and closing the store included.
pub const CLOSE_MAX: Duration = Duration::from_millis(2_750);
/// How long the process then waits for threads that are still at work.
pub const THREADS_GRACE: Duration = Duration::from_millis(100);

/// The pause after this many failures in a row, at least one: it doubles from the first limit to the second.
pub(crate) fn pause((shortest, longest): (Duration, Duration), failures: u32) -> Duration {
    let doublings = failures.saturating_sub(1).min(16);
    (shortest * (1 << doublings)).min(longest)
}

/// Fuel that profiling a bot in one game may take, in units: about a second of a processor. At home,
/// `arena check --profile` takes as much as it needs.
pub const PROFILE_FUEL_MAX: u64 = 2_000_000_000;
/// Functions in such a profile.
pub const FUNCTIONS_TOLD: usize = 20;

const _: () = assert!(16 * WORLD_WALLETS_MAX + (512 << 10) <= arena_world::STATE_BYTES_MAX);
const _: () = assert!(arena_world::OPENED_BYTES_MAX <= arena_store::WORLD_LINE_BYTES_MAX);
const _: () = assert!(CLOSE_GRACE.as_millis() < CLOSE_MAX.as_millis());
const _: () = assert!(WORLD_CALLS_A_SPAN_MAX + 2 < arena_store::WORLD_SPAN_LINES_MAX);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_grow_to_their_limit() {
        let seconds = |failures| pause(STANDING_PAUSES, failures).as_secs();
        let found: Vec<u64> = [0, 1, 2, 3, 6, 7, 8, u32::MAX].into_iter().map(seconds).collect();
        assert_eq!(found, [1, 1, 2, 4, 32, 60, 60, 60]);
    }
}
