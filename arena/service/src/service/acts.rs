//! What the operator and owners of bots change, in the store and in what is running.

use std::sync::atomic::Ordering;

use arena_rules::life2::{SLOTS, Slot};
use arena_store::{
    AccountError, AccountId, Act, ActError, AuditEntry, Bot, BotError, BotId, BotName, ContestError, ContestId,
    PAGE_MAX, Page, Reason, StoreError, UnixSeconds, WorldName,
};
use arena_wire::GAMES;
use tracing::{info, warn};

use super::Service;
use crate::contests::sentences::ORGANISER_GONE;
use crate::contests::{By, ContestRefused};
use crate::core::{unavailable, with_causes};
use crate::judge::is_built_in;
use crate::limits::APPEND_TRIES;
use crate::people::person_of_account;
use crate::standing::deleted_of;
use crate::worlds::{self, CallError, OpenWorldError, UnseatableError};

impl Service {
    /// Performs an operator's act in the store, as [`Store::act`](arena_store::Store::act) does, and applies it to what
    /// is running.
    ///
    /// # Errors
    /// When it cannot be done.
    pub async fn act(&self, act: &Act, reason: &Reason, now: UnixSeconds) -> Result<AuditEntry, ActError> {
        if matches!(act, Act::RenameBot(_, name) if is_built_in(name)) {
            return Err(ActError::NameTaken);
        }
        if act.game().is_some() {
            // Its game may have ended since the leaderboard last took games from rooms.
            self.0.leaderboard.tally(now).await?;
        }
        let entry = self.store().act(act, reason, now).await?;
        warn!(number = entry.number, act = act.word(), "the operator acted");
        match act {
            Act::Drain | Act::EndDrain => self.0.draining.store(*act == Act::Drain, Ordering::Relaxed),
            // The leaderboard notices it the next time it is read; servers read what is closed, and measures, at
            // intervals. Limits are read where they hold.
            Act::Close(_)
            | Act::Open(_)
            | Act::RenameAccount(..)
            | Act::AnnulGame(_)
            | Act::RestoreGame(_)
            | Act::OpenContest(_)
            | Act::SeatBot { .. }
            | Act::FreeSlot { .. }
            | Act::PostNotice(_)
            | Act::RemoveNotice
            | Act::Ban { .. }
            | Act::LiftBan(_)
            | Act::AnnulTournament(_)
            | Act::RestoreTournament(_)
            | Act::SetLimit(_)
            | Act::ResetLimit(_) => {}
            Act::StartWorld { world, .. } => {
                self.0.worlds.start(world).await.map_err(|error| match error {
                    OpenWorldError::TooMany(max) => ActError::TooManyWorlds(max),
                    OpenWorldError::Store(error) => error.into(),
                    damaged @ OpenWorldError::Damaged { .. } => StoreError::Damaged(damaged.into()).into(),
                })?;
            }
            Act::CancelContest { id, .. } => self.0.contests.changed(*id),
            Act::DisableBot(bot) | Act::EnableBot(bot) | Act::RenameBot(bot, _) => {
                self.field_changed(self.store().bot(*bot).await?.as_slice());
            }
            Act::DisableAccount(account) | Act::EnableAccount(account) => {
                if matches!(act, Act::DisableAccount(_)) {
                    self.cancel_contests_of(*account, By::Operator, now).await;
                    self.leave_games(*account, now).await;
                }
                self.field_changed(&self.store().bots_of(*account, Page::first(PAGE_MAX)).await?);
            }
        }
        Ok(entry)
    }

