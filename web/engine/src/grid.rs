//! Any game in progress as its picture, for pages that know no game by name.

use arena_record::{Budgets, Bytes, Forfeit, Hex, OutcomeRecord};
use arena_referee::{Fault, Referee, Refused, Reply, Step};
use arena_rules::{Seat, Seats};
use arena_wire::{Picture, Protocol, Visitor, options_of};
use serde::{Deserialize, Serialize};

use crate::position::Verdict;
use crate::request::Failure;

/// Boards of at most so many cells are asked for every move from one cell to another: these are 4,096 questions on a board of
/// 8 x 8, some tenths of a millisecond.
const MOVES_CELLS_MAX: usize = 64;

/// The kind of a game's own action, in every game's bytes.
const OWN_KIND: u8 = 1;

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
    turns: Vec<Vec<Played>>,
    /// Who could play no longer; needed only where a game goes on without a seat.
    #[serde(default)]
    forfeits: Vec<Forfeit>,
}

/// What one seat did in a turn.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Played {
    seat: u8,
    action: Bytes,
}

/// A picture as the page paints it.
#[derive(Serialize)]
pub(crate) struct PictureView {
    rows: u8,
    cols: u8,
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
    let character = |cell: &u8| match *cell {
        0 => '.',
        Picture::NEUTRAL => '#',
        seat => char::from(b'a' - 1 + seat.min(Seats::MAX)),
    };
    cells.iter().map(character).collect()
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
    /// Legal actions of the one seat that is to move, each `[row, column]` of a piece and then of where it goes; none where
    /// several seats are to answer, where actions name something else, and on boards too large to ask for each.
    moves: Vec<[u8; 4]>,
}

impl GridView {
    fn of<P: Protocol>(game: &Referee<P>) -> GridView {
        let (position, picture) = (game.position(), game.position().picture());
        GridView {
            names: GameNames::of::<P>(),
            awaiting: game.awaiting().iter().map(|seat| seat.0).collect(),
            outcome: game.outcome().map(OutcomeRecord::from),
            moves: only(game.awaiting()).map(|seat| moves(position, seat, &picture)).unwrap_or_default(),
            picture: PictureView::from(&picture),
        }
    }
}

/// What an action would lead to.
#[derive(Serialize)]
pub(crate) struct GridCheck {
    #[serde(flatten)]
    verdict: Verdict,
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

/// What the rules say to an action of a seat, and what it would lead to.
pub(crate) fn grid_check(game: &GridGame, seat: u8, action: &Bytes) -> Result<GridCheck, Failure> {
    struct Check<'a>(Seat, &'a Bytes);
    impl Question for Check<'_> {
        type Answer = GridCheck;
        fn ask<P: Protocol>(self, mut game: Referee<P>) -> Self::Answer {
            let Check(seat, action) = self;
            match game.submit(seat, Reply { action: action.0.clone(), fuel: None }) {
                Ok(step) => {
                    let after = (step != Step::Waiting).then(|| PictureView::from(&game.position().picture()));
                    GridCheck { verdict: Verdict { legal: true, why_not: None }, after }
                }
                Err(why) => {
                    GridCheck { verdict: Verdict { legal: false, why_not: Some(why.to_string()) }, after: None }
                }
            }
        }
    }
    game.ask(Check(Seat(seat), action))
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
        for (plays, turn) in self.turns.iter().zip(0..) {
            let refused = |why: Refused| Failure::new("illegal_move", format!("turn {}: {why}", turn + 1));
            for Forfeit { seat, code, detail, .. } in self.forfeits.iter().filter(|forfeit| forfeit.turn == Some(turn))
            {
                game.forfeit(Seat(*seat), Fault { code: *code, detail: detail.clone() }).map_err(refused)?;
            }
            for Played { seat, action } in plays {
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

/// The moves of a seat from one cell to another, each asked of the rules.
fn moves<P: Protocol>(position: &P, seat: Seat, picture: &Picture) -> Vec<[u8; 4]> {
    if picture.cells.len() > MOVES_CELLS_MAX {
        return Vec::new();
    }
    let cells = || (0..picture.rows).flat_map(|row| (0..picture.cols).map(move |col| [row, col]));
    let pairs = cells().flat_map(|[row, col]| cells().map(move |to| [row, col, to[0], to[1]]));
    let legal = |pair: &[u8; 4]| {
        let [from_row, from_col, to_row, to_col] = *pair;
        let bytes = [arena_wire::VERSION, OWN_KIND, 2, from_row, from_col, to_row, to_col];
        P::decode_action(&bytes).is_ok_and(|action| position.check(seat, &action).is_ok())
    };
    pairs.filter(legal).collect()
}

/// The one member of a set that has one.
fn only(seats: Seats) -> Option<Seat> {
    let mut members = seats.iter();
    members.next().filter(|_| members.next().is_none())
}
