//! A cache of the identities of visitors who poll for news, so that a waiting request does not query the store. When
//! credentials of an account end, all of that account are forgotten, and nobody else. Other servers of the site get a
//! message and do the same.

use std::collections::BTreeMap;

use arena_clock::Instant;
use arena_record::Hex;
use arena_service::Service;
use arena_store::{AccessToken, Account, AccountId, PlayerCode, SessionToken, StoreError};
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use crate::limits::{RECOGNISED_FOR, RECOGNISED_MAX};

/// Separates this hash from all others.
const TAG: &[u8] = b"arena/recognised/1";

/// The credentials of an account. They may end before what was opened with them.
#[derive(Clone)]
pub(crate) enum Pass {
    Code(PlayerCode),
    Token(AccessToken),
    Session(SessionToken),
}

impl Pass {
    /// Whether the credentials are still valid for this account, and the account is not disabled.
    pub(crate) async fn still_admits(&self, service: &Service, id: AccountId) -> Result<bool, StoreError> {
        let (store, now) = (service.store(), service.now());
        let account = match self {
            Pass::Code(code) => store.account_by_code(code).await?,
            Pass::Token(secret) => store.account_by_token(secret, now).await?.map(|(account, _)| account),
            Pass::Session(token) => store.account_by_session(token, now).await?,
        };
        Ok(account.is_some_and(|account| account.id == id && !account.disabled))
    }
}

/// Endings that may wait until a socket has heard of them. One that misses some asks the store.
const ENDINGS_MAX: usize = 64;

/// The cache.
pub(crate) struct SessionCache {
    kept: Mutex<Kept>,
    /// Says at once whose credentials have ended; `None` if it may be anybody.
    ended: broadcast::Sender<Option<AccountId>>,
}

impl Default for SessionCache {
    fn default() -> SessionCache {
        SessionCache { kept: Mutex::default(), ended: broadcast::Sender::new(ENDINGS_MAX) }
    }
}

/// What a socket hears of credentials that end.
pub(crate) struct Endings(broadcast::Receiver<Option<AccountId>>);

impl Endings {
    /// Waits until the credentials of this account may have ended, or something else that admits everybody, too.
    pub(crate) async fn of(&mut self, account: Option<AccountId>) {
        loop {
            match self.0.recv().await {
                Ok(Some(other)) if Some(other) != account => {}
                Ok(_) | Err(RecvError::Lagged(_)) => return,
                // The cache is gone with the server, which ends its sockets.
                Err(RecvError::Closed) => std::future::pending().await,
            }
        }
    }
}

#[derive(Default)]
struct Kept {
    by: BTreeMap<Mark, (Account, Pass, Instant)>,
    /// How often somebody was forgotten.
    forgotten: u64,
}

/// The hash of credentials, which is the key of the cache. It does not reveal them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark(Hex<32>);

impl Mark {
    pub(crate) fn of(secret: &[u8]) -> Mark {
        Mark(Hex(Sha256::new().chain_update(TAG).chain_update(secret).finalize().into()))
    }
}

/// The state of the cache when a look-up began.
#[derive(Clone, Copy)]
pub(crate) struct Since(u64);

impl SessionCache {
    /// The cached identity; without one, the state to pass to [`keep`](SessionCache::keep) after the look-up.
    pub(crate) fn find(&self, mark: Mark, now: Instant) -> Result<(Account, Pass), Since> {
        let kept = self.kept.lock();
        match kept.by.get(&mark) {
            Some((account, pass, at)) if now.saturating_duration_since(*at) < RECOGNISED_FOR => {
                Ok((account.clone(), pass.clone()))
            }
            _ => Err(Since(kept.forgotten)),
        }
    }

    /// Caches the result of a look-up, unless somebody was forgotten meanwhile, who may be this one.
    pub(crate) fn keep(&self, mark: Mark, since: Since, account: Account, pass: Pass, now: Instant) {
        let mut kept = self.kept.lock();
        if kept.forgotten != since.0 {
            return;
        }
        if kept.by.len() >= RECOGNISED_MAX {
            kept.by.clear();
        }
        kept.by.insert(mark, (account, pass, now));
    }

    /// Forgets an account, because it or its credentials have changed.
    pub(crate) fn forget(&self, whose: AccountId) {
        let mut kept = self.kept.lock();
        kept.by.retain(|_, (account, ..)| account.id != whose);
        kept.forgotten += 1;
        // Nobody may be listening.
        let _ = self.ended.send(Some(whose));
    }

    /// Forgets everybody, because somebody who is not known has changed.
    pub(crate) fn forget_all(&self) {
        let mut kept = self.kept.lock();
        kept.by.clear();
        kept.forgotten += 1;
        let _ = self.ended.send(None);
    }

    /// From now on, which credentials end.
    pub(crate) fn endings(&self) -> Endings {
        Endings(self.ended.subscribe())
    }
}
