//! Errors as the author reads them: place, message, line, caret and stack.

use crate::js::{Result, Value, caught};
use crate::{SCRIPT_NAME, script};

/// Lines of a stack, and bytes of a line. With the rest they fit into what the log keeps.
const FRAMES_MAX: usize = 8;
const LINE_MAX: usize = 120;

/// What a script may miss, and what there is instead.
const HINTS: &[(&str, &str)] = &[
    ("require is not defined", "a bot is one file: paste what you need into it; there are no modules"),
    ("could not load module", "a bot is one file: paste what you need into it; there are no modules"),
    ("module is not defined", "leave out `module.exports`: a function with the name turn is enough"),
    ("exports is not defined", "leave out `exports`: a function with the name turn is enough"),
    ("Date is not defined", "a bot has no clock: fuel() tells how much of the turn is left, o.ply which turn it is"),
    ("performance is not defined", "a bot has no clock: fuel() tells how much of the turn is left"),
    ("setTimeout is not defined", "a bot has no clock: all is computed within turn(o)"),
    ("setInterval is not defined", "a bot has no clock: all is computed within turn(o)"),
    ("fetch is not defined", "a bot has no network"),
    ("process is not defined", "a bot runs alone: there is no process, no file and no network"),
    ("window is not defined", "a bot has no page: use globalThis for global variables"),
    ("document is not defined", "a bot has no page: log(...) writes to its log"),
    ("alert is not defined", "log(...) writes to the bot's log"),
    ("print is not defined", "log(...) writes to the bot's log"),
    ("prompt is not defined", "nothing can be asked: turn(o) gets all there is to know"),
    ("Proxy is not defined", "there is no Proxy here: use a class with getters"),
    ("WeakRef is not defined", "there are no weak references here: use a Map"),
    ("Buffer is not defined", "use Uint8Array"),
    (
        "structuredClone is not defined",
        "JSON.parse(JSON.stringify(value)) copies plain values; board.copy() copies a board",
    ),
    ("out of memory", "a bot has 4 MiB in all; keep less, or use typed arrays"),
    ("Maximum call stack", "calls nest some 300 deep: use a loop, or a list of what is left to do"),
];

/// Logs the error that was thrown. `is_start`: while the script's own statements ran.
pub(crate) fn log_error(is_start: bool) {
    let error = caught();
    if lines(&error, is_start).map(|lines| lines.iter().for_each(|line| arena_sdk::log(line))).is_err() {
        drop(caught());
        arena_sdk::log("an error without a message");
    }
}

fn lines(error: &Value, is_start: bool) -> Result<Vec<String>> {
    let message = if error.is_end() {
        let what = if is_start { "the start" } else { "the turn" };
        format!("OutOfFuel: {what} has used up its fuel here")
    } else if error.is_object() {
        error.to_text()?
    } else {
        format!("uncaught {}", error.to_text()?)
    };
    let stack = if error.is_object() { error.get(c"stack")? } else { Value::UNDEFINED };
    let stack = if stack.is_string() { stack.to_text()? } else { String::new() };
    let mut lines = Vec::new();
    match place(&stack) {
        Some((row, col)) => {
            lines.push(format!("{SCRIPT_NAME}:{row}:{col}: {message}"));
            lines.extend(quoted(row, col));
        }
        None => lines.push(format!("{SCRIPT_NAME}: {message}")),
    }
    if !message.starts_with("SyntaxError") {
        let frames = stack.lines().filter(|line| !line.contains("<eval>") || is_start).take(FRAMES_MAX);
        lines.extend(frames.map(|line| line.replace("<eval>", "the start").to_string()));
    }
    lines.extend(hint(&message, place(&stack)).map(|hint| format!("hint: {hint}")));
    Ok(lines.into_iter().map(clipped).collect())
}

fn clipped(mut line: String) -> String {
    if line.len() > 2 * LINE_MAX {
        let end = (0..2 * LINE_MAX).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
        line.truncate(end);
    }
    line
}

/// Row and column of the first place in the script that a stack names.
fn place(stack: &str) -> Option<(usize, usize)> {
    let (_, after) = stack.split_once("bot.js:")?;
    let mut numbers = after.split(|letter: char| !letter.is_ascii_digit()).map(str::parse);
    Some((numbers.next()?.ok()?, numbers.next()?.ok()?))
}

/// The row of the script with a caret below its column; of long rows what is around it.
fn quoted(row: usize, col: usize) -> Vec<String> {
    let Some(line) = script().lines().nth(row.saturating_sub(1)) else { return Vec::new() };
    let at = col.saturating_sub(1);
    let from = if at > LINE_MAX / 2 && line.chars().count() > LINE_MAX { at - LINE_MAX / 2 } else { 0 };
    let shown: String = line.chars().skip(from).take(LINE_MAX).collect();
    let before = line.chars().skip(from).take(at - from).map(|letter| if letter == '\t' { '\t' } else { ' ' });
    let caret = before.chain(['^']).collect();
    vec![shown, caret]
}

fn hint(message: &str, place: Option<(usize, usize)>) -> Option<&'static str> {
    if let Some((_, hint)) = HINTS.iter().find(|(what, _)| message.contains(what)) {
        return Some(hint);
    }
    let line = script().lines().nth(place?.0.saturating_sub(1))?.trim_start();
    match () {
        () if !message.starts_with("SyntaxError") => None,
        () if line.starts_with("export") => Some("leave out `export`: a function with the name turn is enough"),
        () if line.starts_with("import") => {
            Some("a bot is one file: paste what you need into it; there are no modules")
        }
        () => None,
    }
}

/// Logs why there is nothing to play with.
pub(crate) fn log_no_turn() {
    arena_sdk::log(&format!("{SCRIPT_NAME}: there is no function `turn`"));
    arena_sdk::log(
        "hint: write `function turn(o) { return place(...) }`: it is called in each turn and returns an action",
    );
}
