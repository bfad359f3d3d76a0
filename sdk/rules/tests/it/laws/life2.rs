//! Life2: refusals and their order, the order of events in a generation, and the points that its text leaves open.

use std::collections::BTreeMap;

use arena_rules::life2::{
    Account, BASE_COST, Base, CELLS_A_CALL, COINS_MAX, Call, Cause, Cell, FAUCET, Fall, GENERATIONS_MAX, Grace, Ground,
    Kingdom, NextWipe, Rates, Refusal, Setup, SetupError, Side, Slot, StateError, Word, World,
};

const ANN: Account = Account(7);
const BEN: Account = Account(3);

fn slot(number: u8) -> Slot {
    Slot::new(number).expect("a slot")
}

fn at((x, y): (u16, u16)) -> Cell {
    Cell { x, y }
}

fn join(x: i32, y: i32) -> Call {
    Call::Join { x, y }
}

/// A world in which these accounts have joined, each with what the faucet leaves.
fn world(bases: &[(Account, (i32, i32))]) -> World {
    let mut world = World::new(Side::WORLD, Rates::FOUNDING);
    for (account, (x, y)) in bases {
        world.call(*account, &Call::Faucet).expect("coins");
        world.call(*account, &join(*x, *y)).expect("a slot");
    }
    world
}

/// A torus of 64 x 64 with bases of this many coins, ground besides their insides, and living cells.
fn setup(bases: &[(u8, (u16, u16), u64)], ground: &[(u8, (u16, u16))], alive: &[(u16, u16)]) -> Setup {
    let side = Side::of_length(64).expect("a power of two");
    let mut all = Ground::empty(side);
    let mut kingdoms = [None; 9];
    for (number, (x, y), coins) in bases {
        let base = Base { x: *x, y: *y };
        base.interior(side).for_each(|cell| all.set_owner(cell, Slot::new(*number)));
        let account = Account((*number).into());
        kingdoms[slot(*number).index()] =
            Some(Kingdom { account, base, coins: *coins, lives: false, idle_since: None });
    }
    ground.iter().for_each(|(number, place)| all.set_owner(at(*place), Slot::new(*number)));
    alive.iter().for_each(|place| all.set_alive(at(*place), true));
    let census = all.census();
    for kingdom in kingdoms.iter_mut().flatten() {
        kingdom.lives = census[kingdom.account.0 as usize].cells > 0;
    }
    Setup { rates: Rates::FOUNDING, generation: 0, ground: all, kingdoms, wallets: BTreeMap::new() }
}

#[test]
fn joining_is_refused_in_the_order_of_its_rules() {
    let mut world = world(&[(ANN, (60, 60))]);
    let refused = |world: &World, account, call: &Call| world.clone().call(account, call).expect_err("refused");
    // `AlreadyInGame` is checked first, and missing coins before the place.
    assert_eq!(refused(&world, ANN, &join(-1, 0)), Refusal::AlreadyInGame);
    assert_eq!(refused(&world, BEN, &join(-1, 0)), Refusal::NeedCoins);
    world.call(BEN, &Call::Faucet).expect("coins");
    for place in [(-1, 0), (0, -1), (512, 0), (0, 512), (i32::MIN, i32::MAX)] {
        assert_eq!(refused(&world, BEN, &join(place.0, place.1)), Refusal::OutOfRange);
    }
    assert_eq!(refused(&world, BEN, &join(61, 61)), Refusal::QuadrantTaken, "before the overlap");
    assert_eq!(refused(&world, BEN, &join(127, 127)), Refusal::QuadrantTaken);
    assert_eq!(world.call(BEN, &join(128, 60)), Ok(2));
    assert_eq!((world.slot_of(ANN), world.slot_of(BEN)), (Some(slot(1)), Some(slot(2))));
    assert_eq!(world.balance(BEN), FAUCET - BASE_COST);
    assert_eq!(world.kingdom(slot(2)).map(|kingdom| kingdom.coins), Some(BASE_COST));
}

