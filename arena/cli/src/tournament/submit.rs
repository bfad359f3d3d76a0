//! `arena tournament submit`: submits a definition to a site. A token with the scope `submit` is enough.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use arena_clock::Clock;
use arena_record::{Budgets, EntrantId};
use arena_service::limits::CONTEST_ENTRANTS_MAX;
use arena_tournaments::limits::ENTRANTS_MIN;
use arena_tournaments::{Draft, FormKeys, Source};
use clap::{Args, ValueEnum};
use serde_json::json;

use super::{openings, parsed, reading, text_of};
use crate::bots;
use crate::exit::{Exit, program};
use crate::remote::Codes;

#[derive(Args)]
pub(crate) struct Submit {
    /// The definition, a .toml file. The bots' files in it must be your bots on the site, with the same bytes.
    definition: PathBuf,
    /// Start games of Conquerors from the positions in this file instead of generated ones, as `arena tournament run`
    /// does.
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
    /// Let bots enter after the start, too, between the rounds of a Swiss tournament or a ladder, while there are
    /// places.
    #[arg(long)]
    late: bool,
    /// Print the site's JSON answer: the tournament's id and page, or the problem.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Entry {
    /// Nobody: it begins at once.
    Named,
    /// Everybody.
    Open,
    /// The accounts named with --invite.
    Invited,
}

/// A definition as a site takes it.
struct Submission {
    text: String,
    /// The files of its bots, by their quoted names.
    files: BTreeMap<String, PathBuf>,
}

/// Reads a definition, of which others may enter until there are so many `places`. What follows from the number of
/// entrants is checked here and left out of the text, because only the site will know the number. So is a seed: the
/// site draws one.
fn submission(path: &Path, openings: Option<&Path>, places: usize) -> Result<Submission> {
    let (text, base) = text_of(path)?;
    let draft = Draft::parse(FormKeys::default(), &text);
    let (mut terms, mut entrants) = parsed(path, draft.and_then(|draft| draft.open(places, reading(base))))?;
    if let Some(file) = openings {
        let openings = openings::openings(file, terms.ruleset(), terms.options())?;
        terms = terms.with_openings(openings).with_context(|| file.display().to_string())?;
    }
    let mut files = BTreeMap::new();
    for entrant in &mut entrants {
        if let Source::File(file) = &mut entrant.source {
            let path = base.join(&*file);
            let id = EntrantId::of_bytes(&bots::read(&path, &Budgets::DEFAULT)?.bytes);
            *file = format!("{}.wasm", id.hash().unwrap_or_default());
            files.insert(format!("{:?}", entrant.name), path);
        }
    }
    Ok(Submission { text: terms.to_toml(&entrants), files })
}

pub(crate) fn run(submit: &Submit, out: &mut dyn Write) -> Result<Exit> {
    // Who enters later counts as well.
    let places = submit.places.map_or(CONTEST_ENTRANTS_MAX, |places| places as usize);
    let places = if submit.entry == Entry::Named { 0 } else { places.max(ENTRANTS_MIN) };
    let Submission { text, files } = submission(&submit.definition, submit.openings.as_deref(), places)?;
    let until = submit.hours.map(|hours| Clock::system().unix_seconds() + i64::from(hours) * 3_600);
    let entry = submit.entry.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default();
    let body = json!({
        "definition": text,
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

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use std::fs;

    use arena_service::contests::ContestTerms;

    use super::*;

    #[test]
    fn an_open_tournament_may_name_nobody_and_keeps_what_follows_from_the_number_of_entrants_open() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("cup.toml");
        let entrant = |name: &str| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"{name}\"\nrating = 5\n");
        let swiss = |lines: &str| format!("name = \"Class 9b, homework 3\"\nformat = \"swiss\"\npairs = 2\n{lines}");
        let read = |text: String, places| {
            fs::write(&path, text).unwrap();
            let read = submission(&path, None, places);
            read.map(|read| ContestTerms::parse(FormKeys::default(), &read.text).unwrap())
        };
        for named in [&[][..], &["hard"], &["hard", "easy", "normal"]] {
            let entrants: String = named.iter().map(|name| entrant(name).replace("rating = 5\n", "")).collect();
            let (_, found) = read(swiss(&format!("rounds = 3\n{entrants}")), CONTEST_ENTRANTS_MAX).unwrap();
            assert_eq!(found.iter().map(|entrant| entrant.name.as_str()).collect::<Vec<_>>(), named);
            // The number of rounds follows from the number of entrants at the freeze.
            fs::write(&path, swiss(&entrants)).unwrap();
            assert!(!submission(&path, None, 16).unwrap().text.contains("rounds"));
        }
        assert!(read(swiss(""), 0).is_err(), "of those named alone there must be two");
        // More rounds than so many could play.
        assert!(read(swiss("rounds = 9"), 4).is_err() && read(swiss("rounds = 9"), 16).is_ok());
        let rated = [("easy", 5), ("hard", 70)].map(|(name, by)| entrant(name).replace("= 5", &format!("= {by}")));
        let knockout = format!("name = \"k\"\nformat = \"knockout\"\nseeding = \"rating\"\n{}", rated.concat());
        let (_, found) = read(knockout, 8).unwrap();
        assert_eq!(found.iter().map(|entrant| entrant.name.as_str()).collect::<Vec<_>>(), ["hard", "easy"]);
        fs::write(place.path().join("seeds.txt"), "hard\neasy\n").unwrap();
        let by_file = format!(
            "name = \"k\"\nformat = \"knockout\"\nseeds = \"seeds.txt\"\n{}",
            ["easy", "hard"].map(|name| entrant(name).replace("rating = 5\n", "")).concat()
        );
        let (_, found) = read(by_file, 8).unwrap();
        assert_eq!(found.iter().map(|entrant| entrant.name.as_str()).collect::<Vec<_>>(), ["hard", "easy"]);
    }
}
