//! Rate limits and quotas per visitor. A visitor is an account and the network of the request; nothing more is known of
//! visitors, and none of it is stored on the disk or logged. Each server counts for itself. Not here: limits of the
//! store (`arena_store::Limits`), which hold across servers.
//!
//! `table.rs` has all limits. Rates are limited by buckets (`rates.rs`), things that are held at once by counts
//! (`concurrent.rs`). `origin.rs` finds the network of a request, even behind a proxy.

mod body;
mod concurrent;
mod origin;
mod rates;
mod refusal;
mod table;

use std::net::IpAddr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, OnceLock};

use arena_clock::Clock;
use arena_store::AccountId;
use axum::body::{Body, HttpBody};
use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_LENGTH;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;

use crate::aside::{aside, is_aside};
use crate::compression;
use crate::hosts::HEALTH;
use crate::limit_kind::{LimitKind, Whose};
use crate::measures::Measures;
use crate::metrics::Metrics;
use crate::problem::{Problem, Result};
use crate::stream::PendingBytes;

pub use origin::{NotANetwork, TrustedProxy};

pub(crate) use body::{FORM, SentForm, is_form, is_form_of_file};
pub(crate) use concurrent::Hold;
pub(crate) use origin::{Network, Origin, Proxies};
pub(crate) use rates::Holder;
pub(crate) use refusal::UsedUp;
pub(crate) use table::{class, limits};

use body::Counted;
use concurrent::Held;
use origin::Prefix;
use rates::Rates;
use table::{ARCHIVES, FILE, TURNED_AWAY, at_once, cost, cost_of_text};

/// A connection's peer, and the connection's place, or why there is none. A socket keeps the place of its
/// connection.
#[derive(Clone)]
pub(crate) struct Caller {
    pub(crate) peer: IpAddr,
    pub(crate) place: Result<Hold, UsedUp>,
}

/// The holder of a share.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    Account(AccountId),
    Network(Network),
    /// A network around others, which has no share of its own.
    Around(Prefix),
    /// All visitors together.
    Everybody,
    /// Networks and accounts for which a table of keys has no space.
    Others,
}

impl Key {
    pub(crate) fn whose(self) -> Whose {
        match self {
            Key::Account(_) => Whose::Account,
            Key::Network(_) => Whose::Network,
            Key::Everybody | Key::Others | Key::Around(_) => Whose::Everybody,
        }
    }
}

/// All counters of visitors.
pub(crate) struct Visitors {
    rates: Rates,
    connections: Arc<Held>,
    sockets: Arc<Held>,
    polls: Arc<Held>,
    waiting: Arc<Held>,
    checking: Arc<Held>,
    archives: Arc<Held>,
    turned_away: Arc<Held>,
    proxies: Proxies,
    metrics: Metrics,
    /// What the operator ordered about requests.
    pub(crate) measures: Arc<Measures>,
}

impl Visitors {
    pub(crate) fn new(proxies: Proxies, metrics: Metrics, clock: &Clock) -> Visitors {
        Visitors {
            rates: Rates::new(clock.clone()),
            connections: Held::new(at_once(LimitKind::Connections)),
            sockets: Held::new(at_once(LimitKind::Sockets)),
            polls: Held::new(at_once(LimitKind::Polls)),
            waiting: Held::new(at_once(LimitKind::Waiting)),
            checking: Held::new(at_once(LimitKind::Checking)),
            archives: Held::new(ARCHIVES),
            turned_away: Held::new(TURNED_AWAY),
            proxies,
            metrics,
            measures: Arc::default(),
        }
    }

    /// Counts a refusal and passes the result on.
    fn counted<T>(&self, taken: Result<T, UsedUp>) -> Result<T, UsedUp> {
        taken.inspect_err(|refusal| self.metrics.refused(refusal.what.words(), refusal.key.whose()))
    }

    /// Drops the counters of idle visitors. To be called at intervals; it only frees memory and bounds nothing.
    pub(crate) fn forget_idle(&self) {
        self.rates.forget_idle();
    }

    /// A place for a connection. A proxy may have all places; requests through it are counted for the visitors they
    /// come from.
    ///
    /// # Errors
    /// If no place is left.
    pub(crate) fn connection(&self, peer: IpAddr) -> Result<Hold, UsedUp> {
        self.counted(self.connections.take(None, self.visitor(peer).as_ref()))
    }

    /// A place to be told that there was none for this connection; `None` if there is none for that, either.
    pub(crate) fn turned_away(&self, peer: IpAddr) -> Option<Hold> {
        self.turned_away.take(None, self.visitor(peer).as_ref()).ok()
    }

