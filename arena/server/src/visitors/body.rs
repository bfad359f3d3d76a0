//! Counts the frames of a request's body: the chunks of a sender that does not say how long it is, otherwise what came
//! of the connection at once. Each wakes the request, however few bytes it has.

use std::pin::Pin;
use std::task::{Context, Poll, ready};

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use hyper::body::{Frame, SizeHint};

use super::Taker;
use crate::limit_kind::LimitKind;
use crate::limits::BODY_FRAMES_A_UNIT;
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
