//! The only source of randomness: ChaCha8 with our own mapping to numbers.
//!
//! Library distributions change between versions, so the mapping from words to indices is ours and is part of the
//! contract (`sdk/ABI.md` has vectors).

use crate::chacha::ChaCha8;

/// A seed: 256 bits, the key of the generator.
pub type Seed = [u8; 32];

/// ChaCha8 keyed by a [`Seed`], read as little-endian 32-bit words.
///
/// `stream` is the generator's 64-bit nonce: the same seed gives an independent sequence for every stream.
#[derive(Clone, Debug)]
pub struct Rng(ChaCha8);

impl Rng {
    /// The generator for `seed`, at the start of `stream`.
    pub fn new(seed: &Seed, stream: u64) -> Rng {
        Rng(ChaCha8::new(seed, stream))
    }

    /// The next word, uniform over all 2^32 values.
    pub fn word(&mut self) -> u32 {
        self.0.word()
    }

    /// A number in `0..n`: the high half of `word * n`. The bias is below n / 2^32.
    /// One word is drawn even for `n` = 0 or 1, which give 0.
    pub fn below(&mut self, n: u32) -> u32 {
        scale(self.word(), n)
    }

    /// Fisher-Yates from the last item down; `len - 1` words are drawn.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for last in (1..items.len()).rev() {
            let other = self.below(last as u32 + 1) as usize;
            items.swap(last, other);
        }
    }
}

/// Maps a uniform word to `0..n`: `word * n / 2^32`, rounded down.
pub fn scale(word: u32, n: u32) -> u32 {
    ((u64::from(word) * u64::from(n)) >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scale_covers_the_range_and_never_leaves_it() {
        assert_eq!(scale(0, 10), 0);
        assert_eq!(scale(u32::MAX, 10), 9);
        assert_eq!(scale(u32::MAX, 1), 0);
        assert_eq!(scale(u32::MAX, 0), 0);
        assert_eq!(scale(1 << 31, 10), 5);
    }

    #[test]
    fn streams_and_seeds_are_independent() {
        let first = |seed: Seed, stream| Rng::new(&seed, stream).word();
        assert_eq!(first([7; 32], 3), first([7; 32], 3));
        assert_ne!(first([7; 32], 3), first([7; 32], 4));
        assert_ne!(first([7; 32], 3), first([8; 32], 3));
    }

    #[test]
    fn shuffle_keeps_every_item() {
        let mut items: [u8; 20] = core::array::from_fn(|i| i as u8);
        Rng::new(&[1; 32], 0).shuffle(&mut items);
        assert_ne!(items, core::array::from_fn(|i| i as u8));
        items.sort_unstable();
        assert_eq!(items, core::array::from_fn(|i| i as u8));
    }
}
