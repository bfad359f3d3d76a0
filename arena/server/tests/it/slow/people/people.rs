//! `/people`.

use arena_record::{Budgets, EntrantId, ForfeitCode, Hex};
use arena_rooms::{Event, Opened, RoomId, Seated};
use arena_service::person_of_account;
use arena_store::{AccountId, RoomTerms, UnixSeconds};

use crate::client::get;
use crate::fixture::{Fixture, fixture};
use crate::snapshot::assert_snapshot;

/// 2026-09-21T14:13:20Z, before which the rooms ended.
const THEN: i64 = 1_790_000_000;

/// A room in which an account won or lost against `easy`, a minute after it was opened.
pub(crate) async fn played(fixture: &Fixture, number: u8, account: AccountId, won: bool) {
    let (room, person) = (RoomId(Hex([number; 16])), person_of_account(account));
    let opened = Opened {
        format: Default::default(),
        room,
        semantics: "test".into(),
        build: "test".into(),
        ruleset: "conquerors@2".into(),
        options: "chain_needs_home,weighted_majority".into(),
        budgets: Budgets::DEFAULT,
        seed: Hex([number; 32]),
        opponents: Default::default(),
        seats: vec![Seated::Person(person), Seated::Contender(EntrantId::of_baseline("easy", 1))],
        starts: vec![None, None],
        browsers: vec![Some(Hex([number; 32])), None],
        table: None,
    };
    let end = if won {
        Event::Forfeited { ply: None, seat: 1, code: ForfeitCode::Trap, detail: "it failed".into() }
    } else {
        Event::Resigned { ply: 0, seat: 0 }
    };
    let (store, terms) = (&fixture.store, RoomTerms { owner: person, silence_seconds_max: 100 });
    let (begin, over) = (UnixSeconds(THEN - 60), UnixSeconds(THEN));
    store.create_room(&room, &Event::Opened(Box::new(opened)).to_line(), &terms, begin).await.expect("opened");
    store.append(&room, 1, &end.to_line(), over).await.expect("appended");
    store.finish_room(&room, &[], over).await.expect("finished");
}

#[tokio::test(flavor = "multi_thread")]
async fn who_played_is_on_it_by_points_and_sees_the_own_place() {
    let fixture = fixture().await;
    let empty = fixture.ask(get("/people")).await;
    assert!(empty.text.contains("Nobody has a game that counts here yet"), "{}", empty.text);
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    played(&fixture, 1, fixture.owner(&bob).await, false).await;
    played(&fixture, 2, fixture.owner(&ann).await, true).await;
    let page = fixture.ask(get("/people?game=conquerors&month=2026-09").bearer(&bob)).await;
    assert_snapshot("people/people", &page);
    assert!(page.text.contains("You are number 2 of 2, with 0 points."), "{}", page.text);
    let other = fixture.ask(get("/people?game=conquerors&month=2026-08").bearer(&bob)).await;
    assert!(other.text.contains("None of your games counts here yet"), "{}", other.text);
    let spanish = fixture.ask(get("/people?month=all").with("accept-language", "es").bearer(&bob)).await;
    assert!(spanish.text.contains("Tienes el puesto 2 de 2, con 0 puntos."), "{}", spanish.text);
    for (path, status) in [("/people?month=13", 400), ("/people?game=chess", 404), ("/people?x=1", 400)] {
        assert_eq!(fixture.ask(get(path)).await.status, status, "{path}");
    }
    fixture.end().await;
}
