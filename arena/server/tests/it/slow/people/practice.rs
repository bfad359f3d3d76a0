//! `/practice`.

use arena_store::{Limits, Verdict};

use crate::client::get;
use crate::fixture::{fixture, fixture_with};
use crate::snapshot::assert_snapshot;

#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_practised_from_its_start_or_out_of_a_replay() {
    let fixture = fixture().await;
    let page = fixture.ask(get("/practice?from=standing-1.0&turn=3")).await;
    assert_snapshot("people/practice", &page);
    let record = fixture.ask(get("/api/v1/games/standing-1.0/record")).await.json();
    let seat = record["turns"][3]["plays"][0]["seat"].as_u64().expect("a seat");
    assert!(page.text.contains(&format!("data-you=\"{seat}\"")), "who was to move is the visitor");
    let other = record["header"]["entrants"][1 - seat as usize].as_str().expect("an id");
    assert!(page.text.contains(&format!("data-opponent=\"{other}\"")), "the other is who it was");
    let turns = record["turns"].as_array().expect("turns").len();
    let end = fixture.ask(get("/practice?from=standing-1.0&turn=9999")).await.text;
    assert!(end.contains(&format!("data-turn=\"{}\"", turns - 1)), "{end}");
    let start = fixture.ask(get("/practice?game=war-of-life&opponent=random")).await.text;
    assert!(start.contains("data-opponent=\"baseline:random@1\"") && !start.contains("data-record"), "{start}");
    let two = fixture.ask(get("/practice?opponent=")).await.text;
    let two = two.lines().find(|line| line.starts_with("<main")).expect("a main element");
    assert!(two.contains("data-opponent=\"\"") && !two.contains("data-you="), "both seats are the visitor's: {two}");
    for (path, status) in [
        ("/practice?game=game-of-game-of-life&seats=17", 422),
        ("/practice?game=game-of-game-of-life&seats=3&seat=3", 422),
        ("/practice?game=life2", 422),
        ("/practice?opponent=nobody", 404),
        ("/practice?from=standing-1.99999", 404),
        ("/practice?from=life2-1.0", 422),
    ] {
        assert_eq!(fixture.ask(get(path)).await.status, status, "{path}");
    }
    fixture.end().await;
}

/// More bots than a list has, by one.
const BOTS: usize = 51;

#[tokio::test(flavor = "multi_thread")]
async fn any_bot_may_be_the_opponent_however_many_there_are() {
    let fixture = fixture_with(Limits { bots_per_account_max: 100, ..Limits::DEFAULT }).await;
    let ann = fixture.account("Ann").await;
    let owner = fixture.owner(&ann).await;
    for number in (0..BOTS).rev() {
        let version = fixture.pending(owner, &format!("bot-{number:02}"), "conquerors@2").await;
        fixture.store.set_verdict(version, Verdict::Accepted).await.expect("pending");
    }
    let listed = async |path: &str, before: &str| -> (Vec<usize>, String) {
        let page = fixture.ask(get(path)).await.text;
        let names = page.split(before).skip(1).filter_map(|rest| rest.strip_prefix("bot-")?.get(..2)?.parse().ok());
        (names.collect(), page)
    };
    // None has a place, so they are listed by name: the oldest is the last.
    let usual: Vec<usize> = (0..BOTS - 1).collect();
    let with_last: Vec<usize> = (0..BOTS).collect();
    let (names, page) = listed("/practice", "<option>").await;
    assert_eq!(names, usual);
    assert!(page.contains("name=\"named\""), "others are asked for by name");
    for wish in ["opponent=bot-50", "opponent=easy&named=bot-50", "from=standing-1.0&turn=3&named=+BOT-50"] {
        let (names, page) = listed(&format!("/practice?{wish}"), "<option>").await;
        assert_eq!(names, usual, "{wish}");
        assert!(page.contains("<option selected>bot-50</option>"), "{wish}: {page}");
    }
    assert_eq!(fixture.ask(get("/practice?opponent=easy&named=nobody")).await.status, 404);
    let radio = "name=\"opponent\" value=\"";
    assert_eq!(listed("/play", radio).await.0, usual);
    assert_eq!(listed("/play?opponent=bot-50", radio).await.0, with_last);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_all_seats_play_at_once_one_bot_takes_all_others() {
    let fixture = fixture().await;
    let main = |text: &str| text.lines().find(|line| line.starts_with("<main")).expect("a main element").to_owned();
    let named = |text: &str, name: &str| main(text).matches(&format!("&#34;{name}&#34;")).count();
    let record = fixture.ask(get("/api/v1/games/game-of-game-of-life-1.0/record")).await.json();
    let seats = record["header"]["entrants"].as_array().expect("entrants").len();
    let plays = record["turns"][2]["plays"].as_array().expect("plays");
    let seat = |play: &serde_json::Value| play["seat"].as_u64().expect("a seat");
    let page = fixture.ask(get("/practice?from=game-of-game-of-life-1.0&turn=2&opponent=nothing")).await.text;
    assert!(page.contains(&format!("data-you=\"{}\"", seat(&plays[0]))), "the first seat that plays then: {page}");
    assert_eq!((named(&page, "nothing"), named(&page, "You")), (seats - 1, 1), "{page}");
    let last = seat(plays.last().expect("a play"));
    let path = format!("/practice?from=game-of-game-of-life-1.0&turn=2&seat={last}");
    assert!(fixture.ask(get(&path)).await.text.contains(&format!("data-you=\"{last}\"")), "or the wished one");
    let most = fixture.ask(get("/practice?game=game-of-game-of-life&seats=16&seat=15&opponent=nothing")).await.text;
    assert_eq!((named(&most, "nothing"), named(&most, "You")), (15, 1), "{most}");
    assert!(main(&most).contains("data-options=\"seats=16,lots=fixed,generations=100\""), "{most}");
    let nobody = fixture.ask(get("/practice?game=game-of-game-of-life&opponent=")).await.text;
    assert!(main(&nobody).contains("data-you=\"0\""), "two at one device would see each other's turns: {nobody}");
    assert!(!nobody.contains("two on this device") && nobody.contains("name=\"seats\""), "{nobody}");
    fixture.end().await;
}
