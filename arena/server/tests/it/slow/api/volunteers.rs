//! `/api/v1/volunteers`: games that workers play for the site, its own and those of accounts. What their words come to
//! is tested where it is decided, in the store.

use arena_record::{EntrantId, Hex};
use arena_store::{AccountId, AskedGame, TournamentId, VOLUNTEER_LEASE_MS_MAX, WorkerName};
use serde_json::{Value, json};

use crate::client::{get, post_json};
use crate::fixture::{Fixture, fixture};
use crate::snapshot::assert_snapshot;

impl Fixture {
    /// Games that nobody has played, of a tournament with one bot.
    pub(crate) async fn games_wait(&self) {
        let cup = TournamentId::parse("cup-1").expect("an id");
        let game = |number: u8| AskedGame {
            key: Hex([number; 32]),
            semantics: "ab".repeat(32),
            build: "arena 0.2.0".into(),
            job: format!("game {number}"),
            is_sampled: false,
        };
        self.store.ask_games(&cup, &[1, 2, 3].map(game)).await.expect("asked");
        self.store.keep_for_queue(&cup, &EntrantId::of_bytes(b"bot"), b"bot").await.expect("kept");
    }
}

fn ends(leases: &Value, text: &str) -> Value {
    let end = |claimed: &Value| json!({ "lease": claimed["lease"], "is_void": false, "text": text });
    json!({ "ends": leases.as_array().expect("games").iter().map(end).collect::<Vec<Value>>() })
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_claims_games_submits_them_and_is_listed_until_it_is_banned() {
    let fixture = fixture().await;
    fixture.games_wait().await;
    let code = fixture.account("Vera").await;
    let (_, token) = fixture.token(&code, "work").await;
    let ask =
        |what: &str, body: Value| fixture.ask(post_json(&format!("/api/v1/volunteers/{what}"), body).bearer(&token));
    let other = ask("claims", json!({ "semantics": ["cd".repeat(32)], "games": 2, "lease_ms": 1_000 })).await;
    assert_snapshot("api/volunteers-other-release", &other);
    let wanted = json!({ "semantics": ["ab".repeat(32)], "games": 2, "lease_ms": 1_000_000 });
    let claimed = ask("claims", wanted.clone()).await;
    assert_snapshot("api/volunteers-claimed", &claimed);
    let games = claimed.json()["games"].clone();
    let leases = json!([games[0]["lease"], games[1]["lease"]]);
    let renewed = ask("renewals", json!({ "leases": leases, "lease_ms": 1_000 })).await;
    assert_snapshot("api/volunteers-renewed", &renewed);
    assert_eq!(ask("returns", json!({ "leases": [games[1]["lease"]] })).await.status, 204);
    let submitted = ask("ends", ends(&json!([games[0]]), "played")).await;
    // Whether it is checked is not told.
    assert_snapshot("api/volunteers-submitted", &submitted);
    let hash = EntrantId::of_bytes(b"bot").hash().expect("a hash").to_string();
    let path = format!("/api/v1/volunteers/modules/{hash}");
    assert_snapshot("api/volunteers-module", &fixture.ask(get(&path).bearer(&token)).await);
    let export = fixture.ask(get("/api/v1/account/export").bearer(&code)).await.json();
    assert_eq!(export["volunteer"], json!({ "name": "Vera", "games": 1, "verified": 0, "banned": false }));
    assert_snapshot("api/volunteers", &fixture.ask(get("/api/v1/volunteers")).await);

    fixture.store.quarantine(&WorkerName::of_volunteer(AccountId(1)), "it was wrong").await.expect("banned");
    assert_snapshot("api/volunteers-banned", &ask("claims", wanted).await);
    assert_eq!(fixture.ask(get("/api/v1/volunteers")).await.json()["volunteers"][0]["banned"], true);
    fixture.end().await;
}

/// More than a network's share of requests: none of it is taken by the site's own workers.
const MANY: usize = 400;

#[tokio::test(flavor = "multi_thread")]
async fn a_worker_of_the_site_plays_by_its_token_until_that_is_revoked_and_does_nothing_else() {
    let fixture = fixture().await;
    fixture.games_wait().await;
    let (name, now) = (WorkerName::parse("ant").expect("a name"), fixture.service.now());
    let token = fixture.store.add_worker(&name, now).await.expect("a worker").expose();
    let ask =
        |what: &str, body: Value| fixture.ask(post_json(&format!("/api/v1/volunteers/{what}"), body).bearer(&token));
    let wanted = |semantics: &str, lease_ms: u64| json!({ "semantics": [semantics], "games": 2, "lease_ms": lease_ms });
    let claimed = ask("claims", wanted(&"ab".repeat(32), 2 * VOLUNTEER_LEASE_MS_MAX)).await.json()["games"].clone();
    assert_eq!(claimed.as_array().map(Vec::len), Some(2), "{claimed}");
    let (one, other) = (json!([claimed[0]]), json!({ "leases": [claimed[1]["lease"]] }));
    assert_eq!(ask("ends", ends(&one, "played")).await.json(), json!({ "taken": ["taken"] }));
    let cup = TournamentId::parse("cup-1").expect("an id");
    let known = fixture.store.ends(&cup, &[Hex([1; 32])]).await.expect("readable");
    assert_eq!(known.first().map(|end| &end.worker), Some(&name), "its first game counts, and is no account's");
    assert_eq!(ask("returns", other).await.status, 204);
    let hash = EntrantId::of_bytes(b"bot").hash().expect("a hash").to_string();
    let module = get(&format!("/api/v1/volunteers/modules/{hash}"));
    assert_eq!(fixture.ask(module.bearer(&token)).await.status, 200);
    for number in 0..MANY {
        let idle = ask("claims", wanted(&"cd".repeat(32), 1)).await;
        assert_eq!(idle.status, 200, "request {number}: {}", idle.text);
    }
    assert!(fixture.store.workers().await.expect("readable")[0].used_at.is_some(), "by the database's clock");
    for path in ["account", "account/tokens", "account/export"] {
        let refused = fixture.ask(get(&format!("/api/v1/{path}")).bearer(&token)).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (401, "sign_in"), "{path}");
        assert!(refused.text.contains("a worker's token only plays games"), "{}", refused.text);
    }
    let broken = WorkerName::parse("broken").expect("a name");
    let token_of_it = fixture.store.add_worker(&broken, now).await.expect("a worker").expose();
    fixture.store.quarantine(&broken, "it was wrong").await.expect("quarantined");
    let module = get(&format!("/api/v1/volunteers/modules/{hash}")).bearer(&token_of_it);
    assert_eq!(fixture.ask(module).await.code(), "banned", "also where it claims nothing");
    assert!(fixture.store.revoke_worker(&name).await.expect("revoked"));
    let refused = ask("claims", wanted(&"ab".repeat(32), 1)).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (401, "unknown_token"));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_game_is_refused_in_a_sentence() {
    let fixture = fixture().await;
    fixture.games_wait().await;
    let code = fixture.account("Vera").await;
    let (_, token) = fixture.token(&code, "work").await;
    let ask =
        |what: &str, body: Value| fixture.ask(post_json(&format!("/api/v1/volunteers/{what}"), body).bearer(&token));
    let none = json!({ "tournament": "cup-1", "key": "00", "token": 1 });
    assert_snapshot("api/volunteers-no-lease", &ask("returns", json!({ "leases": [none] })).await);
    let wanted = |semantics: &str, games: usize| json!({ "semantics": [semantics], "games": games, "lease_ms": 1 });
    assert_snapshot("api/volunteers-no-semantics", &ask("claims", wanted("\"x\"", 1)).await);
    assert_eq!(ask("claims", wanted(&"ab".repeat(32), 65)).await.code(), "too_large");
    let claimed = ask("claims", wanted(&"ab".repeat(32), 1)).await.json()["games"].clone();
    let long = "x".repeat(arena_store::END_BYTES_MAX + 1);
    assert_eq!(ask("ends", ends(&claimed, &long)).await.code(), "too_large");
    let many = "x".repeat(arena_server::volunteering::ENDS_BYTES_MAX);
    assert_eq!(ask("ends", ends(&claimed, &many)).await.status, 413);
    let foreign = json!([{ "lease": { "tournament": "cup-1", "key": "02".repeat(32), "token": 1 } }]);
    assert_eq!(ask("ends", ends(&foreign, "played")).await.json(), json!({ "taken": ["foreign"] }));
    let stranger = post_json("/api/v1/volunteers/claims", wanted(&"ab".repeat(32), 1));
    assert_eq!(fixture.ask(stranger).await.code(), "sign_in");
    assert_eq!(fixture.ask(get("/api/v1/volunteers/modules/00").bearer(&token)).await.code(), "no_such_module");
    fixture.end().await;
}
