//! Seeds that nobody can choose.
//!
//! The hash of a secret is published before entry closes: the commitment. When the field is frozen, before the first game, the
//! secret is revealed, and the seed is a hash of it and of everybody who plays. An entrant does not know the secret, and
//! the one who knows it can no longer change it. That the commitment was published in time, arithmetic cannot show.
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

/// Sets the hashes that are seeds apart from all others.
const TAG: &[u8] = b"arena/drawn-seed/1";

/// What a seed is drawn with: 32 bytes that nobody can guess, and nobody but who drew them knows until they are revealed.
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
    /// What it was drawn with.
    pub secret: Secret,
    /// The commitment to the secret of the tournament that follows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<Commitment>,
    /// Whether later rounds have seeds of their own: each is drawn when the entrants of its round are frozen, with the next secret
    /// of a [`SecretChain`] that begins with this one. So a late entrant does not know what is to be played.
    #[serde(default, skip_serializing_if = "is_alone")]
    pub chain: bool,
}

/// Whether one secret is all that a seed is drawn with.
fn is_alone(chain: &bool) -> bool {
    !chain
}

/// Secrets of a tournament that may be entered late: one is revealed when the entrants of its round are frozen. Each is the hash
/// of the one after it, so one commitment binds them all, and a revealed one tells nothing of those to come.
#[derive(Clone, PartialEq, Eq)]
pub struct SecretChain(Vec<Secret>);

impl Secret {
    /// What is published of it before.
    pub fn commitment(&self) -> Commitment {
        Commitment(Hex(Sha256::digest(self.0).into()))
    }

    /// The seed of a tournament of these entrants, in whatever order: of the SHA-256 of a tag, the secret and the entrants' ids in
    /// order, each behind its length as four little-endian bytes, the first eight bytes as a little-endian number, without its
    /// highest bit, so at most [`SEED_MAX`].
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

    /// This secret of a [`SecretChain`], once it is revealed, as the commitment to the next one.
    pub fn as_commitment(&self) -> Commitment {
        Commitment(Hex(self.0))
    }
}

/// Says nothing of it: it may not be revealed yet.
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
    /// The secrets of so many rounds, all from the last one.
    pub fn new(last: Secret, rounds: usize) -> SecretChain {
        let before = |after: &Secret| Some(Secret(after.commitment().0.0));
        let mut secrets: Vec<Secret> = std::iter::successors(Some(last), before).take(rounds).collect();
        secrets.reverse();
        SecretChain(secrets)
    }

    /// What is published before the first round; `None` without rounds.
    pub fn commitment(&self) -> Option<Commitment> {
        self.0.first().map(Secret::commitment)
    }

    /// The secret of a round, from 0; `None` past the last.
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
