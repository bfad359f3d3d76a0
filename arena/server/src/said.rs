//! What was said as a code with parts, in the languages of pages. Its English comes with it.

use std::cell::Cell;

use arena_record::{Said, Sentence};
use arena_runner::SAMPLE_SENTENCES;
use arena_sandbox::sentences::SENTENCES as MODULE_SENTENCES;
use arena_service::contests::CONTEST_SENTENCES;

use crate::language::{Language, Text, language, speaking};
use crate::text::{CODED, coded};
use crate::words;

// A code without Spanish does not compile.
const _: () = have_spanish(MODULE_SENTENCES);
const _: () = have_spanish(SAMPLE_SENTENCES);
const _: () = have_spanish(CONTEST_SENTENCES);

/// Reads beyond the end of the list if it lacks a code.
const fn have_spanish(sentences: &[Sentence]) {
    let mut at = 0;
    while at < sentences.len() {
        let mut known = 0;
        while !CODED[known].as_bytes().eq_ignore_ascii_case(sentences[at].code.as_bytes()) {
            known += 1;
        }
        at += 1;
    }
}

/// What was said, in the language of the current answer.
pub(crate) fn words(said: &Said) -> Text {
    words_of(language(), said)
}

/// The same in a language. What has no code that this release knows stays in English, or in a person's own words.
pub(crate) fn words_of(language: Language, said: &Said) -> Text {
    let spanish = match said {
        Said::Told(told) if language == Language::Spanish => {
            // Another release may have given other parts: then its English is shown.
            let lacks = Cell::new(false);
            let part = |name: &str| {
                let part = told.parts.get(name);
                lacks.set(lacks.get() || part.is_none());
                part.cloned().unwrap_or_default()
            };
            let made = speaking(language, || {
                coded(&told.code, |name| if name == "seat" { words::seat(part(name)) } else { part(name).into() })
            });
            made.filter(|_| !lacks.get())
        }
        _ => None,
    };
    spanish.unwrap_or_else(|| said.to_string().into())
}

#[cfg(test)]
mod tests {
    use std::fmt::Display;

    use arena_record::Told;

    use super::*;

    /// The names of a sentence's parts: what stands in it between braces, if that is a name.
    fn parts(sentence: Sentence) -> Vec<&'static str> {
        let places = sentence.english.split('{').skip(1).filter_map(|place| Some(place.split_once('}')?.0));
        places.filter(|name| name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_')).collect()
    }

    #[test]
    fn spanish_has_all_parts_that_english_has() {
        for &sentence in [MODULE_SENTENCES, SAMPLE_SENTENCES, CONTEST_SENTENCES].into_iter().flatten() {
            let names = parts(sentence);
            // A counted part is in English what its number is in Spanish.
            let names = names.iter().map(|name| name.strip_prefix("counted_").unwrap_or(name));
            let values: Vec<(&str, String)> = names.map(|name| (name, format!("<{name}>"))).collect();
            let given: Vec<(&str, &dyn Display)> = values.iter().map(|(name, value)| (*name, value as _)).collect();
            let said = sentence.with(&given);
            let spanish = words_of(Language::Spanish, &said);
            assert_ne!(spanish, said.english(), "{}", sentence.code);
            for (_, value) in &values {
                assert!(spanish.contains(value.as_str()), "{}: {spanish}", sentence.code);
            }
        }
    }

    #[test]
    fn what_has_no_known_code_stays_as_it_was_said() {
        let unknown = Sentence { english: "from {where}", code: "NOT_OF_THIS_RELEASE" }.with(&[("where", &"later")]);
        let lacking = Sentence { english: "from later", ..MODULE_SENTENCES[0] }.with(&[]);
        let lacking = match lacking {
            Said::Told(told) => Said::Told(Box::new(Told { code: "FILE_TOO_LARGE".into(), ..*told })),
            words => words,
        };
        for said in [unknown, lacking, "from later".into()] {
            assert_eq!(words_of(Language::Spanish, &said), "from later");
        }
    }
}
