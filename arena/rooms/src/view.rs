//! What pages are shown of a room.

use std::any::Any;

use arena_record::{Bytes, Forfeit, OutcomeRecord, Play};
use arena_rules::Seat;
use arena_rules::conquerors::{Action, ByColour, Colour, Position, Target};
use arena_wire::Protocol;
use serde::Serialize;

use crate::{Room, RoomId, Seated};

/// A room as everyone may see it; `G` is what its game shows. Never the seed.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RoomView<G> {
    /// The room's name.
    pub room: RoomId,
    /// Events in the log: a later view has more.
    pub events: usize,
    /// The turn being played, from 0; in a finished game, how many were played to their end.
    pub ply: u16,
    /// The seats that have yet to answer.
    pub awaiting: Vec<u8>,
    /// Who sits where.
    pub seats: Vec<Seated>,
    /// The answers of the last turn that is over; none before the first.
    pub last_plays: Vec<Play>,
    /// Who could not go on.
    pub forfeits: Vec<Forfeit>,
    /// How the game ended; `null` while it goes on.
    pub outcome: Option<OutcomeRecord>,
    /// The game's own part.
    pub game: G,
}

/// What a game shows of itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(untagged)]
pub enum GameView {
    /// Conquerors.
    Position(PositionView),
    /// Any other game.
    Grid(GridView),
}

/// A game as pages are shown it that compute its boards themselves, with the rules' own code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct GridView {
    /// Always `grid`.
    pub kind: &'static str,
    /// Name and version of the ruleset.
    pub ruleset: &'static str,
    /// What the game is called.
    pub title: &'static str,
    /// Its options. No room's first position depends on its seed: with these and the turns all boards are known.
    pub options: String,
    /// What people call the seats.
    pub seat_names: Vec<String>,
    /// The answers of each turn that is over.
    pub turns: Vec<Vec<PlayView>>,
}

/// A seat's answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PlayView {
    /// Whose.
    pub seat: u8,
    /// The action's bytes.
    pub action: Bytes,
}

/// A position of Conquerors as pages are shown it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PositionView {
    /// The round, from 1; 13 after a full game.
    pub round: u8,
    /// 26 rows of 28 characters `.`, `b`, `r` from the top, joined by `/`.
    pub board: String,
    /// `blue` or `red`; `null` when the game is over.
    pub to_move: Option<&'static str>,
    /// Turn ends until each bomb is ready; it also waits for its round.
    pub cooldown: Colours<u8>,
    /// Whose skip is used.
    pub skip_used: Colours<bool>,
    /// The zones the mover may place in first: of `home`, `neutral`, `enemy`; none when the game is over.
    pub reach: Vec<&'static str>,
    /// Living cells.
    pub counts: Colours<u32>,
    /// Living cells, those in the opponent's home twice.
    pub scores: Colours<u32>,
    /// What was played last; `null` at the start.
    pub last_turn: Option<LastTurn>,
}

/// A value for each colour.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Colours<T> {
    /// Blue's.
    pub blue: T,
    /// Red's.
    pub red: T,
}

impl<T> From<ByColour<T>> for Colours<T> {
    fn from(ByColour { blue, red }: ByColour<T>) -> Colours<T> {
        Colours { blue, red }
    }
}

/// A turn as pages are shown it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct LastTurn {
    /// Whose turn it was, `blue` or `red`.
    pub colour: &'static str,
    /// `place`, `bomb`, `skip` or `pass`.
    pub kind: &'static str,
    /// `[row, column]` of each cell that was placed, in order, or of the bomb's centre.
    pub cells: Vec<[u8; 2]>,
}

impl<P: Protocol> Room<P> {
    /// The room with what `show` makes of its position.
    pub fn view_with<G>(&self, show: impl FnOnce(&Room<P>) -> G) -> RoomView<G> {
        RoomView {
            room: self.opened().room,
            events: 1 + self.later().len(),
            ply: self.ply(),
            awaiting: self.awaiting().map(|seat| seat.0).collect(),
            seats: self.opened().seats.clone(),
            last_plays: self.turns().last().map(|turn| turn.plays.clone()).unwrap_or_default(),
            forfeits: self.forfeits().to_vec(),
            outcome: self.outcome().map(OutcomeRecord::from),
            game: show(self),
        }
    }

    /// What the game shows of itself.
    pub fn game_view(&self) -> GameView {
        match (self as &dyn Any).downcast_ref::<Room<Position>>() {
            Some(room) => GameView::Position(room.position_view()),
            None => GameView::Grid(self.grid_view()),
        }
    }

    fn grid_view(&self) -> GridView {
        let name = |seat: u8| {
            P::SEAT_NAMES.get(usize::from(seat)).map_or_else(|| Seat(seat).to_string(), |name| (*name).into())
        };
        let play = |play: &Play| PlayView { seat: play.seat, action: play.action.clone() };
        GridView {
            kind: "grid",
            ruleset: P::ID,
            title: P::TITLE,
            options: self.opened().options.clone(),
            seat_names: (0..self.position().seats()).map(name).collect(),
            turns: self.turns().iter().map(|turn| turn.plays.iter().map(play).collect()).collect(),
        }
    }
}

impl Room<Position> {
    /// A room of Conquerors as pages are shown it.
    pub fn view(&self) -> RoomView<PositionView> {
        self.view_with(Room::position_view)
    }

    fn position_view(&self) -> PositionView {
        let last = self.turns().last().and_then(|turn| turn.plays.first());
        PositionView::of(self.position(), last.and_then(last_turn))
    }
}

impl PositionView {
    fn of(position: &Position, last_turn: Option<LastTurn>) -> PositionView {
        let mover = position.to_move();
        let reach = mover.map(|colour| position.reach(colour).zones().map(|zone| zone.name()).collect());
        PositionView {
            round: position.round(),
            board: position.board().to_string(),
            to_move: mover.map(Colour::name),
            cooldown: position.cooldown().into(),
            skip_used: position.skip_used().into(),
            reach: reach.unwrap_or_default(),
            counts: position.board().counts().into(),
            scores: position.board().scores().into(),
            last_turn,
        }
    }
}

/// What a play was; plays in a room are always legal actions.
fn last_turn(play: &Play) -> Option<LastTurn> {
    let colour = Colour::of(arena_rules::Seat(play.seat))?.name();
    let (kind, targets) = match Position::decode_action(&play.action.0).ok()? {
        Action::Place(targets) => ("place", targets),
        Action::Bomb(centre) => ("bomb", vec![centre]),
        Action::Skip => ("skip", Vec::new()),
        Action::Pass => ("pass", Vec::new()),
    };
    Some(LastTurn { colour, kind, cells: targets.iter().map(|Target { row, col }| [*row, *col]).collect() })
}
