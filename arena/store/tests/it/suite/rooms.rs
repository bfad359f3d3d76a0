//! The logs of rooms.

use arena_rooms::EVENT_BYTES_MAX;
use arena_store::{Appended, Limits, Page, RoomError, RoomState, RoomTerms};

use super::{NOW, TERMS, fixture, fixture_with, later, room_id, terms};

#[tokio::test]
async fn a_log_grows_at_its_end() {
    let fixture = fixture().await;
    let id = fixture.room(1).await;
    assert_eq!(fixture.store.append(&id, 1, "one", NOW).await.expect("appended"), Appended::New);
    assert_eq!(fixture.store.append(&id, 2, "two", NOW).await.expect("appended"), Appended::New);
    assert_eq!(fixture.store.append(&id, 1, "one", NOW).await.expect("harmless"), Appended::Already);
    assert_eq!(fixture.store.append(&id, 0, "start", NOW).await.expect("harmless"), Appended::Already);
    assert!(matches!(fixture.store.append(&id, 1, "other", NOW).await, Err(RoomError::Taken)));
    assert!(matches!(fixture.store.append(&id, 4, "four", NOW).await, Err(RoomError::Gap { next: 3 })));
    assert!(matches!(fixture.store.append(&id, u32::MAX, "far", NOW).await, Err(RoomError::Gap { next: 3 })));
    let nowhere = room_id(9);
    assert!(matches!(fixture.store.append(&nowhere, 0, "start", NOW).await, Err(RoomError::NoSuchRoom)));
    let room = fixture.store.room(&id).await.expect("read").expect("the room");
    assert_eq!((room.state, room.created_at), (RoomState::Open, NOW));
    assert_eq!(room.events, ["start", "one", "two"]);
    assert_eq!(fixture.store.room(&nowhere).await.expect("read"), None);
}

#[tokio::test]
async fn a_room_is_made_once() {
    let fixture = fixture().await;
    let id = fixture.room(1).await;
    fixture.store.append(&id, 1, "one", NOW).await.expect("appended");
    fixture.store.create_room(&id, "start", &TERMS, later(5)).await.expect("the same call again");
    assert!(matches!(fixture.store.create_room(&id, "other", &TERMS, NOW).await, Err(RoomError::RoomExists)));
    assert_eq!(fixture.events(&id).await, ["start", "one"]);
}

#[tokio::test]
async fn a_finished_room_changes_no_more() {
    let fixture = fixture().await;
    let id = fixture.room(1).await;
    fixture.store.append(&id, 1, "one", NOW).await.expect("appended");
    fixture.store.finish_room(&id, &[], later(9)).await.expect("finished");
    fixture.store.finish_room(&id, &[], later(10)).await.expect("the same call again");
    assert!(matches!(fixture.store.append(&id, 2, "two", NOW).await, Err(RoomError::Finished)));
    assert_eq!(fixture.store.append(&id, 1, "one", NOW).await.expect("harmless"), Appended::Already);
    let room = fixture.store.room(&id).await.expect("read").expect("the room");
    assert_eq!(room.state, RoomState::Finished { at: later(9) });
    assert_eq!(room.events, ["start", "one"]);
    let nowhere = room_id(9);
    assert!(matches!(fixture.store.finish_room(&nowhere, &[], NOW).await, Err(RoomError::NoSuchRoom)));
}

#[tokio::test]
async fn open_rooms_are_listed_in_pages() {
    let fixture = fixture().await;
    let mut rooms = Vec::new();
    for number in [5, 1, 4, 2, 3] {
        rooms.push(fixture.room(number).await);
    }
    fixture.store.finish_room(&rooms.remove(2), &[], NOW).await.expect("finished");
    rooms.sort();
    assert_eq!(fixture.store.open_rooms(Page::first(100)).await.expect("read"), rooms);
    assert_eq!(fixture.store.open_rooms(Page::first(2)).await.expect("read"), rooms[..2]);
    assert_eq!(fixture.store.open_rooms(Page::after(rooms[1], 100)).await.expect("read"), rooms[2..]);
}

#[tokio::test]
async fn rooms_have_limits() {
    let limits = Limits { open_rooms_max: 2, events_per_room_max: 3, ..Limits::DEFAULT };
    let fixture = fixture_with(limits).await;
    let (first, _second) = (fixture.room(1).await, fixture.room(2).await);
    let third = room_id(3);
    assert!(matches!(
        fixture.store.create_room(&third, "start", &TERMS, NOW).await,
        Err(RoomError::TooManyRooms { beyond: 0 })
    ));
    let largest = "x".repeat(EVENT_BYTES_MAX);
    fixture.store.append(&first, 1, &largest, NOW).await.expect("the largest");
    let larger = format!("{largest}x");
    assert!(
        matches!(fixture.store.append(&first, 2, &larger, NOW).await, Err(RoomError::EventTooLarge(bytes)) if bytes == EVENT_BYTES_MAX + 1)
    );
    fixture.store.append(&first, 2, "the third", NOW).await.expect("the last");
    assert!(matches!(fixture.store.append(&first, 3, "the fourth", NOW).await, Err(RoomError::TooManyEvents(3))));
    fixture.store.finish_room(&first, &[], NOW).await.expect("finished");
    fixture.store.create_room(&third, "start", &TERMS, NOW).await.expect("there is a place again");
    let fourth = room_id(4);
    assert!(matches!(fixture.store.create_room(&fourth, &larger, &TERMS, NOW).await, Err(RoomError::EventTooLarge(_))));
}

