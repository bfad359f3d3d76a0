//! Rescue first, then room to grow.

use arena_rules::game_of_game_of_life::{Board, Camp, Target};
use arena_rules::{Rng, Seat};

use super::planner::actions;
use super::{Best, Gains};

/// The weights of a claim's effects. Our choice.
const OWN: i32 = 4;
const RIVAL: i32 = 4;
const SAFE: i32 = 4;
const ROOM: i32 = 1;
/// A colour with at most this many cells is in danger and avoids losing any; a larger one grows. Our choice: a few small still lifes.
const SMALL_CELLS_MAX: u32 = 12;
/// A kill must gain more cells than this.
const KILL_PRICE: i32 = 8;

pub(super) fn choose(board: &Board, seat: Seat, rng: &mut Rng) -> Option<Target> {
    rescue(board, seat, rng).or_else(|| grow(board, seat, rng))
}

/// The claim that saves most own cells from dying of loneliness, if any does: it is the second neighbour of those with one.
fn rescue(board: &Board, seat: Seat, rng: &mut Rng) -> Option<Target> {
    let lonely = board.seat(seat) & board.living().around().exactly(1);
    if lonely.is_empty() || board.seat(seat).count() > SMALL_CELLS_MAX {
        return None;
    }
    let (saved, gains) = (lonely.around(), Gains::of(board, seat, seat));
    let mut best = Best::passing(0);
    for cell in (saved.any() & !board.living()).cells() {
        let gain = gains.claim(cell);
        if gain > 0 {
            best.offer(cell, 8 * i32::from(saved.at(cell)) + gain, rng);
        }
    }
    best.target()
}

/// The claim or kill that is best for own cells now and a generation later, relative to the strongest rival's, and for
/// room: dead cells around it without living neighbours.
fn grow(board: &Board, seat: Seat, rng: &mut Rng) -> Option<Target> {
    let camp = Camp::of(board, seat);
    let rivals = board.counts();
    let strongest =
        rivals.iter().filter(|(rival, count)| *rival != seat && **count > 0).max_by_key(|(_, count)| **count);
    let rival = strongest.map(|(rival, _)| Gains::of(board, seat, rival));
    let room = (!board.living().grown()).around();
    let mut best = Best::passing(safe(camp));
    for cell in actions(board, seat).cells() {
        let kill = camp.own().contains(cell);
        let harm = rival.as_ref().map_or(0, |rival| if kill { rival.kill(cell) } else { rival.claim(cell) });
        let price = if kill { KILL_PRICE } else { 0 };
        best.offer(cell, safe(camp.after(cell)) - RIVAL * harm + ROOM * i32::from(room.at(cell)) - price, rng);
    }
    best.target()
}

/// The value of own cells after a generation, and after the next one: safe ones survive both.
fn safe(mut camp: Camp) -> i32 {
    let mut value = 0;
    let mut weights = [OWN, SAFE].into_iter();
    camp.generations(2, |census| value += weights.next().unwrap_or(0) * census.own as i32);
    value
}
