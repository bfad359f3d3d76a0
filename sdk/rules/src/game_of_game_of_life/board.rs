//! The board and its generation.

use alloc::vec;
use alloc::vec::Vec;

use crate::{BySeat, Seat};

use super::torus::{Torus, WORDS_MAX, on_side};
use super::{Cell, Plane, Side};

/// How far from an own cell a seat can act, in king's moves across the edges. Source: the question, "within 2 cells".
pub const REACH: u8 = 2;

/// The colour of a living cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// A seat's.
    Seat(Seat),
    /// Nobody's: the cells of lots without a seat, and births from three colours.
    Black,
}

/// Living cells by colour. No cell has two colours.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Board {
    side: Side,
    /// The cells of each seat, and the black ones last.
    planes: Vec<Plane>,
}

impl Board {
    /// The board without a living cell.
    pub fn empty(side: Side, seats: u8) -> Board {
        Board { side, planes: vec![Plane::empty(side); usize::from(seats) + 1] }
    }

    /// The side of the board.
    pub fn side(&self) -> Side {
        self.side
    }

    /// How many seats have a colour.
    pub fn seats(&self) -> u8 {
        self.planes.len() as u8 - 1
    }

    /// The living cells of a seat; none for a seat that does not exist.
    pub fn seat(&self, seat: Seat) -> Plane {
        if seat.0 < self.seats() { self.planes[seat.index()] } else { Plane::empty(self.side) }
    }

    /// The black cells.
    pub fn black(&self) -> Plane {
        self.planes[usize::from(self.seats())]
    }

    /// The living cells of all colours.
    pub fn living(&self) -> Plane {
        self.planes.iter().fold(Plane::empty(self.side), |living, plane| living | *plane)
    }

    /// The colour of `cell`, or `None` when it is dead.
    pub fn colour_at(&self, cell: Cell) -> Option<Colour> {
        let found = self.planes.iter().position(|plane| plane.contains(cell))?;
        Some(if found == usize::from(self.seats()) { Colour::Black } else { Colour::Seat(Seat(found as u8)) })
    }

    /// Makes `cell` a living one of `colour`, whatever it was; for a seat that does not exist, a dead one.
    pub fn set(&mut self, cell: Cell, colour: Colour) {
        self.clear(cell);
        let seats = self.seats();
        match colour {
            Colour::Black => self.planes[usize::from(seats)].insert(cell),
            Colour::Seat(seat) if seat.0 < seats => self.planes[seat.index()].insert(cell),
            Colour::Seat(_) => {}
        }
    }

    /// Makes `cell` a dead one.
    pub fn clear(&mut self, cell: Cell) {
        self.planes.iter_mut().for_each(|plane| plane.remove(cell));
    }

    /// Living cells by seat.
    pub fn counts(&self) -> BySeat<u32> {
        BySeat::new(self.seats(), |seat| self.planes[seat.index()].count())
    }

    /// The cells on which `seat` can act: its own, and all others within [`REACH`].
    pub fn reach(&self, seat: Seat) -> Plane {
        (0..REACH).fold(self.seat(seat), |plane, _| plane.grown())
    }

    /// The board after each seat has acted on its cell, before the generation; and the cells on which they acted with effect.
    ///
    /// All actions refer to the same board. A seat's own cell is killed. A dead cell gets the colour of the only seat that claims it,
    /// and is black if several do. Another seat's cell stays what it is, unless its owner kills it at the same time: then it is treated
    /// like a dead one. Source: the question, bot parameters; docs/rules.md settles that a killed cell claimed by two becomes black.
    pub fn acted(&self, cells: &BySeat<Option<Cell>>) -> (Board, BySeat<Option<Cell>>) {
        let seated = cells.iter().take(self.seats().into());
        let acts: Vec<(Seat, Cell)> = seated.filter_map(|(seat, cell)| Some((seat, (*cell)?))).collect();
        let (kills, claims): (Vec<_>, Vec<_>) =
            acts.into_iter().partition(|(seat, cell)| self.seat(*seat).contains(*cell));
        let (mut board, mut effective) = (self.clone(), BySeat::new(self.seats(), |_| None));
        for (seat, cell) in kills {
            board.clear(cell);
            effective[seat] = Some(cell);
        }
        let (open, mut claimed) = (!board.living(), Plane::empty(self.side));
        for (seat, cell) in claims {
            if open.contains(cell) {
                board.set(cell, if claimed.contains(cell) { Colour::Black } else { Colour::Seat(seat) });
                claimed.insert(cell);
                effective[seat] = Some(cell);
            }
        }
        (board, effective)
    }

    /// One generation of B3/S23 on the torus: survivors keep their colour, a birth gets the colour of at least two of its
    /// three parents, where black counts like any colour, and is black if it has parents of three colours. Source: the question, rules.
    ///
    /// Works on whole words: neighbours of living cells are counted once, in bits; then every colour gets the births with two parents of
    /// it, and black the rest.
    pub fn step(&mut self) {
        fn step<const SIDE: u32, const WORDS: usize>(planes: &mut [Plane]) {
            let mut living = [0; WORDS];
            for plane in &*planes {
                (0..WORDS).for_each(|at| living[at] |= plane.words()[at]);
            }
            let (survivors, mut born) = Torus::<SIDE, WORDS>::fates(&living);
            let Some((black, seats)) = planes.split_last_mut() else { return };
            for plane in seats {
                if plane.words()[..WORDS].iter().all(|word| *word == 0) {
                    continue;
                }
                let own = Torus::<SIDE, WORDS>::words(plane.words());
                let parents = Torus::<SIDE, WORDS>::two_around(&own);
                let next = core::array::from_fn(|at| survivors[at] & own[at] | born[at] & parents[at]);
                born = core::array::from_fn(|at| born[at] & !parents[at]);
                *plane = Plane::of_words(plane.side(), Torus::<SIDE, WORDS>::plane(next));
            }
            let words: &[u64; WORDS_MAX] = black.words();
            let next = core::array::from_fn(|at| survivors[at] & words[at] | born[at]);
            *black = Plane::of_words(black.side(), Torus::<SIDE, WORDS>::plane(next));
        }

        on_side!(self.side, step(&mut self.planes));
    }
}
