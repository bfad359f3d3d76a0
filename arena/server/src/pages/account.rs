//! `/account`: a claimed name, its code, sessions and tokens.

use arena_store::{AccountError, DisplayName, Page, PlayerCode, Scope, Token, UnixSeconds};
use arena_wire::Game;
use askama::Template;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Redirect, Response};
use axum_extra::extract::CookieJar;
use serde::Deserialize;

use super::own_games::{self, OwnGame};
use super::{Form, Shell, date, opponents, page};
use crate::api::{Query, accounts};
use crate::app::App;
use crate::identity::{self, Cookies, Pass, Reader, Signed, Visitor, unknown_code};
use crate::language::Text;
use crate::limit_kind::LimitKind;
use crate::limits::ROWS_MAX;
use crate::names;
use crate::problem::Result;
use crate::text;
use crate::upload::{Written, written_in};
use crate::visitors::Taker;

/// A token in the list.
pub(super) struct TokenRow {
    pub(super) number: i64,
    pub(super) name: String,
    pub(super) scope: String,
    pub(super) ends: String,
    pub(super) over: bool,
    pub(super) used: String,
}

impl TokenRow {
    pub(super) fn of(token: &Token, now: UnixSeconds) -> TokenRow {
        TokenRow {
            number: token.id.0,
            name: token.name.to_string(),
            scope: words(token.scope).to_string(),
            ends: date(token.expires_at),
            over: token.expires_at <= now,
            used: token.used_at.map_or_else(|| text::account_never().into(), date),
        }
    }
}

/// What a scope allows, in a few words.
fn words(scope: Scope) -> Text {
    match scope {
        Scope::Read => text::account_read(),
        Scope::Submit => text::account_read_submit_bots_and_run(),
        Scope::Play => text::account_read_and_play(),
        Scope::Work => text::account_play_games_for_the_site(),
        Scope::All => text::account_all_but_codes_and_tokens(),
    }
}

#[derive(Template)]
#[template(path = "account.html")]
pub(super) struct AccountPage {
    shell: Shell,
    /// The bots with their active versions.
    bots: Vec<(String, Option<u32>)>,
    games: Vec<OwnGame>,
    tokens: Vec<TokenRow>,
    /// The number of rooms to which the account is invited.
    invitations: usize,
    bench: Bench,
}

impl AccountPage {
    async fn of(app: &App, visitor: &Visitor, bench: Bench) -> Result<AccountPage> {
        let (bots, tokens) = match &visitor.account {
            Some(account) => {
                let mut bots = app.store().bots_of(account.id, Page::first(ROWS_MAX)).await?;
                opponents::by_place(app, &mut bots);
                (bots, app.store().tokens_of(account.id).await?)
            }
            None => Default::default(),
        };
        let bots = bots.iter().map(|bot| (bot.name.to_string(), bot.active.map(|version| version.number)));
        Ok(AccountPage {
            shell: Shell::new(visitor, "account"),
            bots: bots.collect(),
            games: own_games::of(app, visitor).await?,
            tokens: tokens.iter().map(|token| TokenRow::of(token, app.now())).collect(),
            invitations: super::lobby::invitations(app, visitor),
            bench,
        })
    }
}

#[derive(Template)]
#[template(path = "code.html")]
struct CodePage {
    shell: Shell,
    code: String,
    bench: Bench,
}

/// What a visitor was writing in the workshop, who is to come back there; `None` for others.
type Bench = Option<Writing>;

/// A game and a language.
pub(super) struct Writing {
    game: &'static Game,
    language: &'static Written,
}

impl Writing {
    /// For an address.
    fn query(&self) -> String {
        format!("game={}&language={}", self.game.name(), self.language.name)
    }
}

/// The same in an address.
#[derive(Deserialize)]
pub(crate) struct Came {
    game: Option<String>,
    language: Option<String>,
}

fn bench(game: Option<&str>, language: Option<&str>) -> Bench {
    Some(Writing { game: names::game(Some(game?)).ok()?, language: written_in(language.unwrap_or_default()) })
}

/// A form with a name.
#[derive(Deserialize)]
pub(crate) struct Named {
    name: String,
    game: Option<String>,
    language: Option<String>,
}

/// A form with a player code.
#[derive(Deserialize)]
pub(crate) struct Coded {
    code: String,
    game: Option<String>,
    language: Option<String>,
}

pub(crate) async fn show(
    app: App,
    Query(Came { game, language }): Query<Came>,
    Reader(visitor): Reader,
) -> Result<Response> {
    page(&AccountPage::of(&app, &visitor, bench(game.as_deref(), language.as_deref())).await?)
}

