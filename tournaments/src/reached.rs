//! The rounds of a bracket, and how far an entrant came in it.

use std::fmt;

/// A round of a bracket.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BracketRound {
    /// Of this many entrants, all that are left: two are in the final.
    Of(usize),
    /// Of this many entrants that have not lost, where a second loss puts out.
    Winners(usize),
    /// Of those that have lost once, from 1.
    Losers(usize),
    /// Between the one that has not lost and the best of the others.
    Final,
    /// The same again, if the one that had not lost has lost it.
    SecondFinal,
}

impl fmt::Display for BracketRound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BracketRound::Final | BracketRound::Of(2) => f.write_str("final"),
            BracketRound::Of(4) => f.write_str("semi-finals"),
            BracketRound::Of(8) => f.write_str("quarter-finals"),
            BracketRound::Of(sides) => write!(f, "round of {sides}"),
            BracketRound::Winners(sides) => write!(f, "winners' {}", BracketRound::Of(*sides)),
            BracketRound::Losers(number) => write!(f, "losers' round {number}"),
            BracketRound::SecondFinal => f.write_str("second final"),
        }
    }
}

/// How far an entrant came.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reached {
    /// It went out in this round.
    Round(BracketRound),
    /// It won the tournament.
    Won,
    /// It may go farther.
    PlaysOn,
}

impl fmt::Display for Reached {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reached::Round(round) => write!(f, "{round}"),
            Reached::Won => f.write_str("won"),
            Reached::PlaysOn => f.write_str("plays on"),
        }
    }
}
