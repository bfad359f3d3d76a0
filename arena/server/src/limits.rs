//! What a connection, a request and a socket may use. Each limit has its reason; `/api/v1/limits` tells them.

use std::time::Duration;

use arena_store::{END_BYTES_MAX, MODULE_BYTES_MAX};

/// Connections for which there is no place and that are told so at once. Those beyond are closed without a word.
pub(crate) const TURNED_AWAY_MAX: usize = 256;
/// Connections that ask for figures at once: one or two machines do, every few seconds.
pub(crate) const METRICS_AT_ONCE_MAX: usize = 8;
/// How often visitors who have taken nothing lately are forgotten.
pub(crate) const FORGET_EVERY: Duration = Duration::from_secs(10);
/// How long the head of a request may take to arrive: longer is not a browser. axum's own server has no such limit.
pub(crate) const HEAD_DEADLINE: Duration = Duration::from_secs(5);
/// Bytes of a request's head.
pub(crate) const HEAD_BYTES_MAX: usize = 16 << 10;
/// How long the whole body of a request may take, however steadily it trickles: a module of 1 MiB at 35 kB a second.
pub(crate) const BODY_DEADLINE: Duration = Duration::from_secs(30);
/// How long a peer may leave what we write unread before its connection is closed.
pub(crate) const WRITE_DEADLINE: Duration = Duration::from_secs(10);
/// How long answering a request may take. Waiting for a verdict takes longest.
pub(crate) const ANSWER_DEADLINE: Duration = Duration::from_secs(90);
/// How long a submission's answer waits for the verdict. Compiling may take 12 s, two games a few more, and others may be
/// judged before it; after that the answer says where the verdict will be.
pub(crate) const VERDICT_WAIT: Duration = Duration::from_secs(60);
/// How long requests that are under way may go on when the server stops. With what the service waits for after it, a stop takes
/// less than five seconds.
pub(crate) const STOP_GRACE: Duration = Duration::from_secs(2);

/// Seconds after which a site that drains may be back: a restart takes a few, and rooms get some time to end.
pub(crate) const DRAIN_SECONDS: u64 = 60;
/// Characters of an operator's token at least: what nobody guesses.
pub(crate) const OPERATOR_TOKEN_CHARS_MIN: usize = 32;
/// How long the operator's browser stays signed in, in seconds: a working day.
pub(crate) const OPERATOR_SESSION_SECONDS: i64 = 12 * 3_600;
/// Lines of the log of acts on the operator's page; the export has all.
pub(crate) const AUDIT_ROWS: u32 = 20;

/// Bytes of a body in JSON or of a form: the longest we know has under 300.
pub(crate) const BODY_BYTES_MAX: usize = 64 << 10;
/// Bytes of what came of games that a worker submits together: the longest record, in whose text each quote takes two bytes.
pub const ENDS_BYTES_MAX: usize = 2 * END_BYTES_MAX + BODY_BYTES_MAX;
/// Bytes of a submission's form: the module, the bot's name, and what separates them.
pub(crate) const FORM_BYTES_MAX: usize = MODULE_BYTES_MAX as usize + BODY_BYTES_MAX;

/// Bytes of WebAssembly text that is written in the page: twelve times the template. What it is assembled to may be as long as any module.
/// Assembling grows with the square of the hardest texts: a tenth of a second for one of this length.
pub(crate) const TEXT_BYTES_MAX: usize = 64 << 10;
/// Texts that are assembled at once: each takes a core.
pub(crate) const ASSEMBLED_AT_ONCE_MAX: usize = 1;

