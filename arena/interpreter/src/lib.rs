//! A second engine for bots: [wasmi](https://github.com/wasmi-labs/wasmi), an interpreter, which makes no native code
//! and shares none with Wasmtime. No game is played in it first; it plays games again, to verify them. The only crate
//! that names wasmi.
//!
//! ```
//! use arena_interpreter::Interpreter;
//! use arena_record::Budgets;
//! use arena_referee::Player;
//! use arena_sandbox::{Sandbox, SandboxPlayer};
//!
//! let bot = wat::parse_str(
//!     r#"(module (memory (export "memory") 1)
//!         (func (export "arena_observation") (param i32) (result i32) (i32.const 0))
//!         (func (export "arena_turn") (param i32) (result i64) (i64.const 0)))"#,
//! )?;
//! let bot = Sandbox::of(Interpreter::new()).load(&bot, &Budgets::DEFAULT)?;
//! assert!(SandboxPlayer::new(&bot).start(16, 1_000).is_ok_and(|started| started.fuel == Some(2)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! What this crate deliberately is not: it has no profiles. It does not know which functions were running, nor which
//! memory was refused.

use std::sync::Arc;

use arena_meter::{FRAME_UNITS, FUEL, STACK_UNITS_MAX, UNCOUNTED_UNITS_MAX};
use arena_sandbox::instance::{Engine, Entry, Instance, Program, Stop, Stopped, Trap};
use arena_sandbox::{Guest, NATIVE_STACK_BYTES, TABLES_MAX};
use wasmi::errors::{ErrorKind, InstantiationError, TableError};
use wasmi::{
    Caller, CompilationMode, Config, Error, Global, Linker, Memory, Module, ResourceLimiter, Store, TrapCode, Val,
    WasmParams, WasmResults,
};
use wasmi_core::LimiterError;

/// Nested calls: as many as the units of the stack allow, by what each takes at least.
const CALLS_MAX: usize = ((STACK_UNITS_MAX + UNCOUNTED_UNITS_MAX) / FRAME_UNITS) as usize;

/// Bytes of a number in its stack, which is measured in registers: a unit takes one.
const REGISTER_BYTES: usize = 8;

/// How many times as long as in Wasmtime a call may take, before its process is ended: interpreting takes up to thirty
/// times as long as its code, compiled without an optimiser.
pub const SLOWNESS: u32 = 60;

/// The interpreter, set up once.
pub struct Interpreter {
    engine: wasmi::Engine,
    linker: Linker<Data>,
}

impl Interpreter {
    /// Sets it up.
    pub fn new() -> Interpreter {
        Interpreter::with_stack(NATIVE_STACK_BYTES, CALLS_MAX)
    }

    /// The same with a stack of its own of so many bytes and nested calls. Where it ends before the code's own does,
    /// the engine has failed.
    fn with_stack(bytes: usize, calls: usize) -> Interpreter {
        let mut config = Config::default();
        config
            .set_min_stack_height(1)
            .set_max_stack_height(bytes / REGISTER_BYTES)
            .set_max_recursion_depth(calls)
            // Within the limits of compiling, and not in a turn. Default: where a function is first called.
            .compilation_mode(CompilationMode::Eager)
            // The engine refuses everything that the static check refuses. Defaults: on.
            .wasm_multi_memory(false)
            .wasm_tail_call(false)
            .wasm_extended_const(false)
            .wasm_relaxed_simd(false);
        let engine = wasmi::Engine::new(&config);
        let mut linker = Linker::new(&engine);
        linker.func_wrap("arena", "log", log).expect("another name");
        linker.func_wrap("arena", "fuel", fuel).expect("another name");
        Interpreter { engine, linker }
    }
}

impl Default for Interpreter {
    fn default() -> Interpreter {
        Interpreter::new()
    }
}

/// The host's data for a guest, as the engine knows it.
#[derive(Default)]
struct Data {
    guest: Guest,
    /// Why the code stopped or must, where no error of the engine says so.
    stop: Option<Stop>,
}

impl Data {
    /// A memory or a table could not grow as far as its type allows.
    fn is_short(&mut self) {
        self.stop = Some(Stop::Engine("a memory or a table cannot grow as far as it may".into()));
    }
}

