//! `arena verify`: recomputes results and compares them.

use std::io::{Read, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use arena_files::open;
use arena_record::{EntrantId, ForfeitCode, OutcomeRecord, RECORD_BYTES_MAX, Record};
use arena_rules::Reason;
use arena_runner::{
    BotFolder, Coverage, Depth, Difference, Finding, Flaw, Incomplete, NotConfirmed, OtherEnd, SeedOrigin, Verified,
    verify_folder, verify_game, verify_record,
};
use arena_tournaments::{Entrant, isolated};
use clap::Args;
use rand::TryRng;
use rand::rngs::SysRng;
use serde::Serialize;
use serde_json::Value;
use tempfile::TempDir;

use crate::bundle::BundleError;
use crate::exit::Exit;
use crate::file_type::Kind;
use crate::missing_file::{self, Wanted};
use crate::output::{self, grouped};
use crate::parallel::Threads;
use crate::recorded::Recorded;
use crate::tournament::{Changed, sentence};
use crate::{bots, bundle, progress, span};

/// Void games that are listed; the JSON has all.
const NOT_CONFIRMED_SHOWN_MAX: usize = 10;
/// Entrants and foreign files that are listed; the JSON has all.
const LISTED_MAX: usize = 32;
/// What only the organiser of a tournament knows, as in `--json`.
const NAMES: &str = "names";
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
/// The exit codes of this command, for its `--help`.
const HELP: &str = "Exit codes: 0 identical; 1 differs; 2 cannot say: wrong usage, an unreadable file, a missing bot, a machine that \
failed, or it is nothing that this command reads; 3 damaged: a file is missing or contradicts another, or line ends were changed; 4 played under other semantics or in another format; 5 nothing differs, but \
not everything could be checked: the tournament is unfinished, the one before committed to no secret, the folder has other files too, a record's bots are missing, or a span's \
snapshot follows from no other span; 6 nothing differs, but a void game \
is not confirmed: it ends differently here (a process that dies is a fact about one machine), or bots of a world's span were not asked again; 7 nothing differs in a sample.";

#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Verify {
    /// What to verify: a tournament's folder or archive (.tar.zst, or .tar from a site); a game, as a file with its
    /// record or as DIR#N for game N of the tournament in the folder DIR; or files with spans of a world's life.
    ///
    /// For a folder, every byte of every file is covered: what can be derived is derived again, bots are compiled here
    /// from their bytes, and every action, fuel count, digest, outcome and rating is compared. Nothing is written.
    ///
    /// Several spans of one world make a chain: each has to begin with what the one before it ends with.
    #[arg(required = true)]
    what: Vec<Recorded>,
    /// Play only this many games again, drawn at random; replay the others by the rules alone.
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u32).range(1..))]
    sample: Option<u32>,
    /// Seed of the sample, to draw the same one again.
    #[arg(long, value_name = "SEED", requires = "sample")]
    sample_seed: Option<u64>,
    /// Also check that the tournament in this folder committed to the secret with which the seed was drawn.
    ///
    /// That folder's definition has the hash of the secret; the rest of it is not verified. No file shows when the hash
    /// was published: if you saw it before entry closed, nobody chose the seed.
    #[arg(long, value_name = "PREVIOUS")]
    after: Option<PathBuf>,
    /// For a record, or a span of a world's life: the folder with its bots' files, under any names
    /// [default: that of its tournament].
    #[arg(long, value_name = "DIR")]
    bots: Option<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// Print one JSON object instead of words.
    #[arg(long)]
    json: bool,
}

/// What was named on the command line, recognised by its content.
enum Given {
    Folder(PathBuf),
    /// An archive's folder, in a place that is deleted when this is dropped.
    Unpacked {
        folder: PathBuf,
        _place: TempDir,
    },
    /// An archive that is not whole, and why.
    Broken(String),
    Game {
        folder: PathBuf,
        number: usize,
    },
    /// The bytes of a game's record.
    Record(Vec<u8>),
    Span(PathBuf),
}

