//! `/api/v1/operator`.

use std::time::Duration;

use arena_store::Verdict;
use serde_json::{Value, json};

use crate::client::{Answer, Ask, get, post, post_json};
use crate::eventually::eventually;
use crate::fixture::{Fixture, NOW, OPERATOR, fixture};
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

impl Fixture {
    /// How often a share was used up, as the operator reads it.
    pub(crate) async fn refusals(&self, limit: &str, whose: &str) -> u64 {
        let going = self.ask(get("/api/v1/operator").bearer(OPERATOR)).await.json();
        let refusals = going["refusals"].as_array().cloned().unwrap_or_default();
        let found = refusals.iter().find(|refusal| refusal["limit"] == limit && refusal["whose"] == whose);
        found.and_then(|refusal| refusal["count"].as_u64()).unwrap_or_default()
    }

    pub(crate) async fn act(&self, act: Value) -> Answer {
        self.ask(post_json("/api/v1/operator/acts", act).bearer(OPERATOR)).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_sees_what_is_going_on_and_nobody_else_does() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let going = fixture.ask(get("/api/v1/operator").bearer(OPERATOR)).await;
    let mut told = going.json();
    assert!(told["disk_free_bytes"].as_u64().is_some_and(|bytes| bytes > 0), "{told}");
    told["disk_free_bytes"] = 0.into();
    assert_snapshot_of("api/operator", &going, &told.to_string());
    for path in ["/api/v1/operator", "/api/v1/operator/audit"] {
        let asks = [get(path), get(path).bearer(&code), get(path).bearer("a"), get(path).bearer(&OPERATOR[1..])];
        for ask in asks {
            let refused = fixture.ask(ask).await;
            assert_eq!((refused.status.as_u16(), refused.code().as_str()), (401, "not_the_operator"));
        }
    }
    let act = json!({ "act": "drain", "reason": "a test" });
    let refused = fixture.ask(post_json("/api/v1/operator/acts", act).bearer(&code)).await;
    assert_eq!(refused.status, 401);
    assert_eq!(fixture.ask(get("/api/v1/account").bearer(OPERATOR)).await.status, 401, "the operator is no account");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_starts_a_tournament_for_an_account_and_the_log_says_so() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let definition = "name = \"cup\"\nruleset = \"game-of-game-of-life@1\"\noptions = \"seats=5\"\nformat = \"field\"\n\
        games = 10000\npairs = 1";
    let cup = json!({ "definition": definition, "entry": "open", "places": 5 });
    let refused = fixture.ask(post_json("/api/v1/tournaments", cup.clone()).bearer(&code)).await;
    assert!(refused.status == 422 && refused.text.contains("the fuel of a tournament"), "{}", refused.text);
    let wanted = json!({ "owner": "Ann", "reason": "the yearly one", "tournament": cup });
    let path = "/api/v1/operator/tournaments";
    assert_eq!(fixture.ask(post_json(path, wanted.clone()).bearer(&code)).await.status, 401, "she is not the operator");
    let start = || post_json(path, wanted.clone()).bearer(OPERATOR).with("idempotency-key", "one");
    let opened = fixture.ask(start()).await;
    assert_eq!((opened.status.as_u16(), &opened.json()["id"]), (201, &json!("cup-1")), "{}", opened.text);
    assert_eq!(fixture.ask(start()).await.text, opened.text, "the same request with its key starts no second one");
    assert_snapshot("api/operator-tournament", &opened);
    let log = fixture.ask(get("/api/v1/tournaments/cup-1")).await.text;
    assert!(log.contains("the operator opened the tournament for Ann"), "{log}");
    let audit = fixture.ask(get("/api/v1/operator/audit").bearer(OPERATOR)).await.text;
    assert!(audit.contains("open_tournament") && audit.contains("the yearly one"), "{audit}");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_sees_tournaments_of_accounts_and_who_has_used_much_of_a_share() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let definition = "name = \"cup\"\nformat = \"swiss\"\npairs = 1\nrounds = 1";
    let cup = json!({ "definition": definition, "entry": "open", "places": 64 });
    let opened = fixture.ask(post_json("/api/v1/tournaments", cup).bearer(&code)).await;
    assert_eq!(opened.status, 201, "{}", opened.text);
    for number in 0..4 {
        let upload = post(&format!("/api/v1/bots/none-{number}/versions"), "no module").bearer(&code);
        assert_eq!(fixture.ask(upload.with("content-type", "application/wasm")).await.status, 422);
    }
    let going = fixture.ask(get("/api/v1/operator").bearer(OPERATOR)).await.json();
    let waits = json!([{ "id": "cup-1", "played": 0, "games": 0, "trouble": null }]);
    assert_eq!(going["tournaments"], waits);
    let used = &going["used"][0];
    assert_eq!((&used["account"], &used["share"]), (&1.into(), &"submissions".into()), "{going}");
    assert!(used["percent"].as_u64().is_some_and(|percent| (10..=13).contains(&percent)), "4 of 30: {used}");
    let page = fixture.ask(get("/operator").bearer(OPERATOR)).await.text;
    assert!(page.contains("<a href=\"/tournaments/cup-1\">cup-1</a>"), "{page}");
    assert!(page.contains("Most of a share is used by #1: 1"), "{page}");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_adjusts_a_limit_within_its_bounds_and_everybody_sees_it() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let token =
        || post_json("/api/v1/account/tokens", json!({ "name": "a", "scope": "read", "days": 1 })).bearer(&code);
    let set = async |name: &str, value: &str| {
        fixture.act(json!({ "act": "set_limit", "name": name, "new_name": value, "reason": "a test" })).await
    };
    let row = async || {
        let limits = fixture.ask(get("/api/v1/limits")).await.json();
        let found = limits.as_array().and_then(|rows| rows.iter().find(|row| row["name"] == "tokens").cloned());
        let row = found.expect("a row");
        ["value", "default", "min", "max"].map(|field| row[field].as_u64())
    };
    assert_eq!(row().await, [Some(20), Some(20), Some(2), Some(100)]);
    let done = set("tokens", " 2 ").await;
    let told = (done.status.as_u16(), done.json()["name"].clone());
    assert_eq!(told, (200, json!("tokens 2")), "{}", done.text);
    assert_eq!(row().await, [Some(2), Some(20), Some(2), Some(100)]);
    assert_eq!(fixture.ask(token()).await.status, 201);
    assert_eq!(fixture.ask(token()).await.status, 201);
    let refused = fixture.ask(token()).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (409, "too_many_tokens"), "{}", refused.text);
    let going = fixture.ask(get("/api/v1/operator").bearer(OPERATOR)).await.json();
    let measure = &going["measures"][0];
    assert_eq!((&measure["kind"], &measure["about"]), (&json!("limit"), &json!("tokens 2")), "{going}");
    for (name, value, status, code) in [
        ("tokens", "101", 422, "bad_limit"),
        ("tokens", "1", 422, "bad_limit"),
        ("tokens", "", 422, "bad_limit"),
        ("bots", "20", 404, "no_such_limit"),
        ("fuel_per_move", "20", 404, "no_such_limit"),
    ] {
        let refused = set(name, value).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (status, code), "{name} {value}");
    }
    let refused = set("bots", "20").await.json();
    assert!(refused["hint"].as_str().is_some_and(|hint| hint.contains("`open_rooms`")), "{refused}");
    let reset = json!({ "act": "reset_limit", "name": "tokens", "reason": "a test" });
    assert_eq!(fixture.act(reset).await.status, 200);
    assert_eq!(row().await, [Some(20), Some(20), Some(2), Some(100)]);
    assert_eq!(fixture.ask(token()).await.status, 201);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_closes_what_has_to_be_closed_and_opens_it_again() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let act = async |word: &str| fixture.act(json!({ "act": word, "reason": "a test" })).await;
    let cup = json!({ "definition": "name = \"Cup\"\npairs = 1", "entry": "open", "places": 4 });
    let cup = || post_json("/api/v1/tournaments", cup.clone()).bearer(&code);
    let sign_up = || post_json("/api/v1/accounts", json!({ "name": "Bob" }));
    for (what, ask) in [("accounts", &sign_up as &dyn Fn() -> Ask), ("tournaments", &cup)] {
        assert_eq!(act(&format!("close_{what}")).await.status, 200);
        let refused = fixture.ask(ask()).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (503, "closed"), "{}", refused.text);
        assert_eq!(act(&format!("open_{what}")).await.status, 200);
        assert_eq!(fixture.ask(ask()).await.status, 201, "{what}");
    }
    let token = post_json("/api/v1/account/tokens", json!({ "name": "a", "scope": "all", "days": 1 })).bearer(&code);
    let token = fixture.ask(token).await.json()["number"].as_i64().expect("a number");
    // Read-only: whatever changes something is refused, whatever only looks is answered, and the operator may still
    // act.
    assert_eq!(act("close_changes").await.status, 200);
    for ask in
        [sign_up(), cup(), post("/session", format!("code={code}")).form(), post("/play", "opponent=easy").form()]
    {
        let refused = fixture.ask(ask).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (503, "read_only"), "{}", refused.asked);
    }
    for path in ["/", "/standings", "/api/v1/account"] {
        assert_eq!(fixture.ask(get(path).bearer(&code)).await.status, 200, "{path}");
    }
    let revoke = post_json(&format!("/api/v1/account/tokens/{token}/revocation"), json!({})).bearer(&code);
    assert_eq!(fixture.ask(revoke).await.json(), json!([]), "a token that leaked is revoked");
    assert_eq!(fixture.ask(post("/session/end", "").form()).await.status, 303, "a session ends");
    assert_eq!(act("open_changes").await.status, 200);
    assert_eq!(fixture.ask(post_json("/api/v1/lobby", json!({ "public": true })).bearer(&code)).await.status, 201);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_say_what_is_closed_before_anybody_tries_and_so_do_its_forms() {
    const FORM: &str = "The operator has closed this for now.";
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let act = async |word: String| fixture.act(json!({ "act": word, "reason": "a test" })).await.status;
    let shown = async |path: &str, language: &str| {
        let ask = get(path).with("accept", "text/html").with("accept-language", language);
        fixture.ask(if path == "/account" { ask } else { ask.bearer(&code) }).await.text
    };
    for (gate, form, english, spanish) in [
        (
            "accounts",
            "/account",
            "Closed by the operator for now: sign-up.",
            "Cerrado por el operador por ahora: registro.",
        ),
        ("submissions", "/submit", "for now: submissions.", "por ahora: envíos."),
        ("tournaments", "/tournaments/new", "for now: new tournaments.", "por ahora: torneos nuevos."),
        ("rooms", "/play", "for now: new games.", "por ahora: partidas nuevas."),
        ("changes", "/lobby", "This site can only be looked at for now", "Por ahora este sitio solo se puede mirar"),
    ] {
        assert!(!shown(form, "en").await.contains(FORM), "{gate}");
        assert_eq!(act(format!("close_{gate}")).await, 200);
        for path in ["/", "/standings", form, "/no/such/page"] {
            let page = shown(path, "en").await;
            assert!(page.contains(english), "{gate} {path}: {page}");
            assert_eq!(page.contains(FORM), path == form, "{gate} {path}");
            assert!(shown(path, "es").await.contains(spanish), "{gate} {path}");
        }
        assert_eq!(act(format!("open_{gate}")).await, 200);
        assert!(!shown("/", "en").await.contains(english), "{gate}");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_notice_is_on_all_pages_and_a_tournament_that_is_annulled_says_so_and_stays() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let act = async |act: Value| fixture.act(act).await;
    let notice = json!({ "act": "post_notice", "new_name": "Back at <noon>", "reason": "a test" });
    assert_eq!(act(notice).await.status, 200);
    for path in ["/", "/standings", "/guide", "/no/such/page"] {
        let page = fixture.ask(get(path).with("accept", "text/html")).await.text;
        assert!(page.contains("Back at &#60;noon&#62;"), "{path}: {page}");
    }
    assert_eq!(act(json!({ "act": "remove_notice", "reason": "a test" })).await.status, 200);
    assert!(!fixture.ask(get("/")).await.text.contains("noon"));
    let cup = json!({ "definition": "name = \"Cup\"\npairs = 1", "entry": "open", "places": 4 });
    assert_eq!(fixture.ask(post_json("/api/v1/tournaments", cup).bearer(&code)).await.status, 201);
    for id in ["cup-1", "standing-1", "war-of-life-1"] {
        let annul = json!({ "act": "annul_tournament", "name": id, "reason": "two bots had one author" });
        assert_eq!(act(annul).await.status, 200, "{id}");
    }
    let annulled = |view: &Value| view["annulled"]["reason"].as_str().unwrap_or_default().to_owned();
    // A bot that has the place of this name: built-in opponents alone have played in the fixture's editions.
    fixture.pending(fixture.owner(&code).await, "minimax", "war-of-life@1").await;
    let placed = async || {
        let bot = fixture.ask(get("/api/v1/bots/minimax")).await.json();
        (bot["place"]["name"].clone(), bot["edition_annulled"]["reason"].clone(), bot["edition_annulled"]["at"].clone())
    };
    assert_eq!(placed().await, (Value::Null, json!("two bots had one author"), json!(NOW.0)));
    let seen = async || {
        let cup = fixture.ask(get("/api/v1/tournaments/cup-1")).await.json();
        let edition = fixture.ask(get("/api/v1/standings?game=conquerors")).await.json()["edition"].clone();
        [annulled(&cup), annulled(&edition)]
    };
    assert_eq!(seen().await, ["two bots had one author"; 2]);
    for page in ["/tournaments/cup-1", "/standings/conquerors"] {
        let text = fixture.ask(get(page)).await.text;
        assert!(text.contains("The operator annulled it on") && text.contains("two bots had one author"), "{page}");
    }
    // Whatever says something of it says that, too.
    let said = async || {
        let mut said = Vec::new();
        for page in ["/bots/easy", "/games/standing-1.0", "/games", "/"] {
            said.push((page, fixture.ask(get(page)).await.text.contains("two bots had one author")));
        }
        for list in ["/api/v1/tournaments", "/api/v1/games", "/api/v1/games/standing-1.0", "/api/v1/bots/easy/games"] {
            said.push((list, fixture.ask(get(list)).await.text.contains("\"annulled\":")));
        }
        said.push(("/tournaments", fixture.ask(get("/tournaments")).await.text.contains(">annulled</span>")));
        said
    };
    assert!(said().await.iter().all(|(_, says)| *says), "{:?}", said().await);
    assert!(!fixture.ask(get("/bots/easy")).await.text.contains("), place "), "nobody has a place in it");
    assert_eq!(fixture.ask(get("/api/v1/tournaments/standing-1/folder")).await.status, 200, "its folder stays");
    let unknown = json!({ "act": "annul_tournament", "name": "standing-99", "reason": "a test" });
    assert_eq!(act(unknown).await.code(), "no_such_tournament");
    for id in ["cup-1", "standing-1", "war-of-life-1"] {
        assert_eq!(act(json!({ "act": "restore_tournament", "name": id, "reason": "a mistake" })).await.status, 200);
    }
    assert_eq!(seen().await, [""; 2]);
    assert_eq!(placed().await, (json!("minimax"), Value::Null, Value::Null));
    assert!(said().await.iter().all(|(_, says)| !says), "{:?}", said().await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_banned_network_gets_nothing_until_its_ban_ends_and_no_log_names_it() {
    let fixture = fixture().await;
    let ban =
        |network: &str, hours: &str| json!({ "act": "ban", "name": network, "new_name": hours, "reason": "a flood" });
    for (network, hours) in [
        ("127.0.0.0/8", "0"),
        ("127.0.0.1", "1000"),
        ("127.0.0.1", ""),
        ("0.0.0.0/0", "1"),
        ("nowhere", "1"),
        ("::/8", "1"),
    ] {
        assert_eq!(fixture.act(ban(network, hours)).await.code(), "bad_ban", "{network} {hours}");
    }
    assert_eq!(fixture.ask(get("/")).await.status, 200);
    let banned = fixture.act(ban("127.0.0.1", "2")).await;
    let number = banned.json()["number"].as_i64().expect("a number");
    assert_eq!(banned.json()["name"], format!("ban {number}"));
    for path in ["/", "/api/v1/standings"] {
        let refused = fixture.ask(get(path)).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (403, "banned_network"), "{path}");
    }
    for health in ["/healthz", "/readyz"] {
        assert_eq!(fixture.ask(get(health)).await.status, 200, "{health}: what asks may be in any network");
    }
    let named = json!({ "act": "ban", "name": "192.0.2.7", "new_name": "1", "reason": "192.0.2.7 floods us" });
    let named = fixture.act(named).await;
    assert_eq!((named.status.as_u16(), named.code().as_str()), (422, "address_in_reason"), "{}", named.text);
    let going = async || fixture.ask(get("/api/v1/operator").bearer(OPERATOR)).await.json()["measures"].clone();
    let until = crate::fixture::NOW.0 + 2 * 3_600;
    let held = json!([{ "number": number, "kind": "ban", "about": "127.0.0.1/32", "since": crate::fixture::NOW.0, "until": until }]);
    assert_eq!(going().await, held);
    fixture.clock.advance(Duration::from_secs(2 * 3_600));
    eventually("the end of the ban", async || (fixture.ask(get("/")).await.status == 200).then_some(())).await;
    assert_eq!(going().await, json!([]), "the network is deleted");
    let log = fixture.ask(get("/api/v1/operator/audit").bearer(OPERATOR)).await.text;
    assert!(log.contains(&format!("ban {number}")) && !log.contains("127.0.0"), "{log}");
    // However its address is written, and in IPv6 with all that a line has.
    let about = async |network: &str| {
        let number = fixture.act(ban(network, "1")).await.json()["number"].clone();
        let measures = going().await;
        let about = measures.as_array().and_then(|all| all.iter().find(|measure| measure["number"] == number).cloned());
        let lift = json!({ "act": "lift_ban", "name": number.to_string(), "reason": "enough" });
        assert_eq!(fixture.act(lift).await.status, 200);
        about.expect("it holds")["about"].as_str().unwrap_or_default().to_owned()
    };
    for (written, network) in [
        ("::ffff:192.0.2.7", "192.0.2.7/32"),
        ("::ffff:192.0.2.7/120", "192.0.2.0/24"),
        ("2001:db8:0:1234::7", "2001:db8:0:1200::/56"),
        ("2001:db8::7/128", "2001:db8::/64"),
        ("2001:db8::/48", "2001:db8::/48"),
    ] {
        assert_eq!(about(written).await, network, "{written}");
    }
    assert_eq!(fixture.act(ban("::ffff:0.0.0.0/97", "1")).await.code(), "bad_ban", "half of all there is");
    // A ban is lifted by its number.
    let number = fixture.act(ban("127.0.0.0/8", "1")).await.json()["number"].clone();
    assert_eq!(fixture.ask(get("/")).await.status, 403);
    let lift = |number: &Value| json!({ "act": "lift_ban", "name": number.to_string(), "reason": "enough" });
    assert_eq!(fixture.act(lift(&number)).await.status, 200);
    assert_eq!(fixture.ask(get("/")).await.status, 200);
    assert_eq!(fixture.act(lift(&number)).await.code(), "no_such_ban");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn wrong_tokens_of_an_operator_are_counted() {
    let fixture = fixture().await;
    for _ in 0..3 {
        assert_eq!(fixture.ask(get("/api/v1/operator").bearer(&OPERATOR[1..])).await.status, 401);
    }
    assert_eq!(fixture.ask(post("/operator/session", "token=guess").form()).await.status, 401);
    assert_eq!(fixture.ask(get("/api/v1/operator")).await.status, 401, "no guess");
    assert_eq!(fixture.ask(get("/api/v1/operator").bearer(OPERATOR)).await.json()["guesses"], 4);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn acts_are_lines_of_the_log() {
    let fixture = fixture().await;
    fixture.account("Ann").await;
    let renamed =
        json!({ "act": "rename_account", "name": "ann", "new_name": "Anna", "reason": "the old name was rude" });
    assert_snapshot("api/operator-act", &fixture.act(renamed).await);
    assert_eq!(fixture.act(json!({ "act": "disable_account", "name": "#1", "reason": "spam" })).await.status, 200);
    for (act, status, code) in [
        (json!({ "act": "disable_bot", "name": "zoe", "reason": "spam" }), 404, "no_such_bot"),
        (json!({ "act": "disable_account", "name": "Zoe", "reason": "spam" }), 404, "no_such_account"),
        (json!({ "act": "drain", "reason": " " }), 422, "bad_reason"),
        (json!({ "act": "drain" }), 422, "bad_request"),
        (json!({ "act": "explode", "reason": "why not" }), 422, "bad_request"),
    ] {
        let refused = fixture.act(act).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (status, code), "{}", refused.text);
    }
    let log = fixture.ask(get("/api/v1/operator/audit").bearer(OPERATOR)).await;
    assert_snapshot("api/operator-audit", &log);
    assert_eq!(log.header("content-type"), "application/x-ndjson");
    let lines: Vec<Value> = log.text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let numbers: Vec<_> = lines.iter().map(|line| line["number"].as_i64()).collect();
    assert_eq!(numbers, [Some(2), Some(1)], "what was refused is no line");
    let older = fixture.ask(get("/api/v1/operator/audit?before=2").bearer(OPERATOR)).await;
    assert_eq!(older.text.lines().count(), 1);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_disabled_account_does_nothing_and_its_bots_do_not_play() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let owner = fixture.owner(&code).await;
    let version = fixture.pending(owner, "lifer", "conquerors@2").await;
    fixture.store.set_verdict(version, Verdict::Accepted).await.expect("pending");
    let session = fixture.ask(crate::client::post("/session", format!("code={code}")).form()).await;
    let cookie = session.cookies().join("; ");
    let wanted = json!({ "name": "laptop", "scope": "all", "days": 1 });
    let token = fixture.ask(post_json("/api/v1/account/tokens", wanted).bearer(&code)).await;
    let token = token.json()["secret"].as_str().expect("a secret").to_owned();
    let against = post_json("/api/v1/rooms", json!({ "opponent": "lifer", "seat": 0 }));
    let other = fixture.account("Bob").await;
    assert_eq!(fixture.act(json!({ "act": "disable_account", "name": "Ann", "reason": "spam" })).await.status, 200);
    let own = || get("/api/v1/account");
    for ask in [own().bearer(&code), own().bearer(&token), own().with("cookie", cookie.clone())] {
        let refused = fixture.ask(ask).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (403, "disabled"));
    }
    let signed = fixture.ask(crate::client::post("/session", format!("code={code}")).form()).await;
    assert_eq!(signed.code(), "disabled");
    assert_eq!(fixture.ask(against.bearer(&other)).await.code(), "no_such_opponent");
    assert!(fixture.store.bot(version.bot).await.expect("read").is_some_and(|bot| bot.disabled));
    assert_eq!(fixture.act(json!({ "act": "enable_account", "name": "Ann", "reason": "sorry" })).await.status, 200);
    for ask in [own().bearer(&code), own().bearer(&token), own().with("cookie", cookie)] {
        assert_eq!(fixture.ask(ask).await.status, 200);
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_gets_another_name_that_nobody_has() {
    let fixture = fixture().await;
    let owner = fixture.owner(&fixture.account("Ann").await).await;
    let version = fixture.pending(owner, "rude", "conquerors@2").await;
    fixture.store.set_verdict(version, Verdict::Accepted).await.expect("pending");
    let taken = fixture.pending(owner, "taken", "conquerors@2").await;
    fixture.store.set_verdict(taken, Verdict::Accepted).await.expect("pending");
    let rename = |name: &str| json!({ "act": "rename_bot", "name": "Rude", "new_name": name, "reason": "it was rude" });
    for (name, status, code) in [("t-aken", 409, "name_taken"), ("easy", 422, "bad_name"), ("<b>", 422, "bad_name")] {
        let refused = fixture.act(rename(name)).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (status, code), "{}", refused.text);
    }
    let done = fixture.act(rename("polite")).await.json();
    assert_eq!((&done["act"], &done["name"], &done["bot"]), (&"rename_bot".into(), &"polite".into(), &1.into()));
    assert_eq!(fixture.ask(get("/api/v1/bots/polite")).await.status, 200);
    assert_eq!(fixture.ask(get("/api/v1/bots/rude")).await.status, 404);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_closed_is_refused_and_draining_sends_visitors_away() {
    let fixture = fixture().await;
    let code = fixture.account("Ann").await;
    let room = || post_json("/api/v1/rooms", json!({ "opponent": "easy", "seat": 0 })).bearer(&code);
    let submission = || {
        let module = crate::client::post("/api/v1/bots/mine/versions", "no module");
        module.with("content-type", "application/wasm").bearer(&code)
    };
    let opened = fixture.ask(room()).await.json()["room"].as_str().expect("an id").to_owned();
    for act in ["close_rooms", "close_submissions"] {
        assert_eq!(fixture.act(json!({ "act": act, "reason": "a test" })).await.status, 200);
    }
    for ask in [room(), submission()] {
        let refused = fixture.ask(ask).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (503, "closed"), "{}", refused.text);
        assert_eq!(refused.header("retry-after"), "600");
    }
    assert_eq!(fixture.refusals("closed", "everybody").await, 2);
    assert_eq!(fixture.ask(get(&format!("/api/v1/rooms/{opened}"))).await.status, 200, "what is there goes on");
    assert_eq!(fixture.act(json!({ "act": "open_rooms", "reason": "a test" })).await.status, 200);
    assert_eq!(fixture.ask(room()).await.status, 201);
    assert_eq!(fixture.act(json!({ "act": "drain", "reason": "a restart" })).await.status, 200);
    let ready = fixture.ask(get("/readyz")).await;
    assert_snapshot("machines/readyz-draining", &ready);
    assert_eq!(ready.header("retry-after"), "60");
    assert_eq!(fixture.ask(get("/healthz")).await.status, 200, "it is well all the same");
    assert_eq!(fixture.ask(room()).await.code(), "closed");
    assert_eq!(fixture.ask(get("/standings")).await.status, 200);
    assert_eq!(fixture.act(json!({ "act": "end_drain", "reason": "no restart" })).await.status, 200);
    assert_eq!(fixture.ask(get("/readyz")).await.status, 200);
    fixture.end().await;
}
