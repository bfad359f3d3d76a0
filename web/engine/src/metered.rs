//! The static check and the meter, for workers that run bots.

use arena_check::{Checks, Refusal, check, metered as rewritten};
use arena_record::Budgets;
use serde_json::json;

/// The largest module that is taken, in bytes: the largest that a definition may allow.
pub const MODULE_BYTES_MAX: usize = 16 << 20;
/// What an answer begins with that has a metered module, after which comes its start's fuel in eight bytes.
const METERED: u8 = 1;
/// What an answer begins with that has a refusal, as JSON.
const REFUSED: u8 = 0;

/// Checks a module and meters it, under these limits on its memory and its file: a byte that says which, then either
/// the fuel that its start takes before any code runs (eight bytes, little-endian) and the metered module, or why it
/// is refused (`code` and `message`).
pub fn metered(module: &[u8], memory_bytes: u64, module_bytes: u64) -> Vec<u8> {
    let budgets = Budgets { memory_bytes, module_bytes, ..Budgets::DEFAULT };
    let of_module = check(module, &budgets).and_then(|()| rewritten(module, memory_bytes, Checks::ByRule));
    match of_module {
        Ok(metered) => [&[METERED][..], &metered.start_fuel.to_le_bytes(), &metered.module].concat(),
        Err(refusal) => {
            let Refusal { code, .. } = &refusal;
            let why = json!({ "code": code.as_str(), "message": refusal.to_string() });
            [&[REFUSED][..], why.to_string().as_bytes()].concat()
        }
    }
}