/// TR-001 §4.4 sweeps rooms older than two hours; here a room is closed after two hours of silence, which is what its
/// terms say.
#[tokio::test]
async fn rooms_are_silent_since_their_last_event() {
    let fixture = fixture().await;
    let store = &fixture.store;
    let create = async |number, seconds, terms| {
        let id = room_id(number);
        store.create_room(&id, "start", &terms, later(seconds)).await.expect("a room");
        id
    };
    let (first, second, third) = (create(3, 0, TERMS).await, create(2, 10, TERMS).await, create(1, 20, TERMS).await);
    let patient = create(9, 0, RoomTerms { silence_seconds_max: 1_000, ..TERMS }).await;
    assert_eq!(store.silent_rooms(later(99)).await.expect("read"), []);
    assert_eq!(store.silent_rooms(later(110)).await.expect("read"), [first, second]);
    store.append(&first, 1, "one", later(50)).await.expect("appended");
    assert_eq!(store.append(&second, 0, "start", later(60)).await.expect("harmless"), Appended::Already);
    assert_eq!(store.room(&first).await.expect("read").expect("the room").heard_at, later(50));
    assert_eq!(store.silent_rooms(later(149)).await.expect("read"), [second, third]);
    assert_eq!(store.silent_rooms(later(150)).await.expect("read"), [second, third, first]);
    assert_eq!(store.silent_rooms(later(1_000)).await.expect("read"), [patient, second, third, first]);
    store.finish_room(&patient, &[], later(1)).await.expect("finished");
    for (seconds, quietest) in [(9, None), (10, Some(second)), (500, Some(second))] {
        assert_eq!(store.quietest_room(later(seconds)).await.expect("read"), quietest, "{seconds}");
    }
}

/// TR-001 §4.4 limits open rooms for each client.
#[tokio::test]
async fn a_person_has_so_many_open_rooms_and_no_more() {
    let fixture = fixture_with(Limits { open_rooms_per_owner_max: 2, ..Limits::DEFAULT }).await;
    let create = async |number, owner, seconds| {
        fixture.store.create_room(&room_id(number), "start", &terms(owner), later(seconds)).await
    };
    create(1, 1, 0).await.expect("the first");
    create(2, 1, 30).await.expect("the second");
    create(3, 2, 30).await.expect("another person's");
    let refused = create(4, 1, 60).await;
    assert!(matches!(refused, Err(RoomError::TooManyOfOwner { max: 2, again_in: 40 })), "{refused:?}");
    fixture.store.finish_room(&room_id(2), &[], later(60)).await.expect("finished");
    create(4, 1, 60).await.expect("there is a place again");
}

#[tokio::test]
async fn finished_rooms_have_so_much_space_and_the_oldest_go_first() {
    let fixture = fixture_with(Limits { finished_room_bytes_max: 20, ..Limits::DEFAULT }).await;
    let store = &fixture.store;
    for number in [1, 2, 3] {
        let id = fixture.room(number).await;
        store.append(&id, 1, "three", NOW).await.expect("appended");
    }
    // Ten bytes each; one that is open is never forgotten.
    for (seconds, number, kept) in [(1, 2, [true; 3]), (2, 1, [true; 3]), (3, 3, [true, false, true])] {
        store.finish_room(&room_id(number), &[], later(seconds)).await.expect("finished");
        for (other, kept) in [1, 2, 3].into_iter().zip(kept) {
            let found = store.room(&room_id(other)).await.expect("read").is_some();
            assert_eq!(found, kept, "{other} after {number}");
        }
    }
    assert!(matches!(store.finish_room(&room_id(2), &[], NOW).await, Err(RoomError::NoSuchRoom)));
}

/// Eight writers that all want every place: each place goes to exactly one of them, and each knows which are his.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn every_place_goes_to_exactly_one_writer() {
    const PLACES: u32 = 40;
    let fixture = fixture().await;
    let id = fixture.room(1).await;
    let writers: Vec<_> = (0..8)
        .map(|writer| {
            let (store, id) = (fixture.store.clone(), id);
            tokio::spawn(async move {
                let mut mine = Vec::new();
                for seq in 1..=PLACES {
                    let event = format!("{writer} at {seq}");
                    match store.append(&id, seq, &event, NOW).await {
                        Ok(Appended::New) => mine.push(event),
                        Err(RoomError::Taken) => {}
                        other => panic!("{other:?}"),
                    }
                }
                mine
            })
        })
        .collect();
    let mut acknowledged = Vec::new();
    for writer in writers {
        acknowledged.extend(writer.await.expect("no panic"));
    }
    let mut logged = fixture.events(&id).await.split_off(1);
    assert_eq!(logged.len(), PLACES as usize);
    acknowledged.sort();
    logged.sort();
    assert_eq!(acknowledged, logged);
}

/// The same event from eight senders, as from a client that is not sure: it is in the log once, and all are told that
/// it is there.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn an_event_sent_eight_times_is_there_once() {
    let fixture = fixture().await;
    let id = fixture.room(1).await;
    let senders: Vec<_> = (0..8)
        .map(|_| {
            let (store, id) = (fixture.store.clone(), id);
            tokio::spawn(async move { store.append(&id, 1, "once", NOW).await.expect("there") })
        })
        .collect();
    let mut new = 0;
    for sender in senders {
        new += u32::from(sender.await.expect("no panic") == Appended::New);
    }
    assert_eq!(new, 1);
    assert_eq!(fixture.events(&id).await, ["start", "once"]);
}
