//! Exports a tournament: `arena tournament export`.

use std::fmt::Write as _;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use anyhow::{Context, Result, bail, ensure};
use arena_limits::counted;
use arena_notation::game_text;
use arena_rules::Ruleset;
use arena_rules::conquerors::Position;
use arena_runner::{Change, ChangeKind, Ended, Survey, layout};
use arena_server::{Records, Report, ReportGame};
use arena_tournaments::{Entrant, Fate, ScheduledGame, isolated};
use arena_wire::Game;
use clap::Args;

use super::organise::sentence;
use crate::exit::Exit;
use crate::names::EntrantNames;
use crate::record::with_names;
use crate::{output, pack};

/// The forms by a file's ending.
const FORMS: &str = ".html (one page with all games), .md, .csv, .json, .txt (standings), .games.csv (an index of games), \
    .notation (all games of Conquerors) and .tar.zst (the folder, which `arena verify` reads)";
/// Pictures of the report, by their files. The page itself draws ratings and the crosstable.
const PICTURES: [(&str, &str); 1] = [("bracket.svg", "Bracket")];
/// Texts of the report, by their files.
const TEXTS: [(&str, &str); 2] = [("rounds.txt", "Rounds"), ("fairness.txt", "Fairness")];
/// The beginning of 2020, since 1970: no arena is older. Files of archives without times, such as those of a site, have
/// earlier ones.
const FIRST: Duration = Duration::from_secs(1_577_836_800);

#[derive(Args)]
pub(crate) struct Export {
    /// The tournament's folder.
    folder: PathBuf,
    /// The file to write; its ending says what: .html (one page with all games), .md, .csv, .json, .txt (standings),
    /// .games.csv (an index of games), .notation (all games of Conquerors), .tar.zst (the folder, which `arena verify`
    /// reads).
    file: PathBuf,
}

pub(super) fn run(args: &Export, out: &mut dyn Write) -> Result<Exit> {
    let survey = Survey::open(&args.folder)?;
    let name = args.file.to_string_lossy();
    let has = |ending: &str| name.ends_with(ending);
    if has(".tar.zst") {
        pack::pack(&survey, &args.folder, &args.file)?;
    } else {
        let text = match () {
            () if has(".html") => report(&survey, &args.folder)?,
            () if has(".md") => survey.standings().to_markdown(),
            () if has(".games.csv") => file(&survey, "games.csv"),
            () if has(".csv") => survey.standings().to_csv(),
            () if has(".json") => survey.standings().to_json(),
            () if has(".txt") => survey.standings().to_table(),
            () if has(".notation") => notation(&survey, &args.folder)?,
            () => bail!("{name} has an unknown extension; use one of {FORMS}"),
        };
        fs::write(&args.file, text).with_context(|| format!("cannot write {name}"))?;
    }
    let bytes = fs::metadata(&args.file).map_or(0, |file| file.len());
    writeln!(out, "{name}: {} bytes", output::grouped(bytes))?;
    Ok(Exit::Yes)
}

fn file(survey: &Survey, wanted: &str) -> String {
    survey.files().into_iter().find(|(name, _)| *name == wanted).map(|(_, text)| text).unwrap_or_default()
}

/// The notation of all games that count, one after the other. Only Conquerors has one.
fn notation(survey: &Survey, folder: &Path) -> Result<String> {
    let game = Game::named(&survey.definition().ruleset)?;
    ensure!(game.ruleset == Position::ID, "only Conquerors has a notation, and these are games of {}", game.title);
    let names = EntrantNames::of_tournament(folder);
    let mut text = String::new();
    for (game, fate) in survey.games().filter(|(_, fate)| *fate == Fate::Counted) {
        debug_assert_eq!(fate, Fate::Counted);
        let Some(Ended::Played(record)) = survey.ended(game.number)? else { continue };
        let of_game = game_text(&record).with_context(|| format!("game {} has no notation", game.number))?;
        let _ = writeln!(text, "; game {}\n{}", game.number, with_names(&of_game, &names));
    }
    Ok(text)
}

