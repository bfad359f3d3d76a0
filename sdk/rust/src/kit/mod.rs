//! A small evaluation kit for Conway's Conquerors: say what a future is worth, and [`best_turn`] looks for a turn of high
//! worth.
//!
//! ```
//! use arena_sdk::conquerors::Action;
//! use arena_sdk::kit::{Weights, best_turn};
//! use arena_sdk::{Bot, Observation};
//!
//! #[derive(Default)]
//! struct Mine;
//!
//! impl Bot for Mine {
//!     fn turn(&mut self, seen: &Observation) -> Action {
//!         best_turn(seen, 4, 10_000_000, |branch| Weights::LEAD.worth(branch, seen.colour()))
//!     }
//! }
//! ```
//!
//! It has three steps, which a bot can also use separately: [`Lookahead`] computes the board's future if some cells are placed;
//! [`Weights`], or a function of yours, turns it into a number; and the search looks for the turn with the highest number. It
//! does not see the opponent's next turn.

mod lookahead;

pub use lookahead::{Branch, Census, LOOKAHEAD_MAX, Lookahead};

use arena_rules::conquerors::{Action, Cell, Colour, PLACEMENTS, Plane, ROUNDS, Target};

use crate::{Observation, first_legal};

/// The worth of winning, far beyond any sum of weights. Losing is worth the opposite.
pub const GAME: i32 = 1_000_000;
/// Bombs that hit fewer enemy cells are not considered.
const BOMB_HITS_MIN: u32 = 3;

/// What is counted after every generation of a branch, and its weights. Whole numbers in any unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Weights {
    /// An own cell.
    pub own: i32,
    /// An enemy cell; negative if few are wanted.
    pub enemy: i32,
    /// An own cell in the enemy's home, in addition to its worth as an own cell.
    pub own_abroad: i32,
    /// An enemy cell in the own home, in addition to its worth as an enemy cell.
    pub enemy_abroad: i32,
    /// Having any cell in the own home: without one, nothing can be placed elsewhere.
    pub foothold: i32,
}

impl Weights {
    /// The lead in weighted score, which decides the game at its end, and a little for the foothold.
    pub const LEAD: Weights = Weights { own: 1, enemy: -1, own_abroad: 1, enemy_abroad: -1, foothold: 2 };

    /// The worth of a future to `me`: the weighted counts, summed over the generations.
    pub fn worth(&self, branch: &Branch<'_>, me: Colour) -> i32 {
        let count = |generation| {
            let census = branch.census(generation);
            let enemy = me.other();
            self.own * census.cells(me) as i32
                + self.enemy * census.cells(enemy) as i32
                + self.own_abroad * census.abroad(me) as i32
                + self.enemy_abroad * census.abroad(enemy) as i32
                + self.foothold * i32::from(census.at_home(me) > 0)
        };
        (1..=branch.generations()).map(count).sum()
    }
}

/// The best turn among those that were tried, looking `generations` ahead (1 to [`LOOKAHEAD_MAX`]) or to the end of
/// the game; some legal turn if nothing can be tried.
///
/// The search starts with the best 2 x 2 block, because single cells are worth nothing, and moves one cell after another to where
/// it is worth most, until that brings no improvement or `fuel` is spent. Fuel is estimated by the kit, on the safe side, allowing some
/// hundred for `worth`: 30,000,000 leave room in a turn of 50,000,000. Bombs and the skip are tried, too. A turn that
/// leaves a colour without cells ends the game; if `generations` reach the game's end, only the lead there counts.
///
/// # Panics
/// If `generations` is 0 or more than [`LOOKAHEAD_MAX`].
pub fn best_turn(seen: &Observation, generations: usize, fuel: u32, worth: impl Fn(&Branch<'_>) -> i32) -> Action {
    assert!(generations > 0, "a turn's worth shows after a generation at the earliest");
    let left = (2 * usize::from(ROUNDS)).saturating_sub(seen.position.ply().into()).max(1);
    let future = Lookahead::of(seen.position.board(), generations.min(left));
    let is_end = left <= generations;
    let judge = |branch: &Branch<'_>| end(branch, seen, is_end).unwrap_or_else(|| worth(branch));
    let mut search = Search { seen, future: &future, judge: &judge, fuel };
    let others = search.other_turns();
    // The first among equals: a placement is better than a spent skip.
    let best =
        search.climb().into_iter().chain(others).reduce(|best, other| if other.0 > best.0 { other } else { best });
    best.map_or_else(|| first_legal(seen), |(_, action)| action)
}

/// The worth of a future in which the game ends: with the next generation, or, if `is_end`, with the last of the branch. `None` if it
/// goes on.
pub fn end(branch: &Branch<'_>, seen: &Observation, is_end: bool) -> Option<i32> {
    let (me, enemy) = (seen.colour(), seen.colour().other());
    let next = branch.census(1);
    if next.cells(me) == 0 {
        return Some(-GAME);
    }
    // Extinction is possible from red's first turn on.
    if next.cells(enemy) == 0 && seen.position.ply() > 0 {
        return Some(GAME);
    }
    is_end.then(|| {
        let last = branch.census(branch.generations());
        let is_weighted = seen.position.options().weighted_majority;
        let tally = |colour| if is_weighted { last.score(colour) } else { last.cells(colour) } as i32;
        tally(me) - tally(enemy)
    })
}

/// Fuel of trying a turn in a guest, besides its rows; measured, with a margin.
const FUEL_PER_TRY: u32 = 3_000;
/// Fuel of computing a row of the board.
const FUEL_PER_ROW: u32 = 350;

/// Four cells to place.
type Plan = [Cell; PLACEMENTS as usize];

/// A search among the turns of one position.
struct Search<'a, J> {
    seen: &'a Observation,
    future: &'a Lookahead,
    judge: &'a J,
    /// The fuel left.
    fuel: u32,
}

