//! Metrics for the operator, in Prometheus' text format, on a listener of their own. No label contains personal data, only
//! classes of statuses, names of limits, and games.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};

use arena_service::Service;
use arena_store::StoreError;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tracing::{debug, warn};

use crate::limits::{HEAD_DEADLINE, METRICS_AT_ONCE_MAX};
use crate::share::Whose;

/// The names and values of labels.
type Labels = Vec<(&'static str, &'static str)>;

/// A refusal: the limit or the problem's code, and whose share was used up.
type Refusal = (Box<str>, &'static str);

/// The counters of a running site. Cheap to clone; all clones count together.
#[derive(Clone, Default)]
pub struct Metrics {
    requests: Family<Labels, Counter>,
    /// Counts by the used-up share or the problem's code, and by whose share it was.
    refusals: Arc<Mutex<BTreeMap<Refusal, u64>>>,
}

impl Metrics {
    /// Counts an answer.
    pub(crate) fn answered(&self, status: StatusCode) {
        let class = match status.as_u16() / 100 {
            2 => "2xx",
            3 => "3xx",
            4 => "4xx",
            5 => "5xx",
            _ => "1xx",
        };
        self.requests.get_or_create(&vec![("status", class)]).inc();
    }

    /// Counts a refusal: the share that was used up or the problem's code, and `whose`. Both are our own words, of which there are a few
    /// dozen.
    pub(crate) fn refused(&self, what: &str, whose: Whose) {
        let mut refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        *refusals.entry((what.into(), whose.word())).or_default() += 1;
    }

    /// The refusals since the start: what, whose, how often.
    pub(crate) fn refusals(&self) -> Vec<(Box<str>, &'static str, u64)> {
        let refusals = self.refusals.lock().unwrap_or_else(PoisonError::into_inner);
        refusals.iter().map(|((what, whose), count)| (what.clone(), *whose, *count)).collect()
    }

    /// All metrics at this moment.
    async fn text(&self, service: &Service) -> Result<String, StoreError> {
        let mut all = Registry::with_prefix("arena");
        all.register("requests", "Requests answered, by the class of their status", self.requests.clone());
        let refusals = Family::<Vec<(&'static str, String)>, Counter>::default();
        for (what, whose, count) in self.refusals() {
            refusals.get_or_create(&vec![("limit", what.into()), ("whose", whose.into())]).inc_by(count);
        }
        all.register(
            "refusals",
            "What was refused for now: by the share that was used up, or else by the code of the problem",
            refusals,
        );
        let (asked, statements) = (Counter::<u64>::default(), Counter::<u64>::default());
        asked.inc_by(service.store().asked());
        all.register("store_asked", "Reads and writes that the database was asked for since the start", asked);
        statements.inc_by(service.store().statements());
        all.register("store_statements", "Statements that were sent to the database since the start", statements);
        let figures = service.figures().await?;
        let mut one = |name: &str, help: &str, value: u64| {
            let gauge = Gauge::<u64, AtomicU64>::default();
            gauge.set(value);
            all.register(name, help, gauge);
        };
        one("rooms", "Rooms in memory", figures.rooms as u64);
        one("pending_versions", "Submissions that wait for their verdicts", figures.pending as u64);
        one("disk_free_bytes", "Free bytes of the disk that holds the data", free_bytes(service.tournaments()));
        let (games, logs) =
            (Family::<Labels, Gauge<u64, AtomicU64>>::default(), Family::<Labels, Gauge<u64, AtomicU64>>::default());
        let kept = figures.kept;
        for (of, count, bytes) in [
            ("rated", kept.rated_games, kept.rated_room_bytes),
            ("other", kept.practice_games, kept.finished_room_bytes),
        ] {
            games.get_or_create(&vec![("games", of)]).set(count);
            logs.get_or_create(&vec![("games", of)]).set(bytes);
        }
        all.register(
            "people_games",
            "Games that the leaderboard of people is made from: rated ones of two people, and others",
            games,
        );
        all.register(
            "finished_room_bytes",
            "Bytes of the logs of finished rooms: of rated games of two people, and of others",
            logs,
        );
        let verdicts = Family::<Labels, Counter>::default();
        verdicts.get_or_create(&vec![("verdict", "accepted")]).inc_by(figures.accepted);
        verdicts.get_or_create(&vec![("verdict", "refused")]).inc_by(figures.refused);
        all.register("verdicts", "Submissions that were judged since the start", verdicts);
        let judging = Counter::<u64>::default();
        judging.inc_by(figures.judge_faults);
        all.register("judge_faults", "Tries to judge on which the machine failed since the start", judging);
        let faults = Counter::<u64>::default();
        faults.inc_by(figures.platform_faults);
        all.register(
            "platform_faults",
            "Failures of the machine in games played here, and modules that took too long to compile, since the start",
            faults,
        );
        let family = Family::<Labels, Gauge<u64, AtomicU64>>::default;
        let (editions, played, games, faults) = (family(), family(), family(), family());
        for game in arena_wire::GAMES {
            let (standing, of) = (service.standing(game), vec![("game", game.ruleset)]);
            let edition = standing.edition.as_deref();
            editions.get_or_create(&of).set(edition.map_or(0, |edition| edition.number.into()));
            faults.get_or_create(&of).set(edition.map_or(0, |edition| edition.platform_faults));
            played.get_or_create(&of).set(standing.playing.map_or(0, |playing| playing.played as u64));
            games.get_or_create(&of).set(standing.playing.map_or(0, |playing| playing.total as u64));
        }
        all.register("edition", "The latest finished edition; 0 for none", editions);
        all.register("edition_platform_faults", "Games of the latest edition played again by our fault", faults);
        all.register("edition_games_played", "Games played of the edition that is being played", played);
        all.register("edition_games", "Games of the edition that is being played; 0 for none", games);
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &all);
        Ok(text)
    }

    async fn answer(&self, service: &Service, path: &str) -> Response {
        if path != "/metrics" {
            return StatusCode::NOT_FOUND.into_response();
        }
        match self.text(service).await {
            Ok(text) => {
                ([(CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response()
            }
            Err(error) => {
                warn!(cause = arena_service::with_causes(&error), "the metrics cannot be written");
                StatusCode::SERVICE_UNAVAILABLE.into_response()
            }
        }
    }
}

/// Answers `GET /metrics` on a socket, while it is polled. It is meant for the operator's network and has no authentication.
#[expect(clippy::disallowed_methods, reason = "a machine without descriptors goes by real time")]
pub async fn serve_metrics(metrics: Metrics, service: Service, listener: TcpListener) {
    let places = Arc::new(Semaphore::new(METRICS_AT_ONCE_MAX));
    loop {
        let Ok(place) = places.clone().acquire_owned().await else { return };
        let stream = match listener.accept().await {
            Ok((stream, _)) => stream,
            Err(error) => {
                warn!(%error, "a connection to the metrics cannot be accepted");
                tokio::time::sleep(HEAD_DEADLINE).await;
                continue;
            }
        };
        let (metrics, service) = (metrics.clone(), service.clone());
        tokio::spawn(async move {
            let answer = service_fn(async |request: hyper::Request<hyper::body::Incoming>| {
                Ok::<_, std::convert::Infallible>(metrics.answer(&service, request.uri().path()).await)
            });
            let mut connection = http1::Builder::new();
            connection.timer(TokioTimer::new()).header_read_timeout(HEAD_DEADLINE).keep_alive(false);
            if let Err(error) = connection.serve_connection(TokioIo::new(stream), answer).await {
                debug!(cause = arena_service::with_causes(&error), "a connection to the metrics broke off");
            }
            drop(place);
        });
    }
}

/// Free bytes of the disk that holds a folder; 0 if unknown.
pub(crate) fn free_bytes(folder: &Path) -> u64 {
    rustix::fs::statvfs(folder).map_or(0, |disk| disk.f_bavail.saturating_mul(disk.f_frsize))
}