#[test]
fn bases_may_lie_over_the_edge_but_not_over_each_other() {
    let corner = world(&[(ANN, (508, 508))]);
    let mut near = corner.clone();
    near.call(BEN, &Call::Faucet).expect("coins");
    // Another quadrant, across both edges of the torus, or across one of them.
    for (x, y) in [(0, 0), (3, 3), (3, 508), (508, 3)] {
        assert_eq!(near.call(BEN, &join(x, y)), Err(Refusal::OverlapsBase), "{x}, {y}");
    }
    assert_eq!(near.call(BEN, &join(4, 3)), Ok(2), "beside it");
    let own: Vec<Cell> = corner.ground().of(slot(1)).collect();
    assert!(
        own.len() == 36 && own.contains(&at((0, 0))) && own.contains(&at((509, 509))) && !own.contains(&at((508, 508)))
    );
}

#[test]
fn ten_do_not_fit() {
    let quadrants = (0..10).map(|number| (Account(number), (number as i32 % 4 * 128, number as i32 / 4 * 128)));
    let all: Vec<_> = quadrants.collect();
    let mut world = world(&all[..9]);
    world.call(all[9].0, &Call::Faucet).expect("coins");
    let (x, y) = all[9].1;
    assert_eq!(world.call(all[9].0, &join(x, y)), Err(Refusal::NoSlot));
}

#[test]
fn placing_is_refused_in_the_order_of_its_rules_and_whole() {
    let mut world = world(&[(ANN, (60, 60)), (BEN, (200, 200))]);
    let place = |cells: &[Word]| Call::Place(cells.to_vec());
    let stranger = Account(99);
    assert_eq!(world.call(stranger, &Call::Place(vec![(0, 0); CELLS_A_CALL + 1])), Err(Refusal::TooManyCells));
    assert_eq!(world.call(stranger, &place(&[])), Ok(0));
    assert_eq!(world.call(stranger, &place(&[(0, 0)])), Err(Refusal::NotInGame));
    let before = world.clone();
    assert_eq!(world.call(ANN, &Call::Place(vec![(-5, 0); 901])), Err(Refusal::InsufficientCoins));
    // The first bad cell of the list determines the refusal; nothing is placed.
    for (bad, refusal) in [
        ((-1, 62), Refusal::OutOfRange),
        ((512, 62), Refusal::OutOfRange),
        ((80, 80), Refusal::NotYourTerritory),
        ((202, 202), Refusal::NotYourTerritory),
        ((60, 62), Refusal::NotYourTerritory),
    ] {
        assert_eq!(world.call(ANN, &place(&[(62, 62), bad, (-9, -9)])), Err(refusal), "{bad:?}");
        assert_eq!(world, before);
    }
    // A cell named twice is placed once and paid for twice; the coins go to the base.
    assert_eq!(world.call(ANN, &place(&[(62, 62), (62, 62)])), Ok(2));
    assert_eq!(world.balance(ANN), FAUCET - BASE_COST - 2);
    assert_eq!(world.kingdom(slot(1)).map(|kingdom| kingdom.coins), Some(BASE_COST + 2));
    assert_eq!(world.call(ANN, &place(&[(63, 63), (62, 62)])), Err(Refusal::CellAlive));
    assert_eq!(
        world.call(ANN, &Call::Place((0..898).map(|cell| (61 + cell % 6, 63 + cell / 6 % 4)).collect())),
        Ok(898)
    );
    assert_eq!(world.call(ANN, &place(&[(61, 61)])), Err(Refusal::InsufficientCoins));
}

#[test]
fn a_call_places_a_thousand_cells_and_not_one_more() {
    let mut world = world(&[(ANN, (60, 60))]);
    world.call(ANN, &Call::Faucet).expect("coins");
    let before = world.clone();
    let cells = |number: usize| Call::Place(vec![(62, 62); number]);
    assert_eq!(world.call(ANN, &cells(1_001)), Err(Refusal::TooManyCells));
    assert_eq!(world, before);
    assert_eq!(world.call(ANN, &cells(1_000)), Ok(1_000));
    assert_eq!(world.balance(ANN), 2 * FAUCET - BASE_COST - 1_000);
}

