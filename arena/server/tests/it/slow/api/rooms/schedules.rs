//! Two people's clients and the server, over networks at random: what is said goes over a socket or by a request,
//! twice, late, never, behind what was said later or beside it; sockets and requests break at any moment and are taken
//! up again. Whatever happens, each command is in the room's log at most once, what was acknowledged is there, and both
//! hear what the log has. `cargo xtask schedules` tries more.

mod client;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use arena_record::Play;
use arena_rooms::{Door, Logged, Newcomer, Room, RoomId};
use arena_rules::{BySeat, Rng, Seat};
use arena_service::{LiveRoom, NewTable, Service, person_of_account};
use arena_store::{DisplayName, PAGE_MAX, Page};
use arena_wire::{Call, GAMES, Game, Point, Protocol, RoomWish, Visitor};
use serde_json::{Value, json};
use tokio::task::block_in_place;

use crate::fixture::fixture;
use client::{Client, Line};

/// Steps of a schedule, and of one that goes on in another room.
const STEPS: u32 = 120;
const STEPS_AFTER: u32 = 40;

/// The time between two steps: shares of what may be said grow meanwhile.
const STEP: Duration = Duration::from_millis(200);

/// Tries until somebody has resigned, or both have been heard to want another game: most of what is sent arrives.
const TRIES_MAX: u32 = 1_000;

/// What may be under way at once.
const UNDER_WAY_MAX: usize = 40;

/// Why a command may be refused that made sense when it was said.
const REFUSALS: [&str; 7] =
    ["stale_ply", "stale_sequence", "not_your_turn", "game_over", "not_over", "chat_too_fast", "too_many"];

/// What a setting of the environment says: how many schedules are tried, or which.
fn setting(name: &str, otherwise: u32) -> u32 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Any legal answer of a seat after these turns, in hex.
struct AnyAction<'a> {
    turns: &'a [Value],
    seat: Seat,
    rng: &'a mut Rng,
}

impl Visitor for AnyAction<'_> {
    type Out = String;

    fn visit<P: Protocol>(self, mut position: P) -> String {
        let AnyAction { turns, seat, rng } = self;
        for turn in turns {
            let mut answers: BySeat<Option<P::Checked>> = BySeat::new(position.seats(), |_| None);
            for Play { seat, action, .. } in serde_json::from_value::<Vec<Play>>(turn.clone()).expect("plays") {
                let action = P::decode_action(&action.0).expect("an action");
                answers[Seat(seat)] = position.check(Seat(seat), &action).ok();
            }
            position.advance(answers);
        }
        let mut tools = P::TOOLS.to_vec();
        rng.shuffle(&mut tools);
        for tool in tools {
            let mut call = Call { tool, cells: Vec::new() };
            loop {
                let action = P::compose(std::slice::from_ref(&call));
                if let Some(action) = action.filter(|action| position.check(seat, action).is_ok()) {
                    let bytes = P::encode_action(&action);
                    return bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                }
                let next = position.choices(seat, std::slice::from_ref(&call));
                // Cells that are close together live, and games last.
                let near = |cell: &&Point| {
                    let close = |one: u16, other: u16| one.abs_diff(other) <= 1;
                    call.cells.last().is_none_or(|last| close(cell.row, last.row) && close(cell.col, last.col))
                };
                let close: Vec<&Point> = next.iter().filter(near).collect();
                let from = if close.is_empty() { next.iter().collect() } else { close };
                if from.is_empty() {
                    break;
                }
                let cell = *from[rng.below(from.len() as u32) as usize];
                call.cells.push(cell);
            }
        }
        panic!("{} asks {seat}, which can do nothing", P::ID);
    }
}

/// Something that is said, by whom, and the room whose address it is sent to.
#[derive(Clone, PartialEq, Debug)]
struct Packet {
    from: usize,
    to: RoomId,
    said: Value,
}

impl Packet {
    /// Whether it is said once, and by nobody again: a message of a chat has no number.
    fn is_once(&self) -> bool {
        self.said["type"] == "chat"
    }
}

/// What came of something that was said.
struct Came {
    of: Packet,
    applied: u32,
    refused: u32,
}

