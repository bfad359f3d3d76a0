//! `/submit`.

use arena_record::Budgets;
use arena_store::{AccountId, BotName};
use arena_wire::GAMES;
use askama::Template;
use axum::extract::multipart::MultipartRejection;
use axum::extract::{Multipart, Query};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;

use super::workshop::Workshop;
use super::{Shell, in_place, opponents, page};
use crate::app::App;
use crate::base_url::BaseUrl;
use crate::idempotency::{Key, Keyed};
use crate::identity::{Reader, Visitor};
use crate::limit_kind::LimitKind;
use crate::names::{self, GameLink};
use crate::problem::{Problem, Result};
use crate::upload::{self, Typed};
use crate::visitors::{Taker, UsedUp};

#[derive(Template)]
#[template(path = "submit.html")]
struct Submit {
    shell: Shell,
    /// The address of the site.
    base: String,
    /// The visitor's bots with their games, to choose a name from.
    bots: Vec<(String, String)>,
    games: Vec<GameLink>,
    module_kib: u64,
    fuel_millions: u64,
    /// Games with a standing tournament, by their titles.
    standing: String,
    /// How many bots of an account play in an edition at most.
    places: usize,
    typed: Typed,
    /// Why it was refused.
    problem: Option<Problem>,
}

impl Submit {
    async fn of(
        app: &App,
        visitor: &Visitor,
        BaseUrl(base): BaseUrl,
        (typed, problem): (Typed, Option<Problem>),
    ) -> Result<Submit> {
        let standing = app.service().standing();
        let held: Vec<&str> = GAMES.iter().filter(|game| standing.of(game).held).map(|game| game.title).collect();
        Ok(Submit {
            shell: Shell::new(visitor, "submit"),
            base,
            bots: opponents::own(app, visitor).await?,
            games: GameLink::all(GAMES.iter(), &GAMES[0]),
            module_kib: Budgets::DEFAULT.module_bytes >> 10,
            fuel_millions: Budgets::DEFAULT.fuel_per_move / 1_000_000,
            standing: held.join(", "),
            places: standing.bots_per_account(),
            typed,
            problem,
        })
    }
}

/// What was typed before the form was refused where its page could not be shown.
#[derive(Deserialize)]
pub(crate) struct Back {
    #[serde(default)]
    name: String,
    #[serde(default)]
    game: String,
}

pub(crate) async fn show(
    app: App,
    base: BaseUrl,
    Reader(visitor): Reader,
    Query(Back { name, game }): Query<Back>,
) -> Result<Response> {
    let typed = Typed { name, game, ..Typed::default() };
    page(&Submit::of(&app, &visitor, base, (typed, None)).await?)
}

pub(crate) async fn submit(
    app: App,
    taker: Taker,
    base: BaseUrl,
    visitor: Visitor,
    Keyed(key): Keyed,
    fields: Result<Multipart, MultipartRejection>,
) -> Result<Response> {
    // Check the account before the body: a visitor who is not signed in gets that answer, even if the body is broken.
    let account = visitor.account.as_ref().ok_or_else(Problem::sign_in)?.id;
    let share = taker.take(LimitKind::Uploads, Some(account));
    let fields = match fields {
        Ok(fields) => fields,
        Err(rejection) => return Ok(rejection.into_response()),
    };
    let mut typed = Typed::default();
    match taken(&app, &taker, account, share, fields, &mut typed, key).await {
        Ok(address) => Ok(Redirect::to(&address).into_response()),
        Err(problem) => {
            let refused = problem.clone();
            // Each form is on a page of its own.
            if typed.text.is_some() {
                let game = names::game(Some(&typed.game)).unwrap_or(&GAMES[0]);
                return in_place(problem, &Workshop::of(&app, &visitor, game, (typed, Some(refused))).await?);
            }
            in_place(problem, &Submit::of(&app, &visitor, base, (typed, Some(refused))).await?)
        }
    }
}

/// Takes a form's content, if there is a share for it. The verdict has an address of its own, so that reloading it
/// submits nothing.
async fn taken(
    app: &App,
    taker: &Taker,
    account: AccountId,
    share: Result<(), UsedUp>,
    fields: Multipart,
    typed: &mut Typed,
    key: Option<Key>,
) -> Result<String> {
    // Read first, so that any refusal shows the written text again.
    let file = upload::form(fields, typed).await?;
    share?;
    let name = BotName::parse(&typed.name)?;
    let game = if typed.game.is_empty() { None } else { Some(names::game(Some(&typed.game))?) };
    let licence = typed.licence()?;
    let module = match file {
        Some(module) => module,
        None => upload::made(typed).await?,
    };
    let sent = upload::Sent { name: &name, game, bytes: module, licence };
    let submitted = upload::submit(app, taker, account, sent, key).await?;
    Ok(format!("/bots/{name}/versions/{}", submitted.version.id.number))
}
