//! What people do in a room: turns, seats, draws, and giving up. Each act is tried on the log as it is, until an event
//! has its place there.

use std::sync::Arc;
use std::time::Duration;

use arena_clock::Instant;
use arena_record::Hex;
use arena_rooms::{Command, Newcomer, PersonId, Proposal, Rejected, Room, Seated};
use arena_rules::Seat;
use arena_store::{RoomError, StoreError, UnixSeconds};
use tracing::Instrument;

use super::{LiveRoom, LiveState, Mishap, NotKept, people_of};
use crate::core::unavailable;
use crate::limits::{APPEND_TRIES, AWAY_MINUTES_MIN};
use crate::rooms::PlayError;

/// Shown in a room that was closed with its game unfinished.
const CLOSED: &str = "this game has ended without a result, because it had waited for somebody for long";

/// Shown in a room that was closed before its game.
const CLOSED_EARLY: &str = "this room was closed before its game began";

impl LiveState {
    /// The notice in a room that was closed with its game unfinished.
    pub(super) fn closed(&self) -> Option<String> {
        let closed = if self.room.has_started() { CLOSED } else { CLOSED_EARLY };
        (self.finished && self.room.outcome().is_none()).then(|| closed.into())
    }
}

impl LiveRoom {
    /// Plays a person's turn. `Ok` means that it is in the log, durably, by this call or an earlier one. The write
    /// completes even if the caller stops waiting.
    ///
    /// # Errors
    /// Why it did nothing, or that the outcome is unknown.
    pub async fn play(self: &Arc<Self>, person: PersonId, command: Command, now: UnixSeconds) -> Result<(), PlayError> {
        self.act(now, move |room| room.propose(person, &command)).await
    }

    /// Resigns for a person in turn `ply`, also when it is another seat's turn.
    ///
    /// # Errors
    /// As [`play`](LiveRoom::play).
    pub async fn resign(self: &Arc<Self>, person: PersonId, ply: u16, now: UnixSeconds) -> Result<(), PlayError> {
        self.act(now, move |room| room.resign(person, ply)).await
    }

    /// Seats a person: in the given seat, or in any.
    pub(in crate::rooms) async fn join(
        self: &Arc<Self>,
        newcomer: Newcomer,
        seat: Option<Seat>,
        now: UnixSeconds,
    ) -> Result<(), PlayError> {
        let lot = Hex(self.slots.random()?);
        self.act(now, move |room| room.join(newcomer, seat, lot)).await
    }

    /// Takes a person out of its seat before the game. If the host leaves, the room is closed.
    ///
    /// # Errors
    /// As [`play`](LiveRoom::play).
    pub async fn leave(self: &Arc<Self>, person: PersonId, now: UnixSeconds) -> Result<(), PlayError> {
        let hosted = {
            let state = self.state.lock().await;
            state.room.is_hosted_by(person) && !state.room.has_started()
        };
        if !hosted {
            return self.act(now, move |room| room.leave(person)).await;
        }
        let mut state = self.state.lock().await;
        if state.room.has_started() {
            return Err(Rejected::Started.into());
        }
        self.end(&mut state, now).await.map_err(not_ended)
    }

    /// Offers a draw for a person in turn `ply`, or accepts the offer of the others.
    ///
    /// # Errors
    /// As [`play`](LiveRoom::play).
    pub async fn draw(self: &Arc<Self>, person: PersonId, ply: u16, now: UnixSeconds) -> Result<(), PlayError> {
        self.act(now, move |room| room.draw(person, ply)).await
    }

    /// Declines the others' offers of a draw for a person in turn `ply`.
    ///
    /// # Errors
    /// As [`play`](LiveRoom::play).
    pub async fn decline_draw(self: &Arc<Self>, person: PersonId, ply: u16, now: UnixSeconds) -> Result<(), PlayError> {
        self.act(now, move |room| room.decline_draw(person, ply)).await
    }

