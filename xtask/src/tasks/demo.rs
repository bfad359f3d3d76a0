//! `cargo xtask demo`: what a newcomer sees first.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use fs_err as fs;
use serde_json::Value;

use super::ready::Ready;
use crate::bots::languages::Fetch;
use crate::files::{ending_in, remove_folder};
use crate::process::run;
use crate::workspace::Workspace;

/// The tournament that is played.
const DEMO: &str = "tournaments/definitions/opening.toml";

/// A folder of an earlier demo is removed, so that this one is played whole.
pub(crate) fn demo(arguments: &[String]) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let arena = ready.arena()?;
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
    ready.steps.step(&format!("how the best two ended {}", workspace.shown(&game.file)), || {
        run(Command::new(arena).arg("replay").arg(&game.file).args(["--turn", &game.turns.to_string()]))
    })?;
    println!("{}", whats_next(&workspace.shown(arena), &workspace.shown(&out), &workspace.shown(&game.file)));
    Ok(())
}

/// A game to look at.
struct Game {
    file: PathBuf,
    turns: usize,
}

/// The first game between the two that stand first.
fn game_of_the_best(results: &Path) -> Result<Game> {
    let standings = json(&results.join("standings.json"))?;
    let best = |place: usize| standings["entrants"][place]["id"].as_str().context("standings have entrants");
    let best = [best(0)?, best(1)?];
    for file in ending_in(&results.join("games"), ".json")? {
        let record = json(&file)?;
        let players = [0, 1].map(|seat: usize| record["entrants"][seat].as_str().unwrap_or_default());
        if best.iter().all(|id| players.contains(id)) {
            let turns = record["turns"].as_array().context("a record has turns")?.len();
            return Ok(Game { file, turns });
        }
    }
    anyhow::bail!("no game of the best two in {}", results.display())
}

fn json(file: &Path) -> Result<Value> {
    serde_json::from_str(&fs::read_to_string(file)?).with_context(|| format!("{} is not JSON", file.display()))
}

/// What there is to look at and to type, with the binary that is there.
fn whats_next(arena: &str, out: &str, game: &str) -> String {
    format!(
        "\
Pictures of the standings, for a browser:
  {out}/results/ratings.svg
  {out}/results/crosstable.svg

Next:
  {arena} replay {game}   # the whole game
  {arena} serve --data target/site   # play against them in a browser
  {arena} new mybot --lang rust   # write a bot that beats them; guide/README.md goes on from there"
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
        let record = |entrants: &str| format!(r#"{{"entrants":{entrants},"turns":[{{}},{{}}]}}"#);
        for (file, entrants) in [("00000.json", r#"["a","c"]"#), ("00001.json", r#"["b","a"]"#)] {
            fs::write(games.join(file), record(entrants))?;
        }
        let game = game_of_the_best(root.path())?;
        assert_eq!((game.file, game.turns), (games.join("00001.json"), 2));
        fs::remove_file(games.join("00001.json"))?;
        assert!(game_of_the_best(root.path()).is_err());
        Ok(())
    }
}
