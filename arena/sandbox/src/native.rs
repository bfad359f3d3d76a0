//! The engine that bots play in, Wasmtime: a compiler.

use std::sync::Arc;

use arena_meter::{FUEL, LINES, STACK, STACK_UNITS_MAX, USED, USED_WITH_CALLS, WITHHELD};
use wasmtime::{
    Caller, Config, Global, InstancePre, Linker, Memory, Module, Store, TypedFunc, Val, WasmParams, WasmResults,
};

use crate::frame::frames;
use crate::instance::{BadLog, Engine, Entry, Instance, Program, Stop, Stopped, Trap};
use crate::{FRAMES_MAX, Guest};

/// What an interpreter may spend to find its lines: enough to read the tables of the longest script at each frame.
const LINES_FUEL: i64 = 100_000_000;

/// The engine, set up once.
pub(crate) struct Native {
    pub(crate) engine: wasmtime::Engine,
    linker: Linker<Guest>,
}

impl Native {
    pub(crate) fn new(config: &Config) -> Result<Native, wasmtime::Error> {
        let engine = wasmtime::Engine::new(config)?;
        let mut linker = Linker::new(&engine);
        linker.func_wrap("arena", "log", log)?;
        linker.func_wrap("arena", "fuel", fuel)?;
        Ok(Native { engine, linker })
    }
}

fn log(mut caller: Caller<'_, Guest>, address: u32, length: u32) -> Result<(), wasmtime::Error> {
    let memory = caller.get_export("memory").and_then(|export| export.into_memory());
    let (data, guest) = memory.ok_or(wasmtime::Trap::MemoryOutOfBounds)?.data_and_store_mut(&mut caller);
    Ok(guest.keep(data, address, length)?)
}

/// The import `arena.fuel`, which no code calls: the meter has a function of its own in its place.
fn fuel() -> Result<i64, wasmtime::Error> {
    Err(wasmtime::Error::msg("arena.fuel was called past the meter"))
}

impl Engine for Native {
    fn compile(&self, module: &[u8]) -> Result<Arc<dyn Program>, String> {
        let module = Module::new(&self.engine, module).and_then(|module| self.linker.instantiate_pre(&module));
        module.map(|program| Arc::new(Compiled(program)) as Arc<dyn Program>).map_err(|error| format!("{error:#}"))
    }
}

struct Compiled(InstancePre<Guest>);

struct Running {
    store: Store<Guest>,
    instance: wasmtime::Instance,
    memory: Memory,
    /// Looked up once, since it is called in every turn.
    turn: Option<TypedFunc<u32, u64>>,
    fuel: Global,
    /// The fuel that is withheld, in a profile.
    withheld: Option<Global>,
}

impl Program for Compiled {
    fn instantiate(&self) -> Result<Box<dyn Instance>, Stopped> {
        let mut store = Store::new(self.0.module().engine(), Guest::default());
        store.limiter(|guest| guest);
        let instance = self.0.instantiate(&mut store).map_err(|error| stopped(&error))?;
        let vanished = |what: &str| Stop::Engine(format!("{what} vanished after the check"));
        let memory = instance.get_memory(&mut store, "memory").ok_or_else(|| vanished("memory"))?;
        let fuel = instance.get_global(&mut store, FUEL).ok_or_else(|| vanished(FUEL))?;
        let turn = instance.get_typed_func(&mut store, Entry::Turn.name()).ok();
        let withheld = instance.get_global(&mut store, WITHHELD);
        Ok(Box::new(Running { store, instance, memory, turn, fuel, withheld }))
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
        let function = self.instance.get_typed_func::<P, R>(&mut self.store, entry.name());
        let Ok(function) = function else { return Ok(None) };
        let returned = function.call(&mut self.store, params);
        returned.map(|returned| Some(value(returned))).map_err(|error| stopped(&error))
    }

    /// What an interpreter says of its lines, in a call of its own.
    fn said(&mut self, lines: &TypedFunc<(), u64>) -> Option<Vec<u32>> {
        // Where the code stopped, it left both as they were.
        let room = Val::I32(STACK_UNITS_MAX.cast_signed());
        if let Some(stack) = self.instance.get_global(&mut self.store, STACK) {
            stack.set(&mut self.store, room).ok()?;
        }
        self.fuel.set(&mut self.store, Val::I64(LINES_FUEL)).ok()?;
        let said = lines.call(&mut self.store, ()).ok()?;
        let (address, count) = (said as u32 as usize, (said >> 32) as usize);
        let bytes = self.memory().get(address..)?.get(..4 * count.min(FRAMES_MAX))?;
        Some(bytes.as_chunks().0.iter().map(|line| u32::from_le_bytes(*line)).collect())
    }
}

