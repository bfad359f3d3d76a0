//! Boards as scripts have them, of all games: one class, whose instances hold a board of the rules.

use core::cell::RefCell;
use core::ffi::CStr;
use std::rc::Rc;

use arena_rules::conquerors::{self, Colour};
use arena_rules::game_of_game_of_life as torus;
use arena_rules::life2::{self, Cell as WorldCell, Ground, Slot};
use arena_rules::{Seat, war_of_life};
use arena_sdk::Observation;

use crate::cells;
use crate::host::{self, Native, Result, Value, argument};

/// A board of one of the games.
#[derive(Clone)]
pub(crate) enum Board {
    /// Of Conway's Conquerors.
    Conquerors(conquerors::Board),
    /// Of War of Life.
    War(war_of_life::Board),
    /// Of Game of Game of Life.
    Torus(torus::Board),
    /// Of Life2: as much of the world as is in view.
    World(Rc<Observation<life2::Position>>),
}

/// A living cell of nobody.
const NOBODY: u8 = 255;
/// Why a board does not go on: the code for a world's generation weighs too much for a bot with an interpreter in it.
pub(crate) const STILL: &str = "scripts cannot compute generations of Life2: only its board as it is";
/// The most generations of one call: a second of a page's time.
const GENERATIONS_MAX: i32 = 1_000;

/// The methods of boards.
const METHODS: [(&CStr, u8, Native); 9] = [
    (c"get", 2, get),
    (c"set", 3, set),
    (c"count", 0, count),
    (c"score", 1, score),
    (c"cells", 0, listed),
    (c"neighbours", 2, neighbours),
    (c"generation", 0, generation),
    (c"copy", 0, copy),
    (c"equals", 1, equals),
];

thread_local! {
    static PROTOTYPE: RefCell<Value> = const { RefCell::new(Value::UNDEFINED) };
}

/// Adds the class to the script's global variables.
pub(crate) fn install() -> Result<()> {
    let prototype = Value::prototype(c"Board")?;
    for (name, length, native) in METHODS {
        prototype.method(name, length, native)?;
    }
    prototype.words(|this, _| Value::text(&of(this)?.borrow().text()))?;
    prototype.getter(c"rows", |this, _| Ok(Value::int(of(this)?.borrow().size().0)))?;
    prototype.getter(c"cols", |this, _| Ok(Value::int(of(this)?.borrow().size().1)))?;
    prototype.class(c"Board", 1, construct)?;
    PROTOTYPE.set(prototype.kept());
    Ok(())
}

/// A board for the script.
pub(crate) fn new(board: Board) -> Result<Value> {
    PROTOTYPE.with_borrow(|prototype| Value::holding(prototype, Rc::new(RefCell::new(board))))
}

fn of(this: &Value) -> Result<Rc<RefCell<Board>>> {
    this.held().ok_or_else(|| host::type_error("this is a method of boards: call it as board.count(), not alone"))
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        match (self, other) {
            (Board::Conquerors(one), Board::Conquerors(other)) => one == other,
            (Board::War(one), Board::War(other)) => one == other,
            (Board::Torus(one), Board::Torus(other)) => one == other,
            (Board::World(one), Board::World(other)) => ground(one) == ground(other),
            _ => false,
        }
    }
}

impl Board {
    fn size(&self) -> (i32, i32) {
        match self {
            Board::Conquerors(_) => (conquerors::ROWS as i32, conquerors::COLS as i32),
            Board::War(_) => (war_of_life::ROWS as i32, war_of_life::COLS as i32),
            Board::Torus(board) => (board.side().length().into(), board.side().length().into()),
            Board::World(seen) => (ground(seen).side().length().into(), ground(seen).side().length().into()),
        }
    }

    /// Whether its edges are connected.
    fn wraps(&self) -> bool {
        matches!(self, Board::Torus(_) | Board::World(_))
    }

