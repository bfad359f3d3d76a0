//! What is the same for every tournament of a site while it is played: where its games are played, when a turn ends,
//! what other servers get, how workers' results are settled, and the index of games.

use std::ops::ControlFlow;
use std::sync::Arc;

use arena_clock::{Clock, Instant};
use arena_runner::{Folder, FolderError, Host, Played, Sight};
use arena_store::{IndexedGame, TournamentId};
use tokio::sync::{mpsc, oneshot};
use tracing::warn;

use super::samples::SampleWaits;
use super::{Next, Trouble};
use crate::core::{Core, on_a_thread, unavailable, with_causes};
use crate::fleet::Reconciled;
use crate::games::Games;
use crate::limits::{SAMPLES_SECONDS, SEND_EVERY, STANDING_TURNS, WORKER_THERE_SECONDS};
use crate::servers::TOURNAMENTS;
use crate::wakeup::{Playing, Wakeup};

/// Plays tournaments. Cheap to clone.
#[derive(Clone)]
pub(super) struct Run {
    pub(super) core: Arc<Core>,
    wakeup: Wakeup,
    threads: usize,
}

/// Why a turn of games ended before its tournament did.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pause {
    Stopping,
    /// There is more to do first, or it is the turn of others.
    Others,
}

/// What other tournaments wait for while one has its turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Others {
    /// Whether one of them was ready for its turn when this one began.
    pub(super) wait: bool,
    /// When the first of the rest will be ready by itself: its date comes, or it looks at its samples again.
    pub(super) due: Option<Instant>,
}

impl Others {
    /// Whether a turn that began at `began` is over for their sake. `changed` says whether one of them has changed
    /// since.
    fn end(self, began: Instant, now: Instant, changed: bool) -> bool {
        let (for_changes, for_editions) = STANDING_TURNS;
        let lasted = now.duration_since(began);
        let changed = changed || self.due.is_some_and(|due| due <= now);
        (lasted >= for_changes && changed) || (lasted >= for_editions && self.wait)
    }
}

/// What a turn of games came to.
pub(super) enum Turn {
    Paused(Pause, Folder),
    /// All games that can be played are.
    Played(Folder, Played),
}

impl Turn {
    /// What comes next after a pause; keeps the folder if it is played on.
    pub(super) fn next_after(pause: Pause, keep: impl FnOnce()) -> Next {
        match pause {
            Pause::Stopping => Next::Stop,
            Pause::Others => {
                keep();
                Next::Step
            }
        }
    }
}

impl Run {
    pub(super) fn new(core: Arc<Core>, wakeup: Wakeup, threads: usize) -> Run {
        Run { core, wakeup, threads }
    }

    /// Where the games of a tournament are played.
    pub(super) fn host_of(&self, tournament: &TournamentId) -> Arc<dyn Host> {
        self.core.host_of(tournament)
    }

    /// How many games are played at once on this machine.
    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    /// Whether a turn that began at `began` is over.
    pub(super) fn pause(&self, playing: Playing, began: Instant, others: Others) -> Option<Pause> {
        if self.wakeup.is_stopping() {
            return Some(Pause::Stopping);
        }
        let over = matches!(playing, Playing::Contest(id) if self.wakeup.has_contest_changed(id))
            || !self.core.leases.holds(TOURNAMENTS)
            || !self.core.replica.is_in_step()
            || others.end(began, self.core.clock.now(), self.wakeup.has_another_changed(playing));
        over.then_some(Pause::Others)
    }

    /// Sends what is new in a tournament to other servers.
    pub(super) async fn send(&self, tournament: &TournamentId) -> Result<(), Trouble> {
        Ok(self.core.replica.send(tournament).await?)
    }

    /// The same while it is being played. If this server dies, games that were not sent are played again.
    async fn send_so_far(&self, tournament: &TournamentId) {
        if let Err(error) = self.send(tournament).await {
            warn!(%tournament, cause = with_causes(&error), "other servers do not have the latest games yet");
        }
    }

