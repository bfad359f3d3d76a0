//! `/games/ID`: finished games and their logs.

use arena_service::limits::EDITIONS_KEPT_MAX;
use arena_store::{Contests, Counted, NewContest, Phase};

use crate::client::get;
use crate::fixture::{NOW, fixture, fixture_at};
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
async fn a_game_of_an_old_edition_says_since_when_it_is_gone() {
    let kept = u32::try_from(EDITIONS_KEPT_MAX).expect("few");
    let fixture = fixture_at(kept + 1).await;
    for path in ["/games/standing-1.0", "/api/v1/games/standing-1.0", "/api/v1/games/standing-1.0/record"] {
        let gone = fixture.ask(get(path).with("accept", "application/json")).await;
        assert_eq!((gone.status.as_u16(), gone.code().as_str()), (410, "gone"), "{path}");
        let when = format!(
            "edition 1 of Conway's Conquerors, which was removed when edition {} was finished, on 20",
            kept + 1
        );
        let said = gone.json()["detail"].as_str().expect("a sentence").to_owned();
        assert!(said.contains(&when) && said.ends_with(" UTC"), "{said}");
    }
    // Of an edition that may be kept a game is there, or it never was.
    assert_eq!(fixture.ask(get(&format!("/games/standing-{}.0", kept + 1))).await.status, 200);
    assert_eq!(fixture.ask(get("/games/standing-2.0")).await.status, 404);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_of_a_tournament_that_was_forgotten_is_gone() {
    let fixture = fixture().await;
    let owner = fixture.account("Ann").await;
    let owner = fixture.owner(&owner).await;
    let over = Counted { phase: Phase::Over, games: 0, fuel: 0 };
    let open = || async {
        let counted = Counted { phase: Phase::Entry, games: 0, fuel: 0 };
        let new = NewContest { owner, name: "cup", game: "conquerors@2", event: "{}", secret: [0; 32], counted };
        fixture.store.open_contest(&new, NOW).await.expect("opened")
    };
    let (first, second) = (open().await, open().await);
    fixture.store.append_to_contest(first, 1, "{}", &over, NOW).await.expect("over");
    fixture.store.forget_contest(first).await.expect("forgotten");
    let gone = fixture.ask(get(&format!("/games/cup-{}.0", first.0))).await;
    assert_eq!((gone.status.as_u16(), gone.code().as_str()), (410, "gone"));
    assert_eq!(fixture.ask(get(&format!("/games/cup-{}.0", second.0 + 1))).await.status, 404);
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
