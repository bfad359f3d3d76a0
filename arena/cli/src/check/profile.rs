//! Which functions the bot's fuel goes to, as a table and as folded stacks for flame graphs.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};
use std::io::Write;

use anyhow::Result;
use arena_runner::{PROFILE_POINTS, Stack};
use arena_sandbox::Frame;
use serde::Serialize;

use super::field;
use crate::shown;

/// Functions shown.
const FUNCTIONS_SHOWN: usize = 8;
/// Characters of a function's name shown.
const NAME_CHARS_SHOWN: usize = 72;
/// Bytes of a mangled name's source that are read.
const NAME_BYTES_READ: usize = 1_000;
/// Where the fuel went that no function can be named for.
const ENDING: &str = "(the end of a turn)";

/// What `--json` says of the functions that use most fuel.
#[derive(Serialize)]
pub(super) struct Profile {
    /// At how many points of the fuel they were seen.
    points: u64,
    functions: Vec<FunctionUse>,
    /// The fuel at which it was cut, where it was: with more there would be more points.
    #[serde(skip_serializing_if = "Option::is_none")]
    cut_at_fuel: Option<u64>,
    /// Whether the module names none of them.
    #[serde(skip)]
    is_nameless: bool,
}

/// What `--json` says of a function. Its name is escaped.
#[derive(Serialize)]
struct FunctionUse {
    function: String,
    /// Percent of the fuel that it used itself.
    self_percent: f64,
    /// Percent that it and whatever it called used.
    total_percent: f64,
}

/// What a function is called: by its number where the module does not say. A name that Rust's compiler has mangled is read. What is
/// shown has no character with which folded stacks are written, and cannot be taken for a function without a name.
pub(super) fn name(frame: &Frame) -> String {
    let number = format!("func[{}]", frame.function);
    let Some(name) = frame.name.as_ref().filter(|name| !name.is_empty()) else { return number };
    // LLVM marks what is private to a module with `.L`.
    let name = name.strip_prefix(".L").unwrap_or(name);
    let shown = shown::name(&demangled(name).replace(';', ","), NAME_CHARS_SHOWN);
    let is_plain = shown.trim() == shown && !shown.starts_with("func[") && !shown.starts_with('(');
    if is_plain { shown } else { format!("\"{shown}\"") }
}

/// The name as it is in the source, without the compiler's hash, where it is a mangled one.
fn demangled(name: &str) -> String {
    let Ok(path) = rustc_demangle::try_demangle(name) else { return name.into() };
    let mut start = Start(String::new());
    if write!(start, "{path:#}").is_err() {
        start.0.push_str("...");
    }
    start.0
}

/// The first characters of what is written. A short mangled name can stand for a very long one: so it is not written to its end.
struct Start(String);

impl fmt::Write for Start {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.push_str(text);
        if self.0.len() > NAME_BYTES_READ { Err(fmt::Error) } else { Ok(()) }
    }
}

/// What the functions of some stacks are called. Different functions have different names: those that have not get their numbers.
fn names(stacks: &[Stack]) -> BTreeMap<u32, String> {
    let frames = stacks.iter().flat_map(|stack| &stack.functions);
    let mut names: BTreeMap<u32, String> = frames.map(|frame| (frame.function, name(frame))).collect();
    let mut bearers: BTreeMap<String, u32> = BTreeMap::new();
    for name in names.values() {
        *bearers.entry(name.clone()).or_default() += 1;
    }
    for (function, name) in &mut names {
        if bearers.get(name).is_some_and(|bearers| *bearers > 1) {
            *name = format!("{name} func[{function}]");
        }
    }
    names
}

/// A stack by the names of its functions, the outermost first.
fn named<'a>(stack: &Stack, names: &'a BTreeMap<u32, String>) -> Vec<&'a str> {
    let named: Vec<&str> =
        stack.functions.iter().filter_map(|frame| names.get(&frame.function)).map(String::as_str).collect();
    if named.is_empty() { vec![ENDING] } else { named }
}

