//! `/tournaments`: the tournaments that accounts started. `tournament_form.rs` has the form to start one.

use std::collections::BTreeMap;

use arena_runner::Contender;
use arena_service::contests::{ContestDetails, Stage};
use arena_service::limits::CHALLENGE_GAMES_MAX;
use arena_store::{AccountId, Contest, Page, Phase, UnixSeconds};
use arena_tournaments::{BracketPicture, FormatSpec};
use arena_wire::{GAMES, Game};
use askama::Template;
use axum::extract::{Path, Query};
use axum::response::{Redirect, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;
use serde::Deserialize;

use super::game_list::{self, Played};
use super::standings::{Table, meanings, notes};
use super::{Form, Shell, capital, date, page, page_with_table};
use crate::api::Json;
use crate::api::tournaments::{
    self as api, Because, BotToEnter, Challenge, ContestView, MeetingView, TournamentLine, Withdrawal, id_of,
};
use crate::app::App;
use crate::base_url::BaseUrl;
use crate::identity::{Reader, Signed};
use crate::limits::ROWS_MAX;
use crate::names::Who;
use crate::problem::Result;
use crate::text;
use crate::visitors::Taker;
use crate::words;

#[derive(Template)]
#[template(path = "tournaments.html")]
struct ListPage {
    shell: Shell,
    lines: Vec<(Phase, TournamentLine)>,
    /// The number after which the list continues.
    next: Option<i64>,
    /// Whether accounts play games for the site.
    volunteers: bool,
}

impl ListPage {
    fn title(&self, line: &TournamentLine) -> String {
        title(&line.game)
    }
}

/// The title of a game.
pub(super) fn title(ruleset: &str) -> String {
    GAMES.iter().find(|game| game.ruleset == ruleset).map_or_else(|| ruleset.into(), |game| game.title.into())
}

/// Which tournaments.
#[derive(Deserialize)]
pub(crate) struct Which {
    after: Option<i64>,
}

pub(crate) async fn list(app: App, Query(Which { after }): Query<Which>, Reader(visitor): Reader) -> Result<Response> {
    let contests = api::page(&app, after).await?;
    let next = contests.last().filter(|_| contests.len() == ROWS_MAX as usize).map(|last| last.id.0);
    let shell = Shell::new(&visitor, "tournaments");
    let line = |contest: &Contest| (contest.counted.phase, TournamentLine::of(&app, contest));
    let (lines, volunteers) = (contests.iter().map(line).collect(), app.service().volunteers().is_some());
    page(&ListPage { shell, lines, next, volunteers })
}

#[derive(Template)]
#[template(path = "tournament.html")]
struct TournamentPage {
    shell: Shell,
    view: ContestView,
    game: String,
    /// The format; `None` while it depends on the number of entrants.
    format: Option<FormatSpec>,
    /// The standings so far; none before the first game.
    table: Option<Table>,
    /// The meaning of the columns, in sentences.
    meanings: Vec<String>,
    /// The notes on the standings, as sentences.
    notes: Vec<String>,
    /// The meetings by round, with each round's title.
    rounds: Vec<(String, Vec<MeetingView>)>,
    /// The bracket as a picture, as the text of a `data:` address, if there is one.
    bracket: Option<String>,
    /// Its games, once all are played.
    played: Option<Played>,
    next: Option<u32>,
    /// What is being played, in a sentence.
    progress: String,
    /// Whether the page follows the tournament.
    moving: bool,
    /// The opponents with reserved seats.
    reserved: Vec<Who>,
    /// Whether the visitor started it.
    own: bool,
    /// Bots of the visitor that may enter.
    may_enter: Vec<String>,
    /// Bots that the visitor may take out.
    may_withdraw: Vec<String>,
    base: String,
}

impl TournamentPage {
    /// The kind of tournament, as the start of a sentence that ends with its owner's name.
    fn kind(&self) -> String {
        let kind = match &self.format {
            Some(format) => text::tournaments_of_format_started_by(words::format(*format), &self.game),
            None => text::tournaments_of_game_started_by(&self.game),
        };
        capital(&kind)
    }

    fn is_over(&self) -> bool {
        matches!(self.view.stage, "finished" | "cancelled")
    }
}

/// An opponent with a reserved seat. Only those that are built in have a page of their own.
fn reserved(game: Option<&Game>, name: &str) -> Who {
    match game.filter(|game| Contender::baseline(game.ruleset, name).is_ok()) {
        Some(game) => Who::built_in(Some(game), name),
        None => Who::called(name),
    }
}

/// The title of a round.
fn round_title(round: usize, meetings: &[MeetingView]) -> String {
    match meetings.first().and_then(|meeting| meeting.name) {
        Some(name) => capital(&words::bracket_round(name)),
        None => text::tournaments_round(round).into(),
    }
}

/// The picture of a bracket in Base64, with the rounds in the visitor's language.
fn bracket(picture: &BracketPicture) -> String {
    BASE64.encode(picture.svg_in_words(None, |round| words::bracket_round(round).into()))
}

/// The state of the tournament, in a sentence.
fn progress(view: &ContestView) -> String {
    let count = view.reserved.len() + view.entrants.iter().filter(|entrant| entrant.withdrawn.is_none()).count();
    match view.stage {
        "entry" if view.closed => text::tournaments_entry_is_closed_with_entrants(count).into(),
        "entry" => {
            let until = view.until.map(|until| text::tournaments_or_on(date(UnixSeconds(until))));
            text::tournaments_of_places_are_taken_it_begins(view.places, count, until.unwrap_or_default()).into()
        }
        "playing" if view.total == 0 => text::tournaments_it_is_about_to_begin().into(),
        "playing" => text::tournaments_games_played_of(view.played, view.total).into(),
        "finished" => text::tournaments_all_games_have_been_played(view.played).into(),
        _ => match view.log.last() {
            Some(last) => text::tournaments_it_was(&last.text).into(),
            None => text::tournaments_it_was_cancelled().into(),
        },
    }
}

/// The page of its games.
#[derive(Deserialize)]
pub(crate) struct After {
    after: Option<u32>,
}

pub(crate) async fn show(
    app: App,
    Path(id): Path<String>,
    Query(After { after }): Query<After>,
    BaseUrl(base): BaseUrl,
    Reader(visitor): Reader,
) -> Result<Response> {
    let contest = api::find(&app, &id).await?;
    let view = ContestView::of(&app, &contest);
    let account = visitor.account.as_ref().map(|account| account.id);
    let game = contest.state.terms.game();
    let standings = contest.shown.standings.clone().filter(|_| view.standings.is_some());
    let table = match game.zip(standings.as_deref()) {
        Some((game, standings)) => Some(Table::of(&app, game, standings).await?),
        None => None,
    };
    let (played, next) = match (&contest.state.stage, game) {
        (Stage::Finished { .. }, Some(game)) => {
            let (played, next) = game_list::of_tournament(&app, game, &id, after).await?;
            (Some(played), next)
        }
        _ => (None, None),
    };
    let mut rounds: BTreeMap<usize, Vec<MeetingView>> = BTreeMap::new();
    for meeting in contest.shown.meetings.iter().filter(|_| view.standings.is_some()) {
        rounds.entry(meeting.round).or_default().push(meeting.into());
    }
    let format = contest.state.terms.format(contest.state.count().max(2));
    let may = Forms::of(&app, &contest, account, game).await?;
    page_with_table(&TournamentPage {
        shell: Shell::new(&visitor, "tournaments"),
        game: title(&view.game),
        bracket: contest.shown.bracket.as_deref().filter(|_| view.standings.is_some()).map(bracket),
        format,
        meanings: standings.as_deref().map(meanings).unwrap_or_default(),
        notes: standings.as_deref().map(notes).unwrap_or_default(),
        table,
        rounds: rounds.into_iter().map(|(round, meetings)| (round_title(round, &meetings), meetings)).collect(),
        played,
        next,
        progress: progress(&view),
        moving: !contest.state.is_over(),
        reserved: view.reserved.iter().map(|name| reserved(game, name)).collect(),
        own: may.own && !contest.state.is_over(),
        may_enter: may.enter,
        may_withdraw: may.withdraw,
        base,
        view,
    })
}

/// The acts that a visitor may take.
#[derive(Default)]
struct Forms {
    own: bool,
    enter: Vec<String>,
    withdraw: Vec<String>,
}

impl Forms {
    async fn of(
        app: &App,
        contest: &ContestDetails,
        account: Option<AccountId>,
        game: Option<&'static Game>,
    ) -> Result<Forms> {
        let Some((account, game)) = account.zip(game) else { return Ok(Forms::default()) };
        let (state, owner) = (&contest.state, contest.contest.owner);
        let own = account == owner;
        let mut forms = Forms { own, ..Forms::default() };
        for entrant in state.playing().filter(|_| !state.is_over()) {
            let may = own || (entrant.account == account.0 && state.is_outside(entrant.bot));
            if let Some((bot, _)) = contest.called.get(&entrant.bot).filter(|_| may) {
                forms.withdraw.push(bot.clone());
            }
        }
        if !state.is_closed(app.now().0) && state.admits(account, owner) {
            let bots = app.store().bots_of(account, Page::first(ROWS_MAX)).await?;
            let plays = bots.iter().filter(|bot| bot.active.is_some() && bot.game == game.ruleset);
            let is_in = |bot: i64| !state.is_outside(bot) || state.playing().any(|entrant| entrant.bot == bot);
            let outside = plays.filter(|bot| !is_in(bot.id.0));
            forms.enter = outside.map(|bot| bot.name.to_string()).collect();
        }
        Ok(forms)
    }
}

fn back(id: &str) -> Redirect {
    Redirect::to(&format!("/tournaments/{id}"))
}

pub(crate) async fn enter(
    app: App,
    id: Path<String>,
    taker: Taker,
    by: Signed,
    Form(form): Form<BotToEnter>,
) -> Result<Redirect> {
    let back = back(&id);
    api::enter(app, id, taker, by, Json(form)).await.map(|_| back)
}

pub(crate) async fn withdraw(
    app: App,
    id: Path<String>,
    taker: Taker,
    by: Signed,
    Form(form): Form<Withdrawal>,
) -> Result<Redirect> {
    let back = back(&id);
    api::withdraw(app, id, taker, by, Json(form)).await.map(|_| back)
}

pub(crate) async fn start(app: App, id: Path<String>, taker: Taker, by: Signed) -> Result<Redirect> {
    let back = back(&id);
    api::start(app, id, taker, by).await.map(|_| back)
}

pub(crate) async fn cancel(
    app: App,
    id: Path<String>,
    taker: Taker,
    by: Signed,
    Form(form): Form<Because>,
) -> Result<Redirect> {
    let back = back(&id);
    api::cancel(app, id, taker, by, Json(form)).await.map(|_| back)
}

pub(crate) async fn challenge(
    app: App,
    Path(name): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Form(wanted): Form<Challenge>,
) -> Result<Redirect> {
    let id = api::challenged(&app, &taker, account.id, &name, wanted).await?;
    Ok(back(&id_of(id)))
}

/// The default number of games of a challenge.
pub(crate) const CHALLENGE_GAMES: u32 = CHALLENGE_GAMES_MAX / 10;
