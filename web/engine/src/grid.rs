//! Any game in progress as its picture, for pages that know no game by name.

use arena_record::{Budgets, Bytes, Forfeit, Hex, OutcomeRecord, Play};
use arena_referee::{Fault, Referee, Refused, Reply, Step};
use arena_rules::{Seat, Seats};
use arena_wire::{Call, Picture, Point, Protocol, Visitor, options_of};
use serde::{Deserialize, Serialize};

use crate::action::{CallText, ToolView, calls, pair};
use crate::failure::Failure;
use crate::position::Verdict;

/// Why a turn is not legal that is no action yet.
const UNFINISHED: &str = "its cells are not all chosen";

/// A game in progress: all that its position is a function of.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GridGame {
    ruleset: String,
    options: String,
    /// The game's; needed only where the set-up depends on it.
    #[serde(default)]
    seed: Option<Hex<32>>,
    /// What was played, turn by turn.
    turns: Vec<Vec<Play>>,
    /// Who could play no longer; needed only where a game goes on without a seat, or a seat could not start.
    #[serde(default)]
    forfeits: Vec<Forfeit>,
}

/// A picture as the page paints it.
#[derive(Serialize)]
pub(crate) struct PictureView {
    rows: u16,
    cols: u16,
    /// A character a cell, row by row: `.` dead, `a` for the first seat and so on, `#` nobody's.
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
        seat => char::from(b'a' - 1 + seat.min(Seats::MAX)),
    }
}

/// A game's name, and those that it gives to its seats: none where seats are numbered.
#[derive(Serialize)]
pub(crate) struct GameNames {
    title: &'static str,
    seat_names: &'static [&'static str],
}

impl GameNames {
    pub(crate) const fn of<P: Protocol>() -> GameNames {
        GameNames { title: P::TITLE, seat_names: P::SEAT_NAMES }
    }
}

/// All that a page is shown of a position.
#[derive(Serialize)]
pub(crate) struct GridView {
    #[serde(flatten)]
    names: GameNames,
    #[serde(flatten)]
    picture: PictureView,
    /// The seats that have yet to answer.
    awaiting: Vec<u8>,
    outcome: Option<OutcomeRecord>,
    /// Of the game so far, as a room has it.
    digest: Hex<8>,
    /// What a seat can do in this game, the usual first.
    tools: Vec<ToolView>,
}

impl GridView {
    fn of<P: Protocol>(game: &Referee<P>) -> GridView {
        GridView {
            names: GameNames::of::<P>(),
            awaiting: game.awaiting().iter().map(|seat| seat.0).collect(),
            outcome: game.outcome().map(OutcomeRecord::from),
            digest: game.digest_so_far(),
            tools: P::TOOLS.iter().map(ToolView::from).collect(),
            picture: PictureView::from(&game.position().picture()),
        }
    }
}

/// What the rules say to a turn in the making.
#[derive(Serialize)]
pub(crate) struct GridCheck {
    /// Whether it is a whole turn already.
    #[serde(flatten)]
    verdict: Verdict,
    /// The cells that can come next, each `[row, column]`.
    next: Vec<[u16; 2]>,
    /// Its bytes, as rooms take them; none while it is no action.
    action: Option<Bytes>,
    /// The board after the turn; none where the action is refused, or other seats have yet to answer.
    after: Option<PictureView>,
}

/// The position of a game.
pub(crate) fn grid_position(game: &GridGame) -> Result<GridView, Failure> {
    struct View;
    impl Question for View {
        type Answer = GridView;
        fn ask<P: Protocol>(self, game: Referee<P>) -> Self::Answer {
            GridView::of(&game)
        }
    }
    game.ask(View)
}