impl Instance for Running {
    fn call(&mut self, entry: Entry, length: u32) -> Result<Option<u64>, Stopped> {
        match entry {
            Entry::Start | Entry::Initialiser => self.typed(entry, (), |()| 0),
            Entry::Observation => self.typed(entry, length, |address: u32| address.into()),
            Entry::Turn => {
                let Some(turn) = &self.turn else { return Ok(None) };
                turn.call(&mut self.store, length).map(Some).map_err(|error| stopped(&error))
            }
        }
    }

    fn fuel(&mut self) -> i64 {
        self.fuel.get(&mut self.store).i64().unwrap_or_default()
    }

    fn set_fuel(&mut self, fuel: i64) -> Result<(), Stopped> {
        self.fuel.set(&mut self.store, Val::I64(fuel)).map_err(|error| stopped(&error))
    }

    fn withhold(&mut self, fuel: i64) -> Result<(), Stopped> {
        let Some(withheld) = self.withheld else { return Ok(()) };
        withheld.set(&mut self.store, Val::I64(fuel)).map_err(|error| stopped(&error))
    }

    fn lines(&mut self) -> Option<Vec<u32>> {
        let lines = self.instance.get_typed_func::<(), u64>(&mut self.store, LINES).ok()?;
        Some(self.said(&lines).unwrap_or_default())
    }

    fn used(&mut self, function: u32) -> Option<(u64, u64)> {
        let mut read = |name: &str| {
            let global = self.instance.get_global(&mut self.store, &format!("{name}{function}"))?;
            global.get(&mut self.store).i64().map(i64::cast_unsigned)
        };
        Some((read(USED)?, read(USED_WITH_CALLS)?))
    }

    fn memory(&self) -> &[u8] {
        self.memory.data(&self.store)
    }

    fn parts(&mut self) -> (&mut [u8], &mut Guest) {
        self.memory.data_and_store_mut(&mut self.store)
    }
}

fn stopped(error: &wasmtime::Error) -> Stopped {
    let trap = error.downcast_ref::<wasmtime::Trap>().and_then(|trap| match trap {
        wasmtime::Trap::UnreachableCodeReached => Some(Trap::Unreachable),
        wasmtime::Trap::MemoryOutOfBounds => Some(Trap::Memory),
        wasmtime::Trap::TableOutOfBounds => Some(Trap::Table),
        wasmtime::Trap::IndirectCallToNull => Some(Trap::Empty),
        wasmtime::Trap::BadSignature => Some(Trap::Signature),
        wasmtime::Trap::IntegerOverflow => Some(Trap::Overflow),
        wasmtime::Trap::IntegerDivisionByZero => Some(Trap::Division),
        wasmtime::Trap::BadConversionToInteger => Some(Trap::Conversion),
        // Nothing that passed the check can fail in another way, but an engine whose own stack or memory ended can.
        _ => None,
    });
    let why = match (error.downcast_ref::<BadLog>(), trap) {
        (Some(log), _) => Stop::Log(*log),
        (None, Some(trap)) => Stop::Trap(trap),
        (None, None) => Stop::Engine(format!("{error:#}")),
    };
    Stopped { why, frames: frames(error) }
}

#[cfg(test)]
mod tests {
    use std::hash::{DefaultHasher, Hash, Hasher};

    use super::*;
    use crate::settings::{config, used_again};

    #[test]
    fn where_memories_come_from_changes_no_code() -> Result<(), Box<dyn std::error::Error>> {
        let code = |config: &Config| {
            let mut hasher = DefaultHasher::new();
            Native::new(config)?.engine.precompile_compatibility_hash().hash(&mut hasher);
            Ok::<_, wasmtime::Error>(hasher.finish())
        };
        let [mut reusing, mut other] = [config()?, config()?];
        reusing.allocation_strategy(used_again(1));
        assert_eq!(code(&reusing)?, code(&config()?)?);
        other.cranelift_nan_canonicalization(true);
        assert_ne!(code(&other)?, code(&config()?)?, "the hash tells engines apart");
        Ok(())
    }
}
