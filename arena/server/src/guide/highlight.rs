//! Marks comments, strings, numbers and keywords in listings, by a table of languages. It parses no grammar: a word's
//! kind follows from its letters alone, so a listing that does not compile is highlighted as well.

use super::escaped;

/// The lexical rules of a language.
struct Language {
    /// Its name in Markdown fences.
    name: &'static str,
    /// What begins a comment up to the end of the line.
    line: &'static [&'static str],
    /// What begins and ends a block comment.
    block: Option<(&'static str, &'static str)>,
    /// The quotes around strings.
    quotes: &'static [char],
    /// Characters that a word may contain besides letters, digits and `_`.
    inside: &'static [char],
    keywords: &'static [&'static str],
}

#[rustfmt::skip]
const LANGUAGES: [Language; 8] = [
    Language { name: "rust", line: &["//"], block: Some(("/*", "*/")), quotes: &['"'], inside: &['!'], keywords: &[
        "as", "break", "const", "continue", "crate", "else", "enum", "extern", "false", "fn", "for", "if", "impl", "in", "let", "loop",
        "match", "mod", "move", "mut", "pub", "ref", "return", "self", "Self", "static", "struct", "super", "trait", "true", "type",
        "unsafe", "use", "where", "while",
    ] },
    Language { name: "c", line: &["//"], block: Some(("/*", "*/")), quotes: &['"', '\''], inside: &['#'], keywords: &[
        "#define", "#include", "#if", "#ifdef", "#ifndef", "#else", "#endif", "break", "bool", "case", "char", "const", "continue", "do",
        "else", "enum", "extern", "false", "for", "if", "int", "int32_t", "int64_t", "long", "return", "short", "signed", "sizeof",
        "static", "struct", "switch", "true", "typedef", "uint16_t", "uint32_t", "uint64_t", "uint8_t", "union", "unsigned", "void",
        "while",
    ] },
    Language { name: "zig", line: &["//"], block: None, quotes: &['"', '\''], inside: &['@'], keywords: &[
        "and", "break", "bool", "catch", "comptime", "const", "continue", "defer", "else", "enum", "error", "export", "extern", "false",
        "fn", "for", "if", "inline", "null", "or", "orelse", "pub", "return", "struct", "switch", "true", "try", "undefined", "union",
        "usize", "u8", "u16", "u32", "u64", "i32", "i64", "var", "void", "while", "@import",
    ] },
    Language { name: "ts", line: &["//"], block: Some(("/*", "*/")), quotes: &['"', '\'', '`'], inside: &['$'], keywords: &[
        "as", "bool", "break", "case", "class", "const", "continue", "else", "export", "extends", "false", "for", "from", "function",
        "if", "import", "in", "let", "new", "null", "of", "return", "static", "switch", "this", "true", "u8", "u16", "u32", "u64",
        "i32", "i64", "usize", "void", "while",
    ] },
    Language { name: "js", line: &["//"], block: Some(("/*", "*/")), quotes: &['"', '\'', '`'], inside: &['$'], keywords: &[
        "break", "case", "class", "const", "continue", "else", "extends", "false", "for", "function", "if", "in", "let", "new", "null",
        "of", "return", "static", "switch", "this", "throw", "true", "try", "while",
    ] },
    Language { name: "wat", line: &[";;"], block: Some(("(;", ";)")), quotes: &['"'], inside: &['.', '$', '-'], keywords: &[
        "block", "br", "br_if", "br_table", "call", "data", "drop", "else", "end", "export", "func", "global", "if", "import", "local",
        "loop", "memory", "module", "mut", "param", "result", "return", "select", "start", "table", "then", "type", "unreachable",
    ] },
    Language { name: "python", line: &["#"], block: Some(("\"\"\"", "\"\"\"")), quotes: &['"', '\''], inside: &[], keywords: &[
        "and", "as", "class", "def", "elif", "else", "except", "for", "from", "if", "import", "in", "is", "lambda", "None", "not",
        "or", "return", "True", "False", "try", "while", "with",
    ] },
    Language { name: "toml", line: &["#"], block: None, quotes: &['"', '\''], inside: &['-'], keywords: &["true", "false"] },
];

/// A listing as HTML. If its language is unknown, it is only escaped.
pub(crate) fn highlighted(code: &str, language: &str) -> String {
    let Some(language) = LANGUAGES.iter().find(|known| known.name == language) else { return escaped(code) };
    let mut html = String::new();
    let mut rest = code;
    while !rest.is_empty() {
        let (kind, length) = language.next(rest);
        let (token, after) = rest.split_at(length);
        match kind {
            Some(kind) => html.push_str(&format!("<span class=\"{kind}\">{}</span>", escaped(token))),
            None => html.push_str(&escaped(token)),
        }
        rest = after;
    }
    html
}

