//! A recorded game of any ruleset, picture by picture.

use arena_record::{Forfeit, Header, OutcomeRecord, Play, Record, TurnRecord};
use arena_referee::Divergence;
use arena_wire::{Game, Picture, Protocol, Visitor};
use serde::Serialize;

use crate::action::ActionView;
use crate::failure::Failure;
use crate::grid::{GameNames, cells_text, owner_char};
use crate::replay::parse;

/// Every so many pictures one is sent whole, so that few changes lead to any of them.
const WHOLE_EVERY: usize = 64;
/// About how many characters of JSON a change takes.
const CHANGE_CHARS: usize = 10;

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
    /// The turns between the pictures; none when the record is not verified.
    turns: Vec<TurnView>,
    forfeits: Vec<Forfeit>,
    outcome: OutcomeRecord,
    digest: String,
}

/// A turn that was played.
#[derive(Serialize)]
struct TurnView {
    plays: Vec<PlayView>,
    digest: String,
}

/// What one seat did in a turn.
#[derive(Serialize)]
struct PlayView {
    seat: u8,
    #[serde(flatten)]
    action: ActionView,
    fuel: Option<u64>,
}

impl TurnView {
    /// A turn of a verified record: all of its plays are actions.
    fn of(game: &Game, turn: &TurnRecord) -> TurnView {
        let view = |Play { seat, action, fuel }: &Play| {
            Some(PlayView { seat: *seat, action: ActionView::of(game, &action.0)?, fuel: *fuel })
        };
        TurnView { plays: turn.plays.iter().filter_map(view).collect(), digest: turn.digest.to_string() }
    }
}

/// All pictures of a game: before each turn, and the last one.
#[derive(Serialize)]
struct Film {
    #[serde(flatten)]
    names: GameNames,
    rows: u16,
    cols: u16,
    frames: Vec<Frame>,
    /// What the ruleset ranks seats by, by picture and seat.
    tallies: Vec<Vec<u32>>,
}

/// A picture of a film.
#[derive(Serialize)]
#[serde(untagged)]
enum Frame {
    /// A character a cell, as in a [`PictureView`](crate::grid::PictureView).
    Whole(String),
    /// Where that is shorter: the cells that are not as in the picture before, by their places row by row.
    Changes(Vec<(u32, char)>),
}

/// Pictures as a film tells them.
fn frames(pictures: &[Picture]) -> Vec<Frame> {
    let before = |turn: usize| pictures.get(turn.checked_sub(1)?).filter(|_| !turn.is_multiple_of(WHOLE_EVERY));
    let frame = |(turn, picture): (usize, &Picture)| {
        let delta = before(turn).and_then(|before| before.delta(picture));
        match delta.filter(|delta| CHANGE_CHARS * delta.changes().len() < picture.cells.len()) {
            Some(delta) => Frame::Changes(delta.changes().iter().map(|(at, cell)| (*at, owner_char(*cell))).collect()),
            None => Frame::Whole(cells_text(&picture.cells)),
        }
    };
    pictures.iter().enumerate().map(frame).collect()
}

pub(crate) fn grid_replay(text: &str) -> Result<GridReplayView, Failure> {
    struct Play<'a>(&'a Record);
    impl Visitor for Play<'_> {
        type Out = Result<Film, Divergence>;
        fn visit<P: Protocol>(self, start: P) -> Self::Out {
            let replay = arena_referee::replay::<P>(self.0)?;
            let pictures: Vec<Picture> = replay.positions().map(|position| position.picture()).collect();
            let Picture { rows, cols, .. } = start.picture();
            let frames = frames(&pictures);
            let tallies = pictures.into_iter().map(|picture| picture.tally.into_values()).collect();
            Ok(Film { names: GameNames::of::<P>(), rows, cols, frames, tallies })
        }
    }
    let record = parse(text)?;
    let header = &record.header;
    let film = arena_wire::start(&header.ruleset, &header.options, &header.seed.0, Play(&record))
        .map_err(Divergence::from)
        .and_then(|film| film);
    let why_not = film.as_ref().err().map(Divergence::to_string);
    let game = Game::named(&header.ruleset).ok().filter(|_| why_not.is_none());
    let turns = game.map_or_else(Vec::new, |game| record.turns.iter().map(|turn| TurnView::of(game, turn)).collect());
    let Record { header, forfeits, outcome, digest, .. } = record;
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
