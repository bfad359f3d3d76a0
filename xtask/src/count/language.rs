//! The languages whose lines are counted: what code is written in, and nothing that is data.

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
}

impl Language {
    pub(super) const ALL: [Language; 9] = [
        Language::Rust,
        Language::JavaScript,
        Language::Html,
        Language::Css,
        Language::Sql,
        Language::C,
        Language::Zig,
        Language::AssemblyScript,
        Language::Wat,
    ];

    /// The language of a file, by the ending of its name.
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
        }
    }

    /// How many lines of a text hold code that is no test.
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
/// With the comments of templates. Quotes are letters of a text here.
const HTML: Marks = Marks { line: None, blocks: &[("<!--", "-->"), ("{#", "#}")], quotes: &[], long_quote: None };
