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

    pub(super) fn fields(&self) -> &[(String, String)] {
        &self.0
    }

    /// The answer to a form that was not admitted.
    pub(super) fn not_admitted(&self, problem: &Problem, action: &str) -> Response {
        page(&NotAdmittedPage { problem, sent: self, action }).unwrap_or_else(|_| problem.to_text())
    }
}
