//! Tar archives and other long bodies, streamed while they are written, so that none is ever held in memory entirely.

use std::io::{self, Write};
use std::time::{Duration, Instant};

use arena_service::with_causes;
use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use futures_util::stream::try_unfold;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::timeout;
use tracing::debug;

use crate::limits::{ARCHIVE_BYTES_PER_SECOND_MIN, ARCHIVE_CHUNK_BYTES, WRITE_DEADLINE};
use crate::problem::Result;
use crate::visitors::{Hold, Taker};

/// An archive being written.
pub(super) type Archive<'a> = tar::Builder<&'a mut Sink>;

/// Sends the archive `NAME.tar`. `pack` writes it on a thread that may block.
///
/// # Errors
/// If the limit of archives sent at once is reached, for the visitor's network or in all.
pub(super) fn send(
    name: &str,
    taker: &Taker,
    pack: impl FnOnce(&mut Archive<'_>) -> io::Result<()> + Send + 'static,
) -> Result<Response> {
    let body = body(taker, move |sink| {
        let mut archive = Archive::new(sink);
        archive.mode(tar::HeaderMode::Deterministic);
        archive.follow_symlinks(false);
        pack(&mut archive)?;
        archive.finish()
    })?;
    let head = [
        (CONTENT_TYPE, "application/x-tar".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.tar\"")),
    ];
    Ok((head, body).into_response())
}

/// A body that takes the place of an archive. `write` writes it on a thread that may block.
///
/// # Errors
/// If the limit of archives sent at once is reached, for the visitor's network or in all.
pub(super) fn body(taker: &Taker, write: impl FnOnce(&mut Sink) -> io::Result<()> + Send + 'static) -> Result<Body> {
    Ok(stream(taker.archive()?, write))
}

/// A body that is written as fast as the visitor takes it. It breaks off if it cannot be written to its end.
fn stream(place: Hold, write: impl FnOnce(&mut Sink) -> io::Result<()> + Send + 'static) -> Body {
    let (chunks, written) = mpsc::channel(1);
    let runtime = Handle::current();
    let writing = tokio::task::spawn_blocking(move || {
        let mut sink = Sink { chunks, runtime, chunk: Vec::new(), sent: 0, waited: Duration::ZERO };
        let sent = write(&mut sink).and_then(|()| sink.send());
        // Before the end: a visitor who has seen it finds the place free.
        drop(place);
        // The visitor sees that the end is missing, or, usually, is gone.
        sent.inspect_err(|error| debug!(cause = with_causes(error), "an archive was not sent to its end"))
    });
    // Whether the end was reached is asked only when all chunks are taken: no chunk is overtaken by the end, or by an
    // error.
    Body::from_stream(try_unfold((written, writing), async |(mut written, writing)| {
        let Some(chunk) = written.recv().await else { return writing.await?.map(|()| None) };
        Ok(Some((chunk, (written, writing))))
    }))
}

/// Sends what is written to the visitor in chunks, as fast as they are taken.
pub(super) struct Sink {
    chunks: mpsc::Sender<Bytes>,
    runtime: Handle,
    chunk: Vec<u8>,
    /// Bytes sent so far.
    sent: u64,
    /// Time spent waiting for the visitor.
    waited: Duration,
}

impl Sink {
    /// Sends a chunk. Fails if the visitor is so slow that others would wait for its place.
    #[expect(clippy::disallowed_methods, reason = "a visitor's pace is real time")]
    fn send(&mut self) -> io::Result<()> {
        let chunk = std::mem::take(&mut self.chunk);
        let left = patience(self.sent).saturating_sub(self.waited);
        self.sent += chunk.len() as u64;
        let begun = Instant::now();
        let sent = self.runtime.block_on(timeout(left, self.chunks.send(chunk.into())));
        self.waited += begun.elapsed();
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) => Err(io::ErrorKind::BrokenPipe.into()),
            Err(_) => Err(io::ErrorKind::TimedOut.into()),
        }
    }
}

