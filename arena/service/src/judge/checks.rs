//! Verdicts on modules that are not submitted: what `arena check` says, by the site's machine. Nothing of them is kept:
//! a module waits in memory, in the queue of submissions and at their prices, as long as its request does.
//!
//! An account pays for its own. Guests pay together, and take turns by their networks: all of them get no more of the
//! judge than one account does.

use std::num::NonZeroU32;
use std::sync::Arc;
use std::time::Duration;

use arena_limits::{Kind, Refusal, Refused};
use arena_record::{EntrantId, Objection};
use arena_store::{AccountId, StoreError, Version};
use arena_wire::Game;
use tokio::sync::oneshot;

use super::examining::Found;
use super::{Judge, Judged, Queue, cost};
use crate::core::{on_a_thread, unavailable};
use crate::fair_queue::Request;

/// For whom a module is checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Asker {
    /// An account.
    Account(AccountId),
    /// Somebody without one, by a number of the network.
    Guest(u64),
}

/// What is found of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Its id, by which records name it.
    pub entrant: EntrantId,
    /// Why it may not play; `None` if it may.
    pub objection: Option<Objection>,
    /// Against which built-in opponent its sample games were; `None` if it was not played.
    pub opponent: Option<&'static str>,
    /// How many sample games were played.
    pub games: usize,
    /// The most fuel of a turn in them.
    pub turn_fuel_max: u64,
}

/// Why there is no verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CheckError {
    /// Its turn did not come in time.
    #[error("the judge has too much to do: there was no verdict in time")]
    Late,
    /// The machine failed, or stops.
    #[error("the judge cannot examine the bot now")]
    Machine,
}

/// Seconds after which the same check may be in time: as long as a request for one waits.
const LATE_SECONDS: u64 = 60;

impl Refused for CheckError {
    fn refusal(&self) -> Refusal {
        match self {
            CheckError::Late => {
                let hint = "nothing of it is kept; try again, or run `arena check` at home";
                Kind::Busy.says("busy", hint).again_in(LATE_SECONDS)
            }
            CheckError::Machine => Kind::Failed.says("unavailable", "the same request may succeed in a moment"),
        }
    }
}

/// A module that waits to be checked.
pub(super) struct Check {
    asker: Asker,
    game: &'static Game,
    bytes: Arc<[u8]>,
    /// Closed once its request is gone.
    answer: oneshot::Sender<Result<Checked, CheckError>>,
}

/// What waits for the judge.
pub(super) enum Waiting {
    Version(Version),
    Check(Check),
}

/// Who pays for the judge's work, or has it done on another's account.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Party {
    Account(AccountId),
    /// All guests together.
    Guests,
    /// Those of a network.
    Network(u64),
}

impl Asker {
    /// Who pays, and who asks.
    pub(super) fn parties(self) -> (Party, Party) {
        match self {
            Asker::Account(account) => (Party::Account(account), Party::Account(account)),
            Asker::Guest(network) => (Party::Guests, Party::Network(network)),
        }
    }
}

impl Judge {
    /// The verdict on a module as a bot for a game, the same as on a submission of it. If it does not come within
    /// `wait`, or the caller stops waiting before its turn, nothing is done. To be called for a limited number of
    /// modules at once, which are in memory meanwhile.
    ///
    /// # Errors
    /// When it does not come in time, or the machine failed.
    pub async fn check(
        &self,
        asker: Asker,
        game: &'static Game,
        bytes: Arc<[u8]>,
        wait: Duration,
    ) -> Result<Checked, CheckError> {
        let (answer, verdict) = oneshot::channel();
        let end = self.core.clock.now() + wait;
        self.checks.lock().push(Check { asker, game, bytes, answer });
        self.arrived.notify_one();
        tokio::select! {
            biased;
            verdict = verdict => verdict.unwrap_or(Err(CheckError::Machine)),
            () = self.core.stopping.cancelled() => Err(CheckError::Machine),
            () = self.core.clock.sleep_until(end) => Err(CheckError::Late),
        }
    }

