//! One game between two contenders, with the machine's failures kept apart from the players'.

use std::collections::BTreeMap;
use std::sync::RwLock;
use std::sync::atomic::{AtomicU64, Ordering};

use arena_record::{Budgets, EntrantId, Header, Hex, Record};
use arena_referee::{Ending, PlatformFault, PlayError, Player, play_with};
use arena_rules::{BySeat, Seed};
use arena_sandbox::Wall;
use serde::{Deserialize, Serialize};

use crate::witness::Witness;
use crate::{Contender, build_id, opponent_digests, semantics_id};

/// How often a game is tried beside others under the wall budget, before it is played alone and without one.
pub(crate) const TRIES_WITH_WALL: u32 = 2;

/// Where games of one kind are played: ruleset, options and budgets. Shared by threads.
pub struct Table {
    header: Header,
    /// Options of the two-seat games that break ties, where games have more seats.
    duel: Option<String>,
    wall: Wall,
    platform_faults: AtomicU64,
    /// Games hold it shared; a game that must be alone holds it for itself.
    alone: RwLock<()>,
}

/// A game without a result: a bot's process died each time, the last time with the game alone on the machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Void {
    /// How often it was played.
    pub tries: u32,
    /// Seats whose bot's process died again when the bot alone was asked what it had been asked: they are to play no
    /// further game. None, when no bot could be convicted.
    pub quarantined: Vec<u8>,
}

/// Why a game has no record.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// There is no such game.
    #[error(transparent)]
    Play(PlayError),
    /// It never will have one.
    #[error("the game is void: a bot's process died each of {} times, the last time with the game alone on the machine", .0.tries)]
    Void(Void),
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
        let header = Header {
            semantics: semantics_id(ruleset),
            build: build_id(),
            ruleset: ruleset.into(),
            options: options.into(),
            budgets,
            seed: Hex([0; 32]),
            entrants: Vec::new(),
            opponents: BTreeMap::new(),
        };
        // Options that do not exist are an error when the first game is played.
        let duel = arena_wire::shape(ruleset, options).ok().and_then(|shape| shape.duel);
        Table { header, duel, wall, platform_faults: AtomicU64::new(0), alone: RwLock::new(()) }
    }

    /// Games that were played again because the machine failed, so far.
    pub fn platform_faults(&self) -> u64 {
        self.platform_faults.load(Ordering::Relaxed)
    }

    /// The header of a game at this table. Two entrants where games have more seats play a game that breaks ties.
    pub fn header(&self, seed: Seed, entrants: Vec<EntrantId>) -> Header {
        let opponents = opponent_digests(&self.header.ruleset, &entrants);
        let header = Header { seed: Hex(seed), entrants, opponents, ..self.header.clone() };
        match &self.duel {
            Some(options) if header.entrants.len() == 2 => Header { options: options.clone(), ..header },
            _ => header,
        }
    }

    /// Plays a game. When the machine fails it is played again; the third time alone and without a wall budget.
    ///
    /// # Errors
    /// When there is no such game, or the machine fails even then: by a process that dies, which makes the game void, or
    /// otherwise.
    pub fn play(&self, seed: Seed, contenders: &BySeat<&Contender>) -> Result<Record, TableError> {
        self.play_with(seed, contenders, &[])
    }

    /// The same with people at the board, who end the game as [`endings`](arena_referee::endings) has it.
    ///
    /// # Errors
    /// As [`play`](Table::play).
    pub fn play_with(
        &self,
        seed: Seed,
        contenders: &BySeat<&Contender>,
        endings: &[(u16, Ending)],
    ) -> Result<Record, TableError> {
        let header = self.header(seed, contenders.values().iter().map(|contender| contender.id()).collect());
        let mut tries = 0;
        loop {
            let alone = tries >= TRIES_WITH_WALL;
            // A poisoned lock only says that another game panicked; it guards no data.
            let _shared = (!alone).then(|| self.alone.read().unwrap_or_else(|poisoned| poisoned.into_inner()));
            let _exclusive = alone.then(|| self.alone.write().unwrap_or_else(|poisoned| poisoned.into_inner()));
            let wall = if alone { Wall::None } else { self.wall };
            let mut players = BySeat::new(contenders.seats(), |seat| Witness::new(contenders[seat].player(wall)));
            let seated: Vec<&mut dyn Player> = players.iter_mut().map(|(_, player)| player as _).collect();
            tries += 1;
            let source = match play_with(header.clone(), BySeat::from(seated), endings) {
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
            return Err(TableError::Void(Void { tries, quarantined: quarantined.map(|(seat, _)| seat.0).collect() }));
        }
    }
}
