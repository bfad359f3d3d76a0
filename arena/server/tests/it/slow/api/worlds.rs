//! `/api/v1/worlds`: a world over plain requests; its socket says the same.

use std::collections::BTreeMap;
use std::io::ErrorKind;
use std::net::TcpStream;
use std::time::Duration;

use arena_clock::Clock;
use arena_rules::life2::{
    Account, Base, COINS_MAX, Call, Cell, Ground, Kingdom, QUADRANTS_A_SIDE, Rates, SLOTS, Setup, Side, Slot,
};
use arena_service::limits::{WORLD_CALLS_A_SPAN_MAX, WORLD_WALLETS_MAX};
use arena_store::WorldName;
use arena_world::Machine;
use serde_json::{Value, json};
use tokio::task::{block_in_place, spawn_blocking};
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Message, WebSocket};

use crate::client::{Answer, get, post_json};
use crate::eventually::eventually_here;
use crate::fixture::{Fixture, OPERATOR, fixture};
use crate::snapshot::{assert_snapshot, assert_snapshot_of};

const MEADOW: &str = "/api/v1/worlds/meadow";

/// How long a look for a message takes at most.
const LOOK: Duration = Duration::from_millis(10);

/// The time that goes by where no message comes: the shortest between two messages of a world.
const PAUSE: Duration = Duration::from_millis(200);

/// A socket of a world; it blocks.
struct Socket {
    clock: Clock,
    wire: WebSocket<TcpStream>,
    /// Lines of the log that were heard.
    lines: Vec<Value>,
}

impl Socket {
    /// What comes, if something does.
    fn read(&mut self) -> Option<Message> {
        match self.wire.read() {
            Err(tungstenite::Error::Io(error)) if error.kind() == ErrorKind::WouldBlock => None,
            message => Some(message.expect("a message")),
        }
    }

    /// The next message.
    fn next(&mut self) -> Value {
        let look = || match self.read() {
            Some(Message::Text(text)) => Some(text),
            Some(_) => None,
            None => {
                self.clock.advance(PAUSE);
                None
            }
        };
        let text = eventually_here("a message of a world", look);
        let mut said: Value = serde_json::from_str(&text).expect("JSON");
        if let Some(lines) = said.get_mut("lines").and_then(Value::as_array_mut) {
            self.lines.append(lines);
        }
        said
    }

    /// The answer to a call.
    fn call(&mut self, call: Value) -> Value {
        self.wire.send(Message::text(call.to_string())).expect("said");
        loop {
            let said = self.next();
            if said["type"] == "answer" || said["type"] == "rejected" || said["type"] == "error" {
                return said;
            }
        }
    }