impl<J: Fn(&Branch<'_>) -> i32> Search<'_, J> {
    /// The worth of a branch; `None` if the fuel is spent.
    fn worth(&mut self, branch: &Branch<'_>) -> Option<i32> {
        self.fuel = self.fuel.checked_sub(FUEL_PER_TRY + FUEL_PER_ROW * branch.rows_computed())?;
        Some((self.judge)(branch))
    }

    fn worth_of(&mut self, plan: &Plan) -> Option<i32> {
        self.worth(&self.future.with(plan, self.seen.colour()))
    }

    /// The turns that place nothing: the skip, and every bomb that hits enough.
    fn other_turns(&mut self) -> Vec<(i32, Action)> {
        let (position, me) = (&self.seen.position, self.seen.colour());
        let board = *position.board();
        let skip = (!position.skip_used()[me]).then_some((Action::Skip, board));
        let centres = position.bomb_ready(me).is_ok().then(|| Plane::FULL.cells());
        let bombs = centres.into_iter().flatten().filter_map(|centre| {
            let blast = Plane::square(centre);
            ((blast & *board.of(me.other())).count() >= BOMB_HITS_MIN).then(|| {
                let mut bombed = board;
                bombed.clear(blast);
                (Action::Bomb(centre.into()), bombed)
            })
        });
        let worth = |(action, board)| Some((self.worth(&self.future.instead(&board))?, action));
        skip.into_iter().chain(bombs).map_while(worth).collect()
    }

    /// The best placement found; `None` if four cells cannot be placed.
    fn climb(&mut self) -> Option<(i32, Action)> {
        // Cells legal at the start stay legal, because placing a cell never closes a zone.
        let open = self.seen.position.placeable(self.seen.colour());
        let blocks = open.cells().filter_map(|corner| block(corner, &open));
        let first_four = open.cells().collect::<Vec<Cell>>().first_chunk().copied();
        let starts = first_four.into_iter().chain(blocks).map_while(|plan| Some((self.worth_of(&plan)?, plan)));
        let (mut most, mut plan) = starts.max_by_key(|(worth, _)| *worth)?;
        let living = self.seen.position.board().living();
        // Ends once each cell in turn was left where it is.
        let mut left_in_place = 0;
        for moved in (0..plan.len()).cycle() {
            let before = plan;
            for cell in (around(&(living | set(&plan))) & open & !set(&plan)).cells() {
                let mut tried = plan;
                tried[moved] = cell;
                let Some(worth) = self.worth_of(&tried) else {
                    left_in_place = plan.len();
                    break;
                };
                if worth > most {
                    (most, plan) = (worth, tried);
                }
            }
            left_in_place = if plan == before { left_in_place + 1 } else { 0 };
            if left_in_place >= plan.len() {
                break;
            }
        }
        Some((most, Action::Place(plan.map(Target::from).to_vec())))
    }
}

fn set(cells: &[Cell]) -> Plane {
    let mut plane = Plane::EMPTY;
    cells.iter().for_each(|cell| plane.insert(*cell));
    plane
}

/// The 2 x 2 block with this top-left corner, if all of it is in `open`.
fn block(corner: Cell, open: &Plane) -> Option<Plan> {
    let (row, col) = (corner.row() as u8, corner.col() as u8);
    let cells = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)].map(|(row, col)| Cell::new(row, col));
    let [a, b, c, d] = cells.map(|cell| cell.filter(|cell| open.contains(*cell)));
    Some([a?, b?, c?, d?])
}

/// All cells within two rows and columns of some of `cells`.
fn around(cells: &Plane) -> Plane {
    let wide = cells.rows().map(|row| row << 2 | row << 1 | row | row >> 1 | row >> 2);
    let row = |row: usize| wide.get(row).copied().unwrap_or(0);
    Plane::from_rows(core::array::from_fn(|at| {
        (at.saturating_sub(2)..=at + 2).fold(0, |bits, other| bits | row(other))
    }))
}
