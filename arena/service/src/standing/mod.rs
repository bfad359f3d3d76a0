//! The standing tournaments, one for each game: one edition after the other, each a tournament in a folder of its own.
//! A new edition begins when the field has changed. Not here: playing them (`tournaments`) and the tournaments of
//! accounts (`contests`).

mod editions;
mod field;
mod history;
mod older_release;
mod places;
mod qualifying;
mod state;

use std::collections::BTreeSet;
use std::sync::Arc;

use arena_record::EntrantId;
use arena_store::{DELETED, Store, StoreError};
use arena_wire::{GAMES, Game};
use tokio::sync::watch;

pub use history::{PastEdition, PastRow};
pub use older_release::OlderRelease;
pub use state::{Edition, LeftOut, Placing, Progress, Qualified, Standing, WhyOut};

pub use editions::{edition_of, editions_up_to};

pub(crate) use editions::Editions;
pub(crate) use field::{Chosen, Field, Past, Plan, fuel_and_answers};
pub(crate) use qualifying::Qualifying;

use crate::wakeup::Wakeup;

/// The standing tournaments, as the thread that plays and its readers share them.
#[derive(Clone)]
pub struct StandingTournaments(Arc<Shared>);

struct Shared {
    /// Of each game, in the order of [`GAMES`].
    standings: Vec<watch::Sender<Arc<Standing>>>,
    /// Bots of one account in an edition.
    bots_per_account: usize,
    wakeup: Wakeup,
    ended: watch::Sender<bool>,
}

impl StandingTournaments {
    pub(crate) fn new(held: &[&Game], bots_per_account: usize, wakeup: Wakeup) -> StandingTournaments {
        let standing = |game: &Game| {
            let held = held.iter().any(|held| held.ruleset == game.ruleset);
            // Pending until the field was looked at.
            watch::Sender::new(Arc::new(Standing { held, waiting: true, ..Standing::default() }))
        };
        StandingTournaments(Arc::new(Shared {
            standings: GAMES.iter().map(standing).collect(),
            bots_per_account,
            wakeup,
            ended: watch::Sender::new(false),
        }))
    }

    fn sender(&self, game: &Game) -> &watch::Sender<Arc<Standing>> {
        // Every game is in the list.
        let place = GAMES.iter().position(|known| known.ruleset == game.ruleset).unwrap_or_default();
        &self.0.standings[place]
    }

    /// How many bots of an account an edition has at most.
    pub fn bots_per_account(&self) -> usize {
        self.0.bots_per_account
    }

    /// The current state of a game's standing tournament.
    pub fn of(&self, game: &Game) -> Arc<Standing> {
        self.sender(game).borrow().clone()
    }

    /// The same, as it changes.
    pub fn watch(&self, game: &Game) -> watch::Receiver<Arc<Standing>> {
        self.sender(game).subscribe()
    }

    /// A bot of this game was accepted.
    pub(crate) fn field_changed(&self, game: &'static Game) {
        // In this order: a reader that saw the field before the change also sees that it has changed.
        self.wakeup().game_changed(game);
        self.update(game, |now| now.waiting = true);
    }

    /// Removes the names of deleted bots from the editions that are shown.
    pub(crate) fn forget(&self, game: &Game, deleted: &BTreeSet<EntrantId>) {
        self.update(game, |now| {
            if let Some(edition) = &mut now.edition {
                Arc::make_mut(edition).without(deleted);
            }
            if let Some((_, earlier)) = &mut now.earlier {
                Arc::make_mut(earlier).without(deleted);
            }
            Arc::make_mut(&mut now.left_out).retain(|bot| !deleted.contains(&bot.id));
            Arc::make_mut(&mut now.qualifying).retain(|bot| !deleted.contains(&bot.id));
        });
    }

    pub(crate) fn wakeup(&self) -> &Wakeup {
        &self.0.wakeup
    }

    /// Waits until the thread has ended.
    pub(crate) async fn ended(&self) {
        // The sender lives as long as `self`.
        let _ = self.0.ended.subscribe().wait_for(|ended| *ended).await;
    }

    /// Whether a game's field changed since it was looked at.
    pub(crate) fn has_changed(&self, game: &Game) -> bool {
        self.wakeup().has_changed(game)
    }

    pub(crate) fn update(&self, game: &Game, change: impl FnOnce(&mut Standing)) {
        self.sender(game).send_modify(|standing| change(Arc::make_mut(standing)));
    }
}

/// The deleted bots among these entrants.
///
/// # Errors
/// When the store cannot be read.
pub(crate) async fn deleted_of(
    store: &Store,
    game: &Game,
    entrants: &[(String, EntrantId)],
) -> Result<BTreeSet<EntrantId>, StoreError> {
    let ids: Vec<EntrantId> = entrants.iter().map(|(_, id)| id.clone()).collect();
    let named = store.named(Some(game.ruleset), &ids).await?;
    Ok(named.into_iter().filter(|(_, bot)| bot.name.as_str() == DELETED).map(|(id, _)| id).collect())
}

/// Reports that the thread has ended, in whatever way, when it is dropped.
pub(crate) struct Ending(pub(crate) StandingTournaments);

impl Drop for Ending {
    fn drop(&mut self) {
        if std::thread::panicking() {
            tracing::error!("the thread of the standing tournaments died");
        }
        self.0.0.ended.send_replace(true);
    }
}
