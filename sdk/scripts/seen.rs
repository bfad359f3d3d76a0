//! What a bot sees: an object with the words of the game, and the rules' own answers about it.

use core::cell::RefCell;
use core::ffi::CStr;
use std::rc::Rc;

use arena_rules::{Rng, Seat};
use arena_sdk::{Observation, ObservationError};
use arena_wire::{Call, GAMES, Game, Point, Protocol};

use crate::action::{self, Wanted};
use crate::board::{self, Board};
use crate::cells;
use crate::host::{self, Native, Result, Value, argument};

/// A game that scripts play.
pub(crate) trait Play: Protocol {
    /// The board that scripts see.
    fn board(seen: &Rc<Observation<Self>>) -> Board;

    /// The board after a turn and the generation that follows it, if all others pass. `None`: scripts cannot compute this game.
    fn after(&self, _seat: Seat, _turn: &Self::Checked) -> Option<Board> {
        None
    }

    /// Whether these cells may be placed and nothing lives beside them. `None`: the game has no such question.
    fn clear(&self, _seat: Seat, _cells: &[Point]) -> Option<bool> {
        None
    }

    /// Sets what only this game has.
    fn fields(seen: &Observation<Self>, o: &Value) -> Result<()>;

    /// Reads an action that is no tool's.
    fn look(_centre: Point, _size: Point, _cells: &[Point]) -> Option<Self::Action> {
        None
    }

    /// What the rules allow: actions where each is one cell or two, otherwise cells.
    fn legal(seen: &Observation<Self>, placed: Vec<Point>) -> Result<Value> {
        let calls = [Call { tool: Self::TOOLS[0], cells: placed }];
        cells::list(seen.position.choices(seen.seat, &calls).into_iter().map(|cell| (cell.row, cell.col)))
    }
}

/// An observation of any game.
pub(crate) trait Sight {
    fn game(&self) -> &'static Game;
    fn rng(&self) -> Rng;
    fn object(&self) -> Result<Value>;
    fn legal(&self, placed: Vec<Point>) -> Result<Value>;
    /// The bytes of an action; `None` if the game has no such action.
    fn encode(&self, wanted: &Wanted) -> Option<Vec<u8>>;
    /// Why an action is refused.
    fn refusal(&self, wanted: &Wanted) -> Option<String>;
    /// The board after a legal action; otherwise why it is refused.
    fn apply(&self, wanted: &Wanted) -> core::result::Result<Board, String>;
    /// Whether cells may be placed and nothing lives beside them, in the game that asks this.
    fn clear(&self, cells: &[Point]) -> Option<bool>;
    /// The observation itself, for what only one game has.
    fn any(&self) -> &dyn core::any::Any;
}

impl<P: Play> Sight for Rc<Observation<P>> {
    fn game(&self) -> &'static Game {
        GAMES.iter().find(|game| game.tag == P::TAG).expect("all games are listed")
    }

    fn rng(&self) -> Rng {
        Observation::rng(self.as_ref())
    }

    fn object(&self) -> Result<Value> {
        let o = PROTOTYPE.with_borrow(|prototype| {
            let sight: Box<dyn Sight> = Box::new(Rc::clone(self));
            Value::holding(prototype, Rc::new(sight))
        })?;
        o.set(c"game", Value::text(self.game().name())?)?;
        o.set(c"seat", Value::int(self.seat.0.into()))?;
        o.set(c"seats", Value::int(self.position.seats().into()))?;
        o.set(c"ply", Value::int(self.position.turns_played() as i32))?;
        o.set(c"board", board::new(P::board(self))?)?;
        P::fields(self, &o)?;
        Ok(o)
    }

    fn legal(&self, placed: Vec<Point>) -> Result<Value> {
        P::legal(self, placed)
    }

    fn encode(&self, wanted: &Wanted) -> Option<Vec<u8>> {
        action::<P>(wanted).map(|action| P::encode_action(&action))
    }

    fn refusal(&self, wanted: &Wanted) -> Option<String> {
        let Some(action) = action::<P>(wanted) else { return Some(MISSHAPEN.into()) };
        self.position.check(self.seat, &action).err().map(|refusal| refusal.to_string())
    }

    fn apply(&self, wanted: &Wanted) -> core::result::Result<Board, String> {
        let action = action::<P>(wanted).ok_or(MISSHAPEN)?;
        let turn = self.position.check(self.seat, &action).map_err(|refusal| refusal.to_string())?;
        self.position.after(self.seat, &turn).ok_or_else(|| board::STILL.into())
    }

    fn clear(&self, cells: &[Point]) -> Option<bool> {
        self.position.clear(self.seat, cells)
    }

    fn any(&self) -> &dyn core::any::Any {
        self.as_ref()
    }
}

