//! A server that is killed at random points of games between people: acknowledged events are there exactly once, no
//! clock ran while the server was down, none got back time that had passed before, and all of them run on. People join
//! between the kills, leave and return, play by requests or by sockets, in turns or simultaneously, offer draws and
//! agree, resign and run out of time; bots sit down and play on. `cargo xtask kill-games` kills it a hundred times.
#![cfg(target_os = "linux")]

use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use arena_rules::Rng;
use serde_json::{Value, json};
use tokio::sync::{Mutex, watch};

use crate::eventually::{eventually, eventually_spawned, within};
use crate::line::Line;
use crate::process::finished;
use crate::site::clock::Clock;
use crate::site::{Ask, Site, Visited, block, get, post_json};

/// The number of simultaneous games.
const GAMES: u8 = 20;
/// The default number of kills.
const KILLS: u64 = 5;
/// Turns of a game.
const PLIES: u64 = 24;
/// The clock of each person, in milliseconds: long enough for everybody.
const CLOCK_MS: u64 = 480_000;
/// How long the server seems to have been down, in seconds: longer than that, and shorter than a room waits for others.
const DOWN_SECONDS: i64 = 500;
/// The time for a turn in games that end on time, in milliseconds: for each turn longer than a busy machine takes to
/// check all games.
const TURN_MS: u64 = 20_000;
/// A pass, in a game of three.
const PASS: &str = "010000";

/// The seat of the bot in games of three.
const BOT: u64 = 2;

/// A step of a game. Each is an event of its log.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Step {
    Join,
    /// The person who joined leaves before the game.
    Leave,
    /// A bot sits down.
    Fill,
    Turn(u64),
    /// The answer of this seat in this turn, with simultaneous turns.
    Answer(u8, u64),
    /// A draw offer of this seat in this turn.
    Draw(u8, u64),
    /// A resignation of this seat in this turn, its own or not.
    Resign(u8, u64),
    /// The seat to move runs out of time.
    Flag,
}

use Step::{Answer, Draw, Fill, Flag, Join, Leave, Resign, Turn};

/// The steps of a game; the kinds of games alternate, and each is played by requests and by sockets.
fn course(number: u8) -> Vec<Step> {
    let turns = |from: u64, to: u64| (from..to).map(Turn);
    match number % 7 {
        1 => [Join]
            .into_iter()
            .chain(turns(0, 5))
            .chain([Draw(0, 5)])
            .chain(turns(5, 12))
            .chain([Draw(1, 12), Draw(0, 12)])
            .collect(),
        2 => [Join].into_iter().chain(turns(0, 8)).chain([Resign(1, 8)]).collect(),
        3 => [Join].into_iter().chain(turns(0, 3)).chain([Flag]).collect(),
        4 => vec![Fill, Resign(0, 0)],
        5 | 6 => {
            // Two people and their bot play with simultaneous turns: one resigns in the middle of a turn, and the other
            // plays on.
            let both = (0..4).flat_map(|ply| [Answer((ply % 2) as u8, ply), Answer((1 - ply % 2) as u8, ply)]);
            let alone = (4..7).map(|ply| Answer(1, ply));
            let begin = [Join, Leave, Join, Fill].into_iter();
            begin.chain(both).chain([Resign(0, 4)]).chain(alone).chain([Resign(1, 7)]).collect()
        }
        _ => [Join].into_iter().chain(turns(0, PLIES)).collect(),
    }
}

/// Whether a game has three players with simultaneous turns: two people and a bot.
fn is_of_three(number: u8) -> bool {
    number % 7 >= 5
}

/// A game between two people, each from their own network, or between them and a bot.
struct Game {
    number: u8,
    steps: Vec<Step>,
    /// The room's address in the API, and the code by which others join.
    room: String,
    code: String,
    codes: [String; 2],
    /// The sockets of the people who use them.
    lines: [Mutex<Line>; 2],
    /// The number of acknowledged steps, from the first.
    acknowledged: AtomicUsize,
    /// What the server said of the time for which clocks had run before the last acknowledged event, in milliseconds:
    /// it is in the log.
    ran_ms: AtomicU64,
}

