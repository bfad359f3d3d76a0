//! Living cells, and owners of the ground.

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use super::cells::{bits, has};
use super::{Cell, Side};

/// Kingdoms at a time. Source: the founding document, "Max slots".
pub const SLOTS: usize = 9;

/// Bits of an owner's number: 0 is neutral, others are slots.
pub(super) const OWNER_BITS: usize = 4;

/// A kingdom's place in the world, from 1 to [`SLOTS`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Slot(u8);

impl Slot {
    /// Every slot.
    pub fn all() -> impl Iterator<Item = Slot> + Clone {
        (1..=SLOTS as u8).map(Slot)
    }

    /// The slot with this number.
    pub fn new(number: u8) -> Option<Slot> {
        (1..=SLOTS as u8).contains(&number).then_some(Slot(number))
    }

    /// Its number, from 1.
    pub fn number(self) -> u8 {
        self.0
    }

    /// Its number, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0) - 1
    }
}

impl fmt::Display for Slot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "slot {}", self.0)
    }
}

/// Living cells and the ground's owners. A cell's colour is that of its ground's owner; ground outlives its cells.
#[derive(Clone, PartialEq, Eq)]
pub struct Ground {
    side: Side,
    /// Living cells: one bit for each cell, row by row, the lowest bit leftmost.
    pub(super) alive: Vec<u64>,
    /// The bits of the owners' numbers for the same cells, the lowest first.
    pub(super) owners: Vec<[u64; OWNER_BITS]>,
}

/// Shows a summary, because all cells would be too long.
impl fmt::Debug for Ground {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Ground {{ side: {:?}, census: {:?} }}", self.side, self.census())
    }
}

/// Counts of one owner.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Census {
    /// Living cells.
    pub cells: u32,
    /// Cells of ground, living or not.
    pub ground: u32,
}

impl Ground {
    /// Neutral ground without living cells.
    pub fn empty(side: Side) -> Ground {
        Ground { side, alive: vec![0; side.words()], owners: vec![[0; OWNER_BITS]; side.words()] }
    }

    /// Rows and columns.
    pub fn side(&self) -> Side {
        self.side
    }

    /// Living cells: one bit for each cell, row by row, 64 cells a word, the lowest bit leftmost.
    pub fn alive(&self) -> &[u64] {
        &self.alive
    }

    /// Whether a cell lives.
    pub fn is_alive(&self, cell: Cell) -> bool {
        self.lives(self.side.index(cell))
    }

    /// The ground's owner; `None` if it is neutral.
    pub fn owner(&self, cell: Cell) -> Option<Slot> {
        Slot::new(self.owner_at(self.side.index(cell)))
    }

    /// Brings a cell to life or kills it.
    pub fn set_alive(&mut self, cell: Cell, alive: bool) {
        self.set_lives(self.side.index(cell), alive);
    }

    /// Gives ground to a slot, or to nobody.
    pub fn set_owner(&mut self, cell: Cell, owner: Option<Slot>) {
        self.set_owner_at(self.side.index(cell), owner.map_or(0, Slot::number));
    }

    pub(super) fn lives(&self, index: usize) -> bool {
        has(&self.alive, index)
    }

    pub(super) fn owner_at(&self, index: usize) -> u8 {
        owner_in(&self.owners[index / 64], index % 64)
    }

    pub(super) fn set_lives(&mut self, index: usize, alive: bool) {
        let (word, bit) = (&mut self.alive[index / 64], 1 << (index % 64));
        *word = if alive { *word | bit } else { *word & !bit };
    }

    pub(super) fn set_owner_at(&mut self, index: usize, owner: u8) {
        let (word, place) = (&mut self.owners[index / 64], index % 64);
        for (bit, plane) in word.iter_mut().enumerate() {
            *plane = *plane & !(1 << place) | u64::from(owner >> bit & 1) << place;
        }
    }

    /// The cells of a word of 64 whose ground belongs to an owner.
    #[inline]
    pub(super) fn owned_word(&self, word: usize, owner: u8) -> u64 {
        let planes = &self.owners[word];
        (0..OWNER_BITS).fold(!0, |owned, bit| owned & if owner >> bit & 1 == 1 { planes[bit] } else { !planes[bit] })
    }

    /// The indices of an owner's ground, ascending; for 0, of neutral ground.
    pub(super) fn indices_of(&self, owner: u8) -> impl Iterator<Item = usize> {
        (0..self.owners.len()).flat_map(move |word| bits(self.owned_word(word, owner)).map(move |bit| 64 * word + bit))
    }

    /// The living cells, row by row.
    pub fn living(&self) -> impl Iterator<Item = Cell> {
        let (side, words) = (self.side, self.alive.iter().enumerate());
        words.flat_map(move |(word, alive)| bits(*alive).map(move |bit| side.cell(64 * word + bit)))
    }

    /// A slot's ground, row by row.
    pub fn of(&self, slot: Slot) -> impl Iterator<Item = Cell> {
        self.indices_of(slot.0).map(|index| self.side.cell(index))
    }

    /// Turns an owner's ground neutral and kills its cells.
    pub(super) fn clear_owner(&mut self, owner: u8) {
        for word in 0..self.owners.len() {
            let owned = self.owned_word(word, owner);
            if owned != 0 {
                self.alive[word] &= !owned;
                self.owners[word].iter_mut().for_each(|plane| *plane &= !owned);
            }
        }
    }

    /// Counts by owner: neutral first, then the slots in order.
    pub fn census(&self) -> [Census; SLOTS + 1] {
        let mut census = [Census::default(); SLOTS + 1];
        for (word, alive) in self.alive.iter().enumerate() {
            // Most of what a bot knows of a world is nobody's.
            if self.owners[word] == [0; OWNER_BITS] {
                census[0].ground += u64::BITS;
                census[0].cells += alive.count_ones();
                continue;
            }
            for (owner, count) in (0..).zip(&mut census) {
                let owned = self.owned_word(word, owner);
                count.ground += owned.count_ones();
                count.cells += (owned & alive).count_ones();
            }
        }
        census
    }

    /// The owners with living cells: bit n for owner n.
    pub(super) fn living_owners(&self) -> u16 {
        let alive = self.alive.iter().zip(&self.owners).filter(|(alive, _)| **alive != 0);
        alive
            .flat_map(|(alive, planes)| bits(*alive).map(move |bit| owner_in(planes, bit)))
            .fold(0, |all, owner| all | 1 << owner)
    }

    /// Whether a slot has a living cell; searched from a row on where one is likely.
    pub(super) fn has_living(&self, slot: Slot, row: u16) -> bool {
        let from = usize::from(row) * self.side.words_a_row() % self.alive.len();
        let words = (from..self.alive.len()).chain(0..from);
        words.into_iter().any(|word| self.alive[word] != 0 && self.owned_word(word, slot.0) & self.alive[word] != 0)
    }
}

/// The owner of the cell at a place in a word.
fn owner_in(planes: &[u64; OWNER_BITS], place: usize) -> u8 {
    (0..OWNER_BITS).fold(0, |owner, bit| owner | ((planes[bit] >> place & 1) as u8) << bit)
}
