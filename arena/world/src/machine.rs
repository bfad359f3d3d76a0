//! The machine: a world, and the rules by which it advances.

use std::collections::BTreeMap;

use arena_record::{EntrantId, Hex};
use arena_rules::life2::{Account, Call, Cause, Fall, Refusal, StateError, World};
use sha2::{Digest, Sha256};

use crate::{BOTS_MAX, By, CHECKED_EVERY, Event, FALLEN_MAX, Fallen, Format, LoggedCall, Opened, Packed, Seated};

/// A world between two generations, with what its log contains so far.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Machine {
    world: World,
    /// The generation of the latest event, which limits that of the next one.
    latest: u64,
    /// The chain over the calls since the latest digest: SHA-256 of the chain before a call and the call's line; zeros
    /// at first.
    calls: Hex<32>,
    /// The seated bots, by account.
    bots: BTreeMap<Account, EntrantId>,
    /// The generation from which grace begins at joining; `None` in a world under the rule of the first version.
    grace_from: Option<u64>,
    /// The latest kingdoms that fell, of accounts without one; none under the rule of the first version.
    fallen: BTreeMap<Account, (u64, By)>,
}

/// The chain before any call.
const NO_CALLS: Hex<32> = Hex([0; 32]);

/// Why a snapshot is not a world.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadSnapshot {
    /// Its state cannot be unpacked.
    #[error("its state cannot be unpacked")]
    Packed,
    /// Its state is invalid.
    #[error(transparent)]
    State(#[from] StateError),
    /// Its generation is not that of its state.
    #[error("its state is of generation {0}")]
    Generation(u64),
    /// Its digest is not that of its state.
    #[error("its state has the digest {0}")]
    Digest(Hex<32>),
    /// Too many bots, or not sorted by account.
    #[error("it has more than {BOTS_MAX} bots, or not in the order of accounts")]
    Bots,
    /// The format does not allow what it says about grace and falls, or a kingdom has neither a cell nor grace.
    #[error("its rule of grace is not that of its format, or a kingdom or a fall in it does not follow that rule")]
    Grace,
}

/// Why a bot cannot be seated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SeatError {
    /// There are as many as slots.
    #[error("a world has at most {BOTS_MAX} bots")]
    TooMany,
}

/// Why an event does not follow from a world. The machine may have advanced to the event's generation, and must not be
/// used any more.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum IllegalEvent {
    /// A snapshot in the middle of a log.
    #[error("a snapshot stands only at the beginning of a log")]
    OpenedAgain,
    /// Its generation has passed.
    #[error("generation {0} is over")]
    Over(u64),
    /// More than [`CHECKED_EVERY`] generations after the event before.
    #[error("no event stands between generations {from} and {to}, and there is one every {CHECKED_EVERY}")]
    TooFar {
        /// The generation of the event before.
        from: u64,
        /// Its own.
        to: u64,
    },
    /// A call that changes nothing.
    #[error("a call that places no cell is not in a log")]
    Nothing,
    /// The bot is seated already, or is one too many.
    #[error("this bot cannot be seated, or is already")]
    Seated,
    /// The account holds no slot.
    #[error("this account holds no slot, or its slot cannot be freed in a log of this version")]
    Freed,
    /// The bots, by what they see, do something else here.
    #[error("a bot does this here: {0}")]
    BotCalls(String),
    /// The rules refuse a call.
    #[error("the call is refused: {0}")]
    Refused(Refusal),
    /// The rules give another answer.
    #[error("the call is answered {0}")]
    Answer(u64),
    /// The calls before it, or their generations, are different.
    #[error("the calls since the digest before have the digest {0}")]
    Calls(Hex<32>),
    /// The world has another digest.
    #[error("the world has the digest {0}")]
    Digest(Hex<32>),
}

impl Machine {
    /// A machine for a world, in which grace begins at joining.
    pub fn new(world: World) -> Machine {
        Machine::at_loss(world).amended()
    }

