//! Connections: accepted here and not by axum's own server, which sets no deadline for a request's head, no limit for
//! connections, and forgets sockets when it stops.

use std::sync::Arc;
use std::time::Duration;

use arena_service::with_causes;
use axum::Router;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time;
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;
use tracing::{debug, warn};

use crate::app::{Place, Site};
use crate::limits::{CONNECTIONS_MAX, HEAD_BYTES_MAX, HEAD_DEADLINE, STOP_GRACE, WRITE_DEADLINE};
use crate::requests::Peer;
use crate::router::router;

/// How long accepting pauses when the machine has no descriptors left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Tells a server to stop. Cheap to clone.
#[derive(Clone, Default)]
pub struct Stop(CancellationToken);

impl Stop {
    /// Stops accepting, lets requests that are under way finish for some seconds, and closes sockets.
    pub fn now(&self) {
        self.0.cancel();
    }
}

/// Answers on a socket until told to stop. The service is left open.
pub async fn serve(site: Site, listener: TcpListener, stop: Stop) {
    let (connections, sockets) = (TaskTracker::new(), TaskTracker::new());
    let log_addresses = site.log_addresses;
    let router = router(site, stop.0.clone(), sockets.clone());
    let room = Arc::new(Semaphore::new(CONNECTIONS_MAX));
    loop {
        let permit = tokio::select! {
            () = stop.0.cancelled() => break,
            permit = room.clone().acquire_owned() => permit,
        };
        let stream = tokio::select! {
            () = stop.0.cancelled() => break,
            accepted = listener.accept() => accepted,
        };
        // Never closed.
        let Ok(permit) = permit else { break };
        let (stream, address) = match stream {
            Ok(accepted) => accepted,
            Err(error) => {
                warn!(%error, "a connection cannot be accepted");
                time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let peer = log_addresses.then_some(Peer(address));
        connections.spawn(connection(stream, peer, router.clone(), stop.0.clone(), permit));
    }
    connections.close();
    sockets.close();
    let ended = async {
        connections.wait().await;
        sockets.wait().await;
    };
    // What is still open then is dropped with the runtime; nothing that was acknowledged is lost by it.
    if time::timeout(STOP_GRACE, ended).await.is_err() {
        warn!(connections = connections.len(), sockets = sockets.len(), "dropped, because they did not end in time");
    }
}

async fn connection(
    stream: TcpStream,
    peer: Option<Peer>,
    router: Router,
    stop: CancellationToken,
    permit: OwnedSemaphorePermit,
) {
    let place = Place(Arc::new(permit));
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(place.clone());
        peer.map(|peer| request.extensions_mut().insert(peer));
        router.clone().oneshot(request)
    });
    // A ply is one small packet, and waits for nothing.
    if let Err(error) = stream.set_nodelay(true) {
        debug!(%error, "packets of a connection may wait for others");
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(WRITE_DEADLINE));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_DEADLINE)
        .max_buf_size(HEAD_BYTES_MAX)
        .serve_connection(TokioIo::new(Box::pin(stream)), service)
        .with_upgrades();
    tokio::pin!(connection);
    let ended: Result<(), hyper::Error> = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stop.cancelled() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    // The peer's: it went away, took too long, or does not speak HTTP.
    if let Err(error) = ended {
        debug!(cause = with_causes(&error), "a connection broke off");
    }
}
