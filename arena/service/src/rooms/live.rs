//! A room in memory: commands come in one at a time, events go into the log, then into the room, then to all
//! watchers.

use std::collections::BTreeMap;
use std::sync::Arc;

use arena_record::Record;
use arena_rooms::{AnyRoom, Command, Event, PersonId, Proposal, Rejected, RoomId, Seated};
use arena_store::{RoomError, RoomState, Store, StoreError, UnixSeconds};
use tokio::sync::{Mutex, watch};
use tracing::{Instrument, warn};

use super::desk::Desk;
use super::player::Waiting;
use super::{PlayError, Snapshot};
use crate::core::{unavailable, with_causes};
use crate::limits::APPEND_TRIES;

/// What people are told of a room that was closed with its game unfinished.
const CLOSED: &str = "this room was closed, because nothing had happened in it for long";

/// Digits of a room's id in the log of a site.
const ID_DIGITS_LOGGED: usize = 8;

/// A room that people watch and play in. Everybody in this process who has the same id has the same `LiveRoom`.
pub struct LiveRoom {
    id: RoomId,
    ruleset: String,
    pub(super) seats: Vec<Seated>,
    pub(super) desk: Arc<Desk>,
    pub(super) state: Mutex<State>,
    shown: watch::Sender<Snapshot>,
}

pub(super) struct State {
    pub(super) room: Box<dyn AnyRoom>,
    /// Whether nothing is appended any more.
    pub(super) finished: bool,
    /// When the last event came.
    heard_at: UnixSeconds,
    /// A write began and it is not known how it ended: the log is read again before anything else.
    pub(super) stale: bool,
    /// A task asks the players whose turn it is.
    pub(super) asking: bool,
    /// What keeps a player from answering.
    trouble: Option<String>,
    pub(super) players: BTreeMap<u8, Waiting>,
}

/// What a room may meet that has no error of its own.
#[derive(Debug, thiserror::Error)]
enum Mishap {
    #[error("a room has lost its log")]
    LogLost,
    #[error("others were faster each time")]
    Overtaken,
}

/// Why an event is not in the log, or nobody knows whether it is.
pub(super) enum NotKept {
    /// Another one has its place.
    Overtaken,
    /// There is no place for it any more.
    Rejected(Rejected),
    Store(StoreError),
}

impl State {
    pub(super) fn new(room: Box<dyn AnyRoom>, finished: bool, heard_at: UnixSeconds) -> State {
        let trouble = (finished && room.outcome().is_none()).then(|| CLOSED.into());
        State { room, finished, heard_at, stale: false, asking: false, trouble, players: BTreeMap::new() }
    }

    /// Whether there is something to do that no person does.
    pub(super) fn is_idle(&self) -> bool {
        !self.stale && (self.finished || (self.room.outcome().is_none() && self.room.to_ask().is_none()))
    }
}

impl LiveRoom {
    pub(super) fn new(desk: Arc<Desk>, id: RoomId, state: State) -> Arc<LiveRoom> {
        let shown = watch::Sender::new(Snapshot::of(&*state.room, state.trouble.as_deref(), 1));
        let (ruleset, seats) = (state.room.opened().ruleset.clone(), state.room.opened().seats.clone());
        let room = Arc::new(LiveRoom { id, ruleset, seats, desk, state: Mutex::new(state), shown });
        if let Ok(mut state) = room.state.try_lock() {
            room.go_on(&mut state);
        }
        room
    }

    /// The room's snapshots: the latest at once, then each new one unless a newer one came meanwhile.
    pub fn watch(&self) -> watch::Receiver<Snapshot> {
        self.shown.subscribe()
    }

    /// How many watch it, players among them.
    pub fn watchers(&self) -> usize {
        self.shown.receiver_count()
    }

    /// Whether somebody is there and the game is not over.
    pub(super) fn is_going_on(&self) -> bool {
        let shown = self.shown.borrow();
        self.watchers() > 0 && !shown.over() && shown.trouble.is_none()
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
        self.seats.clone()
    }

    /// The seats of a person.
    pub fn seats_of(&self, person: PersonId) -> Vec<u8> {
        let seats = (0..).zip(&self.seats);
        seats.filter_map(|(seat, seated)| (*seated == Seated::Person(person)).then_some(seat)).collect()
    }

    /// The record of the game, once it is over.
    pub async fn record(&self) -> Option<Record> {
        self.state.lock().await.room.record()
    }

    /// Plays a person's turn. `Ok` means that it is in the log, durably, now or since before. It goes on when the
    /// caller stops waiting for it.
    ///
    /// # Errors
    /// Why it does nothing, or that it is not known whether it did.
    pub async fn play(self: &Arc<Self>, person: PersonId, command: Command, now: UnixSeconds) -> Result<(), PlayError> {
        self.act(now, move |room| room.propose(person, &command)).await
    }

    /// Gives up for a person in turn `ply`, which is its own or another's.
    ///
    /// # Errors
    /// As [`play`](LiveRoom::play).
    pub async fn resign(self: &Arc<Self>, person: PersonId, ply: u16, now: UnixSeconds) -> Result<(), PlayError> {
        self.act(now, move |room| room.resign(person, ply)).await
    }

    async fn act(
        self: &Arc<Self>,
        now: UnixSeconds,
        propose: impl Fn(&dyn AnyRoom) -> Result<Proposal, Rejected> + Send + 'static,
    ) -> Result<(), PlayError> {
        let room = self.clone();
        // A task, because the caller may be gone in the middle of it.
        let acting = async move { room.act_to_the_end(now, propose).await };
        let acted = self.desk.core.tasks.spawn(acting.in_current_span());
        acted.await.unwrap_or_else(|error| Err(unavailable(error).into()))
    }

