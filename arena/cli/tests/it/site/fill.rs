//! A folder of data whose budget for finished rooms is used up: what ends from then on takes the place of what ended
//! first.

use std::path::Path;
use std::sync::Arc;

use arena_record::Hex;
use arena_rooms::{EVENT_BYTES_MAX, PersonId, RoomId};
use arena_store::{Limits, RoomTerms, Store, UnixSeconds};
use tokio::task::JoinSet;

/// Events of a room that fills the budget: a megabyte.
const ROOM_EVENTS: u64 = 100;
/// Rooms that are filled at once: their events share transactions.
const ROOMS_AT_ONCE: u64 = 64;

pub(crate) async fn fill(data: &Path) {
    let store = Arc::new(Store::open(data).await.unwrap());
    let rooms = Limits::DEFAULT.finished_room_bytes_max / (EVENT_BYTES_MAX as u64 * ROOM_EVENTS);
    let mut filling = JoinSet::new();
    for number in 0..rooms {
        if number >= ROOMS_AT_ONCE {
            filling.join_next().await.unwrap().unwrap();
        }
        let store = store.clone();
        filling.spawn(async move {
            let (id, event) = (RoomId(Hex(u128::from(number).to_be_bytes())), "x".repeat(EVENT_BYTES_MAX));
            // Of an owner of its own: a person has so many open rooms.
            let owner = PersonId(Hex(number.to_be_bytes()));
            let terms = RoomTerms { owner, silence_seconds_max: 1 };
            store.create_room(&id, &event, &terms, UnixSeconds(0)).await.unwrap();
            for seq in 1..ROOM_EVENTS {
                store.append(&id, seq as u32, &event, UnixSeconds(0)).await.unwrap();
            }
            store.finish_room(&id, &[], UnixSeconds(number as i64)).await.unwrap();
        });
    }
    while let Some(filled) = filling.join_next().await {
        filled.unwrap();
    }
    store.close().await;
}
