//! The findings of `arena verify` in words.

use std::io::Write;

use anyhow::Result;
use arena_record::OutcomeRecord;
use arena_runner::{Coverage, Difference, Finding, Incomplete, NotConfirmed, OtherEnd, SeedOrigin, Verified};
use arena_tournaments::isolated;

use crate::output::{self, grouped};
use crate::recorded::Recorded;
use crate::tournament::sentence;

/// Void games that are listed; the JSON has all.
const NOT_CONFIRMED_SHOWN_MAX: usize = 10;
/// Entrants and foreign files that are listed; the JSON has all.
const LISTED_MAX: usize = 32;
/// What systems leave in folders by themselves, by the beginnings of their names.
const LITTER: [(&str, &str); 9] = [
    (".DS_Store", "macOS leaves it"),
    ("._", "macOS leaves it"),
    ("__MACOSX", "macOS leaves it"),
    ("Thumbs.db", "Windows leaves it"),
    ("desktop.ini", "Windows leaves it"),
    (".directory", "KDE leaves it"),
    (".git", "git's"),
    (".nfs", "an open file that was removed"),
    (".#", "an editor has a file open"),
];

pub(super) fn explain(out: &mut dyn Write, what: &Recorded, verified: &Verified, seed: Option<u64>) -> Result<()> {
    let mut by_people = verified.coverage.changes.iter().filter(|change| change.name().is_some()).peekable();
    let any = by_people.peek().is_some();
    for change in by_people {
        writeln!(out, "the organiser's: {}", sentence(change))?;
    }
    if any {
        writeln!(out, "each is applied at its round; no computer can tell whether its reason is true")?;
    }
    for build in &verified.coverage.other_builds {
        writeln!(out, "another build played here, under the same semantics: {build}")?;
    }
    match &verified.finding {
        Finding::Identical => {
            covered(out, &verified.coverage, seed)?;
            writeln!(out, "{what} is identical: everything recomputed is the same, byte for byte")?;
        }
        Finding::Sampled => {
            covered(out, &verified.coverage, seed)?;
            let Coverage { played, by_rules, .. } = verified.coverage;
            let [drawn, others] = [played, by_rules].map(|count| output::count(count, "game"));
            writeln!(
                out,
                "{what}: nothing differs in the sample. That covers {drawn} and what is derived from all of them; \
                 whether bots played the other {others} is not known"
            )?;
        }
        Finding::NotConfirmed(not_confirmed) => {
            covered(out, &verified.coverage, seed)?;
            not_confirmed_in_words(out, what, not_confirmed)?;
        }
        Finding::Incomplete(why) => {
            covered(out, &verified.coverage, seed)?;
            writeln!(out, "{what}: nothing differs, but not everything could be checked: {why}")?;
            if let Incomplete::Foreign { .. } = why {
                writeln!(out, "  remove them, and verify again")?;
            }
        }
        Finding::Differs(difference) => {
            writeln!(out, "{what} DIFFERS")?;
            difference_in_words(out, difference)?;
        }
        Finding::Damaged { file, flaw } => writeln!(out, "{what} is DAMAGED\n  {file}: {flaw}")?,
        Finding::LineEnds { file } => {
            writeln!(out, "{what} has other line ends than it was written with: {file}")?;
            writeln!(
                out,
                "  git does that with `core.autocrlf`, and some editors do: get it again as it was. In git, a file .gitattributes above the \
                 folder, with the line `* -text`, keeps line ends"
            )?;
        }
        Finding::OtherForm { theirs, build } => {
            writeln!(out, "{what} is in the format {theirs}, which this release does not read")?;
            writeln!(out, "  verify it with the release that played it: {build}")?;
        }
        Finding::OtherSemantics { theirs, ours, build } => {
            writeln!(out, "{what} was played under other semantics\n  theirs  {theirs}\n  ours    {ours}")?;
            writeln!(out, "  verify it with the release that played it: {build}")?;
        }
    }
    Ok(())
}

