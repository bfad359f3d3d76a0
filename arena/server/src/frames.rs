//! Turns a connection into a socket, and counts what it sends by frames. Messages would not do: frames that are empty,
//! or parts of a message that never ends, are read without any message coming of them.

use std::future::poll_fn;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use arena_clock::{Clock, Instant};
use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::extract::ws::WebSocketUpgrade;
use axum::http::header::{CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, UPGRADE};
use axum::http::request::Parts;
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio_tungstenite::WebSocketStream;
use tracing::debug;
use tungstenite::handshake::derive_accept_key;
use tungstenite::protocol::{Role, WebSocketConfig};

use crate::limits::{FRAMES_BURST, FRAMES_PER_SECOND};
use crate::problem::Problem;

/// An open socket.
pub(crate) type Socket = WebSocketStream<Counted<TokioIo<Upgraded>>>;

/// A request to become a socket.
pub(crate) struct Handshake {
    on_upgrade: OnUpgrade,
    key: HeaderValue,
}

impl<S: Send + Sync> FromRequestParts<S> for Handshake {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Handshake, Response> {
        // axum checks the request, but would read the connection as it comes.
        let upgrade = parts.extensions.get::<OnUpgrade>().cloned();
        let key = parts.headers.get(SEC_WEBSOCKET_KEY).cloned();
        let checked = WebSocketUpgrade::from_request_parts(parts, state).await;
        checked.map(drop).map_err(IntoResponse::into_response)?;
        // Both are there, or the check has failed.
        let missing = || Problem::of_status(StatusCode::BAD_REQUEST).into_response();
        Ok(Handshake { on_upgrade: upgrade.ok_or_else(missing)?, key: key.ok_or_else(missing)? })
    }
}

impl Handshake {
    /// Answers the request, and has the socket carried on once it is one.
    pub(crate) fn then<F>(
        self,
        config: WebSocketConfig,
        clock: &Clock,
        carried_on: impl FnOnce(Socket) -> F + Send + 'static,
    ) -> Response
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let (on_upgrade, clock) = (self.on_upgrade, clock.clone());
        tokio::spawn(async move {
            match on_upgrade.await {
                Ok(upgraded) => {
                    let stream = Counted::new(TokioIo::new(upgraded), clock);
                    carried_on(WebSocketStream::from_raw_socket(stream, Role::Server, Some(config)).await).await;
                }
                Err(error) => debug!(%error, "a connection does not become a socket"),
            }
        });
        let headers = [(CONNECTION, "upgrade"), (UPGRADE, "websocket")];
        let accept = [(SEC_WEBSOCKET_ACCEPT, derive_accept_key(self.key.as_bytes()))];
        (StatusCode::SWITCHING_PROTOCOLS, headers, accept, Body::empty()).into_response()
    }
}

/// Why nothing more is read from a socket.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("too many frames in a short time")]
pub(crate) struct TooManyFrames;

/// A stream of frames. Reading fails at the first frame that is too many.
pub(crate) struct Counted<S> {
    stream: S,
    clock: Clock,
    frames: Frames,
    tokens: Tokens,
    /// Whether a frame was too many.
    is_over: bool,
}

impl<S> Counted<S> {
    fn new(stream: S, clock: Clock) -> Counted<S> {
        let tokens = Tokens::full(clock.now());
        Counted { stream, clock, frames: Frames::default(), tokens, is_over: false }
    }
}

