//! Seats: the places at a board, whatever the number of players.

use alloc::vec::Vec;
use core::fmt;

/// A place at the board, counted from 0. In two-seat games seat 0 moves first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Seat(pub u8);

impl Seat {
    /// The other seat of a two-seat game.
    pub fn opponent(self) -> Seat {
        Seat(1 - self.0)
    }

    /// The seat as an index from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Seats are shown counted from 1, as people count players.
impl fmt::Display for Seat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "seat {}", self.0 + 1)
    }
}

/// A set of seats.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Seats(u16);

impl Seats {
    /// The empty set: what a finished game awaits.
    pub const NONE: Seats = Seats(0);
    /// The most seats a game can have.
    pub const MAX: u8 = 16;

    /// The set with one member.
    pub fn only(seat: Seat) -> Seats {
        Seats(1 << seat.0)
    }

    /// The set with `seat` in it as well.
    ///
    /// # Panics
    /// If the seat is not below [`Seats::MAX`].
    pub fn with(self, seat: Seat) -> Seats {
        Seats(self.0 | Seats::only(seat).0)
    }

    /// Whether `seat` is in the set.
    pub fn contains(self, seat: Seat) -> bool {
        seat.0 < Seats::MAX && self.0 >> seat.0 & 1 == 1
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The members in ascending order.
    pub fn iter(self) -> impl Iterator<Item = Seat> {
        (0..Seats::MAX).map(Seat).filter(move |seat| self.contains(*seat))
    }
}

impl FromIterator<Seat> for Seats {
    fn from_iter<I: IntoIterator<Item = Seat>>(seats: I) -> Seats {
        seats.into_iter().fold(Seats::NONE, Seats::with)
    }
}

/// One `T` per seat, in seat order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BySeat<T>(Vec<T>);

impl<T> BySeat<T> {
    /// One value per seat, made by `make`.
    pub fn new(seats: u8, make: impl FnMut(Seat) -> T) -> BySeat<T> {
        BySeat((0..seats).map(Seat).map(make).collect())
    }

    /// How many seats there are.
    pub fn seats(&self) -> u8 {
        self.0.len() as u8
    }

    /// The value of `seat`; `None` if the game has no such seat.
    pub fn get(&self, seat: Seat) -> Option<&T> {
        self.0.get(seat.index())
    }

    /// Every seat with its value, in seat order.
    pub fn iter(&self) -> impl Iterator<Item = (Seat, &T)> {
        (0..).map(Seat).zip(&self.0)
    }

    /// Every seat with its value, to be changed in place.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (Seat, &mut T)> {
        (0..).map(Seat).zip(&mut self.0)
    }

    /// The same seats with another value each.
    pub fn map<U>(self, f: impl FnMut(T) -> U) -> BySeat<U> {
        BySeat(self.0.into_iter().map(f).collect())
    }

    /// The values alone, in seat order.
    pub fn values(&self) -> &[T] {
        &self.0
    }

    /// The values alone, by value.
    pub fn into_values(self) -> Vec<T> {
        self.0
    }
}

impl<T, const N: usize> From<[T; N]> for BySeat<T> {
    fn from(values: [T; N]) -> BySeat<T> {
        BySeat(Vec::from(values))
    }
}

impl<T> From<Vec<T>> for BySeat<T> {
    fn from(values: Vec<T>) -> BySeat<T> {
        BySeat(values)
    }
}

/// # Panics
/// If the game has no such seat.
impl<T> core::ops::Index<Seat> for BySeat<T> {
    type Output = T;

    fn index(&self, seat: Seat) -> &T {
        &self.0[seat.index()]
    }
}

impl<T> core::ops::IndexMut<Seat> for BySeat<T> {
    fn index_mut(&mut self, seat: Seat) -> &mut T {
        &mut self.0[seat.index()]
    }
}
