//! Two servers of one site: a database has all of it, people come to either, and one is killed in the middle of it. Neither sees the
//! other's folder, as on two machines.
#![cfg(unix)]

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};
use tokio::time::timeout;

use crate::cluster::{self, cluster};
use crate::left_out::left_out;
use crate::line::{Line, SERVER};
use crate::site::{
    self, Answer, Ask, BLOCK, Game, HONEST, Honest, PATIENCE, SECOND_BLOCK, Site, block, get, next_look, post,
    post_json,
};

const OPERATOR: &str = "an-operators-token-of-thirty-two-characters";

/// Turns of a game of two people.
const PLIES: u64 = 24;

/// Waits until a bot has answered the turn with this number; the person's next one, or none where the game is over.
async fn answered(server: &Site, game: &Game, turn: u64) -> Option<u64> {
    loop {
        let state = server.json(&game.room).await;
        if !state["outcome"].is_null() {
            return None;
        }
        let ply = state["ply"].as_u64().unwrap();
        if state["awaiting"] == json!([0]) && ply > turn {
            return Some(ply);
        }
        next_look().await;
    }
}

/// Two servers over a new database; its name.
fn servers(folder: &Path, flags: &[&str]) -> (Site, Site, String) {
    let url = cluster().database(None);
    let flags = [&["--database", &url], flags].concat();
    let start = |name: &str| {
        let own = folder.join(name);
        fs::create_dir_all(&own).unwrap();
        Site::start(&own, &flags)
    };
    (start("one"), start("two"), url.split(['/', '?']).nth(3).unwrap().to_owned())
}

impl Site {
    fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    async fn account(&self, name: &str) -> String {
        let claimed = self.ask(HONEST, post_json("/api/v1/accounts", &json!({ "name": name }))).await;
        assert_eq!(claimed.status, 201, "{}", claimed.body);
        claimed.json()["code"].as_str().unwrap().to_owned()
    }

    /// Says something in a room or world until it is taken: it may not know yet that it is this person's turn.
    async fn says(&self, commands: &str, code: &str, said: &Value) -> Value {
        let told = self.hears(commands, code, said).await;
        assert!(told["type"] != "rejected" && told["type"] != "error", "{said}: {told}");
        told
    }

    /// Says something in a room or world until it is taken or refused.
    async fn hears(&self, commands: &str, code: &str, said: &Value) -> Value {
        loop {
            let answer = self.ask(HONEST, post_json(commands, said).bearer(code)).await;
            let told = if answer.status == 429 { json!({ "type": "wait" }) } else { answer.json() };
            match told["type"].as_str().unwrap() {
                "wait" => next_look().await,
                "rejected" if matches!(told["code"].as_str(), Some("unavailable" | "too_many")) => next_look().await,
                _ => return told,
            }
        }
    }

    /// Asks until there is a share of requests left.
    async fn patiently(&self, ask: impl Fn() -> Ask<'static>) -> Answer {
        loop {
            let answer = self.ask(HONEST, ask()).await;
            if answer.status != 429 {
                return answer;
            }
            next_look().await;
        }
    }

    async fn json(&self, path: &str) -> Value {
        loop {
            let answer = self.ask(HONEST, get(path)).await;
            if answer.status == 200 {
                return answer.json();
            }
            assert_eq!(answer.status, 429, "{path}: {}", answer.body);
            next_look().await;
        }
    }

