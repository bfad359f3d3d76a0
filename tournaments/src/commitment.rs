//! Seeds that nobody can choose.
//!
//! The hash of a secret is published before entry closes: the commitment. When the field is frozen, before the first
//! game, the secret is revealed, and the seed is a hash of the secret and all entrants. No entrant knows the secret
//! beforehand, and the party that drew it can no longer change it. Arithmetic cannot prove that the commitment was
//! published in time.
//!
//! ```
//! use arena_record::EntrantId;
//! use arena_tournaments::Secret;
//!
//! let secret = Secret([7; 32]);
//! let published = secret.commitment();
//! let entrants = [EntrantId::of_baseline("easy", 1), EntrantId::of_bytes(b"a bot")];
//! let seed = secret.seed(&entrants);
//! // Later, anybody:
//! assert!(secret.commitment() == published && secret.seed(&entrants) == seed);
//! ```

use std::fmt;

use arena_record::{EntrantId, Hex};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::limits::SEED_MAX;

/// Separates the hashes used as seeds from all others.
const TAG: &[u8] = b"arena/drawn-seed/1";

/// The secret for drawing a seed: 32 unpredictable bytes, known only to the party that drew them until they are
/// revealed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Secret(pub [u8; 32]);

/// The SHA-256 of a secret's 32 bytes, published before entry closes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Commitment(pub Hex<32>);

/// How a tournament's seed was drawn: written into its definition when its field is frozen, so the secret is revealed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draw {
    /// The secret it was drawn with.
    pub secret: Secret,
    /// The commitment to the secret of the tournament that follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Commitment>,
    /// Whether later rounds have their own seeds: each is drawn when the round's entrants are frozen, with the next
    /// secret of a [`SecretChain`] that begins with this one. A late entrant therefore cannot know the games in
    /// advance.
    #[serde(default, skip_serializing_if = "is_alone")]
    pub chain: bool,
}

/// Whether the seed is drawn with a single secret.
fn is_alone(chain: &bool) -> bool {
    !chain
}

/// Secrets of a tournament with late entry: one is revealed when the entrants of its round are frozen. Each is the hash
/// of the next, so one commitment binds them all, and a revealed secret says nothing about later ones.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretChain(Vec<Secret>);

impl Secret {
    /// The commitment to publish beforehand.
    pub fn commitment(&self) -> Commitment {
        Commitment(Hex(Sha256::digest(self.0).into()))
    }

    /// The seed of a tournament of these entrants, in any order. It is taken from the SHA-256 of a tag, the secret and
    /// the sorted entrants' ids, each preceded by its length as four little-endian bytes: the first eight bytes as a
    /// little-endian number without its highest bit, so at most [`SEED_MAX`].
    pub fn seed<'a>(&self, entrants: impl IntoIterator<Item = &'a EntrantId>) -> u64 {
        let mut ids: Vec<&str> = entrants.into_iter().map(EntrantId::as_str).collect();
        ids.sort_unstable();
        let mut hasher = Sha256::new().chain_update(TAG).chain_update(self.0);
        for id in ids {
            hasher.update((id.len() as u32).to_le_bytes());
            hasher.update(id);
        }
        let bytes: [u8; 32] = hasher.finalize().into();
        bytes[..8].iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte)) & SEED_MAX
    }

    /// This revealed secret of a [`SecretChain`] as the commitment to the next one.
    pub fn as_commitment(&self) -> Commitment {
        Commitment(Hex(self.0))
    }
}

/// Prints nothing of the secret, which may not be revealed yet.
impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(..)")
    }
}

impl Serialize for Secret {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Hex(self.0).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Secret {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Secret, D::Error> {
        Hex::deserialize(deserializer).map(|Hex(bytes)| Secret(bytes))
    }
}

impl SecretChain {
    /// The secrets of a number of rounds, all derived from the last one.
    pub fn new(last: Secret, rounds: usize) -> SecretChain {
        let before = |after: &Secret| Some(Secret(after.commitment().0.0));
        let mut secrets: Vec<Secret> = std::iter::successors(Some(last), before).take(rounds).collect();
        secrets.reverse();
        SecretChain(secrets)
    }

    /// The commitment to publish before the first round; `None` without rounds.
    pub fn commitment(&self) -> Option<Commitment> {
        self.0.first().map(Secret::commitment)
    }

    /// The secret of a round, counted from 0; `None` past the last.
    pub fn secret(&self, round: usize) -> Option<&Secret> {
        self.0.get(round)
    }
}

impl fmt::Debug for SecretChain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SecretChain({} rounds)", self.0.len())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn field() -> Vec<EntrantId> {
        vec![EntrantId::of_baseline("easy", 1), EntrantId::of_bytes(b"mason"), EntrantId::of_bytes(b"gardener")]
    }

    #[test]
    fn seeds_and_commitments_are_what_anybody_computes() {
        // Source: the documented bytes through another SHA-256, `python3 -c` with hashlib.
        let secret = Secret(std::array::from_fn(|place| place as u8));
        let commitment = "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd";
        assert_eq!(secret.commitment().0.to_string(), commitment);
        assert_eq!(secret.seed(&field()), 252_634_466_563_426_276);
    }

    #[test]
    fn a_seed_depends_on_who_plays_and_the_secret_and_not_on_an_order() {
        let secret = Secret([1; 32]);
        let seed = secret.seed(&field());
        let mut turned = field();
        turned.rotate_left(1);
        assert_eq!(secret.seed(&turned), seed);
        let twice: Vec<EntrantId> = field().into_iter().chain(field().pop()).collect();
        let other = vec![field()[0].clone(), field()[1].clone(), EntrantId::of_bytes(b"another")];
        let seeds =
            [secret.seed(&field()[1..]), secret.seed(&twice), secret.seed(&other), Secret([2; 32]).seed(&field())];
        let different: BTreeSet<u64> = seeds.into_iter().chain([seed]).collect();
        assert_eq!(different.len(), 5, "{different:?}");
        assert!(different.iter().all(|seed| *seed <= SEED_MAX));
    }

    #[test]
    fn every_secret_of_a_chain_is_bound_by_the_one_before_and_the_first_by_the_commitment() {
        for rounds in [1, 2, 64] {
            let last = Secret([9; 32]);
            let chain = SecretChain::new(last, rounds);
            let mut published = chain.commitment().expect("there are rounds");
            let mut seeds = BTreeSet::new();
            for round in 0..rounds {
                let secret = chain.secret(round).expect("a round");
                assert_eq!(secret.commitment(), published, "round {round} of {rounds}");
                seeds.insert(secret.seed(&field()));
                published = secret.as_commitment();
            }
            assert_eq!(seeds.len(), rounds, "no round has the seed of another");
            assert_eq!(chain.secret(rounds - 1), Some(&last));
            assert_eq!(chain.secret(rounds), None);
        }
        assert_eq!(SecretChain::new(Secret([9; 32]), 0).commitment(), None);
    }

    #[test]
    fn a_secret_is_in_no_log() {
        let secret = Secret([0xab; 32]);
        let chain = SecretChain::new(secret, 3);
        assert_eq!(format!("{secret:?} {chain:?}"), "Secret(..) SecretChain(3 rounds)");
    }
}
