//! Bots that hold kingdoms: when each is asked, what it sees, and when its answer counts. All of it follows from the world and the log.

use std::collections::VecDeque;

use arena_record::{EntrantId, Hex};
use arena_rules::life2::{Account, Action, Call, FAUCET, Position, QUADRANTS_A_SIDE, View, World};
use arena_rules::{Seat, Seed};
use arena_wire::Protocol;
use sha2::{Digest, Sha256};

use crate::{ANSWERED_AFTER, ASKED_EVERY, BOTS_AFRESH_EVERY, Machine};

/// What the bots of a world are asked at once, each by its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Turn {
    /// Whether all places are given anew: no bot of before goes on.
    pub afresh: bool,
    /// Who begins in which place, or that nobody does: who was there goes.
    pub places: Vec<(usize, Option<EntrantId>)>,
    /// Places, and what they are shown. A bot answers its questions in this order, with what it remembers since it began.
    pub questions: Vec<(usize, Vec<u8>)>,
}

/// What came of asking a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Answer {
    /// The bytes that it answered.
    Bytes(Vec<u8>),
    /// It failed, by its own fault: it is asked no more until it begins afresh.
    Failed,
    /// Nobody can ask it: its bytes are not there, or the machine fails with it.
    Gone,
}

/// Who answers for bots.
pub trait Players {
    /// Asks them: an answer for each question, in order.
    fn turn(&mut self, turn: &Turn) -> Vec<Answer>;
}

/// Nobody: what bots did is then taken from the log.
#[derive(Clone, Copy, Debug)]
pub struct Nobody;

impl Players for Nobody {
    fn turn(&mut self, turn: &Turn) -> Vec<Answer> {
        vec![Answer::Gone; turn.questions.len()]
    }
}

/// What is to be done about bots before the world goes on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Next {
    /// Nothing.
    Nothing,
    /// This call, if the rules allow it now, is the next line of the log.
    Call(Account, Call),
    /// This is to be asked; the answers are not needed before [`Next::Answers`].
    Ask(Turn),
    /// The answers to the latest questions are to be given to [`Bots::answered`].
    Answers,
    /// The bot of this account cannot be asked here: who holds the world takes it away, who reads a log believes the log.
    Gone(Account),
}

/// What is planned for a generation.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Planned {
    /// A kingdom for who has none.
    Enter(usize),
    Call(Account, Call),
    Gone(Account),
    /// Questions; whether all begin afresh.
    Ask {
        afresh: bool,
    },
    Answers,
}

/// How a bot does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    /// It is asked.
    Plays,
    /// It failed, or somebody took it away.
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

/// The bots of a world since they began afresh: a pure state machine beside the [`Machine`].
///
/// Its holder calls [`Bots::reached`] after each generation, [`Bots::snapshot`] after each digest and [`Bots::seated`] after each
/// change of who plays, then [`Bots::next`] until there is nothing to do, and lets people call
/// only then.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Bots {
    /// The generation in which all of them began.
    begun: Option<u64>,
    /// The digest of the world in that generation, of which their seeds are made.
    digest: Option<Hex<32>>,
    places: Vec<Place>,
    /// Those that begin with the next questions.
    waiting: Vec<(Account, EntrantId)>,
    /// What the next questions say of places.
    changed: Vec<(usize, Option<EntrantId>)>,
    planned: VecDeque<Planned>,
    /// The places whose answers are not in yet.
    asked: Vec<usize>,
}

impl Bots {
    /// Notes that a snapshot was taken, or a digest written: every [`BOTS_AFRESH_EVERY`] generations, all bots begin afresh.
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

    /// Gives a place to each that waits for one: that of the account's bot before, if there is one.
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

    /// Notes that the world came a generation further.
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

    /// Whether the world's next generation is one in which answers count. A holder that lets it come only when they are there can do
    /// everything else meanwhile: what people call before it stands before it in the log.
    pub fn answers_count_next(&self, world: &World) -> bool {
        let since = self.begun.and_then(|begun| world.generation().checked_sub(begun));
        !self.asked.is_empty() && since.is_some_and(|since| (since + 1) % ASKED_EVERY == ANSWERED_AFTER)
    }

    /// Notes that another bot, or none, is to play for an account: it begins with the next questions, and who played until now is asked
    /// no more.
    pub fn seated(&mut self, account: Account, bot: Option<&EntrantId>) {
        self.waiting.retain(|(waiting, _)| *waiting != account);
        self.waiting.extend(bot.map(|bot| (account, bot.clone())));
        let before = self.places.iter_mut().enumerate().find(|(_, place)| place.account == account);
        if let Some((at, place)) = before {
            place.state = State::Out;
            self.changed.push((at, None));
        }
    }

    /// Who plays for an account since the bots began.
    pub fn of(&self, account: Account) -> Option<&EntrantId> {
        self.places.iter().find(|place| place.account == account).map(|place| &place.bot)
    }

    /// What is to be done now. It is planned no more.
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

    /// Plans a call first that was to be done and was not.
    pub(crate) fn again(&mut self, account: Account, call: Call) {
        self.planned.push_front(Planned::Call(account, call));
    }

    /// Takes the answers to the latest questions, in order. What they ask for is done in this generation. Nobody answers for a bot of
    /// which there is none.
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

    /// What each bot sees that has a kingdom.
    fn questions(&self, world: &World) -> Vec<(usize, Vec<u8>)> {
        let asked = self.places.iter().enumerate().filter(|(_, place)| place.state == State::Plays);
        let asked: Vec<_> = asked.filter_map(|(at, place)| Some((at, place, world.slot_of(place.account)?))).collect();
        if asked.is_empty() {
            return Vec::new();
        }
        // A world of another size has none.
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

/// What brings a bot into the game: coins where its wallet has few, and a base where it has none, in the middle of the first quadrant,
/// from another one at each beginning, in which there may be one.
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
        // A wallet with so little room is not poor.
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
