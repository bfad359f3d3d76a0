//! Identifies the visitor: an account by its cookie, its code or a token, a guest by a cookie, or a stranger.

use arena_rooms::{Newcomer, PersonId};
use arena_service::limits::WORKER_NOTED_SECONDS;
use arena_service::{GuestSecret, LiveRoom, person_of_account};
use arena_store::{
    AccessToken, Account, AccountError, AccountId, Credential, NotASecret, OwnWorker, PlayerCode, QueueError,
    SessionToken, UnixSeconds, WorkerName,
};
use axum::extract::{FromRequestParts, MatchedPath};
use axum::http::HeaderValue;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;
use axum_extra::extract::CookieJar;
use axum_extra::extract::cookie::{Cookie, SameSite};
use time::Duration;

use crate::app::App;
use crate::browser::BrowserToken;
use crate::limits::{CODE_SECONDS, SESSION_SECONDS, TOKEN_USE_SECONDS};
use crate::problem::{Code, Problem, Result};
use crate::scopes;
pub(crate) use crate::session_cache::Pass;
use crate::session_cache::{Endings, Mark};
use crate::visitors::Taker;

/// A visitor.
#[derive(Clone, Default)]
pub(crate) struct Visitor {
    pub(crate) account: Option<Account>,
    /// What identified the account.
    pub(crate) pass: Option<Pass>,
    guest: Option<GuestSecret>,
    browser: Option<BrowserToken>,
}

impl Visitor {
    /// The person that this visitor plays as: its account, or the guest of its cookie.
    pub(crate) fn person(&self) -> Option<PersonId> {
        self.persons().next()
    }

    /// The person that this visitor is in a room. A guest who claims a name during a game keeps the seat.
    pub(crate) fn person_in(&self, room: &LiveRoom) -> Option<PersonId> {
        self.persons().find(|person| !room.seats_of(*person).is_empty()).or_else(|| self.person())
    }

    /// This visitor as a person who takes a seat.
    pub(crate) fn newcomer(&self, person: PersonId) -> Newcomer {
        Newcomer { person, program: self.is_program(), browser: self.browser.map(|token| token.hash()) }
    }

    /// This visitor's account as a person who takes a seat.
    pub(crate) fn account_newcomer(&self) -> Result<Newcomer> {
        let person = self.account_id().map(person_of_account).ok_or_else(Problem::sign_in)?;
        Ok(self.newcomer(person))
    }

    /// The person who takes a seat in a page: the account, the guest, or a new guest. The answer sets the cookies that
    /// identify them.
    pub(crate) fn seated_in(&self, app: &App, jar: CookieJar) -> Result<(Newcomer, CookieJar)> {
        let cookies = Cookies::of(app);
        let (person, mut jar) = match self.person() {
            Some(person) => (person, jar),
            None => {
                let secret = GuestSecret::random()?;
                (secret.person(), jar.add(cookies.guest(&secret)))
            }
        };
        let mut newcomer = self.newcomer(person);
        if !newcomer.program {
            let token = self.browser.map_or_else(BrowserToken::random, Ok)?;
            newcomer.browser = Some(token.hash());
            jar = jar.add(cookies.browser(&token));
        }
        Ok((newcomer, jar))
    }

    /// The persons that this visitor may be at any board: its account, and its guest in this browser.
    pub(crate) fn persons(&self) -> impl Iterator<Item = PersonId> {
        let account = self.account.as_ref().map(|account| person_of_account(account.id));
        account.into_iter().chain(self.guest.as_ref().map(GuestSecret::person))
    }

    /// The id of its account.
    pub(crate) fn account_id(&self) -> Option<AccountId> {
        self.account.as_ref().map(|account| account.id)
    }

    /// Whether the request comes from an account's program, by a token or the code; a browser has a cookie.
    pub(crate) fn is_program(&self) -> bool {
        matches!(self.pass, Some(Pass::Token(_) | Pass::Code(_)))
    }

