//! Bots that hold kingdoms: when each is asked, what it sees, and when its answer counts. All of it follows from the
//! world and its log.

use std::collections::VecDeque;

use arena_record::{EntrantId, Hex};
use arena_rules::life2::{Account, Action, Call, FAUCET, Position, QUADRANTS_A_SIDE, View, World};
use arena_rules::{Seat, Seed};
use arena_wire::Protocol;
use sha2::{Digest, Sha256};

use crate::machine::account_of;
use crate::{ANSWERED_AFTER, ASKED_EVERY, BOTS_AFRESH_EVERY, Event, Machine};

/// What the bots of a world are asked at one time, by place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Whether all places are assigned anew, and no earlier bot continues.
    pub afresh: bool,
    /// Bots that start in places, replacing those before; `None` empties a place.
    pub places: Vec<(usize, Option<EntrantId>)>,
    /// Places and observations. A bot answers its questions in this order, with what it remembers since its start.
    pub questions: Vec<(usize, Vec<u8>)>,
}

/// The result of asking a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The bytes of its answer.
    Bytes(Vec<u8>),
    /// It failed through its own fault: it is not asked again until it restarts.
    Failed,
    /// It cannot be asked: its bytes are missing, or the machine fails with it.
    Gone,
}

/// Asks the bots of a world.
pub trait Players {
    /// Returns an answer for each question, in order.
    fn turn(&mut self, turn: &Turn) -> Vec<Answer>;
}

/// Asks nobody: the log says what bots did.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl Players for Nobody {
    fn turn(&mut self, turn: &Turn) -> Vec<Answer> {
        vec![Answer::Gone; turn.questions.len()]
    }
}

/// The next thing to do for the bots before the world's next generation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Nothing.
    Nothing,
    /// Make this call: if the rules allow it now, it is the next line of the log.
    Call(Account, Call),
    /// Ask this. The answers are not needed before [`Next::Answers`].
    Ask(Turn),
    /// Pass the answers to the latest questions to [`Bots::answered`].
    Answers,
    /// The bot of this account cannot be asked here. The holder of the world unseats it; a reader of a log believes the
    /// log.
    Gone(Account),
}

/// What is planned for a generation.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Planned {
    /// The entry of a bot without a kingdom.
    Enter(usize),
    Call(Account, Call),
    Gone(Account),
    /// Questions, and whether all bots restart.
    Ask {
        afresh: bool,
    },
    Answers,
}

/// The state of a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// It is being asked.
    Plays,
    /// It failed, or was unseated.
    Out,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Place {
    account: Account,
    bot: EntrantId,
    seed: Seed,
    state: State,
    view: Option<View>,
}

/// The bots of a world since their last restart: a pure state machine next to the [`Machine`].
///
/// Its holder calls [`Bots::reached`] after each generation, [`Bots::snapshot`] after each digest and [`Bots::heard`]
/// after each event, then [`Bots::next`] until there is nothing to do. Only then may people call.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bots {
    /// The generation in which all of them started.
    begun: Option<u64>,
    /// The digest of the world in that generation, from which their seeds are derived.
    digest: Option<Hex<32>>,
    places: Vec<Place>,
    /// Bots that start with the next questions.
    waiting: Vec<(Account, EntrantId)>,
    /// Changes of places, for the next questions.
    changed: Vec<(usize, Option<EntrantId>)>,
    planned: VecDeque<Planned>,
    /// The places whose answers are missing.
    asked: Vec<usize>,
}

impl Bots {
    /// Notes that a snapshot was taken or a digest written: every [`BOTS_AFRESH_EVERY`] generations, all bots restart.
    pub fn snapshot(&mut self, machine: &Machine) {
        let generation = machine.world().generation();
        if !generation.is_multiple_of(BOTS_AFRESH_EVERY) || self.begun == Some(generation) {
            return;
        }
        let had_any = !self.places.is_empty();
        let (planned, digest) = (VecDeque::new(), Some(machine.digest()));
        *self = Bots { begun: Some(generation), digest, planned, ..Bots::default() };
        self.waiting = machine.bots().map(|(account, bot)| (account, bot.clone())).collect();
        self.begin(generation);
        if had_any || !self.places.is_empty() {
            self.planned.push_back(Planned::Ask { afresh: true });
        }
    }