    /// Row and column on the board; `None` beyond its edges.
    fn at(&self, row: i32, col: i32) -> Option<(u16, u16)> {
        let (rows, cols) = self.size();
        let (row, col) = if self.wraps() { (row.rem_euclid(rows), col.rem_euclid(cols)) } else { (row, col) };
        ((0..rows).contains(&row) && (0..cols).contains(&col)).then_some((row as u16, col as u16))
    }

    /// 0 for a dead cell, 1 + seat for a living one, and [`NOBODY`] for a living one of nobody.
    fn get(&self, row: i32, col: i32) -> u8 {
        let Some((row, col)) = self.at(row, col) else { return 0 };
        let owner = |colour: Option<Colour>| colour.map_or(0, |colour| 1 + colour.seat().0);
        match self {
            Board::Conquerors(board) => {
                owner(conquerors::Cell::new(row as u8, col as u8).and_then(|cell| board.colour_at(cell)))
            }
            Board::War(board) => {
                owner(war_of_life::Cell::new(row as u8, col as u8).and_then(|cell| board.colour_at(cell)))
            }
            Board::Torus(board) => match board.side().cell(row as u8, col as u8).and_then(|cell| board.colour_at(cell))
            {
                None => 0,
                Some(torus::Colour::Black) => NOBODY,
                Some(torus::Colour::Seat(seat)) => 1 + seat.0,
            },
            Board::World(seen) => {
                let (cell, ground) = (WorldCell { x: col, y: row }, ground(seen));
                if ground.is_alive(cell) { ground.owner(cell).map_or(NOBODY, Slot::number) } else { 0 }
            }
        }
    }

    /// The number of seats whose cells it may have.
    fn seats(&self) -> u8 {
        match self {
            Board::Conquerors(_) | Board::War(_) => 2,
            Board::Torus(board) => board.seats(),
            Board::World(_) => arena_rules::life2::SLOTS as u8,
        }
    }

    /// Sets a cell of the board; false if it cannot have this value.
    fn set(&mut self, row: u16, col: u16, value: u8) -> bool {
        let colour = value.checked_sub(1).and_then(|seat| Colour::of(Seat(seat)));
        if value > self.seats() && !(value == NOBODY && matches!(self, Board::Torus(_))) {
            return false;
        }
        let (row, col) = (row as u8, col as u8);
        match self {
            Board::Conquerors(board) => {
                let Some(cell) = conquerors::Cell::new(row, col) else { return false };
                match colour {
                    Some(colour) => board.set(cell, colour),
                    None => board.clear(single(cell)),
                }
            }
            Board::War(board) => {
                let Some(cell) = war_of_life::Cell::new(row, col) else { return false };
                let mut pieces = conquerors::ByColour::new(|colour| board.of(colour));
                pieces.blue.remove(cell);
                pieces.red.remove(cell);
                if let Some(colour) = colour {
                    pieces[colour].insert(cell);
                }
                *board = war_of_life::Board::new(pieces).unwrap_or(*board);
            }
            Board::Torus(board) => {
                let Some(cell) = board.side().cell(row, col) else { return false };
                match value {
                    0 => board.clear(cell),
                    NOBODY => board.set(cell, torus::Colour::Black),
                    _ => board.set(cell, torus::Colour::Seat(Seat(value - 1))),
                }
            }
            Board::World(_) => return false,
        }
        true
    }

    /// Goes on by a generation; false if it cannot.
    fn advance(&mut self) -> bool {
        match self {
            Board::Conquerors(board) => *board = board.next(),
            Board::War(board) => *board = board.next(),
            Board::Torus(board) => board.step(),
            Board::World(_) => return false,
        }
        true
    }

