//! One bot in one seat of one game.

use arena_meter::{FUEL, OUT_OF_FUEL, START, TOO_DEEP, WITHHELD};
use arena_record::ForfeitCode;
use arena_referee::{Failure, Fault, PlatformFault, Player, Reply, Started};
use wasmtime::{Global, Instance, Memory, Store, Trap, TypedFunc, Val, WasmParams, WasmResults};

use crate::check::INITIALISER;
use crate::engine::BadLog;
use crate::frame::frames;
use crate::guest::{Guest, MemoryRefused};
use crate::{ACTION_BYTES_MAX, Bot, Frame, Log};

/// The most fuel that is set for a call: more than any game allows, and no amount that a bot may be charged at once
/// makes it less than the least number of 64 bits.
const FILLED_MAX: i64 = 1 << 62;

/// The detail of a forfeit for an out-of-bounds access. Part of records.
pub const OUT_OF_BOUNDS: &str = "memory was accessed out of bounds";
/// The detail of a forfeit for a reached `unreachable`. Part of records.
pub const UNREACHABLE: &str = "an unreachable instruction was reached (a panic or an assertion, most likely)";

/// A bot in one game: a fresh instance that is dropped afterwards.
pub struct SandboxPlayer {
    bot: Bot,
    guest: Option<Box<Running>>,
    log: Log,
    frames: Vec<Frame>,
    memory_refused: Option<MemoryRefused>,
    /// Fuel that its turns lack.
    withheld: u64,
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

/// A started guest.
struct Running {
    store: Store<Guest>,
    ready: Ready,
}

/// What a started guest is asked with.
struct Ready {
    memory: Memory,
    meter: Meter,
    turn: TypedFunc<u32, u64>,
    observation_at: u32,
}

/// The fuel of a guest, which its own code counts.
#[derive(Clone, Copy)]
struct Meter {
    left: Global,
    /// The fuel that is withheld, in a profile.
    withheld: Option<Global>,
    /// The number of the bot's own functions.
    functions: u32,
}

impl SandboxPlayer {
    /// A player for `bot` in one game.
    pub fn new(bot: &Bot) -> SandboxPlayer {
        let (log, frames) = (Log::default(), Vec::new());
        SandboxPlayer { bot: bot.clone(), guest: None, log, frames, memory_refused: None, withheld: 0 }
    }

    /// Withholds so much fuel from all turns to come: they end without it, and `arena.fuel` counts it as if it were
    /// there. For bots that are [profiled](Bot::profiled).
    pub fn withhold(&mut self, fuel: u64) {
        self.withheld = fuel;
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
        self.guest.as_ref().map_or(0, |running| running.ready.memory.data_size(&running.store))
    }
}

impl SandboxPlayer {
    /// Keeps the remains of a guest that failed.
    fn broken(&mut self, Broken { failure, frames }: Broken, guest: &Guest) -> Failure {
        self.log = guest.log.clone();
        self.frames = frames;
        self.memory_refused = guest.refused;
        failure
    }
}

impl Player for SandboxPlayer {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        let mut store = Store::new(self.bot.sandbox.engine(), Guest::default());
        store.limiter(|guest| guest);
        let started = start(&self.bot, &mut store, observation_len, fuel);
        let (ready, used) = started.map_err(|broken| self.broken(broken, store.data()))?;
        self.guest = Some(Box::new(Running { store, ready }));
        Ok(Started { fuel: Some(used) })
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let never_started = || Failure::Platform(PlatformFault("a player was asked that did not start".into()));
        // Taken out, so that a guest that fails is dropped and not called again.
        let mut running = self.guest.take().ok_or_else(never_started)?;
        match running.play(observation, fuel, self.withheld) {
            Ok(reply) => {
                self.guest = Some(running);
                Ok(reply)
            }
            Err(broken) => Err(self.broken(broken, running.store.data())),
        }
    }
}

/// Instantiates the bot, runs its start function and its [`INITIALISER`], if it has them, and asks for its observation
/// buffer, all on the start's fuel. Returns what it used, too.
fn start(bot: &Bot, store: &mut Store<Guest>, observation_len: usize, fuel: u64) -> Result<(Ready, u64), Broken> {
    if fuel < bot.start_fuel {
        return Err(out_of_fuel().into());
    }
    let instance = bot.instance.instantiate(&mut *store).map_err(|error| Broken::of(&error, None, bot.functions))?;
    let vanished = |what: &str| Failure::Platform(PlatformFault(format!("{what} vanished after the check")));
    let memory = instance.get_memory(&mut *store, "memory").ok_or_else(|| vanished("memory"))?;
    let left = instance.get_global(&mut *store, FUEL).ok_or_else(|| vanished(FUEL))?;
    let withheld = instance.get_global(&mut *store, WITHHELD);
    let meter = Meter { left, withheld, functions: bot.functions };
    meter.fill(store, fuel, bot.start_fuel)?;
    // The check has seen to the types of all.
    for name in [START, INITIALISER] {
        if let Some(function) = function::<(), ()>(&instance, store, name) {
            meter.call(store, &function, ())?;
        }
    }
    let buffer = function::<u32, u32>(&instance, store, "arena_observation").ok_or_else(|| vanished("a function"))?;
    let turn = function::<u32, u64>(&instance, store, "arena_turn").ok_or_else(|| vanished("a function"))?;
    let observation_at = meter.call(store, &buffer, observation_len as u32)?;
    let used = meter.spent(store, fuel)?;
    if observation_at as usize + observation_len > memory.data_size(&*store) {
        let detail = format!(
            "arena_observation returned address {observation_at}, but {observation_len} bytes from there are not all in \
             memory"
        );
        return Err(Fault::failure(ForfeitCode::BadPointer, detail).into());
    }
    Ok((Ready { memory, meter, turn, observation_at }, used))
}

