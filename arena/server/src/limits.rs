//! The limits of connections, requests and sockets. Each has its reason; `/api/v1/limits` shows them.

use std::time::Duration;

use arena_limits::limits;
use arena_service::limits::CONTEST_ENTRANTS_MAX;
use arena_store::{DISPLAY_NAME_CHARS_MAX, END_BYTES_MAX, MODULE_BYTES_MAX};

limits! { pub(crate) LIMITS:
    /// Of each kind, and networks whose use is remembered.
    pub(crate) KEYS_MAX: usize = 32_768,
        "visitors_known", "networks or accounts whose share of one thing is counted",
        "each is 50 bytes; those beyond share one share";
    pub(crate) TURNED_AWAY_MAX: u32 = 256, "turned_away", "connections beyond the limit that get an answer",
        "further ones are closed without an answer";
    pub(crate) TURNED_AWAY_NETWORK_MAX: u32 = 16,
        "turned_away_network", "connections of a network beyond the limit that get an answer",
        "others want to be told, too";
    pub(crate) HEAD_DEADLINE: Duration = Duration::from_secs(5), "head_seconds", "seconds", "longer is not a browser";
    pub(crate) HEAD_BYTES_MAX: usize = 16 << 10, "head_bytes", "bytes", "the longest we know has under 2,000";
    /// A head, a chunk's extensions and a body's trailers have 16 KiB each at most, and as much may be read ahead.
    pub(crate) PENDING_BYTES_MAX: usize = 4 * HEAD_BYTES_MAX, "pending_bytes",
        "bytes of a connection that complete no request and no part of a body",
        "zeros before a chunk's length, for example; a packet counts as 64 at least";
    /// Deadline for the whole body of a request, even if it arrives steadily: a module of 1 MiB at 35 kB a second.
    pub(crate) BODY_DEADLINE: Duration = Duration::from_secs(30), "body_seconds", "seconds",
        "the whole body, however steadily it trickles";
    pub(crate) WRITE_DEADLINE: Duration = Duration::from_secs(10), "write_seconds", "seconds",
        "a client that reads nothing for so long is gone";
    pub(crate) ANSWER_DEADLINE: Duration = Duration::from_secs(90), "answer_seconds", "seconds",
        "waiting for a verdict takes longest";
    pub(crate) BODY_BYTES_MAX: usize = 64 << 10, "body_bytes", "bytes of JSON or of a form",
        "the longest we know has under 300";
    /// Longest WebAssembly text that a page's form takes, in bytes: twelve times the template. The assembled module may
    /// have any allowed length. For the hardest texts, the time to assemble grows with the square of the length: a
    /// tenth of a second at this limit.
    pub(crate) TEXT_BYTES_MAX: usize = 64 << 10, "text_bytes", "bytes of WebAssembly text that is written in the page",
        "twelve times the template; the hardest one is assembled in a tenth of a second, to a module like any other";
    pub(crate) ASSEMBLED_AT_ONCE_MAX: usize = 1, "assembled_at_once", "texts that are assembled at once",
        "each takes a core; others wait for their turn";
    /// Largest message or frame on a socket, in bytes. A turn has under 200, and a world's call of 1,000 cells 12,000.
    /// tungstenite's own limits are 64 and 16 MiB.
    pub(crate) MESSAGE_BYTES_MAX: usize = 16 << 10, "message_bytes", "bytes on a socket",
        "a turn has under 200, and a call of 1,000 cells 12,000";
    /// How long a socket may be silent, pongs included, before it counts as gone. Checked with each ping.
    pub(crate) SILENCE_MAX: Duration = Duration::from_secs(25), "silence_seconds", "seconds",
        "a socket that answers no ping is gone";
    pub(crate) FRAMES_BURST: u32 = 40, "frames_burst", "frames of a socket at once",
        "a person sends one every few seconds";
    pub(crate) FRAMES_PER_SECOND: u32 = 4, "frames_per_second", "frames a second",
        "a message is one; pings and empty parts count as well";
    pub(crate) ARCHIVES_AT_ONCE_MAX: u32 = 8, "archives", "archives that are sent at once",
        "each holds a thread as long as its visitor reads";
    pub(crate) ARCHIVES_NETWORK_MAX: u32 = 2, "archives_network", "archives that are sent to a network at once",
        "others want to verify, too";
    /// Lowest average speed at which a visitor may take an archive, in bytes a second: half a megabit, which the
    /// slowest usual line has. 100 MB then take half an hour at most.
    pub(crate) ARCHIVE_BYTES_PER_SECOND_MIN: u64 = 64 << 10, "archive_bytes_per_second", "bytes a second of an archive",
        "who takes fewer on average keeps others from it";
    pub(crate) ROWS_MAX: u32 = 50, "rows", "rows of a list", "bounds the time and memory of a request";
    pub(crate) TOKEN_DAYS_MAX: u32 = 365, "token_days", "days that a token lasts", "a forgotten one expires";
}

