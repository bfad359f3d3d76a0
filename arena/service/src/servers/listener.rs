//! Hears what other servers write and say.

use std::mem;
use std::sync::Arc;

use arena_clock::Clock;
use arena_store::{News, Notifications, Sent, ServerMessage, Store, StoreError, Topic};
use tokio::sync::broadcast::error::RecvError;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::error_chain::with_causes;
use crate::limits::{HERE_EVERY, NEWS_EVERY};
use crate::room_time::RoomTime;

/// What a server hears.
pub(crate) enum Heard {
    /// A server wrote something about this.
    News(Topic),
    /// Some news were missed: anything may have been written.
    Everything,
    /// A server sent this.
    Message(Arc<Sent>),
    /// It is time to say who is present here.
    Time,
}

/// Hears news and messages.
pub(crate) struct Listener {
    pub(crate) store: Arc<Store>,
    pub(crate) clock: Clock,
    /// Stands still while the store is not there: servers that share it refuse turns at the same time.
    pub(crate) room_time: RoomTime,
    pub(crate) stopping: CancellationToken,
    pub(crate) notifications: Notifications,
    /// The number of the last news that was taken in; `None` if news could not be read yet.
    pub(crate) seen: Option<u64>,
}

/// Hands on what is written and said until the service stops: when the store rings, and at intervals, because a ring
/// may be missed. News that cannot be taken in come again.
pub(crate) async fn follow<F>(mut listener: Listener, hear: impl Fn(Heard) -> F)
where
    F: Future<Output = Result<(), StoreError>>,
{
    let clock = listener.clock.clone();
    let (mut trouble, mut knows_other_release) = (false, false);
    let mut here = clock.interval(HERE_EVERY);
    loop {
        // Before asking, so that a ring that comes meanwhile is not lost.
        listener.notifications.news.mark_unchanged();
        match listener.look(&hear).await {
            Ok(()) => trouble = false,
            Err(error) => {
                listener.room_time.refused(listener.room_time.now(), &error);
                if !trouble {
                    warn!(cause = with_causes(&error), "cannot follow what other servers write");
                }
                trouble = true;
            }
        }
        let again = clock.sleep(NEWS_EVERY);
        tokio::pin!(again);
        let Notifications { news, messages, .. } = &mut listener.notifications;
        loop {
            let heard = tokio::select! {
                () = listener.stopping.cancelled() => return,
                Ok(()) = news.changed(), if !trouble => break,
                () = &mut again => break,
                _ = here.tick(), if !trouble => Heard::Time,
                heard = messages.recv() => match heard {
                    Ok(sent) => {
                        if sent.message == ServerMessage::Unknown && !mem::replace(&mut knows_other_release, true) {
                            warn!("another server sends messages that this release does not know; they are counted");
                        }
                        Heard::Message(sent)
                    }
                    Err(RecvError::Lagged(_)) => continue,
                    Err(RecvError::Closed) => return,
                },
            };
            if let Err(error) = hear(heard).await {
                warn!(cause = with_causes(&error), "cannot do what another server said");
            }
        }
    }
}

impl Listener {
    async fn look<F>(&mut self, hear: &impl Fn(Heard) -> F) -> Result<(), StoreError>
    where
        F: Future<Output = Result<(), StoreError>>,
    {
        let News { last, topics, missed } = self.store.news_after(self.seen).await?;
        if missed || self.seen.is_none() {
            hear(Heard::Everything).await?;
        } else {
            for topic in topics {
                hear(Heard::News(topic)).await?;
            }
        }
        self.seen = Some(last);
        Ok(())
    }
}