    /// Plays until the end, or until the turn is over. `watch` is called after each game.
    pub(super) async fn turn(
        &self,
        (playing, tournament): (Playing, &TournamentId),
        mut folder: Folder,
        others: Others,
        mut watch: impl FnMut(&Sight<'_>) + Send + 'static,
    ) -> Result<Turn, Trouble> {
        // Nothing is added to the folder while it is sent: the thread that plays waits for the answer.
        let (ask, mut asked) = mpsc::channel::<oneshot::Sender<()>>(1);
        let run = self.clone();
        let play = move || {
            let clock: &Clock = &run.core.clock;
            let began = clock.now();
            let mut next_send = began + SEND_EVERY;
            let ran = folder.watch_until(run.core.games_at_once(run.threads), |sight| {
                watch(sight);
                if clock.now() >= next_send {
                    let (sent, answer) = oneshot::channel();
                    // Both fail only when the turn is no longer awaited.
                    if ask.blocking_send(sent).is_err() || answer.blocking_recv().is_err() {
                        return ControlFlow::Break(Pause::Stopping);
                    }
                    next_send = clock.now() + SEND_EVERY;
                }
                run.pause(playing, began, others).map_or(ControlFlow::Continue(()), ControlFlow::Break)
            });
            (folder, ran)
        };
        let played = on_a_thread("games", play)?;
        while let Some(sent) = asked.recv().await {
            self.send_so_far(tournament).await;
            let _ = sent.send(());
        }
        match played.await.map_err(unavailable)? {
            (folder, Ok(ControlFlow::Continue(played))) => Ok(Turn::Played(folder, played)),
            (folder, Ok(ControlFlow::Break(pause))) => {
                self.send_so_far(tournament).await;
                Ok(Turn::Paused(pause, folder))
            }
            // Its next round has yet to be drawn.
            (folder, Err(FolderError::Undrawn(_))) => {
                self.send_so_far(tournament).await;
                Ok(Turn::Paused(Pause::Others, folder))
            }
            (_, Err(error)) => Err(error.into()),
        }
    }

    /// Compares what was played with what workers have said since. If they agree, other servers get the rest, and the
    /// index gets the games, each as `indexed` makes it. Otherwise what comes next: some games were taken back and are
    /// played again, or sampled ones are still being compared, for which it [waits](SampleWaits) only so long.
    pub(super) async fn settle(
        &self,
        (tournament, waits): (&TournamentId, &mut SampleWaits),
        folder: Folder,
        indexed: impl Fn(usize, &arena_record::Record) -> IndexedGame,
    ) -> Result<Result<Folder, Next>, Trouble> {
        let store = &self.core.store;
        let is_elsewhere = self.core.games() == Games::Elsewhere;
        let samples = if is_elsewhere { store.samples_awaited(tournament, None).await? } else { 0 };
        if samples > 0 {
            let is_there = store.samples_awaited(tournament, Some(WORKER_THERE_SECONDS)).await? > 0;
            if waits.waits(tournament, is_there, self.core.clock.now()) {
                return Ok(Err(Next::Wait(Some(self.core.now().0 + SAMPLES_SECONDS))));
            }
        }
        match Reconciled::of(store, tournament, &folder, self.core.games()).await? {
            Reconciled::Whole => {}
            Reconciled::Open(games) => return Err(Trouble::Undecided { games }),
            Reconciled::Wrong(hashes) => {
                waits.forget(tournament);
                self.core.replica.doubt(tournament).await;
                let games = hashes.reconcile(store, tournament, folder).await?;
                warn!(%tournament, games, "games are played again: what workers said of some does not stand");
                return Ok(Err(Next::Step));
            }
        }
        if samples > 0 {
            warn!(%tournament, games = samples, "sampled games are not compared: no other worker has played them");
        }
        // Before the queue forgets its games and before others find them in the index.
        self.send(tournament).await?;
        let games = folder.records().map(|record| record.map(|(number, record)| indexed(number, &record)));
        let games = games.collect::<Result<Vec<_>, _>>()?;
        store.reindex(tournament, &games).await?;
        // Last: what the queue still knows is settled again after a restart.
        store.forget_games(tournament).await?;
        waits.forget(tournament);
        Ok(Ok(folder))
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_turn_ends_when_its_time_is_over_and_another_has_something_to_do() {
        let clock = Clock::manual(Duration::ZERO);
        let began = clock.now();
        let (for_changes, for_editions) = STANDING_TURNS;
        let second = Duration::from_secs(1);
        // Whether others wait, when one is due, whether one has changed, and how long the turn lasts.
        for (wait, due, changed, expected) in [
            (false, None, false, None),
            (true, None, false, Some(for_editions)),
            (false, None, true, Some(for_changes)),
            (false, Some(second), false, Some(for_changes)),
            (true, Some(2 * for_changes), false, Some(2 * for_changes)),
            (true, Some(2 * for_editions), false, Some(for_editions)),
            (false, Some(2 * for_editions), false, Some(2 * for_editions)),
        ] {
            let others = Others { wait, due: due.map(|due| began + due) };
            let mut lengths = (0..100).map(|seconds| second * seconds);
            let ended = lengths.find(|lasted| others.end(began, began + *lasted, changed));
            assert_eq!(ended, expected, "{others:?}, changed: {changed}");
        }
    }
}
