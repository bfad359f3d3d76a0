//! The engine, set up once, and bots compiled for it.

use std::io;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

use arena_record::{Budgets, EntrantId};
use wasmtime::{
    Caller, Config, Engine, EngineWeak, InstancePre, Linker, Module, OptLevel, Trap, WasmBacktraceDetails, WasmFeatures,
};

use crate::check::{allowed_features, check};
use crate::guest::Guest;
use crate::refusal::{Refusal, RefusalCode};
use crate::{FRAMES_MAX, LOG_BYTE_FUEL, LOG_CALL_FUEL, STACK_BYTES_MAX, prices};

/// The engine's version, as build ids carry it. A test compares it with Cargo.lock.
pub(crate) const ENGINE: &str = "wasmtime 48.0.8";

/// What is compiled for, whatever machine compiles: not inferred from the host, so that equal bytes give equal code. The C
/// library is in the name because the engine refuses to run what was compiled for another; the code is the same.
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

/// Instruction sets beyond the oldest of the architecture: those every x86-64 machine since 2009 has (x86-64-v2).
#[cfg(target_arch = "x86_64")]
const ISA_FLAGS: &[&str] = &["has_sse3", "has_ssse3", "has_sse41", "has_sse42", "has_popcnt"];
#[cfg(not(target_arch = "x86_64"))]
const ISA_FLAGS: &[&str] = &[];

/// How often the clock of the wall budget ticks.
const TICK: Duration = Duration::from_millis(10);

/// How many ticks after the last call the clock rests.
const TICKS_UNTIL_REST: u32 = 100;
/// How long the clock rests at most: then it sees whether the sandbox is still there.
const REST: Duration = Duration::from_secs(1);

/// Notes which engine on which target produced a result.
pub fn build() -> String {
    format!("{ENGINE} {}", TARGET.unwrap_or(std::env::consts::ARCH))
}

/// Everything in this crate that verdicts depend on, as text: prices, limits, and what a module may be made of. One thing is
/// not in it, because it belongs to the build: how many nested calls fit the stack depends on the compiled frames.
pub fn semantics() -> String {
    use crate::*;
    let limits = [
        ("stack bytes", STACK_BYTES_MAX as u64),
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
        ("alive by control", ALIVE_BY_CONTROL_MAX),
        ("all alive by control", ALIVE_BY_CONTROL_TOTAL_MAX),
        ("operands", OPERANDS_MAX.into()),
        ("compile weight", COMPILE_WEIGHT_MAX),
        ("all compile weight", COMPILE_WEIGHT_TOTAL_MAX),
        ("carried", CARRIED_MAX as u64),
        ("all carried", CARRIED_TOTAL_MAX),
        ("custom sections", CUSTOM_SECTIONS_MAX.into()),
        ("custom bytes", CUSTOM_BYTES_MAX),
    ];
    let limits: String = limits.iter().map(|(name, most)| format!("{name}: {most}\n")).collect();
    let features: Vec<&str> = allowed_features().iter_names().map(|(name, _)| name).collect();
    let features = features.join(" ");
    format!(
        "fuel: budget + 1 is set, at least 1 is left\nfeatures: {features}\n{limits}prices {} (others 1):\n{}",
        prices::VERSION,
        prices::TEXT
    )
}

/// How long a call into a bot may take before the machine is held to be at fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wall {
    /// At most so many milliseconds.
    Milliseconds(u64),
    /// As long as the fuel lasts.
    None,
}

impl Wall {
    /// The budget in ticks of the engine's clock; one more than fits, because the first tick may come at once.
    pub(crate) fn ticks(self) -> u64 {
        match self {
            Wall::Milliseconds(ms) => ms.div_ceil(TICK.as_millis() as u64) + 1,
            // The engine adds the deadline to its clock, so it must leave room.
            Wall::None => u64::MAX / 2,
        }
    }
}

/// The engine that all bots of a process share. Cheap to clone.
#[derive(Clone)]
pub struct Sandbox {
    engine: Engine,
    linker: Arc<Linker<Guest>>,
    clock: Arc<Clock>,
}

/// The clock of the wall budget: it ticks while bots are called, and rests where they are not, so that an idle process is idle.
struct Clock {
    calls: Arc<AtomicU32>,
    thread: Thread,
}

/// A call that the clock ticks for.
pub(crate) struct Timed<'a>(&'a Clock);

