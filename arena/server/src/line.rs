//! A connection's stream. Once it is a socket, the system keeps little of what its peer does not read: by itself it would let some
//! megabytes of old states wait.

use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};

use socket2::SockRef;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tracing::debug;

use crate::limits::SEND_BUFFER_BYTES;

/// A connection, or a socket after it `becomes_socket`.
pub(crate) struct Line {
    pub(crate) stream: TcpStream,
    /// Set before the answer is written that makes it a socket.
    becomes_socket: Arc<AtomicBool>,
    is_socket: bool,
}

impl Line {
    pub(crate) fn new(stream: TcpStream, becomes_socket: Arc<AtomicBool>) -> Line {
        Line { stream, becomes_socket, is_socket: false }
    }

    /// The most bytes of a write. What the system has accepted it keeps, and it accepts a write as a whole while there is any place.
    fn write_max(&mut self) -> usize {
        if self.becomes_socket.swap(false, Ordering::Relaxed) {
            self.is_socket = true;
            if let Err(error) = SockRef::from(&self.stream).set_send_buffer_size(SEND_BUFFER_BYTES) {
                debug!(%error, "more than usual may wait in a socket");
            }
        }
        if self.is_socket { SEND_BUFFER_BYTES } else { usize::MAX }
    }
}

impl AsyncRead for Line {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, bytes)
    }
}

impl AsyncWrite for Line {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let most = self.write_max().min(bytes.len());
        Pin::new(&mut self.stream).poll_write(cx, &bytes[..most])
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        match (self.write_max(), parts.iter().find(|part| !part.is_empty())) {
            (usize::MAX, _) | (_, None) => Pin::new(&mut self.stream).poll_write_vectored(cx, parts),
            (_, Some(part)) => self.poll_write(cx, part),
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
