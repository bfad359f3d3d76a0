//! The common terms of the games of a tournament or a match, and who plays them.

use arena_ledger::Terms;
use arena_record::{Budgets, EntrantId, Header};
use arena_rules::Seed;
use arena_worker::Wall;

/// Ruleset, options and budgets of games, so all of a header except seed and entrants; and the wall budget, which
/// protects the machine and is not in the header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameTerms {
    terms: Terms,
    wall: Wall,
}

/// The release and the engine, as noted in results.
pub fn build_id() -> String {
    format!("arena {} {}", env!("CARGO_PKG_VERSION"), arena_sandbox::build())
}

impl GameTerms {
    /// Games of `ruleset` with `options` under `budgets`.
    pub fn new(ruleset: &str, options: &str, budgets: Budgets, wall: Wall) -> GameTerms {
        GameTerms { terms: Terms::new(&build_id(), ruleset, options, budgets), wall }
    }

    /// The header of a game under these terms.
    pub fn header(&self, seed: Seed, entrants: Vec<EntrantId>) -> Header {
        self.terms.header(seed, entrants)
    }

    /// How long a turn may take before it counts as a platform fault and the game is played again.
    pub fn wall(&self) -> Wall {
        self.wall
    }
}
