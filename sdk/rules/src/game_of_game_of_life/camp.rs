//! One colour against all others.

use crate::Seat;

use super::torus::{Torus, WORDS_MAX, on_side};
use super::{Board, Cell, Plane};

/// A colour's cells and all living ones. A colour's future depends on nothing else, so it can be computed without distinguishing the
/// others, at a fraction of the cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Camp {
    own: Plane,
    living: Plane,
}

/// Cells after a generation.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Census {
    /// Cells of the colour itself.
    pub own: u32,
    /// Cells of all other colours, including black.
    pub others: u32,
}

impl Camp {
    /// A seat's camp on a board.
    pub fn of(board: &Board, seat: Seat) -> Camp {
        Camp { own: board.seat(seat), living: board.living() }
    }

    /// The colour's cells.
    pub fn own(&self) -> &Plane {
        &self.own
    }

    /// The living cells of all colours.
    pub fn living(&self) -> &Plane {
        &self.living
    }

    /// The camp after the seat, and nobody else, has acted on `cell`: an own cell dies, a dead one becomes the seat's, and any
    /// other stays what it is. The distance is not checked.
    pub fn after(mut self, cell: Cell) -> Camp {
        if self.own.contains(cell) {
            self.own.remove(cell);
            self.living.remove(cell);
        } else if !self.living.contains(cell) {
            self.own.insert(cell);
            self.living.insert(cell);
        }
        self
    }

    /// The camp after one generation in which nobody acts.
    pub fn next(&self) -> Camp {
        let mut next = *self;
        next.generations(1, |_| {});
        next
    }

    /// Advances by `generations` in which nobody acts, and passes the census after each to `see`.
    pub fn generations(&mut self, generations: u8, see: impl FnMut(Census)) {
        fn run<const SIDE: u32, const WORDS: usize>(
            own: &[u64; WORDS_MAX],
            living: &[u64; WORDS_MAX],
            generations: u8,
            mut see: impl FnMut(Census),
        ) -> ([u64; WORDS_MAX], [u64; WORDS_MAX]) {
            let (mut own, mut living) = (Torus::<SIDE, WORDS>::words(own), Torus::<SIDE, WORDS>::words(living));
            for _ in 0..generations {
                let (survivors, born) = Torus::<SIDE, WORDS>::fates(&living);
                let parents = Torus::<SIDE, WORDS>::two_around(&own);
                let mut census = Census::default();
                for at in 0..WORDS {
                    own[at] = survivors[at] & own[at] | born[at] & parents[at];
                    living[at] = survivors[at] | born[at];
                    census.own += own[at].count_ones();
                    census.others += (living[at] & !own[at]).count_ones();
                }
                see(census);
            }
            (Torus::<SIDE, WORDS>::plane(own), Torus::<SIDE, WORDS>::plane(living))
        }

        let side = self.own.side();
        let (own, living) = on_side!(side, run(self.own.words(), self.living.words(), generations, see));
        *self = Camp { own: Plane::of_words(side, own), living: Plane::of_words(side, living) };
    }
}
