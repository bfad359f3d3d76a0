//! The calls of a bot in one game, on any engine: what each may use and return, and whose fault it is if it fails.

use arena_meter::{OUT_OF_FUEL, START, TOO_DEEP};
use arena_record::ForfeitCode;
use arena_referee::{Failure, Fault, PlatformFault, Reply};

use crate::ACTION_BYTES_MAX;
use crate::check::INITIALISER;

/// The most fuel that is set for a call: more than any game allows, and no amount that a bot may be charged at once
/// makes it less than the least number of 64 bits.
const FILLED_MAX: i64 = 1 << 62;

/// The detail of a forfeit for an out-of-bounds access. Part of records.
pub const OUT_OF_BOUNDS: &str = "memory was accessed out of bounds";
/// The detail of a forfeit for a reached `unreachable`. Part of records.
pub const UNREACHABLE: &str = "an unreachable instruction was reached (a panic or an assertion, most likely)";

/// An engine with the instance of one metered module, for one game.
pub trait Machine {
    /// Makes the instance, with its data in memory; none of its functions has run then.
    ///
    /// # Errors
    /// When data or elements do not fit, or the engine fails.
    fn instantiate(&mut self) -> Result<(), Ended>;

    /// Calls a function with its argument, if it takes one; `None` if the module has no such function.
    ///
    /// # Errors
    /// When it does not return.
    fn call(&mut self, function: Function, argument: u32) -> Result<Option<u64>, Ended>;

    /// What [`arena_meter::FUEL`] has.
    fn fuel(&mut self) -> Option<i64>;

    /// Sets [`arena_meter::FUEL`].
    ///
    /// # Errors
    /// When the engine fails.
    fn set_fuel(&mut self, fuel: i64) -> Result<(), PlatformFault>;

    /// The size of its memory, in bytes.
    fn memory_bytes(&mut self) -> usize;

    /// Bytes of its memory; `None` if they are not all in it.
    fn read(&mut self, address: usize, bytes: usize) -> Option<Vec<u8>>;

    /// Writes into its memory; `None` if there is no room.
    fn write(&mut self, address: usize, bytes: &[u8]) -> Option<()>;
}

/// The functions that are called, in this order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Function {
    /// What the module would have run at its start; takes and gives nothing. Not all modules have it.
    Start,
    /// What toolchains expect to be called once; takes and gives nothing. Not all modules have it.
    Initialiser,
    /// Takes the length of observations, gives the address for them.
    Observation,
    /// Takes the length of the observation, gives the length of the action in the high 32 bits, its address in the low.
    Turn,
}

impl Function {
    /// All of them.
    pub const ALL: [Function; 4] = [Function::Start, Function::Initialiser, Function::Observation, Function::Turn];

    /// Its export in the metered module.
    pub fn name(self) -> &'static str {
        match self {
            Function::Start => START,
            Function::Initialiser => INITIALISER,
            Function::Observation => "arena_observation",
            Function::Turn => "arena_turn",
        }
    }
}

/// Why a call did not return.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ended {
    /// The code trapped.
    Trapped(Trap),
    /// `arena.log` was given what is not in memory.
    BadLog {
        /// The address.
        address: u32,
        /// The length, in bytes.
        length: u32,
    },
    /// The engine failed, for this reason: its own stack or memory ended, for example. That is no verdict.
    Engine(String),
}

/// A trap of code that passed the check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trap {
    /// `unreachable`: the bot's own or the meter's.
    Unreachable,
    /// An access beyond the memory.
    Memory,
    /// An access beyond a table.
    Table,
    /// A call through an empty element.
    Empty,
    /// A call through an element of another type.
    Type,
    /// A result beyond the integers.
    Overflow,
    /// A division by zero.
    Division,
    /// A conversion of what is no number.
    NoInteger,
}

impl Trap {
    /// All of them.
    pub const ALL: [Trap; 8] = [
        Trap::Unreachable,
        Trap::Memory,
        Trap::Table,
        Trap::Empty,
        Trap::Type,
        Trap::Overflow,
        Trap::Division,
        Trap::NoInteger,
    ];

    /// The detail of a forfeit for it. Part of records.
    pub fn detail(self) -> &'static str {
        match self {
            Trap::Unreachable => UNREACHABLE,
            Trap::Memory => OUT_OF_BOUNDS,
            Trap::Table => "a table was accessed out of bounds",
            Trap::Empty => "an indirect call went to an empty table element",
            Trap::Type => "an indirect call went to a function of another type",
            Trap::Overflow => "an integer division, or a conversion to an integer, overflowed",
            Trap::Division => "an integer was divided by zero",
            Trap::NoInteger => "a number that is no integer was converted to one",
        }
    }
}

/// A bot that has started.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Begun {
    /// The address of its observations.
    pub observation_at: u32,
    /// The fuel of its start.
    pub fuel: u64,
}

