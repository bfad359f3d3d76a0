//! The four games, as scripts see them.

use std::rc::Rc;

use arena_rules::conquerors::{self, Colour};
use arena_rules::game_of_game_of_life as torus;
use arena_rules::{BySeat, Ruleset, Seat, life2, war_of_life};
use arena_sdk::Observation;
use arena_wire::Point;

use crate::action;
use crate::board::Board;
use crate::cells;
use crate::host::{Result, Value};
use crate::seen::Play;

fn list<T>(values: impl IntoIterator<Item = T>, value: impl FnMut(T) -> Result<Value>) -> Result<Value> {
    Value::array(values.into_iter().map(value).collect::<Result<_>>()?)
}

fn colour(o: &Value, seat: Seat) -> Result<()> {
    o.set(c"colour", Value::text(Colour::of(seat).map_or("", Colour::name))?)
}

impl Play for conquerors::Position {
    fn board(seen: &Rc<Observation>) -> Board {
        Board::Conquerors(*seen.position.board())
    }

    fn after(&self, seat: Seat, turn: &conquerors::Turn) -> Option<Board> {
        Some(Board::Conquerors(self.preview(Colour::of(seat)?, turn)))
    }

    fn fields(seen: &Observation, o: &Value) -> Result<()> {
        let position = &seen.position;
        colour(o, seen.seat)?;
        o.set(c"round", Value::int(position.round().into()))?;
        let cooldown = position.cooldown();
        o.set(c"cooldown", list([cooldown.blue, cooldown.red], |turns| Ok(Value::int(turns.into())))?)?;
        let used = position.skip_used();
        o.set(c"skipUsed", list([used.blue, used.red], |used| Ok(Value::bool(used)))?)?;
        o.set(c"bombReady", Value::bool(position.bomb_ready(seen.colour()).is_ok()))?;
        o.set(c"chainNeedsHome", Value::bool(position.options().chain_needs_home))?;
        o.set(c"weightedMajority", Value::bool(position.options().weighted_majority))
    }
}

impl Play for war_of_life::Position {
    fn board(seen: &Rc<Observation<Self>>) -> Board {
        Board::War(*seen.position.board())
    }

    fn after(&self, seat: Seat, turn: &war_of_life::Move) -> Option<Board> {
        Some(Board::War(self.preview(Colour::of(seat)?, *turn)))
    }

    fn fields(seen: &Observation<Self>, o: &Value) -> Result<()> {
        colour(o, seen.seat)
    }

    fn legal(seen: &Observation<Self>, _placed: Vec<Point>) -> Result<Value> {
        list(seen.position.moves(seen.seat), |step| {
            let ends = [step.from, step.to].map(|cell| war_of_life::Target::from(cell).into());
            action::make("move", ends.to_vec())
        })
    }
}

impl Play for torus::Position {
    fn board(seen: &Rc<Observation<Self>>) -> Board {
        Board::Torus(seen.position.board().clone())
    }

    /// As if all others passed.
    fn after(&self, seat: Seat, turn: &torus::Turn) -> Option<Board> {
        let acts = BySeat::new(self.board().seats(), |of| match turn {
            torus::Turn::Cell(cell) if of == seat => Some(*cell),
            _ => None,
        });
        let (mut board, _) = self.board().acted(&acts);
        board.step();
        Some(Board::Torus(board))
    }

    fn fields(seen: &Observation<Self>, o: &Value) -> Result<()> {
        let position = &seen.position;
        o.set(c"generation", Value::int(position.generation().into()))?;
        let last = (0..position.seats()).map(|seat| position.last_move(Seat(seat)));
        let last =
            list(last, |cell| cell.map_or(Ok(Value::NULL), |cell| cells::value(cell.row().into(), cell.col().into())))?;
        o.set(c"last", last)
    }
}

impl Play for life2::Position {
    fn board(seen: &Rc<Observation<Self>>) -> Board {
        Board::World(Rc::clone(seen))
    }

    fn clear(&self, seat: Seat, cells: &[Point]) -> Option<bool> {
        let ground = self.world().ground();
        let side = ground.side().length();
        let near = |at: u16| [side - 1, 0, 1].map(|step| (at % side + step) % side);
        Some(cells.iter().all(|&Point { row, col }| {
            let is_alive = |y: u16| near(col).into_iter().any(|x| ground.is_alive(life2::Cell { x, y }));
            self.may_place(seat, life2::Target { row, col }).is_ok() && !near(row).into_iter().any(is_alive)
        }))
    }

    fn look(centre: Point, size: Point, cells: &[Point]) -> Option<life2::Action> {
        let target = |cell: &Point| life2::Target { row: cell.row, col: cell.col };
        let view = life2::View::around(target(&centre), size.row, size.col)?;
        Some(life2::Action::Look(view, cells.iter().map(target).collect()))
    }

    fn fields(seen: &Observation<Self>, o: &Value) -> Result<()> {
        let position = &seen.position;
        let seats = || (0..position.seats()).map(Seat);
        let number = |number: u64| Value::number(number as f64);
        o.set(c"coins", list(seats(), |seat| number(position.coins(seat)))?)?;
        let kingdom = |seat| position.kingdom(seat);
        o.set(c"baseCoins", list(seats(), |seat| number(kingdom(seat).map_or(0, |of| of.coins)))?)?;
        let bases =
            list(seats(), |seat| kingdom(seat).map_or(Ok(Value::NULL), |of| cells::value(of.base.y, of.base.x)))?;
        o.set(c"bases", bases)?;
        let census = position.census();
        let of = |seat: Seat| census[usize::from(seat.0) + 1];
        o.set(c"living", list(seats(), |seat| number(of(seat).cells.into()))?)?;
        o.set(c"ground", list(seats(), |seat| number(of(seat).ground.into()))?)?;
        let view = position.sees(seen.seat);
        let window = Value::object()?;
        let parts = [(c"row", view.corner.y), (c"col", view.corner.x), (c"rows", view.rows), (c"cols", view.cols)];
        parts.into_iter().try_for_each(|(name, value)| window.set(name, Value::int(value.into())))?;
        o.set(c"view", window)
    }
}
