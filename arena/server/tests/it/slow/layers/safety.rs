//! What every answer carries, and who is turned away.

use std::time::Duration;

use serde_json::json;

use crate::client::{Ask, get, post, post_json};
use crate::fixture::fixture;
use crate::snapshot::{addresses, addresses_of_machines};

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_has_the_policies() {
    let fixture = fixture().await;
    for path in [
        "/",
        "/standings",
        "/play",
        "/submit",
        "/workshop",
        "/account",
        "/api",
        "/privacy",
        "/llms.txt",
        "/guide/wat.md",
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

/// What a browser sends with a request that another site's page, or a part of one, makes.
fn foreign(own: &str) -> Vec<Vec<(&'static str, String)>> {
    const SITE: &str = "sec-fetch-site";
    const EVIL: &str = "http://evil.example";
    vec![
        vec![("origin", EVIL.into())],
        vec![("origin", "null".into())],
        vec![(SITE, "cross-site".into())],
        vec![(SITE, "same-site".into())],
        vec![("origin", "http://127.0.0.1:1".into())],
        vec![("origin", format!("{own}.evil.example"))],
        vec![("origin", own.into()), (SITE, "cross-site".into())],
        vec![("origin", EVIL.into()), ("content-type", "text/plain".into())],
        vec![("origin", EVIL.into()), ("x-http-method-override", "GET".into())],
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn another_sites_page_changes_nothing() {
    let fixture = fixture().await;
    let own = format!("http://{}", fixture.address);
    let claimed = fixture.ask(post("/account", "name=Mallory").form().with("origin", own.clone())).await;
    assert_eq!(claimed.status, 303, "{}", claimed.text);
    let cookies = claimed.cookies().join("; ");
    let mut asked = 0;
    for (method, address) in [addresses(), addresses_of_machines()].concat() {
        let Some(method) = ["POST", "PUT", "DELETE", "PATCH"].into_iter().find(|known| *known == method) else {
            assert_eq!(method, "GET", "{address}");
            continue;
        };
        let path: Vec<&str> = address.split('/').map(|part| if part.starts_with('{') { "1" } else { part }).collect();
        let ask = Ask { method, ..post(&path.join("/"), "") }.with("cookie", cookies.clone());
        for headers in foreign(&own) {
            let ask = headers.iter().fold(ask.clone(), |ask, (name, value)| ask.with(name, value.clone()));
            let answer = fixture.ask(ask).await;
            let refused = (answer.status.as_u16(), answer.code());
            assert_eq!(refused, (403, "cross_site".into()), "{method} {address} with {headers:?}");
            asked += 1;
        }
        // Its share of requests is used up otherwise.
        fixture.clock.advance(Duration::from_secs(60));
    }
    assert!(asked > 400, "{asked}");
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
