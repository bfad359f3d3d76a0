//! What may grow, how often is tried, and how long is waited; each with its reason.

use std::time::Duration;

/// Folders of accounts' tournaments that stay open between two turns. Each takes an open file, and less than 200 bytes for each of its
/// games; any other is opened again, which replays its games by the rules: 0.06 ms for one of Conquerors, 3 ms for one of Game of Game
/// of Life, so seconds at most before a turn of 30. After a restart each is opened once.
pub(crate) const PAUSED_FOLDERS_MAX: usize = 8;

/// Entrants of an edition, built-in opponents among them: what a tournament may have.
pub const ENTRANTS_MAX: usize = arena_tournaments::limits::EACH_ENTRANTS_MAX;
/// Entrants of an edition of a game with more than two seats: a round robin of two-seat games breaks its ties, and grows
/// with their square.
pub const FIELD_ENTRANTS_MAX: usize = 16;
/// Bots of one owner in an edition: more would take others' places, and could help one of them.
pub const BOTS_PER_OWNER_MAX: usize = 3;
/// Fuel that all games an edition aims at may use together, if all last as long as they can: 4,000 games of Conquerors, some
/// minutes of two cores with bots as they are, and intervals that tell neighbours apart.
pub const EDITION_FUEL: u64 = 4_800_000_000_000;
/// Answers in all games that an edition aims at, if all last as long as they can. Each is about 100 bytes of a record: 50 MB.
pub const EDITION_ANSWERS: u64 = 500_000;
/// Cells that the automaton goes through in all games that an edition aims at: of a game on a large board there are fewer. Thirty games
/// of Life2, seconds of a core, and some minutes where everything is checked.
pub const EDITION_CELLS: u64 = 50_000_000_000;
/// Pairs of games per pairing at most: a field of three needs no 600 of them.
pub const PAIRS_MAX: u32 = 20;
/// Pairs of games that a newcomer plays against each built-in opponent, where there are more newcomers than places: enough to tell a
/// bot that wins from one that loses. Before an edition newcomers play as many games in all as that edition aims at, so that those
/// who are in wait for twice the time at most.
pub const QUALIFYING_PAIRS: u32 = 1;
/// Editions of a game that are kept, each with some 100 MB at most: its records, once in the journal and once as files.
pub const EDITIONS_KEPT_MAX: usize = 50;
/// Entrants of a tournament that an account starts: a page of them.
pub const CONTEST_ENTRANTS_MAX: usize = 64;
/// How often a bot enters a tournament: its author may change their mind.
pub const CONTEST_ENTRIES_OF_BOT_MAX: usize = 3;
/// How often bots enter a tournament in all: each may be taken out again, and its log has room for its end.
pub const CONTEST_ENTRIES_MAX: usize =
    (arena_store::CONTEST_EVENTS_MAX as usize - CONTEST_ENTRANTS_MAX - CONTEST_ROUNDS_MAX) / 2 - 8;
/// Rounds of a tournament that is entered late: as many secrets are drawn for it, one from the other.
pub(crate) const CONTEST_ROUNDS_MAX: usize = arena_tournaments::limits::ROUNDS_MAX as usize;
/// Games of a tournament that an account starts, if each uses little: more would not be looked at.
pub const CONTEST_GAMES_MAX: u64 = 5_000;
/// Fuel that all games of such a tournament may use together, if all last as long as they can: as for an edition.
pub const CONTEST_FUEL_MAX: u64 = EDITION_FUEL;
/// Games of a challenge, of two bots: minutes of two cores.
pub const CHALLENGE_GAMES_MAX: u32 = 200;
/// How long entry of a tournament may be open, in days: one that was forgotten ends some time.
pub const CONTEST_ENTRY_DAYS_MAX: i64 = 30;
/// Accounts that are invited to a tournament.
pub const CONTEST_INVITED_MAX: usize = CONTEST_ENTRANTS_MAX;
/// Bytes of the openings of such a tournament: half of a line of its log, which has its entrants, too.
pub const CONTEST_OPENINGS_BYTES_MAX: usize = arena_store::CONTEST_EVENT_BYTES_MAX / 2;
/// Tournaments of accounts that are kept when they are over, each with 100 MB at most.
pub const CONTESTS_KEPT_MAX: usize = 200;
/// Tournaments of an account that were cancelled before their start and are still listed. They have a log only.
pub const CONTESTS_CANCELLED_OF_ACCOUNT_MAX: usize = 20;
/// The same of all accounts.
pub const CONTESTS_CANCELLED_MAX: usize = 200;
/// Tournaments whose standings are held in memory while nobody watches them, each less than 500 kB: all that are kept or may go on,
/// so that nobody makes us read folders by asking for one after the other.
pub(crate) const CONTESTS_REMEMBERED_MAX: usize =
    CONTESTS_KEPT_MAX + arena_store::Limits::DEFAULT.contests_max as usize;
