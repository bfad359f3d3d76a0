//! `alpinist`: climbs many hills among whole turns, where `strategist` climbs one, and looks five generations ahead.
//!
//! A climb keeps what is not worse, and the hill depends on the start: so this bot begins again, from another block, as long as
//! its fuel lasts. [`Lookahead`] pays for that: it computes only the rows that differ. It throws no bombs and never skips.
//!
//! ```
//! use arena_sdk::conquerors::{Options, Position};
//! use arena_sdk::{Bot, Observation, Ruleset, Seat};
//!
//! let position = Position::start(&Options::default().into(), &[0; 32]);
//! let seen = Observation { position, seat: Seat(0), seat_seed: [1; 32] };
//! assert!(seen.position.check(Seat(0), &alpinist::Alpinist.turn(&seen)).is_ok());
//! ```

use arena_sdk::conquerors::{Action, Cell, PLACEMENTS, Plane, ROUNDS, Target};
use arena_sdk::kit::{Branch, Lookahead};
use arena_sdk::{Bot, Observation, Rng};

/// Generations to look ahead.
const HORIZON: usize = 5;
/// What the tries of a turn may take together, by the two estimates below; a turn may use 50,000,000.
const FUEL: u32 = 33_000_000;
/// What a try takes, beside its rows.
const FUEL_PER_TRY: u32 = 3_000;
/// What a cell takes that cannot be placed.
const FUEL_PER_DRAW: u32 = 800;
/// What a row of the board that is computed takes.
const FUEL_PER_ROW: u32 = 350;
/// A climb ends after so many tries without a better turn.
const STALE_MAX: u32 = 250;
/// The next climb begins at the block so many places further down the list, best first: neighbours lead up the same hill.
const START_STRIDE: usize = 3;
/// What a won or lost game is worth, far beyond any lead.
const GAME: i32 = 1_000_000;
/// What the foothold at home is worth, in cells a generation.
const HOME: i32 = 2;

/// Four cells to place.
type Plan = [Cell; PLACEMENTS as usize];

/// Climbs from many blocks and plays the best turn it found.
#[derive(Default)]
pub struct Alpinist;

impl Bot for Alpinist {
    fn turn(&mut self, seen: &Observation) -> Action {
        let future = Lookahead::of(seen.position.board(), HORIZON.min(generations_left(seen)));
        let mut expedition = Expedition::new(seen, &future);
        match expedition.climb_on() {
            Some((_, plan)) => Action::Place(plan.map(Target::from).to_vec()),
            None => arena_sdk::first_legal(seen),
        }
    }
}

/// Generations until the end of the game, that of this turn among them.
fn generations_left(seen: &Observation) -> usize {
    (2 * usize::from(ROUNDS)).saturating_sub(seen.position.ply().into()).max(1)
}

/// The search for one turn.
struct Expedition<'a> {
    seen: &'a Observation,
    future: &'a Lookahead,
    /// Where cells may be placed. What is legal first stays legal: placing a cell never closes a zone.
    open: Plane,
    /// All cells that live now.
    living: Vec<Cell>,
    rng: Rng,
    /// What may still be spent.
    fuel: u32,
}

impl<'a> Expedition<'a> {
    fn new(seen: &'a Observation, future: &'a Lookahead) -> Expedition<'a> {
        let open = seen.position.placeable(seen.colour());
        let living = seen.position.board().living().cells().collect();
        Expedition { seen, future, open, living, rng: seen.rng(), fuel: FUEL }
    }

    /// What a branch is worth, once it is paid for; `None` when the fuel is spent.
    fn worth(&mut self, branch: &Branch<'_>) -> Option<i32> {
        self.fuel = self.fuel.checked_sub(FUEL_PER_TRY + FUEL_PER_ROW * branch.rows_computed())?;
        let (me, enemy) = (self.seen.colour(), self.seen.colour().other());
        let next = branch.census(1);
        if next.cells(me) == 0 {
            return Some(-GAME);
        }
        // Before red's first turn nobody is extinct.
        if next.cells(enemy) == 0 && self.seen.position.ply() > 0 {
            return Some(GAME);
        }
        let lead = |generation| {
            let census = branch.census(generation);
            census.score(me) as i32 - census.score(enemy) as i32
        };
        let last = branch.generations();
        if last == generations_left(self.seen) {
            return Some(lead(last));
        }
        let foothold = |generation| HOME * i32::from(branch.census(generation).at_home(me) > 0);
        Some((1..=last).map(|generation| lead(generation) + foothold(generation)).sum())
    }

    fn worth_of(&mut self, plan: &Plan) -> Option<i32> {
        self.worth(&self.future.with(plan, self.seen.colour()))
    }

    /// The best placement of all climbs; `None` where there is no block to begin with.
    fn climb_on(&mut self) -> Option<(i32, Plan)> {
        let open = self.open;
        let blocks = open.cells().filter_map(|corner| block(corner, &open));
        let mut starts: Vec<(i32, Plan)> = blocks.map_while(|plan| Some((self.worth_of(&plan)?, plan))).collect();
        starts.sort_by_key(|(worth, _)| -worth);
        let mut best = *starts.first()?;
        for start in (0..starts.len()).cycle().step_by(START_STRIDE) {
            let top = self.climb(starts[start]);
            if top.0 > best.0 {
                best = top;
            }
            if self.fuel < FUEL_PER_TRY {
                break;
            }
        }
        Some(best)
    }

    /// Where a climb ends that begins here.
    fn climb(&mut self, (mut worth, mut plan): (i32, Plan)) -> (i32, Plan) {
        let mut stale = 0;
        while stale < STALE_MAX {
            stale += 1;
            let Some(tried) = self.changed(&plan) else {
                self.fuel = self.fuel.saturating_sub(FUEL_PER_DRAW);
                continue;
            };
            let Some(found) = self.worth_of(&tried) else {
                self.fuel = 0;
                break;
            };
            if found > worth {
                stale = 0;
            }
            if found >= worth {
                (worth, plan) = (found, tried);
            }
        }
        (worth, plan)
    }

    /// A plan with one cell elsewhere: next to another of its cells, or next to a living one. `None` where none can be placed.
    fn changed(&mut self, plan: &Plan) -> Option<Plan> {
        let neighbours = if self.rng.below(2) == 0 { &plan[..] } else { &self.living[..] };
        let to = beside(draw(neighbours, &mut self.rng)?, &mut self.rng)?;
        let mut changed = *plan;
        changed[self.rng.below(PLACEMENTS.into()) as usize] = to;
        (self.open.contains(to) && !plan.contains(&to)).then_some(changed)
    }
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

arena_sdk::bot!(Alpinist);
