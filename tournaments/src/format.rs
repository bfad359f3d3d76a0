//! Formats: they schedule the next games, and make the standings.
//!
//! A [`Format`] is two pure functions. [`next`](Format::next) returns the games that follow those settled so far, and
//! [`standings`](Format::standings) folds the settled games. A runner asks for the next games once all earlier ones are
//! settled, until there are none left: that is the whole schedule. So a schedule grows round by round, and what was
//! scheduled never changes. It is a function of the entrants, the seed and the results alone, independent of threads
//! and restarts. A folder freezes the format's name and seed, not a list of games.
//!
//! [`RoundRobin`](crate::RoundRobin), [`Gauntlet`](crate::Gauntlet) and [`Field`](crate::Field) schedule everything in
//! one round, or, with a [`Stop`](crate::Stop), repeat that until the stop is satisfied. In the others a round depends
//! on earlier ones: [`Swiss`](crate::Swiss), [`Knockout`](crate::Knockout) (single and double) and
//! [`Ladder`](crate::Ladder). All of them derive earlier meetings from the settled games (`meetings.rs`). A bye is not
//! a game: the entrant that a round leaves out is also derived from the settled games.
//!
//! Late entrants follow the others, and take part from their round on; [`Settled::left`] lists those that no longer
//! play.
//!
//! Two-seat games are played in pairs: one seed, so one opening, with the seats swapped. If two entrants meet again,
//! the numbers of their pairs continue, and with them the pairs' seeds.

use crate::plot::BracketPicture;
use crate::reached::BracketRound;
use crate::{Entrant, Schedule, Settled, Standings, fairness};

/// A format: the schedule and the standings of a tournament.
pub trait Format: Send + Sync {
    /// Its name in definitions and manifests.
    fn name(&self) -> &'static str;

    /// The seed from which all draws and the games' seeds are derived.
    fn seed(&self) -> u64;

    /// The games that follow once all of `settled` are settled; empty when the tournament is over. They are numbered
    /// from `settled.len()` on.
    fn next(&self, entrants: &[Entrant], settled: &Settled) -> Schedule;

    /// The last round before which an entrant may still enter, from 0; `None` if entry never closes. If all games, or a
    /// bracket, are drawn at once, that is the first round.
    fn last_entry(&self) -> Option<usize> {
        Some(0)
    }

    /// The maximum number of games for this many entrants.
    fn games_max(&self, entrants: usize) -> usize;

    /// The standings. During the tournament, some games in the middle may be unsettled.
    fn standings(&self, entrants: &[Entrant], settled: &Settled) -> Standings;

    /// Further files about the same games, by name: whether they were fair, and the format's own. `title` is the
    /// tournament's name.
    fn reports(&self, title: Option<&str>, entrants: &[Entrant], settled: &Settled) -> Vec<(&'static str, String)> {
        let _ = title;
        fairness(entrants, settled).files()
    }

    /// For each pairing of a tournament of this many entrants, the displayed round, from 0, and its name; empty if
    /// these are the rounds of the games.
    fn rounds(&self, entrants: usize) -> Vec<(usize, BracketRound)> {
        let _ = entrants;
        Vec::new()
    }

    /// The current bracket; `None` without one.
    fn picture(&self, entrants: &[Entrant], settled: &Settled) -> Option<BracketPicture> {
        let _ = (entrants, settled);
        None
    }
}

/// The formats' names in definitions.
pub(crate) const ROUND_ROBIN: &str = "round-robin";
pub(crate) const GAUNTLET: &str = "gauntlet";
pub(crate) const SWISS: &str = "swiss";
pub(crate) const KNOCKOUT: &str = "knockout";
pub(crate) const DOUBLE_KNOCKOUT: &str = "double-knockout";
pub(crate) const LADDER: &str = "ladder";
pub(crate) const FIELD: &str = "field";