    /// Ends a game without a result for a person, if it has no clock and waits only for people who have been away for
    /// [`AWAY_MINUTES_MIN`].
    ///
    /// # Errors
    /// As [`play`](LiveRoom::play).
    pub async fn abandon(&self, person: PersonId, now: UnixSeconds) -> Result<(), PlayError> {
        let mut state = self.state.lock().await;
        self.refresh(&mut state).await?;
        let people = people_of(&state.room);
        if !people.contains(&person) {
            return Err(Rejected::NotYourSeat.into());
        }
        if state.finished || state.room.outcome().is_some() {
            return Err(Rejected::GameOver.into());
        }
        if !state.room.has_started() {
            return Err(Rejected::NotStarted.into());
        }
        let at = self.slots.core.clock.now();
        let away = Duration::from_secs(60 * AWAY_MINUTES_MIN);
        let is_away = |seat: &u8| match state.room.seats().get(usize::from(*seat)) {
            Some(Seated::Person(other)) => *other != person && self.has_been_away(*other, away, at),
            _ => false,
        };
        let view = state.room.view();
        let waits_in_vain = !view.awaiting.is_empty() && view.awaiting.iter().all(|seat| is_away(&seat.0));
        if view.clock.is_some() || !waits_in_vain {
            return Err(Rejected::NotAbandoned.into());
        }
        self.end(&mut state, now).await.map_err(not_ended)
    }

    pub(in crate::rooms) async fn act(
        self: &Arc<Self>,
        now: UnixSeconds,
        propose: impl Fn(&Room) -> Result<Proposal, Rejected> + Send + 'static,
    ) -> Result<(), PlayError> {
        let room = self.clone();
        // In a task of its own, because the caller may be dropped halfway.
        let acting = async move { room.act_to_the_end(now, propose).await };
        let acted = self.slots.core.tasks.spawn(acting.in_current_span());
        acted.await.unwrap_or_else(|error| Err(unavailable(error).into()))
    }

    async fn act_to_the_end(
        self: Arc<Self>,
        now: UnixSeconds,
        propose: impl Fn(&Room) -> Result<Proposal, Rejected> + Send,
    ) -> Result<(), PlayError> {
        let mut state = self.state.lock().await;
        let acted = self.act_on(&mut state, now, propose).await;
        // Even after a failure: the log may have been read again, or may have to be.
        self.ask_next(&mut state);
        acted
    }

    async fn act_on(
        &self,
        state: &mut LiveState,
        now: UnixSeconds,
        propose: impl Fn(&Room) -> Result<Proposal, Rejected> + Send,
    ) -> Result<(), PlayError> {
        let room_time = &self.slots.core.room_time;
        for _ in 0..APPEND_TRIES {
            let asked = room_time.now();
            self.refresh(state).await.inspect_err(|error| room_time.refused(asked, error))?;
            let at = room_time.now();
            self.flag_out(state, at, now).await?;
            let event = match propose(&state.room)? {
                Proposal::AlreadyApplied => return Ok(()),
                Proposal::Append(event) => event,
            };
            match self.append(state, event, at, now).await {
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

    /// Records whose time has run out by a moment.
    pub(super) async fn flag_out(
        &self,
        state: &mut LiveState,
        at: Instant,
        now: UnixSeconds,
    ) -> Result<(), StoreError> {
        while let Some(seat) = state.room.flagged(state.spent_ms(at)).filter(|_| !state.finished) {
            let event = state.room.flag(seat);
            match self.append(state, event, at, now).await {
                Ok(()) => self.finish(state, now).await,
                Err(NotKept::Overtaken) => self.refresh(state).await?,
                Err(NotKept::Rejected(_)) => return Ok(()),
                Err(NotKept::Store(error)) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Why a room was not ended.
fn not_ended(error: RoomError) -> PlayError {
    match error {
        RoomError::Store(error) => error.into(),
        error => PlayError::from(StoreError::Damaged(Box::new(error))),
    }
}