/// A schedule.
struct Schedule {
    service: Service,
    rng: Rng,
    clients: [Client; 2],
    /// What is under way.
    network: Vec<Packet>,
    /// All that was said, and what came of it.
    came: Vec<Came>,
    /// The rooms that they play in, and where each of them sits.
    rooms: Vec<(Arc<LiveRoom>, [u8; 2])>,
    /// Whether they play once more.
    again: bool,
    words: u32,
    counts: BTreeMap<&'static str, u32>,
}

impl Schedule {
    /// Two people at the board of a game, each from a network of their own.
    async fn begin(service: Service, to: SocketAddr, number: u32, seed: u32) -> Schedule {
        let mut key = [0; 32];
        key[..4].copy_from_slice(&number.to_le_bytes());
        key[4..8].copy_from_slice(&seed.to_le_bytes());
        let games: Vec<&'static Game> = GAMES.iter().filter(|game| game.suits_rooms()).collect();
        let game = games[number as usize % games.len()];
        let mut people = Vec::new();
        for index in [0, 1] {
            let name = DisplayName::parse(&format!("Player {number} {index}")).expect("a name");
            let (account, code) = service.store().create_account(&name, service.now()).await.expect("a place");
            let [.., high, low] = (2 * number + index).to_be_bytes();
            let line = Line { to, from: Ipv4Addr::new(127, 100 + high, low, 1), code: code.expose() };
            people.push((line, person_of_account(account.id)));
        }
        let newcomer = |at: usize| {
            let (_, person) = people[at];
            Newcomer { person, program: true, browser: None }
        };
        let table = NewTable {
            host: newcomer(0),
            game,
            wish: RoomWish::default(),
            seat: Some(Seat(0)),
            clock: None,
            door: Door::Private,
            invited: None,
            rated: false,
            chat: true,
        };
        let id = service.open_table(table, service.now()).await.expect("opened");
        let room = service.rooms().room(&id).await.expect("readable").expect("the room");
        service.rooms().join(&room, newcomer(1), None, service.now()).await.expect("a seat is open");
        let clients: Vec<Client> =
            (0..).zip(people).map(|(seat, (line, who))| Client::new(line, who, id, seat)).collect();
        let clients: [Client; 2] = clients.try_into().unwrap_or_else(|_| unreachable!("there are two"));
        Schedule {
            service,
            rng: Rng::new(&key, 0),
            clients,
            network: Vec::new(),
            came: Vec::new(),
            rooms: vec![(room, [0, 1])],
            again: (number / 3).is_multiple_of(3),
            words: 0,
            counts: BTreeMap::new(),
        }
    }

