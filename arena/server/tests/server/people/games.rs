//! `/games`: finished games.

use arena_rules::Seat;
use arena_service::{GuestSecret, NewRoom, Opponent, Snapshot};
use arena_wire::Game;
use tokio::sync::watch::Receiver;

use crate::client::get;
use crate::fixture::{Fixture, NOW, fixture};
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_an_edition_has_a_page() {
    let fixture = fixture().await;
    assert_snapshot("people/game", &fixture.ask(get("/games/standing-1.0")).await);
    assert_snapshot("people/game-of-many", &fixture.ask(get("/games/game-of-game-of-life-1.0")).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_and_bots_have_pictures_for_other_sites() {
    let fixture = fixture().await;
    let page = fixture.ask(get("/games/standing-1.0")).await.text;
    let named = page.split("og:image\" content=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a picture");
    let path = named.split_once("/games").map(|(_, path)| format!("/games{path}")).expect("an address of the site");
    let picture = fixture.ask(get(&path)).await;
    assert_snapshot_of("people/game-picture", &picture, "[the picture]");
    assert!(picture.text.contains("PNG"), "a picture");
    assert_eq!(picture.header("cross-origin-resource-policy"), "cross-origin");
    assert_snapshot("people/bot-picture", &fixture.ask(get("/bots/easy/picture.png")).await);
    assert_eq!(fixture.ask(get("/games/standing-1.99999/picture.png")).await.status, 404);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_is_opened_by_the_page_alone() {
    let fixture = fixture().await;
    assert_snapshot("people/open", &fixture.ask(get("/open")).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_are_listed_by_game_and_bot() {
    let fixture = fixture().await;
    assert_snapshot("people/games", &fixture.ask(get("/games?bot=hard")).await);
    let all = fixture.ask(get("/games?game=war-of-life")).await.text;
    assert!(all.contains("/games/war-of-life-1.0") && all.contains("/bots/random?game=war-of-life"), "{all}");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_that_never_was_is_missing_and_no_game_of_an_old_edition_is() {
    let fixture = fixture().await;
    for path in ["/games/standing-1.99999", "/games/standing-2.0", "/games/standing-0.0", "/games/cup-1.0", "/games/x"]
    {
        assert_eq!(fixture.ask(get(path)).await.status, 404, "{path}");
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
    let room = fixture.service.room(&id).await.expect("read").expect("it is there");
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

#[tokio::test(flavor = "multi_thread")]
async fn the_log_of_a_game_is_for_those_whose_bots_played() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let log = get("/games/standing-1.0/log").with("accept", "text/html");
    assert_eq!(fixture.ask(log.clone()).await.status, 401);
    let refused = fixture.ask(log.bearer(&ann)).await;
    assert_snapshot("people/game-log-refused", &refused);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_again_for_those_whose_bots_played() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let again = get("/games/standing-1.0/again").with("accept", "text/html");
    assert_eq!(fixture.ask(again.clone()).await.status, 401);
    assert_snapshot("people/game-again-refused", &fixture.ask(again.bearer(&ann)).await);
    let profile = get("/games/standing-1.0/profile").with("accept", "text/html");
    assert_eq!(fixture.ask(profile.clone()).await.status, 401);
    assert_snapshot("people/game-profile-refused", &fixture.ask(profile.bearer(&ann)).await);
    fixture.end().await;
}