/// Memories and tables grow to the maxima in their types. If one cannot grow so far, the engine has failed: a bot that
/// got -1 for that would play another game on another machine.
impl ResourceLimiter for Data {
    fn memory_growing(&mut self, _: usize, desired: usize, maximum: Option<usize>) -> Result<bool, LimiterError> {
        Ok(maximum.is_none_or(|most| desired <= most))
    }

    fn table_growing(&mut self, _: usize, desired: usize, maximum: Option<usize>) -> Result<bool, LimiterError> {
        Ok(maximum.is_none_or(|most| desired <= most))
    }

    fn memory_grow_failed(&mut self, _: &LimiterError) {
        self.is_short();
    }

    fn table_grow_failed(&mut self, _: &LimiterError) {
        self.is_short();
    }

    fn instances(&self) -> usize {
        1
    }

    fn tables(&self) -> usize {
        TABLES_MAX as usize
    }

    fn memories(&self) -> usize {
        1
    }
}

fn log(mut caller: Caller<'_, Data>, address: u32, length: u32) -> Result<(), Error> {
    let memory = caller.get_export("memory").and_then(|export| export.into_memory());
    let (memory, data) = memory.ok_or(TrapCode::MemoryOutOfBounds)?.data_and_store_mut(&mut caller);
    data.guest.keep(memory, address, length).map_err(|outside| {
        data.stop = Some(Stop::Log(outside));
        Error::new(outside.to_string())
    })
}

/// The import `arena.fuel`, which no code calls: the meter has a function of its own in its place.
fn fuel() -> Result<i64, Error> {
    Err(Error::new("arena.fuel was called past the meter"))
}

impl Engine for Interpreter {
    fn compile(&self, module: &[u8]) -> Result<Arc<dyn Program>, String> {
        let module = Module::new(&self.engine, module).map_err(|error| error.to_string())?;
        Ok(Arc::new(Translated { module, linker: self.linker.clone() }))
    }
}

struct Translated {
    module: Module,
    linker: Linker<Data>,
}

struct Running {
    store: Store<Data>,
    instance: wasmi::Instance,
    memory: Memory,
    fuel: Global,
}

impl Program for Translated {
    fn instantiate(&self) -> Result<Box<dyn Instance>, Stopped> {
        let mut store = Store::new(self.module.engine(), Data::default());
        store.limiter(|data| data);
        let made = self.linker.instantiate_and_start(&mut store, &self.module);
        let instance = made.map_err(|error| stopped(&error))?;
        let vanished = |what: &str| Stop::Engine(format!("{what} vanished after the check"));
        let memory = instance.get_memory(&store, "memory").ok_or_else(|| vanished("memory"))?;
        let fuel = instance.get_global(&store, FUEL).ok_or_else(|| vanished(FUEL))?;
        Ok(Box::new(Running { store, instance, memory, fuel }))
    }
}

impl Running {
    /// Calls a function of this type. The check has seen to the types of all.
    fn typed<P: WasmParams, R: WasmResults>(
        &mut self,
        entry: Entry,
        params: P,
        value: impl FnOnce(R) -> u64,
    ) -> Result<Option<u64>, Stopped> {
        let Ok(function) = self.instance.get_typed_func::<P, R>(&self.store, entry.name()) else { return Ok(None) };
        let returned = function.call(&mut self.store, params);
        if let Some(stop) = &self.store.data().stop {
            return Err(stop.clone().into());
        }
        returned.map(|returned| Some(value(returned))).map_err(|error| stopped(&error))
    }
}

impl Instance for Running {
    fn call(&mut self, entry: Entry, length: u32) -> Result<Option<u64>, Stopped> {
        match entry {
            Entry::Start | Entry::Initialiser => self.typed(entry, (), |()| 0),
            Entry::Observation => self.typed(entry, length, |address: u32| address.into()),
            Entry::Turn => self.typed(entry, length, |action: u64| action),
        }
    }

    fn fuel(&mut self) -> i64 {
        self.fuel.get(&self.store).i64().unwrap_or_default()
    }

    fn set_fuel(&mut self, fuel: i64) -> Result<(), Stopped> {
        let set = self.fuel.set(&mut self.store, Val::I64(fuel));
        set.map_err(|error| Stop::Engine(error.to_string()).into())
    }

