//! `/worlds`, and the page of a world.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

#[tokio::test(flavor = "multi_thread")]
async fn worlds_are_listed_and_each_has_a_page() {
    let fixture = fixture().await;
    assert!(fixture.ask(get("/worlds")).await.text.contains("This site has no world."));
    fixture.meadow().await;
    let list = fixture.ask(get("/worlds")).await;
    let (before, after) = list.text.split_once("generation ").expect("how far it is");
    let after = after.trim_start_matches(|digit: char| digit.is_ascii_digit());
    assert_snapshot_of("people/worlds", &list, &format!("{before}generation 0{after}"));
    assert_snapshot("people/world", &fixture.ask(get("/worlds/meadow")).await);
    assert_eq!(fixture.ask(get("/worlds/moor")).await.status, 404);
    for path in ["/worlds", "/worlds/meadow"] {
        assert!(fixture.ask(get(path)).await.text.contains("href=\"/learn/life2\""), "{path} leads to the lesson");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_rules_of_a_world_are_a_page_with_pictures() {
    let fixture = fixture().await;
    let page = fixture.ask(get("/rules/world")).await;
    let body = page.text.lines().filter(|line| !line.contains("<circle") && !line.contains("<rect"));
    assert_snapshot_of("people/rules-world", &page, &body.collect::<Vec<_>>().join("\n"));
    for words in ["1000 coins", "3000 generations", "6000 generations", "not on your walls", "64 kingdoms"] {
        assert!(page.text.contains(words), "{words}");
    }
    for path in ["/worlds", "/rules/life2", "/learn/life2"] {
        assert!(fixture.ask(get(path)).await.text.contains("href=\"/rules/world\""), "{path} leads to them");
    }
    fixture.end().await;
}
