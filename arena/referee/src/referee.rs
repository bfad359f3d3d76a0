//! The turn engine: one game in play.

use std::mem;

use arena_record::{Budgets, Bytes, Chain, Digest, Forfeit, ForfeitCode, Header, Hex, Play, Record, TurnRecord};
use arena_rules::{BySeat, Outcome, Reason, Seat, Seats};
use arena_wire::Protocol;

use crate::{Fault, Reply};

/// One game in play: whom it awaits, what they have answered, what is left in their banks of fuel, and the digest so far.
///
/// All that moves a game on goes through here: live play, replays, rooms, notation and pages. It asks nobody and reads no
/// clock; what is refused leaves it as it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Referee<P: Protocol> {
    options: String,
    position: P,
    fuel_per_move: u64,
    /// Fuel left for the rest of the game, by seat, where the game has a bank.
    banks: Option<BySeat<u64>>,
    /// What seats did in the turn being played; with alternating players a turn ends with its only answer.
    answers: BySeat<Option<Answer<P::Checked>>>,
    turns: Vec<TurnRecord>,
    forfeits: Vec<Forfeit>,
    chain: Chain,
    /// The seats that the rules await in this turn; nobody, when the game is over.
    awaited: Seats,
    outcome: Option<Outcome>,
}

/// What a seat did in a turn that others have not answered yet.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Answer<C> {
    Legal(Play, C),
    Failed(Forfeit),
}

/// Where a game stands after something happened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Others have yet to answer in the same turn.
    Waiting,
    /// Another turn is played.
    Turned,
    /// The game is over.
    Over,
}

/// Why something does not happen.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The seat is not awaited: others are, it has answered, or it does not exist.
    #[error("{0} is not asked")]
    NotAsked(Seat),
    /// Somebody has played: nobody can fail to start any more.
    #[error("the game has started")]
    Started,
    /// The bytes are no action, or none that is legal.
    #[error("{}", .0.detail)]
    Action(Fault),
    /// The answer took more fuel than the seat had.
    #[error("{took} fuel for an answer that may take {allowed}")]
    Fuel {
        /// What it took.
        took: u64,
        /// What the seat had for it.
        allowed: u64,
    },
}

/// The checked action that bytes stand for in this position.
///
/// # Errors
/// The fault of a bot that answers so: [`ForfeitCode::BadOutput`] or [`ForfeitCode::IllegalMove`].
pub fn check_action<P: Protocol>(position: &P, seat: Seat, action: &[u8]) -> Result<P::Checked, Fault> {
    let action =
        P::decode_action(action).map_err(|error| Fault { code: ForfeitCode::BadOutput, detail: error.to_string() })?;
    let refused = |refusal: P::Refusal| Fault { code: ForfeitCode::IllegalMove, detail: refusal.to_string() };
    position.check(seat, &action).map_err(refused)
}

impl<P: Protocol> Referee<P> {
    /// A game that starts in `position`, which `options` describe, under `budgets`.
    pub fn new(position: P, options: &str, budgets: &Budgets) -> Referee<P> {
        let seats = position.seats();
        Referee {
            options: options.into(),
            fuel_per_move: budgets.fuel_per_move,
            banks: budgets.fuel_per_game.map(|fuel| BySeat::new(seats, |_| fuel)),
            answers: BySeat::new(seats, |_| None),
            turns: Vec::new(),
            forfeits: Vec::new(),
            chain: Chain::start(P::ID, options, &position.state()),
            awaited: position.awaiting(),
            outcome: position.outcome(),
            position,
        }
    }

    /// The position being played, or the last one.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The turns that are over.
    pub fn turns(&self) -> &[TurnRecord] {
        &self.turns
    }

    /// The turn being played, from 0; in a finished game, how many were played to their end.
    pub fn turn(&self) -> u16 {
        self.turns.len() as u16
    }

    /// Who could play no longer, in the order in which it happened; within a turn by seat.
    pub fn forfeits(&self) -> &[Forfeit] {
        &self.forfeits
    }

    /// How the game ended, or `None` while it goes on.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The seats that have yet to answer in this turn. Nobody, when the game is over. A seat whose bank is empty is not
    /// asked: it passes.
    pub fn awaiting(&self) -> Seats {
        self.unanswered().filter(|seat| self.pass_of(*seat).is_none()).collect()
    }

    /// Fuel that a seat may use for its next answer.
    pub fn fuel(&self, seat: Seat) -> u64 {
        self.bank(seat).map_or(self.fuel_per_move, |bank| bank.min(self.fuel_per_move))
    }

    /// Fuel that a seat has left for the rest of the game; `None` where the game has no bank.
    pub fn bank(&self, seat: Seat) -> Option<u64> {
        self.banks.as_ref()?.get(seat).copied()
    }

