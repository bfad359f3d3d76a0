//! The engine's settings, and the part of them that verdicts depend on.

use std::num::NonZeroUsize;

use wasmtime::{
    Config, Enabled, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig, WasmBacktraceDetails, WasmFeatures,
};

/// The engine's version, as in build ids. A test compares it with Cargo.lock.
pub(crate) const ENGINE: &str = "wasmtime 48.0.8";

/// The target, whatever machine compiles. It is not taken from the host, so that equal bytes give equal code. It names
/// the C library because the engine refuses to run code compiled for another; the code is the same.
#[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "gnu"))]
const TARGET: Option<&str> = Some("x86_64-unknown-linux-gnu");
#[cfg(all(target_arch = "x86_64", target_os = "linux", target_env = "musl"))]
const TARGET: Option<&str> = Some("x86_64-unknown-linux-musl");
#[cfg(all(target_arch = "aarch64", target_os = "linux", target_env = "gnu"))]
const TARGET: Option<&str> = Some("aarch64-unknown-linux-gnu");
#[cfg(all(target_arch = "aarch64", target_os = "linux", target_env = "musl"))]
const TARGET: Option<&str> = Some("aarch64-unknown-linux-musl");
#[cfg(not(all(
    target_os = "linux",
    any(target_arch = "x86_64", target_arch = "aarch64"),
    any(target_env = "gnu", target_env = "musl")
)))]
const TARGET: Option<&str> = None;

/// Instruction sets beyond the architecture's baseline: those of every x86-64 machine since 2009 (x86-64-v2).
#[cfg(target_arch = "x86_64")]
const ISA_FLAGS: &[&str] = &["has_sse3", "has_ssse3", "has_sse41", "has_sse42", "has_popcnt"];
#[cfg(not(target_arch = "x86_64"))]
const ISA_FLAGS: &[&str] = &[];

/// Address space reserved for a guest's memory, in bytes: all that it can address.
const MEMORY_RESERVED_BYTES: u64 = 4 << 30;
/// Unused address space on either side, in bytes: more than the offsets of most accesses.
const MEMORY_GUARD_BYTES: u64 = 32 << 20;
/// Bytes at the start of a guest's memory, and of each of its tables, that are cleared in place for the next guest
/// where memories are used again: all that a small guest has. The system takes back the rest, which costs a page fault
/// for every page that is used again.
const KEPT_BYTES: usize = 256 << 10;
/// Native stack of a guest, in bytes: more than the units of its own stack take, 10 bytes each in code that is not made
/// to take more. It ends only where the engine fails.
pub const NATIVE_STACK_BYTES: usize = 1 << 20;
const _: () = {
    let units = arena_meter::STACK_UNITS_MAX + arena_meter::UNCOUNTED_UNITS_MAX;
    assert!(NATIVE_STACK_BYTES > 10 * units as usize);
};
/// Address space of a guest besides its actual memory, in bytes.
pub const RESERVED_BYTES: u64 = MEMORY_RESERVED_BYTES + 2 * MEMORY_GUARD_BYTES;

/// The engine and target, as noted in results.
pub fn build() -> String {
    format!("{ENGINE} {}", TARGET.unwrap_or(std::env::consts::ARCH))
}

/// The engine's settings. Each line has its reason and the default.
pub(crate) fn config() -> Result<Config, wasmtime::Error> {
    let mut config = Config::new();
    if let Some(target) = TARGET {
        // Default: the host, with all its instruction sets.
        config.target(target)?;
    }
    for flag in ISA_FLAGS {
        #[expect(unsafe_code, reason = "the engine refuses to start on a host without the named instruction set")]
        // SAFETY: these are instruction-set flags, and the engine checks them against the host when it is created.
        unsafe {
            config.cranelift_flag_enable(flag);
        }
    }
    config
        // Work stays where it is paid for: an optimiser may move it out of the branch that pays, to before a loop.
        // Default: speed.
        .cranelift_opt_level(OptLevel::None)
        // The code counts its own units. Default: half of it.
        .max_wasm_stack(NATIVE_STACK_BYTES)
        // The engine refuses everything that the static check refuses. Defaults: on, except for custom page sizes and
        // wide arithmetic.
        .wasm_features(WasmFeatures::FUNCTION_REFERENCES, false)
        .wasm_relaxed_simd(false)
        .wasm_multi_memory(false)
        .wasm_memory64(false)
        .wasm_tail_call(false)
        .wasm_custom_page_sizes(false)
        .wasm_wide_arithmetic(false)
        .wasm_extended_const(false)
        // All that 32 bits can address, so that no access needs a check of its own. Defaults: the same on this target.
        .memory_reservation(MEMORY_RESERVED_BYTES)
        .memory_guard_size(MEMORY_GUARD_BYTES)
        .guard_before_linear_memory(true)
        .memory_reservation_for_growth(0)
        .memory_may_move(false)
        // Data is copied at the start, without memory files, which a worker may neither create nor write. Default: on.
        .memory_init_cow(false)
        // No addresses of this machine leave the engine. Defaults: on.
        .wasm_backtrace_details(WasmBacktraceDetails::Disable)
        // A bot's author is shown the functions that were running when a call failed; the meter's for an import may be
        // one more. Default: 20 of them.
        .wasm_backtrace_max_frames(NonZeroUsize::new(crate::FRAMES_MAX + 1))
        .generate_address_map(false)
        .native_unwind_info(false);
    Ok(config)
}

/// Memories and tables for this many guests at once, each used again by the guest after it.
pub(crate) fn used_again(guests: u32) -> InstanceAllocationStrategy {
    let mut places = PoolingAllocationConfig::new();
    places
        .total_core_instances(guests)
        .total_memories(guests)
        .total_tables(guests * crate::TABLES_MAX)
        .max_memories_per_module(1)
        .max_tables_per_module(crate::TABLES_MAX)
        .table_elements(crate::TABLE_ELEMENTS_MAX as usize)
        // The memory's type allows less. Default: 4 GiB.
        .max_memory_size(MEMORY_RESERVED_BYTES as usize)
        // Defaults: none is kept.
        .linear_memory_keep_resident(KEPT_BYTES)
        .table_keep_resident(KEPT_BYTES)
        // It takes a file, which a worker may not open. Default: the same.
        .pagemap_scan(Enabled::No);
    places.into()
}