    /// Gives a place to each bot that waits for one; the account's earlier place if it has one.
    fn begin(&mut self, generation: u64) {
        for (account, bot) in std::mem::take(&mut self.waiting) {
            let seed =
                Sha256::new().chain_update(b"arena world bot").chain_update(self.digest.unwrap_or(Hex([0; 32])).0);
            let seed = seed.chain_update(generation.to_be_bytes()).chain_update(account.0.to_be_bytes());
            let place =
                Place { account, bot: bot.clone(), seed: seed.finalize().into(), state: State::Plays, view: None };
            let known = self.places.iter().position(|place| place.account == account);
            let at = known.unwrap_or(self.places.len());
            match known {
                Some(at) => self.places[at] = place,
                None => self.places.push(place),
            }
            self.changed.push((at, Some(bot)));
            self.planned.push_back(Planned::Enter(at));
        }
    }

    /// Notes that the world has advanced by a generation.
    pub fn reached(&mut self, world: &World) {
        let Some(since) = self.begun.and_then(|begun| world.generation().checked_sub(begun)) else { return };
        if self.places.is_empty() && self.waiting.is_empty() || since >= BOTS_AFRESH_EVERY {
            return;
        }
        match since % ASKED_EVERY {
            0 => {
                self.begin(world.generation());
                self.planned.push_back(Planned::Ask { afresh: false });
            }
            ANSWERED_AFTER if !self.asked.is_empty() => self.planned.push_back(Planned::Answers),
            _ => {}
        }
    }

    /// Whether answers count in the world's next generation. A holder that waits for them before that generation can do
    /// everything else meanwhile; people's calls until then precede it in the log.
    pub fn answers_count_next(&self, world: &World) -> bool {
        let since = self.begun.and_then(|begun| world.generation().checked_sub(begun));
        !self.asked.is_empty() && since.is_some_and(|since| (since + 1) % ASKED_EVERY == ANSWERED_AFTER)
    }

    /// Notes an event of the world's log: it may say who plays for an account.
    pub fn heard(&mut self, event: &Event) {
        match event {
            Event::Seated { account, bot, .. } => self.seated(account_of(*account), bot.as_ref()),
            Event::Freed { account, .. } => self.seated(account_of(*account), None),
            Event::Opened(_) | Event::Called { .. } | Event::Checked { .. } => {}
        }
    }

    /// Notes that another bot, or none, is seated for an account. It starts with the next questions, and the one before
    /// is not asked any more.
    pub fn seated(&mut self, account: Account, bot: Option<&EntrantId>) {
        self.waiting.retain(|(waiting, _)| *waiting != account);
        self.waiting.extend(bot.map(|bot| (account, bot.clone())));
        let before = self.places.iter_mut().enumerate().find(|(_, place)| place.account == account);
        if let Some((at, place)) = before {
            place.state = State::Out;
            self.changed.push((at, None));
        }
    }

    /// The bot that has played for an account since the last restart.
    pub fn of(&self, account: Account) -> Option<&EntrantId> {
        self.places.iter().find(|place| place.account == account).map(|place| &place.bot)
    }

    /// The next thing to do, which is removed from the plan.
    pub fn next(&mut self, world: &World) -> Next {
        while let Some(planned) = self.planned.pop_front() {
            match planned {
                Planned::Call(account, call) => return Next::Call(account, call),
                Planned::Gone(account) => return Next::Gone(account),
                Planned::Answers => return Next::Answers,
                Planned::Enter(place) => {
                    let account = self.places[place].account;
                    for call in entering(world, account).into_iter().rev() {
                        self.planned.push_front(Planned::Call(account, call));
                    }
                }
                Planned::Ask { afresh } => {
                    let (places, questions) = (std::mem::take(&mut self.changed), self.questions(world));
                    self.asked = questions.iter().map(|(place, _)| *place).collect();
                    if afresh || !places.is_empty() || !questions.is_empty() {
                        return Next::Ask(Turn { afresh, places, questions });
                    }
                }
            }
        }
        Next::Nothing
    }

