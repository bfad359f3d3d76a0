//! Strangers at what is somebody else's, and bodies and keys that cannot be.

use serde_json::json;

use crate::client::{Ask, get, post, post_json};
use crate::fixture::{MODULE, fixture};

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
    // What nobody, somebody else and the owner are answered. A room is watched by anybody with its id, and played in by one.
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
