//! Bytes as what an organiser writes: a definition of a tournament, and a position to open games from. Both are read or
//! refused with a reason, and a position in play is written as it was read.
#![no_main]

use arena_notation::{parse_position, position_text};
use arena_tournaments::{Definition, Draft, FormKeys};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = str::from_utf8(bytes) else { return };
    let open = Draft::parse(FormKeys::default(), text).and_then(|draft| draft.open(64, |_| Ok(text.to_owned())));
    for read in [Definition::parse(text).map(|_| ()), open.map(|_| ())] {
        if let Err(error) = read {
            assert!(!error.to_string().is_empty());
        }
    }
    if let Ok(position) = parse_position(text)
        && let Some(written) = position_text(&position)
    {
        assert_eq!(parse_position(&written).ok(), Some(position), "{written}");
    }
});
