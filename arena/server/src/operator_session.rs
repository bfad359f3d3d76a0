//! Identifies the site's operator, by the operator's token or by a session that began with it.

use axum::extract::FromRequestParts;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use time::Duration;

use crate::app::App;
use crate::identity::bearer;
use crate::limits::OPERATOR_SESSION_SECONDS;
use crate::operator::not_the_operator;
use crate::problem::{Problem, Result};

/// Extracted when the request is the operator's.
pub(crate) struct Operator;

impl FromRequestParts<App> for Operator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Operator> {
        let operators = &app.operators;
        let token = operators.token()?;
        if let Some(value) = parts.headers.get(AUTHORIZATION) {
            if token.is(bearer(value)) {
                return Ok(Operator);
            }
            app.site.metrics.guessed();
            return Err(not_the_operator());
        }
        let jar = CookieJar::from_headers(&parts.headers);
        let Some(cookie) = jar.get(cookie_name(app)) else { return Err(not_the_operator()) };
        let open = operators.is_open(app.store(), cookie.value(), app.now()).await?;
        if open { Ok(Operator) } else { Err(not_the_operator()) }
    }
}

fn cookie_name(app: &App) -> &'static str {
    if app.site.secure { "__Secure-arena_operator" } else { "arena_operator" }
}

/// A cookie that is sent only to the operator's pages, and only from one of them.
fn cookie(app: &App, value: String, seconds: i64) -> Cookie<'static> {
    Cookie::build((cookie_name(app), value))
        .path("/operator")
        .http_only(true)
        .secure(app.site.secure)
        .same_site(SameSite::Strict)
        .max_age(Duration::seconds(seconds))
        .build()
}

/// Signs the operator in; returns the cookie of the session.
///
/// # Errors
/// If this is not the operator's token, the site has none, or the store fails.
pub(crate) async fn sign_in(app: &App, text: &str) -> Result<Cookie<'static>> {
    if !app.operators.token()?.is(text) {
        app.site.metrics.guessed();
    }
    Ok(cookie(app, app.operators.sign_in(app.store(), text, app.now()).await?, OPERATOR_SESSION_SECONDS))
}

/// Signs the operator out, at every server; returns a cookie that deletes the old one.
///
/// # Errors
/// If the store fails.
pub(crate) async fn sign_out(app: &App, jar: &CookieJar) -> Result<Cookie<'static>> {
    if let Some(sent) = jar.get(cookie_name(app)) {
        app.operators.sign_out(app.store(), sent.value()).await?;
    }
    Ok(cookie(app, String::new(), 0))
}
