//! A connection's stream. For a socket, the system's send buffer is kept small: by default, it would let some megabytes
//! of old states wait. Before that, a connection is closed if too many of its bytes complete no request and no part of
//! a body: hyper skips any number of zeros before a chunk's length and of spaces after it, and does not report them.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::task::{Context, Poll, ready};

use rustix::net::{SendFlags, send, sockopt};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tracing::debug;

use crate::limits::{PENDING_BYTES_MAX, READ_BYTES_COUNTED_MIN, SEND_BUFFER_BYTES};

/// The bytes that a connection has received since its last request, or the last part of a body.
#[derive(Clone, Default)]
pub(crate) struct PendingBytes(Arc<AtomicUsize>);

impl PendingBytes {
    /// A request or a part of a body is delivered.
    pub(crate) fn delivered(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    /// Counts what was read at once. Returns whether too much is pending.
    fn received(&self, bytes: usize) -> bool {
        let bytes = bytes.max(READ_BYTES_COUNTED_MIN);
        self.0.fetch_add(bytes, Ordering::Relaxed) + bytes > PENDING_BYTES_MAX
    }
}

/// A connection, which is a socket once `becomes_socket` is set.
pub(crate) struct Stream {
    pub(crate) stream: TcpStream,
    /// Set before the answer is written that turns the connection into a socket.
    becomes_socket: Arc<AtomicBool>,
    is_socket: bool,
    pending: PendingBytes,
}

impl Stream {
    pub(crate) fn new(stream: TcpStream, becomes_socket: Arc<AtomicBool>, pending: PendingBytes) -> Stream {
        Stream { stream, becomes_socket, is_socket: false, pending }
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
        if !self.is_socket && self.pending.received(bytes.filled().len() - before) {
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
    fn pending_bytes_are_counted_until_they_are_delivered() {
        for (at_once, reads) in [(1, PENDING_BYTES_MAX / READ_BYTES_COUNTED_MIN), (4 << 10, PENDING_BYTES_MAX >> 12)] {
            let pending = PendingBytes::default();
            for _ in 0..3 {
                assert!((0..reads).all(|_| !pending.received(at_once)), "{at_once}");
                pending.delivered();
            }
            assert!((0..reads).all(|_| !pending.received(at_once)) && pending.received(at_once), "{at_once}");
        }
    }
}
