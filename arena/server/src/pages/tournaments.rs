//! `/tournaments`: those that accounts started, and the form to start one.

use std::collections::BTreeMap;

use arena_service::contests::{ShownContest, Stage};
use arena_service::limits::{CHALLENGE_GAMES_MAX, CONTEST_ENTRANTS_MAX, CONTEST_ENTRY_DAYS_MAX};
use arena_store::{AccountId, Page, REASON_CHARS_MAX, Reason, UnixSeconds};
use arena_tournaments::limits::NAME_CHARS_MAX;
use arena_wire::{GAMES, Game};
use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use time::{Date, Month, PrimitiveDateTime, Time};

use super::game_list::{self, Played};
use super::standings::{Table, notes};
use super::{Shell, capital, date, in_place, page};
use crate::api::tournaments::{
    self as api, Challenge, ContestView, MeetingView, TournamentLine, TournamentToOpen, id_of,
};
use crate::app::{App, now};
use crate::base::Base;
use crate::identity::{Signed, Visitor};
use crate::language::{retold, say};
use crate::limits::ROWS_MAX;
use crate::names::{self, GameLink};
use crate::problem::Problem;
use crate::visitors::Taker;

/// The formats, as a form offers them, with a word about each.
const FORMATS: [(&str, &str); 7] = [
    ("round-robin", "round robin: each against each"),
    ("swiss", "Swiss: rounds between those with equal points"),
    ("knockout", "knockout: who loses is out"),
    ("double-knockout", "double knockout: who loses twice is out"),
    ("ladder", "ladder: rounds of one pair each"),
    ("gauntlet", "gauntlet: the first against all others"),
    ("field", "field: games of more than two seats"),
];

#[derive(Template)]
#[template(path = "tournaments.html")]
struct ListPage {
    shell: Shell,
    lines: Vec<TournamentLine>,
    /// Where the list goes on.
    next: Option<i64>,
    /// Whether accounts play games for the site.
    volunteers: bool,
}

impl ListPage {
    fn title(&self, line: &TournamentLine) -> String {
        title(&line.game)
    }

    fn date(&self, at: &i64) -> String {
        date(UnixSeconds(*at))
    }
}

/// What a game is called.
fn title(ruleset: &str) -> String {
    GAMES.iter().find(|game| game.ruleset == ruleset).map_or_else(|| ruleset.into(), |game| game.title.into())
}

/// Which tournaments.
#[derive(Deserialize)]
pub(crate) struct Which {
    after: Option<i64>,
}

pub(crate) async fn list(
    State(app): State<App>,
    Query(Which { after }): Query<Which>,
    visitor: Option<Visitor>,
) -> Result<Response, Problem> {
    let contests = api::page(&app, after).await?;
    let next = contests.last().filter(|_| contests.len() == ROWS_MAX as usize).map(|last| last.id.0);
    let shell = Shell::new(&visitor.unwrap_or_default(), "tournaments");
    let (lines, volunteers) = (contests.iter().map(TournamentLine::of).collect(), app.service().volunteers().is_some());
    page(&ListPage { shell, lines, next, volunteers })
}

/// What the form says.
#[derive(Clone, Default, Deserialize)]
pub(crate) struct Wanted {
    name: String,
    game: String,
    format: String,
    pairs: String,
    entry: String,
    invited: String,
    places: String,
    until: String,
    /// Something, if bots may enter late: a box that is ticked.
    #[serde(default)]
    late: String,
    bots: String,
    reserved: String,
    keys: String,
}

#[derive(Template)]
#[template(path = "tournament-new.html")]
struct FormPage {
    shell: Shell,
    games: Vec<GameLink>,
    formats: [(&'static str, &'static str); 7],
    /// The visitor's bots with their games.
    bots: Vec<(String, String)>,
    name_max: usize,
    places_max: usize,
    days_max: i64,
    /// What was sent, or what stands there at first.
    wanted: Wanted,
    /// What was refused.
    refused: Option<Problem>,
}

