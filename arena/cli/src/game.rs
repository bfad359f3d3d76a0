//! The choice of a game on the command line.

use anyhow::{Result, anyhow};
use arena_record::Budgets;
use arena_wire::{GAMES, Game};
use clap::Args;

#[derive(Args)]
pub(crate) struct GameChoice {
    #[arg(long = "game", value_name = "GAME", help = names(), default_value = GAMES[0].name(), value_parser = named)]
    pub(crate) game: &'static Game,
}

impl GameChoice {
    /// The budgets of bots in this game.
    pub(crate) fn budgets(&self) -> Budgets {
        Budgets::of(self.game.allowance)
    }
}

/// The help text of the option.
pub(crate) fn names() -> String {
    let names: Vec<&str> = GAMES.iter().map(Game::name).collect();
    format!("The game: {}", names.join(", "))
}

/// The game of this name. The error lists all names.
pub(crate) fn named(name: &str) -> Result<&'static Game> {
    Game::named(name).map_err(|_| {
        let games: Vec<String> = GAMES.iter().map(|game| format!("{} ({})", game.name(), game.title)).collect();
        anyhow!("the games are {}", games.join(", "))
    })
}

/// The option that chooses a game, with a leading space; empty for the first game, which is the default.
pub(crate) fn option(game: &Game) -> String {
    if game.ruleset == GAMES[0].ruleset { String::new() } else { format!(" --game {}", game.name()) }
}

/// Options of two-seat games for a match. In a game without any they are those for standings, which no match accepts.
pub(crate) fn match_options(game: &Game) -> String {
    game.match_options().unwrap_or_else(|| game.ranked.into())
}
