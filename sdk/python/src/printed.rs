//! What a script prints, line by line.

use core::cell::RefCell;

use crate::journal;

/// Bytes of a line that is not yet ended. The log keeps fewer.
const LINE_MAX: usize = 8_192;

thread_local! {
    static LINE: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

#[unsafe(no_mangle)]
extern "C" fn arena_print(text: *const u8, len: usize) {
    if journal::is_full() || len == 0 {
        return;
    }
    // SAFETY: there are so many bytes.
    let text = unsafe { core::slice::from_raw_parts(text, len) };
    LINE.with_borrow_mut(|line| {
        for piece in text.split_inclusive(|byte| *byte == b'\n') {
            let (ended, piece) = piece.strip_suffix(b"\n").map_or((false, piece), |piece| (true, piece));
            line.extend(&piece[..piece.len().min(LINE_MAX - line.len().min(LINE_MAX))]);
            if ended {
                journal::write(&String::from_utf8_lossy(line));
                line.clear();
            }
        }
    });
}

/// Writes what is printed without an end of line.
pub(crate) fn flush() {
    let rest = LINE.take();
    if !rest.is_empty() && !journal::is_full() {
        journal::write(&String::from_utf8_lossy(&rest));
    }
}
