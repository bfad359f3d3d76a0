//! What wasm-smith is asked for. A target of `fuzz` includes this file.

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
        // They come with `externref`, which bots may not use.
        reference_types_enabled: false,
        max_memories: 0,
        max_tables: 1,
        ..little()
    }
}
