//! Counts lines of code in Rust, without tests, by rustc's own lexer.
//!
//! An item is a test if it has the attribute `#[test]`, or `#[cfg(...)]` with `test` in it and neither `any` nor `not`.
//! It ends with its closing brace or with a semicolon. Fields, variants and arms with such an attribute are not
//! recognised, and neither is the output of macros.

use ra_ap_rustc_lexer::{FrontmatterAllowed, TokenKind, tokenize};

/// The contents of a Rust file.
pub(super) struct Source {
    /// The number of lines with code outside tests.
    pub(super) code_lines: usize,
    /// Test modules in files of their own.
    pub(super) test_modules: Vec<String>,
    /// The functions outside tests, each with the number of lines with code between its braces.
    #[cfg(test)]
    pub(super) functions: Vec<(String, usize)>,
}

/// A piece of code: neither space nor a comment.
struct Token<'a> {
    kind: TokenKind,
    text: &'a str,
    first_line: usize,
    last_line: usize,
}

impl Source {
    pub(super) fn read(text: &str) -> Self {
        let tokens = tokens(text);
        let mut source = Self {
            code_lines: 0,
            test_modules: Vec::new(),
            #[cfg(test)]
            functions: Vec::new(),
        };
        let mut counted_to = 0;
        let mut at = 0;
        while at < tokens.len() {
            let (item, is_test) = after_attributes(&tokens, at);
            if is_test {
                let end = end_of_item(&tokens, item);
                source.test_modules.extend(module_in_a_file(&tokens[item..end]));
                at = end;
                continue;
            }
            let end = item.max(at + 1);
            #[cfg(test)]
            source.functions.extend(function(&tokens, at));
            for token in &tokens[at..end] {
                let first = token.first_line.max(counted_to + 1);
                source.code_lines += (token.last_line + 1).saturating_sub(first);
                counted_to = counted_to.max(token.last_line);
            }
            at = end;
        }
        source
    }
}

/// The tokens of a text, in order; lines are counted from 1.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let (mut found, mut start, mut line) = (Vec::new(), 0, 1);
    for token in tokenize(text, FrontmatterAllowed::No) {
        let end = start + token.len as usize;
        let text = &text[start..end];
        let last_line = line + text.matches('\n').count();
        let is_code = !matches!(
            token.kind,
            TokenKind::Whitespace | TokenKind::LineComment { .. } | TokenKind::BlockComment { .. }
        );
        if is_code {
            found.push(Token { kind: token.kind, text, first_line: line, last_line });
        }
        (start, line) = (end, last_line);
    }
    found
}

/// The start of an item after its attributes, and whether one of them makes it a test.
fn after_attributes(tokens: &[Token], mut at: usize) -> (usize, bool) {
    let mut is_test = false;
    while let [Token { kind: TokenKind::Pound, .. }, Token { kind: TokenKind::OpenBracket, .. }, ..] = tokens[at..] {
        let end = end_of_group(tokens, at + 1);
        let words: Vec<&str> =
            tokens[at..end].iter().filter(|token| token.kind == TokenKind::Ident).map(|token| token.text).collect();
        is_test |= match words[..] {
            ["test"] => true,
            ["cfg", ref rest @ ..] => rest.contains(&"test") && !rest.contains(&"any") && !rest.contains(&"not"),
            _ => false,
        };
        at = end;
    }
    (at, is_test)
}

/// The position after the bracket that closes the one at `open`.
fn end_of_group(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            TokenKind::OpenBrace | TokenKind::OpenBracket | TokenKind::OpenParen => depth += 1,
            TokenKind::CloseBrace | TokenKind::CloseBracket | TokenKind::CloseParen => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return at + 1;
        }
    }
    tokens.len()
}

