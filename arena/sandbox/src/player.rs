//! One bot in one seat of one game.

use arena_check::calls::{Ended, Function, Machine, Trap as Kind, start, turn};
use arena_meter::FUEL;
use arena_referee::{Failure, PlatformFault, Player, Reply, Started};
use wasmtime::{Global, Instance, Memory, Store, Trap, TypedFunc, Val, WasmParams, WasmResults};

use crate::engine::BadLog;
use crate::frame::frames;
use crate::guest::{Guest, MemoryRefused};
use crate::{Bot, Frame, Log};

/// A bot in one game: a fresh instance that is dropped afterwards.
pub struct SandboxPlayer {
    bot: Bot,
    guest: Option<Box<Running>>,
    log: Log,
    frames: Vec<Frame>,
    memory_refused: Option<MemoryRefused>,
}

/// A guest.
struct Running {
    store: Store<Guest>,
    bot: Bot,
    instance: Option<Exports>,
    observation_at: u32,
    /// The functions that were running when a call did not return, the innermost first.
    frames: Vec<Frame>,
}

/// What is used of an instance.
struct Exports {
    instance: Instance,
    memory: Memory,
    left: Global,
    turn: Option<TypedFunc<u32, u64>>,
}

impl SandboxPlayer {
    /// A player for `bot` in one game.
    pub fn new(bot: &Bot) -> SandboxPlayer {
        let (log, frames) = (Log::default(), Vec::new());
        SandboxPlayer { bot: bot.clone(), guest: None, log, frames, memory_refused: None }
    }

    /// What the bot logged so far.
    pub fn log(&self) -> &Log {
        self.guest.as_ref().map_or(&self.log, |running| &running.store.data().log)
    }

    /// The functions that were running when the bot failed, the innermost first. Empty if it did not fail, or failed by
    /// what it returned.
    pub fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The last memory request that was refused in the call in which it failed.
    pub fn memory_refused(&self) -> Option<MemoryRefused> {
        self.memory_refused
    }

    /// Memory of the guest now, in bytes; 0 before its start and after a failure.
    pub fn memory_bytes(&self) -> usize {
        let exports = |running: &Running| Some(running.instance.as_ref()?.memory.data_size(&running.store));
        self.guest.as_ref().and_then(|running| exports(running)).unwrap_or(0)
    }

    /// Keeps a guest that returned, and what remains of one that failed.
    fn keep<T>(&mut self, running: Box<Running>, returned: Result<T, Failure>) -> Result<T, Failure> {
        if returned.is_ok() {
            self.guest = Some(running);
        } else {
            let Running { store, frames, .. } = *running;
            let Guest { log, refused } = store.into_data();
            (self.log, self.frames, self.memory_refused) = (log, frames, refused);
        }
        returned
    }
}

impl Player for SandboxPlayer {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        let mut store = Store::new(self.bot.sandbox.engine(), Guest::default());
        store.limiter(|guest| guest);
        let (bot, frames) = (self.bot.clone(), Vec::new());
        let mut running = Box::new(Running { store, bot, instance: None, observation_at: 0, frames });
        let begun = start(&mut *running, self.bot.start_fuel, observation_len, fuel).map(|begun| {
            running.observation_at = begun.observation_at;
            Started { fuel: Some(begun.fuel) }
        });
        self.keep(running, begun)
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let never_started = || Failure::Platform(PlatformFault("a player was asked that did not start".into()));
        // Taken out, so that a guest that fails is dropped and not called again.
        let mut running = self.guest.take().ok_or_else(never_started)?;
        running.store.data_mut().refused = None;
        let observation_at = running.observation_at;
        let reply = turn(&mut *running, observation_at, observation, fuel);
        self.keep(running, reply)
    }
}

impl Machine for Running {
    fn instantiate(&mut self) -> Result<(), Ended> {
        let instance = self.bot.instance.instantiate(&mut self.store).map_err(|error| self.ended(&error))?;
        let vanished = |what: &str| Ended::Engine(format!("{what} vanished after the check"));
        let memory = instance.get_memory(&mut self.store, "memory").ok_or_else(|| vanished("memory"))?;
        let left = instance.get_global(&mut self.store, FUEL).ok_or_else(|| vanished(FUEL))?;
        let turn = function(&instance, &mut self.store, Function::Turn);
        self.instance = Some(Exports { instance, memory, left, turn });
        Ok(())
    }

    fn call(&mut self, which: Function, argument: u32) -> Result<Option<u64>, Ended> {
        let (Some(Exports { instance, turn, .. }), store) = (&self.instance, &mut self.store) else { return Ok(None) };
        // The check has seen to the types of all.
        let returned = match which {
            Function::Start | Function::Initialiser => {
                function::<(), ()>(instance, store, which).map(|function| function.call(store, ()).map(|()| 0))
            }
            Function::Observation => function::<u32, u32>(instance, store, which)
                .map(|function| function.call(store, argument).map(u64::from)),
            Function::Turn => turn.as_ref().map(|function| function.call(store, argument)),
        };
        returned.transpose().map_err(|error| self.ended(&error))
    }

    fn fuel(&mut self) -> Option<i64> {
        self.instance.as_ref()?.left.get(&mut self.store).i64()
    }

    fn set_fuel(&mut self, fuel: i64) -> Result<(), PlatformFault> {
        let Some(Exports { left, .. }) = &self.instance else { return Ok(()) };
        left.set(&mut self.store, Val::I64(fuel))
            .map_err(|error| PlatformFault(format!("fuel cannot be set: {error:#}")))
    }

    fn memory_bytes(&mut self) -> usize {
        self.instance.as_ref().map_or(0, |exports| exports.memory.data_size(&self.store))
    }

    fn read(&mut self, address: usize, bytes: usize) -> Option<Vec<u8>> {
        let memory = self.instance.as_ref()?.memory.data(&self.store);
        memory.get(address..address + bytes).map(<[u8]>::to_vec)
    }

    fn write(&mut self, address: usize, bytes: &[u8]) -> Option<()> {
        self.instance.as_ref()?.memory.write(&mut self.store, address, bytes).ok()
    }
}

impl Running {
    /// Why a call did not return; notes the functions that were running.
    fn ended(&mut self, error: &wasmtime::Error) -> Ended {
        self.frames = frames(error, self.bot.functions);
        if let Some(BadLog { address, length }) = error.downcast_ref() {
            return Ended::BadLog { address: *address, length: *length };
        }
        Ended::Trapped(match error.downcast_ref::<Trap>() {
            Some(Trap::UnreachableCodeReached) => Kind::Unreachable,
            Some(Trap::MemoryOutOfBounds) => Kind::Memory,
            Some(Trap::TableOutOfBounds) => Kind::Table,
            Some(Trap::IndirectCallToNull) => Kind::Empty,
            Some(Trap::BadSignature) => Kind::Type,
            Some(Trap::IntegerOverflow) => Kind::Overflow,
            Some(Trap::IntegerDivisionByZero) => Kind::Division,
            Some(Trap::BadConversionToInteger) => Kind::NoInteger,
            _ => return Ended::Engine(format!("{error:#}")),
        })
    }
}

fn function<P: WasmParams, R: WasmResults>(
    instance: &Instance,
    store: &mut Store<Guest>,
    function: Function,
) -> Option<TypedFunc<P, R>> {
    instance.get_typed_func(store, function.name()).ok()
}