    /// All of it; how often what happened.
    async fn play(mut self) -> BTreeMap<&'static str, u32> {
        self.go_on(STEPS).await;
        self.end().await;
        if self.again {
            self.play_once_more().await;
            self.go_on(STEPS_AFTER).await;
            self.end().await;
        }
        for (room, seats) in &self.rooms {
            let (log, _) = stored(&self.service, room).await;
            self.check(room, *seats, &log);
        }
        self.counts
    }

    fn room(&self) -> Arc<LiveRoom> {
        self.rooms[self.rooms.len() - 1].0.clone()
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    async fn go_on(&mut self, steps: u32) {
        for _ in 0..steps {
            self.service.clock().advance(STEP);
            let at = self.rng.below(2) as usize;
            match self.rng.below(8) {
                0 | 1 => self.act(at),
                2..=4 => self.deliver().await,
                5 | 6 => self.listen(at).await,
                _ => self.weather(at).await,
            }
        }
    }

    /// Says something: it is under way then.
    fn say(&mut self, from: usize, said: Value) {
        let packet = Packet { from, to: self.clients[from].room, said };
        if !self.came.iter().any(|came| came.of == packet) {
            self.came.push(Came { of: packet.clone(), applied: 0, refused: 0 });
        }
        self.network.push(packet);
    }

    /// Somebody does something, as far as they know the game.
    fn act(&mut self, at: usize) {
        let Client { room, state, turns, seat, open, number, .. } = &self.clients[at];
        if state.is_null() || !state["outcome"].is_null() || self.network.len() >= UNDER_WAY_MAX {
            return;
        }
        let (ply, number) = (turns.len(), number + 1);
        match self.rng.below(24) {
            0 => return self.say(at, json!({ "type": "draw", "ply": ply })),
            1 if self.rng.below(3) == 0 => return self.say(at, json!({ "type": "resign", "ply": ply })),
            2 | 3 => {
                self.words += 1;
                return self.say(at, json!({ "type": "chat", "text": format!("word {}", self.words) }));
            }
            _ => {}
        }
        if let Some(open) = open.clone() {
            return self.say(at, open);
        }
        let asked = state["awaiting"].as_array().is_some_and(|asked| asked.contains(&json!(seat)));
        if !asked || state["ply"] != json!(ply) {
            return;
        }
        let (ruleset, options) = (state["ruleset"].as_str().expect("a name"), state["options"].as_str().expect("text"));
        let rng = &mut self.rng;
        let mut turn = || {
            let any = AnyAction { turns, seat: Seat(*seat), rng: &mut *rng };
            let action = arena_wire::start(ruleset, options, &[0; 32], any).expect("a game");
            let mut said = json!({ "type": "turn", "ply": ply, "client_seq": number, "action": action });
            // The room that it is meant for may be said, too.
            if number % 2 == 0 {
                said["room"] = json!(room);
            }
            said
        };
        let (said, other) = (turn(), turn());
        self.clients[at].number = number;
        self.clients[at].open = Some(said.clone());
        if said != other && self.rng.below(5) == 0 {
            // Another one with the same number: at most one of them is applied.
            self.say(at, other);
        }
        self.say(at, said);
    }

    /// Some of what is under way arrives, in any order and some of it at once; or again later, or never.
    async fn deliver(&mut self) {
        let mut requests = Vec::new();
        for _ in 0..=self.rng.below(3) {
            let Some(last) = (self.network.len() as u32).checked_sub(1) else { break };
            let packet = self.network.swap_remove(self.rng.below(last + 1) as usize);
            if !packet.is_once() && self.rng.below(4) == 0 {
                self.network.push(packet.clone());
            }
            if self.rng.below(8) == 0 {
                self.count("lost");
                continue;
            }
            let breaks = self.rng.below(8) == 0;
            let (here, over_socket) = (self.clients[packet.from].room == packet.to, self.rng.below(2) == 0);
            if here && over_socket && self.clients[packet.from].has_socket() {
                let answer = block_in_place(|| self.clients[packet.from].say(&packet.said, breaks));
                self.take("over a socket", &packet, answer);
                continue;
            }
            // What was meant for another room may come to this one.
            let is_lost = !here && packet.said["room"].is_string() && self.rng.below(2) == 0;
            let to = if is_lost { self.clients[packet.from].room } else { packet.to };
            let line = self.clients[packet.from].line.clone();
            let request = line.ask("POST", format!("/api/v1/rooms/{to}/commands"), packet.said.to_string(), breaks);
            requests.push((packet, is_lost, tokio::spawn(request)));
        }
        for (packet, is_lost, request) in requests {
            let answer = request.await.expect("asked");
            let answer = answer.filter(|(status, answer)| *status == 200 || answer["type"] == "rejected");
            let answer = answer.map(|(_, answer)| answer);
            if is_lost {
                assert!(answer.is_none_or(|answer| answer["code"] == "another_game"), "{packet:?}");
                self.count("in another room");
            } else {
                self.take("by a request", &packet, answer);
            }
        }
    }

    /// Takes in what came of something that was said.
    fn take(&mut self, way: &'static str, packet: &Packet, answer: Option<Value>) {
        let Some(answer) = answer else { return self.count("broken") };
        let said = &packet.said;
        let wanted = (&said["type"], &json!(said["ply"].as_u64().unwrap_or(0)), &said["client_seq"]);
        assert_eq!((&answer["what"], &answer["ply"], &answer["client_seq"]), wanted, "{answer}");
        let came = self.came.iter_mut().find(|came| came.of == *packet).expect("it was said");
        match (answer["type"].as_str(), answer["code"].as_str()) {
            (Some("applied"), None) => {
                came.applied += 1;
                let again = came.applied > 1;
                self.count(if again { "applied before" } else { way });
            }
            (Some("rejected"), Some(code)) => {
                assert!(REFUSALS.contains(&code), "{packet:?}: {answer}");
                // Who has said too much may say it again later.
                if code == "too_many" {
                    return;
                }
                came.refused += 1;
                self.count("refused");
            }
            _ => panic!("{packet:?}: {answer}"),
        }
        let open = &mut self.clients[packet.from].open;
        if open.as_ref() == Some(said) {
            *open = None;
        }
    }

    /// Somebody hears what there is to hear.
    async fn listen(&mut self, at: usize) {
        let (newest, over_socket) = (self.room().snapshot().version, self.rng.below(2) == 0);
        let client = &mut self.clients[at];
        if over_socket && client.has_socket() {
            block_in_place(|| client.listen());
        } else {
            client.poll(newest).await;
        }
    }

    /// Somebody's ways break, or open.
    async fn weather(&mut self, at: usize) {
        let client = &mut self.clients[at];
        match self.rng.below(4) {
            0 => client.hang_up(),
            1 | 2 => client.dial().await,
            _ => client.give_up(),
        }
    }

    /// Ends the game, if it goes on, and lets both hear all of it: from where they were, by requests alone.
    async fn end(&mut self) {
        let room = self.room();
        for _ in 0..TRIES_MAX {
            if room.snapshot().over() {
                break;
            }
            self.service.clock().advance(STEP);
            let said = json!({ "type": "resign", "ply": room.snapshot().view.ply });
            self.say(0, said);
            let packet = self.network.pop().expect("it is under way");
            let path = format!("/api/v1/rooms/{}/commands", room.id());
            let answer = self.clients[0].line.clone().ask("POST", path, packet.said.to_string(), false).await;
            self.take("by a request", &packet, answer.filter(|(status, _)| *status == 200).map(|(_, answer)| answer));
        }
        assert!(room.snapshot().over(), "resigned {TRIES_MAX} times");
        let (log, again) = stored(&self.service, &room).await;
        let turns: Vec<Value> = again.turns().iter().map(|turn| json!(turn.plays)).collect();
        let outcome = json!(again.finished().expect("over").outcome);
        for client in &mut self.clients {
            client.hang_up();
            let shown = client.catch_up(&room).await;
            assert_eq!(client.turns, turns);
            assert_eq!((&client.state["outcome"], &client.state["events"]), (&outcome, &json!(log.len())));
            let chat: Vec<(u64, String)> = shown.chat.iter().map(|line| (line.number, line.text.clone())).collect();
            assert_eq!(client.chat, chat);
        }
    }

    /// Both want to play once more, and do, each in the other seat. What was said before is still under way.
    async fn play_once_more(&mut self) {
        let room = self.room();
        for _ in 0..TRIES_MAX {
            if room.snapshot().next.is_some() {
                break;
            }
            for from in [0, 1] {
                self.say(from, json!({ "type": "rematch" }));
            }
            self.service.clock().advance(STEP);
            for _ in 0..4 {
                self.deliver().await;
            }
        }
        let next = room.snapshot().next.expect("both have said often enough that they want another game");
        let open = self.service.store().open_rooms(Page::first(PAGE_MAX)).await.expect("readable");
        assert_eq!(open, [next], "however often they want it, there is one room");
        let room = self.service.rooms().room(&next).await.expect("readable").expect("the room");
        for client in &mut self.clients {
            client.catch_up(&self.rooms[0].0).await;
            assert_eq!(client.state["people"]["next"], json!(next), "both hear where");
            let seat = 1 - client.seat;
            assert_eq!(room.seats_of(client.person), [seat]);
            *client = Client::new(client.line.clone(), client.person, next, seat);
        }
        let seats = self.clients.each_ref().map(|client| client.seat);
        self.rooms.push((room, seats));
        self.count("once more");
    }

    /// Looks whether the log of a room has what was said in it, each once, and nothing else.
    fn check(&self, room: &LiveRoom, seats: [u8; 2], log: &[Value]) {
        let chat = room.snapshot().chat;
        let here: Vec<&Came> = self.came.iter().filter(|came| came.of.to == *room.id()).collect();
        let is_of = |event: &Value, packet: &Packet, word: &str, keys: &[&str]| {
            let of_seat = event["event"] == word && event["seat"] == seats[packet.from];
            of_seat && keys.iter().all(|key| event[*key] == packet.said[*key])
        };
        for Came { of, applied, refused } in &here {
            let times = |word: &str, keys: &[&str]| log.iter().filter(|event| is_of(event, of, word, keys)).count();
            let (count, is_final) = match of.said["type"].as_str().expect("a word") {
                "turn" => (times("played", &["ply", "client_seq", "action"]), true),
                "resign" => (times("resigned", &["ply"]), true),
                "chat" => (chat.iter().filter(|line| of.said["text"] == line.text).count(), true),
                "draw" => {
                    let (offered, agreed) = (times("draw_offered", &["ply"]), times("drawn", &["ply"]));
                    assert!(offered <= 1 && agreed <= 1, "{of:?}");
                    // An offer stands while its maker plays on, and who has offered a draw agrees with the same words.
                    let before = |event: &&Value| {
                        is_of(event, of, "draw_offered", &[]) && event["ply"].as_u64() <= of.said["ply"].as_u64()
                    };
                    (usize::from(agreed > 0 || log.iter().any(|event| before(&event))), false)
                }
                // It is in no log.
                _ => continue,
            };
            assert!(count <= 1 && (*applied == 0 || count == 1), "{of:?}: {count} times, {applied} acknowledged");
            assert!(!is_final || *refused == 0 || count == 0, "{of:?}: applied, and refused {refused} times");
        }
        let mut numbers = BTreeSet::new();
        for event in &log[1..] {
            let name = event["event"].as_str().expect("a word");
            let (word, keys): (&str, &[&str]) = match name {
                "joined" => continue,
                "played" => ("turn", &["ply", "client_seq", "action"]),
                "resigned" => ("resign", &["ply"]),
                "draw_offered" | "drawn" => ("draw", &["ply"]),
                other => panic!("{other}: nobody can have done that"),
            };
            let is_said = |came: &&Came| came.of.said["type"] == word && is_of(event, &came.of, name, keys);
            assert!(here.iter().any(is_said), "nobody said {event}");
            let number = ["seat", "ply", "client_seq"].map(|key| event[key].as_u64());
            assert!(word != "turn" || numbers.insert(number), "{event}: its number twice");
        }
    }
}

