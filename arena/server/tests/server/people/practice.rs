//! `/practice`.

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_practised_from_its_start_or_out_of_a_replay() {
    let fixture = fixture().await;
    let page = fixture.ask(get("/practice?from=standing-1.0&turn=3")).await;
    assert_snapshot("people/practice", &page);
    let record = fixture.ask(get("/api/v1/games/standing-1.0/record")).await.json();
    let seat = record["turns"][3]["plays"][0]["seat"].as_u64().expect("a seat");
    assert!(page.text.contains(&format!("data-you=\"{seat}\"")), "who was to move is the visitor");
    let other = record["header"]["entrants"][1 - seat as usize].as_str().expect("an id");
    assert!(page.text.contains(&format!("data-opponent=\"{other}\"")), "the other is who it was");
    let turns = record["turns"].as_array().expect("turns").len();
    let end = fixture.ask(get("/practice?from=standing-1.0&turn=9999")).await.text;
    assert!(end.contains(&format!("data-turn=\"{}\"", turns - 1)), "{end}");
    let start = fixture.ask(get("/practice?game=war-of-life&opponent=random")).await.text;
    assert!(start.contains("data-opponent=\"baseline:random@1\"") && !start.contains("data-record"), "{start}");
    let two = fixture.ask(get("/practice?opponent=")).await.text;
    let two = two.lines().find(|line| line.starts_with("<main")).expect("a main element");
    assert!(two.contains("data-opponent=\"\"") && !two.contains("data-you="), "both seats are the visitor's: {two}");
    for (path, status) in [
        ("/practice?game=game-of-game-of-life", 422),
        ("/practice?opponent=nobody", 404),
        ("/practice?from=standing-1.99999", 404),
        ("/practice?from=game-of-game-of-life-1.0", 422),
    ] {
        assert_eq!(fixture.ask(get(path)).await.status, status, "{path}");
    }
    fixture.end().await;
}
