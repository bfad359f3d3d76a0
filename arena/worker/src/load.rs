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
    /// Checks a bot, then compiles it in a fresh worker with limits on processor time, time and memory; the worker is
    /// kept for the bot's games. Time decides nothing: a module that takes too long is tried again, the last time alone, with six
    /// times the processor time and however slow the machine is. One that was accepted before is a bot without being compiled again.
    ///
    /// # Errors
    /// A worker that failed, or `Ok(Err)`: why these bytes are not a bot.
    pub fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Result<RemoteBot, Refusal>, WorkerError> {
        // Linear in the bytes, and most of what is wrong with them.
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
                // How long it took says something of the machine. What the module weighs was checked before.
                Err(WorkerError::Hung(_)) if !last => continue,
                Err(WorkerError::Died(ending)) if ending.is_out_of_time() && !last => continue,
                // The last time a worker hangs that never had its processor time, so nothing is known of the module.
                Err(WorkerError::Died(ending)) if ending.is_out_of_time() => return Err(WorkerError::TooLong),
                // Perhaps the machine's fault: seen each time, it is the module's.
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

    /// Compiles a module in a fresh worker: the last time with no other, for much longer, and until the processor time is used up;
    /// whether it was the last time.
    fn try_load(&self, module: &Module, tries: u32) -> (Result<Result<Vec<String>, Refusal>, WorkerError>, bool) {
        let load = |cpu_seconds, limit| self.fresh().and_then(|mut lease| lease.load(module, cpu_seconds, limit));
        // A poisoned lock only says that another try panicked; it guards no data.
        if tries < COMPILE_TRIES {
            let _shared = self.compiling().read().unwrap_or_else(PoisonError::into_inner);
            (load(COMPILE_CPU_SECONDS_MAX, self.patience().compile), false)
        } else {
            let _alone = self.compiling().write().unwrap_or_else(PoisonError::into_inner);
            (load(RECOMPILE_FACTOR * COMPILE_CPU_SECONDS_MAX, self.patience().unwalled), true)
        }
    }
}
