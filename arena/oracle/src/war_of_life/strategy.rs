//! What the strategies choose.

use super::{Grid, Move, count, moves, other, played};

/// What a one-ply strategy looks at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    /// The fewest of the opponent's pieces.
    Bloodlust,
    /// The most own pieces.
    SelfPreservation,
    /// The most own pieces more than the opponent's.
    LandGrab,
}

/// How a move counts after which the opponent has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LastPly {
    /// Won, lost or drawn.
    ByTheRules,
    /// Left out of the list of scores, which moves the later scores forward.
    LeftOut,
}

/// Above every number of pieces.
const WON: i32 = 10_000;

fn lead(grid: &Grid, colour: u8) -> i32 {
    count(grid, colour) - count(grid, other(colour))
}

/// The place of the first highest score.
fn first_highest(scores: &[i32]) -> Option<usize> {
    let most = *scores.iter().max()?;
    scores.iter().position(|score| *score == most)
}

/// The first best move one ply ahead.
pub fn best_of_one_ply(grid: &Grid, colour: u8, sight: Sight) -> Option<Move> {
    let all = moves(grid, colour);
    let score = |step: &Move| {
        let after = played(grid, *step);
        match sight {
            Sight::Bloodlust => -count(&after, other(colour)),
            Sight::SelfPreservation => count(&after, colour),
            Sight::LandGrab => lead(&after, colour),
        }
    };
    let scores: Vec<i32> = all.iter().map(score).collect();
    first_highest(&scores).map(|place| all[place])
}

/// The first best move two plies ahead: the lead after the opponent's best answer.
pub fn best_of_two_plies(grid: &Grid, colour: u8, last_ply: LastPly) -> Option<Move> {
    let all = moves(grid, colour);
    let mut scores = Vec::new();
    for step in &all {
        let after = played(grid, *step);
        let answers = moves(&after, other(colour));
        let leads = answers.iter().map(|answer| lead(&played(&after, *answer), colour));
        match (leads.min(), last_ply) {
            (Some(_), LastPly::ByTheRules) if count(&after, colour) == 0 => scores.push(-WON),
            (Some(least), _) => scores.push(least),
            (None, LastPly::LeftOut) => {}
            (None, LastPly::ByTheRules) => {
                let only_own = count(&after, other(colour)) == 0 && count(&after, colour) > 0;
                scores.push(if only_own { WON } else { 0 });
            }
        }
    }
    first_highest(&scores).map(|place| all[place])
}
