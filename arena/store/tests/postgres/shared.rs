//! Several processes over one database: nothing rests on there being one writer, and a server that goes away loses nothing.

use std::collections::BTreeSet;
use std::sync::Arc;

use arena_store::{Limits, Page, RoomError, Store, StoreError};

use crate::cluster::Cluster;
use crate::suite::{GAME, NOW, TERMS, bot_name, bytes, display, room_id};
use crate::{fresh, open_at};

/// Stores that do not know of each other, as those of several processes.
async fn stores(url: &str, count: usize, limits: Limits) -> Vec<Arc<dyn Store>> {
    let mut stores = Vec::new();
    for _ in 0..count {
        stores.push(open_at(url, limits).await);
    }
    stores
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn limits_and_places_hold_for_processes_that_share_a_database() {
    let limits = Limits {
        accounts_max: 5,
        versions_per_bot_per_day_max: 9,
        open_rooms_max: 3,
        wait_ms_max: 60_000,
        ..Limits::DEFAULT
    };
    let url = fresh().await;
    let stores = stores(&url, 3, limits).await;
    let (owner, _) = stores[0].create_account(&display("Ada"), NOW).await.expect("an account");
    let room = room_id(0);
    stores[0].create_room(&room, "start", &TERMS, NOW).await.expect("a room");
    let callers = (0..12_u8).map(|caller| {
        let store = stores[usize::from(caller) % 3].clone();
        tokio::spawn(async move {
            let account = store.create_account(&display(&format!("player {caller}")), NOW).await.is_ok();
            let content = bytes(&caller.to_string());
            let submitted = store.submit(owner.id, &bot_name("racer"), GAME, content, NOW).await;
            let number = submitted.ok().map(|submission| submission.version().id.number);
            let opened = store.create_room(&room_id(1 + u128::from(caller)), "start", &TERMS, NOW).await.is_ok();
            let mut places = 0;
            for seq in 1..10 {
                match store.append(&room, seq, &format!("{caller} at {seq}"), NOW).await {
                    Ok(_) => places += 1,
                    Err(RoomError::Taken) => {}
                    Err(error) => panic!("{error:?}"),
                }
            }
            (account, number, opened, places)
        })
    });
    let callers: Vec<_> = callers.collect();
    let (mut accounts, mut numbers, mut rooms, mut places) = (1, Vec::new(), 1, 0);
    for caller in callers {
        let (account, number, opened, appended) = caller.await.expect("no panic");
        accounts += u32::from(account);
        numbers.extend(number);
        rooms += u32::from(opened);
        places += appended;
    }
    numbers.sort_unstable();
    assert_eq!((accounts, rooms, places), (5, 3, 9));
    assert_eq!(numbers, (1..=9).collect::<Vec<u32>>());
    for store in stores {
        assert_eq!(store.room(&room).await.expect("read").expect("the room").events.len(), 10);
        assert_eq!(store.problems().await.expect("readable"), [""; 0]);
    }
}

/// How often the server is killed as a power cut would.
const CRASHES: u32 = 3;

/// A server of its own, whose disk is waited for.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_survives_a_server_that_dies_and_comes_back() {
    let cluster = tokio::task::spawn_blocking(|| Cluster::start("-c fsync=on -c full_page_writes=on"));
    let cluster = Arc::new(cluster.await.expect("a server"));
    let url = cluster.database(None);
    let store = open_at(&url, Limits { wait_ms_max: 500, ..Limits::DEFAULT }).await;
    let room = room_id(1);
    store.create_room(&room, "start", &TERMS, NOW).await.expect("a room");
    let (mut seq, mut refused) = (1, 0);
    for crash in 0..CRASHES {
        let dies = cluster.clone();
        let restart = tokio::task::spawn_blocking(move || dies.crash_and_restart());
        let until = seq + 5 + crash;
        while seq < until || !restart.is_finished() {
            // As a client does that was told to try again: whatever became of the call before, the event is there once.
            match store.append(&room, seq, &format!("event {seq}"), NOW).await {
                Ok(_) => seq += 1,
                Err(RoomError::Store(StoreError::Unavailable(_))) => refused += 1,
                Err(error) => panic!("{error:?}"),
            }
        }
        restart.await.expect("it comes back");
    }
    assert!(refused > 0, "the server was never missed");
    let events = store.room(&room).await.expect("read").expect("the room").events;
    assert_eq!(events.len() as u32, seq);
    assert_eq!(events.iter().collect::<BTreeSet<_>>().len(), events.len(), "an event is there twice");
    assert_eq!(store.open_rooms(Page::first(10)).await.expect("read"), [room]);
    assert_eq!(store.problems().await.expect("readable"), [""; 0]);
}
