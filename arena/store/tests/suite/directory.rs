//! Who is behind an id, and where its games of a tournament are.

use arena_record::EntrantId;
use arena_store::{IndexedGame, NamedVersion, Page, TournamentId, Verdict};

use super::{GAME, bot_name, fixture, later, refused};

#[tokio::test]
async fn an_id_is_the_bot_that_was_accepted_with_it_first() {
    let fixture = fixture().await;
    let (ann, _) = fixture.account("Ann").await;
    let (bob, _) = fixture.account("Bob").await;
    let entrant = EntrantId::of_bytes(b"module");
    let submit = |account, name: &'static str, seconds| {
        let store = fixture.store.clone();
        async move {
            let submitted = store.submit(account, &bot_name(name), GAME, b"module"[..].into(), later(seconds)).await;
            submitted.expect("taken").version().id
        }
    };
    let copy = submit(bob.id, "copy", 9).await;
    let first = submit(ann.id, "first", 5).await;
    assert_eq!(fixture.store.named(&entrant).await.expect("read"), None);
    fixture.store.set_verdict(copy, Verdict::Accepted).await.expect("judged");
    let name = |name, account| Some(NamedVersion { name: bot_name(name), number: 1, account });
    assert_eq!(fixture.store.named(&entrant).await.expect("read"), name("copy", bob.id));
    fixture.store.set_verdict(first, Verdict::Accepted).await.expect("judged");
    assert_eq!(fixture.store.named(&entrant).await.expect("read"), name("first", ann.id));
    let bad = fixture.submit(ann.id, "bad", "other").await;
    fixture.judge(&bad, refused()).await;
    assert_eq!(fixture.store.named(&EntrantId::of_bytes(b"other")).await.expect("read"), None);
}

#[tokio::test]
async fn the_games_of_an_entrant_in_one_tournament_come_page_by_page() {
    let fixture = fixture().await;
    let (cup, league) = (TournamentId::parse("cup").expect("id"), TournamentId::parse("league").expect("id"));
    let games: Vec<IndexedGame> = (0..12).map(super::games::game).collect();
    fixture.store.reindex(&cup, &games).await.expect("indexed");
    fixture.store.reindex(&league, &games[..4]).await.expect("indexed");
    let rival = EntrantId::of_baseline("bot", 2);
    let expected: Vec<u32> = (0..12).filter(|number| number % 3 == 1).collect();
    let read = |page| fixture.store.games_in(&cup, &rival, page);
    let first = read(Page::first(3)).await.expect("read");
    let rest = read(Page::after(first[2].number, 100)).await.expect("read");
    let all: Vec<u32> = first.iter().chain(&rest).map(|game| game.number).collect();
    assert_eq!((first.len(), all), (3, expected));
    assert!(first.iter().all(|game| game.entrants.values().len() == 2));
}
