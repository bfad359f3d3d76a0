//! `/api/v1/tournaments`. The workers of the fixture play nothing: what is played here are built-in opponents.

use std::time::Duration;

use arena_runner::Contender;
use arena_store::Verdict;
use arena_wire::GAMES;
use serde_json::{Value, json};

use crate::client::{get, post, post_json};
use crate::eventually::eventually;
use crate::fixture::{Fixture, fixture};
use crate::snapshot::assert_snapshot;

const DEFINITION: &str = "name = \"Cup\"\npairs = 1\n[[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n\
    [[entrants]]\nname = \"normal\"\nbaseline = \"normal\"\n";

fn open(entry: &str) -> Value {
    json!({ "definition": DEFINITION, "entry": entry, "places": 4 })
}

impl Fixture {
    /// Waits until a tournament is over; its state then.
    async fn tournament_over(&self, id: &str) -> Value {
        let look = async || {
            // Who looks has a share, which grows.
            self.clock.advance(Duration::from_secs(1));
            let view = self.ask(get(&format!("/api/v1/tournaments/{id}"))).await.json();
            let is_over = ["finished", "cancelled"].contains(&view["stage"].as_str().expect("a stage"));
            if is_over { Ok(view) } else { Err(view) }
        };
        eventually("the end of a tournament", look).await
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_is_opened_entered_and_cancelled() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let owner = fixture.owner(&bob).await;
    let version = fixture.pending(owner, "talker", "conquerors@2").await;
    fixture.service.store().set_verdict(version, Verdict::Accepted).await.expect("pending");
    assert_snapshot("api/tournaments-none", &fixture.ask(get("/api/v1/tournaments")).await);
    assert_snapshot("api/tournament-stranger", &fixture.ask(post_json("/api/v1/tournaments", open("open"))).await);
    let opened = fixture.ask(post_json("/api/v1/tournaments", open("open")).bearer(&ann)).await;
    assert_snapshot("api/tournament-opened", &opened);
    let cup = |path: &str| format!("/api/v1/tournaments/cup-1{path}");
    assert_snapshot("api/tournament", &fixture.ask(get(&cup(""))).await);
    let enter = |bot: &str, code: &str| post_json(&cup("/entries"), json!({ "bot": bot })).bearer(code);
    for (bot, code, status, word) in [("talker", &ann, 403, "not_your_bot"), ("stranger", &bob, 404, "no_such_bot")] {
        let refused = fixture.ask(enter(bot, code)).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (status, word), "{}", refused.text);
    }
    assert_snapshot("api/tournament-entered", &fixture.ask(enter("talker", &bob)).await);
    assert_eq!(fixture.ask(enter("talker", &bob)).await.code(), "twice");
    let because = |path: &str| post_json(&cup(path), json!({ "reason": "no time" }));
    assert_snapshot("api/tournament-start", &fixture.ask(post(&cup("/start"), "").bearer(&bob)).await);
    assert_eq!(fixture.ask(because("/cancellation").bearer(&bob)).await.code(), "not_yours");
    let out = post_json(&cup("/withdrawals"), json!({ "bot": "talker", "reason": "it is not ready" }));
    assert_snapshot("api/tournament-withdrawn", &fixture.ask(out.clone().bearer(&bob)).await);
    assert_eq!(fixture.ask(out.bearer(&bob)).await.code(), "not_in");
    assert_snapshot("api/tournament-cancel", &fixture.ask(because("/cancellation").bearer(&ann)).await);
    assert_eq!(fixture.ask(because("/cancellation").bearer(&ann)).await.code(), "over");
    assert_snapshot("api/tournament-cancelled", &fixture.ask(get(&cup(""))).await);
    assert_snapshot("api/tournaments", &fixture.ask(get("/api/v1/tournaments")).await);
    assert_eq!(fixture.ask(get("/api/v1/tournaments/cup-2")).await.code(), "no_such_tournament");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_tournament_is_played_and_its_folder_is_there() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let opened = fixture.ask(post_json("/api/v1/tournaments", open("named")).bearer(&ann)).await;
    assert_eq!(opened.status, 201, "{}", opened.text);
    let view = fixture.tournament_over("cup-1").await;
    assert_eq!((view["stage"].as_str(), view["played"].as_u64()), (Some("finished"), Some(2)), "{view}");
    assert_eq!(view["standings"]["rows"].as_array().map(Vec::len), Some(2));
    let games = fixture.ask(get("/api/v1/games?tournament=cup-1")).await.json();
    assert_eq!(games.as_array().map(Vec::len), Some(2));
    for path in
        ["/api/v1/games/cup-1.0/record", "/games/cup-1.1", "/tournaments/cup-1", "/api/v1/tournaments/cup-1/folder"]
    {
        assert_eq!(fixture.ask(get(path)).await.status, 200, "{path}");
    }
    let page = fixture.ask(get("/tournaments/cup-1")).await;
    assert!(
        page.text.contains("/api/v1/tournaments/cup-1/folder | tar -x &amp;&amp; arena verify cup-1"),
        "{}",
        page.text
    );
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn bots_of_every_game_are_challenged() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let owner = fixture.owner(&ann).await;
    for (number, game) in GAMES.iter().enumerate() {
        let (own, other) = (format!("bot-{number}"), Contender::usual(game.ruleset).next().expect("an opponent"));
        let version = fixture.pending(owner, &own, game.ruleset).await;
        fixture.service.store().set_verdict(version, Verdict::Accepted).await.expect("pending");
        let page = fixture.ask(get(&format!("/bots/{other}?game={}", game.name())).bearer(&ann)).await;
        assert!(page.text.contains(&format!("<option>{own}</option>")), "{}: {}", game.name(), page.text);
        let challenge = post_json(&format!("/api/v1/bots/{other}/challenges"), json!({ "bot": own, "games": 2 }));
        let opened = fixture.ask(challenge.bearer(&ann)).await;
        assert_eq!(opened.status, 201, "{}: {}", game.name(), opened.text);
        let id = opened.json()["id"].as_str().expect("an id").to_owned();
        let view = fixture.ask(get(&format!("/api/v1/tournaments/{id}"))).await.json();
        let options = format!("options = \"{}\"", game.match_options().expect("for two"));
        assert!(view["definition"].as_str().is_some_and(|text| text.contains(&options)), "{view}");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_no_tournament_is_refused_in_a_sentence() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    for (body, code) in [
        (json!({ "definition": "name = \"x\"\nlaps = 3", "entry": "open" }), "bad_tournament"),
        (json!({ "definition": "name = \"x\"\npairs = 0", "entry": "open" }), "bad_tournament"),
        (json!({ "definition": "name = \"x\"\nformat = \"cup\"", "entry": "open" }), "bad_tournament"),
        (json!({ "definition": "name = \"x\"\nruleset = \"chess@1\"", "entry": "open" }), "bad_tournament"),
        (json!({ "definition": "name = \"x\"", "entry": "named" }), "bad_tournament"),
        (json!({ "definition": DEFINITION, "entry": "all" }), "bad_tournament"),
        (json!({ "definition": DEFINITION, "entry": "open", "until": 5 }), "bad_date"),
        (json!({ "definition": DEFINITION, "entry": "open", "late": true }), "bad_tournament"),
        (json!({ "definition": DEFINITION, "entry": "open", "places": 65 }), "bad_tournament"),
        (json!({ "definition": DEFINITION, "entry": "open", "bots": ["stranger"] }), "no_such_bot"),
        (json!({ "definition": DEFINITION, "entry": "invited" }), "bad_invitation"),
        (json!({ "definition": DEFINITION, "entry": "invited", "invited": ["Nobody Here"] }), "bad_invitation"),
    ] {
        let refused = fixture.ask(post_json("/api/v1/tournaments", body.clone()).bearer(&ann)).await;
        assert_eq!(refused.code(), code, "{body}: {}", refused.text);
    }
    for number in 1..=5 {
        let opened = fixture.ask(post_json("/api/v1/tournaments", open("open")).bearer(&ann)).await;
        assert_eq!(opened.status, 201, "{number}: {}", opened.text);
    }
    let refused = fixture.ask(post_json("/api/v1/tournaments", open("open")).bearer(&ann)).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "600"), "{}", refused.text);
    for games in [0, 3, 1_000] {
        let challenge = post_json("/api/v1/bots/easy/challenges", json!({ "bot": "mine", "games": games }));
        assert_eq!(fixture.ask(challenge.bearer(&ann)).await.code(), "bad_tournament", "{games}");
    }
    let challenge = post_json("/api/v1/bots/easy/challenges", json!({ "bot": "mine", "games": 2 }));
    assert_snapshot("api/challenge-without-bot", &fixture.ask(challenge.bearer(&ann)).await);
    fixture.end().await;
}