    /// Adds to a queue what is to be checked, and drops that whose request is gone.
    pub(super) async fn look_at_checks(&self, queue: &mut Queue) -> Result<(), StoreError> {
        queue.fair.keep(|waiting| !matches!(waiting, Waiting::Check(check) if check.answer.is_closed()));
        let came = std::mem::take(&mut *self.checks.lock());
        for check in came {
            let bytes = check.bytes.clone();
            let reserve = on_a_thread("weigh", move || cost::is_light(&bytes))?.await.map_err(unavailable)?;
            let ((key, asker), cost) = (check.asker.parties(), cost::at_most(Some(check.game)));
            let request = Request { key, asker, weight: NonZeroU32::MIN, cost, reserve };
            queue.fair.wait(request, Waiting::Check(check));
        }
        Ok(())
    }

    /// Checks a module, and answers its request. What it cost.
    pub(super) async fn do_check(&self, check: Check) -> Result<Judged, StoreError> {
        let Check { game, bytes, answer, .. } = check;
        let hashed = bytes.clone();
        let examined = self.examine(bytes, game).await?;
        let (answered, judged) = match examined {
            Ok(Found { objection, cost, opponent, games, turn_fuel_max, .. }) => {
                let entrant = on_a_thread("hash", move || EntrantId::of_bytes(&hashed))?.await.map_err(unavailable)?;
                (Ok(Checked { entrant, objection, opponent, games, turn_fuel_max }), Ok(cost))
            }
            Err(unjudged) => (Err(CheckError::Machine), Err(unjudged)),
        };
        // Without its hash: nothing of it is kept, not in a log either.
        tracing::info!(game = game.ruleset, judged = judged.is_ok(), "checked");
        // Fails if the request is gone.
        let _ = answer.send(answered);
        Ok(judged)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{fair, next};
    use super::*;
    use crate::limits::JUDGE_COST;

    const GUESTS: u64 = 100;
    const AUTHOR: Asker = Asker::Account(AccountId(1));

    fn request(asker: Asker) -> Request<Party> {
        let (key, asker) = asker.parties();
        Request { key, asker, weight: NonZeroU32::MIN, cost: JUDGE_COST, reserve: true }
    }

    #[test]
    fn guests_of_a_hundred_networks_get_together_as_much_as_one_author_and_take_turns() {
        let mut fair = fair();
        let everybody = || (0..GUESTS).map(Asker::Guest).chain([AUTHOR]);
        // Those of a network always have two that wait.
        everybody().chain(everybody()).for_each(|asker| fair.wait(request(asker), asker));
        let mut begun: BTreeMap<Party, usize> = BTreeMap::new();
        for _ in 0..2 * GUESTS {
            let (asker, service) = next(&mut fair).expect("a place");
            *begun.entry(asker.parties().1).or_default() += 1;
            fair.end(service, JUDGE_COST);
            fair.wait(request(asker), asker);
        }
        let author = begun.remove(&Party::Account(AccountId(1))).expect("the author's turns");
        assert!(author.abs_diff(GUESTS as usize) <= 2, "{author}");
        assert!(begun.values().all(|turns| *turns <= 2) && begun.len() >= 98, "{begun:?}");
    }

    #[test]
    fn an_author_who_comes_waits_for_no_guest_but_those_that_are_examined() {
        let mut fair = fair();
        (0..GUESTS).map(Asker::Guest).for_each(|guest| fair.wait(request(guest), guest));
        let mut examined: Vec<_> = std::iter::from_fn(|| next(&mut fair)).collect();
        assert!(examined.len() < GUESTS as usize, "the others wait");
        fair.wait(request(AUTHOR), AUTHOR);
        let (_, service) = examined.pop().expect("one is examined");
        fair.end(service, JUDGE_COST);
        assert_eq!(next(&mut fair).map(|(asker, _)| asker), Some(AUTHOR));
    }
}
