//! Playing a game.

use arena_record::{Header, Record};
use arena_rules::{BySeat, Seed};
use arena_wire::{Protocol, UnknownGame, Visitor, seat_seed};

use crate::{Ending, Failure, PlatformFault, Player, Referee, Step};

/// Why a game has no record.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// This release does not have the header's game.
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
    /// The number of entrants or players is not the game's number of seats.
    #[error("this game has {seats} seats, not {entrants}")]
    Seats {
        /// Seats of the game.
        seats: u8,
        /// Entrants in the header, or players given.
        entrants: usize,
    },
    /// The machine failed; play the game again.
    #[error(transparent)]
    Platform(#[from] PlatformFault),
}

/// Plays the game of `header` between `players` (one per seat) to its end.
///
/// # Errors
/// When the header is not that of a game, or the machine failed. Whatever players do is in the record.
pub fn play(header: Header, players: BySeat<&mut dyn Player>) -> Result<Record, PlayError> {
    play_with(header, players, &[])
}

/// The same with people at the board, who end the game or their part in it as [`endings`](crate::endings) says, before
/// anybody is asked in that turn.
///
/// # Errors
/// As [`play`]; an ending that is not possible is a platform fault.
pub fn play_with(
    header: Header,
    players: BySeat<&mut dyn Player>,
    endings: &[(u16, Ending)],
) -> Result<Record, PlayError> {
    let (ruleset, options, seed) = (header.ruleset.clone(), header.options.clone(), header.seed.0);
    arena_wire::start(&ruleset, &options, &seed, Seating { header, players, endings })?
}

/// The seeds that the seats of a game are shown.
pub fn seat_seeds(header: &Header) -> BySeat<Seed> {
    BySeat::new(header.entrants.len() as u8, |seat| {
        seat_seed(&header.seed.0, seat, header.entrants[seat.index()].as_str())
    })
}

/// The players and their budgets.
struct Seating<'p, 'e> {
    header: Header,
    players: BySeat<&'p mut dyn Player>,
    endings: &'e [(u16, Ending)],
}

impl Visitor for Seating<'_, '_> {
    type Out = Result<Record, PlayError>;

    fn visit<P: Protocol>(self, start: P) -> Self::Out {
        let Seating { header, mut players, endings } = self;
        let seats = start.seats();
        for entrants in [header.entrants.len(), usize::from(players.seats())] {
            if entrants != usize::from(seats) {
                return Err(PlayError::Seats { seats, entrants });
            }
        }
        let seeds = seat_seeds(&header);
        let mut game = Referee::new(start, &header.options, &header.budgets);
        let starts = start_all(&mut game, &mut players, header.budgets.fuel_at_start)?;
        while game.outcome().is_none() {
            let turn = game.turn();
            for (_, ending) in endings.iter().filter(|(at, _)| *at == turn) {
                let impossible = |refused| PlatformFault(format!("people cannot have ended the game so: {refused}"));
                ending.clone().apply(&mut game).map_err(impossible)?;
            }
            if game.turn() == turn && game.outcome().is_none() {
                ask_all(&mut game, &mut players, &seeds)?;
            }
        }
        let record = game.record(header, starts);
        record.ok_or_else(|| PlatformFault("a game that is over has no outcome".into()).into())
    }
}

/// Starts every player; those that fail forfeit.
fn start_all<P: Protocol>(
    game: &mut Referee<P>,
    players: &mut BySeat<&mut dyn Player>,
    fuel: u64,
) -> Result<Vec<Option<u64>>, PlatformFault> {
    let mut starts = Vec::new();
    for (seat, player) in players.iter_mut() {
        match player.start(game.position().observation_len(), fuel) {
            Ok(started) => starts.push(started.fuel),
            Err(Failure::Platform(fault)) => return Err(fault),
            Err(Failure::Own(fault)) => {
                starts.push(None);
                game.fail_to_start(seat, fault).map_err(|refused| PlatformFault(refused.to_string()))?;
            }
        }
    }
    Ok(starts)
}

/// Asks every seat that is awaited in this turn; one seat's fault does not affect another's answer.
fn ask_all<P: Protocol>(
    game: &mut Referee<P>,
    players: &mut BySeat<&mut dyn Player>,
    seeds: &BySeat<Seed>,
) -> Result<(), PlatformFault> {
    let awaited = game.awaiting();
    if awaited.is_empty() && game.pass() == Step::Waiting {
        return Err(PlatformFault("the rules await no seat in a game that is not over".into()));
    }
    for seat in awaited.iter() {
        let observation = game.position().observation(seat, &seeds[seat]);
        let reply = match players[seat].turn(&observation, game.fuel(seat)) {
            Ok(reply) => Ok(reply),
            Err(Failure::Own(fault)) => Err(fault),
            Err(Failure::Platform(fault)) => return Err(fault),
        };
        game.answer(seat, reply).map_err(|refused| PlatformFault(refused.to_string()))?;
    }
    Ok(())
}
