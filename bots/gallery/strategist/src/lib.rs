//! `strategist`: searches among whole turns and looks four generations ahead.
//!
//! **What a turn is worth.** Play it, let the board live on for four generations (or to the end of the game) as if nobody
//! placed another cell, and add up the lead in weighted score. That one number sees overcrowding, growth, invasion and
//! attack alike, so placements, bomb and skip need no rules of thumb: the best number wins. Three things it cannot see
//! are added: a colony that is dead after the turn has lost the game, one without a living cell at home has lost its
//! reach, and once the end is near only the last board counts.
//!
//! **How turns are found.** There are some ten thousand million, and four cells are only worth what they do together: each
//! half of a block dies alone. So the search never builds a turn cell by cell. It starts from the best of some random
//! blocks and then climbs: it moves a cell or two elsewhere, mostly next to living or planned cells, and keeps the new
//! turn unless it is worse, as long as the budget lasts.
//!
//! The budget is counted in generations, not in time: the same game is always played the same way.
//!
//! ```
//! use arena_sdk::conquerors::{Options, Position};
//! use arena_sdk::{Bot, Observation, Ruleset, Seat};
//!
//! let position = Position::start(&Options::default().into(), &[0; 32]);
//! let seen = Observation { position, seat: Seat(0), seat_seed: [1; 32] };
//! let action = strategist::Strategist.turn(&seen);
//! assert!(seen.position.check(seen.seat, &action).is_ok());
//! ```

use arena_sdk::conquerors::{Action, Board, Cell, Colour, PLACEMENTS, Plane, ROUNDS, Target, Zone};
use arena_sdk::{Bot, Observation, Rng};

/// Generations to look ahead. Further is worse: the opponent moves too.
const HORIZON: u16 = 4;
/// Generations to play in one turn, most of which is what a turn costs: some 14,000 fuel each.
const STEPS: usize = 2_800;
/// Random blocks to start from.
const STARTS: usize = 40;
/// What a won or lost game is worth, far beyond any lead.
const GAME: i32 = 1_000_000;
/// What the foothold at home is worth, in cells a generation.
const HOME: i32 = 2;
/// A bomb that hits fewer cells cannot make up for the four placements.
const BOMB_HITS_MIN: u32 = 3;

/// Four cells to place.
type Plan = [Cell; PLACEMENTS as usize];

/// Searches for the turn with the best near future.
#[derive(Default)]
pub struct Strategist;

impl Bot for Strategist {
    fn turn(&mut self, observation: &Observation) -> Action {
        let future = Future::of(observation);
        let others = other_actions(observation);
        let tries = (STEPS / usize::from(future.horizon)).saturating_sub(others.len());
        let Some((mut best, plan)) = climb(observation, &future, tries) else {
            return arena_sdk::first_legal(observation);
        };
        let mut action = Action::Place(plan.map(Target::from).to_vec());
        for (other, board) in others {
            let worth = future.worth(board);
            if worth > best {
                (best, action) = (worth, other);
            }
        }
        action
    }
}

/// What boards lead to, for one player in one turn.
struct Future {
    me: Colour,
    /// Generations to look ahead.
    horizon: u16,
    /// Whether the horizon is the end of the game.
    is_end: bool,
    /// Whether the opponent has moved before, so that it can die out.
    is_mortal: bool,
}

impl Future {
    fn of(observation: &Observation) -> Future {
        let ply = observation.position.ply();
        let left = (2 * u16::from(ROUNDS)).saturating_sub(ply).max(1);
        let horizon = left.min(HORIZON);
        Future { me: observation.colour(), horizon, is_end: left == horizon, is_mortal: ply > 0 }
    }

    /// The summed lead over the horizon, of a board whose generation is still to come.
    fn worth(&self, mut board: Board) -> i32 {
        let (me, enemy) = (self.me, self.me.other());
        let mut sum = 0;
        for generation in 0..self.horizon {
            board = board.next();
            if generation == 0 && board.of(me).is_empty() {
                return -GAME;
            }
            if generation == 0 && self.is_mortal && board.of(enemy).is_empty() {
                return GAME;
            }
            if self.is_end && generation + 1 < self.horizon {
                continue;
            }
            let scores = board.scores();
            sum += scores[me] as i32 - scores[enemy] as i32;
            if board.of(me).meets(&Zone::home_of(me)) {
                sum += HOME;
            }
        }
        sum
    }
}

