//! Refusals: pages for people, problems for programs.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{Ask, get, post, post_json};
use crate::fixture::{OPERATOR, fixture};

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

/// Whether a problem says what is wrong and what to do.
fn assert_tells(path: &str, problem: &Value) {
    for part in ["code", "detail", "hint"] {
        assert!(problem[part].as_str().is_some_and(|text| text.len() > 2), "{path}: {problem}");
    }
}

/// Each operation is asked by a stranger and by an account, for what does not exist, with a body that says nothing.
#[tokio::test(flavor = "multi_thread")]
async fn every_refusal_of_an_operation_has_a_code_a_sentence_and_a_hint() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let document = fixture.ask(get("/api/v1/openapi.json")).await.json();
    let mut refused = 0;
    for (path, operations) in document["paths"].as_object().expect("paths") {
        let path =
            path.split('/').map(|part| if part.starts_with('{') { "9" } else { part }).collect::<Vec<_>>().join("/");
        for method in operations.as_object().expect("operations").keys() {
            // Ends the account that asks.
            if path == "/api/v1/account" && method == "delete" {
                continue;
            }
            let methods = ["GET", "POST", "PUT", "DELETE"];
            let method = methods.into_iter().find(|known| known.eq_ignore_ascii_case(method)).expect("a method");
            let ask = Ask { method, ..post_json(&path, json!({})) };
            for ask in [ask.clone(), ask.bearer(&ann)] {
                fixture.clock.advance(Duration::from_secs(60));
                let answer = fixture.ask(ask).await;
                if answer.status.is_client_error() || answer.status.is_server_error() {
                    refused += 1;
                    assert_tells(&format!("{method} {path}"), &answer.json());
                }
            }
        }
    }
    assert!(refused > 100, "{refused}");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_no_handler_sees_is_refused_with_a_code_a_sentence_and_a_hint() {
    let fixture = fixture().await;
    let asks = [
        (get("/bots/%FF"), 400),
        (get("/api/v1/bots/%FF"), 400),
        (get("/play?opponent=a&opponent=b"), 400),
        (post("/play", "opponent=easy").form(), 422),
        (post("/account", "{}").with("content-type", "application/json"), 415),
        (post("/submit", "x").with("content-type", "multipart/form-data"), 401),
        (post("/api/v1/standings", ""), 405),
        (post("/standings", ""), 405),
        (get("/api/v1/rooms/00000000000000000000000000000000/socket"), 400),
        (get("/api/v1/games?after=x"), 400),
        (get("/api/v1/games?tournament=%2f"), 404),
    ];
    for (ask, status) in asks {
        let path = ask.path.clone();
        let person = fixture.ask(ask.clone().with("accept", "text/html")).await;
        let program = fixture.ask(ask).await;
        assert_eq!(program.status, status, "{path}: {}", program.text);
        assert_eq!(program.header("content-type"), "application/problem+json", "{path}");
        let problem = program.json();
        assert_tells(&path, &problem);
        let wanted = if path.starts_with("/api/v1/") { "application/problem+json" } else { "text/html; charset=utf-8" };
        assert_eq!((person.status.as_u16(), person.header("content-type")), (status, wanted), "{path}");
    }
    let refused = fixture.ask(post("/standings", "")).await;
    assert!(refused.header("allow").contains("GET"), "{}", refused.header("allow"));
    fixture.end().await;
}

/// More games than a network has requests for at once.
const REPLAYS: usize = 20;

/// Such an answer is charged to nobody, so it must take no more than the least does: a page took three times as much.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_refused_before_it_is_charged_is_a_line_or_two_and_not_compressed() {
    let fixture = fixture().await;
    let plain = async |ask: Ask, status: u16, said: &str| {
        let program = fixture.ask(ask.clone()).await;
        assert_eq!((program.status.as_u16(), program.header("content-type")), (status, "application/problem+json"));
        let person = ask.with("accept", "text/html").with("accept-encoding", "br").with("accept-language", "es");
        let before = fixture.metrics.charged();
        let person = fixture.ask(person).await;
        assert_eq!((person.status.as_u16(), person.header("content-type")), (status, "text/plain; charset=utf-8"));
        assert_eq!((person.header("content-encoding"), fixture.metrics.charged()), ("", before), "{}", person.asked);
        assert!(person.text.starts_with(said) && person.text.len() < 512, "{}", person.text);
    };
    plain(get("/").with("host", "evil.example"), 421, "Esta arena").await;
    plain(get("/bots/a%00b"), 422, "Un texto").await;
    let act = |act: Value| post_json("/api/v1/operator/acts", act).bearer(OPERATOR);
    let ban = json!({ "act": "ban", "name": "127.0.0.1", "new_name": "1", "reason": "a test" });
    let ban = fixture.ask(act(ban)).await.json()["number"].to_string();
    plain(get("/"), 403, "El operador").await;
    fixture.ask(act(json!({ "act": "lift_ban", "name": ban, "reason": "a test" }))).await;
    for _ in 0..REPLAYS {
        fixture.ask(get("/games/no.0/log")).await;
    }
    plain(get("/games/no.0/log"), 429, "Tu red").await;
    fixture.end().await;
}