/// The log of a room, as it is stored, and the room that it makes.
async fn stored(service: &Service, room: &LiveRoom) -> (Vec<Value>, Room) {
    let stored = service.store().room(room.id()).await.expect("readable").expect("the room");
    let log = stored.events.iter().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let lines: Vec<Logged> = stored.events.iter().map(|line| Logged::parse(line).expect("an event")).collect();
    (log, Room::from_log(lines).expect("a log"))
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_two_networks_do_each_command_is_applied_once_and_both_hear_what_the_log_has() {
    let fixture = fixture().await;
    let (schedules, seed) = (setting("ARENA_SERVER_SCHEDULES", 20), setting("ARENA_SCHEDULE_SEED", 1));
    let mut counts: BTreeMap<&'static str, u32> = BTreeMap::new();
    for number in 0..schedules {
        let schedule = Schedule::begin(fixture.service.clone(), fixture.address, number, seed).await;
        let played = tokio::spawn(schedule.play()).await;
        let played = played.unwrap_or_else(|error| panic!("schedule {number} of seed {seed}: {error}"));
        for (what, count) in played {
            *counts.entry(what).or_default() += count;
        }
    }
    writeln!(io::stdout(), "{schedules} schedules at a server: {counts:?}").expect("written");
    for what in ["over a socket", "by a request", "applied before", "refused", "broken", "lost", "once more"] {
        assert!(schedules < 20 || counts.get(what).is_some_and(|count| *count > 0), "{what} happens: {counts:?}");
    }
    fixture.end().await;
}
