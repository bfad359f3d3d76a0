//! `cargo xtask demo`: a newcomer's first view.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use fs_err as fs;
use serde_json::Value;

use super::ready::Ready;
use crate::bots::languages::Fetch;
use crate::files::remove_folder;
use crate::guide::OPENING;
use crate::process::run;
use crate::workspace::Workspace;

/// How long each turn of a game is shown, in milliseconds: a game takes some seconds.
const PACE_MS: &str = "150";

/// The folder of an earlier demo is removed, so that the whole tournament is played.
pub(crate) fn demo(arguments: &[String]) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let arena = &ready.first_of_the_arena()?;
    let out = workspace.target.join("demo");
    ready.steps.step("playing the opening tournament: 840 games", || {
        remove_folder(&out)?;
        run(Command::new(arena)
            .current_dir(&workspace.root)
            .args(["tournament", "run", OPENING, "--out"])
            .arg(workspace.shown(&out))
            .args(arguments))
    })?;
    let shown = workspace.shown(&out);
    let game = format!("{shown}#{}", game_of_the_best(&out)?);
    ready.steps.step("replaying a game of the best two", || {
        run(Command::new(arena).current_dir(&workspace.root).arg("replay").arg(&game).args(["--pace", PACE_MS]))
    })?;
    let next = whats_next(&workspace.shown(arena), &shown, &game);
    if ready.is_without_site() {
        println!("{next}\n\nAll of this works already. What follows is the site, for `arena serve`: Ctrl-C is fine.");
        ready.rest_of_the_arena()?;
        // The build's output has scrolled the standings away.
        run(Command::new(arena).current_dir(&workspace.root).args(["tournament", "standings", &shown]))?;
    }
    println!("{next}");
    Ok(())
}

/// The number of the first game between the two best entrants.
fn game_of_the_best(tournament: &Path) -> Result<usize> {
    let standings: Value = serde_json::from_str(&fs::read_to_string(tournament.join("results/standings.json"))?)?;
    let best = |place: usize| standings["entrants"][place]["id"].as_str().context("standings have entrants");
    let best = [best(0)?, best(1)?];
    let mut first = None;
    for line in fs::read_to_string(tournament.join("journal"))?.lines() {
        // A line has a checksum, the game's number, its record.
        let mut parts = line.splitn(3, ' ').skip(1);
        let (number, record) = parts.next().zip(parts.next()).context("not the line of a journal")?;
        let record: Value = serde_json::from_str(record)?;
        let players = [0, 1].map(|seat: usize| record["header"]["entrants"][seat].as_str().unwrap_or_default());
        if best.iter().all(|id| players.contains(id)) {
            let number: usize = number.parse()?;
            first = Some(first.unwrap_or(number).min(number));
        }
    }
    first.with_context(|| format!("no game of the best two in {}", tournament.display()))
}

/// Suggestions for what to look at and to type, with the binary just built.
fn whats_next(arena: &str, out: &str, game: &str) -> String {
    format!(
        "
Pictures of the standings: {out}/results/ratings.svg
                           {out}/results/crosstable.svg
Replay that game yourself: {arena} replay {game}
Compute all games again:   {arena} verify {out}
Start a new bot:           {arena} new mybot --lang rust
Type `arena` instead:      export PATH=\"$PWD/{}:$PATH\"
Then read guide/README.md: it ends with a bot that beats the field.",
        arena.trim_end_matches("/arena")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_shown_is_the_first_of_the_best_two_in_either_seat() -> Result<()> {
        let root = tempfile::tempdir()?;
        fs::create_dir_all(root.path().join("results"))?;
        let standings = r#"{"entrants":[{"id":"a"},{"id":"b"},{"id":"c"}]}"#;
        fs::write(root.path().join("results/standings.json"), standings)?;
        let line = |number: usize, entrants: &str| format!("0 {number} {{\"header\":{{\"entrants\":{entrants}}}}}\n");
        let lines = [line(2, r#"["a","b"]"#), line(0, r#"["a","c"]"#), line(1, r#"["b","a"]"#)];
        fs::write(root.path().join("journal"), lines.concat())?;
        assert_eq!(game_of_the_best(root.path())?, 1);
        fs::write(root.path().join("journal"), &lines[1])?;
        assert!(game_of_the_best(root.path()).is_err());
        Ok(())
    }

    #[test]
    fn each_next_step_names_the_binary_that_is_there() {
        let next = whats_next("target/ci/arena", "target/demo", "target/demo#3");
        let commands = ["replay target/demo#3", "verify target/demo", "new mybot --lang rust"];
        for command in commands.map(|command| format!("target/ci/arena {command}\n")) {
            assert!(next.contains(&command), "{command}");
        }
        assert!(next.contains("PATH=\"$PWD/target/ci:$PATH\""), "{next}");
    }
}
