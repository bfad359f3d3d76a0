//! `/api/v1/games`.

use arena_runner::Named;

use crate::client::get;
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn the_games_of_an_edition_are_listed_and_shown() {
    let fixture = fixture().await;
    assert_snapshot("api/games", &fixture.ask(get("/api/v1/games?after=3")).await);
    assert_snapshot("api/game", &fixture.ask(get("/api/v1/games/standing-1.0")).await);
    assert_snapshot("api/game-of-many", &fixture.ask(get("/api/v1/games/game-of-game-of-life-1.0")).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_games_of_a_tournament_are_listed_from_either_end() {
    let fixture = fixture().await;
    let ids = async |query: &str| -> Vec<String> {
        let games = fixture.ask(get(&format!("/api/v1/games{query}"))).await.json();
        let games = games.as_array().expect("games").iter();
        games.map(|game| game["id"].as_str().expect("an id").to_owned()).collect()
    };
    let mut all = ids("").await;
    assert_eq!(ids("?after=3").await, all[4..]);
    all.reverse();
    assert_eq!(ids("?order=latest").await, all);
    assert_eq!(ids("?order=latest&after=3").await, ["standing-1.2", "standing-1.1", "standing-1.0"]);
    assert_eq!(fixture.ask(get("/api/v1/games?order=first")).await.status, 404);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_of_the_gallery_has_its_name_and_a_page() {
    let fixture = fixture().await;
    let mason = Named::find("conquerors@2", "mason").expect("it is released").id();
    fixture.cup(|header| header.entrants[0] = mason.clone()).await;
    let game = fixture.ask(get("/api/v1/games/cup.0")).await.json();
    assert_eq!(game["seats"][0]["name"], "mason", "{game}");
    let page = game["seats"][0]["page"].as_str().expect("a page").to_owned();
    assert_eq!(fixture.ask(get(&page)).await.status, 200, "{page}");
    // Pages play its games again, and on.
    let hash = mason.hash().expect("a module").to_string();
    assert_eq!(fixture.ask(get(&format!("/api/v1/modules/{hash}"))).await.status, 200, "{hash}");
    let page = fixture.ask(get("/practice?opponent=Mason")).await.text;
    assert!(page.contains("<option selected>mason</option>"), "{page}");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_is_canonical() {
    let fixture = fixture().await;
    let record = fixture.ask(get("/api/v1/games/standing-1.0/record")).await;
    assert_snapshot("api/record", &record);
    assert_eq!(arena_record::Record::parse(&record.text).expect("canonical").to_text(), record.text);
    fixture.end().await;
}