#[test]
fn walls_are_for_births_alone() {
    // A blinker next to the wall puts a cell on it, and takes the ground; placing a cell there is refused all the same.
    let mut world = world(&[(ANN, (60, 60))]);
    world.call(ANN, &Call::Place(vec![(61, 62), (61, 63), (61, 64)])).expect("own ground");
    world.step();
    assert_eq!(world.ground().owner(at((60, 63))), Some(slot(1)));
    world.step();
    assert!(!world.ground().is_alive(at((60, 63))));
    assert_eq!(world.call(ANN, &Call::Place(vec![(60, 63)])), Err(Refusal::OnWall));
}

#[test]
fn a_wallet_does_not_overflow() {
    let mut setup = setup(&[(1, (8, 8), 1)], &[], &[]);
    setup.wallets.insert(Account(1), COINS_MAX - FAUCET);
    let mut world = setup.clone().world().expect("a world");
    assert_eq!(world.call(Account(1), &Call::Faucet), Ok(COINS_MAX));
    assert_eq!(world.call(Account(1), &Call::Faucet), Err(Refusal::WalletFull));
    assert_eq!(world.balance(Account(1)), COINS_MAX);
    setup.wallets.insert(Account(1), COINS_MAX + 1);
    assert_eq!(setup.world(), Err(SetupError::TooManyCoins(Account(1))));
}

/// Three cells in a row above slot 2's base, which give birth to a cell inside it.
const SIEGE: [(u16, u16); 3] = [(41, 39), (42, 39), (43, 39)];

#[test]
fn a_siege_takes_a_coin_for_every_birth_it_is_refused() {
    let own = SIEGE.map(|place| (1, place));
    let mut world = setup(&[(1, (8, 8), 9), (2, (40, 40), 9)], &own, &SIEGE).world().expect("a world");
    world.step();
    assert!(!world.ground().is_alive(at((42, 40))) && world.ground().owner(at((42, 40))).is_none());
    assert_eq!(world.kingdom(slot(2)).map(|kingdom| kingdom.coins), Some(8));
    assert_eq!(world.balance(Account(1)), 1);
}

#[test]
fn a_siege_into_a_full_wallet_costs_the_base_its_coin_all_the_same() {
    let own = SIEGE.map(|place| (1, place));
    for (before, after) in [(COINS_MAX - 1, COINS_MAX), (COINS_MAX, COINS_MAX)] {
        let mut setup = setup(&[(1, (8, 8), 9), (2, (40, 40), 9)], &own, &SIEGE);
        setup.wallets.insert(Account(1), before);
        let mut world = setup.world().expect("a world");
        world.step();
        assert_eq!(world.balance(Account(1)), after);
        assert_eq!(world.kingdom(slot(2)).map(|kingdom| kingdom.coins), Some(8));
        assert_eq!(World::of_state(&world.state()), Ok(world), "it is a world as before");
    }
}

#[test]
fn a_base_does_not_overflow() {
    let mut setup = setup(&[(1, (8, 8), u64::MAX - 1)], &[], &[]);
    setup.wallets.insert(Account(1), 5);
    let mut world = setup.world().expect("a world");
    assert_eq!(world.call(Account(1), &Call::Place(vec![(9, 9), (10, 9), (11, 9)])), Ok(3));
    assert_eq!(world.balance(Account(1)), 2, "all of them are paid for");
    assert_eq!(world.kingdom(slot(1)).map(|kingdom| kingdom.coins), Some(u64::MAX));
    assert_eq!(World::of_state(&world.state()), Ok(world));
}

