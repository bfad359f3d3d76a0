//! An engine, set up once, and the bots compiled for it.

use std::sync::Arc;

use arena_check::sentences::DOES_NOT_COMPILE;
use arena_check::{Refusal, RefusalCode, check, metered};
use arena_meter::Checks;
use arena_record::{Budgets, EntrantId};
use wasmparser::{Parser, Payload};
use wasmtime::Config;

use crate::instance::{Engine, Program};
use crate::native::Native;
use crate::settings::{config, used_again};

/// An engine that all bots of a process share. Cheap to clone.
#[derive(Clone)]
pub struct Sandbox(Arc<dyn Engine>);

/// Why the engine cannot be set up on this machine.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The engine refuses the fixed target or its settings.
    #[error("this machine cannot run bots: {0:#}")]
    Engine(wasmtime::Error),
}

impl Sandbox {
    /// Sets up the engine. It starts no thread.
    ///
    /// # Errors
    /// When this machine lacks an instruction set of the fixed target.
    pub fn new() -> Result<Sandbox, SandboxError> {
        Sandbox::with(config())
    }

    /// The same for at most this many guests at once, whose memories are used again by the guests after them. A guest
    /// beyond them does not start, which is a platform fault.
    ///
    /// # Errors
    /// As [`Sandbox::new`], or when the address space of so many memories cannot be reserved.
    pub fn reusing(guests: u32) -> Result<Sandbox, SandboxError> {
        let mut config = config();
        if let Ok(config) = &mut config {
            config.allocation_strategy(used_again(guests));
        }
        Sandbox::with(config)
    }

    fn with(config: Result<Config, wasmtime::Error>) -> Result<Sandbox, SandboxError> {
        config.and_then(|config| Native::new(&config)).map(Sandbox::of).map_err(SandboxError::Engine)
    }

    /// Bots in another engine. Their results are the same: the code counts, and the engine only runs it.
    pub fn of(engine: impl Engine + 'static) -> Sandbox {
        Sandbox(Arc::new(engine))
    }

    /// Checks and compiles a bot.
    ///
    /// # Errors
    /// The first reason why these bytes are not a bot.
    pub fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Bot, Refusal> {
        check(bytes, budgets)?;
        self.compile(bytes, budgets.memory_bytes, Checks::ByRule)
    }

    /// Meters and compiles a bot that has passed [the check](check), with this limit on its memory, in bytes.
    ///
    /// # Errors
    /// When its metered form might be too large, or the engine refuses it.
    pub fn compile(&self, bytes: &[u8], memory_bytes: u64, checks: Checks) -> Result<Bot, Refusal> {
        let metered = metered(bytes, memory_bytes, checks)?;
        let program = self
            .0
            .compile(&metered.module)
            .map_err(|why| Refusal::new(RefusalCode::CompileFailed, DOES_NOT_COMPILE.with(&[("why", &why)])))?;
        let (sandbox, id) = (self.clone(), EntrantId::of_bytes(bytes));
        let (start_fuel, functions) = (metered.start_fuel, functions(bytes));
        Ok(Bot { sandbox, program, start_fuel, functions, memory_bytes, id })
    }
}

/// The number of a module's functions before it is metered, imports included.
fn functions(module: &[u8]) -> u32 {
    let sections = Parser::new(0).parse_all(module).flatten().map(|payload| match payload {
        Payload::ImportSection(imports) => imports.into_imports().count() as u32,
        Payload::FunctionSection(functions) => functions.count(),
        _ => 0,
    });
    sections.sum()
}

/// A checked and compiled bot, ready for any number of games. Cheap to clone.
#[derive(Clone)]
pub struct Bot {
    sandbox: Sandbox,
    pub(crate) program: Arc<dyn Program>,
    /// Fuel that its start takes before any of its code runs.
    pub(crate) start_fuel: u64,
    /// The number of its functions, imports included; those that the meter appended come after them.
    pub(crate) functions: u32,
    /// The game's limit on its memory, in bytes.
    pub(crate) memory_bytes: u64,
    id: EntrantId,
}

impl Bot {
    /// The hash of its bytes.
    pub fn id(&self) -> &EntrantId {
        &self.id
    }

    /// The same bot for a profile: a call ends in the function that used its fuel up. `bytes` are its own.
    ///
    /// # Errors
    /// As [`Sandbox::compile`].
    pub fn profiled(&self, bytes: &[u8], memory_bytes: u64) -> Result<Bot, Refusal> {
        self.sandbox.compile(bytes, memory_bytes, Checks::Everywhere)
    }
}

#[cfg(test)]
mod tests {
    use arena_referee::{Failure, Player, Reply, Started};

    use super::*;
    use crate::{Log, SandboxPlayer};

    /// Calls `$down` as many times as the observation's first byte says, loops, logs, and traps if that is 9.
    const BOT: &str = r#"(module (import "arena" "log" (func $log (param i32 i32))) (memory (export "memory") 1)
        (func $down (param i32) (if (local.get 0) (then (call $down (i32.sub (local.get 0) (i32.const 1))))))
        (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
        (func (export "arena_turn") (param i32) (result i64) (local i32)
            (local.set 1 (i32.load8_u (i32.const 1024)))
            (call $log (i32.const 0) (i32.const 3))
            (call $down (local.get 1))
            (if (i32.eq (local.get 1) (i32.const 9)) (then unreachable))
            (loop (br_if 0 (local.tee 1 (i32.sub (local.get 1) (i32.const 1)))))
            (i64.const 0)))"#;

    type Played = (Started, Result<Reply, Failure>, Log, usize);

    /// A start and a turn, with the bot's log and the number of functions that were running when it failed.
    fn played(config: Config, observation: u8, fuel: u64) -> Result<Played, Box<dyn std::error::Error>> {
        let bot = Sandbox::with(Ok(config))?.load(&wat::parse_str(BOT)?, &Budgets::DEFAULT)?;
        let mut player = SandboxPlayer::new(&bot);
        let started = player.start(1, 1_000).map_err(|failure| format!("{failure:?}"))?;
        let turn = player.turn(&[observation], fuel);
        Ok((started, turn, player.left().log, player.left().frames.len()))
    }

    #[test]
    fn noting_functions_changes_neither_fuel_nor_verdicts() -> Result<(), Box<dyn std::error::Error>> {
        let mut silent = config()?;
        silent.wasm_backtrace_max_frames(None);
        for (observation, fuel) in [(1, 10_000), (8, 10_000), (9, 10_000), (200, 1_000), (0, 10_000)] {
            let (started, turn, log, frames) = played(config()?, observation, fuel)?;
            assert_eq!((started, turn.clone(), log, 0), played(silent.clone(), observation, fuel)?);
            assert_eq!(frames > 0, matches!(turn, Err(Failure::Own(_))), "{observation}");
        }
        Ok(())
    }

    #[test]
    fn an_engine_whose_own_stack_ends_has_failed_and_gives_no_verdict() -> Result<(), Box<dyn std::error::Error>> {
        let mut shallow = config()?;
        shallow.max_wasm_stack(4 << 10);
        assert!(matches!(played(shallow.clone(), 1, 100_000)?.1, Ok(Reply { fuel: Some(_), .. })));
        assert!(matches!(played(shallow, 255, 100_000)?.1, Err(Failure::Platform(_))));
        assert!(matches!(played(config()?, 255, 100_000)?.1, Ok(Reply { fuel: Some(_), .. })));
        Ok(())
    }
}