    /// A stranger in a browser with these cookies.
    fn in_browser(app: &App, cookies: &CookieJar) -> Visitor {
        let value = |name| cookies.get(name).map(Cookie::value);
        Visitor {
            guest: value(Cookies::of(app).guest).and_then(|text| GuestSecret::parse(text).ok()),
            browser: value(Cookies::of(app).browser).and_then(BrowserToken::parse),
            ..Visitor::default()
        }
    }

    /// The name in the header of pages.
    pub(crate) fn name(&self) -> Option<String> {
        self.account.as_ref().map(|account| account.name.to_string())
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Visitor> {
        if let Some(value) = parts.headers.get(AUTHORIZATION) {
            let (account, pass) = match credential(value)? {
                Credential::Code(code) => {
                    (app.store().account_by_code(&code).await?.ok_or_else(unknown_code)?, Pass::Code(code))
                }
                Credential::Token(secret) => (account_of_token(app, parts, &secret).await?, Pass::Token(secret)),
                Credential::Worker(_) => return Err(Problem::needs_account()),
            };
            admitted(parts, &account)?;
            return Ok(Visitor { account: Some(account), pass: Some(pass), ..Visitor::default() });
        }
        let cookies = CookieJar::from_headers(&parts.headers);
        let value = |name| cookies.get(name).map(Cookie::value);
        let mut visitor = Visitor::in_browser(app, &cookies);
        if let Some(token) = value(Cookies::of(app).session).and_then(|text| SessionToken::parse(text).ok()) {
            visitor.account = app.store().account_by_session(&token, app.now()).await?;
            visitor.account.as_ref().map_or(Ok(()), |account| admitted(parts, account))?;
            visitor.pass = visitor.account.is_some().then_some(Pass::Session(token));
        }
        Ok(visitor)
    }
}

/// The credential of a program.
fn credential(value: &HeaderValue) -> Result<Credential, NotASecret> {
    Credential::parse(bearer(value))
}

/// The bearer token of the header Authorization; empty if there is none.
pub(crate) fn bearer(value: &HeaderValue) -> &str {
    let sent = value.to_str().ok().and_then(|value| value.split_once(' '));
    sent.filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer")).map_or("", |(_, token)| token)
}

/// A visitor who polls for news. A recent look-up of the identity is reused.
pub(crate) struct Waiter {
    pub(crate) visitor: Visitor,
    /// Which credentials end, since before they were looked up.
    pub(crate) endings: Endings,
}

impl FromRequestParts<App> for Waiter {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Waiter> {
        let endings = app.sessions.endings();
        let cookies = CookieJar::from_headers(&parts.headers);
        let code = parts.headers.get(AUTHORIZATION).map(|value| value.as_bytes());
        let session = cookies.get(Cookies::of(app).session).map(|cookie| cookie.value().as_bytes());
        let mark = code.or(session).map(Mark::of);
        let known = mark.map(|mark| (mark, app.sessions.find(mark, app.clock().now())));
        if let Some((_, Ok((account, pass)))) = known {
            admitted(parts, &account)?;
            let is_browser = matches!(pass, Pass::Session(_));
            let visitor = if is_browser { Visitor::in_browser(app, &cookies) } else { Visitor::default() };
            return Ok(Waiter { visitor: Visitor { account: Some(account), pass: Some(pass), ..visitor }, endings });
        }
        let visitor = Visitor::from_request_parts(parts, app).await?;
        if let (Some((mark, Err(since))), Some(account), Some(pass)) = (known, &visitor.account, &visitor.pass) {
            app.sessions.keep(mark, since, account.clone(), pass.clone(), app.clock().now());
        }
        Ok(Waiter { visitor, endings })
    }
}

/// Checks whether an account may make a request now.
fn admitted(parts: &Parts, account: &Account) -> Result<()> {
    if account.disabled {
        return Err(AccountError::Disabled.into());
    }
    // Set before any handler runs.
    let taker = parts.extensions.get::<Taker>();
    Ok(taker.map_or(Ok(()), |taker| taker.request_of(account.id))?)
}

/// The account of a token, if the token's scope covers the request.
async fn account_of_token(app: &App, parts: &Parts, secret: &AccessToken) -> Result<Account> {
    let now = app.now();
    let (account, token) = app.store().account_by_token(secret, now).await?.ok_or_else(unknown_token)?;
    let route = parts.extensions.get::<MatchedPath>().map_or("", MatchedPath::as_str);
    match scopes::needed(&parts.method, route) {
        None => return Err(Problem::needs_code()),
        Some(needed) if !scopes::may(token.scope, needed, route) => {
            return Err(Problem::needs_scope(needed, token.scope));
        }
        Some(_) => {}
    }
    if token.used_at.is_none_or(|at| now.0 - at.0 >= TOKEN_USE_SECONDS) {
        app.store().note_use(token.id, now).await?;
    }
    Ok(account)
}

/// For a well-formed token that does not exist.
fn unknown_token() -> Problem {
    let hint = "it may be over or revoked; its owner makes another at /account";
    Problem::new(Code::UnknownToken, "no account has this token", hint)
}

/// For a well-formed code that does not exist.
pub(crate) fn unknown_code() -> Problem {
    let hint = "it may have been replaced by a newer one, or belong to another arena";
    Problem::new(Code::UnknownPlayer, "no account has this player code", hint)
}

/// A visitor with an account.
pub(crate) struct Signed(pub(crate) Account);

impl FromRequestParts<App> for Signed {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Signed> {
        let visitor = Visitor::from_request_parts(parts, app).await?;
        visitor.account.map(Signed).ok_or_else(Problem::sign_in)
    }
}

/// A program that plays games for the site: one of the site's own workers, by its token, or an account's, if the site
/// takes volunteers.
pub(crate) struct Plays(pub(crate) WorkerName);

impl FromRequestParts<App> for Plays {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Plays> {
        let known = parts.headers.get(AUTHORIZATION).map(credential).transpose()?;
        let Some(Credential::Worker(token)) = known else {
            let Signed(account) = Signed::from_request_parts(parts, app).await?;
            app.service().volunteers().ok_or_else(Problem::no_volunteers)?;
            return Ok(Plays(WorkerName::of_volunteer(account.id)));
        };
        let OwnWorker { name, quarantined, .. } =
            app.store().worker_by_token(&token).await?.ok_or_else(Problem::unknown_worker)?;
        // It takes nothing of its network's share, which is for visitors.
        if let Some(taker) = parts.extensions.get::<Taker>() {
            taker.give_back_request();
        }
        if let Some(reason) = quarantined {
            return Err(QueueError::Quarantined { name, reason }.into());
        }
        app.store().note_worker(&name, WORKER_NOTED_SECONDS).await?;
        Ok(Plays(name))
    }
}

/// Who reads a public page: a stranger, too. A visitor whose share is used up is not treated as one.
pub(crate) struct Reader(pub(crate) Visitor);

impl FromRequestParts<App> for Reader {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Reader> {
        match Visitor::from_request_parts(parts, app).await {
            Err(problem) if problem.is_refused() => Err(problem),
            asked => Ok(Reader(asked.unwrap_or_default())),
        }
    }
}

/// The names of our cookies. With TLS, their prefix makes browsers refuse them from other hosts and without TLS.
pub(crate) struct Cookies {
    session: &'static str,
    guest: &'static str,
    browser: &'static str,
    code: &'static str,
    token: &'static str,
    secure: bool,
}

impl Cookies {
    pub(crate) fn of(app: &App) -> Cookies {
        if app.site.secure {
            let (session, guest, browser) = ("__Host-arena_session", "__Host-arena_guest", "__Host-arena_browser");
            // Each of these is sent to one page only, so it does not have the prefix of the whole host.
            Cookies {
                session,
                guest,
                browser,
                code: "__Secure-arena_code",
                token: "__Secure-arena_token",
                secure: true,
            }
        } else {
            let (session, guest, browser) = ("arena_session", "arena_guest", "arena_browser");
            Cookies { session, guest, browser, code: "arena_code", token: "arena_token", secure: false }
        }
    }

