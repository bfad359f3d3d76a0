//! A host whose games other processes play.

use arena_record::Budgets;
use arena_runner::{Contender, Finished, Fixture, GameError, Host, LoadError, Workers};
use arena_store::TournamentId;
use tokio::sync::oneshot;
use tracing::warn;

use super::job::{Job, read_end};
use super::queue_client::{QueueClient, Request};

/// Games of one tournament. Bots are still checked here, so that no other process decides who may play.
pub(crate) struct RemoteHost {
    tournament: TournamentId,
    here: Workers,
    queue: QueueClient,
}

/// The arena stopped before a game was played.
#[derive(Debug, thiserror::Error)]
#[error("the arena is stopping")]
struct Stopping;

impl RemoteHost {
    pub(crate) fn new(tournament: TournamentId, here: Workers, queue: QueueClient) -> RemoteHost {
        RemoteHost { tournament, here, queue }
    }
}

impl Host for RemoteHost {
    fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Contender, LoadError> {
        let bot = self.here.load(bytes, budgets)?;
        self.queue.send(Request::Keep(self.tournament.clone(), bot.id(), bytes.into()));
        Ok(bot)
    }

    /// Blocks until a worker has played it.
    fn play(&self, game: &Fixture<'_>) -> Result<Finished, GameError> {
        let stopping = || GameError::Elsewhere(Stopping.into());
        let asked = Job::new(game.header.clone(), game.wall).asked();
        loop {
            let (answer, answered) = oneshot::channel();
            if !self.queue.send(Request::Play(self.tournament.clone(), asked.clone(), answer)) {
                return Err(stopping());
            }
            let end = answered.blocking_recv().map_err(|_| stopping())?;
            match read_end(&end.text, &game.header) {
                Ok(finished) => return Ok(finished),
                Err(wrong) => {
                    let reason = wrong.to_string();
                    warn!(worker = %end.worker, reason, "a worker is quarantined: it submitted an impossible game");
                    self.queue.send(Request::Quarantine(end.worker, reason));
                }
            }
        }
    }
}
