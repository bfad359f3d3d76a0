//! Opponents of the game that tests of the arena bring along.

use alloc::vec::Vec;

use arena_rules::{Rng, Seat, Seed};
use arena_wire::tiny_game::{Claim, FAR, Position};
use arena_wire::{Point, Protocol};

use crate::Opponents;

/// `near` claims any cells, `far` those that count.
impl Opponents for Position {
    const NAMES: &'static [&'static str] = &["near", "far"];
    const DIGEST: &'static str = "";

    fn choose(&self, name: &str, _seat: Seat, seat_seed: &Seed) -> Option<Claim> {
        let from = Self::NAMES.iter().position(|known| *known == name)?;
        let mut open: Vec<Point> = self.dead().filter(|point| from == 0 || point.col >= FAR).collect();
        Rng::new(seat_seed, self.turns_played().into()).shuffle(&mut open);
        open.truncate(2);
        Some(Claim(open))
    }
}
