//! The computer players of versions 5.4 and 5.5, once more: TR-001 §3.3, and RR-001 §5.3 with §6.4.

use crate::board::{COLUMNS, Cell, Player, ROWS, counts, square};
use crate::choose::without_cells;
use crate::game::{BOMB_ROUND_MIN, Game, PLACEMENTS, Turn};
use crate::params::{POINT, Tier, index_below, noise};
use crate::reach::Zone;
use crate::score::{Scored, adjacency_points, impact, shape_points, sort_best_first};
use crate::stamp::block;
use crate::view::View;

/// A release before V2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Release {
    /// Source: TR-001.
    V5_4,
    /// Source: RR-001 §6.4.
    V5_5,
}

/// The turn of a computer player of a release before V2, in cells of the board. Draws as
/// [`choose_turn`](crate::choose_turn).
pub fn choose_turn_v5(release: Release, tier: Tier, game: &Game, draws: &mut dyn FnMut() -> u32) -> Turn {
    let mut view = View::of(game);
    if view.round >= BOMB_ROUND_MIN {
        let coin = index_below(draws(), 20);
        if let Some(target) = bomb_target_v5(release, tier, &view)
            && coin < bomb_chance_twentieths(release, tier)
        {
            return Turn::Bomb(view.translate(target));
        }
    }
    let stamp = if counts(&view.board).red < 3 { block(&view, tier, draws) } else { None };
    let mut placed = Vec::new();
    for number in 0..PLACEMENTS {
        let cell = match stamp {
            Some(cells) => Some(cells[number]),
            None => pick_v5(release, tier, &view, &placed, draws),
        };
        let Some(cell) = cell else { break };
        view.board[cell.row][cell.column] = View::OWN;
        placed.push(cell);
    }
    if placed.is_empty() {
        return without_cells(game);
    }
    Turn::Place(placed.into_iter().map(|cell| view.translate(cell)).collect())
}

fn bomb_chance_twentieths(release: Release, tier: Tier) -> usize {
    match (release, tier) {
        (_, Tier::Easy | Tier::Normal) => 7,
        (Release::V5_4, Tier::Hard) => 12,
        (Release::V5_5, Tier::Hard) => 16,
    }
}

/// The first of the centres with the most enemy cells less one and a half times the own ones, if that is worth a turn.
/// As in the shipped client, cells of the edge are no centres, and no second one is tried.
fn bomb_target_v5(release: Release, tier: Tier, view: &View) -> Option<Cell> {
    if view.cooldown > 0 {
        return None;
    }
    let mut best: Option<(i64, i64, Cell)> = None;
    for row in 1..ROWS - 1 {
        for column in 1..COLUMNS - 1 {
            let cell = Cell { row, column };
            let of =
                |colour: u8| square(cell, 1).filter(|hit| view.board[hit.row][hit.column] == colour).count() as i64;
            let (enemies, own) = (of(View::ENEMY), of(View::OWN));
            let halves = 2 * enemies - 3 * own;
            if best.is_none_or(|(most, ..)| halves > most) {
                best = Some((halves, enemies, cell));
            }
        }
    }
    let (halves, enemies, cell) = best?;
    let (enemies_min, halves_min) = match (release, tier) {
        (Release::V5_5, Tier::Hard) => (5, 2 * 3),
        _ => (6, 2 * 4),
    };
    (enemies >= enemies_min && halves >= halves_min).then_some(cell)
}

/// One of the best legal cells.
fn pick_v5(release: Release, tier: Tier, view: &View, placed: &[Cell], draws: &mut dyn FnMut() -> u32) -> Option<Cell> {
    let mut scored = Vec::new();
    for cell in view.legal_cells() {
        let (noise_twentieths, points) = (tier.cell_noise_twentieths(), points_v5(release, tier, view, placed, cell));
        scored.push(Scored { cell, score: points * POINT + noise(draws(), noise_twentieths) });
    }
    if scored.is_empty() {
        return None;
    }
    sort_best_first(&mut scored);
    let index = index_below(draws(), tier.pool(scored.len()));
    Some(scored[index].cell)
}

/// The score of a cell without noise, in points.
fn points_v5(release: Release, tier: Tier, view: &View, placed: &[Cell], cell: Cell) -> i64 {
    let zone_points = match (View::zone(cell.column), release) {
        (Zone::Home, _) => 0,
        (Zone::Neutral, _) => 5,
        (Zone::Enemy, Release::V5_4) => {
            if view.round >= 6 {
                4
            } else {
                1
            }
        }
        (Zone::Enemy, Release::V5_5) => {
            if view.round >= 5 {
                5
            } else {
                1
            }
        }
    };
    let (lambda, mu) = match tier {
        Tier::Easy => (5, 0),
        Tier::Normal => (9, 0),
        Tier::Hard => (10, 4),
    };
    let enemies = counts(&view.board).blue;
    let hunts = release == Release::V5_5 && tier == Tier::Hard && view.round >= 7 && enemies > 0 && enemies <= 12;
    let kappa = if hunts { 6 } else { 0 };
    let change = impact(&view.board, Player::Red, cell);
    zone_points
        + shape_points(view, cell)
        + adjacency_points(placed, cell)
        + lambda * change.own
        + (mu + kappa) * (-change.enemy).max(0)
}
