//! `arena play`: a match between two bots, or a comparison of two against others.

mod against;

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use arena_limits::counted;
use arena_runner::{Contender, Host};
use arena_tournaments::{Decision, EloDifference, Format, Pairs, Settled, SettledGame, Sprt, Standings};
use arena_wire::GAMES;
use clap::Args;
use serde::Serialize;
use serde_json::Value;

use crate::contest::{Contest, Played};
use crate::exit::{Exit, program};
use crate::game::{GameChoice, match_options};
use crate::interrupt::Interrupt;
use crate::names::EntrantNames;
use crate::output::{self, COLUMNS};
use crate::parallel::Threads;
use crate::recorded::game_file;
use crate::{bots, progress, strength};

/// Games of a match.
const GAMES_DEFAULT: u32 = 100;
/// Most games of a match that a test ends. Between 0 and 10 Elo, with a variance of 0.1 for a pair, the longest test is
/// expected to take about 4,200 pairs: (2.94 / 0.0144)² × 0.1.
const GAMES_WITH_SPRT_DEFAULT: u32 = 20_000;
/// Forfeits that are listed one by one.
const FORFEITS_SHOWN: usize = 3;

const STOPPING: &str = "stopping after the games that are being played; Ctrl-C once more stops at once";

#[derive(Args)]
pub(crate) struct Play {
    /// The first bot: a .wasm file, or the name of an opponent such as hard or strategist.
    a: PathBuf,
    #[arg(help = format!("The second bot: a .wasm file or a name. {}", bots::names()))]
    b: PathBuf,
    #[command(flatten)]
    choice: GameChoice,
    #[arg(long, help = options_help())]
    options: Option<String>,
    /// Games to play: at most this many with --sprt; with --against, this many for each of A and B against each
    /// opponent. Two games with the same seed and the seats exchanged make a pair; an odd number is rounded up
    /// [default: 100, with --sprt 20000].
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: Option<u32>,
    /// Play until a sequential probability ratio test over pairs decides whether the first bot is more likely ELO0 or
    /// ELO1 above the second, for example `0,10`.
    #[arg(long, value_name = "ELO0,ELO1", value_parser = hypotheses, allow_hyphen_values = true)]
    sprt: Option<Hypotheses>,
    /// Play A and B against each bot of FIELD instead of each other, and print which does better, by how much, and how
    /// certain that is. FIELD is a comma-separated list of names and files, or a tournament's definition, which stands
    /// for its entrants.
    #[arg(long, value_name = "FIELD", conflicts_with_all = ["sprt", "records"])]
    against: Option<String>,
    /// How often the test may accept ELO1 when ELO0 is true.
    #[arg(long, default_value_t = 0.05, requires = "sprt")]
    alpha: f64,
    /// How often the test may accept ELO0 when ELO1 is true.
    #[arg(long, default_value_t = 0.05, requires = "sprt")]
    beta: f64,
    /// Seed of the match; the same seed gives the same games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Write the record of every game into this folder, and remove those of an earlier match.
    #[arg(long)]
    records: Option<PathBuf>,
    /// Print one JSON object instead of words: the standings, and the result over pairs in `match`.
    #[arg(long)]
    json: bool,
}

/// The help text of `--options`, with the default of every game.
fn options_help() -> String {
    let usual: Vec<String> = GAMES.iter().map(|game| format!("{}: {}", game.name(), match_options(game))).collect();
    format!(
        "Options of the game; an option that is not named is off. The defaults start each pair of games from an opening of \
         its own; `chain_needs_home,weighted_majority`, for example, starts from the empty board [default: those of \
         tournaments: {}]",
        usual.join("; ")
    )
}

#[derive(Clone, Copy)]
struct Hypotheses(f64, f64);

fn hypotheses(text: &str) -> Result<Hypotheses> {
    let parsed = text
        .split_once(',')
        .and_then(|(elo0, elo1)| Some(Hypotheses(elo0.trim().parse().ok()?, elo1.trim().parse().ok()?)));
    parsed.context("two Elo differences with a comma between them, for example 0,10")
}

/// A bot's forfeit.
struct Forfeited {
    entrant: usize,
    game: usize,
    /// The turn, from 1.
    turn: usize,
}

/// A match that has ended or was stopped.
#[derive(Default)]
struct Ended {
    pairs: Pairs,
    settled: Settled,
    turns: usize,
    forfeits: Vec<String>,
    /// The first forfeit in a bot's turn.
    first_forfeit: Option<Forfeited>,
    interrupted: bool,
}