    /// Plays a turn against a bot.
    async fn turn(&self, game: &Game, ply: u64, action: &str) {
        loop {
            let played = game.turn(self, ply, action).await;
            if played.status == 200 {
                return;
            }
            assert_eq!(played.status, 429, "{}", played.body);
            next_look().await;
        }
    }
}

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
    loop {
        // The other hears of the room when it is written, and reads it then.
        let joined = two.ask(HONEST, post_json("/api/v1/lobby/joins", &join).bearer(&codes[1])).await;
        if joined.status == 201 {
            break;
        }
        assert!(matches!(joined.status, 404 | 429), "{} {}", joined.status, joined.body);
    }
    let (commands, events) = (format!("/api/v1/rooms/{room}/commands"), format!("/api/v1/rooms/{room}/events"));
    two.says(&commands, &codes[1], &json!({ "type": "chat", "text": "good luck" })).await;
    let said = loop {
        let told = one.json(&events).await;
        let lines = told["messages"].as_array().unwrap().iter().filter_map(|message| message["lines"].as_array());
        if let Some(line) = lines.flatten().find(|line| line.to_string().contains("good luck")) {
            break line["number"].clone();
        }
    };
    // The operator sees reports to one server on the other.
    one.says(&commands, &codes[0], &json!({ "type": "report", "number": said })).await;
    let shown = async || two.ask(HONEST, get("/api/v1/operator").bearer(OPERATOR)).await.json()["reports"].to_string();
    while !shown().await.contains("good luck") {
        next_look().await;
    }

    for ply in 0..PLIES {
        let seat = (ply % 2) as usize;
        if ply == PLIES / 2 {
            one.kill();
        }
        // Ann is with the first server until it is gone.
        let server = if seat == 0 && ply < PLIES / 2 { &one } else { &two };
        let state = format!("/api/v1/rooms/{room}");
        while server.json(&state).await["awaiting"] != json!([seat]) {}
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
async fn one_server_at_a_time_asks_a_bot_judges_plays_tournaments_and_lets_a_world_go_on() {
    if !cluster::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (mut one, two, database) = servers(folder.path(), &["--world", "meadow"]);
    let who = |duty: &str| cluster().sql(&database, &format!("select server from duties where name = '{duty}'"));
    // Whichever it is that judges and plays: both hear of it.
    let person = Honest::arrive(&two).await;
    let mason = arena_released::Released::named("conquerors@2", "mason").unwrap().bytes.to_vec();
    let judged =
        two.ask(HONEST, post("/api/v1/bots/mine/versions", "application/wasm", mason).bearer(&person.code)).await;
    assert_eq!((judged.status, &judged.json()["state"]), (201, &"accepted".into()), "{}", judged.body);
    for server in [&one, &two] {
        while server.json("/api/v1/standings").await["edition"].is_null() {}
    }

    // A game that is begun at the one is seen at the other.
    let (game, ply) = loop {
        let wanted = json!({ "opponent": "easy", "seat": 0 });
        let opened = one.patiently(|| post_json("/api/v1/rooms", &wanted).bearer(&person.code)).await;
        assert_eq!(opened.status, 201, "{}", opened.body);
        let room = format!("/api/v1/rooms/{}", opened.json()["room"].as_str().unwrap());
        let game = Game { code: person.code.clone(), room };
        one.turn(&game, 0, BLOCK).await;
        // A bot may die out in its first turn: who draws its cells is the room's seed.
        if let Some(ply) = answered(&two, &game, 0).await {
            break (game, ply);
        }
    };

    // A world is the same at both, and takes what is asked for at either.
    let (world, faucet) = ("/api/v1/worlds/meadow/commands", json!({ "type": "faucet" }));
    let coins = async |server: &Site| server.says(world, &person.code, &faucet).await["answer"].as_u64().unwrap();
    let before = coins(&two).await;
    assert!(coins(&one).await >= 2 * before);
    // Whichever of the two lets it go on: it is refused for what comes first, and that is not the cell.
    let nowhere = json!({ "type": "place_cells", "cells": [[-1, 4096]] });
    for server in [&one, &two] {
        assert_eq!(server.hears(world, &person.code, &nowhere).await["message"], "Not in game");
    }
    let generation = async |server: &Site| server.json("/api/v1/worlds").await[0]["generation"].as_u64().unwrap();
    let reached = generation(&one).await;
    while generation(&two).await < reached {}

    one.kill();
    two.turn(&game, ply, SECOND_BLOCK).await;
    // The bot is asked by the server that is left.
    answered(&two, &game, ply).await;
    assert!(coins(&two).await >= 3 * before, "both calls were written before they were answered");
    let reached = generation(&two).await;
    while generation(&two).await < reached + 10 {}
    let left = who("world meadow");
    for duty in ["tournaments", "judge"] {
        while who(duty) != left {}
    }
    // A server that is stopped leaves all to others at once.
    two.stop();
    assert_eq!(cluster().sql(&database, "select count(*) from duties"), "0");
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
    let heard = async {
        loop {
            match polls().await {
                200 => next_look().await,
                status => break status,
            }
        }
    };
    assert_eq!(timeout(PATIENCE, heard).await, Ok(401));
}

/// Accounts that a network may claim at once, as `arena limits` has them.
const ACCOUNTS_AT_ONCE: usize = 40;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_visitor_has_one_share_whichever_server_it_asks() {
    if !cluster::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (one, two, _) = servers(folder.path(), &["--no-standing"]);
    let claims = async |server: &Site, from, name: &str| {
        server.ask(from, post_json("/api/v1/accounts", &json!({ "name": name }))).await.status == 201
    };
    for number in 0..ACCOUNTS_AT_ONCE {
        assert!(claims(&one, HONEST, &format!("first {number}")).await);
    }
    // The other server counts them within a second.
    let mut more = 0;
    while claims(&two, HONEST, &format!("second {more}")).await {
        more += 1;
        // As long as the next message to it may take on a busy machine.
        for _ in 0..100 {
            next_look().await;
        }
    }
    assert!(more < ACCOUNTS_AT_ONCE / 2, "{more} more than its share");
    assert!(claims(&two, site::flood(1), "somebody else").await);
}

/// A proxy in front of two servers, which treats them as that of `deploy/nginx.conf` does: it sends each request to the next of them, and to
/// the other where one is gone. It says which one took it.
const PROXY: &str = "/usr/sbin/nginx";

fn proxied(folder: &Path, servers: [&Site; 2]) -> Site {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let at = folder.display();
    let servers = servers.map(|server| format!("server {} max_fails=0;", server.address)).concat();
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|of| format!("{of}_temp_path {at}/{of};"));
    let text = format!(
        "daemon off; master_process off; user root; pid {at}/proxy.pid; error_log /dev/null; events {{}}
         http {{
             access_log off; {}
             map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
             upstream site {{ {servers} }}
             server {{
                 listen 127.0.0.1:{port};
                 location / {{
                     proxy_pass http://site;
                     proxy_http_version 1.1;
                     proxy_set_header Host $http_host;
                     proxy_set_header X-Forwarded-For $remote_addr;
                     proxy_set_header Upgrade $http_upgrade;
                     proxy_set_header Connection $connection_upgrade;
                     add_header {SERVER} $upstream_addr always;
                 }}
             }}
         }}",
        temporary.concat()
    );
    let file = folder.join("proxy.conf");
    fs::write(&file, text).unwrap();
    let mut command = Command::new("sh");
    command.args(["-c", &format!("echo listening on http://127.0.0.1:{port}; exec {PROXY} -p \"$1\" -c \"$2\""), "sh"]);
    command.arg(folder).arg(file);
    Site::run(command)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_people_behind_one_address_play_on_when_one_of_its_servers_is_killed() {
    if !cluster::is_there() {
        return;
    }
    if !Path::new(PROXY).exists() {
        return left_out("two servers behind one address need nginx (Debian: `apt-get install nginx-light`)");
    }
    let folder = tempfile::tempdir().unwrap();
    let (mut one, two, database) = servers(folder.path(), &["--no-standing", "--trusted-proxy", "127.0.0.1"]);
    let site = proxied(folder.path(), [&one, &two]);
    while site.try_ask(HONEST, &get("/healthz")).await.is_none() {
        next_look().await;
    }
    let codes = [site.account("Ann").await, site.account("Bob").await];
    let opened = site.ask(HONEST, post_json("/api/v1/lobby", &json!({ "seat": 0 })).bearer(&codes[0])).await.json();
    let room = opened["room"].as_str().unwrap();
    let join = json!({ "code": opened["code"] });
    while site.ask(HONEST, post_json("/api/v1/lobby/joins", &join).bearer(&codes[1])).await.status != 201 {
        next_look().await;
    }
    let (room_path, commands) = (format!("/api/v1/rooms/{room}"), format!("/api/v1/rooms/{room}/commands"));
    for server in [&one, &two] {
        while server.ask(HONEST, get(&room_path)).await.status != 200 {
            next_look().await;
        }
    }
    let mut lines = codes.each_ref().map(|code| Line::new(HONEST, &room_path, code));
    for ply in 0..PLIES {
        let seat = (ply % 2) as usize;
        if ply == PLIES / 2 {
            assert!(
                lines[0].server.is_some() && lines[0].server != lines[1].server,
                "each is with a server of their own"
            );
            one.kill();
        }
        let turn = json!({ "type": "turn", "ply": ply, "client_seq": ply, "action": block(ply) });
        loop {
            // Over sockets and by requests in turns.
            let told = match ply / 2 % 2 {
                0 => lines[seat].try_say(*site, &turn).await,
                _ => Some(site.hears(&commands, &codes[seat], &turn).await),
            };
            // The server that is asked may not have heard of the turn before, and a socket breaks with its server.
            if told.is_some_and(|told| told["type"] == "applied") {
                break;
            }
            next_look().await;
        }
    }
    let state = loop {
        let state = site.json(&room_path).await;
        if !state["outcome"].is_null() {
            break state;
        }
    };
    let turns = state["turns"].as_array().unwrap().iter().map(|turn| turn[0]["action"].as_str().unwrap().to_owned());
    assert_eq!(turns.collect::<Vec<_>>(), (0..PLIES).map(block).collect::<Vec<_>>());
    let written = format!("select count(*), max(seq) from room_events where room = '{room}'");
    assert_eq!(cluster().sql(&database, &written), format!("{}|{}", PLIES + 2, PLIES + 1));
}
