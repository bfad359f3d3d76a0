//! The language of a page, and the switch at its foot.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_LANGUAGE, CONTENT_TYPE, VARY};
use axum::middleware::Next;
use axum::response::{Redirect, Response};
use axum_extra::extract::CookieJar;
use serde::Deserialize;

use super::{Form, form_of};
use crate::app::App;
use crate::identity::Cookies;
use crate::language::{self, Language};
use crate::limits::LANGUAGE_SECONDS;
use crate::measures::Measures;

/// Answers a request in its language. Caches store a page separately for each language.
pub(crate) async fn spoken(State(measures): State<Arc<Measures>>, request: Request, next: Next) -> Response {
    let language = Language::of(request.headers());
    let uri = request.uri();
    let back = if request.method().is_safe() {
        uri.path_and_query().map(|here| here.as_str().to_owned())
    } else {
        form_of(request.method(), uri.path())
    };
    let back = back.unwrap_or_else(|| "/".into());
    let mut response =
        language::answering(language, back, (measures.notice(), measures.closed()), next.run(request)).await;
    let headers = response.headers_mut();
    if headers.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(b"text/html")) {
        headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(language.tag()));
        headers.append(VARY, HeaderValue::from_static("accept-language, cookie"));
    }
    response
}

/// The form of the switch.
#[derive(Deserialize)]
pub(crate) struct Chosen {
    language: String,
    back: String,
}

/// `POST /language`: remembers a language and goes back.
pub(crate) async fn choose(app: App, jar: CookieJar, Form(chosen): Form<Chosen>) -> (CookieJar, Redirect) {
    let language = Language::of_tag(&chosen.language).unwrap_or_default();
    let cookie = Cookies::of(&app).setting(language::COOKIE, language.tag(), LANGUAGE_SECONDS);
    (jar.add(cookie), Redirect::to(own(&chosen.back)))
}

/// An address of this site, or the front page's. `//` would begin the address of another site.
fn own(address: &str) -> &str {
    let path = address.strip_prefix('/').filter(|rest| !rest.starts_with(['/', '\\']));
    if path.is_some_and(|path| path.chars().all(|c| c.is_ascii_graphic())) { address } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_switch_leads_to_no_other_site() {
        for own_address in ["/", "/play?game=war-of-life", "/bots/a.b"] {
            assert_eq!(own(own_address), own_address);
        }
        for other in ["", "//evil.example", "/\\evil.example", "https://evil.example", "play", "/a b", "/\n"] {
            assert_eq!(own(other), "/", "{other:?}");
        }
    }
}
