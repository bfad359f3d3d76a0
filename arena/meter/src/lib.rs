//! The meter: rewrites a bot's module so that it counts its own fuel and its use of the stack, on whatever engine runs
//! it. `sdk/ABI.md` states the rule, and `METER.md` beside this how it is kept.
//!
//! A module goes in that passed the sandbox's static check, and a module comes out that behaves the same until its
//! fuel, its stack or its memory ends. The host sets [`FUEL`] before each call and reads it afterwards; where a limit
//! is reached, the code traps, and [`FUEL`] says which. What was appended the bot can neither name nor reach.
//!
//! ```
//! use arena_meter::{METERED_BYTES_MAX, Maxima, meter};
//!
//! let bot = wat::parse_str(
//!     r#"(module (memory (export "memory") 1)
//!         (func (export "arena_observation") (param i32) (result i32) (i32.const 0))
//!         (func (export "arena_turn") (param i32) (result i64) (i64.const 0)))"#,
//! )?;
//! let maxima = Maxima { module_bytes: METERED_BYTES_MAX, memory_pages: 64, table_elements: 10_000 };
//! let metered = meter(&bot, maxima)?;
//! assert!(metered.module.len() > bot.len() && metered.start_fuel == 0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What this crate deliberately is not: it runs no module, and it decides no verdict.

mod advance;
mod body;
mod counters;
mod facts;
mod float;
mod marks;
mod module;
mod prices;
mod scan;
mod stack;

use wasmparser::{BinaryReaderError, WasmFeatures};

pub use facts::import_type;
pub use prices::{FUEL_CALL_FUEL, LOG_BYTE_FUEL, LOG_CALL_FUEL, TEXT, VERSION};

use crate::facts::Facts;
use crate::marks::CHANGE_BYTES_MAX;

/// The version of the rule in `sdk/ABI.md`, increased with each change of it. Results depend on it.
pub const RULE: u32 = 1;
/// The export with the fuel that is left: a global of 64 bits. A call is in time if it returns with at least 1 left.
pub const FUEL: &str = "~fuel";
/// The export with the units of the stack that are left, if a function is counted on it: a global of 32 bits. It has
/// its value again when a call returns.
pub const STACK: &str = "~stack";
/// The export with the fuel that the host withholds from a call: a global of 64 bits, in the form with
/// [`Checks::Everywhere`] alone. `arena.fuel` counts it as if it were there.
pub const WITHHELD: &str = "~withheld";
/// What a function has used of the fuel, in the form with [`Checks::Everywhere`] alone: the start of the name of an
/// export, whose rest is the function's number. A global of 64 bits. If a call used its fuel up, what the code at its
/// end could not pay for is not in it.
pub const USED: &str = "~used ";
/// The same with all that it called; what a call uses that does not return is all that it had.
pub const USED_WITH_CALLS: &str = "~used with calls ";
/// The export of the function that a module would have run at its start. The host calls it once the fuel is set.
pub const START: &str = "~start";
/// What [`FUEL`] has when a call trapped because its fuel was used up.
pub const OUT_OF_FUEL: i64 = i64::MIN;
/// What [`FUEL`] has when a call trapped because calls were nested too deeply.
pub const TOO_DEEP: i64 = i64::MIN + 1;

/// The export of an interpreter that says which lines of its script are running, in the form with
/// [`Checks::Everywhere`] alone: `() -> i64`, the address of numbers of 4 bytes each, the innermost line first, and in
/// the high 32 bits how many. An interpreter's functions are not counted.
pub const LINES: &str = "arena_lines";

/// Exports of a bot that are kept; all others are dropped.
pub(crate) const KEPT: [&str; 4] = ["memory", "arena_observation", "arena_turn", "_initialize"];

