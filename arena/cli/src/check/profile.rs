//! The functions that use the bot's fuel, or the lines of a script, as a table.

use std::io::Write;

use anyhow::Result;
use arena_runner::{FunctionUse, PROFILE_POINTS, costliest, costliest_functions, plain};
use arena_sandbox::{Used, names};
use arena_scripts::Script;
use serde::Serialize;

use super::field;
use crate::output;

/// Characters of a line of a script shown: of what is longer its ends.
const SOURCE_CHARS_SHOWN: usize = 60;
/// Characters of a function's name shown, beside its fuel.
const NAME_CHARS_SHOWN: usize = 56;
/// Functions shown.
const FUNCTIONS_SHOWN: usize = 8;

/// The profile in `--json`: the functions that use most fuel.
#[derive(Serialize)]
pub(super) struct Profile {
    /// Of a script, or for folded stacks, the number of sampled points of fuel.
    #[serde(skip_serializing_if = "Option::is_none")]
    points: Option<u64>,
    functions: Vec<Use>,
    /// The fuel at which it was cut, if it was. More fuel would give more points.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_at_fuel: Option<u64>,
    /// Whether the module names no function.
    #[serde(skip)]
    is_nameless: bool,
    #[serde(skip)]
    is_script: bool,
}

/// A function that uses fuel.
#[derive(Serialize)]
struct Use {
    #[serde(flatten)]
    used: FunctionUse,
    /// What the script has there, if it is a line of one.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
}

impl Use {
    fn of(used: FunctionUse, script: Option<Script<'_>>) -> Use {
        let line = script.and_then(|Script { language, text }| {
            let number = used.function.strip_prefix(language.file())?.strip_prefix(':')?.parse::<usize>().ok()?;
            text.lines().nth(number.checked_sub(1)?)
        });
        Use { source: line.map(|line| line.trim().to_owned()), used }
    }
}

impl Profile {
    /// Of the lines of a script, as they were seen.
    pub(super) fn of_lines(profile: &arena_runner::Profile, script: Script<'_>) -> Profile {
        let arena_runner::Profile { stacks, cut_at } = profile;
        let functions = costliest(stacks, FUNCTIONS_SHOWN).into_iter().map(|used| Use::of(used, Some(script)));
        Profile {
            points: Some(stacks.iter().map(|stack| stack.points).sum()),
            functions: functions.collect(),
            cut_at_fuel: *cut_at,
            is_nameless: false,
            is_script: true,
        }
    }

    /// Of the functions of the bot with these bytes, as they were counted.
    pub(super) fn of_functions(used: &[Used], bytes: &[u8]) -> Profile {
        let names = names(bytes);
        let functions = costliest_functions(used, &names, FUNCTIONS_SHOWN).into_iter().map(|used| Use::of(used, None));
        Profile {
            points: None,
            functions: functions.collect(),
            cut_at_fuel: None,
            is_nameless: !used.is_empty() && !used.iter().any(|used| names.contains_key(&used.function)),
            is_script: false,
        }
    }
}

/// Whether a text can be [`folded_stacks`](arena_runner::folded_stacks): every line ends with a number of points.
pub(super) fn is_folded_stacks(text: &str) -> bool {
    text.lines().all(|line| line.rsplit_once(' ').is_some_and(|(_, points)| points.parse::<u64>().is_ok()))
}

pub(super) fn explain(out: &mut dyn Write, profile: Option<&Profile>) -> Result<()> {
    let Some(Profile { points, functions, cut_at_fuel, is_nameless, is_script }) = profile else {
        return field(
            out,
            "fuel",
            "by line: not measured, as that would take more than the sample games; `--profile` does it",
        );
    };
    let by = if *is_script { "by line of the script" } else { "by function" };
    if functions.is_empty() {
        return field(out, "fuel", &format!("{by}: no turn finished, so nothing was measured"));
    }
    let how = points.map_or_else(
        || "of the turns of both games:".into(),
        |points| format!("seen at {points} points spread over the fuel of both games:"),
    );
    field(out, "fuel", &format!("{by}, {how}"))?;
    if let Some(fuel) = cut_at_fuel {
        let fuel = output::grouped(*fuel);
        field(out, "", &format!("(cut at {fuel} fuel; `--profile` sees {PROFILE_POINTS} points)"))?;
    }
    if *is_script {
        writeln!(out, "    {:>8} {:>8}  line", "self", "total")?;
    } else {
        writeln!(out, "    {:>8} {:>8} {:>15}  function", "self", "total", "fuel")?;
    }
    for Use { used, source } in functions {
        let FunctionUse { function, self_percent, total_percent, self_fuel, .. } = used;
        let share = |percent: &f64| format!("{percent:.0} %");
        let fuel = self_fuel.map(|fuel| format!(" {:>15}", output::grouped(fuel))).unwrap_or_default();
        let source = source.as_ref().map(|line| format!("  {}", plain(line, SOURCE_CHARS_SHOWN))).unwrap_or_default();
        let function = plain(function, NAME_CHARS_SHOWN);
        writeln!(out, "    {:>8} {:>8}{fuel}  {function}{source}", share(self_percent), share(total_percent))?;
    }
    if *is_nameless {
        field(out, "", "functions by number: the build left the names out of the module")?;
    }
    Ok(())
}
