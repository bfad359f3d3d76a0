//! Counts the frames of a request's body: the chunks of a sender that does not say how long it is, otherwise what came
//! of the connection at once. Each wakes the request, however few bytes it has. And keeps the form of a request that
//! was not admitted.

use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use arena_clock::Clock;
use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderMap, HeaderValue};
use futures_util::{StreamExt, stream};
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};

use super::Taker;
use crate::limit_kind::LimitKind;
use crate::limits::{BODY_BYTES_MAX, BODY_FRAMES_A_UNIT};
use crate::problem::Unread;
use crate::stream::PendingBytes;

/// A body whose sender is charged for its frames as they come. Reading fails once the share of requests is used up.
pub(super) struct Counted {
    body: Body,
    taker: Taker,
    frames: u32,
    /// What the connection has sent since the last one.
    pending: PendingBytes,
}

impl Counted {
    pub(super) fn new(body: Body, taker: Taker, pending: PendingBytes) -> Counted {
        Counted { body, taker, frames: 0, pending }
    }
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(cx));
        self.pending.delivered();
        self.frames = self.frames.wrapping_add(1);
        if self.frames.is_multiple_of(BODY_FRAMES_A_UNIT) {
            let account = self.taker.charged.account.get().copied();
            if let Err(refused) = self.taker.take(LimitKind::Requests, account) {
                return Poll::Ready(Some(Err(Unread(refused.into()).into())));
            }
        }
        Poll::Ready(frame.map(|frame| frame.map_err(Into::into)))
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }
}

/// How a browser sends a form without files.
pub(crate) const FORM: &str = "application/x-www-form-urlencoded";

/// How it sends one with a file.
const FORM_OF_FILE: &str = "multipart/form-data";

/// As much of the form of a file as has what was typed: those fields come first.
const TYPED_BYTES_MAX: usize = 4 << 10;

/// Pieces in which the longest form may come: packets have a kilobyte at least. More are not read, since each costs.
const PIECES_MAX: usize = BODY_BYTES_MAX >> 9;

/// How long a form that was not admitted may take to come.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether a form without files is sent.
pub(crate) fn is_form(head: &HeaderMap) -> bool {
    is_of(head, FORM)
}

/// Whether a form with a file is sent.
pub(crate) fn is_form_of_file(head: &HeaderMap) -> bool {
    is_of(head, FORM_OF_FILE)
}

fn is_of(head: &HeaderMap, kind: &str) -> bool {
    head.get(CONTENT_TYPE).is_some_and(|given| given.as_bytes().starts_with(kind.as_bytes()))
}

/// What a form sent, for its sender alone: the whole, or of the form of a file how it begins.
#[derive(Clone)]
pub(crate) struct SentForm {
    pub(crate) kind: HeaderValue,
    pub(crate) content: Bytes,
}

impl SentForm {
    /// Whether a request that was not admitted has a form that may come back.
    pub(super) fn may_be(request: &Request) -> bool {
        let length = request.body().size_hint().exact();
        let is_short = length.is_some_and(|bytes| bytes <= BODY_BYTES_MAX as u64);
        is_form(request.headers()) && is_short || is_form_of_file(request.headers())
    }

    /// That of such a request, which is read for nothing; `None` if it comes in small pieces, or slowly.
    pub(super) async fn not_admitted(request: Request, clock: &Clock) -> Option<SentForm> {
        let kind = request.headers().get(CONTENT_TYPE)?.clone();
        let length = request.body().size_hint().exact().and_then(|bytes| usize::try_from(bytes).ok());
        let is_of_file = is_form_of_file(request.headers());
        let most = if is_of_file { TYPED_BYTES_MAX } else { length? };
        let mut body = request.into_body();
        let pieces = tokio::select! {
            pieces = first_pieces(&mut body, most) => pieces,
            () = clock.sleep(PATIENCE) => return None,
        };
        SentForm::of_pieces(kind, &pieces, most).filter(|form| is_of_file || Some(form.content.len()) == length)
    }

    /// How the form of a file begins, and its request, with the whole content still to be read.
    pub(crate) async fn of_file(request: Request) -> (Option<SentForm>, Request) {
        let (head, mut body) = request.into_parts();
        let pieces = first_pieces(&mut body, TYPED_BYTES_MAX).await;
        let kind = head.headers.get(CONTENT_TYPE);
        let form = kind.and_then(|kind| SentForm::of_pieces(kind.clone(), &pieces, TYPED_BYTES_MAX));
        let whole = stream::iter(pieces).chain(body.into_data_stream());
        (form, Request::from_parts(head, Body::from_stream(whole)))
    }

    fn of_pieces(kind: HeaderValue, pieces: &[Result<Bytes, axum::Error>], most: usize) -> Option<SentForm> {
        let pieces: Vec<&[u8]> = pieces.iter().map(|piece| piece.as_deref().ok()).collect::<Option<_>>()?;
        let mut content = pieces.concat();
        content.truncate(most);
        Some(SentForm { kind, content: content.into() })
    }
}

/// The pieces with which a body begins: of as many bytes, or all. An error is the last one.
async fn first_pieces(body: &mut Body, bytes: usize) -> Vec<Result<Bytes, axum::Error>> {
    let (mut pieces, mut read) = (Vec::new(), 0);
    while read < bytes
        && pieces.len() < PIECES_MAX
        && let Some(frame) = body.frame().await
    {
        let piece = frame.map(|frame| frame.into_data().unwrap_or_default());
        read += piece.as_ref().map_or(bytes, Bytes::len);
        pieces.push(piece);
    }
    pieces
}
