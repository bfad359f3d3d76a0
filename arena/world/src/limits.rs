//! What bounds a world's log.

/// Generations between two digests in a log, at most, and so the most that is computed between two of its lines. At ten a second
/// it is a minute.
pub const CHECKED_EVERY: u64 = 600;

/// Generations between two questions to a bot: six seconds. With [`BOTS_MAX`] of them that place all they may it is about a
/// kilobyte a second for each who looks.
pub const ASKED_EVERY: u64 = 60;

/// Generations after a question in which its answer counts: a second to think, all bots together, before the world is late.
pub const ANSWERED_AFTER: u64 = 10;

/// Generations after which bots begin afresh, and remember nothing: where snapshots are taken.
pub const BOTS_AFRESH_EVERY: u64 = CHECKED_EVERY;

/// Bots of a world: as many as it has slots.
pub const BOTS_MAX: usize = arena_rules::life2::SLOTS;

const _: () = assert!(ANSWERED_AFTER < ASKED_EVERY && BOTS_AFRESH_EVERY.is_multiple_of(ASKED_EVERY));

/// Bytes of a call's line, with its newline: a thousand cells of at most twelve characters (`[4095,4095],`), and what is around
/// them.
pub const CALL_BYTES_MAX: usize = 13 << 10;

/// Bytes of a world's state: 160 KiB of ground at 512 x 512, kingdoms, and sixteen bytes for each of some 200,000 wallets.
/// Longer packed ones are not unpacked.
pub const STATE_BYTES_MAX: usize = 4 << 20;

/// Bytes of the line with a snapshot: a state that could not be packed at all, in hex.
pub const OPENED_BYTES_MAX: usize = 2 * STATE_BYTES_MAX + (128 << 10);

/// Lines that are told again to somebody who was away for a moment; each has [`CALL_BYTES_MAX`] at most, and about 100 bytes as a rule.
pub const LINES_KEPT_MAX: usize = 600;

/// Bytes of a span: a snapshot, a thousand calls of the longest, and what bots do: each enters with two calls and answers ten times.
pub const SPAN_BYTES_MAX: usize = OPENED_BYTES_MAX + (1_000 + 12 * BOTS_MAX) * CALL_BYTES_MAX;