    /// The origin of a connection, unless it is a proxy's.
    fn visitor(&self, peer: IpAddr) -> Option<Origin> {
        (!self.proxies.trust(peer)).then(|| Origin::of(peer))
    }

    /// Whether a request that was not admitted gets its form back.
    fn keeps_form(&self, request: &Request) -> bool {
        let Some(Caller { peer, .. }) = request.extensions().get() else { return false };
        let origin = Origin::of(self.proxies.origin(*peer, request.headers()));
        SentForm::may_be(request) && self.rates.take(LimitKind::Forms, 1, None, Some(&origin)).is_ok()
    }

    /// A place for an archive that is sent to a network.
    ///
    /// # Errors
    /// If no place is left.
    pub(crate) fn archive(&self, origin: &Origin) -> Result<Hold, UsedUp> {
        self.counted(self.archives.take(None, Some(origin)))
    }
}

/// Marks the answer to a request that was admitted: by whom it was asked for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum By {
    Account,
    Anybody,
}

/// Marks the answer to a request that was not admitted, with its form if that comes back.
#[derive(Clone)]
pub(crate) struct NotAdmitted(pub(crate) Option<SentForm>);

/// The holder of a request's shares: its network, and its account if it has one.
#[derive(Clone)]
pub(crate) struct Taker {
    visitors: Arc<Visitors>,
    origin: Origin,
    /// The cost of the request, by its route.
    cost: u32,
    charged: Arc<Charged>,
}

/// What a request was charged so far, and the account that was charged, too.
#[derive(Default)]
struct Charged {
    cost: AtomicU32,
    account: OnceLock<AccountId>,
    /// What it took of shares of creating; `None` once it is answered.
    creating: Mutex<Option<Vec<Taken>>>,
}

type Taken = (LimitKind, u32, Option<AccountId>);

impl Taker {
    /// Charges an account for the request, too. Its network was charged before the account was known.
    ///
    /// # Errors
    /// If the account's share is used up.
    pub(crate) fn request_of(&self, account: AccountId) -> Result<(), UsedUp> {
        // The page of a form that is refused is asked for within its request.
        if self.charged.account.set(account).is_err() {
            return Ok(());
        }
        let taken = self.visitors.rates.take(LimitKind::Requests, self.cost, Some(account), None);
        self.visitors.counted(taken)
    }

    /// Takes one of something that is limited by a rate.
    ///
    /// # Errors
    /// If the visitor's share, or that of all visitors, is used up.
    pub(crate) fn take(&self, what: LimitKind, account: Option<AccountId>) -> Result<(), UsedUp> {
        self.take_some(what, 1, account)
    }

    /// Takes several at once.
    ///
    /// # Errors
    /// If the visitor's share, or that of all visitors, is used up.
    pub(crate) fn take_some(&self, what: LimitKind, amount: u32, account: Option<AccountId>) -> Result<(), UsedUp> {
        self.take_all(&[(what, amount)], account)
    }

    /// Takes some of each of several kinds, or nothing of any of them.
    ///
    /// # Errors
    /// If a share of the visitor, or of all visitors, is used up.
    pub(crate) fn take_all(&self, wanted: &[(LimitKind, u32)], account: Option<AccountId>) -> Result<(), UsedUp> {
        self.visitors.counted(self.visitors.rates.take_all(wanted, account, Some(&self.origin)))?;
        for (_, amount) in wanted.iter().filter(|(what, _)| *what == LimitKind::Requests) {
            self.visitors.metrics.charge(*amount);
            self.charged.cost.fetch_add(*amount, Ordering::Relaxed);
        }
        if let Some(creating) = &mut *self.charged.creating.lock() {
            let taken = wanted.iter().filter(|(what, _)| what.is_of_creating());
            creating.extend(taken.map(|(what, amount)| (*what, *amount, account)));
        }
        Ok(())
    }

    /// Gives back one of something that was taken for what then was not done. An answer that is a refusal gives back
    /// by itself what was taken to create something.
    pub(crate) fn give_back(&self, what: LimitKind, account: Option<AccountId>) {
        self.visitors.rates.give_back(&[(what, 1)], account, Some(&self.origin));
        self.charged.creating.lock().iter_mut().for_each(|creating| creating.retain(|(taken, ..)| *taken != what));
    }

    /// Gives back what was taken to create something, if the answer is that nothing was done for it.
    fn settle(&self, answer: &Response) {
        let creating = self.charged.creating.lock().take().unwrap_or_default();
        let problem = answer.extensions().get::<Problem>();
        if problem.map_or(answer.status().is_client_error(), Problem::is_before_work) {
            for (what, amount, account) in creating {
                self.visitors.rates.give_back(&[(what, amount)], account, Some(&self.origin));
            }
        }
    }

