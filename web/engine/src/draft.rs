//! A turn while it is being made on the page.

use arena_rules::conquerors::{Position, Target, TurnDraft};
use serde::Serialize;

use crate::failure::Failure;
use crate::position::{Verdict, mask};

/// What became of the cells of a draft, one after the other, and where it stands then.
#[derive(Serialize)]
pub(crate) struct DraftView {
    /// Each cell that was asked about, in order. One that is refused changes nothing for those after it.
    cells: Vec<CellVerdict>,
    /// The board with the cells that could be placed.
    board: String,
    /// Zones open for the next cell.
    reach: Vec<&'static str>,
    /// Cells legal for the next.
    placeable: String,
    placements_left: u8,
    /// Whether what was placed is a whole turn.
    turn: Verdict,
}

#[derive(Serialize)]
struct CellVerdict {
    cell: [u8; 2],
    #[serde(flatten)]
    verdict: Verdict,
}

pub(crate) fn check_draft(
    position: &Position,
    targets: impl IntoIterator<Item = Target>,
) -> Result<DraftView, Failure> {
    let seat = position.setup().to_move.seat();
    let mut draft = TurnDraft::new(position, seat).map_err(|refusal| Failure::new("game_over", refusal))?;
    let judged = |target: Target| {
        let verdict = Verdict::from(draft.place(target));
        CellVerdict { cell: [target.row, target.col], verdict }
    };
    let cells = targets.into_iter().map(judged).collect();
    Ok(DraftView {
        cells,
        board: draft.board().to_string(),
        reach: draft.reach().zones().map(|zone| zone.name()).collect(),
        placeable: mask(&draft.placeable()),
        placements_left: draft.placements_left(),
        turn: draft.finish().into(),
    })
}
