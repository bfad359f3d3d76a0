//! A room in memory. Commands come in one at a time; each event is written to the log, then applied to the room, then
//! shown to all watchers.

mod acts;
mod chat;

use std::collections::BTreeMap;
use std::sync::{Arc, Weak};
use std::time::Duration;

use arena_clock::Instant;
use arena_record::{Hex, Record};
use arena_rooms::{Event, Finished, Logged, PersonId, Rejected, Room, RoomId, Seated};
use arena_rules::Seat;
use arena_store::{RoomError, RoomMessage, RoomState, StoreError, UnixSeconds};
use tokio::sync::{Mutex, Notify, oneshot, watch};
use tracing::warn;

use super::bot_slots::BotSlots;
use super::chat::Chat;
use super::player::Waiting;
use super::presence::{Attendance, Attendee};
use super::{PlayError, Snapshot};
use crate::core::{Core, with_causes};
use crate::limits::{FLAG_PAUSE, NEWS_LATE};

/// Digits of a room's id in the site's diagnostic log.
const ID_DIGITS_LOGGED: usize = 8;

/// A room that people watch and play in. In one process, everybody with the same id shares one `LiveRoom`.
pub struct LiveRoom {
    id: RoomId,
    /// The duty of asking its players, which one server has.
    pub(super) duty: String,
    ruleset: String,
    pub(super) slots: Arc<BotSlots>,
    pub(super) state: Mutex<LiveState>,
    shown: watch::Sender<Snapshot>,
    /// Notified whenever the clocks are started anew.
    ticks: Arc<Notify>,
    /// When this process opened it or took it over.
    taken_at: Instant,
    attendance: Arc<Attendance>,
}

pub(super) struct LiveState {
    pub(super) room: Room,
    /// Whether the room is finished: nothing is appended any more.
    pub(super) finished: bool,
    /// When the last event came.
    heard_at: UnixSeconds,
    /// A write began with unknown outcome: the log is read again before anything else.
    pub(super) stale: bool,
    /// A task is asking the players whose turn it is.
    pub(super) asking: bool,
    /// What keeps a player from answering.
    trouble: Option<String>,
    pub(super) players: BTreeMap<u8, Waiting>,
    /// When the running clocks were started, in the time of rooms, as all moments that turns have here.
    since: Instant,
    /// Who wants a rematch, and the rematch's room. Not in the log: after a restart people ask again.
    pub(super) rematch: Vec<PersonId>,
    pub(super) next: Option<RoomId>,
    /// Who sent the last wish, and what becomes of that room, if this server opens it.
    pub(super) opening: Option<(PersonId, oneshot::Receiver<Result<(), PlayError>>)>,
    chat: Chat,
}

/// Failures of a room without an error type of their own.
#[derive(Debug, thiserror::Error)]
enum Mishap {
    #[error("a room has lost its log")]
    LogLost,
    #[error("others were faster each time")]
    Overtaken,
}

/// Why an event is not in the log, or may not be.
pub(super) enum NotKept {
    /// Another event took its place.
    Overtaken,
    /// The log accepts no such event any more.
    Rejected(Rejected),
    Store(StoreError),
}

impl LiveState {
    pub(super) fn new(room: Room, finished: bool, heard_at: UnixSeconds, since: Instant) -> LiveState {
        let mut state = LiveState {
            room,
            finished,
            heard_at,
            stale: false,
            asking: false,
            trouble: None,
            players: BTreeMap::new(),
            since,
            rematch: Vec::new(),
            next: None,
            opening: None,
            chat: Chat::default(),
        };
        state.trouble = state.closed();
        state
    }

    /// The people who have seats.
    fn people(&self) -> Vec<PersonId> {
        let person = |seat: &Seated| if let Seated::Person(person) = seat { Some(*person) } else { None };
        self.room.seats().iter().filter_map(person).collect()
    }

    /// How long the running clocks have run at a moment, in whole milliseconds.
    fn spent_ms(&self, at: Instant) -> u64 {
        u64::try_from(at.saturating_duration_since(self.since).as_millis()).unwrap_or(u64::MAX)
    }

    /// When the first person's time is up.
    fn flag_at(&self) -> Option<Instant> {
        let left = self.room.flag_in_ms().filter(|_| !self.finished)?;
        self.since.checked_add(Duration::from_millis(left))
    }

