//! The language of pages, and `/language`.

use crate::client::{Ask, get, post};
use crate::fixture::fixture;
use crate::snapshot::assert_snapshot;

fn in_spanish(path: &str) -> Ask {
    get(path).with("accept-language", "es-ES,es;q=0.9,en;q=0.8")
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_speak_the_language_that_is_asked_for() {
    let fixture = fixture().await;
    for (name, path) in
        [("learn", "/learn"), ("play", "/play"), ("account", "/account"), ("lesson", "/learn/conquerors/5")]
    {
        let page = fixture.ask(in_spanish(path)).await;
        assert_snapshot(&format!("people/es-{name}"), &page);
        assert!(page.text.contains("<html lang=\"es\">"), "{path}");
        assert_eq!(page.header("content-language"), "es", "{path}");
        let vary: Vec<&str> = page.response.headers().get_all("vary").iter().filter_map(|v| v.to_str().ok()).collect();
        assert!(vary.join(",").contains("accept-language, cookie"), "{vary:?}");
    }
    let english = fixture.ask(in_spanish("/play").with("cookie", "arena_language=en")).await;
    assert!(english.text.contains("<html lang=\"en\">"), "a choice goes before what the browser asks for");
    let missing = fixture.ask(in_spanish("/bots/nobody").with("accept", "text/html")).await;
    assert!(missing.text.contains("No existe ese bot.") && missing.text.contains("no_such_bot"), "{}", missing.text);
    let program = fixture.ask(in_spanish("/api/v1/bots/nobody")).await;
    assert_eq!(program.json()["detail"], "there is no such bot", "programs read English");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_language_is_chosen_and_remembered() {
    let fixture = fixture().await;
    let chosen = fixture.ask(post("/language", "language=es&back=%2Fplay%3Fgame%3Dwar-of-life").form()).await;
    assert_snapshot("people/language", &chosen);
    assert_eq!(chosen.header("location"), "/play?game=war-of-life");
    assert!(chosen.header("set-cookie").starts_with("arena_language=es;"), "{}", chosen.header("set-cookie"));
    let other = fixture.ask(post("/language", "language=es&back=%2F%2Fevil.example").form()).await;
    assert_eq!(other.header("location"), "/");
    fixture.end().await;
}
