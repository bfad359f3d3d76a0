//! The rules of a world of Life2, all of them, with pictures computed by the rules.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use arena_rules::life2::{
    Account, BASE_COST, Base, CELLS_A_CALL, CELLS_A_TURN, Call, Cell, FAUCET, Ground, Kingdom, Rates, SLOTS, Setup,
    Side, Slot, World,
};
use arena_service::limits::GENERATION_EVERY;
use arena_world::{ANSWERED_AFTER, ASKED_EVERY, BOTS_AFRESH_EVERY, FALLEN_MAX};

use crate::language::Message;
use crate::pictures::{Drawn, Figure, Mark};
use crate::text;

/// The rules. The numbers in them are the rules' own, as the assertions below say.
pub(crate) const RULES: &[Message] = &[
    text::world_a_world_is_a_torus,
    text::world_it_has_nine_slots,
    text::world_the_faucet_gives_1000,
    text::world_between_two_generations_you,
    text::world_a_cell_that_is_born,
    text::world_nobody_elses_cell_is_ever,
    text::world_a_base_without_a_coin,
    text::world_ground_that_a_birth,
    text::world_every_3000_generations_five,
    text::world_grace_a_kingdom_without,
    text::world_a_player_whose_kingdom,
    text::world_the_operator_of_the_site,
    text::world_a_bot_may_play,
    text::world_calls_of_the_same,
];

const _: () = {
    assert!(BASE_COST == 100 && FAUCET == 1_000 && CELLS_A_CALL == 1_000 && SLOTS == 9);
    assert!(Rates::FOUNDING.wipe == 3_000 && Rates::FOUNDING.grace == 6_000 && GENERATION_EVERY.as_millis() == 100);
    assert!(ASKED_EVERY == 60 && ANSWERED_AFTER == 10 && CELLS_A_TURN == 60 && BOTS_AFRESH_EVERY == 600);
    assert!(FALLEN_MAX == 64);
};

/// The kingdom of the pictures, and the one that attacks it.
const HOME: Base = Base { x: 8, y: 4 };
const AWAY: Base = Base { x: 40, y: 40 };
/// The part of the world that is drawn: its first rows and columns.
const ROWS: u16 = 16;
const COLS: u16 = 28;

/// The pictures, drawn on first use.
pub(crate) fn figures() -> &'static [Figure] {
    static FIGURES: OnceLock<Vec<Figure>> = OnceLock::new();
    FIGURES.get_or_init(|| [placing(), siege(), cut(), wipe()].into_iter().flatten().collect())
}

/// A small torus with both kingdoms, more ground of theirs, and living cells.
fn world(coins: u64, rates: Rates, ground: &[(u8, Cell)], alive: &[Cell]) -> Option<World> {
    let side = Side::of_length(Side::MIN)?;
    let (mut all, mut kingdoms) = (Ground::empty(side), [None; SLOTS]);
    for (slot, (base, coins)) in Slot::all().zip([(HOME, coins), (AWAY, BASE_COST)]) {
        base.interior(side).for_each(|cell| all.set_owner(cell, Some(slot)));
        let account = Account(slot.number().into());
        kingdoms[slot.index()] = Some(Kingdom { account, base, coins, lives: false, idle_since: None });
    }
    ground.iter().for_each(|(slot, cell)| all.set_owner(*cell, Slot::new(*slot)));
    alive.iter().for_each(|cell| all.set_alive(*cell, true));
    let census = all.census();
    for (kingdom, counts) in kingdoms.iter_mut().zip(&census[1..]) {
        kingdom.iter_mut().for_each(|kingdom| kingdom.lives = counts.cells > 0);
    }
    let wallets = BTreeMap::from([(Account(1), FAUCET)]);
    Setup { rates, generation: 0, ground: all, kingdoms, wallets }.world().ok()
}

/// A board with living cells as marks, the home kingdom's walls, and dots for its ground.
fn drawn(world: &World, label: Message) -> Drawn {
    let side = world.ground().side();
    let here = || (0..ROWS).flat_map(|y| (0..COLS).map(move |x| Cell { x, y }));
    let seat = |cell| world.ground().owner(cell).map(|slot| slot.number() - 1);
    let living = here().filter(|cell| world.ground().is_alive(*cell));
    let own = here().filter(|cell| seat(*cell) == Some(0) && !world.ground().is_alive(*cell));
    let stands = world.kingdoms().any(|(slot, _)| slot.number() == 1);
    let walls = here().filter(|cell| stands && HOME.is_wall(side, *cell));
    Drawn {
        rows: ROWS,
        cols: COLS,
        zones: Vec::new(),
        cells: living.map(|cell| Mark { col: cell.x, row: cell.y, seat: seat(cell) }).collect(),
        open: own.map(|cell| (cell.x, cell.y)).collect(),
        walls: walls.map(|cell| (cell.x, cell.y)).collect(),
        label,
    }
}

