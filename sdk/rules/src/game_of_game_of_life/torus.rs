//! Bits on a torus: the arithmetic that all planes of one side share.

/// Words of the largest plane.
pub(super) const WORDS_MAX: usize = 12;

/// A torus of `SIDE` x `SIDE` cells in `WORDS` words, each with the bits of several whole rows, row by row from bit 0.
pub(super) struct Torus<const SIDE: u32, const WORDS: usize>;

/// Calls `$work::<SIDE, WORDS>($arguments)` with the constants of a side.
macro_rules! on_side {
    ($side:expr, $work:ident($($argument:expr),* $(,)?)) => {
        match $side {
            $crate::game_of_game_of_life::Side::Twelve => $work::<12, 3>($($argument),*),
            $crate::game_of_game_of_life::Side::Eighteen => $work::<18, 6>($($argument),*),
            $crate::game_of_game_of_life::Side::TwentyFour => $work::<24, 12>($($argument),*),
        }
    };
}
pub(super) use on_side;

impl<const SIDE: u32, const WORDS: usize> Torus<SIDE, WORDS> {
    /// Rows in a word.
    const ROWS: u32 = SIDE / WORDS as u32;
    /// From a word's first row to its last.
    const TO_LAST_ROW: u32 = SIDE * (Self::ROWS - 1);
    /// The bits of a word that are on the board.
    pub(super) const ALL: u64 = (1 << (SIDE * Self::ROWS)) - 1;
    const FIRST_COLUMN: u64 = {
        let (mut column, mut row) = (0, 0);
        while row < Self::ROWS {
            column |= 1 << (row * SIDE);
            row += 1;
        }
        column
    };
    const LAST_COLUMN: u64 = Self::FIRST_COLUMN << (SIDE - 1);

    /// Each cell gets the value of its neighbour in the previous column.
    #[inline(always)]
    fn west(word: u64) -> u64 {
        (word & !Self::LAST_COLUMN) << 1 | word >> (SIDE - 1) & Self::FIRST_COLUMN
    }

    /// Each cell gets the value of its neighbour in the next column.
    #[inline(always)]
    fn east(word: u64) -> u64 {
        word >> 1 & !Self::LAST_COLUMN | (word & Self::FIRST_COLUMN) << (SIDE - 1)
    }

    /// Each cell of word `at` gets the value of its neighbour in the previous row.
    #[inline(always)]
    fn north(words: &[u64; WORDS], at: usize) -> u64 {
        let before = words[if at == 0 { WORDS - 1 } else { at - 1 }];
        words[at] << SIDE & Self::ALL | before >> Self::TO_LAST_ROW
    }

    /// Each cell of word `at` gets the value of its neighbour in the next row.
    #[inline(always)]
    fn south(words: &[u64; WORDS], at: usize) -> u64 {
        let after = words[if at + 1 == WORDS { 0 } else { at + 1 }];
        words[at] >> SIDE | after << Self::TO_LAST_ROW & Self::ALL
    }

    /// The words of a plane that this side uses.
    #[inline(always)]
    pub(super) fn words(plane: &[u64; WORDS_MAX]) -> [u64; WORDS] {
        core::array::from_fn(|at| plane[at])
    }

    /// The words in a plane's array.
    #[inline(always)]
    pub(super) fn plane(words: [u64; WORDS]) -> [u64; WORDS_MAX] {
        core::array::from_fn(|at| if at < WORDS { words[at] } else { 0 })
    }

    /// The cells that survive the next generation, and those that are born in it.
    #[inline(always)]
    pub(super) fn fates(living: &[u64; WORDS]) -> ([u64; WORDS], [u64; WORDS]) {
        let counts = Self::counts(living);
        let two_or_three: [u64; WORDS] = core::array::from_fn(|at| exactly_one(counts[at].pairs));
        let survivors = core::array::from_fn(|at| living[at] & two_or_three[at]);
        let born = core::array::from_fn(|at| two_or_three[at] & counts[at].odd & !living[at]);
        (survivors, born)
    }

    /// For the cells of each word, how many of their eight neighbours are set.
    #[inline(always)]
    pub(super) fn counts(words: &[u64; WORDS]) -> [Count; WORDS] {
        // The sums of three cells in a row, in two bits.
        let sums: [(u64, u64); WORDS] =
            core::array::from_fn(|at| full_add(Self::west(words[at]), words[at], Self::east(words[at])));
        let (ones, twos) = (sums.map(|(ones, _)| ones), sums.map(|(_, twos)| twos));
        core::array::from_fn(|at| {
            let (west, east) = (Self::west(words[at]), Self::east(words[at]));
            let (odd, carry) = full_add(Self::north(&ones, at), west ^ east, Self::south(&ones, at));
            Count { odd, pairs: [Self::north(&twos, at), west & east, Self::south(&twos, at), carry] }
        })
    }

    /// The cells with at least two of their eight neighbours set.
    #[inline(always)]
    pub(super) fn two_around(words: &[u64; WORDS]) -> [u64; WORDS] {
        let one: [u64; WORDS] = core::array::from_fn(|at| Self::west(words[at]) | words[at] | Self::east(words[at]));
        let two: [u64; WORDS] =
            core::array::from_fn(|at| majority(Self::west(words[at]), words[at], Self::east(words[at])));
        core::array::from_fn(|at| {
            let (west, east) = (Self::west(words[at]), Self::east(words[at]));
            let within_a_row = Self::north(&two, at) | Self::south(&two, at) | west & east;
            within_a_row | majority(Self::north(&one, at), west | east, Self::south(&one, at))
        })
    }

    /// The set cells and their neighbours.
    #[inline(always)]
    pub(super) fn grown(words: &[u64; WORDS]) -> [u64; WORDS] {
        let rows: [u64; WORDS] = core::array::from_fn(|at| Self::west(words[at]) | words[at] | Self::east(words[at]));
        core::array::from_fn(|at| Self::north(&rows, at) | rows[at] | Self::south(&rows, at))
    }
}

/// Per cell a number of neighbours: `odd` + 2 x (how many of the four `pairs` are set).
#[derive(Clone, Copy)]
pub(super) struct Count {
    pub(super) odd: u64,
    pub(super) pairs: [u64; 4],
}

/// The sum of three bits: ones and twos.
#[inline(always)]
fn full_add(a: u64, b: u64, c: u64) -> (u64, u64) {
    let half = a ^ b;
    (half ^ c, a & b | half & c)
}

/// Where at least two of three bits are set.
#[inline(always)]
fn majority(a: u64, b: u64, c: u64) -> u64 {
    a & b | (a | b) & c
}

/// Where exactly one of the four bits is set.
#[inline(always)]
fn exactly_one([a, b, c, d]: [u64; 4]) -> u64 {
    (a ^ b ^ c ^ d) & !(a & b | c & d)
}
