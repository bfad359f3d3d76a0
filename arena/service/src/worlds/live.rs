//! A running world: calls come in one at a time; each line is written to the log, then applied to the world, then shown
//! to watchers.

mod calls;

use std::sync::Arc;

use arena_record::EntrantId;
use arena_rules::life2::{Account, SLOTS, Slot, World};
use arena_store::{AccountId, Page, Reason, StoreError, WorldError, WorldName, WorldSpan};
use arena_world::{Bots, Event, LINES_KEPT_MAX, LogTail, Machine, Next, replay};
use tokio::sync::{Mutex, MutexGuard, Notify, watch};
use tracing::{trace, warn};

use calls::Acted;

pub use calls::CallError;

use super::BUILD;
use super::bots::{LoadedBots, Thinking};
use super::queries::{SlotInfo, Wipe};
use crate::core::{Core, on_a_thread, unavailable, with_causes};
use crate::limits::{WORLD_SAID_EVERY, WORLD_SNAPSHOT_GENERATIONS};
use crate::servers::Pending;

/// A world that people and programs watch and call. A process has one for each name.
pub struct LiveWorld {
    name: WorldName,
    /// The duty of running it, which one server has.
    pub(super) duty: String,
    pub(super) core: Arc<Core>,
    pub(super) waiting: Arc<Pending<Result<u64, CallError>>>,
    pub(super) held: Mutex<Held>,
    loaded: LoadedBots,
    /// Held while its latest span is replayed.
    waking: Mutex<()>,
    /// Notified of a call, which wakes a resting world.
    pub(super) called: Notify,
    shown: watch::Sender<LogTail>,
}

/// The world, and the position in its log.
pub(super) struct Held {
    machine: Machine,
    /// Its bots, once the latest span was replayed here.
    bots: Option<Bots>,
    pub(super) thinking: Thinking,
    /// The generation at which the latest span begins.
    from: u64,
    /// The position of the next line in the span.
    seq: u32,
    /// A line that must be in the log before anything else happens. It may be there already.
    due: Option<Event>,
    /// The operator's reason, if that line is an act of theirs: its line in the log of acts is written in the same
    /// step.
    ordered: Option<Reason>,
    /// The latest act of the operator's that this process wrote.
    acted: Option<Acted>,
    /// Set when the process stops: the world changes no more.
    stopped: bool,
    /// Whether the log may have lines that were not applied here: it is read before anything else.
    stale: bool,
    snapshot: Option<Arc<WorldSnapshot>>,
}

/// The whole state of a world, all of it at one moment.
#[derive(Debug)]
pub struct WorldSnapshot {
    /// Generations so far.
    pub generation: u64,
    /// The number of the next line.
    pub next: u64,
    /// The state of each slot; `None` for free ones.
    pub slots: [Option<SlotInfo>; SLOTS],
    /// Which bot plays for which account, by account.
    pub seated: Vec<(AccountId, EntrantId)>,
    /// The next wipe.
    pub wipe: Wipe,
    /// The event that opens a log (`arena/world/FORMAT.md`), without its newline.
    pub opened: String,
}

/// An account as the rules know it.
fn account_of(id: AccountId) -> Account {
    Account(id.0.cast_unsigned())
}

/// Why a line was not written, as far as it is the store's.
fn stored(error: WorldError) -> StoreError {
    match error {
        WorldError::Store(error) => error,
        error => unavailable(error),
    }
}

/// Which bot plays for which account, by account.
fn seated_in(machine: &Machine) -> Vec<(AccountId, EntrantId)> {
    machine.bots().map(|(account, bot)| (AccountId(account.0.cast_signed()), bot.clone())).collect()
}

/// The machine at the end of a span.
fn machine_of(span: &WorldSpan) -> Result<Machine, String> {
    let read = |(number, line): (usize, &String)| Event::parse(line).map_err(|why| format!("line {number}: {why}"));
    let mut events = (1..).zip(&span.lines).map(read);
    let Some(Event::Opened(opened)) = events.next().transpose()? else { return Err("it has no snapshot".into()) };
    let mut machine = Machine::open(&opened).map_err(|why| why.to_string())?;
    for event in events {
        machine.apply(&event?).map_err(|why| why.to_string())?;
    }
    Ok(machine)
}