    /// Deletes an account, as [`Store::delete_account`](arena_store::Store::delete_account) does. Its bots leave the
    /// standing tournaments and appear as deleted in editions; rooms forget its messages, and those in which it waits
    /// end.
    ///
    /// # Errors
    /// When there is no such account.
    pub async fn delete_account(&self, account: AccountId, now: UnixSeconds) -> Result<(), AccountError> {
        let bots = self.store().bots_of(account, Page::first(PAGE_MAX)).await?;
        self.store().delete_account(account, now).await?;
        self.cancel_contests_of(account, By::Arena, now).await;
        self.leave_games(account, now).await;
        if let Err(error) = self.0.rooms.forget_said(person_of_account(account)).await {
            warn!(
                cause = with_causes(&error),
                "other servers keep what a deleted account said until its rooms leave their memory"
            );
        }
        info!(account = account.0, bots = bots.len(), "an account was deleted");
        self.gone(&bots).await;
        Ok(())
    }

    /// Unseats the bots of an account in all worlds, and closes the rooms in which it waits.
    async fn leave_games(&self, account: AccountId, now: UnixSeconds) {
        if let Err(error) = self.0.rooms.close_waiting(person_of_account(account), now).await {
            warn!(account = account.0, cause = with_causes(&error), "a room stays open until its host has been away");
        }
        for world in self.0.worlds.all() {
            if let Err(error) = world.seat(account, None).await {
                warn!(world = world.name().as_str(), cause = with_causes(&error), "a bot stays in a world");
            }
        }
    }

    /// Removes deleted bots from what the standing tournaments of their games play and show.
    async fn gone(&self, bots: &[Bot]) {
        self.field_changed(bots);
        for game in GAMES.iter().filter(|game| bots.iter().any(|bot| bot.game == game.ruleset)) {
            let standing = self.standing().of(game);
            let shown = standing.edition.iter().flat_map(|edition| &edition.entrants);
            let earlier = standing.earlier.iter().flat_map(|(_, earlier)| &earlier.entrants);
            let entrants: Vec<_> = shown.chain(earlier).cloned().collect();
            match deleted_of(self.store(), game, &entrants).await {
                Ok(deleted) => self.0.standing.forget(game, &deleted),
                // Their names stay until the next edition or restart.
                Err(error) => warn!(cause = with_causes(&error), "cannot find out which bots were deleted"),
            }
        }
    }

    /// Cancels the unfinished tournaments of an account that is deleted or disabled.
    async fn cancel_contests_of(&self, account: AccountId, by: By, now: UnixSeconds) {
        let cancelled = async {
            for id in self.store().contests_under_way().await? {
                let owner = self.store().contest(id).await?.map(|(contest, _)| contest.owner);
                if owner == Some(account) {
                    self.0.contests.cancel_by(id, by, ORGANISER_GONE.into(), now).await?;
                }
            }
            Ok::<(), ContestRefused>(())
        };
        if let Err(error) = cancelled.await {
            // Tournaments that have not begun are cancelled at their start.
            warn!(account = account.0, cause = with_causes(&error), "cannot cancel the tournaments of an account");
        }
    }

    /// Makes the standing tournaments of these bots look at their fields.
    fn field_changed(&self, bots: &[Bot]) {
        let games = GAMES.iter().filter(|game| bots.iter().any(|bot| bot.game == game.ruleset));
        games.for_each(|game| self.0.standing.field_changed(game));
    }

    /// Chooses the version of a bot that plays, or withdraws the bot, as
    /// [`Store::choose_version`](arena_store::Store::choose_version) does. The standing tournament follows.
    ///
    /// # Errors
    /// When there is no such bot or version.
    pub async fn choose_version(&self, bot: BotId, number: Option<u32>) -> Result<Bot, BotError> {
        let chosen = self.store().choose_version(bot, number).await?;
        self.field_changed(std::slice::from_ref(&chosen));
        Ok(chosen)
    }

    /// Renames a bot, as [`Store::rename_bot`](arena_store::Store::rename_bot) does; built-in opponents' names stay
    /// theirs.
    ///
    /// # Errors
    /// When there is no such bot, or the name is taken.
    pub async fn rename_bot(&self, bot: BotId, name: &BotName) -> Result<Bot, BotError> {
        if is_built_in(name) {
            return Err(BotError::NameTaken);
        }
        let renamed = self.store().rename_bot(bot, name).await?;
        self.field_changed(std::slice::from_ref(&renamed));
        Ok(renamed)
    }

