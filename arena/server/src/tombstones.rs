//! Answers 410 for removed rooms and tournaments. The latest [`Limits::gone_max`] removals keep their date; earlier
//! ones are known by other traces, except rooms whose games did not count, and their answers say by which day they were
//! removed.

use arena_rooms::RoomId;
use arena_service::Service;
use arena_service::contests::contest_of;
use arena_service::limits::{CONTESTS_KEPT_MAX, EDITIONS_KEPT_MAX};
use arena_store::{ContestId, Limits, Page, Removed, TournamentId};

use crate::dates::day;
use crate::language::Text;
use crate::problem::{Code, Problem, Result};
use crate::text;

/// A sentence in English and in Spanish.
type InBoth = (String, Text);

fn gone((detail, sentence): InBoth, (hint, advice): InBoth) -> Problem {
    Problem::new(Code::Gone, detail, hint).saying(sentence).advising(advice)
}

/// The day by which everything had been removed that is forgotten; `None` if nothing is, or it is not known.
async fn forgotten(service: &Service) -> Result<Option<String>> {
    Ok(service.store().forgotten_before().await?.map(day))
}

/// The answer for a room that is not there: it was removed, or no such room is known.
pub(crate) async fn room(service: &Service, id: &RoomId) -> Result<Problem> {
    let kept_mib = Limits::DEFAULT.finished_room_bytes_max >> 20;
    let hint = (
        format!("the logs of finished rooms are kept up to {kept_mib} MiB, then the oldest make way"),
        text::hint_rooms_are_kept(kept_mib),
    );
    if let Some(since) = service.store().gone_since(&Removed::Room(*id)).await? {
        let date = day(since);
        let detail = format!("this room was removed on {date}, to make space");
        return Ok(gone((detail, text::refused_room_removed(date)), hint));
    }
    // Removed before the time that is remembered, but its game still counts.
    let Some(ended) = service.leaderboard().ended_at(id).await? else {
        let hint = "open one at /play";
        return Ok(match forgotten(service).await? {
            Some(date) => {
                let detail = format!("there is no such room: it never was, or was removed on {date} or before");
                Problem::new(Code::NoSuchRoom, detail, hint).saying(text::refused_room_removed_before(date))
            }
            None => {
                let detail = "there is no such room: it never was, or was removed long ago";
                Problem::new(Code::NoSuchRoom, detail, hint)
            }
        });
    };
    let date = day(ended);
    let detail = format!("this game ended on {date} and counts as before, but its record is not kept any more");
    Ok(gone((detail, text::refused_room_record_gone(date)), hint))
}

/// The answer for a removed tournament, an edition or an account's; `None` if no such tournament is known.
pub(crate) async fn tournament(service: &Service, id: &TournamentId) -> Result<Option<Problem>> {
    match contest_of(id.as_str()) {
        Some(id) => contest(service, id).await,
        None => edition(service, id).await,
    }
}

/// The answer for an account's removed tournament; `None` if no such tournament is known.
pub(crate) async fn contest(service: &Service, id: ContestId) -> Result<Option<Problem>> {
    let hint = (
        format!("the latest {CONTESTS_KEPT_MAX} tournaments are kept; /tournaments has them"),
        text::hint_tournaments_are_kept(CONTESTS_KEPT_MAX),
    );
    if let Some(since) = service.store().gone_since(&Removed::Contest(id)).await? {
        let date = day(since);
        let detail = format!("this tournament was removed on {date}, to make space");
        return Ok(Some(gone((detail, text::refused_tournament_removed(date)), hint)));
    }
    // Numbers are given once, so a lower number that is missing was removed before the time that is remembered.
    let latest = service.store().contests(None, Page::first(1)).await?.first().map(|contest| contest.id);
    if latest.is_none_or(|latest| id >= latest) || service.contests().shown(id).await?.is_some() {
        return Ok(None);
    }
    let detail = match forgotten(service).await? {
        Some(date) => {
            (format!("this tournament was removed on {date} or before"), text::refused_tournament_removed_before(date))
        }
        None => ("this tournament is not kept any more".into(), text::refused_tournament_gone()),
    };
    Ok(Some(gone(detail, hint)))
}

/// The answer for a removed edition of a standing tournament; `None` for one that is kept, or never existed.
async fn edition(service: &Service, id: &TournamentId) -> Result<Option<Problem>> {
    let Some((game, number)) = arena_service::edition_of(id) else { return Ok(None) };
    let standing = service.standing().of(game);
    let Some(latest) = standing.edition.as_ref().map(|edition| edition.number) else { return Ok(None) };
    let successor = number as usize + EDITIONS_KEPT_MAX;
    if number == 0 || (latest as usize) < successor {
        return Ok(None);
    }
    // For an edition that an earlier release removed: the time when the edition that replaced it was finished, if that
    // is kept.
    let took_its_place = standing.history.iter().find(|past| past.number as usize == successor);
    let since = service.store().gone_since(&Removed::Games(id.clone())).await?;
    let hint = (
        format!("the latest {EDITIONS_KEPT_MAX} editions are kept; /games has the games of edition {latest}"),
        text::hint_editions_are_kept(EDITIONS_KEPT_MAX, latest),
    );
    if let Some(since) = since.or(took_its_place.map(|past| past.finished_at)) {
        let date = day(since);
        let detail = format!("edition {number} of this tournament was removed on {date}, to make space");
        return Ok(Some(gone((detail, text::refused_edition_removed(date, number)), hint)));
    }
    let detail = match forgotten(service).await? {
        Some(date) => (
            format!("edition {number} of this tournament was removed on {date} or before"),
            text::refused_edition_removed_before(date, number),
        ),
        None => {
            (format!("edition {number} of this tournament is not kept any more"), text::refused_edition_gone(number))
        }
    };
    Ok(Some(gone(detail, hint)))
}
