//! What servers that share a store know of each other: who does what only one of them is to do, and what others wrote.

use std::collections::BTreeSet;
use std::fmt;

use arena_record::Hex;
use arena_rooms::RoomId;
use async_trait::async_trait;
use tokio::sync::{broadcast, watch};

use crate::{ContestId, StoreError, WorldName, random_bytes};

/// News that a server hears of at once: who is further behind looks at everything.
pub const NEWS_AT_ONCE_MAX: usize = 1_000;

/// News that are kept: minutes of a busy site.
pub const NEWS_KEPT: u64 = 20_000;

/// Bytes of what a server says to the others: what one notification of PostgreSQL carries.
pub const SAID_BYTES_MAX: usize = 7_900;

/// Bytes of the name of a duty.
pub const DUTY_BYTES_MAX: usize = 80;

/// What a process is known as that has a shared store open: drawn when it opens it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ServerId(pub Hex<16>);

impl ServerId {
    /// A new one.
    pub(crate) fn draw() -> Result<ServerId, StoreError> {
        Ok(ServerId(Hex(random_bytes()?)))
    }
}

impl fmt::Display for ServerId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// What something is about that was written.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Topic {
    /// The log of a room has an event at this place, its latest.
    Room(RoomId, u32),
    /// A room is finished.
    RoomFinished(RoomId),
    /// The log of a world has more lines.
    World(WorldName),
    /// Bots, their versions or accounts are others than before.
    Bots,
    /// The log of an account's tournament has more events.
    Contest(ContestId),
}

/// What was written since somebody looked.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct News {
    /// How far these go: what to ask after next time.
    pub last: u64,
    /// What was written, each once, a room with its latest place.
    pub topics: BTreeSet<Topic>,
    /// Whether there was more than this says: then anything may have been written.
    pub missed: bool,
}

/// What a server listens for.
#[derive(Debug)]
pub struct Bells {
    /// There may be news. Nobody relies on it: it is asked for now and then as well.
    pub news: watch::Receiver<()>,
    /// Games may wait for workers.
    pub asked: watch::Receiver<()>,
    /// Games may have their ends.
    pub ended: watch::Receiver<()>,
    /// What servers say to each other, this one too. Nothing of it is kept, and it may be lost.
    pub said: broadcast::Receiver<String>,
}

/// Servers that share a store.
///
/// A duty is what one of them does at a time: it has it for a lease that ends by the clock of the store, or as soon as the store knows that
/// its process is gone. Nothing rests on leases but that work is not done twice: what two write into one place of a log, only one of them has written.
#[async_trait]
pub trait Shared: Send + Sync + 'static {
    /// Whether other processes may write here, too. Where they do not, there is no news, a duty belongs to its first taker, and
    /// nobody hears what is said.
    fn is_shared(&self) -> bool {
        false
    }

    /// What this process is known as to the others.
    fn server(&self) -> ServerId {
        ServerId(Hex([0; 16]))
    }

    /// What to listen to.
    fn bells(&self) -> Bells {
        Ropes::default().bells()
    }

    /// What was written after the news with this number, or only how far news go, without one.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn news_after(&self, number: Option<u64>) -> Result<News, StoreError> {
        Ok(News { last: number.unwrap_or(0), ..News::default() })
    }

    /// Takes a duty, or keeps it, unless another server that lives has it; whether it is this server's now.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn take_duty(&self, _duty: &str, _lease_ms: u64) -> Result<bool, StoreError> {
        Ok(true)
    }

    /// Prolongs all duties that this server has, and forgets old news; those that it still has.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn keep_duties(&self, _lease_ms: u64) -> Result<BTreeSet<String>, StoreError> {
        Ok(BTreeSet::new())
    }

    /// Leaves a duty to others, or all that this server has.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn leave_duties(&self, _duty: Option<&str>) -> Result<(), StoreError> {
        Ok(())
    }

    /// Says something to all servers that listen, this one too, of at most [`SAID_BYTES_MAX`] bytes; what is longer is not said.
    ///
    /// # Errors
    /// When the store does not do its work.
    async fn say_to_servers(&self, _text: &str) -> Result<(), StoreError> {
        Ok(())
    }
}

/// The other ends of the bells.
#[derive(Debug)]
pub struct Ropes {
    pub(crate) news: watch::Sender<()>,
    pub(crate) asked: watch::Sender<()>,
    pub(crate) ended: watch::Sender<()>,
    pub(crate) said: broadcast::Sender<String>,
}

/// What servers said that one has not heard yet.
const SAID_MAX: usize = 1_024;

impl Default for Ropes {
    fn default() -> Ropes {
        let rope = || watch::Sender::new(());
        Ropes { news: rope(), asked: rope(), ended: rope(), said: broadcast::Sender::new(SAID_MAX) }
    }
}

impl Ropes {
    pub(crate) fn bells(&self) -> Bells {
        let Ropes { news, asked, ended, said } = self;
        Bells { news: news.subscribe(), asked: asked.subscribe(), ended: ended.subscribe(), said: said.subscribe() }
    }

    /// Rings all that may have been missed.
    pub(crate) fn ring(&self) {
        [&self.news, &self.asked, &self.ended].into_iter().for_each(|rope| rope.send_replace(()));
    }
}

/// A topic as a row has it; none of a later release.
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

/// Adds a topic; of a room only the latest place stays.
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
