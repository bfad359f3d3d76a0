//! Formats: which games come next, and where everybody stands.
//!
//! A [`Format`] is two pure functions. [`next`](Format::next) goes from the games settled so far to those that follow, and
//! [`standings`](Format::standings) folds the settled games. A runner asks for the next games when all that it was given are
//! settled, and again, until there are none: that is the whole schedule. So a schedule grows round by round, what was said
//! once stays, and it is a function of the entrants, the seed and the results alone, whatever the threads or restarts. A
//! folder freezes the format's name and seed, not a list of games.
//!
//! [`RoundRobin`](crate::RoundRobin), [`Gauntlet`](crate::Gauntlet) and [`Field`](crate::Field) say everything in one round, or,
//! with a [`Stop`](crate::Stop), the same again until enough is shown. In the others a round depends on those before:
//! [`Swiss`](crate::Swiss), [`Knockout`](crate::Knockout) (single and double) and [`Ladder`](crate::Ladder). All of them read who
//! met whom from the settled games (`meetings.rs`). A bye is no game: the entrant that a round leaves out is found from the settled
//! games, too.
//!
//! Who enters late stands behind the others and is among the entrants from its round on; [`Settled::left`] says who plays no more.
//!
//! Two-seat games are played in pairs: one seed, so one opening, with the seats exchanged. Where two entrants meet again, the
//! number of the pair goes on from their last one, and with it the pair's seed.

use crate::plot::BracketPicture;
use crate::{Entrant, Schedule, Settled, Standings};

/// What a tournament does with its entrants.
pub trait Format: Send + Sync {
    /// What definitions and manifests call it.
    fn name(&self) -> &'static str;

    /// What all draws and seeds of games are derived from.
    fn seed(&self) -> u64;

    /// The games that follow when all of `settled` are settled; none when the tournament is over. They are numbered from
    /// `settled.len()` on.
    fn next(&self, entrants: &[Entrant], settled: &Settled) -> Schedule;

    /// The last round before which an entrant may still enter, from 0; `None` where it always may. Where all games are drawn at
    /// once, or a bracket is, that is the first one.
    fn last_entry(&self) -> Option<usize> {
        Some(0)
    }

    /// The games of a tournament of so many entrants, at most.
    fn games_max(&self, entrants: usize) -> usize;

    /// Where everybody stands. While games are played some of the middle are open.
    fn standings(&self, entrants: &[Entrant], settled: &Settled) -> Standings;

    /// Files about the same games beside those of the standings, by name. `title` is what was played.
    fn reports(&self, title: Option<&str>, entrants: &[Entrant], settled: &Settled) -> Vec<(&'static str, String)> {
        let _ = (title, entrants, settled);
        Vec::new()
    }

    /// For each pairing of so many entrants the round in which people see it, from 0, and what that is called; none where that is
    /// the round of its games.
    fn titles(&self, entrants: usize) -> Vec<(usize, String)> {
        let _ = entrants;
        Vec::new()
    }

    /// The bracket as it stands; `None` without one.
    fn picture(&self, entrants: &[Entrant], settled: &Settled) -> Option<BracketPicture> {
        let _ = (entrants, settled);
        None
    }
}

/// What definitions call each format.
pub(crate) const ROUND_ROBIN: &str = "round-robin";
pub(crate) const GAUNTLET: &str = "gauntlet";
pub(crate) const SWISS: &str = "swiss";
pub(crate) const KNOCKOUT: &str = "knockout";
pub(crate) const DOUBLE_KNOCKOUT: &str = "double-knockout";
pub(crate) const LADDER: &str = "ladder";
pub(crate) const FIELD: &str = "field";
