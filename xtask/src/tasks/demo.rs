//! `cargo xtask demo`: a newcomer's first view.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use fs_err as fs;
use serde_json::Value;

use super::ready::Ready;
use crate::files::remove_folder;
use crate::guide::OPENING;
use crate::process::run;

/// How long each turn of a game is shown, in milliseconds: a game takes some seconds.
const PACE_MS: &str = "150";

/// The steps of a demo: the build, the tournament, the replay.
const STEPS: usize = 3;
/// The same where there is no site yet: also the toolchain and the rules for pages, and the site.
const STEPS_AT_FIRST: usize = STEPS + 3;

/// The folder of an earlier demo is removed, so that the whole tournament is played.
pub(crate) fn demo(ready: &Ready, arguments: &[String]) -> Result<()> {
    let workspace = ready.workspace;
    let without_site = ready.is_without_site();
    ready.steps.expect(if without_site { STEPS_AT_FIRST } else { STEPS });
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
    let program = workspace.shown(arena);
    let next = whats_next(&program, &shown, &game);
    let mut has_engine = true;
    if without_site {
        println!("{next}\n\nAll of this works already. What follows is the site, for `arena serve`: Ctrl-C is fine.");
        has_engine = ready.rest_of_the_arena()?;
        // The build's output has scrolled the standings away.
        run(Command::new(arena).current_dir(&workspace.root).args(["tournament", "standings", &shown]))?;
    }
    println!("{next}\n{}", site(&program, has_engine));
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
Start a new bot:           {arena} new mybot --lang javascript
Type `arena` instead:      export PATH=\"$PWD/{}:$PATH\"
Then read guide/README.md: it ends with a bot that beats the field.",
        arena.trim_end_matches("/arena")
    )
}

/// How to serve a site with this binary, which has the rules for pages or not.
fn site(arena: &str, has_engine: bool) -> String {
    if has_engine {
        format!("Serve a site of your own:  {arena} serve --data site --listen 127.0.0.1:8080")
    } else {
        "A site needs the rules for pages, which could not be built: `cargo xtask engine`, then the demo again."
            .to_owned()
    }
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
        let commands = ["replay target/demo#3", "verify target/demo", "new mybot --lang javascript"];
        for command in commands.map(|command| format!("target/ci/arena {command}\n")) {
            assert!(next.contains(&command), "{command}");
        }
        assert!(next.contains("PATH=\"$PWD/target/ci:$PATH\""), "{next}");
    }

    #[test]
    fn a_site_is_promised_only_where_it_would_be_served() {
        assert!(site("target/ci/arena", true).contains("target/ci/arena serve --data site"));
        let refused = site("target/ci/arena", false);
        assert!(!refused.contains("arena serve") && refused.contains("`cargo xtask engine`"), "{refused}");
    }
}
