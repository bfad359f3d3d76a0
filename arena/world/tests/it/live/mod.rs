//! A world with bots as a site holds it, without a clock: for tests of this crate and of what asks bots.
#![allow(dead_code, unreachable_pub, reason = "each test uses a part")]

use arena_record::EntrantId;
use arena_rules::life2::{Account, Rates, Side, World};
use arena_world::{Answer, Bots, Event, Machine, Next, Players, replay};

/// A world as a site holds it.
pub struct Live {
    pub machine: Machine,
    bots: Bots,
    answers: Option<Vec<Answer>>,
    pub log: Vec<String>,
}

impl Live {
    pub fn new() -> Live {
        let machine = Machine::new(World::new(Side::WORLD, Rates::FOUNDING));
        let log = vec![machine.opened("a test").to_line()];
        let mut live = Live { machine, bots: Bots::default(), answers: None, log };
        live.bots.snapshot(&live.machine);
        live
    }

    /// As another process finds it.
    pub fn resumed(log: &[String], players: &mut dyn Players) -> Live {
        let replay = replay(log.iter().map(String::as_str), players).unwrap();
        let (machine, mut bots, answers) = (replay.machine, replay.bots, replay.answers);
        if replay.ended {
            bots.snapshot(&machine);
        }
        Live { machine, bots, answers, log: log.to_vec() }
    }

    pub fn happens(&mut self, event: &Event) {
        self.log.push(event.to_line());
        self.machine.apply(event).unwrap();
        self.bots.heard(event);
    }

    pub fn attend(&mut self, players: &mut dyn Players) {
        loop {
            match self.bots.next(self.machine.world()) {
                Next::Nothing => return,
                Next::Ask(turn) => self.answers = Some(players.turn(&turn)),
                Next::Answers => self.bots.answered(&self.answers.take().unwrap()),
                Next::Gone(account) => {
                    if let Ok(Some(event)) = self.machine.seat(account, None) {
                        self.happens(&event);
                    }
                }
                Next::Call(account, call) => {
                    if let Ok(Some(event)) = self.machine.propose(account, &call) {
                        self.happens(&event);
                    }
                }
            }
        }
    }

    pub fn step(&mut self, players: &mut dyn Players) {
        self.attend(players);
        let checked = self.machine.step();
        self.bots.reached(self.machine.world());
        if let Some(event) = checked {
            self.log.push(event.to_line());
            self.bots.snapshot(&self.machine);
        }
        self.attend(players);
    }

    pub fn seat(&mut self, account: u64, bot: Option<EntrantId>) {
        let event = self.machine.seat(Account(account), bot).unwrap().unwrap();
        self.happens(&event);
    }

    pub fn slot(&self, account: u64) -> Option<u8> {
        self.machine.world().slot_of(Account(account)).map(arena_rules::life2::Slot::number)
    }

    /// Ends the span here.
    pub fn end(&mut self) {
        let end = self.machine.checked();
        self.log.push(end.to_line());
    }
}
