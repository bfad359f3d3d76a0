//! What a bot logged in a recorded game. Nothing is kept: a game is a function of its record and the bots' bytes, so it
//! is replayed when the bot's author asks.

use std::error::Error;
use std::sync::Arc;

use arena_limits::{Kind, Refusal, Refused};
use arena_record::{EntrantId, Record};
use arena_rules::Seat;
use arena_runner::{Contender, SampleGame, play_once_more, semantics_id};
use arena_store::StoreError;

use crate::core::{WALL, on_a_thread_with};
use crate::rooms::{BotSlots, Unseated};

/// What a bot logged in one game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameLog {
    /// The seat it had.
    pub seat: Seat,
    /// Its lines: hostile text, and for its author only.
    pub lines: Vec<String>,
    /// Lines beyond the sandbox's limits, which were dropped.
    pub dropped: u64,
}

/// Why a game's log is not available.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// Another release played the game, and this one may play it differently.
    #[error("another release of the arena played this game")]
    OtherRelease,
    /// The replayed game differs from the recorded one.
    #[error("played again, this game came out differently")]
    OtherGame,
    /// The machine failed.
    #[error("the game could not be played again")]
    Machine(#[source] Box<dyn Error + Send + Sync>),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Refused for LogError {
    fn refusal(&self) -> Refusal {
        match self {
            LogError::OtherRelease | LogError::OtherGame => {
                Kind::Conflict.says("no_log", "games that this release has played have logs")
            }
            LogError::Machine(_) => Kind::Failed.says("unavailable", "the same request may succeed in a moment"),
            LogError::Store(error) => error.refusal(),
        }
    }
}

impl BotSlots {
    /// What a bot logged in a recorded game from each seat that it had: the game is replayed, and the other seats
    /// answer from the record. For its author only.
    ///
    /// # Errors
    /// When another release played it, or the machine failed.
    pub async fn game_log(&self, record: Record, bot: &EntrantId) -> Result<Vec<GameLog>, LogError> {
        if record.header.semantics != semantics_id(&record.header.ruleset) {
            return Err(LogError::OtherRelease);
        }
        let right = self.logging().await;
        let contender = ready(self, &record, bot).await?;
        let seats = (0..).map(Seat).zip(&record.header.entrants).filter(|(_, entrant)| *entrant == bot);
        let seats: Vec<Seat> = seats.map(|(seat, _)| seat).collect();
        let record = Arc::new(record);
        let play_all = move || seats.into_iter().map(|seat| of_seat(&record, &contender, seat)).collect();
        let played = on_a_thread_with(right, "log", play_all)?.await;
        played.unwrap_or_else(|died| Err(LogError::Machine(died.into())))
    }
}

/// The contender with this id, ready to play under the terms of a record.
pub(crate) async fn ready(slots: &BotSlots, record: &Record, id: &EntrantId) -> Result<Contender, LogError> {
    let contender = slots.contender(&record.header.ruleset, id, record.header.budgets).await;
    contender.map(|ready| ready.contender).map_err(|error| match error {
        Unseated::Store(error) => LogError::Store(error),
        error => LogError::Machine(error.into()),
    })
}

fn of_seat(record: &Arc<Record>, bot: &Contender, seat: Seat) -> Result<GameLog, LogError> {
    let played = once_more(record, bot, seat)?;
    Ok(GameLog { seat, lines: played.log, dropped: played.log_dropped })
}

/// Replays a recorded game with the bot that played it, which must give the same game.
pub(crate) fn once_more(record: &Arc<Record>, bot: &Contender, seat: Seat) -> Result<SampleGame, LogError> {
    let played = play_once_more(record, bot, seat, WALL).map_err(|error| LogError::Machine(error.into()))?;
    if played.record.digest == record.digest { Ok(played) } else { Err(LogError::OtherGame) }
}
