//! The task that talks to the queue on behalf of all threads that wait for games.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use arena_clock::{Clock, Instant};
use arena_record::{EntrantId, Hex};
use arena_store::{AskedGame, GameEnd, QueueError, Store, TournamentId};
use tokio::sync::{mpsc, oneshot};
use tokio_util::sync::CancellationToken;
use tracing::{error, warn};

use super::asking::{Asking, Question};
use crate::causes::with_causes;
use crate::limits::{QUEUE_ASK_AGAIN, QUEUE_LOOKS, QUEUE_LOOKS_TOLD, QUEUE_PAUSES, QUEUE_SILENCE, pause};

/// A request to the queue.
pub(super) enum Letter {
    /// Keep the bytes of a bot.
    Keep(TournamentId, EntrantId, Arc<[u8]>),
    /// Play a game; the sender takes its result.
    Play(TournamentId, AskedGame, oneshot::Sender<GameEnd>),
}

/// Sends letters to the task. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Post(mpsc::UnboundedSender<Letter>);

impl Post {
    /// Starts the task. It ends when the arena stops, and then the senders of waiting threads are dropped.
    pub(crate) fn start(store: Arc<dyn Store>, clock: Clock, stopping: CancellationToken) -> Post {
        let (post, letters) = mpsc::unbounded_channel();
        tokio::spawn(async move {
            let mut office = Office {
                store,
                clock,
                letters,
                kept: VecDeque::new(),
                asking: Asking::default(),
                answers: BTreeMap::new(),
            };
            tokio::select! {
                () = office.work() => {}
                () = stopping.cancelled() => {}
            }
        });
        Post(post)
    }

    /// Sends a letter; whether the task still takes it.
    pub(super) fn leave(&self, letter: Letter) -> bool {
        self.0.send(letter).is_ok()
    }
}

struct Office {
    store: Arc<dyn Store>,
    clock: Clock,
    /// Unbounded, but holds at most one letter for each waiting thread and each bot of a tournament.
    letters: mpsc::UnboundedReceiver<Letter>,
    /// Bytes to be sent to the queue before games are asked for.
    kept: VecDeque<(TournamentId, EntrantId, Arc<[u8]>)>,
    asking: Asking,
    answers: BTreeMap<(TournamentId, Hex<32>), Vec<oneshot::Sender<GameEnd>>>,
}

impl Office {
    async fn work(&mut self) {
        let mut ended = self.store.bells().ended;
        let (mut failures, mut heard_at, mut asked_at) = (0, self.clock.now(), self.clock.now());
        loop {
            if self.asking.is_idle() && self.kept.is_empty() {
                let Some(letter) = self.letters.recv().await else { return };
                self.take(letter);
                (heard_at, asked_at) = (self.clock.now(), self.clock.now());
            }
            while let Ok(letter) = self.letters.try_recv() {
                self.take(letter);
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
                        self.asking.ask_again();
                        asked_at = self.clock.now();
                    }
                    // A new letter interrupts the rest, and so does a ring of the store for games that ended.
                    let looks = if self.store.is_shared() { QUEUE_LOOKS_TOLD } else { QUEUE_LOOKS };
                    tokio::select! {
                        Some(letter) = self.letters.recv() => self.take(letter),
                        Ok(()) = ended.changed() => {}
                        () = self.clock.sleep(looks) => {}
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

    fn take(&mut self, letter: Letter) {
        match letter {
            Letter::Keep(tournament, entrant, bytes) => self.kept.push_back((tournament, entrant, bytes)),
            Letter::Play(tournament, game, answer) => {
                self.answers.entry((tournament.clone(), game.key)).or_default().push(answer);
                self.asking.want(tournament, game);
            }
        }
    }

    /// Asks one question; whether there are more.
    async fn ask(&mut self, heard_at: &mut Instant) -> Result<bool, QueueError> {
        if let Some((tournament, entrant, bytes)) = self.kept.front() {
            self.store.keep_for_queue(tournament, entrant, bytes).await?;
            self.kept.pop_front();
            return Ok(true);
        }
        match self.asking.question() {
            Question::Ask(tournament, games) => {
                self.store.ask_games(&tournament, &games).await?;
                self.asking.asked(&tournament, &games);
            }
            Question::Look(tournament, keys) => {
                let ends = self.store.ends(&tournament, &keys).await?;
                for end in self.asking.looked(&tournament, &keys, ends) {
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
