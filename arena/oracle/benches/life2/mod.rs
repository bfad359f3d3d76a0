//! Life2: a generation of nine kingdoms on 512 x 512, dense and settled, and the same a byte a cell.

#[path = "../../tests/it/plain/life2.rs"]
mod plain;

use std::collections::BTreeMap;
use std::hint::black_box;

use arena_oracle::life2::Realm;
use arena_rules::Rng;
use arena_rules::life2::{Account, Base, Ground, Kingdom, Rates, Setup, Side, Slot, World};

use plain::realm;

/// Generations after which soup has settled.
const SETTLED: u32 = 500;
/// Of the soup's cells, one in so many lives.
const THINNESS: u32 = 4;

/// Nine kingdoms that share a torus, the ground next to each base its own, and soup on all of it. Bases have coins
/// enough not to fall, and wipes are far off: both sides do the same work in every generation.
pub(crate) fn soup(length: u16) -> World {
    let side = Side::of_length(length).expect("a power of two");
    let (third, quadrant) = (length / 3, length / 4);
    let mut ground = Ground::empty(side);
    let mut kingdoms = [None; 9];
    let mut rng = Rng::new(&[4; 32], length.into());
    for cell in (0..side.area()).map(|index| side.cell(index)) {
        let slot = (cell.y / third).min(2) * 3 + (cell.x / third).min(2) + 1;
        ground.set_owner(cell, Slot::new(slot as u8));
        ground.set_alive(cell, rng.below(THINNESS) == 0);
    }
    for slot in Slot::all() {
        let (col, row) = (slot.index() as u16 % 3, slot.index() as u16 / 3);
        let base = Base { x: col * third + quadrant / 2, y: row * third + quadrant / 2 };
        let account = Account(slot.number().into());
        kingdoms[slot.index()] = Some(Kingdom { account, base, coins: 1 << 40, lives: true, idle_since: None });
    }
    let rates = Rates { wipe: u32::MAX, grace: u32::MAX };
    Setup { rates, generation: 0, ground, kingdoms, wallets: BTreeMap::new() }.world().expect("a world")
}

/// The same after it has settled.
pub(crate) fn settled(length: u16) -> World {
    let mut world = soup(length);
    (0..SETTLED).for_each(|_| drop(world.step()));
    world
}

pub(crate) fn plain(world: &World) -> Realm {
    realm(world)
}

/// The next generations of a world, then those again.
pub(crate) fn generations(world: &World) -> u64 {
    const GENERATIONS: u64 = 8;
    let mut next = world.clone();
    (0..GENERATIONS).for_each(|_| drop(black_box(&mut next).step()));
    black_box(next);
    GENERATIONS
}

pub(crate) fn generations_naive(realm: &Realm) -> u64 {
    const GENERATIONS: u64 = 8;
    let mut next = realm.clone();
    (0..GENERATIONS).for_each(|_| black_box(&mut next).step());
    black_box(next);
    GENERATIONS
}
