//! Pages for people, problems for programs.

use crate::{fixture, get, post};

#[tokio::test(flavor = "multi_thread")]
async fn every_door_opens() {
    let fixture = fixture().await;
    for path in [
        "/",
        "/standings",
        "/play",
        "/guide",
        "/submit",
        "/account",
        "/api",
        "/bots/easy",
        "/bots/normal",
        "/bots/hard",
    ] {
        let answer = fixture.ask(get(path)).await;
        assert_eq!(answer.status, 200, "{path}");
        assert!(answer.header("content-type").starts_with("text/html"), "{path}");
        // Nothing that the policy would forbid.
        for inline in ["<script>", " style=", " onclick=", "javascript:"] {
            assert!(!answer.text.contains(inline), "{path} has {inline}");
        }
    }
    let health = fixture.ask(get("/healthz")).await;
    assert_eq!((health.status.as_u16(), health.text.as_str()), (200, r#"{"status":"ok"}"#));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_missing_is_a_page_for_people_and_a_problem_for_programs() {
    let fixture = fixture().await;
    for path in
        ["/bots/nobody", "/bots/../x", "/games/standing-1.99999", "/rooms/00000000000000000000000000000000", "/nowhere"]
    {
        let person = fixture.ask(get(path).with("accept", "text/html")).await;
        assert_eq!(person.status, 404, "{path}");
        assert!(person.header("content-type").starts_with("text/html"), "{path}: {}", person.text);
        assert!(person.text.contains("no_such_"), "{path}");
    }
    for path in ["/api/v1/bots/nobody", "/api/v1/games/standing-1.99999/record", "/api/v1/rooms/x", "/api/v1/nowhere"] {
        let program = fixture.ask(get(path)).await;
        assert_eq!(program.status, 404, "{path}");
        assert_eq!(program.header("content-type"), "application/problem+json", "{path}");
        let problem = program.json();
        assert_eq!(problem["status"], 404);
        assert!(problem["code"].as_str().is_some_and(|code| code.starts_with("no_such_")), "{path}: {problem}");
        assert!(!problem["detail"].as_str().unwrap_or_default().is_empty());
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_text_wherever_it_is_shown() {
    let fixture = fixture().await;
    let hostile = post("/account", "name=%3Cscript%3Ealert(1)%3C%2Fscript%3E").form();
    let refused = fixture.ask(hostile).await;
    assert_eq!(refused.status, 422);
    assert!(!refused.text.contains("<script>"));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn files_are_asked_for_again_and_mostly_unchanged() {
    let fixture = fixture().await;
    for (file, content_type) in
        [("style.css", "text/css; charset=utf-8"), ("engine.js", "text/javascript; charset=utf-8")]
    {
        let path = format!("/static/{file}");
        let url = format!("http://{}{path}", fixture.address);
        let tag = tokio::task::spawn_blocking(move || {
            let response = ureq::get(&url).call().expect("an answer");
            let header = |name| response.headers()[name].to_str().expect("text").to_owned();
            (header("etag"), header("content-type"))
        });
        let (tag, found) = tag.await.expect("asked");
        assert_eq!(found, content_type);
        let again = fixture.ask(get(&path).with("if-none-match", tag)).await;
        assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""));
    }
    fixture.end().await;
}
