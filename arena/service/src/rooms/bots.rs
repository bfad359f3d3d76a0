//! Bots in seats of rooms that wait for players.

use std::sync::Arc;

use arena_record::{EntrantId, Hex};
use arena_rooms::{Bot, PersonId, Rejected, Room};
use arena_rules::Seat;
use arena_runner::{Contender, opponent_digests};
use arena_store::{StoreError, UnixSeconds};
use arena_wire::Game;

use super::live::LiveRoom;
use super::opening::Started;
use super::{OpenRoomError, Opponent, PlayError, Rooms};

impl Rooms {
    /// Puts a bot or a built-in opponent into a seat of a room that waits, at its host's wish. Without a seat it takes
    /// every open one, which begins the game.
    ///
    /// # Errors
    /// When there is no such opponent, it does not start, or this person or room may not have it.
    pub async fn fill(
        &self,
        room: &Arc<LiveRoom>,
        host: PersonId,
        opponent: &Opponent,
        seat: Option<Seat>,
        now: UnixSeconds,
    ) -> Result<(), OpenRoomError> {
        let opened = room.state.lock().await.room.opened().clone();
        let game = Game::named(&opened.ruleset).map_err(|_| OpenRoomError::NoRooms("this game"))?;
        let entrant = self.entrant(game, opponent).await?;
        let made_for = Contender::of_baseline(game.ruleset, &entrant).and_then(|contender| contender.made_for());
        if made_for.is_some_and(|options| options != opened.options) {
            return Err(OpenRoomError::NoSuchOpponent);
        }
        let bot = |start| Bot {
            opponent: opponent_digests(game.ruleset, std::slice::from_ref(&entrant)).remove(&entrant),
            entrant: entrant.clone(),
            start,
        };
        // Refuses early, before anything is started.
        room.state.lock().await.room.seat_bot(host, bot(None), seat, Hex([0; 32])).map_err(PlayError::from)?;
        let before = Room::open(opened).map_err(|error| StoreError::Damaged(Box::new(error)))?;
        let fuel = self.starts(&before, &entrant).await?;
        let mut filled = false;
        loop {
            match room.seat_bot(host, bot(fuel), seat, now).await {
                Ok(()) => filled = true,
                // Somebody else took the last seat meanwhile.
                Err(PlayError::Rejected(Rejected::Started)) if filled => return Ok(()),
                Err(error) => return Err(error.into()),
            }
            if seat.is_some() || !room.snapshot().is_waiting() {
                return Ok(());
            }
        }
    }

    /// The fuel that a bot's start takes in a room; `None` if it is not metered.
    pub(super) async fn starts(&self, room: &Room, bot: &EntrantId) -> Result<Option<u64>, OpenRoomError> {
        let Started { fuel, fault, .. } = self.started(room, bot).await?;
        fault.map_or(Ok(fuel), |fault| Err(OpenRoomError::DoesNotStart(fault.code.as_str())))
    }
}

impl LiveRoom {
    /// Puts a bot whose start succeeded into a seat of a room that waits.
    async fn seat_bot(
        self: &Arc<Self>,
        host: PersonId,
        bot: Bot,
        seat: Option<Seat>,
        now: UnixSeconds,
    ) -> Result<(), PlayError> {
        let lot = Hex(self.slots.random()?);
        self.act(now, move |room| room.seat_bot(host, bot.clone(), seat, lot)).await
    }
}
