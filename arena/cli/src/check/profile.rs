//! The functions that use the bot's fuel, as a table.

use std::io::Write;

use anyhow::Result;
use arena_runner::{FunctionUse, PROFILE_POINTS, costliest};
use serde::Serialize;

use super::field;
use crate::output;

/// Functions shown.
const FUNCTIONS_SHOWN: usize = 8;

/// The profile in `--json`: the functions that use most fuel.
#[derive(Serialize)]
pub(super) struct Profile {
    /// The number of sampled points of fuel.
    points: u64,
    functions: Vec<FunctionUse>,
    /// The fuel at which it was cut, if it was. More fuel would give more points.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_at_fuel: Option<u64>,
    /// Whether the module names no function.
    #[serde(skip)]
    is_nameless: bool,
}

impl Profile {
    pub(super) fn of(profile: &arena_runner::Profile) -> Profile {
        let arena_runner::Profile { stacks, cut_at } = profile;
        let mut frames = stacks.iter().flat_map(|stack| &stack.functions).peekable();
        Profile {
            points: stacks.iter().map(|stack| stack.points).sum(),
            functions: costliest(stacks, FUNCTIONS_SHOWN),
            cut_at_fuel: *cut_at,
            is_nameless: frames.peek().is_some() && frames.all(|frame| frame.name.is_none()),
        }
    }
}

/// Whether a text can be [`folded_stacks`](arena_runner::folded_stacks): every line ends with a number of points.
pub(super) fn is_folded_stacks(text: &str) -> bool {
    text.lines().all(|line| line.rsplit_once(' ').is_some_and(|(_, points)| points.parse::<u64>().is_ok()))
}

pub(super) fn explain(out: &mut dyn Write, profile: Option<&Profile>) -> Result<()> {
    let Some(Profile { points, functions, cut_at_fuel, is_nameless }) = profile else {
        return field(
            out,
            "fuel",
            "by function: not measured, as that would take more than the sample games; `--profile` does it",
        );
    };
    if functions.is_empty() {
        return field(out, "fuel", "by function: no turn finished, so nothing was measured");
    }
    field(out, "fuel", &format!("by function, seen at {points} points spread over the fuel of both games:"))?;
    if let Some(fuel) = cut_at_fuel {
        let fuel = output::grouped(*fuel);
        field(out, "", &format!("(cut at {fuel} fuel; `--profile` sees {PROFILE_POINTS} points)"))?;
    }
    writeln!(out, "    {:>8} {:>8}  function", "self", "total")?;
    for FunctionUse { function, self_percent, total_percent } in functions {
        let share = |percent: &f64| format!("{percent:.0} %");
        writeln!(out, "    {:>8} {:>8}  {function}", share(self_percent), share(total_percent))?;
    }
    if *is_nameless {
        field(out, "", "functions by number: the build left the names out of the module")?;
    }
    Ok(())
}
