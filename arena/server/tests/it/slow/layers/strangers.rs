//! Strangers at what is somebody else's, and bodies and keys that cannot be.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use super::queries::{asks, crowd};
use crate::client::{Answer, Ask, delete, get, post, post_json, put_json};
use crate::fixture::{MODULE, OPERATOR, fixture};

/// For whom an operation is.
enum For {
    Everybody,
    /// Who has an account, and gets what is its own.
    Accounts,
    /// The owner of what is named; how others are refused.
    Owner(&'static [u16]),
    /// The owner of what is nobody's here; how all are refused.
    Nobody(u16),
    Operator,
}

/// All operations, each with a body that is read; what takes something away comes last.
fn operations() -> Vec<(&'static str, &'static str, Value, For)> {
    use For::{Accounts, Everybody, Nobody, Operator, Owner};
    let none = Value::Null;
    let cup = json!({ "definition": "name = \"Cup\"\npairs = 1", "entry": "open", "places": 4 });
    let turn = json!({ "ply": 0, "client_seq": 1, "action": "0101040a020a030b020b03" });
    let (bot, because) = (json!({ "bot": "talker" }), json!({ "bot": "talker", "reason": "a test" }));
    let (leases, lease) = (json!({ "leases": [] }), json!({ "leases": [], "lease_ms": 1_000 }));
    vec![
        ("GET", "/account", none.clone(), Accounts),
        // Not its name.
        ("POST", "/account/deletion", json!({ "name": "Nobody" }), Accounts),
        ("GET", "/account/export", none.clone(), Accounts),
        ("GET", "/account/games.tar", none.clone(), Accounts),
        ("GET", "/account/tokens", none.clone(), Accounts),
        ("POST", "/account/tokens", json!({ "name": "laptop", "scope": "read", "days": 1 }), Accounts),
        // `api::tokens` shows that it stays.
        ("POST", "/account/tokens/{number}/revocation", none.clone(), Owner(&[404])),
        ("POST", "/accounts", json!({ "name": "Zoe" }), Everybody),
        ("GET", "/bots", none.clone(), Everybody),
        ("GET", "/bots/{name}", none.clone(), Everybody),
        ("PUT", "/bots/{name}/active", json!({ "version": 1 }), Owner(&[403])),
        ("POST", "/bots/{name}/challenges", json!({ "bot": "talker", "games": 2 }), Owner(&[403])),
        ("GET", "/bots/{name}/games", none.clone(), Everybody),
        ("PUT", "/bots/{name}/name", json!({ "name": "talker" }), Owner(&[403])),
        ("GET", "/bots/{name}/versions", none.clone(), Everybody),
        ("POST", "/bots/{name}/versions", none.clone(), Owner(&[409])),
        ("GET", "/bots/{name}/versions/{number}", none.clone(), Everybody),
        ("GET", "/bots/{name}/versions/{number}/logs", none.clone(), Owner(&[404])),
        ("GET", "/games", none.clone(), Everybody),
        ("GET", "/games/{id}", none.clone(), Everybody),
        ("GET", "/games/{id}/again", none.clone(), Nobody(404)),
        ("GET", "/games/{id}/log", none.clone(), Nobody(404)),
        ("GET", "/games/{id}/profile", none.clone(), Nobody(404)),
        ("GET", "/games/{id}/record", none.clone(), Everybody),
        ("GET", "/limits", none.clone(), Everybody),
        ("GET", "/lobby", none.clone(), Everybody),
        ("POST", "/lobby", json!({}), Accounts),
        ("POST", "/lobby/joins", json!({ "code": "zzzz22" }), Accounts),
        ("POST", "/lobby/pairings", json!({}), Accounts),
        ("GET", "/modules/{hash}", none.clone(), Everybody),
        ("GET", "/operator", none.clone(), Operator),
        ("POST", "/operator/acts", json!({ "act": "end_drain", "reason": "a test" }), Operator),
        ("GET", "/operator/audit", none.clone(), Operator),
        ("POST", "/operator/tournaments", json!({ "owner": "Ann", "reason": "a test", "tournament": cup }), Operator),
        ("POST", "/checks", none.clone(), Everybody),
        ("GET", "/people", none.clone(), Everybody),
        ("POST", "/rooms", json!({ "opponent": "easy", "seat": 0 }), Accounts),
        ("GET", "/rooms/{id}", none.clone(), Everybody),
        // With a bot in the other seat the game begins.
        ("POST", "/rooms/{id}/bots", json!({ "opponent": "easy" }), Owner(&[403])),
        // What is said there is rejected by what the room is.
        ("POST", "/rooms/{id}/commands", json!({ "type": "resign", "ply": 0 }), Everybody),
        ("GET", "/rooms/{id}/events", none.clone(), Everybody),
        ("POST", "/rooms/{id}/turns", turn, Owner(&[403])),
        ("POST", "/rooms/{id}/resignation", json!({ "ply": 0 }), Owner(&[403])),
        ("GET", "/standings", none.clone(), Everybody),
        ("GET", "/tournaments", none.clone(), Everybody),
        ("POST", "/tournaments", cup, Accounts),
        ("GET", "/tournaments/{id}", none.clone(), Everybody),
        ("POST", "/tournaments/{id}/entries", bot, Owner(&[403])),
        ("GET", "/tournaments/{id}/folder", none.clone(), Everybody),
        ("POST", "/tournaments/{id}/withdrawals", because, Owner(&[403])),
        ("POST", "/tournaments/{id}/start", none.clone(), Owner(&[403])),
        ("POST", "/tournaments/{id}/cancellation", json!({ "reason": "a test" }), Owner(&[403])),
        ("GET", "/volunteers", none.clone(), Everybody),
        ("POST", "/volunteers/claims", json!({ "semantics": [], "games": 1, "lease_ms": 1_000 }), Accounts),
        ("POST", "/volunteers/ends", json!({ "ends": [] }), Accounts),
        ("GET", "/volunteers/modules/{hash}", none.clone(), Accounts),
        ("POST", "/volunteers/renewals", lease, Accounts),
        ("POST", "/volunteers/returns", leases, Accounts),
        ("GET", "/worlds", none.clone(), Everybody),
        ("GET", "/worlds/{name}", none.clone(), Everybody),
        // So is what is called in a world.
        ("POST", "/worlds/{name}/commands", json!({ "type": "faucet" }), Everybody),
        ("GET", "/worlds/{name}/events", none.clone(), Everybody),
        ("GET", "/worlds/{name}/spans", none.clone(), Everybody),
        ("GET", "/worlds/{name}/spans/{from}", none.clone(), Everybody),
        ("DELETE", "/bots/{name}", none, Owner(&[403])),
    ]
}

#[tokio::test(flavor = "multi_thread")]
async fn every_operation_is_for_those_who_may_and_for_nobody_else() {
    let document: Value = serde_json::from_str(&arena_server::openapi()).expect("JSON");
    let paths = document["paths"].as_object().expect("paths");
    let listed = paths
        .iter()
        .flat_map(|(path, item)| item.as_object().into_iter().flatten().map(move |(method, _)| (method, path)));
    let listed: BTreeSet<String> = listed.map(|(method, path)| format!("{} {path}", method.to_uppercase())).collect();
    let told = operations().into_iter().map(|(method, path, ..)| format!("{method} /api/v1{path}"));
    assert_eq!(listed, told.collect::<BTreeSet<_>>(), "the table has every operation of the document");

    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    fixture.accepted(&ann, MODULE).await;
    let token = fixture.token(&ann, "read").await.0.to_string();
    let room = fixture.ask(post_json("/api/v1/lobby", json!({ "seat": 0 })).bearer(&ann)).await;
    let room = room.json()["room"].as_str().expect("an id").to_owned();
    let cup = json!({ "definition": "name = \"Cup\"\npairs = 1", "entry": "open", "places": 4 });
    assert_eq!(fixture.ask(post_json("/api/v1/tournaments", cup).bearer(&ann)).await.status, 201);
    let (hash, is_barred) = ("0".repeat(64), |status: u16| status == 401 || status == 403);
    for (method, template, body, whose) in operations() {
        let id = match template.split('/').nth(1) {
            Some("rooms") => room.as_str(),
            Some("games") => "standing-1.0",
            _ => "cup-1",
        };
        let number = if template.contains("tokens") { token.as_str() } else { "1" };
        let named =
            [("{id}", id), ("{name}", "talker"), ("{number}", number), ("{hash}", hash.as_str()), ("{from}", "0")];
        let path = named.into_iter().fold(format!("/api/v1{template}"), |path, (name, is)| path.replace(name, is));
        let ask = match method {
            "GET" => get(&path),
            "DELETE" => delete(&path),
            "PUT" => put_json(&path, body),
            _ if template.ends_with("versions") => post(&path, MODULE).with("content-type", "application/wasm"),
            _ if body.is_null() => post(&path, ""),
            _ => post_json(&path, body),
        };
        let asked = async |who: Option<&str>| {
            let ask = who.map_or(ask.clone(), |secret| ask.clone().bearer(secret));
            let answer = fixture.ask(ask).await;
            assert_ne!(answer.status, 429, "{method} {path}: {}", answer.text);
            answer.status.as_u16()
        };
        let nobody = asked(None).await;
        let others = match whose {
            For::Everybody => {
                assert!(!is_barred(nobody), "{method} {path}: {nobody}");
                continue;
            }
            For::Operator => vec![asked(Some(bob.as_str())).await, asked(Some(OPERATOR)).await],
            For::Owner(_) => vec![asked(Some(bob.as_str())).await, asked(Some(ann.as_str())).await],
            For::Accounts | For::Nobody(_) => vec![asked(Some(bob.as_str())).await],
        };
        let holds = match (whose, &others[..]) {
            (For::Accounts, [account]) => !is_barred(*account),
            (For::Nobody(refused), [account]) => *account == refused,
            (For::Owner(refused), [stranger, owner]) => refused.contains(stranger) && !is_barred(*owner),
            (For::Operator, [account, operator]) => *account == 401 && matches!(operator, 200 | 201),
            _ => false,
        };
        assert!(holds && is_barred(nobody), "{method} {path}: {nobody}, then {others:?}");
    }
    fixture.end().await;
}

/// PostgreSQL cannot hold U+0000, and a worker's text with it looked like damage.
#[tokio::test(flavor = "multi_thread")]
async fn a_text_that_no_database_can_hold_is_its_senders_fault_wherever_it_is_sent() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let null = "a\0b";
    for (method, template, body, whose) in operations() {
        if method == "GET" || template.ends_with("/versions") || template == "/checks" {
            continue;
        }
        let path = ["{id}", "{name}", "{number}"]
            .iter()
            .fold(format!("/api/v1{template}"), |path, part| path.replace(part, "1"));
        let mut body = if body.is_null() { json!({}) } else { body };
        body[null] = json!([null]);
        let ask = Ask { method, ..post_json(&path, body) };
        let secret = if matches!(whose, For::Operator) { OPERATOR } else { ann.as_str() };
        let answer = fixture.ask(ask.bearer(secret)).await;
        let taken_by_nobody = ["/start", "/revocation", "{name}"].iter().any(|end| template.ends_with(end));
        assert!(
            answer.status == 422 && answer.code() == "bad_text" || taken_by_nobody,
            "{method} {path}: {}",
            answer.text
        );
        assert!(answer.status.as_u16() < 500, "{method} {path}: {}", answer.text);
    }
    for address in ["/bots/a%00b", "/api/v1/bots/a%00b", "/guide/search?q=%00", "/api/v1/games?bot=%00"] {
        assert_eq!(fixture.ask(get(address)).await.status, 422, "{address}");
    }
    for (path, form) in [("/account", "name=a%00b"), ("/session", "code=%00"), ("/lobby", "door=public&seat=%00")] {
        assert_eq!(fixture.ask(post(path, form).form().bearer(&ann)).await.status, 422, "{path}");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_one_accounts_is_kept_by_no_cache() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    for path in
        ["/account", "/account/code", "/submit", "/tournaments/new", "/api/v1/account", "/api/v1/account/export"]
    {
        let answer = fixture.ask(get(path).bearer(&ann)).await;
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
    fixture.end().await;
}

/// Whether an answer is for Ann alone: a page whose head has her name, or what sets a cookie for being read. Caches
/// keep no answer to a change.
fn is_anns(answer: &Answer) -> bool {
    let head = answer.text.split("id=\"account\"").nth(1).and_then(|rest| rest.split("</a>").next());
    head.is_some_and(|head| head.contains("Ann")) || (answer.asked.starts_with("GET ") && !answer.cookies().is_empty())
}

/// Whether caches may keep an answer, as they may what is for everybody.
fn is_kept(answer: &Answer) -> bool {
    answer.header("cache-control") != "no-store"
}

/// No cache may keep what is for one person.
pub(super) fn assert_no_cache_keeps_what_is_anns(answer: &Answer) {
    assert!(!is_anns(answer) || !is_kept(answer), "{}: {:?}", answer.asked, answer.response.headers());
}

/// The next person at the browser could go back to it, and a proxy could give it to others.
#[tokio::test(flavor = "multi_thread")]
async fn a_page_that_is_made_for_an_account_is_kept_by_no_cache_whichever_it_is() {
    let fixture = fixture().await;
    crowd(&fixture).await;
    let (mut own, mut common) = (0, 0);
    for ask in asks(&fixture).await {
        if ask.method != "GET" || ask.path.starts_with("/api/") {
            continue;
        }
        fixture.clock.advance(Duration::from_secs(60));
        let stranger = get(&ask.path).with("accept", "text/html");
        let (signed, stranger) = (fixture.ask(ask.with("accept", "text/html")).await, fixture.ask(stranger).await);
        if !signed.header("content-type").starts_with("text/html") {
            continue;
        }
        assert_no_cache_keeps_what_is_anns(&signed);
        own += usize::from(is_anns(&signed));
        common += usize::from(is_kept(&stranger));
    }
    assert!(own > 20 && common > 10, "{own} {common}");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_somebodys_is_for_nobody_else() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let owner = fixture.owner(&ann).await;
    let version = fixture.pending(owner, "talker", "conquerors@2").await;
    fixture.logged(version, "secret\n").await;
    let wanted = json!({ "opponent": "easy", "seat": 0 });
    let room = fixture.ask(post_json("/api/v1/rooms", wanted).bearer(&ann)).await.json()["room"].clone();
    let room = format!("/api/v1/rooms/{}", room.as_str().expect("an id"));
    let turn = json!({ "ply": 0, "client_seq": 1, "action": "0101040a020a030b020b03" });
    // What nobody, somebody else and the owner are answered. A room is watched by anybody with its id, and played in by
    // one.
    let table: [(Ask, [u16; 3]); 9] = [
        (get("/api/v1/account"), [401, 200, 200]),
        (get("/api/v1/bots/talker/versions/1/logs"), [401, 404, 200]),
        (get("/api/v1/games/standing-1.0/log"), [401, 404, 404]),
        (get("/api/v1/games/standing-1.0/again?version=1"), [401, 404, 404]),
        (get("/api/v1/games/standing-1.0/profile"), [401, 404, 404]),
        (post("/api/v1/bots/talker/versions", MODULE), [401, 409, 200]),
        (get(&room), [200, 200, 200]),
        (post_json(&format!("{room}/resignation"), json!({ "ply": 0 })), [403, 403, 200]),
        // The game is over by then.
        (post_json(&format!("{room}/turns"), turn), [403, 403, 409]),
    ];
    for (ask, wanted) in table {
        for (who, wanted) in [None, Some(&bob), Some(&ann)].into_iter().zip(wanted) {
            if wanted == 200 && ask.method == "POST" && ask.path.ends_with("versions") {
                // It waits for a verdict, which no worker gives here.
                continue;
            }
            let asked = who.map_or(ask.clone(), |code| ask.clone().bearer(code));
            let answer = fixture.ask(asked).await;
            assert_eq!(answer.status.as_u16(), wanted, "{} {}: {}", ask.method, ask.path, answer.text);
            assert!(!answer.text.contains("secret") || who == Some(&ann), "{}", answer.text);
        }
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bodies_have_the_fields_that_they_may_have_and_no_other() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    for (path, good) in [
        ("/api/v1/accounts", r#""name":"Bob""#),
        ("/api/v1/rooms", r#""opponent":"easy","seat":0"#),
        ("/api/v1/rooms/00000000000000000000000000000000/turns", r#""ply":0,"client_seq":1,"action":"010100""#),
        ("/api/v1/rooms/00000000000000000000000000000000/resignation", r#""ply":0"#),
    ] {
        for body in [
            format!(r#"{{{good},"rating":9999}}"#),
            format!("{{{good},{good}}}"),
            deep.clone(),
            format!(r#"{{{good},"x":NaN}}"#),
            format!(r#"{{{good},"x":1e999}}"#),
            format!(r#"{{{good},"x":"\ud800"}}"#),
        ] {
            let ask = post(path, body.clone()).with("content-type", "application/json").bearer(&code);
            let answer = fixture.ask(ask).await;
            let status = answer.status.as_u16();
            assert!([400, 422].contains(&status), "{path} {body:.60}: {}", answer.text);
        }
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn lists_go_on_after_keys_that_can_be() {
    let fixture = fixture().await;
    for path in ["/api/v1/bots", "/api/v1/games"] {
        let first = fixture.ask(get(path)).await;
        assert_eq!(first.status, 200, "{path}: {}", first.text);
        assert!(first.json().as_array().is_some_and(|rows| rows.len() <= 50), "{path}");
        for bad in ["after=-1", "after=1e9", "after=4294967296", "after=x", "limit=1000000000", "offset=1"] {
            let answer = fixture.ask(get(&format!("{path}?{bad}"))).await;
            assert_eq!(answer.status, 400, "{path}?{bad}: {}", answer.text);
        }
    }
    fixture.end().await;
}