impl LiveWorld {
    /// The world at the end of its log's latest span.
    pub(super) fn resume(
        core: Arc<Core>,
        name: WorldName,
        waiting: Arc<Pending<Result<u64, CallError>>>,
        span: &WorldSpan,
    ) -> Result<Arc<LiveWorld>, String> {
        let machine = machine_of(span)?;
        // The time in microseconds, so that it exceeds the numbers of all lines of earlier processes.
        let shown = LogTail::new(machine.world().generation(), core.clock.unix_micros());
        let (from, seq) = (span.from, span.lines.len() as u32);
        let (bots, thinking) = (None, Thinking::Lost);
        let held = Held {
            machine,
            bots,
            thinking,
            from,
            seq,
            due: None,
            ordered: None,
            acted: None,
            stopped: false,
            stale: false,
            snapshot: None,
        };
        let (held, shown) = (Mutex::new(held), watch::Sender::new(shown));
        let duty = format!("world {name}");
        let (loaded, waking, called) = (LoadedBots::default(), Mutex::default(), Notify::new());
        Ok(Arc::new(LiveWorld { name, duty, core, waiting, held, loaded, waking, called, shown }))
    }

    /// What it is called.
    pub fn name(&self) -> &WorldName {
        &self.name
    }

    /// The world's progress, as it changes.
    pub fn watch(&self) -> watch::Receiver<LogTail> {
        self.shown.subscribe()
    }

    /// The world's progress.
    pub fn shown(&self) -> LogTail {
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

    /// Which bot plays for which account, by account. The site's places have accounts of their own.
    pub async fn seated(&self) -> Vec<(AccountId, EntrantId)> {
        seated_in(&self.held.lock().await.machine)
    }

    /// The whole state: the current one, or one of some generations ago if there was no line since then.
    pub async fn snapshot(&self) -> Arc<WorldSnapshot> {
        let mut held = self.held.lock().await;
        let shown = self.shown();
        let fresh = |snapshot: &&Arc<WorldSnapshot>| {
            shown.generation.saturating_sub(snapshot.generation) <= WORLD_SNAPSHOT_GENERATIONS
                && shown.next == snapshot.next
        };
        if let Some(snapshot) = held.snapshot.as_ref().filter(fresh) {
            return snapshot.clone();
        }
        let (machine, world) = (&held.machine, held.machine.world());
        let snapshot = Arc::new(WorldSnapshot {
            generation: world.generation(),
            next: shown.next,
            slots: SlotInfo::all(world),
            seated: seated_in(machine),
            wipe: Wipe::of(world),
            opened: machine.opened(BUILD).to_line().trim_end().to_owned(),
        });
        held.snapshot.insert(snapshot).clone()
    }

    /// The world, once nothing is left to read, write or do before a call.
    async fn ready(&self) -> Result<MutexGuard<'_, Held>, StoreError> {
        let mut held = self.awake().await?;
        if held.stopped {
            return Err(StoreError::Unavailable("the server stops".into()));
        }
        self.attend(&mut held).await?;
        self.called.notify_one();
        Ok(held)
    }

