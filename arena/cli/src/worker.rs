//! `arena worker`: bots for another process of the arena.

use std::str::FromStr;

use anyhow::Result;
use arena_worker::WallPolicy;
use clap::Args;

use crate::exit::Exit;

#[derive(Args)]
pub(crate) struct Worker {
    /// Read requests from standard input and answer on standard output, in the frames of this release.
    #[arg(long, required = true)]
    stdio: bool,
    /// If a wall between bots and this machine is missing, run bots within the others ("best"), or run none ("required").
    #[arg(long, default_value = "best", value_parser = WallPolicy::from_str)]
    walls: WallPolicy,
}

pub(crate) fn run(worker: &Worker) -> Result<Exit> {
    arena_worker::work(worker.walls)?;
    Ok(Exit::Yes)
}
