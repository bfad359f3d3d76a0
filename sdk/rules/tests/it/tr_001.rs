//! What TR-001 (version 5.4) says of the automaton and the game, by section. §3 is in `bots/baselines/tests`; §4 is about
//! servers and does not apply to ours.

use arena_rules::conquerors::{
    Action, BOMB_COOLDOWN, BOMB_FROM_ROUND, Board, CELLS, COLS, Cell, Colour, Options, PLACEMENTS, Plane, Position,
    ROUNDS, ROWS, Refusal, Setup, Target, Turn, Zone,
};
use arena_rules::{BySeat, Reason, Rng, Ruleset};

fn cell(row: usize, col: usize) -> Cell {
    Cell::new(row as u8, col as u8).expect("on the board")
}

fn board(colour: Colour, cells: &[(usize, usize)]) -> Board {
    let mut board = Board::EMPTY;
    cells.iter().for_each(|(row, col)| board.set(cell(*row, *col), colour));
    board
}

fn v1() -> Position {
    Position::start(&Options::V5.into(), &[0; 32])
}

fn play(position: &mut Position, turn: Turn) {
    let seat = position.to_move().expect("in play").seat();
    position.advance(BySeat::new(2, |other| (other == seat).then(|| turn.clone())));
}

/// Four adjacent legal cells, drawn from `rng`; a skip if there are none.
fn any_turn(position: &Position, rng: &mut Rng) -> Turn {
    let colour = position.to_move().expect("in play");
    let mut view = position.setup().board;
    let mut placed: Vec<Cell> = Vec::new();
    while placed.len() < usize::from(PLACEMENTS) {
        let open = arena_rules::conquerors::Reach::of(&view, colour, position.options()).cells() & !view.living();
        let near = placed.iter().fold(Plane::EMPTY, |near, cell| near | Plane::square(*cell)) & open;
        let from = if near.is_empty() { open } else { near };
        let Some(chosen) = from.cells().nth(rng.below(from.count().max(1)) as usize) else { return Turn::Skip };
        view.set(chosen, colour);
        placed.push(chosen);
    }
    Turn::Place(placed)
}

/// TR-001 §1.1: 728 cells, about 10^347.3 configurations; at most 24 generations and 96 placements a game.
#[test]
fn section_1_1_counts() {
    assert_eq!((ROWS, COLS, CELLS), (26, 28, 728));
    assert!((CELLS as f64 * 3_f64.log10() - 347.3).abs() < 0.05);
    for seed in 0..50 {
        let (mut position, mut rng) = (v1(), Rng::new(&[seed; 32], 0));
        let (mut generations, mut placements) = (0, 0);
        while position.to_move().is_some() {
            let turn = any_turn(&position, &mut rng);
            placements += if let Turn::Place(cells) = &turn { cells.len() } else { 0 };
            generations += 1;
            play(&mut position, turn);
        }
        assert!(generations <= 2 * usize::from(ROUNDS) && placements <= 96, "{generations}, {placements}");
        let decided = position.outcome().expect("over").reason == Reason::Majority;
        assert_eq!(decided, generations == 24, "only a full game is decided by its counts");
    }
}

/// TR-001 §1.2: no birth has as many blue parents as red ones, so the tie-break is unreachable: each of the ways to colour three
/// of the eight neighbours of a dead cell gives the colour that at least two of them have.
#[test]
fn section_1_2_births_never_tie() {
    let centre = cell(12, 14);
    let ring: Vec<Cell> = Plane::square(centre).cells().filter(|other| *other != centre).collect();
    let mut births = 0;
    for alive in (0..256_u32).filter(|alive| alive.count_ones() == 3) {
        let parents: Vec<Cell> = (0..8).filter(|bit| alive >> bit & 1 == 1).map(|bit| ring[bit]).collect();
        for colours in 0..8_u32 {
            let mut board = Board::EMPTY;
            for (bit, parent) in parents.iter().enumerate() {
                board.set(*parent, if colours >> bit & 1 == 1 { Colour::Red } else { Colour::Blue });
            }
            let red = colours.count_ones();
            assert_ne!(2 * red, 3);
            let majority = if 2 * red > 3 { Colour::Red } else { Colour::Blue };
            assert_eq!(board.next().colour_at(centre), Some(majority));
            births += 1;
        }
    }
    assert_eq!(births, 56 * 8);
}

