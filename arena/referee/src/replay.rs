//! Replaying a game from its record, by the rules alone.

use arena_record::{Forfeit, Play, Record};
use arena_rules::{BySeat, Outcome, Seat, Seats};
use arena_wire::{Protocol, UnknownGame, Visitor};

use crate::{Ending, Fault, Referee, Refused, Reply, check_action, endings};

/// Turns between two positions that a replay keeps: few enough to compute any position in microseconds, and enough for
/// games of thousands of turns on a large board to fit into memory.
const CHECKPOINT_TURNS: usize = 32;

/// Where a record contradicts the rules.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Divergence {
    /// This release does not have the record's game.
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
    /// The number of entrants is not the game's number of seats.
    #[error("the number of entrants in the record, {0}, is not the game's number of seats")]
    Seats(usize),
    /// A start took more fuel than allowed.
    #[error("the start of {0} took more fuel than it may")]
    Start(Seat),
    /// The rules refuse an action, or its seat was not awaited.
    #[error("turn {turn}: {seat} cannot have played this: {why}")]
    Action {
        /// The turn, from 1.
        turn: usize,
        /// The seat.
        seat: Seat,
        /// The reason.
        why: Refused,
    },
    /// A seat acts although its bank is empty.
    #[error("turn {turn}: {seat} cannot have played this: its bank of fuel is empty, so it passes")]
    Passes {
        /// The turn, from 1.
        turn: usize,
        /// The seat.
        seat: Seat,
    },
    /// The action of an awaited seat is missing in a turn.
    #[error("turn {turn}: the action of {seat} is missing")]
    Missing {
        /// The turn, from 1.
        turn: usize,
        /// The seat.
        seat: Seat,
    },
    /// A seat forfeits that was not asked or that answered, or forfeits are not in the order in which they happened.
    #[error("a forfeit of {0} that cannot have happened when the record says")]
    Forfeit(Seat),
    /// The position is not the one of the record's digest.
    #[error("turn {0}: the digest differs")]
    Digest(usize),
    /// There are turns after the end, or turns up to the end are missing.
    #[error("the game ends after turn {rules} by the rules, and after turn {record} in the record")]
    Length {
        /// Turns by the rules; if the game is not over after all recorded turns, one more than those.
        rules: usize,
        /// Turns in the record.
        record: usize,
    },
    /// The outcome or the final digest is different.
    #[error("the outcome or the final digest differs")]
    Outcome,
}

arena_rules::phrases! {
    Divergence {
        Divergence::Unknown(_) => "unknown-game"(),
        Divergence::Seats(entrants) => "entrants-differ"(entrants = *entrants as u64),
        Divergence::Start(seat) => "start-too-dear"(seat = seat.0 + 1),
        Divergence::Action { turn, seat, why } => "turn-refused"(turn = *turn as u64, seat = seat.0 + 1) + why,
        Divergence::Passes { turn, seat } => "turn-passes"(turn = *turn as u64, seat = seat.0 + 1),
        Divergence::Missing { turn, seat } => "turn-lacks"(turn = *turn as u64, seat = seat.0 + 1),
        Divergence::Forfeit(seat) => "forfeit-misplaced"(seat = seat.0 + 1),
        Divergence::Digest(turn) => "digest-differs"(turn = *turn as u64),
        Divergence::Length { rules, record } => "length-differs"(rules = *rules as u64, record = *record as u64),
        Divergence::Outcome => "outcome-differs"(),
    }
}

/// A game, turn by turn.
#[derive(Clone, Debug)]
pub struct Replay<P: Protocol> {
    /// The turns, by seat.
    pub turns: Vec<BySeat<Option<P::Checked>>>,
    /// The seats that drop out in each turn.
    out: Vec<Vec<Seat>>,
    /// The position before each turn whose number is a multiple of [`CHECKPOINT_TURNS`], beginning with the start.
    checkpoints: Vec<P>,
    end: P,
    /// How the game ended.
    pub outcome: Outcome,
}

impl<P: Protocol> Replay<P> {
    /// The position before turn `turn`, from 0; after all turns the final position.
    pub fn position(&self, turn: usize) -> P {
        if turn >= self.turns.len() { self.end.clone() } else { self.after(turn) }
    }

    /// The position in which seats were asked for turn `turn`, from 0. Also defined for the turn after the recorded
    /// ones if a forfeit ended it. `None` if the game has no such turn.
    pub fn asked(&self, turn: usize) -> Option<P> {
        (turn <= self.turns.len()).then(|| self.after(turn))
    }

