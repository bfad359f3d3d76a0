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
    /// `None` if a player waits.
    pub(crate) past: Option<Past>,
    pub(crate) budgets: Budgets,
}

/// What a fresh player goes through before it can take the place of one that is gone.
pub(crate) struct Past {
    /// Fuel of its start.
    pub(crate) start: u64,
    /// Its earlier observations and answers.
    pub(crate) exchanges: Vec<Exchange>,
}

impl Past {
    /// Fuel of all this.
    fn fuel(&self) -> u64 {
        let turns = self.exchanges.iter().map(|exchange| exchange.used.unwrap_or(exchange.fuel));
        turns.fold(self.start, u64::saturating_add)
    }
}

impl Question {
    /// Fuel that is used before the player can be asked.
    pub(crate) fn fuel_before(&self) -> u64 {
        self.past.as_ref().map_or(0, Past::fuel)
    }
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

/// Asks a player: the waiting one, or a fresh one that is first shown all earlier observations. After its answer it can
/// wait for its next turn.
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
    let exchanges = question.past.iter().flat_map(|past| &past.exchanges);
    for Exchange { observation, fuel, action, .. } in exchanges {
        match player.turn(observation, *fuel) {
            Ok(reply) if reply.action == *action => {}
            Ok(_) | Err(Failure::Own(_)) => return Err(other()),
            Err(Failure::Platform(fault)) => return Err(fault),
        }
    }
    Ok(player)
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use arena_wire::GAMES;

    use super::*;
    use crate::fair_queue::{FairQueue, Request};
    use crate::limits::{BUILT_IN_COST, THINKING_CREDIT, THINKING_MAX, THINKING_RESERVE};

    /// A question to a bot whose process is gone, with a start as long as may be, and turns of two units of fuel.
    fn question(answered: usize) -> Question {
        let budgets = Budgets::of(GAMES[0].allowance);
        let fuel = budgets.fuel_per_move;
        let exchange = Exchange { observation: Vec::new(), fuel, used: Some(2), action: Vec::new() };
        let past = Past { start: budgets.fuel_at_start, exchanges: vec![exchange; answered] };
        Question { observation: Vec::new(), fuel, past: Some(past), budgets }
    }

    #[test]
    fn a_player_that_is_brought_back_costs_its_start_and_the_fuel_of_its_turns_and_one_that_waits_costs_neither() {
        let brought_back = question(3);
        assert_eq!(brought_back.fuel_before(), brought_back.budgets.fuel_at_start + 6);
        assert_eq!(Question { past: None, ..brought_back }.fuel_before(), 0);
    }

    /// Sixty rooms always wait for a bot that starts again for each of its turns. Time passes as fuel is used. Between
    /// two turns against a built-in opponent an honest visitor thinks for a while.
    #[test]
    fn sixty_rooms_whose_bot_starts_again_for_each_turn_hold_up_an_honest_turn_for_one_start() {
        const FLOOD: u32 = 1;
        const HONEST: u32 = 1_000;
        let begun = |key, asker, cost| Request { key, asker, weight: NonZeroU32::MIN, cost, reserve: true };
        let asks = |room: u32| {
            let question = question(room as usize % 12);
            begun(FLOOD, room, question.fuel_before().saturating_add(question.fuel))
        };
        let used = |room: u32| question(room as usize % 12).fuel_before() + 2;
        let honest = begun(HONEST, HONEST, BUILT_IN_COST);
        let mut shares = FairQueue::new(THINKING_MAX, THINKING_RESERVE, THINKING_CREDIT);
        (2..62).for_each(|room| shares.wait(asks(room), room));
        let (mut now, mut served, mut waited) = (0, Vec::new(), Vec::new());
        // When it began to wait, and when it asks next. Until a service ends, nobody is begun.
        let (mut since, mut next) = (None, 0);
        while waited.len() < 20 {
            assert!(now < 10_000_000_000, "it waits for ever, after {waited:?}");
            if since.is_none() && now >= next {
                shares.wait(honest, HONEST);
                since = Some(next);
            }
            while let Some((asker, service)) = shares.begin() {
                let cost = if asker == HONEST { BUILT_IN_COST } else { used(asker) };
                if asker == HONEST {
                    waited.push(now - since.expect("it waits"));
                }
                served.push((now + cost, cost, asker, service));
            }
            let first = served.iter().enumerate().min_by_key(|(_, (end, ..))| *end).map(|(place, _)| place);
            let (end, cost, asker, service) = served.swap_remove(first.expect("somebody is served"));
            now = end;
            shares.end(service, cost);
            if asker == HONEST {
                (since, next) = (None, now + BUILT_IN_COST);
            } else {
                shares.wait(asks(asker), asker);
            }
        }
        let start = used(0);
        assert!(waited.iter().all(|waited| *waited <= start + BUILT_IN_COST), "{waited:?}");
    }
}