impl Given {
    fn of(what: &Recorded) -> Result<Given> {
        let path = match what {
            Recorded::Game { folder, number } => return Ok(Given::Game { folder: folder.clone(), number: *number }),
            Recorded::File(path) if path.is_dir() => {
                // What was unpacked is often one level deeper.
                match bundle::only_folder(path).filter(|_| !bundle::is_tournament(path)) {
                    Some(only) => bail!("{what} holds no tournament itself: verify {}", only.display()),
                    None => return Ok(Given::Folder(path.clone())),
                }
            }
            Recorded::File(path) => path,
        };
        missing_file::ensure_file(path, Wanted::Game)?;
        let cannot = || format!("cannot read {what}");
        let mut file = open(path).with_context(cannot)?;
        let head = bundle::head(&mut file).with_context(cannot)?;
        match Kind::of(path, &head) {
            kind @ (Kind::Tar | Kind::Zstandard) => {
                let place = tempfile::tempdir().context("cannot create a folder to unpack the archive in")?;
                match bundle::unpack(file, kind, place.path()) {
                    Ok(folder) => Ok(Given::Unpacked { folder, _place: place }),
                    Err(BundleError::Damaged(why)) => Ok(Given::Broken(why)),
                    Err(error) => Err(error).with_context(|| format!("{what} cannot be verified")),
                }
            }
            Kind::Span => Ok(Given::Span(path.clone())),
            Kind::Record => {
                let mut bytes = Vec::new();
                file.take(RECORD_BYTES_MAX as u64 + 1).read_to_end(&mut bytes).with_context(cannot)?;
                Ok(Given::Record(bytes))
            }
            Kind::Other(other) => bail!("{what} is {other}"),
        }
    }
}

pub(crate) fn run(args: &Verify, out: &mut dyn Write) -> Result<Exit> {
    let host = bots::host(args.threads.count())?;
    let bots = args.bots.as_deref().map(BotFolder::new);
    let sample = args.sample.map(|games| args.sample_seed.map_or_else(own_seed, Ok).map(|seed| (games, seed)));
    let sample = sample.transpose()?;
    let given = args.what.iter().map(Given::of).collect::<Result<Vec<_>>>()?;
    if !given.iter().any(|given| matches!(given, Given::Folder(_) | Given::Unpacked { .. } | Given::Broken(_))) {
        if sample.is_some() {
            bail!("--sample is for a tournament's folder; a record is one game");
        }
        if args.after.is_some() {
            bail!("--after is for a tournament's folder; a record has the seed of one game");
        }
    }
    let spans = given.iter().filter_map(|given| if let Given::Span(path) = given { Some(path) } else { None });
    let spans: Vec<&PathBuf> = spans.collect();
    if !spans.is_empty() && spans.len() == given.len() {
        return span::verify(&spans, bots.as_ref(), &host, args.json, out);
    }
    let ([what], Some(given)) = (args.what.as_slice(), given.first()) else {
        bail!("only spans of one world are verified together; give tournaments and games one at a time");
    };
    let mut by_word = Vec::new();
    let verified = match given {
        Given::Folder(folder) | Given::Unpacked { folder, .. } => {
            if bots.is_some() {
                bail!("--bots is for a record; a tournament's bots are in its folder");
            }
            let depth = sample.map_or(Depth::Everything, |(games, seed)| Depth::Sample { games: games as usize, seed });
            let bar = progress::bar(0, "games");
            let after = args.after.as_deref();
            let verified = verify_folder(folder, after, &*host, depth, args.threads.count(), |progress| {
                bar.set_length(progress.total as u64);
                bar.set_position(progress.played as u64);
            })?;
            bar.finish_and_clear();
            by_word.push(NAMES);
            verified
        }
        Given::Broken(why) => {
            let finding = Finding::Damaged { file: what.to_string(), flaw: Flaw::Content(output::text(why)) };
            Verified { finding, coverage: Coverage::default() }
        }
        Given::Record(bytes) => {
            by_word = ends_of_people(bytes);
            verify_record(&what.to_string(), bytes, bots.as_ref(), &*host)?
        }
        Given::Game { folder, number } => verify_game(folder, *number, bots.as_ref(), &*host)?,
        Given::Span(path) => return span::verify(&[path], bots.as_ref(), &host, args.json, out),
    };
    let seed = sample.map(|(_, seed)| seed);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&Report { by_word, ..Report::of(&verified, seed) })?)?;
        return Ok(exit(&verified.finding));
    }
    explain(out, what, &verified, seed)?;
    if let (Given::Game { folder, .. }, Finding::Identical) = (given, &verified.finding) {
        writeln!(
            out,
            "it is this game of the schedule, which follows from the manifest and, in later rounds, from the results in the journal; \
             the other games of {} were not verified",
            folder.display()
        )?;
    }
    if by_word.iter().any(|word| *word != NAMES) {
        writeln!(out, "that people resigned, agreed or ran out of time rests on the word of their site")?;
    }
    Ok(exit(&verified.finding))
}

