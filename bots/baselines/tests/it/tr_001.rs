//! What TR-001 §3 says of the players of version 5.4.

use arena_baselines::conquerors::{Params, Tier, View, block, bomb_target, choose};
use arena_rules::conquerors::{Board, Cell, Colour, Impacts, Options, Plane, Position, Setup, Turn, Zone};
use arena_rules::{BySeat, Rng, Ruleset};

fn cell(row: u8, col: u8) -> Cell {
    Cell::new(row, col).expect("on the board")
}

fn board(cells: &[(Colour, u8, u8)]) -> Board {
    let mut board = Board::EMPTY;
    cells.iter().for_each(|(colour, row, col)| board.set(cell(*row, *col), *colour));
    board
}

/// Red to move on this board in this round.
fn red_to_move(board: Board, round: u8) -> Position {
    let empty = *Position::start(&Options::V5.into(), &[0; 32]).setup();
    Setup { board, round, to_move: Colour::Red, ..empty }.position().expect("in range")
}

fn block_of(colour: Colour, row: u8, col: u8) -> [(Colour, u8, u8); 4] {
    [(colour, row, col), (colour, row, col + 1), (colour, row + 1, col), (colour, row + 1, col + 1)]
}

/// Own cells after a turn and its generation.
fn cells_after(position: &Position, turn: &Turn) -> u32 {
    position.preview(Colour::Red, turn).of(Colour::Red).count()
}

/// TR-001 §3.1: an isolated placement has a change of -1; one that overcrowds has a strongly negative one though it survives.
#[test]
fn section_3_1_both_ways_to_fail_in_one_step() {
    let impacts = Impacts::of(&Board::EMPTY, Colour::Red);
    assert!(Plane::FULL.cells().all(|of| impacts.own(of) == -1));
    // On boards of any cells many placements live on while at least three around them die, of which three or more cells of the
    // square would live without them: the change is -3 or worse.
    let mut rng = Rng::new(&[3; 32], 0);
    let mut crowding = 0;
    for _ in 0..50 {
        let mut board = Board::EMPTY;
        let living = Plane::FULL.cells().filter(|_| rng.below(4) == 0);
        living.collect::<Vec<_>>().into_iter().for_each(|of| board.set(of, Colour::Red));
        let (impacts, alone) = (Impacts::of(&board, Colour::Red), board.next());
        for of in Plane::FULL.cells().filter(|of| board.colour_at(*of).is_none()) {
            let mut placed = board;
            placed.set(of, Colour::Red);
            let after = placed.next();
            let around = Plane::square(of);
            let died = (around & *placed.of(Colour::Red) & !after.living()).count();
            let saved = (around & *placed.of(Colour::Red) & alone.living()).count();
            crowding += u32::from(after.colour_at(of).is_some() && died >= 3 && saved >= 3 && impacts.own(of) <= -3);
        }
    }
    assert!(crowding > 20, "{crowding}");
}

/// TR-001 §3.2, the pair valley: the second cell of a pair scores -2, a second isolated one -1. So a player without measures
/// against it would scatter its cells, and all of them die.
#[test]
fn section_3_2_the_pair_valley() {
    let single = board(&[(Colour::Red, 12, 24)]);
    let impacts = Impacts::of(&single, Colour::Red);
    for of in Plane::FULL.cells().filter(|of| single.colour_at(*of).is_none()) {
        let (rows, cols) = (of.row().abs_diff(12), of.col().abs_diff(24));
        // The first cell dies anyway, seen or not: what a window sees of it is counted once.
        match rows.max(cols) {
            1 => assert_eq!(impacts.own(of), -2, "{of:?}"),
            2 => assert_eq!(impacts.own(of), -2, "{of:?}: its window sees the other die, too"),
            _ => assert_eq!(impacts.own(of), -1, "{of:?}"),
        }
    }
    let scattered = board(&[(5, 21), (10, 26), (15, 21), (20, 26)].map(|(row, col)| (Colour::Red, row, col)));
    assert_eq!(scattered.next(), Board::EMPTY);
}

/// TR-001 §3.2: with fewer than three cells at the start of a turn a block is stamped: at home, whole after the generation. The
/// report's check: normal keeps at least three cells in 50 of 50 first turns, four on average.
#[test]
fn section_3_2_formation_stamping() {
    let opening = board(&block_of(Colour::Blue, 12, 3));
    for tier in Tier::ALL {
        for params in [Params::V5_4, Params::V5_5] {
            for seed in 0..50 {
                let position = red_to_move(opening, 1);
                let turn = choose(&position, Colour::Red.seat(), tier, &params, &[seed; 32]);
                assert_eq!(cells_after(&position, &turn), 4, "{tier:?}: {turn:?}");
                let Turn::Place(cells) = &turn else { panic!("{turn:?}") };
                assert!(cells.iter().all(|of| Zone::home_of(Colour::Red).contains(*of)), "{turn:?}");
            }
        }
    }
    // Without noise: the middle row, away from walls.
    let view = View::of(&red_to_move(opening, 1), Colour::Red.seat()).expect("a seat");
    let stamped = block(&view, &Params::V5_4.of(Tier::Normal).without_noise(), &mut || 0).expect("a home is open");
    assert_eq!(stamped[0].row(), 12);
    assert!((20..26).contains(&stamped[0].col()));
}

