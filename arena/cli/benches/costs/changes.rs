//! What requests that change something take, as multiples of `/healthz`, against what they are charged. Each round has
//! a site of its own, whose shares are whole, and takes people through everything that an account may do, one kind of
//! change after the other. Bodies are as large as they may be where that matters.

use std::fs;

use serde_json::{Value, json};

use crate::crowd;
use crate::routes::{CHANGES, is_of};
use crate::site::{CORNERS, Change, Measured, OPERATOR, Site, WORLD};
use crate::table::{Table, Unit};
use crate::{HEALTH, times_health_max};

/// People of a round. Half of them open rooms, which the others join.
const PEOPLE: usize = 120;
/// Those with a bot, who enter it in a tournament.
const AUTHORS: usize = 20;
/// Bytes of the largest module, and the most openings of a tournament: some 30 kB, nearly as much as they may have.
const MODULE_BYTES: usize = 1 << 20;
/// Nearly the longest form.
const FORM_BYTES: usize = 60 << 10;
const OPENINGS: usize = 1_000;
/// Characters of the longest reason and the longest message of a chat.
const REASON_CHARS: usize = 300;
const CHAT_CHARS: usize = 200;
/// A block in blue's home, as bytes: legal in the first turn.
const BLOCK: &str = "0101040a020a030b020b03";
/// Cells of the largest call of a world.
const CELLS: usize = 1_000;

/// Somebody with an account.
#[derive(Clone)]
struct Person {
    name: String,
    visitor: String,
    code: String,
}

impl Person {
    fn sends(&self, method: &'static str, path: &str, kind: &'static str, body: impl Into<Vec<u8>>) -> Change {
        let Person { visitor, code, .. } = self.clone();
        Change { method, path: path.into(), kind, visitor, code, body: body.into() }
    }

    fn posts(&self, path: &str, body: &Value) -> Change {
        self.sends("POST", &format!("/api/v1/{path}"), "application/json", body.to_string())
    }

    fn puts(&self, path: &str, body: &Value) -> Change {
        self.sends("PUT", &format!("/api/v1/{path}"), "application/json", body.to_string())
    }

    fn fills_in(&self, path: &str, form: String) -> Change {
        self.sends("POST", path, "application/x-www-form-urlencoded", form)
    }
}

/// A kind of change of [`CHANGES`], one for each of those who make it; what was answered.
fn kind(site: &Site, table: &mut Table, name: &str, changes: &[Change]) -> Vec<Value> {
    let (route, _) = name.split_once(": ").expect("a route, and what is changed");
    let (method, address) = route.split_once(' ').expect("a method and an address");
    assert!(changes.iter().all(|change| change.method == method && is_of(address, &change.path)), "{name}");
    let Measured { answers, seconds, health, charged } = site.measured(changes);
    table.note("a change of a site", name, Unit::Micros, seconds);
    table.note("a change, in units of the cost of requests", name, Unit::Count, charged);
    let section = format!("a change, times {HEALTH}");
    table.hold(&section, name, Unit::Times, seconds / health, times_health_max(method, address, charged));
    answers
}