/// Connections for metrics at once: one or two machines ask every few seconds.
pub(crate) const METRICS_AT_ONCE_MAX: usize = 8;
/// How often the measures of the operator are read: those at one server hold at the others so much later at most.
pub(crate) const MEASURES_EVERY: Duration = Duration::from_secs(5);
/// The longest ban, in hours: a month. Addresses change hands.
pub(crate) const BAN_HOURS_MAX: u32 = 31 * 24;
/// How often the shares of idle visitors are dropped.
pub(crate) const FORGET_EVERY: Duration = Duration::from_secs(10);
/// How long a submission's answer waits for the verdict. Compiling may take 12 s, sample games a few more, and other
/// submissions may come first. After that the answer says where the verdict will be.
pub(crate) const VERDICT_WAIT: Duration = Duration::from_secs(60);
/// How long running requests may continue when the server stops. With the service's own wait afterwards, a stop takes
/// less than five seconds.
pub(crate) const STOP_GRACE: Duration = Duration::from_secs(2);

/// More fields than any form has: each takes 50 bytes of the page in which it comes back, and microseconds to read.
pub(crate) const FORM_FIELDS_MAX: usize = 64;
/// Longest list of names in a form, in characters: as many as a tournament has places, each with a comma and a space.
pub(crate) const NAMES_CHARS_MAX: usize = CONTEST_ENTRANTS_MAX * (DISPLAY_NAME_CHARS_MAX + 2);
/// Seconds after which a draining site may be back: a restart takes a few, and rooms get time to end.
pub(crate) const DRAIN_SECONDS: u64 = 60;
/// Shortest operator's token, in characters: too long to guess.
pub(crate) const OPERATOR_TOKEN_CHARS_MIN: usize = 32;
/// How long the operator's browser stays signed in, in seconds: a working day.
pub(crate) const OPERATOR_SESSION_SECONDS: i64 = 12 * 3_600;
/// Lines of the operator's log on the operator's page; the export has all.
pub(crate) const AUDIT_ROWS: u32 = 20;

/// Largest submission of a worker's results, in bytes: the longest record, in whose text each quote takes two bytes.
pub const ENDS_BYTES_MAX: usize = 2 * END_BYTES_MAX + BODY_BYTES_MAX;
/// Bytes of a submission's form: the module, the bot's name, and the separators.
pub(crate) const FORM_BYTES_MAX: usize = MODULE_BYTES_MAX as usize + BODY_BYTES_MAX;

/// Largest message or frame that is read to its end, in bytes, so that its sender learns why it is refused. If a head
/// announces a longer one, the connection is closed.
pub(crate) const MESSAGE_BYTES_READ_MAX: usize = 64 << 10;
/// Read buffer of a socket, in bytes. tungstenite's own is 128 KiB, which 10,000 spectators would turn into 1.3 GB.
pub(crate) const READ_BUFFER_BYTES: usize = 4 << 10;
/// Bytes that the system buffers until a socket's peer has received them, and the largest single write. The system
/// reserves twice as many for bookkeeping, and takes a write as a whole while there is any space, each separately: 24
/// KiB at most. By default it would buffer megabytes.
pub(crate) const SEND_BUFFER_BYTES: usize = 8 << 10;
/// Bytes that may wait to be sent on a socket: a state has about 20 kB at most, a chat 12. Together with the system's
/// buffer and the cost of an idle socket, it is less than 64 KiB. tungstenite has no limit by default.
pub(crate) const WRITE_BUFFER_BYTES_MAX: usize = 32 << 10;
/// The shortest time between two states sent to a follower of a tournament: games may be over in milliseconds.
pub(crate) const FOLLOWER_PAUSE: Duration = Duration::from_millis(500);
/// The shortest time between two messages about a world: two generations. Messages stay small, and the page's animation
/// smooth.
pub(crate) const WORLD_PAUSE: Duration = Duration::from_millis(200);
/// How long a poll of a world is held; worlds change all the time.
pub(crate) const WORLD_POLL_HELD: Duration = Duration::from_secs(1);
/// Bytes that may wait to be sent on a world's socket: a snapshot and a message.
pub(crate) const WORLD_WRITE_BUFFER_BYTES_MAX: usize = arena_store::WORLD_LINE_BYTES_MAX + WRITE_BUFFER_BYTES_MAX;
/// Cost of a snapshot of a world on top of its request, in units of requests: half a megabyte.
pub(crate) const WHOLE_WORLD_COST: u32 = 200;
/// Cost of listing the holders of a world's slots over a socket, in units of requests: two queries to the store. A
/// class of 200 that watches from one network asks 13 times a second at most.
pub(crate) const HOLDERS_COST: u32 = 10;
/// Cost of a page of a bot's games over all editions on top of its request, in units of requests: up to some hundred
/// milliseconds, if a built-in opponent has played tens of thousands.
pub(crate) const ALL_EDITIONS_COST: u32 = 200;
/// Cost of looking through a module for its source, on top of its request.
pub(crate) const SOURCE_COST: u32 = 40;
/// Cost of an account that a request names and the site looks up, on top of its request.
pub(crate) const NAME_COST: u32 = 2;
/// Bytes of a tournament's definition that cost a unit: the longest, of nested tables, takes 80 to read.
pub(crate) const DEFINITION_BYTES_A_UNIT: usize = 1 << 10;
/// KiB of a submitted module for each of which it costs one more, on top of its request: it is received, hashed and
/// looked through.
pub(crate) const MODULE_KILOBYTES_A_UNIT: u32 = 8;
/// Bytes as which one read counts at least while they are pending: each read wakes the connection. A head of 2,000
/// bytes may come in packets of two.
pub(crate) const READ_BYTES_COUNTED_MIN: usize = 64;
/// Frames of a request's body for each of which it costs one more: the chunks of one that does not say how long it is,
/// or what came of the connection at once. A phone's have some 500 bytes at least, so its longest module costs 30
/// more.
pub(crate) const BODY_FRAMES_A_UNIT: u32 = 64;
/// How long a poll of a room or the lobby is held: less than the timeouts of proxies.
pub(crate) const POLL_HELD: Duration = Duration::from_secs(25);
/// How long the identity of a visitor who polls, or a name in the lobby, is reused without a look-up: as long as a
/// token's use is not noted again. What is revoked counts at once, and at another server as soon as that hears of it;
/// an expiry, or a revocation whose message is lost, counts within this time.
pub(crate) const RECOGNISED_FOR: Duration = Duration::from_secs(TOKEN_USE_SECONDS as u64);
/// Identities that are kept at once, some 300 bytes each.
pub(crate) const RECOGNISED_MAX: usize = 20_000;
/// How often a silent socket is pinged.
pub(crate) const PING_EVERY: Duration = Duration::from_secs(10);
/// Largest file of `arena serve --assets`, in bytes: the largest of ours, the rules for pages, has a tenth of that.
pub(crate) const ASSET_BYTES_MAX: u64 = 8 << 20;

