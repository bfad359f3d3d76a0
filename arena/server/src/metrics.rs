//! Metrics for the operator, in Prometheus' text format, on a listener of their own. No label contains personal data,
//! only classes of statuses, names of limits, and games.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;
use std::{fs, io};

use arena_clock::Clock;
use arena_service::{Figures, Service};
use arena_store::UnixSeconds;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use parking_lot::Mutex;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::Registry;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tracing::{debug, warn};

use crate::limit_kind::Whose;
use crate::limits::{HEAD_DEADLINE, METRICS_AT_ONCE_MAX};
use crate::problem::Problem;

/// The names and values of labels.
type Labels = Vec<(&'static str, &'static str)>;

/// Times by label. The bounds are in seconds: a page takes milliseconds, and a visitor leaves after ten seconds.
type Seconds = Family<Labels, Histogram, fn() -> Histogram>;
const SECONDS: [f64; 7] = [0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 30.0];

/// What became of a request.
#[derive(Clone, Copy)]
pub(crate) enum Answered {
    /// It has its answer.
    As(StatusCode),
    /// It is refused for now: a share is used up, or something is full or closed.
    Refused,
    /// The site is at fault.
    Fault,
}

impl Answered {
    pub(crate) fn of(response: &Response) -> Answered {
        match response.extensions().get::<Problem>() {
            Some(problem) if problem.is_fault() => Answered::Fault,
            Some(problem) if problem.is_for_now() => Answered::Refused,
            None if response.status().is_server_error() => Answered::Fault,
            _ => Answered::As(response.status()),
        }
    }
}