/// The position after an item: after its closing brace or its semicolon.
fn end_of_item(tokens: &[Token], start: usize) -> usize {
    // Imports and assigned values may also contain braces.
    let is_statement = tokens.get(start).is_some_and(|token| ["use", "const", "static", "let"].contains(&token.text))
        && tokens.get(start + 1).is_none_or(|token| token.text != "fn");
    let mut at = start;
    while at < tokens.len() {
        match tokens[at].kind {
            TokenKind::Semi => return at + 1,
            TokenKind::OpenBrace if !is_statement => return end_of_group(tokens, at),
            TokenKind::OpenBrace | TokenKind::OpenBracket | TokenKind::OpenParen => at = end_of_group(tokens, at),
            _ => at += 1,
        }
    }
    tokens.len()
}

/// The name of the function that begins at a token, and the number of lines with code between its braces.
#[cfg(test)]
fn function(tokens: &[Token], at: usize) -> Option<(String, usize)> {
    let (word, name) = (tokens.get(at)?, tokens.get(at + 1)?);
    if word.text != "fn" || name.kind != TokenKind::Ident {
        return None;
    }
    let item = &tokens[at..end_of_item(tokens, at)];
    let open = item.iter().position(|token| token.kind == TokenKind::OpenBrace)?;
    let lines: std::collections::BTreeSet<usize> =
        item[open + 1..item.len() - 1].iter().flat_map(|token| token.first_line..=token.last_line).collect();
    let braces = [item[open].last_line, item[item.len() - 1].first_line];
    Some((name.text.to_owned(), lines.iter().filter(|line| !braces.contains(line)).count()))
}

/// The name of a module in another file.
fn module_in_a_file(item: &[Token]) -> Option<String> {
    match item {
        [.., Token { text: "mod", .. }, name, Token { kind: TokenKind::Semi, .. }] => Some(name.text.to_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> usize {
        Source::read(text).code_lines
    }

    #[test]
    fn comments_docs_and_blank_lines_are_no_code() {
        assert_eq!(lines("//! a\n\n/// b\nfn c() {} // d\n/* e /* f */\n g */\n"), 1);
        assert_eq!(lines("fn a() {\n    // b\n    c();\n}\n"), 3);
        assert_eq!(
            lines("const A: &str = \"// no\n\n/* comment\";\nlet b = '\"'; let c = r#\"\"//\"#; let d: &'a B;\n"),
            4
        );
        assert_eq!(lines(""), 0);
    }

    #[test]
    fn a_module_of_tests_is_left_out_to_its_last_brace() {
        let text = "fn a() {}\n#[cfg(test)]\nmod tests {\n    fn b() { '{'; \"}\"; /* } */ }\n}\nfn c() {}\n";
        assert_eq!(lines(text), 2);
        assert_eq!(lines("#[cfg(all(test, unix))]\n#[expect(dead_code)]\nmod tests {\n}\nfn a() {}\n"), 1);
        assert_eq!(lines("#[expect(dead_code)]\n#[cfg(test)]\npub(crate) fn a() -> [u8; 3] {\n}\nfn b() {}\n"), 1);
        assert_eq!(lines("#[cfg(test)]\nuse a::{\n    b, c,\n};\nuse d;\n"), 1);
        assert_eq!(lines("#[cfg(test)]\nconst A: B = B {\n    c: 1,\n};\nfn d() {}\n"), 1);
        assert_eq!(lines("#[test]\nfn a() {\n}\n#[cfg(test)]\nconst fn b() {\n}\nfn c() {}\n"), 1);
    }

    #[test]
    fn what_is_compiled_without_tests_too_is_code() {
        for cfg in ["not(test)", "any(test, unix)", "unix", "feature = \"test\""] {
            assert_eq!(lines(&format!("#[cfg({cfg})]\nfn a() {{}}\n")), 2, "{cfg}");
        }
        assert_eq!(lines("#[derive(Debug)]\nstruct A;\n"), 2);
    }

    #[test]
    fn modules_of_tests_in_files_are_named() {
        let source =
            Source::read("mod a;\n#[cfg(test)]\nmod b;\n#[cfg(test)]\npub(crate) mod c;\n#[cfg(test)]\nmod d {}\n");
        assert_eq!(source.test_modules, ["b", "c"]);
        assert_eq!(source.code_lines, 1);
    }
}
