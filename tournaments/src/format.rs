//! Formats: which games come next, and where everybody stands.
//!
//! A [`Format`] is two pure functions. [`next`](Format::next) goes from the games settled so far to those that follow, and
//! [`standings`](Format::standings) folds the settled games. A runner asks for the next games when all that it was given are
//! settled, and again, until there are none: that is the whole schedule. So a schedule grows round by round, what was said
//! once stays, and it is a function of the entrants, the seed and the results alone, whatever the threads or restarts. A
//! folder freezes the format's name and seed, not a list of games.
//!
//! [`RoundRobin`](crate::RoundRobin) and [`Field`](crate::Field) say everything in one round. Formats in which a round depends on the one before fit the
//! same trait:
//!
//! - **Swiss**: the first round is drawn from the seed. For each later one `next` folds points from the settled games, orders
//!   entrants by them and pairs neighbours who have not met. A bye is no game: the entrant that a round leaves out is found
//!   from the settled games, by `next` and by the fold, which gives it its points. `next` is empty after the last round.
//!   Points, Buchholz and byes are columns; ties are broken by their order.
//! - **Knockout**: the bracket follows from entrants and seed. A round has a match of each two entrants that are left. Where one is
//!   level `next` gives another round with pairs for that match alone; after so many, the seed decides. An entrant whose
//!   opponent is quarantined goes on without a game. Ranks are the rounds reached, so several rows share one. In a **double
//!   knockout** the losers' bracket is drawn from the same fold, and the final is played again if the unbeaten one lost it.
//! - **Gauntlet**: one round, the pairs of one entrant against each of the others.
//! - **Ladder** (in rounds): each round has challenges between neighbours of the order that the fold gives. An entrant that comes
//!   late takes part from a round that the list of entrants says with its name; before it, `next` leaves it out.
//!
//! Where two entrants meet again, the number of the pair goes on from their last one, and with it the pair's seed.

use crate::{Entrant, ScheduledGame, Settled, Standings};

/// What a tournament does with its entrants.
pub trait Format: Send + Sync {
    /// What definitions and manifests call it.
    fn name(&self) -> &'static str;

    /// What all draws and seeds of games are derived from.
    fn seed(&self) -> u64;

    /// The games that follow when all of `settled` are settled; none when the tournament is over. They are numbered from
    /// `settled.len()` on.
    fn next(&self, entrants: &[Entrant], settled: &Settled) -> Vec<ScheduledGame>;

    /// The games of a tournament of so many entrants, at most.
    fn games_max(&self, entrants: usize) -> usize;

    /// Where everybody stands. While games are played some of the middle are open.
    fn standings(&self, entrants: &[Entrant], settled: &Settled) -> Standings;

    /// Files about the same games beside those of the standings, by name.
    fn reports(&self, entrants: &[Entrant], settled: &Settled) -> Vec<(&'static str, String)> {
        let _ = (entrants, settled);
        Vec::new()
    }
}

/// The name of a round robin in definitions.
pub(crate) const ROUND_ROBIN: &str = "round-robin";
/// The name of a field.
pub(crate) const FIELD: &str = "field";
