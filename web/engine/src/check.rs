//! A turn while it is being made on the page.

use arena_record::Bytes;
use arena_referee::{Referee, Reply, Step};
use arena_rules::{Phrase, Phrased, Phrases, Seat};
use arena_wire::{Call, Point, Protocol};
use serde::Serialize;

use crate::action::{CallText, calls, pair};
use crate::failure::Failure;
use crate::phrases::{PhraseView, phrase_views};
use crate::position::PictureView;

/// Why a turn is not legal that is not yet an action.
const UNFINISHED: &str = "cells-not-chosen";

/// Whether something is legal now, or why not.
#[derive(PartialEq, Eq, Debug, Serialize)]
struct Legality {
    legal: bool,
    /// Empty if it is legal.
    why_not: Vec<PhraseView>,
}

/// The rules' view of a turn in the making, and what it would lead to.
#[derive(Serialize)]
pub(crate) struct CheckView {
    /// Whether it is a complete, legal turn.
    #[serde(flatten)]
    legality: Legality,
    /// The cells that can come next, each `[row, column]`.
    next: Vec<[u16; 2]>,
    /// Zones open for the next cell.
    open: Vec<PhraseView>,
    /// Its bytes, as rooms take them; none until it is an action.
    action: Option<Bytes>,
    /// The board that it leaves, before the following generation; none in games without such stages, or if the turn is
    /// refused.
    before: Option<PictureView>,
    /// The board after everything; none if the turn is refused, or if other seats have yet to answer a complete one.
    after: Option<PictureView>,
}

impl CheckView {
    /// Checks these calls of a seat in a game in progress.
    pub(crate) fn of<P: Protocol>(mut game: Referee<P>, seat: Seat, texts: &[CallText]) -> Result<CheckView, Failure> {
        let calls = calls(texts, P::TOOLS)?;
        let position = game.position();
        let next: Vec<[u16; 2]> = position.choices(seat, &calls).iter().map(pair).collect();
        let (open, stages) = (position.open(seat, &calls), position.stages(seat, &calls));
        let action = P::compose(&calls).map(|action| Bytes(P::encode_action(&action)));
        let mut submitted = |action: &Bytes| {
            let reply = Reply { action: action.0.clone(), fuel: None };
            game.submit(seat, reply).map_err(|why| why.phrases())
        };
        let judged = match (&action, next.is_empty()) {
            (Some(action), _) => submitted(action),
            (None, false) => Err(vec![Phrase::new(UNFINISHED, &[])]),
            (None, true) => Err(why_nothing::<P>(calls, |action| submitted(action).err())),
        };
        let whole = matches!(&judged, Ok(step) if *step != Step::Waiting);
        let reached = || whole.then(|| PictureView::from(&game.position().picture()));
        Ok(CheckView {
            after: stages.as_ref().map(|stages| PictureView::from(&stages.after)).or_else(reached),
            before: stages.map(|stages| PictureView::from(&stages.before)),
            legality: Legality { legal: judged.is_ok(), why_not: phrase_views(judged.err().unwrap_or_default()) },
            next,
            open: phrase_views(open),
            action,
        })
    }
}

/// Why no cell can come next in an unfinished turn. All cells are refused for the same reason, so the board's first
/// cell shows it.
fn why_nothing<P: Protocol>(mut calls: Vec<Call>, refusal: impl FnOnce(&Bytes) -> Option<Phrases>) -> Phrases {
    if let Some(Call { tool, cells }) = calls.last_mut() {
        cells.resize(cells.len().max(tool.input.least().into()), Point { row: 0, col: 0 });
    }
    let action = P::compose(&calls).map(|action| Bytes(P::encode_action(&action)));
    action.and_then(|action| refusal(&action)).unwrap_or_else(|| vec![Phrase::new(UNFINISHED, &[])])
}
