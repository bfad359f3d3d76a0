//! Opponents of the game that tests of the arena bring along.

use alloc::vec::Vec;

use arena_rules::{Rng, Seed};
use arena_wire::tiny_game::{Claim, FAR, Position};
use arena_wire::{Point, Protocol};

use crate::{BuiltIn, Opponents};

/// `near` claims any cells, `far` those that count. `near` has two versions, of which the second claims one cell.
impl Opponents for Position {
    const ALL: &'static [BuiltIn<Position>] = &[
        BuiltIn {
            name: "near",
            version: 1,
            digest: DIGEST,
            made_for: None,
            about: "",
            choose: |position, _, seed| Some(claim(position, 0, 2, seed)),
        },
        BuiltIn {
            name: "near",
            version: 2,
            digest: DIGEST,
            made_for: None,
            about: "",
            choose: |position, _, seed| Some(claim(position, 0, 1, seed)),
        },
        BuiltIn {
            name: "far",
            version: 1,
            digest: DIGEST,
            made_for: None,
            about: "",
            choose: |position, _, seed| Some(claim(position, FAR, 2, seed)),
        },
    ];
}

/// Nobody computes it: no shipped binary has this game.
const DIGEST: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// At most so many dead cells, from a column on.
fn claim(position: &Position, from: u16, most: usize, seat_seed: &Seed) -> Claim {
    let mut open: Vec<Point> = position.dead().filter(|point| point.col >= from).collect();
    Rng::new(seat_seed, position.turns_played().into()).shuffle(&mut open);
    open.truncate(most);
    Claim(open)
}
