//! A world that goes on: calls come in one at a time, lines go into the log, then into the world, then to all who look.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use arena_record::EntrantId;
use arena_rules::life2::{Account, Call, Refusal, Slot, World};
use arena_store::{AccountId, StoreError, WorldError, WorldName, WorldSpan};
use arena_world::{Bots, Event, Lines, Machine, Next, SeatError, Shown, replay};
use tokio::sync::{Mutex, MutexGuard, watch};
use tokio::time::{MissedTickBehavior, interval, sleep};
use tracing::{Instrument, warn};

use super::BUILD;
use super::bots::{Thinking, asker};
use crate::core::{Core, on_a_thread, unavailable, with_causes};
use crate::limits::{
    GENERATION_EVERY, WORLD_CALLS_A_SPAN_MAX, WORLD_PAUSE, WORLD_SNAPSHOT_GENERATIONS, WORLD_WALLETS_MAX,
};

/// A world that people and programs watch and call. There is one for each name in a process.
pub struct LiveWorld {
    name: WorldName,
    core: Arc<Core>,
    held: Mutex<Held>,
    shown: watch::Sender<Shown>,
}

/// The world and where its log goes on.
struct Held {
    machine: Machine,
    bots: Bots,
    thinking: Thinking,
    /// Where the latest span begins.
    from: u64,
    /// The place of its next line.
    seq: u32,
    /// A line that is to be in the log before anything else happens. Whether it is already is not known.
    due: Option<Event>,
    /// Whether the process stops: nothing happens any more.
    stopped: bool,
    snapshot: Option<Arc<WorldSnapshot>>,
}

/// A world as a whole.
#[derive(Debug)]
pub struct WorldSnapshot {
    /// Generations so far.
    pub generation: u64,
    /// The number of the line that comes next.
    pub next: u64,
    /// The event that opens a log: `arena/world/FORMAT.md`. Without its newline.
    pub opened: String,
}

/// Why a call did nothing.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The rules refuse it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The world holds as many wallets as it may.
    #[error("this world has no place for another wallet")]
    TooManyWallets,
    /// The world has as many bots as it may.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// More calls than a span of its log has place for.
    #[error("too many calls in this world; try again in a minute")]
    Busy,
    /// The store did not do its work, so that it is not known whether it will be done.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl CallError {
    /// A word for programs.
    pub fn code(&self) -> &'static str {
        match self {
            CallError::Refused(_) => "refused",
            CallError::TooManyWallets => "too_many_wallets",
            CallError::Seat(_) => "too_many_seated",
            CallError::Busy => "too_many",
            CallError::Store(_) => "unavailable",
        }
    }
}

/// An account as the rules know it.
fn account_of(id: AccountId) -> Account {
    Account(id.0.cast_unsigned())
}

/// Whether a world has place for another wallet.
fn has_place(world: &World) -> Result<(), CallError> {
    if world.wallets().count() >= WORLD_WALLETS_MAX { Err(CallError::TooManyWallets) } else { Ok(()) }
}

/// Whether the latest span has place for another line of a person's.
fn has_lines(held: &Held) -> Result<(), CallError> {
    if held.seq > WORLD_CALLS_A_SPAN_MAX { Err(CallError::Busy) } else { Ok(()) }
}

impl LiveWorld {
    /// The world that the latest span of a log leads to: computed once more, as verifying it would be, its bots included.
    pub(super) async fn resume(core: Arc<Core>, name: WorldName, span: WorldSpan) -> Result<Arc<LiveWorld>, String> {
        let mut asking = Box::new(asker(&core));
        let again = move || {
            let replay = replay(span.lines.iter().map(String::as_str), &mut *asking);
            replay.map(|replay| (replay, asking, span)).map_err(|why| why.to_string())
        };
        let again = on_a_thread("world", again).map_err(|why| with_causes(&why))?.await;
        let (replay, asking, span) = again.map_err(|_| "a thread of the service died")??;
        let (machine, mut bots) = (replay.machine, replay.bots);
        if replay.ended {
            bots.snapshot(&machine);
        }
        let thinking = match replay.answers {
            Some(answers) => Thinking::Answered(asking, answers),
            None => Thinking::Idle(asking),
        };
        // The time in microseconds, so that no line of an earlier process has a later number.
        let number = u64::try_from(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros());
        let shown = Shown::new(machine.world().generation(), number.unwrap_or(1));
        let (from, seq) = (span.from, span.lines.len() as u32);
        let held = Held { machine, bots, thinking, from, seq, due: None, stopped: false, snapshot: None };
        let (held, shown) = (Mutex::new(held), watch::Sender::new(shown));
        Ok(Arc::new(LiveWorld { name, core, held, shown }))
    }

