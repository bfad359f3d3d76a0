//! The author's log, of which the last lines are kept for an error.

use core::cell::Cell;

/// Lines and bytes of a game's log that are the script's. The arena keeps 64 lines and 8,192 bytes; the rest is for an error.
const LINES_MAX: u32 = 44;
const BYTES_MAX: usize = 6_000;

thread_local! {
    static LEFT: Cell<(u32, usize)> = const { Cell::new((LINES_MAX, BYTES_MAX)) };
}

/// Whether the script has used up its part.
pub(crate) fn is_full() -> bool {
    LEFT.get().0 == 0
}

/// Writes lines of the script.
pub(crate) fn write(text: &str) {
    let (mut lines, mut bytes) = LEFT.get();
    for line in text.split('\n') {
        if lines <= 1 || line.len() >= bytes {
            arena_sdk::log("the log is full: what follows is left out, but for an error");
            lines = 0;
            break;
        }
        arena_sdk::log(line);
        lines -= 1;
        bytes -= line.len();
    }
    LEFT.set((lines, bytes));
}