/// Bytes of a message or frame on a socket; a turn has under 200, and a world's call of 1,000 cells 12,000. tungstenite's own limits are
/// 64 and 16 MiB.
pub(crate) const MESSAGE_BYTES_MAX: usize = 16 << 10;
/// Bytes of a message or frame that is read to its end, so that its sender hears why it is refused; after the head of a longer one the
/// connection is closed.
pub(crate) const MESSAGE_BYTES_READ_MAX: usize = 64 << 10;
/// Bytes of a socket's read buffer. tungstenite's own is 128 KiB, which 10,000 spectators would turn into 1.3 GB.
pub(crate) const READ_BUFFER_BYTES: usize = 4 << 10;
/// Bytes that the system keeps of what a socket's peer has not received, and the most of one write. It reserves twice as many, for notes of
/// its own, and takes a write as a whole while there is any place: 24 KiB at most, each write apart. Unasked it would keep megabytes.
pub(crate) const SEND_BUFFER_BYTES: usize = 8 << 10;
/// Bytes that may wait to be sent on a socket: a state tells some 20 kB at most, a chat 12. With what the system keeps, and what a socket
/// costs that nothing waits for, it is less than 64 KiB. tungstenite's own limit is none.
pub(crate) const WRITE_BUFFER_BYTES_MAX: usize = 32 << 10;
/// The shortest time between two states sent to a follower of a tournament: games may be over in milliseconds.
pub(crate) const FOLLOWER_PAUSE: Duration = Duration::from_millis(500);
/// The shortest time between two messages about a world: two generations. What it sends stays small, and a page smooth.
pub(crate) const WORLD_PAUSE: Duration = Duration::from_millis(200);
/// How long a request that waits for a world is held: it goes on all the time.
pub(crate) const WORLD_POLL_HELD: Duration = Duration::from_secs(1);
/// Bytes that may wait to be sent on a socket of a world: a whole one, and a message.
pub(crate) const WORLD_WRITE_BUFFER_BYTES_MAX: usize = arena_store::WORLD_LINE_BYTES_MAX + WRITE_BUFFER_BYTES_MAX;
/// What a whole world costs beside the request for it, in the units of requests: half a megabyte.
pub(crate) const WHOLE_WORLD_COST: u32 = 100;
/// What the holders of a world's slots cost over a socket, in the units of requests: two questions to the store. A class of 200 that watches
/// from one network asks 13 times a second at most.
pub(crate) const HOLDERS_COST: u32 = 5;
/// What a page of a bot's games over all editions costs beside the request for it, in the units of requests: up to some hundred
/// milliseconds, where a built-in opponent has played tens of thousands.
pub(crate) const ALL_EDITIONS_COST: u32 = 100;
/// How long a request that waits for a room or the lobby is held: shorter than what proxies wait.
pub(crate) const POLL_HELD: Duration = Duration::from_secs(25);
/// How long somebody who waits for news, or whose name the lobby lists, is known without being looked up again: as long as a token's
/// use is not noted again. What is ended here counts at once; what ends by its time, or in another process, within this.
pub(crate) const RECOGNISED_FOR: Duration = Duration::from_secs(TOKEN_USE_SECONDS as u64);
/// How many are known so at once, some 300 bytes each.
pub(crate) const RECOGNISED_MAX: usize = 20_000;
/// How often a silent socket is pinged.
pub(crate) const PING_EVERY: Duration = Duration::from_secs(10);
/// How long a socket may be silent, pongs included, before it counts as gone. Looked at with each ping.
pub(crate) const SILENCE_MAX: Duration = Duration::from_secs(25);
/// Messages a socket may send at once; a person sends one each few seconds.
pub(crate) const MESSAGES_BURST: u32 = 40;
/// Messages a second that a socket earns back.
pub(crate) const MESSAGES_PER_SECOND: u32 = 4;

/// Bytes of a file of `arena serve --assets`: the largest of ours, the rules for the page, has a tenth of that.
pub(crate) const ASSET_BYTES_MAX: u64 = 8 << 20;

/// Pictures of games that are kept for the next who asks: each has about 30 kB.
pub(crate) const PREVIEWS_KEPT_MAX: usize = 64;
/// First pages of bots' games that are kept for the next who asks: each has up to some 20 kB.
pub(crate) const FIRST_GAMES_KEPT_MAX: usize = 128;
/// Charts of bots' fuel that are kept for the next who asks: each has a kilobyte, and takes reading a dozen games.
pub(crate) const FUELS_KEPT_MAX: usize = 256;

/// Archives that are sent at once: each holds a thread and is read as fast as its visitor takes it.
pub(crate) const ARCHIVES_AT_ONCE_MAX: usize = 8;
/// Of these, how many to one network.
pub(crate) const ARCHIVES_NETWORK_MAX: usize = 2;
/// Bytes a second that a visitor takes of an archive at least, on average: half a megabit, which the slowest usual line has. 100 MB then
/// take half an hour at most.
pub(crate) const ARCHIVE_BYTES_PER_SECOND_MIN: u64 = 64 << 10;
/// Seconds after which one of them is sent, on a usual line: 100 MB at 3 MB a second.
pub(crate) const ARCHIVE_SECONDS: u64 = 30;
/// Bytes of an archive that are sent together.
pub(crate) const ARCHIVE_CHUNK_BYTES: usize = 64 << 10;

/// Live games on a page: what one looks over.
pub(crate) const LIVE_ROWS_MAX: usize = 10;

/// Rows of a list on a page or in an answer.
pub(crate) const ROWS_MAX: u32 = 50;
/// How long a browser shows a new player code again, in seconds: time to load the page again or to come back to it.
pub(crate) const CODE_SECONDS: i64 = 600;
/// Seconds of a day.
pub(crate) const DAY_SECONDS: i64 = 86_400;
/// How many days a token lasts at most: one that was forgotten ends some time.
pub(crate) const TOKEN_DAYS_MAX: u32 = 365;
/// How old the last use of a token that is noted may be before a use is noted again, in seconds: a write for each request would be
/// too many.
pub(crate) const TOKEN_USE_SECONDS: i64 = 600;
/// How long a browser remembers a language, in seconds: a year.
pub(crate) const LANGUAGE_SECONDS: i64 = 365 * DAY_SECONDS;
/// How long a browser stays signed in, in seconds: half a year.
pub(crate) const SESSION_SECONDS: i64 = 182 * DAY_SECONDS;

const _: () = assert!(STOP_GRACE.as_millis() + arena_service::limits::CLOSE_GRACE.as_millis() < 5_000);