/// What the rules say to a turn of a seat in the making, and what it would lead to.
pub(crate) fn grid_check(game: &GridGame, seat: u8, texts: &[CallText]) -> Result<GridCheck, Failure> {
    struct Check<'a>(Seat, &'a [CallText]);
    impl Question for Check<'_> {
        type Answer = Result<GridCheck, Failure>;
        fn ask<P: Protocol>(self, mut game: Referee<P>) -> Self::Answer {
            let Check(seat, texts) = self;
            let calls = calls(texts, P::TOOLS)?;
            let next: Vec<[u16; 2]> = game.position().choices(seat, &calls).iter().map(pair).collect();
            let action = P::compose(&calls).map(|action| Bytes(P::encode_action(&action)));
            let mut submitted = |action: &Bytes| {
                let reply = Reply { action: action.0.clone(), fuel: None };
                game.submit(seat, reply).map_err(|why| why.to_string())
            };
            let judged = match (&action, next.is_empty()) {
                (Some(action), _) => submitted(action),
                (None, false) => Err(UNFINISHED.into()),
                (None, true) => Err(why_nothing::<P>(calls, |action| submitted(action).err())),
            };
            let (verdict, after) = match judged {
                Ok(step) => {
                    let after = (step != Step::Waiting).then(|| PictureView::from(&game.position().picture()));
                    (Verdict { legal: true, why_not: None }, after)
                }
                Err(why) => (Verdict { legal: false, why_not: Some(why) }, None),
            };
            Ok(GridCheck { verdict, next, action, after })
        }
    }
    game.ask(Check(Seat(seat), texts))?
}

/// Why no cell can come next in an unfinished turn. None can, so the first of the board is refused for the reason that all are.
fn why_nothing<P: Protocol>(mut calls: Vec<Call>, refusal: impl FnOnce(&Bytes) -> Option<String>) -> String {
    if let Some(Call { tool, cells }) = calls.last_mut() {
        cells.resize(cells.len().max(tool.input.least().into()), Point { row: 0, col: 0 });
    }
    let action = P::compose(&calls).map(|action| Bytes(P::encode_action(&action)));
    action.and_then(|action| refusal(&action)).unwrap_or_else(|| UNFINISHED.into())
}

/// Something to ask of any game in progress.
trait Question {
    type Answer;
    fn ask<P: Protocol>(self, game: Referee<P>) -> Self::Answer;
}

impl GridGame {
    fn ask<Q: Question>(&self, question: Q) -> Result<Q::Answer, Failure> {
        struct Asked<'a, Q>(&'a GridGame, Q);
        impl<Q: Question> Visitor for Asked<'_, Q> {
            type Out = Result<Q::Answer, Failure>;
            fn visit<P: Protocol>(self, start: P) -> Self::Out {
                let Asked(game, question) = self;
                if game.seed.is_none()
                    && options_of::<P>(&game.options).is_ok_and(|options| P::starts_from_seed(&options))
                {
                    return Err(Failure::new(
                        "bad_request",
                        "a game with this start depends on its seed, which is missing",
                    ));
                }
                Ok(question.ask(game.after(start)?))
            }
        }
        let seed = self.seed.map_or([0; 32], |Hex(seed)| seed);
        arena_wire::start(&self.ruleset, &self.options, &seed, Asked(self, question))
            .map_err(|error| Failure::new("unknown_game", error))?
    }

    /// The game after turns that are all legal. Pages count no fuel: a seat whose bank was empty is among the plays, passing.
    fn after<P: Protocol>(&self, start: P) -> Result<Referee<P>, Failure> {
        let mut game = Referee::new(start, &self.options, &Budgets::DEFAULT);
        for Forfeit { seat, code, detail, .. } in self.forfeits.iter().filter(|forfeit| forfeit.turn.is_none()) {
            let fault = Fault { code: *code, detail: detail.clone() };
            game.fail_to_start(Seat(*seat), fault).map_err(|why| Failure::new("illegal_move", why))?;
        }
        for (plays, turn) in self.turns.iter().zip(0..) {
            let refused = |why: Refused| Failure::new("illegal_move", format!("turn {}: {why}", turn + 1));
            for Forfeit { seat, code, detail, .. } in self.forfeits.iter().filter(|forfeit| forfeit.turn == Some(turn))
            {
                game.forfeit(Seat(*seat), Fault { code: *code, detail: detail.clone() }).map_err(refused)?;
            }
            for Play { seat, action, .. } in plays {
                let reply = Reply { action: action.0.clone(), fuel: None };
                game.submit(Seat(*seat), reply).map_err(refused)?;
            }
            if game.turn() <= turn {
                let why = if game.outcome().is_some() { "the game is over" } else { "an answer is missing" };
                return Err(Failure::new("illegal_move", format!("turn {}: {why}", turn + 1)));
            }
        }
        Ok(game)
    }
}
