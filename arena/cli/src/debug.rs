//! `arena debug`: a bot in the middle of a recorded game.

mod recording;

use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use arena_limits::counted;
use arena_record::{EntrantId, Header, Record};
use arena_referee::{Fault, Reply, check_action, replay};
use arena_rules::Seat;
use arena_runner::debug::{Asked, Before, PlayedOn, ask, play_on};
use arena_runner::{Contender, Host, Named};
use arena_wire::{Game, Input, Point, Protocol, Visitor};
use clap::Args;
use serde::Serialize;

use crate::bots;
use crate::exit::Exit;
use crate::output::{self, count, grouped};
use crate::recorded::Recorded;
use crate::replay::{action_words, board_before, outcome, seat_name};
use crate::window::Part;

/// The meaning of the exit codes here.
const HELP: &str = "Exit codes: 0 the bot answers as in the record; 1 it does not, or cannot be asked; 2 not done.";

#[derive(Args)]
#[command(after_help = HELP)]
pub(crate) struct Debug {
    /// The bot: a .wasm file, or the name of an opponent. It need not be the version that played.
    bot: PathBuf,
    /// The game: a file with its record, or DIR#N for game N of the tournament in the folder DIR.
    record: Recorded,
    /// The turn to ask about, from 1, as `arena replay` counts them. The bot takes the place of the player to move.
    ///
    /// A bot may remember what it saw, so it first gets all earlier observations; the record's actions are played,
    /// whatever it answers.
    #[arg(long)]
    turn: usize,
    /// The bot's seat, from 1, if several were asked in that turn.
    #[arg(long)]
    seat: Option<u8>,
    /// Write the observations up to that turn into a file that tests of a bot can replay. An existing file is
    /// overwritten only if it is such a recording.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Then play the rest of the game with it against the recorded opponent, in games of two seats.
    #[arg(long)]
    play_on: bool,
    /// The opponent: a .wasm file or a name [default: found by its id among the arena's and the tournament's bots].
    #[arg(long, requires = "play_on")]
    opponent: Option<PathBuf>,
    /// Print one JSON object, with the observation's bytes, instead of words.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Debug, out: &mut dyn Write) -> Result<Exit> {
    if let Some(file) = &args.save {
        recording::refuse_others(file)?;
    }
    let record = args.record.record()?;
    let turn = args.turn.checked_sub(1).context("turns are counted from 1")?;
    let header = &record.header;
    Game::named(&header.ruleset)?;
    let seat = asked_seat(&record, turn, args.seat)?;
    let check =
        arena_wire::start(&header.ruleset, &header.options, &header.seed.0, CheckAt { record: &record, turn, seat })?
            .with_context(|| format!("{} is not a game by the rules", args.record))?;
    let host = bots::host(1)?;
    let bot = bots::contender(&args.bot, &header.ruleset, &*host, &header.budgets)?;
    let record = Arc::new(record);
    let opponent = args.play_on.then(|| opponent(args, &record, seat, &*host)).transpose()?;
    let played = match &opponent {
        Some(opponent) => play_on(&record, &bot, seat, turn, opponent)?,
        None => PlayedOn { asked: ask(&record, &bot, seat, turn)?, opponent: None, game: None },
    };
    let opponent = opponent.map(|opponent| opponent.id());
    let scene = Scene { record: &record, check: &*check, seat, turn, bot: bot.id(), opponent };
    if let Some(file) = &args.save {
        recording::save(file, &record, seat, &played.asked.shown)?;
    }
    let report = scene.report(&played);
    if args.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        scene.explain(out, &report)?;
        if let Some(file) = &args.save {
            writeln!(out, "saved     {}: {}", count(played.asked.shown.len(), "observation"), file.display())?;
        }
    }
    Ok(if report.same { Exit::Yes } else { Exit::No })
}

