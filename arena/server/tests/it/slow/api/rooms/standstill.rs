//! The clocks of people while the site takes no turns.

use std::time::Duration;

use arena_service::{PlayError, Snapshot, person_of_account};
use serde_json::{Value, json};

use crate::client::post_json;
use crate::eventually::{eventually, eventually_shown};
use crate::fixture::NOW;
use crate::slow::api::lobby::{BLOCK, People, turn};

/// More than the ten minutes that each player has.
const LONG: Duration = Duration::from_secs(700);

/// What is left of Ann's time in milliseconds, whose clocks run, and whether they stand still, as a page gets it.
async fn clocks(people: &People) -> (Option<u64>, Value, Value) {
    let told = people.state().await["people"].take();
    (told["left_ms"][0].as_u64(), told["running"].clone(), told["stands_still"].clone())
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_loses_on_time_while_the_site_is_read_only() {
    let people = People::begun().await;
    let clock = &people.fixture.clock;
    let act = async |word: &str| people.fixture.act(json!({ "act": word, "reason": "a test" })).await.status;
    clock.advance(Duration::from_secs(100));
    assert_eq!(clocks(&people).await, (Some(500_000), json!([0]), Value::Null));
    assert_eq!(act("close_changes").await, 200);
    clock.advance(LONG);
    let commands = format!("{}/commands", people.room);
    let refused = people.fixture.ask(post_json(&commands, turn(0, 1, BLOCK)).bearer(&people.ann)).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (503, "read_only"));
    assert_eq!(clocks(&people).await, (Some(500_000), json!([]), json!(true)));
    assert_eq!(act("open_changes").await, 200);
    clock.advance(Duration::from_secs(10));
    assert_eq!(clocks(&people).await, (Some(490_000), json!([0]), Value::Null));
    assert_eq!(people.says(&people.ann, turn(0, 1, BLOCK)).await, "applied");
    assert_eq!(clocks(&people).await, (Some(495_000), json!([1]), Value::Null), "with five seconds for her turn");
    people.fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_loses_on_time_while_the_store_takes_no_turn() {
    let people = People::begun().await;
    let (clock, store) = (&people.fixture.clock, &people.fixture.counted);
    let room = people.fixture.room(&people.room).await;
    let ann = person_of_account(people.fixture.owner(&people.ann).await);
    let left = |shown: &Snapshot| shown.left_ms()[0].expect("her clock");
    clock.advance(Duration::from_secs(100));
    store.fail(true);
    let refused = room.draw(ann, 0, NOW).await;
    assert!(matches!(refused, Err(PlayError::Unavailable(_))), "{refused:?}");
    clock.advance(LONG);
    assert!(room.snapshot().stands_still() && !room.snapshot().over());
    assert_eq!(left(&room.snapshot()), 500_000);
    store.fail(false);
    // The store is asked once a second, from when it was asked last.
    let mut seconds = 0;
    eventually("clocks that run", async || {
        clock.advance(Duration::from_secs(1));
        seconds += 1;
        !room.snapshot().stands_still()
    })
    .await;
    let runs_from = left(&room.snapshot());
    assert!((500_000 - 1_000 * seconds..=500_000).contains(&runs_from), "{runs_from} after {seconds} seconds");
    clock.advance(Duration::from_secs(10));
    assert_eq!(room.draw(ann, 0, NOW).await.map_err(|error| error.to_string()), Ok(()));
    assert_eq!(left(&room.snapshot()), runs_from - 10_000, "from there");
    clock.advance(LONG);
    eventually_shown("the end of her time", room.watch(), Snapshot::over).await;
    people.fixture.end().await;
}
