//! The engine's settings, and the part of them that verdicts depend on.

use std::num::NonZeroUsize;

use wasmtime::{
    Config, Enabled, InstanceAllocationStrategy, OptLevel, PoolingAllocationConfig, WasmBacktraceDetails, WasmFeatures,
};

use crate::check::{INITIALISER, WEIGHTS};

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

/// Everything in this crate that verdicts depend on, as text: the meter's rule, prices, limits, and allowed features.
pub fn semantics() -> String {
    use crate::*;
    let limits = [
        ("stack units", STACK_UNITS_MAX.into()),
        ("frame units", arena_meter::FRAME_UNITS.into()),
        ("uncounted units", arena_meter::UNCOUNTED_UNITS_MAX.into()),
        ("metered bytes", arena_meter::METERED_BYTES_MAX),
        ("action bytes", ACTION_BYTES_MAX.into()),
        ("log call fuel", LOG_CALL_FUEL),
        ("log byte fuel", LOG_BYTE_FUEL),
        ("tables", TABLES_MAX.into()),
        ("table elements", TABLE_ELEMENTS_MAX),
        ("functions", FUNCTIONS_MAX.into()),
        ("types", TYPES_MAX.into()),
        ("globals", GLOBALS_MAX.into()),
        ("exports", EXPORTS_MAX.into()),
        ("imports", IMPORTS_MAX.into()),
        ("segments", SEGMENTS_MAX.into()),
        ("body bytes", BODY_BYTES_MAX),
        ("locals", LOCALS_MAX),
        ("all locals", LOCALS_TOTAL_MAX),
        ("nesting", NESTING_MAX as u64),
        ("branch targets", BRANCH_TARGETS_MAX),
        ("params", PARAMS_MAX as u64),
        ("operands", OPERANDS_MAX.into()),
        ("compile weight", COMPILE_WEIGHT_MAX),
        ("all compile weight", COMPILE_WEIGHT_TOTAL_MAX),
        ("weights", WEIGHTS),
        ("weight of a function", COMPILE_WEIGHT_OF_FUNCTION),
        ("weight of what is alive", COMPILE_WEIGHT_OF_ALIVE),
        ("divisor of what is alive across calls", COMPILE_ALIVE_DIVISOR),
        ("divisor of what is merged", COMPILE_MERGED_DIVISOR),
        ("carried", CARRIED_MAX as u64),
        ("all carried", CARRIED_TOTAL_MAX),
        ("custom sections", CUSTOM_SECTIONS_MAX.into()),
        ("custom bytes", CUSTOM_BYTES_MAX),
    ];
    let limits: String = limits.iter().map(|(name, most)| format!("{name}: {most}\n")).collect();
    let features: Vec<&str> = arena_meter::features().iter_names().map(|(name, _)| name).collect();
    let features = features.join(" ");
    format!(
        "fuel: budget + 1 is set, at least 1 is left\nmeter {}\nstart: data, start function, {INITIALISER}, \
         arena_observation\nfeatures: {features}\n{limits}prices {} (others 1):\n{}",
        arena_meter::RULE,
        arena_meter::VERSION,
        arena_meter::TEXT
    )
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
        // A bot's author is shown the functions that were running when a call failed; the meter's for the log may be
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
