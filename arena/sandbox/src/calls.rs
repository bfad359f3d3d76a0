//! A bot in one game, call by call.

use arena_meter::{OUT_OF_FUEL, TOO_DEEP};
use arena_record::ForfeitCode;
use arena_referee::{Failure, Fault, PlatformFault};

use crate::instance::{Entry, Instance, Stop, Stopped, Trap};
use crate::{Bot, FRAMES_MAX, Frame, Guest};

/// The most fuel that is set for a call: more than any game allows, and no amount that a bot may be charged at once
/// makes it less than the least number of 64 bits.
const FILLED_MAX: i64 = 1 << 62;

/// The detail of a forfeit for an out-of-bounds access. Part of records.
pub const OUT_OF_BOUNDS: &str = "memory was accessed out of bounds";
/// The detail of a forfeit for a reached `unreachable`. Part of records.
pub const UNREACHABLE: &str = "an unreachable instruction was reached (a panic or an assertion, most likely)";

/// A bot in one game, call by call: a fresh instance, whose memory can be looked at after a call that failed, too. What
/// its functions return is not judged; [`SandboxPlayer`](crate::SandboxPlayer) does that.
pub struct Calls {
    bot: Bot,
    instance: Option<Box<dyn Instance>>,
    observation_at: u32,
}

/// A call that returned in time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Returned {
    /// What `arena_observation` or `arena_turn` returned.
    pub value: u64,
    /// The fuel that the call took.
    pub fuel: u64,
}

/// A call that failed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// How.
    pub failure: Failure,
    /// The functions that were running then, the innermost first, at most [`FRAMES_MAX`]; empty if the call had
    /// returned.
    pub frames: Vec<Frame>,
}

impl From<Failure> for Broken {
    fn from(failure: Failure) -> Broken {
        Broken { failure, frames: Vec::new() }
    }
}

impl Calls {
    /// A game of `bot`, before its start.
    pub fn new(bot: &Bot) -> Calls {
        Calls { bot: bot.clone(), instance: None, observation_at: 0 }
    }

    /// The memory; empty before the start, and if data had no place or no fuel.
    pub fn memory(&self) -> &[u8] {
        self.instance.as_ref().map_or(&[], |instance| instance.memory())
    }

    /// The host's data, once there is an instance.
    pub fn guest(&self) -> Option<&Guest> {
        self.instance.as_ref().map(|instance| instance.guest())
    }

    /// Starts it on this fuel: data and elements, the start function, `_initialize`, and where observations go.
    ///
    /// # Errors
    /// The bot's fault or the platform's.
    pub fn start(&mut self, observation_len: u32, fuel: u64) -> Result<Returned, Broken> {
        let Bot { program, start_fuel, functions, .. } = &self.bot;
        if fuel < *start_fuel {
            return Err(out_of_fuel().into());
        }
        let instance = program.instantiate().map_err(|stopped| broken(stopped, 0, *functions))?;
        let running = &mut **self.instance.insert(instance);
        running.set_fuel(filled(fuel) - start_fuel.cast_signed()).map_err(|stopped| broken(stopped, 0, *functions))?;
        for entry in [Entry::Start, Entry::Initialiser] {
            call(running, entry, 0, *functions)?;
        }
        let returned = returned(running, Entry::Observation, observation_len, fuel, *functions)?;
        self.observation_at = returned.value as u32;
        Ok(returned)
    }

    /// Has a turn played on this fuel.
    ///
    /// # Errors
    /// The bot's fault or the platform's.
    pub fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Returned, Broken> {
        self.turn_without(observation, fuel, 0)
    }

