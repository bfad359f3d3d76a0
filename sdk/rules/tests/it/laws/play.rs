//! Random play and random positions, all from seeded generators.

use arena_rules::conquerors::{
    Action, Board, ByColour, Cell, Colour, Options, Plane, Position, Setup, Target, Turn, TurnDraft,
};
use arena_rules::{BySeat, Rng, Ruleset};

pub(crate) fn cell(row: u8, col: u8) -> Cell {
    Cell::new(row, col).expect("on the board")
}

pub(crate) fn target(row: u8, col: u8) -> Target {
    Target { row, col }
}

/// All cells, and a frame of places around the board.
pub(crate) fn all_targets() -> impl Iterator<Item = Target> {
    (0..28).chain([255]).flat_map(|row| (0..30).chain([255]).map(move |col| Target { row, col }))
}

/// All eight combinations of the options.
pub(crate) fn all_options() -> impl Iterator<Item = Options> {
    (0..8).map(|bits| Options {
        chain_needs_home: bits & 1 == 1,
        weighted_majority: bits & 2 == 2,
        shared_home: bits & 4 == 4,
    })
}

/// A board of which about `percent` of the cells live, each colour alike.
pub(crate) fn any_board(rng: &mut Rng, percent: u32) -> Board {
    let mut board = Board::EMPTY;
    for cell in Plane::FULL.cells() {
        if rng.below(100) < percent {
            board.set(cell, Colour::BOTH[rng.below(2) as usize]);
        }
    }
    board
}

/// Any setup with such a board.
pub(crate) fn any_setup(rng: &mut Rng, options: Options, percent: u32) -> Setup {
    let board = any_board(rng, percent);
    let mut below = |n: u32| rng.below(n);
    Setup {
        options,
        board,
        to_move: Colour::BOTH[below(2) as usize],
        round: 1 + below(12) as u8,
        cooldown: ByColour::new(|_| below(4) as u8),
        skip_used: ByColour::new(|_| below(2) == 1),
    }
}

/// The position after a turn of the player to move.
pub(crate) fn advanced(position: &Position, turn: Turn) -> Position {
    let mut after = position.clone();
    let mut turns = BySeat::new(2, |_| None);
    turns[position.setup().to_move.seat()] = Some(turn);
    after.advance(turns);
    after
}

/// A legal turn, `None` only when the game is over: mostly cells side by side, so that colonies live for a while.
pub(crate) fn random_turn(rng: &mut Rng, position: &Position) -> Option<Turn> {
    let seat = position.to_move()?.seat();
    let whole = match rng.below(12) {
        0 => Some(Action::Skip),
        1 => Some(Action::Bomb(Target { row: rng.below(26) as u8, col: rng.below(28) as u8 })),
        _ => None,
    };
    if let Some(turn) = whole.and_then(|action| position.check(seat, &action).ok()) {
        return Some(turn);
    }
    let mut draft = TurnDraft::new(position, seat).expect("it is the mover's turn");
    loop {
        let cells: Vec<Cell> = draft.placeable().cells().collect();
        if cells.is_empty() {
            break;
        }
        let near = draft.placed().iter().fold(Plane::EMPTY, |near, cell| near | Plane::square(*cell));
        let beside: Vec<Cell> = cells.iter().copied().filter(|cell| near.contains(*cell)).collect();
        let from = if beside.is_empty() || rng.below(4) == 0 { cells } else { beside };
        draft.place(from[rng.below(from.len() as u32) as usize].into()).expect("listed as placeable");
    }
    let stuck = || {
        let others = [Action::Skip, Action::Bomb(Target { row: 0, col: 0 }), Action::Pass];
        others.iter().find_map(|action| position.check(seat, action).ok()).expect("something is always legal")
    };
    Some(if draft.placed().is_empty() { stuck() } else { draft.finish().expect("no cell is left to place") })
}

/// All positions of a random game, from the start to the end.
pub(crate) fn random_walk(rng: &mut Rng, options: &Options) -> Vec<Position> {
    let mut walk = vec![Position::start(&(*options).into(), &[0; 32])];
    while let Some(turn) = walk.last().and_then(|position| random_turn(rng, position)) {
        walk.extend(walk.last().map(|position| advanced(position, turn)));
    }
    walk
}

/// The positions of 64 random games, eight under each combination of options, and 480 made up ones.
pub(crate) fn many_positions() -> Vec<Position> {
    let mut rng = Rng::new(&[1; 32], 0);
    let mut positions = Vec::new();
    for options in all_options() {
        for _ in 0..8 {
            positions.extend(random_walk(&mut rng, &options));
        }
        for number in 0..60 {
            let percent = [0, 1, 2, 5, 30, 70, 99, 100][number % 8];
            let setup = any_setup(&mut rng, options, percent);
            positions.push(setup.position().expect("within its ranges"));
        }
    }
    positions
}
