//! Follows what other servers write and say.

use std::mem;
use std::sync::Arc;

use arena_store::{ContestId, News, Notifications, ServerMessage, StoreError, Topic};
use tokio::sync::broadcast::error::RecvError;
use tracing::warn;

use crate::contests::Contests;
use crate::core::Core;
use crate::error_chain::with_causes;
use crate::judge::Judge;
use crate::limits::{HERE_EVERY, NEWS_EVERY};
use crate::rooms::Rooms;
use crate::wakeup::Wakeup;
use crate::worlds::Worlds;

/// The parts that follow the other servers.
pub(crate) struct Listener {
    pub(crate) core: Arc<Core>,
    pub(crate) rooms: Arc<Rooms>,
    pub(crate) worlds: Arc<Worlds>,
    pub(crate) judge: Arc<Judge>,
    pub(crate) wakeup: Wakeup,
    pub(crate) contests: Contests,
    /// The number of the last news that was taken in; `None` if news could not be read yet.
    pub(crate) seen: Option<u64>,
}

/// Follows what is written until the service stops: when the store rings, and at intervals, because a ring may be
/// missed.
pub(crate) async fn follow(mut listener: Listener, notifications: Notifications) {
    let core = listener.core.clone();
    let Notifications { mut news, mut messages, .. } = notifications;
    let (mut trouble, mut knows_other_release) = (false, false);
    let mut here = core.clock.interval(HERE_EVERY);
    loop {
        // Before asking, so that a ring that comes meanwhile is not lost.
        news.mark_unchanged();
        match listener.look().await {
            Ok(()) => trouble = false,
            Err(error) => {
                if !trouble {
                    warn!(cause = with_causes(&error), "cannot follow what other servers write");
                }
                trouble = true;
            }
        }
        let again = core.clock.sleep(NEWS_EVERY);
        tokio::pin!(again);
        loop {
            tokio::select! {
                () = core.stopping.cancelled() => return,
                Ok(()) = news.changed(), if !trouble => break,
                () = &mut again => break,
                () = here.tick(), if !trouble => listener.rooms.send_presence().await,
                heard = messages.recv() => match heard {
                    Ok(sent) => {
                        if sent.message == ServerMessage::Unknown && !mem::replace(&mut knows_other_release, true) {
                            warn!("another server sends messages that this release does not know; they are counted");
                        }
                        listener.rooms.receive(&sent).await;
                        listener.worlds.receive(&sent).await;
                        core.messages.applied(&sent);
                    }
                    Err(RecvError::Lagged(_)) => {}
                    Err(RecvError::Closed) => return,
                },
            }
        }
    }
}

impl Listener {
    async fn look(&mut self) -> Result<(), StoreError> {
        let News { last, topics, missed } = self.core.store.news_after(self.seen).await?;
        if missed || self.seen.is_none() {
            self.everything().await?;
        } else {
            for topic in topics {
                self.receive(topic).await?;
            }
        }
        self.seen = Some(last);
        Ok(())
    }

    async fn receive(&self, topic: Topic) -> Result<(), StoreError> {
        match topic {
            Topic::Room(id, seq) => self.rooms.notified(&id, Some(seq)).await?,
            Topic::RoomFinished(id) => self.rooms.notified(&id, None).await?,
            Topic::World(name) => self.worlds.notified(&name).await,
            Topic::Bots => self.bots(),
            Topic::Contest(id) => self.contest(id),
        }
        Ok(())
    }

    /// Takes in everything, because some news were missed and anything may have changed.
    async fn everything(&self) -> Result<(), StoreError> {
        self.rooms.resume().await?;
        self.rooms.heard_all().await?;
        for name in self.core.store.worlds().await? {
            self.worlds.notified(&name).await;
        }
        self.bots();
        for id in self.core.store.contests_under_way().await? {
            self.contest(id);
        }
        Ok(())
    }

    fn bots(&self) {
        self.judge.notified();
        arena_wire::GAMES.iter().for_each(|game| self.wakeup.game_changed(game));
    }

    fn contest(&self, id: ContestId) {
        self.contests.changed(id);
    }
}
