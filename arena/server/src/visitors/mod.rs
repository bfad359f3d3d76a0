//! What one visitor may take of what is everybody's. A visitor is an account, and the network that it comes from; nobody is
//! known any better than that, and nothing of it is kept on the disk or logged.
//!
//! `table.rs` has all limits. Those of a rate are buckets (`rates.rs`), those of things that are held at once are counts
//! (`held.rs`). `origin.rs` says where a request comes from, also through a proxy.

mod held;
mod origin;
mod others;
mod rates;
mod refusal;
mod table;

use std::net::IpAddr;
use std::sync::Arc;

use arena_store::AccountId;
use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use crate::metrics::Metrics;
use crate::problem::Problem;
use crate::share::{What, Whose};

pub use origin::{NotANetwork, TrustedProxy};

pub(crate) use held::Hold;
pub(crate) use origin::{Caller, Network, Proxies};
pub(crate) use others::share;
pub(crate) use rates::KEYS_MAX;
pub(crate) use refusal::Refusal;
pub(crate) use table::limits;

use held::Held;
use rates::Rates;
use table::{at_once, cost};

/// Whose share is counted.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Key {
    Account(AccountId),
    Network(Network),
    /// Everybody together.
    Everybody,
    /// Networks and accounts for which there is no place in a table of keys.
    Others,
}

impl Key {
    pub(crate) fn whose(self) -> Whose {
        match self {
            Key::Account(_) => Whose::Account,
            Key::Network(_) => Whose::Network,
            Key::Everybody | Key::Others => Whose::Everybody,
        }
    }
}

/// What, of whose share, and how many: what servers tell each other.
type Line = (What, Key, u32);

/// Everything that is counted of visitors.
pub(crate) struct Visitors {
    rates: Rates,
    connections: Arc<Held>,
    sockets: Arc<Held>,
    polls: Arc<Held>,
    waiting: Arc<Held>,
    proxies: Proxies,
    metrics: Metrics,
}

impl Visitors {
    pub(crate) fn new(proxies: Proxies, metrics: Metrics) -> Visitors {
        Visitors {
            rates: Rates::default(),
            connections: Held::new(at_once(What::Connections)),
            sockets: Held::new(at_once(What::Sockets)),
            polls: Held::new(at_once(What::Polls)),
            waiting: Held::new(at_once(What::Waiting)),
            proxies,
            metrics,
        }
    }

    /// What was taken; what was not is counted, however it is told.
    fn counted<T>(&self, taken: Result<T, Refusal>) -> Result<T, Refusal> {
        taken.inspect_err(|refusal| self.metrics.refused(refusal.what.words(), refusal.key.whose()))
    }

    /// Forgets who has taken nothing lately. To be called now and then: it bounds nothing, it only frees.
    pub(crate) fn forget_idle(&self) {
        self.rates.forget_idle();
        self.held().for_each(|held| held.forget_idle());
    }

    /// What is held at once that all servers together have a share of; connections are a machine's own.
    fn held(&self) -> impl Iterator<Item = &Arc<Held>> {
        [&self.sockets, &self.polls, &self.waiting].into_iter()
    }

    /// A place for a connection. Proxies have as many as there are: the requests that come through are counted by whom they
    /// come from.
    ///
    /// # Errors
    /// When there is none left.
    pub(crate) fn connection(&self, peer: IpAddr) -> Result<Hold, Refusal> {
        let network = (!self.proxies.trust(peer)).then(|| Key::Network(Network::of(peer)));
        self.counted(self.connections.take(network.into_iter().chain([Key::Everybody])))
    }
}

/// Who takes something: where it comes from, and its account where it has one.
#[derive(Clone)]
pub(crate) struct Taker {
    visitors: Arc<Visitors>,
    network: Network,
    /// What the request costs.
    cost: u32,
}

impl Taker {
    /// Charges an account for the request, too: its network was charged before anybody knew whose it is.
    ///
    /// # Errors
    /// When the account's share is used up.
    pub(crate) fn request_of(&self, account: AccountId) -> Result<(), Refusal> {
        let taken = self.visitors.rates.take(What::Requests, self.cost, std::iter::once(Key::Account(account)));
        self.visitors.counted(taken)
    }

    /// Takes so much of something that is limited by rates.
    ///
    /// # Errors
    /// When a share is used up: the visitor's, or everybody's.
    pub(crate) fn take(&self, what: What, account: Option<AccountId>) -> Result<(), Refusal> {
        self.take_some(what, 1, account)
    }

    /// The same of several at once.
    ///
    /// # Errors
    /// When a share is used up: the visitor's, or everybody's.
    pub(crate) fn take_some(&self, what: What, amount: u32, account: Option<AccountId>) -> Result<(), Refusal> {
        self.visitors.counted(self.visitors.rates.take(what, amount, self.keys(account)))
    }

    /// A place for a socket.
    ///
    /// # Errors
    /// When there is none left.
    pub(crate) fn socket(&self, account: Option<AccountId>) -> Result<Hold, Refusal> {
        self.visitors.counted(self.visitors.sockets.take(self.keys(account)))
    }

    /// A place for a request that waits.
    ///
    /// # Errors
    /// When there is none left.
    pub(crate) fn poll(&self, account: Option<AccountId>) -> Result<Hold, Refusal> {
        self.visitors.counted(self.visitors.polls.take(self.keys(account)))
    }

    /// A place for a room that waits. A refusal counts once it is [`told`](Taker::told): who finds an opponent needs no place.
    ///
    /// # Errors
    /// When there is none left.
    pub(crate) fn waiting_room(&self, account: Option<AccountId>) -> Result<Hold, Refusal> {
        self.visitors.waiting.take(self.keys(account))
    }

    /// Counts a refusal, and makes the answer of it.
    pub(crate) fn told(&self, refusal: Refusal) -> Problem {
        self.visitors.metrics.refused(refusal.what.words(), refusal.key.whose());
        refusal.into()
    }

    /// Where it comes from.
    pub(crate) fn network(&self) -> Network {
        self.network
    }

    fn keys(&self, account: Option<AccountId>) -> impl Iterator<Item = Key> {
        let account = account.map(Key::Account);
        account.into_iter().chain([Key::Network(self.network), Key::Everybody])
    }
}

impl<S: Sync> FromRequestParts<S> for Taker {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Taker, Problem> {
        // Put there by `admitted`, before any handler.
        let taker = parts.extensions.get::<Taker>().cloned();
        taker.ok_or_else(|| Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR))
    }
}

/// Charges a request for what it costs, and says to handlers where it comes from.
pub(crate) async fn admitted(State(visitors): State<Arc<Visitors>>, mut request: Request, next: Next) -> Response {
    let Some(Caller { peer, place }) = request.extensions().get::<Caller>() else {
        return Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR).into_response();
    };
    if let Err(refused) = place {
        return Problem::from(*refused).into_response();
    }
    let network = Network::of(visitors.proxies.origin(*peer, request.headers()));
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    let cost = cost(!request.method().is_safe(), route);
    let taker = Taker { visitors, network, cost };
    if let Err(refused) = taker.take_some(What::Requests, cost, None) {
        return Problem::from(refused).into_response();
    }
    request.extensions_mut().insert(taker);
    next.run(request).await
}
