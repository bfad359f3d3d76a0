//! Messages as functions in JavaScript, with the types of their variables as JSDoc.

use std::fmt::Write as _;

use crate::Messages;
use crate::message::{Message, Piece, variables};

/// The module of an area in a language, which has an index.
pub(crate) fn module(language: &str, area: &str, messages: &Messages<Vec<Message>>, index: usize) -> String {
    let mut text = format!("// Made from web/text/{language}/{area}.ftl.\n");
    if messages.values().any(|message| variables(message).values().any(|used| used.is_shown)) {
        text += "import { isolated } from '../../page/isolated.js';\n";
    }
    for (id, message) in messages {
        let uses = variables(message);
        let names: Vec<String> = uses.keys().map(|name| camel(name, '_')).collect();
        let types = uses.iter().map(|(name, used)| {
            let of = if used.is_counted { "number" } else { "unknown" };
            format!("{}: {of}", camel(name, '_'))
        });
        let types = types.collect::<Vec<_>>().join(", ");
        let arguments = if names.is_empty() { String::new() } else { format!("{{ {} }}", names.join(", ")) };
        let documented = if names.is_empty() { String::new() } else { format!("@param {{{{{types}}}}} parts ") };
        let _ = writeln!(text, "/** {documented}@returns {{string}} */");
        let _ =
            writeln!(text, "export const {} = ({arguments}) => {};", camel(id, '-'), template(&message[index].pieces));
    }
    text
}

/// A template literal.
fn template(pieces: &[Piece]) -> String {
    let piece = |piece: &Piece| match piece {
        Piece::Text(text) => text.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${"),
        Piece::Part(name) => format!("${{isolated(String({}))}}", camel(name, '_')),
        Piece::Plural { by, one, other } => {
            format!("${{{} === 1 ? {} : {}}}", camel(by, '_'), template(one), template(other))
        }
    };
    format!("`{}`", pieces.iter().map(piece).collect::<String>())
}

/// `a-long-id` as `aLongId`.
fn camel(id: &str, between: char) -> String {
    let mut words = id.split(between);
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |name, word| {
        let mut letters = word.chars();
        name + &letters.next().map(|letter| letter.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    })
}
