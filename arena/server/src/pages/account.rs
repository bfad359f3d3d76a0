//! `/account`: a claimed name, its code, its sessions.

use arena_store::{DisplayName, Page, PlayerCode};
use askama::Template;
use axum::Form;
use axum::extract::State;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Redirect, Response};
use axum_extra::extract::CookieJar;
use serde::Deserialize;

use super::{Shell, page};
use crate::app::{App, now};
use crate::identity::{self, Cookies, Signed, Visitor, unknown_code};
use crate::limits::ROWS_MAX;
use crate::problem::Problem;
use crate::visitors::{Taker, What};

#[derive(Template)]
#[template(path = "account.html")]
struct AccountPage {
    shell: Shell,
    /// The bots with their active versions.
    bots: Vec<(String, Option<u32>)>,
}

#[derive(Template)]
#[template(path = "code.html")]
struct CodePage {
    shell: Shell,
    code: String,
    /// Whether it replaces another one.
    replaced: bool,
}

/// A form with a name.
#[derive(Deserialize)]
pub(crate) struct Named {
    name: String,
}

/// A form with a player code.
#[derive(Deserialize)]
pub(crate) struct Coded {
    code: String,
}

pub(crate) async fn show(State(app): State<App>, visitor: Option<Visitor>) -> Result<Response, Problem> {
    let visitor = visitor.unwrap_or_default();
    let bots = match &visitor.account {
        Some(account) => app.store().bots_of(account.id, Page::first(ROWS_MAX)).await?,
        None => Vec::new(),
    };
    let bots = bots.iter().map(|bot| (bot.name.to_string(), bot.active.map(|version| version.number)));
    page(&AccountPage { shell: Shell::new(&visitor, "account"), bots: bots.collect() })
}

pub(crate) async fn claim(
    State(app): State<App>,
    taker: Taker,
    jar: CookieJar,
    Form(Named { name }): Form<Named>,
) -> Result<Response, Problem> {
    let name = DisplayName::parse(name.trim())?;
    taker.take(What::Accounts, None)?;
    let (account, code) = app.store().create_account(&name, now()).await?;
    let jar = jar.add(identity::sign_in(&app, account.id).await?);
    let shell = Shell { account: Some(account.name.to_string()), here: "account" };
    Ok((jar, secret(&CodePage { shell, code: code.expose(), replaced: false })?).into_response())
}

pub(crate) async fn rename(
    State(app): State<App>,
    Signed(account): Signed,
    Form(Named { name }): Form<Named>,
) -> Result<Response, Problem> {
    app.store().rename_account(account.id, &DisplayName::parse(name.trim())?).await?;
    Ok(Redirect::to("/account").into_response())
}

pub(crate) async fn new_code(
    State(app): State<App>,
    taker: Taker,
    Signed(account): Signed,
    jar: CookieJar,
) -> Result<Response, Problem> {
    taker.take(What::Sessions, None)?;
    let code = app.store().replace_code(account.id).await?;
    // The old code's sessions have ended, this one with them.
    let jar = jar.add(identity::sign_in(&app, account.id).await?);
    let shell = Shell { account: Some(account.name.to_string()), here: "account" };
    Ok((jar, secret(&CodePage { shell, code: code.expose(), replaced: true })?).into_response())
}

pub(crate) async fn sign_in(
    State(app): State<App>,
    taker: Taker,
    jar: CookieJar,
    Form(Coded { code }): Form<Coded>,
) -> Result<Response, Problem> {
    taker.take(What::Sessions, None)?;
    let account = app.store().account_by_code(&PlayerCode::parse(&code)?).await?.ok_or_else(unknown_code)?;
    let jar = jar.add(identity::sign_in(&app, account.id).await?);
    Ok((jar, Redirect::to("/account")).into_response())
}

pub(crate) async fn sign_out(State(app): State<App>, visitor: Visitor, jar: CookieJar) -> Result<Response, Problem> {
    if let Some(session) = &visitor.session {
        app.store().end_session(session).await?;
    }
    Ok((jar.add(Cookies::of(&app).signed_out()), Redirect::to("/account")).into_response())
}

/// A page that no browser and no proxy keeps.
fn secret(template: &CodePage) -> Result<Response, Problem> {
    Ok(([(CACHE_CONTROL, "no-store")], page(template)?).into_response())
}
