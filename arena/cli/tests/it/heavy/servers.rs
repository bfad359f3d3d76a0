//! Two servers of one site: people come to either, and one is killed in the middle of a game.
#![cfg(unix)]

use std::fs;

use serde_json::json;

use crate::cluster::{self, cluster};
use crate::eventually::eventually;
use crate::night::servers::{OPERATOR, PLIES, servers};
use crate::site::{Game, HONEST, Site, block, get, post, post_json};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_on_two_servers_play_on_when_one_is_killed_and_no_turn_is_lost_or_there_twice() {
    if !cluster::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("operator");
    fs::write(&key, OPERATOR).unwrap();
    let flags = ["--operator-token-file", key.to_str().unwrap()];
    let (mut one, two, database) = servers(folder.path(), &flags);
    // An account known to one server is known to the other.
    let codes = [one.account("Ann").await, two.account("Bob").await];
    let opened = one.ask(HONEST, post_json("/api/v1/lobby", &json!({ "seat": 0 })).bearer(&codes[0])).await.json();
    let room = opened["room"].as_str().unwrap();
    let join = json!({ "code": opened["code"] });
    // The other hears of the room when it is written, and reads it then.
    eventually("a seat", async || {
        let joined = two.ask(HONEST, post_json("/api/v1/lobby/joins", &join).bearer(&codes[1])).await;
        assert!(matches!(joined.status, 201 | 404 | 429), "{} {}", joined.status, joined.body);
        if joined.status == 201 { Ok(()) } else { Err(joined.body) }
    })
    .await;
    let (commands, events) = (format!("/api/v1/rooms/{room}/commands"), format!("/api/v1/rooms/{room}/events"));
    two.says(&commands, &codes[1], &json!({ "type": "chat", "text": "good luck" })).await;
    let said = eventually("what was said at the other server", async || {
        let told = one.json(&events).await;
        let lines = told["messages"].as_array().unwrap().iter().filter_map(|message| message["lines"].as_array());
        let line = lines.flatten().find(|line| line.to_string().contains("good luck"));
        line.map(|line| line["number"].clone()).ok_or(told)
    })
    .await;
    // The operator sees reports to one server on the other.
    one.says(&commands, &codes[0], &json!({ "type": "report", "number": said })).await;
    eventually("the report", async || {
        let reports = two.ask(HONEST, get("/api/v1/operator").bearer(OPERATOR)).await.json()["reports"].take();
        if reports.to_string().contains("good luck") { Ok(()) } else { Err(reports) }
    })
    .await;

    for ply in 0..PLIES {
        let seat = (ply % 2) as usize;
        if ply == PLIES / 2 {
            one.kill();
        }
        // Ann is with the first server until it is gone.
        let server = if seat == 0 && ply < PLIES / 2 { &one } else { &two };
        let state = format!("/api/v1/rooms/{room}");
        server.until("the person's turn", &state, |state| state["awaiting"] == json!([seat])).await;
        let turn = json!({ "type": "turn", "ply": ply, "client_seq": ply, "action": block(ply) });
        let told = server.says(&commands, &codes[seat], &turn).await;
        assert_eq!(told["type"], "applied", "{told}");
    }
    let state = two.json(&format!("/api/v1/rooms/{room}")).await;
    let turns = state["turns"].as_array().unwrap().iter().map(|turn| turn[0]["action"].as_str().unwrap().to_owned());
    assert_eq!(turns.collect::<Vec<_>>(), (0..PLIES).map(block).collect::<Vec<_>>());
    assert!(!state["outcome"].is_null(), "{state}");
    let written = format!("select count(*), max(seq) from room_events where room = '{room}'");
    assert_eq!(cluster().sql(&database, &written), format!("{}|{}", PLIES + 2, PLIES + 1));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_signs_in_or_out_at_one_server_does_so_at_all() {
    if !cluster::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let key = folder.path().join("operator");
    fs::write(&key, OPERATOR).unwrap();
    let flags = ["--no-standing", "--operator-token-file", key.to_str().unwrap()];
    let (one, two, _) = servers(folder.path(), &flags);
    let form = "application/x-www-form-urlencoded";
    let code = one.account("Ann").await;
    let player = one.patiently(|| post("/session", form, format!("code={code}"))).await.cookies();
    let operator = one.patiently(|| post("/operator/session", form, format!("token={OPERATOR}"))).await.cookies();
    let acts = async |server: &Site| {
        let shown = server.ask(HONEST, get("/operator").with("cookie", &operator)).await;
        assert_eq!(shown.status, 200, "{}", shown.body);
        shown.body.contains("/operator/acts")
    };
    let plays = async |server: &Site| {
        server.ask(HONEST, get("/account").with("cookie", &player)).await.body.contains("/session/end")
    };
    for server in [&one, &two] {
        assert!(acts(server).await && plays(server).await);
    }
    for (path, cookie) in [("/operator/session/end", &operator), ("/session/end", &player)] {
        let left = two.ask(HONEST, post(path, form, "").with("cookie", cookie)).await;
        assert_eq!(left.status, 303, "{}", left.body);
    }
    for server in [&one, &two] {
        assert!(!acts(server).await && !plays(server).await);
    }

    // Who polls is looked up once; what ends at the other server ends here, too.
    let wanted = json!({ "name": "laptop", "scope": "play", "days": 1 });
    let token = two.ask(HONEST, post_json("/api/v1/account/tokens", &wanted).bearer(&code)).await.json();
    let (number, secret) = (token["number"].as_i64().unwrap(), token["secret"].as_str().unwrap());
    let game = Game::open(&one, &code).await;
    let events = format!("{}/events", game.room);
    let polls = async || one.ask(HONEST, get(&events).bearer(secret)).await.status;
    assert_eq!((polls().await, polls().await), (200, 200));
    let revoke = format!("/api/v1/account/tokens/{number}/revocation");
    assert_eq!(two.ask(HONEST, post_json(&revoke, &json!({})).bearer(&code)).await.status, 200);
    let status = eventually("the end of the token", async || match polls().await {
        200 => Err("it polls".to_owned()),
        status => Ok(status),
    });
    assert_eq!(status.await, 401);
}
