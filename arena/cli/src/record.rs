//! `arena record`: recorded games as text, and back.

use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use arena_files::read_text;
use arena_limits::counted;
use arena_notation::{NOTATION_BYTES_MAX, game_text, parse_game, turn_text};
use arena_record::{EntrantId, RECORD_BYTES_MAX};
use arena_referee::{Divergence, Replay, replay};
use arena_rules::conquerors::{Colour, Position};
use arena_rules::{Ruleset, Seat};
use arena_tournaments::csv_text;
use arena_wire::{GAMES, Protocol, UnknownGame};
use clap::{Args, Subcommand};

use crate::exit::Exit;
use crate::missing_file::{self, Wanted};
use crate::names::EntrantNames;
use crate::output;
use crate::recorded::Recorded;

/// The names of the columns of `csv`.
const CSV_HEAD: &str = "file,turn,round,colour,player,action,fuel,blue_cells,red_cells,blue_score,red_score";

#[derive(Subcommand)]
pub(crate) enum Record {
    /// Print who played, how it ended, and whether the rules agree.
    Show(One),
    /// Print a game in notation: tags, then a line for each round.
    ///
    /// arena/notation/NOTATION.md describes the notation. `from-text` makes the same record from it, byte for byte.
    ToText(One),
    /// Print the record of a game in notation. The rules check every turn.
    FromText(Text),
    /// Print the record itself, byte for byte, to send or inspect it.
    ToJson(One),
    /// Print a table with a line for each turn: the action, the fuel, and cells and scores after it.
    Csv(Many),
}

#[derive(Args)]
pub(crate) struct One {
    /// The game: a file with its record, or DIR#N for game N of the tournament in the folder DIR; - is standard input.
    game: Recorded,
}

#[derive(Args)]
pub(crate) struct Text {
    /// The file; - is standard input.
    file: PathBuf,
}

#[derive(Args)]
pub(crate) struct Many {
    /// The games: files with their records, or DIR#N for game N of the tournament in the folder DIR; - is standard
    /// input.
    #[arg(required = true)]
    games: Vec<Recorded>,
}

pub(crate) fn run(record: &Record, out: &mut dyn Write) -> Result<Exit> {
    match record {
        Record::Show(One { game: named }) => {
            let record = read_record(named)?;
            agreed(named, replay(&record), out)?.map_or(Ok(Exit::No), |game| show(named, &record, &game, out))
        }
        Record::ToText(One { game }) => match agreed(game, game_text(&read_record(game)?), out)? {
            None => Ok(Exit::No),
            Some(text) => write!(out, "{}", with_names(&text, &game.names())).map(|()| Exit::Yes).map_err(Into::into),
        },
        Record::FromText(Text { file }) => {
            let text = read(file, NOTATION_BYTES_MAX)?;
            let record = parse_game(&text).with_context(|| format!("{} is not a game in notation", file.display()))?;
            write!(out, "{}", record.to_text())?;
            Ok(Exit::Yes)
        }
        Record::ToJson(One { game }) => {
            write!(out, "{}", read_record(game)?.to_text())?;
            Ok(Exit::Yes)
        }
        Record::Csv(Many { games }) => {
            let mut head = Some(CSV_HEAD);
            for named in games {
                let record = read_record(named)?;
                let Some(game) = agreed(named, replay(&record), out)? else { return Ok(Exit::No) };
                // A refused game alone leaves no table.
                if let Some(head) = head.take() {
                    writeln!(out, "{head}")?;
                }
                csv(named, &record, &game, out)?;
            }
            Ok(Exit::Yes)
        }
    }
}

/// A game in notation, with its players' names in comments if they are known.
pub(crate) fn with_names(text: &str, names: &EntrantNames) -> String {
    let named = |line: &str| {
        let tag = ["[Blue \"", "[Red \""].into_iter().find_map(|tag| line.strip_prefix(tag));
        let id = tag.and_then(|rest| rest.split_once('"')?.0.parse::<EntrantId>().ok());
        match id.filter(|id| names.knows(id)) {
            Some(id) => format!("{} ; {}\n", line.trim_end(), names.of(&id)),
            None => line.into(),
        }
    };
    text.split_inclusive('\n').map(named).collect()
}

