//! Who is behind an id, and where its games of a tournament are.

use std::slice;

use arena_record::EntrantId;
use arena_store::{IndexedGame, NamedVersion, Page, TournamentId, Verdict};

use super::{GAME, bot_name, display, fixture, later, refused};

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
    let read = async |id: &EntrantId| fixture.store.named(slice::from_ref(id)).await.expect("read").remove(id);
    let copy = submit(bob.id, "copy", 9).await;
    let first = submit(ann.id, "first", 5).await;
    assert_eq!(read(&entrant).await, None);
    fixture.store.set_verdict(copy, Verdict::Accepted).await.expect("judged");
    let name = |name, account| Some(NamedVersion { name: bot_name(name), number: 1, account });
    assert_eq!(read(&entrant).await, name("copy", bob.id));
    fixture.store.set_verdict(first, Verdict::Accepted).await.expect("judged");
    assert_eq!(read(&entrant).await, name("first", ann.id));
    let bad = fixture.submit(ann.id, "bad", "other").await;
    fixture.judge(&bad, refused()).await;
    assert_eq!(read(&EntrantId::of_bytes(b"other")).await, None);
}

#[tokio::test]
async fn many_ids_are_named_at_once() {
    let fixture = fixture().await;
    let (ann, _) = fixture.account("Ann").await;
    let mut ids = vec![EntrantId::of_bytes(b"nobody's"), EntrantId::of_baseline("easy", 1)];
    for number in 0..8 {
        let version = fixture.submit(ann.id, &format!("bot-{number}"), &format!("module {number}")).await;
        fixture.judge(&version, if number == 5 { refused() } else { Verdict::Accepted }).await;
        // Twice: an id is one, however often it is asked for.
        ids.extend([version.entrant.clone(), version.entrant]);
    }
    let named = fixture.store.named(&ids).await.expect("read");
    let mut names: Vec<String> = named.values().map(|named| named.name.to_string()).collect();
    names.sort_unstable();
    assert_eq!(names, ["bot-0", "bot-1", "bot-2", "bot-3", "bot-4", "bot-6", "bot-7"]);
    for (id, version) in &named {
        assert_eq!(fixture.store.named(slice::from_ref(id)).await.expect("read").get(id), Some(version));
    }
    assert!(fixture.store.named(&[]).await.expect("read").is_empty());
}

#[tokio::test]
async fn a_bot_is_shown_with_its_owners_name_of_the_moment() {
    let fixture = fixture().await;
    let (ann, _) = fixture.account("Ann").await;
    let version = fixture.submit(ann.id, "bot-x", "module").await;
    fixture.judge(&version, Verdict::Accepted).await;
    for name in ["Ann", "Anna"] {
        fixture.store.rename_account(ann.id, &display(name)).await.expect("free");
        let bot = fixture.store.bot(version.id.bot).await.expect("read").expect("the bot");
        let active = fixture.store.active_bots(Some(GAME), Page::first(9)).await.expect("read");
        assert_eq!((bot.owner.as_str(), active[0].bot.owner.as_str()), (name, name));
    }
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
