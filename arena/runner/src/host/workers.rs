//! Games whose bots run in worker processes.

use arena_record::Budgets;
use arena_rules::BySeat;
use arena_worker::{Pool, Processors};
use tracing::warn;

use super::{Finished, Fixture, GameError, Host, LoadError, Tried, Tries};
use crate::usage::Metered;
use crate::{Contender, Ended, VoidGame};

/// Worker processes, one for each bot of a game: for strangers' bots. A bot that kills its process affects nobody
/// else's game.
pub struct Workers {
    pool: Pool,
    tries: Tries,
    processors: Processors,
}

impl Workers {
    /// Bots in workers of this pool.
    pub fn new(pool: Pool) -> Workers {
        Workers { pool, tries: Tries::default(), processors: Processors::here() }
    }
}

impl Host for Workers {
    fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Contender, LoadError> {
        Ok(Contender::Remote(self.pool.load(bytes, budgets)??))
    }

    /// If processes die in every try the game is void. A bot is convicted if its process dies again when it alone is
    /// asked.
    fn play(&self, game: &Fixture<'_>) -> Result<Finished, GameError> {
        let remote = game.contenders.values().iter().any(|contender| matches!(contender, Contender::Remote(_)));
        let _one = remote.then(|| self.processors.one());
        // Other games wait until the guilty bots are known.
        let Tried { players, tries, played, alone: _alone } = self.tries.play(game.wall, |wall| {
            let mut players = game.players(wall).map(Metered::new);
            let played = game.play(&mut players);
            (players, played)
        })?;
        match played {
            Ok(record) => Ok(Finished::new(Ended::Played(record), tries - 1)),
            Err(source) if !players.iter().any(|(_, player)| player.player.lost_worker()) => {
                Err(GameError::Platform { tries, source })
            }
            Err(_) => {
                let quarantined = convicted(game, &players);
                warn!(entrants = game.entrants(), ?quarantined, "a game is void");
                Ok(Finished::new(Ended::Void(VoidGame { tries, quarantined }), tries))
            }
        }
    }
}

fn convicted(game: &Fixture<'_>, players: &BySeat<Metered>) -> Vec<u8> {
    let guilty = players.iter().filter(|(seat, player)| player.dies_again(game.contenders[*seat]));
    guilty.map(|(seat, _)| seat.0).collect()
}