/// The seat to ask in a turn: the only one that was asked, or the one that `named` picks.
fn asked_seat(record: &Record, turn: usize, named: Option<u8>) -> Result<Seat> {
    let played = record.turns.get(turn).into_iter().flat_map(|turn| &turn.plays).map(|play| play.seat);
    let failed = record.forfeits.iter().filter(|forfeit| forfeit.turn.map(usize::from) == Some(turn));
    let mut asked: Vec<u8> = played.chain(failed.map(|forfeit| forfeit.seat)).collect();
    asked.sort_unstable();
    let numbers = asked.iter().map(|seat| (seat + 1).to_string()).collect::<Vec<_>>().join(", ");
    match (&asked[..], named.map(|seat| seat.wrapping_sub(1))) {
        ([], _) => bail!("the game has {}", count(record.turns.len(), "turn")),
        (_, Some(seat)) if asked.contains(&seat) => Ok(Seat(seat)),
        (_, Some(_)) => bail!("that seat was not asked in turn {}; --seat can be {numbers}", turn + 1),
        ([seat], None) => Ok(Seat(*seat)),
        (_, None) => {
            bail!("several seats were asked in turn {}; choose the bot's: --seat {numbers}", turn + 1)
        }
    }
}

/// Checks an answer by the rules.
type Check = dyn Fn(&[u8]) -> Result<(), Fault>;

/// Replays a game up to a turn, in which a seat's answers can be checked.
struct CheckAt<'a> {
    record: &'a Record,
    turn: usize,
    seat: Seat,
}

impl Visitor for CheckAt<'_> {
    type Out = Result<Box<Check>>;

    fn visit<P: Protocol>(self, _start: P) -> Self::Out {
        let CheckAt { record, turn, seat } = self;
        let position = replay::<P>(record)?.asked(turn).context("no such turn")?;
        Ok(Box::new(move |action| check_action(&position, seat, action).map(drop)))
    }
}

/// The player with the same bytes as the bot's opponent.
fn opponent(args: &Debug, record: &Record, seat: Seat, host: &dyn Host) -> Result<Contender> {
    let Header { ruleset, budgets, entrants, .. } = &record.header;
    if entrants.len() != 2 {
        bail!("--play-on is for games of two seats, and this one has {}", entrants.len());
    }
    let id = &entrants[seat.opponent().index()];
    if let Some(path) = &args.opponent {
        return bots::contender(path, ruleset, host, budgets);
    }
    if let Some(named) = Named::of_id(ruleset, id) {
        return Ok(named.load(host, budgets)?);
    }
    if id.person().is_some() {
        bail!("the opponent was a person; name another one with --opponent");
    }
    let bots = args.record.bots();
    let bytes = bots.map(|folder| folder.find(id, budgets.module_bytes)).transpose()?.flatten();
    let bytes =
        bytes.with_context(|| format!("the file of the opponent, {id}, is missing: name it with --opponent"))?;
    Ok(host.load(&bytes, budgets)?)
}

/// The turn that is looked at.
struct Scene<'a> {
    record: &'a Record,
    /// Checks an answer in the turn by the rules.
    check: &'a Check,
    seat: Seat,
    turn: usize,
    bot: EntrantId,
    /// The opponent for the rest of the game, with `--play-on`.
    opponent: Option<EntrantId>,
}

/// What `--json` prints. All text that a bot wrote is escaped.
#[derive(Serialize)]
struct Report {
    turn: usize,
    seat: u8,
    bot: String,
    recorded_bot: String,
    /// Whether the bot answers as in the record, in whatever order it names the cells. For the same bytes the fuel is
    /// compared, too.
    same: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<Said>,
    recorded: Said,
    #[serde(skip_serializing_if = "Option::is_none")]
    observation: Option<String>,
    log_before: usize,
    log: Vec<String>,
    /// The first earlier turn in which the bot answered differently, from 1.
    first_other_turn: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed_before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    played_on: Option<Rest>,
}

/// An answer.
#[derive(Default, Serialize)]
struct Said {
    words: String,
    action: Option<String>,
    fuel: Option<u64>,
    #[serde(skip)]
    placed: Option<Vec<Point>>,
}

/// The rest of the game.
#[derive(Serialize)]
struct Rest {
    opponent: String,
    recorded_opponent: String,
    turns: usize,
    ending: String,
    recorded_turns: usize,
    recorded_ending: String,
    /// The first earlier turn in which the opponent answered differently from the record, from 1.
    opponent_first_other_turn: Option<usize>,
}

impl Said {
    /// Whether this answer does the same as another one.
    fn does_as(&self, other: &Said) -> bool {
        match (&self.placed, &other.placed) {
            (Some(own), Some(others)) => own == others,
            _ => self.action == other.action && (self.action.is_some() || self.words == other.words),
        }
    }
}

