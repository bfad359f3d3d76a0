//! Small floods: each asks for one thing as often as it can, by an account of its own in a network of its own.

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::mpsc::unbounded_channel;

use super::{account, socket, submission};
use crate::eventually::within;
use crate::site::{Answer, Visited, flood, get, post, post_json};

/// By which rows of `arena limits` a flood has its share.
pub(crate) enum Row {
    /// A bucket, of an account or a network, from which each try takes this much.
    Bucket(&'static str, &'static str, u64),
    /// So many at once, each free again after so many seconds.
    AtOnce(&'static str, u64),
}

/// What floods ask for, how often, and what they get of it.
pub(crate) const SMALL: [(&str, u64, Row); 12] = [
    ("searches of the guide", 300, Row::Bucket("requests", "account", 40)),
    ("sign-ins", 100, Row::Bucket("sessions", "network", 1)),
    ("plies", 320, Row::Bucket("plies", "account", 1)),
    ("joins", 40, Row::Bucket("joins", "account", 1)),
    ("polls", 30, Row::AtOnce("polls_account", 25)),
    ("uploads", 50, Row::Bucket("uploads", "account", 1)),
    ("changes of tournaments", 90, Row::Bucket("tournaments", "account", 1)),
    ("calls of a world", 80, Row::Bucket("calls", "account", 1)),
    ("cells of a world", 5, Row::Bucket("cells", "account", 1_000)),
    ("chat", 30, Row::AtOnce("chat_messages", 5)),
    ("megabytes of modules", 20, Row::Bucket("kilobytes", "account", 1 << 10)),
    ("changes of who plays in a world", 30, Row::Bucket("seats", "account", 1)),
];

/// Requests that wait for news, of an account, as `arena limits` has them.
const POLLS: u64 = 12;

/// The world in which it calls.
pub(crate) const WORLD: &str = "meadow";

/// A flood by its name: how much of what it asks for it gets. `None` for what is no small flood.
pub(super) async fn gets(name: &str, site: Visited) -> Option<u64> {
    let place = SMALL.iter().position(|(small, ..)| *small == name)?;
    let (_, tries, _) = SMALL[place];
    let network = 20 + place as u8;
    let code = account(site, network, &format!("flood {network}")).await;
    let from = Visitor { site, network, code };
    Some(match name {
        "sign-ins" => from.sign_ins(tries).await,
        "plies" => from.plies(tries).await,
        "joins" => from.joins(tries).await,
        "polls" => from.polls(tries).await,
        "uploads" => from.uploads(tries).await,
        "searches of the guide" => from.searches(tries).await,
        "megabytes of modules" => from.megabytes(tries).await,
        "changes of tournaments" => from.changes(tries).await,
        "calls of a world" => from.calls(tries, &json!({ "type": "faucet" })).await,
        "cells of a world" => {
            let cells: Vec<[u32; 2]> = (0..1_000).map(|cell| [cell % 40, cell / 40]).collect();
            from.calls(tries, &json!({ "type": "place_cells", "cells": cells })).await
        }
        "changes of who plays in a world" => from.calls(tries, &json!({ "type": "seat_bot", "bot": null })).await,
        "chat" => from.chat(tries).await,
        other => panic!("there is no flood of {other}"),
    })
}

struct Visitor {
    site: Visited,
    network: u8,
    code: String,
}

impl Visitor {
    async fn posts(&self, path: &str, body: &Value) -> Answer {
        self.site.ask(flood(self.network), post_json(path, body).bearer(&self.code)).await
    }

    async fn gets(&self, path: &str) -> Answer {
        self.site.ask(flood(self.network), get(path).bearer(&self.code)).await
    }

    /// A room, by its address in the API.
    async fn room(&self, path: &str, wanted: &Value) -> String {
        let opened = self.posts(path, wanted).await;
        assert_eq!(opened.status, 201, "{}", opened.body);
        format!("/api/v1/rooms/{}", opened.json()["room"].as_str().unwrap())
    }

    async fn sign_ins(&self, tries: u64) -> u64 {
        let mut got = 0;
        for _ in 0..tries {
            let code = format!("code={}", self.code);
            let signing = post("/session", "application/x-www-form-urlencoded", code);
            got += u64::from(!self.site.ask(flood(self.network), signing).await.refuses());
        }
        got
    }

