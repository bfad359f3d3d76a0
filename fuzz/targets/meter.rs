//! Bytes as a module, and as what wasm-smith makes one from: refused, or metered so that the proof holds, the same each
//! time.
#![no_main]

#[path = "../../arena/meter/tests/it/proof/mod.rs"]
mod proof;
#[path = "../../arena/sandbox/tests/it/slow/uploads/smith.rs"]
mod smith;

use std::sync::LazyLock;

use arena_meter::{METERED_BYTES_MAX, Maxima, meter};
use libfuzzer_sys::arbitrary::Unstructured;
use libfuzzer_sys::fuzz_target;
use wasm_smith::Module;

const MAXIMA: Maxima = Maxima { module_bytes: METERED_BYTES_MAX, memory_pages: 64, table_elements: 10_000 };
/// What modules export and may import.
static CONTRACT: LazyLock<Vec<u8>> = LazyLock::new(|| wat::parse_str(CONTRACT_TEXT).expect("a module"));
const CONTRACT_TEXT: &str = r#"(module (import "arena" "log" (func (param i32 i32))) (import "arena" "fuel" (func (result i64)))
    (memory (export "memory") 1)
    (func (export "arena_observation") (param i32) (result i32) (i32.const 0))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0)))"#;

fn metered(module: &[u8]) {
    let Ok(metered) = meter(module, MAXIMA) else { return };
    assert_eq!(proof::prove(&metered.module, MAXIMA), Ok(()));
    assert!(meter(module, MAXIMA).is_ok_and(|again| again == metered));
}

fuzz_target!(|bytes: &[u8]| {
    metered(bytes);
    for config in [smith::little(), smith::like_a_bot(&CONTRACT)] {
        if let Ok(module) = Module::new(config, &mut Unstructured::new(bytes)) {
            let module = module.to_bytes();
            metered(&module);
            metered(&smith::of_functions(&module));
        }
    }
});
