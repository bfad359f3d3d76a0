//! `/authors/NUMBER`.

use serde_json::json;

use crate::client::{get, post_json};
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn an_author_has_a_page_as_soon_as_there_is_a_bot() {
    let fixture = fixture().await;
    let owner = fixture.owner(&fixture.account("Ann").await).await;
    let page = get(&format!("/authors/{}", owner.0));
    assert_eq!(fixture.ask(page.clone()).await.status, 404, "of who only plays nothing is said");
    fixture.pending(owner, "talker", "conquerors@2").await;
    assert_snapshot("people/author", &fixture.ask(page).await);
    for path in ["/authors/x", "/authors/99999"] {
        assert_eq!(fixture.ask(get(path)).await.status, 404, "{path}");
    }
    fixture.end().await;
}

/// The names in a title are beside other words, in whatever direction these are written.
#[tokio::test(flavor = "multi_thread")]
async fn a_name_written_from_right_to_left_turns_no_title_around() {
    let fixture = fixture().await;
    let (one, other) = (fixture.account("مريم").await, fixture.account("كريم").await);
    let owner = fixture.owner(&one).await;
    fixture.pending(owner, "talker", "conquerors@2").await;
    let cup = json!({ "definition": "name = \"كأس 2026\"\npairs = 1", "entry": "open", "places": 4 });
    let cup = fixture.ask(post_json("/api/v1/tournaments", cup).bearer(&one)).await.json();
    let open = json!({ "public": true, "seat": 0, "clock": "none" });
    let room = fixture.ask(post_json("/api/v1/lobby", open).bearer(&one)).await.json();
    let joined = json!({ "code": room["code"] });
    assert!(fixture.ask(post_json("/api/v1/lobby/joins", joined).bearer(&other)).await.status.is_success());
    let room = room["room"].as_str().expect("a room").to_owned();
    let mut pages = vec![
        format!("/authors/{}", owner.0),
        format!("/tournaments/{}", cup["id"].as_str().expect("an id")),
        format!("/rooms/{room}"),
    ];
    let resign = post_json(&format!("/api/v1/rooms/{room}/resignation"), json!({ "ply": 0 })).bearer(&one);
    assert!(fixture.ask(resign).await.status.is_success());
    pages.push(format!("/games/{room}"));
    for page in pages {
        let text = fixture.ask(get(&page)).await.text;
        let title = text.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next()).expect("a title");
        let mut outside = title.split('\u{2068}').map(|part| part.rsplit('\u{2069}').next().unwrap_or_default());
        assert!(title.contains('\u{2068}'), "{page}: {title}");
        assert!(
            outside.all(|part| !part.contains(|letter| ('\u{600}'..='\u{6ff}').contains(&letter))),
            "{page}: {title}"
        );
    }
    fixture.end().await;
}
