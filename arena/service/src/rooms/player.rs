//! Players that think: started, asked, and rebuilt when their process has died. Everything here blocks.

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
    /// Its permit to wait; a built-in opponent has no process and needs none.
    pub(crate) _seat: Option<OwnedSemaphorePermit>,
}

/// The question to a player, with all that is needed to rebuild the player.
pub(crate) struct Question {
    pub(crate) observation: Vec<u8>,
    /// Fuel it may use for its answer.
    pub(crate) fuel: u64,
    /// Its earlier observations and answers; needed only if no player waits.
    pub(crate) exchanges: Vec<Exchange>,
    pub(crate) budgets: Budgets,
}

/// Starts a fresh player. The inner result is a failure that is its own fault.
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

/// Asks a player: the waiting one, or a fresh one that is first shown all earlier observations. After its answer it can wait for its
/// next turn.
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

/// A fresh player that has given the same answers as the one before it.
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
