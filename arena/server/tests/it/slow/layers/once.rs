//! What creates something creates it once for each key.

use std::time::Duration;

use serde_json::{Value, json};

use crate::client::{get, post, post_json};
use crate::fixture::{MODULE, OPERATOR, fixture};

/// How long a form's key is remembered.
const FORM: Duration = Duration::from_secs(10);
/// The same of a program's.
const PROGRAM: Duration = Duration::from_secs(600);

#[tokio::test(flavor = "multi_thread")]
async fn a_program_that_asks_again_with_its_key_gets_what_it_has() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let cup = json!({ "definition": "name = \"Cup\"\npairs = 1", "entry": "open", "places": 4 });
    let room = json!({ "opponent": "easy", "seat": 0 });
    for (path, body, other) in [
        ("/api/v1/rooms", room.clone(), json!({ "opponent": "easy", "seat": 1 })),
        ("/api/v1/lobby", json!({ "public": true }), json!({ "public": false })),
        (
            "/api/v1/tournaments",
            cup.clone(),
            json!({ "definition": "name = \"Cup\"\npairs = 1", "entry": "open", "places": 5 }),
        ),
    ] {
        let made = async |body: &Value, code: &str, key: &str| {
            let answer = fixture.ask(post_json(path, body.clone()).bearer(code).with("idempotency-key", key)).await;
            assert_eq!(answer.status, 201, "{path}: {}", answer.text);
            answer.text
        };
        let first = made(&body, &ann, "one").await;
        assert_eq!(made(&body, &ann, "one").await, first, "{path}");
        assert_ne!(made(&other, &ann, "one").await, first, "{path}: another request");
        assert_ne!(made(&body, &bob, "one").await, first, "{path}: somebody else's");
        fixture.clock.advance(PROGRAM);
        assert_ne!(made(&body, &ann, "one").await, first, "{path}: long ago");
    }
    let pair = || post_json("/api/v1/lobby/pairings", json!({})).bearer(&ann).with("idempotency-key", "one");
    let [one, two] = [fixture.ask(pair()).await, fixture.ask(pair()).await];
    assert_eq!(
        (one.status.as_u16(), &one.text),
        (201, &two.text),
        "who asks for an opponent again does not wait in two rooms"
    );
    // Without a key each is one of its own. A program with one that is none would believe that it has one.
    let ask = || post_json("/api/v1/rooms", room.clone()).bearer(&bob);
    let [one, two] = [fixture.ask(ask()).await, fixture.ask(ask()).await];
    assert_ne!(one.json()["room"], two.json()["room"]);
    for none in ["x".repeat(65), String::new()] {
        let refused = fixture.ask(ask().with("idempotency-key", &none)).await;
        assert_eq!((refused.status.as_u16(), refused.json()["code"].as_str()), (400, Some("bad_request")), "{none}");
    }
    fixture.end().await;
}