/// The best placement found in so many tries, and its worth; `None` where there are no four cells or no block to start from.
///
/// Only cells that are legal at the start of the turn are used. Placing one never closes a zone, so all four are legal
/// in any order.
fn climb(observation: &Observation, future: &Future, tries: usize) -> Option<(i32, Plan)> {
    let board = *observation.position.board();
    let open = observation.position.placeable(observation.colour());
    let anywhere: Vec<Cell> = open.cells().collect();
    let near: Vec<Cell> = (around(&around(&board.living())) & open).cells().collect();
    let mut rng = observation.rng();
    let worth = |plan: &Plan| {
        let mut placed = board;
        plan.iter().for_each(|cell| placed.set(*cell, observation.colour()));
        future.worth(placed)
    };
    let corners = (0..STARTS).filter_map(|_| draw(&anywhere, &mut rng));
    let blocks = corners.filter_map(|corner| block(corner, &open));
    let (mut best, mut plan) = blocks.map(|plan| (worth(&plan), plan)).max_by_key(|(worth, _)| *worth)?;
    for _ in 0..tries {
        let mut tried = plan;
        // One cell mostly, two in a quarter of the tries.
        for _ in 0..=rng.below(4) / 3 {
            let moved = rng.below(PLACEMENTS.into()) as usize;
            let to = match rng.below(4) {
                0 | 1 => draw(&near, &mut rng),
                2 => beside(plan[rng.below(PLACEMENTS.into()) as usize], &mut rng),
                _ => draw(&anywhere, &mut rng),
            };
            if let Some(to) = to.filter(|to| open.contains(*to) && !tried.contains(to)) {
                tried[moved] = to;
            }
        }
        if tried == plan {
            continue;
        }
        let worth = worth(&tried);
        if worth >= best {
            (best, plan) = (worth, tried);
        }
    }
    Some((best, plan))
}

/// The turns without placements: the skip, and every bomb that hits enough. With the boards they leave.
fn other_actions(observation: &Observation) -> Vec<(Action, Board)> {
    let (position, colour) = (&observation.position, observation.colour());
    let board = *position.board();
    let enemy = *board.of(colour.other());
    let skip = (!position.skip_used()[colour]).then_some((Action::Skip, board));
    let centres = position.bomb_ready(colour).is_ok().then(|| Plane::FULL.cells());
    let bombs = centres.into_iter().flatten().filter_map(move |centre| {
        let blast = Plane::square(centre);
        let mut bombed = board;
        bombed.clear(blast);
        ((blast & enemy).count() >= BOMB_HITS_MIN).then_some((Action::Bomb(Target::from(centre)), bombed))
    });
    skip.into_iter().chain(bombs).collect()
}

/// A random one of `cells`.
fn draw(cells: &[Cell], rng: &mut Rng) -> Option<Cell> {
    cells.get(rng.below(cells.len() as u32) as usize).copied()
}

/// A random cell at most two rows and columns away.
fn beside(cell: Cell, rng: &mut Rng) -> Option<Cell> {
    let mut shifted = |from: usize| (from as u8 + rng.below(5) as u8).wrapping_sub(2);
    Cell::new(shifted(cell.row()), shifted(cell.col()))
}

/// The 2 x 2 block with this top-left corner, where all of it is in `open`.
fn block(corner: Cell, open: &Plane) -> Option<Plan> {
    let (row, col) = (corner.row() as u8, corner.col() as u8);
    let cells = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)].map(|(row, col)| Cell::new(row, col));
    let [a, b, c, d] = cells.map(|cell| cell.filter(|cell| open.contains(*cell)));
    Some([a?, b?, c?, d?])
}

/// The cells and all their neighbours.
fn around(cells: &Plane) -> Plane {
    cells.cells().fold(Plane::EMPTY, |all, cell| all | Plane::square(cell))
}

arena_sdk::bot!(Strategist);
