//! Who asks for news again and again. It is looked up once and then known for a while, so that a request that waits asks the store
//! nothing; whatever ends what somebody came by makes us look again.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use arena_record::Hex;
use arena_service::now;
use arena_store::{AccessToken, Account, AccountId, PlayerCode, SessionToken, Store, StoreError};
use sha2::{Digest, Sha256};

use crate::limits::{RECOGNISED_FOR, RECOGNISED_MAX};

/// Sets the hash apart from all others.
const TAG: &[u8] = b"arena/recognised/1";

/// What an account came by. It may end before what was opened with it.
#[derive(Clone)]
pub(crate) enum Pass {
    Code(PlayerCode),
    Token(AccessToken),
    Session(SessionToken),
}

impl Pass {
    /// Whether this account still comes by it, and may do something.
    pub(crate) async fn still_admits(&self, store: &dyn Store, id: AccountId) -> Result<bool, StoreError> {
        let account = match self {
            Pass::Code(code) => store.account_by_code(code).await?,
            Pass::Token(secret) => store.account_by_token(secret, now()).await?.map(|(account, _)| account),
            Pass::Session(token) => store.account_by_session(token, now()).await?,
        };
        Ok(account.is_some_and(|account| account.id == id && !account.disabled))
    }
}

/// Those who are known.
#[derive(Default)]
pub(crate) struct Recognised(Mutex<Kept>);

#[derive(Default)]
struct Kept {
    by: BTreeMap<Mark, (Account, Pass, Instant)>,
    /// How often all were forgotten.
    forgotten: u64,
}

/// What somebody comes by, as it is known again: nobody finds it from this.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Mark(Hex<32>);

impl Mark {
    pub(crate) fn of(secret: &[u8]) -> Mark {
        Mark(Hex(Sha256::new().chain_update(TAG).chain_update(secret).finalize().into()))
    }
}

/// When a look-up began.
#[derive(Clone, Copy)]
pub(crate) struct Since(u64);

impl Recognised {
    /// Who it is, if that is known; else when the look-up begins.
    pub(crate) fn find(&self, mark: Mark) -> Result<(Account, Pass), Since> {
        let kept = self.kept();
        match kept.by.get(&mark) {
            Some((account, pass, at)) if at.elapsed() < RECOGNISED_FOR => Ok((account.clone(), pass.clone())),
            _ => Err(Since(kept.forgotten)),
        }
    }

    /// Keeps what a look-up came to, unless something ended meanwhile.
    pub(crate) fn keep(&self, mark: Mark, since: Since, account: Account, pass: Pass) {
        let mut kept = self.kept();
        if kept.forgotten != since.0 {
            return;
        }
        if kept.by.len() >= RECOGNISED_MAX {
            kept.by.clear();
        }
        kept.by.insert(mark, (account, pass, Instant::now()));
    }

    /// Forgets everybody: an account, or what one came by, is another now.
    pub(crate) fn forget(&self) {
        let mut kept = self.kept();
        kept.by.clear();
        kept.forgotten += 1;
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
