//! `arena limits`: the list of all limits.

use std::io::Write;

use anyhow::Result;
use clap::Args;

use crate::exit::Exit;
use crate::output::grouped;

#[derive(Args)]
pub(crate) struct Limits {
    /// Print a JSON array of {"name":..,"value":..,"unit":..,"reason":..}, as a site's /api/v1/limits does.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Limits, out: &mut dyn Write) -> Result<Exit> {
    let limits = arena_server::limits();
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&limits)?)?;
        return Ok(Exit::Yes);
    }
    let width = |of: fn(&arena_limits::Limit) -> usize| limits.iter().map(of).max().unwrap_or(0);
    let name = width(|limit| limit.name.len());
    let value = width(|limit| grouped(limit.value).len());
    let unit = width(|limit| limit.unit.len());
    for limit in &limits {
        let number = grouped(limit.value);
        writeln!(out, "{:name$}  {number:>value$}  {:unit$}  {}", limit.name, limit.unit, limit.reason)?;
    }
    Ok(Exit::Yes)
}