/// The shortest pause between two looks at the standings of a tournament that is played, and by how much it is longer than the
/// last look took.
pub(crate) const CONTEST_LOOKS: (Duration, u32) = (Duration::from_secs(1), 20);
/// How long a tournament that waits for its date is not looked at.
pub(crate) const CONTEST_SLEEP_MAX: Duration = Duration::from_secs(60);
/// How long the edition of a game is played before that of another may go on: when a bot of that one waits, and when only its
/// edition does. An edition is played whole if nobody waits.
pub(crate) const STANDING_TURNS: (Duration, Duration) = (Duration::from_secs(5), Duration::from_secs(30));
/// The shortest and the longest pause before the standing tournament is tried again.
pub(crate) const STANDING_PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(60));
/// How often a started edition is tried whose frozen bot is suddenly refused: a machine that is very busy may take too
/// long to compile it.
pub(crate) const REFUSED_TRIES: u32 = 5;

/// How often a version is tried when the machine failed, before others have their turn.
pub const JUDGE_TRIES: u32 = 3;
/// The shortest and the longest pause before such a version is tried again.
pub(crate) const JUDGE_PAUSES: (Duration, Duration) = (Duration::from_secs(60), Duration::from_secs(3_600));
/// Pending versions that are looked at together. Each is about 200 bytes.
pub(crate) const QUEUE_MAX: usize = 1_000;

