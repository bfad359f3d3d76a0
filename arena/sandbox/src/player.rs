//! One bot in one seat of one game.

use arena_record::ForfeitCode;
use arena_referee::{Failure, Fault, PlatformFault, Player, Reply, Started};
use wasmtime::{Memory, Store, StoreLimitsBuilder, Trap, TypedFunc};

use crate::check::INITIALISER;
use crate::engine::BadLog;
use crate::frame::frames;
use crate::guest::{Guest, Limits, MemoryRefused};
use crate::{ACTION_BYTES_MAX, Bot, Frame, Log, TABLE_ELEMENTS_MAX, TABLES_MAX};

/// The detail of a forfeit for an out-of-bounds access. Part of records.
pub const OUT_OF_BOUNDS: &str = "memory was accessed out of bounds";
/// The detail of a forfeit for a reached `unreachable`. Part of records.
pub const UNREACHABLE: &str = "an unreachable instruction was reached (a panic or an assertion, most likely)";

/// A bot in one game: a fresh instance that is dropped afterwards.
pub struct SandboxPlayer {
    bot: Bot,
    guest: Option<Running>,
    log: Log,
    frames: Vec<Frame>,
    memory_refused: Option<MemoryRefused>,
}

/// A call that failed.
struct Broken {
    failure: Failure,
    /// The functions that were running then, the innermost first; empty if the call had returned.
    frames: Vec<Frame>,
}

impl From<Failure> for Broken {
    fn from(failure: Failure) -> Broken {
        Broken { failure, frames: Vec::new() }
    }
}

impl From<wasmtime::Error> for Broken {
    fn from(error: wasmtime::Error) -> Broken {
        Broken { failure: failure(&error), frames: frames(&error) }
    }
}

/// A started guest.
struct Running {
    store: Store<Guest>,
    memory: Memory,
    turn: TypedFunc<u32, u64>,
    observation_at: u32,
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
        self.guest.as_ref().map_or(0, |running| running.memory.data_size(&running.store))
    }
}

impl SandboxPlayer {
    /// Keeps the remains of a guest that failed.
    fn broken(&mut self, Broken { failure, frames }: Broken, guest: &Guest) -> Failure {
        self.log = guest.log.clone();
        self.frames = frames;
        self.memory_refused = guest.limits.refused;
        failure
    }
}

impl Player for SandboxPlayer {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        let limits = StoreLimitsBuilder::new()
            .memory_size(self.bot.memory_bytes as usize)
            .table_elements(TABLE_ELEMENTS_MAX as usize)
            .instances(1)
            .memories(1)
            .tables(TABLES_MAX as usize)
            .build();
        let mut store =
            Store::new(self.bot.sandbox.engine(), Guest { limits: Limits::new(limits), log: Log::default() });
        store.limiter(|guest| &mut guest.limits);
        let started = start(&self.bot, &mut store, observation_len, fuel);
        let (memory, turn, observation_at, used) = started.map_err(|broken| self.broken(broken, store.data()))?;
        self.guest = Some(Running { store, memory, turn, observation_at });
        Ok(Started { fuel: Some(used) })
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let never_started = || Failure::Platform(PlatformFault("a player was asked that did not start".into()));
        // Taken out, so that a guest that fails is dropped and not called again.
        let mut running = self.guest.take().ok_or_else(never_started)?;
        match running.play(observation, fuel) {
            Ok(reply) => {
                self.guest = Some(running);
                Ok(reply)
            }
            Err(broken) => Err(self.broken(broken, running.store.data())),
        }
    }
}

/// Instantiates the bot, initialises it if it exports [`INITIALISER`], and asks for its observation buffer, all on the
/// start's fuel.
fn start(
    bot: &Bot,
    store: &mut Store<Guest>,
    observation_len: usize,
    fuel: u64,
) -> Result<(Memory, TypedFunc<u32, u64>, u32, u64), Broken> {
    fill(store, fuel)?;
    let instance = bot.instance.instantiate(&mut *store)?;
    let platform = |what: &str| Failure::Platform(PlatformFault(format!("{what} vanished after the check")));
    let memory = instance.get_memory(&mut *store, "memory").ok_or_else(|| platform("memory"))?;
    let buffer = instance.get_typed_func::<u32, u32>(&mut *store, "arena_observation");
    let buffer = buffer.map_err(|_| platform("arena_observation"))?;
    let turn = instance.get_typed_func::<u32, u64>(&mut *store, "arena_turn").map_err(|_| platform("arena_turn"))?;
    // The check has seen to its type.
    if let Ok(initialise) = instance.get_typed_func::<(), ()>(&mut *store, INITIALISER) {
        initialise.call(&mut *store, ())?;
    }
    let address = buffer.call(&mut *store, observation_len as u32)?;
    let used = spent(store, fuel)?;
    if address as usize + observation_len > memory.data_size(&*store) {
        let detail = format!(
            "arena_observation returned address {address}, but {observation_len} bytes from there are not all in memory"
        );
        return Err(Fault::failure(ForfeitCode::BadPointer, detail).into());
    }
    Ok((memory, turn, address, used))
}

