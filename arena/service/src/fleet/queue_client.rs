//! The task that talks to the queue on behalf of all threads that wait for games.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use arena_clock::{Clock, Instant};
use arena_record::{EntrantId, Hex};
use arena_store::{AskedGame, GameEnd, QueueError, Store, TournamentId, WorkerName};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tracing::{error, warn};

use super::poll_state::{PollState, Question};
use super::volunteers::Share;
use crate::error_chain::with_causes;
use crate::limits::{QUEUE_ASK_AGAIN, QUEUE_LOOKS, QUEUE_PAUSES, QUEUE_SILENCE, pause};
use crate::random::Random;

/// A request to the queue.
pub(super) enum Request {
    /// Keep the bytes of a bot.
    Keep(TournamentId, EntrantId, Arc<[u8]>),
    /// Play a game; the sender takes its result.
    Play(TournamentId, AskedGame, oneshot::Sender<GameEnd>),
    /// Quarantine a worker, for a reason, before anything else.
    Quarantine(WorkerName, String),
}

/// Sends requests to the task. Cheap to clone.
#[derive(Clone)]
pub(crate) struct QueueClient(mpsc::UnboundedSender<Request>);

impl QueueClient {
    /// Starts the task. It ends when the arena stops, and then the senders of waiting threads are dropped.
    pub(crate) fn start(store: Arc<Store>, clock: Clock, random: Random, stopping: CancellationToken) -> QueueClient {
        let (queue, requests) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut task = QueueTask {
                store,
                clock,
                random,
                requests,
                kept: VecDeque::new(),
                wrong: VecDeque::new(),
                poll: PollState::default(),
                answers: BTreeMap::new(),
            };
            tokio::select! {
                () = task.work() => {}
                () = stopping.cancelled() => {}
            }
        });
        QueueClient(queue)
    }

    /// Sends a request; whether the task still takes it.
    pub(super) fn send(&self, request: Request) -> bool {
        self.0.send(request).is_ok()
    }
}

struct QueueTask {
    store: Arc<Store>,
    clock: Clock,
    random: Random,
    /// Unbounded, but holds at most two requests for each waiting thread and one for each bot of a tournament.
    requests: mpsc::UnboundedReceiver<Request>,
    /// Bytes to be sent to the queue before games are asked for.
    kept: VecDeque<(TournamentId, EntrantId, Arc<[u8]>)>,
    /// Workers to be quarantined, and why: what they submitted is taken back before it is looked for.
    wrong: VecDeque<(WorkerName, String)>,
    poll: PollState,
    answers: BTreeMap<(TournamentId, Hex<32>), Vec<oneshot::Sender<GameEnd>>>,
}

impl QueueTask {
    async fn work(&mut self) {
        let mut ended = self.store.notifications().ended;
        let (mut failures, mut heard_at, mut asked_at) = (0, self.clock.now(), self.clock.now());
        loop {
            if self.poll.is_idle() && self.kept.is_empty() && self.wrong.is_empty() {
                let Some(request) = self.requests.recv().await else { return };
                self.take(request);
                (heard_at, asked_at) = (self.clock.now(), self.clock.now());
            }
            while let Ok(request) = self.requests.try_recv() {
                self.take(request);
            }
            // Before asking, so that a ring that comes meanwhile is not lost.
            ended.mark_unchanged();
            match self.ask(&mut heard_at).await {
                Ok(true) => failures = 0,
                Ok(false) => {
                    failures = 0;
                    if self.clock.since(heard_at) > QUEUE_SILENCE {
                        warn!("games wait and nobody plays them: is an `arena worker` running?");
                        heard_at = self.clock.now();
                    }
                    if self.clock.since(asked_at) > QUEUE_ASK_AGAIN {
                        self.poll.ask_again();
                        asked_at = self.clock.now();
                    }
                    // A new request interrupts the rest, and so does a ring of the store for games that ended.
                    tokio::select! {
                        Some(request) = self.requests.recv() => self.take(request),
                        Ok(()) = ended.changed() => {}
                        () = self.clock.sleep(QUEUE_LOOKS) => {}
                    }
                }
                Err(error) => {
                    failures += 1;
                    error!(cause = with_causes(&error), "the queue of games does not answer");
                    self.clock.sleep(pause(QUEUE_PAUSES, failures)).await;
                }
            }
        }
    }

    fn take(&mut self, request: Request) {
        match request {
            Request::Keep(tournament, entrant, bytes) => self.kept.push_back((tournament, entrant, bytes)),
            Request::Quarantine(worker, reason) => self.wrong.push_back((worker, reason)),
            Request::Play(tournament, game, answer) => {
                self.answers.entry((tournament.clone(), game.key)).or_default().push(answer);
                // If the system has no random bytes, everything is compared.
                let drawn = self.random.bytes("sampled games").map(u64::from_le_bytes);
                let is_sampled = drawn.map_or(true, |drawn| Share::OWN.falls_on(drawn));
                self.poll.want(tournament, AskedGame { is_sampled, ..game });
            }
        }
    }

    /// Asks one question; whether there are more.
    async fn ask(&mut self, heard_at: &mut Instant) -> Result<bool, QueueError> {
        if let Some((worker, reason)) = self.wrong.pop_front() {
            // Its game is asked for again, and its result is found wrong again.
            if let Err(error) = self.store.quarantine(&worker, &reason).await {
                warn!(cause = with_causes(&error), %worker, "cannot quarantine a worker yet");
            }
            return Ok(true);
        }
        if let Some((tournament, entrant, bytes)) = self.kept.front() {
            self.store.keep_for_queue(tournament, entrant, bytes).await?;
            self.kept.pop_front();
            return Ok(true);
        }
        match self.poll.question() {
            Question::Ask(tournament, games) => {
                self.store.ask_games(&tournament, &games).await?;
                self.poll.asked(&tournament, &games);
            }
            Question::Look(tournament, keys) => {
                let ends = self.store.ends(&tournament, &keys).await?;
                for end in self.poll.looked(&tournament, &keys, ends) {
                    *heard_at = self.clock.now();
                    for answer in self.answers.remove(&(tournament.clone(), end.key)).unwrap_or_default() {
                        // Fails only if the caller has stopped waiting.
                        let _ = answer.send(end.clone());
                    }
                }
            }
            Question::Rest => return Ok(false),
        }
        Ok(true)
    }
}