    /// Deletes a bot, as [`Store::delete_bot`](arena_store::Store::delete_bot) does; a room in which it plays ends
    /// without it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn delete_bot(&self, bot: &Bot) -> Result<(), StoreError> {
        self.store().delete_bot(bot.id, self.now()).await?;
        self.gone(std::slice::from_ref(bot)).await;
        Ok(())
    }

    /// Cancels a tournament of an account as the operator, with a line in the log of acts.
    ///
    /// # Errors
    /// When there is none, or it is over.
    pub async fn cancel_contest_as_operator(
        &self,
        id: ContestId,
        reason: &Reason,
        now: UnixSeconds,
    ) -> Result<AuditEntry, ContestRefused> {
        let mut tries = 1..APPEND_TRIES;
        loop {
            let act = self.0.contests.cancellation(id, reason, now).await?;
            match self.act(&act, reason, now).await {
                // Another line took its place; tried again.
                Err(ActError::Contest(ContestError::Taken)) if tries.next().is_some() => {}
                acted => return Ok(acted?),
            }
        }
    }

    /// Gives one of the site's places in a world to a bot, or frees it, and logs the operator's act.
    ///
    /// # Errors
    /// When there is no such place or bot, or the store fails.
    pub async fn seat_for_site(
        &self,
        world: &WorldName,
        place: u8,
        bot: Option<&str>,
        reason: &Reason,
    ) -> Result<AuditEntry, ActError> {
        let live = self.0.worlds.world(world).filter(|_| (1..=SLOTS).contains(&usize::from(place)));
        let live = live.ok_or(ActError::NoSuchPlace)?;
        let id = match bot {
            Some(name) => Some(self.0.worlds.bot(name, None).await.map_err(|error| match error {
                UnseatableError::NoSuchBot => ActError::NoSuchBot,
                UnseatableError::Store(error) => error.into(),
            })?),
            None => None,
        };
        let acted = live.seat_by(worlds::site_account(place), id, Some(reason.clone())).await;
        let number = acted.map_err(|error| match error {
            CallError::Store(error) => error.into(),
            CallError::Seat(_) | CallError::TooManyWallets => ActError::TooManyBots,
            CallError::Unfit => ActError::UnfitBot,
            busy @ (CallError::Busy | CallError::Refused(_)) => unavailable(busy).into(),
        })?;
        self.acted(number).await
    }

    /// Frees a slot of a world, by its number from 1, and logs the operator's act. Its holder may join again.
    ///
    /// # Errors
    /// When there is no such world, nobody holds the slot, or the store fails.
    pub async fn free_slot(&self, world: &WorldName, slot: u8, reason: &Reason) -> Result<AuditEntry, ActError> {
        let live = self.0.worlds.world(world).ok_or(ActError::NoSuchSlot)?;
        let slot = Slot::new(slot).ok_or(ActError::NoSuchSlot)?;
        let Some(holder) = live.look(|world| Some(world.kingdom(slot)?.account)).await else {
            let number = live.freed(slot, reason).await.ok_or(ActError::NoSuchSlot)?;
            return self.acted(number).await;
        };
        let account = AccountId(holder.0.cast_signed());
        let number = live.free(account, reason.clone()).await.map_err(|error| match error {
            CallError::Store(error) => error.into(),
            CallError::Refused(_) => ActError::NoSuchSlot,
            busy => unavailable(busy).into(),
        })?;
        self.acted(number).await
    }

    /// An act in a world, from the log of acts, in which that world wrote it.
    async fn acted(&self, number: u64) -> Result<AuditEntry, ActError> {
        let number = number.cast_signed();
        let entry = self.store().audit(Page::after(number + 1, 1)).await?.into_iter().next();
        let entry = entry.ok_or_else(|| unavailable("the log of acts lacks a line"))?;
        warn!(number, act = entry.act.as_str(), "the operator acted");
        Ok(entry)
    }
}
