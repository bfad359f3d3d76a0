//! The engines that bots can run in.

use std::io;

use arena_sandbox::{Sandbox, SandboxError};
use arena_worker::Pool;
use clap::ValueEnum;

/// An engine.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Engine {
    /// A compiler, in which all games are played
    Wasmtime,
    /// An interpreter, which shares no code with it and is some thirty times as slow
    #[cfg(feature = "wasmi")]
    Wasmi,
}

impl Engine {
    /// Bots in this process, so many of them at once.
    pub(crate) fn sandbox(self, guests: u8) -> Result<Sandbox, SandboxError> {
        match self {
            Engine::Wasmtime => Sandbox::reusing(guests.into()),
            #[cfg(feature = "wasmi")]
            Engine::Wasmi => Ok(Sandbox::of(arena_interpreter::Interpreter::new())),
        }
    }

    /// Workers of this binary, within the walls that the system has.
    pub(crate) fn pool(self, idle_max: usize) -> io::Result<Pool> {
        match self {
            Engine::Wasmtime => Pool::of_this_binary(idle_max),
            #[cfg(feature = "wasmi")]
            Engine::Wasmi => {
                let arguments = ["guests", "--engine", "wasmi"].map(Into::into).to_vec();
                let patience = arena_worker::limits::Patience {
                    slowness: arena_interpreter::SLOWNESS,
                    ..arena_worker::limits::Patience::DEFAULT
                };
                Ok(Pool::with_patience(std::env::current_exe()?, arguments, idle_max, patience))
            }
        }
    }
}
