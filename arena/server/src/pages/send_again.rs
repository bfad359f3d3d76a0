//! A form that was refused, offered again behind a button where its page cannot be shown: too many requests, a site
//! that takes no changes, a session that has ended. So nothing that was typed is lost, also without a script.

use std::sync::Arc;

use askama::Template;
use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, Method};
use axum::response::{IntoResponse, Response};

use super::page;
use crate::clean_text::has_too_many_fields;
use crate::limits::FORM_FIELDS_MAX;
use crate::problem::Problem;
use crate::visitors::{FORM, SentForm};

/// What a form sent, in the order of its fields.
#[derive(Clone, Default)]
pub(super) struct Sent {
    fields: Arc<[(String, String)]>,
    /// The page that takes it, where a file is to be chosen again, or its text is in the browser.
    pub(super) page: Option<&'static str>,
}

/// The page for who was not admitted: no more than the reason and the button.
#[derive(Template)]
#[template(path = "not_admitted.html")]
struct NotAdmittedPage<'a> {
    problem: &'a Problem,
    sent: &'a Sent,
    action: &'a str,
}

impl Sent {
    /// The fields of a form; `None` if it is none, or has more than any: that would make a page that is much longer.
    pub(super) async fn of(whole: &Bytes) -> Option<Sent> {
        if has_too_many_fields(whole) {
            return None;
        }
        let sent = posted(HeaderValue::from_static(FORM), whole);
        let axum::Form(fields) = axum::Form::<Vec<(String, String)>>::from_request(sent, &()).await.ok()?;
        Some(Sent { fields: fields.into(), page: None })
    }

    /// The same of a form of either kind. Of the form of a file these are the fields before it.
    pub(super) async fn of_form(SentForm { kind, content }: &SentForm) -> Option<Sent> {
        if kind.as_bytes().starts_with(FORM.as_bytes()) {
            return Sent::of(content).await;
        }
        let mut form = Multipart::from_request(posted(kind.clone(), content), &()).await.ok()?;
        let (mut fields, mut page) = (Vec::new(), "/submit");
        // The last one may be cut.
        while fields.len() < FORM_FIELDS_MAX
            && let Ok(Some(field)) = form.next_field().await
        {
            let name = field.name().unwrap_or_default().to_owned();
            if name == "text" {
                page = "/workshop";
            }
            if name == "text" || field.file_name().is_some() {
                break;
            }
            let Ok(value) = field.text().await else { break };
            fields.push((name, value));
        }
        (!fields.is_empty()).then(|| Sent { fields: fields.into(), page: Some(page) })
    }

    pub(super) fn fields(&self) -> &[(String, String)] {
        &self.fields
    }

    /// The answer to a form that was not admitted.
    pub(super) fn not_admitted(&self, problem: &Problem, action: &str) -> Response {
        let shown = page(&NotAdmittedPage { problem, sent: self, action }).unwrap_or_else(|_| problem.to_text());
        ([(CACHE_CONTROL, "no-store")], shown).into_response()
    }
}

/// A request with a form.
fn posted(kind: HeaderValue, content: &Bytes) -> Request {
    let mut request = Request::new(Body::from(content.clone()));
    *request.method_mut() = Method::POST;
    request.headers_mut().insert(CONTENT_TYPE, kind);
    request
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::BODY_BYTES_MAX;

    #[tokio::test]
    async fn no_page_is_much_longer_than_its_form() {
        let page = |form: String| async move {
            let sent = Sent::of(&Bytes::from(form.clone())).await?;
            let page = NotAdmittedPage { problem: &Problem::read_only(), sent: &sent, action: "/lobby" };
            Some((form.len(), page.render().ok()?.len()))
        };
        let quotes = |bytes: usize| format!("a={}", "\"".repeat(bytes));
        for form in ["a=&".repeat(FORM_FIELDS_MAX - 1), quotes(BODY_BYTES_MAX - 2), quotes(1 << 10)] {
            let (form, page) = page(form).await.expect("it is short");
            assert!(page < 5 * form + (8 << 10), "{page} bytes of {form}");
        }
        assert_eq!(page("a=&".repeat(FORM_FIELDS_MAX)).await, None);
    }
}
