//! ChaCha with 8 rounds, with each row of a block in a vector. Other crates use vectors only natively; in a bot their generators would cost
//! more than its moves.

use core::array::from_fn;

use crate::lanes::{LANES, Lanes};

/// Rounds of columns, each with one of diagonals.
const DOUBLE_ROUNDS: usize = 4;
/// Words of a block, a square.
const WORDS: usize = LANES * LANES;
/// Blocks that are computed together: while one waits for a result, the processor works on the other. With more of them the rows
/// would not fit into sixteen registers.
const BLOCKS: usize = 2;
/// The first row of every block: "expand 32-byte k".
const CONSTANTS: [u32; LANES] = [0x6170_7865, 0x3320_646e, 0x7962_2d32, 0x6b20_6574];

/// The rows of the blocks: each row of the first block, then of the second.
type Rows = [[Lanes; BLOCKS]; LANES];

/// A key's words in one stream, from the first.
#[derive(Clone, Debug)]
pub(crate) struct ChaCha8 {
    key: [[u32; LANES]; 2],
    stream: u64,
    /// The number of the next block to compute.
    next: u64,
    words: [u32; BLOCKS * WORDS],
    /// How many of these words have been used.
    used: usize,
}

impl ChaCha8 {
    pub(crate) fn new(key: &[u8; 32], stream: u64) -> ChaCha8 {
        let bytes = key.as_chunks().0;
        let key = from_fn(|row| from_fn(|lane| u32::from_le_bytes(bytes[LANES * row + lane])));
        let words = [0; BLOCKS * WORDS];
        ChaCha8 { key, stream, next: 0, words, used: words.len() }
    }

    #[inline]
    pub(crate) fn word(&mut self) -> u32 {
        if self.used >= self.words.len() {
            self.refill();
        }
        let word = self.words[self.used];
        self.used += 1;
        word
    }

    #[inline(never)]
    fn refill(&mut self) {
        let last = |block: usize| {
            let ([number, carry], [low, high]) = (halves(self.next.wrapping_add(block as u64)), halves(self.stream));
            Lanes::new([number, carry, low, high])
        };
        let [constants, upper, lower] = [CONSTANTS, self.key[0], self.key[1]].map(|row| [Lanes::new(row); BLOCKS]);
        let start: Rows = [constants, upper, lower, from_fn(last)];
        let mut rows = start;
        for _ in 0..DOUBLE_ROUNDS {
            quarters(&mut rows);
            // Diagonals become columns, and are moved back afterwards.
            let [a, b, c, d] = rows;
            rows = [a, b.map(Lanes::turned::<1>), c.map(Lanes::turned::<2>), d.map(Lanes::turned::<3>)];
            quarters(&mut rows);
            let [a, b, c, d] = rows;
            rows = [a, b.map(Lanes::turned::<3>), c.map(Lanes::turned::<2>), d.map(Lanes::turned::<1>)];
        }
        for (at, words) in self.words.as_chunks_mut().0.iter_mut().enumerate() {
            let (block, row) = (at / LANES, at % LANES);
            *words = (rows[row][block] + start[row][block]).words();
        }
        self.next = self.next.wrapping_add(BLOCKS as u64);
        self.used = 0;
    }
}

fn halves(number: u64) -> [u32; 2] {
    [number as u32, (number >> u32::BITS) as u32]
}

/// The quarter rounds of all columns.
#[inline(always)]
fn quarters([a, b, c, d]: &mut Rows) {
    add(a, b);
    turn::<16, 16>(d, a);
    add(c, d);
    turn::<12, 20>(b, c);
    add(a, b);
    turn::<8, 24>(d, a);
    add(c, d);
    turn::<7, 25>(b, c);
}

#[inline(always)]
fn add(row: &mut [Lanes; BLOCKS], other: &[Lanes; BLOCKS]) {
    *row = from_fn(|block| row[block] + other[block]);
}

#[inline(always)]
fn turn<const UP: i32, const DOWN: i32>(row: &mut [Lanes; BLOCKS], other: &[Lanes; BLOCKS]) {
    *row = from_fn(|block| (row[block] ^ other[block]).rotated::<UP, DOWN>());
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    use super::*;

    /// Numbers of blocks at which the lower half overflows, and any others.
    fn any_block() -> impl Strategy<Value = u64> {
        let before = |end: u64| (0..3_u64).prop_map(move |blocks| end.wrapping_sub(blocks));
        prop_oneof![Just(0), before(1 << 32), before(0), any::<u64>()]
    }

    proptest! {
        #[test]
        fn words_are_those_of_another_implementation(
            key: crate::Seed,
            stream: u64,
            block in any_block(),
            words in 0..5 * BLOCKS * WORDS,
        ) {
            let (mut ours, mut theirs) = (ChaCha8::new(&key, stream), ChaCha8Rng::from_seed(key));
            ours.next = block;
            theirs.set_stream(stream);
            theirs.set_word_pos(u128::from(block) * WORDS as u128);
            for _ in 0..words {
                prop_assert_eq!(ours.word(), theirs.next_u32());
            }
        }
    }
}
