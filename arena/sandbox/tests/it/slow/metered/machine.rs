//! A module under one of the two meters, the engine's fuel or the code's own; the bench also runs it under none.

#[path = "prices.rs"]
mod prices;

use arena_meter::{
    FUEL, METERED_BYTES_MAX, Maxima, OUT_OF_FUEL, STACK_UNITS_MAX, START, TOO_DEEP, UNCOUNTED_UNITS_MAX, meter,
};
use arena_record::Hex;
use arena_sandbox::TABLE_ELEMENTS_MAX;
use sha2::{Digest, Sha256};
use wasmtime::{
    Caller, Config, Engine, Global, Instance, InstancePre, Linker, Module, OptLevel, Store, StoreLimits,
    StoreLimitsBuilder, Trap, Val,
};

/// Bytes of native stack for code whose fuel the engine counts: a deeper recursion was a forfeit when that was the
/// meter.
const STACK_BYTES_MAX: usize = 512 << 10;
/// Bytes of native stack for code that counts its own: ten for each unit that it can take, as `METER.md` promises.
const NATIVE_STACK_BYTES: usize = 10 * (STACK_UNITS_MAX + UNCOUNTED_UNITS_MAX) as usize;
/// Pages that a bot's memory may grow to by default.
const PAGES_MAX: u64 = 64;
pub(crate) const MAXIMA: Maxima =
    Maxima { module_bytes: METERED_BYTES_MAX, memory_pages: PAGES_MAX, table_elements: TABLE_ELEMENTS_MAX };

/// Who counts the fuel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Meter {
    /// The engine.
    Engine,
    /// The rewritten code.
    Own,
    /// Nobody.
    #[allow(dead_code, reason = "for the bench")]
    Nobody,
}

/// How a call ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// In time, with the fuel that it took and what it returned.
    InTime { fuel: u64, value: u64 },
    /// Its fuel was used up.
    Exhausted,
    /// Its calls were nested too deeply.
    TooDeep,
    /// It trapped.
    Trapped(String),
}

/// What a guest has left behind: what it logged, and its memory as length and digest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct State {
    pub(crate) log: Vec<Vec<u8>>,
    pub(crate) memory_bytes: usize,
    pub(crate) memory: Hex<32>,
}

impl State {
    pub(crate) fn of(log: &[Vec<u8>], memory: &[u8]) -> State {
        State { log: log.to_vec(), memory_bytes: memory.len(), memory: Hex(Sha256::digest(memory).into()) }
    }
}

struct Guest {
    limits: StoreLimits,
    log: Vec<Vec<u8>>,
    meter: Meter,
}

/// An engine for modules under one meter.
pub(crate) struct Machine {
    meter: Meter,
    engine: Engine,
    linker: Linker<Guest>,
}

/// A compiled module.
pub(crate) struct Program {
    meter: Meter,
    instance: InstancePre<Guest>,
    start_fuel: u64,
}

/// A guest in a game.
pub(crate) struct Playing {
    store: Store<Guest>,
    instance: Option<Instance>,
    /// Where its own count is.
    fuel: Option<Global>,
    observation_at: usize,
    meter: Meter,
}

impl Machine {
    /// The sandbox's settings as far as results depend on them. NaNs are the engine's matter only where it meters.
    pub(crate) fn new(meter: Meter) -> Machine {
        let is_engine = meter == Meter::Engine;
        let mut config = Config::new();
        config
            .consume_fuel(is_engine)
            .operator_cost(prices::table())
            .cranelift_nan_canonicalization(is_engine)
            .cranelift_opt_level(OptLevel::None)
            .max_wasm_stack(if is_engine { STACK_BYTES_MAX } else { NATIVE_STACK_BYTES })
            .wasm_relaxed_simd(false)
            .wasm_memory64(false)
            .wasm_tail_call(false)
            .memory_init_cow(false);
        let engine = Engine::new(&config).expect("this machine runs bots");
        let mut linker = Linker::new(&engine);
        linker.func_wrap("arena", "log", log).expect("one function");
        linker.func_wrap("arena", "fuel", left).expect("another");
        Machine { meter, engine, linker }
    }

