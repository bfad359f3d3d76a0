//! Replays a game with another version of a bot: what would that version have done?

use arena_record::{OutcomeRecord, Record};
use arena_rules::Seat;
use arena_service::{Again, AgainError};
use arena_store::{Account, BotError, NamedVersion, Page, Version, VersionState};
use arena_wire::{Call, Game, words};
use axum::extract::Path;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Query;
use super::logs::seat_name;
use crate::app::App;
use crate::games;
use crate::identity::Signed;
use crate::limit_kind::LimitKind;
use crate::limits::ROWS_MAX;
use crate::problem::{Code, Problem, Result};
use crate::text;
use crate::visitors::Taker;
use crate::words::cells;

/// Which version, in whose place.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    /// The number of an accepted version of your bot that played; default: the newest.
    #[param(required = false, value_type = Option<i64>, minimum = 0, maximum = 4294967295_u32)]
    pub(crate) version: Option<u32>,
    /// Your bot's seat, from 0; default: its first one.
    #[param(required = false, maximum = 255)]
    pub(crate) seat: Option<u8>,
}

/// A game replayed with another version of a bot.
#[derive(Serialize, ToSchema)]
pub(crate) struct AgainView {
    /// The bot's name.
    pub(crate) bot: String,
    /// The bot's seat, from 0.
    pub(crate) seat: u8,
    /// The version that played.
    pub(crate) played: u32,
    /// The version that plays instead.
    pub(crate) version: u32,
    /// The first turn, from 1, in which this version answers differently; `null` if the game is the same.
    pub(crate) turn: Option<usize>,
    /// What the version that played did in that turn, in words; `null` if it no longer acted.
    pub(crate) before: Option<String>,
    /// What this version does; `null` if it fails or has lost by then.
    pub(crate) now: Option<String>,
    /// The calls of both, for the page.
    #[serde(skip)]
    pub(crate) called: [Option<Vec<Call>>; 2],
    /// Turns in the new game.
    pub(crate) turns: usize,
    /// The winning seat of the new game; `null` for a draw.
    pub(crate) winner: Option<u8>,
    /// How the new game ends.
    pub(crate) reason: String,
    /// The numbers that the game ranks players by, by seat.
    pub(crate) tally: Vec<u32>,
    /// The code of this version's forfeit, if it forfeits.
    pub(crate) forfeit: Option<String>,
}

impl AgainView {
    /// The outcome of the game as it is played now.
    pub(crate) fn outcome(&self) -> OutcomeRecord {
        OutcomeRecord { winner: self.winner, reason: self.reason.clone(), tally: self.tally.clone() }
    }
}

/// An account's bot in a seat of a game.
pub(crate) struct Mine {
    pub(crate) bot: String,
    pub(crate) seat: Seat,
    /// The version that played.
    pub(crate) played: u32,
    /// The accepted versions, newest first.
    pub(crate) versions: Vec<Version>,
    /// The account's other seats, with their names and their bots.
    pub(crate) others: Vec<(Seat, String, String)>,
}

/// What another version of your bot would have done in a game between bots. The game is played again: it is the same
/// until that version answers differently, and then continues with both bots' answers.
#[utoipa::path(get, path = "/api/v1/games/{id}/again", params(("id" = String, Path), Wish),
    security(("player_code" = [])),
    responses((status = 200, body = AgainView), (status = 401), (status = 404), (status = 409), (status = 410),
        (status = 429)))]
pub(crate) async fn show(
    app: App,
    Path(id): Path<String>,
    Query(wish): Query<Wish>,
    taker: Taker,
    Signed(account): Signed,
) -> Result<axum::Json<AgainView>> {
    let (record, _) = games::record(app.service(), &id).await?;
    let mine = mine(&app, &record, &account, wish.seat).await?;
    Ok(axum::Json(played(&app, record, &mine, wish.version, &taker, &account).await?))
}

/// An account's bot in the given seat of a game, or in its first seat there.
pub(crate) async fn mine(app: &App, record: &Record, account: &Account, seat: Option<u8>) -> Result<Mine> {
    let entrants = &record.header.entrants;
    let named = app.store().named(Some(&record.header.ruleset), entrants).await?;
    let own =
        |(seat, entrant)| Some((Seat(seat), named.get(entrant)?)).filter(|(_, named)| named.account == account.id);
    let own: Vec<(Seat, &NamedVersion)> = (0..).zip(entrants).filter_map(own).collect();
    let chosen = own.iter().find(|(at, _)| seat.is_none_or(|seat| at.0 == seat));
    let (seat, played) = *chosen.ok_or(AgainError::NoSeat(Seat(seat.unwrap_or(0))))?;
    let bot = app.store().bot_by_name(&played.name).await?.ok_or(BotError::NoSuchBot)?;
    let mut versions = app.store().versions(bot.id, Page::first(ROWS_MAX)).await?;
    versions.retain(|version| version.state == VersionState::Accepted);
    let other =
        |(at, named): &(Seat, &NamedVersion)| (*at, seat_name(&record.header.ruleset, at.0), named.name.to_string());
    let others = own.iter().filter(|(at, _)| *at != seat).map(other).collect();
    Ok(Mine { bot: bot.name.to_string(), seat, played: played.number, versions, others })
}

/// Replays a game with this version of a bot in it.
pub(crate) async fn played(
    app: &App,
    record: Record,
    mine: &Mine,
    version: Option<u32>,
    taker: &Taker,
    account: &Account,
) -> Result<AgainView> {
    let is_wanted = |found: &&Version| version.is_none_or(|version| found.id.number == version);
    let found = mine.versions.iter().find(is_wanted).ok_or_else(|| {
        let hint = "its page has all versions, and which of them were accepted";
        Problem::new(Code::NoSuchVersion, "this bot has no such version that may play", hint)
            .saying(text::refused_no_version_may_play())
            .advising(text::hint_all_versions())
    })?;
    taker.take(LimitKind::Replays, Some(account.id))?;
    let Again { first_other, game } =
        app.service().rooms().slots().play_again(record.clone(), mine.seat, &found.entrant).await?;
    let did = |record: &Record| {
        let plays = &record.turns.get(first_other?)?.plays;
        let play = plays.iter().find(|play| play.seat == mine.seat.0)?;
        Game::named(&record.header.ruleset).ok()?.describe(&play.action.0).ok()
    };
    let called = [did(&record), did(&game)];
    let [before, now] = called.each_ref().map(|calls| Some(words(calls.as_ref()?, cells)));
    let forfeit = game.forfeits.iter().find(|forfeit| forfeit.seat == mine.seat.0);
    Ok(AgainView {
        bot: mine.bot.clone(),
        seat: mine.seat.0,
        played: mine.played,
        version: found.id.number,
        turn: first_other.map(|turn| turn + 1),
        before,
        now,
        called,
        turns: game.turns.len(),
        forfeit: forfeit.map(|forfeit| forfeit.code.as_str().into()),
        winner: game.outcome.winner,
        reason: game.outcome.reason,
        tally: game.outcome.tally,
    })
}