/// Instantiates a bot, runs its start function and its initialiser, if it has them, and asks for its observation
/// buffer, all on the start's fuel. `start_fuel` is what the meter says that it takes before any code runs.
///
/// # Errors
/// When it does not start, through its own fault or the engine's.
pub fn start(machine: &mut impl Machine, start_fuel: u64, observation_len: usize, fuel: u64) -> Result<Begun, Failure> {
    if fuel < start_fuel {
        return Err(out_of_fuel());
    }
    machine.instantiate().map_err(|ended| failure(ended, None))?;
    machine.set_fuel(filled(fuel) - start_fuel.cast_signed()).map_err(Failure::Platform)?;
    for function in [Function::Start, Function::Initialiser] {
        called(machine, function, 0)?;
    }
    let observation_at = required(machine, Function::Observation, observation_len)? as u32;
    let used = spent(machine, fuel)?;
    if observation_at as usize + observation_len > machine.memory_bytes() {
        let detail = format!(
            "arena_observation returned address {observation_at}, but {observation_len} bytes from there are not all \
             in memory"
        );
        return Err(Fault::failure(ForfeitCode::BadPointer, detail));
    }
    Ok(Begun { observation_at, fuel: used })
}

/// Shows a bot an observation, at the address that it gave when it started, and takes its action.
///
/// # Errors
/// When it does not answer, through its own fault or the engine's. It is not called again then.
pub fn turn(machine: &mut impl Machine, observation_at: u32, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
    let gone = || Failure::Platform(PlatformFault("the observation no longer fits into memory".into()));
    machine.write(observation_at as usize, observation).ok_or_else(gone)?;
    machine.set_fuel(filled(fuel)).map_err(Failure::Platform)?;
    let returned = required(machine, Function::Turn, observation.len())?;
    let used = spent(machine, fuel)?;
    let (address, length) = (returned as u32, (returned >> 32) as u32);
    if length > ACTION_BYTES_MAX {
        let detail = format!("arena_turn returned an action of {length} bytes; {ACTION_BYTES_MAX} are allowed");
        return Err(Fault::failure(ForfeitCode::BadOutput, detail));
    }
    let action = machine.read(address as usize, length as usize).ok_or_else(|| {
        let detail = format!("arena_turn returned {length} bytes at address {address}, which are not all in memory");
        Fault::failure(ForfeitCode::BadPointer, detail)
    })?;
    Ok(Reply { action, fuel: Some(used) })
}

/// What is set for a call. It is one unit more than the budget: a call that returns with at least one left is in time.
fn filled(fuel: u64) -> i64 {
    i64::try_from(fuel.saturating_add(1)).map_or(FILLED_MAX, |filled| filled.min(FILLED_MAX))
}

/// The fuel that a returned call took.
fn spent(machine: &mut impl Machine, fuel: u64) -> Result<u64, Failure> {
    let left = machine.fuel().filter(|left| *left > 0).ok_or_else(out_of_fuel)?;
    Ok((filled(fuel) - left).cast_unsigned())
}

fn called(machine: &mut impl Machine, function: Function, argument: usize) -> Result<Option<u64>, Failure> {
    machine.call(function, argument as u32).map_err(|ended| failure(ended, machine.fuel()))
}

/// Calls a function that the check has seen.
fn required(machine: &mut impl Machine, function: Function, argument: usize) -> Result<u64, Failure> {
    let vanished = || Failure::Platform(PlatformFault(format!("{} vanished after the check", function.name())));
    called(machine, function, argument)?.ok_or_else(vanished)
}

fn out_of_fuel() -> Failure {
    Fault::failure(ForfeitCode::FuelExhausted, "the fuel was used up before the bot answered")
}

/// Decides whose fault it is that a call did not return, by the fuel that the code left. The text is the same on every
/// machine.
fn failure(ended: Ended, left: Option<i64>) -> Failure {
    match (ended, left) {
        (Ended::Trapped(Trap::Unreachable), Some(OUT_OF_FUEL)) => out_of_fuel(),
        (Ended::Trapped(Trap::Unreachable), Some(TOO_DEEP)) => {
            Fault::failure(ForfeitCode::StackOverflow, "the calls were nested too deeply for the stack")
        }
        (Ended::Trapped(trap), _) => Fault::failure(ForfeitCode::Trap, trap.detail()),
        (Ended::BadLog { address, length }, _) => {
            let detail =
                format!("arena.log was given {length} bytes at address {address}, which are not all in memory");
            Fault::failure(ForfeitCode::BadPointer, detail)
        }
        // Nothing that passed the check can fail in another way, but an engine whose own stack or memory ended can.
        (Ended::Engine(why), _) => Failure::Platform(PlatformFault(format!("the engine failed: {why}"))),
    }
}
