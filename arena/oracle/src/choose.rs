//! A baseline's whole turn, and games of baselines.

use crate::board::{BySeat, Cell, counts};
use crate::bombing::bomb_target;
use crate::game::{BOMB_ROUND_MIN, Game, Outcome, PLACEMENTS, Turn};
use crate::params::{Params, Tier, index_below};
use crate::plan::plan;
use crate::reach::Options;
use crate::score::pick;
use crate::stamp::block;
use crate::view::View;

/// With fewer own cells than this a baseline stamps a block. Source: RR-001 §5.2.
const STANDING_CELLS_MIN: u32 = 3;

/// The turn of a baseline for the player to move, in cells of the board; it is legal.
///
/// Draws, in this order: from round 7 on one for the bomb's coin, even while it cools down; then one for each valid
/// block position (fewer than three own cells) or one for each legal cell (else, hard's plan); then for each greedy
/// pick one for each legal cell and one for the pool. "Each" is row-major in the player's [`View`].
/// Source: the shipped client's turn.
pub fn choose_turn(tier: Tier, params: &Params, game: &Game, draws: &mut dyn FnMut() -> u32) -> Turn {
    let mut view = View::of(game);
    if view.round >= BOMB_ROUND_MIN
        && (index_below(draws(), 20) as u64) < tier.bomb_chance_twentieths()
        && let Some(target) = bomb_target(&view, tier)
    {
        return Turn::Bomb(view.translate(target));
    }
    let planned = planned_cells(&view, tier, params, draws);
    let mut placed = Vec::new();
    while placed.len() < PLACEMENTS {
        let planned = planned.get(placed.len()).copied();
        let Some(cell) = planned.or_else(|| pick(&view, tier, params, &placed, draws)) else {
            break;
        };
        view.board[cell.row][cell.column] = View::OWN;
        placed.push(cell);
    }
    if placed.is_empty() {
        return without_cells(game);
    }
    Turn::Place(placed.into_iter().map(|cell| view.translate(cell)).collect())
}

/// What is decided before the first placement: a block, hard's plan, or nothing.
fn planned_cells(view: &View, tier: Tier, params: &Params, draws: &mut dyn FnMut() -> u32) -> Vec<Cell> {
    if counts(&view.board).red < STANDING_CELLS_MIN {
        block(view, tier, draws).map(|cells| cells.to_vec()).unwrap_or_default()
    } else if tier == Tier::Hard {
        plan(view, params, draws).cells
    } else {
        Vec::new()
    }
}

/// The turn of a baseline without a legal cell (a home full of cells: never seen). The shipped client ends its turn
/// then, which the rules for everyone allow only without a skip and a bomb. The bomb goes to the first corner of the
/// board, no matter who throws it.
pub(crate) fn without_cells(game: &Game) -> Turn {
    if !*game.skip_used.of(game.to_move) {
        Turn::Skip
    } else if game.bomb_ready().is_ok() {
        Turn::Bomb(Cell { row: 0, column: 0 })
    } else {
        Turn::Pass
    }
}

/// A whole game of two baselines under [`Options`], both with the same parameters and out of one stream of draws.
pub fn play_game(tiers: BySeat<Tier>, params: &Params, options: Options, draws: &mut dyn FnMut() -> u32) -> Outcome {
    let mut game = Game::new(options);
    loop {
        if let Some(outcome) = game.outcome {
            return outcome;
        }
        let turn = choose_turn(*tiers.of(game.to_move), params, &game, draws);
        if let Err(refusal) = game.play(&turn) {
            unreachable!("a baseline chose {turn:?}: {refusal}");
        }
    }
}

/// A stream of draws for games that need no particular one: SplitMix64, upper halves.
/// Source: Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014.
pub fn seeded_draws(seed: u64) -> impl FnMut() -> u32 {
    let mut state = seed;
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) >> 32) as u32
    }
}