    /// The position after this many turns.
    fn after(&self, turns: usize) -> P {
        let checkpoint = (turns / CHECKPOINT_TURNS).min(self.checkpoints.len() - 1);
        let mut position = self.checkpoints[checkpoint].clone();
        (checkpoint * CHECKPOINT_TURNS..turns).for_each(|turn| self.advance(&mut position, turn));
        position
    }

    /// The position before each turn, and the final one.
    pub fn positions(&self) -> impl Iterator<Item = P> {
        let mut next = self.checkpoints.first().cloned();
        (0..=self.turns.len()).map(move |turn| match &mut next {
            Some(position) if turn < self.turns.len() => {
                let now = position.clone();
                self.advance(position, turn);
                now
            }
            _ => self.end.clone(),
        })
    }

    fn advance(&self, position: &mut P, turn: usize) {
        self.out[turn].iter().for_each(|seat| position.forfeit(*seat));
        position.advance(self.turns[turn].clone());
    }
}

/// Replays a record by the rules, checking every action, digest, amount of fuel and the outcome.
///
/// # Errors
/// The first point where the record contradicts the rules.
pub fn check(record: &Record) -> Result<(), Divergence> {
    struct Check<'a>(&'a Record);

    impl Visitor for Check<'_> {
        type Out = Result<(), Divergence>;

        fn visit<P: Protocol>(self, start: P) -> Self::Out {
            run(start, self.0, |_, _| {}).map(drop)
        }
    }

    let header = &record.header;
    arena_wire::start(&header.ruleset, &header.options, &header.seed.0, Check(record))?
}

/// Replays a record of ruleset `P` with the checks of [`check`].
///
/// # Errors
/// The first point where the record contradicts the rules; an unknown game if its ruleset is not `P`.
pub fn replay<P: Protocol>(record: &Record) -> Result<Replay<P>, Divergence> {
    let (mut turns, mut checkpoints) = (Vec::new(), Vec::new());
    let game = walk(record, |game: &Referee<P>, plays| {
        let position = game.position();
        if turns.len() % CHECKPOINT_TURNS == 0 {
            checkpoints.push(position.clone());
        }
        turns.push(BySeat::new(position.seats(), |seat| {
            let play = plays.iter().find(|play| play.seat == seat.0)?;
            check_action(position, seat, &play.action.0).ok()
        }));
    })?;
    if checkpoints.is_empty() {
        let header = &record.header;
        checkpoints.push(P::start(&arena_wire::options_of::<P>(&header.options)?, &header.seed.0));
    }
    let outcome = game.outcome().cloned().ok_or(Divergence::Outcome)?;
    let of = |turn: usize| game.forfeits().iter().filter(move |forfeit| forfeit.turn.map(usize::from) == Some(turn));
    let out = (0..turns.len()).map(|turn| of(turn).map(|forfeit| Seat(forfeit.seat)).collect()).collect();
    Ok(Replay { turns, out, checkpoints, end: game.position().clone(), outcome })
}

/// Replays a record of ruleset `P` to its end with the checks of [`check`]. `before` gets the game before each turn,
/// and the turn's plays.
///
/// # Errors
/// As [`replay`].
pub fn walk<P: Protocol>(record: &Record, before: impl FnMut(&Referee<P>, &[Play])) -> Result<Referee<P>, Divergence> {
    let header = &record.header;
    if header.ruleset != P::ID {
        return Err(UnknownGame::Ruleset(header.ruleset.clone()).into());
    }
    let options = arena_wire::options_of::<P>(&header.options)?;
    run(P::start(&options, &header.seed.0), record, before)
}

