//! Playing a game.

use arena_record::{Budgets, Bytes, Chain, Forfeit, ForfeitCode, Header, Play, Record, TurnRecord};
use arena_rules::{BySeat, Seat, Seed};
use arena_wire::{Protocol, UnknownGame, Visitor, seat_seed};

use crate::{Failure, Fault, PlatformFault, Player, Reply};

/// Why there is no record of a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayError {
    /// The header asks for a game this release does not have.
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
    /// The header's number of entrants, or of players given, is not the game's number of seats.
    #[error("this game has {seats} seats, not {entrants}")]
    Seats {
        /// Seats of the game.
        seats: u8,
        /// Entrants or players there were.
        entrants: usize,
    },
    /// The machine failed; play the game again.
    #[error(transparent)]
    Platform(#[from] PlatformFault),
}

/// Plays the game of `header` between `players` (one per seat) to its end.
///
/// # Errors
/// When the header makes no game or the machine failed. Whatever players do is in the record.
pub fn play(header: Header, players: BySeat<&mut dyn Player>) -> Result<Record, PlayError> {
    let (ruleset, options, seed) = (header.ruleset.clone(), header.options.clone(), header.seed.0);
    arena_wire::start(&ruleset, &options, &seed, Table { header, players })?
}

/// What is on the table before a game: who plays, for what.
struct Table<'a> {
    header: Header,
    players: BySeat<&'a mut dyn Player>,
}

impl Visitor for Table<'_> {
    type Out = Result<Record, PlayError>;

    fn visit<P: Protocol>(self, mut position: P) -> Self::Out {
        let Table { header, mut players } = self;
        let seats = position.seats();
        for entrants in [header.entrants.len(), usize::from(players.seats())] {
            if entrants != usize::from(seats) {
                return Err(PlayError::Seats { seats, entrants });
            }
        }
        let seeds: BySeat<Seed> =
            BySeat::new(seats, |seat| seat_seed(&header.seed.0, seat, header.entrants[seat.index()].as_str()));
        let mut forfeits = Vec::new();
        let starts = start_all(&mut position, &mut players, header.budgets.fuel_at_start, &mut forfeits)?;
        let mut chain = Chain::start(&header.ruleset, &header.options, &position.state());
        let mut turns = Vec::new();
        let mut purses = BySeat::new(seats, |_| Purse::of(&header.budgets));
        while !position.awaiting().is_empty() {
            let asked = ask_all(&position, &mut players, &seeds, &mut purses)?;
            let Asked { plays, checked, faults } = asked;
            for (seat, fault) in faults {
                let turn = Some(turns.len() as u16);
                forfeits.push(Forfeit { seat: seat.0, turn, code: fault.code, detail: fault.detail });
                position.forfeit(seat);
            }
            if position.outcome().is_some() {
                break;
            }
            position.advance(checked);
            chain = chain.turn(plays.iter().map(|play| (Seat(play.seat), &play.action.0[..])), &position.state());
            turns.push(TurnRecord { plays, digest: arena_record::Hex(chain.short()) });
        }
        let outcome =
            position.outcome().ok_or_else(|| PlatformFault("the rules await nobody in a game not over".into()))?;
        let digest = chain.end(&outcome);
        Ok(Record::new(header, starts, turns, forfeits, &outcome, digest))
    }
}

/// Starts every player; those that fail forfeit.
fn start_all<P: Protocol>(
    position: &mut P,
    players: &mut BySeat<&mut dyn Player>,
    fuel: u64,
    forfeits: &mut Vec<Forfeit>,
) -> Result<Vec<Option<u64>>, PlatformFault> {
    let mut starts = Vec::new();
    for (seat, player) in players.iter_mut() {
        match player.start(position.observation_len(), fuel) {
            Ok(started) => starts.push(started.fuel),
            Err(Failure::Platform(fault)) => return Err(fault),
            Err(Failure::Own(Fault { code, detail })) => {
                starts.push(None);
                forfeits.push(Forfeit { seat: seat.0, turn: None, code, detail });
                position.forfeit(seat);
            }
        }
    }
    Ok(starts)
}

/// The answers of one turn.
struct Asked<C> {
    plays: Vec<Play>,
    checked: BySeat<Option<C>>,
    faults: Vec<(Seat, Fault)>,
}

/// Asks every awaited seat; one seat's fault does not touch another's answer.
fn ask_all<P: Protocol>(
    position: &P,
    players: &mut BySeat<&mut dyn Player>,
    seeds: &BySeat<Seed>,
    purses: &mut BySeat<Purse>,
) -> Result<Asked<P::Checked>, PlatformFault> {
    let mut asked = Asked { plays: Vec::new(), checked: BySeat::new(position.seats(), |_| None), faults: Vec::new() };
    for seat in position.awaiting().iter() {
        let observation = position.observation(seat, &seeds[seat]);
        let judged = purses[seat].ask::<P>(players[seat], &observation).and_then(|reply| {
            let checked = judge(position, seat, &reply.action).map_err(Failure::Own)?;
            Ok((reply, checked))
        });
        match judged {
            Ok((reply, checked)) => {
                asked.plays.push(Play { seat: seat.0, action: Bytes(reply.action), fuel: reply.fuel });
                asked.checked[seat] = Some(checked);
            }
            Err(Failure::Own(fault)) => asked.faults.push((seat, fault)),
            Err(Failure::Platform(fault)) => return Err(fault),
        }
    }
    Ok(asked)
}

/// What a seat may still spend.
struct Purse {
    per_move: u64,
    /// What is left for the game, where the game has a bank.
    bank: Option<u64>,
}

impl Purse {
    fn of(budgets: &Budgets) -> Purse {
        Purse { per_move: budgets.fuel_per_move, bank: budgets.fuel_per_game }
    }

    /// Asks a player for a turn on what its seat may spend. Once the bank is empty the seat passes: the call that emptied it
    /// comes to nothing, and there is no other.
    fn ask<P: Protocol>(&mut self, player: &mut dyn Player, observation: &[u8]) -> Result<Reply, Failure> {
        let (Some(bank), Some(pass)) = (&mut self.bank, P::pass()) else {
            return player.turn(observation, self.per_move);
        };
        let pass = |fuel| Ok(Reply { action: P::encode_action(&pass), fuel: Some(fuel) });
        if *bank == 0 {
            return pass(0);
        }
        match player.turn(observation, self.per_move.min(*bank)) {
            Ok(reply) => {
                *bank = bank.saturating_sub(reply.fuel.unwrap_or(0));
                Ok(reply)
            }
            Err(Failure::Own(fault)) if fault.code == ForfeitCode::FuelExhausted && *bank <= self.per_move => {
                pass(std::mem::take(bank))
            }
            Err(failure) => Err(failure),
        }
    }
}

/// The checked action that bytes stand for in this position.
pub fn judge<P: Protocol>(position: &P, seat: Seat, action: &[u8]) -> Result<P::Checked, Fault> {
    let action =
        P::decode_action(action).map_err(|error| Fault { code: ForfeitCode::BadOutput, detail: error.to_string() })?;
    let refused = |refusal: P::Refusal| Fault { code: ForfeitCode::IllegalMove, detail: refusal.to_string() };
    position.check(seat, &action).map_err(refused)
}
