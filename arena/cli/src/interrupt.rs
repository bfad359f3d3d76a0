//! Ctrl-C while something long is done that can be gone on with.

use std::io::Write;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context, Result};
use tokio::runtime;

use crate::exit::INTERRUPTED;
use crate::serve::asked_to_stop;

/// Whether somebody asked to stop.
#[derive(Clone, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens from now on. The first time, `told` is written to standard error and the work may come to a good end; the
    /// second time the process ends at once.
    pub(crate) fn listen(told: &'static str) -> Result<Interrupt> {
        let interrupt = Interrupt::default();
        let heard = interrupt.clone();
        let signals = runtime::Builder::new_current_thread().enable_all().build();
        let signals = signals.context("cannot listen for Ctrl-C")?;
        let listening = move || {
            signals.block_on(async {
                asked_to_stop().await;
                heard.0.store(true, Ordering::Relaxed);
                let _ = writeln!(std::io::stderr(), "\n{told}");
                asked_to_stop().await;
                process::exit(INTERRUPTED.into());
            });
        };
        thread::Builder::new().name("listening for Ctrl-C".into()).spawn(listening)?;
        Ok(interrupt)
    }

    /// Whether somebody did.
    pub(crate) fn is_heard(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
