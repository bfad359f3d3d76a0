//! A recorded game, replayed with another version of a bot: what would that version have done?
//!
//! The version gets the seat, and the rest of the record's header stays the same. So the game is the recorded one until
//! the version answers differently; from there all bots answer live. Nothing of it is stored.

use arena_limits::{Kind, Refusal, Refused};
use arena_record::{EntrantId, Record};
use arena_referee::{PlayError, Player, play};
use arena_rules::{BySeat, Seat};
use arena_runner::{Contender, ContenderPlayer, semantics_id};

use crate::core::{WALL, on_a_thread_with};
use crate::logs::{LogError, ready};
use crate::rooms::BotSlots;

/// A game that was replayed with another version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Again {
    /// The first turn, from 0, in which the version answered otherwise or failed; `None` when the game is the recorded
    /// one.
    pub first_other: Option<usize>,
    /// The game as it is played now. It is not a record: its header still names the original player.
    pub game: Record,
}

/// Why a game cannot be replayed with another version.
#[derive(Debug, thiserror::Error)]
pub enum AgainError {
    /// A person played in it.
    #[error("a person played in this game, and cannot be asked again")]
    Person,
    /// There is no such seat.
    #[error("no bot of yours played in this game, or not in that seat")]
    NoSeat(Seat),
    /// As when reading a log.
    #[error(transparent)]
    Log(#[from] LogError),
}

impl Refused for AgainError {
    fn refusal(&self) -> Refusal {
        match self {
            AgainError::Person => Kind::Conflict
                .says("a_person_played", "`arena debug` asks a version about any turn of it, on your machine"),
            AgainError::NoSeat(_) => Kind::NotFound.says("not_your_bot", "sign in as the owner of the bot"),
            AgainError::Log(error) => error.refusal(),
        }
    }
}

impl BotSlots {
    /// A recorded game, replayed with another version of a bot in a seat. For the bot's author only.
    ///
    /// # Errors
    /// When a person played in it, another release played it, or the machine failed.
    pub async fn play_again(&self, record: Record, seat: Seat, bot: &EntrantId) -> Result<Again, AgainError> {
        let header = &record.header;
        if header.semantics != semantics_id(&header.ruleset) {
            return Err(LogError::OtherRelease.into());
        }
        if header.entrants.iter().any(|entrant| entrant.person().is_some()) {
            return Err(AgainError::Person);
        }
        let mut entrants = header.entrants.clone();
        *entrants.get_mut(seat.index()).ok_or(AgainError::NoSeat(seat))? = bot.clone();
        let right = self.logging().await;
        let mut contenders = Vec::new();
        for entrant in &entrants {
            contenders.push(ready(self, &record, entrant).await?);
        }
        let playing =
            on_a_thread_with(right, "again", move || again(&record, contenders, seat)).map_err(LogError::from)?;
        playing.await.unwrap_or_else(|died| Err(LogError::Machine(died.into()).into()))
    }
}

fn again(record: &Record, contenders: Vec<Contender>, seat: Seat) -> Result<Again, AgainError> {
    let mut players: Vec<ContenderPlayer> = contenders.iter().map(|contender| contender.player(WALL)).collect();
    let seated: Vec<&mut dyn Player> = players.iter_mut().map(|player| player as &mut dyn Player).collect();
    let game = play(record.header.clone(), BySeat::from(seated));
    let game = game.map_err(|error: PlayError| LogError::Machine(error.into()))?;
    Ok(Again { first_other: first_other(record, &game, seat), game })
}

/// The first turn, from 0, in which a seat answers differently in two games. The games are equal up to there.
fn first_other(one: &Record, other: &Record, seat: Seat) -> Option<usize> {
    let action = |record: &Record, turn: usize| {
        let plays = &record.turns.get(turn)?.plays;
        plays.iter().find(|play| play.seat == seat.0).map(|play| play.action.clone())
    };
    let turns = one.turns.len().max(other.turns.len());
    let differs = (0..turns).find(|turn| action(one, *turn) != action(other, *turn));
    // A failure in the turn after the last one is no answer: only the outcomes differ.
    differs.or_else(|| (one.outcome != other.outcome).then_some(turns))
}
