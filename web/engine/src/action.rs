//! Actions as the page writes them.

use arena_rules::conquerors::{Action, Target};
use serde::{Deserialize, Serialize};

use crate::request::Failure;

/// Cells of an action in bytes are counted in one of them.
const CELLS_MAX: usize = u8::MAX as usize;

/// An action: `{"kind":"place","cells":[[row,column],...]}`, `{"kind":"bomb","centre":[row,column]}`, `{"kind":"skip"}` or
/// `{"kind":"pass"}`. Nothing is known of it yet, not even that its cells are on the board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum ActionText {
    Place { cells: Vec<[u8; 2]> },
    Bomb { centre: [u8; 2] },
    Skip {},
    Pass {},
}

impl ActionText {
    pub(crate) fn parse(self) -> Result<Action, Failure> {
        let target = |[row, col]: [u8; 2]| Target { row, col };
        match self {
            ActionText::Place { cells } if cells.len() > CELLS_MAX => {
                Err(Failure::new("bad_request", format!("an action names at most {CELLS_MAX} cells")))
            }
            ActionText::Place { cells } => Ok(Action::Place(cells.into_iter().map(target).collect())),
            ActionText::Bomb { centre } => Ok(Action::Bomb(target(centre))),
            ActionText::Skip {} => Ok(Action::Skip),
            ActionText::Pass {} => Ok(Action::Pass),
        }
    }
}

impl From<&Action> for ActionText {
    fn from(action: &Action) -> ActionText {
        let pair = |target: &Target| [target.row, target.col];
        match action {
            Action::Place(targets) => ActionText::Place { cells: targets.iter().map(pair).collect() },
            Action::Bomb(centre) => ActionText::Bomb { centre: pair(centre) },
            Action::Skip => ActionText::Skip {},
            Action::Pass => ActionText::Pass {},
        }
    }
}
