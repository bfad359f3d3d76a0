//! What a turn would lead to, for guided play.

use arena_rules::Ruleset;
use arena_rules::conquerors::{Action, Board, Cell, Colour, Plane, Position, Turn, TurnDraft};
use serde::Serialize;

use crate::failure::Failure;
use crate::position::{Colours, Side, Verdict};

/// The board before and after the generation that a turn would be followed by.
#[derive(Serialize)]
pub(crate) struct PreviewView {
    /// Whether this is a whole turn. The beginning of one can be looked at, too.
    turn: Verdict,
    /// The board with the cells placed or bombed, before the generation.
    before: String,
    /// The board after the generation.
    board: String,
    /// Cells that a bomb cleared.
    cleared: Vec<CellView>,
    /// Cells that the generation brings to life.
    births: Vec<CellView>,
    /// Cells that it kills.
    deaths: Vec<CellView>,
    counts: Colours<u32>,
    scores: Colours<u32>,
}

/// A cell and the colour that it takes or loses.
#[derive(Serialize)]
struct CellView {
    row: usize,
    col: usize,
    colour: Side,
}

pub(crate) fn preview(position: &Position, action: &Action) -> Result<PreviewView, Failure> {
    let refused = |refusal| Failure::new("illegal_move", refusal);
    let mover = position.setup().to_move;
    let (turn, verdict) = match action {
        Action::Place(targets) => {
            let mut draft = TurnDraft::new(position, mover.seat()).map_err(refused)?;
            targets.iter().try_for_each(|target| draft.place(*target)).map_err(refused)?;
            (Turn::Place(draft.placed().to_vec()), draft.finish().into())
        }
        whole => {
            let turn = position.check(mover.seat(), whole).map_err(refused)?;
            (turn, Verdict { legal: true, why_not: None })
        }
    };
    let now = *position.board();
    let before = touched(now, mover, &turn);
    let after = position.preview(mover, &turn);
    Ok(PreviewView {
        turn: verdict,
        before: before.to_string(),
        board: after.to_string(),
        cleared: lost(&now, &before),
        births: lost(&after, &before),
        deaths: lost(&before, &after),
        counts: after.counts().into(),
        scores: after.scores().into(),
    })
}

/// The board after a turn and before its generation.
fn touched(mut board: Board, mover: Colour, turn: &Turn) -> Board {
    match turn {
        Turn::Place(cells) => cells.iter().for_each(|cell| board.set(*cell, mover)),
        Turn::Bomb(centre) => board.clear(Plane::square(*centre)),
        Turn::Skip | Turn::Pass => {}
    }
    board
}

/// The cells that live on one board and not on the other.
fn lost(from: &Board, to: &Board) -> Vec<CellView> {
    let gone = from.living() & !to.living();
    let view = |cell: Cell| {
        let colour = from.colour_at(cell)?.into();
        Some(CellView { row: cell.row(), col: cell.col(), colour })
    };
    gone.cells().filter_map(view).collect()
}