pub(crate) fn run(args: &Play, out: &mut dyn Write) -> Result<Exit> {
    if let Some(field) = &args.against {
        return against::run(args, field, out);
    }
    let sprt = args.sprt.map(|Hypotheses(elo0, elo1)| Sprt::new(elo0, elo1, args.alpha, args.beta)).transpose()?;
    let default = if sprt.is_some() { GAMES_WITH_SPRT_DEFAULT } else { GAMES_DEFAULT };
    let host = bots::host(args.threads.count())?;
    let contender = |path| bots::contender(path, args.choice.game.ruleset, &*host, &args.choice.budgets());
    let contenders: [Contender; 2] = [contender(&args.a)?, contender(&args.b)?];
    let (names, options) = ([&*args.a, &*args.b], args.options.as_deref());
    let contest = Contest::new(&args.choice, options, names, contenders, args.seed, args.games.unwrap_or(default))?;
    if let Some(folder) = &args.records {
        make_room(folder)?;
        let named = contest.entrants.iter().map(|entrant| (entrant.id.clone(), entrant.name.clone()));
        named.collect::<EntrantNames>().keep(folder)?;
    }
    let ended = play(args, &contest, &*host, sprt.as_ref())?;
    let standings = contest.format.standings(&contest.entrants, &ended.settled);
    let decided = sprt.map(|sprt| sprt.decide(ended.pairs.counts()));
    if args.json {
        writeln!(out, "{}", to_json(args, &standings, &contest, sprt.as_ref(), &ended)?)?;
    } else {
        explain(out, args, &standings, &contest, sprt.as_ref(), &ended)?;
    }
    Ok(match decided {
        Some(Decision::Upper) => Exit::Yes,
        Some(Decision::Lower) => Exit::No,
        _ if ended.interrupted => Exit::Interrupted,
        Some(Decision::Open) => Exit::Incomplete,
        None => Exit::Yes,
    })
}

/// Creates a folder for records, or removes an earlier match's records from it, so that it holds the records of one
/// match only.
fn make_room(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder)
        .with_context(|| format!("cannot create the folder {} for the records: name another", folder.display()))?;
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.file_name().and_then(|name| name.to_str()).is_some_and(is_record) {
            fs::remove_file(&path).with_context(|| format!("cannot remove {}", path.display()))?;
        }
    }
    Ok(())
}

fn is_record(name: &str) -> bool {
    name.split('.').next().and_then(|number| number.parse().ok()).is_some_and(|number| game_file(number) == name)
}