    /// Whether nothing is left to do but by people.
    pub(super) fn is_idle(&self) -> bool {
        !self.stale && (self.finished || (self.room.outcome().is_none() && self.room.to_ask().next().is_none()))
    }
}

impl LiveRoom {
    pub(super) fn new(slots: Arc<BotSlots>, id: RoomId, state: LiveState) -> Arc<LiveRoom> {
        let clock = slots.core.clock.clone();
        let time = slots.core.room_time.clone();
        let first = Snapshot::first(&state.room, state.since, clock.unix_micros(), time);
        let ruleset = state.room.opened().ruleset.clone();
        let has_clock = state.room.opened().table.as_ref().is_some_and(|table| table.clock.is_some());
        let shown = watch::Sender::new(first);
        let room = LiveRoom {
            id,
            duty: format!("room {id}"),
            ruleset,
            slots,
            state: Mutex::new(state),
            shown,
            ticks: Arc::default(),
            taken_at: clock.now(),
            attendance: Attendance::new(clock),
        };
        let room = Arc::new(room);
        if let Ok(mut state) = room.state.try_lock() {
            room.show(&state);
            room.ask_next(&mut state);
        }
        if has_clock && !room.shown.borrow().over() {
            let flags = flag(Arc::downgrade(&room), room.ticks.clone(), room.slots.core.clone());
            room.slots.core.tasks.spawn(flags);
        }
        room
    }

    /// The room's snapshots: the latest at once, then each newer one. A slow reader may miss some in between.
    pub fn watch(&self) -> watch::Receiver<Snapshot> {
        self.shown.subscribe()
    }

    /// Counts a visitor as present: a player of this room as such, anybody else as a spectator. Who watches the room
    /// hears at once of a player who was away.
    pub fn attend(&self, person: Option<PersonId>) -> Attendee {
        let person = person.filter(|person| !self.seats_of(*person).is_empty());
        let returns = person.is_some_and(|person| !self.attendance.is_here(person, self.slots.core.clock.now()));
        let attendee = self.attendance.attend(person);
        if returns {
            self.shown.send_modify(|shown| shown.version = self.version_after(shown.version));
        }
        attendee
    }

    /// The version of a snapshot that follows another one: no other server of the site gives a lower one later.
    fn version_after(&self, version: u64) -> u64 {
        (version + 1).max(self.slots.core.clock.unix_micros())
    }

    /// The number of spectators.
    pub fn spectators(&self) -> usize {
        self.attendance.spectators()
    }

    /// The seats of people who are there now.
    pub fn here(&self) -> Vec<u8> {
        self.here_at(self.slots.core.clock.now())
    }

    pub(super) fn here_at(&self, at: Instant) -> Vec<u8> {
        let is_here = |seated: &Seated| matches!(seated, Seated::Person(one) if self.attendance.is_here(*one, at));
        let shown = self.shown.borrow();
        let seats = (0..).zip(&shown.view.seats);
        seats.filter_map(|(seat, seated)| is_here(seated).then_some(seat)).collect()
    }

    /// How many connections watch it, those of players among them.
    pub fn watchers(&self) -> usize {
        self.shown.receiver_count()
    }

    /// Whether it is watched, on this server or another.
    pub(super) fn is_watched(&self) -> bool {
        self.watchers() > 0 || self.attendance.is_elsewhere()
    }

    /// Whether its game is in progress and watched.
    pub(super) fn is_going_on(&self) -> bool {
        let shown = self.shown.borrow();
        self.is_watched() && !shown.over() && shown.view.started && shown.trouble.is_none()
    }

    /// Whether the room stays in memory without watchers: people are being waited for, a clock runs, or only bots are
    /// to move in a room that people filled.
    pub(super) fn is_kept(&self) -> bool {
        let shown = self.shown.borrow();
        let is_bots = |seat: &Seat| matches!(shown.view.seats.get(seat.index()), Some(Seated::Contender(_)));
        let only_bots = shown.view.table.is_some() && shown.view.awaiting.iter().all(is_bots);
        let goes_on = !shown.finished && !shown.over() && shown.trouble.is_none();
        shown.is_waiting()
            || (goes_on && only_bots)
            || (!shown.finished && !shown.over() && !shown.view.running.is_empty())
    }

    /// When this process opened it, or took it from its log.
    pub(super) fn opened_at(&self) -> Instant {
        self.taken_at
    }

    /// How long it has been in this process's memory.
    pub fn open_for(&self) -> Duration {
        self.slots.core.clock.since(self.taken_at)
    }