/// After a later version, the bytes of an earlier one would be a version again.
#[tokio::test(flavor = "multi_thread")]
async fn a_submission_that_is_sent_again_with_its_key_is_the_version_that_it_was() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    fixture.accepted(&ann, MODULE).await;
    let path = "/api/v1/bots/talker/versions";
    let submit = |code: &str, body: &[u8]| post(path, body).bearer(code).with("idempotency-key", "one");
    let first = fixture.ask(submit(&ann, MODULE)).await;
    assert_eq!((first.status.as_u16(), &first.json()["number"]), (200, &json!(1)), "{}", first.text);
    fixture.accepted(&ann, b"a later one").await;
    let again = fixture.ask(submit(&ann, MODULE)).await;
    let mut known = first.json();
    known["out"] = json!("version 2 is the one that plays, until its owner chooses another");
    assert_eq!((again.status, again.json()), (first.status, known), "the same version, as it stands now");
    let other = fixture.ask(submit(&ann, b"no module")).await;
    assert_eq!(other.status, 422, "other bytes are another submission: {}", other.text);
    assert_eq!(fixture.ask(submit(&bob, MODULE)).await.code(), "name_taken", "somebody else's key");
    let versions = fixture.ask(get(path)).await.text;
    assert_eq!(versions.matches("\"accepted\"").count(), 2, "{versions}");
    let page = fixture.ask(get("/submit").bearer(&ann)).await.text;
    assert_eq!(page.matches("action=\"/submit?once=").count(), 1, "{page}");
    let key = page.split("action=\"/submit?").nth(1).and_then(|rest| rest.split('"').next()).expect("a key");
    let click = |boundary: &str| {
        let field = |name: &str, value: &str| {
            format!("--{boundary}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n")
        };
        let file = field("file\"; filename=\"bot.wasm", "a later one");
        let body = field("name", "talker") + &field("game", "") + &file + &format!("--{boundary}--\r\n");
        post(&format!("/submit?{key}"), body)
            .with("content-type", format!("multipart/form-data; boundary={boundary}"))
            .bearer(&ann)
    };
    let one = fixture.ask(click("one")).await;
    assert_eq!((one.status.as_u16(), one.header("location")), (303, "/bots/talker/versions/2"), "{}", one.text);
    fixture.accepted(&ann, b"the latest").await;
    let two = fixture.ask(click("two")).await;
    assert_eq!(two.header("location"), one.header("location"), "browsers write each form with another boundary");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_that_is_sent_twice_makes_one_room_one_challenge_one_tournament() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    fixture.accepted(&ann, MODULE).await;
    let forms = [
        ("/lobby", "/lobby", "door=public&seat=draw&clock=none"),
        ("/play", "/lobby/pairings", "game=conquerors"),
        ("/bots/easy", "/bots/easy/challenges", "bot=talker&games=2"),
        (
            "/tournaments/new",
            "/tournaments/new",
            "name=Cup&format=swiss&game=conquerors&pairs=1&entry=open&invited=&places=4&until=&bots=&reserved=easy&keys=",
        ),
    ];
    for (page, path, body) in forms {
        let key = || async {
            let text = fixture.ask(get(page).bearer(&ann)).await.text;
            let action = format!("action=\"{path}?");
            text.split(&action).nth(1).and_then(|rest| rest.split('"').next()).expect("a key").to_owned()
        };
        let click = async |key: &str| {
            let answer = fixture.ask(post(&format!("{path}?{key}"), body).form().bearer(&ann)).await;
            assert_eq!(answer.status, 303, "{path}: {}", answer.text);
            answer.header("location").to_owned()
        };
        let (one, other) = (key().await, key().await);
        let (first, second) = tokio::join!(click(&one), click(&one));
        assert_eq!(first, second, "{path}");
        // Who asks for any opponent again waits in the same room.
        assert_eq!(click(&other).await == first, path == "/lobby/pairings", "{path}: another form");
    }
    let waiting = fixture.ask(get("/api/v1/lobby")).await.json()["waiting"].as_array().expect("rooms").len();
    let opened = fixture.ask(get("/api/v1/tournaments")).await.json().as_array().expect("tournaments").len();
    assert_eq!((waiting, opened), (3, 4));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_double_click_opens_one_room_although_a_stranger_has_no_cookie_yet() {
    let fixture = fixture().await;
    let page = fixture.ask(get("/play")).await.text;
    let key = page.split("action=\"/play?").nth(1).and_then(|rest| rest.split('"').next()).expect("a key");
    assert!(key.starts_with("once=") && key.len() == "once=".len() + 16, "{key}");
    let again = fixture.ask(get("/play")).await.text;
    assert!(!again.contains(key), "each form has its own");
    let click = |key: &str| post(&format!("/play?{key}"), "opponent=easy&seat=0").form();
    let (one, two) = tokio::join!(fixture.ask(click(key)), fixture.ask(click(key)));
    assert_eq!((one.status.as_u16(), one.header("location")), (303, two.header("location")));
    assert_eq!(one.cookies(), two.cookies(), "both clicks are the same guest's");
    let other = fixture.ask(click("once=0000000000000001")).await;
    assert_ne!(other.header("location"), one.header("location"));
    fixture.clock.advance(FORM);
    assert_ne!(fixture.ask(click(key)).await.header("location"), one.header("location"), "no double click");
    fixture.end().await;
}