/// A refusal: the limit or the problem's code, and whose share was used up.
type Refusal = (Box<str>, &'static str);

/// The counters of a running site. Cheap to clone; all clones count together.
#[derive(Clone)]
pub struct Metrics {
    requests: Family<Labels, Counter>,
    seconds: Seconds,
    /// What admitted requests were charged.
    charged: Counter,
    /// Wrong tokens of operators that were tried.
    guesses: Counter,
    /// Counts by the used-up share or the problem's code, and by whose share it was.
    refusals: Arc<Mutex<BTreeMap<Refusal, u64>>>,
}

/// The classes of requests, as `visitors::class` has them.
const CLASSES: [&str; 8] = ["held", "judged", "page", "file", "archive", "game_again", "change", "picture"];
/// What a request's status may be in figures.
const STATUSES: [&str; 7] = ["1xx", "2xx", "3xx", "4xx", "5xx", "refused", "fault"];

impl Default for Metrics {
    fn default() -> Metrics {
        let requests = Family::<Labels, Counter>::default();
        let seconds: Seconds = Family::new_with_constructor(|| Histogram::new(SECONDS));
        // An alarm sees the first fault only if there was a zero before it.
        for status in STATUSES {
            drop(requests.get_or_create(&vec![("status", status)]));
        }
        for class in CLASSES {
            drop(seconds.get_or_create(&vec![("class", class)]));
        }
        Metrics {
            requests,
            seconds,
            charged: Counter::default(),
            guesses: Counter::default(),
            refusals: Arc::default(),
        }
    }
}

impl Metrics {
    /// Counts an answer to a request of this class. How long it took counts unless it was refused at once.
    pub(crate) fn answered(&self, class: &'static str, answered: Answered, took: Duration) {
        let status = match answered {
            Answered::As(status) => match status.as_u16() / 100 {
                2 => "2xx",
                3 => "3xx",
                4 => "4xx",
                5 => "5xx",
                _ => "1xx",
            },
            Answered::Refused => "refused",
            Answered::Fault => "fault",
        };
        self.requests.get_or_create(&vec![("status", status)]).inc();
        if !matches!(answered, Answered::Refused) {
            self.seconds.get_or_create(&vec![("class", class)]).observe(took.as_secs_f64());
        }
    }

    /// Counts what a request is charged, in units of the cost of requests.
    pub(crate) fn charge(&self, cost: u32) {
        self.charged.inc_by(cost.into());
    }

    /// What all requests were charged since the start, in units of the cost of requests.
    pub fn charged(&self) -> u64 {
        self.charged.get()
    }

    /// Counts a token that is not the operator's.
    pub(crate) fn guessed(&self) {
        self.guesses.inc();
    }

    /// How many were tried since the start.
    pub(crate) fn guesses(&self) -> u64 {
        self.guesses.get()
    }

    /// Counts a refusal: the share that was used up or the problem's code, and `whose`. Both are our own words, of
    /// which there are a few dozen.
    pub(crate) fn refused(&self, what: &str, whose: Whose) {
        let mut refusals = self.refusals.lock();
        *refusals.entry((what.into(), whose.word())).or_default() += 1;
    }

    /// The refusals since the start: what, whose, how often.
    pub(crate) fn refusals(&self) -> Vec<(Box<str>, &'static str, u64)> {
        let refusals = self.refusals.lock();
        refusals.iter().map(|((what, whose), count)| (what.clone(), *whose, *count)).collect()
    }

    /// All metrics at this moment.
    async fn text(&self, service: &Service) -> String {
        let mut all = Gathered(Registry::with_prefix("arena"));
        self.of_requests(&mut all);
        let store = service.store();
        all.count("store_asked", "Reads and writes that the database was asked for since the start", store.asked());
        all.count("store_statements", "Statements that were sent to the database since the start", store.statements());
        let help = "Changes that the database did not keep since the start";
        all.count("store_failed_writes", help, store.failed_writes());
        let help = "Messages of other servers that this release does not know, since the start";
        all.count("unread_messages", help, store.unread_messages());
        // Without the database the rest is not known, but what is known is still told.
        let figures = match service.figures().await {
            Ok(figures) => Some(figures),
            Err(error) => {
                warn!(cause = arena_service::with_causes(&error), "the metrics are without what the database knows");
                None
            }
        };
        all.gauge("database_up", "Whether the database answers: 1 or 0", figures.is_some().into());
        of_machine(&mut all, service);
        let queues = service.queues();
        all.gauge("thinking", "Turns of opponents in rooms that wait for a place to think", queues.thinking as u64);
        let help = "Submissions that the site cannot judge by its own fault";
        all.gauge("unjudgeable_versions", help, queues.unjudgeable.len() as u64);
        if let Some(figures) = figures {
            of_database(&mut all, &figures, service.now());
            of_editions(&mut all, service);
        }
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &all.0);
        text
    }

    fn of_requests(&self, all: &mut Gathered) {
        let help = "Requests answered, by the class of their status; refused for now, or failed by a fault of the site";
        all.0.register("requests", help, self.requests.clone());
        let help =
            "Time until a request was answered, by class: what its route costs; `held` and `judged` wait for something";
        all.0.register("request_seconds", help, self.seconds.clone());
        let help = "What requests were charged, in units of the cost of requests (`arena limits`)";
        all.0.register("requests_charged", help, self.charged.clone());
        all.0.register("operator_guesses", "Tokens that were not the operator's", self.guesses.clone());
        let refusals = Family::<Vec<(&'static str, String)>, Counter>::default();
        for (what, whose, count) in self.refusals() {
            refusals.get_or_create(&vec![("limit", what.into()), ("whose", whose.into())]).inc_by(count);
        }
        let help = "What was refused for now: by the share that was used up, or else by the code of the problem";
        all.0.register("refusals", help, refusals);
    }

    async fn answer(&self, service: &Service, path: &str) -> Response {
        if path != "/metrics" {
            return StatusCode::NOT_FOUND.into_response();
        }
        let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
        ([(CONTENT_TYPE, kind)], self.text(service).await).into_response()
    }
}

/// Metrics that are taken at one moment.
struct Gathered(Registry);

impl Gathered {
    fn count(&mut self, name: &str, help: &str, value: u64) {
        let counter = Counter::<u64>::default();
        counter.inc_by(value);
        self.0.register(name, help, counter);
    }

    fn gauge(&mut self, name: &str, help: &str, value: u64) {
        let gauge = Gauge::<u64, AtomicU64>::default();
        gauge.set(value);
        self.0.register(name, help, gauge);
    }

    /// One for each value of a label.
    fn gauges(&mut self, name: &str, help: &str, label: &'static str, values: [(&'static str, u64); 2]) {
        let family = Family::<Labels, Gauge<u64, AtomicU64>>::default();
        for (of, value) in values {
            family.get_or_create(&vec![(label, of)]).set(value);
        }
        self.0.register(name, help, family);
    }
}

/// The seconds since a time; 0 if it is yet to come.
fn since(then: i64, now: UnixSeconds) -> u64 {
    u64::try_from(now.0 - then).unwrap_or(0)
}

fn of_machine(all: &mut Gathered, service: &Service) {
    all.gauge("disk_free_bytes", "Free bytes of the disk that holds the data", free_bytes(service.tournaments()));
    if let Some(made_at) = backup_made_at(service.tournaments()) {
        all.gauge(
            "backup_age_seconds",
            "Age of the last backup by `arena admin backup`",
            since(made_at, service.now()),
        );
    }
    if let Some(used) = Used::by_this_process() {
        all.gauge("memory_bytes", "Memory of this process that is in use", used.memory_bytes);
        all.gauge("processor_milliseconds", "Processor time of this process since it started", used.processor_ms);
    }
}

