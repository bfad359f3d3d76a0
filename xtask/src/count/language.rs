//! The languages whose lines are counted: those of code, not of data.

use super::marks::{self, Marks};
use super::rust;

/// A language, in the order of the columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Language {
    Rust,
    JavaScript,
    Html,
    Css,
    Sql,
    C,
    Zig,
    AssemblyScript,
    Wat,
    Python,
}

impl Language {
    pub(super) const ALL: [Language; 10] = [
        Language::Rust,
        Language::JavaScript,
        Language::Html,
        Language::Css,
        Language::Sql,
        Language::C,
        Language::Zig,
        Language::AssemblyScript,
        Language::Wat,
        Language::Python,
    ];

    /// The language of a file, by its extension.
    pub(super) fn of(path: &str) -> Option<Self> {
        let (_, ending) = path.rsplit_once('.')?;
        Some(match ending {
            "rs" => Language::Rust,
            "js" | "mjs" => Language::JavaScript,
            "html" => Language::Html,
            "css" => Language::Css,
            "sql" => Language::Sql,
            "c" | "h" => Language::C,
            "zig" => Language::Zig,
            "ts" => Language::AssemblyScript,
            "wat" => Language::Wat,
            "py" => Language::Python,
            _ => return None,
        })
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Language::Rust => "Rust",
            Language::JavaScript => "JavaScript",
            Language::Html => "HTML",
            Language::Css => "CSS",
            Language::Sql => "SQL",
            Language::C => "C",
            Language::Zig => "Zig",
            Language::AssemblyScript => "AssemblyScript",
            Language::Wat => "WAT",
            Language::Python => "Python",
        }
    }

    /// The number of lines of a text with code outside tests.
    pub(super) fn code_lines(self, text: &str) -> usize {
        let marks = match self {
            Language::Rust => return rust::Source::read(text).code_lines,
            Language::JavaScript | Language::AssemblyScript => &JAVASCRIPT,
            Language::Html => &HTML,
            Language::Css => &CSS,
            Language::Sql => &SQL,
            Language::C => &C,
            Language::Zig => &ZIG,
            Language::Wat => &WAT,
            Language::Python => &PYTHON,
        };
        marks::code_lines(text, marks)
    }
}

const C: Marks = Marks { line: Some("//"), blocks: &[("/*", "*/")], quotes: &['"', '\''], long_quote: None };
const JAVASCRIPT: Marks = Marks { long_quote: Some('`'), ..C };
const CSS: Marks = Marks { line: None, ..C };
const ZIG: Marks = Marks { blocks: &[], ..C };
const SQL: Marks = Marks { line: Some("--"), ..C };
const WAT: Marks = Marks { line: Some(";;"), blocks: &[("(;", ";)")], quotes: &['"'], long_quote: None };
/// With what documents a function, which is a text of several lines.
const PYTHON: Marks = Marks { line: Some("#"), blocks: &[("\"\"\"", "\"\"\"")], ..C };
/// With the comments of templates. Quotes are ordinary letters here.
const HTML: Marks = Marks { line: None, blocks: &[("<!--", "-->"), ("{#", "#}")], quotes: &[], long_quote: None };

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_and_blank_lines_are_no_code() {
        for (path, text, lines) in [
            ("a.js", "// one\nlet a; // two\n\n/* three\n   four */ let b;\n/* five */\n", 2),
            ("a.css", "/* a\n\n*/\nb { c: d }\n", 1),
            ("a.html", "<!-- a -->\n{# b\n c #}\n<p>it's</p>\n", 1),
            ("a.wat", ";; a\n(; b\n;)\n(module)\n", 1),
            ("a.sql", "-- a\nCREATE TABLE b;", 1),
            ("a.zig", "//! a\nconst b = 1;\n", 1),
            ("a.py", "# a\ndef b():\n    \"\"\"What it\n    does.\"\"\"\n    return '#'\n", 2),
            ("a.c", "  \n\t\n", 0),
            ("a.c", "/**/ int a;\n/**/\n", 1),
        ] {
            assert_eq!(Language::of(path).map(|language| language.code_lines(text)), Some(lines), "{path}: {text}");
        }
    }

    #[test]
    fn what_looks_like_a_comment_in_a_string_is_none() {
        for (path, text, lines) in [
            ("a.js", "let a = '// no';\nlet b = \"\\\"/*\";\nlet c;\n", 3),
            ("a.js", "let a = `/*\n// of two lines`;\nlet b;\n", 3),
            ("a.c", "char a = '\"'; /* a\ncomment */\nint b;\n", 2),
            // An unclosed quote ends with its line.
            ("a.zig", "\\\\ it's\n// a\n", 1),
        ] {
            assert_eq!(Language::of(path).map(|language| language.code_lines(text)), Some(lines), "{path}: {text}");
        }
    }

    #[test]
    fn data_is_in_no_language() {
        for path in ["a.json", "Cargo.lock", "Cargo.toml", "a.md", "LICENSE", ".gitignore", "a.svg", "a.wasm"] {
            assert_eq!(Language::of(path), None, "{path}");
        }
    }
}
