//! `arena limits`: the list of all limits.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use arena_limits::{Adjustable, Limit};
use clap::Args;

use crate::exit::Exit;
use crate::output::{grouped, text};
use crate::remote::Site;

#[derive(Args)]
pub(crate) struct Limits {
    /// List those of the site at this address, as its operator has adjusted them, instead of this release's.
    #[arg(long, value_name = "URL")]
    site: Option<String>,
    /// With --site: trust the certificate authorities in this PEM file instead of the usual ones.
    #[arg(long, value_name = "FILE", requires = "site")]
    ca: Option<PathBuf>,
    /// Print a JSON array of {"name":..,"value":..,"unit":..,"reason":..}, as a site's /api/v1/limits does; a limit
    /// that an operator may adjust has also its "default", "min" and "max".
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Limits, out: &mut dyn Write) -> Result<Exit> {
    let limits: Vec<Limit> = match &args.site {
        Some(site) => of_site(&Site::new(site, args.ca.as_deref(), "limits")?)?,
        None => arena_server::limits(),
    };
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&limits)?)?;
        return Ok(Exit::Yes);
    }
    let width = |of: fn(&Limit) -> usize| limits.iter().map(of).max().unwrap_or(0);
    let name = width(|limit| limit.name.len());
    let value = width(|limit| grouped(limit.value).len());
    let unit = width(|limit| limit.unit.len());
    for limit in &limits {
        let number = grouped(limit.value);
        write!(out, "{:name$}  {number:>value$}  {:unit$}  {}", limit.name, limit.unit, limit.reason)?;
        if let Some(Adjustable { default, min, max }) = limit.adjustable {
            let [default, min, max] = [default, min, max].map(grouped);
            write!(out, " [operator: {min} to {max}, default {default}]")?;
        }
        writeln!(out)?;
    }
    Ok(Exit::Yes)
}

/// The limits of a site, whose texts are a stranger's.
fn of_site(site: &Site) -> Result<Vec<Limit>> {
    let answer = site.get("/api/v1/limits", "")?;
    ensure!(answer.status == 200, "{}: {}", site.server(), answer.problem());
    let rows: Vec<Limit> = serde_json::from_value(answer.body)
        .with_context(|| format!("the limits of {} are not those of an arena", site.server()))?;
    let clean = |row: Limit| {
        let [name, unit, reason] = [&row.name, &row.unit, &row.reason].map(|words| text(words).into());
        Limit { name, unit, reason, ..row }
    };
    Ok(rows.into_iter().map(clean).collect())
}