    /// What it is called.
    pub fn name(&self) -> &WorldName {
        &self.name
    }

    /// How far it is, at once, and then whenever that changes.
    pub fn watch(&self) -> watch::Receiver<Shown> {
        self.shown.subscribe()
    }

    /// How far it is.
    pub fn shown(&self) -> Shown {
        self.shown.borrow().clone()
    }

    /// Looks at the world between two generations.
    pub async fn look<T>(&self, look: impl FnOnce(&World) -> T) -> T {
        look(self.held.lock().await.machine.world())
    }

    /// The coins in an account's wallet.
    pub async fn balance(&self, account: AccountId) -> u64 {
        self.look(|world| world.balance(account_of(account))).await
    }

    /// The number of the slot that an account holds, from 1.
    pub async fn slot_of(&self, account: AccountId) -> Option<u8> {
        self.look(|world| world.slot_of(account_of(account))).await.map(Slot::number)
    }

    /// Who plays for which accounts, the site's places among them, by account.
    pub async fn seated(&self) -> Vec<(AccountId, EntrantId)> {
        let held = self.held.lock().await;
        held.machine.bots().map(|(account, bot)| (AccountId(account.0.cast_signed()), bot.clone())).collect()
    }

    /// The world as a whole: of this moment, or of some generations ago when all that came after is still told.
    pub async fn snapshot(&self) -> Arc<WorldSnapshot> {
        let mut held = self.held.lock().await;
        let shown = self.shown();
        let fresh = |snapshot: &&Arc<WorldSnapshot>| {
            shown.generation - snapshot.generation <= WORLD_SNAPSHOT_GENERATIONS
                && shown.since(snapshot.next) != Lines::Behind
        };
        if let Some(snapshot) = held.snapshot.as_ref().filter(fresh) {
            return snapshot.clone();
        }
        let opened = held.machine.opened(BUILD).to_line().trim_end().to_owned();
        let snapshot =
            Arc::new(WorldSnapshot { generation: held.machine.world().generation(), next: shown.next, opened });
        held.snapshot.insert(snapshot).clone()
    }

    /// Does what an account asks for, between two generations: its slot's number for joining, how many cells were placed, or what the
    /// faucet left in the wallet. `Ok` means that it is in the log, durably. It goes on when the caller stops waiting for it.
    ///
    /// # Errors
    /// Why it does nothing, or that it is not known whether it will.
    pub async fn call(self: &Arc<Self>, account: AccountId, call: Call) -> Result<u64, CallError> {
        let world = self.clone();
        let called = async move { world.called(account, &call).await };
        let called = self.core.tasks.spawn(called.in_current_span()).await;
        called.unwrap_or_else(|error| Err(unavailable(error).into()))
    }

    /// Has a bot play for an account from the next questions on, or nobody; who did until now is asked no more. `Ok` means that it is in
    /// the log, durably. It goes on when the caller stops waiting for it.
    ///
    /// # Errors
    /// Why it does nothing, or that it is not known whether it will.
    pub async fn seat(self: &Arc<Self>, account: AccountId, bot: Option<EntrantId>) -> Result<(), CallError> {
        let world = self.clone();
        let seated = async move { world.seats(account, bot).await };
        let seated = self.core.tasks.spawn(seated.in_current_span()).await;
        seated.unwrap_or_else(|error| Err(unavailable(error).into()))
    }

    async fn seats(&self, id: AccountId, bot: Option<EntrantId>) -> Result<(), CallError> {
        let mut held = self.ready().await?;
        let account = account_of(id);
        if bot.is_some() && held.machine.world().balance(account) == 0 {
            has_place(held.machine.world())?;
        }
        let Some(event) = held.machine.seat(account, bot)? else { return Ok(()) };
        has_lines(&held)?;
        held.due = Some(event);
        Ok(self.settle(&mut held).await?)
    }