#[test]
fn a_base_falls_within_the_generation_and_births_after_it_land() {
    // Slot 2's last coin is spent on the birth at (42, 40), the first of its generation inside the base; the birth at (42, 46) comes
    // later and succeeds. Slot 2's own blinker has a birth before and one after: the one before falls, the one after stands.
    let attack = [(41, 39), (42, 39), (43, 39), (41, 48), (42, 48), (43, 48)];
    let own: Vec<_> =
        attack.iter().map(|place| (1, *place)).chain([(2, (20, 30)), (2, (21, 30)), (2, (22, 30))]).collect();
    let late = [(2, (20, 60)), (2, (21, 60)), (2, (22, 60))];
    let ground: Vec<_> = own.into_iter().chain(late).collect();
    let alive: Vec<_> =
        attack.into_iter().chain([(20, 30), (21, 30), (22, 30), (20, 60), (21, 60), (22, 60)]).collect();
    let mut world = setup(&[(1, (8, 8), 9), (2, (40, 40), 1)], &ground, &alive).world().expect("a world");
    world.step();
    assert_eq!(world.kingdom(slot(2)), None);
    assert_eq!(world.balance(Account(1)), 1, "the second birth finds no base");
    assert!(world.ground().is_alive(at((42, 47))) && world.ground().owner(at((42, 47))) == Some(slot(1)));
    let left: Vec<Cell> = world.ground().of(slot(2)).collect();
    assert_eq!(left, [at((21, 59)), at((21, 61))], "the births that came after the fall, and no other ground");
    // The next holder of the slot starts afresh.
    world.call(BEN, &Call::Faucet).expect("coins");
    assert_eq!(world.call(BEN, &join(24, 24)), Ok(2));
    assert_eq!(world.ground().census()[2].ground, 36);
}

#[test]
fn births_of_nobody_are_nobodys() {
    // Three neutral cells in a row: one birth on slot 1's ground, one on neutral ground, whose cell would be nobody's.
    let alive = [(30, 30), (31, 30), (32, 30)];
    let mut world = setup(&[(1, (8, 8), 9)], &[(1, (31, 29))], &alive).world().expect("a world");
    world.step();
    for place in [(31, 29), (31, 31)] {
        assert!(world.ground().is_alive(at(place)));
        assert_eq!(world.ground().owner(at(place)), None);
    }
    // In a base they are refused at no cost.
    let mut world = setup(&[(2, (40, 40), 1)], &[], &SIEGE).world().expect("a world");
    world.step();
    assert!(!world.ground().is_alive(at((42, 40))));
    assert_eq!(world.kingdom(slot(2)).map(|kingdom| kingdom.coins), Some(1));
}

#[test]
fn a_wipe_kills_a_quadrant_in_turn_and_leaves_the_ground() {
    let mut setup = setup(
        &[(1, (2, 2), 9), (2, (34, 2), 9)],
        &[],
        &[(4, 4), (5, 4), (4, 5), (5, 5), (36, 4), (37, 4), (36, 5), (37, 5)],
    );
    setup.rates = Rates { wipe: 3, grace: 100 };
    let mut world = setup.world().expect("a world");
    assert_eq!(world.next_wipe(), NextWipe { quadrant: 0, generations: 3 });
    (0..2).for_each(|_| drop(world.step()));
    assert_eq!(world.next_wipe(), NextWipe { quadrant: 0, generations: 1 });
    assert_eq!(world.ground().census()[1].cells, 4);
    world.step();
    let census = world.ground().census();
    assert_eq!((census[1].cells, census[1].ground, census[2].cells), (0, 36, 4));
    assert_eq!(world.next_wipe(), NextWipe { quadrant: 1, generations: 3 });
    (0..3 * 15).for_each(|_| drop(world.step()));
    assert_eq!(world.next_wipe().quadrant, 0, "round again");
}

