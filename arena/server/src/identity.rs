//! Who asks: an account by its cookie or its bearer token, a guest by a cookie, or nobody yet.

use std::convert::Infallible;

use arena_rooms::PersonId;
use arena_service::{GuestSecret, LiveRoom, person_of_account};
use arena_store::{Account, AccountId, PlayerCode, SessionToken, UnixSeconds};
use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use time::Duration;

use crate::app::{App, now};
use crate::limits::{CODE_SECONDS, SESSION_SECONDS};
use crate::problem::Problem;

/// Who asks.
#[derive(Clone, Default)]
pub(crate) struct Visitor {
    pub(crate) account: Option<Account>,
    /// The session the account came by; none with a bearer token.
    pub(crate) session: Option<SessionToken>,
    guest: Option<GuestSecret>,
}

impl Visitor {
    /// Who plays, when this visitor does: its account, or the guest its cookie makes it.
    pub(crate) fn person(&self) -> Option<PersonId> {
        self.persons().next()
    }

    /// Who this visitor is in a room: a guest who claims a name in the middle of a game keeps the seat.
    pub(crate) fn person_in(&self, room: &LiveRoom) -> Option<PersonId> {
        self.persons().find(|person| !room.seats_of(*person).is_empty()).or_else(|| self.person())
    }

    fn persons(&self) -> impl Iterator<Item = PersonId> {
        let account = self.account.as_ref().map(|account| person_of_account(account.id));
        account.into_iter().chain(self.guest.as_ref().map(GuestSecret::person))
    }

    /// The number of its account.
    pub(crate) fn account_id(&self) -> Option<AccountId> {
        self.account.as_ref().map(|account| account.id)
    }

    /// The name in the header of pages.
    pub(crate) fn name(&self) -> Option<String> {
        self.account.as_ref().map(|account| account.name.to_string())
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Visitor, Problem> {
        if let Some(value) = parts.headers.get(AUTHORIZATION) {
            let code = value.to_str().ok().and_then(|value| value.split_once(' '));
            let code = code.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map_or("", |(_, code)| code);
            let account = app.store().account_by_code(&PlayerCode::parse(code)?).await?;
            let account = account.ok_or_else(unknown_code)?;
            return Ok(Visitor { account: Some(account), session: None, guest: None });
        }
        let cookies = CookieJar::from_headers(&parts.headers);
        let value = |name| cookies.get(name).map(Cookie::value);
        let mut visitor = Visitor {
            guest: value(Cookies::of(app).guest).and_then(|text| GuestSecret::parse(text).ok()),
            ..Visitor::default()
        };
        if let Some(token) = value(Cookies::of(app).session).and_then(|text| SessionToken::parse(text).ok()) {
            visitor.account = app.store().account_by_session(&token, now()).await?;
            visitor.session = visitor.account.is_some().then_some(token);
        }
        Ok(visitor)
    }
}

/// A code that is well-formed and nobody's.
pub(crate) fn unknown_code() -> Problem {
    let hint = "it may have been replaced by a newer one, or belong to another arena";
    Problem::new(axum::http::StatusCode::UNAUTHORIZED, "unknown_code", "no account has this player code", hint)
}

/// A visitor with an account.
pub(crate) struct Signed(pub(crate) Account);

impl FromRequestParts<App> for Signed {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Signed, Problem> {
        let visitor = <Visitor as FromRequestParts<App>>::from_request_parts(parts, app).await?;
        visitor.account.map(Signed).ok_or_else(Problem::sign_in)
    }
}

/// The requester, if its token is valid: for public pages.
impl OptionalFromRequestParts<App> for Visitor {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Visitor>, Infallible> {
        Ok(<Visitor as FromRequestParts<App>>::from_request_parts(parts, app).await.ok())
    }
}

/// The names of our cookies. With TLS the prefix makes browsers refuse them from any other host or without TLS.
pub(crate) struct Cookies {
    session: &'static str,
    guest: &'static str,
    code: &'static str,
    secure: bool,
}

impl Cookies {
    pub(crate) fn of(app: &App) -> Cookies {
        if app.site.secure {
            let (session, guest) = ("__Host-arena_session", "__Host-arena_guest");
            // Only one page gets this one, so it is not the whole host's.
            Cookies { session, guest, code: "__Secure-arena_code", secure: true }
        } else {
            Cookies { session: "arena_session", guest: "arena_guest", code: "arena_code", secure: false }
        }
    }

    fn cookie(&self, name: &'static str, value: String, seconds: i64) -> Cookie<'static> {
        Cookie::build((name, value))
            .path("/")
            .http_only(true)
            .secure(self.secure)
            // Not Strict: a player who follows a link to a room from elsewhere is still its player.
            .same_site(SameSite::Lax)
            .max_age(Duration::seconds(seconds))
            .build()
    }

    pub(crate) fn guest(&self, secret: &GuestSecret) -> Cookie<'static> {
        self.cookie(self.guest, secret.expose(), SESSION_SECONDS)
    }

    /// A new code on its way to the page that shows it.
    pub(crate) fn code(&self, code: &PlayerCode) -> Cookie<'static> {
        self.on_code_page(code.expose(), CODE_SECONDS)
    }

    /// The code in the cookie of its page.
    pub(crate) fn code_in(&self, jar: &CookieJar) -> Option<PlayerCode> {
        PlayerCode::parse(jar.get(self.code)?.value()).ok()
    }

    /// A cookie that forgets the code.
    pub(crate) fn no_code(&self) -> Cookie<'static> {
        self.on_code_page(String::new(), 0)
    }

    fn on_code_page(&self, value: String, seconds: i64) -> Cookie<'static> {
        let mut cookie = self.cookie(self.code, value, seconds);
        cookie.set_path("/account/code");
        cookie.set_same_site(SameSite::Strict);
        cookie
    }

    /// A cookie that ends the session in the browser.
    pub(crate) fn signed_out(&self) -> Cookie<'static> {
        self.cookie(self.session, String::new(), 0)
    }
}

/// Opens a session for an account: the cookie that carries it.
pub(crate) async fn sign_in(app: &App, account: AccountId) -> Result<Cookie<'static>, Problem> {
    let now = now();
    let token = app.store().create_session(account, UnixSeconds(now.0 + SESSION_SECONDS)).await?;
    // Nothing depends on it, and a sign-in is rare enough.
    app.store().drop_expired_sessions(now).await?;
    let cookies = Cookies::of(app);
    Ok(cookies.cookie(cookies.session, token.expose(), SESSION_SECONDS))
}
