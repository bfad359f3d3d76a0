//! Events of rooms, written in groups: all that arrive while one transaction is being committed go into the next one.

use arena_rooms::RoomId;
use parking_lot::Mutex;
use tokio::sync::{Mutex as Turns, oneshot};

use super::columns::values;
use super::connection::{Connection, query};
use crate::error::Result;
use crate::policy::room::{AppendView, may_append};
use crate::{Appended, RoomError, RoomState, Store, StoreError, UnixSeconds};

/// The most events of one transaction, which every caller in it waits for.
const TOGETHER_MAX: usize = 256;

type Answer = Result<Appended, RoomError>;

/// Waiting events.
#[derive(Default)]
pub(crate) struct Appends {
    waiting: Mutex<Vec<Waiting>>,
    /// The holder writes the waiting events.
    turn: Turns<()>,
}

/// An event for a place in a room's log.
pub(super) struct Append {
    pub(super) room: RoomId,
    pub(super) seq: u32,
    pub(super) event: String,
    pub(super) now: UnixSeconds,
}

struct Waiting {
    append: Append,
    answer: oneshot::Sender<Answer>,
}

impl Appends {
    fn add(&self, append: Append) -> oneshot::Receiver<Answer> {
        let (answer, answered) = oneshot::channel();
        self.waiting.lock().push(Waiting { append, answer });
        answered
    }

    /// Takes the events that came first.
    fn take(&self) -> Vec<Waiting> {
        let mut waiting = self.waiting.lock();
        let group = waiting.len().min(TOGETHER_MAX);
        waiting.drain(..group).collect()
    }
}

impl Store {
    /// Appends an event, in one transaction with others that wait.
    pub(super) async fn append_with_others(&self, append: Append) -> Answer {
        let mut answered = self.appends.add(append);
        loop {
            tokio::select! {
                biased;
                answer = &mut answered => return answer.unwrap_or_else(|gone| Err(StoreError::Unavailable(gone.into()).into())),
                _turn = self.appends.turn.lock() => self.write(self.appends.take()).await,
            }
        }
    }

    /// Writes these in one transaction. If that fails, writes each in its own, so that a damaged room does not keep
    /// other events off the disk.
    async fn write(&self, group: Vec<Waiting>) {
        let (appends, callers): (Vec<Append>, Vec<_>) = group.into_iter().map(|one| (one.append, one.answer)).unzip();
        let answers = match self.append_all(&appends).await {
            Ok(answers) => answers,
            Err(error) if appends.len() == 1 => vec![Err(error.into())],
            Err(_) => {
                let mut answers = Vec::new();
                for append in appends.chunks(1) {
                    let answer = self.append_all(append).await.map(|mut one| one.pop());
                    answers.extend(answer.unwrap_or_else(|error| Some(Err(error.into()))));
                }
                answers
            }
        };
        for (caller, answer) in callers.into_iter().zip(answers) {
            // Fails only if the caller is gone.
            let _ = caller.send(answer);
        }
    }

    async fn append_all(&self, appends: &[Append]) -> Result<Vec<Answer>> {
        let mut writing = self.writing().await?;
        let mut answers = Vec::with_capacity(appends.len());
        for append in appends {
            answers.push(match self.append_one(&mut writing, append).await {
                Err(RoomError::Store(error)) => return Err(error),
                answer => answer,
            });
        }
        if answers.iter().any(|answer| matches!(answer, Ok(Appended::New))) {
            writing.commit().await?;
        }
        Ok(answers)
    }

    /// Appends one event. A refusal writes nothing.
    async fn append_one(&self, writing: &mut Connection, append: &Append) -> Answer {
        let Append { room, seq, event, now } = append;
        let row: Option<(Option<UnixSeconds>, Option<String>, u32)> = query(
            "select finished_at, (select event from room_events where room = $1 and seq = $2),
                 (select coalesce(max(seq) + 1, 0) from room_events where room = $1)
             from rooms where id = $1",
        )
        .with(values![room, *seq])
        .fetch_optional(writing)
        .await?;
        let view = row.map(|(finished_at, there, next)| {
            let same = there.map(|there| there == *event);
            AppendView { same, is_open: finished_at.is_none(), next }
        });
        if may_append(view, &self.limits, *seq)? == Appended::Already {
            return Ok(Appended::Already);
        }
        insert(writing, room, *seq, event, *now).await?;
        Ok(Appended::New)
    }
}

