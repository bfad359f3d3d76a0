//! The fates of a generation, computed from the state before it: which cells survive, where cells are born, and who owns them.
//!
//! Works on whole words. Neighbours are counted with full adders. Each bit of an owner's number is the majority of the
//! three parents' bits, which gives the owner whenever two parents agree. Births with two dissenting bits, or with a neutral
//! result, are settled one by one.

use alloc::vec::Vec;
use core::array::from_fn;

use super::Ground;
use super::cells::bits;
use super::ground::{OWNER_BITS, SLOTS};

/// Births in a word of 64 cells.
pub(super) struct BirthWord {
    /// The index of the word.
    pub(super) word: usize,
    /// The cells of the word that are born.
    pub(super) born: u64,
    /// The bits of their owners' numbers.
    pub(super) owners: [u64; OWNER_BITS],
}

/// The fate of every cell.
pub(super) struct Fates {
    /// The surviving cells.
    pub(super) survivors: Vec<u64>,
    /// The births, ascending.
    pub(super) births: Vec<BirthWord>,
}

/// The sum of three bits: its ones and its twos.
fn full(a: u64, b: u64, c: u64) -> (u64, u64) {
    let half = a ^ b;
    (half ^ c, a & b | half & c)
}

/// For each cell of a word, its neighbour to the west.
fn west(word: u64, before: u64) -> u64 {
    word << 1 | before >> 63
}

/// For each cell of a word, its neighbour to the east.
fn east(word: u64, after: u64) -> u64 {
    word >> 1 | after << 63
}

/// For each cell of a row, the living cells among it and its two neighbours: ones and twos of the sums.
#[derive(Clone, Copy)]
struct Threes<const W: usize> {
    ones: [u64; W],
    twos: [u64; W],
}

fn threes<const W: usize>(row: &[u64; W]) -> Threes<W> {
    let (mut ones, mut twos) = ([0; W], [0; W]);
    for at in 0..W {
        let (w, e) = (west(row[at], row[(at + W - 1) % W]), east(row[at], row[(at + 1) % W]));
        (ones[at], twos[at]) = full(w, row[at], e);
    }
    Threes { ones, twos }
}

/// The fates in a row: survivors and births.
fn row_fates<const W: usize>(up: &Threes<W>, row: &[u64; W], down: &Threes<W>) -> ([u64; W], [u64; W]) {
    let (mut survivors, mut born) = ([0; W], [0; W]);
    for at in 0..W {
        let (w, e) = (west(row[at], row[(at + W - 1) % W]), east(row[at], row[(at + 1) % W]));
        let (ones, carried) = full(up.ones[at], w ^ e, down.ones[at]);
        let (twos, fours) = full(up.twos[at], w & e, down.twos[at]);
        let two_or_three = (twos ^ carried) & !(fours | twos & carried);
        survivors[at] = row[at] & two_or_three;
        born[at] = !row[at] & two_or_three & ones;
    }
    (survivors, born)
}

impl Fates {
    pub(super) fn of(ground: &Ground) -> Fates {
        match ground.side().words_a_row() {
            1 => Fates::by_rows::<1>(ground),
            2 => Fates::by_rows::<2>(ground),
            4 => Fates::by_rows::<4>(ground),
            8 => Fates::by_rows::<8>(ground),
            16 => Fates::by_rows::<16>(ground),
            32 => Fates::by_rows::<32>(ground),
            _ => Fates::by_rows::<64>(ground),
        }
    }

    fn by_rows<const W: usize>(ground: &Ground) -> Fates {
        let (rows, _) = ground.alive.as_chunks::<W>();
        let mut fates = Fates { survivors: Vec::with_capacity(ground.alive.len()), births: Vec::new() };
        let (Some(first), Some(last)) = (rows.first(), rows.last()) else { return fates };
        let (mut up, mut here) = (threes(last), threes(first));
        for (y, row) in rows.iter().enumerate() {
            let down = threes(&rows[(y + 1) % rows.len()]);
            let (survivors, born) = row_fates(&up, row, &down);
            fates.survivors.extend_from_slice(&survivors);
            for (at, born) in born.into_iter().enumerate().filter(|(_, born)| *born != 0) {
                let owners = heirs::<W>(ground, y, at, born);
                fates.births.push(BirthWord { word: y * W + at, born, owners });
            }
            (up, here) = (here, down);
        }
        fates
    }
}

/// The bits of the owners' numbers of the births in a word.
fn heirs<const W: usize>(ground: &Ground, y: usize, at: usize, born: u64) -> [u64; OWNER_BITS] {
    let rows = ground.alive.len() / W;
    let living = |y: usize, at: usize| -> [u64; OWNER_BITS] {
        let word = y * W + at;
        ground.owners[word].map(|plane| plane & ground.alive[word])
    };
    let (before, after) = ((at + W - 1) % W, (at + 1) % W);
    let three = |y: usize| {
        let (l, c, r) = (living(y, before), living(y, at), living(y, after));
        let sums: [(u64, u64); OWNER_BITS] = from_fn(|bit| full(west(c[bit], l[bit]), c[bit], east(c[bit], r[bit])));
        sums
    };
    let (up, down) = (three((y + rows - 1) % rows), three((y + 1) % rows));
    let (l, c, r) = (living(y, before), living(y, at), living(y, after));
    let (mut owners, mut owned, mut dissent, mut dissent_twice) = ([0; OWNER_BITS], 0, 0, 0);
    for bit in 0..OWNER_BITS {
        let (w, e) = (west(c[bit], l[bit]), east(c[bit], r[bit]));
        // There are three parents in all, so no bit is counted more than three times.
        let (ones, carried) = full(up[bit].0, w ^ e, down[bit].0);
        let twos = up[bit].1 ^ (w & e) ^ down[bit].1 ^ carried;
        owners[bit] = twos & born;
        owned |= twos;
        dissent_twice |= dissent & (ones ^ twos);
        dissent |= ones ^ twos;
    }
    for place in bits(born & (dissent_twice | !owned)) {
        let owner = heir(ground, 64 * (y * W + at) + place);
        for (bit, plane) in owners.iter_mut().enumerate() {
            *plane = *plane & !(1 << place) | u64::from(owner >> bit & 1) << place;
        }
    }
    owners
}

/// The owner of a birth. Neutral parents are counted apart. If there are more of them than of any owner, the owner is that of the first
/// owned parent, in the order NW, N, NE, W, E, SW, S, SE; nobody if there is none. Otherwise it is the owner with most parents; among
/// equals, in the order of slots, the one whose number from 0 is the remainder of the cell's index divided by how many they are.
/// Source: the founding document, "Conway's Rules"; docs/rules.md for what it leaves open.
pub(super) fn heir(ground: &Ground, index: usize) -> u8 {
    let around = ground.side().around(index).into_iter();
    let parents = || around.clone().filter(|at| ground.lives(*at)).map(|at| ground.owner_at(at));
    let mut counts = [0; SLOTS + 1];
    parents().for_each(|owner| counts[usize::from(owner)] += 1);
    let neutral = counts[0];
    let most = counts.iter().skip(1).copied().max().unwrap_or_default();
    if neutral > most {
        return parents().find(|owner| *owner != 0).unwrap_or(0);
    }
    let equal = || (1..).zip(&counts[1..]).filter(|(_, count)| **count == most).map(|(owner, _)| owner);
    equal().nth(index % equal().count().max(1)).unwrap_or(0)
}
