//! `/api/v1/bots` and `/api/v1/modules`.

use std::cmp::Reverse;

use arena_record::{EntrantId, OutcomeRecord};
use arena_store::{IndexedGame, Page, TournamentId, Verdict};

use crate::client::{get, post};
use crate::fixture::{Fixture, MODULE, fixture, fixture_at};
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

/// How many games are more than a page and less than two.
const MANY: u32 = 70;

/// A site with two editions, of which the first has many games of one built-in opponent against another.
async fn two_editions() -> Fixture {
    let fixture = fixture_at(2).await;
    let latest = TournamentId::parse("standing-2").expect("an id");
    let played = fixture.store.games(&latest, Page::first(50)).await.expect("read");
    let ids = ["easy", "hard"].map(|name| EntrantId::of_baseline(name, 1));
    let pair = played.iter().find(|game| *game.entrants.values() == ids).expect("they met");
    let games = (0..MANY).map(|number| {
        let winner = [None, Some(0), Some(1)][number as usize % 3];
        IndexedGame { number, outcome: OutcomeRecord { winner, ..pair.outcome.clone() }, ..pair.clone() }
    });
    let games: Vec<IndexedGame> = games.collect();
    fixture.store.reindex(&TournamentId::parse("standing-1").expect("an id"), &games).await.expect("indexed");
    fixture
}

/// Whether a bot lost a game, drew or won it, as lists are in order.
fn came_to(game: &serde_json::Value, name: &str) -> u8 {
    match game["winner"].as_u64() {
        None => 1,
        Some(winner) if game["seats"][winner as usize]["name"] == name => 2,
        Some(_) => 0,
    }
}

/// The edition and the number of a game.
fn place(game: &serde_json::Value) -> (u32, u32) {
    let (edition, number) =
        game["id"].as_str().and_then(|id| id.strip_prefix("standing-")?.split_once('.')).expect("an id");
    (edition.parse().expect("a number"), number.parse().expect("a number"))
}

#[tokio::test(flavor = "multi_thread")]
async fn the_games_of_a_bot_over_all_editions_come_page_by_page_in_either_order() {
    let fixture = two_editions().await;
    let list = async |query: &str| {
        let answer = fixture.ask(get(&format!("/api/v1/bots/easy/games{query}"))).await;
        assert_eq!(answer.status, 200, "{query}: {}", answer.text);
        answer.json().as_array().expect("games").clone()
    };
    let of_latest = list("").await;
    for order in ["", "&order=latest"] {
        let mut games = list(&format!("?edition=all{order}")).await;
        assert_eq!(games.len(), 50, "a page");
        let last = games[49]["id"].as_str().expect("an id").to_owned();
        games.extend(list(&format!("?edition=all{order}&after={last}")).await);
        assert_eq!(games.len(), MANY as usize + of_latest.len(), "{order}");
        let key = |game: &serde_json::Value| {
            let (edition, number) = place(game);
            match order {
                "" => (came_to(game, "easy"), Reverse(edition), i64::from(number)),
                _ => (0, Reverse(edition), -i64::from(number)),
            }
        };
        let keys: Vec<_> = games.iter().map(key).collect();
        assert!(keys.is_sorted_by(|one, next| one < next), "no game twice: {keys:?}");
    }
    let lost = list("?edition=all&opponent=hard&result=lost&seat=0").await;
    assert!(!lost.is_empty() && lost.iter().all(|game| came_to(game, "easy") == 0), "{lost:?}");
    let of_one = list("?edition=1&order=latest&after=3").await;
    assert_eq!(of_one.iter().map(place).collect::<Vec<_>>(), [(1, 2), (1, 1), (1, 0)], "a number will do");
    assert_eq!(list("?edition=2").await, of_latest);
    for (bad, code) in [
        ("?edition=3", "no_such_edition"),
        ("?edition=0", "no_such_edition"),
        ("?edition=first", "no_such_edition"),
        ("?order=first", "no_such_order"),
        ("?edition=all&after=3", "no_such_game"),
        ("?edition=all&after=standing-1.9999", "no_such_game"),
        ("?edition=all&after=cup-1.0", "no_such_game"),
    ] {
        let refused = fixture.ask(get(&format!("/api/v1/bots/easy/games{bad}"))).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (404, code), "{bad}");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_of_a_bot_lists_the_games_of_the_edition_that_is_chosen_or_of_all() {
    let fixture = two_editions().await;
    let page = async |query: &str| fixture.ask(get(&format!("/bots/easy{query}"))).await.text;
    let all = page("?edition=all&order=latest").await;
    assert!(all.contains("<option value=\"all\" selected>") && all.contains("All editions that are kept"), "{all}");
    let next = all.split("id=\"more\" href=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a next page");
    let next = next.replace("&#38;", "&").replace("&amp;", "&");
    let rest = page(next.trim_start_matches("/bots/easy").trim_end_matches("#games")).await;
    let rows = |page: &str| page.matches("<tr data-result=").count();
    let of_latest = rows(&page("").await);
    assert_eq!((rows(&all), rows(&rest)), (50, MANY as usize + of_latest - 50));
    let one = page("?edition=1").await;
    assert!(one.contains("<option selected>1</option>") && one.contains("/games/standing-1.0"), "{one}");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_over_all_editions_cost_more_of_a_share() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    // An account's share of requests at once is 6,000, and it earns 200 a second.
    let asked = async |path: &str| {
        let mut refused = 0;
        for _ in 0..40 {
            refused += u32::from(fixture.ask(get(path).bearer(&ann)).await.status == 429);
        }
        refused
    };
    assert_eq!(asked("/bots/easy?edition=1").await, 0);
    assert_ne!(asked("/bots/easy?edition=all").await, 0);
    fixture.end().await;
}
