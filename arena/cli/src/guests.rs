//! `arena guests`: bots for another process of the arena, which starts this one.

use std::str::FromStr;

use anyhow::Result;
use arena_worker::WallPolicy;
use clap::Args;

use crate::engine::Engine;
use crate::exit::Exit;

/// Reads requests from standard input and answers on standard output, in the frames of this release.
#[derive(Args)]
pub(crate) struct Guests {
    /// Run bots only if every wall around their processes is in place (required), or behind those that this system has
    /// (best).
    #[arg(long, default_value = "best", value_parser = WallPolicy::from_str)]
    walls: WallPolicy,
    /// What they run in.
    #[arg(long, value_enum, default_value_t = Engine::Wasmtime)]
    engine: Engine,
}

pub(crate) fn run(guests: &Guests) -> Result<Exit> {
    arena_worker::work(guests.walls, |seats| guests.engine.sandbox(seats))?;
    Ok(Exit::Yes)
}