impl FormPage {
    async fn of(app: &App, visitor: &Visitor, wanted: Wanted) -> Result<FormPage, Problem> {
        let bots = match &visitor.account {
            Some(account) => app.store().bots_of(account.id, Page::first(ROWS_MAX)).await?,
            None => Vec::new(),
        };
        let bots = bots.iter().filter(|bot| bot.active.is_some());
        Ok(FormPage {
            shell: Shell::new(visitor, "tournaments"),
            games: GameLink::all(GAMES.iter(), names::game(Some(&wanted.game)).unwrap_or(&GAMES[0])),
            formats: FORMATS,
            bots: bots.map(|bot| (bot.name.to_string(), title(&bot.game))).collect(),
            name_max: NAME_CHARS_MAX,
            places_max: CONTEST_ENTRANTS_MAX,
            days_max: CONTEST_ENTRY_DAYS_MAX,
            wanted,
            refused: None,
        })
    }
}

pub(crate) async fn form(State(app): State<App>, visitor: Option<Visitor>) -> Result<Response, Problem> {
    let usual = Wanted {
        format: "round-robin".into(),
        pairs: "4".into(),
        entry: "open".into(),
        places: "8".into(),
        reserved: "easy".into(),
        ..Wanted::default()
    };
    page(&FormPage::of(&app, &visitor.unwrap_or_default(), usual).await?)
}

pub(crate) async fn create(
    State(app): State<App>,
    taker: Taker,
    visitor: Visitor,
    Form(wanted): Form<Wanted>,
) -> Result<Response, Problem> {
    let account = visitor.account.as_ref().ok_or_else(Problem::sign_in)?.id;
    let opened = match asked(&wanted) {
        Ok(asked) => api::open(&app, &taker, account, asked).await,
        Err(problem) => Err(problem),
    };
    match opened {
        Ok(id) => Ok(Redirect::to(&format!("/tournaments/{}", id_of(id))).into_response()),
        Err(problem) => {
            let refused = Some(problem.clone());
            in_place(problem, &FormPage { refused, ..FormPage::of(&app, &visitor, wanted).await? })
        }
    }
}

fn unreadable(what: &str, text: &str, hint: &str) -> Problem {
    Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_tournament", format!("`{text}` is no {what}"), hint)
}

/// Names between commas or spaces.
fn separated(text: &str) -> Vec<String> {
    text.split([',', ' ', '\n', '\r']).map(str::trim).filter(|name| !name.is_empty()).map(Into::into).collect()
}

/// What a form asks for, as a program would.
fn asked(wanted: &Wanted) -> Result<TournamentToOpen, Problem> {
    let game = names::game(Some(&wanted.game))?;
    let number = |what: &str, text: &str| match text.trim() {
        "" => Ok(None),
        text => text.parse::<u32>().map(Some).map_err(|_| unreadable(what, text, "write a whole number")),
    };
    // A text of JSON is one of TOML, but for characters that no name has.
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut definition = format!("name = {}\nruleset = {}\n", quoted(wanted.name.trim()), quoted(game.ruleset));
    definition += &format!("format = {}\n", quoted(&wanted.format));
    if let Some(pairs) = number("number of pairs", &wanted.pairs)? {
        definition += &format!("pairs = {pairs}\n");
    }
    definition += &format!("{}\n", wanted.keys.replace('\r', ""));
    for name in separated(&wanted.reserved) {
        definition += &format!("[[entrants]]\nname = {0}\nbaseline = {0}\n", quoted(&name));
    }
    let until = match wanted.until.trim() {
        "" => None,
        text => Some(moment(text).ok_or_else(|| unreadable("date", text, "write it like `2027-01-31T18:00`, in UTC"))?),
    };
    let invited = wanted.invited.split(',').map(str::trim).filter(|name| !name.is_empty());
    Ok(TournamentToOpen {
        definition,
        bots: separated(&wanted.bots),
        entry: wanted.entry.clone(),
        invited: invited.map(Into::into).collect(),
        places: number("number of places", &wanted.places)?,
        until,
        late: !wanted.late.is_empty(),
    })
}

/// A moment as a form sends it, in UTC; in seconds since 1970.
fn moment(text: &str) -> Option<i64> {
    let (day, time) = text.split_once(['T', ' '])?;
    let [year, month, day] = day.splitn(3, '-').collect::<Vec<_>>().try_into().ok()?;
    let (hour, minute) = time.split_once(':')?;
    let month = Month::try_from(month.parse::<u8>().ok()?).ok()?;
    let date = Date::from_calendar_date(year.parse().ok()?, month, day.parse().ok()?).ok()?;
    let time = Time::from_hms(hour.parse().ok()?, minute.parse().ok()?, 0).ok()?;
    Some(PrimitiveDateTime::new(date, time).assume_utc().unix_timestamp())
}