impl Profile {
    pub(super) fn of(profile: &arena_runner::Profile) -> Profile {
        let arena_runner::Profile { stacks, cut_at } = profile;
        let mut frames = stacks.iter().flat_map(|stack| &stack.functions).peekable();
        Profile {
            points: stacks.iter().map(|stack| stack.points).sum(),
            functions: costliest(stacks),
            cut_at_fuel: *cut_at,
            is_nameless: frames.peek().is_some() && frames.all(|frame| frame.name.is_none()),
        }
    }
}

/// The functions that use most themselves, and what they use with all they call.
fn costliest(stacks: &[Stack]) -> Vec<FunctionUse> {
    let names = names(stacks);
    let mut uses: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for stack in stacks {
        let functions = named(stack, &names);
        if let Some(innermost) = functions.last() {
            uses.entry(innermost).or_default().0 += stack.points;
        }
        // A function that calls itself is there once.
        for name in functions.into_iter().collect::<BTreeSet<_>>() {
            uses.entry(name).or_default().1 += stack.points;
        }
    }
    let all: u64 = stacks.iter().map(|stack| stack.points).sum();
    let share = |points: u64| 100.0 * points as f64 / all.max(1) as f64;
    let mut uses: Vec<(&str, (u64, u64))> = uses.into_iter().collect();
    // Stable: equal ones stay in the order of their names.
    uses.sort_by_key(|(_, points)| std::cmp::Reverse(*points));
    let shown = uses.into_iter().take(FUNCTIONS_SHOWN);
    let shown = shown.map(|(function, (own, total))| FunctionUse {
        function: function.into(),
        self_percent: share(own),
        total_percent: share(total),
    });
    shown.collect()
}

/// A line for each stack, as tools for flame graphs read them: `outermost;...;innermost points`.
pub(super) fn folded_stacks(stacks: &[Stack]) -> String {
    let names = names(stacks);
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    for stack in stacks {
        *lines.entry(named(stack, &names).join(";")).or_default() += stack.points;
    }
    lines.iter().map(|(names, points)| format!("{names} {points}\n")).collect()
}

/// Whether a text can be one of [`folded_stacks`]: every line ends in a number of points.
pub(super) fn is_folded_stacks(text: &str) -> bool {
    text.lines().all(|line| line.rsplit_once(' ').is_some_and(|(_, points)| points.parse::<u64>().is_ok()))
}

