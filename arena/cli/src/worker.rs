//! `arena worker`: bots for another process of the arena.

use std::io::{self, Write};
use std::str::FromStr;

use anyhow::Result;
use arena_worker::WallPolicy;
use clap::Args;

use crate::exit::Exit;

#[derive(Args)]
pub(crate) struct Worker {
    /// Read requests from standard input and answer on standard output, a line of JSON each.
    #[arg(long, required = true)]
    stdio: bool,
    /// If a wall between bots and this machine is missing, run bots within the others ("best"), or run none ("required").
    #[arg(long, default_value = "best", value_parser = WallPolicy::from_str)]
    walls: WallPolicy,
}

pub(crate) fn run(worker: &Worker, out: &mut dyn Write) -> Result<Exit> {
    arena_worker::work(worker.walls, io::stdin().lock(), out)?;
    Ok(Exit::Yes)
}