    /// The world with its bots, after applying all lines of other servers. It is not locked while the latest span is
    /// replayed.
    async fn awake(&self) -> Result<MutexGuard<'_, Held>, StoreError> {
        loop {
            let mut held = self.held.lock().await;
            self.catch_up(&mut held).await?;
            self.settle(&mut held).await?;
            if held.bots.is_some() {
                return Ok(held);
            }
            drop(held);
            self.wake().await?;
        }
    }

    /// Writes the due line and applies it. Returns the number of the operator's act that it is, or 0.
    async fn settle(&self, held: &mut Held) -> Result<u64, StoreError> {
        let Some(event) = held.due.clone() else { return Ok(0) };
        let (store, line) = (&self.core.store, event.to_line());
        let written = match self.ordered(held, &event, &line) {
            Some((act, reason)) => self.acted(&act, &reason).await,
            None => store.append_to_world(&self.name, held.from, held.seq, &line).await.map(|_| 0),
        };
        let act = match written {
            Ok(act) => act,
            Err(error) => {
                let is_anothers = matches!(error, WorldError::Taken | WorldError::Gap { .. } | WorldError::NoSuchSpan);
                if is_anothers {
                    // Another server ran it meanwhile.
                    (held.due, held.ordered, held.bots, held.stale) = (None, None, None, true);
                    self.core.leases.leave(&self.duty);
                }
                return Err(stored(error));
            }
        };
        let slot = match &event {
            Event::Freed { account, .. } => held.machine.world().slot_of(Account(u64::from_be_bytes(account.0))),
            _ => None,
        };
        let generation = match event {
            Event::Called { generation, .. } | Event::Seated { generation, .. } | Event::Freed { generation, .. } => {
                // Legal, because it was proposed in this generation and nothing has happened since.
                held.machine.apply(&event).map_err(unavailable)?;
                generation
            }
            Event::Opened(_) | Event::Checked { .. } => held.machine.world().generation(),
        };
        held.seq += 1;
        let mut amended = false;
        if let Some(bots) = &mut held.bots {
            bots.heard(&event);
        }
        if matches!(event, Event::Checked { .. }) && !held.stopped {
            // A world whose log has the first version continues with the rules of this one.
            let machine = held.machine.amended();
            // If this fails the span just continues; the next digest tries again.
            match store.begin_span(&self.name, generation, &machine.opened(BUILD).to_line()).await {
                Ok(_) => {
                    amended = !held.machine.is_amended();
                    (held.machine, held.from, held.seq) = (machine, generation, 1);
                }
                Err(error) => warn!(
                    world = self.name.as_str(),
                    cause = with_causes(&error),
                    "a new span of a world cannot begin yet"
                ),
            }
        }
        held.due = None;
        if let Some(reason) = held.ordered.take() {
            held.acted = Some(Acted { event: event.clone(), slot, reason, number: act });
        }
        let Held { bots, machine, .. } = held;
        if let (Event::Checked { .. }, Some(bots), false) = (&event, bots, held.stopped) {
            bots.snapshot(machine);
        }
        if amended {
            // Watchers' worlds have the rules before.
            self.show_anew(held, generation);
        } else {
            self.shown.send_modify(|shown| {
                shown.generation = generation;
                shown.add(&line);
            });
        }
        Ok(act)
    }

    /// Writes what is due, and carries out what bots do in this generation.
    async fn attend(&self, held: &mut Held) -> Result<(), StoreError> {
        loop {
            self.settle(held).await?;
            // Gone if another server ran it meanwhile.
            let Held { machine, bots: Some(bots), .. } = held else { return Ok(()) };
            match bots.next(machine.world()) {
                Next::Nothing => return Ok(()),
                Next::Ask(turn) => held.thinking.ask(&self.core, &self.loaded, turn),
                Next::Answers => {
                    let answers = held.thinking.answers().await;
                    bots.answered(&answers);
                }
                Next::Gone(account) => {
                    warn!(world = self.name.as_str(), account = account.0.cast_signed(), "a bot leaves a world");
                    match machine.seat(account, None) {
                        Ok(Some(event)) => held.due = Some(event),
                        // Its owner took it out first.
                        Ok(None) | Err(_) => bots.seated(account, None),
                    }
                }
                Next::Call(account, call) => held.due = machine.propose(account, &call).ok().flatten(),
            }
        }
    }

    /// Replays the latest span, as verifying does, with its bots, which are asked here from now on. Watchers are
    /// answered meanwhile; the world stands still, and calls wait.
    async fn wake(&self) -> Result<(), StoreError> {
        let _waking = self.waking.lock().await;
        if self.held.lock().await.bots.is_some() {
            return Ok(());
        }
        let span = self.latest_span().await?;
        let mut asking = Box::new(self.loaded.asker(&self.core));
        let again = move || {
            let replay = replay(span.lines.iter().map(String::as_str), &mut *asking);
            replay.map(|replay| (replay, asking, span)).map_err(unavailable)
        };
        let again = on_a_thread("world", again).map_err(unavailable)?.await;
        let (replay, asking, span) = again.map_err(unavailable)??;
        let mut held = self.held.lock().await;
        if held.stale || held.due.is_some() {
            // Another server wrote meanwhile.
            return Ok(());
        }
        let mut bots = replay.bots;
        if replay.ended {
            bots.snapshot(&replay.machine);
        }
        held.bots = Some(bots);
        held.thinking = match replay.answers {
            Some(answers) => Thinking::Answered(asking, answers),
            None => Thinking::Idle(asking),
        };
        self.hold(&mut held, replay.machine, &span);
        Ok(())
    }

    /// Computes a generation and, while the world rests, further ones up to `generations` in all. A visitor who comes
    /// meanwhile finds it late, and no generation is made up for. Returns whether it rests afterwards.
    pub(super) async fn steps(&self, generations: u32) -> Result<bool, StoreError> {
        self.step(self.before_a_generation().await?).await?;
        for _ in 1..generations {
            let held = self.before_a_generation().await?;
            if !self.rests(&held) {
                return Ok(false);
            }
            self.step(held).await?;
        }
        Ok(self.rests(&*self.held.lock().await))
    }

    /// Whether it is unwatched and nothing can happen in it without a call.
    fn rests(&self, held: &Held) -> bool {
        let (world, nobody_looks) = (held.machine.world(), self.shown.receiver_count() == 0);
        let nobody_plays = world.kingdoms().next().is_none() && held.machine.bots().next().is_none();
        nobody_looks && nobody_plays && world.ground().living().next().is_none()
    }

    /// Takes over from another server: that server's lines are read before anything else.
    pub(super) async fn take_over(&self) {
        let mut held = self.held.lock().await;
        (held.bots, held.stale) = (None, true);
    }

    /// Applies the lines of the server that runs it.
    pub(super) async fn look_on(&self) -> Result<(), StoreError> {
        self.catch_up(&mut *self.held.lock().await).await
    }

    /// Whether this server runs it.
    pub(super) fn runs_here(&self) -> bool {
        self.core.leases.holds(&self.duty)
    }

    /// The world when its next generation may begin. If bots' answers are due in it and missing, the world is late, and
    /// can still be watched and called in the generation before: bots' thinking holds up nothing but the next
    /// generation.
    async fn before_a_generation(&self) -> Result<MutexGuard<'_, Held>, StoreError> {
        loop {
            let mut held = self.awake().await?;
            self.attend(&mut held).await?;
            let Held { machine, bots, thinking, .. } = &*held;
            let counts = bots.as_ref().is_some_and(|bots| bots.answers_count_next(machine.world()));
            let Some(mut ends) = thinking.unfinished().filter(|_| counts) else { return Ok(held) };
            drop(held);
            // An error means that they have answered or that their thread is gone.
            let _ = ends.changed().await;
        }
    }

    /// Computes one generation.
    async fn step(&self, mut held: MutexGuard<'_, Held>) -> Result<(), StoreError> {
        trace!(world = self.name.as_str(), generation = held.machine.world().generation() + 1, "a generation begins");
        held.due = held.machine.step();
        let Held { machine, bots, .. } = &mut *held;
        if let Some(bots) = bots {
            bots.reached(machine.world());
        }
        self.attend(&mut held).await?;
        let generation = held.machine.world().generation();
        self.shown.send_modify(|shown| shown.generation = generation);
        let (span, lines) = (held.from, held.seq);
        drop(held);
        if generation.is_multiple_of(WORLD_SAID_EVERY) {
            self.send_progress(&self.core, span, lines, generation).await;
        }
        Ok(())
    }

    /// Another server wrote to its log.
    pub(super) async fn notified(&self) -> Result<(), StoreError> {
        if self.runs_here() {
            return Ok(());
        }
        let mut held = self.held.lock().await;
        held.stale = true;
        self.catch_up(&mut held).await
    }

    /// Another server reports its progress.
    pub(super) async fn heard_of(&self, span: u64, lines: u32, generation: u64) {
        let mut held = self.held.lock().await;
        // With lines missing here, the log is read instead.
        if self.runs_here() || held.stale || (held.from, held.seq) != (span, lines) {
            return;
        }
        held.machine.advance_to(generation);
        let generation = held.machine.world().generation();
        self.shown.send_modify(|shown| shown.generation = generation);
    }

    /// Applies lines that others wrote to the log, if there may be any.
    async fn catch_up(&self, held: &mut Held) -> Result<(), StoreError> {
        while held.stale {
            let store = &self.core.store;
            let mut follows = true;
            for line in store.world_lines(&self.name, held.from, held.seq).await? {
                let event = Event::parse(&line).map_err(unavailable)?;
                follows = held.machine.apply(&event).is_ok();
                if !follows {
                    break;
                }
                held.seq += 1;
                let generation = held.machine.world().generation();
                self.shown.send_modify(|shown| {
                    shown.generation = generation;
                    shown.add(&line);
                });
            }
            let latest = store.world_spans(&self.name, Page::first(1)).await?.first().copied();
            let generation = held.machine.world().generation();
            match latest {
                Some(latest) if follows && latest == held.from => held.stale = false,
                Some(latest) if follows && latest == generation && held.machine.is_amended() => {
                    (held.from, held.seq) = (latest, 1);
                }
                Some(_) => {
                    self.begin_anew(held).await?;
                    held.stale = false;
                }
                None => return Err(unavailable(WorldError::NoSuchSpan)),
            }
        }
        Ok(())
    }

    /// Reads the whole latest span.
    async fn begin_anew(&self, held: &mut Held) -> Result<(), StoreError> {
        let span = self.latest_span().await?;
        let machine = machine_of(&span).map_err(unavailable)?;
        held.bots = None;
        self.hold(held, machine, &span);
        Ok(())
    }

    async fn latest_span(&self) -> Result<WorldSpan, StoreError> {
        let span = self.core.store.world_span(&self.name, u64::MAX).await?;
        span.ok_or_else(|| unavailable(WorldError::NoSuchSpan))
    }

    /// Continues from the end of a span. If it differs from what was shown, watchers get a new snapshot.
    fn hold(&self, held: &mut Held, machine: Machine, span: &WorldSpan) {
        let (generation, seq) = (machine.world().generation(), span.lines.len() as u32);
        let is_shown = machine == held.machine && (held.from, held.seq) == (span.from, seq);
        held.machine = machine;
        (held.from, held.seq, held.due, held.ordered, held.stale) = (span.from, seq, None, None, false);
        if !is_shown {
            self.show_anew(held, generation);
        }
    }

    /// Lets all watchers ask for a new snapshot.
    fn show_anew(&self, held: &mut Held, generation: u64) {
        held.snapshot = None;
        self.shown.send_modify(|shown| *shown = LogTail::new(generation, shown.next + LINES_KEPT_MAX as u64 + 1));
    }

    /// Writes its current generation, so that none is lost.
    pub(super) async fn stop(&self) {
        let mut held = self.held.lock().await;
        if held.bots.is_none() {
            // It did not run here, so its last line is where it stands.
            held.stopped = true;
            return;
        }
        let stood = async {
            self.settle(&mut held).await?;
            self.attend(&mut held).await?;
            held.stopped = true;
            held.due = Some(held.machine.checked());
            self.settle(&mut held).await.map(drop)
        };
        let stood = stood.await;
        held.stopped = true;
        if let Err(error) = stood {
            warn!(world = self.name.as_str(), cause = with_causes(&error), "a world will resume at its last line");
        }
    }
}