impl Clock {
    fn start(engine: EngineWeak) -> io::Result<Clock> {
        let calls = Arc::new(AtomicU32::new(0));
        let running = calls.clone();
        let tick = move || {
            let mut quiet = 0;
            while let Some(engine) = engine.upgrade() {
                engine.increment_epoch();
                drop(engine);
                quiet = if running.load(Ordering::SeqCst) == 0 { quiet + 1 } else { 0 };
                if quiet < TICKS_UNTIL_REST { thread::sleep(TICK) } else { thread::park_timeout(REST) }
            }
        };
        let thread = thread::Builder::new().name("wall clock".into()).spawn(tick)?.thread().clone();
        Ok(Clock { calls, thread })
    }
}

impl Drop for Timed<'_> {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The engine cannot be set up on this machine.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The engine refuses the fixed target or its settings.
    #[error("this machine cannot run bots: {0:#}")]
    Engine(wasmtime::Error),
    /// The thread of the clock does not start.
    #[error("this machine cannot run bots: no thread for the clock: {0}")]
    Clock(#[source] io::Error),
}

impl Sandbox {
    /// Sets the engine up and starts its clock, a thread that ends with the last clone.
    ///
    /// # Errors
    /// When this machine lacks an instruction set of the fixed target, or a thread cannot be started.
    pub fn new() -> Result<Sandbox, SandboxError> {
        Sandbox::with(config())
    }

    fn with(config: Result<Config, wasmtime::Error>) -> Result<Sandbox, SandboxError> {
        let engine = config.and_then(|config| Engine::new(&config)).map_err(SandboxError::Engine)?;
        let mut linker = Linker::new(&engine);
        linker.func_wrap("arena", "log", log).map_err(SandboxError::Engine)?;
        let clock = Clock::start(engine.weak()).map_err(SandboxError::Clock)?;
        Ok(Sandbox { engine, linker: Arc::new(linker), clock: Arc::new(clock) })
    }

    pub(crate) fn engine(&self) -> &Engine {
        &self.engine
    }

    /// Has the clock tick until this is dropped.
    pub(crate) fn timed(&self) -> Timed<'_> {
        self.clock.calls.fetch_add(1, Ordering::SeqCst);
        self.clock.thread.unpark();
        Timed(&self.clock)
    }

    /// Checks and compiles a bot.
    ///
    /// # Errors
    /// Why these bytes are not a bot, the first reason found.
    pub fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Bot, Refusal> {
        check(bytes, budgets)?;
        self.compile(bytes, budgets.memory_bytes)
    }

    /// Compiles a bot that has passed [the check](check) under budgets with so much memory.
    ///
    /// # Errors
    /// Why the engine refuses it.
    pub fn compile(&self, bytes: &[u8], memory_bytes: u64) -> Result<Bot, Refusal> {
        let failed = |error: wasmtime::Error| {
            Refusal::new(RefusalCode::CompileFailed, format!("the module does not compile: {error:#}"))
        };
        let module = Module::new(&self.engine, bytes).map_err(failed)?;
        let instance = self.linker.instantiate_pre(&module).map_err(failed)?;
        Ok(Bot { sandbox: self.clone(), instance, id: EntrantId::of_bytes(bytes), memory_bytes })
    }
}

/// A checked and compiled bot, ready for any number of games. Cheap to clone.
#[derive(Clone)]
pub struct Bot {
    pub(crate) sandbox: Sandbox,
    pub(crate) instance: InstancePre<Guest>,
    pub(crate) memory_bytes: u64,
    id: EntrantId,
}

impl Bot {
    /// The hash of its bytes.
    pub fn id(&self) -> &EntrantId {
        &self.id
    }

    /// The names of its exports. Hostile text: escape it wherever it is shown.
    pub fn exports(&self) -> Vec<String> {
        self.instance.module().exports().map(|export| export.name().into()).collect()
    }
}

