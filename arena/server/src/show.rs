//! A game of each kind to look at: what pages show of it, and which was chosen for an edition.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arena_store::TournamentId;
use arena_wire::Game;

use crate::clip::Clip;
use crate::language::{Language, language};
use crate::names::Who;

/// A game to look at.
#[derive(Clone)]
pub(crate) struct Show {
    pub(crate) game: &'static Game,
    /// Its page's address; none for one that was never played here.
    pub(crate) page: Option<String>,
    pub(crate) seats: Vec<Who>,
    pub(crate) clip: Clip,
    /// How it ended, in each language: it is chosen once for everybody.
    pub(crate) outcome: [String; 2],
}

impl Show {
    /// How it ended, in a sentence.
    pub(crate) fn outcome(&self) -> &str {
        let spoken = Language::ALL.into_iter().position(|one| one == language());
        &self.outcome[spoken.unwrap_or_default()]
    }
}

/// What was chosen for an edition, if one of its games can be shown.
type Chosen = (TournamentId, Option<Arc<Show>>);

/// What was chosen, by ruleset: one game each.
#[derive(Clone, Default)]
pub(crate) struct Showcase(Arc<Mutex<BTreeMap<&'static str, Chosen>>>);

impl Showcase {
    fn chosen(&self) -> MutexGuard<'_, BTreeMap<&'static str, Chosen>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was chosen for this edition of a game; the outer `None` when nothing was yet.
    pub(crate) fn of(&self, game: &Game, edition: &TournamentId) -> Option<Option<Arc<Show>>> {
        self.chosen().get(game.ruleset).filter(|(known, _)| known == edition).map(|(_, show)| show.clone())
    }

    /// Remembers what was chosen instead of what was before.
    pub(crate) fn keep(&self, game: &'static Game, edition: TournamentId, show: Option<Arc<Show>>) {
        self.chosen().insert(game.ruleset, (edition, show));
    }
}
