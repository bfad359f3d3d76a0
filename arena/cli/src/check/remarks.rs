//! Remarks that are no reason to refuse a bot.

use std::io::Write;

use anyhow::Result;
use arena_runner::Sample;
use arena_sandbox::prints;
use serde::Serialize;

use super::Check;
use super::trial::Trial;
use crate::exit::program;
use crate::game;
use crate::output::{self, COLUMNS};

/// Percent of a turn's budget from which on the costliest turn gets a warning: later boards have twice the cells of
/// early ones.
const NEAR_PERCENT: u64 = 50;

/// A remark for people.
#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Remark {
    /// It may cost games.
    Warning(String),
    /// It costs nothing.
    Note(String),
}

impl Remark {
    pub(super) fn explain(&self, out: &mut dyn Write) -> Result<()> {
        let text = match self {
            Remark::Warning(text) => format!("warning: {text}"),
            Remark::Note(text) => format!("note: {text}"),
        };
        for line in output::folded(&text, COLUMNS) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

/// The remarks on a bot after its sample games.
pub(super) fn of(check: &Check, bytes: &[u8], sample: &Sample, trial: Option<&Trial>) -> Vec<Remark> {
    let mut remarks = Vec::new();
    if let Some(trial) = trial {
        let (program, bot, choice) = (program(), check.bot.display(), game::option(check.choice.game));
        let again = format!("{program} {}{choice}", trial.as_match(&check.bot, check.seed));
        remarks.extend(trial.warning(&again, &format!("{program} debug {bot}")).map(Remark::Warning));
    }
    if remarks.is_empty() && sample.forfeit().is_none() {
        remarks.extend(costly(check, sample, trial));
    }
    if prints(bytes) {
        let text =
            "it prints (println!, eprintln! or dbg!), which nobody sees: `arena_sdk::log` writes to the bot's log";
        remarks.push(Remark::Note(text.into()));
    }
    remarks
}

/// A warning if the costliest turn came near the budget.
fn costly(check: &Check, sample: &Sample, trial: Option<&Trial>) -> Option<Remark> {
    let seen = trial.and_then(|trial| trial.fuel).map(|fuel| fuel.max);
    let most = sample.turn_fuel().into_iter().chain(seen).max()?;
    let percent = (u128::from(most) * 100 / u128::from(check.choice.budgets().fuel_per_move.max(1))) as u64;
    let more = if trial.is_none() { "; `--games 20` plays from tournament openings" } else { "" };
    (percent >= NEAR_PERCENT).then(|| {
        Remark::Warning(format!("the costliest turn took {percent} % of the budget; fuller boards cost more{more}"))
    })
}
