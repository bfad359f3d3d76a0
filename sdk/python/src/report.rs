//! Errors as the author reads them: place, message, line, and the calls that led there.

use crate::SCRIPT_NAME;
use crate::place::script;
use crate::py::{self, Place, Result, Value, caught};

/// Calls that are shown, and bytes of a line. With the rest they fit into what the log keeps.
const FRAMES_MAX: usize = 8;
const LINE_MAX: usize = 120;
/// Calls that are looked through.
const PLACES_MAX: usize = 64;

/// What a script may miss, and what there is instead.
const HINTS: &[(&str, &str)] = &[
    (
        "no module named 'numpy",
        "there is no NumPy here: boards do what arrays would, and best, worths and generation are far faster than loops",
    ),
    ("no module named 'js'", "a bot is Python alone: there is no JavaScript beside it"),
    ("no module named 'time'", "a bot has no clock: fuel() tells how much of the turn is left, o.ply which turn it is"),
    (
        "no module named 'datetime'",
        "a bot has no clock: fuel() tells how much of the turn is left, o.ply which turn it is",
    ),
    ("no module named 'os'", "a bot runs alone: there is no file, no process and no network"),
    ("no module named 'asyncio'", "all is computed within turn(o): use a loop or a generator"),
    ("no module named 'threading'", "all is computed within turn(o): use a loop or a generator"),
    (
        "no module named",
        "a bot is one file: paste what you need into it; sdk/python/README.md lists the modules that there are",
    ),
    ("name 'input' isn't defined", "nothing can be asked: turn(o) gets all there is to know"),
    ("there are no files", "a bot has no files: paste what you need into the script"),
    ("name 'complex' isn't defined", "there are no complex numbers here: use tuples"),
    ("name 'match' isn't defined", "there is no `match` here: use if and elif, or a dict of functions"),
    ("NamedTuple is no base class", "write it as namedtuple(\"Name\", \"a b\"), of collections, or as a @dataclass"),
    (
        "*x must be assignment target",
        "there is no `*` in lists, sets and dicts here: use list(a) + list(b), a | b, or list.extend",
    ),
    ("can't convert NoneType to int", "a value is None here: is a `return` missing?"),
    (
        "memory allocation failed",
        "a bot has 1.4 MB for its values, and within map, sum, list(generator) and operators no garbage is collected: keep less, or write a loop",
    ),
    ("too many boards and actions", "ask worths(o, actions) about whole lists of actions, and keep fewer boards"),
    (
        "maximum recursion depth exceeded",
        "calls nest some 300 deep, constructors and operators less: use a loop, or a list of what is left to do",
    ),
];

/// Logs the error that was raised. `is_start`: while the script's own statements ran.
pub(crate) fn log_error(is_start: bool) {
    let error = caught();
    if lines(&error, is_start).map(|lines| lines.iter().for_each(|line| arena_sdk::log(line))).is_err() {
        let _ = caught();
        arena_sdk::log("an error without a message");
    }
}

fn lines(error: &Value, is_start: bool) -> Result<Vec<String>> {
    let (class, text) = (error.class_name()?, error.to_text()?);
    let message = if text.is_empty() { class.clone() } else { format!("{class}: {text}") };
    let mut places = [Place::NONE; PLACES_MAX];
    let count = error.trace(&mut places);
    let column = if class == "SyntaxError" || class == "IndentationError" { py::column() } else { 0 };
    Ok(report(&message, &places[..count], column, is_start))
}

/// Logs that a script has used up its fuel, and where.
pub(crate) fn log_out_of_fuel(is_start: bool) {
    let mut places = [Place::NONE; PLACES_MAX];
    let count = py::running(&mut places);
    let what = if is_start { "the start" } else { "the turn" };
    let lines = report(&format!("OutOfFuel: {what} has used up its fuel here"), &places[..count], 0, is_start);
    lines.iter().for_each(|line| arena_sdk::log(line));
}

fn report(message: &str, places: &[Place], column: usize, is_start: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let is_syntax = message.starts_with("SyntaxError") || message.starts_with("IndentationError");
    let found = if is_syntax { places.first() } else { places.iter().find(|place| place.file() == SCRIPT_NAME) };
    match found {
        Some(Place { line, .. }) if column > 0 => {
            let column = letters_before(*line as usize, column) + 1;
            lines.push(format!("{SCRIPT_NAME}:{line}:{column}: {message}"));
            lines.extend(quoted(*line as usize, column));
        }
        Some(Place { line, .. }) => {
            lines.push(format!("{SCRIPT_NAME}:{line}: {message}"));
            lines.extend(quoted(*line as usize, 0));
        }
        None => lines.push(format!("{SCRIPT_NAME}: {message}")),
    }
    if !is_syntax {
        let start = if is_start { "the start" } else { "<module>" };
        lines.extend(places.iter().take(FRAMES_MAX).map(|place| {
            let function = if place.function() == "<module>" { start } else { place.function() };
            format!("    in {function} ({}:{})", place.file(), place.line)
        }));
    }
    let hint = HINTS.iter().find(|(what, _)| message.contains(what)).map(|(_, hint)| *hint);
    let hint = hint.or_else(|| of_line(message, lines.get(1)?));
    lines.extend(hint.map(|hint| format!("hint: {hint}")));
    lines.into_iter().map(clipped).collect()
}

/// A hint from the line of a syntax error.
fn of_line(message: &str, line: &str) -> Option<&'static str> {
    let line = line.trim_start();
    match () {
        () if !message.starts_with("SyntaxError") => None,
        () if line.starts_with("match ") => Some("there is no `match` here: use if and elif, or a dict of functions"),
        () if line.starts_with("def ") && line.contains('/') => {
            Some("parameters cannot be positional only here: leave out the `/`")
        }
        () => None,
    }
}

fn clipped(mut line: String) -> String {
    if line.len() > 2 * LINE_MAX {
        let end = (0..2 * LINE_MAX).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
        line.truncate(end);
    }
    line
}

/// The letters before a column of MicroPython's, which counts a tab as the columns up to the next eighth.
fn letters_before(row: usize, column: usize) -> usize {
    let line = script().lines().nth(row.saturating_sub(1)).unwrap_or_default();
    let mut at = 1_usize;
    let is_before = |letter: &char| {
        at = if *letter == '\t' { at.div_ceil(8) * 8 + 1 } else { at + 1 };
        at <= column
    };
    line.chars().take_while(is_before).count()
}

/// The row of the script, with a caret below its column if it is known; of long rows what is around it.
fn quoted(row: usize, col: usize) -> Vec<String> {
    let Some(line) = script().lines().nth(row.saturating_sub(1)) else { return Vec::new() };
    let at = col.saturating_sub(1);
    let from = if at > LINE_MAX / 2 && line.chars().count() > LINE_MAX { at - LINE_MAX / 2 } else { 0 };
    let shown: String = line.chars().skip(from).take(LINE_MAX).collect();
    if col == 0 {
        return vec![shown];
    }
    let before = line.chars().skip(from).take(at - from).map(|letter| if letter == '\t' { '\t' } else { ' ' });
    let caret = before.chain(['^']).collect();
    vec![shown, caret]
}

/// Logs why there is nothing to play with.
pub(crate) fn log_no_turn() {
    arena_sdk::log(&format!("{SCRIPT_NAME}: there is no function `turn`"));
    arena_sdk::log("hint: write `def turn(o): return place(...)`: it is called in each turn and returns an action");
}
