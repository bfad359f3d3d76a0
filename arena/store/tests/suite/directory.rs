//! Who is behind an id, and where its games of a tournament are.

use std::slice;

use arena_record::EntrantId;
use arena_store::{GameResult, IndexedGame, NamedVersion, Page, TournamentId, Verdict, Which};

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
    let read = async |game: Option<&str>, id: &EntrantId| {
        fixture.store.named(game, slice::from_ref(id)).await.expect("read").remove(id)
    };
    let copy = submit(bob.id, "copy", 9).await;
    let first = submit(ann.id, "first", 5).await;
    assert_eq!(read(None, &entrant).await, None);
    fixture.store.set_verdict(copy, Verdict::Accepted).await.expect("judged");
    let name = |name, account| {
        let owner = display(if account == ann.id { "Ann" } else { "Bob" });
        let seconds = match name {
            "first" => 5,
            "copy" => 9,
            _ => 1,
        };
        Some(NamedVersion { name: bot_name(name), number: 1, account, owner, submitted_at: later(seconds) })
    };
    assert_eq!(read(None, &entrant).await, name("copy", bob.id));
    fixture.store.set_verdict(first, Verdict::Accepted).await.expect("judged");
    assert_eq!(read(None, &entrant).await, name("first", ann.id));
    assert_eq!(read(Some(GAME), &entrant).await, name("first", ann.id));
    let other =
        fixture.store.submit(bob.id, &bot_name("other"), "another-game@1", b"module"[..].into(), later(1)).await;
    fixture.store.set_verdict(other.expect("taken").version().id, Verdict::Accepted).await.expect("judged");
    assert_eq!(read(Some(GAME), &entrant).await, name("first", ann.id), "in this game");
    assert_eq!(
        read(Some("another-game@1"), &entrant).await,
        name("other", bob.id),
        "the same bytes under another name"
    );
    let bad = fixture.submit(ann.id, "bad", "other").await;
    fixture.judge(&bad, refused()).await;
    assert_eq!(read(None, &EntrantId::of_bytes(b"other")).await, None);
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
    let named = fixture.store.named(None, &ids).await.expect("read");
    let mut names: Vec<String> = named.values().map(|named| named.name.to_string()).collect();
    names.sort_unstable();
    assert_eq!(names, ["bot-0", "bot-1", "bot-2", "bot-3", "bot-4", "bot-6", "bot-7"]);
    for (id, version) in &named {
        assert_eq!(fixture.store.named(None, slice::from_ref(id)).await.expect("read").get(id), Some(version));
    }
    assert!(fixture.store.named(None, &[]).await.expect("read").is_empty());
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
    let all = Which::default();
    let read = |page| fixture.store.games_of(&cup, &rival, &all, page);
    let first = read(Page::first(3)).await.expect("read");
    let rest = read(Page::after((first[2].result_of(&rival), first[2].number), 100)).await.expect("read");
    let read: Vec<u32> = first.iter().chain(&rest).map(|game| game.number).collect();
    // Seat 0 wins them all: the rival lost where it had the other seat.
    assert_eq!((first.len(), read), (3, vec![4, 10, 1, 7]));
    assert!(first.iter().all(|game| game.entrants.values().len() == 2));
    let none = TournamentId::parse("none").expect("id");
    let played = async |among: &[&TournamentId], entrant: &EntrantId| {
        let among: Vec<TournamentId> = among.iter().copied().cloned().collect();
        fixture.store.first_played(entrant, &among).await.expect("read")
    };
    assert_eq!(played(&[&none, &league, &cup], &rival).await, Some(league.clone()));
    assert_eq!(played(&[&cup, &none, &league], &rival).await, Some(cup.clone()));
    for (among, entrant) in [(&[&none][..], &rival), (&[], &rival), (&[&cup], &EntrantId::of_baseline("nobody", 1))] {
        assert_eq!(played(among, entrant).await, None);
    }
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
