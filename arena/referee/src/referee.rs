//! The turn engine: one game in play.

use std::mem;
use std::sync::Arc;

use arena_record::{Budgets, Bytes, Chain, Digest, Forfeit, ForfeitCode, Header, Hex, Play, Record, TurnRecord};
use arena_rules::{BySeat, Outcome, Phrase, Phrased, Phrases, Reason, Seat, Seats};
use arena_wire::Protocol;

use crate::{Fault, Reply};

/// One game in play: which seats it awaits, their answers so far, the fuel left in their banks, and the running digest.
///
/// Everything that advances a game goes through here: live play, replays, rooms, notation and pages. It asks no player
/// and reads no clock. A refused call changes nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Referee<P: Protocol> {
    options: String,
    position: P,
    fuel_per_move: u64,
    /// Fuel left for the rest of the game, by seat, if the game has a bank.
    banks: Option<BySeat<u64>>,
    /// The seats' answers in the turn being played; with alternating players a turn ends with its only answer.
    answers: BySeat<Option<Answer<P::Checked>>>,
    /// Completed turns whose records were [taken](Referee::take_turns).
    before: u16,
    /// Shared by copies until one of them changes it, so that a copy costs the same in any turn.
    turns: Arc<Vec<Arc<TurnRecord>>>,
    forfeits: Vec<Forfeit>,
    chain: Chain,
    /// The seats that the rules await in this turn; none once the game is over.
    awaited: Seats,
    outcome: Option<Outcome>,
}

/// A seat's answer in a turn that other seats have not answered yet.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Answer<C> {
    Legal(Play, C),
    Failed(Forfeit),
}

/// The state of a game after a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Other seats have yet to answer in this turn.
    Waiting,
    /// The next turn is being played.
    Turned,
    /// The game is over.
    Over,
}

/// Why a call has no effect.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refused {
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The seat is not awaited: others are, it has answered, or it does not exist.
    #[error("{0} is not asked")]
    NotAsked(Seat),
    /// Somebody has played, so no seat can fail to start any more.
    #[error("the game has started")]
    Started,
    /// The bytes are not an action, or not a legal one.
    #[error("{}", .0.detail)]
    Action(Fault, Phrases),
    /// The answer took more fuel than allowed.
    #[error("{took} fuel for an answer that may take {allowed}")]
    Fuel {
        /// What the answer took.
        took: u64,
        /// What the seat had left for it.
        allowed: u64,
    },
}

/// Decodes and checks an action in this position.
///
/// # Errors
/// The fault of a bot that answers like this: [`ForfeitCode::BadOutput`] or [`ForfeitCode::IllegalMove`].
pub fn check_action<P: Protocol>(position: &P, seat: Seat, action: &[u8]) -> Result<P::Checked, Fault> {
    checked(position, seat, action).map_err(|(fault, _)| fault)
}

/// The same, with the fault in phrases.
fn checked<P: Protocol>(position: &P, seat: Seat, action: &[u8]) -> Result<P::Checked, (Fault, Phrases)> {
    let fault = |code, detail: String, phrases| (Fault { code, detail }, phrases);
    let action =
        P::decode_action(action).map_err(|error| fault(ForfeitCode::BadOutput, error.to_string(), error.phrases()))?;
    let refused = |refusal: P::Refusal| fault(ForfeitCode::IllegalMove, refusal.to_string(), refusal.phrases());
    position.check(seat, &action).map_err(refused)
}

impl Phrased for Refused {
    const CODES: &'static [(&'static str, &'static [&'static str])] = &[
        ("game-over", &[]),
        ("seat-not-asked", &["seat"]),
        ("game-started", &[]),
        ("too-much-fuel", &["took", "allowed"]),
    ];

    fn phrases(&self) -> Phrases {
        match self {
            Refused::Over => vec![Phrase::new("game-over", &[])],
            Refused::NotAsked(seat) => vec![Phrase::new("seat-not-asked", &[("seat", u64::from(seat.0) + 1)])],
            Refused::Started => vec![Phrase::new("game-started", &[])],
            Refused::Action(_, phrases) => phrases.clone(),
            Refused::Fuel { took, allowed } => {
                vec![Phrase::new("too-much-fuel", &[("took", *took), ("allowed", *allowed)])]
            }
        }
    }
}

impl<P: Protocol> Referee<P> {
    /// A game that starts in `position`, with the `options` that led to it, under `budgets`.
    pub fn new(position: P, options: &str, budgets: &Budgets) -> Referee<P> {
        let seats = position.seats();
        Referee {
            options: options.into(),
            fuel_per_move: budgets.fuel_per_move,
            banks: budgets.fuel_per_game.map(|fuel| BySeat::new(seats, |_| fuel)),
            answers: BySeat::new(seats, |_| None),
            before: 0,
            turns: Arc::default(),
            forfeits: Vec::new(),
            chain: Chain::start(P::ID, options, &position.state()),
            awaited: position.awaiting(),
            outcome: position.outcome(),
            position,
        }
    }

    /// The records of the completed turns, which this game then lacks until it [gets](Referee::follow) them back.
    pub fn take_turns(&mut self) -> Arc<Vec<Arc<TurnRecord>>> {
        self.before = self.turn();
        mem::take(&mut self.turns)
    }