fn read(file: &Path, bytes_max: usize) -> Result<String> {
    let bytes_max = bytes_max as u64;
    if file == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().take(bytes_max + 1).read_to_end(&mut bytes).context("cannot read standard input")?;
        return arena_files::text(bytes, bytes_max).context("cannot read standard input");
    }
    missing_file::ensure_file(file, Wanted::Notation)?;
    read_text(file, bytes_max).with_context(|| format!("cannot read {}", file.display()))
}

fn read_record(game: &Recorded) -> Result<arena_record::Record> {
    match game {
        Recorded::File(file) if file == Path::new("-") => {
            let text = read(file, RECORD_BYTES_MAX)?;
            arena_record::Record::parse(&text).context("standard input is not the record of a game")
        }
        game => game.record(),
    }
}

/// A result of a game by the rules. For a record that the rules refuse, prints the reason and returns `None`.
fn agreed<T>(game: &Recorded, result: Result<T, Divergence>, out: &mut dyn Write) -> Result<Option<T>> {
    match result {
        Ok(value) => Ok(Some(value)),
        Err(Divergence::Unknown(UnknownGame::Ruleset(id))) if GAMES.iter().any(|game| game.ruleset == id) => bail!(
            "{game} is a game of {id}; this form is for {} only: use `arena replay` or `arena record to-json`",
            Position::TITLE
        ),
        Err(Divergence::Unknown(unknown)) => Err(unknown).with_context(|| format!("{game} cannot be shown")),
        Err(divergence) => {
            writeln!(out, "{game} is not a game by the rules: {divergence}")?;
            Ok(None)
        }
    }
}

fn show(named: &Recorded, record: &arena_record::Record, game: &Replay<Position>, out: &mut dyn Write) -> Result<Exit> {
    let header = &record.header;
    let (text, names) = (output::text, named.names());
    for (colour, entrant) in Colour::BOTH.iter().zip(&header.entrants) {
        let seat = colour.seat();
        let fuel = record.turns.iter().flat_map(|turn| &turn.plays).filter(|play| play.seat == seat.0);
        let most = fuel.filter_map(|play| play.fuel).max();
        let most = most.map(|fuel| format!(", at most {} fuel a turn", output::grouped(fuel)));
        writeln!(out, "{:<6} {}{}", colour.name(), names.of(entrant), most.unwrap_or_default())?;
    }
    writeln!(out, "rules  {} {}", Position::ID, header.options)?;
    writeln!(out, "seed   {}", header.seed)?;
    writeln!(out, "build  {}", text(&header.build))?;
    writeln!(out, "       semantics {}", text(&header.semantics))?;
    for forfeit in &record.forfeits {
        let name = Colour::of(Seat(forfeit.seat)).map_or("nobody", Colour::name);
        writeln!(out, "{name} forfeits {}", text(&forfeit.to_string()))?;
    }
    let winner = record.outcome.winner.and_then(|seat| Colour::of(Seat(seat)));
    let ending = winner.map_or("a draw".into(), |colour| format!("{} wins", colour.name()));
    let tally = record.outcome.tally.iter().map(u32::to_string).collect::<Vec<_>>().join(":");
    let reason = record.outcome.reason.replace('_', " ");
    writeln!(out, "{ending} by {reason} after {}, {tally}", counted(game.turns.len(), "turn"))?;
    writeln!(out, "digest {}", record.digest)?;
    writeln!(out, "every action and digest of the record agrees with the rules")?;
    Ok(Exit::Yes)
}

fn csv(named: &Recorded, record: &arena_record::Record, game: &Replay<Position>, out: &mut dyn Write) -> Result<()> {
    let names = named.names();
    let positions = game.positions().zip(game.positions().skip(1));
    for (((before, after), turn), (number, recorded)) in positions.zip(&game.turns).zip((1..).zip(&record.turns)) {
        let Some(mover) = before.to_move() else { continue };
        let words = turn[mover.seat()].as_ref().map(turn_text).unwrap_or_default();
        let fuel = recorded.plays.first().and_then(|play| play.fuel).map(|fuel| fuel.to_string()).unwrap_or_default();
        let (counts, scores) = (after.board().counts(), after.board().scores());
        let player = record.header.entrants.get(mover.seat().index()).map(|id| names.of(id)).unwrap_or_default();
        writeln!(
            out,
            "{},{number},{},{},{},{},{fuel},{},{},{},{}",
            csv_text(&named.to_string()),
            before.round(),
            mover.name(),
            csv_text(&player),
            csv_text(&words),
            counts.blue,
            counts.red,
            scores.blue,
            scores.red
        )?;
    }
    Ok(())
}
