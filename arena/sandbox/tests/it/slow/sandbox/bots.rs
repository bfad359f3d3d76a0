//! Small modules, and one call to play them.

use std::sync::LazyLock;

use arena_record::{Budgets, ForfeitCode};
use arena_referee::{Failure, Fault, Player, Reply, Started};
use arena_sandbox::{Bot, Refusal, Sandbox, SandboxPlayer};

/// Guests of all tests at once: each has a few, on as many threads as there are processors.
const GUESTS: u32 = 256;

/// One engine for all tests, as a process has one, with memories that are used again, as a worker's are.
pub(crate) static SANDBOX: LazyLock<Sandbox> =
    LazyLock::new(|| Sandbox::reusing(GUESTS).expect("this machine runs bots"));

/// Fuel that no terminating fixture uses up, and an endless one does soon.
pub(crate) const PLENTY: u64 = 20_000_000;

/// What fixtures are shown.
pub(crate) const OBSERVATION: [u8; 16] = *b"an observation..";

/// The two functions of the contract, the answer being 4 bytes at address 0.
pub(crate) const CONTRACT: &str = r#"(func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x4_0000_0000))"#;

/// The bytes of a module with these fields.
pub(crate) fn wasm(fields: &str) -> Vec<u8> {
    wat::parse_str(format!("(module {fields})")).unwrap_or_else(|error| panic!("{error}"))
}

/// A bot with one page of memory, further fields, and this body of `arena_turn`, a function (i32) -> i64.
pub(crate) fn turning(fields: &str, body: &str) -> Vec<u8> {
    wasm(&format!(
        r#"(import "arena" "log" (func $log (param i32 i32))) (memory (export "memory") 1) {fields}
        (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
        (func (export "arena_turn") (param i32) (result i64) {body})"#
    ))
}

/// A bot that does this in its turn, as instructions that leave nothing, and answers with 4 bytes at address 0.
pub(crate) fn doing(fields: &str, instructions: &str) -> Vec<u8> {
    turning(fields, &format!("{instructions} (i64.const 0x4_0000_0000)"))
}

/// What `arena_turn` returns for an action at an address.
pub(crate) fn action(address: u32, length: u32) -> String {
    format!("(i64.const {})", u64::from(length) << 32 | u64::from(address))
}

/// The bot of a module that must pass the check.
pub(crate) fn load(bytes: &[u8]) -> Bot {
    SANDBOX.load(bytes, &Budgets::DEFAULT).unwrap_or_else(|refusal| panic!("{}: {refusal}", refusal.code))
}

/// Why a module is refused under default budgets.
pub(crate) fn refusal(bytes: &[u8]) -> Option<Refusal> {
    SANDBOX.load(bytes, &Budgets::DEFAULT).err()
}

/// A player.
pub(crate) fn player(bytes: &[u8]) -> SandboxPlayer {
    SandboxPlayer::new(&load(bytes))
}

/// Starts the player with plenty of fuel.
pub(crate) fn start(player: &mut SandboxPlayer) -> Result<Started, Failure> {
    player.start(OBSERVATION.len(), PLENTY)
}

/// A started player.
pub(crate) fn started(bytes: &[u8]) -> SandboxPlayer {
    let mut player = player(bytes);
    start(&mut player).unwrap_or_else(|failure| panic!("{failure:?}"));
    player
}

/// One turn of a fresh game on a turn's budget.
pub(crate) fn turn_on(bot: &Bot, fuel: u64) -> Result<Reply, Failure> {
    let mut player = SandboxPlayer::new(bot);
    start(&mut player)?;
    player.turn(&OBSERVATION, fuel)
}

/// The first turn of a bot, with plenty of fuel.
pub(crate) fn turn(bytes: &[u8]) -> Result<Reply, Failure> {
    turn_on(&load(bytes), PLENTY)
}

/// The fault a failure is of; a fault of the machine is none.
pub(crate) fn own<T: std::fmt::Debug>(outcome: Result<T, Failure>) -> Fault {
    match outcome {
        Err(Failure::Own(fault)) => fault,
        other => panic!("not the bot's own fault: {other:?}"),
    }
}

/// The fuel of a bot's first turn.
pub(crate) fn fuel_of(bytes: &[u8]) -> u64 {
    turn(bytes).ok().and_then(|reply| reply.fuel).expect("it answers, and is metered")
}

/// Whether the fuel ran out.
pub(crate) fn is_out_of_fuel<T>(outcome: &Result<T, Failure>) -> bool {
    matches!(outcome, Err(Failure::Own(Fault { code: ForfeitCode::FuelExhausted, .. })))
}

/// A section: its id, its length, its bytes.
pub(crate) fn section(id: u8, payload: &[u8]) -> Vec<u8> {
    let mut bytes = vec![id];
    let mut length = payload.len();
    while length >= 0x80 {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
    bytes.extend(payload);
    bytes
}
