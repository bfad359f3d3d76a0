//! The game of a room, whatever its ruleset.

use std::any::Any;
use std::sync::Arc;

use arena_record::{Forfeit, Header, Hex, Record, TurnRecord};
use arena_referee::{Fault, Referee, Refused, Reply, Step, check_action};
use arena_rules::{Outcome, Seat, Seats, Seed};
use arena_wire::{Protocol, UnknownGame, Visitor};

use crate::{IllegalEvent, Opened};

/// A [`Referee`] of any ruleset, as far as rooms need it.
pub(crate) trait Game: Any + Send + Sync {
    fn copy(&self) -> Box<dyn Game>;
    fn take_turns(&mut self) -> Arc<Vec<Arc<TurnRecord>>>;
    fn follow(&mut self, turns: Arc<Vec<Arc<TurnRecord>>>);
    /// The game at its start.
    fn restarted(&self, opened: &Opened) -> Result<Box<dyn Game>, IllegalEvent>;
    /// Whether options are those of a kind of rooms with other rules than usual.
    fn has_other_rules(&self, options: &str) -> bool;
    fn seats(&self) -> u8;
    fn observation_len(&self) -> usize;
    fn observation(&self, seat: Seat, seed: &Seed) -> Vec<u8>;
    fn fuel(&self, seat: Seat) -> u64;
    fn turn(&self) -> u16;
    fn turns(&self) -> &[Arc<TurnRecord>];
    fn forfeits(&self) -> &[Forfeit];
    fn outcome(&self) -> Option<&Outcome>;
    fn awaiting(&self) -> Seats;
    fn digest(&self) -> Hex<8>;
    fn record(&self, header: Header, starts: Vec<Option<u64>>) -> Option<Record>;
    /// Decodes and checks an action.
    fn check(&self, seat: Seat, action: &[u8]) -> Result<(), Fault>;
    fn ruling(&self, seat: Seat, reply: Result<Reply, Fault>) -> Result<Reply, Fault>;
    fn submit(&mut self, seat: Seat, reply: Reply) -> Result<Step, Refused>;
    fn forfeit(&mut self, seat: Seat, fault: Fault) -> Result<Step, Refused>;
    fn fail_to_start(&mut self, seat: Seat, fault: Fault) -> Result<(), Refused>;
    fn agree(&mut self) -> Result<Step, Refused>;
    fn pass(&mut self) -> Step;
}

impl Clone for Box<dyn Game> {
    fn clone(&self) -> Box<dyn Game> {
        self.copy()
    }
}

/// The game of ruleset `P` that an event opens.
pub(crate) fn start<P: Protocol>(opened: &Opened) -> Result<Box<dyn Game>, IllegalEvent> {
    if opened.ruleset != P::ID {
        return Err(UnknownGame::Ruleset(opened.ruleset.clone()).into());
    }
    let options = arena_wire::options_of::<P>(&opened.options)?;
    if P::starts_from_seed(&options) {
        return Err(IllegalEvent::StartsFromSeed);
    }
    if P::for_study(&options) {
        return Err(IllegalEvent::ForStudy);
    }
    let position = P::start(&options, &opened.seed.0);
    Ok(Box::new(Referee::new(position, &opened.options, &opened.budgets)))
}

/// The game that an event opens, if this release has it.
pub(crate) fn start_named(opened: &Opened) -> Result<Box<dyn Game>, IllegalEvent> {
    arena_wire::start(&opened.ruleset, &opened.options, &[0; 32], Start(opened))?
}

struct Start<'a>(&'a Opened);

impl Visitor for Start<'_> {
    type Out = Result<Box<dyn Game>, IllegalEvent>;

    fn visit<P: Protocol>(self, _start: P) -> Self::Out {
        start::<P>(self.0)
    }
}

impl<P: Protocol> Game for Referee<P> {
    fn copy(&self) -> Box<dyn Game> {
        Box::new(self.clone())
    }

    fn take_turns(&mut self) -> Arc<Vec<Arc<TurnRecord>>> {
        self.take_turns()
    }

    fn follow(&mut self, turns: Arc<Vec<Arc<TurnRecord>>>) {
        self.follow(turns);
    }

    fn restarted(&self, opened: &Opened) -> Result<Box<dyn Game>, IllegalEvent> {
        start::<P>(opened)
    }

    fn has_other_rules(&self, options: &str) -> bool {
        P::ROOM_KINDS.iter().any(|kind| kind.options == Some(options))
    }

    fn seats(&self) -> u8 {
        self.position().seats()
    }

    fn observation_len(&self) -> usize {
        self.position().observation_len()
    }

    fn observation(&self, seat: Seat, seed: &Seed) -> Vec<u8> {
        self.position().observation(seat, seed)
    }

    fn fuel(&self, seat: Seat) -> u64 {
        self.fuel(seat)
    }

    fn turn(&self) -> u16 {
        self.turn()
    }

    fn turns(&self) -> &[Arc<TurnRecord>] {
        self.turns()
    }

    fn forfeits(&self) -> &[Forfeit] {
        self.forfeits()
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.outcome()
    }

    fn awaiting(&self) -> Seats {
        self.awaiting()
    }

    fn digest(&self) -> Hex<8> {
        self.digest_so_far()
    }

    fn record(&self, header: Header, starts: Vec<Option<u64>>) -> Option<Record> {
        self.record(header, starts)
    }

    fn check(&self, seat: Seat, action: &[u8]) -> Result<(), Fault> {
        check_action(self.position(), seat, action).map(drop)
    }

    fn ruling(&self, seat: Seat, reply: Result<Reply, Fault>) -> Result<Reply, Fault> {
        self.ruling(seat, reply)
    }

    fn submit(&mut self, seat: Seat, reply: Reply) -> Result<Step, Refused> {
        self.submit(seat, reply)
    }

    fn forfeit(&mut self, seat: Seat, fault: Fault) -> Result<Step, Refused> {
        self.forfeit(seat, fault)
    }

    fn fail_to_start(&mut self, seat: Seat, fault: Fault) -> Result<(), Refused> {
        self.fail_to_start(seat, fault)
    }

    fn agree(&mut self) -> Result<Step, Refused> {
        self.agree()
    }

    fn pass(&mut self) -> Step {
        self.pass()
    }
}