#[test]
fn grace_begins_with_the_last_death_and_ends_a_kingdom() {
    let mut setup = setup(&[(1, (2, 2), 9), (2, (34, 2), 9)], &[], &[(4, 4)]);
    setup.rates = Rates { wipe: 1_000, grace: 5 };
    setup.wallets.insert(Account(1), 10);
    let mut world = setup.world().expect("a world");
    world.step();
    assert_eq!(world.kingdom(slot(1)).and_then(|kingdom| kingdom.idle_since), Some(1));
    (0..4).for_each(|_| drop(world.step()));
    // A cell placed in time stops it.
    let mut saved = world.clone();
    assert_eq!(saved.call(Account(1), &Call::Place(vec![(4, 4), (5, 4), (4, 5), (5, 5)])), Ok(4));
    (0..9).for_each(|_| drop(saved.step()));
    assert!(saved.kingdom(slot(1)).is_some());
    world.step();
    assert_eq!(world.kingdom(slot(1)), None);
    assert_eq!((world.balance(Account(1)), world.ground().census()[1].ground), (10, 0), "the base's coins are lost");
    // One that never had a cell, and was there when the world began, has no grace running.
    assert!(world.kingdom(slot(2)).is_some());
}

#[test]
fn grace_begins_at_joining_unless_a_cell_is_placed() {
    let joined = |mut world: World| {
        for account in [Account(1), Account(2)] {
            world.call(account, &Call::Faucet).expect("coins");
        }
        world.step();
        assert_eq!(world.call(Account(1), &join(8, 8)), Ok(1));
        assert_eq!(world.call(Account(2), &join(40, 40)), Ok(2));
        assert_eq!(world.call(Account(2), &Call::Place(vec![(44, 44), (45, 44), (44, 45), (45, 45)])), Ok(4));
        world
    };
    let small = World::new(Side::of_length(64).expect("a power of two"), Rates { wipe: 1_000, grace: 5 });
    let mut world = joined(small.clone());
    assert_eq!(world.kingdom(slot(1)).and_then(|kingdom| kingdom.idle_since), Some(1));
    for _ in 0..4 {
        assert_eq!(world.step(), []);
    }
    assert_eq!(world.step(), [Fall { account: Account(1), cause: Cause::Grace }]);
    assert_eq!((world.kingdom(slot(1)), world.kingdom(slot(2)).map(|kingdom| kingdom.coins)), (None, Some(104)));
    // By the rule of the first worlds it begins only with a loss; under the new rule these kingdoms have all of it before them.
    let mut old = joined(small.with_grace_at_loss());
    (0..50).for_each(|_| drop(old.step()));
    assert!(old.kingdom(slot(1)).is_some_and(|kingdom| kingdom.idle_since.is_none()));
    old.begin_grace_at_joining();
    assert_eq!(old.grace(), Grace::AtJoining);
    (0..4).for_each(|_| drop(old.step()));
    assert!(old.kingdom(slot(1)).is_some() && old.kingdom(slot(2)).is_some());
    assert_eq!(old.step(), [Fall { account: Account(1), cause: Cause::Grace }]);
}

#[test]
fn a_fall_in_a_siege_names_who_took_the_last_coin() {
    let mut world = setup(
        &[(1, (8, 8), 9), (2, (40, 40), 1)],
        &[(1, (41, 39)), (1, (42, 39)), (1, (43, 39))],
        &[(41, 39), (42, 39), (43, 39)],
    )
    .world()
    .expect("a world");
    assert_eq!(world.step(), [Fall { account: Account(2), cause: Cause::Siege(Some(Account(1))) }]);
    assert_eq!(world.balance(Account(1)), 1);
}

