//! Assembles WebAssembly text into a module: for `arena assemble`, for text that a site takes, and in the page where it
//! is written, which all make the same bytes of it.
//!
//! ```
//! let module = arena_assembler::assemble_bot("(func $layer (call $turn))", "(func $turn)").expect("a module");
//! assert!(module.starts_with(b"\0asm"));
//! let error = arena_assembler::assemble_bot("", "(func $turn\n  (oops))").expect_err("no module");
//! assert_eq!((error.name.as_str(), error.line, error.column), ("bot.wat", 2, 4));
//! ```
//!
//! What this crate deliberately is not: it judges no bot. That is `arena-check`.

use arena_check::{Invalid, Place, invalid};
use thiserror::Error;
use wast::Wat;
use wast::core::{Func, FuncKind, Module, ModuleField, ModuleKind};
use wast::lexer::{Lexer, Token, TokenKind};
use wast::parser::{ParseBuffer, parse};
use wast::token::Span;

/// How the parser's message begins when an import comes too late.
const IMPORT_LATE: &str = "import after ";
const IMPORT_HINT: &str = " (imports go first: name the file that has them, such as a layer, first and only once)";

/// How it begins when a function is called that no text defines. Where a layer calls it, the author's text lacks it.
const MISSING: &str = "unknown func: failed to find name `$";

/// What there is to say of a component, which the parser here does not know.
const COMPONENT: &str = "this is a component, and a bot is a module: (module ...), or fields of one";

/// Characters that are shown of the line with the error.
const SHOWN_CHARS: usize = 100;

/// The parser's name for what has none.
const GENERATED: &str = "gensym";

/// WebAssembly text: a module, or some of a module's fields.
pub struct SourceText {
    /// Its name in errors.
    name: String,
    /// The text, ending in a newline.
    text: String,
}

impl SourceText {
    /// A text and its name in errors, such as its path.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> SourceText {
        let mut text = text.into();
        text.push('\n');
        SourceText { name: name.into(), text }
    }

    /// Whether it is a whole module, `(module ...)`, and not fields of one.
    pub fn is_module(&self) -> bool {
        self.keyword().is_some_and(|token| token.src(&self.text) == "module")
    }

    /// What its first parenthesis is about.
    fn keyword(&self) -> Option<Token> {
        let lexer = Lexer::new(&self.text);
        let says = |token: &Token| {
            !matches!(token.kind, TokenKind::Whitespace | TokenKind::LineComment | TokenKind::BlockComment)
        };
        let mut tokens = lexer.iter(0).map_while(Result::ok).filter(says);
        let opens = tokens.next().is_some_and(|token| token.kind == TokenKind::LParen);
        tokens.next().filter(|_| opens)
    }
}

/// The names of the layer over the contract and of a bot's own text in errors.
pub const LAYER: &str = "arena.wat";
/// As [`LAYER`].
pub const OWN: &str = "bot.wat";

/// The module made of a bot's text: alone if that is a whole module, otherwise behind the layer.
///
/// # Errors
/// As [`assemble`].
pub fn assemble_bot(layer: &str, own: &str) -> Result<Vec<u8>, AssembleError> {
    let own = SourceText::new(OWN, own);
    if own.is_module() { assemble(&[own]) } else { assemble(&[SourceText::new(LAYER, layer), own]) }
}

/// Why texts are not a module.
#[derive(Debug, Error)]
#[error("cannot assemble {name}{hint}")]
pub struct AssembleError {
    /// The name of the text with the error.
    pub name: String,
    /// The line in that text, from 1.
    pub line: usize,
    /// The byte of the line, from 1.
    pub column: usize,
    /// The error without its position.
    pub message: String,
    hint: &'static str,
    source: Box<Excerpt>,
}

/// An error with the line where it is.
#[derive(Debug, Error)]
#[error("{message}\n     --> {place}\n      |\n {line:4} | {shown}\n      | {caret}")]
struct Excerpt {
    message: String,
    /// The text's name, the line and the column.
    place: String,
    line: usize,
    /// The line, or what is around the place in a long one.
    shown: String,
    /// A caret below the place.
    caret: String,
}

/// The module made of some texts, one after the other. It is valid: its types fit.
///
/// # Errors
/// When they are not a module; with the position and the error.
pub fn assemble(texts: &[SourceText]) -> Result<Vec<u8>, AssembleError> {
    module(texts).map_err(|error| placed(&error, texts))
}

