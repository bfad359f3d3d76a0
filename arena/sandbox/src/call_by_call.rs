//! A bot in one game, call by call.

use arena_check::calls::{Entry, Machine, Returned, Stop, action, begin, start, turn};
use arena_referee::{Failure, Reply, Started};

use crate::instance::{Instance, Stopped};
use crate::{Bot, FRAMES_MAX, Frame, Guest, Left, Used};

/// A bot in one game, call by call: a fresh instance, whose memory can be looked at after a call that failed, too. What
/// its functions return is not judged; [`SandboxPlayer`](crate::SandboxPlayer) does that.
pub struct Calls {
    bot: Bot,
    instance: Option<Box<dyn Instance>>,
    observation_at: u32,
    /// Fuel that the next call lacks.
    withheld: u64,
    frames: Vec<Frame>,
}

impl Calls {
    /// A game of `bot`, before its start.
    pub fn new(bot: &Bot) -> Calls {
        Calls { bot: bot.clone(), instance: None, observation_at: 0, withheld: 0, frames: Vec::new() }
    }

    /// The memory; empty before the start, and if elements or data had no place, or data no fuel.
    pub fn memory(&self) -> &[u8] {
        self.instance.as_ref().map_or(&[], |instance| instance.memory())
    }

    /// What it leaves behind in its last call and before. It has failed in that call if memory was refused there.
    pub fn left(&mut self) -> Left {
        let frames = self.frames.clone();
        let Some(instance) = &mut self.instance else { return Left { frames, ..Left::default() } };
        let all = (0..self.bot.functions).map_while(|function| {
            let (alone, with_calls) = instance.used(function)?;
            Some(Used { function, alone, with_calls })
        });
        let used = all.filter(|used| used.with_calls > 0).collect();
        let (_, Guest { refused, log }) = instance.parts();
        let memory_refused = refused.filter(|refused| refused.wanted > self.bot.memory_bytes);
        Left { log: log.clone(), frames, used, memory_refused }
    }

    /// Starts it on this fuel: elements and data, the start function, `_initialize`, and where observations go.
    ///
    /// # Errors
    /// The bot's fault or the platform's.
    pub fn start(&mut self, observation_len: u32, fuel: u64) -> Result<Returned, Failure> {
        let returned = start(self, self.bot.start_fuel, observation_len, fuel)?;
        self.observation_at = returned.value as u32;
        Ok(returned)
    }

    /// The same, and its observations have a place.
    pub(crate) fn begin(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        let returned = begin(self, self.bot.start_fuel, observation_len, fuel)?;
        self.observation_at = returned.value as u32;
        Ok(Started { fuel: Some(returned.fuel) })
    }

    /// Has a turn played on this fuel.
    ///
    /// # Errors
    /// The bot's fault or the platform's.
    pub fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Returned, Failure> {
        self.turn_without(observation, fuel, 0)
    }

    /// The action of a turn without so much of the fuel.
    pub(crate) fn play(&mut self, observation: &[u8], fuel: u64, withheld: u64) -> Result<Reply, Failure> {
        let returned = self.turn_without(observation, fuel, withheld)?;
        action(self, returned)
    }

    /// The same without so much of the fuel, which `arena.fuel` counts as if it were there: for bots that are
    /// [profiled](Bot::profiled). So a host sees a word of memory at any unit of fuel of a turn: it withholds what
    /// comes after that unit, and reads [`memory`](Calls::memory) once the call has ended. A store is seen from the
    /// unit on that pays for all of its piece.
    ///
    /// # Errors
    /// As [`turn`](Calls::turn).
    pub fn turn_without(&mut self, observation: &[u8], fuel: u64, withheld: u64) -> Result<Returned, Failure> {
        if let Some(running) = &mut self.instance {
            running.parts().1.refused = None;
        }
        self.withheld = withheld;
        let returned = turn(self, self.observation_at, observation, fuel.saturating_sub(withheld));
        if let (Err(Failure::Own(_)), Some(running), 1..) = (&returned, &mut self.instance, withheld)
            && let Some(lines) = running.lines()
        {
            self.frames = lines.into_iter().map(|line| Frame { function: line, name: None }).collect();
        }
        returned
    }

    /// Notes which functions were running. What the meter appended comes after the module's own and is left out.
    fn stop(&mut self, Stopped { why, mut frames }: Stopped) -> Stop {
        frames.retain(|frame| frame.function < self.bot.functions);
        frames.truncate(FRAMES_MAX);
        self.frames = frames;
        why
    }
}

impl Machine for Calls {
    fn instantiate(&mut self) -> Result<(), Stop> {
        let made = self.bot.program.instantiate();
        self.instance = Some(made.map_err(|stopped| self.stop(stopped))?);
        Ok(())
    }

    fn call(&mut self, entry: Entry, length: u32) -> Result<Option<u64>, Stop> {
        let Some(running) = &mut self.instance else { return Ok(None) };
        running.call(entry, length).map_err(|stopped| self.stop(stopped))
    }

    fn fuel(&mut self) -> i64 {
        self.instance.as_mut().map_or(0, |running| running.fuel())
    }

    fn set_fuel(&mut self, fuel: i64) -> Result<(), Stop> {
        let Some(running) = &mut self.instance else { return Ok(()) };
        let set = running.withhold(self.withheld.cast_signed()).and_then(|()| running.set_fuel(fuel));
        set.map_err(|stopped| self.stop(stopped))
    }

    fn memory_bytes(&self) -> usize {
        self.memory().len()
    }

    fn read(&self, address: usize, bytes: usize) -> Option<Vec<u8>> {
        self.memory().get(address..address + bytes).map(<[u8]>::to_vec)
    }

    fn write(&mut self, address: usize, bytes: &[u8]) -> Option<()> {
        let (memory, _) = self.instance.as_mut()?.parts();
        memory.get_mut(address..address + bytes.len())?.copy_from_slice(bytes);
        Some(())
    }
}