    /// Its living cells, of a seat or of all, row by row.
    fn living(&self, seat: Option<Seat>) -> Vec<(u16, u16)> {
        let colour = seat.and_then(Colour::of);
        match self {
            Board::Conquerors(board) => {
                let plane = colour.map_or_else(|| board.living(), |colour| *board.of(colour));
                plane.cells().map(|cell| (cell.row() as u16, cell.col() as u16)).collect()
            }
            Board::War(board) => {
                let pieces =
                    colour.map_or_else(|| board.of(Colour::Blue) | board.of(Colour::Red), |colour| board.of(colour));
                pieces.map(|cell| (cell.row() as u16, cell.col() as u16)).collect()
            }
            Board::Torus(board) => {
                let plane = seat.map_or_else(|| board.living(), |seat| board.seat(seat));
                plane.cells().map(|cell| (cell.row().into(), cell.col().into())).collect()
            }
            Board::World(seen) => {
                let (ground, slot) = (ground(seen), seat.and_then(|seat| Slot::new(seat.0 + 1)));
                let slots = Slot::all().filter(|of| slot.is_none_or(|slot| slot == *of));
                let cells = slots.flat_map(|slot| ground.of(slot)).filter(|cell| ground.is_alive(*cell));
                cells.map(|cell| (cell.y, cell.x)).collect()
            }
        }
    }

    /// Rows of characters: `.` for a dead cell, `b` and `r` or digits for living ones, `#` for those of nobody.
    pub(crate) fn text(&self) -> String {
        let (rows, cols) = self.size();
        let letter = |value: u8| match (value, self) {
            (0, _) => '.',
            (NOBODY, _) => '#',
            (1, Board::Conquerors(_) | Board::War(_)) => 'b',
            (2, Board::Conquerors(_) | Board::War(_)) => 'r',
            (value, _) => char::from_digit(u32::from(value) - 1, 16).unwrap_or('?'),
        };
        let row = |row: i32| (0..cols).map(|col| letter(self.get(row, col))).collect::<String>();
        (0..rows).map(row).collect::<Vec<_>>().join("\n")
    }

    fn count(&self, seat: Option<Seat>) -> u32 {
        let colour = seat.and_then(Colour::of);
        match self {
            Board::Conquerors(board) => {
                colour.map_or_else(|| board.living().count(), |colour| board.of(colour).count())
            }
            Board::War(board) => {
                let counts = board.counts();
                colour.map_or(counts.blue + counts.red, |colour| counts[colour])
            }
            Board::Torus(board) => seat.map_or_else(|| board.living().count(), |seat| board.seat(seat).count()),
            Board::World(seen) => {
                let census = ground(seen).census();
                seat.map_or_else(
                    || census.iter().map(|count| count.cells).sum(),
                    |seat| census[usize::from(seat.0) + 1].cells,
                )
            }
        }
    }
}

fn ground(seen: &Observation<life2::Position>) -> &Ground {
    seen.position.world().ground()
}

fn single(cell: conquerors::Cell) -> conquerors::Plane {
    let mut plane = conquerors::Plane::EMPTY;
    plane.insert(cell);
    plane
}

/// A seat as an argument; `None` if it is left out.
fn seat(board: &RefCell<Board>, argument: &Value) -> Result<Option<Seat>> {
    if argument.is_undefined() {
        return Ok(None);
    }
    let seats = board.borrow().seats();
    let seat = argument.as_int().filter(|seat| (0..i32::from(seats)).contains(seat));
    seat.map(|seat| Some(Seat(seat as u8)))
        .ok_or_else(|| host::range_error(&format!("a seat is a number from 0 to {}, such as o.seat", seats - 1)))
}

/// `Board(text)`: rows of `.`, `b` and `r`.
fn construct(_: &Value, arguments: &[Value]) -> Result<Value> {
    let text = argument(arguments, 0);
    if text.is_undefined() {
        return new(Board::Conquerors(conquerors::Board::EMPTY));
    }
    if !text.is_string() {
        return Err(host::type_error(
            "Board(text) takes rows of '.', 'b' and 'r', one a line; board.copy() copies a board",
        ));
    }
    let text = text.to_text()?.split_whitespace().collect::<Vec<_>>().join("/");
    let board = match text.split('/').count() {
        war_of_life::ROWS => text.parse().map(Board::War).map_err(|error| error.to_string()),
        _ => text.parse().map(Board::Conquerors).map_err(|error| error.to_string()),
    };
    new(board.map_err(|error| host::range_error(&error))?)
}