    /// Puts a call back at the front of the plan.
    pub(crate) fn again(&mut self, account: Account, call: Call) {
        self.planned.push_front(Planned::Call(account, call));
    }

    /// Takes the answers to the latest questions, in order. What they ask for is done in this generation. A missing bot
    /// gives no answer.
    pub fn answered(&mut self, answers: &[Answer]) {
        for (number, place) in std::mem::take(&mut self.asked).into_iter().enumerate() {
            let place = &mut self.places[place];
            if place.state == State::Out {
                continue;
            }
            let action = match answers.get(number) {
                None | Some(Answer::Gone) => {
                    self.planned.push_back(Planned::Gone(place.account));
                    continue;
                }
                Some(Answer::Failed) => None,
                Some(Answer::Bytes(bytes)) => Position::decode_action(bytes).ok(),
            };
            let cells = match action {
                None => {
                    place.state = State::Out;
                    continue;
                }
                Some(Action::Pass) => continue,
                Some(Action::Place(cells)) => cells,
                Some(Action::Look(view, cells)) => {
                    place.view = Some(view);
                    cells
                }
            };
            if !cells.is_empty() && cells.len() <= arena_rules::life2::CELLS_A_TURN {
                let cells = cells.iter().map(|cell| (cell.col.into(), cell.row.into())).collect();
                self.planned.push_back(Planned::Call(place.account, Call::Place(cells)));
            }
        }
    }

    /// The observations of the bots that have kingdoms.
    fn questions(&self, world: &World) -> Vec<(usize, Vec<u8>)> {
        let asked = self.places.iter().enumerate().filter(|(_, place)| place.state == State::Plays);
        let asked: Vec<_> = asked.filter_map(|(at, place)| Some((at, place, world.slot_of(place.account)?))).collect();
        if asked.is_empty() {
            return Vec::new();
        }
        // A world of another size cannot be observed.
        let Some(position) = Position::of_world(world) else { return Vec::new() };
        let sees = |(at, place, slot): (usize, &Place, arena_rules::life2::Slot)| {
            let seat = Seat(slot.number() - 1);
            let observation = match place.view {
                Some(view) => position.clone().looking(view).observation(seat, &place.seed),
                None => position.observation(seat, &place.seed),
            };
            (at, observation)
        };
        asked.into_iter().map(sees).collect()
    }
}

/// The calls by which a bot enters: the faucet if its wallet has few coins, and a base if it has none, in the middle of
/// the first quadrant where one is possible, starting from another quadrant at each restart.
fn entering(world: &World, account: Account) -> Vec<Call> {
    let mut calls = Vec::new();
    if world.balance(account) < FAUCET {
        calls.push(Call::Faucet);
    }
    if world.slot_of(account).is_some() {
        return calls;
    }
    let mut ahead = world.clone();
    for call in &calls {
        // Refused only if the wallet has no room, and then it has enough coins.
        let _ = ahead.call(account, call);
    }
    let quadrants = QUADRANTS_A_SIDE * QUADRANTS_A_SIDE;
    let side = world.ground().side().length() / QUADRANTS_A_SIDE;
    let first = (world.generation() / BOTS_AFRESH_EVERY % u64::from(quadrants)) as u16;
    let middle = |quadrant: u16| Call::Join {
        x: i32::from(quadrant % QUADRANTS_A_SIDE * side + side / 2 - 4),
        y: i32::from(quadrant / QUADRANTS_A_SIDE * side + side / 2 - 4),
    };
    let mut bases = (0..quadrants).map(|step| middle((first + step) % quadrants));
    calls.extend(bases.find(|join| ahead.call(account, join).is_ok()));
    calls
}