fn of_database(all: &mut Gathered, figures: &Figures, now: UnixSeconds) {
    all.gauge("rooms", "Rooms in memory", figures.rooms as u64);
    all.gauge("pending_versions", "Submissions that wait for their verdicts", figures.pending as u64);
    let oldest = figures.oldest_pending.map_or(0, |at| since(at.0, now));
    all.gauge("oldest_pending_seconds", "How long the oldest of these waits; 0 for none", oldest);
    all.gauge("games_waiting", "Games that wait for a worker", figures.queue.waiting);
    let oldest = figures.queue.oldest_ms / 1_000;
    all.gauge("oldest_game_seconds", "How long ago the oldest of these was asked for; 0 for none", oldest);
    all.gauge("games_leased", "Games that workers play", figures.queue.leased);
    all.gauge("workers", "Workers that hold a game", figures.queue.workers);
    let kept = &figures.kept;
    let help = "Games that the leaderboard of people is made from: rated ones of two people, and others";
    all.gauges("people_games", help, "games", [("rated", kept.rated_games), ("other", kept.practice_games)]);
    let help = "Bytes of the logs of finished rooms: of rated games of two people, and of others";
    let bytes = [("rated", kept.rated_room_bytes), ("other", kept.finished_room_bytes)];
    all.gauges("finished_room_bytes", help, "games", bytes);
    let verdicts = Family::<Labels, Counter>::default();
    verdicts.get_or_create(&vec![("verdict", "accepted")]).inc_by(figures.accepted);
    verdicts.get_or_create(&vec![("verdict", "refused")]).inc_by(figures.refused);
    all.0.register("verdicts", "Submissions that were judged since the start", verdicts);
    let help = "Tries to judge on which the machine failed since the start";
    all.count("judge_faults", help, figures.judge_faults);
    let help =
        "Failures of the machine in games played here, and modules that took too long to compile, since the start";
    all.count("platform_faults", help, figures.platform_faults);
}

fn of_editions(all: &mut Gathered, service: &Service) {
    let family = Family::<Labels, Gauge<u64, AtomicU64>>::default;
    let (editions, played, games, faults) = (family(), family(), family(), family());
    for game in arena_wire::GAMES {
        let (standing, of) = (service.standing().of(game), vec![("game", game.ruleset)]);
        let edition = standing.edition.as_deref();
        editions.get_or_create(&of).set(edition.map_or(0, |edition| edition.number.into()));
        faults.get_or_create(&of).set(edition.map_or(0, |edition| edition.platform_faults));
        played.get_or_create(&of).set(standing.playing.as_ref().map_or(0, |playing| playing.played as u64));
        games.get_or_create(&of).set(standing.playing.as_ref().map_or(0, |playing| playing.total as u64));
    }
    let all = &mut all.0;
    all.register("edition", "The latest finished edition; 0 for none", editions);
    all.register("edition_platform_faults", "Games of the latest edition played again by our fault", faults);
    all.register("edition_games_played", "Games played of the edition that is being played", played);
    all.register("edition_games", "Games of the edition that is being played; 0 for none", games);
}

/// What a process has taken of its machine.
struct Used {
    memory_bytes: u64,
    processor_ms: u64,
}

/// Milliseconds of a tick in `/proc`: there are always a hundred in a second, whatever the kernel's own are.
const TICK_MS: u64 = 10;

impl Used {
    /// What this one has taken, where the system tells.
    fn by_this_process() -> Option<Used> {
        let status = fs::read_to_string("/proc/self/status").ok()?;
        let kib = status.lines().find_map(|line| line.strip_prefix("VmRSS:")?.trim().strip_suffix(" kB"));
        let kib: u64 = kib?.parse().ok()?;
        let stat = fs::read_to_string("/proc/self/stat").ok()?;
        // The program's name, in parentheses, may have spaces. The times follow the state and ten numbers.
        let (_, after) = stat.rsplit_once(") ")?;
        let ticks: u64 = after.split(' ').skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
        Some(Used { memory_bytes: kib << 10, processor_ms: ticks * TICK_MS })
    }
}

/// The file in a site's folder that says when it was backed up last, in seconds since 1970.
const BACKED_UP: &str = "backed-up";
/// Bytes of it at most: those of a number.
const BACKED_UP_BYTES_MAX: u64 = 20;

/// Notes that a site's folder has just been backed up.
///
/// # Errors
/// When the folder cannot be written.
pub fn note_backup(data: &Path, clock: &Clock) -> io::Result<()> {
    arena_files::write_durably(&data.join(BACKED_UP), clock.unix_seconds().to_string().as_bytes())
}

/// When the folder that holds these tournaments was backed up last.
fn backup_made_at(tournaments: &Path) -> Option<i64> {
    let text = arena_files::read_at_most(&tournaments.parent()?.join(BACKED_UP), BACKED_UP_BYTES_MAX).ok()?;
    str::from_utf8(&text).ok()?.trim().parse().ok()
}

/// Answers `GET /metrics` on a socket, while it is polled. It is meant for the operator's network and has no
/// authentication.
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
