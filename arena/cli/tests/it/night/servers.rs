//! Two servers of one site: a database has all of it, people come to either, and one is killed in the middle of it.
//! Neither sees the other's folder, as on two machines.
#![cfg(unix)]

use std::fs;
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::cluster::{self, cluster};
use crate::eventually::{eventually, eventually_here};
use crate::left_out::left_out;
use crate::line::{Line, SERVER};
use crate::process::Process;
use crate::site::{Answer, Ask, BLOCK, Game, HONEST, Honest, SECOND_BLOCK, Site, Visited, block, get, post, post_json};

pub(crate) const OPERATOR: &str = "an-operators-token-of-thirty-two-characters";

/// Turns of a game of two people.
pub(crate) const PLIES: u64 = 24;

/// Waits until a bot has answered the turn with this number; the person's next one, or none where the game is over.
async fn answered(server: &Site, game: &Game, turn: u64) -> Option<u64> {
    let is_answered = |state: &Value| state["awaiting"] == json!([0]) && state["ply"].as_u64() > Some(turn);
    let answered = |state: &Value| !state["outcome"].is_null() || is_answered(state);
    let state = server.until("the bot's answer", &game.room, answered).await;
    state["ply"].as_u64().filter(|_| state["outcome"].is_null())
}

/// Two servers over a new database; its name.
pub(crate) fn servers(folder: &Path, flags: &[&str]) -> (Site, Site, String) {
    let url = cluster().database(None);
    let flags = [&["--database", &url], flags].concat();
    let start = |name: &str| {
        let own = folder.join(name);
        fs::create_dir_all(&own).unwrap();
        Site::start(&own, &flags)
    };
    (start("one"), start("two"), url.split(['/', '?']).nth(3).unwrap().to_owned())
}

impl Visited {
    pub(crate) async fn account(&self, name: &str) -> String {
        let claimed = self.insist(HONEST, || post_json("/api/v1/accounts", &json!({ "name": name }))).await;
        assert_eq!(claimed.status, 201, "{}", claimed.body);
        claimed.json()["code"].as_str().unwrap().to_owned()
    }

    /// Says something in a room or world until it is taken: it may not know yet that it is this person's turn.
    pub(crate) async fn says(&self, commands: &str, code: &str, said: &Value) -> Value {
        let told = self.hears(commands, code, said).await;
        assert!(told["type"] != "rejected" && told["type"] != "error", "{said}: {told}");
        told
    }

    /// Says something in a room or world until it is taken or refused.
    async fn hears(&self, commands: &str, code: &str, said: &Value) -> Value {
        eventually("an answer to a command", async || {
            let told = self.patiently(|| post_json(commands, said).bearer(code)).await.json();
            let is_not_now =
                told["type"] == "rejected" && (told["code"] == "unavailable" || told["code"] == "too_many");
            if told["type"] == "wait" || is_not_now { Err(told) } else { Ok(told) }
        })
        .await
    }

    /// Asks until there is a share of requests left.
    pub(crate) async fn patiently<'a>(&self, ask: impl Fn() -> Ask<'a>) -> Answer {
        eventually("a share of requests", async || {
            let answer = self.ask(HONEST, ask()).await;
            if answer.status == 429 || answer.is_unavailable() { Err(answer.body) } else { Ok(answer) }
        })
        .await
    }

    pub(crate) async fn json(&self, path: &str) -> Value {
        let answer = self.patiently(|| get(path)).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        answer.json()
    }

    /// Asks until the answer is like this.
    pub(crate) async fn until(&self, what: &str, path: &str, is: impl Fn(&Value) -> bool) -> Value {
        eventually(what, async || {
            let answer = self.json(path).await;
            if is(&answer) { Ok(answer) } else { Err(answer) }
        })
        .await
    }
}

impl Site {
    /// Plays a turn against a bot.
    async fn turn(&self, game: &Game, ply: u64, action: &str) {
        eventually("a share of turns", async || {
            let played = game.turn(self, ply, action).await;
            assert!(matches!(played.status, 200 | 429), "{}", played.body);
            if played.status == 200 { Ok(()) } else { Err(played.body) }
        })
        .await;
    }
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
        server.until("an edition", "/api/v1/standings", |told| !told["edition"].is_null()).await;
    }

    // A game that is begun at the one is seen at the other.
    let (game, ply) = eventually("a game that goes on", async || {
        let wanted = json!({ "opponent": "easy", "seat": 0 });
        let opened = one.patiently(|| post_json("/api/v1/rooms", &wanted).bearer(&person.code)).await;
        assert_eq!(opened.status, 201, "{}", opened.body);
        let room = format!("/api/v1/rooms/{}", opened.json()["room"].as_str().unwrap());
        let game = Game { code: person.code.clone(), room };
        one.turn(&game, 0, BLOCK).await;
        // A bot may die out in its first turn: who draws its cells is the room's seed.
        answered(&two, &game, 0).await.map(|ply| (game, ply))
    })
    .await;

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
    let reaches = async |reached: u64| {
        let reaches = async || {
            let generation = generation(&two).await;
            if generation >= reached { Ok(()) } else { Err(generation) }
        };
        eventually("a generation", reaches).await;
    };
    reaches(generation(&one).await).await;

    one.kill();
    two.turn(&game, ply, SECOND_BLOCK).await;
    // The bot is asked by the server that is left.
    answered(&two, &game, ply).await;
    assert!(coins(&two).await >= 3 * before, "both calls were written before they were answered");
    reaches(generation(&two).await + 10).await;
    let left = who("world meadow");
    for duty in ["tournaments", "judge"] {
        let is_its = async || if who(duty) == left { Ok(()) } else { Err(who(duty)) };
        eventually(&format!("the duty {duty} of the server that is left"), is_its).await;
    }
    // A server that is stopped leaves all to others at once.
    two.stop();
    assert_eq!(cluster().sql(&database, "select count(*) from duties"), "0");
}

