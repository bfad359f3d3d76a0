//! What operators do.

use std::cmp::Reverse;
use std::collections::BTreeSet;

use async_trait::async_trait;

use super::{MemoryStore, State};
use crate::operations::{ANNULLED, BAN, CLOSED, NOTICE};
use crate::{
    Account, AccountId, Act, ActError, Appended, AuditEntry, BANS_MAX, DisplayName, Gate, Limits, Measure,
    OPERATOR_SESSIONS_MAX, Operations, Page, Reason, StoreError, UnixSeconds, WorldLine,
};

/// A measure, as the tables have it.
#[derive(Clone, Debug)]
pub(super) struct StoredMeasure {
    number: i64,
    kind: &'static str,
    subject: String,
    text: String,
    since: UnixSeconds,
    until: Option<UnixSeconds>,
}

impl State {
    /// Performs an act; whether its change was made before: then its answer was lost.
    fn perform(&mut self, act: &Act, reason: &Reason, limits: &Limits, now: UnixSeconds) -> Result<Appended, ActError> {
        match act {
            Act::Close(gate) => drop(self.closed_gates.insert(*gate)),
            Act::Open(gate) => drop(self.closed_gates.remove(gate)),
            Act::DisableBot(id) | Act::EnableBot(id) => {
                let bot = self.bots.get_mut(id).filter(|bot| !bot.deleted).ok_or(ActError::NoSuchBot)?;
                bot.disabled = matches!(act, Act::DisableBot(_));
            }
            Act::DisableAccount(id) => self.disable(*id, true)?,
            Act::EnableAccount(id) => self.disable(*id, false)?,
            Act::RenameBot(id, name) => drop(self.rename_bot(*id, name, limits)?),
            Act::RenameAccount(id, name) => drop(self.rename(*id, name)?),
            Act::AnnulGame(room) => self.annul(room, Some(reason))?,
            Act::RestoreGame(room) => self.annul(room, None)?,
            Act::CancelContest { id, seq, event, counted } => self.append_event(*id, *seq, event, counted, now)?,
            Act::RemoveNotice => drop(self.end_measure(NOTICE, "")),
            Act::LiftBan(number) => {
                let before = self.measures.len();
                self.measures.retain(|measure| measure.kind != BAN || measure.number != *number);
                if self.measures.len() == before {
                    return Err(ActError::NoSuchBan);
                }
            }
            Act::RestoreTournament(id) if !self.end_measure(ANNULLED, id.as_str()) => {
                return Err(ActError::NoSuchTournament);
            }
            Act::StartWorld { world, .. } if self.worlds.contains_key(world) => {}
            Act::StartWorld { world, snapshot } => {
                self.begin_span(world, 0, snapshot, limits)?;
            }
            Act::SeatBot { world, line: Some(WorldLine { from, seq, line }) }
            | Act::FreeSlot { world, line: WorldLine { from, seq, line }, .. } => {
                return Ok(self.append_to_world(world, *from, *seq, line)?);
            }
            Act::Drain
            | Act::EndDrain
            | Act::OpenContest(_)
            | Act::SeatBot { line: None, .. }
            | Act::PostNotice(_)
            | Act::Ban { .. }
            | Act::AnnulTournament(_)
            | Act::RestoreTournament(_) => {}
        }
        let Some((kind, subject, text, until)) = act.measure(reason).filter(|(kind, ..)| *kind != CLOSED) else {
            return Ok(Appended::New);
        };
        self.end_measure(kind, subject);
        if kind == BAN && self.measures.iter().filter(|measure| measure.kind == BAN).count() >= BANS_MAX {
            return Err(ActError::TooManyBans);
        }
        let number = self.audit.len() as i64 + 1;
        self.measures.push(StoredMeasure {
            number,
            kind,
            subject: subject.into(),
            text: text.into(),
            since: now,
            until,
        });
        Ok(Appended::New)
    }

    /// Writes the line of an act to the log.
    pub(super) fn note(&mut self, act: &Act, reason: &Reason, now: UnixSeconds) -> AuditEntry {
        let number = self.audit.len() as i64 + 1;
        let entry = AuditEntry {
            number,
            at: now,
            act: act.word().into(),
            bot: act.bot(),
            account: act.account(),
            game: act.game(),
            contest: act.contest(),
            name: act.subject(number),
            reason: reason.clone(),
        };
        self.audit.push(entry.clone());
        self.named(&entry)
    }