fn cells(places: &[(u16, u16)]) -> Vec<Cell> {
    places.iter().map(|(x, y)| Cell { x: *x, y: *y }).collect()
}

fn after(mut world: World, generations: u32, label: Message) -> Drawn {
    for _ in 0..generations {
        world.step();
    }
    drawn(&world, label)
}

fn placing() -> Option<Figure> {
    let mut world = world(BASE_COST, Rates::FOUNDING, &[], &[])?;
    let before = drawn(&world, text::world_a_new_base);
    // A glider that leaves to the right.
    world.call(Account(1), &Call::Place(vec![(12, 7), (13, 8), (11, 9), (12, 9), (13, 9)])).ok()?;
    Some(Figure {
        caption: text::world_a_base_with_its_walls,
        boards: vec![
            before,
            drawn(&world, text::world_a_glider_is_placed),
            after(world, 24, text::world_24_generations_later),
        ],
    })
}

fn siege() -> Option<Figure> {
    let row = cells(&[(16, 6), (16, 7), (16, 8)]);
    let ground: Vec<_> = row.iter().map(|cell| (2, *cell)).collect();
    let block = cells(&[(11, 7), (12, 7), (11, 8), (12, 8)]);
    let alive = [row, block].concat();
    let boards =
        [(2, text::world_the_base_had_two_coins as Message), (1, text::world_the_base_had_one_coin as Message)]
            .map(|(coins, label)| Some(after(world(coins, Rates::FOUNDING, &ground, &alive)?, 1, label)));
    let [holds, falls] = boards;
    let before = drawn(&world(2, Rates::FOUNDING, &ground, &alive)?, text::picture_before);
    Some(Figure { caption: text::world_a_siege_reds_next, boards: vec![before, holds?, falls?] })
}

fn cut() -> Option<Figure> {
    let road = (15..26).map(|x| (1, Cell { x, y: 7 }));
    let attack = cells(&[(19, 6), (20, 6), (21, 6)]);
    let end = cells(&[(24, 7), (25, 7), (24, 8), (25, 8)]);
    let ground: Vec<_> =
        road.chain(attack.iter().map(|cell| (2, *cell))).chain(end.iter().map(|cell| (1, *cell))).collect();
    let world = world(BASE_COST, Rates::FOUNDING, &ground, &[attack, end].concat())?;
    let before = drawn(&world, text::picture_before);
    Some(Figure {
        caption: text::world_reds_cell_is_born,
        boards: vec![before, after(world, 1, text::picture_after_the_generation)],
    })
}

fn wipe() -> Option<Figure> {
    let alive = cells(&[(11, 7), (12, 7), (11, 8), (12, 8), (20, 7), (21, 7), (20, 8), (21, 8)]);
    let ground: Vec<_> = alive.iter().map(|cell| (1, *cell)).collect();
    let world = world(BASE_COST, Rates { wipe: 1, ..Rates::FOUNDING }, &ground, &alive)?;
    let before = drawn(&world, text::picture_before);
    Some(Figure {
        caption: text::world_a_wipe_all_cells,
        boards: vec![before, after(world, 1, text::world_after_the_wipe)],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pictures_show_what_their_captions_say() {
        let [placing, siege, cut, wipe] = figures() else { panic!("four") };
        let shown = |figure: &Figure, of: fn(&Drawn) -> usize| figure.boards.iter().map(of).collect::<Vec<_>>();
        let (ground, living) = (|board: &Drawn| board.open.len(), |board: &Drawn| board.cells.len());
        let reds = |board: &Drawn| board.cells.iter().filter(|mark| mark.seat == Some(1)).count();
        assert_eq!(shown(placing, living), [0, 5, 5]);
        assert!(ground(&placing.boards[2]) > 36, "the glider has left the base");
        assert_eq!(shown(siege, |board| board.walls.len()), [28, 28, 0], "it falls with its last coin");
        assert_eq!((shown(siege, ground), shown(siege, reds)), (vec![32, 32, 0], vec![3, 2, 2]));
        assert_eq!((ground(&cut.boards[1]), living(&cut.boards[1])), (36 + 5, 3), "only the road up to red's cell");
        assert_eq!((shown(wipe, living), shown(wipe, ground)), (vec![8, 4], vec![32, 36]));
    }
}