/// What was verified, if no difference was found.
fn covered(out: &mut dyn Write, coverage: &Coverage, seed: Option<u64>) -> Result<()> {
    let games = output::count(coverage.games, "game");
    let [played, by_rules] = [coverage.played, coverage.by_rules].map(|count| grouped(count as u64));
    writeln!(out, "played again with the bots' own bytes: {played} of {games}")?;
    if coverage.by_rules > 0 {
        writeln!(out, "replayed by the rules alone: {by_rules}")?;
    }
    if coverage.void > 0 {
        let (void, again) = (output::count(coverage.void, "game"), grouped(coverage.void_played as u64));
        writeln!(out, "void, not counted: {void}; of these, played here again: {again}")?;
    }
    if let (Some(seed), Some(from)) = (seed, coverage.sampled_from) {
        let missed = from - coverage.played.min(from);
        writeln!(out, "drawn with seed {seed}: --sample-seed {seed} draws the same games")?;
        writeln!(
            out,
            "one forged game would have been missed with a chance of {missed}/{from} = {:.1} %",
            100.0 * coverage.chance_missed()
        )?;
    }
    if let Some(origin) = coverage.seed {
        writeln!(out, "{}", seed_in_words(origin))?;
    }
    let rounds = coverage.changes.iter().filter(|change| change.name().is_none()).count();
    if rounds > 0 {
        writeln!(
            out,
            "{}: each seed follows from the secret whose hash was revealed before it, and from the entrants then",
            output::count(rounds, "later round")
        )?;
    }
    named(out, coverage)?;
    if !coverage.foreign.is_empty() {
        let litter = |name: &String| LITTER.iter().find(|(begin, _)| name.starts_with(begin)).map(|(_, why)| why);
        let foreign = coverage.foreign.iter().take(LISTED_MAX);
        let foreign = foreign.map(|name| litter(name).map_or(name.clone(), |why| format!("{name} ({why})")));
        let more = more(coverage.foreign.len());
        writeln!(out, "not the tournament's, and not looked at: {}{more}", foreign.collect::<Vec<_>>().join(", "))?;
    }
    if coverage.platform_faults > 0 {
        writeln!(out, "games that were played again because the machine failed: {}", coverage.platform_faults)?;
    }
    Ok(())
}

/// Who played: names beside ids.
fn named(out: &mut dyn Write, coverage: &Coverage) -> Result<()> {
    let Coverage { entrants, .. } = coverage;
    if entrants.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "names are the organiser's word; what was verified are the bots with these ids, hashes of their bytes:"
    )?;
    let names: Vec<String> = entrants.iter().take(LISTED_MAX).map(|entrant| output::text(entrant.shown())).collect();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or_default();
    for (name, entrant) in names.iter().zip(entrants) {
        // The characters that isolate a name take no room.
        let isolated = isolated(name);
        let width = width + isolated.chars().count() - name.chars().count();
        writeln!(out, "  {isolated:<width$}  {}", entrant.id)?;
    }
    if entrants.len() > LISTED_MAX {
        writeln!(out, "  {}; standings.csv has all", more(entrants.len()).trim_start_matches(", "))?;
    }
    Ok(())
}

/// How many of a list are not shown.
fn more(count: usize) -> String {
    let more = count.saturating_sub(LISTED_MAX);
    if more == 0 { String::new() } else { format!(", and {} more", grouped(more as u64)) }
}

/// Who could have chosen the tournament's seed.
fn seed_in_words(origin: SeedOrigin) -> &'static str {
    match origin {
        SeedOrigin::Chosen => "the seed is a bare number: the author of the definition may have chosen it",
        SeedOrigin::Drawn => {
            "the seed is drawn from a secret and the entrants; `--after PREVIOUS` checks that the secret was committed to before"
        }
        SeedOrigin::Committed => {
            "the seed is drawn from the entrants and the secret that the tournament before committed to; no file shows when that \
             was published"
        }
    }
}

fn not_confirmed_in_words(out: &mut dyn Write, what: &Recorded, not_confirmed: &NotConfirmed) -> Result<()> {
    let NotConfirmed { games, standings } = not_confirmed;
    let number = output::count(games.len(), "void game");
    writeln!(
        out,
        "{what}: nothing differs, but {number} could not be confirmed: a process that dies is a fact about one machine"
    )?;
    for OtherEnd { game, line, entrants, outcome } in games.iter().take(NOT_CONFIRMED_SHOWN_MAX) {
        let entrants: Vec<String> = entrants.iter().map(|name| output::text(name)).collect();
        let end = outcome.as_ref().map_or_else(
            || "void here, too, but other bots' processes died".into(),
            |OutcomeRecord { winner, reason, tally }| {
                let winner = winner.and_then(|seat| entrants.get(usize::from(seat)));
                let winner = winner.map_or_else(|| "a draw".into(), |name| format!("{name} wins"));
                let tally: Vec<String> = tally.iter().map(u32::to_string).collect();
                format!("{winner} by {}, {}", reason.replace('_', " "), tally.join(":"))
            },
        );
        writeln!(out, "  game {game}, {} (line {line} of the journal): {end}", entrants.join(" - "))?;
    }
    if let more @ 1.. = games.len().saturating_sub(NOT_CONFIRMED_SHOWN_MAX) {
        writeln!(out, "  and {more} more")?;
    }
    writeln!(out, "\nthe standings if that counted:\n\n{}", standings.to_table())?;
    Ok(())
}

fn difference_in_words(out: &mut dyn Write, difference: &Difference) -> Result<()> {
    let Difference { file, game, turn, seat, what, expected, found, build } = difference;
    let game = game.map_or_else(String::new, |game| format!(", game {game}"));
    let turn = turn.map_or_else(String::new, |turn| format!(", turn {turn}"));
    let seat = seat.map_or_else(String::new, |seat| format!(", {seat}"));
    writeln!(out, "  {file}{game}{turn}{seat}: {what}\n  expected  {expected}\n  found     {found}")?;
    if let Some(build) = build {
        writeln!(out, "  another build played it ({build}), but under the same semantics nothing may differ")?;
    }
    Ok(())
}