    /// The world, when nothing is to be written or done before somebody calls.
    async fn ready(&self) -> Result<MutexGuard<'_, Held>, StoreError> {
        let mut held = self.held.lock().await;
        if held.stopped {
            return Err(StoreError::Unavailable("the server stops".into()));
        }
        self.attend(&mut held).await?;
        Ok(held)
    }

    async fn called(&self, id: AccountId, call: &Call) -> Result<u64, CallError> {
        let mut held = self.ready().await?;
        let (account, world) = (account_of(id), held.machine.world());
        let proposed = held.machine.propose(account, call)?;
        let Some(event @ Event::Called { answer, .. }) = proposed else { return Ok(0) };
        if matches!(call, Call::Faucet) && world.balance(account) == 0 {
            has_place(world)?;
        }
        has_lines(&held)?;
        held.due = Some(event);
        self.settle(&mut held).await?;
        Ok(answer)
    }

    /// Writes down what is due, and lets it happen.
    async fn settle(&self, held: &mut Held) -> Result<(), StoreError> {
        let Some(event) = held.due.clone() else { return Ok(()) };
        let (store, line) = (&self.core.store, event.to_line());
        let unwritten = |error: WorldError| match error {
            WorldError::Store(error) => error,
            error => unavailable(error),
        };
        store.append_to_world(&self.name, held.from, held.seq, &line).await.map_err(unwritten)?;
        let generation = match event {
            Event::Called { generation, .. } | Event::Seated { generation, .. } => {
                // It was proposed in this generation, and nothing has happened since.
                held.machine.apply(&event).map_err(unavailable)?;
                generation
            }
            Event::Opened(_) | Event::Checked { .. } => held.machine.world().generation(),
        };
        held.seq += 1;
        if let Event::Seated { account, bot, .. } = &event {
            held.bots.seated(Account(u64::from_be_bytes(account.0)), bot.as_ref());
        }
        if matches!(event, Event::Checked { .. }) && !held.stopped {
            let opened = held.machine.opened(BUILD).to_line();
            // When this fails the span just goes on: it is begun anew with the next digest.
            match store.begin_span(&self.name, generation, &opened).await {
                Ok(_) => (held.from, held.seq) = (generation, 1),
                Err(error) => warn!(world = self.name.as_str(), cause = with_causes(&error), "a span goes on"),
            }
        }
        held.due = None;
        if matches!(event, Event::Checked { .. }) && !held.stopped {
            let Held { bots, machine, .. } = held;
            bots.snapshot(machine);
        }
        self.shown.send_modify(|shown| {
            shown.generation = generation;
            shown.add(&line);
        });
        Ok(())
    }

    /// Writes down what is due, and does what bots do in this generation. Waits for their answers, if they are not there yet: the world is
    /// late then.
    async fn attend(&self, held: &mut Held) -> Result<(), StoreError> {
        loop {
            self.settle(held).await?;
            let Held { machine, bots, .. } = held;
            match bots.next(machine.world()) {
                Next::Nothing => return Ok(()),
                Next::Ask(turn) => held.thinking.ask(&self.core, turn),
                Next::Answers => {
                    let answers = held.thinking.answers().await;
                    held.bots.answered(&answers);
                }
                Next::Gone(account) => {
                    warn!(world = self.name.as_str(), account = account.0.cast_signed(), "a bot leaves a world");
                    match held.machine.seat(account, None) {
                        Ok(Some(event)) => held.due = Some(event),
                        // Its owner was faster.
                        Ok(None) | Err(_) => held.bots.seated(account, None),
                    }
                }
                Next::Call(account, call) => held.due = held.machine.propose(account, &call).ok().flatten(),
            }
        }
    }

    /// Goes on for as long as the process does: a late generation is late, and none is made up.
    pub(super) async fn tick(self: Arc<Self>) {
        let mut ticks = interval(GENERATION_EVERY);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let stopping = self.core.stopping.clone();
        while stopping.run_until_cancelled(ticks.tick()).await.is_some() {
            if let Err(error) = self.step().await {
                warn!(world = self.name.as_str(), cause = with_causes(&error), "a world waits for the store");
                stopping.run_until_cancelled(sleep(WORLD_PAUSE)).await;
            }
        }
        self.stop().await;
    }

    /// A generation.
    pub(super) async fn step(&self) -> Result<(), StoreError> {
        let mut held = self.held.lock().await;
        self.attend(&mut held).await?;
        held.due = held.machine.step();
        let Held { machine, bots, .. } = &mut *held;
        bots.reached(machine.world());
        self.attend(&mut held).await?;
        let generation = held.machine.world().generation();
        self.shown.send_modify(|shown| shown.generation = generation);
        Ok(())
    }

    /// Writes down where it stands, so that no generation is lost.
    async fn stop(&self) {
        let mut held = self.held.lock().await;
        let stood = async {
            self.attend(&mut held).await?;
            held.stopped = true;
            held.due = Some(held.machine.checked());
            self.settle(&mut held).await
        };
        let stood = stood.await;
        held.stopped = true;
        if let Err(error) = stood {
            warn!(world = self.name.as_str(), cause = with_causes(&error), "a world goes back to its last line");
        }
    }
}
