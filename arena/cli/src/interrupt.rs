//! Signals to stop the process, and Ctrl-C during a long run that can be resumed.

use std::future::pending;
use std::io::Write;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use anyhow::{Context, Result};
use tokio::runtime;

use crate::exit::INTERRUPTED;

/// Whether the process was asked to stop.
#[derive(Clone, Default)]
pub(crate) struct Interrupt(Arc<State>);

#[derive(Default)]
struct State {
    is_heard: AtomicBool,
    /// There is no work that would have to end properly first.
    is_idle: AtomicBool,
}

impl Interrupt {
    /// Handles Ctrl-C from now on. The first time, `told` is written to standard error and the work may end properly;
    /// the second time, the process ends at once.
    pub(crate) fn listen(told: &'static str) -> Result<Interrupt> {
        let interrupt = Interrupt::default();
        let state = interrupt.0.clone();
        let signals = runtime::Builder::new_current_thread().enable_all().build();
        let signals = signals.context("cannot listen for Ctrl-C")?;
        let listening = move || {
            signals.block_on(async {
                asked_to_stop().await;
                state.is_heard.store(true, Ordering::Relaxed);
                // At least ends the line in which the terminal shows the key.
                let told = if state.is_idle.load(Ordering::Relaxed) { "\n".into() } else { format!("\n{told}\n") };
                let _ = std::io::stderr().write_all(told.as_bytes());
                asked_to_stop().await;
                process::exit(INTERRUPTED.into());
            });
        };
        thread::Builder::new().name("listening for Ctrl-C".into()).spawn(listening)?;
        Ok(interrupt)
    }

    /// Whether Ctrl-C was pressed.
    pub(crate) fn is_heard(&self) -> bool {
        self.0.is_heard.load(Ordering::Relaxed)
    }

    /// Marks that there is no work to end properly, so `told` need not be written.
    pub(crate) fn idle(&self) {
        self.0.is_idle.store(true, Ordering::Relaxed);
    }

    /// Marks that there is work again, as at the beginning.
    pub(crate) fn at_work(&self) {
        self.0.is_idle.store(false, Ordering::Relaxed);
    }
}

/// Listens from now on. The future resolves when the process is asked to stop.
pub(crate) fn asked_to_stop() -> impl Future<Output = ()> {
    #[cfg(unix)]
    let asked = {
        use tokio::signal::unix::{Signal, SignalKind, signal};
        let listen = |kind| signal(kind).inspect_err(|error| tracing::warn!(%error, "cannot listen for signals")).ok();
        async fn received(signal: Option<Signal>) {
            match signal {
                Some(mut signal) => drop(signal.recv().await),
                None => pending().await,
            }
        }
        let [interrupted, terminated] = [SignalKind::interrupt(), SignalKind::terminate()].map(listen);
        async {
            tokio::select! {
                () = received(interrupted) => {}
                () = received(terminated) => {}
            }
        }
    };
    #[cfg(not(unix))]
    let asked = async {
        if let Err(error) = tokio::signal::ctrl_c().await {
            tracing::warn!(%error, "cannot listen for Ctrl-C");
            pending::<()>().await;
        }
    };
    asked
}
