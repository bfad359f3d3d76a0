//! Opponents that come with the arena, by name. Every command and every definition finds them here.

use arena_baselines::Opponent;
use arena_record::{Budgets, EntrantId};
use arena_released::Released;

use crate::{Contender, Host, LoadError};

/// An opponent that comes with the arena.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Named {
    /// A built-in opponent, played natively.
    BuiltIn(Opponent),
    /// A bot of the gallery: its released module.
    Gallery(&'static Released),
}

/// A name without an opponent.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no opponent {name:?} in {ruleset}; there are {}", names(ruleset))]
pub struct UnknownName {
    name: String,
    ruleset: String,
}

impl Named {
    /// The opponent of a game with this name. For a built-in one its newest version, or the given one, as in `hard@1`.
    ///
    /// # Errors
    /// When there is no such opponent.
    pub fn find(ruleset: &str, name: &str) -> Result<Named, UnknownName> {
        let built_in = Opponent::named(ruleset, name).map(Named::BuiltIn);
        built_in.or_else(|_| {
            let bot = Released::named(ruleset, name).map(Named::Gallery);
            bot.ok_or_else(|| UnknownName { name: name.into(), ruleset: ruleset.into() })
        })
    }

    /// The opponent of a game with this id; `None` for other ids and for opponents that this release lacks.
    pub fn of_id(ruleset: &str, id: &EntrantId) -> Option<Named> {
        match id.baseline() {
            Some((name, version)) => Opponent::named(ruleset, &format!("{name}@{version}")).ok().map(Named::BuiltIn),
            None => Released::of(ruleset).map(Named::Gallery).find(|bot| bot.id() == *id),
        }
    }

    /// All opponents of a game: the built-in ones, then the gallery's, each weakest first.
    pub fn all(ruleset: &str) -> impl Iterator<Item = Named> {
        Opponent::all(ruleset).map(Named::BuiltIn).chain(Released::of(ruleset).map(Named::Gallery))
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        match self {
            Named::BuiltIn(opponent) => opponent.name(),
            Named::Gallery(bot) => bot.name,
        }
    }

    /// Its id.
    pub fn id(&self) -> EntrantId {
        match self {
            Named::BuiltIn(opponent) => Contender::Baseline(*opponent).id(),
            Named::Gallery(bot) => EntrantId::of_bytes(bot.bytes),
        }
    }

    /// The opponent as a contender; a bot runs on `host`.
    ///
    /// # Errors
    /// When a budget is lower than the bot needs, or a worker failed.
    pub fn load(&self, host: &dyn Host, budgets: &Budgets) -> Result<Contender, LoadError> {
        match self {
            Named::BuiltIn(opponent) => Ok(Contender::Baseline(*opponent)),
            Named::Gallery(bot) => host.load(bot.bytes, budgets),
        }
    }
}

fn names(ruleset: &str) -> String {
    Named::all(ruleset).map(|opponent| opponent.name()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use arena_wire::GAMES;

    use super::*;

    #[test]
    fn a_name_stands_for_one_opponent_of_a_game_and_for_no_file() {
        let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        for game in GAMES {
            let mut names = BTreeSet::new();
            for opponent in Named::all(game.ruleset) {
                let name = opponent.name();
                assert!(names.insert(name), "{name} is there twice in {}", game.ruleset);
                assert!(name.chars().all(plain), "{name} could be a path");
                assert_eq!(Named::find(game.ruleset, name), Ok(opponent));
                assert_eq!(Named::of_id(game.ruleset, &opponent.id()), Some(opponent));
            }
        }
    }

    #[test]
    fn every_released_bot_plays_a_game_that_there_is() {
        for bot in arena_released::ALL {
            assert!(GAMES.iter().any(|game| game.ruleset == bot.ruleset), "{}", bot.name);
        }
    }

    #[test]
    fn an_unknown_name_is_answered_with_those_there_are() {
        let said = Named::find("war-of-life@1", "strategist").map_err(|error| error.to_string());
        let names = "random, bloodlust, self-preservation, land-grab, minimax, marshal";
        assert_eq!(said, Err(format!("there is no opponent \"strategist\" in war-of-life@1; there are {names}")));
    }
}