/// The value of an environment variable.
fn setting(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

impl Game {
    /// The network of a seat's person.
    fn network(number: u8, seat: usize) -> Ipv4Addr {
        Ipv4Addr::new(127, 81, 2 * number + seat as u8, 1)
    }

    /// Two people with accounts; one waits for the other.
    async fn begin(site: &Site, number: u8) -> Game {
        let mut codes = Vec::new();
        for seat in [0, 1] {
            let claim = json!({ "name": format!("Player {number} {seat}") });
            let claimed = site.ask(Game::network(number, seat), post_json("/api/v1/accounts", &claim)).await;
            codes.push(claimed.json()["code"].as_str().unwrap().to_owned());
        }
        let codes: [String; 2] = codes.try_into().unwrap();
        let steps = course(number);
        let clock = if steps.contains(&Flag) {
            format!("turn-{}", TURN_MS / 1_000)
        } else {
            format!("game-{}-0", CLOCK_MS / 1_000)
        };
        let mut wanted = json!({ "seat": 0, "clock": clock });
        if is_of_three(number) {
            let three = json!({ "game": "game-of-game-of-life", "seats": 3, "turns": 50 });
            wanted.as_object_mut().unwrap().extend(three.as_object().unwrap().clone());
        }
        let open = post_json("/api/v1/lobby", &wanted).bearer(&codes[0]);
        let opened = site.ask(Game::network(number, 0), open).await.json();
        let room = format!("/api/v1/rooms/{}", opened["room"].as_str().unwrap());
        let code = opened["code"].as_str().unwrap().to_owned();
        let lines = [0, 1].map(|seat| Mutex::new(Line::new(Game::network(number, seat), &room, &codes[seat])));
        let (acknowledged, ran_ms) = (AtomicUsize::new(0), AtomicU64::new(0));
        Game { number, steps, room, code, codes, lines, acknowledged, ran_ms }
    }

    /// Plays all steps, each repeated until it is answered.
    async fn play(&self, mut site: watch::Receiver<SocketAddr>, kills: u64, acknowledged: &watch::Sender<u64>) {
        for (done, step) in self.steps.iter().enumerate() {
            for life in 0..=kills {
                let address = *site.borrow_and_update();
                // Of a step that is said again it may be in the log since when.
                let before = if life == 0 { self.spent(Visited { address }).await } else { None };
                if self.does(Visited { address }, *step, life > 0).await {
                    self.ran_ms.fetch_max(before.unwrap_or_default(), Ordering::SeqCst);
                    break;
                }
                within("the next life of the server", site.changed()).await.unwrap();
            }
            self.acknowledged.store(done + 1, Ordering::SeqCst);
            acknowledged.send_modify(|count| *count += 1);
        }
    }

    /// For how long the clocks of the people have run, in milliseconds, as the server says; `None` before the game, or
    /// if it dies.
    async fn spent(&self, site: Visited) -> Option<u64> {
        let state = site.try_ask(Game::network(self.number, 0), &get(&self.room)).await?.json();
        state["people"]["started"].as_bool()?.then(|| self.spent_in(&state))
    }

    /// The same in a state. In turns, one clock runs at a time.
    fn spent_in(&self, state: &Value) -> u64 {
        let full = if self.steps.contains(&Flag) { TURN_MS } else { CLOCK_MS };
        let left = clocks(state);
        let spent = left.iter().flatten().map(|left| full - left);
        if is_of_three(self.number) { spent.max().unwrap_or_default() } else { spent.sum() }
    }

    /// Plays a step, perhaps as a repetition; returns whether it was answered.
    async fn does(&self, site: Visited, step: Step, again: bool) -> bool {
        let three = is_of_three(self.number);
        // With simultaneous turns, a turn starts when the bot has answered in the previous one; and a resignation waits
        // for the bot's answer, so that the contents of the log are known.
        let lets = |state: &Value, ply| {
            state["ply"].as_u64() >= Some(ply) && (matches!(step, Answer(..)) || !is_asked(state, BOT))
        };
        if let Answer(_, ply) | Resign(_, ply) = step
            && three
            && !self.waits(site, |state| lets(state, ply)).await
        {
            return false;
        }
        let commands = format!("{}/commands", self.room);
        let (seat, said) = match step {
            Join => return self.asks(site, 1, "/api/v1/lobby/joins", &json!({ "code": self.code }), again).await,
            Leave => return self.asks(site, 1, &commands, &json!({ "type": "leave" }), again).await,
            Fill => {
                let bot = json!({ "opponent": if three { "nothing" } else { "easy" } });
                return self.asks(site, 0, &format!("{}/bots", self.room), &bot, again).await;
            }
            Flag => return self.waits(site, |state| !state["outcome"].is_null()).await,
            Answer(seat, ply) => {
                (seat.into(), json!({ "type": "turn", "ply": ply, "client_seq": ply, "action": PASS }))
            }
            Turn(ply) => {
                ((ply % 2) as usize, json!({ "type": "turn", "ply": ply, "client_seq": ply, "action": block(ply) }))
            }
            Draw(seat, ply) => (seat.into(), json!({ "type": "draw", "ply": ply })),
            Resign(seat, ply) => (seat.into(), json!({ "type": "resign", "ply": ply })),
        };
        let answer = if self.number % 2 == 1 {
            self.lines[seat].lock().await.try_say(site, &said).await
        } else {
            let ask = post_json(&commands, &said).bearer(&self.codes[seat]);
            site.try_ask(Game::network(self.number, seat), &ask).await.map(|answer| answer.json())
        };
        let Some(answer) = answer else { return false };
        // A repeated agreement after the end is answered that the game is over.
        let is_over = again && matches!(step, Draw(..)) && answer["code"] == "game_over";
        assert!(answer["type"] == "applied" || is_over, "game {}, {step:?}: {answer}", self.number);
        true
    }

    /// Asks for a seat, or gives it back; returns whether that was answered. A repeated request may find the seat
    /// already taken or given back.
    async fn asks(&self, site: Visited, seat: usize, path: &str, body: &Value, again: bool) -> bool {
        let ask = post_json(path, body).bearer(&self.codes[seat]);
        let Some(answer) = site.try_ask(Game::network(self.number, seat), &ask).await else { return false };
        let told = answer.json();
        let done = matches!(answer.status, 200 | 201) && told["type"] != "rejected";
        let had = again && ["already_seated", "started", "not_your_seat"].iter().any(|code| told["code"] == *code);
        assert!(done || had, "game {}: {}", self.number, answer.body);
        true
    }

    /// Waits until a condition holds; returns whether the server lived that long.
    async fn waits(&self, site: Visited, is_so: impl Fn(&Value) -> bool) -> bool {
        let path = std::sync::Mutex::new(format!("{}/events", self.room));
        let (path, is_so) = (&path, &is_so);
        let state = || async move {
            let now = path.lock().unwrap().clone();
            let Some(answer) = site.try_ask(Game::network(self.number, 0), &get(&now)).await else { return Ok(false) };
            let told = answer.json();
            let mut states = told["messages"].as_array().unwrap().iter().filter(|message| message["type"] == "state");
            if states.any(is_so) {
                return Ok(true);
            }
            *path.lock().unwrap() = format!("{}/events?after={}", self.room, told["version"]);
            Err(told)
        };
        eventually_spawned("a state of the game", state).await
    }

    async fn state(&self, address: SocketAddr) -> Value {
        let ask: Ask<'_> = get(&self.room);
        let answer = Visited { address }.ask(Game::network(self.number, 0), ask).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()
    }

    /// Checks once that everything is there.
    async fn check(&self, address: SocketAddr) {
        let (acknowledged, ran_ms) = (self.acknowledged.load(Ordering::SeqCst), self.ran_ms.load(Ordering::SeqCst));
        let state = self.state(address).await;
        // The room was opened, and every step is there once; so is every answer of the bot.
        let done = state["events"].as_u64().unwrap() as usize - 1 - self.answers_of_bot(&state);
        let number = self.number;
        assert!(
            (acknowledged..=acknowledged + 1).contains(&done),
            "game {number}: {done} steps, {acknowledged} acknowledged"
        );
        let steps = &self.steps[..done];
        let begins = if is_of_three(number) { Fill } else { self.steps[0] };
        let has_begun = steps.contains(&begins);
        assert_eq!(state["people"]["started"], has_begun, "game {number}");
        if is_of_three(number) {
            self.check_three(&state, steps);
        } else {
            self.check_two(&state, steps);
        }
        if has_begun {
            self.check_clocks(&state, address, ran_ms).await;
        }
    }

    /// Checks the turns of two players and the state of their game.
    fn check_two(&self, state: &Value, steps: &[Step]) {
        let number = self.number;
        let turns: Vec<&str> =
            state["turns"].as_array().unwrap().iter().map(|turn| turn[0]["action"].as_str().unwrap()).collect();
        let sent: Vec<String> =
            steps.iter().filter_map(|step| if let Turn(ply) = step { Some(block(*ply)) } else { None }).collect();
        assert_eq!(turns, sent, "game {number}");
        let people = &state["people"];
        let (winner, reason) = (&state["outcome"]["winner"], &state["outcome"]["reason"]);
        match (steps.last(), steps.len() == self.steps.len()) {
            (None, _) => {}
            (Some(Draw(..)), true) => assert_eq!((winner, reason), (&Value::Null, &json!("agreed")), "game {number}"),
            (Some(Draw(seat, _)), false) => assert_eq!(people["offers"], json!([seat]), "game {number}"),
            (Some(Resign(seat, _)), _) => assert_eq!(winner, 1 - seat, "game {number}"),
            (Some(Flag), _) => {
                assert_eq!((winner, &state["forfeits"][0]["code"]), (&json!(0), &json!("out_of_time")), "game {number}")
            }
            (Some(Turn(_)), true) => assert!(!state["outcome"].is_null(), "game {number}"),
            (Some(_), _) => assert!(state["outcome"].is_null(), "game {number}"),
        }
        if state["outcome"].is_null() && people["started"] == true {
            assert_eq!(people["running"], json!([turns.len() % 2]), "game {number}");
        }
    }

    /// Checks the turns of three players: each finished turn has one answer of everybody who was in, and those who have
    /// answered since are not asked again.
    fn check_three(&self, state: &Value, steps: &[Step]) {
        let number = self.number;
        let turns = state["turns"].as_array().unwrap();
        let has_answered = |seat: u8, ply: usize| steps.contains(&Answer(seat, ply as u64));
        for (ply, turn) in turns.iter().enumerate() {
            let plays = turn.as_array().unwrap();
            let seats: Vec<u64> = plays.iter().map(|play| play["seat"].as_u64().unwrap()).collect();
            let people = [0, 1].into_iter().filter(|seat| has_answered(*seat, ply)).map(u64::from);
            assert_eq!(seats, people.chain([BOT]).collect::<Vec<_>>(), "game {number}, turn {ply}");
            assert!(plays.iter().all(|play| play["seat"] == BOT || play["action"] == PASS), "game {number}: {turn}");
        }
        let gave_up = |seat: u8| steps.iter().any(|step| matches!(step, Resign(own, _) if *own == seat));
        let (first_is_out, over) = (gave_up(0), gave_up(1));
        assert_eq!(state["outcome"]["winner"], if over { json!(BOT) } else { Value::Null }, "game {number}");
        // A resignation takes effect once the turn is over.
        let forfeits: Vec<&Value> =
            state["forfeits"].as_array().unwrap().iter().map(|forfeit| &forfeit["seat"]).collect();
        let wanted = [(0, first_is_out && turns.len() > 4), (1, over)];
        let wanted: Vec<u8> = wanted.into_iter().filter(|(_, out)| *out).map(|(seat, _)| seat).collect();
        assert_eq!(json!(forfeits), json!(wanted), "game {number}");
        if steps.contains(&Fill) && !over {
            let asked = |seat: &u8| !has_answered(*seat, turns.len()) && !gave_up(*seat);
            let asked: Vec<u8> = [0, 1].into_iter().filter(asked).collect();
            assert_eq!(state["people"]["running"], json!(asked), "game {number}");
        }
    }

    /// The bot's events in a game of three: each answer is an event of the log.
    fn answers_of_bot(&self, state: &Value) -> usize {
        if !is_of_three(self.number) || state["people"]["started"] == false {
            return 0;
        }
        // It has answered in all finished turns, and, before somebody ends the game, in the last one.
        state["turns"].as_array().unwrap().len() + usize::from(!is_asked(state, BOT))
    }

    /// Looks whether the clocks of all people run, and keep what they have run. That none ran while the site was down
    /// shows in the games: more than all their time has passed then.
    async fn check_clocks(&self, state: &Value, address: SocketAddr, ran_ms: u64) {
        let (number, left) = (self.number, clocks(state));
        let people = if self.steps.contains(&Join) { 2 } else { 1 };
        assert_eq!(left.iter().flatten().count(), people, "game {number}: bots have no clock");
        let spent = self.spent_in(state);
        // Of two people, one clock runs from the beginning to the end, and gets nothing back.
        if self.steps[0] == Join && !is_of_three(number) && !self.steps.contains(&Flag) {
            assert!(spent >= ran_ms, "game {number}: {spent} ms of clocks, and they have run for {ran_ms}");
        }
        for seat in state["people"]["running"].as_array().unwrap() {
            let seat = seat.as_u64().unwrap() as usize;
            // A clock that has run out stands still.
            let before = left[seat].unwrap().max(1);
            let runs = async || {
                let left = clocks(&self.state(address).await)[seat].unwrap();
                if left < before { Ok(()) } else { Err(left) }
            };
            eventually("a clock that runs", runs).await;
        }
    }
}

/// Whether a seat has yet to answer.
fn is_asked(state: &Value, seat: u64) -> bool {
    state["awaiting"].as_array().unwrap().contains(&json!(seat))
}

/// The time left on each seat's clock, in milliseconds.
fn clocks(state: &Value) -> Vec<Option<u64>> {
    state["people"]["left_ms"].as_array().unwrap().iter().map(Value::as_u64).collect()
}

/// Reads all of a store that no process has open.
fn read_all(data: &Path) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let done = finished(command.args(["admin", "check", "--data"]).arg(data));
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_server_keeps_all_that_happened_in_games_between_people_once_and_their_clocks() {
    let all: Vec<u8> = (0..GAMES).collect();
    println!("{}", killed(&all, setting("ARENA_GAME_KILLS", KILLS), setting("ARENA_GAME_KILL_SEED", 1)).await);
}

/// Plays the games with these numbers on a server that is killed so often, and returns a summary.
pub(crate) async fn killed(numbers: &[u8], kills: u64, seed: u64) -> String {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = Rng::new(&key, 0);
    let all = numbers.iter().map(|number| course(*number).len() as u64).sum::<u64>();
    let mut points: Vec<u64> = (0..kills).map(|_| u64::from(rng.below(all as u32))).collect();
    points.sort_unstable();

    let folder = tempfile::tempdir().unwrap();
    let clock = Clock::new(folder.path(), 1);
    let start = || {
        let command = Site::command(folder.path(), &["--no-standing"]);
        Site::run(match &clock {
            Some(clock) => clock.given_to(command),
            None => command,
        })
    };
    let mut site = start();
    let mut games = Vec::new();
    for number in numbers {
        games.push(Arc::new(Game::begin(&site, *number).await));
    }
    let (moves, address) = watch::channel(site.address);
    let (counts, mut acknowledged) = watch::channel(0);
    let playing: Vec<_> = games
        .iter()
        .map(|game| {
            let (game, address, counts) = (game.clone(), address.clone(), counts.clone());
            tokio::spawn(async move { game.play(address, kills, &counts).await })
        })
        .collect();
    let seems_later = |seconds: i64| {
        if let Some(clock) = &clock {
            clock.jump(seconds);
        }
    };
    for point in &points {
        within("the events before a kill", acknowledged.wait_for(|count| count >= point)).await.unwrap();
        site.kill();
        read_all(&folder.path().join("data"));
        // A clock that ran meanwhile would have run out.
        seems_later(DOWN_SECONDS);
        site = start();
        for game in &games {
            game.check(site.address).await;
        }
        seems_later(0);
        moves.send_replace(site.address);
    }
    for game in playing {
        within("the end of a game", game).await.unwrap();
    }
    for game in &games {
        game.check(site.address).await;
        assert!(!game.state(site.address).await["outcome"].is_null());
    }
    format!(
        "{kills} kills at {points:?} of {all} events in {} games, seed {seed}: all are there, none twice, clocks stood still and ran on",
        numbers.len()
    )
}