/// Accounts that a network may claim at once, as `arena limits` has them.
const ACCOUNTS_AT_ONCE: usize = 40;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn each_server_counts_for_itself_what_a_visitor_takes_of_it() {
    if !cluster::is_there() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let (one, two, _) = servers(folder.path(), &["--no-standing"]);
    let claims = async |server: &Site, name: String| {
        server.ask(HONEST, post_json("/api/v1/accounts", &json!({ "name": name }))).await.status == 201
    };
    for number in 0..ACCOUNTS_AT_ONCE {
        assert!(claims(&one, format!("first {number}")).await);
    }
    assert!(!claims(&one, "one more".into()).await);
    assert!(claims(&two, "one more".into()).await);
}

/// A proxy in front of two servers, which does less for them than that of `deploy/nginx.conf`: it sends each request to
/// the next of them, and to the other where one is gone. It says which one took it.
const PROXY: &str = "/usr/sbin/nginx";

fn proxied(folder: &Path, servers: [&Site; 2]) -> (Process, Visited) {
    let at = folder.display();
    let servers = servers.map(|server| format!("server {} max_fails=0;", server.address)).concat();
    let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(|of| format!("{of}_temp_path {at}/{of};"));
    eventually_here("a proxy with a port of its own", || {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        let text = format!(
            "daemon off; master_process off; user root; pid {at}/proxy.pid; error_log stderr notice; events {{}}
             http {{
                 access_log off; {}
                 map $http_upgrade $connection_upgrade {{ default upgrade; '' ''; }}
                 upstream site {{ {servers} }}
                 server {{
                     listen {address};
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
        let mut command = Command::new(PROXY);
        command.arg("-p").arg(folder).arg("-c").arg(file).stdin(Stdio::null()).stdout(Stdio::null());
        let mut proxy = Process::start("the proxy", &mut command);
        // It says so once it listens. If somebody else took the port before, it ends.
        let listens = |proxy: &Process| proxy.log().contains("event method");
        eventually_here("a proxy that listens", || listens(&proxy) || !proxy.is_running());
        if listens(&proxy) { Ok((proxy, Visited { address })) } else { Err(proxy.log()) }
    })
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
    let (_proxy, site) = proxied(folder.path(), [&one, &two]);
    let codes = [site.account("Ann").await, site.account("Bob").await];
    let opened = site.ask(HONEST, post_json("/api/v1/lobby", &json!({ "seat": 0 })).bearer(&codes[0])).await.json();
    let room = opened["room"].as_str().unwrap();
    let join = json!({ "code": opened["code"] });
    eventually("a seat", async || {
        let joined = site.ask(HONEST, post_json("/api/v1/lobby/joins", &join).bearer(&codes[1])).await;
        if joined.status == 201 { Ok(()) } else { Err(joined.body) }
    })
    .await;
    let (room_path, commands) = (format!("/api/v1/rooms/{room}"), format!("/api/v1/rooms/{room}/commands"));
    for server in [&one, &two] {
        eventually("the room", async || server.ask(HONEST, get(&room_path)).await.status == 200).await;
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
        eventually("a turn", async || {
            // Over sockets and by requests in turns.
            let told = match ply / 2 % 2 {
                0 => lines[seat].try_say(site, &turn).await,
                _ => Some(site.hears(&commands, &codes[seat], &turn).await),
            };
            // The server that is asked may not have heard of the turn before, and a socket breaks with its server.
            told.filter(|told| told["type"] == "applied").map(drop)
        })
        .await;
    }
    let state = site.until("the end of the game", &room_path, |state| !state["outcome"].is_null()).await;
    let turns = state["turns"].as_array().unwrap().iter().map(|turn| turn[0]["action"].as_str().unwrap().to_owned());
    assert_eq!(turns.collect::<Vec<_>>(), (0..PLIES).map(block).collect::<Vec<_>>());
    let written = format!("select count(*), max(seq) from room_events where room = '{room}'");
    assert_eq!(cluster().sql(&database, &written), format!("{}|{}", PLIES + 2, PLIES + 1));
}
