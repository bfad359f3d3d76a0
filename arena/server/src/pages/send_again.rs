//! A form that was refused, offered again behind a button where its page cannot be shown: too many requests, a site
//! that takes no changes, a session that has ended. So nothing that was typed is lost, also without a script.

use std::sync::Arc;

use askama::Template;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Method};
use axum::response::Response;

use super::page;
use crate::problem::Problem;
use crate::visitors::FORM;

/// More fields than any form has: each takes 50 bytes of the page.
const FIELDS_MAX: usize = 64;

/// What a form sent, in the order of its fields.
#[derive(Clone, Default)]
pub(super) struct Sent(Arc<[(String, String)]>);

/// The page for who was not admitted: no more than the reason and the button.
#[derive(Template)]
#[template(path = "not_admitted.html")]
struct NotAdmittedPage<'a> {
    problem: &'a Problem,
    sent: &'a Sent,
    action: &'a str,
}

impl Sent {
    /// The fields of a form; `None` if it is none.
    pub(super) async fn of(whole: &Bytes) -> Option<Sent> {
        let mut sent = Request::new(Body::from(whole.clone()));
        *sent.method_mut() = Method::POST;
        sent.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(FORM));
        let axum::Form(fields) = axum::Form::<Vec<(String, String)>>::from_request(sent, &()).await.ok()?;
        Some(Sent(fields.into()))
    }

    /// The same, unless it would make a page that is much longer than what was sent.
    pub(super) fn short(self) -> Option<Sent> {
        (self.0.len() <= FIELDS_MAX).then_some(self)
    }

    pub(super) fn fields(&self) -> &[(String, String)] {
        &self.0
    }

    /// The answer to a form that was not admitted.
    pub(super) fn not_admitted(&self, problem: &Problem, action: &str) -> Response {
        page(&NotAdmittedPage { problem, sent: self, action }).unwrap_or_else(|_| problem.to_text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::BODY_BYTES_MAX;

    #[tokio::test]
    async fn no_page_is_much_longer_than_its_form() {
        let page = |form: String| async move {
            let sent = Sent::of(&Bytes::from(form.clone())).await.and_then(Sent::short)?;
            let page = NotAdmittedPage { problem: &Problem::read_only(), sent: &sent, action: "/lobby" };
            Some((form.len(), page.render().ok()?.len()))
        };
        let quotes = |bytes: usize| format!("a={}", "\"".repeat(bytes));
        for form in ["a=&".repeat(FIELDS_MAX), quotes(BODY_BYTES_MAX - 2), quotes(1 << 10)] {
            let (form, page) = page(form).await.expect("it is short");
            assert!(page < 5 * form + (8 << 10), "{page} bytes of {form}");
        }
        assert_eq!(page("a=&".repeat(FIELDS_MAX + 1)).await, None);
    }
}
