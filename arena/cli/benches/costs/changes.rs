//! What requests that change something take, as multiples of `/healthz`, against what they are charged. Each round has a site of its own, whose
//! shares are whole, and takes people through everything that an account may do, one kind of change after the other. Bodies are as large as
//! they may be where that matters.

use serde_json::{Value, json};

use crate::crowd;
use crate::site::{Change, Measured, Site};
use crate::table::{Table, Unit};
use crate::{HEALTH, TIMES_HEALTH_A_UNIT};

/// People of a round. Half of them open rooms, which the others join.
const PEOPLE: usize = 120;
/// Those with a bot, who enter it in a tournament.
const AUTHORS: usize = 20;
/// Bytes of the largest module, and the most openings of a tournament: some 30 kB, nearly as much as they may have.
const MODULE_BYTES: usize = 1 << 20;
const OPENINGS: usize = 1_000;
/// Characters of the longest reason and the longest message of a chat.
const REASON_CHARS: usize = 300;
const CHAT_CHARS: usize = 200;
/// A block in blue's home, as bytes: legal in the first turn.
const BLOCK: &str = "0101040a020a030b020b03";
const WORLD: &str = "meadow";

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

/// A kind of change, one for each of those who make it; what was answered.
fn kind(site: &Site, table: &mut Table, name: &str, changes: impl Iterator<Item = Change>) -> Vec<Value> {
    let Measured { answers, seconds, health, charged } = site.measured(&changes.collect::<Vec<_>>());
    table.note("a change of a site", name, Unit::Micros, seconds);
    table.note("a change, in units of the cost of requests", name, Unit::Count, charged);
    let section = format!("a change, times {HEALTH}");
    table.hold(&section, name, Unit::Times, seconds / health, TIMES_HEALTH_A_UNIT * charged);
    answers
}

pub(crate) fn of_changes(table: &mut Table) {
    let site = Site::without_standings(&["--world", WORLD]);
    let mut of = |name: &str, changes: &mut dyn Iterator<Item = Change>| kind(&site, table, name, changes);

    let mut people: Vec<Person> = (0..PEOPLE)
        .map(|number| Person { name: format!("Visitor {number}"), visitor: site.visitor(), code: String::new() })
        .collect();
    let claims = of("sign-up", &mut people.iter().map(|who| who.posts("accounts", &json!({ "name": who.name }))));
    for (person, claimed) in people.iter_mut().zip(&claims) {
        person.code = text(claimed, "code");
    }
    of("sign-in", &mut people.iter().map(|who| who.fills_in("/session", format!("code={}", who.code))));
    people.iter_mut().for_each(|who| who.name += " the Second");
    of(
        "a new name",
        &mut people.iter().map(|who| who.fills_in("/account/name", format!("name={}", who.name.replace(' ', "+")))),
    );
    let token = json!({ "name": "laptop", "scope": "play", "days": 30 });
    let tokens = of("a token", &mut people.iter().map(|who| who.posts("account/tokens", &token)));
    of(
        "the end of a token",
        &mut people
            .iter()
            .zip(&tokens)
            .map(|(who, token)| who.posts(&format!("account/tokens/{}/revocation", token["number"]), &json!({}))),
    );

    let (hosts, guests) = people.split_at(PEOPLE / 2);
    let bot = json!({ "opponent": "easy", "seat": 0 });
    of("a room against a built-in opponent", &mut people.iter().map(|who| who.posts("rooms", &bot)));
    let table_of_two = json!({ "seat": 0, "clock": "none" });
    let rooms = of("a room that waits", &mut hosts.iter().map(|who| who.posts("lobby", &table_of_two)));
    of(
        "joining a room",
        &mut guests.iter().zip(&rooms).map(|(who, room)| who.posts("lobby/joins", &json!({ "code": room["code"] }))),
    );
    let in_rooms = |what: &str, body: Value| -> Vec<Change> {
        let paths = rooms.iter().map(|room| format!("rooms/{}/{what}", text(room, "room")));
        hosts.iter().zip(paths).map(|(who, path)| who.posts(&path, &body)).collect()
    };
    let turn = json!({ "ply": 0, "client_seq": 1, "action": BLOCK });
    of("a turn", &mut in_rooms("turns", turn).into_iter());
    let chat = json!({ "type": "chat", "text": "\u{1f600}".repeat(CHAT_CHARS) });
    of("a message of a chat", &mut in_rooms("commands", chat).into_iter());
    of("an offer of a draw", &mut in_rooms("commands", json!({ "type": "draw", "ply": 1 })).into_iter());
    of("a resignation", &mut in_rooms("resignation", json!({ "ply": 1 })).into_iter());
    let call = json!({ "type": "faucet" });
    of("a call of a world", &mut people.iter().map(|who| who.posts(&format!("worlds/{WORLD}/commands"), &call)));

    let authors = &hosts[..AUTHORS];
    let nothing = vec![0; MODULE_BYTES];
    of(
        "a megabyte that is no bot",
        &mut authors.iter().map(|who| who.sends("POST", "/api/v1/bots/large/versions", "application/wasm", &*nothing)),
    );
    for (number, who) in authors.iter().enumerate() {
        let path = format!("/api/v1/bots/bot-{number}/versions");
        site.send(&who.sends("POST", &path, "application/wasm", &*crowd::module(number)));
    }
    let invited: Vec<&str> = hosts.iter().map(|who| who.name.as_str()).collect();
    let definition = definition();
    let long = json!({ "definition": definition, "entry": "invited", "invited": invited });
    of("the longest definition of a tournament", &mut authors.iter().map(|who| who.posts("tournaments", &long)));
    let open = json!({ "definition": "name = \"cup\"\nformat = \"swiss\"\npairs = 1\nrounds = 1", "entry": "open" });
    let cups = of("a tournament", &mut authors.iter().map(|who| who.posts("tournaments", &open)));
    let cup = format!("tournaments/{}", text(&cups[0], "id"));
    let entry = |number: usize| json!({ "bot": format!("bot-{number}") });
    of("an entry", &mut (0..).zip(authors).map(|(number, who)| who.posts(&format!("{cup}/entries"), &entry(number))));
    let leaves = |number: usize| json!({ "bot": format!("bot-{number}"), "reason": "r".repeat(REASON_CHARS) });
    of(
        "a withdrawal",
        &mut (0..).zip(authors).map(|(number, who)| who.posts(&format!("{cup}/withdrawals"), &leaves(number))),
    );
    let bots = |what: &'static str| (0..AUTHORS).map(move |number| format!("bots/bot-{number}{what}"));
    let version = json!({ "version": null });
    of(
        "the choice of a version",
        &mut authors.iter().zip(bots("/active")).map(|(who, path)| who.puts(&path, &version)),
    );
    of(
        "a bot's new name",
        &mut (0..)
            .zip(authors)
            .zip(bots("/name"))
            .map(|((number, who), path)| who.puts(&path, &json!({ "name": format!("other-{number}") }))),
    );
    of(
        "the end of a bot",
        &mut (0..).zip(authors).map(|(number, who)| {
            who.sends("DELETE", &format!("/api/v1/bots/other-{number}"), "application/json", Vec::new())
        }),
    );
    of(
        "the end of an account",
        &mut guests.iter().map(|who| who.posts("account/deletion", &json!({ "name": who.name }))),
    );
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