    /// Ends a measure; whether there was one.
    fn end_measure(&mut self, kind: &str, subject: &str) -> bool {
        let before = self.measures.len();
        self.measures.retain(|measure| measure.kind != kind || measure.subject != subject);
        self.measures.len() < before
    }

    fn disable(&mut self, id: AccountId, disabled: bool) -> Result<(), ActError> {
        let stored = self.there(id).ok_or(ActError::NoSuchAccount)?;
        stored.disable(disabled);
        Ok(())
    }

    /// A line with the current name of its subject; `None` if that was deleted.
    fn named(&self, entry: &AuditEntry) -> AuditEntry {
        let bot =
            || entry.bot.and_then(|bot| self.bots.get(&bot)).filter(|bot| !bot.deleted).map(|bot| bot.name.to_string());
        let account = || entry.account.and_then(|id| self.account(id)).map(|account| account.name.to_string());
        let contest = || entry.contest.and_then(|id| self.contest_name(id));
        let name = entry.name.clone().or_else(bot).or_else(account).or_else(contest);
        AuditEntry { name, ..entry.clone() }
    }
}

#[async_trait]
impl Operations for MemoryStore {
    async fn act(&self, act: &Act, reason: &Reason, now: UnixSeconds) -> Result<AuditEntry, ActError> {
        let mut state = self.state()?;
        if state.perform(act, reason, &self.limits, now)? == Appended::Already {
            let (word, subject) = (act.word(), act.subject(0));
            let mut latest = state.audit.iter().rev();
            let is_it = |entry: &&AuditEntry| entry.act == word && entry.name == subject && entry.reason == *reason;
            if let Some(entry) = latest.find(is_it) {
                return Ok(state.named(entry));
            }
        }
        Ok(state.note(act, reason, now))
    }

    async fn audit(&self, page: Page<i64>) -> Result<Vec<AuditEntry>, StoreError> {
        let state = self.state()?;
        let newest_first = state.audit.iter().rev().map(|entry| state.named(entry));
        Ok(page.of(newest_first, |entry, after| entry.number < *after))
    }

    async fn closed(&self) -> Result<BTreeSet<Gate>, StoreError> {
        Ok(self.state()?.closed_gates.clone())
    }

    async fn measures(&self, now: UnixSeconds) -> Result<Vec<Measure>, StoreError> {
        let mut state = self.state()?;
        state.measures.retain(|measure| measure.until.is_none_or(|until| until > now));
        let measure = |measure: &StoredMeasure| {
            let StoredMeasure { number, kind, subject, text, since, until } = measure.clone();
            Measure::stored((number, kind, subject, text), since, until)
        };
        Ok(state.measures.iter().filter_map(measure).collect())
    }

    async fn account_by_name(&self, name: &DisplayName) -> Result<Option<Account>, StoreError> {
        let (state, keys) = (self.state()?, name.keys());
        let there = |id: &AccountId| state.account(*id).is_some();
        let id = state
            .accounts
            .iter()
            .filter(|(id, _)| there(id))
            .find(|(_, stored)| stored.name().keys().iter().any(|key| keys.contains(key)));
        Ok(id.and_then(|(id, _)| state.account(*id)))
    }

    async fn begin_operator_session(
        &self,
        hash: &[u8; 32],
        expires_at: UnixSeconds,
        now: UnixSeconds,
    ) -> Result<(), StoreError> {
        let mut state = self.state()?;
        let sessions = &mut state.operator_sessions;
        sessions.retain(|_, until| *until > now);
        while sessions.len() >= OPERATOR_SESSIONS_MAX {
            // Of those that end together the last one, as the tables have it.
            let first = sessions.iter().min_by_key(|(hash, until)| (**until, Reverse(**hash))).map(|(hash, _)| *hash);
            first.map(|first| sessions.remove(&first));
        }
        sessions.insert(*hash, expires_at);
        Ok(())
    }

    async fn is_operator_session(&self, hash: &[u8; 32], now: UnixSeconds) -> Result<bool, StoreError> {
        Ok(self.state()?.operator_sessions.get(hash).is_some_and(|until| *until > now))
    }

    async fn end_operator_session(&self, hash: &[u8; 32]) -> Result<(), StoreError> {
        self.state()?.operator_sessions.remove(hash);
        Ok(())
    }
}
