//! The calls of a bot in one game, on any engine: what each may use and return, and whose fault it is if it fails.

use arena_limits::counted;
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

/// A guest in an engine: the instance of one metered module, for one game.
pub trait Machine {
    /// Makes the instance, with its memory as the module defines it; none of its code has run then.
    ///
    /// # Errors
    /// When elements or data have no place, or the engine failed.
    fn instantiate(&mut self) -> Result<(), Stop>;

    /// Calls a function with the length of an observation, in bytes; returns its result, or `None` if the module does
    /// not export it.
    ///
    /// # Errors
    /// When the code stopped before it returned.
    fn call(&mut self, entry: Entry, length: u32) -> Result<Option<u64>, Stop>;

    /// The fuel that its code has left, or why it stopped: [`arena_meter::FUEL`].
    fn fuel(&mut self) -> i64;

    /// Sets the fuel of the next call.
    ///
    /// # Errors
    /// When the engine failed.
    fn set_fuel(&mut self, fuel: i64) -> Result<(), Stop>;

    /// The size of its memory, in bytes.
    fn memory_bytes(&self) -> usize;

    /// Bytes of its memory; `None` if they are not all in it.
    fn read(&self, address: usize, bytes: usize) -> Option<Vec<u8>>;

    /// Writes into its memory; `None` if there is no room.
    fn write(&mut self, address: usize, bytes: &[u8]) -> Option<()>;
}

/// A function that the arena calls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entry {
    /// The start function, `() -> ()`. Not all modules have it.
    Start,
    /// What a toolchain must do first, `() -> ()`. Not all modules have it.
    Initialiser,
    /// Where observations go, `(i32) -> i32`.
    Observation,
    /// A turn, `(i32) -> i64`: the length of the action in the high 32 bits, its address in the low.
    Turn,
}

impl Entry {
    /// All of them, in the order of their calls.
    pub const ALL: [Entry; 4] = [Entry::Start, Entry::Initialiser, Entry::Observation, Entry::Turn];

    /// The name of its export in the metered module.
    pub fn name(self) -> &'static str {
        match self {
            Entry::Start => START,
            Entry::Initialiser => INITIALISER,
            Entry::Observation => "arena_observation",
            Entry::Turn => "arena_turn",
        }
    }
}

/// Why code stopped before it returned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    /// It trapped.
    Trap(Trap),
    /// It logged what is not in its memory.
    Log(BadLog),
    /// The engine failed, in its words: its own stack or memory ended, or it is broken. That is no verdict.
    Engine(String),
}

/// The address or length passed to `arena.log` is not within the bot's memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("arena.log was given {} at address {address}, not all of it in memory", counted(*length, "byte"))]
pub struct BadLog {
    /// The address.
    pub address: u32,
    /// The length, in bytes.
    pub length: u32,
}

/// The traps of WebAssembly.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trap {
    /// `unreachable`, which also ends calls for want of fuel or stack.
    Unreachable,
    /// A memory was accessed out of bounds.
    Memory,
    /// A table was accessed out of bounds.
    Table,
    /// A call of an empty element.
    Empty,
    /// A call of a function of another type.
    Signature,
    /// A result is too large.
    Overflow,
    /// A division by zero.
    Division,
    /// A conversion of a NaN.
    Conversion,
}

impl Trap {
    /// All of them.
    pub const ALL: [Trap; 8] = [
        Trap::Unreachable,
        Trap::Memory,
        Trap::Table,
        Trap::Empty,
        Trap::Signature,
        Trap::Overflow,
        Trap::Division,
        Trap::Conversion,
    ];

    /// The detail of a forfeit for it. Part of records.
    pub fn detail(self) -> &'static str {
        match self {
            Trap::Unreachable => UNREACHABLE,
            Trap::Memory => OUT_OF_BOUNDS,
            Trap::Table => "a table was accessed out of bounds",
            Trap::Empty => "an indirect call went to an empty table element",
            Trap::Signature => "an indirect call went to a function of another type",
            Trap::Overflow => "an integer division, or a conversion to an integer, overflowed",
            Trap::Division => "an integer was divided by zero",
            Trap::Conversion => "a number that is no integer was converted to one",
        }
    }
}

/// A call that returned in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Returned {
    /// What `arena_observation` or `arena_turn` returned.
    pub value: u64,
    /// The fuel that the call took.
    pub fuel: u64,
}