impl Language {
    /// The class of the text's first token, if it is marked, and its length in bytes: at least one.
    fn next(&self, text: &str) -> (Option<&'static str>, usize) {
        let line_end = text.find('\n').unwrap_or(text.len());
        if self.line.iter().any(|begins| text.starts_with(begins)) {
            return (Some("comment"), line_end);
        }
        if let Some((begins, ends)) = self.block.filter(|(begins, _)| text.starts_with(begins)) {
            let end = text[begins.len()..].find(ends).map_or(text.len(), |at| begins.len() + at + ends.len());
            return (Some("comment"), end);
        }
        let first = text.chars().next().unwrap_or_default();
        if self.quotes.contains(&first) {
            return (Some("text"), quoted(text, first));
        }
        if let Some(length) = character(text) {
            return (Some("text"), length);
        }
        let in_word = |c: char| c.is_alphanumeric() || c == '_' || self.inside.contains(&c);
        if !in_word(first) {
            return (None, first.len_utf8());
        }
        // A number continues after its decimal point.
        let end = if first.is_ascii_digit() {
            text.find(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.')))
        } else {
            text.find(|c: char| !in_word(c))
        };
        let word = &text[..end.unwrap_or(text.len())];
        let is_keyword = self.keywords.contains(&word) || self.name == "wat" && is_instruction(word);
        match () {
            () if first.is_ascii_digit() => (Some("number"), word.len()),
            () if is_keyword => (Some("keyword"), word.len()),
            () => (None, word.len()),
        }
    }
}

/// The length in bytes of a string with its quotes; up to the end of the line if it is not closed.
fn quoted(text: &str, quote: char) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            '\n' if quote != '`' => return at,
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return at + c.len_utf8(),
            _ => {}
        }
    }
    text.len()
}

/// The length in bytes of a character literal, which Rust has beside lifetimes.
fn character(text: &str) -> Option<usize> {
    let mut letters = text.char_indices();
    let (_, '\'') = letters.next()? else { return None };
    let (_, letter) = letters.next()?;
    if letter == '\\' {
        letters.next()?;
    }
    let (at, closing) = letters.next()?;
    (closing == '\'' && letter != '\n').then_some(at + 1)
}

/// Whether a word of WebAssembly text is an instruction, or a type in front of one.
fn is_instruction(word: &str) -> bool {
    let begins = word.split('.').next().unwrap_or_default();
    ["i32", "i64", "f32", "f64", "v128", "i8x16", "i16x8", "i32x4", "i64x2", "local", "global", "memory", "table"]
        .contains(&begins)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text without the marks.
    fn plain(html: &str) -> String {
        let mut text = String::new();
        for part in html.split('<') {
            text += if text.is_empty() && !html.starts_with('<') {
                part
            } else {
                part.split_once('>').map_or("", |(_, rest)| rest)
            };
        }
        text
    }

    #[test]
    fn words_are_marked_by_their_kinds() {
        let html = highlighted("let x = 0x1f; // a <b>\n", "rust");
        let wanted = "<span class=\"keyword\">let</span> x = <span class=\"number\">0x1f</span>; \
            <span class=\"comment\">// a &lt;b&gt;</span>\n";
        assert_eq!(html, wanted);
        let html = highlighted("(func $f (i32.const 1)) ;; x", "wat");
        assert!(
            html.contains("<span class=\"keyword\">func</span> $f (<span class=\"keyword\">i32.const</span>"),
            "{html}"
        );
        assert!(highlighted("\"a\\\"b\" c", "c").starts_with("<span class=\"text\">&quot;a\\&quot;b&quot;</span> c"));
        assert!(highlighted("'\"' 'a x", "rust").ends_with("</span> 'a x"));
        assert_eq!(highlighted("fn <x>", "text"), "fn &lt;x&gt;");
    }

    #[test]
    fn marks_change_no_letter_of_any_source() {
        for (path, source) in super::super::TEXTS {
            for Language { name, .. } in &LANGUAGES {
                assert_eq!(plain(&highlighted(source, name)), escaped(source), "{path} as {name}");
            }
        }
        for odd in ["\"", "'", "`\n", "/*", "(;", "é'ü", "1.", "#"] {
            for Language { name, .. } in &LANGUAGES {
                assert_eq!(plain(&highlighted(odd, name)), escaped(odd), "{odd} as {name}");
            }
        }
    }
}
