//! All games: each has its standings, its bots, its opponents.

use arena_store::{BotName, SampleLog, UnixSeconds};
use arena_wire::GAMES;
use serde_json::json;

use crate::{fixture, get, post, post_json};

const NOW: UnixSeconds = UnixSeconds(1_800_000_000);

#[tokio::test(flavor = "multi_thread")]
async fn every_game_has_pages_that_lead_to_the_others() {
    let fixture = fixture().await;
    for game in GAMES {
        let page = fixture.ask(get(&format!("/standings/{}", game.name()))).await;
        assert_eq!(page.status, 200, "{}", game.name());
        for other in GAMES {
            assert!(page.text.contains(&escaped(other.title)), "{} leads to {}", game.name(), other.name());
        }
        let answer = fixture.ask(get(&format!("/api/v1/standings?game={}", game.name()))).await.json();
        assert_eq!((answer["game"].as_str(), answer["title"].as_str()), (Some(game.ruleset), Some(game.title)));
        for name in arena_runner::Contender::built_in(game.ruleset) {
            let page = fixture.ask(get(&format!("/bots/{name}?game={}", game.name()))).await;
            assert_eq!(page.status, 200, "{name}");
            assert!(page.text.contains(&format!("/standings/{}\">{}", game.name(), escaped(game.title))), "{name}");
        }
        let play = fixture.ask(get(&format!("/play?game={}", game.name()))).await;
        if !game.suits_rooms() {
            assert_eq!(play.code(), "no_rooms");
            continue;
        }
        for name in arena_runner::Contender::built_in(game.ruleset) {
            assert!(play.text.contains(&format!("value=\"{name}\"")), "{name}");
        }
    }
    let first = fixture.ask(get("/api/v1/standings")).await.json();
    assert_eq!(first["game"], GAMES[0].ruleset);
    for path in ["/api/v1/standings?game=chess", "/standings/chess", "/api/v1/bots?game=chess", "/play?game=chess"] {
        let answer = fixture.ask(get(path)).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (404, "no_such_game"), "{path}");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn rooms_are_offered_for_games_whose_seats_take_turns() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let play = fixture.ask(get("/play")).await;
    for game in GAMES {
        let link = format!("/play?game={}", game.name());
        assert_eq!(play.text.contains(&link), game.suits_rooms(), "{}", game.name());
    }
    let wanted = json!({ "game": "war-of-life", "opponent": "random", "seat": 0 });
    let opened = fixture.ask(post_json("/api/v1/rooms", wanted).bearer(&ann)).await;
    assert_eq!(opened.status, 201, "{}", opened.text);
    let id = opened.json()["room"].as_str().expect("an id").to_owned();
    let state = fixture.ask(get(&format!("/api/v1/rooms/{id}"))).await.json();
    assert_eq!((state["ruleset"].as_str(), state["awaiting"].clone()), (Some("war-of-life@1"), json!([0])));
    assert_eq!((&state["type"], &state["room"], &state["turns"]), (&json!("state"), &json!(id), &json!([])));
    assert!(state["options"].as_str().is_some_and(|options| options.starts_with("start=deal:")), "{state}");
    assert!(state["digest"].as_str().is_some_and(|digest| digest.len() == 16), "{state}");
    assert_eq!(state.get("game"), None, "no state says anything of a position");
    let page = fixture.ask(get(&format!("/rooms/{id}"))).await;
    assert_eq!(page.status, 200);
    assert!(page.text.contains("/static/room.js") && !page.text.contains("Neutral"), "a plain board");
    let game = GAMES.iter().find(|game| game.name() == "war-of-life").expect("a game");
    for address in [format!("/rooms/{id}"), "/play?game=war-of-life".into()] {
        let text = fixture.ask(get(&address)).await.text;
        for rule in game.rules {
            assert!(text.contains(rule), "{address} says the game's rules");
        }
        assert!(!text.contains(GAMES[0].rules[0]), "{address} says no other's");
    }
    let form = post("/play", "game=war-of-life&opponent=minimax&seat=1").form();
    assert_eq!(fixture.ask(form).await.status, 303);
    for (game, opponent, seat, status, code) in [
        ("game-of-game-of-life", "greedy", 0, 422, "no_rooms"),
        ("war-of-life", "hard", 0, 404, "no_such_opponent"),
        ("war-of-life", "random", 2, 422, "bad_request"),
        ("chess", "random", 0, 404, "no_such_game"),
    ] {
        let wanted = json!({ "game": game, "opponent": opponent, "seat": seat });
        let answer = fixture.ask(post_json("/api/v1/rooms", wanted).bearer(&ann)).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (status, code), "{}", answer.text);
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_says_its_game_and_takes_no_version_for_another() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let owner = fixture.service.store().account_by_code(&ann.parse_code()).await.expect("read").expect("Ann").id;
    let name = BotName::parse("lifer").expect("a name");
    fixture.service.store().submit(owner, &name, "war-of-life@1", b"x"[..].into(), NOW).await.expect("taken");
    let bot = fixture.ask(get("/api/v1/bots/lifer")).await.json();
    assert_eq!(bot["game"], "war-of-life@1");
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
async fn what_a_bot_logged_is_for_its_owner_only_and_always_text() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let store = fixture.service.store();
    let owner = store.account_by_code(&ann.parse_code()).await.expect("read").expect("Ann").id;
    let name = BotName::parse("talker").expect("a name");
    let submitted = store.submit(owner, &name, GAMES[0].ruleset, b"x"[..].into(), NOW).await.expect("taken");
    let log = SampleLog { seat: 1, text: "<script>secret</script>\n".into(), dropped: 5 };
    store.keep_sample_logs(submitted.version().id, &[log]).await.expect("kept");
    let logs = get("/api/v1/bots/talker/versions/1/logs");
    let own = fixture.ask(logs.clone().bearer(&ann)).await;
    let wanted = json!([{ "bot": "talker", "seat": 1, "text": "<script>secret</script>\n", "dropped": 5 }]);
    assert_eq!((own.status.as_u16(), own.json()), (200, wanted));
    let foreign = fixture.ask(logs.clone().bearer(&bob)).await;
    assert_eq!((foreign.status.as_u16(), foreign.code().as_str()), (403, "not_your_bot"));
    assert_eq!(fixture.ask(logs).await.status, 401);
    let page = get("/bots/talker/versions/1");
    let own = fixture.ask(page.clone().bearer(&ann)).await.text;
    assert!(own.contains("&#60;script&#62;secret") && !own.contains("<script>"), "{own}");
    for other in [page.clone(), page.bearer(&bob)] {
        let shown = fixture.ask(other).await.text;
        assert!(shown.contains("talker") && !shown.contains("secret"), "{shown}");
    }
    let missing = fixture.ask(get("/api/v1/games/standing-1.99999/log").bearer(&ann)).await;
    assert_eq!(missing.status, 404);
    fixture.end().await;
}

/// A text as pages have it.
fn escaped(text: &str) -> String {
    text.replace('\'', "&#39;")
}

/// A player code as it was shown.
trait Code {
    fn parse_code(&self) -> arena_store::PlayerCode;
}

impl Code for String {
    fn parse_code(&self) -> arena_store::PlayerCode {
        arena_store::PlayerCode::parse(self).expect("a code")
    }
}