/// TR-001 §3.2: with three cells or more the cells are chosen one by one, the terms of adjacency bridging the valley. The report's
/// check: over 30 second turns with a standing block, own cells are kept or grow in 30.
#[test]
fn section_3_2_the_second_phase_grows() {
    let standing = board(&[block_of(Colour::Blue, 12, 3), block_of(Colour::Red, 12, 23)].concat());
    let grown = |tier, seed| {
        let position = red_to_move(standing, 2);
        let turn = choose(&position, Colour::Red.seat(), tier, &Params::V5_4, &[seed; 32]);
        cells_after(&position, &turn) >= 4
    };
    let kept = |tier| (0..30).filter(|seed| grown(tier, *seed)).count();
    assert_eq!((kept(Tier::Normal), kept(Tier::Hard)), (30, 30));
}

/// TR-001 §3.2 and §3.3: the two phases change at three cells, counted at the start of the turn.
#[test]
fn section_3_2_three_cells_are_enough_to_go_on() {
    let is_block = |own: &[(u8, u8)]| {
        let own: Vec<_> = own.iter().map(|(row, col)| (Colour::Red, *row, *col)).collect();
        let position = red_to_move(board(&own), 3);
        let Turn::Place(cells) = choose(&position, Colour::Red.seat(), Tier::Hard, &Params::V5_4, &[7; 32]) else {
            panic!("it is too early for bombs")
        };
        let [a, b, c, d] = cells[..] else { panic!("four cells") };
        (b.col(), c.row(), d) == (a.col() + 1, a.row() + 1, cell(a.row() as u8 + 1, a.col() as u8 + 1))
    };
    assert!(is_block(&[]) && is_block(&[(3, 21)]) && is_block(&[(3, 21), (3, 22)]));
    assert!(!is_block(&[(3, 21), (3, 22), (3, 23)]));
}

/// TR-001 §3.3: the bomb from round 7, where at least six enemy cells die for few own ones; RR-001 §6.4: hard of v5.5 fires at
/// five.
#[test]
fn section_3_3_bomb_policy() {
    let six = [(5, 5), (5, 6), (5, 7), (7, 5), (7, 6), (7, 7)].map(|(row, col)| (Colour::Blue, row, col));
    let target = |cells: &[(Colour, u8, u8)], round, params: Params, tier| {
        let view = View::of(&red_to_move(board(cells), round), Colour::Red.seat()).expect("a seat");
        bomb_target(&view, params.of(tier))
    };
    for tier in Tier::ALL {
        assert_eq!(target(&six, 7, Params::V5_4, tier), Some(cell(6, 6)), "{tier:?}");
        assert_eq!(target(&six, 6, Params::V5_4, tier), None, "{tier:?}: too early");
        assert_eq!(target(&six[..5], 7, Params::V5_4, tier), None, "{tier:?}: five are too few");
        let at_five = target(&six[..5], 7, Params::V5_5, tier);
        assert_eq!(at_five.is_some(), tier == Tier::Hard, "{tier:?}");
        // Two own cells cost three of the six points.
        let own = [(6, 5), (6, 7)].map(|(row, col)| (Colour::Red, row, col));
        assert_eq!(target(&[&six[..], &own].concat(), 7, Params::V5_4, tier), None, "{tier:?}: below four points");
    }
}

/// TR-001 §3.3: easy plays sloppily, but keeps most of its colony: it does not place cells that are certain to die where others
/// live.
#[test]
fn section_3_3_easy_is_sloppy_not_blind() {
    let standing = board(&[block_of(Colour::Blue, 12, 3), block_of(Colour::Red, 12, 23)].concat());
    let mean = |tier| {
        let cells = (0..200).map(|seed| {
            let position = red_to_move(standing, 2);
            cells_after(&position, &choose(&position, Colour::Red.seat(), tier, &Params::V5_4, &[seed; 32]))
        });
        cells.sum::<u32>()
    };
    let (easy, normal) = (mean(Tier::Easy), mean(Tier::Normal));
    assert!(easy < normal && easy > 200 * 3, "{easy} against {normal}");
}

/// Whole games of each player against itself are legal and end.
#[test]
fn the_players_of_both_releases_play_whole_games() {
    for params in [Params::V5_4, Params::V5_5] {
        for (tier, seed) in Tier::ALL.into_iter().flat_map(|tier| (0..10).map(move |seed| (tier, seed))) {
            let mut position = Position::start(&Options::V5.into(), &[0; 32]);
            while let Some(colour) = position.to_move() {
                let turn = choose(&position, colour.seat(), tier, &params, &[seed; 32]);
                let checked = position.check(colour.seat(), &(&turn).into()).expect("a legal turn");
                position.advance(BySeat::new(2, |seat| (seat == colour.seat()).then(|| checked.clone())));
            }
            assert!(position.outcome().is_some());
        }
    }
}
