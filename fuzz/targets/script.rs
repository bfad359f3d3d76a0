//! Bytes as a script and as a module.
#![no_main]

#[path = "../../arena/scripts/tests/it/law.rs"]
mod law;

use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| law::holds_for(bytes));
