//! Tags: `[Name "value" "value"]`.

/// A tag with its values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tag {
    pub(crate) name: String,
    pub(crate) values: Vec<String>,
}

impl Tag {
    /// The tag as a line.
    pub(crate) fn line(name: &str, values: &[&str]) -> String {
        let values: String = values.iter().map(|value| format!(" \"{}\"", escaped(value))).collect();
        format!("[{name}{values}]\n")
    }

    /// The tag on this line, if it is one. Only a comment may follow the bracket.
    pub(crate) fn parse(line: &str) -> Option<Tag> {
        let inner = line.strip_prefix('[')?;
        let end = inner.find(|character: char| !character.is_ascii_alphanumeric())?;
        let (name, mut rest) = inner.split_at(end);
        let mut values = Vec::new();
        loop {
            rest = rest.trim_start();
            if let Some(after) = rest.strip_prefix(']') {
                let after = after.trim_start();
                let comment = after.is_empty() || after.starts_with(';');
                return (comment && !name.is_empty()).then(|| Tag { name: name.into(), values });
            }
            let (value, after) = string(rest.strip_prefix('"')?)?;
            values.push(value);
            rest = after;
        }
    }
}

/// A value in which every character is escaped that could be taken for the end of the value or the line.
fn escaped(value: &str) -> String {
    let mut out = String::new();
    for character in value.chars() {
        match character {
            '"' | '\\' => out.extend(['\\', character]),
            control if control.is_control() => out.push_str(&format!("\\u{{{:x}}}", u32::from(control))),
            other => out.push(other),
        }
    }
    out
}

/// The value up to its closing quote, and the text after the quote.
fn string(text: &str) -> Option<(String, &str)> {
    let mut value = String::new();
    let mut rest = text;
    loop {
        let character = rest.chars().next()?;
        rest = &rest[character.len_utf8()..];
        match character {
            '"' => return Some((value, rest)),
            '\\' => {
                let (unescaped, after) = unescape(rest)?;
                value.push(unescaped);
                rest = after;
            }
            other => value.push(other),
        }
    }
}

/// The character of an escape, and the text after it.
fn unescape(text: &str) -> Option<(char, &str)> {
    if let Some(after) = text.strip_prefix("u{") {
        let (digits, after) = after.split_once('}')?;
        let hex = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let code = u32::from_str_radix(digits, 16).ok().filter(|_| hex)?;
        return Some((char::from_u32(code)?, after));
    }
    let character = text.chars().next().filter(|character| matches!(character, '"' | '\\'))?;
    Some((character, &text[1..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tag_reads_as_it_was_written() {
        for values in [&["plain"][..], &[], &["", "two"], &["\"\\]\n\u{0}\u{85}é;["], &["\\u{41}"]] {
            let line = Tag::line("Name", values);
            assert_eq!(line.lines().count(), 1, "{line}");
            let tag = Tag::parse(line.trim_end()).expect("its own line");
            assert_eq!(
                (tag.name.as_str(), tag.values.iter().map(String::as_str).collect::<Vec<_>>()),
                ("Name", values.to_vec())
            );
        }
        assert_eq!(Tag::parse("[A  \"b\"  ]  ; why").expect("spaces and a comment").values, ["b"]);
    }

    #[test]
    fn broken_tags_are_refused() {
        for line in [
            "[",
            "[]",
            "[A",
            "[A b]",
            "[A \"b]",
            "[A \"b\\\"]",
            "[A \"\\n\"]",
            "[A \"\\u{}\"]",
            "[A \"\\u{110000}\"]",
            "[A \"\\u{+41}\"]",
            "[A \"b\"] c",
            "[\"b\"]",
            "[A \"b\" c]",
            "A \"b\"]",
        ] {
            assert!(Tag::parse(line).is_none(), "{line}");
        }
    }
}