/// The engine's settings. Each line: why, and what the default would have been.
fn config() -> Result<Config, wasmtime::Error> {
    let mut config = Config::new();
    if let Some(target) = TARGET {
        // Default: the host, with whatever instruction sets it has.
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
        // The verdict. Default: off.
        .consume_fuel(true)
        .operator_cost(prices::table())
        // The safety net. Default: off.
        .epoch_interruption(true)
        // Equal bits on every machine. Default: off.
        .cranelift_nan_canonicalization(true)
        // Work stays where it is paid: an optimiser may move it out of the branch that pays, to before a loop. Default: speed.
        .cranelift_opt_level(OptLevel::None)
        // A recursion deeper than this is a forfeit. Default: the same, pinned here because verdicts depend on it.
        .max_wasm_stack(STACK_BYTES_MAX)
        // What a static check refuses is refused by the engine too. Defaults: on, but for the relaxed ones.
        .wasm_features(WasmFeatures::FUNCTION_REFERENCES, false)
        .wasm_relaxed_simd(false)
        .wasm_multi_memory(false)
        .wasm_memory64(false)
        .wasm_tail_call(false)
        .wasm_custom_page_sizes(false)
        .wasm_wide_arithmetic(false)
        .wasm_extended_const(false)
        // Small reservations with explicit, speculation-safe bounds checks. Default: 4 GiB an instance.
        .memory_reservation(64 << 20)
        .memory_guard_size(64 << 10)
        .memory_reservation_for_growth(0)
        .memory_may_move(false)
        // Data is copied at the start, without files of memory: a worker may neither make nor write one. Default: on.
        .memory_init_cow(false)
        // Nothing about addresses of this machine leaves the engine. Defaults: on.
        .wasm_backtrace_details(WasmBacktraceDetails::Disable)
        // The functions that ran when a call failed are named to the bot's author. Default: 20 of them.
        .wasm_backtrace_max_frames(NonZeroUsize::new(FRAMES_MAX))
        .generate_address_map(false)
        .native_unwind_info(false);
    Ok(config)
}

/// An address or length handed to `arena.log` that is not in the bot's memory.
#[derive(Debug, thiserror::Error)]
#[error("arena.log was given {length} bytes at address {address}, which are not all in memory")]
pub(crate) struct BadLog {
    address: u32,
    length: u32,
}

/// The import `arena.log`: pays first, then copies.
fn log(mut caller: Caller<'_, Guest>, address: u32, length: u32) -> Result<(), wasmtime::Error> {
    let cost = LOG_CALL_FUEL + LOG_BYTE_FUEL * u64::from(length);
    let left = caller.get_fuel()?.checked_sub(cost);
    caller.set_fuel(left.unwrap_or(0))?;
    if left.is_none() {
        return Err(Trap::OutOfFuel.into());
    }
    let memory = caller.get_export("memory").and_then(|export| export.into_memory());
    let (data, guest) =
        memory.map(|memory| memory.data_and_store_mut(&mut caller)).ok_or(BadLog { address, length })?;
    let start = address as usize;
    let line = data.get(start..start + length as usize).ok_or(BadLog { address, length })?;
    guest.log.push(line);
    Ok(())
}

#[cfg(test)]
mod tests {
    use arena_referee::{Failure, Player};

    use super::*;
    use crate::SandboxPlayer;

    /// Calls `$down` as often as the observation's first byte says, loops, logs, and traps for 9.
    const BOT: &str = r#"(module (import "arena" "log" (func $log (param i32 i32))) (memory (export "memory") 1)
        (func $down (param i32) (if (local.get 0) (then (call $down (i32.sub (local.get 0) (i32.const 1))))))
        (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
        (func (export "arena_turn") (param i32) (result i64) (local i32)
            (local.set 1 (i32.load8_u (i32.const 1024)))
            (call $log (i32.const 0) (i32.const 3))
            (call $down (local.get 1))
            (if (i32.eq (local.get 1) (i32.const 9)) (then unreachable))
            (loop (br_if 0 (local.tee 1 (i32.sub (local.get 1) (i32.const 1)))))
            (i64.const 0)))"#;

    #[test]
    fn noting_functions_changes_neither_fuel_nor_verdicts() -> Result<(), Box<dyn std::error::Error>> {
        let bytes = wat::parse_str(BOT)?;
        let mut silent = config()?;
        silent.wasm_backtrace_max_frames(None);
        let played = |config, observation: u8, fuel| -> Result<_, Box<dyn std::error::Error>> {
            let bot = Sandbox::with(Ok(config))?.load(&bytes, &Budgets::DEFAULT)?;
            let mut player = SandboxPlayer::new(&bot, Wall::None);
            let started = player.start(1, 1_000).map_err(|failure| format!("{failure:?}"))?;
            let turn = player.turn(&[observation], fuel);
            Ok((started, turn, player.log().clone(), player.frames().len()))
        };
        for (observation, fuel) in [(1, 10_000), (8, 10_000), (9, 10_000), (200, 1_000), (0, 10_000)] {
            let (started, turn, log, frames) = played(config()?, observation, fuel)?;
            assert_eq!((started, turn.clone(), log, 0), played(silent.clone(), observation, fuel)?);
            assert_eq!(frames > 0, matches!(turn, Err(Failure::Own(_))), "{observation}");
        }
        Ok(())
    }
}
