//! Positions as the page reads and gives them.

use arena_record::{Bytes, Hex, OutcomeRecord};
use arena_rules::conquerors::{Board, ByColour, COLS, Colour, Plane, Position, Refusal, Setup, Target, TurnDraft};
use arena_rules::{BySeat, Ruleset};
use arena_wire::Protocol;
use serde::{Deserialize, Serialize};

use crate::failure::Failure;

/// A colour's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Side {
    Blue,
    Red,
}

impl From<Colour> for Side {
    fn from(colour: Colour) -> Side {
        match colour {
            Colour::Blue => Side::Blue,
            Colour::Red => Side::Red,
        }
    }
}

impl From<Side> for Colour {
    fn from(side: Side) -> Colour {
        match side {
            Side::Blue => Colour::Blue,
            Side::Red => Colour::Red,
        }
    }
}

/// A value for each colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Colours<T> {
    blue: T,
    red: T,
}

impl<T> From<ByColour<T>> for Colours<T> {
    fn from(ByColour { blue, red }: ByColour<T>) -> Colours<T> {
        Colours { blue, red }
    }
}

impl<T> From<Colours<T>> for ByColour<T> {
    fn from(Colours { blue, red }: Colours<T>) -> ByColour<T> {
        ByColour { blue, red }
    }
}

/// Whether something may be done now, or the rule's sentence why not.
#[derive(PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Verdict {
    pub(crate) legal: bool,
    pub(crate) why_not: Option<String>,
}

impl<T> From<Result<T, Refusal>> for Verdict {
    fn from(judged: Result<T, Refusal>) -> Verdict {
        Verdict { legal: judged.is_ok(), why_not: judged.err().map(|refusal| refusal.to_string()) }
    }
}

/// All there is to know of a position.
#[derive(Serialize)]
pub(crate) struct PositionView {
    /// Turns played so far. Those of an opening are not played but given.
    ply: usize,
    /// The rules in force. The opening is over in every position, so it is not among them.
    options: String,
    board: String,
    /// `null` when the game is over.
    to_move: Option<Side>,
    round: u8,
    cooldown: Colours<u8>,
    skip_used: Colours<bool>,
    /// Zones that are open to the mover.
    reach: Vec<&'static str>,
    /// Cells the mover may place first.
    placeable: String,
    bomb: Verdict,
    skip: Verdict,
    pass: Verdict,
    counts: Colours<u32>,
    scores: Colours<u32>,
    outcome: Option<OutcomeRecord>,
}

impl PositionView {
    pub(crate) fn of(position: &Position, ply: usize) -> PositionView {
        let draft = || TurnDraft::new(position, position.setup().to_move.seat());
        let open = draft().ok();
        PositionView {
            ply,
            options: Position::options_text(&(*position.options()).into()),
            board: position.board().to_string(),
            to_move: position.to_move().map(Side::from),
            round: position.round(),
            cooldown: position.cooldown().into(),
            skip_used: position.skip_used().into(),
            reach: open
                .as_ref()
                .map(|draft| draft.reach().zones().map(|zone| zone.name()).collect())
                .unwrap_or_default(),
            placeable: mask(&open.map_or(Plane::EMPTY, |draft| draft.placeable())),
            // Any centre on the board is as good as another.
            bomb: draft().and_then(|draft| draft.bomb(Target { row: 0, col: 0 })).into(),
            skip: draft().and_then(TurnDraft::skip).into(),
            pass: draft().and_then(TurnDraft::pass).into(),
            counts: position.board().counts().into(),
            scores: position.board().scores().into(),
            outcome: position.outcome().as_ref().map(OutcomeRecord::from),
        }
    }
}

/// Cells as text in the form of a board: `x` for each that is in the set.
pub(crate) fn mask(cells: &Plane) -> String {
    let row = |bits: &u32| (0..COLS).map(|col| if bits >> col & 1 == 1 { 'x' } else { '.' }).collect::<String>();
    cells.rows().iter().map(row).collect::<Vec<_>>().join("/")
}

/// A position as the page gives it back: what a [`PositionView`] has, of which the rest is derived anew and not looked at.
#[derive(Deserialize)]
pub(crate) struct PositionText {
    options: String,
    board: String,
    to_move: Option<Side>,
    round: u8,
    cooldown: Colours<u8>,
    skip_used: Colours<bool>,
}

impl PositionText {
    /// The position in play.
    pub(crate) fn parse(&self) -> Result<Position, Failure> {
        let wrong = |why: String| Failure::new("not_a_position", why);
        let to_move = self.to_move.ok_or_else(|| Failure::new("game_over", Refusal::GameOver))?;
        let rules = Position::parse_options(&self.options).filter(|start| start.opening.is_empty());
        let unknown = || wrong(format!("{:?} are not rules that are in force in a position", self.options));
        let setup = Setup {
            options: rules.ok_or_else(unknown)?.options,
            board: self.board.parse::<Board>().map_err(|error| wrong(error.to_string()))?,
            to_move: to_move.into(),
            round: self.round,
            cooldown: self.cooldown.into(),
            skip_used: self.skip_used.into(),
        };
        setup.position().map_err(|error| wrong(error.to_string()))
    }
}

/// The first position under options in canonical text. The seed is only needed where the set-up depends on it.
pub(crate) fn start(options: &str, seed: Option<Hex<32>>) -> Result<Position, Failure> {
    let unknown = || Failure::new("unknown_game", format!("{options:?} are not options of the ruleset"));
    let options = Position::parse_options(options).ok_or_else(unknown)?;
    match seed {
        Some(Hex(seed)) => Ok(Position::start(&options, &seed)),
        None if Position::starts_from_seed(&options) => {
            Err(Failure::new("bad_request", "a game with this opening starts from its seed, which is missing"))
        }
        None => Ok(Position::start(&options, &[0; 32])),
    }
}

/// The position after actions that are all legal.
pub(crate) fn after(start: Position, actions: &[Bytes]) -> Result<Position, Failure> {
    actions.iter().zip(1..).try_fold(start, |mut position, (action, turn)| {
        let refused = |why: String| Failure::new("illegal_move", format!("turn {turn}: {why}"));
        let action = Position::decode_action(&action.0).map_err(|error| refused(error.to_string()))?;
        let seat = position.setup().to_move.seat();
        let checked = position.check(seat, &action).map_err(|refusal| refused(refusal.to_string()))?;
        let mut turns = BySeat::new(2, |_| None);
        turns[seat] = Some(checked);
        position.advance(turns);
        Ok(position)
    })
}
