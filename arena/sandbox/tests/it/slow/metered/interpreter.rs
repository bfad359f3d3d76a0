//! A metered module in a second engine, an interpreter that shares no code with the first.

use arena_meter::{FRAME_UNITS, FUEL, Metered, OUT_OF_FUEL, STACK_UNITS_MAX, START, TOO_DEEP, UNCOUNTED_UNITS_MAX};
use wasmi::errors::{ErrorKind, TableError};
use wasmi::{Caller, Config, Engine, Error, Instance, Linker, Memory, Module, Store, TrapCode, Val};

use super::machine::{End, State};

/// Units of the stack that native code may need.
const UNITS: usize = (STACK_UNITS_MAX + UNCOUNTED_UNITS_MAX) as usize;
/// Registers of the interpreter's stack, ten bytes for each unit, and nested calls: its own limits would come sooner.
const REGISTERS: usize = 10 * UNITS / 8;
const CALLS: usize = UNITS / FRAME_UNITS as usize;

/// A module that counts its own fuel, translated.
pub(crate) struct Translated {
    module: Module,
    linker: Linker<Vec<Vec<u8>>>,
    start_fuel: u64,
}

/// A guest in a game.
pub(crate) struct Interpreted {
    store: Store<Vec<Vec<u8>>>,
    instance: Option<Instance>,
    observation_at: usize,
}

fn log(mut caller: Caller<'_, Vec<Vec<u8>>>, address: u32, length: u32) -> Result<(), Error> {
    let memory = caller.get_export("memory").and_then(|export| export.into_memory());
    let (data, log) = memory.ok_or(TrapCode::MemoryOutOfBounds)?.data_and_store_mut(&mut caller);
    let start = address as usize;
    let line = data.get(start..start + length as usize).ok_or(TrapCode::MemoryOutOfBounds)?;
    log.push(line.to_vec());
    Ok(())
}

impl Translated {
    pub(crate) fn new(metered: &Metered) -> Translated {
        let mut config = Config::default();
        config.set_max_recursion_depth(CALLS).set_min_stack_height(1).set_max_stack_height(REGISTERS);
        let engine = Engine::new(&config);
        let mut linker = Linker::new(&engine);
        linker.func_wrap("arena", "log", log).expect("one function");
        let fuel = || -> i64 { unreachable!("the meter stands for this function") };
        linker.func_wrap("arena", "fuel", fuel).expect("another");
        let module = Module::new(&engine, &metered.module).unwrap_or_else(|error| panic!("{error}"));
        Translated { module, linker, start_fuel: metered.start_fuel }
    }

    /// Starts a game on this fuel.
    pub(crate) fn start(&self, observation_len: u32, fuel: u64) -> (Interpreted, End) {
        let store = Store::new(self.module.engine(), Vec::new());
        let mut guest = Interpreted { store, instance: None, observation_at: 0 };
        let end = guest.begin(self, observation_len, fuel);
        (guest, end)
    }
}

impl Interpreted {
    fn begin(&mut self, translated: &Translated, observation_len: u32, fuel: u64) -> End {
        if fuel < translated.start_fuel {
            return End::Exhausted;
        }
        match translated.linker.instantiate_and_start(&mut self.store, &translated.module) {
            Ok(instance) => self.instance = Some(instance),
            // Data or elements have no place, which this engine does not call a trap.
            Err(error) => return End::Trapped(error.to_string()),
        }
        self.fill(fuel - translated.start_fuel);
        for name in [START, "_initialize"] {
            let call = self.instance().get_typed_func::<(), ()>(&self.store, name);
            if let Ok(Err(error)) = call.map(|call| call.call(&mut self.store, ())) {
                return self.failed(&error);
            }
        }
        let call = self.instance().get_typed_func::<u32, u32>(&self.store, "arena_observation");
        let address = call.and_then(|call| call.call(&mut self.store, observation_len));
        self.observation_at = *address.as_ref().unwrap_or(&0) as usize;
        self.ended(address.map(u64::from), fuel)
    }

    /// Asks for an answer on this fuel.
    pub(crate) fn turn(&mut self, observation: &[u8], fuel: u64) -> End {
        let memory = self.memory().expect("the check has seen it");
        if memory.write(&mut self.store, self.observation_at, observation).is_err() {
            return End::Trapped("no place for the observation".into());
        }
        self.fill(fuel);
        let call = self.instance().get_typed_func::<u32, u64>(&self.store, "arena_turn");
        let value = call.and_then(|call| call.call(&mut self.store, observation.len() as u32));
        self.ended(value, fuel)
    }

    pub(crate) fn state(&self) -> State {
        State::of(self.store.data(), self.memory().map_or(&[], |memory| memory.data(&self.store)))
    }

    fn instance(&self) -> Instance {
        self.instance.expect("it was made")
    }

    fn memory(&self) -> Option<Memory> {
        self.instance?.get_memory(&self.store, "memory")
    }

    /// Sets the fuel of a call, one more than is left of its budget.
    fn fill(&mut self, left: u64) {
        let global = self.instance().get_global(&self.store, FUEL).expect("it is metered");
        let left = left.min(i64::MAX as u64 >> 1) as i64;
        global.set(&mut self.store, Val::I64(left + 1)).expect("of 64 bits");
    }

    fn left(&self) -> i64 {
        let global = self.instance.and_then(|instance| instance.get_global(&self.store, FUEL));
        global.map_or(0, |global| global.get(&self.store).i64().expect("of 64 bits"))
    }

    fn ended(&self, value: Result<u64, Error>, fuel: u64) -> End {
        match (value, self.left()) {
            (Ok(_), ..=0) => End::Exhausted,
            (Ok(value), left) => End::InTime { fuel: (fuel + 1).saturating_sub(left as u64), value },
            (Err(error), _) => self.failed(&error),
        }
    }

    fn failed(&self, error: &Error) -> End {
        let trap = match error.kind() {
            // Copying beyond a table is no trap to this engine.
            ErrorKind::Table(TableError::CopyOutOfBounds) => TrapCode::TableOutOfBounds,
            _ => error.as_trap_code().unwrap_or_else(|| panic!("{error}")),
        };
        assert_ne!(trap, TrapCode::StackOverflow, "the interpreter's stack ended before its units did");
        match self.left() {
            OUT_OF_FUEL => End::Exhausted,
            TOO_DEEP => End::TooDeep,
            _ => End::Trapped(format!("{trap:?}")),
        }
    }
}