pub(crate) async fn claim(
    app: App,
    taker: Taker,
    jar: CookieJar,
    Form(Named { name, game, language }): Form<Named>,
) -> Result<Response> {
    let name = DisplayName::parse(name.trim())?;
    taker.take(LimitKind::Accounts, None)?;
    let (account, code) = app.store().create_account(&name, app.now()).await?;
    let jar = identity::sign_in(&app, jar, account.id).await?;
    Ok(to_code(&app, jar, &code, bench(game.as_deref(), language.as_deref())))
}

pub(crate) async fn rename(
    app: App,
    Signed(account): Signed,
    Form(Named { name, .. }): Form<Named>,
) -> Result<Redirect> {
    app.store().rename_account(account.id, &DisplayName::parse(name.trim())?).await?;
    app.known.forget();
    Ok(Redirect::to("/account"))
}

pub(crate) async fn new_code(app: App, taker: Taker, Signed(account): Signed, jar: CookieJar) -> Result<Response> {
    taker.take(LimitKind::Sessions, None)?;
    let code = app.store().replace_code(account.id).await?;
    app.forget(account.id).await;
    // The old code's sessions have ended, including this one.
    let jar = identity::sign_in(&app, jar, account.id).await?;
    Ok(to_code(&app, jar, &code, None))
}

/// Redirects to the page of a new code. It has an address of its own, so that reloading it has no effect. The code
/// travels in a cookie that lasts some minutes and is sent to that page only.
fn to_code(app: &App, jar: CookieJar, code: &PlayerCode, bench: Bench) -> Response {
    let jar = jar.add(Cookies::of(app).code(code));
    let shown = bench.map_or_else(|| "/account/code".into(), |writing| format!("/account/code?{}", writing.query()));
    ([(CACHE_CONTROL, "no-store")], jar, Redirect::to(&shown)).into_response()
}

/// Shows a new code while its cookie lasts. No browser and no proxy caches the page.
pub(crate) async fn code(
    app: App,
    Query(Came { game, language }): Query<Came>,
    Reader(visitor): Reader,
    jar: CookieJar,
) -> Result<Response> {
    let code = Cookies::of(&app).code_in(&jar);
    let of_whom = match &code {
        Some(code) => app.store().account_by_code(code).await?,
        None => None,
    };
    match (code, of_whom) {
        (Some(code), Some(account)) if visitor.account.as_ref().is_some_and(|own| own.id == account.id) => {
            let shell = Shell::new(&visitor, "account");
            let shown =
                page(&CodePage { shell, code: code.expose(), bench: bench(game.as_deref(), language.as_deref()) })?;
            Ok(([(CACHE_CONTROL, "no-store")], shown).into_response())
        }
        _ => Ok(Redirect::to("/account").into_response()),
    }
}

pub(crate) async fn sign_in(
    app: App,
    taker: Taker,
    jar: CookieJar,
    Form(Coded { code, game, language }): Form<Coded>,
) -> Result<Response> {
    taker.take(LimitKind::Sessions, None)?;
    let account = app.store().account_by_code(&PlayerCode::parse(&code)?).await?.ok_or_else(unknown_code)?;
    if account.disabled {
        return Err(AccountError::Disabled.into());
    }
    let jar = identity::sign_in(&app, jar, account.id).await?;
    let shown = bench(game.as_deref(), language.as_deref())
        .map_or_else(|| "/account".into(), |writing| format!("/workshop?{}", writing.query()));
    Ok((jar, Redirect::to(&shown)).into_response())
}

pub(crate) async fn delete(
    app: App,
    Signed(account): Signed,
    jar: CookieJar,
    Form(Named { name, .. }): Form<Named>,
) -> Result<Response> {
    accounts::delete_confirmed(&app, &account, &name).await?;
    let cookies = Cookies::of(&app);
    let jar = cookies.no_secrets().into_iter().fold(jar.add(cookies.signed_out()), CookieJar::add);
    Ok((jar, Redirect::to("/privacy")).into_response())
}

pub(crate) async fn sign_out(app: App, visitor: Visitor, jar: CookieJar) -> Result<Response> {
    if let (Some(Pass::Session(session)), Some(account)) = (&visitor.pass, &visitor.account) {
        app.store().end_session(session).await?;
        app.forget(account.id).await;
    }
    let cookies = Cookies::of(&app);
    let jar = cookies.no_secrets().into_iter().fold(jar.add(cookies.signed_out()), CookieJar::add);
    Ok((jar, Redirect::to("/account")).into_response())
}