fn report(survey: &Survey, folder: &Path) -> Result<String> {
    let definition = survey.definition();
    let mut records = Records::default();
    let games =
        survey.games().map(|(game, fate)| report_game(survey, &game, fate, &mut records)).collect::<Result<_>>()?;
    let files = survey.files();
    let chosen = |from: &[(&str, &'static str)]| {
        let title = |name: &str| from.iter().find(|(file, _)| *file == name).map(|(_, title)| *title);
        files.iter().filter_map(|(name, text)| Some((title(name)?, text.clone()))).collect()
    };
    let report = Report {
        title: definition.name.clone(),
        ruleset: definition.ruleset.clone(),
        played: played(folder),
        format: definition.format.name().into(),
        changes: survey.changes().map(sentence).collect(),
        standings: survey.standings(),
        pictures: chosen(&PICTURES),
        texts: chosen(&TEXTS),
        games,
        records,
        // The file goes to others, so it contains no path of this machine.
        verify: format!("arena verify {}", output::text(&folder_name(folder))),
    };
    Ok(report.to_html()?)
}

/// When a folder's journal was last written, if its file's time can be that.
fn played(folder: &Path) -> Option<SystemTime> {
    let time = fs::metadata(folder.join(layout::JOURNAL)).and_then(|journal| journal.modified()).ok()?;
    (time >= SystemTime::UNIX_EPOCH + FIRST).then_some(time)
}

/// The name of a folder, without its path.
fn folder_name(folder: &Path) -> String {
    let whole = folder.canonicalize().unwrap_or_else(|_| folder.into());
    whole.file_name().map_or_else(|| "FOLDER".into(), |name| name.to_string_lossy().into_owned())
}

fn report_game(survey: &Survey, game: &ScheduledGame, fate: Fate, records: &mut Records) -> Result<ReportGame> {
    let is_out = |entrant: &Entrant| {
        let out = |change: &Change| matches!(&change.what, ChangeKind::Disqualified { name } if *name == entrant.name);
        survey.changes().any(out)
    };
    let name = |entrant: &Entrant| {
        format!("{}{}", isolated(entrant.shown()), if is_out(entrant) { " (disqualified)" } else { "" })
    };
    let seated = game.seats.values().iter().filter_map(|entrant| survey.entrants().get(*entrant));
    let (names, ids): (Vec<String>, Vec<&str>) = seated.map(|entrant| (name(entrant), entrant.id.short())).unzip();
    let record = survey.ended(game.number)?.and_then(|ended| ended.into_record().ok());
    let result = match (fate, &record) {
        (Fate::Counted, Some(record)) => {
            let seat =
                |seat: u8| Game::named(&record.header.ruleset).map(|game| game.seat_name(arena_rules::Seat(seat)));
            let outcome = &record.outcome;
            let winner = match outcome.winner.map(|winner| (names.get(usize::from(winner)), seat(winner))) {
                Some((Some(name), Ok(seat))) => format!("{name} ({seat}) wins"),
                Some(_) => "a win".into(),
                None => "a draw".into(),
            };
            let tally: Vec<String> = outcome.tally.iter().map(u32::to_string).collect();
            let reason = outcome.reason.replace('_', " ");
            format!("{winner} by {reason}, {} after {}", tally.join(":"), counted(record.turns.len(), "turn"))
        }
        (Fate::Cancelled, _) => "not played: an entrant had left".into(),
        (Fate::Void, _) => "void".into(),
        _ => "not played yet".into(),
    };
    let record = match record.filter(|_| fate == Fate::Counted) {
        Some(record) => records.add(&record.to_text())?,
        None => None,
    };
    Ok(ReportGame { number: game.number, seats: names.join(" – "), ids: ids.join(" – "), result, record })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use std::fs::File;

    use super::*;

    #[test]
    fn a_report_has_the_day_on_which_its_journal_was_written_if_any() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(played(folder.path()), None);
        let journal = File::create(folder.path().join(layout::JOURNAL)).unwrap();
        for (after, is_known) in [(0, false), (FIRST.as_secs() - 1, false), (FIRST.as_secs(), true)] {
            let time = SystemTime::UNIX_EPOCH + Duration::from_secs(after);
            journal.set_modified(time).unwrap();
            assert_eq!(played(folder.path()), is_known.then_some(time), "{after}");
        }
    }
}