    /// The lines of so many calls, once all were heard.
    fn heard(&mut self, lines: usize) -> Vec<Value> {
        while self.lines.len() < lines {
            self.next();
        }
        std::mem::take(&mut self.lines)
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_ends_at_once_when_its_token_is_revoked_and_no_other_socket_does() {
    let fixture = fixture().await;
    fixture.meadow().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let (number, token) = fixture.token(&ann, "play").await;
    let mut sockets = Vec::new();
    for secret in [&token, &ann, &bob] {
        let mut socket = fixture.socket("meadow", Some(secret)).await;
        spawn_blocking(move || {
            socket.call(json!({ "type": "faucet" }));
            socket
        })
        .await
        .map(|socket| sockets.push(socket))
        .expect("it is open");
    }
    let [mut revoked, mut own, mut others] = <[Socket; 3]>::try_from(sockets).ok().expect("three");
    let revocation = post_json(&format!("/api/v1/account/tokens/{number}/revocation"), json!({}));
    assert_eq!(fixture.ask(revocation.bearer(&ann)).await.status, 200);
    // No time goes by: neither a message nor a ping asks whether it may go on.
    let ended = spawn_blocking(move || {
        let closed = || match revoked.read() {
            Some(Message::Close(frame)) => Some(frame),
            _ => None,
        };
        let frame = eventually_here("the end of the socket", closed).expect("a reason");
        (frame.code, own.call(json!({ "type": "faucet" })), others.call(json!({ "type": "faucet" })))
    });
    let (code, own, others) = ended.await.expect("closed");
    assert_eq!(code, CloseCode::Policy);
    assert_eq!((&own["type"], &others["type"]), (&json!("answer"), &json!("answer")), "{own} {others}");
    fixture.end().await;
}

impl Fixture {
    pub(crate) async fn meadow(&self) {
        self.world("meadow").await;
    }

    async fn world(&self, name: &str) {
        let name = WorldName::parse(name).expect("a name");
        self.service.worlds().start(&name).await.expect("one of four");
    }

    /// The socket of a world, of who has this code, or of nobody.
    async fn socket(&self, world: &str, code: Option<&str>) -> Socket {
        let url = format!("ws://{}/api/v1/worlds/{world}/socket", self.address);
        let mut request = url.into_client_request().expect("a request");
        if let Some(code) = code {
            let bearer = format!("Bearer {code}").parse().expect("a header");
            request.headers_mut().insert("authorization", bearer);
        }
        let address = self.address;
        let open = move || {
            let stream = TcpStream::connect(address).expect("it listens");
            let wire = tungstenite::client(request, stream).expect("a socket").0;
            wire.get_ref().set_read_timeout(Some(LOOK)).expect("set");
            wire
        };
        let (clock, wire) = (self.clock.clone(), spawn_blocking(open).await.expect("opened"));
        Socket { clock, wire, lines: Vec::new() }
    }

    async fn call(&self, code: &str, call: Value) -> Value {
        self.call_in("meadow", code, call).await
    }

    async fn call_in(&self, world: &str, code: &str, call: Value) -> Value {
        self.ask(post_json(&format!("/api/v1/worlds/{world}/commands"), call).bearer(code)).await.json()
    }

    /// The account of a code, as worlds know it.
    async fn account_in_worlds(&self, code: &str) -> Account {
        Account(self.owner(code).await.0.cast_unsigned())
    }

    /// A world that goes on from there, after so many calls of the faucet by an account.
    async fn world_from(&self, name: &str, setup: Setup, calls: u32, account: Account) {
        let mut machine = Machine::new(setup.world().expect("a world"));
        let world = WorldName::parse(name).expect("a name");
        self.store.begin_span(&world, 0, &machine.opened("a test").to_line()).await.expect("begun");
        for seq in 1..=calls {
            let event = machine.propose(account, &Call::Faucet).expect("coins").expect("some");
            self.store.append_to_world(&world, 0, seq, &event.to_line()).await.expect("written");
            machine.apply(&event).expect("it was proposed");
        }
        self.world(name).await;
    }
}

/// A world in which nobody is, with these wallets.
fn empty(wallets: impl Iterator<Item = (Account, u64)>) -> Setup {
    let (ground, wallets) = (Ground::empty(Side::WORLD), wallets.collect());
    Setup { rates: Rates::FOUNDING, generation: 0, ground, kingdoms: [None; SLOTS], wallets }
}

/// The same with kingdoms of these accounts in the first slots and quadrants.
fn held(accounts: impl Iterator<Item = Account>, wallets: BTreeMap<Account, u64>) -> Setup {
    let mut setup = empty(wallets.into_iter());
    for ((slot, account), quadrant) in Slot::all().zip(accounts).zip(0..) {
        let base = Base { x: quadrant % QUADRANTS_A_SIDE * 128 + 60, y: quadrant / QUADRANTS_A_SIDE * 128 + 60 };
        base.interior(Side::WORLD).for_each(|cell| setup.ground.set_owner(cell, Some(slot)));
        setup.kingdoms[usize::from(slot.number()) - 1] =
            Some(Kingdom { account, base, coins: 100, lives: false, idle_since: None });
    }
    setup
}

/// What was said without what the moment decides.
fn still(mut said: Value) -> Value {
    fn clear(value: &mut Value) {
        match value {
            Value::Object(fields) => {
                for (field, value) in fields {
                    match field.as_str() {
                        "generation" | "next" | "version" | "generations_until" | "seconds_until" => *value = 0.into(),
                        "state" | "build" => *value = "".into(),
                        _ => clear(value),
                    }
                }
            }
            Value::Array(items) => items.iter_mut().for_each(clear),
            _ => {}
        }
    }
    clear(&mut said);
    said
}

/// A snapshot of an answer without what the moment decides.
fn assert_timeless(name: &str, answer: &Answer) {
    assert_snapshot_of(name, answer, &still(answer.json()).to_string());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_world_is_listed_shown_called_and_followed() {
    let fixture = fixture().await;
    fixture.meadow().await;
    let ann = fixture.account("Ann").await;
    assert_timeless("api/worlds", &fixture.ask(get("/api/v1/worlds")).await);
    let faucet = post_json(&format!("{MEADOW}/commands"), json!({ "type": "faucet", "client_seq": 7 })).bearer(&ann);
    assert_timeless("api/world-command", &fixture.ask(faucet).await);
    let by_word = json!({ "type": "get_balance", "client_seq": "x" });
    let refused = fixture.ask(post_json(&format!("{MEADOW}/commands"), by_word).bearer(&ann)).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (422, "bad_message"), "{}", refused.text);
    let joined = fixture.call(&ann, json!({ "type": "join_game", "base_x": 60, "base_y": 60 })).await;
    assert_eq!(joined["answer"], 1, "{joined}");
    let state = fixture.ask(get(MEADOW)).await;
    assert_timeless("api/world", &state);
    // A block stays, however many generations pass.
    let block = json!([[62, 62], [63, 62], [62, 63], [63, 63]]);
    let placed = fixture.call(&ann, json!({ "type": "place_cells", "cells": block })).await;
    assert_eq!(placed["answer"], 4, "{placed}");
    let next = &state.json()["next"];
    let events = fixture.ask(get(&format!("{MEADOW}/events?after={next}"))).await;
    assert_timeless("api/world-events", &events);
    let hello = fixture.ask(get(&format!("{MEADOW}/events")).bearer(&ann)).await.json();
    assert_eq!((&hello["messages"][0]["account"], &hello["messages"][0]["slot"]), (&json!(1), &json!(1)), "{hello}");
    let behind = fixture.ask(get(&format!("{MEADOW}/events?after=1"))).await.json();
    assert_eq!(behind["messages"][0]["behind"], true, "{behind}");
    assert_snapshot("api/world-spans", &fixture.ask(get(&format!("{MEADOW}/spans"))).await);
    assert_snapshot("api/world-span", &fixture.ask(get(&format!("{MEADOW}/spans/0"))).await);
    for missing in ["/api/v1/worlds/moor", "/api/v1/worlds/..", "/api/v1/worlds/meadow/spans/1"] {
        assert_eq!(fixture.ask(get(missing)).await.status, 404, "{missing}");
    }
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_asked_is_answered_and_what_is_refused_says_why() {
    let fixture = fixture().await;
    fixture.meadow().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let rejected = async |code: &str, call: Value| {
        let answer = fixture.call(code, call).await;
        assert_eq!(answer["type"], "rejected", "{answer}");
        answer["message"].as_str().expect("a text").to_owned()
    };
    let join = |x: i32, y: i32| json!({ "type": "join_game", "base_x": x, "base_y": y });
    let place = |cells: Value| json!({ "type": "place_cells", "cells": cells });
    assert_eq!(rejected(&ann, join(60, 60)).await, "Need 100 coins to join");
    assert_eq!(rejected(&ann, place(json!([[62, 62]]))).await, "Not in game");
    for code in [&ann, &bob] {
        assert_eq!(fixture.call(code, json!({ "type": "faucet" })).await["answer"], 1_000);
    }
    assert_eq!(rejected(&ann, join(512, 60)).await, "Coordinates out of range");
    assert_eq!(fixture.call(&ann, join(510, 60)).await["answer"], 1, "over the edge of the torus");
    assert_eq!(rejected(&ann, join(60, 60)).await, "Already in game", "in a second tab");
    assert_eq!(rejected(&bob, join(400, 100)).await, "Quadrant already has a base");
    assert_eq!(rejected(&bob, join(2, 66)).await, "Overlaps existing base", "across the edge");
    assert_eq!(fixture.call(&bob, join(200, 200)).await["answer"], 2);
    assert_eq!(fixture.call(&ann, place(json!([]))).await["answer"], 0);
    assert_eq!(rejected(&ann, place(json!([[200, 200]]))).await, "Not your territory");
    assert_eq!(rejected(&ann, place(json!([[0, 62], [512, 0]]))).await, "Coordinates out of range");
    let many: Vec<[i32; 2]> = vec![[0, 62]; 1_001];
    assert_eq!(rejected(&ann, place(json!(many))).await, "Max 1000 cells per call");
    assert_eq!(fixture.call(&ann, place(json!([[0, 62], [1, 62], [0, 63], [1, 63]]))).await["answer"], 4);
    assert_eq!(rejected(&ann, place(json!([[2, 62], [0, 62]]))).await, "Cell already alive", "all or nothing");
    assert_eq!(fixture.call(&ann, json!({ "type": "get_balance" })).await["answer"], 896);
    let base = fixture.call(&ann, json!({ "type": "get_base_info", "slot": 1 })).await;
    assert_eq!(base["answer"], json!({ "x": 510, "y": 60, "coins": 104, "slot": 1, "alive": true }));
    assert_eq!(rejected(&ann, json!({ "type": "get_base_info", "slot": 9 })).await, "No base");
    assert_eq!(rejected(&ann, json!({ "type": "get_base_info", "slot": 0 })).await, "slots are 1 to 9");
    let ground = fixture.call(&ann, json!({ "type": "get_territory_info", "slot": 2 })).await["answer"].clone();
    assert_eq!((&ground["cells"], &ground["runs"][0]), (&json!(36), &json!([201, 201, 6])));
    let slots = fixture.call(&ann, json!({ "type": "get_slots_info" })).await["answer"].clone();
    assert_eq!(slots.as_array().map(Vec::len), Some(9));
    assert_eq!((&slots[0]["name"], &slots[0]["alive_cells"], &slots[2]), (&json!("Ann"), &json!(4), &Value::Null));
    let wipe = fixture.call(&ann, json!({ "type": "get_next_wipe" })).await["answer"].clone();
    assert!(wipe["next_quadrant"] == 0 && wipe["generations_until"].as_u64() <= Some(3_000), "{wipe}");
    let state = fixture.call(&ann, json!({ "type": "get_state" })).await["answer"].clone();
    assert_eq!(state["opened"]["event"], "opened");
    // A cell that is named twice is placed once, and paid for twice.
    assert_eq!(fixture.call(&ann, place(json!([[3, 65], [3, 65]]))).await["answer"], 2);
    assert_eq!(fixture.call(&ann, json!({ "type": "get_balance" })).await["answer"], 894);
    // Nobody who is not signed in changes anything.
    let nobody = fixture.ask(post_json(&format!("{MEADOW}/commands"), json!({ "type": "faucet" }))).await.json();
    assert_eq!((&nobody["code"], &nobody["message"]), (&json!("sign_in"), &json!("Must be authenticated")));
    let odd = fixture.call(&ann, json!({ "type": "wipe" })).await;
    assert_eq!(odd["code"], "bad_message", "{odd}");
    let odd = fixture.ask(post_json(&format!("{MEADOW}/commands"), json!({ "type": "dance" })).bearer(&ann)).await;
    assert_eq!((odd.status.as_u16(), odd.code().as_str()), (422, "bad_message"), "{}", odd.text);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_world_that_is_full_refuses_says_why() {
    let fixture = fixture().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let cleo = fixture.account("Cleo").await;
    let mut accounts = Vec::new();
    for code in [&ann, &bob, &cleo] {
        accounts.push(fixture.account_in_worlds(code).await);
    }
    // Ann and Bob hold slots, she with a full wallet and a cell of her wall, he without a coin; Cleo has coins, and all
    // slots are held.
    let others = (0..SLOTS as u64 - 2).map(|number| Account(1_000 + number));
    let wallets = BTreeMap::from([(accounts[0], COINS_MAX), (accounts[2], 500)]);
    let mut setup = held(accounts[..2].iter().copied().chain(others), wallets);
    setup.ground.set_owner(Cell { x: 60, y: 63 }, Slot::new(1));
    fixture.world_from("meadow", setup, 0, accounts[0]).await;
    let place = |x: u16, y: u16| json!({ "type": "place_cells", "cells": [[x, y]] });
    for (code, call, why) in [
        (&ann, json!({ "type": "faucet" }), "Wallet is full"),
        (&ann, place(60, 63), "Cannot place on walls"),
        (&bob, place(190, 63), "Insufficient coins"),
        (&cleo, json!({ "type": "join_game", "base_x": 188, "base_y": 316 }), "No free slot"),
    ] {
        let told = fixture.call(code, call).await;
        assert_eq!(
            (&told["type"], &told["code"], &told["message"]),
            (&"rejected".into(), &"refused".into(), &why.into())
        );
    }
    assert_eq!(fixture.call(&ann, place(61, 63)).await["answer"], 1, "beside the wall");

    // As many wallets as a world may have: nobody gets another one, and no bot that would need it.
    let full = (1..WORLD_WALLETS_MAX as u64).map(|number| (Account(1_000 + number), 1)).chain([(accounts[0], 1)]);
    fixture.world_from("moor", empty(full), 0, accounts[0]).await;
    for call in [json!({ "type": "faucet" }), json!({ "type": "seat_bot", "bot": "idle" })] {
        let told = fixture.call_in("moor", &bob, call).await;
        let why = "this world has no place for another wallet";
        assert_eq!((&told["code"], &told["message"]), (&"too_many_wallets".into(), &why.into()), "{told}");
    }
    assert_eq!(fixture.call_in("moor", &ann, json!({ "type": "faucet" })).await["answer"], 1_001, "she has one");

    // As many calls as a minute of the log has place for.
    fixture.world_from("marsh", empty(std::iter::empty()), WORLD_CALLS_A_SPAN_MAX, accounts[0]).await;
    for call in [json!({ "type": "faucet" }), json!({ "type": "seat_bot", "bot": "idle" })] {
        let told = fixture.call_in("marsh", &ann, call).await;
        let why = "too many calls in this world; try again in a minute";
        assert_eq!((&told["code"], &told["message"]), (&"too_many".into(), &why.into()), "{told}");
    }
    let faucet = post_json("/api/v1/worlds/marsh/commands", json!({ "type": "faucet" })).bearer(&ann);
    let refused = fixture.ask(faucet).await;
    assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (503, "60"), "{}", refused.text);
    let coins = fixture.call_in("marsh", &ann, json!({ "type": "get_balance" })).await;
    assert_eq!(coins["answer"], 1_000 * WORLD_CALLS_A_SPAN_MAX, "and it goes on");
    fixture.end().await;
}

/// Everything that can be said, and some of what is refused. A block stays, however many generations pass.
fn everything() -> Vec<Value> {
    let join = json!({ "type": "join_game", "base_x": 60, "base_y": 60 });
    let place = |cells: Value| json!({ "type": "place_cells", "cells": cells });
    let mut said = vec![
        json!({ "type": "get_balance" }),
        join.clone(),
        json!({ "type": "faucet", "client_seq": 7 }),
        join.clone(),
        join,
        place(json!([[62, 62], [63, 62], [62, 63], [63, 63]])),
        place(json!([[62, 62]])),
        place(json!(vec![[62, 65]; 1_001])),
        json!({ "type": "get_state", "client_seq": 8 }),
        json!({ "type": "seat_bot", "bot": "idle" }),
        json!({ "type": "seat_bot", "bot": null }),
        json!({ "type": "wipe" }),
    ];
    for word in ["get_slots_info", "get_next_wipe", "get_balance"] {
        said.push(json!({ "type": word }));
    }
    for slot in [1, 2, 10] {
        said.push(json!({ "type": "get_base_info", "slot": slot }));
        said.push(json!({ "type": "get_territory_info", "slot": slot }));
    }
    said
}

#[tokio::test(flavor = "multi_thread")]
async fn all_is_answered_and_told_alike_over_a_socket_and_over_requests() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    fixture.world("meadow").await;
    fixture.world("moor").await;
    // The same in two worlds: in the one over a socket, in the other over requests; each is followed over both.
    let mut socket = fixture.socket("meadow", Some(&ann)).await;
    let mut looker = fixture.socket("moor", None).await;
    let hello = block_in_place(|| [socket.next(), looker.next()]);
    let by_request = fixture.ask(get("/api/v1/worlds/moor/events").bearer(&ann)).await.json();
    assert_eq!(hello[0], by_request["messages"][0], "both say who one is");
    assert_eq!((&hello[0]["account"], &hello[1]["account"]), (&json!(1), &Value::Null));
    let mut next = Vec::new();
    for world in ["meadow", "moor"] {
        next.push(fixture.ask(get(&format!("/api/v1/worlds/{world}"))).await.json()["next"].clone());
    }
    for said in everything() {
        let over_socket = block_in_place(|| socket.call(said.clone()));
        let command = post_json("/api/v1/worlds/moor/commands", said.clone()).bearer(&ann);
        let over_request = fixture.ask(command).await;
        let [over_socket, over_request] = [over_socket, over_request.json()].map(still).map(|mut told| {
            // Of the world of that moment.
            told.pointer_mut("/answer/opened/digest").map(Value::take);
            told
        });
        assert_eq!(over_socket, over_request, "{said}");
    }
    for said in [json!({ "type": "faucet" }), json!({ "type": "get_balance" })] {
        let refused = block_in_place(|| looker.call(said));
        assert_eq!((&refused["code"], &refused["message"]), (&json!("sign_in"), &json!("Must be authenticated")));
    }
    // Accepted ones are in the log: a faucet, a base, four cells, a bot and nobody.
    const LINES: usize = 5;
    let heard = block_in_place(|| [socket.heard(LINES), looker.heard(LINES)]);
    for ((world, next), heard) in ["meadow", "moor"].iter().zip(next).zip(&heard) {
        let polled = fixture.ask(get(&format!("/api/v1/worlds/{world}/events?after={next}"))).await.json();
        assert_eq!(polled["messages"][0]["lines"], json!(heard), "{world}");
    }
    assert_eq!(still(json!(heard[0])), still(json!(heard[1])));
    let events: Vec<_> = heard[0].iter().map(|line| line["event"].as_str().expect("a word")).collect();
    assert_eq!(events, ["called", "called", "called", "seated", "seated"]);
    drop((socket, looker));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_may_have_a_thousand_cells_over_a_socket_and_over_requests() {
    let fixture = fixture().await;
    fixture.meadow().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let mut socket = fixture.socket("meadow", Some(&ann)).await;
    let faucet = || json!({ "type": "faucet" });
    let join = |x: i32| json!({ "type": "join_game", "base_x": x, "base_y": 500 });
    // As long as such a call can be; the cells are one, which is paid for each time.
    let place = |x: i32| json!({ "type": "place_cells", "cells": vec![[x + 5, 505]; 1_000] });
    let over_socket = block_in_place(|| [faucet(), faucet(), join(500), place(500)].map(|said| socket.call(said)));
    for (told, answer) in over_socket.iter().zip([1_000, 2_000, 1, 1_000]) {
        assert_eq!(told["answer"], answer, "{told}");
    }
    for (said, answer) in [(faucet(), 1_000), (faucet(), 2_000), (join(300), 2), (place(300), 1_000)] {
        let told = fixture.call(&bob, said).await;
        assert_eq!(told["answer"], answer, "{told}");
    }
    drop(socket);
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn who_floods_a_world_is_refused_and_others_are_not() {
    let fixture = fixture().await;
    fixture.meadow().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let faucet = || fixture.ask(post_json(&format!("{MEADOW}/commands"), json!({ "type": "faucet" })).bearer(&ann));
    let all_given = async |calls: usize| {
        for _ in 0..calls {
            let answer = faucet().await;
            assert_eq!(answer.status, 200, "{}", answer.text);
        }
        let refused = faucet().await;
        let said = refused.json();
        assert_eq!((refused.status.as_u16(), refused.header("retry-after")), (429, "1"), "{said}");
        assert_eq!((&said["type"], &said["code"]), (&json!("rejected"), &json!("too_many")), "{said}");
    };
    all_given(40).await;
    assert_eq!(fixture.call(&bob, json!({ "type": "faucet" })).await["answer"], 1_000);
    fixture.clock.advance(Duration::from_secs(1));
    all_given(2).await;
    assert_eq!(fixture.refusals("calls of worlds", "account").await, 2);
    fixture.end().await;
}

/// Messages of a flood, and those of them that are answered: as many as a socket may send at once.
const FLOOD: usize = 200;
const ANSWERED: usize = 40;

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_that_floods_a_world_is_closed_and_others_go_on() {
    let fixture = fixture().await;
    fixture.meadow().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let mut flooding = fixture.socket("meadow", Some(&ann)).await;
    let mut looker = fixture.socket("meadow", None).await;
    let (answers, refused, closed) = block_in_place(|| {
        // It may be closed before all is said.
        let question = || Message::text(json!({ "type": "get_next_wipe" }).to_string());
        let _ = (0..FLOOD).try_for_each(|_| flooding.wire.send(question()));
        let (mut answers, mut refused) = (0, false);
        let look = || match flooding.read()? {
            Message::Text(text) => {
                let said: Value = serde_json::from_str(&text).expect("JSON");
                answers += usize::from(said["type"] == "answer");
                refused |= said["code"] == "rate_limited";
                None
            }
            Message::Close(frame) => Some(frame.map(|frame| frame.code)),
            _ => None,
        };
        let closed = eventually_here("the socket to be closed", look);
        (answers, refused, closed)
    });
    assert_eq!((answers, refused, closed), (ANSWERED, true, Some(CloseCode::Policy)));
    assert_eq!(fixture.call(&bob, json!({ "type": "faucet" })).await["answer"], 1_000);
    let heard = block_in_place(|| looker.heard(1));
    assert_eq!((heard.len(), &heard[0]["call"]), (1, &json!("faucet")), "who looks on hears of it");
    let mut again = fixture.socket("meadow", Some(&ann)).await;
    let answer = block_in_place(|| again.call(json!({ "type": "get_balance" })));
    assert_eq!(answer["answer"], 0, "and a new socket is heard: {answer}");
    drop((looker, again));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_starts_a_world_and_a_site_has_so_many() {
    let fixture = fixture().await;
    let start = |name: &str| {
        let act = json!({ "act": "start_world", "name": name, "reason": "we want one" });
        post_json("/api/v1/operator/acts", act).bearer(OPERATOR)
    };
    for name in ["meadow", "meadow", "moor", "marsh", "mire"] {
        let started = fixture.ask(start(name)).await;
        assert_eq!((started.status.as_u16(), &started.json()["name"]), (200, &json!(name)), "{}", started.text);
    }
    let refused = fixture.ask(start("more")).await;
    assert_eq!((refused.status.as_u16(), refused.code().as_str()), (409, "too_many_worlds"), "{}", refused.text);
    assert_eq!(fixture.ask(start("a b")).await.code(), "bad_name");
    let going = fixture.ask(get("/api/v1/operator").bearer(OPERATOR)).await.json();
    assert_eq!(going["worlds"], json!(["marsh", "meadow", "mire", "moor"]));
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_frees_a_slot_and_both_logs_say_so() {
    let fixture = fixture().await;
    fixture.meadow().await;
    let ann = fixture.account("Ann").await;
    for call in [
        json!({ "type": "faucet" }),
        json!({ "type": "join_game", "base_x": 60, "base_y": 60 }),
        json!({ "type": "seat_bot", "bot": "idle" }),
    ] {
        assert_eq!(fixture.call(&ann, call).await["type"], "answer");
    }
    let free = |slot: &str| {
        let act = json!({ "act": "free_slot", "name": slot, "reason": "a rude picture" });
        post_json("/api/v1/operator/acts", act).bearer(OPERATOR)
    };
    for slot in ["meadow/2", "meadow/0", "moor/1", "meadow", "meadow/x"] {
        let refused = fixture.ask(free(slot)).await;
        assert_eq!((refused.status.as_u16(), refused.code().as_str()), (404, "no_such_slot"), "{slot}");
    }
    let freed = fixture.ask(free("meadow/1")).await;
    let said = freed.json();
    let account = fixture.owner(&ann).await;
    assert_eq!((freed.status.as_u16(), &said["name"], &said["account"]), (200, &json!("meadow/1"), &json!(account.0)));
    let world = fixture.service.worlds().world(&WorldName::parse("meadow").expect("a name")).expect("it goes on");
    assert_eq!((world.slot_of(account).await, world.seated().await), (None, Vec::new()), "or its bot would join again");
    assert_eq!(fixture.ask(free("meadow/1")).await.json(), said, "asked for again, as if its answer were lost");
    let other = json!({ "act": "free_slot", "name": "meadow/1", "reason": "a rude name" });
    let refused = fixture.ask(post_json("/api/v1/operator/acts", other).bearer(OPERATOR)).await;
    assert_eq!(refused.code(), "no_such_slot", "nobody holds it");
    let audit = fixture.ask(get("/api/v1/operator/audit").bearer(OPERATOR)).await.text;
    assert_eq!(audit.lines().count(), 1, "{audit}");
    assert!(audit.contains("free_slot") && audit.contains("a rude picture"), "{audit}");
    // Watchers get the line, and later visitors the reason.
    let span = fixture.store.world_span(world.name(), 0).await.expect("read").expect("it is there");
    let last: Value = serde_json::from_str(span.lines.last().expect("a line")).expect("JSON");
    assert_eq!((&last["event"], &last["account"]), (&json!("freed"), &json!(format!("{:016x}", account.0))), "{last}");
    let state = fixture.ask(get("/api/v1/worlds/meadow")).await.json();
    assert_eq!(state["opened"]["fallen"][0]["by"], "operator", "{state}");
    // It may join again: an act is no ban.
    let joined = fixture.call(&ann, json!({ "type": "join_game", "base_x": 60, "base_y": 60 })).await;
    assert_eq!(joined["answer"], 1, "{joined}");
    fixture.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bot_plays_for_an_account_and_in_places_of_the_sites() {
    let fixture = fixture().await;
    fixture.meadow().await;
    let (ann, bob) = (fixture.account("Ann").await, fixture.account("Bob").await);
    let seat = |bot: Value| json!({ "type": "seat_bot", "bot": bot });
    assert_eq!(fixture.call(&ann, seat(json!("expander"))).await["answer"], "expander");
    let nobody = fixture.call(&bob, seat(json!("no-such-bot"))).await;
    assert_eq!((&nobody["type"], &nobody["code"]), (&json!("rejected"), &json!("no_such_bot")), "{nobody}");
    let pending = fixture.owner(&bob).await;
    fixture.pending(pending, "newcomer", "life2@2").await;
    assert_eq!(fixture.call(&bob, seat(json!("newcomer"))).await["code"], "no_such_bot", "it is not accepted");
    let stranger = fixture.ask(post_json(&format!("{MEADOW}/commands"), seat(json!("idle")))).await.json();
    assert_eq!(stranger["code"], "sign_in");
    let act = |place: &str, bot: &str| {
        let act = json!({ "act": "seat_bot", "name": place, "new_name": bot, "reason": "we want some" });
        post_json("/api/v1/operator/acts", act).bearer(OPERATOR)
    };
    for place in 1..=8 {
        let seated = fixture.ask(act(&format!("meadow/{place}"), "idle")).await;
        assert_eq!((seated.status.as_u16(), &seated.json()["name"]), (200, &json!("meadow")), "{}", seated.text);
    }
    let ninth = fixture.ask(act("meadow/9", "idle")).await;
    assert_eq!((ninth.status.as_u16(), ninth.code().as_str()), (409, "too_many_seated"), "{}", ninth.text);
    assert_eq!(fixture.ask(act("meadow/1", "")).await.status, 200, "the place is free again");
    for (place, bot, code) in [
        ("meadow/10", "idle", "no_such_place"),
        ("moor/1", "idle", "no_such_place"),
        ("meadow/2", "nobody", "no_such_bot"),
    ] {
        assert_eq!(fixture.ask(act(place, bot)).await.code(), code, "{place} {bot}");
    }
    let page = fixture.ask(get("/worlds/meadow").bearer(&ann)).await.text;
    assert!(page.contains("<option value=\"expander\" selected>") && page.contains("value=\"besieger\""), "{page}");
    let export = fixture.ask(get("/api/v1/account/export").bearer(&ann)).await.json();
    assert_eq!(
        export["worlds"],
        json!([{ "world": "meadow", "coins": 0, "slot": null, "bot": "baseline:expander@1" }]),
        "it has not begun yet"
    );
    let account = fixture.owner(&ann).await;
    let deletion = post_json("/api/v1/account/deletion", json!({ "name": "Ann" })).bearer(&ann);
    assert_eq!(fixture.ask(deletion).await.status, 204);
    let world = fixture.service.worlds().world(&WorldName::parse("meadow").expect("a name")).expect("it goes on");
    assert!(world.seated().await.iter().all(|(id, _)| *id != account), "nobody plays for who is gone");
    fixture.end().await;
}