fn play(args: &Play, contest: &Contest, host: &dyn Host, sprt: Option<&Sprt>) -> Result<Ended> {
    let interrupt = Interrupt::listen(STOPPING)?;
    let games = contest.games.len() as u64;
    let bar = if sprt.is_some() { progress::bar_at_most(games, "games") } else { progress::bar(games, "games") };
    let mut ended = Ended::default();
    let pair = |pair: [Played; 2], pairs: &Pairs| -> Result<ControlFlow<()>> {
        for played in pair {
            ended.take(played, contest, args.records.as_deref())?;
        }
        let counts = pairs.counts();
        let shown = match sprt {
            Some(sprt) => format!("{}, {}", counts.estimate(), strength::ratio(sprt, counts)),
            None => counts.difference().to_string(),
        };
        bar.set_message(format!("; {shown}"));
        bar.inc(2);
        let decided = sprt.is_some_and(|sprt| sprt.decide(counts) != Decision::Open);
        ended.interrupted = interrupt.is_heard() && ended.settled.len() < contest.games.len();
        Ok(if decided || ended.interrupted { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    let pairs = contest.play(host, args.threads.count(), pair)?;
    bar.finish_and_clear();
    Ok(Ended { pairs, ..ended })
}

impl Ended {
    fn take(&mut self, played: Played, contest: &Contest, records: Option<&Path>) -> Result<()> {
        let Played { game, result, record } = played;
        if let Some(folder) = records {
            let path = folder.join(game_file(game.number));
            fs::write(&path, record.to_text()).with_context(|| format!("cannot write {}", path.display()))?;
        }
        self.turns += record.turns.len();
        for forfeit in &record.forfeits {
            let entrant = game.seats.values()[usize::from(forfeit.seat)];
            if let (None, Some(turn)) = (&self.first_forfeit, forfeit.turn) {
                self.first_forfeit = Some(Forfeited { entrant, game: game.number, turn: usize::from(turn) + 1 });
            }
            if self.forfeits.len() < FORFEITS_SHOWN {
                // By its name, because both may be the same bot.
                let name = &contest.entrants[entrant].name;
                let told = format!("{name} forfeits game {} {forfeit}", game.number);
                self.forfeits.push(output::folded(&output::text(&told), COLUMNS - 2).join("\n  "));
            }
        }
        self.settled.extend([SettledGame { game, result: Some(result) }]);
        Ok(())
    }
}

/// The fields that `--json` adds to the standings.
#[derive(Serialize)]
struct Match {
    /// Pairs that count, and pairs that do not because one of their games was played before.
    pairs: u32,
    pairs_repeated: u32,
    /// Pairs by half points of the first bot, 0 to 4.
    pentanomial: [u32; 5],
    /// Without an estimate or a bound if all games went one way.
    elo: Option<f64>,
    elo_low: Option<f64>,
    elo_high: Option<f64>,
    interrupted: bool,
    sentence: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Tested>,
}

#[derive(Serialize)]
struct Tested {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    llr: f64,
    llr_low: f64,
    llr_high: f64,
    /// "elo0", "elo1", or "undecided".
    accepted: &'static str,
    /// The meaning of `elo` and its bounds after a test.
    note: &'static str,
}

fn to_json(args: &Play, standings: &Standings, contest: &Contest, sprt: Option<&Sprt>, ended: &Ended) -> Result<Value> {
    let counts = ended.pairs.counts();
    let EloDifference { tenths, low, high } = counts.elo();
    let [elo, elo_low, elo_high] = [tenths, low, high].map(|end| end.map(|tenths| tenths as f64 / 10.0));
    let tested = sprt.map(|sprt| {
        let ((elo0, elo1), (low, high)) = (sprt.hypotheses(), sprt.bounds_hundredths());
        let [llr, llr_low, llr_high] =
            [sprt.llr_hundredths(counts), low, high].map(|hundredths| hundredths as f64 / 100.0);
        let accepted = match sprt.decide(counts) {
            Decision::Lower => "elo0",
            Decision::Upper => "elo1",
            Decision::Open => "undecided",
        };
        let note = strength::STOPPED;
        Tested { elo0, elo1, alpha: args.alpha, beta: args.beta, llr, llr_low, llr_high, accepted, note }
    });
    let shown = Match {
        pairs: counts.pairs(),
        pairs_repeated: ended.pairs.repeated(),
        pentanomial: counts.0,
        elo,
        elo_low,
        elo_high,
        interrupted: ended.interrupted,
        sentence: sentence(contest, sprt, ended),
        sprt: tested,
    };
    let mut json: Value = serde_json::from_str(&standings.to_json())?;
    json["match"] = serde_json::to_value(shown)?;
    Ok(json)
}

fn sentence(contest: &Contest, sprt: Option<&Sprt>, ended: &Ended) -> String {
    let counts = ended.pairs.counts();
    let [a, b] = [0, 1].map(|entrant: usize| contest.entrants[entrant].name.as_str());
    match sprt {
        Some(sprt) => strength::decision([a, b], sprt, counts),
        None => counts.sentence([a, b]),
    }
}

fn explain(
    out: &mut dyn Write,
    args: &Play,
    standings: &Standings,
    contest: &Contest,
    sprt: Option<&Sprt>,
    ended: &Ended,
) -> Result<()> {
    // A test's decision is printed separately below.
    let sentence_of_two =
        ended.pairs.counts().sentence([0, 1].map(|entrant: usize| contest.entrants[entrant].name.as_str()));
    let notes = standings.notes.iter().filter(|note| sprt.is_none() || note.text != sentence_of_two).cloned().collect();
    write!(out, "{}", Standings { notes, ..standings.clone() }.to_table())?;
    if ended.interrupted {
        writeln!(out, "\nstopped after {} of {}", ended.settled.len(), counted(contest.games.len(), "game"))?;
    }
    writeln!(out)?;
    let usual = match_options(args.choice.game);
    if let Some(options) = args.options.as_ref().filter(|options| **options != usual) {
        writeln!(out, "rules: {options}; usual: {usual}")?;
    }
    // Without a test, the standings of two already have the sentence.
    if sprt.is_some() {
        writeln!(out, "{}", sentence(contest, sprt, ended))?;
    }
    let counts = ended.pairs.counts();
    if let Some(sprt) = sprt {
        let name = &contest.entrants[0].name;
        writeln!(out, "{name}: {}; {}", counts.difference(), strength::ratio(sprt, counts))?;
        writeln!(out, "{}", strength::STOPPED)?;
    }
    if ended.pairs.repeated() > 0 {
        writeln!(out, "{}", strength::repeated(&ended.pairs))?;
    }
    writeln!(out, "mean length {:.1} turns", ended.turns as f64 / ended.settled.len().max(1) as f64)?;
    for forfeit in &ended.forfeits {
        writeln!(out, "{forfeit}")?;
    }
    if ended.settled.is_empty() {
        return Ok(());
    }
    let program = program();
    let Some(folder) = &args.records else {
        return Ok(writeln!(out, "add --records DIR to keep the games, then watch one with `{program} replay`")?);
    };
    if let Some(Forfeited { entrant, game, turn }) = ended.first_forfeit {
        let (bot, record) = ([&args.a, &args.b][entrant].display(), folder.join(game_file(game)));
        writeln!(out, "look at the first forfeit: {program} debug {bot} {} --turn {turn}", record.display())?;
    }
    writeln!(out, "watch a game: {program} replay {}", folder.join(game_file(0)).display())?;
    Ok(())
}
