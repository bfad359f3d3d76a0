//! Built-in opponents of any game, by name and version.

use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;

use arena_rules::{Seat, Seed};
use arena_wire::{Observation, ObservationError, Protocol};

/// A ruleset with built-in opponents.
pub trait Opponents: Protocol {
    /// All of them: those for the usual options, weakest first, then those [made for others](BuiltIn::made_for). Versions with the
    /// same name are adjacent, the newest last. Sample games are played against the first. A released version never changes:
    /// other play needs another version.
    const ALL: &'static [BuiltIn<Self>];
}

/// One version of a built-in opponent.
pub struct BuiltIn<P: Protocol> {
    /// Its name, in lower-case letters, digits and `-`.
    pub name: &'static str,
    /// Its version, from 1.
    pub version: u32,
    /// Hash of games that it plays against itself, in 64 hex digits; `arena/ledger/src/semantics.rs` defines it, and a test there
    /// recomputes it. Headers of games contain it.
    pub digest: &'static str,
    /// Options of the games it was made for, if not the usual ones: rooms against it have them, and it plays in no
    /// standing tournament. Canonical.
    pub made_for: Option<&'static str>,
    /// How it plays, in a few words for people who choose an opponent; empty if its name says it.
    pub about: &'static str,
    /// Its action: a pure function of position, seat and the seat's seed; `None` in a position without an action.
    pub choose: fn(&P, Seat, &Seed) -> Option<P::Action>,
}

impl<P: Protocol> BuiltIn<P> {
    /// The first version of an opponent.
    pub(crate) const fn first(
        name: &'static str,
        digest: &'static str,
        choose: fn(&P, Seat, &Seed) -> Option<P::Action>,
    ) -> BuiltIn<P> {
        BuiltIn { name, version: 1, digest, made_for: None, about: "", choose }
    }

    /// The same opponent with a description.
    pub(crate) const fn about(self, about: &'static str) -> BuiltIn<P> {
        BuiltIn { about, ..self }
    }

    /// The same opponent, made for games with these options.
    pub(crate) const fn made_for(self, options: &'static str) -> BuiltIn<P> {
        BuiltIn { made_for: Some(options), ..self }
    }
}

/// One version of a built-in opponent of any game.
#[derive(Clone, Copy)]
pub struct Opponent {
    roster: &'static Roster,
    index: usize,
}

/// No built-in opponent of the game has this name or version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownOpponent {
    name: String,
    ruleset: String,
}

impl fmt::Display for UnknownOpponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let UnknownOpponent { name, ruleset } = self;
        let names: Vec<&str> = Opponent::all(ruleset).map(|opponent| opponent.name()).collect();
        if names.is_empty() {
            return write!(f, "there are no built-in opponents in {ruleset}");
        }
        write!(f, "there is no built-in opponent {name:?} in {ruleset}; there are {}", names.join(", "))
    }
}

impl core::error::Error for UnknownOpponent {}

impl PartialEq for Opponent {
    fn eq(&self, other: &Opponent) -> bool {
        (self.ruleset(), self.name(), self.version()) == (other.ruleset(), other.name(), other.version())
    }
}

impl Eq for Opponent {}

impl fmt::Debug for Opponent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}@{}", self.ruleset(), self.name(), self.version())
    }
}

impl Opponent {
    /// The opponent with this name: its newest version, or the given one, as in `hard@1`.
    ///
    /// # Errors
    /// When the game has no such opponent.
    pub fn named(ruleset: &str, name: &str) -> Result<Opponent, UnknownOpponent> {
        let versions = || Opponent::versions(ruleset);
        let found = match name.split_once('@') {
            None => Opponent::all(ruleset).find(|opponent| opponent.name() == name),
            Some((name, version)) => {
                versions().find(|opponent| (opponent.name(), &*opponent.version().to_string()) == (name, version))
            }
        };
        found.ok_or_else(|| UnknownOpponent { name: name.into(), ruleset: ruleset.into() })
    }

