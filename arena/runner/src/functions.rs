//! The functions of a profile: their names, which are hostile text, and the fuel that each used.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write as _};

use arena_sandbox::{Frame, Used};
use serde::Serialize;

use crate::Stack;

/// Characters of a function's name shown.
const NAME_CHARS_SHOWN: usize = 72;
/// Bytes of a mangled name that are demangled.
const NAME_BYTES_READ: usize = 1_000;
/// Stands for fuel that cannot be attributed to a function.
const ENDING: &str = "(the end of a turn)";

/// A function's share of a profile's fuel.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct FunctionUse {
    /// Its name: see [`function_name`]. Of a script, a line: `bot.js:12`.
    pub function: String,
    /// The percentage of the fuel that it used itself.
    pub self_percent: f64,
    /// The percentage that it and the functions it called used.
    pub total_percent: f64,
    /// The same as fuel, where it is counted: of functions, not of lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub self_fuel: Option<u64>,
    /// The same as fuel.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_fuel: Option<u64>,
}

/// A name from a module in at most `most` characters, each one column wide: ASCII, or escaped. Longer names are cut in
/// the middle, because a name's end says most.
pub fn plain(name: &str, most: usize) -> String {
    let mut shown = String::new();
    for letter in name.chars() {
        match letter {
            ' '..='~' => shown.push(letter),
            _ => shown.extend(letter.escape_unicode()),
        }
    }
    let cut = shown.len().saturating_sub(most);
    if cut > 0 {
        shown.replace_range(most / 3..most / 3 + cut, "...");
    }
    shown
}

/// A function's name, demangled if it is a mangled Rust name, or its number if the module has no name for it. The
/// result contains no character with a meaning in folded stacks, and cannot be mistaken for a function without a name.
pub fn function_name(frame: &Frame) -> String {
    let number = format!("func[{}]", frame.function);
    let Some(name) = frame.name.as_ref().filter(|name| !name.is_empty()) else { return number };
    // LLVM's prefix `.L` marks names that are private to a module.
    let name = name.strip_prefix(".L").unwrap_or(name);
    let shown = plain(&demangled(name).replace(';', ","), NAME_CHARS_SHOWN);
    let is_plain = shown.trim() == shown && !shown.starts_with("func[") && !shown.starts_with('(');
    if is_plain { shown } else { format!("\"{shown}\"") }
}

/// The name in the source, without the compiler's hash, if it is mangled.
fn demangled(name: &str) -> String {
    let Ok(path) = rustc_demangle::try_demangle(name) else { return name.into() };
    let mut start = Start(String::new());
    if write!(start, "{path:#}").is_err() {
        start.0.push_str("...");
    }
    start.0
}

/// The first characters written. A short mangled name can stand for a very long one, so writing stops there.
struct Start(String);

impl fmt::Write for Start {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.push_str(text);
        if self.0.len() > NAME_BYTES_READ { Err(fmt::Error) } else { Ok(()) }
    }
}

/// Names for the functions of some stacks.
fn names(stacks: &[Stack]) -> BTreeMap<u32, String> {
    told_apart(stacks.iter().flat_map(|stack| &stack.functions))
}

/// Names for functions. Those with equal names get their numbers as well.
fn told_apart<'a>(frames: impl Iterator<Item = &'a Frame>) -> BTreeMap<u32, String> {
    let mut names: BTreeMap<u32, String> = frames.map(|frame| (frame.function, function_name(frame))).collect();
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

/// A stack as names of functions, the outermost first.
fn named<'a>(stack: &Stack, names: &'a BTreeMap<u32, String>) -> Vec<&'a str> {
    let named: Vec<&str> =
        stack.functions.iter().filter_map(|frame| names.get(&frame.function)).map(String::as_str).collect();
    if named.is_empty() { vec![ENDING] } else { named }
}

/// The functions that used most fuel themselves, at most `most` of them, as it was counted. `names` are those of the
/// module.
pub fn costliest_functions(used: &[Used], names: &BTreeMap<u32, String>, most: usize) -> Vec<FunctionUse> {
    let named = |used: &Used| Frame { function: used.function, name: names.get(&used.function).cloned() };
    let mut names = told_apart(used.iter().map(named).collect::<Vec<_>>().iter());
    let named = |used: &Used| (names.remove(&used.function).unwrap_or_default(), used.alone, used.with_calls);
    first(used.iter().map(named), true, most)
}

