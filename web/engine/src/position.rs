//! Positions as pages paint and describe them.

use arena_record::{Hex, OutcomeRecord};
use arena_referee::Referee;
use arena_rules::{Phrase, Seat, Seats};
use arena_wire::{Picture, Protocol, Zone};
use serde::Serialize;

use crate::action::ToolView;
use crate::failure::Failure;
use crate::game::{GameText, Question};
use crate::phrases::{PhraseView, phrase_views};

/// A picture as the page paints it.
#[derive(PartialEq, Eq, Debug, Serialize)]
pub(crate) struct PictureView {
    rows: u16,
    cols: u16,
    /// One character for each cell, row by row: `.` for a dead one, `a` for the first seat and so on, `#` for a living
    /// one of no seat.
    cells: String,
    /// What the ruleset ranks seats by.
    tally: Vec<u32>,
}

impl From<&Picture> for PictureView {
    fn from(picture: &Picture) -> PictureView {
        let Picture { rows, cols, cells, tally } = picture;
        PictureView { rows: *rows, cols: *cols, cells: cells_text(cells), tally: tally.values().to_vec() }
    }
}

/// Cells of a picture as text, one character each.
pub(crate) fn cells_text(cells: &[u8]) -> String {
    cells.iter().map(|cell| owner_char(*cell)).collect()
}

/// The character of a cell of a picture.
pub(crate) fn owner_char(cell: u8) -> char {
    match cell {
        0 => '.',
        Picture::NEUTRAL => '#',
        // No game has more seats, so every seat has a letter.
        seat => char::from(b'a' - 1 + seat.min(Seats::MAX)),
    }
}

/// What is the same in all positions of a game.
#[derive(Serialize)]
pub(crate) struct GameView {
    title: &'static str,
    /// Names of the seats; empty if they are numbered.
    seat_names: &'static [&'static str],
    /// What a seat can do, the most usual first.
    tools: Vec<ToolView>,
    /// Strips of the board with a meaning, from the left; empty if the board is not divided.
    zones: Vec<ZoneView>,
}

#[derive(Serialize)]
struct ZoneView {
    name: &'static str,
    cols: u16,
    /// The seat that owns it.
    seat: Option<u8>,
}

impl GameView {
    pub(crate) fn of<P: Protocol>() -> GameView {
        let zone = |Zone { name, cols, seat }: &Zone| ZoneView { name, cols: *cols, seat: seat.map(|seat| seat.0) };
        GameView {
            title: P::TITLE,
            seat_names: P::SEAT_NAMES,
            tools: P::TOOLS.iter().map(ToolView::of::<P>).collect(),
            zones: P::ZONES.iter().map(zone).collect(),
        }
    }
}

/// What is shown of a position besides its picture.
#[derive(Serialize)]
pub(crate) struct NotesView {
    /// The progress of the game; none if the number of turns tells it.
    clock: Option<PhraseView>,
    /// The seats that must answer.
    awaiting: Vec<u8>,
    /// Zones that are open to the first of them.
    open: Vec<PhraseView>,
    /// The limit of each tool of each seat; empty if there is none.
    limits: Vec<Vec<Option<PhraseView>>>,
}

impl NotesView {
    pub(crate) fn of<P: Protocol>(position: &P, awaiting: Seats) -> NotesView {
        let view = |phrase: Option<Phrase>| phrase_views(phrase).pop();
        let of = |seat: u8| P::TOOLS.iter().map(|tool| view(position.limit(Seat(seat), tool))).collect();
        let limits: Vec<Vec<Option<PhraseView>>> = (0..position.seats()).map(of).collect();
        let limited = limits.iter().flatten().any(Option::is_some);
        NotesView {
            clock: view(position.clock()),
            awaiting: awaiting.iter().map(|seat| seat.0).collect(),
            open: phrase_views(awaiting.iter().next().map(|seat| position.open(seat, &[])).unwrap_or_default()),
            limits: if limited { limits } else { Vec::new() },
        }
    }
}

/// Everything that a page shows of a position.
#[derive(Serialize)]
pub(crate) struct PositionView {
    #[serde(flatten)]
    game: GameView,
    #[serde(flatten)]
    picture: PictureView,
    #[serde(flatten)]
    notes: NotesView,
    outcome: Option<OutcomeRecord>,
    /// The digest of the game so far, as in a room.
    digest: Hex<8>,
}

impl PositionView {
    pub(crate) fn of<P: Protocol>(game: &Referee<P>) -> PositionView {
        PositionView {
            game: GameView::of::<P>(),
            picture: PictureView::from(&game.position().picture()),
            notes: NotesView::of(game.position(), game.awaiting()),
            outcome: game.outcome().map(OutcomeRecord::from),
            digest: game.digest_so_far(),
        }
    }
}

/// The position of a game.
pub(crate) fn position(game: &GameText) -> Result<PositionView, Failure> {
    struct View;
    impl Question for View {
        type Answer = PositionView;
        fn ask<P: Protocol>(self, game: Referee<P>) -> Self::Answer {
            PositionView::of(&game)
        }
    }
    game.ask(View)
}
