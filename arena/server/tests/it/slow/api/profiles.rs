//! `/api/v1/games/ID/profile`.

use crate::client::get;
use crate::fixture::{MODULE, fixture};
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn the_profile_of_a_game_is_for_those_whose_bots_played() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let foreign = fixture.ask(get("/api/v1/games/standing-1.0/profile").bearer(&ann)).await;
    assert_snapshot("api/game-profile-refused", &foreign);
    assert_eq!(fixture.ask(get("/api/v1/games/standing-1.0/profile")).await.status, 401);
    assert_eq!(fixture.ask(get("/api/v1/games/standing-1.99999/profile").bearer(&ann)).await.status, 404);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_names_a_seat_of_its_own_in_a_game_of_this_release() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let bot = fixture.accepted(&ann, MODULE).await;
    fixture.cup(|header| (header.semantics, header.entrants[0]) = ("ab".repeat(32), bot)).await;
    for (who, query, status, code) in [
        (&ann, "", 409, "no_log"),
        (&ann, "?seat=0", 409, "no_log"),
        (&ann, "?seat=1", 404, "not_your_bot"),
        (&bob, "?seat=0", 404, "not_your_bot"),
        (&ann, "?seat=256", 400, "bad_request"),
        (&ann, "?version=1", 400, "bad_request"),
    ] {
        let answer = fixture.ask(get(&format!("/api/v1/games/cup.0/profile{query}")).bearer(who)).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, code), "{query}: {}", answer.text);
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_profile_costs_as_much_of_a_share_as_a_log_or_a_game_with_another_version() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let bot = fixture.accepted(&ann, MODULE).await;
    // Nothing is played: the share is taken before.
    fixture.cup(|header| (header.semantics, header.entrants[0]) = ("ab".repeat(32), bot)).await;
    let ask = |path: &str| fixture.ask(get(path).bearer(&ann));
    for _ in 0..7 {
        let answer = ask("/api/v1/games/cup.0/profile").await;
        assert_eq!(answer.status, 409, "{}", answer.text);
    }
    let refused = ask("/api/v1/games/cup.0/profile").await;
    let said = refused.json()["detail"].as_str().expect("a sentence").to_owned();
    assert!(said.starts_with("your account has had its share of requests"), "{said}");
    for path in ["/games/cup.0/profile", "/api/v1/games/cup.0/again", "/games/cup.0/again", "/games/cup.0/log"] {
        assert_eq!(ask(path).await.status, 429, "{path}");
    }
    fixture.end().await;
}
