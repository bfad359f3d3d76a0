//! The two colours of cells in games for two.

use crate::Seat;

/// A colour of cells. Blue sits in seat 0 and moves first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// Seat 0.
    Blue,
    /// Seat 1.
    Red,
}

impl Colour {
    /// Both, in seat order.
    pub const BOTH: [Colour; 2] = [Colour::Blue, Colour::Red];

    /// The other colour.
    pub fn other(self) -> Colour {
        match self {
            Colour::Blue => Colour::Red,
            Colour::Red => Colour::Blue,
        }
    }

    /// The seat that plays this colour.
    pub fn seat(self) -> Seat {
        match self {
            Colour::Blue => Seat(0),
            Colour::Red => Seat(1),
        }
    }

    /// The colour of a seat; `None` for a seat this game does not have.
    pub fn of(seat: Seat) -> Option<Colour> {
        Colour::BOTH.into_iter().find(|colour| colour.seat() == seat)
    }

    /// `blue` or `red`.
    pub fn name(self) -> &'static str {
        match self {
            Colour::Blue => "blue",
            Colour::Red => "red",
        }
    }
}

/// One `T` per colour.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ByColour<T> {
    /// Blue's.
    pub blue: T,
    /// Red's.
    pub red: T,
}

impl<T> ByColour<T> {
    /// One value per colour, made by `make`.
    pub fn new(mut make: impl FnMut(Colour) -> T) -> ByColour<T> {
        ByColour { blue: make(Colour::Blue), red: make(Colour::Red) }
    }

    /// The same values with the colours exchanged.
    pub fn swapped(self) -> ByColour<T> {
        ByColour { blue: self.red, red: self.blue }
    }

    /// Both values, changed by `f`.
    pub fn map<U>(self, mut f: impl FnMut(T) -> U) -> ByColour<U> {
        ByColour { blue: f(self.blue), red: f(self.red) }
    }
}

impl<T> core::ops::Index<Colour> for ByColour<T> {
    type Output = T;

    fn index(&self, colour: Colour) -> &T {
        match colour {
            Colour::Blue => &self.blue,
            Colour::Red => &self.red,
        }
    }
}

impl<T> core::ops::IndexMut<Colour> for ByColour<T> {
    fn index_mut(&mut self, colour: Colour) -> &mut T {
        match colour {
            Colour::Blue => &mut self.blue,
            Colour::Red => &mut self.red,
        }
    }
}
