//! The interpreter of bots in JavaScript: QuickJS, and the rules' own code for scripts. With a script it is an ordinary bot.
//!
//! A bundle is this module with one more data segment, at [`place::arena_script`]: the script's length and its text. The start runs the
//! script's statements, each turn calls its function `turn`.
//!
//! ```js
//! // Places a block in the middle of its home, over and over.
//! function turn(o) {
//!   const [row, col] = [2 * o.round, o.colour === "blue" ? 3 : 23];
//!   const block = place([[row, col], [row, col + 1], [row + 1, col], [row + 1, col + 1]]);
//!   return o.check(block) === null ? block : best(o);
//! }
//! ```

#![allow(unsafe_code, reason = "QuickJS is in C; what is unsafe is in `js` and in the exports here")]

#[path = "../../scripts/action.rs"]
mod action;
#[path = "../../scripts/board.rs"]
mod board;
#[path = "../../scripts/cells.rs"]
mod cells;
#[path = "../../scripts/games.rs"]
mod games;
#[path = "../../scripts/journal.rs"]
mod journal;
mod js;
#[path = "../../scripts/kit.rs"]
mod kit;
mod log;
#[path = "../../scripts/others.rs"]
mod others;
#[path = "../../scripts/place.rs"]
mod place;
#[path = "../../scripts/random.rs"]
mod random;
mod report;
#[path = "../../scripts/seen.rs"]
mod seen;

use core::cell::{Cell, RefCell};

use js::{Result, Value};
// What is shared with other languages knows the language by this name.
use js as host;
use place::{script, script_bytes};

/// Its name in errors.
const SCRIPT_NAME: &str = "bot.js";
const SCRIPT_FILE: &core::ffi::CStr = c"bot.js";
/// QuickJS's own limit for its stack, in bytes: with more, the arena's ends a plain recursion before it can throw an error.
const STACK: usize = 40 * 1024;
/// A script is ended with an error that says where when less than this part of its fuel is left, and at least as much as it
/// takes to say so.
const RESERVE_SHARE: u64 = 64;
const RESERVE_MIN: u64 = 150_000;
/// Memory that is kept for the report of an error.
const SPARE: usize = 16 * 1024;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ACTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static TURN: RefCell<Value> = const { RefCell::new(Value::UNDEFINED) };
    static SPARED: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// The fuel that a script must leave.
    static RESERVE: Cell<u64> = const { Cell::new(0) };
}

/// Whether a script has to end, lest nobody learns where it ran out of fuel.
unsafe extern "C" fn is_over() -> bool {
    arena_sdk::fuel() < RESERVE.get()
}

/// To be called at the beginning of each call of the arena.
fn enter() {
    RESERVE.set((arena_sdk::fuel() / RESERVE_SHARE).max(RESERVE_MIN));
    js::enter();
}

/// Ends the game: the bot forfeits.
fn give_up() -> ! {
    #[cfg(target_family = "wasm")]
    core::arch::wasm32::unreachable();
    #[cfg(not(target_family = "wasm"))]
    std::process::abort()
}

/// Logs the error that was thrown, and ends the game.
fn fail(is_start: bool) -> ! {
    SPARED.take();
    RESERVE.set(0);
    report::log_error(is_start);
    give_up()
}

/// Runs the script's statements, and gives the address for observations.
#[unsafe(no_mangle)]
pub extern "C" fn arena_observation(len: usize) -> *mut u8 {
    std::panic::set_hook(Box::new(|panic| arena_sdk::log(&format!("the interpreter failed: {panic}"))));
    SPARED.set(vec![0; SPARE]);
    js::start(STACK, SCRIPT_FILE, is_over);
    enter();
    if script_bytes() == [0] {
        arena_sdk::log("this interpreter has no script: bundle one, with `arena bundle bot.js`");
        give_up();
    }
    if begin().is_err() {
        fail(true);
    }
    if !TURN.with_borrow(Value::is_function) {
        report::log_no_turn();
        give_up();
    }
    BUFFER.set(vec![0; len]);
    BUFFER.with_borrow_mut(|buffer| buffer.as_mut_ptr())
}

fn begin() -> Result<()> {
    log::install()?;
    action::install()?;
    board::install()?;
    seen::install()?;
    kit::install()?;
    random::install()?;
    js::global().get(c"Math")?.method(c"random", 0, |_, _| random::fraction())?;
    js::global().method(c"fuel", 0, |_, _| Value::number(arena_sdk::fuel() as f64))?;
    js::eval(script_bytes(), SCRIPT_FILE)?;
    js::run_jobs()?;
    // A constant of the script is no property of the global object.
    TURN.set(js::eval(b"typeof turn === 'undefined' ? undefined : turn\0", c"arena")?);
    Ok(())
}

/// Plays a turn: gives the address of the action, and its length in the high half.
#[unsafe(no_mangle)]
pub extern "C" fn arena_turn(len: usize) -> u64 {
    enter();
    let Ok(action) = BUFFER.with_borrow(|buffer| play(&buffer[..len])) else { fail(false) };
    ACTION.set(action);
    ACTION.with_borrow(|action| action.as_ptr() as usize as u64 | (action.len() as u64) << 32)
}

fn play(observation: &[u8]) -> Result<Vec<u8>> {
    let seen = match seen::decode(observation) {
        Ok(seen) => seen,
        Err(error) => panic!("it does not understand the arena: {error}"),
    };
    let o = seen.object()?;
    random::begin(seen.rng(), &o)?;
    let action = TURN.with_borrow(|turn| turn.call(&Value::UNDEFINED, core::slice::from_ref(&o)))?;
    js::run_jobs()?;
    let wanted = action::read("turn must return", seen.game(), &action)?;
    seen.encode(&wanted).ok_or_else(|| js::type_error(&format!("turn returned what cannot be: {}", seen::MISSHAPEN)))
}

/// For profiles: the lines of the script that are running, the innermost first, 4 bytes each. Their address, and how many there are in
/// the high half. The arena asks where a turn was stopped.
#[unsafe(no_mangle)]
pub extern "C" fn arena_lines() -> u64 {
    js::lines()
}