/// The functions that were running at most points, at most `most` of them, with what they and their callees used.
pub fn costliest(stacks: &[Stack], most: usize) -> Vec<FunctionUse> {
    let names = names(stacks);
    let mut uses: BTreeMap<&str, (u64, u64)> = BTreeMap::new();
    for stack in stacks {
        let functions = named(stack, &names);
        if let Some(innermost) = functions.last() {
            uses.entry(innermost).or_default().0 += stack.points;
        }
        // A recursive function counts once.
        for name in functions.into_iter().collect::<BTreeSet<_>>() {
            uses.entry(name).or_default().1 += stack.points;
        }
    }
    first(uses.into_iter().map(|(name, (own, total))| (name.into(), own, total)), false, most)
}

/// The first functions of these, each with what it used itself and with its callees, in fuel or in points.
fn first(uses: impl Iterator<Item = (String, u64, u64)>, is_fuel: bool, most: usize) -> Vec<FunctionUse> {
    let mut uses: Vec<(String, u64, u64)> = uses.collect();
    let all: u64 = uses.iter().map(|(_, own, _)| own).sum();
    let share = |part: u64| 100.0 * part as f64 / all.max(1) as f64;
    // A stable sort: equal ones stay in their order.
    uses.sort_by_key(|(_, own, total)| std::cmp::Reverse((*own, *total)));
    let shown = uses.into_iter().filter(|(.., total)| *total > 0).take(most);
    let shown = shown.map(|(function, own, total)| FunctionUse {
        function,
        self_percent: share(own),
        total_percent: share(total),
        self_fuel: is_fuel.then_some(own),
        total_fuel: is_fuel.then_some(total),
    });
    shown.collect()
}

/// One line for each stack, in the format of tools for flame graphs: `outermost;...;innermost points`.
pub fn folded_stacks(stacks: &[Stack]) -> String {
    let names = names(stacks);
    let mut lines: BTreeMap<String, u64> = BTreeMap::new();
    for stack in stacks {
        *lines.entry(named(stack, &names).join(";")).or_default() += stack.points;
    }
    lines.iter().map(|(names, points)| format!("{names} {points}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: u32, name: Option<&str>) -> Frame {
        Frame { function, name: name.map(Into::into) }
    }

    #[test]
    fn names_are_escaped_bounded_and_never_split_a_stack() {
        assert_eq!(function_name(&frame(7, None)), "func[7]");
        assert_eq!(function_name(&frame(7, Some("a;b\x1b[31m\u{202e}\n"))), "a,b\\u{1b}[31m\\u{202e}\\u{a}");
        assert_eq!(function_name(&frame(7, Some(".Lbot.value"))), "bot.value");
        for empty in [None, Some("")] {
            assert_eq!(function_name(&frame(7, empty)), "func[7]");
        }
        for forged in ["func[9]", ENDING, " "] {
            assert_eq!(function_name(&frame(7, Some(forged))), format!("\"{forged}\""));
        }
        let long = function_name(&frame(7, Some(&"n".repeat(1_000))));
        assert_eq!(long.chars().count(), NAME_CHARS_SHOWN + 3);
    }

    #[test]
    fn mangled_names_are_read_and_what_they_hide_is_escaped_and_bounded() {
        let read = |mangled: &str| function_name(&frame(7, Some(mangled)));
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

    /// Each type is a pair of the one before, referred to by position, so a name of a few hundred bytes stands for
    /// millions.
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
        let shown = function_name(&frame(7, Some(&format!("_R{mangled}E"))));
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
        let shown: Vec<(String, f64, f64)> = costliest(&stacks, 8)
            .into_iter()
            .map(|FunctionUse { function, self_percent, total_percent, .. }| (function, self_percent, total_percent))
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

    #[test]
    fn a_name_has_a_column_for_each_character_and_keeps_its_ends() {
        assert_eq!(plain("arena_turn", 72), "arena_turn");
        assert_eq!(plain("e\u{301}\u{3164}棋\n", 72), "e\\u{301}\\u{3164}\\u{68cb}\\u{a}");
        assert_eq!(plain("0123456789", 6), "01...6789");
        assert_eq!(plain("012345", 6), "012345");
        for most in [3, 10, 72] {
            let shown = plain(&"\u{202e}".repeat(1_000), most);
            assert!(shown.len() == most + 3 && shown.is_ascii(), "{shown}");
        }
    }
}
