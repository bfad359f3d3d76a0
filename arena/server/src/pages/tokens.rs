//! The tokens of `/account`, and the page that shows a new one.

use askama::Template;
use axum::extract::Path;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Redirect, Response};
use axum_extra::extract::CookieJar;

use super::account::TokenRow;
use super::{Form, Shell, page};
use crate::api::tokens::{self, NewToken};
use crate::app::App;
use crate::identity::{Cookies, Reader, Signed};
use crate::limit_kind::LimitKind;
use crate::problem::Result;
use crate::visitors::Taker;

#[derive(Template)]
#[template(path = "token.html")]
struct TokenPage {
    shell: Shell,
    token: TokenRow,
    secret: String,
}

pub(crate) async fn create(
    app: App,
    Signed(account): Signed,
    taker: Taker,
    jar: CookieJar,
    Form(new): Form<NewToken>,
) -> Result<Response> {
    let new = new.checked(app.now())?;
    taker.take(LimitKind::Sessions, None)?;
    let (_, secret) = app.store().create_token(account.id, &new, app.now()).await?;
    // As with a new code: reloading the page that shows it has no effect.
    let jar = jar.add(Cookies::of(&app).token(&secret));
    Ok(([(CACHE_CONTROL, "no-store")], jar, Redirect::to("/account/token")).into_response())
}

/// Shows a new token while its cookie lasts. No browser and no proxy caches the page.
pub(crate) async fn show(app: App, Reader(visitor): Reader, jar: CookieJar) -> Result<Response> {
    let secret = Cookies::of(&app).token_in(&jar);
    let found = match &secret {
        Some(secret) => app.store().account_by_token(secret, app.now()).await?,
        None => None,
    };
    match (secret, found) {
        (Some(secret), Some((account, token))) if visitor.account_id() == Some(account.id) => {
            let (shell, token) = (Shell::new(&visitor, "account"), TokenRow::of(&token, app.now()));
            let shown = page(&TokenPage { shell, token, secret: secret.expose() })?;
            Ok(([(CACHE_CONTROL, "no-store")], shown).into_response())
        }
        _ => Ok(Redirect::to("/account").into_response()),
    }
}

pub(crate) async fn revoke(app: App, Signed(account): Signed, Path(number): Path<String>) -> Result<Redirect> {
    tokens::end(&app, account.id, &number).await?;
    Ok(Redirect::to("/account#tokens"))
}
