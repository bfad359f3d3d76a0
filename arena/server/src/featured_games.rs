//! Games that pages show, one of each kind, chosen once for each edition.

use std::collections::BTreeMap;
use std::sync::Arc;

use arena_store::TournamentId;
use arena_wire::Game;
use parking_lot::Mutex;

use crate::clip::Clip;
use crate::language::{Language, language};
use crate::names::Who;

/// A game to show.
#[derive(Clone)]
pub(crate) struct FeaturedGame {
    pub(crate) game: &'static Game,
    /// Its page's address; `None` for a game that was not played on this site.
    pub(crate) page: Option<String>,
    pub(crate) seats: Vec<Who>,
    pub(crate) clip: Clip,
    /// Its outcome in each language, since it is chosen once for all visitors.
    pub(crate) outcome: [String; 2],
}

impl FeaturedGame {
    /// Its outcome in a sentence.
    pub(crate) fn outcome(&self) -> &str {
        let spoken = Language::ALL.into_iter().position(|one| one == language());
        &self.outcome[spoken.unwrap_or_default()]
    }
}

/// The choice for an edition; `None` if none of its games can be shown.
type Chosen = (TournamentId, Option<Arc<FeaturedGame>>);

/// The choices by ruleset, one game each.
#[derive(Clone, Default)]
pub(crate) struct Showcase(Arc<Mutex<BTreeMap<&'static str, Chosen>>>);

impl Showcase {
    /// The choice for this edition of a game; the outer `None` if none was made yet.
    pub(crate) fn of(&self, game: &Game, edition: &TournamentId) -> Option<Option<Arc<FeaturedGame>>> {
        self.0.lock().get(game.ruleset).filter(|(known, _)| known == edition).map(|(_, show)| show.clone())
    }

    /// Replaces the choice.
    pub(crate) fn keep(&self, game: &'static Game, edition: TournamentId, show: Option<Arc<FeaturedGame>>) {
        self.0.lock().insert(game.ruleset, (edition, show));
    }
}