/// Starts a bot, all on the start's fuel: elements and data, the start function, the initialiser, and where its
/// observations go. `start_fuel` is what the meter says that it takes before any code runs. What it returns is not
/// judged.
///
/// # Errors
/// The bot's fault or the platform's.
pub fn start(
    machine: &mut impl Machine,
    start_fuel: u64,
    observation_len: u32,
    fuel: u64,
) -> Result<Returned, Failure> {
    if fuel < start_fuel {
        return Err(out_of_fuel());
    }
    machine.instantiate().map_err(|stop| failure(stop, 0))?;
    machine.set_fuel(filled(fuel) - start_fuel.cast_signed()).map_err(|stop| failure(stop, 0))?;
    for entry in [Entry::Start, Entry::Initialiser] {
        call(machine, entry, 0)?;
    }
    returned(machine, Entry::Observation, observation_len, fuel)
}

/// The same, and its observations have a place.
///
/// # Errors
/// As [`start`], or when they have none.
pub fn begin(
    machine: &mut impl Machine,
    start_fuel: u64,
    observation_len: usize,
    fuel: u64,
) -> Result<Returned, Failure> {
    let returned = start(machine, start_fuel, observation_len as u32, fuel)?;
    let observation_at = returned.value;
    // In 64 bits: the judge itself may run where an address has 32.
    if observation_at + observation_len as u64 > machine.memory_bytes() as u64 {
        let detail = format!(
            "arena_observation returned address {observation_at}, but {observation_len} bytes from there are not all in \
             memory"
        );
        return Err(Fault::failure(ForfeitCode::BadPointer, detail));
    }
    Ok(returned)
}

/// Has a turn played, with the observation at the address that the start returned. What it returns is not judged.
///
/// # Errors
/// The bot's fault or the platform's.
pub fn turn(
    machine: &mut impl Machine,
    observation_at: u32,
    observation: &[u8],
    fuel: u64,
) -> Result<Returned, Failure> {
    let gone = || Failure::Platform(PlatformFault("the observation no longer fits into memory".into()));
    machine.write(observation_at as usize, observation).ok_or_else(gone)?;
    machine.set_fuel(filled(fuel)).map_err(|stop| failure(stop, 0))?;
    returned(machine, Entry::Turn, observation.len() as u32, fuel)
}

/// The action that a turn returned, copied out of memory.
///
/// # Errors
/// When it is too long, or not all in memory.
pub fn action(machine: &impl Machine, Returned { value, fuel }: Returned) -> Result<Reply, Failure> {
    let (address, length) = (value as u32, (value >> 32) as u32);
    if length > ACTION_BYTES_MAX {
        let detail = format!("arena_turn returned an action of {length} bytes; {ACTION_BYTES_MAX} are allowed");
        return Err(Fault::failure(ForfeitCode::BadOutput, detail));
    }
    let action = machine.read(address as usize, length as usize).ok_or_else(|| {
        let bytes = counted(length, "byte");
        let detail = format!("arena_turn returned {bytes} at address {address}, not all of it in memory");
        Fault::failure(ForfeitCode::BadPointer, detail)
    })?;
    Ok(Reply { action, fuel: Some(fuel) })
}

/// What is set for a call. It is one unit more than the budget: a call that returns with at least one left is in time.
fn filled(fuel: u64) -> i64 {
    i64::try_from(fuel.saturating_add(1)).map_or(FILLED_MAX, |filled| filled.min(FILLED_MAX))
}

fn call(machine: &mut impl Machine, entry: Entry, length: u32) -> Result<Option<u64>, Failure> {
    machine.call(entry, length).map_err(|stop| failure(stop, machine.fuel()))
}

/// Calls a function that every bot has, on fuel that was set for this budget.
fn returned(machine: &mut impl Machine, entry: Entry, length: u32, fuel: u64) -> Result<Returned, Failure> {
    let vanished = || Failure::Platform(PlatformFault(format!("{} vanished after the check", entry.name())));
    let value = call(machine, entry, length)?.ok_or_else(vanished)?;
    match machine.fuel() {
        ..=0 => Err(out_of_fuel()),
        left => Ok(Returned { value, fuel: (filled(fuel) - left).cast_unsigned() }),
    }
}

fn out_of_fuel() -> Failure {
    Fault::failure(ForfeitCode::FuelExhausted, "the fuel was used up before the bot answered")
}

/// Decides whose fault it is, by the fuel that the code left. The text is the same on every machine and engine.
fn failure(why: Stop, left: i64) -> Failure {
    match (why, left) {
        (Stop::Engine(why), _) => Failure::Platform(PlatformFault(format!("the engine failed: {why}"))),
        (Stop::Log(log), _) => Fault::failure(ForfeitCode::BadPointer, log.to_string()),
        (Stop::Trap(Trap::Unreachable), OUT_OF_FUEL) => out_of_fuel(),
        (Stop::Trap(Trap::Unreachable), TOO_DEEP) => {
            Fault::failure(ForfeitCode::StackOverflow, "the calls were nested too deeply for the stack")
        }
        (Stop::Trap(trap), _) => Fault::failure(ForfeitCode::Trap, trap.detail()),
    }
}
