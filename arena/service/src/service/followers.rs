//! What the parts of the service do with what is written and said at other servers.

use std::sync::Arc;

use arena_store::{ContestId, Notifications, StoreError, Topic};

use super::Inner;
use crate::servers::{Heard, Listener, follow};

impl Inner {
    /// Follows until the service stops, from the news with this number on.
    pub(super) fn follow(self: &Arc<Self>, notifications: Notifications, seen: Option<u64>) {
        let (core, weak) = (&self.core, Arc::downgrade(self));
        let (clock, room_time) = (core.clock.clone(), core.room_time.clone());
        let (store, stopping) = (core.store.clone(), core.stopping.clone());
        let hear = move |heard| {
            let inner = weak.clone();
            async move {
                match inner.upgrade() {
                    Some(inner) => inner.hear(heard).await,
                    None => Ok(()),
                }
            }
        };
        core.tasks.spawn(follow(Listener { store, clock, room_time, stopping, notifications, seen }, hear));
    }

    /// Takes in what was heard.
    async fn hear(&self, heard: Heard) -> Result<(), StoreError> {
        match heard {
            Heard::News(Topic::Room(id, seq)) => self.rooms.notified(&id, Some(seq)).await?,
            Heard::News(Topic::RoomFinished(id)) => self.rooms.notified(&id, None).await?,
            Heard::News(Topic::World(name)) => self.worlds.notified(&name).await,
            Heard::News(Topic::Bots) => self.bots(),
            Heard::News(Topic::Contest(id)) => self.contest(id),
            Heard::Everything => self.everything().await?,
            Heard::Message(sent) => {
                self.rooms.receive(&sent).await;
                self.worlds.receive(&sent).await;
                self.core.messages.applied(&sent);
            }
            Heard::Time => self.rooms.send_presence().await,
        }
        Ok(())
    }

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
        arena_wire::GAMES.iter().for_each(|game| self.standing.wakeup().game_changed(game));
    }

    fn contest(&self, id: ContestId) {
        self.contests.changed(id);
    }
}
