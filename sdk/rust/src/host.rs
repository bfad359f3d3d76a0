//! The guest's side of the contract in `sdk/ABI.md`.

use crate::{Bot, Observation, Protocol};

/// A bot with the buffers it shares with the arena. Made by [`bot!`](crate::bot!).
#[derive(Default)]
pub struct Host<B> {
    bot: B,
    observation: Vec<u8>,
    action: Vec<u8>,
}

impl<B> Host<B> {
    /// The buffer for observations of up to `len` bytes; called once, before the first turn.
    pub fn observation_buffer(&mut self, len: usize) -> *mut u8 {
        std::panic::set_hook(Box::new(|panic| log(&panic.to_string())));
        self.observation = vec![0; len];
        self.observation.as_mut_ptr()
    }

    /// Whether the observation in the buffer is of game `G`.
    pub fn is_of<G: Protocol>(&self) -> bool {
        self.observation.get(1) == Some(&G::TAG)
    }

    /// Plays a turn of game `G` on the first `len` bytes of the buffer; returns the action's address, with its length in the high
    /// half.
    ///
    /// # Panics
    /// If the observation has another version: the bot was built for another release of the arena.
    pub fn turn<G: Protocol>(&mut self, len: usize) -> u64
    where
        B: Bot<G>,
    {
        let observation = match Observation::<G>::decode(&self.observation[..len]) {
            Ok(observation) => observation,
            Err(error) => panic!("this bot does not understand the arena: {error}"),
        };
        self.action = G::encode_action(&self.bot.turn(&observation));
        let address = self.action.as_ptr() as usize as u64;
        address | (self.action.len() as u64) << 32
    }

    /// Ends a game that the bot does not play.
    ///
    /// # Panics
    /// Always: the bot forfeits, and its log says why.
    pub fn stranger(&self) -> ! {
        panic!("this bot does not play the game with tag {:?}", self.observation.get(1))
    }
}

#[cfg(target_family = "wasm")]
mod import {
    #[link(wasm_import_module = "arena")]
    #[expect(unsafe_code, reason = "the imports of the contract; the host checks address and length itself")]
    unsafe extern "C" {
        pub(super) safe fn log(address: *const u8, len: usize);
        pub(super) safe fn fuel() -> u64;
    }
}

/// Writes a line to the bot's log. It costs fuel by the byte; a game keeps 64 lines and 8 KiB. Natively, it goes to standard
/// error in tests, and is discarded in benches, which call a bot thousands of times.
pub fn log(line: &str) {
    #[cfg(target_family = "wasm")]
    import::log(line.as_ptr(), line.len());
    #[cfg(not(target_family = "wasm"))]
    #[expect(clippy::print_stderr, reason = "outside the arena there is nowhere else to log to")]
    if !quiet::is() {
        eprintln!("{line}");
    }
}

/// Units of fuel that this call may still spend and be in time: of the turn, the bank included, or of the start. Asking
/// costs 40, which are paid already. Natively, nothing counts fuel: a thread begins with 50,000,000, each question takes
/// 50,000 of them, and [`refuel`](crate::testing::refuel) fills up.
pub fn fuel() -> u64 {
    #[cfg(target_family = "wasm")]
    return import::fuel();
    #[cfg(not(target_family = "wasm"))]
    tank::ask()
}

#[cfg(not(target_family = "wasm"))]
pub(crate) mod tank {
    use std::cell::Cell;

    /// A turn's fuel in most games.
    const FULL: u64 = 50_000_000;
    /// What a question takes.
    const QUESTION: u64 = 50_000;

    std::thread_local! {
        static LEFT: Cell<u64> = const { Cell::new(FULL) };
    }

    pub(crate) fn ask() -> u64 {
        LEFT.set(LEFT.get().saturating_sub(QUESTION));
        LEFT.get()
    }

    pub(crate) fn fill() {
        LEFT.set(FULL);
    }
}

#[cfg(not(target_family = "wasm"))]
pub(crate) mod quiet {
    use std::cell::Cell;

    std::thread_local! {
        static IS: Cell<bool> = const { Cell::new(false) };
    }

    /// Whether this thread's log is discarded.
    pub(crate) fn is() -> bool {
        IS.get()
    }

    /// Runs something with its log discarded.
    pub(crate) fn during<T>(work: impl FnOnce() -> T) -> T {
        let before = IS.replace(true);
        let done = work();
        IS.set(before);
        done
    }
}
