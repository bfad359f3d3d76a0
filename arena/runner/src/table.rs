//! One game between two contenders, with the machine's failures kept apart from the players'.

use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

use arena_record::{Budgets, EntrantId, Header, Record};
use arena_referee::{PlatformFault, PlayError, Player, play};
use arena_rules::{BySeat, Seed};
use arena_sandbox::Wall;

use crate::witness::Witness;
use crate::{Contender, Terms, VoidGame};

/// How often a game is tried beside others under the wall budget, before it is played alone and without one.
pub(crate) const TRIES_WITH_WALL: u32 = 2;

/// Where games on the same terms are played. Shared by threads.
pub struct Table {
    terms: Terms,
    platform_faults: AtomicU64,
    /// Games hold it shared; a game that must be alone holds it for itself.
    alone: RwLock<()>,
}

/// Why a game has no record.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// There is no such game.
    #[error(transparent)]
    Play(PlayError),
    /// It never will have one.
    #[error(transparent)]
    Void(VoidGame),
    /// The machine failed even with the game alone on it.
    #[error("the machine failed {tries} times in the same game, the last time with the game alone on it")]
    Platform {
        /// How often it was tried.
        tries: u32,
        /// The last failure.
        source: PlatformFault,
    },
}

impl Table {
    /// A table for games of `ruleset` with `options` under `budgets`. `wall` protects the machine only.
    pub fn new(ruleset: &str, options: &str, budgets: Budgets, wall: Wall) -> Table {
        Table::on(Terms::new(ruleset, options, budgets, wall))
    }

    pub(crate) fn on(terms: Terms) -> Table {
        Table { terms, platform_faults: AtomicU64::new(0), alone: RwLock::new(()) }
    }

    /// Games that were played again because the machine failed, so far.
    pub fn platform_faults(&self) -> u64 {
        self.platform_faults.load(Ordering::Relaxed)
    }

    /// The header of a game at this table.
    pub fn header(&self, seed: Seed, entrants: Vec<EntrantId>) -> Header {
        self.terms.header(seed, entrants)
    }

    /// Plays a game. When the machine fails it is played again; the third time alone and without a wall budget.
    ///
    /// # Errors
    /// When there is no such game, or the machine fails even then: by a process that dies, which makes the game void, or
    /// otherwise.
    pub fn play(&self, seed: Seed, contenders: &BySeat<&Contender>) -> Result<Record, TableError> {
        let header = self.header(seed, contenders.values().iter().map(|contender| contender.id()).collect());
        let mut tries = 0;
        loop {
            let alone = tries >= TRIES_WITH_WALL;
            // A poisoned lock only says that another game panicked; it guards no data.
            let _shared = (!alone).then(|| self.alone.read().unwrap_or_else(|poisoned| poisoned.into_inner()));
            let _exclusive = alone.then(|| self.alone.write().unwrap_or_else(|poisoned| poisoned.into_inner()));
            let wall = if alone { Wall::None } else { self.terms.wall() };
            let mut players = BySeat::new(contenders.seats(), |seat| Witness::new(contenders[seat].player(wall)));
            let seated: Vec<&mut dyn Player> = players.iter_mut().map(|(_, player)| player as _).collect();
            tries += 1;
            let source = match play(header.clone(), BySeat::from(seated)) {
                Ok(record) => return Ok(record),
                Err(PlayError::Platform(source)) => source,
                Err(error) => return Err(TableError::Play(error)),
            };
            self.platform_faults.fetch_add(1, Ordering::Relaxed);
            if !alone {
                continue;
            }
            if !players.iter().any(|(_, player)| player.lost_worker()) {
                return Err(TableError::Platform { tries, source });
            }
            let quarantined = players.iter().filter(|(seat, player)| player.dies_again(contenders[*seat]));
            return Err(TableError::Void(VoidGame {
                tries,
                quarantined: quarantined.map(|(seat, _)| seat.0).collect(),
            }));
        }
    }
}
