//! The search kit in War of Life and in Game of Game of Life.

use arena_rules::game_of_game_of_life::{self as torus, Camp, Census};
use arena_rules::war_of_life::{Colour, Move, Position, Target};
use arena_rules::{Ruleset, Seat};
use arena_sdk::Observation;
use arena_wire::{Call, Point, Protocol};

use crate::action;
use crate::host::{Result, Value};
use crate::kit::Options;

/// Moves that a search in War of Life looks ahead, unless a script says otherwise, and at most: each is a generation.
pub(crate) const MOVES: usize = 3;
pub(crate) const MOVES_MAX: usize = 4;
/// What a won game of War of Life is worth: beyond every sum of pieces with usual weights.
const WIN: i32 = 1_000_000;

/// A search in War of Life: both sides move as is best for them.
pub(crate) struct Duel<'a> {
    seen: &'a Observation<Position>,
    options: &'a Options,
    /// The search is left when there is no more fuel than this.
    until: u64,
}

impl<'a> Duel<'a> {
    pub(crate) fn of(seen: &'a Observation<Position>, options: &'a Options, until: u64) -> Duel<'a> {
        Duel { seen, options, until }
    }

    /// What a legal action is worth; `None` for others.
    pub(crate) fn worth(&self, call: &Call) -> Option<i32> {
        let action = Position::compose(core::slice::from_ref(call))?;
        let step = self.seen.position.check(self.seen.seat, &action).ok()?;
        self.after(&self.seen.position, step, self.options.generations, i32::MIN, i32::MAX)
    }

    /// The best of the moves, as far as the fuel goes: those first after which the board looks best.
    pub(crate) fn best(&self) -> Result<Value> {
        let position = &self.seen.position;
        let looks = |step| self.after(position, step, 1, i32::MIN, i32::MAX);
        let mut moves: Vec<_> = position.moves(self.seen.seat).map(|step| (looks(step), step)).collect();
        moves.sort_by_key(|(worth, _)| core::cmp::Reverse(*worth));
        let mut found = moves.first().map(|(_, step)| (i32::MIN, *step));
        for (_, step) in moves {
            let floor = found.map_or(i32::MIN, |(worth, _)| worth);
            let Some(worth) = self.after(position, step, self.options.generations, floor, i32::MAX) else { break };
            if worth > floor {
                found = Some((worth, step));
            }
        }
        let Some((_, Move { from, to })) = found else { return Ok(Value::UNDEFINED) };
        action::make("move", [from, to].map(|cell| Target::from(cell).into()).to_vec())
    }

    fn after(&self, position: &Position, step: Move, moves: usize, floor: i32, ceiling: i32) -> Option<i32> {
        let board = position.preview(position.to_move()?, step);
        let next = Position::new(board, position.ply() + 1).ok()?;
        self.value(&next, moves - 1, floor, ceiling)
    }

    /// What a position is worth after so many moves; `None` when there is no fuel for it. If it is not between `floor` and `ceiling`, the
    /// nearer of them.
    fn value(&self, position: &Position, moves: usize, mut floor: i32, mut ceiling: i32) -> Option<i32> {
        let own = Colour::of(self.seen.seat)?;
        if let Some(outcome) = position.outcome() {
            let sooner = WIN + moves as i32;
            return Some(outcome.winner.map_or(0, |seat: Seat| if seat == self.seen.seat { sooner } else { -sooner }));
        }
        if moves == 0 {
            let (counts, weights) = (position.board().counts(), &self.options.weights);
            return Some(weights.own * counts[own] as i32 + weights.enemy * counts[own.other()] as i32);
        }
        if arena_sdk::fuel() < self.until {
            return None;
        }
        let mover = position.to_move()?;
        for step in position.board().moves(mover) {
            let worth = self.after(position, step, moves, floor, ceiling)?;
            if mover == own {
                floor = floor.max(worth);
            } else {
                ceiling = ceiling.min(worth);
            }
            if floor >= ceiling {
                break;
            }
        }
        Some(if mover == own { floor } else { ceiling })
    }
}

/// A search in Game of Game of Life, as if nobody else acted.
pub(crate) struct Garden<'a> {
    seen: &'a Observation<torus::Position>,
    options: &'a Options,
}

impl<'a> Garden<'a> {
    pub(crate) fn of(seen: &'a Observation<torus::Position>, options: &'a Options) -> Garden<'a> {
        Garden { seen, options }
    }

    fn camp(&self) -> Camp {
        Camp::of(self.seen.position.board(), self.seen.seat)
    }

    fn future(&self, mut camp: Camp) -> i32 {
        let (mut sum, weights) = (0, &self.options.weights);
        camp.generations(self.options.generations as u8, |Census { own, others }| {
            sum += weights.own * own as i32 + weights.enemy * others as i32;
        });
        if camp.own().is_empty() { i32::MIN } else { sum }
    }

    /// What a legal action is worth; `None` for others.
    pub(crate) fn worth(&self, call: &Call) -> Option<i32> {
        let action = torus::Position::compose(core::slice::from_ref(call))?;
        match self.seen.position.check(self.seen.seat, &action).ok()? {
            torus::Turn::Pass => Some(self.future(self.camp())),
            torus::Turn::Cell(cell) => Some(self.future(self.camp().after(cell))),
        }
    }

    /// The best of all cells that may be acted on, as far as the fuel goes.
    pub(crate) fn best(&self, until: u64) -> Result<Value> {
        let camp = self.camp();
        let mut found = (self.future(camp), None);
        let open = self.seen.position.board().reach(self.seen.seat) & (*camp.own() | !*camp.living());
        for cell in open.cells().take_while(|_| arena_sdk::fuel() > until) {
            let tried = self.future(camp.after(cell));
            if tried > found.0 {
                found = (tried, Some(cell));
            }
        }
        match found.1 {
            Some(cell) => action::make("cell", vec![Point { row: cell.row().into(), col: cell.col().into() }]),
            None => action::make("pass", Vec::new()),
        }
    }
}
