//! Who is behind an id, and where its games of a tournament are.

use std::collections::BTreeMap;
use std::slice;

use arena_record::EntrantId;
use arena_store::{
    BotId, GameResult, IndexedGame, NamedVersion, Order, Page, Player, Results, TournamentId, Verdict, Which,
};

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
    let (player, among) = (Player::Ids(vec![rival.clone()]), [cup.clone()]);
    let read = |page| fixture.store.games_of(&player, &among, &all, Order::LostFirst, page);
    let first = read(Page::first(3)).await.expect("read");
    let rest = read(Page::after((0, first[2].game.number), 100)).await.expect("read");
    let read: Vec<u32> = first.iter().chain(&rest).map(|played| played.game.number).collect();
    // Seat 0 wins them all: the rival lost where it had the other seat.
    assert_eq!((first.len(), read), (3, vec![4, 10, 1, 7]));
    assert!(first.iter().all(|played| played.entrant == rival && played.tournament == cup));
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
async fn the_results_of_an_entrant_count_for_each_other_seat() {
    let fixture = fixture().await;
    let cup = TournamentId::parse("cup").expect("id");
    let mut games: Vec<IndexedGame> = (0..12).map(super::games::game).collect();
    let [own, third] = [0, 9].map(|bot| EntrantId::of_baseline("bot", bot));
    for game in &mut games[..5] {
        let seats = game.entrants.values().iter().chain([&third]).cloned().collect::<Vec<_>>();
        game.entrants = seats.into();
        game.outcome.tally.push(1);
    }
    fixture.store.reindex(&cup, &games).await.expect("indexed");
    let read = fixture.store.results_of(&own, &cup).await.expect("read");
    let mut wanted: BTreeMap<EntrantId, Results> = BTreeMap::new();
    for game in &games {
        for other in game.entrants.values().iter().filter(|other| **other != own) {
            let results = wanted.entry(other.clone()).or_default();
            match game.result_of(&own) {
                GameResult::Won => results.won += 1,
                GameResult::Drawn => results.drawn += 1,
                GameResult::Lost => results.lost += 1,
            }
        }
    }
    assert_eq!((read.len(), &read), (4, &wanted));
    for (entrant, tournament) in [(&EntrantId::of_baseline("nobody", 1), "cup"), (&own, "league")] {
        let tournament = TournamentId::parse(tournament).expect("id");
        assert!(fixture.store.results_of(entrant, &tournament).await.expect("read").is_empty());
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
    let player = Player::Ids(vec![everybody.clone()]);
    let opponents = [None, Some(EntrantId::of_baseline("bot", 2)), Some(EntrantId::of_baseline("nobody", 1))];
    let opponents = opponents.map(|opponent| opponent.map(|opponent| Player::Ids(vec![opponent])));
    let results = [None, Some(GameResult::Lost), Some(GameResult::Drawn), Some(GameResult::Won)];
    for opponent in opponents {
        for seat in [None, Some(0), Some(1), Some(2)] {
            for result in results {
                for reason in [None, Some("forfeit".to_owned())] {
                    let which = Which { opponent: opponent.clone(), seat, result, reason };
                    let among = [cup.clone()];
                    let page = Page::first(100);
                    let read = fixture.store.games_of(&player, &among, &which, Order::LostFirst, page).await;
                    let read: Vec<IndexedGame> = read.expect("read").into_iter().map(|played| played.game).collect();
                    let mut wanted: Vec<&IndexedGame> =
                        games.iter().filter(|game| is_one(game, &everybody, &which)).collect();
                    wanted.sort_by_key(|game| (game.result_of(&everybody), game.number));
                    assert_eq!(read.iter().collect::<Vec<_>>(), wanted, "{which:?}");
                }
            }
        }
    }
}

#[tokio::test]
async fn the_games_of_a_player_over_several_tournaments_come_in_either_order_page_by_page() {
    let fixture = fixture().await;
    let among = ["new", "old", "none"].map(|name| TournamentId::parse(name).expect("id"));
    let games: Vec<IndexedGame> = (0..12).map(super::games::game).collect();
    fixture.store.reindex(&among[0], &games[..9]).await.expect("indexed");
    fixture.store.reindex(&among[1], &games).await.expect("indexed");
    fixture.store.reindex(&TournamentId::parse("other").expect("id"), &games).await.expect("indexed");
    // Two of the three that play against everybody, as versions of a bot would be in tournaments one after the other.
    let ids = [1, 2].map(|version| EntrantId::of_baseline("bot", version));
    let player = Player::Ids(ids.to_vec());
    for order in [Order::LostFirst, Order::Latest] {
        for result in [None, Some(GameResult::Lost), Some(GameResult::Won)] {
            let which = Which { result, ..Which::default() };
            let mut wanted = Vec::new();
            for (place, all) in [&games[..9], &games[..]].into_iter().enumerate() {
                for game in all {
                    let Some(own) = game.entrants.values().iter().find(|id| ids.contains(id)) else { continue };
                    let came_to = game.result_of(own);
                    if result.is_none_or(|result| result == came_to) {
                        wanted.push((came_to, place, game.number));
                    }
                }
            }
            match order {
                Order::LostFirst => wanted.sort(),
                Order::Latest => wanted.sort_by_key(|(_, place, number)| (*place, std::cmp::Reverse(*number))),
            }
            assert!(wanted.len() >= 3, "{wanted:?}");
            for limit in [1, 2, 5, 100] {
                let (mut seen, mut page) = (Vec::new(), Page::first(limit));
                loop {
                    let read = fixture.store.games_of(&player, &among, &which, order, page).await.expect("read");
                    seen.extend(read.iter().map(|played| {
                        assert!(ids.contains(&played.entrant) && played.game == games[played.game.number as usize]);
                        let place = among.iter().position(|tournament| *tournament == played.tournament);
                        (played.result(), place.expect("one of them"), played.game.number)
                    }));
                    let Some((_, place, number)) = seen.last().filter(|_| !read.is_empty()) else { break };
                    page = Page::after((*place, *number), limit);
                }
                assert_eq!(seen, wanted, "{order:?} {result:?} by {limit}");
            }
        }
    }
    let read = async |among: &[TournamentId], page| {
        let read = fixture.store.games_of(&player, among, &Which::default(), Order::Latest, page).await;
        read.expect("read").len()
    };
    assert_eq!(read(&[], Page::first(9)).await, 0);
    // Game 0 is one of theirs, game 2 is not, and there is no game 99.
    for (place, number, follow) in [(1, 0, 0), (1, 2, 0), (1, 99, 0), (2, 0, 0), (0, 0, 8)] {
        assert_eq!(read(&among, Page::after((place, number), 9)).await, follow, "after {number} of {place}");
    }
}

#[tokio::test]
async fn the_games_of_a_bot_are_those_of_its_accepted_versions() {
    let fixture = fixture().await;
    let (ann, _) = fixture.account("Ann").await;
    let mut versions = Vec::new();
    for content in ["one", "two", "bad", "late"] {
        let version = fixture.submit(ann.id, "bot-x", content).await;
        match content {
            "bad" => drop(fixture.judge(&version, refused()).await),
            "late" => {}
            _ => drop(fixture.judge(&version, Verdict::Accepted).await),
        }
        versions.push(version);
    }
    let other = fixture.submit(ann.id, "bot-y", "other").await;
    fixture.judge(&other, Verdict::Accepted).await;
    let cup = TournamentId::parse("cup").expect("id");
    let entrants = versions.iter().chain([&other]).map(|version| version.entrant.clone());
    let game = |(number, entrant): (u32, EntrantId)| {
        let game = super::games::game(number);
        IndexedGame { entrants: vec![EntrantId::of_baseline("easy", 1), entrant].into(), ..game }
    };
    let games: Vec<IndexedGame> = (0..).zip(entrants).map(game).collect();
    fixture.store.reindex(&cup, &games).await.expect("indexed");
    let (bot, among) = (Player::Bot(versions[0].id.bot), [cup]);
    let read = fixture.store.games_of(&bot, &among, &Which::default(), Order::Latest, Page::first(9)).await;
    let read: Vec<_> = read.expect("read").into_iter().map(|played| (played.game.number, played.entrant)).collect();
    assert_eq!(read, [(1, EntrantId::of_bytes(b"two")), (0, EntrantId::of_bytes(b"one"))]);
    let rival = Which { opponent: Some(bot.clone()), ..Which::default() };
    let easy = Player::Ids(vec![EntrantId::of_baseline("easy", 1)]);
    let against = fixture.store.games_of(&easy, &among, &rival, Order::Latest, Page::first(9)).await.expect("read");
    assert_eq!(against.iter().map(|played| played.game.number).collect::<Vec<_>>(), [1, 0]);
    let nobody = Player::Bot(BotId(99));
    let none = fixture.store.games_of(&nobody, &among, &Which::default(), Order::Latest, Page::first(9)).await;
    assert!(none.expect("read").is_empty());
}

/// Whether a game of two is one of these, said once more.
fn is_one(game: &IndexedGame, of: &EntrantId, which: &Which) -> bool {
    let seats = game.entrants.values();
    let seat = seats.iter().position(|seat| seat == of);
    seat.is_some_and(|seat| {
        which.seat.is_none_or(|wanted| usize::from(wanted) == seat)
            && which.opponent.as_ref().is_none_or(|opponent| *opponent == Player::Ids(vec![seats[1 - seat].clone()]))
            && which.result.is_none_or(|result| game.result_of(of) == result)
            && which.reason.as_deref().is_none_or(|reason| game.outcome.reason == reason)
    })
}