    fn cookie(&self, name: &'static str, value: String, seconds: i64) -> Cookie<'static> {
        Cookie::build((name, value))
            .path("/")
            .http_only(true)
            .secure(self.secure)
            // Not Strict: a player who follows a link from another site to a room must still be recognised.
            .same_site(SameSite::Lax)
            .max_age(Duration::seconds(seconds))
            .build()
    }

    fn guest(&self, secret: &GuestSecret) -> Cookie<'static> {
        self.cookie(self.guest, secret.expose(), SESSION_SECONDS)
    }

    fn browser(&self, token: &BrowserToken) -> Cookie<'static> {
        self.cookie(self.browser, token.expose(), SESSION_SECONDS)
    }

    /// A setting that is remembered.
    pub(crate) fn setting(&self, name: &'static str, value: &str, seconds: i64) -> Cookie<'static> {
        self.cookie(name, value.into(), seconds)
    }

    /// Carries a new code to the page that shows it.
    pub(crate) fn code(&self, code: &PlayerCode) -> Cookie<'static> {
        self.on_page("/account/code", self.code, code.expose(), CODE_SECONDS)
    }

    /// The code in its page's cookie.
    pub(crate) fn code_in(&self, jar: &CookieJar) -> Option<PlayerCode> {
        PlayerCode::parse(jar.get(self.code)?.value()).ok()
    }

