//! The limits of a world's log.

/// The most generations between two digests in a log, and so the most that is computed between two of its lines. At ten
/// a second it is a minute.
pub const CHECKED_EVERY: u64 = 600;

/// Generations between two questions to a bot: six seconds. If all [`BOTS_MAX`] place as many cells as they may, each
/// spectator gets about a kilobyte a second.
pub const ASKED_EVERY: u64 = 60;

/// Generations from a question until its answer counts: all bots together have a second to think before the world is
/// late.
pub const ANSWERED_AFTER: u64 = 10;

/// Generations after which bots restart without memory, which is where snapshots are taken.
pub const BOTS_AFRESH_EVERY: u64 = CHECKED_EVERY;

/// Bots of a world: as many as it has slots.
pub const BOTS_MAX: usize = arena_rules::life2::SLOTS;

const _: () = assert!(ANSWERED_AFTER < ASKED_EVERY && BOTS_AFRESH_EVERY.is_multiple_of(ASKED_EVERY));

/// Fallen kingdoms that a world remembers, the latest: some hours of nine kingdoms that never last, in at most 8 KiB of
/// a snapshot.
pub const FALLEN_MAX: usize = 64;

/// Bytes of a call's line with its newline: a thousand cells of at most twelve characters (`[4095,4095],`), and their
/// surroundings.
pub const CALL_BYTES_MAX: usize = 13 << 10;

/// Bytes of a world's state: 160 KiB of ground at 512 x 512, kingdoms, and sixteen bytes for each of some 200,000
/// wallets. Packed states that would be longer are not unpacked.
pub const STATE_BYTES_MAX: usize = 4 << 20;

/// Bytes of a snapshot's line: in hex, a state that does not become smaller by packing.
pub const OPENED_BYTES_MAX: usize = 2 * STATE_BYTES_MAX + (128 << 10);

/// Lines that are kept for spectators who were away for a moment. Each has at most [`CALL_BYTES_MAX`] bytes, and
/// usually about 100.
pub const LINES_KEPT_MAX: usize = 600;

/// Bytes of a span: a snapshot, a thousand of the longest calls, and the lines of bots, each of which enters with two
/// calls and answers ten times.
pub const SPAN_BYTES_MAX: usize = OPENED_BYTES_MAX + (1_000 + 12 * BOTS_MAX) * CALL_BYTES_MAX;
