//! Built-in opponents of any game, by name.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use arena_rules::{Seat, Seed, conquerors, game_of_game_of_life, war_of_life};
use arena_wire::{Observation, ObservationError, Protocol};

/// A ruleset with built-in opponents.
pub trait Opponents: Protocol {
    /// Their names, weakest first. Sample games are played against the first.
    const NAMES: &'static [&'static str];

    /// Hash of games between them, with the options for standings and with the casual ones; what is hashed is in
    /// `arena/runner/src/semantics.rs`, where a test plays them again. A change of rules, openings or opponents shows
    /// here, and is a change of the semantics.
    const DIGEST: &'static str;

    /// What the opponent of this name plays. A pure function of its arguments; `None` when there is no such opponent.
    fn choose(&self, name: &str, seat: Seat, seat_seed: &Seed) -> Option<Self::Action>;
}

/// A built-in opponent of one game.
#[derive(Clone, Copy, Debug)]
pub struct Opponent {
    ruleset: &'static str,
    name: &'static str,
    answer: fn(&str, &[u8]) -> Result<Vec<u8>, ObservationError>,
}

/// A name that no built-in opponent of the game has.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownOpponent {
    name: String,
    ruleset: String,
}

impl fmt::Display for UnknownOpponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownOpponent { name, ruleset } = self;
        let names: Vec<&str> = Opponent::all(ruleset).map(|opponent| opponent.name).collect();
        if names.is_empty() {
            return write!(f, "there are no built-in opponents in {ruleset}");
        }
        write!(f, "there is no built-in opponent {name:?} in {ruleset}; there are {}", names.join(", "))
    }
}

impl core::error::Error for UnknownOpponent {}

impl PartialEq for Opponent {
    fn eq(&self, other: &Opponent) -> bool {
        (self.ruleset, self.name) == (other.ruleset, other.name)
    }
}

impl Eq for Opponent {}

impl Opponent {
    /// The version of all built-in opponents, as their ids carry it.
    pub const VERSION: u32 = 1;

    /// The opponent with this name.
    ///
    /// # Errors
    /// When the game has none of that name.
    pub fn named(ruleset: &str, name: &str) -> Result<Opponent, UnknownOpponent> {
        let unknown = || UnknownOpponent { name: name.into(), ruleset: ruleset.into() };
        Opponent::all(ruleset).find(|opponent| opponent.name == name).ok_or_else(unknown)
    }

    /// All of a game, weakest first.
    pub fn all(ruleset: &str) -> impl Iterator<Item = Opponent> {
        let tables = TABLES.iter().filter(move |table| table.ruleset == ruleset);
        tables.flat_map(|table| {
            table.names.iter().map(|name| Opponent { ruleset: table.ruleset, name, answer: table.answer })
        })
    }

    /// Whom sample games of a game are played against.
    pub fn sample(ruleset: &str) -> Option<Opponent> {
        Opponent::all(ruleset).next()
    }

    /// The game it plays.
    pub fn ruleset(&self) -> &'static str {
        self.ruleset
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The bytes of its action for the bytes of an observation: what its guest would answer.
    ///
    /// # Errors
    /// When the bytes are not an observation of its game.
    pub fn answer(&self, observation: &[u8]) -> Result<Vec<u8>, ObservationError> {
        (self.answer)(self.name, observation)
    }
}

/// The hash of a game's fixed games, for the semantics; empty where the game has no opponents.
pub fn digest(ruleset: &str) -> &'static str {
    TABLES.iter().find(|table| table.ruleset == ruleset).map_or("", |table| table.digest)
}

/// The opponents of one ruleset.
struct Table {
    ruleset: &'static str,
    names: &'static [&'static str],
    digest: &'static str,
    answer: fn(&str, &[u8]) -> Result<Vec<u8>, ObservationError>,
}

impl Table {
    const fn of<P: Opponents>() -> Table {
        Table { ruleset: P::ID, names: P::NAMES, digest: P::DIGEST, answer: answer::<P> }
    }
}

/// Every ruleset that has built-in opponents.
const TABLES: &[Table] = &[
    Table::of::<conquerors::Position>(),
    Table::of::<war_of_life::Position>(),
    Table::of::<game_of_game_of_life::Position>(),
    #[cfg(arena_tiny_game)]
    Table::of::<arena_wire::tiny_game::Position>(),
];

fn answer<P: Opponents>(name: &str, observation: &[u8]) -> Result<Vec<u8>, ObservationError> {
    let Observation { position, seat, seat_seed } = Observation::<P>::decode(observation)?;
    let nobody = || ObservationError::Position("asked of an opponent that does not exist: ".to_string() + name);
    let action = position.choose(name, seat, &seat_seed).ok_or_else(nobody)?;
    Ok(P::encode_action(&action))
}