    /// What a bot's reply counts as: a play, or its fault. The call that empties a bank comes to nothing, which is a pass.
    ///
    /// # Errors
    /// The fault, by which the seat forfeits.
    pub fn ruling(&self, seat: Seat, reply: Result<Reply, Fault>) -> Result<Reply, Fault> {
        self.ruled(seat, reply).map(|(reply, _)| reply)
    }

    /// A bot's reply: a play, or a forfeit.
    ///
    /// # Errors
    /// When the seat is not asked.
    pub fn answer(&mut self, seat: Seat, reply: Result<Reply, Fault>) -> Result<Step, Refused> {
        self.asked(seat)?;
        match self.ruled(seat, reply) {
            Ok((reply, checked)) => self.play(seat, reply, checked),
            Err(fault) => self.forfeit(seat, fault),
        }
    }

    /// A legal answer of a seat.
    ///
    /// # Errors
    /// When the seat is not asked, or the action is refused.
    pub fn submit(&mut self, seat: Seat, reply: Reply) -> Result<Step, Refused> {
        self.asked(seat)?;
        let checked = check_action(&self.position, seat, &reply.action).map_err(Refused::Action)?;
        self.play(seat, reply, checked)
    }

    /// That a seat can or will play no longer. A bot fails when it is asked; a person may give up, or run out of time, at any
    /// moment, and the game ends at once where that decides it.
    ///
    /// # Errors
    /// When the game is over, or the seat cannot have failed now.
    pub fn forfeit(&mut self, seat: Seat, Fault { code, detail }: Fault) -> Result<Step, Refused> {
        if code.is_a_persons() {
            let is_out = self.forfeits.iter().any(|forfeit| forfeit.seat == seat.0);
            match self.answers.get(seat) {
                _ if self.outcome.is_some() => return Err(Refused::Over),
                None | Some(Some(Answer::Failed(_))) => return Err(Refused::NotAsked(seat)),
                _ if is_out => return Err(Refused::NotAsked(seat)),
                Some(_) => {}
            }
        } else {
            self.asked(seat)?;
        }
        self.answers[seat] = Some(Answer::Failed(Forfeit { seat: seat.0, turn: Some(self.turn()), code, detail }));
        if code.is_a_persons() && self.is_decided() {
            self.end_turn();
        }
        Ok(self.settle())
    }

    /// That a seat did not get through its start. Before the first turn, in the order of seats, and even when the failure of
    /// a seat before has decided the game: all are named.
    ///
    /// # Errors
    /// When it is too late for that, or the seat does not exist.
    pub fn fail_to_start(&mut self, seat: Seat, Fault { code, detail }: Fault) -> Result<(), Refused> {
        let is_next = self.forfeits.last().is_none_or(|last| last.turn.is_none() && last.seat < seat.0);
        let has_begun = !self.turns.is_empty() || self.answers.values().iter().any(Option::is_some);
        let is_agreed = self.outcome.as_ref().is_some_and(|outcome| outcome.reason == Reason::Agreed);
        if has_begun || is_agreed || !is_next {
            return Err(Refused::Started);
        }
        if seat.0 >= self.position.seats() {
            return Err(Refused::NotAsked(seat));
        }
        self.position.forfeit(seat);
        self.forfeits.push(Forfeit { seat: seat.0, turn: None, code, detail });
        self.chain = Chain::start(P::ID, &self.options, &self.position.state());
        self.look();
        Ok(())
    }

    /// Ends a turn in which nobody is asked, because the banks of all are empty: they pass. Does nothing in any other.
    pub fn pass(&mut self) -> Step {
        self.settle()
    }

    /// That all people at the board agreed to a draw.
    ///
    /// # Errors
    /// When the game is over.
    pub fn agree(&mut self) -> Result<Step, Refused> {
        if self.outcome.is_some() {
            return Err(Refused::Over);
        }
        let tally = self.position.picture().tally;
        self.outcome = Some(Outcome { winner: None, reason: Reason::Agreed, tally });
        self.awaited = Seats::NONE;
        Ok(Step::Over)
    }

    /// Ends the turn being played if its forfeits have decided the game. Answers of other seats in such a turn are not
    /// recorded.
    pub(crate) fn end_if_decided(&mut self) {
        if self.outcome.is_none() && self.is_decided() {
            self.end_turn();
        }
    }

    /// The record of the game, once it is over. `header` is what it was started with; `starts` is the fuel of each start.
    pub fn record(&self, header: Header, starts: Vec<Option<u64>>) -> Option<Record> {
        let (outcome, digest) = (self.outcome.as_ref()?, self.digest()?);
        Some(Record::new(header, starts, self.turns.clone(), self.forfeits.clone(), outcome, digest))
    }

