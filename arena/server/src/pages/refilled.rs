//! The answer to a refused form: its page, in which is what was typed, with the reason above the first field, which has
//! the focus. So nothing that was typed is lost, also without a script. Not here: the page of a form with a file, which
//! `submit` shows again, and forms in which nothing is typed.

use askama::Template;
use askama::filters::{Html, escape};
use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequest, Request, State};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::request::Parts;
use axum::http::{Extensions, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tower::ServiceExt;

use super::send_again::Sent;
use super::{InPlace, form_of, is_of_person, with_head_of};
use crate::problem::Problem;
use crate::visitors::{SentForm, Taker, is_form, is_form_of_file};

/// The fields on which the others of a form depend: they are in the address of its page, too.
const CHOOSING: [&str; 3] = ["game=", "format=", "language="];

#[derive(Template)]
#[template(path = "refusal.html")]
struct Refusal<'a> {
    problem: &'a Problem,
}

/// Answers a form of a person. `pages` has the pages of all forms.
pub(crate) async fn answered(State(pages): State<Router>, request: Request, next: Next) -> Response {
    let page = form_of(request.method(), request.uri().path()).filter(|_| is_of_person(&request));
    if page.is_some() && is_form_of_file(request.headers()) {
        return answered_with_file(request, next).await;
    }
    let Some(page) = page.filter(|_| is_form(request.headers())) else { return next.run(request).await };
    let (parts, body) = request.into_parts();
    let whole = match Bytes::from_request(Request::from_parts(parts.clone(), body), &()).await {
        Ok(whole) => whole,
        Err(rejection) => return Problem::of_form(rejection.into()).into_response(),
    };
    let sent = Sent::of(&whole).await;
    let mut response = next.run(Request::from_parts(parts.clone(), Body::from(whole.clone()))).await;
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    // A layer that gives up has no words.
    let problem = response.extensions_mut().get_or_insert_with(|| Problem::of_status(status)).clone();
    let Some(sent) = sent else { return response };
    match refilled(pages, parts, page.split('#').next().unwrap_or_default(), &whole, &sent, &problem).await {
        Refilled::Page(shown) => {
            let mut shown = with_head_of(response, shown);
            shown.extensions_mut().insert(InPlace);
            shown
        }
        Refilled::NothingTyped => response,
        Refilled::Gone => {
            response.extensions_mut().insert(sent);
            response
        }
    }
}

/// Answers the form of a file. `submit` shows it again, unless it was refused before that.
async fn answered_with_file(request: Request, next: Next) -> Response {
    let (form, request) = SentForm::of_file(request).await;
    let mut response = next.run(request).await;
    let is_refused = response.status().is_client_error() || response.status().is_server_error();
    if is_refused
        && response.extensions().get::<InPlace>().is_none()
        && let Some(form) = form
        && let Some(sent) = Sent::of_form(&form).await
    {
        response.extensions_mut().insert(sent);
    }
    response
}

/// What becomes of a refused form.
enum Refilled {
    /// Its page, with what was sent.
    Page(Response),
    /// A form in which nothing is typed, which its page still has.
    NothingTyped,
    /// The page is not there, or has no such form any more.
    Gone,
}

/// The page of a form with what was sent.
async fn refilled(
    pages: Router,
    mut parts: Parts,
    page: &str,
    whole: &Bytes,
    sent: &Sent,
    problem: &Problem,
) -> Refilled {
    let action = parts.uri.path().to_owned();
    let (Ok(refusal), Ok(text)) = (Refusal { problem }.render(), std::str::from_utf8(whole)) else {
        return Refilled::Gone;
    };
    let choosing = text.split('&');
    let choosing = choosing.filter(|field| CHOOSING.iter().any(|name| field.starts_with(name)));
    let choosing = choosing.collect::<Vec<_>>().join("&");
    parts.method = Method::GET;
    parts.headers.remove(CONTENT_TYPE);
    parts.headers.remove(CONTENT_LENGTH);
    // The rest is what the router knows of the form's own address.
    let Some(taker) = parts.extensions.remove::<Taker>() else { return Refilled::Gone };
    parts.extensions = Extensions::new();
    parts.extensions.insert(taker);
    // What was chosen may be what is refused.
    for query in [&*choosing, ""] {
        let Ok(address) = format!("{page}?{query}").parse() else { continue };
        parts.uri = address;
        let Ok(shown) = pages.clone().oneshot(Request::from_parts(parts.clone(), Body::empty())).await;
        if shown.status() == StatusCode::OK {
            let (mut head, body) = shown.into_parts();
            head.headers.remove(CONTENT_LENGTH);
            let Ok(text) = to_bytes(body, usize::MAX).await else { break };
            let text = String::from_utf8_lossy(&text);
            let Some(filled) = with_form(&text, &action, sent.fields(), &refusal) else {
                return if has_form(&text, &action) { Refilled::NothingTyped } else { Refilled::Gone };
            };
            return Refilled::Page(Response::from_parts(head, Body::from(filled)));
        }
    }
    Refilled::Gone
}

/// Whether a page has a form that is sent to an address.
fn has_form(page: &str, action: &str) -> bool {
    page.split("<form").skip(1).any(|form| form.split('>').next().is_some_and(|tag| is_sent_to(tag, action)))
}

