//! What operators do.

use super::{Model, State};
use crate::{AccountId, Act, ActError, AuditEntry, Limits, Reason, UnixSeconds};

impl State {
    fn perform(&mut self, act: &Act, limits: &Limits) -> Result<(), ActError> {
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
            Act::Ban { network, .. } => drop(self.bans.insert(network.clone(), self.audit.len() as i64 + 1)),
            Act::LiftBan(number) => {
                let before = self.bans.len();
                self.bans.retain(|_, by| by != number);
                if self.bans.len() == before {
                    return Err(ActError::NoSuchBan);
                }
            }
            act => panic!("no history has {act:?}"),
        }
        Ok(())
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
        let name = entry.name.clone().or_else(bot).or_else(account);
        AuditEntry { name, ..entry.clone() }
    }
}

impl Model {
    pub(crate) async fn act(&self, act: &Act, reason: &Reason, now: UnixSeconds) -> Result<AuditEntry, ActError> {
        let mut state = self.state()?;
        state.perform(act, &self.limits)?;
        let number = state.audit.len() as i64 + 1;
        let entry = AuditEntry {
            number,
            at: now,
            act: act.word(),
            bot: act.bot(),
            account: act.account(),
            game: act.game(),
            contest: act.contest(),
            name: act.subject(number),
            reason: reason.clone(),
        };
        state.audit.push(entry.clone());
        Ok(state.named(&entry))
    }
}
