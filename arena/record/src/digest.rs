//! The digest of a game: a hash over what was played and where it led.

use arena_rules::{Outcome, Seat};
use sha2::{Digest as _, Sha256};

/// A SHA-256 value.
pub type Digest = [u8; 32];

/// Separates these hashes from all others.
const TAG: &[u8] = b"arena/game-digest/1";

/// A running digest of a game. Each step is SHA-256 over the previous digest, a kind byte, and parts that are each
/// preceded by their length as four little-endian bytes, so that different games never feed it the same bytes.
///
/// It covers ruleset, options, actions and positions, but neither seed, entrants nor fuel: two games that were played
/// alike have equal digests whatever their seeds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Chain(Digest);

impl Chain {
    /// The digest of a game of `ruleset` with `options` that starts in a position with these bytes.
    pub fn start(ruleset: &str, options: &str, state: &[u8]) -> Chain {
        Chain([0; 32]).step(b's', &[TAG, ruleset.as_bytes(), options.as_bytes(), state])
    }

    /// The digest after a turn: each seat's action in seat order, then the position after it.
    #[must_use]
    pub fn turn<'a>(self, actions: impl IntoIterator<Item = (Seat, &'a [u8])>, state: &[u8]) -> Chain {
        let played = actions.into_iter().fold(self, |chain, (seat, action)| chain.step(b'a', &[&[seat.0], action]));
        played.step(b'p', &[state])
    }

    /// The digest of the finished game.
    pub fn end(self, outcome: &Outcome) -> Digest {
        let winner = [outcome.winner.map_or(0xff, |seat| seat.0)];
        let tally: Vec<u8> = outcome.tally.values().iter().flat_map(|tally| tally.to_le_bytes()).collect();
        self.step(b'e', &[&winner, outcome.reason.code().as_bytes(), &tally]).0
    }

    /// The first eight bytes, as turns carry them.
    pub fn short(&self) -> [u8; 8] {
        let [a, b, c, d, e, f, g, h, ..] = self.0;
        [a, b, c, d, e, f, g, h]
    }

    fn step(self, kind: u8, parts: &[&[u8]]) -> Chain {
        let mut hasher = Sha256::new();
        hasher.update(self.0);
        hasher.update([kind]);
        for part in parts {
            hasher.update((part.len() as u32).to_le_bytes());
            hasher.update(part);
        }
        Chain(hasher.finalize().into())
    }
}