/// Whether the tag of a form says that it is sent to an address.
fn is_sent_to(tag: &str, action: &str) -> bool {
    attribute(tag, "action").and_then(|to| to.split('?').next()) == Some(action)
}

/// A page with the form that is sent to an address as it was sent, and with the reason of its refusal. Of several such
/// forms it is the one that has fields for most of what was sent.
fn with_form(page: &str, action: &str, sent: &[(String, String)], refusal: &str) -> Option<String> {
    let escaped = |text: &String| escape(text, Html).map(|text| text.to_string()).ok();
    let sent: Vec<(String, String)> =
        sent.iter().map(|(name, value)| Some((name.clone(), escaped(value)?))).collect::<Option<_>>()?;
    let forms = page.match_indices("<form ").filter_map(|(begin, _)| {
        let (form, _) = page[begin..].split_once("</form>")?;
        let (tag, fields) = form.split_once('>')?;
        let is_meant = is_sent_to(tag, action);
        let (left, fields) = is_meant.then(|| filled(fields, &sent))??;
        Some((left, begin, form.len(), format!("{tag}>\n{refusal}{fields}")))
    });
    let (_, begin, length, form) = forms.min_by_key(|(left, ..)| *left)?;
    let mut before = page[..begin].replace(" autofocus", "");
    // A form that was opened to be filled is open again.
    if let Some(at) = before.rfind("<details").filter(|at| !before[*at..].contains("</details>")) {
        before.insert_str(at + "<details".len(), " open");
    }
    Some(before + &form + &page[begin + length..].replace(" autofocus", ""))
}

/// The fields of a form with what was sent, and how much of that has no field; `None` if nothing is typed there.
fn filled(fields: &str, sent: &[(String, String)]) -> Option<(usize, String)> {
    let mut left: Vec<&(String, String)> = sent.iter().collect();
    let mut take = |name: Option<&str>, value: Option<&str>| {
        let is_meant = |one: &&(String, String)| Some(&*one.0) == name && value.is_none_or(|value| value == one.1);
        left.iter().position(is_meant).map(|at| left.remove(at).1.as_str())
    };
    let (mut text, mut rest, mut choice, mut is_typed) = (String::new(), fields, None, false);
    while let Some((before, tag, after)) = next_tag(rest) {
        text.push_str(before);
        rest = after;
        let (name, value) = (attribute(tag, "name"), attribute(tag, "value"));
        let kind = attribute(tag, "type").unwrap_or_default();
        let tag = match (tag.split([' ', '>']).next().unwrap_or_default(), kind) {
            ("<input", "hidden") => {
                take(name, value);
                tag.to_owned()
            }
            ("<input", "radio" | "checkbox") => flagged(tag, "checked", take(name, value).is_some()),
            // A secret is typed again.
            ("<input", "password") => {
                take(name, None);
                tag.to_owned()
            }
            ("<input", _) => match take(name, None) {
                Some(typed) => with_value(tag, value, typed),
                None => tag.to_owned(),
            },
            ("<select", _) => {
                choice = name;
                tag.to_owned()
            }
            ("<option", _) => {
                let value = value.or_else(|| rest.split('<').next());
                flagged(tag, "selected", take(choice, value).is_some())
            }
            ("<textarea", _) => {
                let at = rest.find("</textarea>").unwrap_or(rest.len());
                let (written, after) = rest.split_at(at);
                rest = after;
                format!("{tag}{}", take(name, None).unwrap_or(written))
            }
            ("<details", _) => flagged(tag, "open", true),
            _ => tag.to_owned(),
        };
        let is_field = ["<input", "<select", "<textarea"].iter().any(|begin| tag.starts_with(begin));
        text.push_str(&if is_field && kind != "hidden" && !is_typed {
            is_typed = true;
            let end = tag.find('>').unwrap_or(tag.len());
            format!("{} autofocus{}", tag[..end].trim_end_matches(" autofocus"), &tag[end..])
        } else {
            tag
        });
    }
    is_typed.then(|| (left.len(), text + rest))
}

/// What comes before the next tag of a text, the tag, and the rest. No attribute has a `>`: it is escaped.
fn next_tag(text: &str) -> Option<(&str, &str, &str)> {
    let begin = text.find('<')?;
    let end = begin + text[begin..].find('>')? + 1;
    Some((&text[..begin], &text[begin..end], &text[end..]))
}

/// The value of a tag's attribute, escaped.
fn attribute<'a>(tag: &'a str, name: &str) -> Option<&'a str> {
    let (_, after) = tag.split_once(&format!(" {name}=\""))?;
    after.split('"').next()
}

fn with_value(tag: &str, old: Option<&str>, new: &str) -> String {
    match old {
        Some(old) => tag.replacen(&format!(" value=\"{old}\""), &format!(" value=\"{new}\""), 1),
        None => tag.replacen("<input", &format!("<input value=\"{new}\""), 1),
    }
}

/// A tag with an attribute that has no value, or without it. It is the last one.
fn flagged(tag: &str, flag: &str, is_set: bool) -> String {
    let bare = tag.trim_end_matches('>').trim_end_matches(&format!(" {flag}"));
    if is_set { format!("{bare} {flag}>") } else { format!("{bare}>") }
}
