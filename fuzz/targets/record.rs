//! Bytes as the record of a game: refused, or a record that is spelt in exactly these bytes and says how the game
//! ended.
#![no_main]

use arena_record::Record;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    if let Ok(record) = Record::parse(text) {
        assert_eq!(record.to_text(), text);
        assert_eq!(record.outcome().reason.code(), record.outcome.reason);
    }
});