/// Rooms in memory. One of two seats has at most 100 kB. One of 16 seats has 5 MB after 1,000 turns, which take its people hours.
pub const LIVE_ROOMS_MAX: usize = 4_000;
/// How long a room stays in memory when nobody holds or watches it: longer than a page takes to reload.
pub const ROOM_IDLE: Duration = Duration::from_secs(60);
/// How often rooms are looked through for idle ones.
pub(crate) const SWEEP_EVERY: Duration = Duration::from_secs(15);
/// Players of rooms that think at once. Each keeps a core busy, for less than a second as a rule.
pub const THINKING_MAX: usize = 4;
/// Of these, how many are for built-in opponents and for people whose game has begun: they go on, whatever rooms are opened.
pub const THINKING_RESERVE: usize = 2;
/// What a turn of a built-in opponent counts for, in fuel: the costliest take some ten milliseconds.
pub(crate) const BUILT_IN_COST: u64 = 10_000_000;
/// How far ahead of those who always wait somebody comes who was idle, in fuel: one turn.
pub(crate) const THINKING_CREDIT: u64 = 50_000_000;
/// Submissions that are judged at once.
pub const JUDGE_SLOTS: usize = 1;
/// What every verdict costs, in fuel: a process is started, and two games are played by the rules. Also how far ahead of those who
/// always wait an account comes that was idle.
pub(crate) const JUDGE_COST: u64 = 10_000_000;
/// What compiling costs for each unit of a module's weight, in fuel: about 2 microseconds, in which the slowest operators use as much.
pub(crate) const JUDGE_WEIGHT_FUEL: u64 = 100;
/// Games that are played once more at once, because somebody wants to read a bot's log.
pub const LOGS_AT_ONCE_MAX: usize = 1;
/// Bots of rooms whose processes wait for their next turn, about 20 MB each. Beyond it a bot is brought back for every
/// turn, which costs milliseconds.
pub const SEATED_BOTS_MAX: usize = 32;
/// Compiled bots that are remembered for rooms, at most a module of 1 MiB each.
pub(crate) const BOTS_REMEMBERED_MAX: usize = 64;
/// How often a player is tried at once when the machine failed, before people see it.
pub const QUICK_TRIES: u32 = 3;
/// The shortest and the longest pause between the tries after that.
pub(crate) const ASK_PAUSES: (Duration, Duration) = (Duration::from_secs(1), Duration::from_secs(30));
/// How often an event is proposed anew when another one took its place in the log.
pub(crate) const APPEND_TRIES: u32 = 3;
/// How long a room is in the lobby's list without anything happening, in seconds, before it is closed: nobody wants to play there.
pub const WAITING_SECONDS_MAX: i64 = 600;
/// Characters of a message in a room's chat, once it is cleaned.
pub const CHAT_CHARS_MAX: usize = 200;
/// Messages that a person may send in a room within [`CHAT_WITHIN`].
pub const CHAT_BURST: usize = 5;
/// See [`CHAT_BURST`].
pub const CHAT_WITHIN: Duration = Duration::from_secs(5);
/// Messages of a room that are kept, in memory only: who reloads sees what was said lately.
pub(crate) const CHAT_KEPT_MAX: usize = 50;
/// Bytes of their texts as JSON has them: who comes is told all of them at once, and a socket that nobody reads holds that.
pub(crate) const CHAT_KEPT_BYTES_MAX: usize = 8 << 10;
/// How long who plays counts as there after the last page or poll of theirs: between two polls nobody listens.
pub(crate) const HERE_FOR: Duration = Duration::from_secs(5);
/// Reported messages that the operator sees: what one reads through. At most 100 kB.
pub const REPORTS_KEPT_MAX: usize = 100;
/// Rooms that the lobby lists of each kind: what one looks over.
pub const LOBBY_ROWS_MAX: usize = 50;
/// The pause before it is tried again to write down whose time is up.
pub(crate) const FLAG_PAUSE: Duration = Duration::from_secs(1);
/// How long nothing may happen in a room of an account, in seconds, before it is closed: a long lunch. Rooms that were left
/// would take the places of new ones for ever.
pub const ROOM_SILENCE_SECONDS_MAX: i64 = 7_200;
/// The same for a guest's room: a guest is gone for good when its browser forgets the cookie.
pub const GUEST_ROOM_SILENCE_SECONDS_MAX: i64 = 900;
/// How long nothing may happen in a room, in seconds, before it is closed for another one when there is no place left: longer
/// than a person thinks about a turn.
pub const ROOM_SILENCE_SECONDS_MIN: i64 = 60;
/// How often silent rooms are closed.
pub(crate) const CLEAN_EVERY: Duration = Duration::from_secs(30);

/// People that a page of the leaderboard shows: with who asks as many as the store names at once.
pub const LEADERS_MAX: usize = 99;

/// Seconds after its end in which a game is taken into the leaderboard, at the soonest: by then all that ended in the same second are there.
pub(crate) const TALLY_AFTER_SECONDS: i64 = 2;

