//! Calls in a world: of accounts, and the operator's acts. Each is one line of the log, written before it is applied.

use std::sync::Arc;

use arena_record::EntrantId;
use arena_rules::life2::{Account, Call, Refusal, Slot, World};
use arena_store::{AccountId, Act, ActError, Reason, StoreError, WorldError, WorldLine, WorldMessage};
use arena_world::{Event, SeatError};
use tracing::Instrument;

use super::{Held, LiveWorld, account_of, stored};
use crate::core::unavailable;
use crate::limits::{WORLD_CALLS_A_SPAN_MAX, WORLD_WALLETS_MAX};
use crate::worlds::bots::{NotAdmitted, site_place};

/// Why a call did nothing.
#[derive(Debug, thiserror::Error)]
pub enum CallError {
    /// The rules refuse it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// The world holds as many wallets as allowed.
    #[error("this world has no place for another wallet")]
    TooManyWallets,
    /// The world has as many bots as allowed.
    #[error(transparent)]
    Seat(#[from] SeatError),
    /// The bot would hold up the world.
    #[error(
        "in a world a bot starts afresh every minute, and this one's start fails or takes more fuel than a turn has"
    )]
    Unfit,
    /// The current span of its log has room for no more calls.
    #[error("too many calls in this world; try again in a minute")]
    Busy,
    /// The store failed, so the outcome is unknown.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl CallError {
    /// The stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            CallError::Refused(_) => "refused",
            CallError::TooManyWallets => "too_many_wallets",
            CallError::Seat(_) => "too_many_seated",
            CallError::Unfit => "unfit",
            CallError::Busy => "too_many",
            CallError::Store(_) => "unavailable",
        }
    }
}

/// An act of the operator's in a world.
pub(super) struct Acted {
    pub(super) event: Event,
    /// The slot that it freed.
    pub(super) slot: Option<Slot>,
    pub(super) reason: Reason,
    /// Of its line in the log of acts.
    pub(super) number: u64,
}

impl Acted {
    /// Its number, if it is this one: a slot freed, for this reason.
    fn is_freeing(&self, slot: Slot, reason: &Reason) -> Option<u64> {
        (self.slot == Some(slot) && self.reason == *reason).then_some(self.number)
    }

    /// Its number, if it is this one: a bot seated for an account, for this reason.
    fn is_seating(&self, wanted: Account, wanted_bot: Option<&EntrantId>, reason: &Reason) -> Option<u64> {
        let Event::Seated { account, bot, .. } = &self.event else { return None };
        let is_it = u64::from_be_bytes(account.0) == wanted.0 && bot.as_ref() == wanted_bot && self.reason == *reason;
        is_it.then_some(self.number)
    }
}

/// Whether a world has room for another wallet.
fn has_place(world: &World) -> Result<(), CallError> {
    if world.wallets().count() >= WORLD_WALLETS_MAX { Err(CallError::TooManyWallets) } else { Ok(()) }
}

/// Whether the latest span has room for another line of a person's.
fn has_lines(held: &Held) -> Result<(), CallError> {
    if held.seq > WORLD_CALLS_A_SPAN_MAX { Err(CallError::Busy) } else { Ok(()) }
}

impl LiveWorld {
    /// Makes a call of an account, between two generations. Returns the slot's number for joining, the number of cells
    /// placed, or the coins in the wallet after the faucet. `Ok` means that it is in the log, durably. The write
    /// completes even if the caller stops waiting.
    ///
    /// # Errors
    /// Why it did nothing, or that the outcome is unknown.
    pub async fn call(self: &Arc<Self>, account: AccountId, call: Call) -> Result<u64, CallError> {
        let world = self.clone();
        let called = async move { world.called(account, &call).await };
        let called = self.core.tasks.spawn(called.in_current_span()).await;
        called.unwrap_or_else(|error| Err(unavailable(error).into()))
    }

    /// Seats a bot for an account from the next questions on, or no bot; the one before is no longer asked. `Ok` means
    /// that it is in the log, durably. The write completes even if the caller stops waiting.
    ///
    /// # Errors
    /// Why it did nothing, or that the outcome is unknown.
    pub async fn seat(self: &Arc<Self>, account: AccountId, bot: Option<EntrantId>) -> Result<(), CallError> {
        self.seat_by(account, bot, None).await.map(drop)
    }

    /// The same as an act of the operator's, if there is a reason: returns the number of its line in the log of acts,
    /// which is written in the same step.
    pub(crate) async fn seat_by(
        self: &Arc<Self>,
        account: AccountId,
        bot: Option<EntrantId>,
        reason: Option<Reason>,
    ) -> Result<u64, CallError> {
        let world = self.clone();
        let seated = async move { world.seats(account, bot, reason).await };
        let seated = self.core.tasks.spawn(seated.in_current_span()).await;
        seated.unwrap_or_else(|error| Err(unavailable(error).into()))
    }

