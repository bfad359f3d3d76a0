//! A recorded game of any ruleset, picture by picture.

use arena_record::{Forfeit, Header, OutcomeRecord, Record, TurnRecord};
use arena_referee::Divergence;
use arena_wire::{Protocol, Visitor};
use serde::Serialize;

use crate::grid::{GameNames, cells_text};
use crate::replay::parse;
use crate::request::Failure;

/// A record with its pictures, and whether the rules agree with it.
#[derive(Serialize)]
pub(crate) struct GridReplayView {
    /// Whether every action, digest and the outcome are as the rules have them. The faults of bots are not judged here:
    /// that takes their bytes.
    verified: bool,
    /// Where record and rules part.
    why_not: Option<String>,
    header: Header,
    /// The game; `null` when the record is not verified.
    film: Option<Film>,
    /// The turns between the pictures, as the record has them.
    turns: Vec<TurnRecord>,
    forfeits: Vec<Forfeit>,
    outcome: OutcomeRecord,
    digest: String,
}

/// All pictures of a game: before each turn, and the last one.
#[derive(Serialize)]
struct Film {
    #[serde(flatten)]
    names: GameNames,
    rows: u8,
    cols: u8,
    /// A character a cell, as in a [`PictureView`](crate::grid::PictureView).
    frames: Vec<String>,
    /// What the ruleset ranks seats by, by picture and seat.
    tallies: Vec<Vec<u32>>,
}

pub(crate) fn grid_replay(text: &str) -> Result<GridReplayView, Failure> {
    struct Play<'a>(&'a Record);
    impl Visitor for Play<'_> {
        type Out = Result<Film, Divergence>;
        fn visit<P: Protocol>(self, start: P) -> Self::Out {
            let replay = arena_referee::replay::<P>(self.0)?;
            let (frames, tallies) = replay
                .positions()
                .map(|position| {
                    let picture = position.picture();
                    (cells_text(&picture.cells), picture.tally.into_values())
                })
                .unzip();
            let picture = start.picture();
            Ok(Film { names: GameNames::of::<P>(), rows: picture.rows, cols: picture.cols, frames, tallies })
        }
    }
    let record = parse(text)?;
    let header = &record.header;
    let film = arena_wire::start(&header.ruleset, &header.options, &header.seed.0, Play(&record))
        .map_err(Divergence::from)
        .and_then(|film| film);
    let why_not = film.as_ref().err().map(Divergence::to_string);
    let Record { header, turns, forfeits, outcome, digest, .. } = record;
    Ok(GridReplayView {
        verified: why_not.is_none(),
        why_not,
        header,
        film: film.ok(),
        turns,
        forfeits,
        outcome,
        digest: digest.to_string(),
    })
}
