//! Finds games by their ids. Their records are in a tournament's folder, or are made from a room's log.

use std::error::Error;
use std::fmt;
use std::path::Path;
use std::sync::Arc;

use arena_record::Record;
use arena_rooms::RoomId;
use arena_rules::Seat;
use arena_runner::{Archive, ArchiveError, FolderError, JournalError};
use arena_service::{LiveRoom, Service};
use arena_store::{IndexedGame, TournamentId};
use axum::http::StatusCode;

use crate::app::App;
use crate::problem::{Code, Problem, Result};
use crate::tombstones;

/// A game's id: `TOURNAMENT.NUMBER`, or the 32 digits of a room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum GameId {
    Tournament(TournamentId, u32),
    Room(RoomId),
}

impl GameId {
    pub(crate) fn parse(text: &str) -> Option<GameId> {
        if let Ok(room) = text.parse() {
            return Some(GameId::Room(room));
        }
        let (tournament, number) = text.rsplit_once('.')?;
        let number: u32 = number.parse().ok()?;
        let id = GameId::Tournament(TournamentId::parse(tournament).ok()?, number);
        // Each game has one address only.
        (id.to_string() == text).then_some(id)
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameId::Tournament(tournament, number) => write!(f, "{tournament}.{number}"),
            GameId::Room(room) => room.fmt(f),
        }
    }
}

/// The record of a finished game, and its canonical text.
pub(crate) async fn record(service: &Service, id: &str) -> Result<(Record, String)> {
    let nothing = || Problem::new(Code::NoSuchGame, "there is no such game", "/games has the latest ones");
    match GameId::parse(id).ok_or_else(nothing)? {
        GameId::Room(id) => {
            let room = room_of(service, &id).await?;
            let record = room.record().await.ok_or_else(|| {
                Problem::new(Code::NotFinished, "this game is still being played", "watch it in its room")
            })?;
            let text = record.to_text();
            Ok((record, text))
        }
        GameId::Tournament(tournament, number) => {
            let found = match service.store().game(&tournament, number).await? {
                // It may have been removed meanwhile.
                Some(found) => record_of(service, &found).await?,
                None => None,
            };
            let Some(record) = found else {
                return Err(tombstones::tournament(service, &tournament).await?.unwrap_or_else(nothing));
            };
            let text = record.to_text();
            Ok((record, text))
        }
    }
}

/// The seats of a game that accounts' own programs had, if it is that of a room that is kept; empty for a tournament's
/// game.
pub(crate) async fn programs(service: &Service, id: &str) -> Result<Vec<Seat>> {
    let Some(GameId::Room(room)) = GameId::parse(id) else { return Ok(Vec::new()) };
    let room = service.rooms().room(&room).await?;
    Ok(room.map_or_else(Vec::new, |room| room.snapshot().view.programs.clone()))
}

/// Why the operator took a game out of the count of people's games, or annulled its tournament.
pub(crate) async fn annulled(app: &App, id: &str) -> Result<Option<String>> {
    Ok(match GameId::parse(id) {
        Some(GameId::Room(room)) => app.store().people_game(&room).await?.and_then(|game| game.annulled),
        Some(GameId::Tournament(id, _)) => app.measures.annulled(id.as_str()).map(|annulled| annulled.reason),
        None => None,
    })
}

/// The record of a tournament's game; `None` if the tournament's folder is gone.
pub(crate) async fn record_of(service: &Service, game: &IndexedGame) -> Result<Option<Record>> {
    let folder = service.tournaments().join(Path::new(&game.path));
    let number = game.number as usize;
    let read = move || Archive::open(&folder)?.record(number);
    match tokio::task::spawn_blocking(read).await.map_err(|error| unreadable(&error))? {
        Ok(record) => Ok(Some(record)),
        Err(ArchiveError::Folder(FolderError::NotStarted(_))) => Ok(None),
        Err(
            error @ (ArchiveError::Folder(_) | ArchiveError::Io { .. } | ArchiveError::Journal(JournalError::Io(_))),
        ) => Err(unreadable(&error)),
        Err(error) => Err(damaged(&error)),
    }
}

fn unreadable(error: &dyn Error) -> Problem {
    Problem::of_status(StatusCode::SERVICE_UNAVAILABLE).caused_by(error)
}

fn damaged(error: &dyn Error) -> Problem {
    let (what, hint) = ("the record of this game is damaged", "the operator of this arena has to look at its data");
    Problem::new(Code::Damaged, what, hint).caused_by(error)
}

/// A room, or the reason why there is none.
pub(crate) async fn room_of(service: &Service, id: &RoomId) -> Result<Arc<LiveRoom>> {
    match service.rooms().room(id).await? {
        Some(room) => Ok(room),
        None => Err(tombstones::room(service, id).await?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_has_one_address() {
        let room = "0123456789abcdef0123456789abcdef";
        for good in ["standing-3.42", "cup.x.0", room] {
            assert_eq!(GameId::parse(good).map(|id| id.to_string()).as_deref(), Some(good));
        }
        for bad in ["", ".", "cup", "cup.", ".3", "cup.-1", "cup.03", "cup.+3", "cup.4294967296", "../x.3", &room[1..]]
        {
            assert_eq!(GameId::parse(bad), None, "{bad}");
        }
    }
}
