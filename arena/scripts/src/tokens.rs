//! The tokens of a script: what is left of it without what has no meaning. They are not a language's own lexer, since
//! nothing runs by them.

mod javascript;
mod python;

use crate::{Language, Script};

/// The tokens, each after its length, and the language before them.
pub(crate) fn fingerprint(Script { language, text }: &Script) -> Vec<u8> {
    let mut found = Vec::with_capacity(text.len());
    let mut add = |token: &str| {
        found.extend((token.len() as u32).to_le_bytes());
        found.extend(token.bytes());
    };
    add(language.title());
    match language {
        Language::JavaScript => javascript::Tokens::of(text).for_each(add),
        Language::Python => python::Tokens::of(text).for_each(add),
    }
    found
}

/// Whether a character is of a word in every language: a letter, a digit, and what is not ASCII.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_' || (c > '\u{7f}' && !c.is_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_words_in_another_language_are_another_script() {
        let of = |language, text| fingerprint(&Script { language, text });
        assert_eq!(of(Language::JavaScript, "a // b"), of(Language::JavaScript, "a"));
        assert_eq!(of(Language::Python, "a # b"), of(Language::Python, "a"));
        assert_ne!(of(Language::JavaScript, "a"), of(Language::Python, "a"));
    }
}
