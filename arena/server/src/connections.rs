//! Accepts connections. axum's own server is not used, because it has no deadline for a request's head, no limit of
//! connections, and forgets sockets when it stops.

use std::convert::Infallible;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use arena_service::with_causes;
use axum::Router;
use axum::http::StatusCode;
use hyper::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::{TcpListener, TcpStream};
use tokio::time;
use tokio_io_timeout::TimeoutStream;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower::ServiceExt;
use tracing::{debug, warn};

use crate::app::Site;
use crate::assets;
use crate::limits::{FORGET_EVERY, HEAD_BYTES_MAX, HEAD_DEADLINE, STOP_GRACE, WRITE_DEADLINE};
use crate::requests::Peer;
use crate::router::router;
use crate::stream::{PendingBytes, Stream};
use crate::visitors::{Caller, Hold, Proxies, Visitors};

/// How long accepting pauses when the machine is out of descriptors.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Tells a server to stop. Cheap to clone.
#[derive(Clone, Default)]
pub struct Stop(CancellationToken);

impl Stop {
    /// Stops accepting, lets running requests finish for some seconds, and closes sockets.
    pub fn now(&self) {
        self.0.cancel();
    }
}

/// Serves a socket until stopped. The service stays open.
#[expect(clippy::disallowed_methods, reason = "a machine without descriptors and a process that ends go by real time")]
pub async fn serve(site: Site, listener: TcpListener, stop: Stop) {
    let (connections, sockets) = (TaskTracker::new(), TaskTracker::new());
    let log_addresses = site.log_addresses;
    let clock = site.service.clock().clone();
    let visitors = Visitors::new(Proxies(site.trusted_proxies.clone()), site.metrics.clone(), &clock);
    let visitors = Arc::new(visitors);
    // Before the first request. If the store does not answer now, they are read again within seconds.
    if let Err(error) = visitors.measures.read(&site.service).await {
        warn!(cause = with_causes(&error), "what the operator ordered is not known yet");
    }
    let sends_compressed = !cfg!(debug_assertions) && site.assets.are_built_in();
    let router = router(site, visitors.clone(), stop.0.clone(), sockets.clone());
    if sends_compressed {
        // Takes a second or two of one processor, and 60 MB meanwhile. Earlier requests wait for the files they need.
        drop(tokio::task::spawn_blocking(assets::compress_all));
    }
    let mut forgetting = clock.interval(FORGET_EVERY);
    loop {
        let stream = tokio::select! {
            () = stop.0.cancelled() => break,
            () = forgetting.tick() => {
                visitors.forget_idle();
                continue;
            }
            accepted = listener.accept() => accepted,
        };
        let (stream, address) = match stream {
            Ok(accepted) => accepted,
            Err(error) => {
                warn!(%error, "a connection cannot be accepted");
                time::sleep(ACCEPT_PAUSE).await;
                continue;
            }
        };
        let caller = Caller { peer: address.ip(), place: visitors.connection(address.ip()) };
        let told = match &caller.place {
            Ok(_) => None,
            Err(_) => match visitors.turned_away(address.ip()) {
                Some(hold) => Some(hold),
                None => continue,
            },
        };
        let peer = log_addresses.then_some(Peer(address));
        connections.spawn(connection(stream, caller, peer, router.clone(), stop.0.clone(), told));
    }
    connections.close();
    sockets.close();
    let ended = async {
        connections.wait().await;
        sockets.wait().await;
    };
    // Connections that are still open are dropped with the runtime; nothing that was acknowledged is lost.
    if time::timeout(STOP_GRACE, ended).await.is_err() {
        warn!(connections = connections.len(), sockets = sockets.len(), "dropped, because they did not end in time");
    }
}

/// Serves a connection. If it has no place, `told` is set, and its first answer says so and is the last.
async fn connection(
    stream: TcpStream,
    caller: Caller,
    peer: Option<Peer>,
    router: Router,
    stop: CancellationToken,
    told: Option<Hold>,
) {
    let becomes_socket = Arc::new(AtomicBool::new(false));
    let (switches, pending) = (becomes_socket.clone(), PendingBytes::default());
    let stream = Stream::new(stream, becomes_socket, pending.clone());
    let service = service_fn(move |mut request: Request<Incoming>| {
        pending.delivered();
        request.extensions_mut().insert(pending.clone());
        request.extensions_mut().insert(caller.clone());
        peer.map(|peer| request.extensions_mut().insert(peer));
        let (answering, switches) = (router.clone().oneshot(request), switches.clone());
        async move {
            let answer = answering.await?;
            switches.store(answer.status() == StatusCode::SWITCHING_PROTOCOLS, Ordering::Relaxed);
            Ok::<_, Infallible>(answer)
        }
    });
    // A ply is one small packet and must not be delayed.
    if let Err(error) = stream.stream.set_nodelay(true) {
        debug!(%error, "packets of a connection may wait for others");
    }
    let mut stream = TimeoutStream::new(stream);
    stream.set_write_timeout(Some(WRITE_DEADLINE));
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_DEADLINE)
        .max_buf_size(HEAD_BYTES_MAX)
        .keep_alive(told.is_none())
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
    // The peer's fault: it went away, took too long, or does not speak HTTP.
    if let Err(error) = ended {
        debug!(cause = with_causes(&error), "a connection broke off");
    }
}