/// How long to wait in all for a visitor to take this many bytes.
fn patience(bytes: u64) -> Duration {
    WRITE_DEADLINE + Duration::from_secs(bytes / ARCHIVE_BYTES_PER_SECOND_MIN)
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
    use std::net::IpAddr;

    use arena_clock::Clock;
    use axum::body::to_bytes;

    use super::*;
    use crate::eventually::eventually;
    use crate::limits::{ARCHIVE_SECONDS, ARCHIVES_AT_ONCE_MAX, ARCHIVES_NETWORK_MAX};
    use crate::metrics::Metrics;
    use crate::problem::Problem;
    use crate::visitors::{Origin, Proxies, Visitors};

    /// An archive without end: its thread waits for a visitor who takes nothing.
    fn endless(sink: &mut Sink) -> io::Result<()> {
        loop {
            sink.write_all(&[0; ARCHIVE_CHUNK_BYTES])?;
        }
    }

    /// More than one chunk.
    fn whole(sink: &mut Sink) -> io::Result<()> {
        sink.write_all(&[0; ARCHIVE_CHUNK_BYTES])?;
        sink.write_all(b"and its end")
    }

    /// The same, but what comes next cannot be read.
    fn broken(sink: &mut Sink) -> io::Result<()> {
        whole(sink)?;
        Err(io::ErrorKind::NotFound.into())
    }

    /// How many short bodies are read: enough for their threads and the reader to meet in any order.
    const SHORT_BODIES: u32 = 20_000;

    fn network(number: u32) -> Origin {
        Origin::of(IpAddr::from([10, u8::try_from(number).expect("small"), 0, 1]))
    }

    /// The places of a site at which nothing is sent.
    fn visitors() -> Visitors {
        Visitors::new(Proxies::default(), Metrics::default(), &Clock::system())
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn so_many_archives_are_sent_at_once_and_who_leaves_makes_room_for_another() {
        let visitors = visitors();
        let mut sent: Vec<Body> = (0..ARCHIVES_AT_ONCE_MAX)
            .map(|number| {
                // The first takes all of its share, each of the others one.
                let place = visitors.archive(&network(number.saturating_sub(ARCHIVES_NETWORK_MAX - 1)));
                stream(place.unwrap_or_else(|refusal| panic!("{number}: {refusal}")), endless)
            })
            .collect();
        let other = network(ARCHIVES_AT_ONCE_MAX);
        for (from, status, code) in [(network(0), 429, "too_many"), (other, 503, "busy")] {
            let refused = Problem::from(visitors.archive(&from).err().expect("one too many"));
            assert_eq!((refused.status, &*refused.code), (status, code));
            let refused = refused.into_response();
            assert_eq!(refused.headers()["retry-after"], ARCHIVE_SECONDS.to_string().as_str());
        }
        drop(sent.pop());
        // Its thread has yet to notice.
        eventually("the place of who left", async || visitors.archive(&other)).await;
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn who_has_seen_the_end_of_an_archive_finds_its_place_free() {
        let visitors = visitors();
        for number in 0..2 * ARCHIVES_NETWORK_MAX {
            let place = visitors.archive(&network(0)).unwrap_or_else(|refusal| panic!("{number}: {refusal}"));
            let read = to_bytes(stream(place, whole), usize::MAX).await.expect("whole");
            assert!(read.len() > ARCHIVE_CHUNK_BYTES && read.ends_with(b"and its end"), "{}", read.len());
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_body_of_one_chunk_arrives_although_its_end_follows_at_once() {
        let visitors = visitors();
        for number in 0..SHORT_BODIES {
            let place = visitors.archive(&network(0)).unwrap_or_else(|refusal| panic!("{number}: {refusal}"));
            let read = to_bytes(stream(place, |sink| sink.write_all(b"all")), usize::MAX).await.expect("whole");
            assert_eq!(*read, *b"all", "{number}");
        }
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_cannot_be_written_to_its_end_breaks_off() {
        let panics = |_: &mut Sink| -> io::Result<()> { panic!("a mistake of ours") };
        for write in [broken, panics] {
            let place = visitors().archive(&network(0)).unwrap_or_else(|refusal| panic!("{refusal}"));
            assert!(to_bytes(stream(place, write), usize::MAX).await.is_err(), "nobody takes a part for the whole");
        }
    }

    #[test]
    fn who_takes_an_archive_steadily_gets_all_of_it_and_who_hardly_takes_it_keeps_no_place_for_hours() {
        assert_eq!(patience(0), WRITE_DEADLINE);
        let of = |mebibytes: u64| patience(mebibytes << 20).as_secs();
        assert_eq!(of(1), WRITE_DEADLINE.as_secs() + 16);
        assert!(of(100) < 1_800, "{}", of(100));
    }
}
