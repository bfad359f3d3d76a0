//! Finds U+0000 in bytes before they are parsed. `fuzz/targets/text.rs` compares it with what parsers find in them.

/// Whether a text in JSON has U+0000, which JSON writes with an escape only.
pub(super) fn json_has_null(json: &[u8]) -> bool {
    const ESCAPE: &[u8] = b"\\u0000";
    let escapes = json.windows(ESCAPE.len()).enumerate().filter(|(_, window)| *window == ESCAPE);
    // A backslash before it may itself be escaped.
    let is_one = |at: usize| json[..at].iter().rev().take_while(|byte| **byte == b'\\').count() % 2 == 0;
    escapes.map(|(at, _)| at).any(is_one)
}

/// Whether a form, a path or a query has it.
pub(super) fn form_has_null(text: &[u8]) -> bool {
    text.contains(&0) || text.windows(3).any(|window| window == b"%00")
}
