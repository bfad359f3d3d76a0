//! Players that think: started, asked, and brought back when their process died. What is here blocks.

use arena_record::Budgets;
use arena_referee::{Failure, Fault, PlatformFault, Player, Reply, Started};
use arena_rooms::Exchange;
use arena_runner::{Contender, ContenderPlayer};
use tokio::sync::OwnedSemaphorePermit;
use tracing::warn;

use crate::core::WALL;

/// A player that waits for its next turn.
pub(crate) struct Waiting {
    pub(crate) player: ContenderPlayer,
    /// How many turns it has answered.
    pub(crate) answered: usize,
    /// Its right to wait; a built-in opponent has no process and needs none.
    pub(crate) _seat: Option<OwnedSemaphorePermit>,
}

/// What a player is asked, with all it takes to bring it back.
pub(crate) struct Question {
    pub(crate) observation: Vec<u8>,
    /// Fuel it may use for its answer.
    pub(crate) fuel: u64,
    /// What it was shown and answered before; needed only where no player waits.
    pub(crate) exchanges: Vec<Exchange>,
    pub(crate) budgets: Budgets,
}

/// A fresh player, or how it failed to start by its own fault.
pub(crate) fn start(
    contender: &Contender,
    observation_len: usize,
    budgets: &Budgets,
) -> Result<Result<(ContenderPlayer, Started), Fault>, PlatformFault> {
    let mut player = contender.player(WALL);
    match player.start(observation_len, budgets.fuel_at_start) {
        Ok(started) => Ok(Ok((player, started))),
        Err(Failure::Own(fault)) => Ok(Err(fault)),
        Err(Failure::Platform(fault)) => Err(fault),
    }
}

/// Asks a player: the one that waits, or a fresh one that is shown everything once more. After an answer it can wait
/// for its next turn.
pub(crate) fn ask(
    contender: &Contender,
    waiting: Option<ContenderPlayer>,
    question: &Question,
) -> Result<(Result<Reply, Fault>, ContenderPlayer), PlatformFault> {
    let mut player = match waiting {
        Some(player) => player,
        None => brought_back(contender, question)?,
    };
    match player.turn(&question.observation, question.fuel) {
        Ok(reply) => Ok((Ok(reply), player)),
        Err(Failure::Own(fault)) => Ok((Err(fault), player)),
        Err(Failure::Platform(fault)) => Err(fault),
    }
}

/// A fresh player that has answered what the one before it has, in the same way.
fn brought_back(contender: &Contender, question: &Question) -> Result<ContenderPlayer, PlatformFault> {
    let other = || PlatformFault("started again, the player answers differently".into());
    let started = start(contender, question.observation.len(), &question.budgets)?;
    let (mut player, _) = started.map_err(|Fault { code, .. }| {
        warn!(%code, "a player does not start again");
        other()
    })?;
    for Exchange { observation, fuel, action } in &question.exchanges {
        match player.turn(observation, *fuel) {
            Ok(reply) if reply.action == *action => {}
            Ok(_) | Err(Failure::Own(_)) => return Err(other()),
            Err(Failure::Platform(fault)) => return Err(fault),
        }
    }
    Ok(player)
}