#[test]
fn ground_that_is_cut_off_is_lost_and_what_never_hung_on_a_base_is_not_looked_for() {
    // A corridor from slot 1's base to the east, cut at (20, 11) by a birth of slot 2; a block at its end, half of it on neutral
    // ground; and an island of slot 1 far away.
    let corridor = (15..30).map(|x| (1, (x, 11)));
    let attack = [(19, 10), (20, 10), (21, 10)];
    let island = [(1, (50, 50)), (1, (50, 51))];
    let ground: Vec<_> = corridor.chain(attack.map(|place| (2, place))).chain(island).collect();
    let alive: Vec<_> = attack.into_iter().chain([(28, 12), (28, 11), (29, 12), (29, 11)]).collect();
    let mut world = setup(&[(1, (8, 8), 9), (2, (40, 40), 9)], &ground, &alive).world().expect("a world");
    assert!(world.hangs_on_base(at((29, 11))));
    world.step();
    let owner = |place| world.ground().owner(at(place)).map(Slot::number);
    assert_eq!(owner((20, 11)), Some(2));
    assert_eq!((owner((19, 11)), owner((21, 11)), owner((29, 11))), (Some(1), None, None));
    assert!(!world.ground().is_alive(at((29, 11))), "what lives on it dies");
    assert_eq!((owner((50, 50)), owner((50, 51))), (Some(1), Some(1)), "the island stays");
    assert!(!world.hangs_on_base(at((50, 50))));
}

#[test]
fn a_base_among_enemies_keeps_its_inside_and_fights_back() {
    // All around slot 1's base is slot 2's, which has cells at its wall.
    let around = |(x, y): &(u16, u16)| !(8..16).contains(x) || !(8..16).contains(y);
    let all = (0..64).flat_map(|x| (0..64).map(move |y| (x, y)));
    let ground: Vec<_> = all.filter(around).map(|place| (2, place)).collect();
    let mut setup = setup(&[(1, (8, 8), 9), (2, (40, 40), 9)], &ground, &[(9, 7), (10, 7), (11, 7)]);
    setup.wallets.insert(Account(1), 3);
    let mut world = setup.world().expect("a world");
    let blinker = vec![(14, 10), (14, 11), (14, 12)];
    assert_eq!(world.call(Account(1), &Call::Place(blinker)), Ok(3));
    for _ in 0..5 {
        world.step();
        assert_eq!(world.ground().census()[1].ground, 36 + 1, "the inside, and the wall on which a cell was born");
    }
    assert!(world.ground().is_alive(at((15, 11))));
    assert_eq!(world.kingdom(slot(1)).map(|kingdom| kingdom.coins), Some(9 + 3 - 1), "a birth at (10, 8) was refused");
}

#[test]
fn what_is_no_world_is_refused_with_the_reason() {
    let good = setup(&[(1, (8, 8), 9), (2, (40, 40), 9)], &[], &[]);
    assert!(good.clone().world().is_ok());
    let refused = |change: &dyn Fn(&mut Setup)| {
        let mut setup = good.clone();
        change(&mut setup);
        setup.world().expect_err("no world")
    };
    let kingdom = |setup: &mut Setup, change: &dyn Fn(&mut Kingdom)| {
        setup.kingdoms[1].iter_mut().for_each(change);
    };
    assert_eq!(refused(&|setup| setup.rates.wipe = 0), SetupError::NoRate);
    assert_eq!(refused(&|setup| kingdom(setup, &|it| it.base.x = 64)), SetupError::OffBoard(slot(2)));
    assert_eq!(refused(&|setup| kingdom(setup, &|it| it.coins = 0)), SetupError::NoCoins(slot(2)));
    assert_eq!(refused(&|setup| kingdom(setup, &|it| it.base.x = 41)), SetupError::InteriorLost(slot(2)));
    assert_eq!(refused(&|setup| setup.generation = GENERATIONS_MAX + 1), SetupError::TooOld);
    assert_eq!(refused(&|setup| kingdom(setup, &|it| it.idle_since = Some(1))), SetupError::IdleTooSoon(slot(2)));
    let lives_and_idle = |it: &mut Kingdom| (it.lives, it.idle_since) = (true, Some(0));
    assert_eq!(refused(&|setup| kingdom(setup, &lives_and_idle)), SetupError::Lives(slot(2)));
    assert_eq!(refused(&|setup| setup.ground.set_alive(at((42, 42)), true)), SetupError::Lives(slot(2)));
    assert_eq!(
        refused(&|setup| kingdom(setup, &|it| it.account = Account(1))),
        SetupError::TwoKingdoms(slot(1), slot(2))
    );
}

