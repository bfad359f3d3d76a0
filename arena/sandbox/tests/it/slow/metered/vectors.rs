//! Vectors: a module, calls with their budgets, and what each comes to by the rule. They are lines of JSON, which other
//! engines play, too; `arena/meter/tests/golden/README.md` has their form.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

use arena_meter::meter;
use arena_record::{Budgets, Bytes, ForfeitCode, Hex};
use arena_referee::{Failure, Fault, Player};
use arena_sandbox::{Log, Sandbox, SandboxPlayer};
use serde::{Deserialize, Serialize};

use super::OWN;
use super::interpreter::Translated;
use super::machine::{End, MAXIMA, Program, State};
use crate::guests::left_out::left_out;

/// A module, and games of it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Vector {
    /// What it shows.
    pub(crate) what: String,
    pub(crate) module: Bytes,
    /// Each with an instance of its own: a start, then turns, until one fails.
    pub(crate) games: Vec<Vec<Call>>,
}

/// A call, and what it comes to.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Call {
    #[serde(flatten)]
    asked: Asked,
    fuel: u64,
    pub(crate) ends: Ends,
    /// Fuel that it took, if it was in time.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub(crate) used: Option<u64>,
    /// What it returned then; the number is unsigned.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    value: Option<String>,
    /// All lines of the game so far.
    log: Vec<Bytes>,
    /// The length of the memory, and its SHA-256.
    memory_bytes: usize,
    memory: Hex<32>,
}

/// What is asked of a bot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Asked {
    /// To start a game whose observations have so many bytes.
    Start(u32),
    /// To answer an observation.
    Turn(Bytes),
}

/// How a call ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Ends {
    InTime,
    OutOfFuel,
    TooDeep,
    Trap,
}

impl Call {
    fn new(asked: Asked, fuel: u64, end: &End, state: State) -> Call {
        let (ends, used, value) = match end {
            End::InTime { fuel, value } => (Ends::InTime, Some(*fuel), Some(value.to_string())),
            End::Exhausted => (Ends::OutOfFuel, None, None),
            End::TooDeep => (Ends::TooDeep, None, None),
            End::Trapped(_) => (Ends::Trap, None, None),
        };
        let State { log, memory_bytes, memory } = state;
        Call { asked, fuel, ends, used, value, log: log.into_iter().map(Bytes).collect(), memory_bytes, memory }
    }
}

/// A start and turns, each with its budget.
pub(crate) type Game = Vec<(Asked, u64)>;

/// A start on plenty of fuel, and a turn.
pub(crate) fn game(observation: &[u8], start: u64, turn: u64) -> Game {
    vec![(Asked::Start(observation.len() as u32), start), (Asked::Turn(Bytes(observation.to_vec())), turn)]
}

/// Plays a game until a call fails.
fn play(game: Game, mut call: impl FnMut(&Asked, u64) -> (End, State)) -> Vec<Call> {
    let mut calls: Vec<Call> = Vec::new();
    for (asked, fuel) in game {
        if calls.last().is_some_and(|last| last.ends != Ends::InTime) {
            break;
        }
        let (end, state) = call(&asked, fuel);
        calls.push(Call::new(asked, fuel, &end, state));
    }
    calls
}

/// What the first engine makes of a game.
pub(crate) fn calls(program: &Program, game: Game) -> Vec<Call> {
    let mut playing = None;
    play(game, |asked, fuel| {
        let end = match asked {
            Asked::Start(len) => {
                let (started, end) = program.start(*len as usize, fuel);
                playing = Some(started);
                end
            }
            Asked::Turn(Bytes(observation)) => playing.as_mut().expect("started").turn(observation, fuel),
        };
        (end, playing.as_mut().expect("started").state())
    })
}

impl Vector {
    /// What the first engine makes of these games.
    pub(crate) fn played(what: &str, module: &[u8], games: Vec<Game>) -> Vector {
        Vector::of(what, module, &OWN.load(module), games)
    }

    /// The same of a module that is compiled.
    pub(crate) fn of(what: &str, module: &[u8], program: &Program, games: Vec<Game>) -> Vector {
        let games = games.into_iter().map(|game| calls(program, game)).collect();
        Vector { what: what.into(), module: Bytes(module.to_vec()), games }
    }