impl Running {
    fn play(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Broken> {
        let Running { store, memory, turn, observation_at } = self;
        let length = observation.len();
        let gone = |_| Failure::Platform(PlatformFault("the observation no longer fits into memory".into()));
        memory.write(&mut *store, *observation_at as usize, observation).map_err(gone)?;
        fill(store, fuel)?;
        let returned = turn.call(&mut *store, length as u32)?;
        let used = spent(store, fuel)?;
        let (address, length) = (returned as u32, (returned >> 32) as u32);
        if length > ACTION_BYTES_MAX {
            let detail = format!("arena_turn returned an action of {length} bytes; {ACTION_BYTES_MAX} are allowed");
            return Err(Fault::failure(ForfeitCode::BadOutput, detail).into());
        }
        let start = address as usize;
        let action = memory.data(&*store).get(start..start + length as usize).ok_or_else(|| {
            let detail =
                format!("arena_turn returned {length} bytes at address {address}, which are not all in memory");
            Fault::failure(ForfeitCode::BadPointer, detail)
        })?;
        Ok(Reply { action: action.to_vec(), fuel: Some(used) })
    }
}

/// Sets the fuel of the next call. It is one unit more than the budget: a call that returns with at least one left is
/// in time.
fn fill(store: &mut Store<Guest>, fuel: u64) -> Result<(), Failure> {
    store.data_mut().limits.refused = None;
    let metered = store.set_fuel(fuel.saturating_add(1));
    metered.map_err(|error| Failure::Platform(PlatformFault(format!("fuel cannot be set: {error:#}"))))
}

/// The fuel a returned call took.
fn spent(store: &Store<Guest>, fuel: u64) -> Result<u64, Failure> {
    let left = store.get_fuel();
    let left = left.map_err(|error| Failure::Platform(PlatformFault(format!("fuel cannot be read: {error:#}"))))?;
    if left == 0 {
        return Err(out_of_fuel());
    }
    Ok(fuel.saturating_add(1) - left)
}

fn out_of_fuel() -> Failure {
    Fault::failure(ForfeitCode::FuelExhausted, "the fuel was used up before the bot answered")
}

/// Decides whose fault an error of a call is. The text is the same on every machine.
fn failure(error: &wasmtime::Error) -> Failure {
    if let Some(log) = error.downcast_ref::<BadLog>() {
        return Fault::failure(ForfeitCode::BadPointer, log.to_string());
    }
    let Some(trap) = error.downcast_ref::<Trap>() else {
        // The static check refuses every module that could fail here through its own fault.
        return Failure::Platform(PlatformFault(format!("the engine failed without a trap: {error:#}")));
    };
    let kind = match trap {
        Trap::OutOfFuel => return out_of_fuel(),
        Trap::StackOverflow => {
            return Fault::failure(ForfeitCode::StackOverflow, "the calls were nested too deeply for the stack");
        }
        Trap::UnreachableCodeReached => UNREACHABLE,
        Trap::MemoryOutOfBounds => OUT_OF_BOUNDS,
        Trap::TableOutOfBounds => "a table was accessed out of bounds",
        Trap::IndirectCallToNull => "an indirect call went to an empty table element",
        Trap::BadSignature => "an indirect call went to a function of another type",
        Trap::IntegerOverflow => "an integer division, or a conversion to an integer, overflowed",
        Trap::IntegerDivisionByZero => "an integer was divided by zero",
        Trap::BadConversionToInteger => "a number that is no integer was converted to one",
        _ => "the code trapped",
    };
    Fault::failure(ForfeitCode::Trap, kind)
}