#[test]
fn a_world_whose_kingdom_lost_its_last_cells_to_a_base_is_its_bytes() {
    let block = [(40, 40), (41, 40), (40, 41), (41, 41)];
    let mut setup = setup(&[(1, (8, 8), 9)], &block.map(|place| (1, place)), &block);
    setup.wallets.insert(Account(2), BASE_COST);
    let mut world = setup.world().expect("a world");
    assert_eq!(world.call(Account(2), &join(36, 36)), Ok(2));
    let cells = |world: &World| world.ground().census().map(|count| count.cells);
    assert_eq!((cells(&world)[1], cells(&world)[2]), (0, 4), "the block is the new kingdom's");
    assert_eq!(World::of_state(&world.state()), Ok(world.clone()));
    // The kingdom notices in the next generation, in which its grace begins.
    world.step();
    assert_eq!(world.kingdom(slot(1)).and_then(|kingdom| kingdom.idle_since), Some(1));
    assert_eq!(World::of_state(&world.state()), Ok(world));
}

#[test]
fn a_world_is_its_bytes() {
    let mut world = world(&[(ANN, (60, 60)), (BEN, (508, 508))]);
    world.call(ANN, &Call::Place(vec![(62, 63), (63, 63), (64, 63)])).expect("own ground");
    (0..5).for_each(|_| drop(world.step()));
    let state = world.state();
    assert_eq!(state.len(), 18 + 7 + 2 * 30 + 4 + 2 * 16 + (160 << 10), "160 KiB of ground");
    assert_eq!(World::of_state(&state), Ok(world.clone()));
    // Shorter, longer, of another size, with a flag of two, with wallets out of order: not the bytes of a world.
    let other = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut other = state.clone();
        change(&mut other);
        World::of_state(&other)
    };
    let wallets = 18 + 7 + 2 * 30 + 4;
    for wrong in [
        other(&|bytes| bytes.truncate(state.len() - 1)),
        other(&|bytes| bytes.push(0)),
        other(&|bytes| bytes[0] = 3),
        other(&|bytes| bytes[18] = 2),
        other(&|bytes| bytes[wallets..wallets + 32].rotate_left(16)),
    ] {
        assert_eq!(wrong, Err(StateError::NotAState));
    }
    // Two bits of an owner that together are not a slot.
    let ground = state.len() - (160 << 10);
    let owner = other(&|bytes| (2..5).for_each(|plane| bytes[ground + (plane << 15)] |= 1));
    assert_eq!(owner, Err(StateError::Setup(SetupError::NoSuchOwner)));
    // A generation, a coin, a cell or its ground: each makes another state.
    for change in [&(|world: &mut World| drop(world.step())) as &dyn Fn(&mut World), &|world| {
        world.call(ANN, &Call::Faucet).expect("coins");
    }] {
        let mut other = world.clone();
        change(&mut other);
        assert_ne!(other.state(), state);
    }
}

#[test]
fn refusals_have_the_texts_of_the_seed() {
    let texts = [
        (Refusal::AlreadyInGame, "Already in game"),
        (Refusal::NeedCoins, "Need 100 coins to join"),
        (Refusal::OutOfRange, "Coordinates out of range"),
        (Refusal::QuadrantTaken, "Quadrant already has a base"),
        (Refusal::OverlapsBase, "Overlaps existing base"),
        (Refusal::NoSlot, "No free slot"),
        (Refusal::TooManyCells, "Max 1000 cells per call"),
        (Refusal::NotInGame, "Not in game"),
        (Refusal::InsufficientCoins, "Insufficient coins"),
        (Refusal::NotYourTerritory, "Not your territory"),
        (Refusal::OnWall, "Cannot place on walls"),
        (Refusal::CellAlive, "Cell already alive"),
        (Refusal::WalletFull, "Wallet is full"),
    ];
    for (refusal, text) in texts {
        assert_eq!(refusal.to_string(), text);
    }
}
