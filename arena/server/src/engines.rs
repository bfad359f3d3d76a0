//! Which modules have the rules of a game: `xtask/src/workspace.rs` lists what is in each. No page knows it; pages are given addresses.

use std::collections::BTreeMap;

use arena_wire::{GAMES, Game};

use crate::assets::{self, ENGINE};

/// The modules with the rules of a game, by their files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Engines {
    /// What rooms and replays load.
    pub(crate) page: &'static str,
    /// What workers load: what players are shown, and the built-in opponents.
    pub(crate) workers: &'static str,
}

const NARROW: Engines = Engines { page: ENGINE, workers: "arena_opponents.wasm" };
const WIDE: Engines = Engines { page: "arena_engine_wide.wasm", workers: "arena_opponents_wide.wasm" };

/// Those of a game. A module says itself that it does not know a game of another release.
pub(crate) fn of(ruleset: &str) -> Engines {
    if Game::named(ruleset).is_ok_and(|game| game.wide) { WIDE } else { NARROW }
}

/// The address of what a game's rooms and replays load.
pub(crate) fn page(ruleset: &str) -> String {
    assets::at(of(ruleset).page)
}

/// The address of what a game's workers load.
pub(crate) fn workers(ruleset: &str) -> String {
    assets::at(of(ruleset).workers)
}

/// The addresses of what replays of all games load, by ruleset, in JSON.
pub(crate) fn pages() -> String {
    let by_ruleset: BTreeMap<&str, String> = GAMES.iter().map(|game| (game.ruleset, page(game.ruleset))).collect();
    serde_json::json!(by_ruleset).to_string()
}

/// Whether a room or a game for practice may load a file: all but the rules of games that have neither, and what pages of worlds load.
pub(crate) fn is_for_rooms(name: &str) -> bool {
    if name == "arena_world.wasm" || name.starts_with("world") {
        return false;
    }
    let has = |engines: Engines| engines.page == name || engines.workers == name;
    let mut rooms = GAMES.iter().filter(|game| game.suits_rooms()).map(|game| of(game.ruleset));
    !(has(NARROW) || has(WIDE)) || rooms.any(has)
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

    #[test]
    fn rooms_load_no_rules_of_games_that_have_none() {
        assert!(is_for_rooms(ENGINE) && is_for_rooms("room.js") && is_for_rooms(NARROW.workers));
        assert!(!is_for_rooms(WIDE.page) && !is_for_rooms(WIDE.workers));
    }
}