    /// The same without so much of the fuel, which `arena.fuel` counts as if it were there.
    pub(crate) fn turn_without(&mut self, observation: &[u8], fuel: u64, withheld: u64) -> Result<Returned, Broken> {
        let fuel = fuel.saturating_sub(withheld);
        let platform = |why: &str| Failure::Platform(PlatformFault(why.into()));
        let Calls { bot: Bot { functions, .. }, instance, observation_at } = self;
        let running = instance.as_mut().ok_or_else(|| platform("a player was asked that did not start"))?;
        let (memory, guest) = running.parts();
        guest.refused = None;
        let start = *observation_at as usize;
        let place = memory.get_mut(start..start + observation.len());
        place.ok_or_else(|| platform("the observation no longer fits into memory"))?.copy_from_slice(observation);
        let set = running.withhold(withheld.cast_signed()).and_then(|()| running.set_fuel(filled(fuel)));
        set.map_err(|stopped| broken(stopped, 0, *functions))?;
        returned(&mut **running, Entry::Turn, observation.len() as u32, fuel, *functions)
    }
}

/// What is set for a call. It is one unit more than the budget: a call that returns with at least one left is in time.
fn filled(fuel: u64) -> i64 {
    i64::try_from(fuel.saturating_add(1)).map_or(FILLED_MAX, |filled| filled.min(FILLED_MAX))
}

fn call(running: &mut dyn Instance, entry: Entry, length: u32, functions: u32) -> Result<Option<u64>, Broken> {
    running.call(entry, length).map_err(|stopped| broken(stopped, running.fuel(), functions))
}

/// Calls a function that every bot has, on fuel that was set for this budget.
fn returned(
    running: &mut dyn Instance,
    entry: Entry,
    length: u32,
    fuel: u64,
    functions: u32,
) -> Result<Returned, Broken> {
    let vanished = || Failure::Platform(PlatformFault(format!("{} vanished after the check", entry.name())));
    let value = call(running, entry, length, functions)?.ok_or_else(vanished)?;
    match running.fuel() {
        ..=0 => Err(out_of_fuel().into()),
        left => Ok(Returned { value, fuel: (filled(fuel) - left).cast_unsigned() }),
    }
}

fn out_of_fuel() -> Failure {
    Fault::failure(ForfeitCode::FuelExhausted, "the fuel was used up before the bot answered")
}

/// A call that stopped. The module has `functions` of its own; what the meter appended comes after them and is left
/// out.
fn broken(Stopped { why, mut frames }: Stopped, left: i64, functions: u32) -> Broken {
    frames.retain(|frame| frame.function < functions);
    frames.truncate(FRAMES_MAX);
    Broken { failure: failure(why, left), frames }
}

/// Decides whose fault it is, by the fuel that the code left. The text is the same on every machine and engine.
fn failure(why: Stop, left: i64) -> Failure {
    let detail = match (why, left) {
        (Stop::Engine(why), _) => return Failure::Platform(PlatformFault(format!("the engine failed: {why}"))),
        (Stop::Log(log), _) => return Fault::failure(ForfeitCode::BadPointer, log.to_string()),
        (Stop::Trap(Trap::Unreachable), OUT_OF_FUEL) => return out_of_fuel(),
        (Stop::Trap(Trap::Unreachable), TOO_DEEP) => {
            return Fault::failure(ForfeitCode::StackOverflow, "the calls were nested too deeply for the stack");
        }
        (Stop::Trap(Trap::Unreachable), _) => UNREACHABLE,
        (Stop::Trap(Trap::Memory), _) => OUT_OF_BOUNDS,
        (Stop::Trap(Trap::Table), _) => "a table was accessed out of bounds",
        (Stop::Trap(Trap::Empty), _) => "an indirect call went to an empty table element",
        (Stop::Trap(Trap::Signature), _) => "an indirect call went to a function of another type",
        (Stop::Trap(Trap::Overflow), _) => "an integer division, or a conversion to an integer, overflowed",
        (Stop::Trap(Trap::Division), _) => "an integer was divided by zero",
        (Stop::Trap(Trap::Conversion), _) => "a number that is no integer was converted to one",
    };
    Fault::failure(ForfeitCode::Trap, detail)
}
