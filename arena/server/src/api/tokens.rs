//! Tokens of accounts.

use arena_store::{AccountId, DisplayName, Scope, Token, TokenId, UnixSeconds};
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Json;
use crate::app::App;
use crate::identity::Signed;
use crate::limit_kind::LimitKind;
use crate::limits::{DAY_SECONDS, TOKEN_DAYS_MAX};
use crate::problem::{Code, Problem, Result};
use crate::visitors::Taker;

/// What a token may do.
#[derive(ToSchema)]
#[schema(as = Scope, rename_all = "lowercase")]
#[expect(dead_code, reason = "its words in the store, which knows nothing of the document")]
enum ScopeShape {
    /// Read what the account sees, including logs of its bots.
    Read,
    /// Read, submit versions of bots, and start, enter and run tournaments.
    Submit,
    /// Read, except logs of bots, open rooms and play in them.
    Play,
    /// Play games of tournaments for the site with `arena worker`, and nothing else.
    Work,
    /// All of these, and whatever else needs no player code.
    All,
}

/// A token to create.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct NewToken {
    /// Its name, by the rules for players' names; it need not be unique.
    name: String,
    /// What it may do.
    #[schema(value_type = ScopeShape)]
    scope: Scope,
    /// Days until it expires: 1 to 365.
    days: u32,
}

impl NewToken {
    /// The token in the form that the store takes.
    pub(crate) fn checked(self, now: UnixSeconds) -> Result<arena_store::NewToken> {
        let name = DisplayName::parse(self.name.trim())?;
        if !(1..=TOKEN_DAYS_MAX).contains(&self.days) {
            let detail = format!("a token lasts for 1 to {TOKEN_DAYS_MAX} days");
            let hint = "make another one when it is over";
            return Err(Problem::new(Code::BadExpiry, detail, hint));
        }
        let expires_at = UnixSeconds(now.0 + i64::from(self.days) * DAY_SECONDS);
        Ok(arena_store::NewToken { name, scope: self.scope, expires_at })
    }
}

/// A token, without its secret.
#[derive(Serialize, ToSchema)]
pub(crate) struct TokenView {
    /// Its number.
    number: i64,
    /// Its name.
    name: String,
    /// What it may do.
    #[schema(value_type = ScopeShape)]
    scope: Scope,
    /// When it was created, in seconds since 1970.
    created_at: i64,
    /// When it expires, in seconds since 1970.
    expires_at: i64,
    /// When it was last used, to within ten minutes, in seconds since 1970; `null` if never.
    used_at: Option<i64>,
}

impl From<&Token> for TokenView {
    fn from(token: &Token) -> TokenView {
        TokenView {
            number: token.id.0,
            name: token.name.to_string(),
            scope: token.scope,
            created_at: token.created_at.0,
            expires_at: token.expires_at.0,
            used_at: token.used_at.map(|at| at.0),
        }
    }
}

/// A new token and its secret.
#[derive(Serialize, ToSchema)]
pub(crate) struct CreatedToken {
    /// The token.
    #[serde(flatten)]
    token: TokenView,
    /// The secret. Send it as a bearer token. It is shown only here; the arena keeps only its hash.
    secret: String,
}

/// The account's tokens, oldest first, without their secrets. No token may read them.
#[utoipa::path(get, path = "/api/v1/account/tokens", security(("player_code" = [])),
    responses((status = 200, body = Vec<TokenView>), (status = 401), (status = 403)))]
pub(crate) async fn list(app: App, Signed(account): Signed) -> Result<axum::Json<Vec<TokenView>>> {
    let tokens = app.store().tokens_of(account.id).await?;
    Ok(axum::Json(tokens.iter().map(TokenView::from).collect()))
}

/// Creates a token for the account. The answer holds its secret, which is shown only once. No token may create another.
#[utoipa::path(post, path = "/api/v1/account/tokens", request_body = NewToken, security(("player_code" = [])),
    responses((status = 201, body = CreatedToken), (status = 401), (status = 403), (status = 409), (status = 422),
        (status = 429)))]
pub(crate) async fn create(
    app: App,
    taker: Taker,
    Signed(account): Signed,
    Json(new): Json<NewToken>,
) -> Result<Response> {
    let new = new.checked(app.now())?;
    taker.take(LimitKind::Sessions, None)?;
    let (token, secret) = app.store().create_token(account.id, &new, app.now()).await?;
    let created = CreatedToken { token: (&token).into(), secret: secret.expose() };
    Ok((StatusCode::CREATED, [(CACHE_CONTROL, "no-store")], axum::Json(created)).into_response())
}

/// Revokes a token of the account; the answer has those that are left.
#[utoipa::path(post, path = "/api/v1/account/tokens/{number}/revocation", params(("number" = i64, Path)),
    security(("player_code" = [])),
    responses((status = 200, body = Vec<TokenView>), (status = 401), (status = 403), (status = 404)))]
pub(crate) async fn revoke(
    app: App,
    Signed(account): Signed,
    Path(number): Path<String>,
) -> Result<axum::Json<Vec<TokenView>>> {
    end(&app, account.id, &number).await?;
    list(app, Signed(account)).await
}

/// Revokes a token, and ends what was opened with it.
pub(crate) async fn end(app: &App, account: AccountId, number: &str) -> Result<()> {
    let missing = || Problem::new(Code::NoSuchToken, "you have no such token", "/account has all that you have");
    let number = number.parse().map(TokenId).map_err(|_| missing())?;
    if !app.store().revoke_token(account, number).await? {
        return Err(missing());
    }
    app.forget(account).await;
    Ok(())
}