    async fn act_to_the_end(
        self: Arc<Self>,
        now: UnixSeconds,
        propose: impl Fn(&dyn AnyRoom) -> Result<Proposal, Rejected> + Send,
    ) -> Result<(), PlayError> {
        let mut state = self.state.lock().await;
        let acted = self.act_on(&mut state, now, propose).await;
        // Whatever came of it: the log may have been read again, or have to be.
        self.go_on(&mut state);
        acted
    }

    async fn act_on(
        &self,
        state: &mut State,
        now: UnixSeconds,
        propose: impl Fn(&dyn AnyRoom) -> Result<Proposal, Rejected> + Send,
    ) -> Result<(), PlayError> {
        for _ in 0..APPEND_TRIES {
            self.refresh(state).await?;
            let event = match propose(&*state.room)? {
                Proposal::AlreadyApplied => return Ok(()),
                Proposal::Append(event) => event,
            };
            match self.append(state, event, now).await {
                Ok(()) => {
                    self.finish(state, now).await;
                    return Ok(());
                }
                Err(NotKept::Overtaken) => {}
                Err(NotKept::Rejected(rejected)) => return Err(rejected.into()),
                Err(NotKept::Store(error)) => return Err(error.into()),
            }
        }
        Err(unavailable(Mishap::Overtaken).into())
    }

    /// Reads the log again, if it may have more than is known here.
    pub(super) async fn refresh(&self, state: &mut State) -> Result<(), StoreError> {
        if !state.stale {
            return Ok(());
        }
        let read = read(&*self.desk.core.store, &self.id).await?;
        let read = read.ok_or_else(|| StoreError::Damaged(Mishap::LogLost.into()))?;
        *state = State { asking: state.asking, ..read };
        self.show(state);
        Ok(())
    }

    /// Writes an event down, then applies it, then shows it.
    pub(super) async fn append(&self, state: &mut State, event: Event, now: UnixSeconds) -> Result<(), NotKept> {
        if state.finished {
            return Err(NotKept::Rejected(Rejected::GameOver));
        }
        let seq = u32::try_from(1 + state.room.later().len()).unwrap_or(u32::MAX);
        let line = event.to_line();
        // The room it makes, before anything is written: an event that does not belong there must not be in the log.
        let damaged = |error| NotKept::Store(StoreError::Damaged(Box::new(error)));
        let next = state.room.with(event).map_err(damaged)?;
        state.stale = true;
        match self.desk.core.store.append(&self.id, seq, &line, now).await {
            Ok(_) => {}
            Err(RoomError::Taken | RoomError::Gap { .. } | RoomError::Finished) => return Err(NotKept::Overtaken),
            Err(RoomError::TooManyEvents(_)) => {
                state.stale = false;
                return Err(NotKept::Rejected(Rejected::RoomFull));
            }
            Err(RoomError::Store(error)) => return Err(NotKept::Store(error)),
            Err(error) => return Err(NotKept::Store(StoreError::Damaged(Box::new(error)))),
        }
        (state.room, state.stale, state.trouble, state.heard_at) = (next, false, None, now);
        self.show(state);
        Ok(())
    }

    /// Ends the room, when its game is over. When that fails, it is tried again.
    pub(super) async fn finish(&self, state: &mut State, now: UnixSeconds) {
        if !state.finished && state.room.outcome().is_some() {
            // Gives the processes back.
            state.players.clear();
            let finished = self.desk.core.store.finish_room(&self.id, now).await;
            if let Err(error) = &finished {
                warn!(room = short(&self.id), cause = with_causes(error), "the end of a game is not written down yet");
            }
            state.finished = finished.is_ok();
        }
    }

    /// Closes the room if nothing was heard of it after `silent_since`.
    pub(super) async fn close(&self, silent_since: UnixSeconds, now: UnixSeconds) -> Result<(), RoomError> {
        let mut state = self.state.lock().await;
        if state.finished || state.heard_at > silent_since {
            return Ok(());
        }
        self.desk.core.store.finish_room(&self.id, now).await?;
        state.finished = true;
        // Gives the processes back.
        state.players.clear();
        state.trouble = state.room.outcome().is_none().then(|| CLOSED.into());
        self.show(&state);
        Ok(())
    }

    /// Whether all that is left to do is a person's. Then the asking task is over.
    pub(super) fn rest(&self, state: &mut State) -> bool {
        let idle = state.is_idle();
        state.asking &= !idle;
        idle
    }

    pub(super) async fn tell(&self, trouble: String) {
        let mut state = self.state.lock().await;
        if state.trouble.as_ref() != Some(&trouble) {
            state.trouble = Some(trouble);
            self.show(&state);
        }
    }

    fn show(&self, state: &State) {
        self.shown.send_modify(|shown| {
            *shown = Snapshot::of(&*state.room, state.trouble.as_deref(), shown.version + 1);
        });
    }
}

/// A room's id in the log of a site: enough of it to find the room in the store, not enough to watch it, which takes all of it.
pub(super) fn short(id: &RoomId) -> String {
    id.to_string().chars().take(ID_DIGITS_LOGGED).collect()
}

/// A room from its log; `None` when there is none.
pub(super) async fn read(store: &dyn Store, id: &RoomId) -> Result<Option<State>, StoreError> {
    let Some(stored) = store.room(id).await? else { return Ok(None) };
    let events = stored.events.iter().map(|line| Event::parse(line)).collect::<Result<Vec<Event>, _>>();
    let events = events.map_err(|error| StoreError::Damaged(Box::new(error)))?;
    let room = <dyn AnyRoom>::from_log(events).map_err(|error| StoreError::Damaged(Box::new(error)))?;
    Ok(Some(State::new(room, stored.state != RoomState::Open, stored.heard_at)))
}
