//! The verdict on a module: whether a fresh worker compiles it.

use arena_record::Budgets;
use arena_sandbox::sentences::{COMPILE_MEMORY, COMPILE_SECONDS, ENDS_COMPILER};
use arena_sandbox::{Refusal, RefusalCode};
use tracing::warn;

use crate::failure::{Ending, WorkerError};
use crate::limits::{COMPILE_CPU_SECONDS_MAX, COMPILE_TRIES, WORKER_MEMORY_BYTES_MAX};
use crate::machine::Lack;
use crate::module::Module;
use crate::pool::Pool;
use crate::remote::RemoteBot;

/// The smallest module. A machine that does not compile it judges no other.
const SMALLEST: &[u8] = b"\0asm\x01\0\0\0";

impl Pool {
    /// Checks a bot, then compiles it in a fresh worker with limits on processor time, time and memory. The worker is
    /// kept for the bot's games. A module whose compilation exceeds a limit, or ends the worker each time, is refused.
    /// It is tried again only where that may be the machine's fault, not beyond a limit. A module that was accepted
    /// before is not compiled again.
    ///
    /// # Errors
    /// The machine's fault, which says nothing about the module. `Ok(Err)` says why these bytes are not a bot.
    pub fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Result<RemoteBot, Refusal>, WorkerError> {
        // Linear in the bytes, and finds most of what can be wrong with them.
        if let Err(refusal) = arena_sandbox::check(bytes, budgets) {
            return Ok(Err(refusal));
        }
        let module = Module::new(bytes, budgets.memory_bytes);
        if self.has_accepted(&module) {
            return Ok(Ok(RemoteBot::new(self.clone(), module)));
        }
        let mut tries = 0;
        loop {
            tries += 1;
            match self.compile(&module) {
                Ok(Ok(())) => break,
                Ok(Err(refusal)) => return Ok(Err(refusal)),
                // A killed worker, one that waited, and a crash that does not happen again tell about the machine.
                Err(error @ (WorkerError::Died(_) | WorkerError::Hung(_)))
                    if tries < COMPILE_TRIES && !error.is_beyond_a_limit() =>
                {
                    warn!(%error, tries, "a module is compiled again");
                }
                Err(WorkerError::Died(ending)) if !ending.is_from_outside() => {
                    self.ready()?;
                    return Ok(Err(refusal_of(ending)));
                }
                Err(error) => return Err(error),
            }
        }
        self.accept(&module);
        Ok(Ok(RemoteBot::new(self.clone(), module)))
    }

    fn compile(&self, module: &Module) -> Result<Result<(), Refusal>, WorkerError> {
        self.fresh()?.load(module, COMPILE_CPU_SECONDS_MAX, self.patience().compile)
    }

    /// Whether bots can be judged and played here: a worker starts within the walls that are required, and compiles the
    /// smallest module. Asked at the start of a site or a worker, and before a module is blamed for the end of its
    /// compiler.
    ///
    /// # Errors
    /// What is missing.
    pub fn ready(&self) -> Result<(), WorkerError> {
        let smallest = Module::new(SMALLEST, 0);
        let everything = |how: String| Err(Lack::Everything(how).into());
        let mut lease = self.fresh()?;
        let compiled = lease.load(&smallest, COMPILE_CPU_SECONDS_MAX, self.patience().compile);
        // It plays nothing.
        lease.end();
        match compiled {
            Ok(Ok(())) => Ok(()),
            Ok(Err(refusal)) => everything(refusal.to_string()),
            Err(WorkerError::Died(ending)) => everything(ending.to_string()),
            Err(error) => Err(error),
        }
    }
}

/// Why a module is refused whose compilation ended its worker in this way.
fn refusal_of(ending: Ending) -> Refusal {
    if ending.is_out_of_time() {
        let message = COMPILE_SECONDS.with(&[("seconds", &COMPILE_CPU_SECONDS_MAX)]);
        return Refusal::new(RefusalCode::CompileBudget, message);
    }
    if ending.is_abort() {
        let most = WORKER_MEMORY_BYTES_MAX >> 20;
        return Refusal::new(RefusalCode::CompileBudget, COMPILE_MEMORY.with(&[("mebibytes", &most)]));
    }
    Refusal::new(RefusalCode::CompileFailed, ENDS_COMPILER.with(&[("how", &ending)]))
}