    /// The room at this moment.
    pub fn snapshot(&self) -> Snapshot {
        self.shown.borrow().clone()
    }

    /// The room's id.
    pub fn id(&self) -> &RoomId {
        &self.id
    }

    /// Name and version of the ruleset that is played.
    pub fn ruleset(&self) -> &str {
        &self.ruleset
    }

    /// Who sits where.
    pub fn seats(&self) -> Vec<Seated> {
        self.shown.borrow().view.seats.clone()
    }

    /// The seats that a person has.
    pub fn seats_of(&self, person: PersonId) -> Vec<u8> {
        let shown = self.shown.borrow();
        let seats = (0..).zip(&shown.view.seats);
        seats.filter_map(|(seat, seated)| (*seated == Seated::Person(person)).then_some(seat)).collect()
    }

    /// The game in the form of the leaderboard of people, once it is over.
    pub async fn finished(&self) -> Option<Finished> {
        self.state.lock().await.room.finished()
    }

    /// The record of the game, once it is over.
    pub async fn record(&self) -> Option<Record> {
        self.state.lock().await.room.record()
    }

    /// Notes that a person wants a rematch; whether this was the last wish that was missing.
    pub(super) async fn wish(&self, person: PersonId) -> bool {
        let mut state = self.state.lock().await;
        if state.next.is_some() || state.rematch.contains(&person) {
            return false;
        }
        state.rematch.push(person);
        self.show(&state);
        people_of(&state.room).iter().all(|one| state.rematch.contains(one))
    }

    /// Notes that a person's wish for a rematch came to nothing.
    pub(super) async fn unwish(&self, person: PersonId) {
        let mut state = self.state.lock().await;
        state.rematch.retain(|one| *one != person);
        self.show(&state);
    }

    /// Notes the room of the rematch.
    pub(super) async fn goes_on_in(&self, next: RoomId) {
        let mut state = self.state.lock().await;
        state.next = Some(next);
        self.show(&state);
    }

    /// The players on this server, and its number of spectators.
    pub(super) fn attending(&self, at: Instant) -> (Vec<PersonId>, usize) {
        self.attendance.by_this_server(at)
    }

    /// Notes the players and spectators on another server.
    pub(super) fn attend_elsewhere(&self, server: Hex<16>, people: Vec<PersonId>, spectators: usize) {
        self.attendance.by_another_server(server, people, spectators);
    }

    /// Withdraws the wishes for a rematch of people who have left: nobody waits for somebody who is not there.
    pub(super) async fn forget_the_gone(&self, at: Instant) {
        let wishes = self.state.lock().await.rematch.clone();
        for person in wishes.into_iter().filter(|person| self.attendance.has_left(*person, at)) {
            if let Err(error) = self.send_to_servers(RoomMessage::NoNext(person)).await {
                warn!(room = short(&self.id), cause = with_causes(&error), "a wish for a rematch is not withdrawn yet");
            }
        }
    }

    /// Whether somebody has been away for so long: at least since this process has the room, if it has not seen them.
    pub(super) fn has_been_away(&self, person: PersonId, away: Duration, at: Instant) -> bool {
        let since = self.attendance.last_here(person).unwrap_or(self.taken_at);
        !self.attendance.is_here(person, at) && at.saturating_duration_since(since) >= away
    }

    /// Reads the log again, if it may have events that are not known here.
    pub(super) async fn refresh(&self, state: &mut LiveState) -> Result<(), StoreError> {
        if !state.stale {
            return Ok(());
        }
        let read = read(&self.slots.core, &self.id).await?;
        let read = read.ok_or_else(|| StoreError::Damaged(Mishap::LogLost.into()))?;
        let (rematch, next) = (std::mem::take(&mut state.rematch), state.next);
        // The log has whole seconds, and knows of no standstill.
        let is_known = read.room.later().len() == state.room.later().len();
        let since = if is_known { state.since } else { read.since };
        // A kept player continues if the log has as many answers of its as it has given.
        let players = if read.finished { BTreeMap::new() } else { std::mem::take(&mut state.players) };
        let told = |state: &LiveState| (state.room.later().len(), state.finished, state.trouble.clone());
        let before = told(state);
        *state = LiveState {
            asking: state.asking,
            players,
            since,
            rematch,
            next,
            chat: std::mem::take(&mut state.chat),
            ..read
        };
        self.ticks.notify_one();
        // Without a change nothing is shown: while the store is too busy for an event, the watchers of many rooms would
        // add to the load.
        if told(state) != before {
            self.show(state);
        }
        Ok(())
    }

