//! Life2: whole words against a byte a cell, generation by generation, and ground that is kept tied to its base against
//! a flood of everything.
#![expect(clippy::print_stdout, reason = "what a command of xtask reports")]

#[path = "../plain/life2.rs"]
mod plain;

use std::collections::BTreeMap;

use arena_rules::Rng;
use arena_rules::life2::{Account, Base, Call, Cell, Ground, Kingdom, Rates, Setup, Side, Slot, World};

use plain::realm;

/// Generations of each world.
const GENERATIONS: u64 = 24;
/// One in this many worlds has the size of a site's; it takes as long as sixty small ones.
const OF_FULL_SIZE: u64 = 50;

/// A side for a world: a full one, or one on which kingdoms are sure to meet.
fn random_side(number: u64, rng: &mut Rng) -> Side {
    match (number % OF_FULL_SIZE, rng.below(4)) {
        (0, _) => Side::WORLD,
        (_, 0) => Side::of_length(128).expect("a power of two"),
        _ => Side::of_length(Side::MIN).expect("a power of two"),
    }
}

/// A torus on which up to nine kingdoms touch: their ground in patches that grow with it, soup on some of it, few coins
/// in their bases, and wipes and graces short enough to be seen.
fn random_world(side: Side, rng: &mut Rng) -> World {
    let length = u32::from(side.length());
    let wide_max = 20 * length / u32::from(Side::MIN);
    let mut ground = Ground::empty(side);
    let mut kingdoms = [None; 9];
    let mut bases: Vec<Base> = Vec::new();
    for slot in Slot::all().take(2 + rng.below(8) as usize) {
        let base = Base { x: rng.below(length) as u16, y: rng.below(length) as u16 };
        if bases.iter().any(|other| other.overlaps(side, base)) {
            continue;
        }
        bases.push(base);
        let coins = [1, 2, 5, 40][rng.below(4) as usize];
        let account = Account(slot.number().into());
        kingdoms[slot.index()] = Some(Kingdom { account, base, coins, lives: false, idle_since: None });
    }
    let held: Vec<Slot> = Slot::all().filter(|slot| kingdoms[slot.index()].is_some()).collect();
    for _ in 0..rng.below(60) {
        let owner = (rng.below(5) > 0).then(|| held[rng.below(held.len() as u32) as usize]);
        let (mut left, mut top) = (rng.below(length) as u16, rng.below(length) as u16);
        // On a full torus few patches would meet a base by chance, and only ground that hangs on one can be cut off.
        if let (Side::WORLD, Some(Kingdom { base, .. })) = (side, owner.and_then(|slot| kingdoms[slot.index()])) {
            (left, top) = (base.x + rng.below(8) as u16, base.y + rng.below(8) as u16);
        }
        // Wide, narrow or tiny: narrow ones are what can be cut.
        let most = [2, wide_max][rng.below(2) as usize];
        let (wide, high) = (1 + rng.below(wide_max) as u16, 1 + rng.below(most) as u16);
        for y in top..top + high {
            (left..left + wide).for_each(|x| ground.set_owner(Cell { x, y }, owner));
        }
    }
    for (slot, kingdom) in Slot::all().zip(&kingdoms) {
        let interior = kingdom.iter().flat_map(|kingdom| kingdom.base.interior(side));
        interior.for_each(|cell| ground.set_owner(cell, Some(slot)));
    }
    let thinness = 2 + rng.below(6);
    for cell in (0..side.area()).map(|index| side.cell(index)) {
        // Living cells on unowned ground are possible, but rare.
        let some = ground.owner(cell).is_some() || rng.below(16) == 0;
        ground.set_alive(cell, some && rng.below(thinness) == 0);
    }
    let census = ground.census();
    for (slot, kingdom) in Slot::all().zip(&mut kingdoms) {
        kingdom.iter_mut().for_each(|kingdom| kingdom.lives = census[usize::from(slot.number())].cells > 0);
    }
    let wallets = held.iter().map(|slot| (Account(slot.number().into()), 1_000)).collect::<BTreeMap<_, _>>();
    let rates = Rates { wipe: 1 + rng.below(12), grace: rng.below(10) };
    let generation = rng.below(1_000).into();
    Setup { rates, generation, ground, kingdoms, wallets }.world().expect("a world")
}