#[derive(Template)]
#[template(path = "tournament.html")]
struct TournamentPage {
    shell: Shell,
    view: ContestView,
    game: String,
    /// The format's name; none while it depends on how many enter.
    format: Option<&'static str>,
    /// The standings so far; none before the first game.
    table: Option<Table>,
    /// What there is to say of them, in sentences.
    notes: Vec<String>,
    /// Who meets whom, by round.
    rounds: Vec<(usize, Vec<MeetingView>)>,
    /// Whether the rounds are a bracket.
    bracket: bool,
    /// Games; only when all are played.
    played: Option<Played>,
    next: Option<u32>,
    /// What is going on, in a sentence.
    progress: String,
    /// Whether the page follows what happens.
    moving: bool,
    /// Whether the visitor started it.
    own: bool,
    /// Bots of the visitor that may enter.
    may_enter: Vec<String>,
    /// Bots that the visitor may take out.
    may_withdraw: Vec<String>,
    reason_max: usize,
    base: String,
}

impl TournamentPage {
    /// What kind of tournament it is, up to the name of who started it.
    fn kind(&self) -> String {
        let kind = match &self.format {
            Some(format) => say("{0} tournament of {1}, started by").with(retold(format)).with(&self.game),
            None => say("tournament of {0}, started by").with(&self.game),
        };
        capital(&kind.to_string())
    }

    fn date(&self, at: &i64) -> String {
        date(UnixSeconds(*at))
    }

    fn is_over(&self) -> bool {
        matches!(self.view.stage, "finished" | "cancelled")
    }
}

/// What is going on, in a sentence.
fn progress(view: &ContestView) -> String {
    let count = view.reserved.len() + view.entrants.iter().filter(|entrant| entrant.withdrawn.is_none()).count();
    match view.stage {
        "entry" if view.closed => say("Entry is closed with {0} entrants; it is about to begin.").with(count).into(),
        "entry" => {
            let until = view.until.map(|until| say(", or on {0}").with(date(UnixSeconds(until))).to_string());
            let taken = say("{0} of {1} places are taken. It begins when all are{2}.").with(count).with(view.places);
            taken.with(until.unwrap_or_default()).into()
        }
        "playing" if view.total == 0 => say("It is about to begin.").into(),
        "playing" => say("{0} of {1} games are played.").with(view.played).with(view.total).into(),
        "finished" => say("All {0} games are played.").with(view.played).into(),
        _ => match view.log.last() {
            Some(last) => say("It was {0}.").with(&last.text).into(),
            None => say("It was cancelled.").into(),
        },
    }
}

/// Which games of it.
#[derive(Deserialize)]
pub(crate) struct After {
    after: Option<u32>,
}

pub(crate) async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    Query(After { after }): Query<After>,
    Base(base): Base,
    visitor: Option<Visitor>,
) -> Result<Response, Problem> {
    let contest = api::find(&app, &id).await?;
    let view = ContestView::of(&contest);
    let visitor = visitor.unwrap_or_default();
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
    let format = contest.state.terms.complete(contest.state.count().max(2)).map(|(format, _)| format.name());
    let may = Forms::of(&app, &contest, account, game).await?;
    page(&TournamentPage {
        shell: Shell::new(&visitor, "tournaments"),
        game: title(&view.game),
        bracket: format.is_some_and(|format| format.ends_with("knockout")),
        format,
        notes: standings.as_deref().map(notes).unwrap_or_default(),
        table,
        rounds: rounds.into_iter().collect(),
        played,
        next,
        progress: progress(&view),
        moving: !contest.state.is_over(),
        own: may.own && !contest.state.is_over(),
        may_enter: may.enter,
        may_withdraw: may.withdraw,
        reason_max: REASON_CHARS_MAX,
        base,
        view,
    })
}

/// What a visitor may do.
#[derive(Default)]
struct Forms {
    own: bool,
    enter: Vec<String>,
    withdraw: Vec<String>,
}

