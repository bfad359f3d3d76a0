//! A client that goes away drops the future of its request at any point.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::task::Poll;

use arena_store::{Appended, Limits};

use super::open_in;
use super::suite::{GAME, NOW, TERMS, bot_name, bytes, display, room_id};

/// Polls `future` at most so many times; `None` when it is dropped before it is done.
async fn polled<T>(times: usize, future: impl Future<Output = T>) -> Option<T> {
    let mut future = pin!(future);
    let mut left = times;
    poll_fn(|context| {
        if left == 0 {
            return Poll::Ready(None);
        }
        left -= 1;
        future.as_mut().poll(context).map(Some)
    })
    .await
}

#[tokio::test]
async fn a_dropped_write_is_done_or_not_and_stops_nobody() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open_in(&folder, Limits { pending_per_account_max: 100, ..Limits::DEFAULT }).await;
    let (ada, _) = store.create_account(&display("Ada"), NOW).await.expect("an account");
    let id = room_id(1);
    store.create_room(&id, "start", &TERMS, NOW).await.expect("a room");
    let mut dropped = 0;
    for seq in 1..=60 {
        let event = format!("event {seq}");
        let append = store.append(&id, seq, &event, NOW);
        dropped += u32::from(polled(seq as usize % 8, append).await.is_none());
        // The client comes back and asks again. Whatever became of the first time, it is there once.
        let again = store.append(&id, seq, &event, NOW).await.expect("the writer is free");
        assert!(matches!(again, Appended::New | Appended::Already));
    }
    assert!(dropped >= 15, "only {dropped} were dropped");
    let events = store.room(&id).await.expect("read").expect("the room").events;
    assert_eq!(events.len(), 61);
    for times in 0..20 {
        let (name, content) = (bot_name("bot-x"), bytes(&format!("content {times}")));
        polled(times, store.submit(ada.id, &name, GAME, content.clone(), NOW)).await;
        let again = store.submit(ada.id, &name, GAME, content, NOW).await.expect("taken");
        assert_eq!(again.version().id.number, times as u32 + 1);
    }
    assert_eq!(store.problems().await.expect("read"), [""; 0]);
}