    /// A machine for a world under the rule of the first version.
    pub(crate) fn at_loss(world: World) -> Machine {
        Machine {
            latest: world.generation(),
            world: world.with_grace_at_loss(),
            calls: NO_CALLS,
            bots: BTreeMap::new(),
            grace_from: None,
            fallen: BTreeMap::new(),
        }
    }

    /// The same machine, but that grace begins at joining from now on: unchanged if it does already. A new span begins
    /// with that.
    #[must_use]
    pub fn amended(&self) -> Machine {
        let mut machine = self.clone();
        if machine.grace_from.is_none() {
            machine.world.begin_grace_at_joining();
            machine.grace_from = Some(machine.world.generation());
        }
        machine
    }

    /// Whether grace begins at joining.
    pub fn is_amended(&self) -> bool {
        self.grace_from.is_some()
    }

    /// The machine after a log's first event.
    ///
    /// # Errors
    /// When it is not a world, or its digest or generation is wrong.
    pub fn open(opened: &Opened) -> Result<Machine, BadSnapshot> {
        let state = opened.state.unpack().ok_or(BadSnapshot::Packed)?;
        let mut machine = Machine::at_loss(World::of_state(&state)?);
        if opened.bots.len() > BOTS_MAX || !opened.bots.is_sorted_by(|one, two| one.account.0 < two.account.0) {
            return Err(BadSnapshot::Bots);
        }
        let seated = |Seated { account, bot }: &Seated| (account_of(*account), bot.clone());
        machine.bots = opened.bots.iter().map(seated).collect();
        let (generation, digest) = (machine.world.generation(), machine.digest());
        if generation != opened.generation {
            return Err(BadSnapshot::Generation(generation));
        }
        if digest != opened.digest {
            return Err(BadSnapshot::Digest(digest));
        }
        match (opened.format, opened.grace_from) {
            (Format::AtLoss, None) if opened.fallen.is_empty() => Ok(machine),
            (Format::AtJoining, Some(from)) if from <= generation => machine.with_grace(from, &opened.fallen),
            _ => Err(BadSnapshot::Grace),
        }
    }

