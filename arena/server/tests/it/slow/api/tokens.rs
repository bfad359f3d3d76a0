//! `/api/v1/account/tokens`, and what tokens may do.

use std::time::Duration;

use arena_store::{NewToken, Scope, UnixSeconds, Verdict};
use serde_json::{Value, json};

use crate::client::{Ask, get, post, post_json};
use crate::fixture::{Fixture, NOW, fixture};
use crate::snapshot::assert_snapshot;

impl Fixture {
    /// A token of an account, by the account's code.
    pub(crate) async fn token(&self, code: &str, scope: &str) -> (i64, String) {
        let wanted = json!({ "name": "laptop", "scope": scope, "days": 30 });
        let made = self.ask(post_json("/api/v1/account/tokens", wanted).bearer(code)).await;
        assert_eq!((made.status.as_u16(), made.header("cache-control")), (201, "no-store"), "{}", made.text);
        let made = made.json();
        (made["number"].as_i64().expect("a number"), made["secret"].as_str().expect("a secret").into())
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_is_shown_once_listed_and_revoked() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let wanted = json!({ "name": "laptop", "scope": "submit", "days": 30 });
    let made = fixture.ask(post_json("/api/v1/account/tokens", wanted).bearer(&code)).await;
    assert_snapshot("api/token-made", &made);
    let secret = made.json()["secret"].as_str().expect("a secret").to_owned();
    let unused = fixture.ask(get("/api/v1/account/tokens").bearer(&code)).await;
    assert!(!unused.text.contains(&secret));
    assert_eq!(unused.json()[0]["used_at"], Value::Null);
    assert_eq!(fixture.ask(get("/api/v1/account").bearer(&secret)).await.json()["name"], "Ann");
    let used = fixture.ask(get("/api/v1/account/tokens").bearer(&code)).await;
    assert_snapshot("api/tokens", &used);
    let noted = used.json()[0]["used_at"].as_i64().expect("it was used");
    assert!(noted >= used.json()[0]["created_at"].as_i64().expect("made"));
    let number = used.json()[0]["number"].as_i64().expect("a number");
    let revoked = post_json(&format!("/api/v1/account/tokens/{number}/revocation"), json!({})).bearer(&code);
    assert_snapshot("api/token-revoked", &fixture.ask(revoked).await);
    let over = fixture.ask(get("/api/v1/account").bearer(&secret)).await;
    assert_snapshot("api/token-unknown", &over);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_scope_allows_what_it_says_and_names_what_is_missing() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let opened = post_json("/api/v1/rooms", json!({ "opponent": "easy", "seat": 1 }));
    let room = fixture.ask(opened.clone().bearer(&code)).await.json()["room"].as_str().expect("an id").to_owned();
    let cup = |path: &str| format!("/api/v1/tournaments/cup-1{path}");
    let out = json!({ "bot": "mine", "reason": "a test" });
    let asks: [(Ask, &str); 17] = [
        (get("/api/v1/account"), "read"),
        (get("/api/v1/account/export"), "all"),
        (get("/api/v1/account/games.tar"), "all"),
        (post("/api/v1/bots/mine/versions", "no module").with("content-type", "application/wasm"), "submit"),
        (post("/submit", "x").with("content-type", "multipart/form-data"), "submit"),
        (post_json("/api/v1/tournaments", json!({ "definition": "", "entry": "open" })), "submit"),
        (post("/tournaments/new", "").form(), "submit"),
        (post_json(&cup("/entries"), json!({ "bot": "mine" })), "submit"),
        (post_json(&cup("/withdrawals"), out), "submit"),
        (post(&cup("/start"), ""), "submit"),
        (post_json(&cup("/cancellation"), json!({ "reason": "a test" })), "submit"),
        (post_json("/api/v1/bots/easy/challenges", json!({ "bot": "mine", "games": 2 })), "submit"),
        (opened, "play"),
        (post_json(&format!("/api/v1/rooms/{room}/resignation"), json!({ "ply": 1 })), "play"),
        (get(&format!("/api/v1/rooms/{room}/socket")), "play"),
        (post("/account/name", "name=Anna").form(), "all"),
        (post("/account/code", "").form(), "code"),
    ];
    for scope in ["read", "submit", "play", "all"] {
        let (_, secret) = fixture.token(&code, scope).await;
        for (ask, needed) in &asks {
            let answer = fixture.ask(ask.clone().bearer(&secret)).await;
            let covered = scope == *needed || *needed == "read" || (scope == "all" && *needed != "code");
            // A public page shows what it shows to strangers.
            let refused = answer.status == 403 && answer.code().starts_with("needs_");
            assert_eq!(refused, !covered, "{} by {scope}: {}", answer.asked, answer.text);
            if refused && *needed != "code" {
                let detail = answer.json()["detail"].as_str().unwrap_or_default().to_owned();
                assert_eq!(detail, format!("this needs a token with the scope `{needed}`; this one has `{scope}`"));
            }
        }
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_page_of_an_account_is_for_no_token() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    for scope in arena_store::Scope::EVERY {
        let (_, secret) = fixture.token(&code, scope.into()).await;
        let page = fixture.ask(get("/account").bearer(&secret)).await.text;
        assert!(page.contains("id=\"claim\"") && !page.contains("laptop"), "what strangers see, {scope:?}: {page}");
    }
    assert!(fixture.ask(get("/account").bearer(&code)).await.text.contains("laptop"));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_to_work_reads_nothing_of_its_account() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let (_, secret) = fixture.token(&code, "work").await;
    for path in ["", "/export", "/games.tar"] {
        let refused = fixture.ask(get(&format!("/api/v1/account{path}")).bearer(&secret)).await;
        assert_eq!(
            (refused.status.as_u16(), refused.code().as_str()),
            (403, "needs_scope"),
            "{path}: {}",
            refused.text
        );
    }
    let logs = fixture.ask(get("/api/v1/games/standing-1.0/log").bearer(&secret)).await;
    assert_eq!(logs.code(), "needs_scope");
    let wanted = json!({ "semantics": [], "games": 1, "lease_ms": 1_000 });
    let claimed = fixture.ask(post_json("/api/v1/volunteers/claims", wanted).bearer(&secret)).await;
    assert_eq!(claimed.status, 200, "{}", claimed.text);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_to_play_reads_no_logs_and_tokens_to_read_or_submit_do() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let version = fixture.pending(fixture.owner(&code).await, "talker", "conquerors@2").await;
    fixture.logged(version, "what nobody else reads").await;
    fixture.store.set_verdict(version, Verdict::Accepted).await.expect("pending");
    let (page, answer) = ("/bots/talker/versions/1", "/api/v1/bots/talker/versions/1/logs");
    for (scope, reads) in [("read", true), ("submit", true), ("all", true), ("play", false), ("work", false)] {
        // The network's share of requests comes back.
        fixture.clock.advance(Duration::from_secs(60));
        let (_, secret) = fixture.token(&code, scope).await;
        for path in [page, answer] {
            let shown = fixture.ask(get(path).bearer(&secret)).await;
            assert_eq!(shown.text.contains("what nobody else reads"), reads, "{path} by {scope}: {}", shown.text);
        }
        for part in ["log", "again?version=1", "profile"] {
            let answer = fixture.ask(get(&format!("/api/v1/games/standing-1.0/{part}")).bearer(&secret)).await;
            assert_eq!(answer.code() != "needs_scope", reads, "{part} by {scope}: {}", answer.text);
        }
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_token_and_no_other_account_makes_lists_or_revokes_tokens() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let (number, all) = fixture.token(&code, "all").await;
    let wanted = json!({ "name": "another", "scope": "read", "days": 1 });
    let revocation = format!("/api/v1/account/tokens/{number}/revocation");
    for ask in [
        get("/api/v1/account/tokens"),
        post_json("/api/v1/account/tokens", wanted),
        post_json(&revocation, json!({})),
        post("/account/tokens", "name=x&scope=read&days=30").form(),
    ] {
        let refused = fixture.ask(ask.bearer(&all)).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (403, "needs_code"), "{}", refused.asked);
    }
    let bob = fixture.account("Bob").await;
    let others = fixture.ask(post_json(&revocation, json!({})).bearer(&bob)).await;
    assert_eq!((others.status.as_u16(), others.code().as_str()), (404, "no_such_token"), "he has no such token");
    let form = post(&format!("/account/tokens/{number}/revocation"), "").form();
    assert_eq!(fixture.ask(form.bearer(&bob)).await.status, 404);
    assert_eq!(fixture.ask(get("/api/v1/account").bearer(&all)).await.status, 200, "it is still there");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_token_that_is_over_or_not_to_be_made_is_refused() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let owner = fixture.owner(&code).await;
    let name = arena_store::DisplayName::parse("old").expect("a name");
    let new = NewToken { name, scope: Scope::All, expires_at: UnixSeconds(1) };
    let (_, over) = fixture.store.create_token(owner, &new, NOW).await.expect("made");
    let refused = fixture.ask(get("/api/v1/account").bearer(&over.expose())).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (401, "unknown_token"));
    for (days, scope, status) in [(0, "read", 422), (366, "read", 422), (1, "everything", 422), (365, "all", 201)] {
        let wanted = json!({ "name": "laptop", "scope": scope, "days": days });
        let answer = fixture.ask(post_json("/api/v1/account/tokens", wanted).bearer(&code)).await;
        assert_eq!(answer.status, status, "{}", answer.text);
    }
    fixture.end().await;
}
