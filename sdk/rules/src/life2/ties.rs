//! Which ground is connected to its base, updated with every change.
//!
//! A cell that changes its owner disconnects nothing if its neighbours, among the four next to it, that stay with the old owner are
//! connected to each other among the eight around it: then all other ground of that owner stays connected. Otherwise the ground nearby
//! shows whether they are connected by another way, or which small piece came off. Only if it does not is the whole ground flooded again,
//! at most once in a generation. A gained cell is connected if a neighbour of its owner is, and then connects the loose ground that it
//! touches.

use alloc::vec;
use alloc::vec::Vec;

use super::cells::has;
use super::{Base, Ground, Slot, flood};

/// If more than one in this many cells change, flooding once is faster than following each change.
const FLOOD_FROM: usize = 128;

/// The most cells examined on each side of a lost one.
const LOOK: usize = 256;

/// Ground that changes its owner; 0 is nobody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Change {
    pub(super) index: usize,
    pub(super) from: u8,
    pub(super) to: u8,
}

/// The ground connected to its owner's base, one bit for each cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ties(Vec<u64>);

impl Ties {
    /// Computes it by flooding the whole ground.
    pub(super) fn of<'a>(ground: &Ground, bases: impl Iterator<Item = (Slot, &'a Base)>) -> Ties {
        Ties(flood::anchored(ground, bases))
    }

    pub(super) fn holds(&self, index: usize) -> bool {
        has(&self.0, index)
    }

    /// One bit for each cell.
    pub(super) fn plane(&self) -> &[u64] {
        &self.0
    }

    /// Gives ground to its new owners, in order, and updates the connections.
    pub(super) fn change<'a>(
        &mut self,
        ground: &mut Ground,
        bases: impl Iterator<Item = (Slot, &'a Base)> + Clone,
        changes: &[Change],
    ) {
        let follow = changes.len() <= ground.side().area() / FLOOD_FROM;
        let mut lost_track = !follow;
        for change in changes {
            if !lost_track {
                let base = bases.clone().find(|(slot, _)| slot.number() == change.from).map(|(_, base)| *base);
                lost_track = !self.gives_up(ground, base, change);
            }
            ground.set_owner_at(change.index, change.to);
            if !lost_track {
                self.set(change.index, false);
                self.takes(ground, change.index, change.to);
            }
        }
        if lost_track {
            *self = Ties::of(ground, bases);
        }
    }

    /// Marks a cell as connected or not.
    pub(super) fn set(&mut self, index: usize, holds: bool) {
        let (word, bit) = (&mut self.0[index / 64], 1 << (index % 64));
        *word = if holds { *word | bit } else { *word & !bit };
    }

    /// Disconnects what a lost cell cuts off from its owner's base; the cell still has its old owner in `ground`. Returns false if that
    /// cannot be decided nearby.
    fn gives_up(&mut self, ground: &Ground, base: Option<Base>, change: &Change) -> bool {
        if change.from == 0 || !self.holds(change.index) {
            return true;
        }
        // Around the cell, clockwise from the north: the even places are the four neighbours.
        let [nw, n, ne, w, e, sw, s, se] = ground.side().around(change.index);
        let round = [n, ne, e, se, s, sw, w, nw];
        let own = round.map(|index| ground.owner_at(index) == change.from);
        let beside = (0..8).step_by(2).filter(|at| own[*at]).count();
        let joined = (0..8).step_by(2).filter(|at| own[*at] && own[at + 1] && own[(at + 2) % 8]).count();
        // In a circle of four, three links connect all.
        if beside <= joined + 1 {
            return true;
        }
        self.set(change.index, false);
        let sides: Vec<usize> = (0..8).step_by(2).filter(|at| own[*at]).map(|at| round[at]).collect();
        self.sides_hang(ground, base, change.from, &sides)
    }

    /// Examines the ground on each side of a lost cell. A side that was seen completely and has no base came off. One side must have
    /// the base: a side that was not seen completely is that one if no other is possible, and otherwise the case is undecided.
    fn sides_hang(&mut self, ground: &Ground, base: Option<Base>, owner: u8, sides: &[usize]) -> bool {
        let side = ground.side();
        // Groups connected sides, by the number of the first of them.
        let mut groups: Vec<usize> = (0..sides.len()).collect();
        let (mut off, mut with_base) = (vec![false; sides.len()], None);
        for (number, start) in sides.iter().enumerate() {
            if !self.holds(*start) || groups[number] != number {
                continue;
            }
            let seen = self.seen_from(ground, owner, *start);
            let whole = seen.len() < LOOK;
            let inside = |base: Base, cell| base.protects(side, cell) && !base.is_wall(side, cell);
            let rooted = base.is_some_and(|base| seen.iter().any(|index| inside(base, side.cell(*index))));
            off[number] = whole && !rooted;
            if rooted {
                with_base = Some(number);
            }
            for (other, _) in sides.iter().enumerate().skip(number + 1).filter(|(_, start)| seen.contains(start)) {
                groups[other] = number;
            }
            if !off[number] {
                seen.into_iter().for_each(|index| self.set(index, true));
            }
        }
        let mut left = (0..sides.len()).filter(|number| groups[*number] == *number && !off[*number]);
        let one = left.next();
        left.next().is_none() && with_base.is_none_or(|with_base| one == Some(with_base))
    }

    /// Up to [`LOOK`] connected cells of an owner, starting from one of them. They are marked as disconnected, which is also how visited
    /// cells are recognised.
    fn seen_from(&mut self, ground: &Ground, owner: u8, start: usize) -> Vec<usize> {
        self.set(start, false);
        let (mut seen, mut next) = (vec![start], 0);
        while next < seen.len() && seen.len() < LOOK {
            for index in ground.side().beside(seen[next]) {
                if self.holds(index) && ground.owner_at(index) == owner {
                    self.set(index, false);
                    seen.push(index);
                }
            }
            next += 1;
        }
        seen
    }

    /// Gives a cell to its new owner: it is connected if a neighbour is, and then so is the ground that it touches.
    fn takes(&mut self, ground: &Ground, index: usize, owner: u8) {
        let side = ground.side();
        let own = |at: &usize| ground.owner_at(*at) == owner;
        if owner == 0 || !side.beside(index).iter().any(|at| own(at) && self.holds(*at)) {
            return;
        }
        let mut next = vec![index];
        while let Some(at) = next.pop() {
            if !self.holds(at) {
                self.set(at, true);
                next.extend(side.beside(at).into_iter().filter(own).filter(|at| !self.holds(*at)));
            }
        }
    }
}
