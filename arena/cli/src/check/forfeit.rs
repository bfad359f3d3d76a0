//! A forfeit in a sample game: where it happened, what was returned, which rule was broken.

use std::io::Write;

use anyhow::Result;
use arena_limits::counted;
use arena_record::{Budgets, ForfeitCode};
use arena_referee::Reply;
use arena_runner::{SampleGame, error_line, function_name};
use arena_scripts::Language;
use arena_wire::{Game, Point};
use serde::Serialize;

use super::{LOG_LINES_SHOWN, field, log};
use crate::output::{self, grouped};
use crate::replay::{action_words, board_before};
use crate::window::Part;

/// Bytes that are shown of an answer; every legal action of every game has fewer.
const RETURNED_BYTES_SHOWN: usize = 32;

/// Everything that explains a forfeit. All text that the bot wrote is escaped.
#[derive(Serialize)]
pub(super) struct ForfeitReport {
    /// The name of the bot's seat.
    seat: String,
    /// Whether that game began from an opening.
    from_opening: bool,
    /// The turn, from 1, as `arena replay` counts them; none before the first turn.
    turn: Option<usize>,
    code: ForfeitCode,
    /// The broken rule, of the bot contract or of the game.
    rule: String,
    /// The board before the turn, as lines of text.
    position: Vec<String>,
    /// The position for people: what is alive, and the cells that the action names.
    #[serde(skip)]
    living: Vec<String>,
    /// The first of the returned bytes, in hex; none if nothing was returned.
    returned: Option<String>,
    /// How many bytes were returned.
    returned_bytes: Option<usize>,
    /// The action of these bytes, if they are one.
    action: Option<String>,
    fuel: Option<u64>,
    /// The functions that were running when the bot failed, the outermost first.
    running: Vec<String>,
    /// The last lines of the log: of a script all of the error with which it ends.
    log: Vec<String>,
}

impl ForfeitReport {
    /// The forfeit in a sample game of a bot, which may be a script, if there is one.
    pub(super) fn of(sample: &SampleGame, game: &Game, script: Option<Language>) -> Result<Option<ForfeitReport>> {
        let Some(forfeit) = sample.forfeit() else { return Ok(None) };
        let record = &sample.record;
        let turn = forfeit.turn.map(usize::from);
        let reply = turn.and_then(|_| sample.calls.last()).and_then(|call| call.reply.as_ref().ok());
        // Only an action can be an illegal one.
        let action = reply.filter(|_| forfeit.code == ForfeitCode::IllegalMove).map(|reply| &reply.action[..]);
        let calls = action.and_then(|action| game.describe(action).ok()).unwrap_or_default();
        let cells: Vec<Point> = calls.into_iter().flat_map(|call| call.cells).collect();
        let board = |part| -> Result<Vec<String>> {
            let board = board_before(record, turn.unwrap_or(0), part)?;
            Ok(board.lines().map(|line| line.trim_end().to_string()).collect())
        };
        let shown = |reply: &Reply| {
            let shown = reply.action.iter().take(RETURNED_BYTES_SHOWN);
            shown.map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
        };
        let error = script.and_then(|language| error_line(language, &sample.log));
        let last = error.unwrap_or(sample.log.len().saturating_sub(LOG_LINES_SHOWN));
        Ok(Some(ForfeitReport {
            seat: game.seat_name(sample.seat),
            from_opening: sample.is_from_opening(game),
            turn: turn.map(|turn| turn + 1),
            code: forfeit.code,
            rule: output::text(&forfeit.detail),
            position: board(Part::Whole)?,
            living: board(Part::Living(&cells))?,
            returned: reply.map(shown),
            returned_bytes: reply.map(|reply| reply.action.len()),
            action: action.map(|action| action_words(&record.header.ruleset, action)),
            fuel: reply.and_then(|reply| reply.fuel),
            // A script's are those of its interpreter; its own stack is in the log.
            running: sample.frames.iter().rev().filter(|_| script.is_none()).map(function_name).collect(),
            log: sample.log[last..].iter().map(|line| output::log_line(line)).collect(),
        }))
    }

    /// Whether the turn returned, but its address and length are not those of an action.
    fn points_nowhere(&self) -> bool {
        let is_about_what_returned = matches!(self.code, ForfeitCode::BadPointer | ForfeitCode::BadOutput);
        self.turn.is_some() && self.returned.is_none() && is_about_what_returned
    }

    /// Explains it, with the board.
    pub(super) fn explain(&self, out: &mut dyn Write, budgets: &Budgets) -> Result<()> {
        field(out, "forfeit", &format!("{}; the board before it, cropped:", self.moment()))?;
        for line in &self.living {
            writeln!(out, "    {line}")?;
        }
        self.details(out, budgets)
    }

    /// Explains it after another forfeit: without the board, and in one line if the fault is the same.
    pub(super) fn explain_after(&self, out: &mut dyn Write, budgets: &Budgets, first: &ForfeitReport) -> Result<()> {
        if (self.code, &self.rule) == (first.code, &first.rule) {
            return field(out, "forfeit", &format!("{}, for the same reason", self.moment()));
        }
        field(out, "forfeit", &self.moment())?;
        self.details(out, budgets)
    }

    /// The seat and the turn.
    fn moment(&self) -> String {
        let when = self.turn.map_or_else(|| "before the first turn".into(), |turn| format!("in turn {turn}"));
        format!("as {}{}, {when}", self.seat, if self.from_opening { " from an opening" } else { "" })
    }

    fn details(&self, out: &mut dyn Write, budgets: &Budgets) -> Result<()> {
        match (&self.returned, self.returned_bytes) {
            (Some(hex), Some(bytes)) => {
                let more = if bytes > RETURNED_BYTES_SHOWN { " ..." } else { "" };
                field(out, "returned", &format!("{}: {hex}{more}", counted(bytes, "byte")))?;
            }
            // The rule below tells what is known of them.
            _ if self.points_nowhere() => field(out, "returned", "an address and length that hold no action")?,
            _ => field(out, "returned", "nothing")?,
        }
        if let Some(action) = &self.action {
            field(out, "which is", action)?;
        }
        if let Some(fuel) = self.fuel {
            field(out, "fuel", &format!("{} of {}", grouped(fuel), grouped(budgets.fuel_per_move)))?;
        }
        field(out, "broken", &format!("{}: {}", self.code, self.rule))?;
        if !self.running.is_empty() {
            field(out, "running", &callers(&self.running))?;
        }
        match self.log[..] {
            [] => Ok(()),
            _ => log(out, "its last lines:", &self.log),
        }
    }
}

/// The functions that were running, the outermost first. A recursive one has the number of its calls.
fn callers(running: &[String]) -> String {
    let same = running.chunk_by(|one, next| one == next);
    let times = |calls: &[String]| if calls.len() > 1 { format!("{} times ", calls.len()) } else { String::new() };
    let callers: Vec<String> = same.map(|calls| format!("{}{}", times(calls), calls[0])).collect();
    callers.join(" > ")
}
