//! `arena limits`: the list of all limits.

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use arena_limits::{Adjustable, Limit};
use clap::Args;
use serde::{Deserialize, Serialize};

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

/// A limit, of this release or of a site.
#[derive(Serialize, Deserialize)]
struct Row {
    name: String,
    value: u64,
    unit: String,
    reason: String,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    adjustable: Option<Adjustable>,
}

impl From<Limit> for Row {
    fn from(Limit { name, value, unit, reason, adjustable }: Limit) -> Row {
        Row { name: name.into(), value, unit: unit.into(), reason: reason.into(), adjustable }
    }
}

pub(crate) fn run(args: &Limits, out: &mut dyn Write) -> Result<Exit> {
    let limits: Vec<Row> = match &args.site {
        Some(site) => of_site(&Site::new(site, args.ca.as_deref(), "limits")?)?,
        None => arena_server::limits().into_iter().map(Row::from).collect(),
    };
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&limits)?)?;
        return Ok(Exit::Yes);
    }
    let width = |of: fn(&Row) -> usize| limits.iter().map(of).max().unwrap_or(0);
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
fn of_site(site: &Site) -> Result<Vec<Row>> {
    let answer = site.get("/api/v1/limits", "")?;
    ensure!(answer.status == 200, "{}: {}", site.server(), answer.problem());
    let rows: Vec<Row> = serde_json::from_value(answer.body)
        .with_context(|| format!("the limits of {} are not those of an arena", site.server()))?;
    let clean = |row: Row| Row { name: text(&row.name), unit: text(&row.unit), reason: text(&row.reason), ..row };
    Ok(rows.into_iter().map(clean).collect())
}
