//! What wasm-smith is asked for. A target of `fuzz` includes this file.

use std::convert::Infallible;

use wasm_encoder::AbstractHeapType;
use wasm_encoder::reencode::{Error, Reencode};
use wasm_smith::Config;

/// What wasm-smith makes of a few bytes: little that takes memory.
pub(crate) fn little() -> Config {
    Config { max_memory32_bytes: 2 << 20, max_table_elements: 1_000, max_imports: 4, ..Config::default() }
}

/// The same with the exports of this module and what bots may use.
pub(crate) fn like_a_bot(contract: &[u8]) -> Config {
    Config {
        exports: Some(contract.to_vec()),
        available_imports: Some(contract.to_vec()),
        gc_enabled: false,
        exceptions_enabled: false,
        tail_call_enabled: false,
        threads_enabled: false,
        relaxed_simd_enabled: false,
        memory64_enabled: false,
        extended_const_enabled: false,
        wide_arithmetic_enabled: false,
        custom_page_sizes_enabled: false,
        max_memories: 0,
        // As many and as large as bots may have.
        max_tables: 2,
        max_table_elements: 10_000,
        ..little()
    }
}

/// Takes all references for those of functions.
struct OfFunctions;

impl Reencode for OfFunctions {
    type Error = Infallible;

    fn abstract_heap_type(&mut self, _: wasmparser::AbstractHeapType) -> Result<AbstractHeapType, Error<Infallible>> {
        Ok(AbstractHeapType::Func)
    }
}

/// The module with references to functions alone: wasm-smith also makes `externref`, which bots may not use.
pub(crate) fn of_functions(module: &[u8]) -> Vec<u8> {
    let mut written = wasm_encoder::Module::new();
    let done = OfFunctions.parse_core_module(&mut written, wasmparser::Parser::new(0), module);
    done.unwrap_or_else(|error| panic!("{error}"));
    written.finish()
}