/// The cells that an action places, sorted; `None` if it does something else. Their order decides only whether they may
/// be placed.
fn placed(ruleset: &str, action: &[u8]) -> Option<Vec<Point>> {
    let calls = Game::named(ruleset).ok()?.describe(action).ok()?;
    let is_placed = calls.iter().all(|call| matches!(call.tool.input, Input::Cells { .. }));
    let mut cells: Vec<Point> = calls.into_iter().flat_map(|call| call.cells).collect();
    cells.sort();
    is_placed.then_some(cells)
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl Scene<'_> {
    fn recorded_bot(&self) -> &EntrantId {
        &self.record.header.entrants[self.seat.index()]
    }

    fn report(&self, played: &PlayedOn) -> Report {
        let PlayedOn { asked: Asked { before, shown, answer }, opponent, game } = played;
        let recorded = self.recorded();
        let said = answer.as_ref().map(|answer| self.said(&answer.reply));
        let same_bytes = self.bot == *self.recorded_bot();
        let same = said.as_ref().is_some_and(|said| {
            let fuel = !same_bytes || said.fuel == recorded.fuel;
            fuel && said.does_as(&recorded)
        });
        let escaped = |lines: &[String]| lines.iter().map(|line| output::log_line(line)).collect();
        let failed = before.failed.as_ref().map(|(turn, fault)| match turn {
            None => format!("at its start: {} ({})", fault.detail, fault.code),
            Some(turn) => format!("in turn {}: {} ({})", turn + 1, fault.detail, fault.code),
        });
        Report {
            turn: self.turn + 1,
            seat: self.seat.0,
            bot: self.bot.to_string(),
            recorded_bot: self.recorded_bot().to_string(),
            same,
            answer: said,
            recorded,
            observation: answer.as_ref().and(shown.last()).map(|(_, observation)| hex(observation)),
            log_before: answer.as_ref().map_or(0, |answer| answer.log_before.len()),
            log: answer.as_ref().map_or_else(Vec::new, |answer| escaped(&answer.log)),
            first_other_turn: before.first_other.map(|turn| turn + 1),
            failed_before: failed,
            played_on: game.as_ref().map(|game| self.rest(game, opponent.as_ref())),
        }
    }

    fn rest(&self, game: &Record, opponent: Option<&Before>) -> Rest {
        let ending = |record: &Record| {
            let forfeits = record
                .forfeits
                .iter()
                .map(|forfeit| format!("{} forfeits {forfeit}; ", seat_name(record, Seat(forfeit.seat))));
            output::text(&forfeits.collect::<String>()) + &outcome(record)
        };
        let recorded = &self.record.header.entrants[self.seat.opponent().index()];
        Rest {
            opponent: self.opponent.as_ref().unwrap_or(recorded).to_string(),
            recorded_opponent: recorded.to_string(),
            turns: game.turns.len(),
            ending: ending(game),
            recorded_turns: self.record.turns.len(),
            recorded_ending: ending(self.record),
            opponent_first_other_turn: opponent.and_then(|before| before.first_other).map(|turn| turn + 1),
        }
    }

    /// The answer in the record.
    fn recorded(&self) -> Said {
        let turn = self.record.turns.get(self.turn);
        if let Some(play) = turn.and_then(|turn| turn.plays.iter().find(|play| play.seat == self.seat.0)) {
            return self.said(&Ok(Reply { action: play.action.0.clone(), fuel: play.fuel }));
        }
        let forfeit = self.record.forfeits.iter().find(|forfeit| forfeit.seat == self.seat.0);
        let words = forfeit.map_or_else(
            || "nothing".into(),
            |forfeit| failed_words(&Fault { code: forfeit.code, detail: forfeit.detail.clone() }),
        );
        Said { words, ..Said::default() }
    }

    /// An answer in words: what it does, or why it is a forfeit.
    fn said(&self, reply: &Result<Reply, Fault>) -> Said {
        let Reply { action, fuel } = match reply {
            Ok(reply) => reply,
            Err(fault) => return Said { words: failed_words(fault), ..Said::default() },
        };
        match (self.check)(action) {
            Ok(()) => {
                let words = action_words(&self.record.header.ruleset, action);
                Said {
                    words,
                    action: Some(hex(action)),
                    fuel: *fuel,
                    placed: placed(&self.record.header.ruleset, action),
                }
            }
            // A forfeited turn has no action in the record.
            Err(fault) => Said { words: failed_words(&fault), ..Said::default() },
        }
    }

    fn explain(&self, out: &mut dyn Write, report: &Report) -> Result<()> {
        writeln!(out, "turn {}: {} to move", report.turn, seat_name(self.record, self.seat))?;
        writeln!(out, "{}", board_before(self.record, self.turn, Part::Whole)?)?;
        if report.bot == report.recorded_bot {
            writeln!(out, "the bot is the one that played: {}", report.bot)?;
        } else {
            writeln!(out, "the bot   {}\n  plays in the place of {}", report.bot, report.recorded_bot)?;
        }
        if let Some(turn) = report.first_other_turn {
            writeln!(out, "shown its earlier turns, it first differed from the record in turn {turn};")?;
            writeln!(out, "  the record's answers were played, so it may remember turns that did not happen")?;
        }
        if let Some(failed) = &report.failed_before {
            writeln!(out, "it cannot be asked: shown its earlier turns, it failed {}", output::text(failed))?;
            return Ok(());
        }
        let Some(answer) = &report.answer else {
            writeln!(out, "it cannot be asked: the game was over before, or its fuel for the game was used up")?;
            return Ok(());
        };
        let fuel = |fuel: Option<u64>| fuel.map_or_else(String::new, |fuel| format!(", {} fuel", grouped(fuel)));
        if let Some(observation) = &report.observation {
            writeln!(out, "observed  {} (--json prints them)", counted(observation.len() / 2, "byte"))?;
        }
        writeln!(out, "answers   {}{}", answer.words, fuel(answer.fuel))?;
        writeln!(out, "record    {}{}", report.recorded.words, fuel(report.recorded.fuel))?;
        let likeness = match report.same {
            true if answer.action == report.recorded.action => "the same",
            true => "the same cells in another order",
            false => "not the same",
        };
        writeln!(out, "          {likeness}")?;
        writeln!(out, "log       {} in this turn, {} before", count(report.log.len(), "line"), report.log_before)?;
        for line in report.log.iter().flat_map(|line| output::broken(line)) {
            writeln!(out, "  | {line}")?;
        }
        let Some(rest) = &report.played_on else {
            if self.opponent.is_some() {
                writeln!(out, "the game could not continue: the opponent failed in its earlier turns")?;
            }
            return Ok(());
        };
        if rest.opponent != rest.recorded_opponent {
            writeln!(out, "against   {}\n  plays in the place of {}", rest.opponent, rest.recorded_opponent)?;
        }
        if let Some(turn) = rest.opponent_first_other_turn {
            writeln!(out, "shown its earlier turns, the opponent first differed from the record in turn {turn}")?;
        }
        writeln!(out, "played on {}: {}", counted(rest.turns, "turn"), rest.ending)?;
        writeln!(out, "recorded  {}: {}", counted(rest.recorded_turns, "turn"), rest.recorded_ending)?;
        Ok(())
    }
}