pub(super) fn state_since(finished_at: Option<UnixSeconds>) -> RoomState {
    finished_at.map_or(RoomState::Open, |at| RoomState::Finished { at })
}

pub(super) async fn insert(
    writing: &mut Connection,
    id: &RoomId,
    seq: u32,
    event: &str,
    now: UnixSeconds,
) -> Result<()> {
    query("update rooms set heard_at = $2, bytes = bytes + $3 where id = $1")
        .with(values![id, now, event.len()])
        .execute(writing)
        .await?;
    query("insert into room_events (room, seq, event) values ($1, $2, $3)")
        .with(values![id, seq, event])
        .execute(writing)
        .await
        .map(drop)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arena_record::Hex;
    use arena_rooms::PersonId;
    use tempfile::{TempDir, tempdir};
    use tokio::task::yield_now;

    use super::*;
    use crate::{RoomTerms, Store};

    const NOW: UnixSeconds = UnixSeconds(1_000);

    /// A store with this many rooms.
    async fn store(rooms: u8) -> (TempDir, Arc<Store>, Vec<RoomId>) {
        let folder = tempdir().expect("a folder");
        let store = Arc::new(Store::open(folder.path()).await.expect("a store"));
        let rooms: Vec<RoomId> = (1..=rooms).map(|id| RoomId(Hex([id; 16]))).collect();
        for (room, id) in rooms.iter().zip(1..) {
            let terms = RoomTerms { owner: PersonId(Hex([id; 8])), silence_seconds_max: 600 };
            store.create_room(room, "{}", &terms, NOW).await.expect("a room");
        }
        (folder, store, rooms)
    }

    /// Appends at all places while another writer is busy; returns the results.
    async fn append<const N: usize>(store: &Arc<Store>, places: [(RoomId, u32); N]) -> [Answer; N] {
        let other = store.writing().await.expect("a writer");
        let appends = places.map(|(room, seq)| {
            let store = store.clone();
            tokio::spawn(async move { store.append(&room, seq, "{}", NOW).await })
        });
        // Lets each of them run until it waits.
        yield_now().await;
        drop(other);
        let mut answers = Vec::new();
        for append in appends {
            answers.push(append.await.expect("no panic"));
        }
        answers.try_into().expect("one for each")
    }

    #[tokio::test]
    async fn what_waits_for_a_writer_is_one_transaction_and_each_has_its_own_answer() {
        let (_folder, store, rooms) = store(2).await;
        let asked = store.asked();
        let [a, b] = rooms[..] else { panic!("two rooms") };
        let answers = append(&store, [(a, 1), (b, 1), (a, 2), (a, 2), (b, 5), (a, 3)]).await;
        let [Ok(Appended::New), Ok(Appended::New), Ok(Appended::New), twice, gap, last] = &answers else {
            panic!("{answers:?}")
        };
        assert!(matches!(twice, Ok(Appended::Already)), "{twice:?}");
        assert!(matches!(gap, Err(RoomError::Gap { next: 2 })), "{gap:?}");
        assert!(matches!(last, Ok(Appended::New)), "{last:?}");
        assert_eq!(store.asked() - asked, 3, "the other's, that of the first to come, and one for all that waited");
        for (room, events) in [(a, 4), (b, 2)] {
            assert_eq!(store.room(&room).await.expect("read").expect("a room").events.len(), events);
        }
    }

    #[tokio::test]
    async fn an_event_of_a_damaged_room_keeps_no_other_from_the_disk() {
        let (_folder, store, rooms) = store(3).await;
        let [first, damaged, whole] = rooms[..] else { panic!("three rooms") };
        let mut writing = store.writing().await.expect("a writer");
        let damage = "insert into room_events (room, seq, event) values ($1, 9223372036854775806, '{}')";
        query(damage).bind(damaged.to_string()).execute(&mut writing).await.expect("damaged");
        writing.commit().await.expect("written");
        let answers = append(&store, [(first, 1), (damaged, 1), (whole, 1)]).await;
        let [Ok(Appended::New), Err(RoomError::Store(StoreError::Damaged(_))), Ok(Appended::New)] = &answers else {
            panic!("{answers:?}")
        };
    }
}
