//! Bytes as a line of a tournament's journal, and as what follows its checksum: refused, or a game that is written down
//! in exactly these bytes.
#![no_main]

use arena_record::Hex;
use arena_runner::Ended;
use libfuzzer_sys::fuzz_target;
use sha2::{Digest, Sha256};

fn read(line: &[u8]) {
    if let Ok((number, game)) = Ended::parse_line(line) {
        assert_eq!(game.to_line(number).as_bytes(), line);
    }
}

fuzz_target!(|bytes: &[u8]| {
    read(bytes);
    // Nobody guesses a checksum.
    let sum = Hex::<8>(std::array::from_fn(|at| Sha256::digest(bytes)[at]));
    read(&[format!("{sum} ").as_bytes(), bytes].concat());
});