pub(crate) fn of_changes(table: &mut Table) {
    let folder = tempfile::tempdir().expect("a folder");
    let token = folder.path().join("operator");
    fs::write(&token, OPERATOR).expect("written");
    let token = token.to_str().expect("a path in UTF-8");
    let site = Site::without_standings(&["--world", WORLD, "--operator-token-file", token]);
    let mut left = CHANGES.into_iter();
    let mut of = |name: &str, changes: &mut dyn Iterator<Item = Change>| {
        assert_eq!(left.next(), Some(name), "in the order of the list");
        kind(&site, table, name, &changes.collect::<Vec<_>>())
    };

    let mut people: Vec<Person> = (0..PEOPLE)
        .map(|number| Person { name: format!("Visitor {number}"), visitor: site.visitor(), code: String::new() })
        .collect();
    let claims = of(
        "POST /api/v1/accounts: sign-up",
        &mut people.iter().map(|who| who.posts("accounts", &json!({ "name": who.name }))),
    );
    for (person, claimed) in people.iter_mut().zip(&claims) {
        person.code = text(claimed, "code");
    }
    of("POST /session: sign-in", &mut people.iter().map(|who| who.fills_in("/session", format!("code={}", who.code))));
    people.iter_mut().for_each(|who| who.name += " the Second");
    of(
        "POST /account/name: a new name",
        &mut people.iter().map(|who| who.fills_in("/account/name", format!("name={}", who.name.replace(' ', "+")))),
    );
    let token = json!({ "name": "laptop", "scope": "play", "days": 30 });
    let tokens =
        of("POST /api/v1/account/tokens: a token", &mut people.iter().map(|who| who.posts("account/tokens", &token)));
    of(
        "POST /api/v1/account/tokens/{number}/revocation: its end",
        &mut people
            .iter()
            .zip(&tokens)
            .map(|(who, token)| who.posts(&format!("account/tokens/{}/revocation", token["number"]), &json!({}))),
    );
    of(
        "POST /language: another language",
        &mut people.iter().map(|who| who.fills_in("/language", "language=es&back=/".into())),
    );

    let (hosts, guests) = people.split_at(PEOPLE / 2);
    let bot = json!({ "opponent": "easy", "seat": 0 });
    of("POST /api/v1/rooms: against a built-in opponent", &mut people.iter().map(|who| who.posts("rooms", &bot)));
    let table_of_two = json!({ "seat": 0, "clock": "none" });
    let waiting = hosts.iter().map(|who| who.posts("lobby", &table_of_two));
    let rooms = of("POST /api/v1/lobby: a room that waits", &mut waiting.clone());
    of(
        "POST /api/v1/lobby/joins: joining it",
        &mut guests.iter().zip(&rooms).map(|(who, room)| who.posts("lobby/joins", &json!({ "code": room["code"] }))),
    );
    of(
        "POST /api/v1/lobby/pairings: with anybody",
        &mut guests.iter().map(|who| who.posts("lobby/pairings", &json!({}))),
    );
    let in_rooms = |rooms: &[Value], what: &str, body: Value| -> Vec<Change> {
        let paths = rooms.iter().map(|room| format!("rooms/{}/{what}", text(room, "room")));
        hosts.iter().zip(paths).map(|(who, path)| who.posts(&path, &body)).collect()
    };
    let turn = json!({ "ply": 0, "client_seq": 1, "action": BLOCK });
    of("POST /api/v1/rooms/{id}/turns: a turn", &mut in_rooms(&rooms, "turns", turn).into_iter());
    let chat = json!({ "type": "chat", "text": "\u{1f600}".repeat(CHAT_CHARS) });
    of("POST /api/v1/rooms/{id}/commands: a message of a chat", &mut in_rooms(&rooms, "commands", chat).into_iter());
    let draw = json!({ "type": "draw", "ply": 1 });
    of("POST /api/v1/rooms/{id}/commands: an offer of a draw", &mut in_rooms(&rooms, "commands", draw).into_iter());
    of(
        "POST /api/v1/rooms/{id}/resignation: a resignation",
        &mut in_rooms(&rooms, "resignation", json!({ "ply": 1 })).into_iter(),
    );
    let rooms: Vec<Value> = waiting.map(|room| site.send(&room)).collect();
    of(
        "POST /api/v1/rooms/{id}/bots: a bot in a seat",
        &mut in_rooms(&rooms, "bots", json!({ "opponent": "easy" })).into_iter(),
    );

    let call = |who: &Person, call: Value| who.posts(&format!("worlds/{WORLD}/commands"), &call);
    let of_each = |said: Value| hosts.iter().map(move |who| call(who, said.clone()));
    let faucet = json!({ "type": "faucet" });
    of("POST /api/v1/worlds/{name}/commands: the faucet", &mut people.iter().map(|who| call(who, faucet.clone())));
    let kings = || hosts.iter().zip(CORNERS);
    of(
        "POST /api/v1/worlds/{name}/commands: a kingdom",
        &mut kings().map(|(who, [x, y])| call(who, json!({ "type": "join_game", "base_x": x, "base_y": y }))),
    );
    kings().for_each(|(who, _)| drop(site.send(&call(who, faucet.clone()))));
    of(
        "POST /api/v1/worlds/{name}/commands: cells",
        &mut kings()
            .map(|(who, [x, y])| call(who, json!({ "type": "place_cells", "cells": vec![[x + 1, y + 1]; CELLS] }))),
    );
    for (name, said) in [
        ("a bot that plays", json!({ "type": "seat_bot", "bot": "idle" })),
        ("the whole state", json!({ "type": "get_state" })),
        ("a territory", json!({ "type": "get_territory_info", "slot": 1 })),
        ("all slots", json!({ "type": "get_slots_info" })),
    ] {
        of(&format!("POST /api/v1/worlds/{{name}}/commands: {name}"), &mut of_each(said));
    }

    let authors = &hosts[..AUTHORS];
    let nothing = vec![0; MODULE_BYTES];
    of(
        "POST /api/v1/bots/{name}/versions: a megabyte that is no bot",
        &mut authors.iter().map(|who| who.sends("POST", "/api/v1/bots/large/versions", "application/wasm", &*nothing)),
    );
    let form = "--part\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nlarge\r\n--part\r\n\
        Content-Disposition: form-data; name=\"file\"; filename=\"bot.wasm\"\r\n\r\n";
    let form = [form.as_bytes(), &*nothing, b"\r\n--part--\r\n"].concat();
    let parts = "multipart/form-data; boundary=part";
    of(
        "POST /submit: a megabyte that is no bot",
        &mut authors.iter().map(|who| who.sends("POST", "/submit", parts, &*form)),
    );
    for (number, who) in authors.iter().enumerate() {
        let path = format!("/api/v1/bots/bot-{number}/versions");
        site.send(&who.sends("POST", &path, "application/wasm", &*crowd::module(number)));
    }
    let invited: Vec<&str> = hosts.iter().map(|who| who.name.as_str()).collect();
    let definition = definition();
    let long = json!({ "definition": definition, "entry": "invited", "invited": invited });
    of(
        "POST /api/v1/tournaments: the longest definition",
        &mut authors.iter().map(|who| who.posts("tournaments", &long)),
    );
    let names = json!({ "definition": "", "entry": "open", "bots": vec!["x"; FORM_BYTES / "\"x\",".len()] });
    of(
        "POST /api/v1/tournaments: as many bots as can be written",
        &mut authors.iter().map(|who| who.posts("tournaments", &names)),
    );
    let fields = "a=&".repeat(FORM_BYTES / "a=&".len());
    let kind = "application/x-www-form-urlencoded";
    of(
        "POST /lobby/joins: as many fields as can be written",
        &mut authors.iter().map(|who| who.sends("POST", "/lobby/joins", kind, fields.as_bytes())),
    );
    let open = json!({ "definition": "name = \"cup\"\nformat = \"swiss\"\npairs = 1\nrounds = 1", "entry": "open" });
    let cups =
        of("POST /api/v1/tournaments: a short one", &mut authors.iter().map(|who| who.posts("tournaments", &open)));
    let cup = format!("tournaments/{}", text(&cups[0], "id"));
    let entry = |number: usize| json!({ "bot": format!("bot-{number}") });
    of(
        "POST /api/v1/tournaments/{id}/entries: an entry",
        &mut (0..).zip(authors).map(|(number, who)| who.posts(&format!("{cup}/entries"), &entry(number))),
    );
    let leaves = |number: usize| json!({ "bot": format!("bot-{number}"), "reason": "r".repeat(REASON_CHARS) });
    of(
        "POST /api/v1/tournaments/{id}/withdrawals: a withdrawal",
        &mut (0..).zip(authors).map(|(number, who)| who.posts(&format!("{cup}/withdrawals"), &leaves(number))),
    );
    let reason = json!({ "reason": "r".repeat(REASON_CHARS) });
    of(
        "POST /api/v1/tournaments/{id}/cancellation: a cancellation",
        &mut authors
            .iter()
            .zip(&cups)
            .map(|(who, cup)| who.posts(&format!("tournaments/{}/cancellation", text(cup, "id")), &reason)),
    );
    let bots = |what: &'static str| (0..AUTHORS).map(move |number| format!("bots/bot-{number}{what}"));
    let version = json!({ "version": null });
    of(
        "PUT /api/v1/bots/{name}/active: the choice of a version",
        &mut authors.iter().zip(bots("/active")).map(|(who, path)| who.puts(&path, &version)),
    );
    of(
        "PUT /api/v1/bots/{name}/name: a new name",
        &mut (0..)
            .zip(authors)
            .zip(bots("/name"))
            .map(|((number, who), path)| who.puts(&path, &json!({ "name": format!("other-{number}") }))),
    );
    of(
        "DELETE /api/v1/bots/{name}: the end of a bot",
        &mut (0..).zip(authors).map(|(number, who)| {
            who.sends("DELETE", &format!("/api/v1/bots/other-{number}"), "application/json", Vec::new())
        }),
    );
    let operator = || Person { name: String::new(), visitor: site.visitor(), code: OPERATOR.into() };
    let reason = "r".repeat(REASON_CHARS);
    of(
        "POST /api/v1/operator/acts: a new name for an account",
        &mut hosts.iter().map(|who| {
            let new_name = format!("{} again", who.name);
            let act = json!({ "act": "rename_account", "name": who.name, "new_name": new_name, "reason": reason });
            operator().posts("operator/acts", &act)
        }),
    );
    of(
        "POST /api/v1/operator/tournaments: a tournament",
        &mut hosts[AUTHORS..2 * AUTHORS].iter().map(|who| {
            let owner = format!("{} again", who.name);
            let cup = json!({ "owner": owner, "reason": reason, "tournament": open });
            operator().posts("operator/tournaments", &cup)
        }),
    );
    of("POST /account/code: a new code", &mut hosts.iter().map(|who| who.fills_in("/account/code", String::new())));
    of(
        "POST /api/v1/account/deletion: the end of an account",
        &mut guests.iter().map(|who| who.posts("account/deletion", &json!({ "name": who.name }))),
    );
    assert_eq!(left.next(), None, "each is measured");
}

/// A text of an answer.
fn text(answer: &Value, name: &str) -> String {
    answer[name].as_str().unwrap_or_else(|| panic!("no {name}: {answer}")).into()
}

/// A definition with as many openings as there is room for, each another one.
fn definition() -> String {
    let rows: Vec<char> = ('a'..='y').collect();
    let block = |row: usize, col: usize| {
        let (this, next) = (rows[row % rows.len()], char::from(rows[row % rows.len()] as u8 + 1));
        format!("{this}{col}{this}{}{next}{col}{next}{}", col + 1, col + 1)
    };
    let openings = (0..).map(|number: usize| {
        let (ours, theirs) = (number % 150, number / 150);
        format!("\"cells:{}/{}\"", block(ours / 6, 2 + ours % 6), block(theirs, 22))
    });
    let list = openings.take(OPENINGS).collect::<Vec<_>>().join(",");
    format!("name = \"long\"\nformat = \"swiss\"\npairs = 1\nrounds = 1\nopenings = [{list}]")
}
