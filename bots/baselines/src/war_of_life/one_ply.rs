//! Strategies that consider only the board after the own move.

use arena_rules::war_of_life::{Board, Colour, Move};

/// How the board after the own move and its generation is valued. Source: README of `jkatsioloudes/War-of-Life`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OnePly {
    /// Few pieces of the opponent.
    Bloodlust,
    /// Many own pieces.
    SelfPreservation,
    /// Own pieces minus the opponent's.
    LandGrab,
}

impl OnePly {
    /// The worth of `board` to `colour`.
    pub fn value(self, board: &Board, colour: Colour) -> i32 {
        let counts = board.counts().map(|count| count as i32);
        let (own, enemy) = (counts[colour], counts[colour.other()]);
        match self {
            OnePly::Bloodlust => -enemy,
            OnePly::SelfPreservation => own,
            OnePly::LandGrab => own - enemy,
        }
    }

    /// The first best move.
    pub(super) fn choose(self, board: &Board, colour: Colour) -> Option<Move> {
        let mut best: Option<(i32, Move)> = None;
        for step in board.moves(colour) {
            let value = self.value(&board.after(colour, step), colour);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, step));
            }
        }
        best.map(|(_, step)| step)
    }
}