/// Ends of a game in a record that no rule can check: people resigned, ran out of time or agreed to a draw.
fn ends_of_people(bytes: &[u8]) -> Vec<&'static str> {
    let Some(record) = str::from_utf8(bytes).ok().and_then(|text| Record::parse(text).ok()) else { return Vec::new() };
    let codes = record.forfeits.iter().map(|forfeit| forfeit.code).filter(|code| code.is_a_persons());
    let mut ends: Vec<&str> = codes.map(ForfeitCode::as_str).collect();
    ends.dedup();
    ends.extend((record.outcome.reason == Reason::Agreed.code()).then_some(Reason::Agreed.code()));
    ends
}

/// A seed that nobody could know in advance.
fn own_seed() -> Result<u64> {
    SysRng.try_next_u64().context("the system gives no random numbers: choose a seed with --sample-seed")
}

fn exit(finding: &Finding) -> Exit {
    match finding {
        Finding::Identical => Exit::Yes,
        Finding::Differs(_) => Exit::No,
        Finding::Damaged { .. } | Finding::LineEnds { .. } => Exit::Damaged,
        Finding::OtherForm { .. } | Finding::OtherSemantics { .. } => Exit::OtherRelease,
        Finding::Sampled => Exit::Sampled,
        Finding::Incomplete(_) => Exit::Incomplete,
        Finding::NotConfirmed(_) => Exit::NotConfirmed,
    }
}

fn explain(out: &mut dyn Write, what: &Recorded, verified: &Verified, seed: Option<u64>) -> Result<()> {
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
    let [games, played, by_rules] =
        [coverage.games, coverage.played, coverage.by_rules].map(|count| grouped(count as u64));
    writeln!(out, "played again with the bots' own bytes: {played} of {games} games")?;
    if coverage.by_rules > 0 {
        writeln!(out, "replayed by the rules alone: {by_rules}")?;
    }
    if coverage.void > 0 {
        let [void, again] = [coverage.void, coverage.void_played].map(|count| grouped(count as u64));
        writeln!(out, "void, not counted: {void} games; of these, played here again: {again}")?;
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
        writeln!(out, "the machine failed {} times; those games were played again", coverage.platform_faults)?;
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
        writeln!(out, "  another build played it ({build}); between builds only a stack overflow may differ")?;
    }
    Ok(())
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report<'a> {
    verdict: &'static str,
    games: usize,
    played_again: usize,
    by_rules: usize,
    void: usize,
    changes: Vec<Changed>,
    other_builds: Vec<&'a str>,
    platform_faults: u64,
    /// Who played, by names that rest on the organiser's word.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    entrants: Vec<Named<'a>>,
    /// Files that are not the tournament's, and were not looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    foreign: Vec<&'a str>,
    /// What rests on the word of a site or an organiser.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by_word: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<SampleReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<DifferenceReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_confirmed: Option<NotConfirmedReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    semantics: Option<SemanticsReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<FormReport<'a>>,
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<&'a str>,
    id: &'a EntrantId,
}

