//! Replaying a game from its record, by the rules alone.

use arena_record::{Chain, Record};
use arena_rules::{BySeat, Seat};
use arena_wire::{Protocol, UnknownGame, Visitor};

use crate::play::judge;

/// Where a record and the rules part.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Divergence {
    /// The record is of a game this release does not have.
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
    /// The record has another number of entrants than the game has seats.
    #[error("the record has {0} entrants, which is not the game's number of seats")]
    Seats(usize),
    /// An action that the rules refuse, or one of a seat that was not awaited.
    #[error("turn {turn}: {seat} cannot have played this: {why}")]
    Action {
        /// The turn, from 1.
        turn: usize,
        /// Whose action.
        seat: Seat,
        /// Why not.
        why: String,
    },
    /// A turn that lacks the action of an awaited seat.
    #[error("turn {turn}: the action of {seat} is missing")]
    Missing {
        /// The turn, from 1.
        turn: usize,
        /// Whose action.
        seat: Seat,
    },
    /// A forfeit of a seat that was not asked then, or that answered; or forfeits in another order than they happened.
    #[error("a forfeit of {0} that cannot have happened when the record says")]
    Forfeit(Seat),
    /// Another position than the record's digest is of.
    #[error("turn {0}: the digest differs")]
    Digest(usize),
    /// Turns after the end, or none to the end.
    #[error("the game ends after turn {rules} by the rules, and after turn {record} in the record")]
    Length {
        /// Turns by the rules; for a game not over after all recorded turns, one more than those.
        rules: usize,
        /// Turns in the record.
        record: usize,
    },
    /// Another outcome, or another digest at the end.
    #[error("the outcome or the final digest differs")]
    Outcome,
}

/// A game, position by position.
#[derive(Clone, Debug)]
pub struct Replay<P: Protocol> {
    /// The position before each turn, and the last one.
    pub positions: Vec<P>,
    /// The turns between them, by seat.
    pub turns: Vec<BySeat<Option<P::Checked>>>,
}

/// Replays a record by the rules, and checks every action, digest and the outcome on the way.
///
/// # Errors
/// The first point where the record and the rules part.
pub fn check(record: &Record) -> Result<(), Divergence> {
    struct Check<'a>(&'a Record);

    impl Visitor for Check<'_> {
        type Out = Result<(), Divergence>;

        fn visit<P: Protocol>(self, start: P) -> Self::Out {
            replay_from(start, self.0, |_, _| {}).map(drop)
        }
    }

    let header = &record.header;
    arena_wire::start(&header.ruleset, &header.options, &header.seed.0, Check(record))?
}

/// The positions of a recorded game of ruleset `P`, checked as [`check`] does.
///
/// # Errors
/// The first point where the record and the rules part; an unknown game when it is of another ruleset than `P`.
pub fn replay<P: Protocol>(record: &Record) -> Result<Replay<P>, Divergence> {
    let header = &record.header;
    let unknown = || UnknownGame::Ruleset(header.ruleset.clone());
    if header.ruleset != P::ID {
        return Err(unknown().into());
    }
    let options = arena_wire::options_of::<P>(&header.options)?;
    let start = P::start(&options, &header.seed.0);
    let mut replay = Replay { positions: vec![start.clone()], turns: Vec::new() };
    let end = replay_from(start, record, |turns, after: &P| {
        replay.turns.push(turns);
        replay.positions.push(after.clone());
    })?;
    // A forfeit changes the last position without a turn.
    if let Some(last) = replay.positions.last_mut() {
        *last = end;
    }
    Ok(replay)
}

/// Runs through a record to its last position; `seen` gets what was played in each turn and the position after it.
fn replay_from<P: Protocol>(
    mut position: P,
    record: &Record,
    mut seen: impl FnMut(BySeat<Option<P::Checked>>, &P),
) -> Result<P, Divergence> {
    let seats = position.seats();
    if record.header.entrants.len() != usize::from(seats) {
        return Err(Divergence::Seats(record.header.entrants.len()));
    }
    let forfeits = &record.forfeits;
    if let Some(pair) = forfeits.windows(2).find(|pair| (pair[0].turn, pair[0].seat) >= (pair[1].turn, pair[1].seat)) {
        return Err(Divergence::Forfeit(Seat(pair[1].seat)));
    }
    let at = |turn: Option<usize>| {
        let here = forfeits.iter().filter(move |forfeit| forfeit.turn.map(usize::from) == turn);
        here.map(|forfeit| Seat(forfeit.seat))
    };
    for seat in at(None) {
        if seat.0 >= seats {
            return Err(Divergence::Forfeit(seat));
        }
        position.forfeit(seat);
    }
    let mut chain = Chain::start(&record.header.ruleset, &record.header.options, &position.state());
    for (number, turn) in record.turns.iter().enumerate() {
        if position.outcome().is_some() {
            return Err(Divergence::Length { rules: number, record: record.turns.len() });
        }
        let mut checked = BySeat::new(seats, |_| None);
        for play in &turn.plays {
            let seat = Seat(play.seat);
            let wrong = |why: String| Divergence::Action { turn: number + 1, seat, why };
            if !position.awaiting().contains(seat) || checked[seat].is_some() {
                return Err(wrong("it was not asked".into()));
            }
            checked[seat] = Some(judge(&position, seat, &play.action.0).map_err(|fault| wrong(fault.detail))?);
        }
        let failed = |seat: Seat| at(Some(number)).any(|other| other == seat);
        let mut awaited = position.awaiting().iter();
        if let Some(seat) = awaited.find(|seat| checked[*seat].is_none() && !failed(*seat)) {
            return Err(Divergence::Missing { turn: number + 1, seat });
        }
        let silent = |seat: Seat| position.awaiting().contains(seat) && checked[seat].is_none();
        if let Some(seat) = at(Some(number)).find(|seat| !silent(*seat)) {
            return Err(Divergence::Forfeit(seat));
        }
        at(Some(number)).for_each(|seat| position.forfeit(seat));
        position.advance(checked.clone());
        seen(checked, &position);
        chain = chain.turn(turn.plays.iter().map(|play| (Seat(play.seat), &play.action.0[..])), &position.state());
        if chain.short() != turn.digest.0 {
            return Err(Divergence::Digest(number + 1));
        }
    }
    // The last turn is not recorded when a forfeit ended it; nobody is asked after it.
    let last = record.turns.len();
    let after = forfeits.iter().find(|forfeit| forfeit.turn.is_some_and(|turn| usize::from(turn) > last));
    let unasked = at(Some(last)).find(|seat| !position.awaiting().contains(*seat));
    if let Some(seat) = unasked.or(after.map(|forfeit| Seat(forfeit.seat))) {
        return Err(Divergence::Forfeit(seat));
    }
    at(Some(last)).for_each(|seat| position.forfeit(seat));
    let Some(outcome) = position.outcome() else {
        return Err(Divergence::Length { rules: record.turns.len() + 1, record: record.turns.len() });
    };
    if outcome != record.outcome() || chain.end(&outcome) != record.digest.0 {
        return Err(Divergence::Outcome);
    }
    Ok(position)
}
