//! Which ground hangs on its base, kept up to date change by change.
//!
//! A cell that goes over to another owner cuts nothing when those of its four neighbours that stay with the old owner are
//! joined among the eight around it; then all that hung on the base still does. Where they are not, the ground nearby says whether
//! they are joined by a way round, or what small piece came off. Only where it does not is the whole ground flooded again, once a
//! generation at most. A cell that is won hangs on the base when a neighbour of its owner does, and brings along the loose ground
//! that it touches.

use alloc::vec;
use alloc::vec::Vec;

use super::cells::has;
use super::{Base, Ground, Slot, flood};

/// More changes than one in so many cells, and flooding once is quicker than following each.
const FLOOD_FROM: usize = 128;

/// Cells looked at on each side of a lost one, at most.
const LOOK: usize = 256;

/// Ground that went from one owner to another; 0 is nobody.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Change {
    pub(super) index: usize,
    pub(super) from: u8,
    pub(super) to: u8,
}

/// The ground that hangs on its owner's base, a bit a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Ties(Vec<u64>);

impl Ties {
    /// By a flood of the whole ground.
    pub(super) fn of<'a>(ground: &Ground, bases: impl Iterator<Item = (Slot, &'a Base)>) -> Ties {
        Ties(flood::anchored(ground, bases))
    }

    pub(super) fn holds(&self, index: usize) -> bool {
        has(&self.0, index)
    }

    /// The plane itself.
    pub(super) fn plane(&self) -> &[u64] {
        &self.0
    }

    /// Gives ground to its new owners, in order, and keeps up.
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

    /// Ground that turned neutral hung on nothing.
    pub(super) fn set(&mut self, index: usize, holds: bool) {
        let (word, bit) = (&mut self.0[index / 64], 1 << (index % 64));
        *word = if holds { *word | bit } else { *word & !bit };
    }

    /// Takes from a cell's owner what comes off with it; the cell is still the owner's in `ground`. Gives false when that cannot
    /// be seen nearby.
    fn gives_up(&mut self, ground: &Ground, base: Option<Base>, change: &Change) -> bool {
        if change.from == 0 || !self.holds(change.index) {
            return true;
        }
        // Round it, from the north, by the sun: the even ones are the four beside it.
        let [nw, n, ne, w, e, sw, s, se] = ground.side().around(change.index);
        let round = [n, ne, e, se, s, sw, w, nw];
        let own = round.map(|index| ground.owner_at(index) == change.from);
        let beside = (0..8).step_by(2).filter(|at| own[*at]).count();
        let joined = (0..8).step_by(2).filter(|at| own[*at] && own[at + 1] && own[(at + 2) % 8]).count();
        // Four in a circle need three joints.
        if beside <= joined + 1 {
            return true;
        }
        self.set(change.index, false);
        let sides: Vec<usize> = (0..8).step_by(2).filter(|at| own[*at]).map(|at| round[at]).collect();
        self.sides_hang(ground, base, change.from, &sides)
    }

    /// Looks at the ground on each side of a lost cell. A side of which all was seen, and no base, came off. One side has the
    /// base; what is not seen whole is that side if there is no other, and cannot be told apart if there is.
    fn sides_hang(&mut self, ground: &Ground, base: Option<Base>, owner: u8, sides: &[usize]) -> bool {
        let side = ground.side();
        // Sides that are one, by the number of the first of them.
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

    /// Up to [`LOOK`] cells of an owner that lead to each other from one of them, by steps over edges. They are taken off their
    /// base, which is how a cell is known to have been seen.
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

    /// A cell's new owner: it hangs on the base if a neighbour does, and so does then what it touches.
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