    pub(crate) fn load(&self, bytes: &[u8]) -> Program {
        let metered = (self.meter == Meter::Own).then(|| meter(bytes, MAXIMA).expect("a bot"));
        let code = metered.as_ref().map_or(bytes, |metered| &metered.module);
        let module = Module::new(&self.engine, code).unwrap_or_else(|error| panic!("{error:#}"));
        let instance = self.linker.instantiate_pre(&module).expect("the imports");
        let start_fuel = metered.as_ref().map_or(0, |metered| metered.start_fuel);
        Program { meter: self.meter, instance, start_fuel }
    }
}

fn log(mut caller: Caller<'_, Guest>, address: u32, length: u32) -> Result<(), wasmtime::Error> {
    if caller.data().meter == Meter::Engine {
        let cost = arena_meter::LOG_CALL_FUEL + arena_meter::LOG_BYTE_FUEL * u64::from(length);
        let left = caller.get_fuel()?.checked_sub(cost);
        caller.set_fuel(left.unwrap_or(0))?;
        if left.is_none() {
            return Err(Trap::OutOfFuel.into());
        }
    }
    let memory = caller.get_export("memory").and_then(|export| export.into_memory());
    let (data, guest) = memory.ok_or(Trap::MemoryOutOfBounds)?.data_and_store_mut(&mut caller);
    let start = address as usize;
    let line = data.get(start..start + length as usize).ok_or(Trap::MemoryOutOfBounds)?;
    guest.log.push(line.to_vec());
    Ok(())
}

/// What is left by the engine's own count. Code that counts its own never asks.
fn left(mut caller: Caller<'_, Guest>) -> Result<u64, wasmtime::Error> {
    assert_eq!(caller.data().meter, Meter::Engine, "the meter stands for this function");
    let left = caller.get_fuel()?.saturating_sub(arena_meter::FUEL_CALL_FUEL);
    caller.set_fuel(left)?;
    left.checked_sub(1).ok_or_else(|| Trap::OutOfFuel.into())
}

impl Program {
    /// Starts a game on this fuel.
    pub(crate) fn start(&self, observation_len: usize, fuel: u64) -> (Playing, End) {
        let limits = match self.meter {
            // The types have their maxima.
            Meter::Own => StoreLimits::default(),
            Meter::Engine | Meter::Nobody => StoreLimitsBuilder::new()
                .memory_size((PAGES_MAX << 16) as usize)
                .table_elements(TABLE_ELEMENTS_MAX as usize)
                .build(),
        };
        let guest = Guest { limits, log: Vec::new(), meter: self.meter };
        let mut store = Store::new(self.instance.module().engine(), guest);
        store.limiter(|guest| &mut guest.limits);
        let mut playing = Playing { store, instance: None, fuel: None, observation_at: 0, meter: self.meter };
        let end = playing.begin(self, observation_len, fuel);
        (playing, end)
    }
}

impl Playing {
    fn begin(&mut self, program: &Program, observation_len: usize, fuel: u64) -> End {
        if self.meter == Meter::Engine {
            self.fill(fuel, 0);
        } else if fuel < program.start_fuel {
            return End::Exhausted;
        }
        match program.instance.instantiate(&mut self.store) {
            Ok(instance) => {
                self.fuel = instance.get_global(&mut self.store, FUEL);
                self.instance = Some(instance);
            }
            Err(error) => return self.failed(&error),
        }
        if self.meter == Meter::Own {
            self.fill(fuel, program.start_fuel);
        }
        for name in [START, "_initialize"] {
            if let Some(Err(error)) = self.call_nothing(name) {
                return self.failed(&error);
            }
        }
        let instance = self.instance.expect("it was made");
        let call = instance.get_typed_func::<u32, u32>(&mut self.store, "arena_observation");
        let address = call.and_then(|call| call.call(&mut self.store, observation_len as u32));
        self.observation_at = *address.as_ref().unwrap_or(&0) as usize;
        self.ended(address.map(u64::from), fuel)
    }

