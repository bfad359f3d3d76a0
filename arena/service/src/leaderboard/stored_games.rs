//! A finished game as the store keeps it, and how a room's log becomes one.

use std::collections::BTreeSet;

use arena_people::{Annulled, Browser, Finished, GameMode, Side, Who};
use arena_record::{Hex, OutcomeRecord};
use arena_rooms::{Logged, Newcomer, Seated};
use arena_rules::{BySeat, Outcome, Reason, Seat};
use arena_runner::Contender;
use arena_store::{AccountId, Keeping, PeopleGame, Room, RoomState, UnixSeconds};
use serde::{Deserialize, Serialize};

use crate::account_of_person;

/// The only game with rounds of two turns.
const WITH_ROUNDS: &str = "conquerors";

/// A [`Finished`] game as a line of JSON, without its room.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    ruleset: String,
    rated: bool,
    sides: Vec<Side>,
    outcome: OutcomeRecord,
    round: Option<u32>,
    elapsed_s: u32,
    digest: Hex<32>,
    finished_at: i64,
}

/// A stored game that this release does not understand.
#[derive(Debug, thiserror::Error)]
pub(super) enum NotAGame {
    #[error("a game of people is not JSON of this release")]
    Json(#[from] serde_json::Error),
    #[error("a game of people ended for an unknown reason, {0:?}")]
    Reason(String),
}

/// The text under which the store keeps a game.
pub(super) fn text(game: &Finished) -> String {
    let kept = Kept {
        ruleset: game.ruleset.clone(),
        rated: game.terms == GameMode::Rated,
        sides: game.sides.values().to_vec(),
        outcome: OutcomeRecord::from(&game.outcome),
        round: game.round,
        elapsed_s: game.elapsed_s,
        digest: game.digest,
        finished_at: game.finished_at,
    };
    // Strings, numbers and lists always serialise.
    serde_json::to_string(&kept).unwrap_or_default()
}

/// When a stored game ended; `None` if this release does not understand it.
pub(super) fn ended_at(game: &PeopleGame) -> Option<UnixSeconds> {
    Some(UnixSeconds(serde_json::from_str::<Kept>(&game.game).ok()?.finished_at))
}

/// Parses a game from the store. One against an opponent that was made for other rules was played by those rules, so it
/// is not rated, although it may have been kept as such.
pub(super) fn game(PeopleGame { room, game, annulled, .. }: &PeopleGame) -> Result<Finished, NotAGame> {
    let Kept { ruleset, rated, sides, outcome, round, elapsed_s, digest, finished_at } = serde_json::from_str(game)?;
    let OutcomeRecord { winner, reason, tally } = outcome;
    let reason = Reason::from_code(&reason).ok_or(NotAGame::Reason(reason))?;
    let seats = u8::try_from(sides.len()).unwrap_or(u8::MAX);
    let (mut sides, mut tally) = (sides.into_iter(), tally.into_iter());
    let nobody = || Side { who: Who::Bot, browser: None };
    let has_other_rules = sides.as_slice().iter().any(|side| is_made_for_others(&ruleset, &side.who));
    Ok(Finished {
        room: *room,
        ruleset,
        terms: if rated && !has_other_rules { GameMode::Rated } else { GameMode::Casual },
        sides: BySeat::new(seats, |_| sides.next().unwrap_or_else(nobody)),
        outcome: Outcome {
            winner: winner.map(Seat),
            reason,
            tally: BySeat::new(seats, |_| tally.next().unwrap_or_default()),
        },
        round,
        elapsed_s,
        digest,
        finished_at,
        annulled: annulled.clone().map(|reason| Annulled { reason }),
    })
}

/// Whether this is a built-in opponent that plays by other rules than the usual ones.
fn is_made_for_others(ruleset: &str, who: &Who) -> bool {
    let Who::BuiltIn(id) = who else { return false };
    Contender::of_baseline(ruleset, id).and_then(|contender| contender.made_for()).is_some()
}

/// The game of a room with its accounts, if it is of use to the leaderboard: it ended by its rules or by a player's
/// word, and was played by one or two accounts, with nobody else in it but built-in opponents. A log of another release
/// cannot be read any more and counts for nothing.
pub(super) fn of_room(stored: &Room) -> Option<(Finished, (AccountId, Option<AccountId>))> {
    let RoomState::Finished { at } = stored.state else { return None };
    let events: Vec<Logged> = stored.events.iter().map(|line| Logged::parse(line)).collect::<Result<_, _>>().ok()?;
    let room = arena_rooms::Room::from_log(events).ok()?;
    let (outcome, record, finished) = (room.outcome()?.clone(), room.record()?, room.finished()?);
    let seats = room.seats().iter().zip(&finished.browsers);
    let sides: Vec<Side> =
        seats.map(|(seated, browser)| Side { who: who(seated), browser: browser.map(Browser) }).collect();
    if sides.iter().any(|side| matches!(side.who, Who::Guest | Who::Bot)) {
        return None;
    }
    let accounts: BTreeSet<AccountId> =
        sides.iter().filter_map(|side| account_of_person(side.who.account()?)).collect();
    let mut accounts = accounts.into_iter();
    let (first, second, None) = (accounts.next()?, accounts.next(), accounts.next()) else { return None };
    let mut players = sides.into_iter();
    let seats = outcome.tally.seats();
    let sides = BySeat::new(seats, |_| players.next().unwrap_or(Side { who: Who::Bot, browser: None }));
    let ruleset = room.opened().ruleset.clone();
    let is_with_rounds = ruleset.split('@').next() == Some(WITH_ROUNDS);
    let game = Finished {
        room: stored.id,
        // Fixed when the game began, as its players knew.
        terms: if finished.rated { GameMode::Rated } else { GameMode::Casual },
        round: is_with_rounds.then(|| u32::from(room.ply()) / 2 + 1),
        elapsed_s: elapsed_s(stored, finished.elapsed_ms),
        digest: record.digest,
        finished_at: at.0,
        annulled: None,
        ruleset,
        sides,
        outcome,
    };
    Some((game, (first, second)))
}

/// The budget in which a game of these accounts is kept.
pub(super) fn keeping(game: &Finished, (_, second): (AccountId, Option<AccountId>)) -> Keeping {
    match (game.terms, second) {
        (GameMode::Rated, Some(_)) => Keeping::Rated,
        (GameMode::Rated, None) | (GameMode::Casual, _) => Keeping::Practice,
    }
}

/// How long a game lasted, in seconds: as its log says, or in logs of earlier releases the time from its opening to its
/// last event.
fn elapsed_s(stored: &Room, elapsed_ms: Option<u64>) -> u32 {
    elapsed_ms.map_or_else(
        || u32::try_from(stored.heard_at.0 - stored.created_at.0).unwrap_or(0),
        |ms| u32::try_from(ms / 1_000).unwrap_or(u32::MAX),
    )
}

/// A side of a game that is about to begin.
pub(super) fn side(newcomer: &Newcomer) -> Side {
    Side { who: who(&Seated::Person(newcomer.person)), browser: newcomer.browser.map(Browser) }
}

fn who(seated: &Seated) -> Who {
    match seated {
        Seated::Person(person) if account_of_person(*person).is_some() => Who::Account(*person),
        // Seats are taken before a game begins, so an open one is not expected.
        Seated::Person(_) | Seated::Open => Who::Guest,
        Seated::Contender(id) if id.baseline().is_some() => Who::BuiltIn(id.clone()),
        Seated::Contender(_) => Who::Bot,
    }
}