#[derive(Serialize)]
struct SampleReport {
    seed: u64,
    /// The seed for readers whose numbers have 53 bits.
    seed_text: String,
    from: usize,
    chance_missed: f64,
}

#[derive(Serialize)]
struct DifferenceReport<'a> {
    game: Option<usize>,
    turn: Option<usize>,
    seat: Option<u8>,
    what: &'a str,
    expected: &'a str,
    found: &'a str,
    build: Option<&'a str>,
}

#[derive(Serialize)]
struct NotConfirmedReport<'a> {
    games: Vec<OtherEndReport<'a>>,
    /// As in `standings.json`.
    standings: Value,
}

#[derive(Serialize)]
struct OtherEndReport<'a> {
    game: usize,
    line: usize,
    entrants: &'a [String],
    /// The outcome here; `null` if the game is void because of other bots' deaths.
    outcome: Option<&'a OutcomeRecord>,
}

#[derive(Serialize)]
struct SemanticsReport<'a> {
    theirs: &'a str,
    ours: &'a str,
    build: &'a str,
}

#[derive(Serialize)]
struct FormReport<'a> {
    theirs: &'a str,
    build: &'a str,
}

impl<'a> Report<'a> {
    fn of(verified: &'a Verified, seed: Option<u64>) -> Report<'a> {
        let Verified { finding, coverage } = verified;
        let sample = seed.zip(coverage.sampled_from);
        let named =
            |entrant: &'a Entrant| Named { name: &entrant.name, display: entrant.display.as_deref(), id: &entrant.id };
        let mut report = Report {
            verdict: finding.code(),
            games: coverage.games,
            played_again: coverage.played,
            by_rules: coverage.by_rules,
            void: coverage.void,
            changes: coverage.changes.iter().map(Changed::of).collect(),
            other_builds: coverage.other_builds.iter().map(String::as_str).collect(),
            platform_faults: coverage.platform_faults,
            entrants: coverage.entrants.iter().map(named).collect(),
            foreign: coverage.foreign.iter().map(String::as_str).collect(),
            by_word: Vec::new(),
            seed: coverage.seed.map(SeedOrigin::code),
            sample: sample.map(|(seed, from)| SampleReport {
                seed,
                seed_text: seed.to_string(),
                from,
                chance_missed: coverage.chance_missed(),
            }),
            code: None,
            why: None,
            file: None,
            difference: None,
            not_confirmed: None,
            semantics: None,
            form: None,
        };
        match finding {
            Finding::Identical | Finding::Sampled => {}
            Finding::NotConfirmed(not_confirmed) => {
                let game = |end: &'a OtherEnd| OtherEndReport {
                    game: end.game,
                    line: end.line,
                    entrants: &end.entrants,
                    outcome: end.outcome.as_ref(),
                };
                // The JSON is our own, so it parses.
                let standings = serde_json::from_str(&not_confirmed.standings.to_json()).unwrap_or_default();
                let games = not_confirmed.games.iter().map(game).collect();
                report.not_confirmed = Some(NotConfirmedReport { games, standings });
            }
            Finding::Incomplete(why) => {
                report.code = Some(why.code());
                report.why = Some(why.to_string());
            }
            Finding::Damaged { file, flaw } => {
                report.file = Some(file);
                report.code = Some(flaw.code());
                report.why = Some(flaw.to_string());
            }
            Finding::LineEnds { file } => report.file = Some(file),
            Finding::OtherForm { theirs, build } => report.form = Some(FormReport { theirs, build }),
            Finding::OtherSemantics { theirs, ours, build } => {
                report.semantics = Some(SemanticsReport { theirs, ours, build });
            }
            Finding::Differs(difference) => {
                let Difference { file, game, turn, seat, what, expected, found, build } = &**difference;
                report.file = Some(file);
                let (game, turn, seat, build) = (*game, *turn, seat.map(|seat| seat.0), build.as_deref());
                report.difference = Some(DifferenceReport { game, turn, seat, what, expected, found, build });
            }
        }
        report
    }
}