    /// Another server wrote an event at this place, or changed the room in some other way.
    pub(super) async fn notified(self: &Arc<Self>, seq: Option<u32>) -> Result<(), StoreError> {
        // Most news are about what this server wrote itself.
        if seq.is_some_and(|seq| self.shown.borrow().view.events > seq as usize) {
            return Ok(());
        }
        let mut state = self.state.lock().await;
        let known = state.room.later().len();
        if state.finished || seq.is_some_and(|seq| known >= seq as usize) {
            return Ok(());
        }
        let at = self.slots.core.room_time.now();
        state.stale = true;
        self.refresh(&mut state).await?;
        if state.room.later().len() > known && at.saturating_duration_since(state.since) < NEWS_LATE {
            state.since = at;
            self.ticks.notify_one();
            self.show(&state);
        }
        if state.finished {
            self.slots.core.leases.leave(&self.duty);
        }
        self.ask_next(&mut state);
        Ok(())
    }

    /// Writes an event to the log, applies it, then shows it.
    pub(super) async fn append(
        &self,
        state: &mut LiveState,
        event: Event,
        at: Instant,
        now: UnixSeconds,
    ) -> Result<(), NotKept> {
        if state.finished {
            return Err(NotKept::Rejected(Rejected::GameOver));
        }
        let room_time = &self.slots.core.room_time;
        let seq = u32::try_from(1 + state.room.later().len()).unwrap_or(u32::MAX);
        // Tried before anything is written, so that no illegal event gets into the log.
        let damaged = |error| NotKept::Store(StoreError::Damaged(Box::new(error)));
        let spent_ms = state.spent_ms(at);
        let next = state.room.next(event, spent_ms).map_err(damaged)?;
        let line = next.logged().to_line();
        state.stale = true;
        match self.slots.core.store.append(&self.id, seq, &line, now).await {
            Ok(_) => {}
            Err(RoomError::Taken | RoomError::Gap { .. } | RoomError::Finished) => return Err(NotKept::Overtaken),
            Err(RoomError::TooManyEvents(_)) => {
                state.stale = false;
                return Err(NotKept::Rejected(Rejected::RoomFull));
            }
            Err(RoomError::Store(error)) => {
                room_time.refused(at, &error);
                return Err(NotKept::Store(error));
            }
            Err(error) => return Err(NotKept::Store(StoreError::Damaged(Box::new(error)))),
        }
        room_time.taken();
        state.room.advance(next);
        (state.stale, state.trouble, state.heard_at) = (false, None, now);
        // The remaining fraction of a millisecond counts with the next event.
        state.since += Duration::from_millis(spent_ms);
        self.ticks.notify_one();
        self.show(state);
        Ok(())
    }

    /// Ends the room once its game is over. If that fails, it is retried.
    pub(super) async fn finish(&self, state: &mut LiveState, now: UnixSeconds) {
        if !state.finished && state.room.outcome().is_some() {
            // Frees the players' processes.
            state.players.clear();
            let finished = self.slots.core.store.finish_room(&self.id, &state.people(), now).await;
            if let Err(error) = &finished {
                warn!(room = short(&self.id), cause = with_causes(error), "the end of a game is not written down yet");
            }
            state.finished = finished.is_ok();
            self.slots.core.leases.leave(&self.duty);
        }
    }

    /// Closes the room if nothing has happened in it since `silent_since`.
    pub(super) async fn close(&self, silent_since: UnixSeconds, now: UnixSeconds) -> Result<(), RoomError> {
        let mut state = self.state.lock().await;
        // A game with a running clock ends by itself.
        if state.finished || state.heard_at > silent_since || state.room.flag_in_ms().is_some() {
            return Ok(());
        }
        self.end(&mut state, now).await
    }

    /// Ends the room with its game unfinished.
    async fn end(&self, state: &mut LiveState, now: UnixSeconds) -> Result<(), RoomError> {
        self.slots.core.store.finish_room(&self.id, &state.people(), now).await?;
        state.finished = true;
        // Frees the players' processes.
        state.players.clear();
        state.trouble = state.closed();
        self.show(state);
        Ok(())
    }