impl<S: AsyncRead + Unpin> Counted<S> {
    /// Reads and drops what still comes, so that the peer gets to read why the socket ends.
    pub(crate) async fn drain(&mut self) {
        let mut bytes = [0; 1 << 10];
        loop {
            let mut read = ReadBuf::new(&mut bytes);
            let came = poll_fn(|cx| Pin::new(&mut self.stream).poll_read(cx, &mut read)).await;
            if came.is_err() || read.filled().is_empty() {
                return;
            }
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Counted<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let Counted { stream, clock, frames, tokens, is_over } = &mut *self;
        if *is_over {
            return Poll::Ready(Err(io::Error::other(TooManyFrames)));
        }
        let before = bytes.filled().len();
        ready!(Pin::new(stream).poll_read(cx, bytes))?;
        let now = clock.now();
        // What came before the frame that is too many is still heard.
        let read = bytes.filled().len() - before;
        let taken = frames.taken(&bytes.filled()[before..], || tokens.take(now));
        bytes.set_filled(before + taken);
        *is_over = taken < read;
        if *is_over && taken == 0 {
            return Poll::Ready(Err(io::Error::other(TooManyFrames)));
        }
        Poll::Ready(Ok(()))
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Counted<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// Where a reader of frames is: in the head of one, or in what follows it.
#[derive(Default)]
struct Frames {
    head: [u8; HEAD_BYTES_MAX],
    read: usize,
    /// Bytes of the current frame's content that are still to come.
    left: u64,
}

/// Bytes of a frame's head: two, the length in up to eight, and the mask in four.
const HEAD_BYTES_MAX: usize = 14;

impl Frames {
    /// How many of the next bytes of a stream are taken: all, or those before the first frame that may not begin.
    fn taken(&mut self, bytes: &[u8], mut may_begin: impl FnMut() -> bool) -> usize {
        let mut at = 0;
        while at < bytes.len() {
            if self.left > 0 {
                let inside = usize::try_from(self.left).unwrap_or(usize::MAX).min(bytes.len() - at);
                self.left -= inside as u64;
                at += inside;
                continue;
            }
            if self.read == 0 && !may_begin() {
                return at;
            }
            self.head[self.read] = bytes[at];
            self.read += 1;
            at += 1;
            if let Some(length) = self.length() {
                (self.read, self.left) = (0, length);
            }
        }
        at
    }

    /// The length of the content, once the head is whole.
    fn length(&self) -> Option<u64> {
        if self.read < 2 {
            return None;
        }
        let mask = if self.head[1] & 0x80 == 0 { 0 } else { 4 };
        let more = match self.head[1] & 0x7f {
            126 => 2,
            127 => 8,
            _ => 0,
        };
        if self.read < 2 + more + mask {
            return None;
        }
        let long = self.head[2..2 + more].iter().fold(0, |length, byte| length << 8 | u64::from(*byte));
        Some(if more == 0 { u64::from(self.head[1] & 0x7f) } else { long })
    }
}

/// The frames that a socket may still send: a bucket that refills steadily.
struct Tokens {
    left: f64,
    at: Instant,
}

impl Tokens {
    fn full(at: Instant) -> Tokens {
        Tokens { left: f64::from(FRAMES_BURST), at }
    }

    fn take(&mut self, now: Instant) -> bool {
        self.refill(now - self.at);
        self.at = now;
        let may = self.left >= 1.0;
        if may {
            self.left -= 1.0;
        }
        may
    }

    fn refill(&mut self, passed: Duration) {
        let earned = passed.as_secs_f64() * f64::from(FRAMES_PER_SECOND);
        self.left = (self.left + earned).min(f64::from(FRAMES_BURST));
    }
}

#[cfg(test)]
mod tests {
    use arena_rules::Rng;
    use tokio::io::AsyncReadExt;

    use super::*;

    #[test]
    fn a_bucket_gives_its_burst_then_what_it_earns() {
        let begun = Clock::manual(Duration::ZERO).now();
        let mut tokens = Tokens::full(begun);
        let mut taken = |at| (0..2 * FRAMES_BURST).filter(|_| tokens.take(at)).count();
        assert_eq!(taken(begun), FRAMES_BURST as usize);
        assert_eq!(taken(begun + Duration::from_secs(1)), FRAMES_PER_SECOND as usize);
        assert_eq!(taken(begun + Duration::from_secs(3_600)), FRAMES_BURST as usize);
    }

    /// A frame as a client sends it.
    fn frame(opcode: u8, length: usize, masked: bool) -> Vec<u8> {
        let mask = if masked { 0x80 } else { 0 };
        let mut bytes = vec![opcode];
        match length {
            0..=125 => bytes.push(mask | length as u8),
            126..=0xffff => {
                bytes.push(mask | 126);
                bytes.extend((length as u16).to_be_bytes());
            }
            _ => {
                bytes.push(mask | 127);
                bytes.extend((length as u64).to_be_bytes());
            }
        }
        if masked {
            bytes.extend([1, 2, 3, 4]);
        }
        bytes.resize(bytes.len() + length, 0x80);
        bytes
    }

    #[test]
    fn frames_of_all_kinds_are_counted_however_they_are_cut() {
        let mut rng = Rng::new(&[7; 32], 0);
        let mut below = |most: usize| rng.below(most as u32) as usize;
        for _ in 0..200 {
            let count = 1 + below(40);
            let stream: Vec<u8> = (0..count)
                .flat_map(|_| {
                    let length = [0, 1, 125, 126, 200, 65_535, 65_536][below(7)];
                    frame([0, 1, 0x80, 0x81, 0x89, 0x8a][below(6)], length, below(5) > 0)
                })
                .collect();
            let (mut frames, mut begun, mut rest) = (Frames::default(), 0, &*stream);
            while !rest.is_empty() {
                let (part, later) = rest.split_at(1 + below(rest.len().min(5_000)));
                let taken = frames.taken(part, || {
                    begun += 1;
                    true
                });
                assert_eq!(taken, part.len());
                rest = later;
            }
            assert_eq!(begun, count);
            assert_eq!((frames.read, frames.left), (0, 0));
        }
    }

    /// The reviewer's stream: a message that never ends, in empty parts.
    #[tokio::test]
    async fn parts_that_are_empty_end_a_socket_as_messages_do() {
        let clock = Clock::manual(Duration::ZERO);
        let mut sent = frame(0x01, 0, true);
        sent.extend(frame(0x00, 0, true).repeat(100_000));
        let mut counted = Counted::new(&*sent, clock.clone());
        let mut read = Vec::new();
        let ended = counted.read_to_end(&mut read).await.expect_err("it ends");
        assert!(ended.get_ref().is_some_and(|error| error.is::<TooManyFrames>()), "{ended}");
        assert_eq!(read.len(), 6 * FRAMES_BURST as usize, "what came before the one that is too many");
        // As many as a socket earns pass.
        let sent = frame(0x89, 0, true).repeat(FRAMES_BURST as usize);
        let mut counted = Counted::new(&*sent, clock.clone());
        assert_eq!(counted.read_to_end(&mut Vec::new()).await.expect("all of them"), sent.len());
    }
}
