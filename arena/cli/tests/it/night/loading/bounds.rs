//! What a ply and a socket may cost: all bounds of a load, and how what it costs is compared with them.

use std::fmt::{self, Display, Formatter};

/// What a load may cost.
pub(crate) struct Bounds {
    /// Bytes that a watcher gets for a ply, frames and beats included.
    pub(crate) watched_bytes: f64,
    /// Commits for a ply: its own, and its part of the end of its game.
    pub(crate) commits: Share,
    /// Bytes by which the database grows for a ply.
    pub(crate) stored_bytes: Share,
    /// Resident bytes of the server for a socket, with its part of its room.
    pub(crate) resident_bytes: Share,
}

/// What each of many may cost, and what all of them cost at once, however many there are.
pub(crate) struct Share {
    each: u64,
    at_once: u64,
}

/// Rooms from which on [`MANY`] holds.
const MANY_ROOMS: u64 = 1_000;

/// A thousand rooms on a site at rest: a little more than was measured (`docs/performance.md`), but for commits: one a
/// ply at most. Writes that wait for the disk share one, and the faster the disk is, the fewer wait together.
const MANY: Bounds = Bounds {
    watched_bytes: 700.0,
    commits: Share { each: 1, at_once: 0 },
    stored_bytes: Share { each: 300, at_once: 1 << 20 },
    resident_bytes: Share { each: 16 << 10, at_once: 24 << 20 },
};

/// A few rooms, played fast: each ply is a commit of its own, as is what a site does now and then, and what sockets are
/// told at first is for fewer plies.
const FEW: Bounds = Bounds {
    watched_bytes: 800.0,
    commits: Share { each: 1, at_once: 100 },
    stored_bytes: Share { each: 600, at_once: 1 << 20 },
    resident_bytes: Share { each: 28 << 10, at_once: 48 << 20 },
};

/// Descriptors of the server, and of each process of clients.
pub(crate) const DESCRIPTORS_MAX: f64 = 20_000.0;

/// The bounds of so many rooms.
pub(crate) fn of(rooms: u64) -> Bounds {
    if rooms >= MANY_ROOMS { MANY } else { FEW }
}

impl Share {
    /// What each of so many may cost.
    pub(crate) fn of(&self, count: u64) -> f64 {
        self.each as f64 + self.at_once as f64 / count as f64
    }
}

/// Something that was measured, and the most that it may be.
pub(crate) struct Weighed {
    what: &'static str,
    measured: f64,
    most: f64,
}

impl Weighed {
    /// A sum over so many.
    pub(crate) fn new(what: &'static str, sum: u64, count: u64, most: f64) -> Weighed {
        Weighed { what, measured: sum as f64 / count as f64, most }
    }

    pub(crate) fn is_within(&self) -> bool {
        self.measured <= self.most
    }
}

impl Display for Weighed {
    fn fmt(&self, formatter: &mut Formatter<'_>) -> fmt::Result {
        let Weighed { what, measured, most } = self;
        write!(formatter, "{what:<28} {measured:.2} / {most:.2}")
    }
}
