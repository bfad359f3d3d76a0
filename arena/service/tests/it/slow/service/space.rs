//! A disk that is nearly full: what is there goes on, and nothing new begins.

use std::sync::Arc;

use arena_service::Service;
use arena_service::contests::{Admission, ContestTerms, NewContest};
use arena_store::{AccountId, Limits, Store};
use arena_tournaments::FormKeys;

use super::standing::place_with_a_bot;
use super::{FIRST, Place, bot_name, until, until_settled};

/// A service whose disk has less free space than it must have.
async fn open_below_the_floor(place: &Place) -> Service {
    let limits = Limits { free_disk_bytes_min: u64::MAX, ..Limits::DEFAULT };
    let store: Arc<Store> = Arc::new(Store::open_with(&place.data(), limits).await.expect("a store"));
    place.open_over(store, env!("CARGO_BIN_EXE_service-test-worker").into(), 4).await
}

#[tokio::test(flavor = "multi_thread")]
async fn editions_and_tournaments_wait_for_their_start_while_the_disk_is_nearly_full() {
    let place = place_with_a_bot().await;
    let service = open_below_the_floor(&place).await;
    let waiting = until(service.standing().watch(FIRST), |standing| standing.trouble.is_some()).await;
    let said = waiting.trouble.clone().expect("a sentence");
    assert!(said.contains("no space for anything new"), "{said}");
    assert!(waiting.waiting && waiting.playing.is_none() && !place.edition(1).exists(), "nothing has begun");
    service.close().await;

    let service = place.open().await;
    assert_eq!(until_settled(&service).await.number, 1, "there is space again");
    let (owner, definition) =
        (AccountId(1), "name = \"cup\"\npairs = 1\n[[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n");
    let (terms, named) = ContestTerms::parse(FormKeys::default(), definition).expect("terms");
    let new = NewContest {
        owner,
        terms,
        named,
        bots: vec![bot_name("mason")],
        rule: Admission::Open,
        places: Some(3),
        until: None,
        late: false,
        by_operator: None,
    };
    let id = service.contests().open(new, service.now()).await.expect("opened");
    service.close().await;

    let service = open_below_the_floor(&place).await;
    let shown = until(service.standing().watch(FIRST), |standing| standing.edition.is_some()).await;
    assert_eq!(shown.edition.as_ref().map(|edition| edition.number), Some(1), "it is shown");
    service.contests().start(id, owner, service.now()).await.expect("asked for");
    let waiting = until(service.contests().watch(id), |shown| shown.trouble.is_some()).await;
    assert!(waiting.trouble.expect("a sentence").contains("no space for anything new"));
    assert!(!place.data().join(format!("tournaments/cup-{}", id.0)).exists());
    service.close().await;

    let service = place.open().await;
    until(service.contests().watch(id), |shown| shown.standings.is_some()).await;
    service.close().await;
}
