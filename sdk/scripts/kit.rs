//! The search kit: many futures in one call. What is here is for Conway's Conquerors; `others` has two other games.

use core::ffi::CStr;

use arena_rules::Ruleset;
use arena_rules::conquerors::{Cell, Plane, Position, ROUNDS, Turn};
use arena_rules::{game_of_game_of_life as torus, life2, war_of_life};
use arena_sdk::Observation;
use arena_sdk::kit::{LOOKAHEAD_MAX, Lookahead, Weights, best_turn, end};
use arena_wire::{Call, Point, Protocol};

use crate::action::{self, Wanted};
use crate::cells;
use crate::host::{self, Native, Result, Thrown, Value, argument};
use crate::others::{self, Duel, Garden};
use crate::seen::{self, Play, Sight};

const FUNCTIONS: [(&CStr, u8, Native); 3] =
    [(c"best", 1, best), (c"candidates", 1, candidates), (c"worths", 2, worths)];

/// Generations to look ahead, unless a script says otherwise: further is worse, because the opponent moves, too.
const GENERATIONS: usize = 4;
/// The part of the fuel left that a search uses, unless a script says otherwise: three fifths, since its estimate is not exact.
const FUEL_SHARE: (u64, u64) = (3, 5);
/// Bombs that hit fewer enemy cells are no candidates.
const BOMB_HITS_MIN: u32 = 3;

/// Adds the functions to the script's global variables.
pub(crate) fn install() -> Result<()> {
    FUNCTIONS.into_iter().try_for_each(|(name, length, native)| host::global().method(name, length, native))
}

/// What a search may be told.
pub(crate) struct Options {
    pub(crate) generations: usize,
    pub(crate) fuel: u32,
    pub(crate) weights: Weights,
}

impl Options {
    fn read(function: &str, seen: &dyn Sight, value: &Value) -> Result<Options> {
        let is_war = seen.any().is::<Observation<war_of_life::Position>>();
        let (usual, most) = if is_war { (others::MOVES, others::MOVES_MAX) } else { (GENERATIONS, LOOKAHEAD_MAX) };
        let (part, whole) = FUEL_SHARE;
        let fuel = arena_sdk::fuel() / whole * part;
        let fuel = fuel.min(u32::MAX.into()) as u32;
        let mut options = Options { generations: usual, fuel, weights: Weights::LEAD };
        if value.is_undefined() {
            return Ok(options);
        }
        if !value.is_object() {
            return Err(host::type_error(&format!("{function}: {}", host::OPTIONS)));
        }
        let given = value.get(c"generations")?;
        if !given.is_undefined() {
            let number = given.as_int().filter(|number| (1..=most as i32).contains(number));
            let Some(number) = number else {
                return Err(host::range_error(&format!("{function}: generations is a number from 1 to {most}")));
            };
            options.generations = number as usize;
        }
        let given = value.get(c"fuel")?;
        if !given.is_undefined() {
            options.fuel = given.to_number()? as u32;
        }
        let weights = value.get(c"weights")?;
        if weights.is_object() {
            let Weights { own, enemy, own_abroad, enemy_abroad, foothold } = &mut options.weights;
            let names = [
                (c"own", own),
                (c"enemy", enemy),
                (c"ownAbroad", own_abroad),
                (c"enemyAbroad", enemy_abroad),
                (c"foothold", foothold),
            ];
            for (name, weight) in names {
                let given = weights.get(name)?;
                if !given.is_undefined() {
                    *weight = given.as_int().ok_or_else(|| host::type_error("weights are whole numbers"))?;
                }
            }
        }
        Ok(options)
    }
}

/// The observation of a game, if it is of that game.
fn of<P: Play>(seen: &dyn Sight) -> Option<&Observation<P>> {
    seen.any().downcast_ref()
}

/// Why there is no such search in a game.
fn none(function: &str, seen: &dyn Sight) -> Thrown {
    let instead = match () {
        () if seen.any().is::<Observation<life2::Position>>() => "scripts cannot compute its generations",
        () => "o.legal() has all that may be done",
    };
    host::type_error(&format!("{function} does not search in {}: {instead}", seen.game().title))
}

/// `best(o, options)`: the best action that a search finds.
fn best(_: &Value, arguments: &[Value]) -> Result<Value> {
    let seen = seen::of("best(o)", argument(arguments, 0))?;
    let seen = &**seen;
    let options = Options::read("best", seen, argument(arguments, 1))?;
    let until = arena_sdk::fuel().saturating_sub(options.fuel.into());
    if let Some(seen) = of::<war_of_life::Position>(seen) {
        return Duel::of(seen, &options, until).best();
    }
    if let Some(seen) = of::<torus::Position>(seen) {
        return Garden::of(seen, &options).best(until);
    }
    let Some(seen) = of::<Position>(seen) else { return Err(none("best(o)", seen)) };
    let Options { generations, fuel, weights } = options;
    let action = best_turn(seen, generations, fuel, |branch| weights.worth(branch, seen.colour()));
    made(&<Position as Protocol>::describe(&action))
}

fn made(calls: &[Call]) -> Result<Value> {
    let [Call { tool, cells }] = calls else { return Ok(Value::UNDEFINED) };
    action::make(tool.name, cells.clone())
}

