//! `/learn`, `/rules` and the language of pages.

use arena_wire::GAMES;

use crate::client::{Ask, get, post};
use crate::fixture::fixture;
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

fn in_spanish(path: &str) -> Ask {
    get(path).with("accept-language", "es-ES,es;q=0.9,en;q=0.8")
}

#[tokio::test(flavor = "multi_thread")]
async fn every_lesson_opens_on_a_board() {
    let fixture = fixture().await;
    let all = fixture.ask(get("/learn")).await;
    assert_snapshot("people/learn", &all);
    let lessons = all.text.split("href=\"").filter(|link| link.starts_with("/learn/"));
    let lessons: Vec<&str> = lessons.map(|link| link.split('"').next().expect("an address")).collect();
    assert!(lessons.len() > 10, "{lessons:?}");
    for path in &lessons {
        let page = fixture.ask(get(path)).await.text;
        assert!(page.contains("data-goal=") && page.contains("data-from="), "{path}");
    }
    let last = fixture.ask(get("/learn/war-of-life/3")).await;
    assert_snapshot("people/lesson", &last);
    assert!(last.text.contains("href=\"/practice?game=war-of-life\""), "{}", last.text);
    let field = fixture.ask(get("/learn/game-of-game-of-life/2")).await.text;
    assert!(
        field.contains("href=\"/lobby?game=game-of-game-of-life\""),
        "it is not practised in a page alone: {field}"
    );
    for path in ["/learn/conquerors/0", "/learn/conquerors/99", "/learn/conquerors/x", "/learn/life2/1"] {
        assert_eq!(fixture.ask(get(path)).await.code(), "no_such_lesson", "{path}");
    }
    fixture.end().await;
}

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
