//! What a definition and frozen entrants make: who plays whom, and on what terms.

use arena_referee::Divergence;
use arena_rules::Seat;
use arena_sandbox::Wall;
use arena_tournaments::{Definition, Entrant, ScheduledGame, field_schedule, schedule};
use arena_wire::UnknownGame;

use super::manifest::{Manifest, ManifestEntrant};
use crate::{Ended, Terms};

/// The most games a tournament may have: all records are held in memory, about 4 kB each.
pub const GAMES_MAX: usize = 200_000;

/// What is to be played.
pub(crate) struct Plan {
    pub(crate) entrants: Vec<Entrant>,
    /// Seats of a game; not of those that break ties.
    pub(crate) seats: u8,
    pub(crate) schedule: Vec<ScheduledGame>,
    pub(crate) terms: Terms,
}

/// Why no tournament can be of a definition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlanError {
    /// A ruleset or options that do not exist.
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
    /// Options that exist for a study alone.
    #[error("games with the options {0:?} are for studies and never count for standings: choose other options")]
    NotForStandings(String),
    /// A number of games where pairs are asked for.
    #[error("games of two seats are played in pairs: leave `games` out and say `pairs`")]
    TwoSeats,
    /// No number of games where there must be one.
    #[error(
        "games with {0} seats are not played in pairs alone: say how many with `games`; `pairs` is for the two-seat games that break ties"
    )]
    NoGames(u8),
    /// Fewer entrants than seats.
    #[error(
        "a game has {seats} seats and there are {entrants} entrants: add entrants, or choose options with fewer seats"
    )]
    EmptySeats {
        /// Seats of a game.
        seats: u8,
        /// Entrants of the definition.
        entrants: usize,
    },
    /// More games than a tournament may have.
    #[error("this definition asks for {0} games; at most {GAMES_MAX} are played in one tournament: lower `pairs`")]
    TooManyGames(usize),
}

/// Why a game is none of a tournament's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Misfit {
    /// Its number is too high.
    #[error("there is no such game in the schedule")]
    NotScheduled,
    /// Its header says other entrants, another seed or other terms.
    #[error("it is a game of another tournament")]
    OtherHeader,
    /// It accuses somebody who cannot have killed a process, or twice.
    #[error("no such game can be void in such a way")]
    Void,
    /// It was not played by the rules.
    #[error(transparent)]
    Rules(#[from] Box<Divergence>),
    /// The journal has it already.
    #[error("it is there twice")]
    Twice,
}

impl Plan {
    /// The plan of a tournament whose manifest [fits](Manifest::check) its definition.
    pub(crate) fn of(definition: &Definition, manifest: &Manifest) -> Plan {
        let entrant = |entrant: &ManifestEntrant| Entrant { name: entrant.name.clone(), id: entrant.id.clone() };
        let entrants: Vec<Entrant> = manifest.entrants.iter().map(entrant).collect();
        // No such game: then the manifest was refused, or is about to be.
        let seats = arena_wire::shape(&definition.ruleset, &definition.options).map_or(2, |shape| shape.seats);
        let Definition { seed, pairs, .. } = *definition;
        let schedule = match definition.games {
            None => schedule(seed, &entrants, pairs),
            Some(games) => field_schedule(seed, &entrants, seats, games, pairs),
        };
        let wall = Wall::Milliseconds(definition.wall_ms_per_move);
        let terms = Terms::new(&definition.ruleset, &definition.options, definition.budgets, wall);
        Plan { entrants, seats, schedule, terms }
    }

    /// Whether this can be what became of the game that the schedule has under this number. By whom it was played is not
    /// asked.
    pub(crate) fn check(&self, number: usize, ended: &Ended) -> Result<(), Misfit> {
        let game = self.schedule.get(number).ok_or(Misfit::NotScheduled)?;
        let record = match ended {
            Ended::Played(record) => record,
            Ended::Void(void) => {
                // Only a bot's process dies, and each is accused once.
                let is_bot = |seat: Seat| {
                    let entrant = game.seats.get(seat).and_then(|entrant| self.entrants.get(*entrant));
                    entrant.is_some_and(|entrant| entrant.id.hash().is_some())
                };
                let in_order = void.quarantined.windows(2).all(|pair| pair[0] < pair[1]);
                let accused = in_order && void.quarantined.iter().all(|seat| is_bot(Seat(*seat)));
                let has_bot = (0..game.seats.seats()).any(|seat| is_bot(Seat(seat)));
                return if accused && has_bot { Ok(()) } else { Err(Misfit::Void) };
            }
        };
        let ids = game.seats.values().iter().map(|entrant| self.entrants[*entrant].id.clone()).collect();
        let mut expected = self.terms.header(game.seed, ids);
        // Another build of the same semantics may go on with a tournament.
        expected.build.clone_from(&record.header.build);
        if record.header == expected { Ok(()) } else { Err(Misfit::OtherHeader) }
    }
}

/// Games of a definition's schedule.
pub(super) fn games_of(definition: &Definition) -> usize {
    let entrants = definition.entrants.len();
    entrants * (entrants - 1) * definition.pairs as usize + definition.games.unwrap_or(0) as usize
}

/// Whether games of this definition exist, may count, have as many seats as it speaks of, and are not too many.
pub(super) fn check(definition: &Definition) -> Result<(), PlanError> {
    let shape = arena_wire::shape(&definition.ruleset, &definition.options)?;
    if !shape.may_count {
        return Err(PlanError::NotForStandings(definition.options.clone()));
    }
    let seats = shape.seats;
    let entrants = definition.entrants.len();
    match definition.games {
        Some(_) if seats == 2 => return Err(PlanError::TwoSeats),
        None if seats > 2 => return Err(PlanError::NoGames(seats)),
        _ if entrants < usize::from(seats) => return Err(PlanError::EmptySeats { seats, entrants }),
        _ => {}
    }
    let games = games_of(definition);
    if games > GAMES_MAX { Err(PlanError::TooManyGames(games)) } else { Ok(()) }
}
