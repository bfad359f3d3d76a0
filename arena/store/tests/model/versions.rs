//! Versions, their bytes, and what they logged in sample games.

use std::sync::Arc;

use arena_record::EntrantId;

use super::bots::{Choice, StoredBot};
use super::{Model, State, paged};
use crate::error::Damage;
use crate::limits::DAY_SECONDS;
use crate::logs::checked;
use crate::policy::submit::{Admitted, Holder, SubmitView, may_submit};
use crate::policy::version::may_judge;
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

impl State {
    /// What decides on a submission.
    fn submit_view(&self, account: AccountId, name: &BotName, now: UnixSeconds) -> SubmitView {
        let refused = |version: &&Version| matches!(version.state, VersionState::Refused(_));
        let kept = |bot: &&StoredBot| bot.latest().is_some();
        let holder = self.bots.values().filter(kept).find(|bot| bot.looks_like(name)).and_then(|bot| {
            let days = bot.versions.iter().filter(|version| !refused(version)).map(|version| version.submitted_at);
            let days = days.filter(|day| *day > now.earlier(DAY_SECONDS));
            let mut today: Vec<UnixSeconds> = days.map(|day| day.later(DAY_SECONDS)).collect();
            today.sort_unstable();
            Some(Holder {
                is_it: !bot.deleted && bot.account == account && bot.name.key() == name.key(),
                disabled: bot.disabled,
                game: bot.game.clone(),
                latest: bot.latest()?.clone(),
                today,
            })
        });
        let own = self.bots.values().filter(kept).filter(|bot| bot.account == account && !bot.deleted);
        let pending = |bot: &StoredBot| {
            bot.versions.iter().filter(|version| version.state == VersionState::Pending).count() as u64
        };
        let versions = self.bots.values().flat_map(|bot| &bot.versions).filter(|version| !refused(version));
        SubmitView {
            closed: self.closed_gates.contains(&Gate::Submissions),
            disabled: self.account(account).map(|owner| owner.disabled),
            holder,
            bots: own.count() as u64,
            waiting: self.bots.values().filter(|bot| bot.account == account).map(pending).sum(),
            waiting_of_all: self.bots.values().map(pending).sum(),
            module_bytes: versions.map(|version| version.size_bytes).sum(),
        }
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
        let view = state.submit_view(account, name, now);
        let id = match may_submit(view, limits, game, (&entrant, size_bytes), now)? {
            Admitted::Known(version) => return Ok(Submission::Known(version)),
            Admitted::NewVersion(id) => id,
            Admitted::NewBot => VersionId { bot: BotId(state.bots_made + 1), number: 1 },
        };
        state.bots_made = state.bots_made.max(id.bot.0);
        state.make_way(account, name, limits);
        let number = id.number;
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
        let version =
            Version { id, entrant: entrant.clone(), size_bytes, state: state_now, submitted_at, licence: None };
        bot.versions.push(version.clone());
        state.trim_logs(id.bot);
        state.modules.insert(entrant, bytes);
        Ok(Submission::New(version))
    }

    pub(crate) async fn set_verdict(&self, id: VersionId, verdict: Verdict) -> Result<Version, VerdictError> {
        let verdict = VersionState::from(verdict);
        let mut state = self.state()?;
        let version = state.version(id);
        may_judge(version.as_ref().map(|version| &version.state), &verdict)?;
        let version = version.ok_or(VerdictError::NoSuchVersion)?;
        version.state = verdict;
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
