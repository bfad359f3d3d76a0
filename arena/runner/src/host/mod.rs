//! Where bots run and games are played. Not here: which games are played, and what is kept of them (`folder`).

mod in_process;
mod retry;
mod workers;

use std::error::Error;

use arena_ledger::Plan;
use arena_record::{Budgets, EntrantId, Header, Record};
use arena_referee::{Ending, PlatformFault, PlayError, Player, play_with};
use arena_rules::{BySeat, Seed};
use arena_sandbox::Refusal;
use arena_worker::{Wall, WorkerError};
use tracing::warn;

use crate::{Contender, ContenderPlayer, Ended, GameTerms};
use arena_tournaments::ScheduledGame;

pub use in_process::InProcess;
pub use workers::Workers;

pub(crate) use retry::{Tried, Tries};

/// Runs bots and plays games: a header and contenders go in, a result comes out. Shared by threads.
///
/// [`InProcess`] is for one's own bots, [`Workers`] for those of strangers. A host that uses other machines checks bots
/// here, keeps their bytes, and sends out headers: a game depends on nothing but its header and the bots' bytes.
pub trait Host: Send + Sync {
    /// Checks and compiles a bot.
    ///
    /// # Errors
    /// When the bytes are not a bot, or a worker failed.
    fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Contender, LoadError>;

    /// Plays a game. If the machine fails the game is tried again; the third time alone and without a wall budget.
    ///
    /// # Errors
    /// When there is no such game, or the machine failed the third time, too. A game in which a bot kills its process
    /// is not an error but void.
    fn play(&self, game: &Fixture<'_>) -> Result<Finished, GameError>;
}

/// A game to be played.
#[derive(Clone)]
pub struct Fixture<'a> {
    /// All that the game is a function of, except the bots' bytes.
    pub header: Header,
    /// The players in the header, by seat.
    pub contenders: BySeat<&'a Contender>,
    /// How long a call may take before it counts as a platform fault. [`InProcess`] has no wall: fuel bounds every
    /// call.
    pub wall: Wall,
    /// When and how people end it, if any are at the board.
    pub endings: Vec<(u16, Ending)>,
}

/// A game that was played or is void.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// Its result.
    pub ended: Ended,
    /// The result's canonical text, made once by who played it.
    pub text: String,
    /// How often the machine failed meanwhile.
    pub platform_faults: u32,
}

impl Finished {
    /// A game that was played here.
    pub fn new(ended: Ended, platform_faults: u32) -> Finished {
        let text = ended.to_text();
        Finished { ended, text, platform_faults }
    }
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

/// Why a game could not be played.
#[derive(Debug, thiserror::Error)]
pub enum GameError {
    /// There is no such game.
    #[error(transparent)]
    Play(#[from] PlayError),
    /// The machine failed even with the game alone on it.
    #[error("the machine failed {tries} times in the same game, the last time with the game alone on it")]
    Platform {
        /// How often the game was tried.
        tries: u32,
        /// The last failure.
        source: PlatformFault,
    },
    /// The game was sent elsewhere and no answer came.
    #[error("the game was not played elsewhere")]
    Elsewhere(#[source] Box<dyn Error + Send + Sync>),
}

impl GameTerms {
    /// A game under these terms.
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

/// A game of a plan's schedule. `contenders` are in the order of the entrants.
pub(crate) fn fixture<'a>(plan: &Plan, game: &ScheduledGame, contenders: &'a [Contender]) -> Fixture<'a> {
    Fixture {
        header: plan.header(game),
        contenders: game.seats.clone().map(|entrant| &contenders[entrant]),
        wall: plan.wall_ms.map_or(Wall::None, Wall::Milliseconds),
        endings: Vec::new(),
    }
}

impl Fixture<'_> {
    /// A player for each seat. A bot with several seats plays them in one process, as far as possible.
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

    /// The entrants, for the log.
    fn entrants(&self) -> String {
        self.header.entrants.iter().map(EntrantId::as_str).collect::<Vec<_>>().join(" ")
    }
}