/// The ground that hangs on its base, as the world says and as a flood of everything says.
fn assert_tied(world: &World) {
    let (side, plain) = (world.ground().side(), realm(world));
    let reached: Vec<Vec<bool>> = Slot::all().map(|slot| plain.reached(slot.number())).collect();
    for (index, cell) in (0..side.area()).map(|index| (index, side.cell(index))) {
        let hangs = world.ground().owner(cell).is_some_and(|slot| reached[slot.index()][index]);
        assert_eq!(world.hangs_on_base(cell), hangs, "{cell:?} in generation {}", world.generation());
    }
}

/// An edit between generations: a faucet, a base, or cells on own ground.
fn any_call(world: &World, rng: &mut Rng) -> (Account, Call) {
    let side = world.ground().side();
    let length = u32::from(side.length());
    let account = Account(1 + u64::from(rng.below(11)));
    let call = match (rng.below(4), world.slot_of(account)) {
        (0, _) => Call::Faucet,
        (_, None) => Call::Join { x: rng.below(length) as i32, y: rng.below(length) as i32 },
        (_, Some(slot)) => {
            let own: Vec<Cell> = world.ground().of(slot).filter(|cell| !world.ground().is_alive(*cell)).collect();
            let some = |rng: &mut Rng| own[rng.below(own.len() as u32) as usize];
            let count = if own.is_empty() { 0 } else { rng.below(8) };
            let cells = (0..count).map(|_| some(rng));
            Call::Place(cells.map(|cell| (cell.x.into(), cell.y.into())).collect())
        }
    };
    (account, call)
}

/// `cargo xtask worlds` follows more of them.
#[test]
fn worlds_are_the_naive_ones_and_ground_is_tied_as_a_flood_says() {
    let worlds = std::env::var("ARENA_WORLDS").map_or(100, |text| text.parse().expect("a number"));
    let seed: u8 = std::env::var("ARENA_WORLDS_SEED").map_or(1, |text| text.parse().expect("a number"));
    let (mut falls, mut cuts, mut calls, mut full_cuts) = (0, 0, 0, 0);
    for number in 0..worlds {
        let mut rng = Rng::new(&[seed; 32], number);
        let side = random_side(number, &mut rng);
        let mut world = random_world(side, &mut rng);
        let mut held = world.kingdoms().count();
        for _ in 0..GENERATIONS {
            if rng.below(3) == 0 {
                let (account, call) = any_call(&world, &mut rng);
                let (before, answer) = (world.clone(), world.answer(account, &call));
                let called = world.call(account, &call);
                assert_eq!(called, answer, "a call gets the answer that it would get");
                match called {
                    Ok(_) => calls += 1,
                    Err(_) => assert_eq!(world, before, "what is refused changes nothing"),
                }
                assert_tied(&world);
                held = world.kingdoms().count();
            }
            let mut plain = realm(&world);
            let wallets = world.wallets().map(|(_, coins)| coins).sum::<u64>();
            let before = plain.owner.clone();
            world.step();
            plain.step();
            let loot: u64 = plain.loot.iter().sum();
            assert_eq!(world.wallets().map(|(_, coins)| coins).sum::<u64>(), wallets + loot);
            plain.loot.fill(0);
            assert!(realm(&world) == plain, "world {number}, generation {}", world.generation());
            assert_tied(&world);
            let left = world.kingdoms().count();
            falls += held - left;
            // Ground that turns neutral without a birth, while all bases stand.
            let lost = |at: usize| before[at] != 0 && plain.owner[at] == 0 && !plain.alive[at];
            let cut = usize::from(left == held && (0..before.len()).any(lost));
            cuts += cut;
            full_cuts += if side == Side::WORLD { cut } else { 0 };
            held = left;
        }
    }
    let full = worlds.div_ceil(OF_FULL_SIZE);
    println!(
        "{worlds} worlds, {full} of full size: {falls} bases fell, {cuts} cuts ({full_cuts} in those), {calls} calls"
    );
    assert!(falls > 50 && cuts > 50 && calls > 50, "{falls} bases fell, {cuts} cuts, {calls} calls");
    assert!(full_cuts > 0, "nothing was cut off in a world of full size");
}