    /// Gives back to its network what the request was charged: it is none of a visitor's.
    pub(crate) fn give_back_request(&self) {
        self.visitors.rates.give_back(&[(LimitKind::Requests, self.cost)], None, Some(&self.origin));
    }

    /// Charges for the length of an answer in text what its request was not charged yet. The answer is made, so no
    /// share is too small for it.
    fn charge_length(&self, answer: &Response) {
        // That of an answer to HEAD is in its head alone.
        let told = answer.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
        let is_made = self.cost > FILE && compression::is_text(answer.headers());
        let bytes = told.or(answer.body().size_hint().exact()).filter(|_| is_made).unwrap_or_default();
        let owed = cost_of_text(bytes).saturating_sub(self.charged.cost.load(Ordering::Relaxed));
        if owed > 0 {
            self.visitors.rates.owe(LimitKind::Requests, owed, self.charged.account.get().copied(), &self.origin);
            self.visitors.metrics.charge(owed);
        }
    }

    /// A place for a socket.
    ///
    /// # Errors
    /// If no place is left.
    pub(crate) fn socket(&self, account: Option<AccountId>) -> Result<Hold, UsedUp> {
        self.visitors.counted(self.visitors.sockets.take(account, Some(&self.origin)))
    }

    /// A place for a poll.
    ///
    /// # Errors
    /// If no place is left.
    pub(crate) fn poll(&self, account: Option<AccountId>) -> Result<Hold, UsedUp> {
        self.visitors.counted(self.visitors.polls.take(account, Some(&self.origin)))
    }

    /// A place for a verdict without a submission. It takes what a submission does, and one of the few for guests if
    /// there is no account.
    ///
    /// # Errors
    /// If no place or no share is left.
    pub(crate) fn check(&self, account: Option<AccountId>) -> Result<Hold, UsedUp> {
        let place = self.visitors.counted(self.visitors.checking.take(account, Some(&self.origin)))?;
        let shares = [(LimitKind::Uploads, 1), (LimitKind::Checks, 1)];
        self.take_all(if account.is_some() { &shares[..1] } else { &shares }, account)?;
        Ok(place)
    }

    /// A place for an archive.
    ///
    /// # Errors
    /// If no place is left.
    pub(crate) fn archive(&self) -> Result<Hold, UsedUp> {
        self.visitors.archive(&self.origin)
    }

    /// A place for a waiting room. A refusal is counted only once it is answered, because a visitor who finds an
    /// opponent needs no place.
    ///
    /// # Errors
    /// If no place is left.
    pub(crate) fn waiting_room(&self, account: Option<AccountId>) -> Result<Hold, UsedUp> {
        self.visitors.waiting.take(account, Some(&self.origin))
    }

    /// Counts a refusal and turns it into an answer.
    pub(crate) fn problem(&self, refusal: UsedUp) -> Problem {
        self.visitors.metrics.refused(refusal.what.words(), refusal.key.whose());
        refusal.into()
    }

    /// The accounts and networks that have used much of a share of this server at this moment, as [`Rates::most_used`]
    /// has them. For the operator.
    pub(crate) fn most_used(&self, rows: usize) -> Vec<(Holder, LimitKind, u32)> {
        self.visitors.rates.most_used(rows)
    }

    /// Why nothing that it asks for is done now, if that is so: the operator has made the site read-only, or banned its
    /// network.
    ///
    /// # Errors
    /// If it is.
    pub(crate) fn may_change(&self) -> Result<()> {
        if self.visitors.measures.is_read_only() {
            return Err(Problem::read_only());
        }
        if self.is_banned() { Err(Problem::banned()) } else { Ok(()) }
    }

    /// Whether its network has been banned since.
    pub(crate) fn is_banned(&self) -> bool {
        self.visitors.measures.bans(self.origin.address)
    }

    /// The network of the request.
    pub(crate) fn network(&self) -> Network {
        self.origin.network
    }
}

impl<S: Sync> FromRequestParts<S> for Taker {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Taker> {
        // Set by `admitted` before any handler runs.
        let taker = parts.extensions.get::<Taker>().cloned();
        taker.ok_or_else(|| Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR))
    }
}

/// What visitors may do while they may change nothing: end what was opened in their name, so that a stolen token or a
/// session at a foreign machine is good for nothing, and choose the language.
const ENDS: [&str; 4] =
    ["/account/tokens/{number}/revocation", "/api/v1/account/tokens/{number}/revocation", "/session/end", "/language"];

