//! A recorded game, position by position.

use std::error::Error;

use arena_record::{Forfeit, Header, OutcomeRecord, Record, TurnRecord};
use arena_rules::conquerors::{Colour, Position};
use arena_rules::{Ruleset, Seat};
use arena_wire::Game;
use serde::Serialize;

use crate::action::ActionView;
use crate::failure::Failure;
use crate::position::{PositionView, Side};

/// A record with its positions, and whether the rules agree with it.
#[derive(Serialize)]
pub(crate) struct ReplayView {
    /// Whether every action, digest and the outcome are as the rules have them. The faults of bots are not judged here:
    /// that takes their bytes.
    verified: bool,
    /// Where record and rules part.
    why_not: Option<String>,
    header: Header,
    /// The position before each turn, and the last one; none when the record is not verified.
    positions: Vec<PositionView>,
    /// The turns between them; none when the record is not verified.
    turns: Vec<TurnView>,
    forfeits: Vec<Forfeit>,
    outcome: OutcomeRecord,
    digest: String,
}

/// A turn that was played.
#[derive(Serialize)]
struct TurnView {
    colour: Side,
    #[serde(flatten)]
    action: ActionView,
    fuel: Option<u64>,
    digest: String,
}

/// The record that a text is.
pub(crate) fn parse(text: &str) -> Result<Record, Failure> {
    Record::parse(text).map_err(|error| {
        let why = error.source().map(|source| format!(": {source}")).unwrap_or_default();
        Failure::new("not_a_record", format!("{error}{why}"))
    })
}

pub(crate) fn replay(text: &str) -> Result<ReplayView, Failure> {
    let record = parse(text)?;
    // Checks all that `arena_referee::check` does, and keeps the positions.
    let (positions, why_not) = match arena_referee::replay::<Position>(&record) {
        Ok(replay) => (replay.positions().collect(), None),
        Err(divergence) => (Vec::new(), Some(divergence.to_string())),
    };
    let verified = why_not.is_none();
    let game = Game::named(Position::ID).ok().filter(|_| verified);
    let view = |game: &'static Game| record.turns.iter().filter_map(|turn| turn_view(game, turn)).collect();
    let turns = game.map_or_else(Vec::new, view);
    let Record { header, forfeits, outcome, digest, .. } = record;
    Ok(ReplayView {
        verified,
        why_not,
        header,
        positions: positions.iter().zip(0..).map(|(position, ply)| PositionView::of(position, ply)).collect(),
        turns,
        forfeits,
        outcome,
        digest: digest.to_string(),
    })
}

/// A turn of a verified record: it has one play, and that is an action.
fn turn_view(game: &Game, turn: &TurnRecord) -> Option<TurnView> {
    let play = turn.plays.first()?;
    let action = ActionView::of(game, &play.action.0)?;
    let colour = Colour::of(Seat(play.seat))?.into();
    Some(TurnView { colour, action, fuel: play.fuel, digest: turn.digest.to_string() })
}
