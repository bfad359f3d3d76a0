//! `/games/ID`: finished games and their logs.

use arena_store::{BotName, Verdict};
use arena_wire::GAMES;

use crate::client::get;
use crate::fixture::{MODULE, NOW, fixture};
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_an_edition_has_a_page() {
    let fixture = fixture().await;
    assert_snapshot("people/game", &fixture.ask(get("/games/standing-1.0")).await);
    assert_snapshot("people/game-of-many", &fixture.ask(get("/games/game-of-game-of-life-1.0")).await);
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

#[tokio::test(flavor = "multi_thread")]
async fn only_games_that_people_play_here_can_be_played_on() {
    let fixture = fixture().await;
    for game in GAMES {
        let edition = if game.ruleset == GAMES[0].ruleset { "standing" } else { game.name() };
        let page = fixture.ask(get(&format!("/games/{edition}-1.0"))).await;
        assert_eq!(page.status, 200, "{edition}");
        assert_eq!(page.text.contains("id=\"play-on\""), game.suits_rooms(), "{edition}");
    }
    // Nor can those of a folder that is only on this page.
    assert!(!fixture.ask(get("/open")).await.text.contains("play-on"));
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
async fn bytes_that_play_two_games_have_their_name_in_the_game_of_the_page() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let owner = fixture.owner(&ann).await;
    // A look-up without the game would find the name that is older.
    let (store, name) = (fixture.service.store(), BotName::parse("aardvark").expect("a name"));
    let submitted = store.submit(owner, &name, "game-of-game-of-life@1", MODULE.into(), NOW).await;
    let version = submitted.expect("taken").version().id;
    store.set_verdict(version, Verdict::Accepted).await.expect("pending");
    let bot = fixture.accepted(&ann, MODULE).await;
    fixture.cup(|header| header.entrants[0] = bot).await;
    let page = fixture.ask(get("/games/cup.0")).await.text;
    assert!(page.contains("href=\"/bots/talker\"") && !page.contains("aardvark"), "{page}");
    fixture.end().await;
}
