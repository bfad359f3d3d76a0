//! `cargo xtask demo`: what a newcomer sees first.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};
use fs_err as fs;
use serde_json::Value;

use super::ready::Ready;
use crate::bots::languages::Fetch;
use crate::files::{ending_in, remove_folder};
use crate::process::run;
use crate::workspace::Workspace;

/// The tournament that is played.
const DEMO: &str = "tournaments/definitions/opening.toml";

/// Milliseconds that each turn of a game is shown: some seconds for a game.
const PACE_MS: &str = "150";

/// A folder of an earlier demo is removed, so that this one is played whole.
pub(crate) fn demo(arguments: &[String]) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let arena = ready.arena_for_the_terminal()?;
    let out = workspace.target.join("demo");
    ready.steps.step("playing the opening tournament: 840 games", || {
        remove_folder(&out)?;
        run(Command::new(arena)
            .current_dir(&workspace.root)
            .args(["tournament", "run", DEMO, "--out"])
            .arg(workspace.shown(&out))
            .args(arguments))
    })?;
    let game = game_of_the_best(&out.join("results"))?;
    ready.steps.step("replaying a game of the best two", || {
        run(Command::new(arena).arg("replay").arg(&game).args(["--pace", PACE_MS]))
    })?;
    println!("{}", whats_next(&workspace.shown(arena), &workspace.shown(&out), &workspace.shown(&game)));
    Ok(())
}

/// The first game between the two that stand first.
fn game_of_the_best(results: &Path) -> Result<PathBuf> {
    let standings = json(&results.join("standings.json"))?;
    let best = |place: usize| standings["entrants"][place]["id"].as_str().context("standings have entrants");
    let best = [best(0)?, best(1)?];
    for file in ending_in(&results.join("games"), ".json")? {
        let record = json(&file)?;
        let players = [0, 1].map(|seat: usize| record["header"]["entrants"][seat].as_str().unwrap_or_default());
        if best.iter().all(|id| players.contains(id)) {
            return Ok(file);
        }
    }
    bail!("no game of the best two in {}", results.display())
}

fn json(file: &Path) -> Result<Value> {
    serde_json::from_str(&fs::read_to_string(file)?).with_context(|| format!("{} is not JSON", file.display()))
}

/// What there is to look at and to type, with the binary that is there.
fn whats_next(arena: &str, out: &str, game: &str) -> String {
    format!(
        "
Pictures of the standings: {out}/results/ratings.svg
                           {out}/results/crosstable.svg
Replay that game yourself: {arena} replay {game}
Compute all games again:   {arena} verify {out}
Start a bot of your own:   {arena} new mybot --lang rust
Then read guide/README.md: it goes on to a bot that beats the field."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_game_shown_is_the_first_of_the_best_two_in_either_seat() -> Result<()> {
        let root = tempfile::tempdir()?;
        let games = root.path().join("games");
        fs::create_dir_all(&games)?;
        fs::write(root.path().join("standings.json"), r#"{"entrants":[{"id":"a"},{"id":"b"},{"id":"c"}]}"#)?;
        let record = |entrants: &str| format!(r#"{{"header":{{"entrants":{entrants}}}}}"#);
        for (file, entrants) in [("00000.json", r#"["a","c"]"#), ("00001.json", r#"["b","a"]"#)] {
            fs::write(games.join(file), record(entrants))?;
        }
        assert_eq!(game_of_the_best(root.path())?, games.join("00001.json"));
        fs::remove_file(games.join("00001.json"))?;
        assert!(game_of_the_best(root.path()).is_err());
        Ok(())
    }
}
