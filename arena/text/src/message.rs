//! A message as a list of pieces, read from Fluent's syntax tree. Only what both targets can say is taken: text,
//! variables, literals, and a choice between one and several.

use std::collections::BTreeMap;
use std::fmt;

use fluent_syntax::ast::{Entry, Expression, InlineExpression, Pattern, PatternElement, Variant, VariantKey};
use fluent_syntax::parser;
use fluent_syntax::unicode::unescape_unicode_to_string;

use crate::TextError;

/// A piece of a message.
#[derive(Clone, Debug)]
pub(crate) enum Piece {
    Text(String),
    /// The value of a variable.
    Part(String),
    /// Which of two texts, by a variable that is a number.
    Plural {
        by: String,
        one: Vec<Piece>,
        other: Vec<Piece>,
    },
}

/// How a variable is used.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Use {
    pub(crate) is_shown: bool,
    /// Whether it chooses between words, so that it is a number.
    pub(crate) is_counted: bool,
}

/// The variables of a message, in alphabetical order, and how any of its languages uses them.
pub(crate) type Variables = BTreeMap<String, Use>;

/// A message in one language.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) pieces: Vec<Piece>,
}

/// What Fluent has and this crate does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Unsupported {
    /// Variants other than `one` and `other`.
    Variants,
    /// A message without a value, or with attributes.
    Attribute,
    /// A term.
    Term,
    /// A function, or a reference to a message or a term.
    Reference,
}

impl fmt::Display for Unsupported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Unsupported::Variants => "variants other than `one` and `other`",
            Unsupported::Attribute => "an attribute",
            Unsupported::Term => "a term",
            Unsupported::Reference => "a reference",
        })
    }
}

impl Message {
    /// Whether one is a translation of the other, as far as a program can tell: see [`TextError::Unlike`].
    pub(crate) fn is_like(&self, other: &Message) -> bool {
        let names = |message: &Message| {
            let mut found = Variables::new();
            collect(&message.pieces, &mut found);
            found.into_keys().collect::<Vec<_>>()
        };
        let goes_on = |message: &Message| message.start().starts_with([',', ';', ':', '.', ')', ' ', '’']);
        names(self) == names(other) && tags(&self.pieces) == tags(&other.pieces) && goes_on(self) == goes_on(other)
    }

    /// Its text up to the first variable.
    fn start(&self) -> &str {
        match self.pieces.first() {
            Some(Piece::Text(text)) => text,
            _ => "",
        }
    }
}

/// The variables of a message in all its languages.
pub(crate) fn variables(message: &[Message]) -> Variables {
    let mut found = Variables::new();
    message.iter().for_each(|message| collect(&message.pieces, &mut found));
    found
}

fn collect(pieces: &[Piece], found: &mut Variables) {
    for piece in pieces {
        match piece {
            Piece::Text(_) => {}
            Piece::Part(name) => found.entry(name.clone()).or_default().is_shown = true,
            Piece::Plural { by, one, other } => {
                found.entry(by.clone()).or_default().is_counted = true;
                collect(one, found);
                collect(other, found);
            }
        }
    }
}

/// How many HTML tags begin here, with the most of two variants.
fn tags(pieces: &[Piece]) -> usize {
    let of = |piece: &Piece| match piece {
        Piece::Text(text) => text.matches('<').count(),
        Piece::Part(_) => 0,
        Piece::Plural { one, other, .. } => tags(one).max(tags(other)),
    };
    pieces.iter().map(of).sum()
}

/// Whether it is HTML: a `<` before a letter or `/` begins a tag.
pub(crate) fn has_tags(pieces: &[Piece]) -> bool {
    let begins_tag = |rest: &str| rest.starts_with(|next: char| next == '/' || next.is_ascii_alphabetic());
    pieces.iter().any(|piece| match piece {
        Piece::Text(text) => text.split('<').skip(1).any(begins_tag),
        Piece::Part(_) => false,
        Piece::Plural { one, other, .. } => has_tags(one) || has_tags(other),
    })
}

/// The messages of a file, in its order.
pub(crate) fn messages(area: &str, text: &str) -> Result<Vec<(String, Message)>, TextError> {
    let resource = parser::parse_runtime(text).map_err(|(_, errors)| {
        let (line, error) = errors.first().map_or((0, String::new()), |error| {
            (text[..error.pos.start.min(text.len())].lines().count().max(1), error.to_string())
        });
        TextError::Syntax { area: area.to_owned(), line, error }
    })?;
    let mut all = Vec::new();
    for entry in resource.body {
        let (id, message) = match entry {
            Entry::Message(message) => {
                let value = message.value.filter(|_| message.attributes.is_empty());
                let pieces = value.ok_or(Unsupported::Attribute).and_then(pieces);
                (message.id.name, pieces)
            }
            Entry::Term(term) => (term.id.name, Err(Unsupported::Term)),
            _ => continue,
        };
        let unsupported = |what| TextError::Unsupported { area: area.to_owned(), id: id.to_owned(), what };
        all.push((id.to_owned(), Message { pieces: message.map_err(unsupported)? }));
    }
    Ok(all)
}

fn pieces(pattern: Pattern<&str>) -> Result<Vec<Piece>, Unsupported> {
    let mut all: Vec<Piece> = Vec::new();
    for element in pattern.elements {
        let piece = match element {
            PatternElement::TextElement { value } => Piece::Text(value.to_owned()),
            PatternElement::Placeable { expression } => piece(expression)?,
        };
        match (all.last_mut(), piece) {
            (Some(Piece::Text(before)), Piece::Text(text)) => before.push_str(&text),
            (_, piece) => all.push(piece),
        }
    }
    Ok(all)
}

fn piece(expression: Expression<&str>) -> Result<Piece, Unsupported> {
    Ok(match expression {
        Expression::Inline(InlineExpression::StringLiteral { value }) => {
            Piece::Text(unescape_unicode_to_string(value).into_owned())
        }
        Expression::Inline(InlineExpression::NumberLiteral { value }) => Piece::Text(value.to_owned()),
        Expression::Inline(InlineExpression::VariableReference { id }) => Piece::Part(snake(id.name)),
        Expression::Inline(InlineExpression::Placeable { expression }) => piece(*expression)?,
        Expression::Inline(_) => return Err(Unsupported::Reference),
        Expression::Select { selector: InlineExpression::VariableReference { id }, variants } => {
            let [one, other] = <[Variant<&str>; 2]>::try_from(variants).map_err(|_| Unsupported::Variants)?;
            let are_plural = matches!(one.key, VariantKey::Identifier { name: "one" })
                && matches!(other.key, VariantKey::Identifier { name: "other" });
            if !are_plural {
                return Err(Unsupported::Variants);
            }
            Piece::Plural { by: snake(id.name), one: pieces(one.value)?, other: pieces(other.value)? }
        }
        Expression::Select { .. } => return Err(Unsupported::Variants),
    })
}

/// An id as a name in Rust.
pub(crate) fn snake(id: &str) -> String {
    id.replace('-', "_").to_ascii_lowercase()
}
