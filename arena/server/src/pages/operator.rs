//! `/operator`: the state of the site, and the operator's acts.

use arena_store::Page;
use askama::Template;
use axum::http::StatusCode;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Redirect, Response};
use axum_extra::extract::CookieJar;
use serde::Deserialize;

use super::{Form, Shell, date, page};
use crate::api::operator::{Going, NewAct};
use crate::api::tournaments::id_of;
use crate::app::App;
use crate::identity::{Reader, Visitor};
use crate::limit_kind::LimitKind;
use crate::limits::AUDIT_ROWS;
use crate::operator_session::{self, Operator};
use crate::problem::Result;
use crate::visitors::Taker;

/// A line of the log.
struct Line {
    number: i64,
    at: String,
    act: String,
    /// The subject of the act, by number and current name.
    on: String,
    name: Option<String>,
    reason: String,
}

#[derive(Template)]
#[template(path = "operator.html")]
struct OperatorPage {
    shell: Shell,
    going: Going,
    log: Vec<Line>,
}

#[derive(Template)]
#[template(path = "operator_door.html")]
struct Door {
    shell: Shell,
}

/// The form to sign in.
#[derive(Deserialize)]
pub(crate) struct Key {
    token: String,
}

impl OperatorPage {
    async fn of(app: &App, taker: &Taker, visitor: &Visitor) -> Result<OperatorPage> {
        let going = Going::of(app, taker).await?;
        let log = app.store().audit(Page::first(AUDIT_ROWS)).await?.into_iter().map(|entry| Line {
            number: entry.number,
            at: date(entry.at),
            act: entry.act.replace('_', " "),
            on: match (entry.bot, entry.account, entry.contest, entry.game) {
                (Some(bot), ..) => format!("bot {}", bot.0),
                (_, Some(account), ..) => format!("account #{}", account.0),
                (_, _, Some(contest), _) => format!("tournament {}", id_of(contest)),
                (.., Some(room)) => format!("game {room}"),
                _ => String::new(),
            },
            name: entry.name,
            reason: entry.reason.to_string(),
        });
        let log = log.collect();
        Ok(OperatorPage { shell: Shell::new(visitor, "operator"), going, log })
    }

    /// Bytes in GiB, with a digit after the point.
    fn gib(bytes: &u64) -> String {
        let tenths = (bytes >> 20) * 10 / 1_024;
        format!("{}.{} GiB", tenths / 10, tenths % 10)
    }

    /// Whether something is closed.
    fn is_closed(&self, gate: &str) -> bool {
        self.going.closed.contains(&gate)
    }
}

/// The page for the operator, the sign-in form for everybody else. No browser and no proxy caches it.
pub(crate) async fn show(
    app: App,
    Reader(visitor): Reader,
    taker: Taker,
    operator: Result<Operator>,
) -> Result<Response> {
    app.operators.token()?;
    let shown = match operator {
        Ok(Operator) => page(&OperatorPage::of(&app, &taker, &visitor).await?)?,
        Err(problem) if problem.status != StatusCode::UNAUTHORIZED.as_u16() => return Err(problem),
        Err(_) => page(&Door { shell: Shell::new(&visitor, "operator") })?,
    };
    Ok(([(CACHE_CONTROL, "no-store")], shown).into_response())
}

pub(crate) async fn sign_in(
    app: App,
    taker: Taker,
    jar: CookieJar,
    Form(Key { token }): Form<Key>,
) -> Result<Response> {
    taker.take(LimitKind::Sessions, None)?;
    let cookie = operator_session::sign_in(&app, &token).await?;
    Ok((jar.add(cookie), Redirect::to("/operator")).into_response())
}

pub(crate) async fn sign_out(app: App, jar: CookieJar) -> Result<Response> {
    let cookie = operator_session::sign_out(&app, &jar).await?;
    Ok((jar.add(cookie), Redirect::to("/operator")).into_response())
}

pub(crate) async fn act(_: Operator, app: App, Form(new): Form<NewAct>) -> Result<Redirect> {
    new.perform(&app).await?;
    Ok(Redirect::to("/operator"))
}
