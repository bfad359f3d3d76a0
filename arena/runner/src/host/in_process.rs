//! Games in this process.

use arena_record::Budgets;
use arena_sandbox::Sandbox;

use super::{Finished, Fixture, GameError, Host, LoadError, Tried, Tries};
use crate::{Contender, Ended};

/// This process: for an author's own bots, which at worst end it. A call takes as long as its fuel lasts: there is no
/// wall budget.
pub struct InProcess {
    sandbox: Sandbox,
    tries: Tries,
}

impl InProcess {
    /// Bots in this sandbox.
    pub fn new(sandbox: Sandbox) -> InProcess {
        InProcess { sandbox, tries: Tries::default() }
    }
}

impl Host for InProcess {
    fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Contender, LoadError> {
        Ok(Contender::Bot(self.sandbox.load(bytes, budgets)?))
    }

    fn play(&self, game: &Fixture<'_>) -> Result<Finished, GameError> {
        let Tried { tries, played, .. } = self.tries.play(game.wall, |wall| {
            let mut players = game.players(wall);
            let played = game.play(&mut players);
            ((), played)
        })?;
        let record = played.map_err(|source| GameError::Platform { tries, source })?;
        Ok(Finished::new(Ended::Played(record), tries - 1))
    }
}
