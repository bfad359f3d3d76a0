//! What every answer carries, and who is turned away.

use serde_json::json;

use crate::client::{Ask, get, post, post_json};
use crate::fixture::fixture;

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_the_policies() {
    let fixture = fixture().await;
    for path in [
        "/",
        "/standings",
        "/play",
        "/submit",
        "/account",
        "/api",
        "/privacy",
        "/operator",
        "/nowhere",
        "/static/0/style.css",
        "/static/0/nowhere",
        "/api/v1/standings",
        "/api/v1/nowhere",
        "/api/v1/account",
        "/healthz",
        "/readyz",
        "/bots/nobody",
        "/games/x",
        "/rooms/x",
    ] {
        let answer = fixture.ask(get(path)).await;
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'") && !policy.contains("unsafe-inline"), "{path}: {policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "same-origin", "{path}");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_an_id_of_its_own_and_problems_show_it() {
    let fixture = fixture().await;
    let mut seen = std::collections::BTreeSet::new();
    for path in ["/", "/nowhere", "/api/v1/nowhere", "/static/0/style.css", "/api/v1/account"] {
        for accept in ["text/html", "application/json"] {
            let answer = fixture.ask(get(path).with("accept", accept).with("x-request-id", "mine")).await;
            let id = answer.header("x-request-id").to_owned();
            assert!(id.len() == 16 && id.chars().all(|digit| digit.is_ascii_hexdigit()), "{path}: {id}");
            assert_eq!(answer.text.contains(&id), answer.status.is_client_error(), "{path}: {}", answer.text);
            if answer.header("content-type") == "application/problem+json" {
                assert_eq!(answer.json()["request"], *id, "{path}");
            }
            assert!(seen.insert(id), "{path}");
        }
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn another_sites_page_changes_nothing() {
    let fixture = fixture().await;
    let claim = |origin: &str| post("/account", "name=Mallory").form().with("origin", origin);
    let foreign = fixture.ask(claim("http://evil.example")).await;
    assert_eq!((foreign.status.as_u16(), foreign.code().as_str()), (403, "cross_site"));
    let own = fixture.ask(claim(&format!("http://{}", fixture.address))).await;
    assert_eq!(own.status, 303, "{}", own.text);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sockets_open_for_our_pages_only() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let wanted = json!({ "opponent": "easy", "seat": 0 });
    let room = fixture.ask(post_json("/api/v1/rooms", wanted).bearer(&code)).await.json();
    let upgrade = |origin: String| {
        get(room["socket"].as_str().expect("a path"))
            .with("connection", "Upgrade")
            .with("upgrade", "websocket")
            .with("sec-websocket-version", "13")
            .with("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")
            .with("origin", origin)
    };
    let foreign = fixture.ask(upgrade("http://evil.example".into())).await;
    assert_eq!((foreign.status.as_u16(), foreign.code().as_str()), (403, "cross_site"));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_needs_an_account_says_so() {
    let fixture = fixture().await;
    let needs: [Ask; 4] = [
        get("/api/v1/account"),
        post("/api/v1/bots/mine/versions", *b"\0asm"),
        post_json("/api/v1/rooms", json!({ "opponent": "easy", "seat": 0 })),
        post("/account/name", "name=x").form(),
    ];
    for ask in needs {
        let path = ask.path.clone();
        let nobody = fixture.ask(ask.clone()).await;
        assert_eq!(nobody.status, 401, "{path}");
        let stranger = fixture.ask(ask.bearer(&format!("arena_{}", "0".repeat(72)))).await;
        assert_eq!(stranger.status, 401, "{path}");
    }
    fixture.end().await;
}
