//! The clock of the wall budget.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::{self, Thread};
use std::time::Duration;

use wasmtime::EngineWeak;

/// How often the clock of the wall budget ticks.
const TICK: Duration = Duration::from_millis(10);
/// How many ticks after the last call the clock stops ticking.
const TICKS_UNTIL_REST: u32 = 100;
/// How long the clock rests at most before it checks whether the sandbox still exists.
const REST: Duration = Duration::from_secs(1);

/// How long a call into a bot may take before it counts as a platform fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wall {
    /// At most this many milliseconds.
    Milliseconds(u64),
    /// As long as the fuel lasts.
    None,
}

impl Wall {
    /// The budget in ticks of the engine's clock, plus one, because the first tick may come at once.
    pub(crate) fn ticks(self) -> u64 {
        match self {
            Wall::Milliseconds(ms) => ms.div_ceil(TICK.as_millis() as u64) + 1,
            // The engine adds this to its clock, so it must not overflow.
            Wall::None => u64::MAX / 2,
        }
    }
}

/// The clock of the wall budget. It ticks while bots are called and rests otherwise, so that an idle process uses no time.
pub(crate) struct Clock {
    calls: Arc<AtomicU32>,
    thread: Thread,
}

/// A call during which the clock ticks.
pub(crate) struct Timed<'a>(&'a Clock);

impl Clock {
    /// Starts the thread, which ends with the engine.
    pub(crate) fn start(engine: EngineWeak) -> io::Result<Clock> {
        let calls = Arc::new(AtomicU32::new(0));
        let running = calls.clone();
        let tick = move || {
            let mut quiet = 0;
            while let Some(engine) = engine.upgrade() {
                engine.increment_epoch();
                drop(engine);
                quiet = if running.load(Ordering::SeqCst) == 0 { quiet + 1 } else { 0 };
                if quiet < TICKS_UNTIL_REST { thread::sleep(TICK) } else { thread::park_timeout(REST) }
            }
        };
        let thread = thread::Builder::new().name("wall clock".into()).spawn(tick)?.thread().clone();
        Ok(Clock { calls, thread })
    }

    /// Keeps the clock ticking until the result is dropped.
    pub(crate) fn timed(&self) -> Timed<'_> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        self.thread.unpark();
        Timed(self)
    }
}

impl Drop for Timed<'_> {
    fn drop(&mut self) {
        self.0.calls.fetch_sub(1, Ordering::SeqCst);
    }
}
