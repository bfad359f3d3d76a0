//! The interpreter of bots in Python: MicroPython, and the rules' own code for scripts. With a script it is an ordinary bot.
//!
//! A bundle is this module with one more data segment, at [`place::arena_script`]: the script's length and its text. The start runs the
//! script's statements, each turn calls its function `turn`.
//!
//! ```py
//! # Places a block in the middle of its home, over and over.
//! def turn(o):
//!     row, col = 2 * o.round, 3 if o.colour == "blue" else 23
//!     block = place([(row, col), (row, col + 1), (row + 1, col), (row + 1, col + 1)])
//!     return block if o.check(block) is None else best(o)
//! ```

#![allow(unsafe_code, reason = "MicroPython is in C; what is unsafe is in `py` and in the exports here")]

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
#[path = "../../scripts/kit.rs"]
mod kit;
mod modules;
mod numbers;
mod objects;
#[path = "../../scripts/others.rs"]
mod others;
#[path = "../../scripts/place.rs"]
mod place;
mod printed;
mod py;
#[path = "../../scripts/random.rs"]
mod random;
mod report;
#[path = "../../scripts/seen.rs"]
mod seen;

use core::cell::{Cell, RefCell};

use arena_rules::life2;
use arena_wire::Protocol;
// What is shared with other languages knows the language by this name.
use py as host;
use py::{Place, Result, Value};

/// The script's name in errors.
const SCRIPT_NAME: &str = "bot.py";
const SCRIPT_FILE: &core::ffi::CStr = c"bot.py";
/// The machine's stack that MicroPython may use, in bytes: with more, the arena's ends a recursion before it can raise an error.
const STACK: usize = 40 * 1024;
/// A script is ended with an error that says where when less than this part of its fuel is left, and at least as much as it
/// takes to say so.
const RESERVE_SHARE: u64 = 64;
const RESERVE_MIN: u64 = 150_000;

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ACTION: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static TURN: RefCell<Value> = const { RefCell::new(Value::UNDEFINED) };
    static IS_START: Cell<bool> = const { Cell::new(true) };
    /// The fuel that a script must leave.
    static RESERVE: Cell<u64> = const { Cell::new(0) };
}

/// The fuel that a script may use before it has to end, lest nobody learns where it ran out.
#[unsafe(no_mangle)]
extern "C" fn arena_left() -> u64 {
    arena_sdk::fuel().saturating_sub(RESERVE.get())
}

/// Ends a script that has used up its fuel.
#[unsafe(no_mangle)]
extern "C" fn arena_end() -> ! {
    report::log_out_of_fuel(IS_START.get());
    give_up()
}

/// To be called at the beginning of each call of the arena.
fn enter() {
    RESERVE.set((arena_sdk::fuel() / RESERVE_SHARE).max(RESERVE_MIN));
}

/// Ends the game: the bot forfeits.
fn give_up() -> ! {
    printed::flush();
    #[cfg(target_family = "wasm")]
    core::arch::wasm32::unreachable();
    #[cfg(not(target_family = "wasm"))]
    std::process::abort()
}

/// Logs the error that was raised, and ends the game.
#[unsafe(no_mangle)]
extern "C" fn arena_fail() -> ! {
    RESERVE.set(0);
    py::spend();
    printed::flush();
    report::log_error(IS_START.get());
    give_up()
}

/// Runs the script's statements, and gives the address for observations.
#[unsafe(no_mangle)]
pub extern "C" fn arena_observation(len: usize) -> *mut u8 {
    std::panic::set_hook(Box::new(|panic| arena_sdk::log(&format!("the interpreter failed: {panic}"))));
    enter();
    if place::script().is_empty() {
        arena_sdk::log("this interpreter has no script: bundle one, with `arena bundle bot.py`");
        give_up();
    }
    if begin().is_err() {
        arena_fail();
    }
    if !TURN.with_borrow(Value::is_function) {
        report::log_no_turn();
        give_up();
    }
    py::collect(false);
    IS_START.set(false);
    BUFFER.set(vec![0; len]);
    BUFFER.with_borrow_mut(|buffer| buffer.as_mut_ptr())
}

fn begin() -> Result<()> {
    py::start(STACK)?;
    action::install()?;
    board::install()?;
    seen::install()?;
    kit::install()?;
    random::install()?;
    let global = py::global();
    global.method(c"fuel", 0, |_, _| Value::number(arena_sdk::fuel() as f64))?;
    modules::install()?;
    py::run(place::script(), SCRIPT_FILE)?;
    TURN.set(global.get(c"turn")?.kept());
    Ok(())
}

/// Plays a turn: gives the address of the action, and its length in the high half.
#[unsafe(no_mangle)]
pub extern "C" fn arena_turn(len: usize) -> u64 {
    enter();
    let Ok(action) = BUFFER.with_borrow(|buffer| {
        // A world is as large as much else of the memory: the one of the last turn goes before the next is read.
        py::collect(buffer.get(1) == Some(&<life2::Position as Protocol>::TAG));
        play(&buffer[..len])
    }) else {
        arena_fail()
    };
    printed::flush();
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
    let action = TURN.with_borrow(|turn| turn.call(core::slice::from_ref(&o)))?;
    let wanted = action::read("turn must return", seen.game(), &action)?;
    seen.encode(&wanted).ok_or_else(|| py::type_error(&format!("turn returned what cannot be: {}", seen::MISSHAPEN)))
}

/// For profiles: the lines of the script that are running, the innermost first, 4 bytes each. Their address, and how many there are in
/// the high half. The arena asks where a turn was stopped.
#[unsafe(no_mangle)]
pub extern "C" fn arena_lines() -> u64 {
    const MOST: usize = 64;
    thread_local! {
        static LINES: RefCell<[u32; MOST]> = const { RefCell::new([0; MOST]) };
    }
    let mut places = [Place::NONE; MOST];
    let count = py::running(&mut places);
    LINES.with_borrow_mut(|lines| {
        let own = places[..count].iter().filter(|place| place.file() == SCRIPT_NAME);
        let mut found = 0;
        for (line, place) in lines.iter_mut().zip(own) {
            *line = place.line;
            found += 1;
        }
        lines.as_ptr() as usize as u64 | found << 32
    })
}