/// TR-001 §1.2: survival does not look at colours, and edges are bounded: corners have 3 neighbours, other border cells 5.
#[test]
fn section_1_2_edges_are_bounded_and_colour_never_affects_survival() {
    let neighbours = |of: Cell| Plane::square(of).count() - 1;
    let mut by_count = [0; 9];
    Plane::FULL.cells().for_each(|of| by_count[neighbours(of) as usize] += 1);
    assert_eq!((by_count[3], by_count[5], by_count[8]), (4, 2 * (24 + 26), 24 * 26));
    let mut rng = Rng::new(&[1; 32], 0);
    for _ in 0..200 {
        let (mut blue, mut mixed) = (Board::EMPTY, Board::EMPTY);
        for of in Plane::FULL.cells().filter(|_| rng.below(3) == 0).collect::<Vec<_>>() {
            blue.set(of, Colour::Blue);
            mixed.set(of, Colour::BOTH[rng.below(2) as usize]);
        }
        assert_eq!(blue.next().living(), mixed.next().living());
        for of in (mixed.living() & mixed.next().living()).cells() {
            assert_eq!(mixed.next().colour_at(of), mixed.colour_at(of), "a survivor keeps its colour");
        }
    }
}

/// TR-001 §1.3: a generation needs at most 6,552 reads of neighbours.
#[test]
fn section_1_3_reads_of_a_generation() {
    let reads: u32 = Plane::FULL.cells().map(|of| Plane::square(of).count() - 1).sum();
    assert!(reads <= 6_552 && reads < (CELLS * 8) as u32, "{reads}");
}

/// TR-001 §1.4: blocks and beehives stand still, blinkers have period 2, gliders move one cell diagonally in four generations.
#[test]
fn section_1_4_local_structures() {
    for colour in Colour::BOTH {
        let block = board(colour, &[(3, 3), (3, 4), (4, 3), (4, 4)]);
        let beehive = board(colour, &[(9, 10), (9, 11), (10, 9), (10, 12), (11, 10), (11, 11)]);
        assert_eq!((block.next(), beehive.next()), (block, beehive));
        let blinker = board(colour, &[(5, 5), (5, 6), (5, 7)]);
        assert_ne!(blinker.next(), blinker);
        assert_eq!(blinker.next().next(), blinker);
        let glider = [(0, 1), (1, 2), (2, 0), (2, 1), (2, 2)];
        let at = |by: usize| board(colour, &glider.map(|(row, col)| (row + by, col + by)));
        let mut now = at(5);
        for step in 6..15 {
            (0..4).for_each(|_| now = now.next());
            assert_eq!(now, at(step));
        }
    }
}

/// TR-001 §1.4: nothing reaches a cell at Chebyshev distance d before d generations have run.
#[test]
fn section_1_4_the_speed_of_influence() {
    let mut rng = Rng::new(&[2; 32], 0);
    for _ in 0..200 {
        let mut one = Board::EMPTY;
        for of in Plane::FULL.cells().filter(|_| rng.below(3) == 0).collect::<Vec<_>>() {
            one.set(of, Colour::BOTH[rng.below(2) as usize]);
        }
        let placed = cell(rng.below(26) as usize, rng.below(28) as usize);
        let mut other = one;
        other.clear(Plane::square(placed) & !one.living());
        other.set(placed, Colour::Red);
        for generations in 0..10 {
            for of in Plane::FULL.cells().filter(|of| one.colour_at(*of) != other.colour_at(*of)) {
                let distance = of.row().abs_diff(placed.row()).max(of.col().abs_diff(placed.col()));
                assert!(distance <= generations, "{distance} after {generations}");
            }
            (one, other) = (one.next(), other.next());
        }
    }
}

/// TR-001 §1.4: the transition is not injective, so some configuration has no predecessor: every single cell dies, as nothing does.
#[test]
fn section_1_4_orphans_exist() {
    let mut single = 0;
    for (of, colour) in Plane::FULL.cells().flat_map(|of| Colour::BOTH.map(|colour| (of, colour))) {
        assert_eq!(board(colour, &[(of.row(), of.col())]).next(), Board::EMPTY);
        single += 1;
    }
    assert_eq!(single, 2 * CELLS);
    assert_eq!(Board::EMPTY.next(), Board::EMPTY);
}

