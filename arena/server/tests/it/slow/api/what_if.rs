//! `/api/v1/games/ID/again`.

use arena_record::{EntrantId, Hex};

use crate::client::get;
use crate::fixture::{MODULE, fixture};
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_again_for_those_whose_bots_played() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let refused = fixture.ask(get("/api/v1/games/standing-1.0/again?version=1").bearer(&ann)).await;
    assert_snapshot("api/game-again-refused", &refused);
    assert_eq!(fixture.ask(get("/api/v1/games/standing-1.99999/again").bearer(&ann)).await.status, 404);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_asks_names_a_version_and_a_seat_of_its_own_and_everybody_else_is_a_program() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let bot = fixture.accepted(&ann, MODULE).await;
    fixture.cup(|header| header.entrants = vec![bot, EntrantId::of_person(Hex([1; 8]))]).await;
    for (query, status, code) in [
        ("", 409, "a_person_played"),
        ("?version=1&seat=0", 409, "a_person_played"),
        ("?version=2", 404, "no_such_version"),
        ("?seat=1", 404, "not_your_bot"),
        ("?version=first", 400, "bad_request"),
        ("?bot=talker", 400, "bad_request"),
    ] {
        let answer = fixture.ask(get(&format!("/api/v1/games/cup.0/again{query}")).bearer(&ann)).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, code), "{query}: {}", answer.text);
    }
    fixture.end().await;
}