    /// The machine of a snapshot in which grace begins at joining.
    fn with_grace(self, from: u64, fallen: &[Fallen]) -> Result<Machine, BadSnapshot> {
        let sorted = fallen.is_sorted_by(|one, two| one.account.0 < two.account.0);
        let followed = |fallen: &Fallen| {
            let fell_before = fallen.generation <= self.world.generation();
            fell_before && self.world.slot_of(account_of(fallen.account)).is_none()
        };
        let all_counted = self.world.kingdoms().all(|(_, kingdom)| kingdom.lives || kingdom.idle_since.is_some());
        if fallen.len() > FALLEN_MAX || !sorted || !fallen.iter().all(followed) || !all_counted {
            return Err(BadSnapshot::Grace);
        }
        let mut machine = self.amended();
        machine.grace_from = Some(from);
        machine.fallen = fallen
            .iter()
            .map(|Fallen { account, generation, by }| (account_of(*account), (*generation, *by)))
            .collect();
        Ok(machine)
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// SHA-256 of the world's state.
    pub fn digest(&self) -> Hex<32> {
        Hex(Sha256::digest(self.world.state()).into())
    }

    /// A first event for a log that continues from here.
    pub fn opened(&self, build: &str) -> Event {
        Event::Opened(Box::new(Opened {
            format: if self.is_amended() { Format::AtJoining } else { Format::AtLoss },
            build: build.into(),
            generation: self.world.generation(),
            state: Packed::of(&self.world.state()),
            digest: self.digest(),
            bots: self.bots().map(|(account, bot)| Seated { account: number_of(account), bot: bot.clone() }).collect(),
            grace_from: self.grace_from,
            fallen: self.fallen.iter().map(|(account, fell)| fallen(*account, *fell)).collect(),
        }))
    }

    /// What became of an account's latest kingdom, if it has none now and it is among the last [`FALLEN_MAX`] that
    /// fell.
    pub fn fallen(&self, account: Account) -> Option<Fallen> {
        Some(fallen(account, *self.fallen.get(&account)?))
    }

    /// The hash of its snapshot, apart from the note on the build.
    pub(crate) fn snapshot(&self) -> Hex<32> {
        Hex(Sha256::digest(self.opened("").to_line()).into())
    }

    /// The seated bots, by account.
    pub fn bots(&self) -> impl Iterator<Item = (Account, &EntrantId)> {
        self.bots.iter().map(|(account, bot)| (*account, bot))
    }

    /// The event that seats another bot, or none, for an account; `None` if that changes nothing. The machine is
    /// unchanged.
    ///
    /// # Errors
    /// When there are too many bots.
    pub fn seat(&self, account: Account, bot: Option<EntrantId>) -> Result<Option<Event>, SeatError> {
        let before = self.bots.get(&account);
        if before == bot.as_ref() {
            return Ok(None);
        }
        if before.is_none() && self.bots.len() >= BOTS_MAX {
            return Err(SeatError::TooMany);
        }
        let (generation, account) = (self.world.generation(), number_of(account));
        Ok(Some(Event::Seated { generation, account, bot }))
    }

    /// The event that frees an account's slot, for which no bot plays any more; `None` if it holds none, or in a world
    /// under the rule of the first version, whose log knows no such event. The machine is unchanged.
    pub fn free(&self, account: Account) -> Option<Event> {
        let (generation, held) = (self.world.generation(), self.world.slot_of(account).is_some());
        (held && self.is_amended()).then(|| Event::Freed { generation, account: number_of(account) })
    }

    /// The event that ends a span here, for the log.
    pub fn checked(&mut self) -> Event {
        self.latest = self.world.generation();
        let calls = std::mem::replace(&mut self.calls, NO_CALLS);
        Event::Checked { generation: self.latest, digest: self.digest(), calls }
    }

    /// The event of a call; `None` for a call that places no cells, whose answer is 0 and which changes nothing. The
    /// machine is unchanged.
    ///
    /// # Errors
    /// When the rules refuse it, in the rules' words.
    pub fn propose(&self, account: Account, call: &Call) -> Result<Option<Event>, Refusal> {
        let answer = self.world.answer(account, call)?;
        let account = number_of(account);
        let event =
            || Event::Called { generation: self.world.generation(), account, call: LoggedCall::from(call), answer };
        Ok((answer > 0).then(event))
    }

    /// Computes a generation. After every [`CHECKED_EVERY`] of them returns an event for the log.
    pub fn step(&mut self) -> Option<Event> {
        self.advance();
        self.world.generation().is_multiple_of(CHECKED_EVERY).then(|| self.checked())
    }

    /// Advances to an event's generation, then applies the event.
    ///
    /// # Errors
    /// When it does not follow from the world.
    pub fn apply(&mut self, event: &Event) -> Result<(), IllegalEvent> {
        match event {
            Event::Opened(_) => Err(IllegalEvent::OpenedAgain),
            Event::Called { generation, account, call, answer } => {
                self.reach(*generation)?;
                let account = account_of(*account);
                let found = self.world.call(account, &Call::from(call)).map_err(IllegalEvent::Refused)?;
                if found == 0 {
                    return Err(IllegalEvent::Nothing);
                }
                if found != *answer {
                    return Err(IllegalEvent::Answer(found));
                }
                if matches!(call, LoggedCall::Join(..)) {
                    self.fallen.remove(&account);
                }
                self.chain(event);
                Ok(())
            }
            Event::Seated { generation, account, bot } => {
                self.reach(*generation)?;
                let account = account_of(*account);
                if !matches!(self.seat(account, bot.clone()), Ok(Some(_))) {
                    return Err(IllegalEvent::Seated);
                }
                match bot {
                    Some(bot) => self.bots.insert(account, bot.clone()),
                    None => self.bots.remove(&account),
                };
                self.chain(event);
                Ok(())
            }
            Event::Freed { generation, account } => {
                self.reach(*generation)?;
                let account = account_of(*account);
                if self.free(account).is_none() {
                    return Err(IllegalEvent::Freed);
                }
                self.world.free(account);
                // Or it would join again with its next start.
                self.bots.remove(&account);
                self.fell(account, By::Operator);
                self.chain(event);
                Ok(())
            }
            Event::Checked { generation, digest, calls } => {
                self.reach(*generation)?;
                let found = self.digest();
                if found != *digest {
                    return Err(IllegalEvent::Digest(found));
                }
                let found = std::mem::replace(&mut self.calls, NO_CALLS);
                if found == *calls { Ok(()) } else { Err(IllegalEvent::Calls(found)) }
            }
        }
    }

    /// As [`Machine::apply`], for a spectator who started from a snapshot between two digests. The calls before the
    /// snapshot are not known, so the chain over the calls is not compared.
    ///
    /// # Errors
    /// When it does not follow from the world: a new snapshot is needed.
    pub fn follow(&mut self, event: &Event) -> Result<(), IllegalEvent> {
        match self.apply(event) {
            Err(IllegalEvent::Calls(_)) => Ok(()),
            followed => followed,
        }
    }

    /// Advances to a generation that the world is reported to have reached without an event; never beyond one in which
    /// an event is due.
    pub fn advance_to(&mut self, generation: u64) {
        let end = generation.min(self.latest + CHECKED_EVERY);
        while self.world.generation() < end {
            self.advance();
        }
    }

    fn chain(&mut self, event: &Event) {
        let line = Sha256::new().chain_update(self.calls.0).chain_update(event.to_line());
        self.calls = Hex(line.finalize().into());
    }

    /// Computes a generation, and remembers the kingdoms that fell in it.
    pub(crate) fn advance(&mut self) {
        let falls = self.world.step();
        if !self.is_amended() {
            return;
        }
        for Fall { account, cause } in falls {
            let by = match cause {
                Cause::Grace => By::Grace,
                Cause::Siege(attacker) => By::Siege(attacker.map(number_of)),
            };
            self.fell(account, by);
        }
    }

    /// Remembers how a kingdom fell, and forgets the one that fell first of too many.
    fn fell(&mut self, account: Account, by: By) {
        self.fallen.insert(account, (self.world.generation(), by));
        while self.fallen.len() > FALLEN_MAX {
            let first = self.fallen.iter().min_by_key(|(account, (generation, _))| (*generation, account.0));
            let Some(account) = first.map(|(account, _)| *account) else { return };
            self.fallen.remove(&account);
        }
    }

    /// Whether an event of this generation may come next.
    pub(crate) fn reaches(&self, generation: u64) -> Result<(), IllegalEvent> {
        if generation < self.world.generation() {
            return Err(IllegalEvent::Over(generation));
        }
        if generation - self.latest > CHECKED_EVERY {
            return Err(IllegalEvent::TooFar { from: self.latest, to: generation });
        }
        Ok(())
    }

    fn reach(&mut self, generation: u64) -> Result<(), IllegalEvent> {
        self.reaches(generation)?;
        while self.world.generation() < generation {
            self.advance();
        }
        self.latest = generation;
        Ok(())
    }
}

pub(crate) fn account_of(number: Hex<8>) -> Account {
    Account(u64::from_be_bytes(number.0))
}

fn fallen(account: Account, (generation, by): (u64, By)) -> Fallen {
    Fallen { account: number_of(account), generation, by }
}

fn number_of(account: Account) -> Hex<8> {
    Hex(account.0.to_be_bytes())
}
