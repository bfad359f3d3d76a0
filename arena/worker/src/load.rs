//! The verdict on a module: whether a fresh worker compiles it. No verdict comes from a clock.

use std::sync::PoisonError;

use arena_record::Budgets;
use arena_sandbox::{Refusal, RefusalCode};

use crate::failure::WorkerError;
use crate::limits::{COMPILE_CPU_SECONDS_MAX, COMPILE_TRIES, RECOMPILE_FACTOR, WORKER_MEMORY_BYTES_MAX};
use crate::module::Module;
use crate::pool::Pool;
use crate::remote::RemoteBot;

impl Pool {
    /// Checks a bot, then compiles it in a fresh worker with limits on processor time, time and memory. The worker is kept for the
    /// bot's games. No verdict comes from a clock: a module that takes too long is tried again, the last time alone, with six times
    /// the processor time and on however slow a machine. A module that was accepted before is not compiled again.
    ///
    /// # Errors
    /// A worker that failed. `Ok(Err)` says why these bytes are not a bot.
    pub fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Result<RemoteBot, Refusal>, WorkerError> {
        // Linear in the bytes, and finds most of what can be wrong with them.
        if let Err(refusal) = arena_sandbox::check(bytes, budgets) {
            return Ok(Err(refusal));
        }
        let module = Module::new(bytes, budgets.memory_bytes);
        if let Some(exports) = self.accepted(&module) {
            return Ok(Ok(RemoteBot::new(self.clone(), module, exports)));
        }
        let mut tries = 0;
        loop {
            tries += 1;
            let (loaded, last) = self.try_load(&module, tries);
            let (code, why) = match loaded {
                Ok(Err(refusal)) => return Ok(Err(refusal)),
                Ok(Ok(exports)) => {
                    let exports = exports.into();
                    self.accept(&module, &exports);
                    return Ok(Ok(RemoteBot::new(self.clone(), module, exports)));
                }
                // The time it took tells about the machine. The module's weight was checked before.
                Err(WorkerError::Hung(_)) if !last => continue,
                Err(WorkerError::Died(ending)) if ending.is_out_of_time() && !last => continue,
                // A worker that hangs on the last try never got its processor time, so nothing is known of the module.
                Err(WorkerError::Died(ending)) if ending.is_out_of_time() => return Err(WorkerError::TooLong),
                // Perhaps the machine's fault; if it happens on each try, it is the module's.
                Err(WorkerError::Died(ending)) if !ending.is_from_outside() => {
                    if !last {
                        continue;
                    }
                    let most = WORKER_MEMORY_BYTES_MAX >> 20;
                    if ending.is_abort() {
                        (RefusalCode::CompileBudget, format!("took more than {most} MiB of memory to compile"))
                    } else {
                        (RefusalCode::CompileFailed, "ends the compiler each time".into())
                    }
                }
                Err(error) => return Err(error),
            };
            return Ok(Err(Refusal::new(code, format!("the module {why}"))));
        }
    }

    /// Compiles a module in a fresh worker. The last try runs with no other, with much higher limits, until the processor time is used
    /// up. Also returns whether this was the last try.
    fn try_load(&self, module: &Module, tries: u32) -> (Result<Result<Vec<String>, Refusal>, WorkerError>, bool) {
        let load = |cpu_seconds, limit| self.fresh().and_then(|mut lease| lease.load(module, cpu_seconds, limit));
        // A poisoned lock only means that another try panicked; it guards no data.
        if tries < COMPILE_TRIES {
            let _shared = self.compiling().read().unwrap_or_else(PoisonError::into_inner);
            (load(COMPILE_CPU_SECONDS_MAX, self.patience().compile), false)
        } else {
            let _alone = self.compiling().write().unwrap_or_else(PoisonError::into_inner);
            (load(RECOMPILE_FACTOR * COMPILE_CPU_SECONDS_MAX, self.patience().unwalled), true)
        }
    }
}
