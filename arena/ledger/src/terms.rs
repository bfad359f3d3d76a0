//! The common terms of the games of a tournament or a match.

use std::collections::BTreeMap;

use arena_record::{Budgets, EntrantId, Header, Hex};
use arena_rules::Seed;

use crate::semantics::{opponent_digests, semantics_id};

/// Ruleset, options and budgets of games, so all of a header except seed and entrants.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Terms {
    header: Header,
}

impl Terms {
    /// Games of `ruleset` with `options` under `budgets`, played by `build`.
    pub fn new(build: &str, ruleset: &str, options: &str, budgets: Budgets) -> Terms {
        let header = Header {
            semantics: semantics_id(ruleset),
            build: build.into(),
            ruleset: ruleset.into(),
            options: options.into(),
            budgets,
            seed: Hex([0; 32]),
            entrants: Vec::new(),
            opponents: BTreeMap::new(),
        };
        Terms { header }
    }

    /// The terms of two-seat games of the same kind; the same terms if games have two seats anyway.
    pub fn duel(&self) -> Terms {
        let Header { ruleset, options, .. } = &self.header;
        // Unknown options are reported when the first game is played.
        let duel = arena_wire::shape(ruleset, options).ok().and_then(|shape| shape.duel);
        let options = duel.unwrap_or_else(|| options.clone());
        Terms { header: Header { options, ..self.header.clone() } }
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
}
