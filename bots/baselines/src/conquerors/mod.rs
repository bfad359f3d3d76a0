//! Easy, normal and hard for Conway's Conquerors, as three versions of the original play them.

mod block;
mod bomb;
mod params;
mod plan;
mod score;
mod view;

use alloc::vec::Vec;

use arena_rules::conquerors::{Action, BOMB_FROM_ROUND, Cell, PLACEMENTS, Plane, Position, Target, Turn};
use arena_rules::{Rng, Ruleset, Seat, Seed, scale};

use crate::{BuiltIn, Opponents};

pub use block::block;
pub use bomb::bomb_target;
pub use params::{Open, Params, Tier, TierParams};
pub use plan::{Plan, plan, value};
pub use score::{POINT, Scored, TWENTIETH, cell_scores, pick};
pub use view::View;

/// The three tiers of the released game, then those of the first two campaigns of RR-001 §6.
impl Opponents for Position {
    const ALL: &'static [BuiltIn<Position>] = &[
        BuiltIn::first(
            "easy",
            "2578b886364b8c19ca6a301b4ee5de161dfbd3308408b6fc94c5bc176745fa27",
            |position, seat, seed| Some(action(position, seat, Tier::Easy, &Params::SHIPPED, seed)),
        )
        .about("takes good cells, but is sloppy about it"),
        BuiltIn::first(
            "normal",
            "c77ce0fd80acf64b514a3d0b7b8af028d5b80ca96cb1c5fa8508a4848000f656",
            |position, seat, seed| Some(action(position, seat, Tier::Normal, &Params::SHIPPED, seed)),
        )
        .about("takes the best cells one after the other"),
        BuiltIn::first(
            "hard",
            "dbdd8a6e717fc07562fc217e648b3d61ee9dd73adb1e3738e02144aac64f9c2e",
            |position, seat, seed| Some(action(position, seat, Tier::Hard, &Params::SHIPPED, seed)),
        )
        .about("plans its four cells together, a generation ahead"),
        BuiltIn::first(
            "easy-v54",
            "81ea212196824466ba8a0f83ee72181c87137c6af234f683a10cf9288270cd41",
            |position, seat, seed| Some(action(position, seat, Tier::Easy, &Params::V5_4, seed)),
        )
        .made_for(V1),
        BuiltIn::first(
            "normal-v54",
            "ff5edc4c48dd6184474083636f39478c8f01a31adb129e150eddcf1b94ef7d43",
            |position, seat, seed| Some(action(position, seat, Tier::Normal, &Params::V5_4, seed)),
        )
        .made_for(V1),
        BuiltIn::first(
            "hard-v54",
            "0a177e6745c037e7f7288ad78ac57a44027bb2561121bac007a9343191404529",
            |position, seat, seed| Some(action(position, seat, Tier::Hard, &Params::V5_4, seed)),
        )
        .made_for(V1),
        BuiltIn::first(
            "easy-v55",
            "3b4617172d94e360e7eefc983dc1f96090828789bd4a33fea6dfc1e39a053ede",
            |position, seat, seed| Some(action(position, seat, Tier::Easy, &Params::V5_5, seed)),
        )
        .made_for(V1),
        BuiltIn::first(
            "normal-v55",
            "a495eaaec5cd46747acc7c187c5f5e865985101c6d7c7def1d1e097e6f028fe1",
            |position, seat, seed| Some(action(position, seat, Tier::Normal, &Params::V5_5, seed)),
        )
        .made_for(V1),
        BuiltIn::first(
            "hard-v55",
            "0ed8564be64864b455cd5bba506e0de69d7aae8c12ce05c918fce80d89c9c162",
            |position, seat, seed| Some(action(position, seat, Tier::Hard, &Params::V5_5, seed)),
        )
        .made_for(V1),
    ];
}

/// The rules of TR-001 as options: neither `chain_needs_home` nor `weighted_majority`, from the empty board.
const V1: &str = "";

fn action(position: &Position, seat: Seat, tier: Tier, params: &Params, seat_seed: &Seed) -> Action {
    Action::from(&choose(position, seat, tier, params, seat_seed))
}

/// Below this many own cells a turn starts with a block. Source: RR-001 §5.2.
const STANDING_CELLS_MIN: u32 = 3;

/// A source of random words for choices.
pub trait Words {
    /// The next word, uniform over all 2^32 values.
    fn word(&mut self) -> u32;
}

impl Words for Rng {
    fn word(&mut self) -> u32 {
        Rng::word(self)
    }
}

impl<F: FnMut() -> u32> Words for F {
    fn word(&mut self) -> u32 {
        self()
    }
}

/// The turn of a tier in `position`. The same arguments always give the same turn.
pub fn choose(position: &Position, seat: Seat, tier: Tier, params: &Params, seat_seed: &Seed) -> Turn {
    choose_with(position, seat, params.of(tier), &mut Rng::new(seat_seed, position.ply().into()))
}

/// The turn of a parameter set in `position`, with random words from `words`. If it is not `seat`'s turn: a pass.
///
/// Words are drawn in this order: from round 7 on one for the bomb; then one per valid block corner, or for the planner
/// one per legal cell; then for each greedy pick one per legal cell and one for the pool.
pub fn choose_with(position: &Position, seat: Seat, params: &TierParams, words: &mut impl Words) -> Turn {
    let Some(view) = View::of(position, seat) else { return Turn::Pass };
    if view.round() >= BOMB_FROM_ROUND {
        let tempted = scale(words.word(), 20) < params.bomb_chance_twentieths;
        if let Some(centre) = bomb_target(&view, params).filter(|_| tempted) {
            return Turn::Bomb(view.cell_on_board(centre));
        }
    }
    let cells = placements(view, params, words);
    if cells.is_empty() { without_placements(position, seat) } else { Turn::Place(cells) }
}

/// Up to four cells to place, on the real board.
fn placements(mut view: View, params: &TierParams, words: &mut impl Words) -> Vec<Cell> {
    let planned = if view.own().count() < STANDING_CELLS_MIN {
        block(&view, params, words).map(Vec::from)
    } else {
        params.plans.then(|| plan(&view, params, words).cells)
    };
    let mut planned = planned.unwrap_or_default().into_iter();
    let mut placed = Plane::EMPTY;
    let mut cells = Vec::with_capacity(PLACEMENTS.into());
    for _ in 0..PLACEMENTS {
        let Some(cell) = planned.next().or_else(|| pick(&view, params, &placed, words)) else { break };
        view.place(cell);
        placed.insert(cell);
        cells.push(view.cell_on_board(cell));
    }
    cells
}

/// The turn without a legal cell. The original just ends its turn; here that is a pass if it is legal, else the
/// skip, else the bomb in the first corner.
fn without_placements(position: &Position, seat: Seat) -> Turn {
    [Action::Pass, Action::Skip, Action::Bomb(Target { row: 0, col: 0 })]
        .iter()
        .find_map(|action| position.check(seat, action).ok())
        .unwrap_or(Turn::Pass)
}
