//! Headers of every answer, and the check of a request's origin.

use axum::extract::{MatchedPath, Request};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, HOST, HeaderName, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS,
};
use axum::http::{HeaderMap, HeaderValue};
use axum::middleware::Next;
use axum::response::Response;

use crate::assets::Inline;
use crate::problem::{Code, Problem, Result};
use crate::visitors::By;

/// Allows our own files only. Browsers count compiling the rules for pages as `wasm-unsafe-eval`.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; \
font-src 'self'; manifest-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Set on every answer, including problems.
const HEADERS: [(HeaderName, &str); 5] = [
    (CONTENT_SECURITY_POLICY, POLICY),
    // So that a record or a module is never taken for a page.
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // So that other sites do not learn which room or bot a visitor looks at.
    (REFERRER_POLICY, "same-origin"),
    (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
    (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
];

/// The policy of a page that contains the style itself.
pub(crate) fn policy_with(style: &Inline) -> HeaderValue {
    let policy = POLICY.replace("style-src 'self'", &format!("style-src 'self' {}", style.source));
    HeaderValue::from_str(&policy).unwrap_or(HeaderValue::from_static(POLICY))
}

pub(crate) async fn headers(request: Request, next: Next) -> Response {
    let is_private = request.extensions().get::<MatchedPath>().is_some_and(|route| is_private(route.as_str()));
    let mut response = next.run(request).await;
    // Its header has the account's name, and forms of its own may be in it.
    let is_own_page = response.extensions().get::<By>() == Some(&By::Account) && is_page(response.headers());
    if is_private || is_own_page {
        response.headers_mut().entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    }
    for (name, value) in HEADERS {
        // Pictures for other sites set their own value.
        response.headers_mut().entry(name).or_insert(HeaderValue::from_static(value));
    }
    response
}

fn is_page(headers: &HeaderMap) -> bool {
    headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html"))
}

/// Whether answers at a route are for one account or the operator alone. No cache keeps them: not a proxy's, and not
/// the browser's, in which somebody else could go back after a sign-out.
fn is_private(route: &str) -> bool {
    let below = ["/account", "/submit", "/operator", "/tournaments/new"].into_iter();
    let mut whole = below.flat_map(|start| [start.to_owned(), format!("/api/v1{start}")]);
    shows_logs(route)
        || route.ends_with("/versions/{number}")
        || whole.any(|start| route.strip_prefix(&*start).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')))
}

/// Whether an account reads at a route what its bots logged, which is for nobody else.
pub(crate) fn shows_logs(route: &str) -> bool {
    ["/log", "/logs", "/profile", "/again"].iter().any(|end| route.ends_with(end))
        || route == "/bots/{name}/versions/{number}"
}

/// Checks that a page of ours opens this socket. Browsers send cookies with sockets whatever page opens them, and no
/// CSRF layer checks a GET, so the origin is compared here. Programs send none.
///
/// # Errors
/// When it is another site's page.
pub(crate) fn same_origin(headers: &HeaderMap) -> Result<()> {
    let Some(origin) = headers.get(ORIGIN) else { return Ok(()) };
    let authority = origin.to_str().ok().and_then(|origin| origin.split_once("://")).map(|(_, authority)| authority);
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    if authority.is_some() && authority == host { Ok(()) } else { Err(foreign()) }
}

/// For a request from a page of another site.
pub(crate) fn foreign() -> Problem {
    Problem::new(
        Code::CrossSite,
        "this request comes from another site's page",
        "use the pages of this arena; a proxy in front of it has to keep the headers Host and Origin",
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_one_accounts_is_private_and_what_is_everybodys_is_not() {
        for private in
            ["/account", "/account/code", "/api/v1/account/export", "/submit", "/operator", "/games/{id}/log"]
        {
            assert!(is_private(private), "{private}");
        }
        for public in
            ["/", "/accounts", "/games/{id}", "/bots/{name}", "/standings/{game}", "/api/v1/games/{id}/record"]
        {
            assert!(!is_private(public), "{public}");
        }
    }

    #[test]
    fn sockets_open_from_our_own_pages_and_from_programs() {
        let judged = |origin: Option<&'static str>| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static("arena.example:8080"));
            origin.map(|origin| headers.insert(ORIGIN, HeaderValue::from_static(origin)));
            same_origin(&headers).is_ok()
        };
        for good in [None, Some("http://arena.example:8080"), Some("https://arena.example:8080")] {
            assert!(judged(good), "{good:?}");
        }
        for bad in
            ["http://arena.example", "http://evil.example:8080", "null", "", "http://arena.example:8080.evil.example"]
        {
            assert!(!judged(Some(bad)), "{bad:?}");
        }
    }
}