/// `candidates(o)`: actions worth a try. With `near`, an action: those that differ from it in a cell next to living or placed ones.
fn candidates(_: &Value, arguments: &[Value]) -> Result<Value> {
    let seen = seen::of("candidates(o)", argument(arguments, 0))?;
    let Some(seen) = of::<Position>(&**seen) else { return Err(none("candidates(o)", &**seen)) };
    let position = &seen.position;
    let open = position.placeable(seen.colour());
    let options = argument(arguments, 1);
    let near = if options.is_object() { options.get(c"near")? } else { Value::UNDEFINED };
    let mut actions = Vec::new();
    if !near.is_undefined() {
        let placed = cells::cells("candidates: near", &near.get(c"cells")?)?;
        let placed: Vec<Cell> = placed.into_iter().filter_map(on_board).collect();
        let mut taken = Plane::EMPTY;
        placed.iter().for_each(|cell| taken.insert(*cell));
        let beside = around(&around(&(position.board().living() | taken))) & open & !taken;
        for moved in 0..placed.len() {
            for cell in beside.cells() {
                let mut tried = placed.clone();
                tried[moved] = cell;
                actions.push(action::make("place", points(&tried))?);
            }
        }
        return Value::array(actions);
    }
    for corner in open.cells() {
        let (row, col) = (corner.row() as u8, corner.col() as u8);
        let block = [(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)];
        let block = block.map(|(row, col)| Cell::new(row, col).filter(|cell| open.contains(*cell)));
        if let [Some(a), Some(b), Some(c), Some(d)] = block {
            actions.push(action::make("place", points(&[a, b, c, d]))?);
        }
    }
    let enemy = *position.board().of(seen.colour().other());
    if position.bomb_ready(seen.colour()).is_ok() {
        for centre in Plane::FULL.cells().filter(|centre| (Plane::square(*centre) & enemy).count() >= BOMB_HITS_MIN) {
            actions.push(action::make("bomb", points(&[centre]))?);
        }
    }
    if !position.skip_used()[seen.colour()] {
        actions.push(action::make("skip", Vec::new())?);
    }
    Value::array(actions)
}

fn points(cells: &[Cell]) -> Vec<Point> {
    cells.iter().map(|cell| Point { row: cell.row() as u16, col: cell.col() as u16 }).collect()
}

fn on_board(point: Point) -> Option<Cell> {
    point.narrow().and_then(|(row, col)| Cell::new(row, col))
}

fn around(cells: &Plane) -> Plane {
    cells.cells().fold(Plane::EMPTY, |all, cell| all | Plane::square(cell))
}

/// `worths(o, actions, options)`: what each action's future is worth; of a refused one, `-Infinity`.
fn worths(_: &Value, arguments: &[Value]) -> Result<Value> {
    let seen = seen::of("worths(o, actions)", argument(arguments, 0))?;
    let seen = &**seen;
    let actions = argument(arguments, 1);
    if !actions.is_array() {
        return Err(host::type_error("worths(o, actions) needs a list of actions, such as candidates(o)"));
    }
    let options = Options::read("worths", seen, argument(arguments, 2))?;
    if let Some(war) = of::<war_of_life::Position>(seen) {
        let duel = Duel::of(war, &options, 0);
        return each(seen, actions, |call| duel.worth(call));
    }
    if let Some(garden) = of::<torus::Position>(seen) {
        let garden = Garden::of(garden, &options);
        return each(seen, actions, |call| garden.worth(call));
    }
    let Some(conquerors) = of::<Position>(seen) else { return Err(none("worths(o, actions)", seen)) };
    let left = (2 * usize::from(ROUNDS)).saturating_sub(conquerors.position.ply().into()).max(1);
    let future = Lookahead::of(conquerors.position.board(), options.generations.min(left));
    each(seen, actions, |call| worth(conquerors, &future, left, &options, call))
}

/// The worth of each action of a list.
fn each(seen: &dyn Sight, actions: &Value, worth: impl Fn(&Call) -> Option<i32>) -> Result<Value> {
    let worths = (0..actions.len()?).map(|index| {
        let worth = match action::read("worths takes a list of actions; each is", seen.game(), &actions.at(index)?)? {
            Wanted::Call(call) => worth(&call),
            Wanted::Look(..) => None,
        };
        worth.map_or_else(|| Value::number(f64::NEG_INFINITY), |worth| Ok(Value::int(worth)))
    });
    Value::array(worths.collect::<Result<_>>()?)
}

/// What a legal action of Conway's Conquerors is worth, with so many turns left; `None` for others.
fn worth(seen: &Observation, future: &Lookahead, left: usize, options: &Options, call: &Call) -> Option<i32> {
    let action = Position::compose(core::slice::from_ref(call))?;
    let branch = match seen.position.check(seen.seat, &action).ok()? {
        Turn::Place(cells) => future.with(&cells, seen.colour()),
        Turn::Bomb(centre) => {
            let mut board = *seen.position.board();
            board.clear(Plane::square(centre));
            future.instead(&board)
        }
        Turn::Skip | Turn::Pass => future.instead(seen.position.board()),
    };
    let Options { generations, weights, .. } = options;
    Some(end(&branch, seen, left <= *generations).unwrap_or_else(|| weights.worth(&branch, seen.colour())))
}
