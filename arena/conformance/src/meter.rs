//! The reader for the meter: what calls of a module come to on a budget. `arena/meter/tests/golden/README.md` has the
//! fields of a line.

use arena_record::{Budgets, Bytes, ForfeitCode, Hex};
use arena_referee::{Failure, Fault};
use arena_sandbox::{Calls, Log, Returned, Sandbox};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use crate::difference::{Difference, expect};
use crate::parse;

/// A module, and games of it.
#[derive(Deserialize)]
struct Line {
    module: Bytes,
    games: Vec<Vec<Call>>,
}

/// A call, and what it comes to.
#[derive(Deserialize)]
struct Call {
    #[serde(flatten)]
    asked: Asked,
    fuel: u64,
    #[serde(flatten)]
    came: Came,
}

#[derive(Deserialize)]
#[serde(rename_all = "snake_case")]
enum Asked {
    Start(u32),
    Turn(Bytes),
}

#[derive(Deserialize, PartialEq, Eq, Debug)]
struct Came {
    ends: Ends,
    used: Option<u64>,
    value: Option<String>,
    log: Vec<Bytes>,
    memory_bytes: usize,
    memory: Hex<32>,
}

#[derive(Deserialize, PartialEq, Eq, Debug)]
#[serde(rename_all = "snake_case")]
enum Ends {
    InTime,
    OutOfFuel,
    TooDeep,
    Trap,
}

pub(crate) fn check(line: &str, sandbox: &Sandbox) -> Result<(), Difference> {
    let Line { module, games } = parse(line)?;
    let bot = sandbox.load(&module.0, &Budgets::DEFAULT).map_err(Difference::refused)?;
    for game in games {
        let mut calls = Calls::new(&bot);
        for (number, Call { asked, fuel, came }) in (1..).zip(game) {
            let result = match asked {
                Asked::Start(len) => calls.start(len, fuel),
                Asked::Turn(observation) => calls.turn(&observation.0, fuel),
            };
            check_call(&came, &mut calls, result).map_err(|difference| difference.in_turn(number))?;
        }
    }
    Ok(())
}

fn check_call(wanted: &Came, calls: &mut Calls, result: Result<Returned, Failure>) -> Result<(), Difference> {
    let (ends, returned) = match result {
        Ok(returned) => (Ends::InTime, Some(returned)),
        Err(Failure::Own(Fault { code, .. })) => (ends_of(code), None),
        Err(Failure::Platform(fault)) => return Err(Difference::Failed(fault.0)),
    };
    expect("ends", &wanted.ends, &ends)?;
    expect("used", wanted.used, returned.map(|returned| returned.fuel))?;
    expect("value", &wanted.value, &returned.map(|returned| returned.value.to_string()))?;
    expect("memory_bytes", wanted.memory_bytes, calls.memory().len())?;
    expect("memory", &wanted.memory, &Hex(Sha256::digest(calls.memory()).into()))?;
    // As a log keeps them: as text, and not more than a person reads.
    let mut log = Log::default();
    wanted.log.iter().for_each(|line| log.push(&line.0));
    expect("log", &log, &calls.left().log)
}

fn ends_of(code: ForfeitCode) -> Ends {
    match code {
        ForfeitCode::FuelExhausted => Ends::OutOfFuel,
        ForfeitCode::StackOverflow => Ends::TooDeep,
        // What is logged out of bounds is a trap to an engine.
        _ => Ends::Trap,
    }
}
