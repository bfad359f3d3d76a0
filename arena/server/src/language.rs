//! The language of pages, chosen by a cookie or else by the browser's preferences, and what the functions of messages
//! (`text.rs`) are made of.
//!
//! A request has one language from beginning to end. So the language belongs to the request's task ([ADR 57]) and need
//! not be passed to all code that shows messages.
//!
//! [ADR 57]: ../../../docs/decisions/0057-messages-by-id.md

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;
use std::future::Future;
use std::sync::Arc;

use arena_store::Gate;
use arena_tournaments::isolated;
use axum::http::HeaderMap;
use axum::http::header::ACCEPT_LANGUAGE;
use axum_extra::extract::CookieJar;

/// The name of the cookie, which holds a setting and no secret.
pub(crate) const COOKIE: &str = "arena_language";

/// A language of the pages.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) enum Language {
    #[default]
    English,
    Spanish,
}

impl Language {
    pub(crate) const ALL: [Language; 2] = [Language::English, Language::Spanish];

    /// Its value in the attribute `lang`.
    pub(crate) fn tag(self) -> &'static str {
        match self {
            Language::English => "en",
            Language::Spanish => "es",
        }
    }

    /// Its name in the language itself.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Language::English => "English",
            Language::Spanish => "Español",
        }
    }

    pub(crate) fn of_tag(tag: &str) -> Option<Language> {
        let main = tag.split('-').next().unwrap_or_default();
        Language::ALL.into_iter().find(|language| main.eq_ignore_ascii_case(language.tag()))
    }

    /// The preferred one of our languages in a browser's weighted list, such as `ca, es;q=0.9, en;q=0.8`.
    fn accepted(list: &str) -> Option<Language> {
        let wish = |entry: &str| {
            let (tag, rest) = entry.split_once(';').unwrap_or((entry, ""));
            let weight =
                rest.trim().strip_prefix("q=").map_or(Some(1.0), |weight| weight.trim().parse::<f64>().ok())?;
            Some((Language::of_tag(tag.trim())?, weight))
        };
        let wishes = list.split(',').filter_map(wish).filter(|(_, weight)| *weight > 0.0);
        // Among equal weights, the first one wins.
        let better = |best: Option<(Language, f64)>, wish: (Language, f64)| match best {
            Some(best) if best.1 >= wish.1 => Some(best),
            _ => Some(wish),
        };
        wishes.fold(None, better).map(|(language, _)| language)
    }

    /// The language of a request.
    pub(crate) fn of(headers: &HeaderMap) -> Language {
        let jar = CookieJar::from_headers(headers);
        let chosen = jar.get(COOKIE).and_then(|cookie| Language::of_tag(cookie.value()));
        let asked = || Language::accepted(headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?);
        chosen.or_else(asked).unwrap_or_default()
    }
}

/// The parts of a request that its answer's text depends on.
#[derive(Clone)]
struct Spoken {
    language: Language,
    /// The page that the switch leads back to.
    back: String,
    /// The operator's notice.
    notice: Option<Arc<str>>,
    /// What the operator has closed.
    closed: BTreeSet<Gate>,
}

tokio::task_local! {
    static SPOKEN: Spoken;
}

/// The language of the current answer; English outside of requests.
pub(crate) fn language() -> Language {
    SPOKEN.try_with(|spoken| spoken.language).unwrap_or_default()
}

/// The languages of the switch.
pub(crate) fn languages() -> [Language; 2] {
    Language::ALL
}

/// The current page, for the switch.
pub(crate) fn back() -> String {
    SPOKEN.try_with(|spoken| spoken.back.clone()).unwrap_or_else(|_| "/".into())
}

/// The operator's notice on all pages, in the operator's words.
pub(crate) fn notice() -> Option<Arc<str>> {
    SPOKEN.try_with(|spoken| spoken.notice.clone()).unwrap_or_default()
}

/// Whether the operator has closed this, alone or with all changes. Outside of requests nothing is.
pub(crate) fn is_closed(gate: Gate) -> bool {
    let closed = |spoken: &Spoken| [gate, Gate::Changes].iter().any(|gate| spoken.closed.contains(gate));
    SPOKEN.try_with(closed).unwrap_or_default()
}

/// The same answer in a task of its own, in the language of the current one.
pub(crate) fn carried<T>(answer: impl Future<Output = T>) -> impl Future<Output = T> {
    let spoken = SPOKEN.try_with(Spoken::clone).ok();
    async move {
        match spoken {
            Some(spoken) => SPOKEN.scope(spoken, answer).await,
            None => answer.await,
        }
    }
}

/// Answers a request in its language.
pub(crate) async fn answering<T>(
    language: Language,
    back: String,
    (notice, closed): (Option<Arc<str>>, BTreeSet<Gate>),
    answer: impl Future<Output = T>,
) -> T {
    SPOKEN.scope(Spoken { language, back, notice, closed }, answer).await
}

/// A message in the language of the current answer.
pub(crate) type Text = Cow<'static, str>;

/// A message without variables, in the language of the answer that shows it.
pub(crate) type Message = fn() -> Text;

/// A part of a message, which a name written from right to left does not turn around.
pub(crate) fn part(part: impl fmt::Display) -> String {
    isolated(&part.to_string())
}

/// A number that the words of a message depend on.
pub(crate) trait Count: fmt::Display {
    /// Whether it takes the singular.
    fn is_one(&self) -> bool;
}

/// Implements [`Count`] for types of integers.
macro_rules! counts {
    ($($integer:ty),*) => {
        $(impl Count for $integer {
            fn is_one(&self) -> bool {
                *self == 1
            }
        })*
    };
}

counts!(u8, u16, u32, u64, usize, i64);

/// A number that was stored in words, with its digits.
impl Count for Text {
    fn is_one(&self) -> bool {
        self == "1"
    }
}

impl<T: Count> Count for &T {
    fn is_one(&self) -> bool {
        T::is_one(self)
    }
}

/// Runs `act` in a given language, not the visitor's.
pub(crate) fn speaking<T>(language: Language, act: impl FnOnce() -> T) -> T {
    SPOKEN.sync_scope(Spoken { language, back: "/".into(), notice: None, closed: BTreeSet::new() }, act)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_wish_of_greatest_weight_that_pages_have_is_granted() {
        for (list, wanted) in [
            ("es", Some(Language::Spanish)),
            ("es-MX,es;q=0.9,en;q=0.8", Some(Language::Spanish)),
            ("en;q=0.5, ES-ar;q=0.7", Some(Language::Spanish)),
            ("de, fr;q=0.9", None),
            ("ca, en;q=0.4, es;q=0.4", Some(Language::English)),
            ("es;q=0, en;q=0.1", Some(Language::English)),
            ("est, *;q=0.1", None),
            ("", None),
        ] {
            assert_eq!(Language::accepted(list), wanted, "{list}");
        }
    }
}