    fn memory(&self) -> &[u8] {
        self.memory.data(&self.store)
    }

    fn parts(&mut self) -> (&mut [u8], &mut Guest) {
        let (memory, data) = self.memory.data_and_store_mut(&mut self.store);
        (memory, &mut data.guest)
    }
}

fn stopped(error: &Error) -> Stopped {
    let trap = match (error.as_trap_code(), error.kind()) {
        (Some(TrapCode::UnreachableCodeReached), _) => Some(Trap::Unreachable),
        (Some(TrapCode::MemoryOutOfBounds), _) => Some(Trap::Memory),
        // To this engine, elements without a place and copies of them are no traps.
        (Some(TrapCode::TableOutOfBounds), _)
        | (_, ErrorKind::Table(TableError::CopyOutOfBounds))
        | (_, ErrorKind::Instantiation(InstantiationError::ElementSegmentDoesNotFit { .. })) => Some(Trap::Table),
        (Some(TrapCode::IndirectCallToNull), _) => Some(Trap::Empty),
        (Some(TrapCode::BadSignature), _) => Some(Trap::Signature),
        (Some(TrapCode::IntegerOverflow), _) => Some(Trap::Overflow),
        (Some(TrapCode::IntegerDivisionByZero), _) => Some(Trap::Division),
        (Some(TrapCode::BadConversionToInteger), _) => Some(Trap::Conversion),
        // Its own stack ended, a memory could not grow, or it is broken.
        _ => None,
    };
    trap.map_or_else(|| Stop::Engine(error.to_string()), Stop::Trap).into()
}

#[cfg(test)]
mod tests {
    use arena_record::Budgets;
    use arena_referee::{Failure, Player};
    use arena_sandbox::{Calls, Sandbox, SandboxPlayer};

    use super::*;

    #[test]
    fn an_engine_whose_own_stack_ends_has_failed_and_gives_no_verdict() -> Result<(), Box<dyn std::error::Error>> {
        let deep = wat::parse_str(
            r#"(module (memory (export "memory") 1)
            (func $down (param i32) (if (local.get 0) (then (call $down (i32.sub (local.get 0) (i32.const 1))))))
            (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
            (func (export "arena_turn") (param i32) (result i64)
                (call $down (i32.load8_u (i32.const 1024))) (i64.const 0)))"#,
        )?;
        let turn = |engine: Interpreter, calls| {
            let bot = Sandbox::of(engine).load(&deep, &Budgets::DEFAULT)?;
            let mut player = SandboxPlayer::new(&bot);
            player.start(1, 1_000).map_err(|failure| format!("{failure:?}"))?;
            Ok::<_, Box<dyn std::error::Error>>(player.turn(&[calls], 100_000))
        };
        for (bytes, calls) in [(NATIVE_STACK_BYTES, 100), (4 << 10, CALLS_MAX)] {
            assert!(turn(Interpreter::with_stack(bytes, calls), 5)?.is_ok());
            assert!(matches!(turn(Interpreter::with_stack(bytes, calls), 255)?, Err(Failure::Platform(_))));
        }
        assert!(turn(Interpreter::new(), 255)?.is_ok());
        Ok(())
    }

    /// Release 2.0.0 takes the other operand.
    #[test]
    fn a_select_takes_the_operand_that_its_condition_says() -> Result<(), Box<dyn std::error::Error>> {
        let bot = wat::parse_str(
            r#"(module (memory (export "memory") 1)
            (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
            (func (export "arena_turn") (param i32) (result i64) (local i32)
                (local.set 1 (i32.load8_u (i32.const 1024)))
                (i64.extend_i32_u (select (i32.const 9) (local.get 1) (i32.eqz (local.get 1))))))"#,
        )?;
        let bot = Sandbox::of(Interpreter::new()).load(&bot, &Budgets::DEFAULT)?;
        let mut calls = Calls::new(&bot);
        calls.start(1, 1_000).map_err(|broken| format!("{broken:?}"))?;
        let values = [0, 3].map(|byte| calls.turn(&[byte], 1_000).map(|returned| returned.value));
        assert_eq!(values, [Ok(9), Ok(3)]);
        Ok(())
    }
}