impl Forms {
    async fn of(
        app: &App,
        contest: &ShownContest,
        account: Option<AccountId>,
        game: Option<&'static Game>,
    ) -> Result<Forms, Problem> {
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
        if !state.is_closed(now().0) && state.admits(account, owner) {
            let bots = app.store().bots_of(account, Page::first(ROWS_MAX)).await?;
            let plays = bots.iter().filter(|bot| bot.active.is_some() && bot.game == game.ruleset);
            let is_in = |bot: i64| !state.is_outside(bot) || state.playing().any(|entrant| entrant.bot == bot);
            let outside = plays.filter(|bot| !is_in(bot.id.0));
            forms.enter = outside.map(|bot| bot.name.to_string()).collect();
        }
        Ok(forms)
    }
}

/// A form with a bot.
#[derive(Deserialize)]
pub(crate) struct Entering {
    bot: String,
}

/// A form with a bot and a reason.
#[derive(Deserialize)]
pub(crate) struct Leaving {
    bot: String,
    reason: String,
}

/// A form with a reason.
#[derive(Deserialize)]
pub(crate) struct Because {
    reason: String,
}

fn back(id: &str) -> Redirect {
    Redirect::to(&format!("/tournaments/{id}"))
}

pub(crate) async fn enter(
    State(app): State<App>,
    Path(id): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Form(Entering { bot }): Form<Entering>,
) -> Result<Redirect, Problem> {
    taker.take(crate::share::What::Tournaments, Some(account.id))?;
    app.service().enter_contest(api::number(&id)?, account.id, &bot, now()).await?;
    Ok(back(&id))
}

pub(crate) async fn withdraw(
    State(app): State<App>,
    Path(id): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Form(Leaving { bot, reason }): Form<Leaving>,
) -> Result<Redirect, Problem> {
    taker.take(crate::share::What::Tournaments, Some(account.id))?;
    let reason = Reason::parse(&reason)?;
    app.service().withdraw_from_contest(api::number(&id)?, account.id, &bot, &reason, now()).await?;
    Ok(back(&id))
}

pub(crate) async fn start(
    State(app): State<App>,
    Path(id): Path<String>,
    taker: Taker,
    Signed(account): Signed,
) -> Result<Redirect, Problem> {
    taker.take(crate::share::What::Tournaments, Some(account.id))?;
    app.service().start_contest(api::number(&id)?, account.id, now()).await?;
    Ok(back(&id))
}

pub(crate) async fn cancel(
    State(app): State<App>,
    Path(id): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Form(Because { reason }): Form<Because>,
) -> Result<Redirect, Problem> {
    taker.take(crate::share::What::Tournaments, Some(account.id))?;
    app.service().cancel_contest(api::number(&id)?, account.id, &Reason::parse(&reason)?, now()).await?;
    Ok(back(&id))
}

pub(crate) async fn challenge(
    State(app): State<App>,
    Path(name): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Form(wanted): Form<Challenge>,
) -> Result<Redirect, Problem> {
    let id = api::challenged(&app, &taker, account.id, &name, wanted).await?;
    Ok(back(&id_of(id)))
}

/// Games of a challenge as the form has them at first.
pub(crate) const CHALLENGE_GAMES: u32 = CHALLENGE_GAMES_MAX / 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_asks_for_what_it_says() {
        let wanted = Wanted {
            name: "a \"cup\"".into(),
            game: GAMES[0].name().into(),
            format: "swiss".into(),
            pairs: "2".into(),
            entry: "invited".into(),
            invited: "Ada Lovelace, Bob".into(),
            places: " 4 ".into(),
            until: "1970-01-02T00:01".into(),
            late: "on".into(),
            bots: "one, two".into(),
            reserved: "easy hard".into(),
            keys: "rounds = 3\r\n".into(),
        };
        let asked = asked(&wanted).unwrap_or_else(|problem| panic!("{problem:?}"));
        assert!(asked.definition.contains("name = \"a \\\"cup\\\"\"\n"), "{}", asked.definition);
        assert!(asked.definition.contains("rounds = 3\n") && asked.definition.contains("baseline = \"hard\"\n"));
        assert_eq!((asked.bots.len(), asked.invited.len()), (2, 2));
        assert_eq!((asked.places, asked.until, asked.late), (Some(4), Some(86_460), true));
        for wrong in [
            Wanted { places: "many".into(), ..wanted.clone() },
            Wanted { until: "tomorrow".into(), ..wanted.clone() },
            Wanted { game: "chess".into(), ..wanted },
        ] {
            assert!(self::asked(&wrong).is_err());
        }
        assert_eq!(moment("1970-01-01 00:00"), Some(0));
    }
}
