//! `/tournaments/new`: the form to start a tournament, with defaults that fit each game and format.

use arena_runner::Named;
use arena_service::contests::ContestTerms;
use arena_store::Page;
use arena_tournaments::FormKeys;
use arena_wire::{GAMES, Game};
use askama::Template;
use axum::extract::Query;
use axum::response::{Redirect, Response};
use serde::Deserialize;
use time::{Date, Month, PrimitiveDateTime, Time};

use super::tournaments::title;
use super::{Form, Shell, page};
use crate::api::tournaments::{self as api, TournamentToOpen, id_of};
use crate::app::App;
use crate::base_url::BaseUrl;
use crate::identity::{Reader, Signed, Visitor};
use crate::language::Message;
use crate::limits::ROWS_MAX;
use crate::names::{self, GameLink};
use crate::problem::{Code, Problem, Result};
use crate::text;
use crate::visitors::Taker;

/// The format for games of more than two seats.
const FIELD: &str = "field";
/// Default number of places in a tournament.
const PLACES: usize = 8;
/// If a site refuses a format's default number of pairs, the form tries powers of two, from this exponent down.
const PAIRS_LOG2_MAX: u32 = 5;

/// The formats that the form offers, each with a short description.
const FORMATS: [(&str, Message); 7] = [
    ("round-robin", text::tournaments_round_robin_each_against),
    ("swiss", text::tournaments_swiss_rounds_between_those),
    ("knockout", text::tournaments_knockout_out_after_one),
    ("double-knockout", text::tournaments_double_knockout_out_after),
    ("ladder", text::tournaments_ladder_rounds_of_one),
    ("gauntlet", text::tournaments_gauntlet_the_first_against),
    ("field", text::tournaments_field_games_of_more),
];

/// The content of the form.
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
    /// Not empty if bots may enter late: a ticked box.
    #[serde(default)]
    late: String,
    bots: String,
    reserved: String,
    keys: String,
    /// The game's options.
    #[serde(default)]
    options: String,
    #[serde(default)]
    rounds: String,
}