/// Games of a tournament that are asked for at once where others play them: more than the workers of a few machines claim.
pub const ELSEWHERE_GAMES: usize = 64;
/// How often it is looked whether games that others play have their ends.
pub(crate) const QUEUE_LOOKS: Duration = Duration::from_millis(100);
/// The same where the store tells of ends: one may be missed.
pub(crate) const QUEUE_LOOKS_TOLD: Duration = Duration::from_secs(1);
/// The shortest and the longest pause before a queue is asked again that did not answer.
pub(crate) const QUEUE_PAUSES: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));
/// How often games are asked for once more that have no end: a database that was restored may not know of them.
pub(crate) const QUEUE_ASK_AGAIN: Duration = Duration::from_secs(60);
/// How long games may wait for workers before the log says so.
pub(crate) const QUEUE_SILENCE: Duration = Duration::from_secs(60);
/// Bytes of bots that a worker keeps in its cache: some hundred of the largest.
pub(crate) const CACHE_BYTES_MAX: u64 = 256 << 20;
/// Bots that a worker remembers as checked: those of two tournaments.
pub(crate) const WORKER_BOTS_MAX: usize = 128;
/// How often a worker that is asked to stop tries to hand its games back: a second, if nobody answers.
pub(crate) const HAND_BACK_TRIES: u32 = 3;
/// How often a server sends what is new in the tournament that it plays: so much is played again if it dies.
pub(crate) const SEND_EVERY: Duration = Duration::from_secs(10);
/// How often a server looks at what another plays, to show it.
pub(crate) const FOLLOW_EVERY: Duration = Duration::from_secs(1);
/// How long a server has a duty that it does not prolong: after its death another goes on so much later.
pub(crate) const DUTY_LEASE: Duration = Duration::from_secs(5);
/// How much sooner than in the store a lease ends for who has it: by then it has asked, and was answered.
pub(crate) const DUTY_MARGIN: Duration = Duration::from_secs(1);
/// How often duties are prolonged.
pub(crate) const DUTY_KEEP: Duration = Duration::from_secs(1);
/// How often it is looked whether a duty is free that another server has.
pub(crate) const DUTY_LOOK: Duration = Duration::from_millis(500);
/// How often it is asked what other servers wrote, if nothing rings.
pub(crate) const NEWS_EVERY: Duration = Duration::from_secs(1);
/// How often a server tells the others who is in its rooms: more than once while they count as there.
pub(crate) const HERE_EVERY: Duration = Duration::from_secs(2);
/// An event that other servers wrote is taken to be as new as the news of it, unless its second is longer ago than this: seconds are all
/// that the store tells, and clocks of people run from it.
pub(crate) const NEWS_LATE: Duration = Duration::from_secs(3);
/// How often a world goes on by a generation: ten a second, as its founding document has it.
pub const GENERATION_EVERY: Duration = Duration::from_millis(100);
/// Generations of an empty world at which nobody looks that go by at once: waking up for each would be all that it costs.
pub(crate) const RESTING_GENERATIONS: u32 = 10;
/// Every how many generations a server tells the others how far a world is.
pub(crate) const WORLD_SAID_EVERY: u64 = 5;
/// How long another server may take to answer a call in a world.
pub(crate) const WORLD_ANSWER: Duration = Duration::from_secs(5);
/// The pause before a world that could not write is tried again.
pub(crate) const WORLD_PAUSE: Duration = Duration::from_secs(1);
/// Calls that a span of a world's log has place for, which is a minute: what verifying reads, and more than the shares of everybody.
pub const WORLD_CALLS_A_SPAN_MAX: u32 = 1_000;
/// How long such a span lasts, in seconds: then the next one has place.
pub const WORLD_SPAN_SECONDS: u64 = arena_world::CHECKED_EVERY * GENERATION_EVERY.as_millis() as u64 / 1_000;
/// Bots of a world that stay loaded: all that it has, and some that were there before.
pub(crate) const WORLD_BOTS_KEPT_MAX: usize = 2 * arena_world::BOTS_MAX;
/// Wallets of a world: each is 16 bytes of its state, which has at most 4 MiB.
pub const WORLD_WALLETS_MAX: usize = 200_000;
/// How old a snapshot of a world may be, in generations: for five seconds all who come get the same one, and step after it.
pub(crate) const WORLD_SNAPSHOT_GENERATIONS: u64 = 50;

/// How long closing waits for games and writes that are under way. Nothing is lost when it is over before they are.
pub const CLOSE_GRACE: Duration = Duration::from_secs(2);

/// The pause after so many failures in a row, at least one: it doubles from the first limit to the second.
pub(crate) fn pause((shortest, longest): (Duration, Duration), failures: u32) -> Duration {
    let doublings = failures.saturating_sub(1).min(16);
    (shortest * (1 << doublings)).min(longest)
}

/// Fuel that looking where a bot's fuel went in one game may take, in units: about a second of a processor. `arena check --profile` takes
/// as much as it needs, at home.
pub const PROFILE_FUEL_MAX: u64 = 2_000_000_000;
/// Functions that are told of such a game.
pub const FUNCTIONS_TOLD: usize = 20;

const _: () = assert!(16 * WORLD_WALLETS_MAX + (512 << 10) <= arena_world::STATE_BYTES_MAX);
const _: () = assert!(arena_world::OPENED_BYTES_MAX <= arena_store::WORLD_LINE_BYTES_MAX);
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