/// How long the same form with the same key gets the answer of the first: a double click, or a browser that sends it
/// again.
pub(crate) const FORM_REPEATED_WITHIN: Duration = Duration::from_secs(10);
/// How long the same request of a program with the same key does: its connection broke, and it asks again.
pub(crate) const REQUEST_REPEATED_WITHIN: Duration = Duration::from_secs(600);
/// Answers that are kept for that, of those that created something.
pub(crate) const ONCE_KEPT_MAX: usize = 4_096;
/// Bytes of such an answer: an address and a few numbers.
pub(crate) const ONCE_ANSWER_BYTES_MAX: usize = 4 << 10;

/// Cached pictures of games; each has about 30 kB.
pub(crate) const PREVIEWS_KEPT_MAX: usize = 64;
/// Cached first pages of bots' games; each has up to about 20 kB.
pub(crate) const FIRST_GAMES_KEPT_MAX: usize = 128;
/// Cached charts of bots' fuel; each has a kilobyte, and takes reading a dozen games.
pub(crate) const FUELS_KEPT_MAX: usize = 256;
/// Cached forfeits that bots' pages begin with; each has some hundred bytes, and takes reading a game.
pub(crate) const FAULTS_KEPT_MAX: usize = 256;

/// Time to send an archive on a usual line, in seconds: 100 MB at 3 MB a second.
pub(crate) const ARCHIVE_SECONDS: u64 = 30;
/// Size of an archive's chunks, in bytes.
pub(crate) const ARCHIVE_CHUNK_BYTES: usize = 64 << 10;

/// Live games on a page: what a person can take in at a glance.
pub(crate) const LIVE_ROWS_MAX: usize = 10;

/// How long a browser shows a new player code again, in seconds: time to reload the page or to come back to it.
pub(crate) const CODE_SECONDS: i64 = 600;
/// Seconds of a day.
pub(crate) const DAY_SECONDS: i64 = 86_400;
/// How old the noted last use of a token must be before a use is noted again, in seconds: a write for each request
/// would be too many.
pub(crate) const TOKEN_USE_SECONDS: i64 = 600;
/// How long a browser remembers a language, in seconds: a year.
pub(crate) const LANGUAGE_SECONDS: i64 = 365 * DAY_SECONDS;
/// How long a browser stays signed in, in seconds: half a year.
pub(crate) const SESSION_SECONDS: i64 = 182 * DAY_SECONDS;

const _: () = {
    use arena_service::limits::{CLOSE_MAX, THREADS_GRACE};
    assert!(STOP_GRACE.as_millis() + CLOSE_MAX.as_millis() + THREADS_GRACE.as_millis() < 5_000);
};