/// Charges a request for its cost, and makes its network known to handlers.
pub(crate) async fn admitted(State(visitors): State<Arc<Visitors>>, mut request: Request, next: Next) -> Response {
    let clock = visitors.rates.clock.clone();
    let (taker, is_aside) = match admission(visitors.clone(), &request) {
        Ok(admission) => admission,
        Err(refused) => {
            let mut answer = refused.into_response();
            let form = if visitors.keeps_form(&request) { SentForm::not_admitted(request, &clock).await } else { None };
            answer.extensions_mut().insert(NotAdmitted(form));
            return answer;
        }
    };
    request.extensions_mut().insert(taker.clone());
    let pending = request.extensions_mut().remove::<PendingBytes>().unwrap_or_default();
    let request = request.map(|body| Body::new(Counted::new(body, taker.clone(), pending)));
    let answer = next.run(request);
    let mut answer = if is_aside { aside(answer).await } else { answer.await };
    taker.charge_length(&answer);
    taker.settle(&answer);
    let by = taker.charged.account.get().map_or(By::Anybody, |_| By::Account);
    answer.extensions_mut().insert(by);
    answer
}

/// Charges a request; returns with what more it takes, and whether it is answered aside.
fn admission(visitors: Arc<Visitors>, request: &Request) -> Result<(Taker, bool)> {
    let unknown = || Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR);
    let Caller { peer, place } = request.extensions().get::<Caller>().ok_or_else(unknown)?;
    if let Err(refused) = place {
        return Err((*refused).into());
    }
    let origin = Origin::of(visitors.proxies.origin(*peer, request.headers()));
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let changes = !request.method().is_safe();
    // The operator can always undo what was ordered.
    let is_operators = ["/operator", "/api/v1/operator"].iter().any(|start| route.starts_with(start));
    if !is_operators && !HEALTH.contains(&route) && visitors.measures.bans(origin.address) {
        return Err(Problem::banned());
    }
    if changes && !is_operators && !ENDS.contains(&route) && visitors.measures.is_read_only() {
        return Err(Problem::read_only());
    }
    let cost = cost(changes, route);
    let charged = Charged { creating: Mutex::new(Some(Vec::new())), ..Charged::default() };
    let taker = Taker { visitors, origin, cost, charged: Arc::new(charged) };
    taker.take_some(LimitKind::Requests, cost, None)?;
    Ok((taker, is_aside(request.method().as_str(), route)))
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::mpsc;
    use std::time::Duration;

    use axum::Router;
    use axum::body::Body;
    use axum::routing::get;
    use tower::ServiceExt;

    use super::*;
    use crate::limits::{TURNED_AWAY_MAX, TURNED_AWAY_NETWORK_MAX};

    /// The only thread of a runtime waits within an answer for another task of the runtime.
    #[tokio::test(flavor = "multi_thread", worker_threads = 1)]
    async fn an_answer_aside_keeps_no_other_task_waiting() {
        let (sender, receiver) = mpsc::channel();
        let receiver = Arc::new(Mutex::new(receiver));
        let computed = async move || {
            let received = receiver.lock().expect("one request").recv_timeout(Duration::from_mins(1));
            received.expect("the other task runs meanwhile");
        };
        let visitors = Arc::new(Visitors::new(Proxies::default(), Metrics::default(), &Clock::system()));
        let caller = Caller {
            peer: IpAddr::from([10, 0, 0, 1]),
            place: Ok(visitors.turned_away(IpAddr::from([10, 0, 0, 1])).expect("a place")),
        };
        let router = Router::new()
            .route("/bots/{name}", get(computed))
            .layer(axum::middleware::from_fn_with_state(visitors, admitted));
        let mut request = Request::get("/bots/a").body(Body::empty()).expect("a request");
        request.extensions_mut().insert(caller);
        let answered = tokio::spawn(router.oneshot(request));
        let other = tokio::spawn(async move { sender.send(()) });
        assert_eq!(answered.await.expect("answered").expect("never fails").status(), StatusCode::OK);
        assert_eq!(other.await.expect("done"), Ok(()));
    }

    #[test]
    fn no_network_takes_the_answers_of_the_others() {
        let visitors = Visitors::new(Proxies::default(), Metrics::default(), &Clock::system());
        let from = |network: u8| visitors.turned_away(IpAddr::from([10, network, 0, 1]));
        let mut told: Vec<Hold> = std::iter::from_fn(|| from(1)).collect();
        assert_eq!(told.len(), TURNED_AWAY_NETWORK_MAX as usize);
        for network in 2..=u8::MAX {
            told.extend(std::iter::from_fn(|| from(network)));
        }
        assert_eq!(told.len(), TURNED_AWAY_MAX as usize);
        told.remove(0);
        assert!(from(2).is_none() && from(0).is_some(), "who was answered makes room for who was not");
    }
}