    /// Commands over sockets, which cost no requests: each socket says as much at once as it may.
    async fn plies(&self, tries: u64) -> u64 {
        let room = self.room("/api/v1/rooms", &json!({ "opponent": "easy", "seat": 0 })).await;
        let mut got = 0;
        for _ in 0..tries / 40 {
            let id = room.rsplit('/').next().unwrap();
            let mut socket = socket(self.site, self.network, id, &self.code).await.expect("it has a share of sockets");
            for _ in 0..40 {
                say(&mut socket, r#"{"type":"draw","ply":0}"#).await;
            }
            for _ in 0..40 {
                got += u64::from(answered(&mut socket).await["code"] != "too_many");
            }
        }
        got
    }

    async fn joins(&self, tries: u64) -> u64 {
        let mut got = 0;
        for number in 0..tries {
            let code = format!("zzzz{number:02}");
            got += u64::from(!self.posts("/api/v1/lobby/joins", &json!({ "code": code })).await.refuses());
        }
        got
    }

    /// Requests that wait for news of a room in which nothing happens.
    async fn polls(&self, tries: u64) -> u64 {
        let room = self.room("/api/v1/rooms", &json!({ "opponent": "easy", "seat": 0 })).await;
        let version = self.gets(&format!("{room}/events")).await.json()["version"].as_u64().unwrap();
        let (refused, mut refusals) = unbounded_channel();
        for _ in 0..tries {
            let (site, network, code) = (self.site, self.network, self.code.clone());
            let (path, refused) = (format!("{room}/events?after={version}"), refused.clone());
            tokio::spawn(async move {
                let answer = site.try_ask(flood(network), &get(&path).bearer(&code)).await;
                if answer.is_some_and(|answer| answer.refuses()) {
                    refused.send(()).ok();
                }
            });
        }
        drop(refused);
        // Those that are held say nothing for long.
        for refused in 0..tries - POLLS {
            if within("a refusal", refusals.recv()).await.is_none() {
                return tries - refused;
            }
        }
        POLLS
    }

    /// Bytes that are no bot: what is refused costs a share, too.
    async fn uploads(&self, tries: u64) -> u64 {
        let mut got = 0;
        for number in 0..tries {
            let path = format!("/api/v1/bots/small-{number}/versions");
            let ask = submission(&path, &self.code, b"\0asm\x01\0\0\0".to_vec());
            got += u64::from(!self.site.ask(flood(self.network), ask).await.refuses());
        }
        got
    }

    /// As many bytes as a module may have, and none either.
    async fn megabytes(&self, tries: u64) -> u64 {
        let mut got = 0;
        for _ in 0..tries {
            let ask = submission("/api/v1/bots/large/versions", &self.code, vec![0; 1 << 20]);
            got += u64::from(!self.site.ask(flood(self.network), ask).await.refuses());
        }
        got
    }

    /// Opens tournaments and cancels each at once: what is refused takes nothing from the share.
    async fn changes(&self, tries: u64) -> u64 {
        let cup = json!({ "definition": "name = \"Cup\"\npairs = 1", "entry": "open", "places": 4 });
        let mut got = 0;
        for _ in 0..tries / 2 {
            let opened = self.posts("/api/v1/tournaments", &cup).await;
            if !opened.refuses() {
                let id = opened.json()["id"].as_str().unwrap().to_owned();
                let path = format!("/api/v1/tournaments/{id}/cancellation");
                got += 1 + u64::from(!self.posts(&path, &json!({ "reason": "a flood" })).await.refuses());
            }
        }
        got
    }

    /// Searches for as many letters as one may have, each of which is nearly everywhere.
    async fn searches(&self, tries: u64) -> u64 {
        let one = async || u64::from(!self.gets(arena_server::COSTLIEST_SEARCH).await.refuses());
        let mut got = 0;
        for _ in 0..tries / 5 {
            let five = <[u64; 5]>::from(tokio::join!(one(), one(), one(), one(), one()));
            got += five.iter().sum::<u64>();
        }
        got
    }

    /// Five at once: one after another may be no faster on a slow machine than the share is regained.
    async fn calls(&self, tries: u64, call: &Value) -> u64 {
        let path = format!("/api/v1/worlds/{WORLD}/commands");
        let one = async || u64::from(!self.posts(&path, call).await.refuses());
        let mut got = 0;
        for _ in 0..tries / 5 {
            let five = <[u64; 5]>::from(tokio::join!(one(), one(), one(), one(), one()));
            got += five.iter().sum::<u64>();
        }
        got
    }

    async fn chat(&self, tries: u64) -> u64 {
        let room = self.room("/api/v1/lobby", &json!({ "chat": true })).await;
        let mut got = 0;
        for number in 0..tries {
            let said = json!({ "type": "chat", "text": format!("buy {number}") });
            let told = self.posts(&format!("{room}/commands"), &said).await;
            assert!(told.refuses() || told.json()["type"] == "applied", "{}", told.body);
            got += u64::from(!told.refuses());
        }
        got
    }
}

/// Sends a text of less than 126 bytes, masked with zeros, which change nothing.
pub(super) async fn say(socket: &mut TcpStream, text: &str) {
    let frame = [&[0x81, 0x80 | text.len() as u8, 0, 0, 0, 0], text.as_bytes()].concat();
    socket.write_all(&frame).await.unwrap();
}

/// What a command is answered; what else is said meanwhile is not looked at.
async fn answered(socket: &mut TcpStream) -> Value {
    loop {
        let said = heard(socket).await;
        if matches!(said["type"].as_str(), Some("applied" | "rejected" | "error")) {
            return said;
        }
    }
}

/// The next text that a socket says.
async fn heard(socket: &mut TcpStream) -> Value {
    next_heard(socket).await.expect("it is open")
}

/// The next text that a socket says; `None` once it is closed.
pub(super) async fn next_heard(socket: &mut TcpStream) -> Option<Value> {
    loop {
        let mut head = [0; 2];
        within("the next frame", socket.read_exact(&mut head)).await.ok()?;
        let length = match head[1] {
            126 => usize::from(socket.read_u16().await.ok()?),
            127 => socket.read_u64().await.ok()? as usize,
            short => usize::from(short),
        };
        let mut text = vec![0; length];
        within("the rest of a frame", socket.read_exact(&mut text)).await.ok()?;
        if head[0] == 0x81 {
            return Some(serde_json::from_slice(&text).unwrap());
        }
    }
}