impl Running {
    fn play(&mut self, observation: &[u8], fuel: u64, withheld: u64) -> Result<Reply, Broken> {
        let Running { store, ready: Ready { memory, meter, turn, observation_at } } = self;
        let length = observation.len();
        let gone = |_| Failure::Platform(PlatformFault("the observation no longer fits into memory".into()));
        memory.write(&mut *store, *observation_at as usize, observation).map_err(gone)?;
        store.data_mut().refused = None;
        let fuel = fuel.saturating_sub(withheld);
        meter.withhold(store, withheld)?;
        meter.fill(store, fuel, 0)?;
        let returned = meter.call(store, turn, length as u32)?;
        let used = meter.spent(store, fuel)?;
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

impl Meter {
    /// What is set for a call. It is one unit more than the budget: a call that returns with at least one left is in
    /// time.
    fn filled(fuel: u64) -> i64 {
        i64::try_from(fuel.saturating_add(1)).map_or(FILLED_MAX, |filled| filled.min(FILLED_MAX))
    }

    /// Sets the fuel of the next call, without what was spent before.
    fn fill(self, store: &mut Store<Guest>, fuel: u64, spent: u64) -> Result<(), Failure> {
        set(self.left, store, Meter::filled(fuel) - spent.cast_signed())
    }

    fn withhold(self, store: &mut Store<Guest>, fuel: u64) -> Result<(), Failure> {
        self.withheld.map_or(Ok(()), |global| set(global, store, fuel.cast_signed()))
    }

    fn call<P: WasmParams, R: WasmResults>(
        self,
        store: &mut Store<Guest>,
        function: &TypedFunc<P, R>,
        params: P,
    ) -> Result<R, Broken> {
        let returned = function.call(&mut *store, params);
        returned.map_err(|error| Broken::of(&error, self.left.get(store).i64(), self.functions))
    }

    /// The fuel that a returned call took.
    fn spent(self, store: &mut Store<Guest>, fuel: u64) -> Result<u64, Failure> {
        let left = self.left.get(store).i64().filter(|left| *left > 0).ok_or_else(out_of_fuel)?;
        Ok((Meter::filled(fuel) - left).cast_unsigned())
    }
}

fn set(global: Global, store: &mut Store<Guest>, fuel: i64) -> Result<(), Failure> {
    let set = global.set(&mut *store, Val::I64(fuel));
    set.map_err(|error| Failure::Platform(PlatformFault(format!("fuel cannot be set: {error:#}"))))
}

impl Broken {
    /// An error of a call; `left` is the fuel that its code noted.
    fn of(error: &wasmtime::Error, left: Option<i64>, functions: u32) -> Broken {
        Broken { failure: failure(error, left), frames: frames(error, functions) }
    }
}

fn function<P: WasmParams, R: WasmResults>(
    instance: &Instance,
    store: &mut Store<Guest>,
    name: &str,
) -> Option<TypedFunc<P, R>> {
    instance.get_typed_func(store, name).ok()
}

fn out_of_fuel() -> Failure {
    Fault::failure(ForfeitCode::FuelExhausted, "the fuel was used up before the bot answered")
}

/// Decides whose fault an error of a call is, by the fuel that the code left. The text is the same on every machine.
fn failure(error: &wasmtime::Error, left: Option<i64>) -> Failure {
    if let Some(log) = error.downcast_ref::<BadLog>() {
        return Fault::failure(ForfeitCode::BadPointer, log.to_string());
    }
    let kind = match (error.downcast_ref::<Trap>(), left) {
        (Some(Trap::UnreachableCodeReached), Some(OUT_OF_FUEL)) => return out_of_fuel(),
        (Some(Trap::UnreachableCodeReached), Some(TOO_DEEP)) => {
            return Fault::failure(ForfeitCode::StackOverflow, "the calls were nested too deeply for the stack");
        }
        (Some(Trap::UnreachableCodeReached), _) => UNREACHABLE,
        (Some(Trap::MemoryOutOfBounds), _) => OUT_OF_BOUNDS,
        (Some(Trap::TableOutOfBounds), _) => "a table was accessed out of bounds",
        (Some(Trap::IndirectCallToNull), _) => "an indirect call went to an empty table element",
        (Some(Trap::BadSignature), _) => "an indirect call went to a function of another type",
        (Some(Trap::IntegerOverflow), _) => "an integer division, or a conversion to an integer, overflowed",
        (Some(Trap::IntegerDivisionByZero), _) => "an integer was divided by zero",
        (Some(Trap::BadConversionToInteger), _) => "a number that is no integer was converted to one",
        // Nothing that passed the check can fail in another way, but an engine whose own stack or memory ended can.
        _ => return Failure::Platform(PlatformFault(format!("the engine failed: {error:#}"))),
    };
    Fault::failure(ForfeitCode::Trap, kind)
}
