//! Tar archives, streamed while they are written, so that none is ever held in memory entirely.

use std::convert::Infallible;
use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use arena_service::with_causes;
use axum::body::{Body, Bytes};
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use http_body_util::channel::{Channel, Sender};
use tokio::runtime::Handle;
use tokio::time::timeout;
use tracing::debug;

use crate::limits::{
    ARCHIVE_BYTES_PER_SECOND_MIN, ARCHIVE_CHUNK_BYTES, ARCHIVE_SECONDS, ARCHIVES_AT_ONCE_MAX, ARCHIVES_NETWORK_MAX,
    WRITE_DEADLINE,
};
use crate::problem::Problem;
use crate::share::What;
use crate::visitors::{Key, Network, Refusal, Taker};

/// The networks that archives are being sent to, one entry for each archive.
static SENDING: Mutex<Vec<Network>> = Mutex::new(Vec::new());

/// An archive's entry in that list; removed on drop.
struct Sending(Network);

impl Sending {
    fn begin(network: Network) -> Result<Sending, Refusal> {
        let mut sending = Sending::all();
        let own = sending.iter().filter(|other| **other == network).count();
        let key = if own >= ARCHIVES_NETWORK_MAX {
            Key::Network(network)
        } else if sending.len() >= ARCHIVES_AT_ONCE_MAX {
            Key::Everybody
        } else {
            sending.push(network);
            return Ok(Sending(network));
        };
        Err(Refusal { what: What::Archives, key, after: Duration::from_secs(ARCHIVE_SECONDS) })
    }

    fn all() -> MutexGuard<'static, Vec<Network>> {
        SENDING.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        let mut sending = Sending::all();
        if let Some(own) = sending.iter().position(|network| *network == self.0) {
            sending.swap_remove(own);
        }
    }
}

/// An archive being written.
pub(super) type Archive = tar::Builder<Sink>;

/// Sends the archive `NAME.tar`. `pack` writes it on a thread that may block.
///
/// # Errors
/// If the limit of archives sent at once is reached, for the visitor's network or in all.
pub(super) fn send(
    name: &str,
    taker: &Taker,
    pack: impl FnOnce(&mut Archive) -> io::Result<()> + Send + 'static,
) -> Result<Response, Problem> {
    let sending = Sending::begin(taker.network()).map_err(|refusal| taker.told(refusal))?;
    Ok(stream(name, sending, pack))
}

/// An archive that is written as fast as the visitor takes it.
fn stream(
    name: &str,
    sending: Sending,
    pack: impl FnOnce(&mut Archive) -> io::Result<()> + Send + 'static,
) -> Response {
    let (sender, body) = Channel::<Bytes, Infallible>::new(1);
    let runtime = Handle::current();
    let write = move || {
        let _sending = sending;
        let mut archive = Archive::new(Sink { sender, runtime, chunk: Vec::new(), sent: 0, waited: Duration::ZERO });
        archive.mode(tar::HeaderMode::Deterministic);
        archive.follow_symlinks(false);
        let sent = pack(&mut archive).and_then(|()| archive.into_inner()).and_then(|mut sink| sink.send());
        // The visitor sees that the end is missing, or, usually, is gone.
        if let Err(error) = sent {
            debug!(cause = with_causes(&error), "an archive was not sent to its end");
        }
    };
    drop(tokio::task::spawn_blocking(write));
    let head = [
        (CONTENT_TYPE, "application/x-tar".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{name}.tar\"")),
    ];
    (head, Body::new(body)).into_response()
}

/// Sends what is written to the visitor in chunks, as fast as they are taken.
pub(super) struct Sink {
    sender: Sender<Bytes, Infallible>,
    runtime: Handle,
    chunk: Vec<u8>,
    /// Bytes sent so far.
    sent: u64,
    /// Time spent waiting for the visitor.
    waited: Duration,
}

impl Sink {
    /// Sends a chunk. Fails if the visitor is so slow that others would wait for its place.
    fn send(&mut self) -> io::Result<()> {
        let chunk = std::mem::take(&mut self.chunk);
        let left = patience(self.sent).saturating_sub(self.waited);
        self.sent += chunk.len() as u64;
        let (begun, Sink { sender, runtime, .. }) = (Instant::now(), &mut *self);
        let sent = runtime.block_on(async { timeout(left, sender.send_data(chunk.into())).await });
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

    use super::*;

    /// An archive without end: its thread waits for a visitor who takes nothing.
    fn endless(archive: &mut Archive) -> io::Result<()> {
        loop {
            let mut header = tar::Header::new_gnu();
            header.set_size(ARCHIVE_CHUNK_BYTES as u64);
            archive.append_data(&mut header, "zeroes", &[0; ARCHIVE_CHUNK_BYTES][..])?;
        }
    }

    fn network(number: usize) -> Network {
        Network::of(IpAddr::from([10, 0, u8::try_from(number).expect("small"), 1]))
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn so_many_archives_are_sent_at_once_and_who_leaves_makes_room_for_another() {
        let mut sent: Vec<Response> = (0..ARCHIVES_AT_ONCE_MAX)
            .map(|number| {
                let sending = Sending::begin(network(number / ARCHIVES_NETWORK_MAX));
                stream("archive", sending.unwrap_or_else(|refusal| panic!("{number}: {refusal}")), endless)
            })
            .collect();
        let other = network(ARCHIVES_AT_ONCE_MAX);
        for (from, status, code) in [(network(0), 429, "too_many"), (other, 503, "busy")] {
            let refused = Problem::from(Sending::begin(from).err().expect("one too many"));
            assert_eq!((refused.status, &*refused.code), (status, code));
            let refused = refused.into_response();
            assert_eq!(refused.headers()["retry-after"], ARCHIVE_SECONDS.to_string().as_str());
        }
        drop(sent.pop());
        // Its thread has yet to notice.
        while Sending::begin(other).is_err() {
            tokio::task::yield_now().await;
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
