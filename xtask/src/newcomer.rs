//! What a newcomer does, done with the binary: every bot is checked and played.

use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use crate::process::output;
use crate::workspace::Workspace;

/// Games of each match: both seats, twice.
const GAMES: &str = "4";

/// Checks every guest, and plays it against the easy opponent without a forfeit.
///
/// # Errors
/// A bot is refused, or forfeits.
pub(crate) fn check_bots(workspace: &Workspace, arena: &Path) -> Result<()> {
    let mut modules: Vec<_> = fs::read_dir(workspace.bots())?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    modules.sort();
    for module in modules {
        let verdict = output(Command::new(arena).arg("check").arg(&module).arg("--json"))?;
        let verdict: Value = serde_json::from_str(&verdict)?;
        let standings =
            output(Command::new(arena).arg("play").arg(&module).args(["easy", "--json", "--games", GAMES]))?;
        no_forfeits(&standings).with_context(|| format!("{} against easy", module.display()))?;
        println!("    {}: {}", workspace.shown(&module), summary(&verdict)?);
    }
    Ok(())
}

/// Size, and fuel per turn, as `arena check --json` says it.
fn summary(verdict: &Value) -> Result<String> {
    ensure!(verdict["accepted"] == true, "not accepted: {verdict}");
    let mut fuel: Vec<u64> = serde_json::from_value(verdict["measured"]["turn_fuel"].clone())?;
    fuel.sort_unstable();
    let (median, most) = (fuel.get(fuel.len() / 2), fuel.last());
    let (median, most) = median.zip(most).context("a bot that played has used fuel")?;
    Ok(format!("{} bytes, fuel of a turn: median {median}, most {most}", verdict["size_bytes"]))
}

/// Whether a match's standings have games and no forfeit.
fn no_forfeits(standings: &str) -> Result<()> {
    let standings: Value = serde_json::from_str(standings)?;
    let rows = standings["entrants"].as_array().context("standings have entrants")?;
    for row in rows {
        ensure!(row["games"].as_u64().is_some_and(|games| games > 0), "nothing was played: {row}");
        ensure!(row["forfeits"] == Value::Object(Default::default()), "a game was forfeited: {row}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_forfeit_is_seen() {
        let row =
            |games: u32, forfeits: &str| format!(r#"{{"entrants":[{{"games":{games},"forfeits":{{{forfeits}}}}}]}}"#);
        assert!(no_forfeits(&row(4, "")).is_ok());
        assert!(no_forfeits(&row(4, r#""trap":1"#)).is_err());
        assert!(no_forfeits(&row(0, "")).is_err());
    }
}