    /// Frees the slot that an account holds, as an act of the operator's: its bot leaves, and its kingdom ends. Returns
    /// the number of the line in the log of acts, which is written in the same step. The write completes even if the
    /// caller stops waiting.
    ///
    /// # Errors
    /// Why it did nothing, or that the outcome is unknown.
    pub(crate) async fn free(self: &Arc<Self>, account: AccountId, reason: Reason) -> Result<u64, CallError> {
        let world = self.clone();
        let freed = async move { world.frees(account, reason).await };
        let freed = self.core.tasks.spawn(freed.in_current_span()).await;
        freed.unwrap_or_else(|error| Err(unavailable(error).into()))
    }

    /// The number of the act that freed this slot for this reason, if it is the latest act here: it may be asked for
    /// again, because its answer was lost.
    pub(crate) async fn freed(&self, slot: Slot, reason: &Reason) -> Option<u64> {
        self.held.lock().await.acted.as_ref().and_then(|acted| acted.is_freeing(slot, reason))
    }

    async fn called(&self, id: AccountId, call: &Call) -> Result<u64, CallError> {
        if !self.runs_here() {
            return self.call_elsewhere(&self.core, id, call).await;
        }
        let mut held = self.ready().await?;
        let (account, world) = (account_of(id), held.machine.world());
        let proposed = held.machine.propose(account, call)?;
        let Some(event @ Event::Called { answer, .. }) = proposed else { return Ok(0) };
        if matches!(call, Call::Faucet) && world.balance(account) == 0 {
            has_place(world)?;
        }
        has_lines(&held)?;
        held.due = Some(event);
        self.settle(&mut held).await?;
        Ok(answer)
    }

    async fn frees(&self, id: AccountId, reason: Reason) -> Result<u64, CallError> {
        if !self.runs_here() {
            let reason = reason.to_string();
            return self.elsewhere(&self.core, |number| WorldMessage::Free { number, account: id, reason }).await;
        }
        let mut held = self.ready().await?;
        let (account, machine) = (account_of(id), &held.machine);
        if !machine.is_amended() {
            // Until the next span begins.
            return Err(CallError::Busy);
        }
        let freed = machine.free(account).ok_or(Refusal::NotInGame)?;
        has_lines(&held)?;
        (held.due, held.ordered) = (Some(freed), Some(reason));
        Ok(self.settle(&mut held).await?)
    }

    async fn seats(&self, id: AccountId, bot: Option<EntrantId>, reason: Option<Reason>) -> Result<u64, CallError> {
        if !self.runs_here() {
            let reason = reason.as_ref().map(Reason::to_string);
            return self.elsewhere(&self.core, |number| WorldMessage::Seat { number, account: id, bot, reason }).await;
        }
        if let Some(bot) = &bot {
            self.loaded.admit(&self.core, bot).await.map_err(|why| match why {
                NotAdmitted::Unfit(_) => CallError::Unfit,
                NotAdmitted::Store(error) => error.into(),
            })?;
        }
        let mut held = self.ready().await?;
        let account = account_of(id);
        if bot.is_some() && held.machine.world().balance(account) == 0 {
            has_place(held.machine.world())?;
        }
        let asked = bot.clone();
        let Some(event) = held.machine.seat(account, bot)? else {
            let Some(reason) = reason else { return Ok(0) };
            // Asked for again, after its answer was lost.
            let acted = held.acted.as_ref().and_then(|acted| acted.is_seating(account, asked.as_ref(), &reason));
            if let Some(number) = acted {
                return Ok(number);
            }
            let act = Act::SeatBot { world: self.name.clone(), line: None };
            return Ok(self.acted(&act, &reason).await.map_err(stored)?);
        };
        has_lines(&held)?;
        (held.due, held.ordered) = (Some(event), reason);
        Ok(self.settle(&mut held).await?)
    }

    /// Performs an act in the store. Returns the number of its line in the log.
    pub(super) async fn acted(&self, act: &Act, reason: &Reason) -> Result<u64, WorldError> {
        match self.core.store.act(act, reason, self.core.now()).await {
            Ok(entry) => Ok(entry.number.cast_unsigned()),
            Err(ActError::World(error)) => Err(error),
            Err(ActError::Store(error)) => Err(error.into()),
            Err(error) => Err(unavailable(error).into()),
        }
    }

    /// The operator's act that the due line is, if it is one, with its reason.
    pub(super) fn ordered(&self, held: &Held, event: &Event, line: &str) -> Option<(Act, Reason)> {
        let reason = held.ordered.clone()?;
        let (world, line) = (self.name.clone(), WorldLine { from: held.from, seq: held.seq, line: line.to_owned() });
        let act = match event {
            Event::Freed { account, .. } => {
                let account = Account(u64::from_be_bytes(account.0));
                let slot = held.machine.world().slot_of(account)?.number();
                let account = Some(AccountId(account.0.cast_signed())).filter(|id| site_place(*id).is_none());
                Act::FreeSlot { world, slot, account, line }
            }
            _ => Act::SeatBot { world, line: Some(line) },
        };
        Some((act, reason))
    }
}
