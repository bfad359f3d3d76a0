//! `/games/ID/profile`.

use crate::client::get;
use crate::fixture::{MODULE, fixture};
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn the_profile_of_a_game_is_for_those_whose_bots_played() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let profile = get("/games/standing-1.0/profile").with("accept", "text/html");
    assert_eq!(fixture.ask(profile.clone()).await.status, 401);
    assert_snapshot("people/game-profile-refused", &fixture.ask(profile.bearer(&ann)).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_owner_reads_on_a_page_why_there_is_no_profile() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let bot = fixture.accepted(&ann, MODULE).await;
    fixture.cup(|header| (header.semantics, header.entrants[0]) = ("ab".repeat(32), bot)).await;
    let of_seat = |seat: &str| {
        let ask = get(&format!("/games/cup.0/profile?seat={seat}")).with("accept", "text/html");
        fixture.ask(ask.bearer(&ann))
    };
    for (seat, status, code) in [("0", 409, "no_log"), ("1", 404, "not_your_bot"), ("one", 400, "bad_request")] {
        let page = of_seat(seat).await;
        assert_eq!(page.status, status, "{seat}: {}", page.text);
        assert!(page.text.contains(&format!("<code class=\"code\">{code}</code>")), "{seat}: {}", page.text);
    }
    assert!(of_seat("0").await.text.contains("Another release of the arena played this game."));
    fixture.end().await;
}
