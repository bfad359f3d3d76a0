//! A connection's stream. For a socket, the system's send buffer is kept small: by default, it would let some megabytes
//! of old states wait.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use rustix::net::{SendFlags, send, sockopt};
use tokio::io::{AsyncRead, AsyncWrite, Interest, ReadBuf};
use tokio::net::TcpStream;
use tracing::debug;

use crate::limits::SEND_BUFFER_BYTES;

/// A connection, which is a socket once `becomes_socket` is set.
pub(crate) struct Stream {
    pub(crate) stream: TcpStream,
    /// Set before the answer is written that turns the connection into a socket.
    becomes_socket: Arc<AtomicBool>,
    is_socket: bool,
}

impl Stream {
    pub(crate) fn new(stream: TcpStream, becomes_socket: Arc<AtomicBool>) -> Stream {
        Stream { stream, becomes_socket, is_socket: false }
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
        Pin::new(&mut self.stream).poll_read(cx, bytes)
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