fn module(texts: &[SourceText]) -> Result<Vec<u8>, wast::Error> {
    let first = texts.first().and_then(|text| text.keyword().filter(|keyword| keyword.src(&text.text) == "component"));
    if let Some(keyword) = first {
        return Err(wast::Error::new(Span::from_offset(keyword.offset), COMPONENT.into()));
    }
    let joined: String = texts.iter().map(|text| text.text.as_str()).collect();
    let mut buffer = ParseBuffer::new(&joined)?;
    buffer.track_instr_spans(true);
    let mut text = parse::<Wat>(&buffer)?;
    let bytes = text.encode()?;
    match (invalid(&bytes), &text) {
        (None, _) => Ok(bytes),
        (Some(invalid), Wat::Module(module)) => Err(fault(invalid, module)),
        // A component is refused by the check.
        (Some(_), Wat::Component(_)) => Ok(bytes),
    }
}

/// What is wrong with a module, where its text says it.
fn fault(Invalid { message, place }: Invalid, module: &Module<'_>) -> wast::Error {
    let fields: &[ModuleField<'_>] = if let ModuleKind::Text(fields) = &module.kind { fields } else { &[] };
    let functions = fields.iter().filter_map(|field| match field {
        ModuleField::Func(Func { span, id, kind: FuncKind::Inline { expression, .. }, .. }) => {
            Some((span, id, expression))
        }
        _ => None,
    });
    match place {
        Some(Place::Operator { function, operator }) => {
            let Some((span, id, expression)) = functions.into_iter().nth(function) else {
                return wast::Error::new(module.span, message);
            };
            // Those without a name have one of the parser's.
            let name = id.map(|id| id.name()).filter(|name| *name != GENERATED);
            let name = name.map_or_else(|| "a function without a name".into(), |name| format!("function ${name}"));
            // At the function's end there is no instruction.
            let spans = expression.instr_spans.as_ref();
            let place = spans.and_then(|spans| spans.get(operator).or(spans.last())).unwrap_or(span);
            wast::Error::new(*place, format!("in {name}: {message}"))
        }
        Some(Place::Entry { section, at }) => {
            let spans = fields.iter().filter_map(|field| match (field, section) {
                (ModuleField::Import(field), 2) => Some(field.span),
                (ModuleField::Func(Func { span, kind: FuncKind::Inline { .. }, .. }), 3) => Some(*span),
                (ModuleField::Table(field), 4) => Some(field.span),
                (ModuleField::Memory(field), 5) => Some(field.span),
                (ModuleField::Global(field), 6) => Some(field.span),
                (ModuleField::Export(field), 7) => Some(field.span),
                (ModuleField::Elem(field), 9) => Some(field.span),
                (ModuleField::Data(field), 11) => Some(field.span),
                _ => None,
            });
            wast::Error::new(spans.into_iter().nth(at).unwrap_or(module.span), message)
        }
        None => wast::Error::new(module.span, message),
    }
}

/// Translates an error in the joined texts into one in the text where it is.
fn placed(error: &wast::Error, texts: &[SourceText]) -> AssembleError {
    let (mut place, mut offset) = (0, error.span().offset());
    while place + 1 < texts.len() && offset >= texts[place].text.len() {
        offset -= texts[place].text.len();
        place += 1;
    }
    let mut message = error.message();
    let missing = message.strip_prefix(MISSING).and_then(|name| name.strip_suffix('`'));
    if let (Some(missing), true) = (missing, place + 1 < texts.len()) {
        let SourceText { name, text } = &texts[place];
        let (line, column) = Span::from_offset(offset).linecol_in(text);
        message =
            format!("this text needs (func ${missing} ...), which is called at {name}:{}:{}", line + 1, column + 1);
        (place, offset) = (texts.len() - 1, 0);
    }
    let (name, text) = texts.get(place).map_or(("", ""), |text| (text.name.as_str(), text.text.as_str()));
    let (line, column) = Span::from_offset(offset).linecol_in(text);
    // The parser itself says only what came after what.
    let hint = if message.contains(IMPORT_LATE) { IMPORT_HINT } else { "" };
    let source = Excerpt::new((name, line, column), text.lines().nth(line).unwrap_or_default(), message.clone());
    AssembleError { name: name.to_owned(), line: line + 1, column: column + 1, message, hint, source: Box::new(source) }
}

impl Excerpt {
    /// `line` and `column`, a byte, count from 0.
    fn new((name, line, column): (&str, usize, usize), text: &str, message: String) -> Excerpt {
        let before = text.char_indices().take_while(|(at, _)| *at < column).count();
        // In a long line, more of what led to the error than of what follows.
        let is_long = text.chars().nth(SHOWN_CHARS).is_some();
        let skipped = if is_long { before.saturating_sub(SHOWN_CHARS * 2 / 3) } else { 0 };
        let shown = text.chars().skip(skipped).take(SHOWN_CHARS).collect();
        let caret = " ".repeat(before - skipped) + "^";
        Excerpt { message, place: format!("{name}:{}:{}", line + 1, column + 1), line: line + 1, shown, caret }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_is_told_from_fields_of_one() {
        for (text, wanted) in [
            ("(module)", true),
            (";; a bot\r\n (; (module ;) ( module (func))", true),
            ("(func $turn)", false),
            (";; (module)\n(func)", false),
            ("module", false),
            ("", false),
            ("\"", false),
        ] {
            assert_eq!(SourceText::new("bot", text).is_module(), wanted, "{text}");
        }
    }

    #[test]
    fn an_error_says_in_which_text_it_is_and_where() {
        let texts = |layer: &str, own: &str| [SourceText::new("layer", layer), SourceText::new("own", own)];
        let module = assemble(&texts("(func $f (call $turn))", "(func $turn)")).expect("a module");
        assert!(module.starts_with(b"\0asm"));
        for (layer, own, name, line, column) in [
            ("(func $f)", "(func $turn)\n  (oops)", "own", 2, 4),
            ("(func $f\n(call $turn))", "(func $other)", "own", 1, 1),
            ("(func $f\n(call $turn))", "", "own", 1, 1),
            ("(func $f)", "(func $turn\n(call $trun))", "own", 2, 7),
            ("(func $f)", "(func $turn", "own", 2, 1),
        ] {
            let error = assemble(&texts(layer, own)).expect_err("no module");
            assert_eq!(
                (error.name.as_str(), error.line, error.column),
                (name, line, column),
                "{error}: {}",
                error.message
            );
            assert!(!error.message.is_empty() && error.to_string() == format!("cannot assemble {name}"), "{error}");
        }
        // What does not fit together is found in its function and line, folded or not.
        for (own, line, column, words) in [
            ("(func $turn (i32.const 1))", 1, 14, "in function $turn: type mismatch"),
            (
                "(func $turn)\n(func\n  (drop (i32.add\n    (i32.const 1)\n    (i64.const 2))))",
                3,
                10,
                "in a function without a name: ",
            ),
            ("(func $turn (result i64)\n  i64.const 1\n  i32.const 2)", 3, 3, "in function $turn: "),
            ("(func $turn\n  (local.get 3)\n  drop)", 2, 4, "unknown local"),
            ("(func $turn)\n(export \"a\" (func $turn))\n(export \"a\" (func $turn))", 3, 2, "duplicate export"),
            ("(func $turn)\n(func (export \"a\") (result i32) i64.const 1)", 2, 33, "in a function without a name: "),
            ("(func $turn)\n\n(global i32 (i64.const 2))", 3, 2, "type mismatch"),
            ("(func $turn)\n\n(data (memory 2) (i32.const 0) \"a\")", 3, 2, "unknown memory"),
            ("(func $turn)\n(table 1 funcref)\n(elem (i32.const 0) 7)", 3, 2, "unknown function"),
            ("(func $turn)\n(export \"q\" (func 9))", 2, 2, "unknown function"),
        ] {
            let error = assemble(&texts("(func $f)", own)).expect_err("no module");
            assert!(error.message.contains(words), "{own}: {}", error.message);
            assert_eq!((error.name.as_str(), error.line, error.column), ("own", line, column), "{}", error.message);
        }
        let late = assemble(&texts("(func)", "(import \"a\" \"b\" (func))")).expect_err("no module");
        assert!(late.to_string().ends_with(IMPORT_HINT), "{late}");
        assert!(assemble(&[]).is_err());
        let component = assemble(&[SourceText::new("own", ";; mine\n(component)")]).expect_err("no module");
        assert_eq!((component.line, component.column, component.message.as_str()), (2, 2, COMPONENT));
    }

    #[test]
    fn an_error_shows_its_line_with_a_caret_below_the_place_however_long_the_line_is() {
        let source =
            |text: String| assemble(&[SourceText::new("own", text)]).expect_err("no module").source.to_string();
        assert_eq!(
            source("(module\n  (fünc))".into()),
            "expected valid module field\n     --> own:2:4\n      |\n    2 |   (fünc))\n      |    ^"
        );
        for (before, after) in [(0, 100_000), (70, 100_000), (100_000, 0), (100_000, 100_000)] {
            let shown = source(format!("(func \"{}\" oops {})", "ü".repeat(before), " ".repeat(after)));
            let lines: Vec<&str> = shown.lines().collect();
            let [.., text, caret] = lines[..] else { panic!("{shown}") };
            assert!(shown.chars().count() < 4 * SHOWN_CHARS, "{shown}");
            let place = caret.chars().position(|c| c == '^').expect("a caret");
            assert!(text.chars().skip(place).collect::<String>().starts_with('"'), "{shown}");
        }
    }
}