    /// Puts the records of all turns that it lacks in front of its own.
    pub fn follow(&mut self, mut turns: Arc<Vec<Arc<TurnRecord>>>) {
        Arc::make_mut(&mut turns).append(Arc::make_mut(&mut self.turns));
        (self.before, self.turns) = (0, turns);
    }

    /// The position being played, or the last one.
    pub fn position(&self) -> &P {
        &self.position
    }

    /// The completed turns, shared with all who have a copy.
    pub fn turns(&self) -> &[Arc<TurnRecord>] {
        &self.turns
    }

    /// The turn being played, from 0; in a finished game, the number of completed turns.
    pub fn turn(&self) -> u16 {
        self.before + self.turns.len() as u16
    }

    /// The forfeits in the order in which they happened; within a turn by seat.
    pub fn forfeits(&self) -> &[Forfeit] {
        &self.forfeits
    }

    /// How the game ended; `None` while it is in progress.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// The seats that have yet to answer in this turn; none once the game is over. A seat whose bank is empty is not
    /// asked: it passes.
    pub fn awaiting(&self) -> Seats {
        self.unanswered().filter(|seat| self.pass_of(*seat).is_none()).collect()
    }

    /// Fuel that a seat may use for its next answer.
    pub fn fuel(&self, seat: Seat) -> u64 {
        self.bank(seat).map_or(self.fuel_per_move, |bank| bank.min(self.fuel_per_move))
    }

    /// Fuel that a seat has left for the rest of the game; `None` in games without a bank.
    pub fn bank(&self, seat: Seat) -> Option<u64> {
        self.banks.as_ref()?.get(seat).copied()
    }

    /// Judges a bot's reply: a play, or its fault. A call that empties a bank has no result, which counts as a pass.
    ///
    /// # Errors
    /// The fault for which the seat forfeits.
    pub fn ruling(&self, seat: Seat, reply: Result<Reply, Fault>) -> Result<Reply, Fault> {
        self.ruled(seat, reply).map(|(reply, _)| reply)
    }

    /// Takes a bot's reply: a play, or a forfeit.
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

    /// Takes a legal answer of a seat.
    ///
    /// # Errors
    /// When the seat is not asked, or the action is refused.
    pub fn submit(&mut self, seat: Seat, reply: Reply) -> Result<Step, Refused> {
        self.asked(seat)?;
        let checked =
            checked(&self.position, seat, &reply.action).map_err(|(fault, phrases)| Refused::Action(fault, phrases))?;
        self.play(seat, reply, checked)
    }

    /// Takes a forfeit of a seat. A bot forfeits when it is asked. A person may resign or run out of time at any
    /// moment, and the game ends at once if that decides it.
    ///
    /// # Errors
    /// When the game is over, or the seat cannot forfeit now.
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

    /// Takes a failure to start. Before the first turn, in the order of seats; also after an earlier failure has
    /// decided the game, so that all failures are recorded.
    ///
    /// # Errors
    /// When it is too late, or the seat does not exist.
    pub fn fail_to_start(&mut self, seat: Seat, Fault { code, detail }: Fault) -> Result<(), Refused> {
        let is_next = self.forfeits.last().is_none_or(|last| last.turn.is_none() && last.seat < seat.0);
        let has_begun = self.turn() > 0 || self.answers.values().iter().any(Option::is_some);
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

    /// Ends a turn in which no seat is asked, because all banks are empty: all pass. Does nothing in any other turn.
    pub fn pass(&mut self) -> Step {
        self.settle()
    }

    /// Takes the agreement of all people at the board on a draw.
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

    /// Ends the turn being played if its forfeits have decided the game. Other seats' answers in such a turn are not
    /// recorded.
    pub fn end_if_decided(&mut self) {
        if self.outcome.is_none() && self.is_decided() {
            self.end_turn();
        }
    }

    /// The record of the game, once it is over. `header` is the one it was started with; `starts` is the fuel of each
    /// start.
    pub fn record(&self, header: Header, starts: Vec<Option<u64>>) -> Option<Record> {
        let (outcome, digest) = (self.outcome.as_ref()?, self.digest()?);
        let turns = self.turns.iter().map(|turn| TurnRecord::clone(turn)).collect();
        Some(Record::new(header, starts, turns, self.forfeits.clone(), outcome, digest))
    }

    /// The digest of the finished game.
    pub fn digest(&self) -> Option<Digest> {
        Some(self.chain.clone().end(self.outcome.as_ref()?))
    }

    /// The first eight bytes of the running digest: what the record has for the last completed turn.
    pub fn digest_so_far(&self) -> Hex<8> {
        Hex(self.chain.short())
    }

    /// The pass of a seat that the rules await but that is not asked, because its bank is empty.
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

    /// Updates the outcome and the awaited seats after the position has changed.
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

    /// Whether the game is over without the seats that forfeited in this turn.
    fn is_decided(&self) -> bool {
        let mut position = self.position.clone();
        let failed = self.answers.iter().filter(|(_, answer)| matches!(answer, Some(Answer::Failed(_))));
        failed.for_each(|(seat, _)| position.forfeit(seat));
        position.outcome().is_some()
    }

    /// Ends the turn once no seat is left to ask.
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

    /// Completes the turn. Forfeits come first; a turn that they end is not recorded.
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
        let turn = TurnRecord { plays, digest: Hex(self.chain.short()) };
        Arc::make_mut(&mut self.turns).push(Arc::new(turn));
    }
}
