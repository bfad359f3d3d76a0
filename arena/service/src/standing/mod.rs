//! The standing tournaments, one of each game: one edition after the other, each a tournament in a folder of its own. A new
//! edition begins when the field has changed. One thread plays them all; when more than one has something to play they take
//! turns, so that a site with many games has no more work at once than one with a single game.

mod editions;
mod field;
mod history;
mod places;
mod play;
mod state;
mod track;

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use arena_record::EntrantId;
use arena_store::{DELETED, Store, StoreError};
use arena_wire::{GAMES, Game};
use tokio::sync::watch;

pub use history::{PastEdition, PastRow};
pub use state::{Earlier, Edition, Progress, Standing};

pub(crate) use editions::{Editions, editions_up_to, game_of};
pub(crate) use play::play;

/// What people and the thread that plays know of each other.
#[derive(Clone)]
pub(crate) struct StandingTournaments(Arc<Shared>);

struct Shared {
    /// Of each game, in the order of [`GAMES`].
    standings: Vec<watch::Sender<Arc<Standing>>>,
    signal: Mutex<Signal>,
    signalled: Condvar,
    ended: watch::Sender<bool>,
}

/// What the thread is to do.
#[derive(Default)]
struct Signal {
    /// The rulesets whose fields have changed since they were looked at.
    changed: BTreeSet<&'static str>,
    stopping: bool,
}

impl StandingTournaments {
    pub(crate) fn new() -> StandingTournaments {
        // Until the field was looked at, the answer is to ask again.
        let standing = || watch::Sender::new(Arc::new(Standing { waiting: true, ..Standing::default() }));
        StandingTournaments(Arc::new(Shared {
            standings: GAMES.iter().map(|_| standing()).collect(),
            signal: Mutex::default(),
            signalled: Condvar::new(),
            ended: watch::Sender::new(false),
        }))
    }

    fn of(&self, game: &Game) -> &watch::Sender<Arc<Standing>> {
        // Every game is one of the list.
        let place = GAMES.iter().position(|known| known.ruleset == game.ruleset).unwrap_or_default();
        &self.0.standings[place]
    }

    pub(crate) fn standing(&self, game: &Game) -> Arc<Standing> {
        self.of(game).borrow().clone()
    }

    pub(crate) fn watch(&self, game: &Game) -> watch::Receiver<Arc<Standing>> {
        self.of(game).subscribe()
    }

    /// A bot of this game was accepted.
    pub(crate) fn field_changed(&self, game: &'static Game) {
        // In this order: one who looked at the field before sees now that it has changed since.
        self.signal().changed.insert(game.ruleset);
        self.0.signalled.notify_all();
        self.update(game, |now| now.waiting = true);
    }

    /// Takes the names of bots that were deleted from the editions that are shown.
    pub(crate) fn forget(&self, game: &Game, deleted: &BTreeSet<EntrantId>) {
        self.update(game, |now| {
            if let Some(edition) = &mut now.edition {
                Arc::make_mut(edition).without(deleted);
            }
            if let Some(earlier) = &mut now.earlier {
                Arc::make_mut(earlier).without(deleted);
            }
        });
    }

    /// No further game begins.
    pub(crate) fn stop(&self) {
        self.signal().stopping = true;
        self.0.signalled.notify_all();
    }

    /// Waits for the thread's end.
    pub(crate) async fn ended(&self) {
        // The sender lives as long as `self`.
        let _ = self.0.ended.subscribe().wait_for(|ended| *ended).await;
    }

    fn signal(&self) -> MutexGuard<'_, Signal> {
        self.0.signal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stopping(&self) -> bool {
        self.signal().stopping
    }

    /// Forgets that a game's field changed: it is looked at now.
    fn look(&self, game: &Game) {
        self.signal().changed.remove(game.ruleset);
    }

    /// Whether a game's field changed since it was looked at.
    fn has_changed(&self, game: &Game) -> bool {
        self.signal().changed.contains(game.ruleset)
    }

    /// Whether the field of another game did.
    fn has_another_changed(&self, game: &Game) -> bool {
        self.signal().changed.iter().any(|changed| *changed != game.ruleset)
    }

    /// Sleeps until the field of one of `games` changes, or until `wake` if there is such a moment, or all stops.
    fn sleep(&self, games: &BTreeSet<&'static str>, wake: Option<Instant>) {
        let asleep = |signal: &mut Signal| signal.changed.is_disjoint(games) && !signal.stopping;
        match wake {
            None => drop(self.0.signalled.wait_while(self.signal(), asleep)),
            Some(wake) => {
                let pause = wake.saturating_duration_since(Instant::now());
                drop(self.0.signalled.wait_timeout_while(self.signal(), pause, asleep));
            }
        }
    }

    fn update(&self, game: &Game, change: impl FnOnce(&mut Standing)) {
        self.of(game).send_modify(|standing| change(Arc::make_mut(standing)));
    }
}

/// Of entrants the bots that were deleted.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn deleted_of(
    store: &dyn Store,
    game: &Game,
    entrants: &[(String, EntrantId)],
) -> Result<BTreeSet<EntrantId>, StoreError> {
    let ids: Vec<EntrantId> = entrants.iter().map(|(_, id)| id.clone()).collect();
    let named = store.named(Some(game.ruleset), &ids).await?;
    Ok(named.into_iter().filter(|(_, bot)| bot.name.as_str() == DELETED).map(|(id, _)| id).collect())
}

/// Says that the thread has ended, however it did.
struct Ending(StandingTournaments);

impl Drop for Ending {
    fn drop(&mut self) {
        if std::thread::panicking() {
            tracing::error!("the thread of the standing tournaments died");
        }
        self.0.0.ended.send_replace(true);
    }
}
