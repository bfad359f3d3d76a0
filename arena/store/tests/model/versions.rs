//! Versions, their bytes, and what they logged in sample games.

use std::sync::Arc;

use arena_record::EntrantId;

use super::bots::{Choice, StoredBot};
use super::{Model, State, paged};
use crate::error::Damage;
use crate::limits::DAY_SECONDS;
use crate::logs::checked;
use crate::{
    AccountId, BotId, BotName, Gate, LOGGED_VERSIONS_MAX, Limits, MODULE_BYTES_MAX, Page, SampleLog, SampleLogError,
    StoreError, Submission, SubmitError, UnixSeconds, Verdict, VerdictError, Version, VersionId, VersionState,
};

impl State {
    fn version(&mut self, id: VersionId) -> Option<&mut Version> {
        let place = (id.number as usize).checked_sub(1)?;
        self.bots.get_mut(&id.bot).filter(|bot| !bot.deleted)?.versions.get_mut(place)
    }
}

impl StoredBot {
    /// Whether this bot may get a version with these bytes, or has it already.
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
        if self.disabled {
            return Err(SubmitError::Disabled);
        }
        if self.game != game {
            return Err(SubmitError::OtherGame(self.game.clone()));
        }
        let latest = self.latest();
        if let Some(known) = latest.filter(|latest| latest.entrant == *entrant) {
            return Ok(Some(known.clone()));
        }
        if latest.is_some_and(|latest| latest.id.number >= limits.versions_per_bot_max) {
            return Err(SubmitError::TooManyVersions(limits.versions_per_bot_max));
        }
        let (max, yesterday) = (limits.versions_per_bot_per_day_max, now.earlier(DAY_SECONDS));
        let kept = self.versions.iter().filter(|version| !matches!(version.state, VersionState::Refused(_)));
        let today: Vec<UnixSeconds> =
            kept.map(|version| version.submitted_at).filter(|submitted_at| *submitted_at > yesterday).collect();
        if today.len() >= max as usize {
            let first = today.into_iter().min().unwrap_or(now);
            let again_in = now.seconds_until(first.later(DAY_SECONDS));
            return Err(SubmitError::TooManyToday { max, again_in });
        }
        Ok(None)
    }
}

impl State {
    /// Removes bytes that belong to no version, other than refused ones.
    pub(super) fn release(&mut self, entrant: &EntrantId) {
        let mut versions = self.bots.values().flat_map(|bot| &bot.versions);
        let needs =
            |version: &Version| version.entrant == *entrant && !matches!(version.state, VersionState::Refused(_));
        if !versions.any(needs) {
            self.modules.remove(entrant);
        }
    }

    /// Removes the logs of all but a bot's latest versions.
    fn trim_logs(&mut self, bot: BotId) {
        let versions = self.bots.get(&bot).map_or(0, |bot| bot.versions.len());
        let earlier = versions.saturating_sub(LOGGED_VERSIONS_MAX);
        self.sample_logs.retain(|version, _| version.bot != bot || version.number as usize > earlier);
    }

    pub(super) fn remove_bot(&mut self, id: BotId) {
        self.bots.remove(&id);
        self.sample_logs.retain(|version, _| version.bot != id);
    }

    /// Removes leftovers of refused submissions that are in the way of this one.
    pub(super) fn make_way(&mut self, account: AccountId, name: &BotName, limits: &Limits) {
        let left = self.bots.values().filter(|bot| bot.latest().is_none());
        let in_the_way: Vec<BotId> = left.clone().filter(|bot| bot.looks_like(name)).map(|bot| bot.id).collect();
        for id in in_the_way {
            self.remove_bot(id);
        }
        let of_account = self.bots.values().filter(|bot| bot.account == account && bot.latest().is_none());
        let beyond: Vec<BotId> =
            of_account.rev().map(|bot| bot.id).skip(limits.bots_per_account_max as usize).collect();
        for id in beyond {
            self.remove_bot(id);
        }
    }
}