    /// Whether only people have something left to do. If so, the asking task is over.
    pub(super) fn rest(&self, state: &mut LiveState) -> bool {
        let idle = state.is_idle();
        state.asking &= !idle;
        idle
    }

    pub(super) async fn show_trouble(&self, trouble: String) {
        let mut state = self.state.lock().await;
        if state.trouble.as_ref() != Some(&trouble) {
            state.trouble = Some(trouble);
            self.show(&state);
        }
    }

    pub(super) fn show(&self, state: &LiveState) {
        let mut lobby = false;
        self.shown.send_modify(|shown| {
            let view = Arc::new(state.room.view());
            let wanting = |seat: &u8| {
                matches!(view.seats.get(usize::from(*seat)),
                Some(Seated::Person(person)) if state.rematch.contains(person))
            };
            let next = Snapshot {
                version: self.version_after(shown.version),
                trouble: state.trouble.as_deref().map(Arc::from),
                finished: state.finished,
                rematch: (0..).take(view.seats.len()).filter(wanting).collect(),
                next: state.next,
                chat: state.chat.lines().into(),
                since: state.since,
                time: self.slots.core.room_time.clone(),
                view: view.clone(),
            };
            let listed = |shown: &Snapshot| (shown.view.seats.clone(), shown.is_waiting(), shown.over());
            lobby = shown.view.table.is_some() && listed(shown) != listed(&next);
            *shown = next;
        });
        if lobby {
            self.slots.lobby.send_modify(|count| *count += 1);
        }
    }
}

impl Drop for LiveRoom {
    fn drop(&mut self) {
        // Wakes the task that waits for its clocks, which then finds the room gone.
        self.ticks.notify_one();
        self.slots.core.leases.leave(&self.duty);
    }
}

/// The people who have seats in a room.
pub(super) fn people_of(room: &Room) -> Vec<PersonId> {
    let person = |seated: &Seated| match seated {
        Seated::Person(person) => Some(*person),
        Seated::Contender(_) | Seated::Open => None,
    };
    room.seats().iter().filter_map(person).collect()
}

/// A room's id in the diagnostic log: enough digits to find the room in the store, too few to watch it.
pub(super) fn short(id: &RoomId) -> String {
    id.to_string().chars().take(ID_DIGITS_LOGGED).collect()
}

/// A room from its log; `None` when there is none.
pub(super) async fn read(core: &Core, id: &RoomId) -> Result<Option<LiveState>, StoreError> {
    let Some(stored) = core.store.room(id).await? else { return Ok(None) };
    let events = stored.events.iter().map(|line| Logged::parse(line)).collect::<Result<Vec<Logged>, _>>();
    let events = events.map_err(|error| StoreError::Damaged(Box::new(error)))?;
    let room = Room::from_log(events).map_err(|error| StoreError::Damaged(Box::new(error)))?;
    let since = core.clocks_since(stored.heard_at);
    Ok(Some(LiveState::new(room, stored.state != RoomState::Open, stored.heard_at, since)))
}

/// Records whose time runs out, until the game is over or the room leaves memory, which it does not while a clock runs.
async fn flag(room: Weak<LiveRoom>, ticks: Arc<Notify>, core: Arc<Core>) {
    let mut stood_still = false;
    loop {
        let (at, retry) = {
            let Some(room) = room.upgrade() else { return };
            let mut state = room.state.lock().await;
            let flagged = room.flag_out(&mut state, core.room_time.now(), core.now()).await;
            if state.finished || state.room.outcome().is_some() {
                return;
            }
            let stands_still = core.room_time.stands_still();
            if std::mem::replace(&mut stood_still, stands_still) != stands_still {
                room.show(&state);
            }
            match flagged {
                Ok(()) => (state.flag_at(), None),
                Err(error) => {
                    let cause = with_causes(&error);
                    warn!(room = short(&room.id), cause, "a clock that ran out is not written down yet");
                    (None, Some(core.clock.now() + FLAG_PAUSE))
                }
            }
        };
        // A moment later, so that the whole milliseconds have passed.
        let at = at.map(|at| at + Duration::from_millis(1));
        let ticked = async {
            tokio::select! {
                () = core.room_time.sleep_until_any(at, stood_still) => {}
                () = core.clock.sleep_until_any(retry) => {}
                () = ticks.notified() => {}
            }
        };
        if core.stopping.run_until_cancelled(ticked).await.is_none() {
            return;
        }
    }
}