    /// What is asked in it.
    pub(crate) fn asked(&self) -> Vec<Game> {
        let game = |calls: &Vec<Call>| calls.iter().map(|call| (call.asked.clone(), call.fuel)).collect();
        self.games.iter().map(game).collect()
    }

    /// The second engine comes to the same.
    pub(crate) fn holds_in_the_interpreter(&self) {
        let metered = meter(&self.module.0, MAXIMA).expect("a bot");
        let translated = Translated::new(&metered);
        for (calls, game) in self.games.iter().zip(self.asked()) {
            let mut guest = None;
            let interpreted = play(game, |asked, fuel| {
                let end = match asked {
                    Asked::Start(len) => {
                        let (started, end) = translated.start(*len, fuel);
                        guest = Some(started);
                        end
                    }
                    Asked::Turn(Bytes(observation)) => guest.as_mut().expect("started").turn(observation, fuel),
                };
                (end, guest.as_ref().expect("started").state())
            });
            assert_eq!(*calls, interpreted, "{}", self.what);
        }
    }

    /// So does a player of games, as far as it shows.
    pub(crate) fn holds_for_a_player(&self, sandbox: &Sandbox) {
        let bot = sandbox.load(&self.module.0, &Budgets::DEFAULT).unwrap_or_else(|refusal| panic!("{refusal:?}"));
        for game in &self.games {
            let mut player = SandboxPlayer::new(&bot);
            for call in game {
                let came = match &call.asked {
                    Asked::Start(len) => {
                        player.start(*len as usize, call.fuel).map(|started| (started.fuel, Vec::new()))
                    }
                    Asked::Turn(Bytes(observation)) => {
                        player.turn(observation, call.fuel).map(|reply| (reply.fuel, reply.action))
                    }
                };
                let came = match came {
                    // Answers of vectors have no bytes.
                    Ok((used, action)) => (Ends::InTime, used, action, player.memory_bytes()),
                    Err(Failure::Own(Fault { code, .. })) => (ends_of(code), None, Vec::new(), call.memory_bytes),
                    Err(Failure::Platform(fault)) => panic!("{}: {}", self.what, fault.0),
                };
                assert_eq!(came, (call.ends, call.used, Vec::new(), call.memory_bytes), "{}", self.what);
                let mut log = Log::default();
                call.log.iter().for_each(|line| log.push(&line.0));
                assert_eq!(player.left().log, log, "{}", self.what);
            }
        }
    }
}

fn ends_of(code: ForfeitCode) -> Ends {
    match code {
        ForfeitCode::FuelExhausted => Ends::OutOfFuel,
        ForfeitCode::StackOverflow => Ends::TooDeep,
        // To an engine, a line out of bounds is a trap.
        ForfeitCode::Trap | ForfeitCode::BadPointer => Ends::Trap,
        other => panic!("no call of a vector ends by {other:?}"),
    }
}

/// All engines come to what these vectors say. The third is V8, in Node with these options, where there is one.
pub(crate) fn hold_in_all(vectors: &[Vector], options: &[&str]) {
    vectors.iter().for_each(Vector::holds_in_the_interpreter);
    hold_in_node(vectors, options);
}

/// What Node plays: a vector, and its module as the meter wrote it.
#[derive(Serialize)]
struct Line<'a> {
    #[serde(flatten)]
    vector: &'a Vector,
    metered: Bytes,
    start_fuel: u64,
}

pub(crate) fn hold_in_node(vectors: &[Vector], options: &[&str]) {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../meter/tests/play.mjs");
    let mut node = Command::new("node");
    node.args(options).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped());
    let Ok(mut child) = node.spawn() else { return left_out("vectors in V8 need Node") };
    let mut input = child.stdin.take().expect("a pipe");
    for vector in vectors {
        let metered = meter(&vector.module.0, MAXIMA).expect("a bot");
        let line = Line { vector, metered: Bytes(metered.module), start_fuel: metered.start_fuel };
        let text = serde_json::to_string(&line).expect("it is text");
        // A script that has died says why itself.
        if writeln!(input, "{text}").is_err() {
            break;
        }
    }
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "in Node with {options:?}: {said}");
    assert_eq!(said.trim(), format!("{} vectors hold", vectors.len()));
}