    /// Carries a new token to the page that shows it.
    pub(crate) fn token(&self, secret: &AccessToken) -> Cookie<'static> {
        self.on_page("/account/token", self.token, secret.expose(), CODE_SECONDS)
    }

    /// The token in its page's cookie.
    pub(crate) fn token_in(&self, jar: &CookieJar) -> Option<AccessToken> {
        AccessToken::parse(jar.get(self.token)?.value()).ok()
    }

    /// Cookies that delete the code and the token.
    pub(crate) fn no_secrets(&self) -> [Cookie<'static>; 2] {
        let nothing = |page, name| self.on_page(page, name, String::new(), 0);
        [nothing("/account/code", self.code), nothing("/account/token", self.token)]
    }

    /// A cookie that is sent to one page only.
    fn on_page(&self, page: &'static str, name: &'static str, value: String, seconds: i64) -> Cookie<'static> {
        let mut cookie = self.cookie(name, value, seconds);
        cookie.set_path(page);
        cookie.set_same_site(SameSite::Strict);
        cookie
    }

    /// A cookie that ends the session in the browser.
    pub(crate) fn signed_out(&self) -> Cookie<'static> {
        self.cookie(self.session, String::new(), 0)
    }
}

/// Opens a session for an account, and notes the browser. The answer sets the cookies of both.
pub(crate) async fn sign_in(app: &App, jar: CookieJar, account: AccountId) -> Result<CookieJar> {
    let (cookies, now) = (Cookies::of(app), app.now());
    let known = jar.get(cookies.browser).map(Cookie::value).and_then(BrowserToken::parse);
    let browser = known.map_or_else(BrowserToken::random, Ok)?;
    app.store().note_browser(account, browser.hash(), now).await?;
    let session = app.store().create_session(account, UnixSeconds(now.0 + SESSION_SECONDS)).await?;
    // Not necessary, but a sign-in is rare enough to clean up.
    app.store().drop_expired_sessions(now).await?;
    let session = cookies.cookie(cookies.session, session.expose(), SESSION_SECONDS);
    Ok(jar.add(cookies.browser(&browser)).add(session))
}
