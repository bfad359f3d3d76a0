//! Where the service's random bytes come from: seeds of games, ids of rooms, secrets of editions.

use std::collections::BTreeMap;
use std::sync::Arc;

use arena_store::{StoreError, random_bytes};
use parking_lot::Mutex;
use sha2::{Digest as _, Sha256};

/// The operating system's random bytes, or the same in each run of a test: what a test shows must not depend on which
/// seed its games drew.
#[derive(Clone)]
pub struct Random(Option<Arc<Mutex<BTreeMap<&'static str, u64>>>>);

impl Random {
    /// Bytes that nobody can guess.
    pub fn system() -> Random {
        Random(None)
    }

    /// The same bytes in each run, for tests. Each purpose has a sequence of its own, so tasks that run beside each
    /// other do not change what the others draw. Clones share their sequences.
    pub fn repeatable() -> Random {
        Random(Some(Arc::default()))
    }

    /// The next bytes for a purpose, at most 32.
    ///
    /// # Errors
    /// When the operating system's source fails.
    pub(crate) fn bytes<const N: usize>(&self, purpose: &'static str) -> Result<[u8; N], StoreError> {
        const { assert!(N <= 32, "a digest has 32 bytes") };
        let Some(drawn) = &self.0 else { return random_bytes() };
        let mut drawn = drawn.lock();
        let count = drawn.entry(purpose).or_default();
        *count += 1;
        let digest = Sha256::digest(format!("{purpose} {count}"));
        Ok(std::array::from_fn(|index| digest[index]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeatable_bytes_are_the_same_in_each_run_and_never_twice_in_one() {
        let draw = |random: &Random, purpose| random.bytes::<16>(purpose).expect("no system is asked");
        let (one, other) = (Random::repeatable(), Random::repeatable());
        let first = draw(&one, "rooms");
        let second = draw(&one.clone(), "rooms");
        assert_ne!(first, second);
        assert_ne!(draw(&other, "editions"), first);
        assert_eq!([draw(&other, "rooms"), draw(&other, "rooms")], [first, second]);
    }

    #[test]
    fn the_systems_bytes_do_not_repeat() {
        let draw = |random: &Random| random.bytes::<32>("rooms").expect("the system has some");
        assert_ne!(draw(&Random::system()), draw(&Random::system()));
    }
}
