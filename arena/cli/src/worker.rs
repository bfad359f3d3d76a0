//! `arena worker`: bots for another process of the arena.

use std::io::{self, Write};

use anyhow::Result;
use arena_sandbox::Sandbox;
use clap::Args;

use crate::exit::Exit;

#[derive(Args)]
pub(crate) struct Worker {
    /// Read requests from standard input and answer on standard output, a line of JSON each.
    #[arg(long, required = true)]
    stdio: bool,
}

pub(crate) fn run(_worker: &Worker, out: &mut dyn Write) -> Result<Exit> {
    arena_worker::serve(&Sandbox::new()?, io::stdin().lock(), out)?;
    Ok(Exit::Yes)
}
