//! Tar archives that are sent while they are written, so that none is ever whole in memory.

use std::convert::Infallible;
use std::io::{self, Write};
use std::sync::LazyLock;

use arena_service::with_causes;
use axum::body::{Body, Bytes};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use http_body_util::channel::{Channel, Sender};
use tokio::runtime::Handle;
use tokio::sync::Semaphore;
use tracing::debug;

use crate::limits::{ARCHIVE_CHUNK_BYTES, ARCHIVE_SECONDS, ARCHIVES_AT_ONCE_MAX};
use crate::problem::Problem;

/// Held while an archive is sent.
static SENDING: LazyLock<Semaphore> = LazyLock::new(|| Semaphore::new(ARCHIVES_AT_ONCE_MAX));

/// An archive in the making.
pub(super) type Archive = tar::Builder<Sink>;

/// Sends the archive `NAME.tar`, which `pack` writes on a thread where it may block.
///
/// # Errors
/// As many are being sent as are sent at once.
pub(super) fn send(
    name: &str,
    pack: impl FnOnce(&mut Archive) -> io::Result<()> + Send + 'static,
) -> Result<Response, Problem> {
    let Ok(sending) = SENDING.try_acquire() else {
        let detail = format!("{ARCHIVES_AT_ONCE_MAX} archives are being sent, as many as are sent at once");
        let problem =
            Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", detail, "ask again when one of them is sent");
        return Err(problem.again_in(ARCHIVE_SECONDS));
    };
    let (sender, body) = Channel::<Bytes, Infallible>::new(1);
    let runtime = Handle::current();
    let write = move || {
        let _sending = sending;
        let mut archive = Archive::new(Sink { sender, runtime, chunk: Vec::new() });
        archive.mode(tar::HeaderMode::Deterministic);
        archive.follow_symlinks(false);
        let sent = pack(&mut archive).and_then(|()| archive.into_inner()).and_then(|mut sink| sink.send());
        // The visitor sees that its end is missing, or is gone, which is the usual reason.
        if let Err(error) = sent {
            debug!(cause = with_causes(&error), "an archive was not sent to its end");
        }
    };
    drop(tokio::task::spawn_blocking(write));
    let head = [
        (CONTENT_TYPE, "application/x-tar".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.tar\"")),
    ];
    Ok((head, Body::new(body)).into_response())
}

/// What is written goes to the visitor in chunks, as fast as they are taken.
pub(super) struct Sink {
    sender: Sender<Bytes, Infallible>,
    runtime: Handle,
    chunk: Vec<u8>,
}

impl Sink {
    fn send(&mut self) -> io::Result<()> {
        let chunk = std::mem::take(&mut self.chunk);
        let sent = self.runtime.block_on(self.sender.send_data(chunk.into()));
        sent.map_err(|_| io::ErrorKind::BrokenPipe.into())
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.chunk.extend_from_slice(bytes);
        if self.chunk.len() >= ARCHIVE_CHUNK_BYTES {
            self.send()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An archive that is never whole: its thread waits for a visitor who takes nothing.
    fn endless(archive: &mut Archive) -> io::Result<()> {
        loop {
            let mut header = tar::Header::new_gnu();
            header.set_size(ARCHIVE_CHUNK_BYTES as u64);
            archive.append_data(&mut header, "zeroes", &[0; ARCHIVE_CHUNK_BYTES][..])?;
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn so_many_archives_are_sent_at_once_and_who_leaves_makes_room_for_another() {
        let mut sent: Vec<Response> = (0..ARCHIVES_AT_ONCE_MAX)
            .map(|number| send("archive", endless).unwrap_or_else(|problem| panic!("{number}: {problem:?}")))
            .collect();
        let refused = send("archive", |_| Ok(())).expect_err("one too many");
        assert_eq!((refused.status, &*refused.code), (503, "busy"));
        let refused = refused.into_response();
        assert_eq!(refused.headers()["retry-after"], ARCHIVE_SECONDS.to_string().as_str());
        drop(sent.pop());
        // Its thread is still to hear of it.
        while send("archive", |_| Ok(())).is_err() {
            tokio::task::yield_now().await;
        }
    }
}
