//! The choice of a game on the command line.

use arena_record::Budgets;
use arena_wire::{GAMES, Game, Protocol, Visitor};
use clap::Args;

#[derive(Args)]
pub(crate) struct GameChoice {
    /// The game: conquerors, war-of-life, ... `--game list` names them all.
    #[arg(long = "game", value_name = "GAME", default_value = GAMES[0].name(), value_parser = named)]
    pub(crate) game: &'static Game,
}

impl GameChoice {
    /// What bots may use in this game.
    pub(crate) fn budgets(&self) -> Budgets {
        Budgets::of(self.game.allowance)
    }
}

fn named(name: &str) -> Result<&'static Game, String> {
    Game::named(name).map_err(|_| {
        let games: Vec<String> = GAMES.iter().map(|game| format!("{} ({})", game.name(), game.title)).collect();
        format!("the games are {}", games.join(", "))
    })
}

/// Options of two-seat games for a match: those for standings, or of a two-seat game of the same kind where those have more
/// seats.
pub(crate) fn match_options(game: &Game) -> String {
    struct Options<'a>(&'a str);

    impl Visitor for Options<'_> {
        type Out = Option<String>;

        fn visit<P: Protocol>(self, _start: P) -> Self::Out {
            Some(P::options_text(&P::duel(&P::parse_options(self.0)?)?))
        }
    }

    let duel = arena_wire::start(game.ruleset, game.ranked, &[0; 32], Options(game.ranked));
    duel.ok().flatten().unwrap_or_else(|| game.ranked.into())
}
