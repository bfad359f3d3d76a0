//! What servers that share a store need from each other: which of them has which duty, and news of what others wrote.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use arena_rooms::RoomId;
use tokio::sync::{broadcast, watch};

use crate::message::Sent;
use crate::{ContestId, WorldName};

/// News that a server gets at once. A server that is further behind must look at everything.
pub const NEWS_AT_ONCE_MAX: usize = 1_000;

/// News that are kept: some minutes of a busy site.
pub const NEWS_KEPT: u64 = 20_000;

/// Bytes of a duty's name.
pub const DUTY_BYTES_MAX: usize = 80;

/// The subject of a write.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Topic {
    /// A room's log has an event at this place, its latest.
    Room(RoomId, u32),
    /// A room is finished.
    RoomFinished(RoomId),
    /// A world's log has more lines.
    World(WorldName),
    /// Bots, their versions or accounts have changed.
    Bots,
    /// The log of an account's tournament has more events.
    Contest(ContestId),
}

/// What was written since the last look.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct News {
    /// The number of the last news here, for the next call.
    pub last: u64,
    /// The subjects, each once; a room with its latest place.
    pub topics: BTreeSet<Topic>,
    /// Whether some news are missing: then anything may have been written.
    pub missed: bool,
}

/// The notifications that a server listens for.
#[derive(Debug)]
pub struct Notifications {
    /// There may be news. A ring may be missed, so news should be asked for at intervals, too.
    pub news: watch::Receiver<()>,
    /// Games may have results.
    pub ended: watch::Receiver<()>,
    /// Messages between servers, this one's too. They are not stored, and may be lost.
    pub messages: broadcast::Receiver<Arc<Sent>>,
}

/// The sending ends of the notifications.
#[derive(Debug)]
pub(crate) struct Notifiers {
    pub(crate) news: watch::Sender<()>,
    pub(crate) ended: watch::Sender<()>,
    pub(crate) messages: broadcast::Sender<Arc<Sent>>,
    /// Messages that were not read, because they have another release's form.
    pub(crate) unread: AtomicU64,
}

/// Messages that a slow listener may have waiting.
const MESSAGES_WAITING_MAX: usize = 1_024;

impl Default for Notifiers {
    fn default() -> Notifiers {
        let notifier = || watch::Sender::new(());
        Notifiers {
            news: notifier(),
            ended: notifier(),
            messages: broadcast::Sender::new(MESSAGES_WAITING_MAX),
            unread: AtomicU64::new(0),
        }
    }
}

impl Notifiers {
    pub(crate) fn notifications(&self) -> Notifications {
        let Notifiers { news, ended, messages, .. } = self;
        Notifications { news: news.subscribe(), ended: ended.subscribe(), messages: messages.subscribe() }
    }

    /// Reads a message and hands it to everybody who listens. One of another release is
    /// [unknown](crate::ServerMessage::Unknown), and counted.
    pub(crate) fn receive(&self, text: &str) {
        let sent = Sent::read(text).unwrap_or_else(|| {
            self.unread.fetch_add(1, Ordering::Relaxed);
            Sent::unknown()
        });
        // Fails if nobody listens.
        drop(self.messages.send(Arc::new(sent)));
    }

    /// Announces everything that may have been missed.
    pub(crate) fn ring(&self) {
        [&self.news, &self.ended].into_iter().for_each(|notifier| notifier.send_replace(()));
    }
}

/// Parses a topic from a row; `None` if it is a later release's.
pub(crate) fn topic(text: &str) -> Option<Topic> {
    let mut words = text.split(' ');
    let topic = match (words.next()?, words.next(), words.next()) {
        ("room", Some(id), Some(seq)) => Topic::Room(id.parse().ok()?, seq.parse().ok()?),
        ("finished", Some(id), None) => Topic::RoomFinished(id.parse().ok()?),
        ("world", Some(name), None) => Topic::World(WorldName::parse(name).ok()?),
        ("bots", None, None) => Topic::Bots,
        ("contest", Some(id), None) => Topic::Contest(ContestId(id.parse().ok()?)),
        _ => return None,
    };
    Some(topic)
}

/// Adds a topic; for a room only the latest place is kept.
pub(crate) fn add(topics: &mut BTreeSet<Topic>, topic: Topic) {
    if let Topic::Room(id, seq) = topic {
        let own = topics.range(Topic::Room(id, 0)..=Topic::Room(id, u32::MAX)).next().cloned();
        match own {
            Some(Topic::Room(_, there)) if there >= seq => return,
            Some(earlier) => drop(topics.remove(&earlier)),
            None => {}
        }
    }
    topics.insert(topic);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_room_the_latest_place_is_news_and_what_a_later_release_tells_is_none() {
        let (one, two) = (format!("{:032x}", 1), format!("{:032x}", 2));
        let mut topics = BTreeSet::new();
        for text in [
            format!("room {one} 3"),
            format!("room {two} 1"),
            format!("room {one} 5"),
            format!("room {one} 4"),
            format!("finished {one}"),
            "bots".into(),
            "contest 7".into(),
            "world eden".into(),
            "weather fair".into(),
            "bots 3".into(),
        ] {
            if let Some(topic) = topic(&text) {
                add(&mut topics, topic);
            }
        }
        let room = |text: &str| -> RoomId { text.parse().expect("an id") };
        let expected = [
            Topic::Room(room(&one), 5),
            Topic::Room(room(&two), 1),
            Topic::RoomFinished(room(&one)),
            Topic::World(WorldName::parse("eden").expect("a name")),
            Topic::Bots,
            Topic::Contest(ContestId(7)),
        ];
        assert_eq!(topics, BTreeSet::from(expected));
    }
}