/// A record's detail may be hostile text.
fn failed_words(fault: &Fault) -> String {
    output::text(&format!("forfeits: {} ({})", fault.detail, fault.code))
}

#[cfg(test)]
mod tests {
    use arena_wire::{Call, GAMES};

    use super::*;

    /// In every game an action whose tool takes cells does the same with the cells in another order, and any other one
    /// does not.
    #[test]
    fn the_order_of_placed_cells_makes_no_other_turn() {
        let mut placing = 0;
        for game in GAMES {
            for tool in game.tools {
                let cells = [Point { row: 1, col: 2 }, Point { row: 1, col: 3 }];
                let count = match tool.input {
                    Input::Nothing => 0,
                    Input::Cell => 1,
                    Input::Piece | Input::Cells { .. } => 2,
                };
                let mut cells = cells[..count].to_vec();
                let mut said = || {
                    let action = game.compose(&[Call::new(*tool, cells.iter().copied())]).expect("an action");
                    cells.reverse();
                    let placed = placed(game.ruleset, &action);
                    Said { words: String::new(), action: Some(hex(&action)), fuel: None, placed }
                };
                let (one, other) = (said(), said());
                let places = matches!(tool.input, Input::Cells { .. });
                placing += usize::from(places);
                assert_eq!(one.does_as(&other), places || count < 2, "{}: {}", game.name(), tool.name);
                assert_eq!(one.action == other.action, count < 2, "{}: {}", game.name(), tool.name);
            }
        }
        assert!(placing > 1);
    }
}
