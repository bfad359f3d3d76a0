//! Finds the ground connected to bases, for all owners in one pass: joins runs of one owner in each row with those above.
//!
//! On the founding world this takes tens of microseconds, and some milliseconds at most, on noise. Flooding cell by cell takes
//! two or three.

use alloc::vec;
use alloc::vec::Vec;

use super::cells::{bits, has};
use super::ground::OWNER_BITS;
use super::{Base, Ground, Slot};

/// Cells of a row from `start` up to but not including `end`, with one owner.
struct Run {
    start: u16,
    end: u16,
    owner: u8,
}

/// Sets of runs, as a forest: each run points to another one of its set, a root to itself.
struct Sets(Vec<u32>);

impl Sets {
    fn root(&mut self, mut run: u32) -> u32 {
        while self.0[run as usize] != run {
            let above = self.0[self.0[run as usize] as usize];
            self.0[run as usize] = above;
            run = above;
        }
        run
    }

    fn join(&mut self, one: u32, other: u32) {
        let (one, other) = (self.root(one), self.root(other));
        let (low, high) = (one.min(other), one.max(other));
        self.0[high as usize] = low;
    }
}

/// The ground connected to its owner's base: the owner's cells in the six by six, and all ground of the owner that can be reached
/// from them by steps across edges. One bit for each cell.
pub(super) fn anchored<'a>(ground: &Ground, bases: impl Iterator<Item = (Slot, &'a Base)>) -> Vec<u64> {
    let side = ground.side();
    let words = side.words_a_row();
    let (mut runs, mut rows) = (Vec::new(), Vec::with_capacity(side.length().into()));
    for row in ground.owners.chunks_exact(words) {
        let first = runs.len();
        push_runs(row, side.length(), &mut runs);
        rows.push(first..runs.len());
    }
    let mut sets = Sets((0..runs.len() as u32).collect());
    for (y, row) in rows.iter().enumerate() {
        if let (Some(first), Some(last)) = (runs.get(row.start), runs.get(row.end.wrapping_sub(1))) {
            let round = first.start == 0 && last.end == side.length() && first.owner == last.owner;
            if !row.is_empty() && round {
                sets.join(row.start as u32, row.end as u32 - 1);
            }
        }
        let above = &rows[(y + rows.len() - 1) % rows.len()];
        let (mut one, mut other) = (row.start, above.start);
        while one < row.end && other < above.end {
            let (here, there) = (&runs[one], &runs[other]);
            if here.owner == there.owner && here.start < there.end && there.start < here.end {
                sets.join(one as u32, other as u32);
            }
            if here.end <= there.end { one += 1 } else { other += 1 }
        }
    }
    let mut reached = vec![false; runs.len()];
    for (slot, base) in bases {
        for cell in base.interior(side).filter(|cell| ground.owner(*cell) == Some(slot)) {
            let row = &rows[usize::from(cell.y)];
            let run = row.start + runs[row.clone()].partition_point(|run| run.end <= cell.x);
            reached[sets.root(run as u32) as usize] = true;
        }
    }
    let mut plane = vec![0; ground.alive.len()];
    for (row, plane) in rows.into_iter().zip(plane.chunks_exact_mut(words)) {
        for run in row.filter(|run| reached[sets.root(*run as u32) as usize]) {
            fill(plane, runs[run].start.into(), runs[run].end.into());
        }
    }
    plane
}

/// Adds the owned runs of a row, from the left.
fn push_runs(row: &[[u64; OWNER_BITS]], length: u16, runs: &mut Vec<Run>) {
    let (mut start, mut owner, mut before) = (0, 0, [0; OWNER_BITS]);
    for (at, planes) in (0..).zip(row) {
        // Cells whose owner differs from that of the cell to the west; west of the row there is nobody.
        let changed = (0..OWNER_BITS).fold(0, |all, bit| all | planes[bit] ^ (planes[bit] << 1 | before[bit] >> 63));
        for place in bits(changed) {
            let end = 64 * at + place as u16;
            if owner != 0 {
                runs.push(Run { start, end, owner });
            }
            start = end;
            owner = (0..OWNER_BITS).fold(0, |owner, bit| owner | ((planes[bit] >> place & 1) as u8) << bit);
        }
        before = *planes;
    }
    if owner != 0 {
        runs.push(Run { start, end: length, owner });
    }
}

/// Sets the bits from `start` up to but not including `end`.
fn fill(plane: &mut [u64], start: usize, end: usize) {
    for (word, bits) in plane.iter_mut().enumerate().take(end.div_ceil(64)).skip(start / 64) {
        let from = start.saturating_sub(64 * word);
        let to = (end - 64 * word).min(64);
        *bits |= !0 << from & !0 >> (64 - to);
    }
}

/// All cells with the owner of these that are connected to one of them by steps across edges, but not to a base.
pub(super) fn pieces(ground: &Ground, anchored: &[u64], owner: u8, mut from: Vec<usize>) -> Vec<usize> {
    let (mut seen, mut found) = (vec![0; ground.alive.len()], Vec::new());
    while let Some(index) = from.pop() {
        let loose = ground.owner_at(index) == owner && !has(anchored, index) && !has(&seen, index);
        if loose {
            seen[index / 64] |= 1 << (index % 64);
            found.push(index);
            from.extend(ground.side().beside(index));
        }
    }
    found
}
