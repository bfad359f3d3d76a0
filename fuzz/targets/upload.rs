//! Bytes as a submitted module: a bot or a refusal with a code and a reason, and the same each time.
#![no_main]

use arena_record::Budgets;
use arena_sandbox::check;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let refusal = |bytes| check(bytes, &Budgets::DEFAULT).err().map(|refusal| (refusal.code, refusal.to_string()));
    let said = refusal(bytes);
    assert_eq!(said, refusal(bytes));
    assert!(said.is_none_or(|(_, reason)| !reason.is_empty()));
});
