//! The rules of a world of Life2, all of them, with pictures computed by the rules.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use arena_rules::life2::{
    Account, BASE_COST, Base, CELLS_A_CALL, CELLS_A_TURN, Call, Cell, FAUCET, Ground, Kingdom, Rates, SLOTS, Setup,
    Side, Slot, World,
};
use arena_service::limits::GENERATION_EVERY;
use arena_world::{ANSWERED_AFTER, ASKED_EVERY, BOTS_AFRESH_EVERY, FALLEN_MAX};

use crate::pictures::{Drawn, Figure, Mark};

/// The rules. The numbers in them are the rules' own, as the assertions below say.
pub(crate) const RULES: &[&str] = &[
    "A world is a torus of 512 by 512 cells that never ends: ten generations of Conway’s rules a second. It stands still while its site is down, and a late generation is not made up for.",
    "It has nine slots, each for one account. To join you pay 100 coins and choose where your base of eight by eight cells stands: in a quadrant in which no other base begins, over no other base. There are sixteen quadrants. The coins go into the base; the six by six cells inside its walls are your first ground.",
    "The faucet gives 1000 coins a call, as often as you like within the rates of the site. Coins are in your wallet, which belongs to your account and outlives your kingdom.",
    "Between two generations you may make cells live, at most 1000 in a call: dead cells on your own ground, and not on your walls. Each costs a coin, which goes from your wallet into your base. If one of them is not allowed, none is placed.",
    "A cell that is born belongs to the owner of most of its three parents, and so does the ground it stands on. If all three differ, its place decides among them. Parents on nobody’s ground count apart: if there are more of them than of any owner, the first owned parent’s owner gets the cell, from the north-west on, row by row; three of them leave the cell to nobody. Ground stays with its owner when the cell dies.",
    "Nobody else’s cell is ever born in your eight by eight; your own may be born on the walls, too. Each birth that the base refuses costs it a coin, which the attacker’s wallet gets. A birth of nobody’s is refused and costs nothing.",
    "A base without a coin falls at once: its cells die, and its ground is nobody’s. Bases that fall in the same generation fall in the order of the births that they refused, by rows.",
    "Ground that a birth of others cuts off from your six by six, across edges, turns neutral at once, and its cells die. Ground that never hung on your base, as when a glider crosses to new land, stays yours until such a cut reaches it. Wipes and new bases cut nothing off.",
    "Every 3000 generations, five minutes, everything dies in one quadrant: the first, then the second, up to the sixteenth, then the first again. Ground, walls and coins stay.",
    "Grace: a kingdom without a living cell keeps its slot for 6000 generations, ten minutes. They begin when you join and whenever your last cell is gone, and end as soon as a cell of yours lives. When they are over the kingdom falls, and the coins in its base are lost.",
    "A player whose kingdom falls, in a siege or by grace, may join again at once for another 100 coins. The world remembers the last 64 kingdoms that fell, and its page says what became of yours.",
    "The operator of the site may free a slot: its kingdom ends, the coins in its base are lost, and no bot plays for its player any more, who may join again. The world’s log has a line for that.",
    "A bot may play for you: it takes coins and joins by itself once a minute, is asked every 60 generations, may answer with up to 60 cells, and its answer counts 10 generations later.",
    "Calls of the same generation take effect in the order of the world’s log. Every 600 generations the log has a digest and a snapshot, and arena verify computes each such minute again.",
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
fn drawn(world: &World, label: &'static str) -> Drawn {
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

fn after(mut world: World, generations: u32, label: &'static str) -> Drawn {
    for _ in 0..generations {
        world.step();
    }
    drawn(&world, label)
}

fn placing() -> Option<Figure> {
    let mut world = world(BASE_COST, Rates::FOUNDING, &[], &[])?;
    let before = drawn(&world, "A new base");
    // A glider that leaves to the right.
    world.call(Account(1), &Call::Place(vec![(12, 7), (13, 8), (11, 9), (12, 9), (13, 9)])).ok()?;
    Some(Figure {
        caption: "A base with its walls. The dots are your ground, where you may place cells: a glider takes the ground that it crosses.",
        boards: vec![before, drawn(&world, "A glider is placed"), after(world, 24, "24 generations later")],
    })
}

fn siege() -> Option<Figure> {
    let row = cells(&[(16, 6), (16, 7), (16, 8)]);
    let ground: Vec<_> = row.iter().map(|cell| (2, *cell)).collect();
    let block = cells(&[(11, 7), (12, 7), (11, 8), (12, 8)]);
    let alive = [row, block].concat();
    let boards = [(2, "The base had two coins"), (1, "The base had one coin")]
        .map(|(coins, label)| Some(after(world(coins, Rates::FOUNDING, &ground, &alive)?, 1, label)));
    let [holds, falls] = boards;
    let before = drawn(&world(2, Rates::FOUNDING, &ground, &alive)?, "Before");
    Some(Figure {
        caption: "A siege: red’s next birth on the left would be on blue’s wall. It is refused, and costs the base a coin. With its last coin the base falls.",
        boards: vec![before, holds?, falls?],
    })
}

fn cut() -> Option<Figure> {
    let road = (15..26).map(|x| (1, Cell { x, y: 7 }));
    let attack = cells(&[(19, 6), (20, 6), (21, 6)]);
    let end = cells(&[(24, 7), (25, 7), (24, 8), (25, 8)]);
    let ground: Vec<_> =
        road.chain(attack.iter().map(|cell| (2, *cell))).chain(end.iter().map(|cell| (1, *cell))).collect();
    let world = world(BASE_COST, Rates::FOUNDING, &ground, &[attack, end].concat())?;
    let before = drawn(&world, "Before");
    Some(Figure {
        caption: "Red’s cell is born on blue’s road. What lay behind it is cut off: it turns neutral, and the square on it dies.",
        boards: vec![before, after(world, 1, "After the generation")],
    })
}

fn wipe() -> Option<Figure> {
    let alive = cells(&[(11, 7), (12, 7), (11, 8), (12, 8), (20, 7), (21, 7), (20, 8), (21, 8)]);
    let ground: Vec<_> = alive.iter().map(|cell| (1, *cell)).collect();
    let world = world(BASE_COST, Rates { wipe: 1, ..Rates::FOUNDING }, &ground, &alive)?;
    let before = drawn(&world, "Before");
    Some(Figure {
        caption: "A wipe: all cells of a quadrant die, here the sixteen columns on the left. The ground stays, and so does the base.",
        boards: vec![before, after(world, 1, "After the wipe")],
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Language, found, speaking};

    #[test]
    fn every_rule_and_picture_of_a_world_is_there_in_both_languages() {
        assert_eq!(figures().len(), 4);
        let spoken = |text: &&str| speaking(Language::Spanish, || found(text)).is_some();
        let labels = figures().iter().flat_map(|figure| figure.boards.iter().map(|board| board.label));
        let texts: Vec<&str> =
            RULES.iter().copied().chain(figures().iter().map(|figure| figure.caption)).chain(labels).collect();
        let missing: Vec<&&str> = texts.iter().filter(|text| !spoken(text)).collect();
        assert!(missing.is_empty(), "{missing:#?}");
    }

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
