//! The common terms of the games of a tournament or a match.

use std::collections::BTreeMap;

use arena_record::{Budgets, EntrantId, Header, Hex};
use arena_rules::Seed;
use arena_worker::Wall;

use crate::{build_id, opponent_digests, semantics_id};

/// Ruleset, options and budgets of games, so all of a header except seed and entrants; and the wall budget, which
/// protects the machine and is not in the header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameTerms {
    header: Header,
    wall: Wall,
}

impl GameTerms {
    /// Games of `ruleset` with `options` under `budgets`.
    pub fn new(ruleset: &str, options: &str, budgets: Budgets, wall: Wall) -> GameTerms {
        let header = Header {
            semantics: semantics_id(ruleset),
            build: build_id(),
            ruleset: ruleset.into(),
            options: options.into(),
            budgets,
            seed: Hex([0; 32]),
            entrants: Vec::new(),
            opponents: BTreeMap::new(),
        };
        GameTerms { header, wall }
    }

    /// The terms of two-seat games of the same kind; the same terms if games have two seats anyway.
    pub fn duel(&self) -> GameTerms {
        let Header { ruleset, options, .. } = &self.header;
        // Unknown options are reported when the first game is played.
        let duel = arena_wire::shape(ruleset, options).ok().and_then(|shape| shape.duel);
        let options = duel.unwrap_or_else(|| options.clone());
        GameTerms { header: Header { options, ..self.header.clone() }, wall: self.wall }
    }

    /// The header of a game under these terms.
    pub fn header(&self, seed: Seed, entrants: Vec<EntrantId>) -> Header {
        let opponents = opponent_digests(&self.header.ruleset, &entrants);
        Header { seed: Hex(seed), entrants, opponents, ..self.header.clone() }
    }

    /// The bots' budgets.
    pub fn budgets(&self) -> &Budgets {
        &self.header.budgets
    }

    /// How long a turn may take before it counts as a platform fault and the game is played again.
    pub fn wall(&self) -> Wall {
        self.wall
    }
}