/// The stack, in units. A unit takes at most 10 bytes of native code's stack in the engines that we know, but for code
/// that is made to take more: with [`UNCOUNTED_UNITS_MAX`] that is 720 KiB. V8 has 984 kB by default, and less in a
/// browser's workers.
pub const STACK_UNITS_MAX: u32 = 65_536;
/// Units of a chain of calls that are not counted one by one: more than a compiler's output needs, and little beside
/// the stack.
pub const UNCOUNTED_UNITS_MAX: u32 = 8_192;
/// Units of a call besides parameters, locals and operands: what engines keep for each.
pub const FRAME_UNITS: u32 = 8;
/// Bytes of a metered module, by a bound that is known before it is written: eight times the largest file that a
/// definition may allow, and so much that no module within a definition's usual limit is refused.
pub const METERED_BYTES_MAX: u64 = 128 << 20;
/// Bytes that a function grows by, besides its changes; a test compares it.
const FUNCTION_BYTES_MAX: u64 = 120;
/// How much more the counters of functions take, at most.
const COUNTED_TIMES: u64 = 3;

/// How large things may get; a module's own maxima of memory and tables may be lower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Maxima {
    /// Of the metered module, in bytes: [`METERED_BYTES_MAX`] or less.
    pub module_bytes: u64,
    /// Of the memory, in pages of 64 KiB.
    pub memory_pages: u64,
    /// Of each table, in elements.
    pub table_elements: u64,
}

/// Where fuel is checked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Checks {
    /// Where the rule says. So bots play.
    ByRule,
    /// Wherever it is charged, so that a call ends in the function that used its fuel up. A call that is in time takes
    /// the same fuel, and one that is not is out of fuel, if it was not going to trap. The host may let a call end
    /// earlier, by [`WITHHELD`], without a change to what the bot does before.
    Everywhere,
}

/// A metered module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Metered {
    /// Its bytes.
    pub module: Vec<u8>,
    /// Fuel that the host takes from the start's before it calls anything: for data segments and the start function.
    pub start_fuel: u64,
}

/// Why a module cannot be metered. None that passed the static check fails for another reason than its size.
#[derive(Debug, thiserror::Error)]
pub enum MeterError {
    /// It is not valid.
    #[error("the module is not valid")]
    Invalid(#[from] BinaryReaderError),
    /// It has an import or an operator that bots may not have.
    #[error("the module has what bots may not have")]
    Foreign,
    /// It might have so many bytes, more than it may have.
    #[error("the metered module might have {0} bytes")]
    TooLarge(u64),
}

/// The features of WebAssembly that bots may use; all newer ones are refused.
pub fn features() -> WasmFeatures {
    WasmFeatures::MUTABLE_GLOBAL
        | WasmFeatures::SATURATING_FLOAT_TO_INT
        | WasmFeatures::SIGN_EXTENSION
        | WasmFeatures::MULTI_VALUE
        | WasmFeatures::BULK_MEMORY
        | WasmFeatures::REFERENCE_TYPES
        | WasmFeatures::SIMD
        | WasmFeatures::FLOATS
}

/// Meters a module by the rule.
///
/// # Errors
/// When the module is no bot, or might grow beyond its maximum; that is known before it is rewritten.
pub fn meter(module: &[u8], maxima: Maxima) -> Result<Metered, MeterError> {
    meter_checking(module, maxima, Checks::ByRule)
}

/// Meters a module.
///
/// # Errors
/// As [`meter`].
pub fn meter_checking(module: &[u8], maxima: Maxima, checks: Checks) -> Result<Metered, MeterError> {
    let facts = Facts::read(module, checks)?;
    let bytes = bytes_max(module, &facts) * if facts.counts { COUNTED_TIMES } else { 1 };
    if bytes > maxima.module_bytes {
        return Err(MeterError::TooLarge(bytes));
    }
    let written = module::write(module, &facts, maxima, checks).map_err(|_| MeterError::Foreign)?;
    debug_assert!(written.len() as u64 <= bytes);
    Ok(Metered { module: written, start_fuel: facts.start_fuel() })
}

/// Bytes that the metered module has at most.
fn bytes_max(module: &[u8], facts: &Facts<'_>) -> u64 {
    let changes: u64 =
        facts.bodies.iter().map(|body| FUNCTION_BYTES_MAX + CHANGE_BYTES_MAX * body.marked.marks.len() as u64).sum();
    // A type and a reference have at most as many bytes again as their own.
    2 * module.len() as u64 + FUNCTION_BYTES_MAX * (2 + u64::from(facts.imported())) + changes
}
