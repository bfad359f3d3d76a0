//! Where bots run and games are played.

mod in_process;
mod tries;
mod workers;

use std::error::Error;

use arena_record::{Budgets, EntrantId, Header, Record};
use arena_referee::{Ending, PlatformFault, PlayError, Player, play_with};
use arena_rules::{BySeat, Seed};
use arena_sandbox::{Refusal, Wall};
use arena_worker::WorkerError;
use tracing::warn;

use crate::{Contender, ContenderPlayer, Ended, Terms};

pub use in_process::InProcess;
pub use workers::Workers;

pub(crate) use tries::{Tried, Tries};

/// Where bots run and games are played: header and entrants in, an ended game out. Shared by threads.
///
/// [`InProcess`] is for one's own bots, [`Workers`] for strangers'. A host on other machines checks a bot here, keeps its bytes,
/// and sends out headers: header and bytes decide a game, and nothing else does.
pub trait Host: Send + Sync {
    /// Checks and compiles a bot.
    ///
    /// # Errors
    /// Why the bytes are not a bot, or that a worker failed.
    fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Contender, LoadError>;

    /// Plays a game. When the machine fails it is played again; the third time alone and without a wall budget.
    ///
    /// # Errors
    /// When there is no such game, or the machine failed the third time, too. A process that a bot kills is no error but a void
    /// game.
    fn play(&self, game: &Fixture<'_>) -> Result<Finished, GameError>;
}

/// A game that is to be played.
#[derive(Clone)]
pub struct Fixture<'a> {
    /// All that the game is a function of, but the bots' bytes.
    pub header: Header,
    /// Who plays, by seat: those that the header names.
    pub contenders: BySeat<&'a Contender>,
    /// How long a turn may take before the machine is held to be at fault.
    pub wall: Wall,
    /// How people end it, where any are at the board.
    pub endings: Vec<(u16, Ending)>,
}

/// A game that has been played, or never will be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// What became of it.
    pub ended: Ended,
    /// How often the machine failed meanwhile.
    pub platform_faults: u32,
}

/// Why a bot cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// The bytes are not a bot.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A worker failed.
    #[error("the bot could not be checked")]
    Worker(#[from] WorkerError),
}

/// Why a game has no end.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// There is no such game.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The machine failed even with the game alone on it.
    #[error("the machine failed {tries} times in the same game, the last time with the game alone on it")]
    Platform {
        /// How often it was tried.
        tries: u32,
        /// The last failure.
        source: PlatformFault,
    },
    /// Who was asked for it elsewhere has not answered.
    #[error("the game was not played elsewhere")]
    Elsewhere(#[source] Box<dyn Error + Send + Sync>),
}

impl Terms {
    /// A game on these terms.
    pub fn game<'a>(&self, seed: Seed, contenders: &BySeat<&'a Contender>) -> Fixture<'a> {
        let ids = contenders.values().iter().map(|contender| contender.id()).collect();
        Fixture {
            header: self.header(seed, ids),
            contenders: contenders.clone(),
            wall: self.wall(),
            endings: Vec::new(),
        }
    }
}

impl Fixture<'_> {
    /// A player for each seat. A bot that has several plays them in one process, as far as it may.
    fn players(&self, wall: Wall) -> BySeat<ContenderPlayer> {
        let ids: Vec<EntrantId> = self.contenders.values().iter().map(|contender| contender.id()).collect();
        let mut players: Vec<ContenderPlayer> = Vec::new();
        for (contender, id) in self.contenders.values().iter().zip(&ids) {
            let other = players.iter().zip(&ids).rfind(|(_, other)| *other == id);
            let beside = other.and_then(|(player, _)| player.beside());
            players.push(beside.unwrap_or_else(|| contender.player(wall)));
        }
        BySeat::from(players)
    }

    fn play(&self, players: &mut BySeat<impl Player>) -> Result<Record, PlayError> {
        let seated: Vec<&mut dyn Player> = players.iter_mut().map(|(_, player)| player as _).collect();
        play_with(self.header.clone(), BySeat::from(seated), &self.endings).inspect_err(|error| {
            if let PlayError::Platform(cause) = error {
                warn!(entrants = self.entrants(), %cause, "the machine failed in a game");
            }
        })
    }

    /// Who plays, for the log.
    fn entrants(&self) -> String {
        self.header.entrants.iter().map(EntrantId::as_str).collect::<Vec<_>>().join(" ")
    }
}
