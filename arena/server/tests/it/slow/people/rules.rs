//! `/rules/GAME`.

use arena_wire::GAMES;

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot_of;

#[tokio::test(flavor = "multi_thread")]
async fn every_game_has_its_rules_with_pictures() {
    let fixture = fixture().await;
    for game in GAMES {
        let page = fixture.ask(get(&format!("/rules/{}", game.name()))).await;
        let body = page.text.lines().filter(|line| !line.starts_with("<circle")).collect::<Vec<_>>().join("\n");
        assert_snapshot_of(&format!("people/rules-{}", game.name()), &page, &body);
        assert!(page.text.matches("<svg").count() >= 2, "{}", game.title);
    }
    fixture.end().await;
}