    /// The newest version of each opponent of a game, in the order of [`Opponents::ALL`].
    pub fn all(ruleset: &str) -> impl Iterator<Item = Opponent> {
        let mut versions = Opponent::versions(ruleset).peekable();
        core::iter::from_fn(move || {
            loop {
                let opponent = versions.next()?;
                if versions.peek().is_none_or(|next| next.name() != opponent.name()) {
                    return Some(opponent);
                }
            }
        })
    }

    /// The newest version of each opponent that was made for the usual options of a game, weakest first.
    pub fn usual(ruleset: &str) -> impl Iterator<Item = Opponent> {
        Opponent::all(ruleset).filter(|opponent| opponent.made_for().is_none())
    }

    /// Every version of every opponent of a game, in the order of [`Opponents::ALL`].
    pub fn versions(ruleset: &str) -> impl Iterator<Item = Opponent> {
        let rosters = ROSTERS.iter().filter(move |roster| roster.ruleset == ruleset);
        rosters.flat_map(|roster| (0..roster.opponents).map(move |index| Opponent { roster, index }))
    }

    /// The opponent in a game's sample games.
    pub fn sample(ruleset: &str) -> Option<Opponent> {
        Opponent::all(ruleset).next()
    }

    /// The game it plays.
    pub fn ruleset(&self) -> &'static str {
        self.roster.ruleset
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        (self.roster.about)(self.index).name
    }

    /// Its version.
    pub fn version(&self) -> u32 {
        (self.roster.about)(self.index).version
    }

    /// [`BuiltIn::digest`].
    pub fn digest(&self) -> &'static str {
        (self.roster.about)(self.index).digest
    }

    /// [`BuiltIn::made_for`].
    pub fn made_for(&self) -> Option<&'static str> {
        (self.roster.about)(self.index).made_for
    }

    /// [`BuiltIn::about`].
    pub fn about(&self) -> &'static str {
        (self.roster.about)(self.index).about
    }

    /// Answers an observation with the bytes of an action, exactly as its guest would.
    ///
    /// # Errors
    /// When the bytes are not an observation of its game.
    pub fn answer(&self, observation: &[u8]) -> Result<Vec<u8>, ObservationError> {
        (self.roster.answer)(self.index, observation)
    }
}

/// The opponents of one ruleset, without its types.
struct Roster {
    ruleset: &'static str,
    opponents: usize,
    about: fn(usize) -> About,
    answer: fn(usize, &[u8]) -> Result<Vec<u8>, ObservationError>,
}

/// A [`BuiltIn`] without its function.
struct About {
    name: &'static str,
    version: u32,
    digest: &'static str,
    made_for: Option<&'static str>,
    about: &'static str,
}

impl Roster {
    const fn of<P: Opponents>() -> Roster {
        Roster { ruleset: P::ID, opponents: P::ALL.len(), about: about::<P>, answer: answer::<P> }
    }
}

/// Every ruleset with built-in opponents; modules for pages contain some of them, as in `arena_wire::GAMES`.
static ROSTERS: &[Roster] = &[
    #[cfg(not(arena_games = "wide"))]
    Roster::of::<arena_rules::conquerors::Position>(),
    #[cfg(not(arena_games = "wide"))]
    Roster::of::<arena_rules::war_of_life::Position>(),
    #[cfg(not(arena_games = "wide"))]
    Roster::of::<arena_rules::game_of_game_of_life::Position>(),
    #[cfg(not(arena_games = "narrow"))]
    Roster::of::<arena_rules::life2::Position>(),
    #[cfg(arena_tiny_game)]
    Roster::of::<arena_wire::tiny_game::Position>(),
];

fn about<P: Opponents>(index: usize) -> About {
    let BuiltIn { name, version, digest, made_for, about, .. } = P::ALL[index];
    About { name, version, digest, made_for, about }
}

fn answer<P: Opponents>(index: usize, observation: &[u8]) -> Result<Vec<u8>, ObservationError> {
    let Observation { position, seat, seat_seed } = Observation::<P>::decode(observation)?;
    let BuiltIn { name, choose, .. } = P::ALL[index];
    let nothing = || ObservationError::Position("not one in which it has an action, for ".to_string() + name);
    let action = choose(&position, seat, &seat_seed).ok_or_else(nothing)?;
    Ok(P::encode_action(&action))
}
