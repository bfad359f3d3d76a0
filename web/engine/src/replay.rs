//! A recorded game of any ruleset, picture by picture.

use arena_record::{Forfeit, Header, OutcomeRecord, Play, Record, TurnRecord};
use arena_referee::Divergence;
use arena_rules::{Phrased, Seat};
use arena_wire::{Game, Picture, Protocol, Visitor};
use serde::Serialize;

use crate::action::ActionView;
use crate::failure::Failure;
use crate::phrases::{PhraseView, phrase_views};
use crate::position::{GameView, NotesView, cells_text, owner_char};
use crate::record::parse;

/// One picture of this many is sent whole, so that any picture is a few changes away from a whole one.
const WHOLE_EVERY: usize = 64;
/// About how many characters of JSON a change takes.
const CHANGE_CHARS: usize = 10;

/// A record with its pictures, and whether the rules agree with it.
#[derive(Serialize)]
pub(crate) struct ReplayView {
    /// Whether every action, digest and the outcome agree with the rules. The faults of bots are not judged here,
    /// because that takes the bots' bytes.
    verified: bool,
    /// The first point where record and rules disagree; empty if they agree.
    why_not: Vec<PhraseView>,
    header: Header,
    /// The game; `null` when the record is not verified.
    film: Option<Film>,
    /// The turns between the pictures; empty if the record is not verified.
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
    /// A turn of a verified record, in which all plays are actions.
    fn of(game: &Game, turn: &TurnRecord) -> TurnView {
        let view = |Play { seat, action, fuel }: &Play| {
            Some(PlayView { seat: *seat, action: ActionView::of(game, &action.0)?, fuel: *fuel })
        };
        TurnView { plays: turn.plays.iter().filter_map(view).collect(), digest: turn.digest.to_string() }
    }
}

/// All pictures of a game: before each turn, and the last one.
#[derive(Serialize)]
pub(crate) struct Film {
    #[serde(flatten)]
    game: GameView,
    rows: u16,
    cols: u16,
    frames: Vec<Frame>,
    /// The board as each turn left it, before its generation, relative to the picture before the turn; empty in games
    /// without such stages.
    stages: Vec<Frame>,
    /// The numbers that the ruleset ranks seats by, by picture and seat.
    tallies: Vec<Vec<u32>>,
    /// The notes on each picture.
    notes: Vec<NotesView>,
}

/// A picture of a film.
#[derive(Serialize)]
#[serde(untagged)]
enum Frame {
    /// One character for each cell, as in a [`PictureView`](crate::position::PictureView).
    Whole(String),
    /// The cells that differ from the picture before, by their places row by row, if that is shorter.
    Changes(Vec<(u32, char)>),
}

impl Frame {
    fn of(picture: &Picture, before: Option<&Picture>) -> Frame {
        let delta = before.and_then(|before| before.delta(picture));
        match delta.filter(|delta| CHANGE_CHARS * delta.changes().len() < picture.cells.len()) {
            Some(delta) => Frame::Changes(delta.changes().iter().map(|(at, cell)| (*at, owner_char(*cell))).collect()),
            None => Frame::Whole(cells_text(&picture.cells)),
        }
    }
}

impl Film {
    pub(crate) fn of<P: Protocol>(record: &Record) -> Result<Film, Divergence> {
        let positions: Vec<P> = arena_referee::replay::<P>(record)?.positions().collect();
        let pictures: Vec<Picture> = positions.iter().map(P::picture).collect();
        let before = |turn: usize| pictures.get(turn.checked_sub(1)?).filter(|_| !turn.is_multiple_of(WHOLE_EVERY));
        let stage = |((position, picture), turn): ((&P, &Picture), &TurnRecord)| {
            // Seats that act simultaneously have no board of their own in between.
            let [Play { seat, action, .. }] = &turn.plays[..] else { return None };
            let calls = P::describe(&P::decode_action(&action.0).ok()?);
            Some(Frame::of(&position.stages(Seat(*seat), &calls)?.before, Some(picture)))
        };
        let stages = positions.iter().zip(&pictures).zip(&record.turns).map(stage).collect::<Option<_>>();
        Ok(Film {
            game: GameView::of::<P>(),
            rows: pictures.first().map_or(0, |picture| picture.rows),
            cols: pictures.first().map_or(0, |picture| picture.cols),
            frames: pictures.iter().enumerate().map(|(turn, picture)| Frame::of(picture, before(turn))).collect(),
            stages: stages.unwrap_or_default(),
            notes: positions.iter().map(|position| NotesView::of(position, position.awaiting())).collect(),
            tallies: pictures.into_iter().map(|picture| picture.tally.into_values()).collect(),
        })
    }
}

pub(crate) fn replay(text: &str) -> Result<ReplayView, Failure> {
    struct Shown<'a>(&'a Record);
    impl Visitor for Shown<'_> {
        type Out = Result<Film, Divergence>;
        fn visit<P: Protocol>(self, _start: P) -> Self::Out {
            Film::of::<P>(self.0)
        }
    }
    let record = parse(text)?;
    let header = &record.header;
    let film = arena_wire::start(&header.ruleset, &header.options, &header.seed.0, Shown(&record))
        .map_err(Divergence::from)
        .and_then(|film| film);
    let why_not = phrase_views(film.as_ref().err().map(Phrased::phrases).unwrap_or_default());
    let game = Game::named(&header.ruleset).ok().filter(|_| film.is_ok());
    let turns = game.map_or_else(Vec::new, |game| record.turns.iter().map(|turn| TurnView::of(game, turn)).collect());
    let Record { header, forfeits, outcome, digest, .. } = record;
    Ok(ReplayView {
        verified: film.is_ok(),
        why_not,
        header,
        film: film.ok(),
        turns,
        forfeits,
        outcome,
        digest: digest.to_string(),
    })
}
