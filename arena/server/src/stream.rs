//! A connection's stream. For a socket, the system's send buffer is kept small: by default, it would let some megabytes
//! of old states wait. Before that, a peer that sends what nothing comes of is cut off: hyper takes any number of zeros
//! before a chunk's length, and of spaces after it, without a word to whoever reads the body.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use rustix::net::{SendFlags, send, sockopt};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tracing::debug;

use crate::limits::{READ_BYTES_COUNTED_MIN, SEND_BUFFER_BYTES, UNHEARD_BYTES_MAX};

/// The bytes of a connection since its last request, or the last part of a body.
#[derive(Clone, Default)]
pub(crate) struct Unheard(Arc<AtomicUsize>);

impl Unheard {
    /// Something came of the bytes.
    pub(crate) fn heard(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Counts what was read at once. Whether it is too much.
    fn came(&self, bytes: usize) -> bool {
        let bytes = bytes.max(READ_BYTES_COUNTED_MIN);
        self.0.fetch_add(bytes, Ordering::Relaxed) + bytes > UNHEARD_BYTES_MAX
    }
}

/// A connection, which is a socket once `becomes_socket` is set.
pub(crate) struct Stream {
    pub(crate) stream: TcpStream,
    /// Set before the answer is written that turns the connection into a socket.
    becomes_socket: Arc<AtomicBool>,
    is_socket: bool,
    unheard: Unheard,
}

impl Stream {
    pub(crate) fn new(stream: TcpStream, becomes_socket: Arc<AtomicBool>, unheard: Unheard) -> Stream {
        Stream { stream, becomes_socket, is_socket: false, unheard }
    }

    /// Whether this is a socket now. Shrinks its send buffer when it becomes one.
    fn is_socket(&mut self) -> bool {
        if self.becomes_socket.swap(false, Ordering::Relaxed) {
            self.is_socket = true;
            if let Err(error) = sockopt::set_socket_send_buffer_size(&self.stream, SEND_BUFFER_BYTES) {
                debug!(%error, "more than usual may wait in a socket");
            }
        }
        self.is_socket
    }

    /// Writes a part that the system keeps separate. Otherwise the system would append it to a waiting part, up to half
    /// of what the peer could receive, and check the buffer's size only for the next part.
    fn poll_send(&self, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let part = &bytes[..bytes.len().min(SEND_BUFFER_BYTES)];
        loop {
            ready!(self.stream.poll_write_ready(cx))?;
            let sent = self.stream.try_io(Interest::WRITABLE, || Ok(send(&self.stream, part, SendFlags::EOR)?));
            if !sent.as_ref().is_err_and(|error| error.kind() == ErrorKind::WouldBlock) {
                return Poll::Ready(sent);
            }
        }
    }
}

impl AsyncRead for Stream {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = bytes.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(cx, bytes))?;
        // A socket's frames are counted as they are read.
        if !self.is_socket && self.unheard.came(bytes.filled().len() - before) {
            return Poll::Ready(Err(ErrorKind::InvalidData.into()));
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Stream {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        if self.is_socket() { self.poll_send(cx, bytes) } else { Pin::new(&mut self.stream).poll_write(cx, bytes) }
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match (self.is_socket(), parts.iter().find(|part| !part.is_empty())) {
            (true, Some(part)) => self.poll_send(cx, part),
            _ => Pin::new(&mut self.stream).poll_write_vectored(cx, parts),
        }
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nothing_comes_of_is_counted_until_something_does() {
        for (at_once, reads) in [(1, UNHEARD_BYTES_MAX / READ_BYTES_COUNTED_MIN), (4 << 10, UNHEARD_BYTES_MAX >> 12)] {
            let unheard = Unheard::default();
            for _ in 0..3 {
                assert!((0..reads).all(|_| !unheard.came(at_once)), "{at_once}");
                unheard.heard();
            }
            assert!((0..reads).all(|_| !unheard.came(at_once)) && unheard.came(at_once), "{at_once}");
        }
    }
}
