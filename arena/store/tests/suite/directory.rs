//! Who is behind an id, and where its games of a tournament are.

use arena_record::EntrantId;
use arena_store::{GameResult, IndexedGame, NamedVersion, Page, TournamentId, Verdict, Which};

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
    assert_eq!(fixture.store.named(None, &entrant).await.expect("read"), None);
    fixture.store.set_verdict(copy, Verdict::Accepted).await.expect("judged");
    let name = |name, account| Some(NamedVersion { name: bot_name(name), number: 1, account });
    assert_eq!(fixture.store.named(None, &entrant).await.expect("read"), name("copy", bob.id));
    fixture.store.set_verdict(first, Verdict::Accepted).await.expect("judged");
    assert_eq!(fixture.store.named(None, &entrant).await.expect("read"), name("first", ann.id));
    assert_eq!(fixture.store.named(Some(GAME), &entrant).await.expect("read"), name("first", ann.id));
    let other =
        fixture.store.submit(bob.id, &bot_name("other"), "another-game@1", b"module"[..].into(), later(1)).await;
    fixture.store.set_verdict(other.expect("taken").version().id, Verdict::Accepted).await.expect("judged");
    assert_eq!(fixture.store.named(Some(GAME), &entrant).await.expect("read"), name("first", ann.id), "in this game");
    let there = fixture.store.named(Some("another-game@1"), &entrant).await.expect("read");
    assert_eq!(there, name("other", bob.id), "the same bytes under another name");
    let bad = fixture.submit(ann.id, "bad", "other").await;
    fixture.judge(&bad, refused()).await;
    assert_eq!(fixture.store.named(None, &EntrantId::of_bytes(b"other")).await.expect("read"), None);
}

#[tokio::test]
async fn the_games_of_an_entrant_in_one_tournament_come_page_by_page() {
    let fixture = fixture().await;
    let (cup, league) = (TournamentId::parse("cup").expect("id"), TournamentId::parse("league").expect("id"));
    let games: Vec<IndexedGame> = (0..12).map(super::games::game).collect();
    fixture.store.reindex(&cup, &games).await.expect("indexed");
    fixture.store.reindex(&league, &games[..4]).await.expect("indexed");
    let rival = EntrantId::of_baseline("bot", 2);
    let all = Which::default();
    let read = |page| fixture.store.games_of(&cup, &rival, &all, page);
    let first = read(Page::first(3)).await.expect("read");
    let rest = read(Page::after((first[2].result_of(&rival), first[2].number), 100)).await.expect("read");
    let read: Vec<u32> = first.iter().chain(&rest).map(|game| game.number).collect();
    // Seat 0 wins them all: the rival lost where it had the other seat.
    assert_eq!((first.len(), read), (3, vec![4, 10, 1, 7]));
    assert!(first.iter().all(|game| game.entrants.values().len() == 2));
}

#[tokio::test]
async fn the_games_of_an_entrant_are_chosen_by_opponent_seat_result_and_end() {
    let fixture = fixture().await;
    let cup = TournamentId::parse("cup").expect("id");
    let mut games: Vec<IndexedGame> = (0..12).map(super::games::game).collect();
    games[5].outcome.reason = "forfeit".into();
    fixture.store.reindex(&cup, &games).await.expect("indexed");
    let everybody = EntrantId::of_baseline("bot", 0);
    let opponents = [None, Some(EntrantId::of_baseline("bot", 2)), Some(EntrantId::of_baseline("nobody", 1))];
    let results = [None, Some(GameResult::Lost), Some(GameResult::Drawn), Some(GameResult::Won)];
    for opponent in opponents {
        for seat in [None, Some(0), Some(1), Some(2)] {
            for result in results {
                for reason in [None, Some("forfeit".to_owned())] {
                    let which = Which { opponent: opponent.clone(), seat, result, reason };
                    let read = fixture.store.games_of(&cup, &everybody, &which, Page::first(100)).await.expect("read");
                    let mut wanted: Vec<&IndexedGame> =
                        games.iter().filter(|game| is_one(game, &everybody, &which)).collect();
                    wanted.sort_by_key(|game| (game.result_of(&everybody), game.number));
                    assert_eq!(read.iter().collect::<Vec<_>>(), wanted, "{which:?}");
                }
            }
        }
    }
}

/// Whether a game of two is one of these, said once more.
fn is_one(game: &IndexedGame, of: &EntrantId, which: &Which) -> bool {
    let seats = game.entrants.values();
    let seat = seats.iter().position(|seat| seat == of);
    seat.is_some_and(|seat| {
        which.seat.is_none_or(|wanted| usize::from(wanted) == seat)
            && which.opponent.as_ref().is_none_or(|opponent| seats[1 - seat] == *opponent)
            && which.result.is_none_or(|result| game.result_of(of) == result)
            && which.reason.as_deref().is_none_or(|reason| game.outcome.reason == reason)
    })
}
