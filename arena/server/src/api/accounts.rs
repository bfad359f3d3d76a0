//! Accounts.

use arena_rooms::PersonId;
use arena_service::person_of_account;
use arena_store::{Account, DisplayName, Page};
use axum::http::StatusCode;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Json;
use super::bots::BotView;
use crate::app::App;
use crate::identity::Signed;
use crate::limit_kind::LimitKind;
use crate::limits::ROWS_MAX;
use crate::problem::{Code, Problem, Result};
use crate::visitors::Taker;

/// A new account.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewAccount {
    /// Its name: 1 to 32 letters of one script, digits, and single `-`, `_` or spaces between them.
    name: String,
}

/// An account, as its owner sees it.
#[derive(Serialize, ToSchema)]
pub(crate) struct AccountView {
    /// Its name.
    name: String,
    /// The number in its id in records, `person:NUMBER`.
    person: String,
}

impl From<&Account> for AccountView {
    fn from(account: &Account) -> AccountView {
        let PersonId(number) = person_of_account(account.id);
        AccountView { name: account.name.to_string(), person: number.to_string() }
    }
}

/// A new account and its secret.
#[derive(Serialize, ToSchema)]
pub(crate) struct CreatedAccount {
    /// The account.
    account: AccountView,
    /// The player code. Send it as a bearer token. It is shown only here; the arena keeps only its hash.
    code: String,
}

/// Claims a name. The answer holds the player code, which is shown only once.
#[utoipa::path(post, path = "/api/v1/accounts", request_body = NewAccount,
    responses((status = 201, body = CreatedAccount), (status = 409), (status = 422), (status = 429), (status = 503)))]
pub(crate) async fn create(
    app: App,
    taker: Taker,
    Json(new): Json<NewAccount>,
) -> Result<(StatusCode, axum::Json<CreatedAccount>)> {
    let name = DisplayName::parse(&new.name)?;
    taker.take(LimitKind::Accounts, None)?;
    let (account, code) = app.store().create_account(&name, app.now()).await?;
    let created = CreatedAccount { account: (&account).into(), code: code.expose() };
    Ok((StatusCode::CREATED, axum::Json(created)))
}

/// An account with its bots.
#[derive(Serialize, ToSchema)]
pub(crate) struct OwnAccount {
    /// The account.
    #[serde(flatten)]
    account: AccountView,
    /// Its bots.
    bots: Vec<BotView>,
}

/// The account of the token or cookie.
#[utoipa::path(get, path = "/api/v1/account", security(("player_code" = [])),
    responses((status = 200, body = OwnAccount), (status = 401)))]
pub(crate) async fn show(app: App, Signed(account): Signed) -> Result<axum::Json<OwnAccount>> {
    let bots = app.store().bots_of(account.id, Page::first(ROWS_MAX)).await?;
    let bots = bots.iter().map(|bot| BotView::of(&app, bot)).collect();
    Ok(axum::Json(OwnAccount { account: (&account).into(), bots }))
}

/// The confirmation that an account is to be deleted.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Deletion {
    /// The account's name, as it is shown.
    name: String,
}

/// Deletes the account for good: its name, code, sessions, browsers, tokens, logs, and bots that were never accepted.
/// Bytes and records in published editions stay, under their hashes. No token may do this.
#[utoipa::path(post, path = "/api/v1/account/deletion", request_body = Deletion, security(("player_code" = [])),
    responses((status = 204), (status = 401), (status = 403), (status = 422)))]
pub(crate) async fn delete(
    app: App,
    Signed(account): Signed,
    Json(Deletion { name }): Json<Deletion>,
) -> Result<StatusCode> {
    delete_confirmed(&app, &account, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Deletes an account after its owner has typed its name.
pub(crate) async fn delete_confirmed(app: &App, account: &Account, typed: &str) -> Result<()> {
    if typed.trim() != account.name.as_str() {
        let detail = "this is not the name of your account";
        let hint = "type it as it is shown, capitals too; nothing was deleted";
        return Err(Problem::new(Code::NotConfirmed, detail, hint));
    }
    app.service().delete_account(account.id, app.now()).await?;
    app.forget(account.id).await;
    app.known.forget();
    Ok(())
}
