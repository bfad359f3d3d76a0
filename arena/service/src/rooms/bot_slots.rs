//! What all rooms share: the limits on processes and memory of their bots.

use std::num::NonZeroU32;
use std::sync::Arc;

use arena_record::{Budgets, EntrantId, Hex};
use arena_referee::PlatformFault;
use arena_rooms::{PersonId, Seated};
use arena_runner::{Contender, LoadError, Named};
use arena_store::{AccountId, StoreError};
use parking_lot::Mutex;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use super::reports::Reports;
use crate::core::{Core, on_a_thread};
use crate::fair_queue::Request;
use crate::judge::cost::{COMPILING_MAX, compiling};
use crate::limits::{
    BOTS_REMEMBERED_MAX, BUILT_IN_COST, LOGS_AT_ONCE_MAX, SEATED_BOTS_MAX, THINKING_CREDIT, THINKING_MAX,
    THINKING_RESERVE,
};
use crate::slots::Slots;

/// The bots that people's rooms have seated, and the right to replay games.
pub struct BotSlots {
    pub(crate) core: Arc<Core>,
    /// Slots for players that think.
    pub(crate) thinking: Slots<Payer>,
    /// The right to replay a game.
    logging: Arc<Semaphore>,
    seated: Arc<Semaphore>,
    /// The bots that played lately, the latest at the end.
    remembered: Mutex<Vec<Remembered>>,
    /// Counts changes of the lobby: rooms opened, joined, left, begun or over.
    pub(crate) lobby: watch::Sender<u64>,
    pub(crate) reports: Reports,
}

/// A bot that played lately.
struct Remembered {
    id: EntrantId,
    budgets: Budgets,
    contender: Contender,
    /// What compiling it costs, in fuel.
    compiling: u64,
}

/// A contender that can be seated.
pub(crate) struct Ready {
    pub(crate) contender: Contender,
    /// What compiling it costs before it starts, in fuel.
    pub(crate) compiling: u64,
}

impl Remembered {
    fn ready(&self) -> Ready {
        let is_compiled = !matches!(&self.contender, Contender::Remote(bot) if !bot.is_compiled());
        Ready { contender: self.contender.clone(), compiling: if is_compiled { 0 } else { self.compiling } }
    }
}

/// Who pays for a player's thinking.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Payer {
    /// The owner of the bot: a slow bot costs its owner's share, not its opponent's.
    Owner(AccountId),
    /// The person who plays against a built-in opponent.
    Person(PersonId),
}

/// Why a player cannot be seated.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unseated {
    #[error("{0} does not play in this release")]
    Unknown(EntrantId),
    #[error("this bot was deleted by its owner")]
    Deleted,
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Platform(#[from] PlatformFault),
}

impl BotSlots {
    pub(crate) fn new(core: Arc<Core>) -> BotSlots {
        BotSlots {
            core,
            thinking: Slots::new(THINKING_MAX, THINKING_RESERVE, THINKING_CREDIT),
            logging: Arc::new(Semaphore::new(LOGS_AT_ONCE_MAX)),
            seated: Arc::new(Semaphore::new(SEATED_BOTS_MAX)),
            remembered: Mutex::default(),
            lobby: watch::Sender::new(0),
            reports: Reports::default(),
        }
    }

    /// The next random bytes of rooms.
    pub(crate) fn random<const N: usize>(&self) -> Result<[u8; N], StoreError> {
        self.core.random.bytes("rooms")
    }

    /// The right to replay a game. Held until the replay is done, even if its caller has stopped waiting.
    pub(crate) async fn logging(&self) -> Option<OwnedSemaphorePermit> {
        // Never closed.
        self.logging.clone().acquire_owned().await.ok()
    }

    /// The right to keep a player's process until its next turn, if there is one left.
    pub(crate) fn seat(&self) -> Option<OwnedSemaphorePermit> {
        self.seated.clone().try_acquire_owned().ok()
    }

    /// The request for a thinking slot of a player that uses at most this much fuel, in a room with these seats.
    pub(crate) async fn request(
        &self,
        id: &EntrantId,
        seats: &[Seated],
        fuel: u64,
        begun: bool,
    ) -> Result<Request<Payer>, StoreError> {
        let person = seats.iter().find_map(|seated| match seated {
            Seated::Person(person) => Some(*person),
            Seated::Contender(_) | Seated::Open => None,
        });
        let person = Payer::Person(person.unwrap_or(PersonId(Hex([0; 8]))));
        let weight = NonZeroU32::MIN;
        if id.baseline().is_some() {
            return Ok(Request { key: person, asker: person, weight, cost: BUILT_IN_COST, reserve: true });
        }
        let owner = self
            .core
            .store
            .named(None, std::slice::from_ref(id))
            .await?
            .into_values()
            .next()
            .map(|named| Payer::Owner(named.account));
        Ok(Request { key: owner.unwrap_or(person), asker: person, weight, cost: fuel, reserve: begun })
    }

    /// The most that compiling this contender costs before it starts, in fuel, as far as is known without loading it.
    pub(crate) fn compiling(&self, id: &EntrantId, budgets: Budgets) -> u64 {
        if id.baseline().is_some() {
            return 0;
        }
        self.recall(id, budgets).map_or(COMPILING_MAX, |ready| ready.compiling)
    }

    /// The contender with this id, ready to play the game.
    pub(crate) async fn contender(&self, ruleset: &str, id: &EntrantId, budgets: Budgets) -> Result<Ready, Unseated> {
        if id.baseline().is_some() {
            let contender = Contender::of_baseline(ruleset, id).ok_or_else(|| Unseated::Unknown(id.clone()))?;
            return Ok(Ready { contender, compiling: 0 });
        }
        if let Some(ready) = self.recall(id, budgets) {
            return Ok(ready);
        }
        let bytes = match Named::of_id(ruleset, id) {
            Some(Named::Gallery(bot)) => bot.bytes.to_vec(),
            _ => match self.core.store.module(id).await {
                // Only the bytes of a deleted bot may be missing.
                Err(StoreError::Damaged(_))
                    if self.core.store.named(None, std::slice::from_ref(id)).await?.is_empty() =>
                {
                    return Err(Unseated::Deleted);
                }
                bytes => bytes?,
            },
        };
        let (host, compiling) = (self.core.host(), compiling(&bytes));
        let contender = blocking(move || host.load(&bytes, &budgets).map_err(Unseated::from)).await?;
        // Here, or when it starts.
        let ready = Ready { contender: contender.clone(), compiling };
        self.remember(Remembered { id: id.clone(), budgets, contender, compiling });
        Ok(ready)
    }

    fn recall(&self, id: &EntrantId, budgets: Budgets) -> Option<Ready> {
        let mut remembered = self.remembered.lock();
        let found = remembered.iter().position(|known| (&known.id, known.budgets) == (id, budgets))?;
        let known = remembered.remove(found);
        let ready = known.ready();
        remembered.push(known);
        Some(ready)
    }

    fn remember(&self, new: Remembered) {
        let mut remembered = self.remembered.lock();
        remembered.retain(|known| (&known.id, known.budgets) != (&new.id, new.budgets));
        if remembered.len() >= BOTS_REMEMBERED_MAX {
            remembered.remove(0);
        }
        remembered.push(new);
    }
}

/// Runs work that may block on a thread that may. A panic in it is the machine's fault, not the player's.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Unseated> + Send + 'static,
) -> Result<T, Unseated> {
    let done = on_a_thread("player", work)?.await;
    done.unwrap_or_else(|_| Err(PlatformFault("a thread of the service died".into()).into()))
}
