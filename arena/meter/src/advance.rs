//! Where a piece is charged.
//!
//! Between two points where somebody sees the fuel, it does not matter where it is charged. So where pieces meet some
//! of it may have been charged in advance, or less than 0, which is still owed: the same on every way there. A piece
//! charges its price and the advance at its end, without the one at its beginning. Advances are such that most pieces
//! charge nothing.

/// Where pieces begin and end that follow each other.
pub(crate) type Place = u32;

/// Where fuel is seen, so that nothing is charged in advance: checks, calls and returns.
pub(crate) const SEEN: Place = 0;

/// The advance of each place, as far as it is known how it differs from those of others.
pub(crate) struct Advances {
    /// For each place another of which that is known, and by how much it has more than that one.
    beside: Vec<(Place, i64)>,
}

impl Advances {
    pub(crate) fn new() -> Advances {
        Advances { beside: vec![(SEEN, 0)] }
    }

    /// A new place.
    pub(crate) fn place(&mut self) -> Place {
        let place = self.beside.len() as Place;
        self.beside.push((place, 0));
        place
    }

    /// How much more the advance of a place is than that of the one which is known of all that belong together.
    pub(crate) fn of(&mut self, place: Place) -> (Place, i64) {
        let (mut at, mut more) = (place, 0);
        loop {
            let (next, difference) = self.beside[at as usize];
            if next == at {
                return (at, more);
            }
            // The next time it is half as far.
            let (after, further) = self.beside[next as usize];
            self.beside[at as usize] = (after, difference + further);
            more += difference + further;
            at = after;
        }
    }

    /// Sets how much more the advance of one place is than that of another, unless it follows from what was set before.
    pub(crate) fn set(&mut self, place: Place, other: Place, more: i64) {
        let ((root, own), (other, others)) = (self.of(place), self.of(other));
        if root != other {
            self.beside[root as usize] = (other, others + more - own);
        }
    }
}
