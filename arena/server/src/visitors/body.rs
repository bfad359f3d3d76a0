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
use axum::http::HeaderMap;
use axum::http::header::CONTENT_TYPE;
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

/// Pieces in which the longest form may come: packets have a kilobyte at least. More are not read, since each costs.
const PIECES_MAX: usize = BODY_BYTES_MAX >> 9;

/// How long a form that was not admitted may take to come.
const PATIENCE: Duration = Duration::from_secs(5);

/// Whether a form without files is sent.
pub(crate) fn is_form(head: &HeaderMap) -> bool {
    head.get(CONTENT_TYPE).is_some_and(|kind| kind.as_bytes().starts_with(FORM.as_bytes()))
}

/// The content of a form that was not admitted, for its sender alone: it was read for nothing.
#[derive(Clone)]
pub(crate) struct NotAdmitted(pub(crate) Bytes);

impl NotAdmitted {
    /// Whether a request has a form that may come back. The form of a file has none: the file is still there.
    pub(super) fn may_be(request: &Request) -> bool {
        let length = request.body().size_hint().exact();
        is_form(request.headers()) && length.is_some_and(|bytes| bytes <= BODY_BYTES_MAX as u64)
    }

    /// That of such a request; `None` if it comes in small pieces, or slowly.
    pub(super) async fn of(request: Request, clock: &Clock) -> Option<NotAdmitted> {
        let mut body = request.into_body();
        let reading = async {
            let mut whole = Vec::new();
            for _ in 0..PIECES_MAX {
                let Some(piece) = body.frame().await else { return Some(NotAdmitted(whole.into())) };
                whole.extend_from_slice(piece.ok()?.data_ref()?);
            }
            None
        };
        tokio::select! {
            form = reading => form,
            () = clock.sleep(PATIENCE) => None,
        }
    }
}