/// TR-001 §2.2: neutral needs a cell at home; the enemy's home needs cells in neutral and there, and none at home.
#[test]
fn section_2_2_the_chain_of_the_v1_game_does_without_a_home() {
    for colour in Colour::BOTH {
        for holds in 0..8_u32 {
            let mut board = Board::EMPTY;
            for (bit, zone) in Zone::ALL.into_iter().enumerate() {
                let of = zone.cells(colour, &Options::V5).cells().nth(40).expect("zones are larger");
                if holds >> bit & 1 == 1 {
                    board.set(of, colour);
                }
            }
            let setup = Setup { board, ..*v1().setup() };
            let reach = setup.position().expect("in range").reach(colour);
            let [home, neutral, enemy] = [0, 1, 2].map(|bit| holds >> bit & 1 == 1);
            assert!(reach.is_open(Zone::Home));
            assert_eq!(reach.is_open(Zone::Neutral), home);
            assert_eq!(reach.is_open(Zone::Enemy), neutral && enemy);
        }
    }
}

/// TR-001 §2.3: the bomb unlocks in round 7 and cools for three turn ends, one and a half rounds; the skip is there once.
#[test]
fn section_2_3_full_turn_actions() {
    assert_eq!((BOMB_FROM_ROUND, BOMB_COOLDOWN), (ROUNDS / 2 + 1, 3));
    let blocks = |round| {
        let mut board = board(Colour::Blue, &[(3, 3), (3, 4), (4, 3), (4, 4)]);
        [(3, 23), (3, 24), (4, 23), (4, 24)].iter().for_each(|(row, col)| board.set(cell(*row, *col), Colour::Red));
        Setup { board, round, ..*v1().setup() }.position().expect("in range")
    };
    let bomb = Action::Bomb(Target { row: 15, col: 14 });
    let blue = Colour::Blue.seat();
    assert_eq!(blocks(6).check(blue, &bomb), Err(Refusal::BombTooEarly));
    let mut position = blocks(7);
    let thrown = position.check(blue, &bomb).expect("unlocked");
    play(&mut position, thrown);
    assert_eq!(position.cooldown()[Colour::Blue], 2, "its own turn end counts");
    play(&mut position, Turn::Skip);
    assert_eq!(position.check(blue, &bomb), Err(Refusal::BombCooling(1)));
    play(&mut position, Turn::Skip);
    assert_eq!(position.check(Colour::Red.seat(), &Action::Skip), Err(Refusal::SkipUsed));
    play(&mut position, Turn::Pass);
    assert!(position.check(blue, &bomb).is_ok());
    assert_eq!(position.check(blue, &Action::Skip), Err(Refusal::SkipUsed));
}

/// TR-001 §2.4: no ending before both have moved; then extinction by counts; after round 12 the higher count wins, wherever its
/// cells are, and equal counts draw.
#[test]
fn section_2_4_endings_of_the_v1_game() {
    let mut position = v1();
    play(&mut position, Turn::Skip);
    assert_eq!(position.outcome(), None, "blue has no cell, and red has not moved");
    play(&mut position, Turn::Skip);
    assert_eq!(position.outcome().expect("both are empty").reason, Reason::MutualExtinction);

    let block = |row, col| [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
    let end = |blue: &[(usize, usize)], red: &[(usize, usize)]| {
        let mut board = board(Colour::Blue, blue);
        red.iter().for_each(|(row, col)| board.set(cell(*row, *col), Colour::Red));
        let setup = Setup { board, round: ROUNDS, to_move: Colour::Red, ..*v1().setup() };
        let mut position = setup.position().expect("in range");
        play(&mut position, Turn::Skip);
        let outcome = position.outcome().expect("over");
        (outcome.reason, outcome.winner, outcome.tally.into_values())
    };
    let (invaders, at_home) = (block(3, 23), [block(10, 23), block(15, 23)].concat());
    assert_eq!(end(&invaders, &at_home), (Reason::Majority, Some(Colour::Red.seat()), vec![4, 8]));
    assert_eq!(end(&invaders, &at_home[..4]), (Reason::Majority, None, vec![4, 4]), "invaders count once");
    assert_eq!(end(&invaders, &[]).0, Reason::Extinction);
}

/// TR-001 §2.4: choices of four cells: about 1.16 x 10^10 of the whole board, about 7.6 x 10^7 of a home.
#[test]
fn section_2_4_choices_of_a_turn() {
    let fours = |cells: u64| cells * (cells - 1) * (cells - 2) * (cells - 3) / 24;
    let home = Zone::home_of(Colour::Blue).count();
    assert_eq!(home, 208);
    assert!((fours(CELLS as u64) as f64 / 1.16e10 - 1.0).abs() < 0.005);
    assert!((fours(home.into()) as f64 / 7.6e7 - 1.0).abs() < 0.01);
}
