//! Where a piece is charged.
//!
//! Fuel is observed at checks, calls and returns alone. Between them a charge may move along the control flow, as long
//! as every path from one such point to the next charges the same total. So each place where pieces meet has an
//! advance: the fuel that was charged there too early, or too late if it is negative, on every path to it. A piece
//! charges its price, plus the advance at its end, minus the one at its beginning. Advances are chosen so that most
//! pieces charge nothing.

/// A place in the control flow where pieces meet.
pub(crate) type Place = u32;

/// All places where fuel is observed: their advance is 0.
pub(crate) const SEEN: Place = 0;

/// A union-find of places: in each of its sets the differences between advances are known.
pub(crate) struct Advances {
    /// The parent of each place, and how much larger its advance is than the parent's. A root is its own parent.
    parents: Vec<(Place, i64)>,
}

impl Advances {
    pub(crate) fn new() -> Advances {
        Advances { parents: vec![(SEEN, 0)] }
    }

    /// A new place.
    pub(crate) fn place(&mut self) -> Place {
        let place = self.parents.len() as Place;
        self.parents.push((place, 0));
        place
    }

    /// The root of a place's set, and how much larger the place's advance is than the root's.
    pub(crate) fn find(&mut self, place: Place) -> (Place, i64) {
        let (mut at, mut more) = (place, 0);
        loop {
            let (parent, difference) = self.parents[at as usize];
            if parent == at {
                return (at, more);
            }
            // Halves the path for the next time.
            let (grandparent, further) = self.parents[parent as usize];
            self.parents[at as usize] = (grandparent, difference + further);
            more += difference + further;
            at = grandparent;
        }
    }

    /// Unites the sets of two places by how much larger the advance of the first is; no change if they are in one set.
    pub(crate) fn unite(&mut self, place: Place, other: Place, more: i64) {
        let ((root, own), (other, others)) = (self.find(place), self.find(other));
        if root != other {
            self.parents[root as usize] = (other, others + more - own);
        }
    }
}