impl Model {
    pub(crate) async fn submit(
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
        let limits = &self.limits;
        let mut state = self.state()?;
        let owner = state.account(account).ok_or(SubmitError::NoSuchAccount)?;
        if state.closed_gates.contains(&Gate::Submissions) {
            return Err(SubmitError::Closed);
        }
        if owner.disabled {
            return Err(SubmitError::Disabled);
        }
        let kept = |bot: &&StoredBot| bot.latest().is_some();
        let found = state.bots.values().filter(kept).find(|bot| bot.looks_like(name));
        match found {
            Some(bot) if bot.deleted || bot.name.key() != name.key() => return Err(SubmitError::NameTaken),
            Some(bot) => {
                if let Some(known) = bot.takes(account, game, &entrant, limits, now)? {
                    return Ok(Submission::Known(known));
                }
            }
            None => {
                let own = state.bots.values().filter(kept).filter(|bot| bot.account == account && !bot.deleted);
                let bots = own.count();
                if bots >= limits.bots_per_account_max as usize {
                    return Err(SubmitError::TooManyBots(limits.bots_per_account_max));
                }
            }
        }
        let found = found.map(|bot| (bot.id, bot.latest().map_or(0, |latest| latest.id.number)));
        let versions = state.bots.values().flat_map(|bot| bot.versions.iter().map(move |version| (bot, version)));
        let pending: Vec<AccountId> = versions
            .clone()
            .filter(|(_, version)| version.state == VersionState::Pending)
            .map(|(bot, _)| bot.account)
            .collect();
        if pending.iter().filter(|other| **other == account).count() >= limits.pending_per_account_max as usize {
            return Err(SubmitError::TooManyWaiting(limits.pending_per_account_max));
        }
        if pending.len() >= limits.pending_max as usize {
            return Err(SubmitError::QueueFull);
        }
        let kept = versions.filter(|(_, version)| !matches!(version.state, VersionState::Refused(_)));
        if kept.map(|(_, version)| version.size_bytes).sum::<u64>() + size_bytes > limits.module_bytes_max {
            return Err(StoreError::NoSpace.into());
        }
        state.make_way(account, name, limits);
        let (id, number) = match found {
            Some((bot, latest)) => (bot, latest + 1),
            None => {
                state.bots_made += 1;
                (BotId(state.bots_made), 1)
            }
        };
        let id = VersionId { bot: id, number };
        state.sample_logs.retain(|version, _| version.bot != id.bot || version.number < number);
        let bot = state.bots.entry(id.bot).or_insert_with(|| StoredBot {
            id: id.bot,
            account,
            name: name.clone(),
            game: game.into(),
            created_at: now,
            versions: Vec::new(),
            former: Vec::new(),
            disabled: false,
            deleted: false,
            chosen: Choice::default(),
        });
        bot.chosen.after = bot.chosen.after.min(number - 1);
        bot.versions.truncate(number as usize - 1);
        let (state_now, submitted_at) = (VersionState::Pending, now);
        let version = Version { id, entrant: entrant.clone(), size_bytes, state: state_now, submitted_at };
        bot.versions.push(version.clone());
        state.trim_logs(id.bot);
        state.modules.insert(entrant, bytes);
        Ok(Submission::New(version))
    }

    pub(crate) async fn set_verdict(&self, id: VersionId, verdict: Verdict) -> Result<Version, VerdictError> {
        let verdict = VersionState::from(verdict);
        let mut state = self.state()?;
        let version = state.version(id).ok_or(VerdictError::NoSuchVersion)?;
        if version.state == VersionState::Pending {
            version.state = verdict;
        } else if version.state != verdict {
            return Err(VerdictError::AlreadyJudged);
        }
        let version = version.clone();
        state.release(&version.entrant);
        Ok(version)
    }

    pub(crate) async fn version(&self, id: VersionId) -> Result<Option<Version>, StoreError> {
        Ok(self.state()?.version(id).cloned())
    }

    pub(crate) async fn versions(&self, bot: BotId, page: Page<u32>) -> Result<Vec<Version>, StoreError> {
        let state = self.state()?;
        let versions = state
            .bots
            .get(&bot)
            .filter(|bot| !bot.deleted)
            .into_iter()
            .flat_map(|bot| bot.versions.iter().rev().cloned());
        Ok(paged(page, versions, |version, after| version.id.number < *after))
    }

    pub(crate) async fn versions_of(
        &self,
        account: AccountId,
        page: Page<VersionId>,
    ) -> Result<Vec<Version>, StoreError> {
        let state = self.state()?;
        let own = state.bots.values().filter(|bot| bot.account == account && !bot.deleted);
        Ok(paged(page, own.flat_map(|bot| bot.versions.iter().cloned()), |version, after| version.id > *after))
    }

    pub(crate) async fn pending_versions(&self, page: Page<VersionId>) -> Result<Vec<Version>, StoreError> {
        let state = self.state()?;
        let versions = state.bots.values().flat_map(|bot| &bot.versions);
        let pending = versions.filter(|version| version.state == VersionState::Pending).cloned();
        Ok(paged(page, pending, |version, after| version.id > *after))
    }

    pub(crate) async fn module(&self, entrant: &EntrantId) -> Result<Vec<u8>, StoreError> {
        let state = self.state()?;
        let bytes = state.modules.get(entrant).ok_or_else(|| Damage::BytesMissing(entrant.clone()))?;
        Ok(bytes.to_vec())
    }
}

impl Model {
    pub(crate) async fn keep_sample_logs(&self, id: VersionId, logs: &[SampleLog]) -> Result<(), SampleLogError> {
        let logs = checked(logs)?;
        let mut state = self.state()?;
        state.version(id).ok_or(SampleLogError::NoSuchVersion)?;
        if logs.is_empty() {
            state.sample_logs.remove(&id);
        } else {
            state.sample_logs.insert(id, logs);
        }
        state.trim_logs(id.bot);
        Ok(())
    }

    pub(crate) async fn sample_logs(&self, id: VersionId) -> Result<Vec<SampleLog>, StoreError> {
        Ok(self.state()?.sample_logs.get(&id).cloned().unwrap_or_default())
    }
}