fn run<P: Protocol>(
    start: P,
    record: &Record,
    mut before: impl FnMut(&Referee<P>, &[Play]),
) -> Result<Referee<P>, Divergence> {
    let seats = start.seats();
    if record.header.entrants.len() != usize::from(seats) {
        return Err(Divergence::Seats(record.header.entrants.len()));
    }
    let mut starts = (0..).map(Seat).zip(&record.starts);
    if let Some((seat, _)) =
        starts.find(|(_, fuel)| fuel.is_some_and(|took| took > record.header.budgets.fuel_at_start))
    {
        return Err(Divergence::Start(seat));
    }
    let forfeits = &record.forfeits;
    if let Some(pair) = forfeits.windows(2).find(|pair| (pair[0].turn, pair[0].seat) >= (pair[1].turn, pair[1].seat)) {
        return Err(Divergence::Forfeit(Seat(pair[1].seat)));
    }
    let at = |turn: Option<usize>| forfeits.iter().filter(move |forfeit| forfeit.turn.map(usize::from) == turn);
    let mut game = Referee::new(start, &record.header.options, &record.header.budgets);
    for forfeit in at(None) {
        let seat = Seat(forfeit.seat);
        game.fail_to_start(seat, fault(forfeit)).map_err(|_| Divergence::Forfeit(seat))?;
    }
    for (number, turn) in record.turns.iter().enumerate() {
        if game.outcome().is_some() {
            return Err(Divergence::Length { rules: number, record: record.turns.len() });
        }
        let asked = Asked::of(&game, number + 1, &turn.plays, at(Some(number)))?;
        before(&game, &turn.plays);
        for forfeit in at(Some(number)) {
            let seat = Seat(forfeit.seat);
            game.forfeit(seat, fault(forfeit)).map_err(|_| Divergence::Forfeit(seat))?;
        }
        for play in turn.plays.iter().filter(|play| asked.0.contains(Seat(play.seat))) {
            let seat = Seat(play.seat);
            let reply = Reply { action: play.action.0.clone(), fuel: play.fuel };
            game.submit(seat, reply).map_err(|why| Divergence::Action { turn: number + 1, seat, why })?;
        }
        if game.turns().len() == number {
            game.pass();
        }
        match game.turns().get(number) {
            None => return Err(Divergence::Length { rules: number, record: record.turns.len() }),
            Some(played) if played.digest != turn.digest => return Err(Divergence::Digest(number + 1)),
            Some(_) => {}
        }
    }
    // If a forfeit ended the last turn, that turn is not recorded, and no seat is asked after it.
    let last = record.turns.len();
    let after = forfeits.iter().find(|forfeit| forfeit.turn.is_some_and(|turn| usize::from(turn) > last));
    for forfeit in at(Some(last)) {
        let seat = Seat(forfeit.seat);
        game.forfeit(seat, fault(forfeit)).map_err(|_| Divergence::Forfeit(seat))?;
    }
    if let Some(forfeit) = after {
        return Err(Divergence::Forfeit(Seat(forfeit.seat)));
    }
    // Nor are other seats' answers in that turn.
    game.end_if_decided();
    if let Some((_, Ending::Agreed)) = endings(record).last() {
        game.agree().map_err(|_| Divergence::Outcome)?;
    }
    if game.outcome().is_none() {
        return Err(Divergence::Length { rules: last + 1, record: last });
    }
    if game.outcome() != Some(&record.outcome()) || game.digest() != Some(record.digest.0) {
        return Err(Divergence::Outcome);
    }
    Ok(game)
}

fn fault(forfeit: &Forfeit) -> Fault {
    Fault { code: forfeit.code, detail: forfeit.detail.clone() }
}

/// The seats that are asked in a turn and answer it.
struct Asked(Seats);

impl Asked {
    /// Checks that exactly those seats answer that can: each awaited seat has a play or a forfeit, a seat with an empty
    /// bank its pass.
    fn of<'a, P: Protocol>(
        game: &Referee<P>,
        turn: usize,
        plays: &[Play],
        forfeits: impl Iterator<Item = &'a Forfeit>,
    ) -> Result<Asked, Divergence> {
        let awaited = game.awaiting();
        let mut answering = Seats::NONE;
        for play in plays {
            let seat = Seat(play.seat);
            let passes = game.pass_of(seat).map(|(pass, _)| pass);
            let not_asked = Divergence::Action { turn, seat, why: Refused::NotAsked(seat) };
            match passes {
                _ if answering.contains(seat) => return Err(not_asked),
                Some(pass) if pass != *play => return Err(Divergence::Passes { turn, seat }),
                None if !awaited.contains(seat) => return Err(not_asked),
                _ => answering = answering.with(seat),
            }
        }
        let mut out = Seats::NONE;
        for forfeit in forfeits {
            let seat = Seat(forfeit.seat);
            if answering.contains(seat) || seat.0 >= game.position().seats() {
                return Err(Divergence::Forfeit(seat));
            }
            out = out.with(seat);
        }
        let mut expected = game.position().awaiting().iter();
        match expected.find(|seat| !answering.contains(*seat) && !out.contains(*seat)) {
            Some(seat) => Err(Divergence::Missing { turn, seat }),
            None => Ok(Asked(awaited.iter().filter(|seat| answering.contains(*seat)).collect())),
        }
    }
}
