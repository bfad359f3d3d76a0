//! `/games`: the games of an edition, and those that go on.

use arena_rules::Seat;
use arena_service::{GuestSecret, NewRoom, Opponent, Snapshot};
use arena_wire::Game;
use tokio::sync::watch::Receiver;

use crate::client::get;
use crate::fixture::{Fixture, NOW, fixture};
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn games_are_listed_by_game_and_bot() {
    let fixture = fixture().await;
    assert_snapshot("people/games", &fixture.ask(get("/games?bot=hard")).await);
    let all = fixture.ask(get("/games?game=war-of-life")).await.text;
    assert!(all.contains("/games/war-of-life-1.0") && all.contains("/bots/random?game=war-of-life"), "{all}");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_latest_games_come_first_and_the_api_has_the_same() {
    let fixture = fixture().await;
    let paths = ["/games", "/games?bot=hard", "/games?game=war-of-life", "/games?game=war-of-life&bot=random"];
    for path in paths {
        let page = fixture.ask(get(path)).await.text;
        let ids = page.split("<td class=\"nowrap\"><a href=\"/games/").skip(1);
        let ids: Vec<&str> = ids.filter_map(|rest| rest.split('"').next()).collect();
        let numbers: Vec<u32> = ids.iter().filter_map(|id| id.rsplit('.').next()?.parse().ok()).collect();
        assert!(numbers.len() > 1 && numbers.is_sorted_by(|one, next| one > next), "{path}: {ids:?}");
        let mut links = page.split("href=\"").filter_map(|rest| rest.split('"').next());
        let link = links.find(|link| link.starts_with("/api/") && link.contains("games")).expect("a link");
        let answer = fixture.ask(get(&link.replace("&#38;", "&"))).await.json();
        let answered: Vec<&str> =
            answer.as_array().expect("games").iter().filter_map(|game| game["id"].as_str()).collect();
        assert_eq!(answered, ids, "{path}");
    }
    fixture.end().await;
}

/// Opens a room of a game against its weakest opponent, which that many watch.
async fn watched(fixture: &Fixture, game: &str, watchers: usize) -> (String, Vec<Receiver<Snapshot>>) {
    let game = Game::named(game).expect("a game");
    let opponent = arena_runner::Contender::built_in(game.ruleset).next().expect("one").to_owned();
    let person = GuestSecret::random().expect("secrets").person();
    let (seat, opponent) = (Seat(0), Opponent::Baseline(opponent));
    let new = NewRoom { person, browser: None, game, turns: None, seat, opponent };
    let id = fixture.service.open_room(new, NOW).await.expect("opened");
    let room = fixture.service.rooms().room(&id).await.expect("read").expect("it is there");
    (id.to_string(), (0..watchers).map(|_| room.watch()).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_live_game_is_listed_however_many_of_another_game_are_watched_more() {
    let fixture = fixture().await;
    let mut watchers = Vec::new();
    for _ in 0..10 {
        watchers.push(watched(&fixture, "conquerors", 2).await);
    }
    let (other, _watcher) = watched(&fixture, "war-of-life", 1).await;
    let live = |path: &'static str| async { fixture.ask(get(path)).await.text };
    let link = format!("href=\"/rooms/{other}\"");
    assert!(live("/games?game=war-of-life").await.contains(&link));
    assert!(live("/games?game=war-of-life&bot=RANDOM").await.contains(&link), "by the bot, in any case");
    assert!(!live("/games?game=war-of-life&bot=nobody").await.contains(&link), "of others it is not");
    assert!(!live("/games").await.contains(&link), "nor of another game");
    fixture.end().await;
}
