//! People who come to a room with its code at any moment, drawn by lot: while it waits, when its game has begun, after
//! its end, and after so long a silence that it was closed. `cargo xtask repeats` draws more of them.

use std::time::Duration;

use arena_rules::Rng;
use serde_json::json;

use crate::client::{get, post_json};
use crate::eventually::eventually;
use crate::fixture::{Fixture, fixture};

/// Rooms that the gate draws, and what happens in each.
const ROOMS: u64 = 6;
const DEEDS: u32 = 8;
/// How long a room waits for its people at most, and until that is noticed.
const SILENCE: Duration = Duration::from_secs(2 * 60 * 60 + 60);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    Waits,
    Plays,
    /// Its game is over.
    Over,
    /// It was closed before anybody came, or with its game unfinished.
    Closed {
        had_begun: bool,
    },
}

/// A room, by its host, and the person who is invited or comes first.
struct Room {
    id: String,
    code: String,
    is_invited: bool,
    stage: Stage,
}

impl Room {
    /// What a person is answered who comes: `ann` is its host, and `bob` may be invited.
    fn answers(&self, who: &str) -> &'static [&'static str] {
        let has_begun = matches!(self.stage, Stage::Plays | Stage::Over | Stage::Closed { had_begun: true });
        match (who, self.stage) {
            // A closed room is soon forgotten.
            ("ann", Stage::Closed { .. }) => &["already_seated", "no_such_room_code"],
            ("ann", _) => &["already_seated"],
            ("bob", Stage::Closed { had_begun: true }) => &["already_seated", "no_such_room_code"],
            ("bob", _) if has_begun => &["already_seated"],
            ("bob", Stage::Closed { .. }) => &["game_over", "no_such_room_code"],
            ("bob", _) => &[""],
            (_, Stage::Closed { had_begun: true }) => &["room_taken", "no_such_room_code"],
            (_, _) if has_begun => &["room_taken"],
            (_, Stage::Closed { .. }) if self.is_invited => &["not_invited", "no_such_room_code"],
            (_, Stage::Closed { .. }) => &["game_over", "no_such_room_code"],
            (_, _) => &["not_invited"],
        }
    }
}

async fn open(fixture: &Fixture, ann: &str, rng: &mut Rng) -> Room {
    let is_invited = rng.below(3) > 0;
    let wanted = if is_invited { json!({ "invite": "Bob", "seat": 0 }) } else { json!({ "public": false, "seat": 0 }) };
    let opened = fixture.ask(post_json("/api/v1/lobby", wanted).bearer(ann)).await;
    assert_eq!(opened.status, 201, "{}", opened.text);
    let of = |key: &str| opened.json()[key].as_str().expect("text").to_owned();
    Room { id: of("room"), code: of("code"), is_invited, stage: Stage::Waits }
}

#[tokio::test(flavor = "multi_thread")]
async fn whenever_somebody_comes_a_room_takes_them_or_says_why_not() {
    let setting = |name: &str, otherwise: u64| {
        std::env::var(name).map_or(otherwise, |value| value.parse::<u64>().expect("a number"))
    };
    let (rooms, seed) = (setting("ARENA_REPEATS", ROOMS), setting("ARENA_REPEAT_SEED", 1));
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let fixture = fixture().await;
    let (ann, bob, eve) = (fixture.account("Ann").await, fixture.account("Bob").await, fixture.account("Eve").await);
    for number in 0..rooms {
        let mut rng = Rng::new(&key, number);
        let mut room = open(&fixture, &ann, &mut rng).await;
        for deed in 0..DEEDS {
            let what = format!("room {number} of seed {seed}, deed {deed}, {:?}", room.stage);
            let listed = async |who: &str| {
                let lobby = fixture.ask(get("/api/v1/lobby").bearer(who)).await.json();
                lobby["invitations"].as_array().expect("a list").iter().any(|row| row["room"] == room.id.as_str())
            };
            let waits = room.stage == Stage::Waits;
            assert_eq!((listed(&bob).await, listed(&eve).await), (waits && room.is_invited, false), "{what}");
            match rng.below(6) {
                0 if matches!(room.stage, Stage::Waits | Stage::Plays) => {
                    fixture.clock.advance(SILENCE);
                    let path = format!("/api/v1/rooms/{}", room.id);
                    eventually("the room is closed", async || {
                        let state = fixture.ask(get(&path)).await.json();
                        state["people"]["finished"] == true || state["code"].is_string()
                    })
                    .await;
                    room.stage = Stage::Closed { had_begun: room.stage == Stage::Plays };
                }
                1 if room.stage == Stage::Plays => {
                    let resigns = post_json(&format!("/api/v1/rooms/{}/resignation", room.id), json!({ "ply": 0 }));
                    assert_eq!(fixture.ask(resigns.bearer(&ann)).await.status, 200, "{what}");
                    room.stage = Stage::Over;
                }
                who => {
                    let (name, code) = [("ann", &ann), ("bob", &bob), ("eve", &eve)][who as usize % 3];
                    // Without an invitation the first to come plays: here that is Bob.
                    if name == "eve" && room.stage == Stage::Waits && !room.is_invited {
                        continue;
                    }
                    let join = post_json("/api/v1/lobby/joins", json!({ "code": room.code })).bearer(code);
                    let answer = fixture.ask(join).await;
                    let said = if answer.status == 201 { String::new() } else { answer.code() };
                    assert!(room.answers(name).contains(&said.as_str()), "{what}: {name} is answered {said:?}");
                    if said.is_empty() {
                        room.stage = Stage::Plays;
                    }
                }
            }
            fixture.clock.advance(Duration::from_secs(5));
        }
        // A room that still waits is closed, so that its host may open the next.
        fixture.clock.advance(SILENCE);
        let waits = async || fixture.service.rooms().is_waiting(&room.id.parse().expect("an id"));
        eventually("nobody waits", async || !waits().await).await;
    }
    fixture.end().await;
}
