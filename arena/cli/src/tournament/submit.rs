//! `arena tournament submit`: submits a definition to a site. A token with the scope `submit` is enough.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use arena_clock::Clock;
use arena_record::{Budgets, EntrantId};
use arena_tournaments::Source;
use clap::{Args, ValueEnum};
use serde_json::json;

use super::definition_for_a_site;
use super::openings::with_openings;
use crate::bots;
use crate::exit::{Exit, program};
use crate::remote::Codes;

#[derive(Args)]
pub(crate) struct Submit {
    /// The definition, a .toml file. The bots' files in it must be your bots on the site, with the same bytes.
    definition: PathBuf,
    /// Start games of Conquerors from the positions in this file instead of generated ones, as `arena tournament run` does.
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// The site's address [default: where you logged in].
    #[arg(long)]
    server: Option<String>,
    /// Who else may enter.
    #[arg(long, value_enum, default_value_t = Entry::Named)]
    entry: Entry,
    /// An account to invite, by name. May be given more than once.
    #[arg(long, value_name = "ACCOUNT")]
    invite: Vec<String>,
    /// Close entry at this many entrants [default: as many as the site allows].
    #[arg(long)]
    places: Option<u32>,
    /// Close entry after this many hours at the latest.
    #[arg(long, value_name = "HOURS")]
    hours: Option<u32>,
    /// Let bots enter after the start, too, between the rounds of a Swiss tournament or a ladder, while there are places.
    #[arg(long)]
    late: bool,
    /// Print the site's JSON answer: the tournament's id and page, or the problem.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Entry {
    /// Nobody: it begins at once.
    Named,
    /// Everybody.
    Open,
    /// The accounts named with --invite.
    Invited,
}

pub(crate) fn run(submit: &Submit, out: &mut dyn Write) -> Result<Exit> {
    let (definition, base) = definition_for_a_site(&submit.definition)?;
    let mut definition = with_openings(definition, submit.openings.as_deref())?;
    let mut files = BTreeMap::new();
    for entrant in &mut definition.entrants {
        let Source::File(file) = &entrant.source else { continue };
        let bytes = bots::read(&base.join(file), &Budgets::DEFAULT)?.bytes;
        let id = EntrantId::of_bytes(&bytes);
        files.insert(format!("{:?}", entrant.name), base.join(file));
        entrant.source = Source::File(format!("{}.wasm", id.hash().unwrap_or_default()));
    }
    let until = submit.hours.map(|hours| Clock::system().unix_seconds() + i64::from(hours) * 3_600);
    let entry = submit.entry.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
    let body = json!({
        "definition": definition.to_toml(),
        "entry": entry,
        "invited": submit.invite,
        "places": submit.places,
        "until": until,
        "late": submit.late,
    });
    let (site, code) = Codes::read()?.find(submit.server.as_deref())?;
    let answer = site.post_json_as("/api/v1/tournaments", &code, &body)?;
    if answer.status != 201 {
        if submit.json {
            writeln!(out, "{}", answer.body)?;
            return Ok(Exit::No);
        }
        let problem = answer.problem();
        let of = |name: &str| answer.text("code") == "no_such_bot" && problem.contains(name);
        if let Some((_, file)) = files.iter().find(|(name, _)| of(name)) {
            let file = file.display();
            bail!("no bot that plays there has the bytes of {file}: submit it first, `{} submit {file}`", program());
        }
        bail!("{problem}");
    }
    if submit.json {
        writeln!(out, "{}", answer.body)?;
        return Ok(Exit::Yes);
    }
    let begins = match submit.entry {
        Entry::Named => "it begins as soon as the site has time",
        Entry::Open | Entry::Invited => "it begins when entry is closed",
    };
    writeln!(out, "started {}: {begins}", answer.text("id"))?;
    let url = answer.body["url"].as_str().context("the site does not say where it is")?;
    writeln!(out, "follow it: {}{url}", site.server())?;
    Ok(Exit::Yes)
}
