//! Why a wall does not hold.

use std::error::Error;

/// Why a wall does not hold.
#[derive(Debug, thiserror::Error)]
#[cfg_attr(
    not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))),
    expect(dead_code, reason = "there is nothing to raise elsewhere")
)]
pub(super) enum WallError {
    #[error("the worker was started with {0} environment variables")]
    Environment(usize),
    #[error("threads are already running: {0}")]
    Threads(usize),
    #[error("{what} cannot be {done}: {source}")]
    System { what: &'static str, done: &'static str, source: Box<dyn Error> },
    #[error("{0} was set and does not hold")]
    NotHolding(&'static str),
    #[error("this kernel's Landlock is {found}; {needed} is needed for files and TCP")]
    Landlock { found: String, needed: String },
    #[cfg(not(all(target_os = "linux", any(target_arch = "x86_64", target_arch = "aarch64"))))]
    #[error("this system has no such wall")]
    NoSuchWall,
}

impl WallError {
    /// Makes an error from the system's, with what was to be done.
    pub(super) fn of<E: Into<Box<dyn Error>>>(what: &'static str, done: &'static str) -> impl FnOnce(E) -> WallError {
        move |error| WallError::System { what, done, source: error.into() }
    }
}