    fn call_nothing(&mut self, name: &str) -> Option<Result<(), wasmtime::Error>> {
        let call = self.instance?.get_typed_func::<(), ()>(&mut self.store, name).ok()?;
        Some(call.call(&mut self.store, ()))
    }

    /// Asks for an answer on this fuel.
    pub(crate) fn turn(&mut self, observation: &[u8], fuel: u64) -> End {
        let instance = self.instance.expect("it has started");
        let memory = instance.get_memory(&mut self.store, "memory").expect("the check has seen it");
        if memory.write(&mut self.store, self.observation_at, observation).is_err() {
            return End::Trapped("no place for the observation".into());
        }
        self.fill(fuel, 0);
        let call = instance.get_typed_func::<u32, u64>(&mut self.store, "arena_turn").expect("the check has seen it");
        let value = call.call(&mut self.store, observation.len() as u32);
        self.ended(value, fuel)
    }

    /// The bytes of an answer.
    pub(crate) fn answer(&mut self, value: u64) -> Vec<u8> {
        let (address, length) = (value as u32 as usize, (value >> 32) as usize);
        let memory = self.instance.and_then(|instance| instance.get_memory(&mut self.store, "memory"));
        let data = memory.map(|memory| memory.data(&self.store)).unwrap_or_default();
        data.get(address..address + length).unwrap_or_default().to_vec()
    }

    pub(crate) fn state(&mut self) -> State {
        let memory = self.instance.and_then(|instance| instance.get_memory(&mut self.store, "memory"));
        let data = memory.map(|memory| memory.data(&self.store)).unwrap_or_default();
        State::of(&self.store.data().log, data)
    }

    /// Sets the fuel of a call, one more than its budget, without what it has spent.
    fn fill(&mut self, fuel: u64, spent: u64) {
        let left = i128::from(fuel) + 1 - i128::from(spent);
        match self.meter {
            Meter::Engine => self.store.set_fuel(left as u64).expect("it is metered"),
            Meter::Own => {
                let left = left.min(i128::from(i64::MAX >> 1)) as i64;
                self.fuel.expect("it is metered").set(&mut self.store, Val::I64(left)).expect("of 64 bits");
            }
            Meter::Nobody => {}
        }
    }

    fn left(&mut self) -> i64 {
        match self.meter {
            Meter::Engine => self.store.get_fuel().expect("it is metered") as i64,
            Meter::Own => self.fuel.map_or(0, |global| global.get(&mut self.store).unwrap_i64()),
            Meter::Nobody => 1,
        }
    }

    fn ended(&mut self, value: Result<u64, wasmtime::Error>, fuel: u64) -> End {
        match value {
            Ok(value) => match self.left() {
                ..=0 => End::Exhausted,
                left => End::InTime { fuel: (fuel + 1).saturating_sub(left as u64), value },
            },
            Err(error) => self.failed(&error),
        }
    }

    fn failed(&mut self, error: &wasmtime::Error) -> End {
        let trap = error.downcast_ref::<Trap>().unwrap_or_else(|| panic!("{error:#}"));
        match (self.meter, trap) {
            (Meter::Engine, Trap::OutOfFuel) => End::Exhausted,
            (Meter::Engine, Trap::StackOverflow) => End::TooDeep,
            (Meter::Own, Trap::StackOverflow) => panic!("the native stack ended before its units did"),
            (Meter::Own, Trap::UnreachableCodeReached) => match self.left() {
                OUT_OF_FUEL => End::Exhausted,
                TOO_DEEP => End::TooDeep,
                _ => End::Trapped(format!("{trap:?}")),
            },
            _ => End::Trapped(format!("{trap:?}")),
        }
    }
}
