//! Bots that the page runs: the module asks, the page calls their functions.

use arena_check::calls::{BadLog, Entry, Machine, Returned, Stop, Trap, action, begin, turn};
use arena_record::Budgets;
use arena_referee::{Failure, Fault, PlatformFault, Player, Reply, Started};
use arena_wire::Game;

use crate::failure::Failure as Refused;

/// The page's engine, by seat. Each seat has a metered module that the page has compiled before.
pub trait Guests {
    /// Makes the instance of a seat; how it ended, as [`call`](Guests::call) does.
    fn instantiate(&self, seat: u8) -> u32;

    /// Calls a function, by its place in [`Entry::ALL`]. 0: it returned. 1: there is none. 2: `arena.log` was given
    /// what is not in memory. 3: the engine failed. From 16: it trapped, and each bit from the fifth stands for a kind
    /// of trap in [`Trap::ALL`] that this can have been; engines say less than the arena does.
    fn call(&self, seat: u8, function: u32, argument: u32) -> u32;

    /// What the last call returned. If it ended in a log: the address, and the length in the high 32 bits.
    fn returned(&self) -> u64;

    /// The fuel that its code has left.
    fn fuel(&self, seat: u8) -> i64;

    /// Sets the fuel that its code has left.
    fn set_fuel(&self, seat: u8, fuel: i64);

    /// The size of its memory, in bytes.
    fn memory_bytes(&self, seat: u8) -> u32;

    /// Copies out of its memory, from an address.
    fn read(&self, seat: u8, address: u32, into: &mut [u8]);

    /// Copies into its memory, at an address.
    fn write(&self, seat: u8, address: u32, bytes: &[u8]);
}

const RETURNED: u32 = 0;
const NONE_SUCH: u32 = 1;
const BAD_LOG: u32 = 2;
const TRAPS_FROM: u32 = 4;

/// The bot of a seat.
pub(crate) struct Guest<'a> {
    pub(crate) guests: &'a dyn Guests,
    pub(crate) seat: u8,
    /// Fuel that its start takes before any code runs.
    pub(crate) start_fuel: u64,
    pub(crate) observation_at: u32,
    /// The detail of its forfeit in the record, where there is one: of the kinds that a trap can have been, this one.
    pub(crate) recorded: Option<&'a str>,
}

impl<'a> Guest<'a> {
    pub(crate) fn new(guests: &'a dyn Guests, seat: u8, start_fuel: u64) -> Guest<'a> {
        Guest { guests, seat, start_fuel, observation_at: 0, recorded: None }
    }

    fn ended(&self, code: u32) -> Result<bool, Stop> {
        match code {
            RETURNED => Ok(true),
            NONE_SUCH => Ok(false),
            BAD_LOG => {
                let given = self.guests.returned();
                Err(Stop::Log(BadLog { address: given as u32, length: (given >> 32) as u32 }))
            }
            code => {
                let kinds = || (TRAPS_FROM..).zip(Trap::ALL).filter(|(bit, _)| code >> bit & 1 == 1);
                let is_recorded = |(_, trap): &(u32, Trap)| Some(trap.detail()) == self.recorded;
                let trap = kinds().find(is_recorded).or_else(|| kinds().next());
                Err(trap.map_or_else(|| Stop::Engine("of the page".into()), |(_, trap)| Stop::Trap(trap)))
            }
        }
    }
}

impl Machine for Guest<'_> {
    fn instantiate(&mut self) -> Result<(), Stop> {
        let code = self.guests.instantiate(self.seat);
        self.ended(code)?.then_some(()).ok_or_else(|| Stop::Engine("the bot is not there".into()))
    }

    fn call(&mut self, entry: Entry, length: u32) -> Result<Option<u64>, Stop> {
        let code = self.guests.call(self.seat, entry as u32, length);
        Ok(self.ended(code)?.then(|| self.guests.returned()))
    }

    fn fuel(&mut self) -> i64 {
        self.guests.fuel(self.seat)
    }

    fn set_fuel(&mut self, fuel: i64) -> Result<(), Stop> {
        self.guests.set_fuel(self.seat, fuel);
        Ok(())
    }

    fn memory_bytes(&self) -> usize {
        self.guests.memory_bytes(self.seat) as usize
    }

    fn read(&self, address: usize, bytes: usize) -> Option<Vec<u8>> {
        if address.checked_add(bytes)? > self.memory_bytes() {
            return None;
        }
        let mut copy = vec![0; bytes];
        self.guests.read(self.seat, address as u32, &mut copy);
        Some(copy)
    }

    fn write(&mut self, address: usize, bytes: &[u8]) -> Option<()> {
        if address.checked_add(bytes.len())? > self.memory_bytes() {
            return None;
        }
        self.guests.write(self.seat, address as u32, bytes);
        Some(())
    }
}

impl Player for Guest<'_> {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        let Returned { value, fuel } = begin(self, self.start_fuel, observation_len, fuel)?;
        self.observation_at = value as u32;
        Ok(Started { fuel: Some(fuel) })
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let returned = turn(self, self.observation_at, observation, fuel)?;
        action(self, returned)
    }
}

/// The budgets of a bot in a game that does not count. No bank is kept for it.
pub(crate) fn budgets(ruleset: &str) -> Result<Budgets, Refused> {
    let game = Game::named(ruleset).map_err(|error| Refused::new("unknown_game", error))?;
    Ok(Budgets::of(game.allowance))
}

/// A bot's failure in such a game.
pub(crate) fn lost(failure: Failure) -> Refused {
    let (Failure::Own(Fault { detail: why, .. }) | Failure::Platform(PlatformFault(why))) = failure;
    Refused::new("bot_failed", why)
}
