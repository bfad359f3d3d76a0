//! Looks two plies ahead: the own move, and the opponent's best answer to it.

use arena_rules::war_of_life::{Board, Colour, Move};

use super::OnePly;

/// How moves are valued after which the opponent cannot answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terminals {
    /// By the rules: a win is above everything, a loss below everything, and both kinds of draws are 0.
    Clean,
    /// Only for the study of the published results: such a move has no score, so the list of scores is shorter than
    /// the list of moves. The index of the best score is used as an index of a move, so another move
    /// than the best is played. If no move has a score, none is played. Source: this is how `jkatsioloudes/War-of-Life` differs
    /// from its own description; its published figures for minimax show it.
    Coursework,
}

/// The result of a move, for the player who makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Child {
    /// The opponent can answer; the minimum of own pieces minus the opponent's, after an answer and its generation.
    Answered(i32),
    /// The opponent has no pieces left.
    Win,
    /// Only the opponent has pieces left.
    Loss,
    /// Nobody has pieces left.
    Nobody,
    /// The opponent has pieces but no move.
    Stalemate,
}

impl Child {
    /// Beyond every difference of pieces, in either direction.
    const WIN: i32 = 1_000;

    /// The value of `board`, which a move of `colour` led to. If it is not above `floor`, any number that is not above `floor` may be
    /// returned.
    fn of(board: &Board, colour: Colour, floor: i32) -> Child {
        let counts = board.counts();
        match (counts[colour], counts[colour.other()]) {
            (0, 0) => return Child::Nobody,
            (_, 0) => return Child::Win,
            (0, _) => return Child::Loss,
            _ => {}
        }
        let mut least: Option<i32> = None;
        for answer in board.moves(colour.other()) {
            let value = OnePly::LandGrab.value(&board.after(colour.other(), answer), colour);
            least = Some(least.map_or(value, |least| least.min(value)));
            if value <= floor {
                break;
            }
        }
        least.map_or(Child::Stalemate, Child::Answered)
    }

    fn value(self) -> i32 {
        match self {
            Child::Answered(value) => value,
            Child::Win => Child::WIN,
            Child::Loss => -Child::WIN,
            Child::Nobody | Child::Stalemate => 0,
        }
    }

    /// The coursework's score. The opponent answers a player without pieces like any other.
    fn score(self, board: &Board, colour: Colour) -> Option<i32> {
        match self {
            Child::Answered(value) => Some(value),
            Child::Win | Child::Nobody | Child::Stalemate => None,
            Child::Loss => best_answer(board, colour),
        }
    }
}

fn best_answer(board: &Board, colour: Colour) -> Option<i32> {
    let answers = board.moves(colour.other());
    answers.map(|answer| OnePly::LandGrab.value(&board.after(colour.other(), answer), colour)).min()
}

/// What every move of `colour` leads to, in the order of the moves.
pub fn children(board: &Board, colour: Colour) -> impl Iterator<Item = (Move, Child)> {
    board.moves(colour).map(move |step| (step, Child::of(&board.after(colour, step), colour, i32::MIN)))
}

/// The first best move of `colour`; `None` if there is none, or none with a score under [`Terminals::Coursework`].
pub fn minimax(board: &Board, colour: Colour, terminals: Terminals) -> Option<Move> {
    let mut best: Option<(i32, usize)> = None;
    let mut scored = 0;
    for step in board.moves(colour) {
        let after = board.after(colour, step);
        let child = Child::of(&after, colour, best.map_or(i32::MIN, |(most, _)| most));
        let score = match terminals {
            Terminals::Clean => Some(child.value()),
            Terminals::Coursework => child.score(&after, colour),
        };
        if let Some(score) = score {
            if best.is_none_or(|(most, _)| score > most) {
                best = Some((score, scored));
            }
            scored += 1;
        }
    }
    best.and_then(|(_, number)| board.moves(colour).nth(number))
}