pub(super) fn explain(out: &mut dyn Write, profile: Option<&Profile>) -> Result<()> {
    let Some(Profile { points, functions, cut_at_fuel, is_nameless }) = profile else {
        return field(
            out,
            "fuel",
            "by function: not looked for, that would use more than the sample games; `--profile` does it",
        );
    };
    if functions.is_empty() {
        return field(out, "fuel", "by function: the fuel of no turn is known");
    }
    field(out, "fuel", &format!("by function, seen at {points} points spread over the fuel of both games:"))?;
    if let Some(fuel) = cut_at_fuel {
        let fuel = shown::grouped(*fuel);
        field(out, "", &format!("(cut at {fuel} fuel; `--profile` sees {PROFILE_POINTS} points)"))?;
    }
    writeln!(out, "    {:>8} {:>8}  function", "self", "total")?;
    for FunctionUse { function, self_percent, total_percent } in functions {
        let share = |percent: &f64| format!("{percent:.0} %");
        writeln!(out, "    {:>8} {:>8}  {function}", share(self_percent), share(total_percent))?;
    }
    if *is_nameless {
        field(out, "", "functions by number: the build left the names out of the module")?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: u32, name: Option<&str>) -> Frame {
        Frame { function, name: name.map(Into::into) }
    }

    #[test]
    fn names_are_escaped_bounded_and_never_split_a_stack() {
        assert_eq!(name(&frame(7, None)), "func[7]");
        assert_eq!(name(&frame(7, Some("a;b\x1b[31m\u{202e}\n"))), "a,b\\u{1b}[31m\\u{202e}\\u{a}");
        assert_eq!(name(&frame(7, Some(".Lbot.value"))), "bot.value");
        for empty in [None, Some("")] {
            assert_eq!(name(&frame(7, empty)), "func[7]");
        }
        for forged in ["func[9]", ENDING, " "] {
            assert_eq!(name(&frame(7, Some(forged))), format!("\"{forged}\""));
        }
        let long = name(&frame(7, Some(&"n".repeat(1_000))));
        assert_eq!(long.chars().count(), NAME_CHARS_SHOWN + 3);
    }

    #[test]
    fn mangled_names_are_read_and_what_they_hide_is_escaped_and_bounded() {
        let read = |mangled: &str| name(&frame(7, Some(mangled)));
        assert_eq!(read("_ZN9arena_sdk3kit7Weights5worth17h7d989c87a6989bfeE"), "arena_sdk::kit::Weights::worth");
        assert_eq!(read("_RNvCsABCD_3bot4turn"), "bot::turn");
        assert_eq!(read("_ZN5a$C$b1cE"), "a,b::c");
        assert_eq!(read("_ZN10\u{1b}[31m;abcdE"), "\\u{1b}[31m,abcd");
        for broken in
            [format!("_ZN{}1aE", "1a".repeat(200)), "_ZN99999999999999999999aE".into(), "_RINvC1a1fB_E".into()]
        {
            assert!(read(&broken).chars().count() <= NAME_CHARS_SHOWN + 3, "{broken}");
        }
    }

    /// Each type is a pair of the one before, which is named by its place: a name of a few hundred bytes stands for millions.
    #[test]
    fn a_name_that_doubles_itself_is_not_written_to_its_end() {
        const DIGITS: &[u8; 62] = b"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
        let digit = |number: usize| char::from(DIGITS[number]);
        let mut mangled = String::from("INvC1a1f");
        let mut last = mangled.len();
        mangled.push_str("TuuE");
        while mangled.len() < 400 {
            let place = match last - 1 {
                small @ 0..62 => digit(small).to_string(),
                large => format!("{}{}", digit(large / 62), digit(large % 62)),
            };
            last = mangled.len();
            mangled.push_str(&format!("TB{place}_B{place}_E"));
        }
        let shown = name(&frame(7, Some(&format!("_R{mangled}E"))));
        assert!(shown.starts_with("a::f::<((), ()), (((), (") && shown.ends_with("..."), "{shown}");
        assert_eq!(shown.chars().count(), NAME_CHARS_SHOWN + 3);
        let read = demangled(&format!("_R{mangled}E"));
        assert!(read.len() <= NAME_BYTES_READ + 10, "{} bytes were written", read.len());
    }

    #[test]
    fn shares_are_of_all_points_and_a_recursion_counts_once() {
        let (turn, deep, leaf) = (frame(1, Some("turn")), frame(2, Some("deep")), frame(3, None));
        let stack = |functions: &[&Frame], points| Stack {
            functions: functions.iter().map(|f| (*f).clone()).collect(),
            points,
        };
        let stacks =
            [stack(&[], 1), stack(&[&turn], 1), stack(&[&turn, &deep, &deep], 5), stack(&[&turn, &deep, &leaf], 3)];
        let shown: Vec<(String, f64, f64)> = costliest(&stacks)
            .into_iter()
            .map(|FunctionUse { function, self_percent, total_percent }| (function, self_percent, total_percent))
            .collect();
        assert_eq!(
            shown,
            [
                ("deep".into(), 50.0, 80.0),
                ("func[3]".into(), 30.0, 30.0),
                ("turn".into(), 10.0, 90.0),
                (ENDING.into(), 10.0, 10.0),
            ]
        );
        assert_eq!(folded_stacks(&stacks), "(the end of a turn) 1\nturn 1\nturn;deep;deep 5\nturn;deep;func[3] 3\n");
    }
}