#[derive(Template)]
#[template(path = "tournament-new.html")]
struct FormPage {
    shell: Shell,
    /// The address of the site.
    base: String,
    games: Vec<GameLink>,
    formats: Vec<(&'static str, Message)>,
    /// The visitor's bots with their games.
    bots: Vec<(String, String)>,
    /// The defaults.
    wanted: Wanted,
}

impl FormPage {
    async fn of(app: &App, visitor: &Visitor, BaseUrl(base): BaseUrl, wanted: Wanted) -> Result<FormPage> {
        let bots = match &visitor.account {
            Some(account) => app.store().bots_of(account.id, Page::first(ROWS_MAX)).await?,
            None => Vec::new(),
        };
        let bots = bots.iter().filter(|bot| bot.active.is_some());
        let game = names::game(Some(&wanted.game)).unwrap_or(&GAMES[0]);
        Ok(FormPage {
            shell: Shell::new(visitor, "tournaments"),
            base,
            games: GameLink::all(GAMES.iter(), game),
            formats: formats(game).collect(),
            bots: bots.map(|bot| (bot.name.to_string(), title(&bot.game))).collect(),
            wanted,
        })
    }
}

/// The parameters of the form: a game and a format, both optional.
#[derive(Deserialize)]
pub(crate) struct Which {
    game: Option<String>,
    format: Option<String>,
    name: Option<String>,
}

/// The formats in which a game can be played with some options.
fn formats(game: &'static Game) -> impl Iterator<Item = (&'static str, Message)> {
    FORMATS.into_iter().filter(move |(format, _)| options(game, format).is_some())
}

/// A game's default options for a format; `None` if there are none.
fn options(game: &Game, format: &str) -> Option<String> {
    if format != FIELD {
        return game.match_options();
    }
    game.shape(game.ranked).ok().filter(|shape| shape.seats > 2).map(|_| game.ranked.into())
}

/// The form's defaults: a tournament that can be started as soon as it has a name.
fn usual(game: &'static Game, format: Option<&str>) -> Wanted {
    let chosen = format.and_then(|format| formats(game).find(|(known, _)| *known == format));
    let of_game = || formats(game).find(|(format, _)| options(game, format).as_deref() == Some(game.ranked));
    let (format, _) = chosen.or_else(of_game).unwrap_or(FORMATS[0]);
    let wanted = Wanted {
        game: game.name().into(),
        format: format.into(),
        entry: "open".into(),
        places: PLACES.to_string(),
        reserved: Named::all(game.ruleset).next().map_or("", |weakest| weakest.name()).into(),
        options: options(game, format).unwrap_or_default(),
        ..Wanted::default()
    };
    // The format's default number of pairs, if the site plays that many games.
    let halves = [String::new()].into_iter().chain((0..=PAIRS_LOG2_MAX).rev().map(|log| (1_u32 << log).to_string()));
    let mut tried = halves.map(|pairs| Wanted { pairs, ..wanted.clone() });
    tried.find(is_playable).unwrap_or_else(|| wanted.clone())
}

/// Whether a site plays that many games.
fn is_playable(wanted: &Wanted) -> bool {
    let named = Wanted { name: "a name".into(), ..wanted.clone() };
    let terms = asked(&named).ok().and_then(|(form, asked)| ContestTerms::parse(form, &asked.definition).ok());
    terms.is_some_and(|(terms, _)| terms.check(PLACES).is_ok())
}

pub(crate) async fn form(
    app: App,
    Query(Which { game, format, name }): Query<Which>,
    base: BaseUrl,
    Reader(visitor): Reader,
) -> Result<Response> {
    let usual = usual(names::game(game.as_deref())?, format.as_deref());
    let wanted = Wanted { name: name.unwrap_or_default(), ..usual };
    page(&FormPage::of(&app, &visitor, base, wanted).await?)
}

pub(crate) async fn create(
    app: App,
    taker: Taker,
    Signed(account): Signed,
    Form(wanted): Form<Wanted>,
) -> Result<Redirect> {
    let id = api::open(&app, &taker, account.id, None, asked(&wanted)?).await?;
    Ok(Redirect::to(&format!("/tournaments/{}", id_of(id))))
}

/// A field of the form that is not read.
#[derive(Clone, Copy)]
enum Field {
    Pairs,
    Rounds,
    Places,
    Date,
}

impl Field {
    fn unreadable(self, written: &str) -> Problem {
        let (what, said) = match self {
            Field::Pairs => ("number of pairs", text::refused_no_number_of_pairs(written)),
            Field::Rounds => ("number of rounds", text::refused_no_number_of_rounds(written)),
            Field::Places => ("number of places", text::refused_no_number_of_places(written)),
            Field::Date => ("date", text::refused_no_date(written)),
        };
        let (hint, advice) = match self {
            Field::Date => ("write it like `2027-01-31T18:00`, in UTC", text::hint_like_a_date()),
            _ => ("write a whole number", text::hint_whole_number()),
        };
        let detail = format!("`{written}` is no {what}");
        let problem = Problem::new(Code::BadTournament, detail, hint);
        problem.saying(said).advising(advice)
    }
}

/// Names separated by commas or spaces.
fn separated(text: &str) -> Vec<String> {
    text.split([',', ' ', '\n', '\r']).map(str::trim).filter(|name| !name.is_empty()).map(Into::into).collect()
}

/// The keys of a definition in this form, and the request that a program would send with the others.
fn asked(wanted: &Wanted) -> Result<(FormKeys, TournamentToOpen)> {
    let game = names::game(Some(&wanted.game))?;
    let number = |field: Field, text: &str| match text.trim() {
        "" => Ok(None),
        text => text.parse::<u32>().map(Some).map_err(|_| field.unreadable(text)),
    };
    let form = FormKeys {
        name: Some(wanted.name.trim().into()),
        ruleset: Some(game.ruleset.into()),
        options: Some(wanted.options.trim().to_owned()).filter(|options| !options.is_empty()),
        format: Some(wanted.format.clone()),
        pairs: number(Field::Pairs, &wanted.pairs)?,
        rounds: number(Field::Rounds, &wanted.rounds)?,
        baselines: separated(&wanted.reserved),
    };
    let until = match wanted.until.trim() {
        "" => None,
        text => Some(moment(text).ok_or_else(|| Field::Date.unreadable(text))?),
    };
    let invited = wanted.invited.split(',').map(str::trim).filter(|name| !name.is_empty());
    let wanted = TournamentToOpen {
        definition: wanted.keys.replace('\r', ""),
        bots: separated(&wanted.bots),
        entry: wanted.entry.clone(),
        invited: invited.map(Into::into).collect(),
        places: number(Field::Places, &wanted.places)?,
        until,
        late: !wanted.late.is_empty(),
    };
    Ok((form, wanted))
}

/// A time in UTC as a form sends it, in seconds since 1970.
fn moment(text: &str) -> Option<i64> {
    let (day, time) = text.split_once(['T', ' '])?;
    let [year, month, day] = day.splitn(3, '-').collect::<Vec<_>>().try_into().ok()?;
    let (hour, minute) = time.split_once(':')?;
    let month = Month::try_from(month.parse::<u8>().ok()?).ok()?;
    let date = Date::from_calendar_date(year.parse().ok()?, month, day.parse().ok()?).ok()?;
    let time = Time::from_hms(hour.parse().ok()?, minute.parse().ok()?, 0).ok()?;
    Some(PrimitiveDateTime::new(date, time).assume_utc().unix_timestamp())
}

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
            keys: "tie-breaks = []\r\n".into(),
            options: " opening=turns:2 ".into(),
            rounds: "3".into(),
        };
        let (form, asked) = asked(&wanted).unwrap_or_else(|problem| panic!("{problem:?}"));
        assert_eq!((form.name.as_deref(), form.pairs, form.rounds), (Some("a \"cup\""), Some(2), Some(3)));
        assert_eq!(
            (form.options.as_deref(), asked.definition.as_str()),
            (Some("opening=turns:2"), "tie-breaks = []\n")
        );
        assert_eq!(form.baselines, ["easy", "hard"]);
        assert_eq!((asked.bots.len(), asked.invited.len()), (2, 2));
        assert_eq!((asked.places, asked.until, asked.late), (Some(4), Some(86_460), true));
        for wrong in [
            Wanted { places: "many".into(), ..wanted.clone() },
            Wanted { until: "tomorrow".into(), ..wanted.clone() },
            Wanted { rounds: "few".into(), ..wanted.clone() },
            Wanted { game: "chess".into(), ..wanted },
        ] {
            assert!(self::asked(&wrong).is_err());
        }
        assert_eq!(moment("1970-01-01 00:00"), Some(0));
    }
}