fn get(this: &Value, arguments: &[Value]) -> Result<Value> {
    let (row, col) = cells::row_and_column("board.get", arguments)?;
    Ok(Value::int(of(this)?.borrow().get(row, col).into()))
}

fn set(this: &Value, arguments: &[Value]) -> Result<Value> {
    let board = of(this)?;
    let (row, col) = cells::row_and_column("board.set", arguments)?;
    let Some(value) = argument(arguments, 2).as_int().and_then(|value| u8::try_from(value).ok()) else {
        return Err(host::type_error(
            "board.set(row, col, value): the value is 0 for a dead cell, 1 + seat for a living one",
        ));
    };
    let (rows, cols) = board.borrow().size();
    let Some((row, col)) = board.borrow().at(row, col) else {
        let message =
            format!("row {row}, column {col} is not on the board (rows 0-{}, columns 0-{})", rows - 1, cols - 1);
        return Err(host::range_error(&message));
    };
    if !board.borrow_mut().set(row, col, value) {
        return Err(host::range_error(&format!("a cell of this board cannot become {value}")));
    }
    Ok(this.clone())
}

fn count(this: &Value, arguments: &[Value]) -> Result<Value> {
    let board = of(this)?;
    let seat = seat(&board, argument(arguments, 0))?;
    let count = board.borrow().count(seat);
    Ok(Value::int(count as i32))
}

fn score(this: &Value, arguments: &[Value]) -> Result<Value> {
    let board = of(this)?;
    let seat = seat(&board, argument(arguments, 0))?;
    let board = board.borrow();
    let score = match (&*board, seat.and_then(Colour::of)) {
        (Board::Conquerors(board), Some(colour)) => board.scores()[colour],
        (Board::Conquerors(_), None) => return Err(host::type_error("board.score(seat) needs a seat")),
        _ => board.count(seat),
    };
    Ok(Value::int(score as i32))
}

fn listed(this: &Value, arguments: &[Value]) -> Result<Value> {
    let board = of(this)?;
    let seat = seat(&board, argument(arguments, 0))?;
    let cells = board.borrow().living(seat);
    cells::list(cells)
}

fn neighbours(this: &Value, arguments: &[Value]) -> Result<Value> {
    let board = of(this)?;
    let (row, col) = cells::row_and_column("board.neighbours", arguments)?;
    let seat = seat(&board, argument(arguments, 2))?;
    let board = board.borrow();
    let counts = |down: i32, right: i32| {
        let value = board.get(row.saturating_add(down), col.saturating_add(right));
        (down, right) != (0, 0) && seat.map_or(value > 0, |seat| value == 1 + seat.0)
    };
    let around = (-1..=1).flat_map(|down| (-1..=1).map(move |right| (down, right)));
    Ok(Value::int(around.filter(|(down, right)| counts(*down, *right)).count() as i32))
}

fn generation(this: &Value, arguments: &[Value]) -> Result<Value> {
    let generations = match argument(arguments, 0) {
        none if none.is_undefined() => Some(1),
        some => some.as_int().filter(|number| (0..=GENERATIONS_MAX).contains(number)),
    };
    let Some(generations) = generations else {
        return Err(host::range_error(&format!(
            "board.generation(n): n is a whole number from 0 to {GENERATIONS_MAX}"
        )));
    };
    let mut board = of(this)?.borrow().clone();
    if (0..generations).all(|_| board.advance()) { new(board) } else { Err(host::type_error(STILL)) }
}

fn copy(this: &Value, _: &[Value]) -> Result<Value> {
    let board = of(this)?.borrow().clone();
    new(board)
}

fn equals(this: &Value, arguments: &[Value]) -> Result<Value> {
    let (one, other) = (of(this)?, of(argument(arguments, 0))?);
    let is_same = *one.borrow() == *other.borrow();
    Ok(Value::bool(is_same))
}
