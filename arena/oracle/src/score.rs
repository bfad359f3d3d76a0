//! What one more cell is worth, and the greedy pick.

use crate::board::{Board, Cell, Player, counts, neighbours, next_state, square};
use crate::params::{POINT, Params, Tier, index_below, noise};
use crate::reach::Zone;
use crate::view::View;

/// From this round on the killer bonus counts. Source: RR-001 §5.3.
const KILLER_ROUND_MIN: u32 = 7;
/// Up to this many enemy cells the killer bonus counts. Source: RR-001 §5.3.
const KILLER_CELLS_MAX: u32 = 12;
/// From this round on the later bonus of the enemy's home counts. Source: RR-001 §5.3.
const INVASION_ROUND_MIN: u32 = 5;

/// How the 5x5 window around a placed cell changes in one generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Impact {
    /// Cells of the placing player after, minus before with the new cell counted.
    pub own: i64,
    /// The same for its opponent.
    pub enemy: i64,
}

/// Places a cell and simulates the window of two rows and columns around it, clipped at the edges; neighbours count
/// from the whole board. Source: RR-001 §5.1.
pub fn impact(board: &Board, player: Player, cell: Cell) -> Impact {
    let mut placed = *board;
    placed[cell.row][cell.column] = player.colour();
    let mut impact = Impact { own: 0, enemy: 0 };
    for seen in square(cell, 2) {
        let now = placed[seen.row][seen.column];
        let after = next_state(&placed, seen);
        let change = |colour: u8| i64::from(after == colour) - i64::from(now == colour);
        impact.own += change(player.colour());
        impact.enemy += change(player.opponent().colour());
    }
    impact
}

/// A cell with its score in units (see [`POINT`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// The cell, in the view that was scored.
    pub cell: Cell,
    /// Its score.
    pub score: i64,
}

/// Scores all legal cells, row-major in the view, with one draw of noise for each. `placed` are the cells already
/// placed this turn, which are on the board. Source: RR-001 §5.3 and §5.4; numbers not there from the shipped client.
pub fn cell_scores(
    view: &View,
    tier: Tier,
    params: &Params,
    placed: &[Cell],
    draws: &mut dyn FnMut() -> u32,
) -> Vec<Scored> {
    let position = Position::of(view);
    let mut scored = Vec::new();
    for cell in view.legal_cells() {
        let score =
            position.points(view, tier, params, placed, cell) * POINT + noise(draws(), tier.cell_noise_twentieths());
        scored.push(Scored { cell, score });
    }
    scored
}

/// What the scores of all cells of a position have in common.
struct Position {
    own_home: usize,
    own_neutral: usize,
    own_enemy_zone: usize,
    enemies: u32,
}

impl Position {
    fn of(view: &View) -> Position {
        Position {
            own_home: view.own_in(Zone::Home),
            own_neutral: view.own_in(Zone::Neutral),
            own_enemy_zone: view.own_in(Zone::Enemy),
            enemies: counts(&view.board).blue,
        }
    }

    /// The score of one cell without noise, in points.
    fn points(&self, view: &View, tier: Tier, params: &Params, placed: &[Cell], cell: Cell) -> i64 {
        let zone = View::zone(cell.column);
        let impact = impact(&view.board, Player::Red, cell);
        let enemy_loss = (-impact.enemy).max(0);
        let own_weight = if zone == Zone::Enemy { 2 } else { 1 };
        self.zone_points(view, params, zone)
            + shape_points(view, cell)
            + adjacency_points(placed, cell)
            + tier.own_gain_points() * own_weight * impact.own
            + params.harm_points(tier) * enemy_loss
            + self.killer_points(view, tier) * enemy_loss
    }

    /// Zone, chain builder and home anchor.
    fn zone_points(&self, view: &View, params: &Params, zone: Zone) -> i64 {
        match zone {
            Zone::Home => match self.own_home {
                0..=2 => 12,
                3..=4 => 4,
                5..=9 => 0,
                _ => -3,
            },
            Zone::Neutral if self.own_enemy_zone > 0 && self.own_neutral == 0 => 5 + 8,
            Zone::Neutral => 5,
            Zone::Enemy if view.round >= INVASION_ROUND_MIN => params.enemy_zone_late_points,
            Zone::Enemy => params.enemy_zone_early_points,
        }
    }

    /// Hard's bonus for every enemy cell lost, late in the game against a weak enemy.
    fn killer_points(&self, view: &View, tier: Tier) -> i64 {
        let weak = (1..=KILLER_CELLS_MAX).contains(&self.enemies);
        if tier == Tier::Hard && view.round >= KILLER_ROUND_MIN && weak { 6 } else { 0 }
    }
}

/// Shape prior: company is good, a crowd is not.
pub(crate) fn shape_points(view: &View, cell: Cell) -> i64 {
    match neighbours(&view.board, cell, View::OWN) {
        0 => -2,
        1 | 2 => 4,
        3 => 0,
        _ => -4,
    }
}

/// Bridges the valley of pairs: cells next to cells placed this turn.
pub(crate) fn adjacency_points(placed: &[Cell], cell: Cell) -> i64 {
    let touches =
        |other: &&Cell| **other != cell && other.row.abs_diff(cell.row) <= 1 && other.column.abs_diff(cell.column) <= 1;
    match placed.iter().filter(touches).count() {
        0 => 0,
        1 => 12,
        _ => 16,
    }
}

/// Sorts best first; equal scores keep their order.
pub(crate) fn sort_best_first(scored: &mut [Scored]) {
    scored.sort_by_key(|one| std::cmp::Reverse(one.score));
}

/// The greedy pick, as a cell of the view: one draw for each legal cell, then one for the choice among the best.
/// `None`, and no draw, without a legal cell. Source: RR-001 §5.3, rounding and ties as in the shipped client.
pub fn pick(view: &View, tier: Tier, params: &Params, placed: &[Cell], draws: &mut dyn FnMut() -> u32) -> Option<Cell> {
    let mut scored = cell_scores(view, tier, params, placed, draws);
    if scored.is_empty() {
        return None;
    }
    sort_best_first(&mut scored);
    let index = index_below(draws(), tier.pool(scored.len()));
    Some(scored[index].cell)
}
