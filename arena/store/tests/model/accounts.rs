//! Accounts and sessions.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use arena_record::Hex;

use super::{Model, State};
use crate::policy::names::{NameView, may_create, may_rename_account};
use crate::{
    Account, AccountError, AccountId, BotId, DisplayName, Gate, PAGE_MAX, PlayerCode, SessionToken, StoreError,
    UnixSeconds,
};

#[derive(Debug)]
pub(super) struct StoredAccount {
    account: Account,
    code_hash: [u8; 32],
    deleted: bool,
}

impl StoredAccount {
    pub(super) fn disable(&mut self, disabled: bool) {
        self.account.disabled = disabled;
    }
}

impl State {
    pub(super) fn account(&self, id: AccountId) -> Option<Account> {
        self.accounts.get(&id).filter(|stored| !stored.deleted).map(|stored| stored.account.clone())
    }

    /// The account, unless it is deleted.
    pub(super) fn there(&mut self, id: AccountId) -> Option<&mut StoredAccount> {
        self.accounts.get_mut(&id).filter(|stored| !stored.deleted)
    }

    pub(super) fn rename(&mut self, id: AccountId, name: &DisplayName) -> Result<Account, AccountError> {
        let is_taken = self.is_taken(name, Some(id));
        let stored = self.there(id);
        may_rename_account(NameView { is_there: stored.is_some(), is_taken })?;
        let stored = stored.ok_or(AccountError::NoSuchAccount)?;
        stored.account.name = name.clone();
        Ok(stored.account.clone())
    }

    /// Whether an account other than `id` has a name with the same looks.
    fn is_taken(&self, name: &DisplayName, id: Option<AccountId>) -> bool {
        let keys = name.keys();
        let mut others = self.accounts.values().filter(|stored| !stored.deleted && Some(stored.account.id) != id);
        others.any(|other| other.account.name.keys().iter().any(|key| keys.contains(key)))
    }
}

impl Model {
    pub(crate) async fn create_account(
        &self,
        name: &DisplayName,
        now: UnixSeconds,
    ) -> Result<(Account, PlayerCode), AccountError> {
        let code = PlayerCode::random()?;
        let mut state = self.state()?;
        let accounts = state.accounts.values().filter(|stored| !stored.deleted).count() as u64;
        let closed = state.closed_gates.contains(&Gate::Accounts);
        may_create(closed, accounts, state.is_taken(name, None), &self.limits)?;
        // Deleted ones stay, so that no number is given twice.
        let id = AccountId(state.accounts.len() as i64 + 1);
        let account = Account { id, name: name.clone(), created_at: now, disabled: false };
        state.accounts.insert(id, StoredAccount { account: account.clone(), code_hash: code.hash(), deleted: false });
        Ok((account, code))
    }

    pub(crate) async fn account(&self, id: AccountId) -> Result<Option<Account>, StoreError> {
        Ok(self.state()?.account(id))
    }

    pub(crate) async fn account_by_code(&self, code: &PlayerCode) -> Result<Option<Account>, StoreError> {
        let state = self.state()?;
        let found = state.accounts.values().find(|stored| !stored.deleted && stored.code_hash == code.hash());
        Ok(found.map(|stored| stored.account.clone()))
    }

    pub(crate) async fn rename_account(&self, id: AccountId, name: &DisplayName) -> Result<Account, AccountError> {
        self.state()?.rename(id, name)
    }

    pub(crate) async fn replace_code(&self, id: AccountId) -> Result<PlayerCode, AccountError> {
        let code = PlayerCode::random()?;
        let mut state = self.state()?;
        state.there(id).ok_or(AccountError::NoSuchAccount)?.code_hash = code.hash();
        state.sessions.retain(|_, (owner, _)| *owner != id);
        state.tokens.retain(|_, stored| stored.account != id);
        Ok(code)
    }

    pub(crate) async fn create_session(
        &self,
        id: AccountId,
        expires_at: UnixSeconds,
    ) -> Result<SessionToken, AccountError> {
        let token = SessionToken::random()?;
        let mut state = self.state()?;
        if state.there(id).is_none() {
            return Err(AccountError::NoSuchAccount);
        }
        let of_account = state.sessions.iter().filter(|(_, (owner, _))| *owner == id);
        let mut others: Vec<(UnixSeconds, [u8; 32])> = of_account.map(|(hash, (_, end))| (*end, *hash)).collect();
        others.sort_unstable();
        let others_max = self.limits.sessions_per_account_max.saturating_sub(1) as usize;
        for (_, hash) in &others[..others.len().saturating_sub(others_max)] {
            state.sessions.remove(hash);
        }
        state.sessions.insert(token.hash(), (id, expires_at));
        Ok(token)
    }

    pub(crate) async fn account_by_session(
        &self,
        token: &SessionToken,
        now: UnixSeconds,
    ) -> Result<Option<Account>, StoreError> {
        let state = self.state()?;
        let open = state.sessions.get(&token.hash()).filter(|(_, expires_at)| *expires_at > now);
        Ok(open.and_then(|(id, _)| state.account(*id)))
    }

    pub(crate) async fn end_session(&self, token: &SessionToken) -> Result<(), StoreError> {
        self.state()?.sessions.remove(&token.hash());
        Ok(())
    }

    pub(crate) async fn note_browser(
        &self,
        id: AccountId,
        browser: Hex<32>,
        now: UnixSeconds,
    ) -> Result<(), AccountError> {
        let mut state = self.state()?;
        if state.there(id).is_none() {
            return Err(AccountError::NoSuchAccount);
        }
        let others = state.browsers.iter().filter(|((owner, other), _)| *owner == id && *other != browser);
        let mut others: Vec<_> = others.map(|((_, other), seen_at)| (Reverse(*seen_at), *other)).collect();
        others.sort_unstable();
        let others_max = self.limits.browsers_per_account_max.saturating_sub(1) as usize;
        for (_, other) in others.into_iter().skip(others_max) {
            state.browsers.remove(&(id, other));
        }
        state.browsers.insert((id, browser), now);
        Ok(())
    }

    pub(crate) async fn browsers_of(
        &self,
        accounts: &[AccountId],
    ) -> Result<BTreeMap<AccountId, BTreeSet<Hex<32>>>, StoreError> {
        let state = self.state()?;
        let mut found: BTreeMap<AccountId, BTreeSet<Hex<32>>> = BTreeMap::new();
        for (id, browser) in state.browsers.keys() {
            if accounts.iter().take(PAGE_MAX as usize).any(|account| account == id) {
                found.entry(*id).or_default().insert(*browser);
            }
        }
        Ok(found)
    }

    pub(crate) async fn delete_account(&self, id: AccountId, _: UnixSeconds) -> Result<(), AccountError> {
        let mut state = self.state()?;
        state.there(id).ok_or(AccountError::NoSuchAccount)?.deleted = true;
        state.sessions.retain(|_, (owner, _)| *owner != id);
        state.browsers.retain(|(owner, _), _| *owner != id);
        state.tokens.retain(|_, stored| stored.account != id);
        let own: Vec<BotId> = state.bots.values().filter(|bot| bot.account == id).map(|bot| bot.id).collect();
        own.into_iter().for_each(|bot| state.delete_bot(bot));
        state.forget_games(id);
        state.queue.forget_volunteer(id);
        Ok(())
    }

    pub(crate) async fn drop_expired_sessions(&self, now: UnixSeconds) -> Result<u64, StoreError> {
        let mut state = self.state()?;
        let before = state.sessions.len();
        state.sessions.retain(|_, (_, expires_at)| *expires_at > now);
        Ok((before - state.sessions.len()) as u64)
    }
}
