//! The modules with the rules of each game; `xtask/src/workspace.rs` lists their contents. Pages only get addresses of
//! modules.

use std::collections::BTreeMap;

use arena_wire::{GAMES, Game};

use crate::assets::{self, ENGINE};

/// The file names of the modules with the rules of a game.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Engines {
    /// For rooms and replays.
    pub(crate) page: &'static str,
    /// For workers: players' observations, and the built-in opponents.
    pub(crate) workers: &'static str,
}

const NARROW: Engines = Engines { page: ENGINE, workers: "arena_opponents.wasm" };
const WIDE: Engines = Engines { page: "arena_engine_wide.wasm", workers: "arena_opponents_wide.wasm" };

/// The modules of a game. A module itself refuses a game of another release.
pub(crate) fn of(ruleset: &str) -> Engines {
    if Game::named(ruleset).is_ok_and(|game| game.wide) { WIDE } else { NARROW }
}

/// The address of the module for a game's rooms and replays.
pub(crate) fn page(ruleset: &str) -> String {
    assets::at(of(ruleset).page)
}

/// The address of the module for a game's workers.
pub(crate) fn workers(ruleset: &str) -> String {
    assets::at(of(ruleset).workers)
}

/// The addresses of the modules for replays, by ruleset, in JSON.
pub(crate) fn pages() -> String {
    let by_ruleset: BTreeMap<&str, String> = GAMES.iter().map(|game| (game.ruleset, page(game.ruleset))).collect();
    serde_json::json!(by_ruleset).to_string()
}

/// What reads the folder of a tournament, for standings alone.
const LEDGER: &str = "arena_ledger.wasm";

/// Whether a page that works offline may load a file: all but what reads folders.
pub(crate) fn is_for_offline(name: &str) -> bool {
    name != LEDGER
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_has_modules_that_are_built() {
        let built: Vec<&str> = assets::names().filter(|name| name.ends_with(".wasm")).collect();
        for game in GAMES {
            let Engines { page, workers } = of(game.ruleset);
            assert!(built.is_empty() || [page, workers].iter().all(|name| built.contains(name)), "{}", game.ruleset);
            assert!(pages().contains(&format!("{:?}:{:?}", game.ruleset, super::page(game.ruleset))), "{}", pages());
        }
    }
}