    /// The digest of the finished game.
    pub fn digest(&self) -> Option<Digest> {
        Some(self.chain.clone().end(self.outcome.as_ref()?))
    }

    /// The first eight bytes of the digest up to here: what the last turn that is over has in the record.
    pub fn digest_so_far(&self) -> Hex<8> {
        Hex(self.chain.short())
    }

    /// What a seat does that is awaited by the rules and not asked, because its bank is empty: it passes.
    pub(crate) fn pass_of(&self, seat: Seat) -> Option<(Play, P::Checked)> {
        if self.bank(seat) != Some(0) {
            return None;
        }
        let pass = P::pass()?;
        let checked = self.position.check(seat, &pass).ok()?;
        Some((Play { seat: seat.0, action: Bytes(P::encode_action(&pass)), fuel: Some(0) }, checked))
    }

    /// The seats that the rules await and that have not answered.
    fn unanswered(&self) -> impl Iterator<Item = Seat> {
        self.awaited.iter().filter(|seat| matches!(self.answers.get(*seat), Some(None)))
    }

    fn asked(&self, seat: Seat) -> Result<(), Refused> {
        if self.outcome.is_some() {
            Err(Refused::Over)
        } else if self.awaiting().contains(seat) {
            Ok(())
        } else {
            Err(Refused::NotAsked(seat))
        }
    }

    /// Looks at the position anew, which has changed.
    fn look(&mut self) {
        self.outcome = self.position.outcome();
        self.awaited = if self.outcome.is_some() { Seats::NONE } else { self.position.awaiting() };
    }

    fn ruled(&self, seat: Seat, reply: Result<Reply, Fault>) -> Result<(Reply, P::Checked), Fault> {
        let reply = match (reply, self.bank(seat), P::pass()) {
            (Err(fault), Some(bank), Some(pass))
                if fault.code == ForfeitCode::FuelExhausted && bank <= self.fuel_per_move =>
            {
                Reply { action: P::encode_action(&pass), fuel: Some(bank) }
            }
            (reply, ..) => reply?,
        };
        let checked = check_action(&self.position, seat, &reply.action)?;
        Ok((reply, checked))
    }

    fn play(&mut self, seat: Seat, Reply { action, fuel }: Reply, checked: P::Checked) -> Result<Step, Refused> {
        let (took, allowed) = (fuel.unwrap_or(0), self.fuel(seat));
        if took > allowed {
            return Err(Refused::Fuel { took, allowed });
        }
        if let Some(banks) = &mut self.banks {
            banks[seat] -= took;
        }
        self.answers[seat] = Some(Answer::Legal(Play { seat: seat.0, action: Bytes(action), fuel }, checked));
        Ok(self.settle())
    }

    /// Whether the game is over once those who failed in this turn are out.
    fn is_decided(&self) -> bool {
        let mut position = self.position.clone();
        let failed = self.answers.iter().filter(|(_, answer)| matches!(answer, Some(Answer::Failed(_))));
        failed.for_each(|(seat, _)| position.forfeit(seat));
        position.outcome().is_some()
    }

    /// Ends the turn once nobody has to be asked in it.
    fn settle(&mut self) -> Step {
        let turn = self.turns.len();
        if !self.awaited.is_empty() && self.awaiting().is_empty() {
            self.end_turn();
        }
        match &self.outcome {
            Some(_) => Step::Over,
            None if self.turns.len() > turn => Step::Turned,
            None => Step::Waiting,
        }
    }

    /// Moves on. Forfeits come first; a turn that they ended is not recorded.
    fn end_turn(&mut self) {
        let seats = self.position.seats();
        let passes: Vec<Seat> = self.unanswered().collect();
        for seat in passes {
            self.answers[seat] = self.pass_of(seat).map(|(play, checked)| Answer::Legal(play, checked));
        }
        let answers = mem::replace(&mut self.answers, BySeat::new(seats, |_| None));
        let (mut plays, mut checked) = (Vec::new(), BySeat::new(seats, |_| None));
        for (seat, answer) in (0..).map(Seat).zip(answers.into_values()) {
            match answer {
                Some(Answer::Legal(play, legal)) => {
                    plays.push(play);
                    checked[seat] = Some(legal);
                }
                Some(Answer::Failed(forfeit)) => {
                    self.forfeits.push(forfeit);
                    self.position.forfeit(seat);
                }
                None => {}
            }
        }
        self.look();
        if self.outcome.is_some() {
            return;
        }
        self.position.advance(checked);
        self.look();
        let actions = plays.iter().map(|play| (Seat(play.seat), &play.action.0[..]));
        self.chain = self.chain.clone().turn(actions, &self.position.state());
        self.turns.push(TurnRecord { plays, digest: Hex(self.chain.short()) });
    }
}
