//! The verdict on a module: whether a fresh worker compiles it within the limits.

use std::time::Instant;

use arena_record::Budgets;
use arena_sandbox::{Refusal, RefusalCode};

use crate::failure::WorkerError;
use crate::limits::{ADDRESS_SPACE_BYTES_MAX, COMPILE_CPU_SECONDS_MAX, COMPILE_TRIES};
use crate::module::Module;
use crate::pool::Pool;
use crate::remote::RemoteBot;

impl Pool {
    /// Checks a bot, then compiles it in a fresh worker with limits on processor time, time and address space; the worker is
    /// kept for the bot's games. A module that was accepted before is a bot without being compiled again.
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
        let (began, mut tries) = (Instant::now(), 0);
        loop {
            tries += 1;
            let loaded = self.fresh().and_then(|mut lease| lease.load(&module, 1));
            let (code, why) = match loaded {
                Ok(Err(refusal)) => return Ok(Err(refusal)),
                Ok(Ok(exports)) => {
                    let exports = exports.into();
                    self.accept(&module, &exports);
                    return Ok(Ok(RemoteBot::new(self.clone(), module, exports)));
                }
                Err(WorkerError::Hung(limit)) => {
                    (RefusalCode::CompileBudget, format!("took more than {} s to compile", limit.as_secs()))
                }
                Err(WorkerError::Died(ending)) if ending.is_out_of_time() => {
                    let most = COMPILE_CPU_SECONDS_MAX;
                    (RefusalCode::CompileBudget, format!("took more than {most} s of processor time to compile"))
                }
                // Perhaps the machine's fault: seen again, it is the module's.
                Err(WorkerError::Died(ending)) if !ending.is_from_outside() => {
                    // Nobody waits longer for the last answer than for the first: what took long is not seen again.
                    if tries < COMPILE_TRIES && began.elapsed() * 2 < self.patience().compile {
                        continue;
                    }
                    let most = ADDRESS_SPACE_BYTES_MAX >> 20;
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
}
