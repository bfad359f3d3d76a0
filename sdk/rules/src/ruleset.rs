//! The interface that all games share.

use crate::{BySeat, Phrased, Seat, Seats, Seed};

/// A game's law, as a position that can be queried and advanced.
///
/// There are two steps, so that one seat's bad action never affects another's: [`check`](Ruleset::check) judges one seat alone and
/// changes nothing; [`advance`](Ruleset::advance) takes checked actions and cannot fail.
/// docs/rules.md describes every game of the family in this form.
pub trait Ruleset: Clone + Send + Sync + 'static {
    /// Name and version, as in records, for example `conquerors@2`. A version that was played for standings is
    /// frozen: later changes are a new version besides it.
    const ID: &'static str;

    /// What can be chosen before the game starts.
    type Options;
    /// What a seat submits, not yet known to be legal.
    type Action;
    /// An action known to be legal in the position that checked it.
    type Checked: Clone + Eq + core::fmt::Debug + Send + Sync + 'static;
    /// Why an action is not legal.
    type Refusal: core::fmt::Display + Phrased;

    /// The first position. A set-up without chance ignores `seed`.
    fn start(options: &Self::Options, seed: &Seed) -> Self;

    /// How many seats there are; at most [`Seats::MAX`].
    fn seats(&self) -> u8;

    /// The seats that must answer before the game moves on: one in alternating games, all living ones in
    /// simultaneous games, none when the game is over.
    fn awaiting(&self) -> Seats;

    /// Judges one seat's action in this position.
    ///
    /// # Errors
    /// A refusal that names the broken rule.
    fn check(&self, seat: Seat, action: &Self::Action) -> Result<Self::Checked, Self::Refusal>;

    /// Applies the turns of all awaited seats. Total: a missing turn is a pass.
    fn advance(&mut self, turns: BySeat<Option<Self::Checked>>);

    /// Drops `seat` out of the game: with two seats the opponent wins; with more the seat passes from then on
    /// and scores 0. Does nothing once the game is over.
    fn forfeit(&mut self, seat: Seat);

    /// How the game ended; `None` while it is in progress.
    fn outcome(&self) -> Option<Outcome>;
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The seat that won; `None` is a draw.
    pub winner: Option<Seat>,
    /// The rule that ended it.
    pub reason: Reason,
    /// What the ruleset ranks seats by, at the end: for Conquerors the scores, weighted or not as the options say,
    /// for War of Life the pieces.
    pub tally: BySeat<u32>,
}

/// The rule that ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// One colour has no living cell.
    Extinction,
    /// No colour has a living cell.
    MutualExtinction,
    /// The last round is over; the tally decides.
    Majority,
    /// The maximum number of moves has been made.
    Exhausted,
    /// The seat to move has no legal move.
    Stalemate,
    /// A seat dropped out.
    Forfeit,
    /// The people in all seats agreed to a draw. No position returns this: only people's agreement ends a game like this.
    Agreed,
}

impl Reason {
    /// Every reason.
    pub const ALL: [Reason; 7] = [
        Reason::Extinction,
        Reason::MutualExtinction,
        Reason::Majority,
        Reason::Exhausted,
        Reason::Stalemate,
        Reason::Forfeit,
        Reason::Agreed,
    ];

    /// The stable code, as in records.
    pub fn code(self) -> &'static str {
        match self {
            Reason::Extinction => "extinction",
            Reason::MutualExtinction => "mutual_extinction",
            Reason::Majority => "majority",
            Reason::Exhausted => "exhausted",
            Reason::Stalemate => "stalemate",
            Reason::Forfeit => "forfeit",
            Reason::Agreed => "agreed",
        }
    }

    /// The reason with this code.
    pub fn from_code(code: &str) -> Option<Reason> {
        Reason::ALL.into_iter().find(|reason| reason.code() == code)
    }
}
