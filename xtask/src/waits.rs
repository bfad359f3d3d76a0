//! A test of the tests: all that wait do so with `arena/tests/eventually.rs`, which names what it waits for and gives
//! up.
//!
//! It reads the tokens of the integration tests below `arena`. Nothing sleeps or spins, and no `loop` or `while` asks a
//! site, a database or a process again. A `for` may: it has an end. So may a `while let` that takes one thing after
//! another out of a list: it asks about each.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The file in which tests wait.
const HELPER: &str = "arena/tests/eventually.rs";

/// Functions that let time pass, by the end of their paths.
const SLEEPS: [&str; 6] = ["sleep", "sleep_ms", "sleep_until", "park_timeout", "spin_loop", "thread::yield_now"];

/// What asks: functions and methods.
const ASKS: [&str; 7] = ["ask", "try_ask", "sql", "try_sql", "try_wait", "is_running", "exists"];

/// What takes something out of a list, and what puts something back. A set that is inserted into knows what it had.
const TAKES: [&str; 5] = ["next", "pop", "pop_back", "pop_first", "pop_front"];
const PUTS: [&str; 3] = ["push", "push_back", "push_front"];

/// What is wrong with some tokens.
fn faults(tokens: TokenStream) -> Vec<String> {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let mut found = Vec::new();
    for (at, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => found.extend(faults(group.stream())),
            TokenTree::Ident(word) if is_called(&tokens, at) => {
                let path = path_before(&tokens, at) + &word.to_string();
                if SLEEPS.iter().any(|sleep| path == *sleep || path.ends_with(&format!("::{sleep}"))) {
                    found.push(format!("`{path}`"));
                }
            }
            TokenTree::Ident(word) if word == "loop" || word == "while" => {
                let after = &tokens[at + 1..];
                let end = after.iter().enumerate().position(|(place, token)| is_body(token, after.get(place + 1)));
                let end = end.map_or(after.len(), |end| end + 1);
                let (condition, body) = after[..end].split_at(end.saturating_sub(1));
                let ends = takes(condition) && called(body.iter().cloned().collect(), &PUTS).is_none();
                let looked_at = if ends { condition } else { &after[..end] };
                let asks = called(looked_at.iter().cloned().collect(), &ASKS);
                found.extend(asks.map(|asks| format!("a `{word}` with `{asks}`")));
            }
            _ => {}
        }
    }
    found
}

/// Whether the word at a place is a function that is called, no method or definition.
fn is_called(tokens: &[TokenTree], at: usize) -> bool {
    let is_before = |text: &str| at > 0 && tokens[at - 1].to_string() == text;
    let has_arguments =
        matches!(tokens.get(at + 1), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis);
    has_arguments && !is_before(".") && !is_before("fn")
}

/// The path before a word, with its last colons.
fn path_before(tokens: &[TokenTree], at: usize) -> String {
    let is_path = |token: &&TokenTree| match token {
        TokenTree::Ident(_) => true,
        TokenTree::Punct(punct) => punct.as_char() == ':',
        _ => false,
    };
    let is_colon = at > 0 && tokens[at - 1].to_string() == ":";
    let words: Vec<String> = tokens[..at].iter().rev().take_while(is_path).map(ToString::to_string).collect();
    if is_colon { words.into_iter().rev().collect() } else { String::new() }
}

/// Whether a token is the body of a loop, and no pattern such as `Answer { .. } =`.
fn is_body(token: &TokenTree, next: Option<&TokenTree>) -> bool {
    let is_pattern = matches!(next, Some(TokenTree::Punct(punct)) if punct.as_char() == '=');
    matches!(token, TokenTree::Group(body) if body.delimiter() == Delimiter::Brace) && !is_pattern
}

/// Whether a condition is `let PATTERN = LIST.next()` or the like.
fn takes(condition: &[TokenTree]) -> bool {
    let is_let = condition.first().is_some_and(|word| word.to_string() == "let");
    is_let && called(condition.iter().rev().take(2).rev().cloned().collect(), &TAKES).is_some()
}

/// The first of these functions that is called, wherever in some tokens.
fn called(tokens: TokenStream, names: &[&str]) -> Option<String> {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        match token {
            TokenTree::Group(group) => {
                if let Some(name) = called(group.stream(), names) {
                    return Some(name);
                }
            }
            TokenTree::Ident(word) if names.iter().any(|name| word == *name) => {
                if matches!(tokens.peek(), Some(TokenTree::Group(group)) if group.delimiter() == Delimiter::Parenthesis)
                {
                    return Some(word.to_string());
                }
            }
            _ => {}
        }
    }
    None
}

/// Reads the tests of a folder; what is wrong with each.
fn look(folder: &Path, found: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            look(&path, found)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with(HELPER) {
            let tokens = fs::read_to_string(&path)?.parse::<TokenStream>();
            let tokens = tokens.map_err(|error| anyhow::anyhow!("{}: {error}", path.display()))?;
            found.extend(faults(tokens).into_iter().map(|fault| format!("{}: {fault}", path.display())));
        }
    }
    Ok(())
}

#[test]
fn tests_wait_with_the_helper_alone() -> Result<()> {
    let arena = Path::new(env!("CARGO_MANIFEST_DIR")).join("../arena");
    let mut found = Vec::new();
    look(&arena.join("tests"), &mut found)?;
    for entry in fs::read_dir(&arena)? {
        let tests = entry?.path().join("tests");
        if tests.is_dir() {
            look(&tests, &mut found)?;
        }
    }
    assert!(found.is_empty(), "these wait without `{HELPER}`:\n{}", found.join("\n"));
    Ok(())
}

#[test]
fn what_waits_is_found_and_nothing_else() -> Result<()> {
    for (text, count) in [
        ("fn a() { std::thread::sleep(PAUSE); }", 1),
        ("async fn a() { sleep(PAUSE).await }", 1),
        ("fn a() { std::thread::yield_now(); }", 1),
        ("fn a() { while !site.ask(get(\"/\")).is_ok() {} }", 1),
        ("fn a() { loop { if child.try_wait().is_some() { break; } } }", 1),
        ("fn a() { while let Some(answer) = site.try_ask(get(\"/\")) {} }", 1),
        ("fn a() { while let Err(_) = found { found = site.ask(get(\"/\")); } }", 1),
        ("fn a() { while let Answer { .. } = site.ask(get(\"/\")) {} }", 1),
        ("fn a() { while let Some(id) = ids.pop_front() { if !site.exists(id) { ids.push_back(id); } } }", 1),
        ("fn a() { while let Some(link) = links.pop_first() { site.ask(get(link)); } }", 0),
        ("fn a() { clock.sleep(PAUSE); tokio::task::yield_now().await; }", 0),
        ("fn a() { for _ in 0..3 { site.ask(get(\"/\")); } while let Some(line) = lines.next() {} }", 0),
    ] {
        let tokens = text.parse::<TokenStream>().map_err(|error| anyhow::anyhow!("{text}: {error}"))?;
        assert_eq!(faults(tokens).len(), count, "{text}");
    }
    Ok(())
}
