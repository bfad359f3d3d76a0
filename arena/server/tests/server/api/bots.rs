//! `/api/v1/bots` and `/api/v1/modules`.

use arena_record::EntrantId;
use arena_store::Verdict;

use crate::client::{get, post};
use crate::fixture::{MODULE, fixture};
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_is_listed_when_a_version_is_accepted() {
    let fixture = fixture().await;
    let owner = fixture.owner(&fixture.account("Ann").await).await;
    let version = fixture.pending(owner, "talker", "conquerors@2").await;
    assert_snapshot("api/bots-none", &fixture.ask(get("/api/v1/bots")).await);
    assert_snapshot("api/versions", &fixture.ask(get("/api/v1/bots/talker/versions")).await);
    assert_snapshot("api/version-pending", &fixture.ask(get("/api/v1/bots/talker/versions/1")).await);
    fixture.service.store().set_verdict(version, Verdict::Accepted).await.expect("pending");
    assert_snapshot("api/bots", &fixture.ask(get("/api/v1/bots?game=conquerors")).await);
    assert_snapshot("api/version", &fixture.ask(get("/api/v1/bots/talker/versions/1")).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_bytes_of_an_accepted_bot_are_had_by_their_hash() {
    let fixture = fixture().await;
    let owner = fixture.owner(&fixture.account("Ann").await).await;
    let version = fixture.pending(owner, "talker", "conquerors@2").await;
    let id = EntrantId::of_bytes(MODULE);
    let path = format!("/api/v1/modules/{}", id.hash().expect("a bot"));
    assert_eq!(fixture.ask(get(&path)).await.code(), "no_such_module", "not yet accepted");
    fixture.service.store().set_verdict(version, Verdict::Accepted).await.expect("pending");
    let module = fixture.ask(get(&path)).await;
    assert_eq!(module.text.as_bytes(), MODULE);
    assert_snapshot_of("api/module", &module, "[the module]");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_submission_that_is_refused_says_why() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let submit = post("/api/v1/bots/mine/versions", "not a module").with("content-type", "application/wasm");
    assert_snapshot("api/submit-stranger", &fixture.ask(submit.clone()).await);
    assert_snapshot("api/submit-refused", &fixture.ask(submit.bearer(&ann)).await);
    assert_snapshot("api/version-refused", &fixture.ask(get("/api/v1/bots/mine/versions/1")).await);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_says_its_game_and_takes_no_version_for_another() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let owner = fixture.owner(&ann).await;
    fixture.pending(owner, "lifer", "war-of-life@1").await;
    let bot = fixture.ask(get("/api/v1/bots/lifer")).await;
    assert_snapshot("api/bot", &bot);
    assert_eq!(bot.json()["game"], "war-of-life@1");
    let page = fixture.ask(get("/bots/lifer")).await;
    assert!(page.text.contains("War of Life"), "{}", page.text);
    let again = post("/api/v1/bots/lifer/versions?game=conquerors", "y").with("content-type", "application/wasm");
    let refused = fixture.ask(again.bearer(&ann)).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (409, "other_game"), "{}", refused.text);
    let unknown = post("/api/v1/bots/lifer/versions?game=chess", "y").bearer(&ann);
    assert_eq!(fixture.ask(unknown).await.code(), "no_such_game");
    let taken = post("/api/v1/bots/minimax/versions", "y").bearer(&ann);
    assert_eq!(fixture.ask(taken).await.code(), "name_taken", "it is a built-in opponent's");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_games_of_a_bot_are_chosen_and_lost_ones_come_first() {
    let fixture = fixture().await;
    let games = |query: &str| get(&format!("/api/v1/bots/normal/games{query}"));
    assert_snapshot("api/bot-games", &fixture.ask(games("?opponent=hard&seat=0")).await);
    let all = fixture.ask(games("")).await.json();
    let result = |game: &serde_json::Value| match game["winner"].as_u64() {
        None => 1,
        Some(winner) if game["seats"][winner as usize]["name"] == "normal" => 2,
        Some(_) => 0,
    };
    let results: Vec<u8> = all.as_array().expect("games").iter().map(result).collect();
    assert!(results.is_sorted() && !results.is_empty(), "{results:?}");
    for bad in ["?result=maybe", "?seat=x", "?end=x", "?opponent=nobody", "?after=9999", "?game=chess"] {
        assert_eq!(fixture.ask(games(bad)).await.status, 404, "{bad}");
    }
    assert_eq!(fixture.ask(games("?colour=blue")).await.status, 400);
    fixture.end().await;
}