/// The key in the address of a form of a page.
fn key_of<'a>(page: &'a str, path: &str) -> &'a str {
    page.split(&format!("action=\"{path}?")).nth(1).and_then(|rest| rest.split('"').next()).expect("a key")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_guest_who_clicks_twice_has_the_seat_and_the_cookie_that_holds_it() {
    let fixture = fixture().await;
    let host = fixture.account("Ann").await;
    let open = fixture.ask(post_json("/api/v1/lobby", json!({ "public": true })).bearer(&host)).await.json();
    let room = format!("/rooms/{}", open["room"].as_str().expect("a room"));
    let seat = format!("{room}/seat");
    let page = fixture.ask(get(&room)).await.text;
    let click = || post(&format!("{seat}?{}", key_of(&page, &seat)), "").form();
    let (one, two) = tokio::join!(fixture.ask(click()), fixture.ask(click()));
    assert_eq!((one.status.as_u16(), one.header("location")), (303, room.as_str()), "{}", one.text);
    assert_eq!((two.status, two.cookies()), (one.status, one.cookies()), "{}", two.text);
    // Even if the browser has the first answer's cookie by then.
    let late = fixture.ask(click().with("cookie", one.cookies().join("; "))).await;
    assert_eq!(late.status.as_u16(), 303, "{}", late.text);
    assert_eq!(fixture.ask(post(&seat, "").form()).await.status, 409, "somebody else comes too late");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_name_is_claimed_once_and_a_second_click_gets_the_same_account() {
    let fixture = fixture().await;
    let page = fixture.ask(get("/account")).await.text;
    let path = format!("/account?{}", key_of(&page, "/account"));
    let refused = fixture.ask(post(&path, "name=%3Cb%3E").form().with("accept", "text/html")).await;
    assert!(refused.status == 422 && refused.text.contains("id=\"claim\""), "refused on its page: {}", refused.text);
    let click = |path: &str| post(path, "name=Ann").form();
    let (one, two) = tokio::join!(fixture.ask(click(&path)), fixture.ask(click(&path)));
    assert_eq!((one.status.as_u16(), one.header("location")), (303, "/account/code"), "{}", one.text);
    assert_eq!((two.status, two.cookies()), (one.status, one.cookies()), "{}", two.text);
    // The second click may come with the first answer's cookies.
    let late = fixture.ask(click(&path).with("cookie", one.cookies().join("; "))).await;
    assert_eq!(late.cookies(), one.cookies(), "{}", late.text);
    let shown = fixture.ask(get("/account/code").with("cookie", two.cookies().join("; "))).await;
    assert!(shown.status == 200 && shown.text.contains("player-code"), "{}", shown.text);
    let other = fixture.ask(click("/account?once=0000000000000001")).await;
    assert_eq!((other.status.as_u16(), other.cookies()), (409, Vec::new()), "another form's key");
    fixture.clock.advance(FORM);
    let after = fixture.ask(click(&path)).await;
    assert_eq!((after.status.as_u16(), after.cookies()), (409, Vec::new()), "no double click");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_signed_in_and_clicks_twice_makes_one_token_takes_one_seat_and_enters_once() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    fixture.accepted(&ann, MODULE).await;
    let cup = json!({ "definition": "name = \"Cup\"\npairs = 1", "entry": "open", "places": 4 });
    let cup = fixture.ask(post_json("/api/v1/tournaments", cup).bearer(&bob)).await.json();
    let cup = format!("/tournaments/{}", cup["id"].as_str().expect("an id"));
    let open = fixture.ask(post_json("/api/v1/lobby", json!({ "public": true })).bearer(&bob)).await.json();
    let room = format!("/rooms/{}", open["room"].as_str().expect("a room"));
    let bot = "/bots/talker".to_owned();
    for (page, form, body) in [
        ("/account", "/account/tokens".to_owned(), "name=laptop&scope=all&days=30"),
        (&room, format!("{room}/seat"), ""),
        (&cup, format!("{cup}/entries"), "bot=talker"),
        (&cup, format!("{cup}/withdrawals"), "bot=talker&reason=tired"),
        (&bot, format!("{bot}/name"), "name=speaker"),
    ] {
        let page = fixture.ask(get(page).bearer(&ann)).await.text;
        let click = || post(&format!("{form}?{}", key_of(&page, &form)), body).form().bearer(&ann);
        let (one, two) = tokio::join!(fixture.ask(click()), fixture.ask(click()));
        assert_eq!(one.status, 303, "{form}: {}", one.text);
        assert_eq!(two.header("location"), one.header("location"), "{form}: {}", two.text);
        assert_eq!(two.cookies(), one.cookies(), "{form}");
    }
    let tokens = fixture.ask(get("/api/v1/account/tokens").bearer(&ann)).await.json();
    assert_eq!(tokens.as_array().map(Vec::len), Some(1), "{tokens}");
    fixture.end().await;
}

/// The log of acts has one line for each act, however often it is sent with its key, and nobody gets the operator's
/// answer with it.
#[tokio::test(flavor = "multi_thread")]
async fn an_act_that_is_sent_again_with_its_key_is_one_act() {
    let fixture = fixture().await;
    fixture.meadow().await;
    let lines = async || fixture.ask(get("/api/v1/operator/audit").bearer(OPERATOR)).await.text.lines().count();
    let acts = [
        json!({ "act": "close_rooms", "reason": "a test" }),
        json!({ "act": "seat_bot", "name": "meadow/1", "new_name": "idle", "reason": "a test" }),
        json!({ "act": "ban", "name": "192.0.2.0/24", "new_name": "2", "reason": "a test" }),
    ];
    for (number, act) in (1..).zip(acts) {
        let ask = || post_json("/api/v1/operator/acts", act.clone()).with("idempotency-key", format!("act-{number}"));
        let first = fixture.ask(ask().bearer(OPERATOR)).await;
        assert_eq!((first.status.as_u16(), lines().await), (200, number), "{}", first.text);
        let again = fixture.ask(ask().bearer(OPERATOR)).await;
        assert_eq!((again.text, lines().await), (first.text, number));
        assert_eq!(fixture.ask(ask()).await.status, 401);
    }
    // The page's forms have keys of their own, which count for the operator's session alone.
    let signed = fixture.ask(post("/operator/session", format!("token={OPERATOR}")).form()).await;
    let cookie = signed.cookies().join("; ");
    let page = fixture.ask(get("/operator").with("cookie", cookie.clone())).await.text;
    let keys: Vec<&str> =
        page.split("action=\"/operator/acts?").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(keys.len() > 5 && keys.iter().all(|key| key.starts_with("once=")), "{keys:?}");
    let click = || post(&format!("/operator/acts?{}", keys[0]), "act=open_rooms&reason=a+test").form();
    let before = lines().await;
    for _ in 0..2 {
        assert_eq!(fixture.ask(click().with("cookie", cookie.clone())).await.status, 303);
    }
    assert_eq!(lines().await, before + 1);
    assert_eq!(fixture.ask(click()).await.status, 401);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_refused_is_tried_again() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    let ask = || {
        let wanted = json!({ "opponent": "easy", "seat": 0 });
        post_json("/api/v1/rooms", wanted).bearer(&ann).with("idempotency-key", "one")
    };
    let act = async |act: &str| {
        let act = json!({ "act": act, "reason": "a test" });
        fixture.ask(post_json("/api/v1/operator/acts", act).bearer(OPERATOR)).await.status.as_u16()
    };
    assert_eq!(act("close_rooms").await, 200);
    assert_eq!(fixture.ask(ask()).await.code(), "closed");
    assert_eq!(act("open_rooms").await, 200);
    assert_eq!(fixture.ask(ask()).await.status, 201);
    fixture.end().await;
}
