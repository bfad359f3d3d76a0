//! Versions, their bytes, and what they logged in sample games.

use std::sync::Arc;

use arena_record::EntrantId;
use async_trait::async_trait;

use super::bots::StoredBot;
use super::{MemoryStore, State};
use crate::error::Damage;
use crate::limits::DAY_SECONDS;
use crate::logs::checked;
use crate::{
    AccountId, BotId, BotName, Limits, MODULE_BYTES_MAX, Page, SampleLog, SampleLogError, SampleLogs, StoreError,
    Submission, SubmitError, UnixSeconds, Verdict, VerdictError, Version, VersionId, VersionState, Versions,
};

impl State {
    fn version(&mut self, id: VersionId) -> Option<&mut Version> {
        let place = (id.number as usize).checked_sub(1)?;
        self.bots.get_mut(&id.bot)?.versions.get_mut(place)
    }
}

impl StoredBot {
    /// Whether this bot may get a version with these bytes, or has it.
    fn takes(
        &self,
        account: AccountId,
        game: &str,
        entrant: &EntrantId,
        limits: &Limits,
        now: UnixSeconds,
    ) -> Result<Option<Version>, SubmitError> {
        if self.account != account {
            return Err(SubmitError::NameTaken);
        }
        if self.game != game {
            return Err(SubmitError::OtherGame(self.game.clone()));
        }
        let latest = self.versions.last().filter(|latest| latest.entrant == *entrant);
        if let Some(known) = latest.filter(|latest| !matches!(latest.state, VersionState::Refused(_))) {
            return Ok(Some(known.clone()));
        }
        if self.versions.len() >= limits.versions_per_bot_max as usize {
            return Err(SubmitError::TooManyVersions(limits.versions_per_bot_max));
        }
        let yesterday = now.earlier(DAY_SECONDS);
        let today = self.versions.iter().filter(|version| version.submitted_at > yesterday).count();
        if today >= limits.versions_per_bot_per_day_max as usize {
            return Err(SubmitError::TooManyToday(limits.versions_per_bot_per_day_max));
        }
        Ok(None)
    }
}

#[async_trait]
impl Versions for MemoryStore {
    async fn submit(
        &self,
        account: AccountId,
        name: &BotName,
        game: &str,
        bytes: Arc<[u8]>,
        now: UnixSeconds,
    ) -> Result<Submission, SubmitError> {
        let size_bytes = bytes.len() as u64;
        if size_bytes > MODULE_BYTES_MAX {
            return Err(SubmitError::TooLarge);
        }
        let entrant = EntrantId::of_bytes(&bytes);
        let mut state = self.state()?;
        if !state.accounts.contains_key(&account) {
            return Err(SubmitError::NoSuchAccount);
        }
        let found = state.bots.values().find(|bot| bot.name.key() == name.key());
        if let Some(bot) = found
            && let Some(known) = bot.takes(account, game, &entrant, &self.limits, now)?
        {
            return Ok(Submission::Known(known));
        }
        let id = match found {
            Some(bot) => bot.id,
            None => {
                let bots = state.bots.values().filter(|bot| bot.account == account).count();
                if bots >= self.limits.bots_per_account_max as usize {
                    return Err(SubmitError::TooManyBots(self.limits.bots_per_account_max));
                }
                BotId(state.bots.len() as i64 + 1)
            }
        };
        let bot = state.bots.entry(id).or_insert_with(|| StoredBot {
            id,
            account,
            name: name.clone(),
            game: game.into(),
            created_at: now,
            versions: Vec::new(),
        });
        let id = VersionId { bot: id, number: bot.versions.len() as u32 + 1 };
        let (state_now, submitted_at) = (VersionState::Pending, now);
        let version = Version { id, entrant: entrant.clone(), size_bytes, state: state_now, submitted_at };
        bot.versions.push(version.clone());
        state.modules.insert(entrant, bytes);
        Ok(Submission::New(version))
    }

    async fn set_verdict(&self, id: VersionId, verdict: Verdict) -> Result<Version, VerdictError> {
        let verdict = VersionState::from(verdict);
        let mut state = self.state()?;
        let version = state.version(id).ok_or(VerdictError::NoSuchVersion)?;
        if version.state == VersionState::Pending {
            version.state = verdict;
        } else if version.state != verdict {
            return Err(VerdictError::AlreadyJudged);
        }
        Ok(version.clone())
    }

    async fn version(&self, id: VersionId) -> Result<Option<Version>, StoreError> {
        Ok(self.state()?.version(id).cloned())
    }

    async fn versions(&self, bot: BotId, page: Page<u32>) -> Result<Vec<Version>, StoreError> {
        let state = self.state()?;
        let versions = state.bots.get(&bot).into_iter().flat_map(|bot| bot.versions.iter().rev().cloned());
        Ok(page.of(versions, |version, after| version.id.number < *after))
    }

    async fn pending_versions(&self, page: Page<VersionId>) -> Result<Vec<Version>, StoreError> {
        let state = self.state()?;
        let versions = state.bots.values().flat_map(|bot| &bot.versions);
        let pending = versions.filter(|version| version.state == VersionState::Pending).cloned();
        Ok(page.of(pending, |version, after| version.id > *after))
    }

    async fn module(&self, entrant: &EntrantId) -> Result<Vec<u8>, StoreError> {
        let state = self.state()?;
        let bytes = state.modules.get(entrant).ok_or_else(|| Damage::BytesMissing(entrant.clone()))?;
        Ok(bytes.to_vec())
    }
}

#[async_trait]
impl SampleLogs for MemoryStore {
    async fn keep_sample_logs(&self, id: VersionId, logs: &[SampleLog]) -> Result<(), SampleLogError> {
        let logs = checked(logs)?;
        let mut state = self.state()?;
        state.version(id).ok_or(SampleLogError::NoSuchVersion)?;
        state.sample_logs.insert(id, logs);
        Ok(())
    }

    async fn sample_logs(&self, id: VersionId) -> Result<Vec<SampleLog>, StoreError> {
        Ok(self.state()?.sample_logs.get(&id).cloned().unwrap_or_default())
    }
}
