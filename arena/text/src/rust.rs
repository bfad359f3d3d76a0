//! Messages as functions in Rust.

use std::fmt::Write as _;

use crate::Messages;
use crate::message::{Message, Piece, Use, has_tags, snake, variables};

/// The functions of all areas; whether an area is shared with scripts, which may be the only users of a message; and
/// those that are found by their codes.
pub(crate) fn module<'a>(
    areas: impl Iterator<Item = (bool, &'a Messages<Vec<Message>>)>,
    coded: Option<&Messages<Vec<Message>>>,
) -> String {
    let mut text = String::new();
    for (is_shared, messages) in areas {
        for (id, message) in messages {
            if is_shared {
                text += "#[allow(dead_code)]\n";
            }
            text += &function(id, message);
        }
    }
    text + &coded.map(by_code).unwrap_or_default()
}

/// All codes, and the message of a code with its variables. The code of `coded-a-b` is `A_B`.
fn by_code(messages: &Messages<Vec<Message>>) -> String {
    let (mut codes, mut arms) = (String::new(), String::new());
    for (id, message) in messages {
        let code = snake(id.trim_start_matches("coded-")).to_ascii_uppercase();
        let parts: Vec<String> = variables(message).keys().map(|name| format!("part({name:?})")).collect();
        let _ = write!(codes, "{code:?}, ");
        let _ = writeln!(arms, "        {code:?} => {}({}),", snake(id), parts.join(", "));
    }
    format!(
        "pub(crate) const CODED: &[&str] = &[{codes}];\n\
         pub(crate) fn coded(code: &str, part: impl Fn(&str) -> Text) -> Option<Text> {{\n    \
         Some(match code {{\n{arms}        _ => return None,\n    }})\n}}\n"
    )
}

/// A message with tags is HTML, which templates take as it is; so its variables are escaped.
fn function(id: &str, message: &[Message]) -> String {
    let uses = variables(message);
    let argument =
        |(name, used): (&String, &Use)| format!("{name}: impl {}", if used.is_counted { "Count" } else { "Display" });
    let arguments = uses.iter().map(argument).collect::<Vec<_>>().join(", ");
    let mut text = format!("pub(crate) fn {}({arguments}) -> Text {{\n", snake(id));
    let is_html = message.iter().any(|message| has_tags(&message.pieces));
    for (name, used) in &uses {
        if used.is_counted {
            let _ = writeln!(text, "    let one_{name} = {name}.is_one();");
        }
        if used.is_shown {
            let part =
                if is_html { format!("self::escaped(&self::part({name}))") } else { format!("self::part({name})") };
            let _ = writeln!(text, "    let {name} = {part};");
        }
    }
    let _ = match message {
        [english, spanish] => writeln!(
            text,
            "    match self::language() {{\n        Language::English => {},\n        Language::Spanish => {},\n    }}\n}}",
            value(&english.pieces),
            value(&spanish.pieces)
        ),
        all => writeln!(text, "    {}\n}}", all.iter().map(|message| value(&message.pieces)).collect::<String>()),
    };
    text
}

/// The expression of a whole text.
fn value(pieces: &[Piece]) -> String {
    match pieces {
        [] => "Text::Borrowed(\"\")".into(),
        [Piece::Text(text)] => format!("Text::Borrowed({text:?})"),
        [Piece::Plural { by, one, other }] => {
            format!("if one_{by} {{ {} }} else {{ {} }}", value(one), value(other))
        }
        pieces => format!("Text::Owned([{}].concat())", parts(pieces)),
    }
}

/// The pieces as a list of `&str`.
fn parts(pieces: &[Piece]) -> String {
    let part = |piece: &Piece| match piece {
        Piece::Text(text) => format!("{text:?}"),
        Piece::Part(name) => format!("&*{name}"),
        plural @ Piece::Plural { .. } => format!("&*{{ {} }}", value(std::slice::from_ref(plural))),
    };
    pieces.iter().map(part).collect::<Vec<_>>().join(", ")
}
