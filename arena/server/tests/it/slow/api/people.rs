//! `/api/v1/people`.

use crate::client::{get, post_json};
use crate::fixture::fixture;
use crate::slow::people::people::played;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn the_leaderboard_has_its_tables_and_the_line_of_who_asks() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    played(&fixture, 1, fixture.owner(&bob).await, false).await;
    played(&fixture, 2, fixture.owner(&ann).await, true).await;
    assert_snapshot("api/people", &fixture.ask(get("/api/v1/people").bearer(&ann)).await);
    let of = |month: &str| get(&format!("/api/v1/people?game=conquerors&month={month}"));
    assert_eq!(fixture.ask(of("2026-09")).await.json()["people"], 2);
    assert_eq!(fixture.ask(of("2026-10")).await.json()["people"], 0);
    assert_eq!(fixture.ask(get("/api/v1/people?game=war-of-life")).await.json()["people"], 0);
    assert_snapshot("api/people-month", &fixture.ask(of("September")).await);
    let stranger = fixture.ask(get("/api/v1/people")).await.json();
    assert_eq!((&stranger["own"], &stranger["rows"][0]["name"]), (&serde_json::Value::Null, &"Ann".into()));

    // What is kept is in the export, and goes with the account.
    let export = fixture.ask(get("/api/v1/account/export").bearer(&ann)).await.json();
    assert_eq!(export["games"][0]["game"]["outcome"]["winner"], 0);
    let deletion = post_json("/api/v1/account/deletion", serde_json::json!({ "name": "Ann" })).bearer(&ann);
    assert_eq!(fixture.ask(deletion).await.status, 204);
    let left = fixture.ask(get("/api/v1/people")).await.json();
    assert_eq!((&left["people"], &left["rows"][0]["name"]), (&1.into(), &"Bob".into()));
    fixture.end().await;
}
