//! `arena verify`: recomputes results and compares them.

mod report;
mod words;

use std::io::{Read, Write};
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use arena_files::open;
use arena_record::{ForfeitCode, RECORD_BYTES_MAX, Record};
use arena_rules::Reason;
use arena_runner::{BotFolder, Coverage, Depth, Finding, Flaw, Verified, verify_folder, verify_game, verify_record};
use clap::Args;
use rand::TryRng;
use rand::rngs::SysRng;
use tempfile::TempDir;

use crate::bundle::BundleError;
use crate::engine::Engine;
use crate::exit::Exit;
use crate::file_type::Kind;
use crate::missing_file::{self, Wanted};
use crate::output;
use crate::parallel::Threads;
use crate::recorded::Recorded;
use crate::{bots, bundle, progress, span};
use report::Report;
use words::explain;

/// What only the organiser of a tournament knows, as in `--json`.
const NAMES: &str = "names";
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
    /// What bots run in. The results are the same in each, or one of them is broken.
    #[arg(long, value_enum, default_value_t = Engine::Wasmtime)]
    engine: Engine,
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
                let within = if bundle::is_tournament(path) { Vec::new() } else { bundle::tournaments_in(path) };
                match &within[..] {
                    [] => return Ok(Given::Folder(path.clone())),
                    [only] => bail!("{what} holds no tournament itself: verify {}", only.display()),
                    [first, others @ ..] => {
                        let others = output::count(others.len(), "other");
                        bail!("{what} holds no tournament itself: verify {}, or one of {others}", first.display())
                    }
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
    let host = bots::host_in(args.engine, args.threads.count())?;
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
        writeln!(out, "{}", serde_json::to_string(&Report::of(&verified, seed, by_word))?)?;
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
