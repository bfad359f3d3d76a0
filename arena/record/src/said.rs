//! What is said to a person: in English, and as a code with parts, from which other languages make their own sentence.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// A sentence that this release can say. [`sentences!`](crate::sentences) declares them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Sentence {
    /// In English, with its parts as `{name}`.
    pub english: &'static str,
    /// Its code, such as `FILE_TOO_LARGE`.
    pub code: &'static str,
}

impl Sentence {
    /// The sentence with these parts, by their names.
    pub fn with(self, parts: &[(&str, &dyn fmt::Display)]) -> Said {
        let parts: BTreeMap<String, String> =
            parts.iter().map(|(name, part)| ((*name).to_owned(), part.to_string())).collect();
        // In one pass: a part may be a quotation with braces of its own.
        let (mut english, mut rest) = (String::new(), self.english);
        while let Some((before, place)) = rest.split_once('{') {
            let part = place.split_once('}').and_then(|(name, after)| Some((parts.get(name)?, after)));
            english.push_str(before);
            rest = match part {
                Some((part, after)) => {
                    english.push_str(part);
                    after
                }
                None => {
                    english.push('{');
                    place
                }
            };
        }
        english.push_str(rest);
        Said::Told(Told { english: english.into(), code: self.code.to_owned(), parts }.into())
    }
}

/// A sentence that was said, as a code with its parts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Told {
    /// In English.
    pub english: Box<str>,
    /// The code of a [`Sentence`], perhaps of another release.
    pub code: String,
    /// Numbers, names and quotations, by their names.
    pub parts: BTreeMap<String, String>,
}

/// What was said. It is stored as a string if it has no code.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Said {
    /// The words of a person, or of an earlier release.
    Words(Box<str>),
    /// A sentence of the arena.
    Told(Box<Told>),
}

impl Said {
    /// In English, or in the words of the person who said it.
    pub fn english(&self) -> &str {
        match self {
            Said::Words(words) => words,
            Said::Told(told) => &told.english,
        }
    }
}

impl From<Sentence> for Said {
    fn from(sentence: Sentence) -> Said {
        sentence.with(&[])
    }
}

impl From<String> for Said {
    fn from(english: String) -> Said {
        Said::Words(english.into())
    }
}

impl From<&str> for Said {
    fn from(english: &str) -> Said {
        Said::Words(english.into())
    }
}

impl fmt::Display for Said {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.english())
    }
}

/// Declares sentences, each a constant whose name is its code, and the list of all of them.
#[macro_export]
macro_rules! sentences {
    ($(#[$about:meta])* $visible:vis $ALL:ident: $($NAME:ident = $english:literal;)+) => {
        $(
            #[doc = $english]
            $visible const $NAME: $crate::Sentence =
                $crate::Sentence { code: stringify!($NAME), english: $english };
        )+
        $(#[$about])*
        $visible const $ALL: &[$crate::Sentence] = &[$($NAME),+];
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    crate::sentences! {
        ALL:
        PLAIN = "a word";
        FULL = "{bytes} of {most}, in `{ braces }`";
    }

    #[test]
    fn a_sentence_is_its_english_with_parts_and_its_code() {
        let said = FULL.with(&[("bytes", &7), ("most", &"six")]);
        assert_eq!(said.to_string(), "7 of six, in `{ braces }`");
        assert!(matches!(said, Said::Told(told) if told.code == "FULL"));
        let quoted = FULL.with(&[("bytes", &"{most}"), ("most", &"{bytes}")]);
        assert_eq!(quoted.to_string(), "{most} of {bytes}, in `{ braces }`");
        assert_eq!(ALL, [PLAIN, FULL]);
    }

    #[test]
    fn words_are_stored_as_a_string_and_all_is_read_again() {
        assert_eq!(serde_json::to_string(&Said::from("it is spam")).expect("JSON"), r#""it is spam""#);
        for said in ["it is spam".into(), PLAIN.into(), FULL.with(&[("bytes", &7), ("most", &8)])] {
            let stored = serde_json::to_string(&said).expect("JSON");
            assert_eq!(serde_json::from_str::<Said>(&stored).expect("read"), said, "{stored}");
        }
    }
}
