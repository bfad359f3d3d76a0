//! `cargo xtask test --repeat N [STEP...]`: what races is found by running it again and again.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use fs_err as fs;

use crate::cost::Meter;
use crate::workspace::Workspace;

/// The outcome of a round, as its line in the list ends.
const PASSED: &str = "passed";
const FAILED: &str = "failed";

/// Runs steps so often, each round as a program of its own. Rounds that an earlier, interrupted run of the same commit
/// finished count: their list is in `target/repeat`, with what failing rounds printed.
///
/// # Errors
/// If a round fails, once all are done.
pub(super) fn run(workspace: &Workspace, times: &str, names: &[&str]) -> Result<()> {
    let times: usize = times.parse().with_context(|| format!("--repeat needs a whole number, not `{times}`"))?;
    let folder = workspace.target.join("repeat").join(names.join("+"));
    let resumes = workspace.resumes(&folder)?;
    let list = folder.join("rounds");
    let mut rounds = if list.exists() && resumes { fs::read_to_string(&list)? } else { String::new() };
    println!("==> {} of {times} rounds are done: {}", rounds.lines().count(), workspace.shown(&list));
    for round in rounds.lines().count() + 1..=times {
        let log = folder.join(format!("round-{round}.log"));
        let file = fs::File::create(&log)?.into_parts().0;
        let meter = Meter::start()?;
        let mut test = Command::new(std::env::current_exe()?);
        test.current_dir(&workspace.root).arg("test").args(names).stdin(Stdio::null());
        let status = test.stdout(file.try_clone()?).stderr(file).status().context("cannot start a round")?;
        let outcome = if status.success() { PASSED } else { FAILED };
        if status.success() {
            fs::remove_file(&log)?;
        }
        let line = format!("{round:>5} {} {outcome}", meter.read()?);
        println!("{line}");
        writeln!(rounds, "{line}")?;
        fs::write(&list, &rounds)?;
    }
    let failed = failed(&rounds);
    println!("==> {times} rounds of {}: {} failed", names.join(", "), failed.len());
    ensure!(failed.is_empty(), "rounds {failed:?} failed: {} has what they printed", workspace.shown(&folder));
    Ok(())
}

/// The numbers of the failed rounds.
fn failed(rounds: &str) -> BTreeSet<usize> {
    let lines = rounds.lines().filter(|line| line.ends_with(FAILED));
    lines.filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn failed_rounds_are_found_in_the_list() {
        assert_eq!(failed("    1  2.0 s  3.0 s passed\n    2  2.0 s  3.0 s failed\n"), BTreeSet::from([2]));
    }
}