/// What is wrong with an action that has no bytes.
pub(crate) const MISSHAPEN: &str = "an action of this kind does not have so many cells, or they are too far out";

fn action<P: Play>(wanted: &Wanted) -> Option<P::Action> {
    match wanted {
        Wanted::Call(call) => P::compose(core::slice::from_ref(call)),
        Wanted::Look(centre, size, cells) => P::look(*centre, *size, cells),
    }
}

/// Reads an observation of any game.
///
/// # Errors
/// When the bytes are none.
pub(crate) fn decode(bytes: &[u8]) -> core::result::Result<Box<dyn Sight>, ObservationError> {
    use arena_rules::{conquerors, game_of_game_of_life, life2, war_of_life};

    fn of<P: Play>(bytes: &[u8]) -> core::result::Result<Box<dyn Sight>, ObservationError> {
        Ok(Box::new(Rc::new(Observation::<P>::decode(bytes)?)))
    }

    match bytes.get(1) {
        Some(&<conquerors::Position as Protocol>::TAG) => of::<conquerors::Position>(bytes),
        Some(&<war_of_life::Position as Protocol>::TAG) => of::<war_of_life::Position>(bytes),
        Some(&<game_of_game_of_life::Position as Protocol>::TAG) => of::<game_of_game_of_life::Position>(bytes),
        Some(&<life2::Position as Protocol>::TAG) => of::<life2::Position>(bytes),
        _ => Err(ObservationError::Byte(1)),
    }
}

/// The methods of observations.
const METHODS: [(&CStr, u8, Native); 4] =
    [(c"legal", 0, legal), (c"check", 1, check), (c"apply", 1, apply), (c"clear", 1, clear)];

thread_local! {
    static PROTOTYPE: RefCell<Value> = const { RefCell::new(Value::UNDEFINED) };
}

/// Makes the methods.
pub(crate) fn install() -> Result<()> {
    let prototype = Value::prototype(c"Observation")?;
    METHODS.into_iter().try_for_each(|(name, length, native)| prototype.method(name, length, native))?;
    PROTOTYPE.set(prototype.kept());
    Ok(())
}

/// What an object of the script that is an observation was made from. `function` is what asks for it.
pub(crate) fn of(function: &str, o: &Value) -> Result<Rc<Box<dyn Sight>>> {
    o.held().ok_or_else(|| host::type_error(&format!("{function} needs the object that turn(o) got")))
}

fn legal(this: &Value, arguments: &[Value]) -> Result<Value> {
    let seen = of("o.legal()", this)?;
    let placed = argument(arguments, 0);
    seen.legal(if placed.is_undefined() { Vec::new() } else { cells::cells("o.legal", placed)? })
}

fn check(this: &Value, arguments: &[Value]) -> Result<Value> {
    let seen = of("o.check(action)", this)?;
    let wanted = action::read("o.check takes", seen.game(), argument(arguments, 0))?;
    seen.refusal(&wanted).map_or(Ok(Value::NULL), |refusal| Value::text(&refusal))
}

fn apply(this: &Value, arguments: &[Value]) -> Result<Value> {
    let seen = of("o.apply(action)", this)?;
    let wanted = action::read("o.apply takes", seen.game(), argument(arguments, 0))?;
    match seen.apply(&wanted) {
        Ok(board) => board::new(board),
        Err(refusal) => Err(host::range_error(&format!("o.apply: {refusal}"))),
    }
}

fn clear(this: &Value, arguments: &[Value]) -> Result<Value> {
    let seen = of("o.clear(cells)", this)?;
    let cells = cells::cells("o.clear", argument(arguments, 0))?;
    let is_clear = seen.clear(&cells).ok_or_else(|| host::type_error("o.clear(cells) is for Life2 alone"))?;
    Ok(Value::bool(is_clear))
}
