//! Texts that people write in a page, as modules of bots.

#[cfg(feature = "texts")]
use arena_assembler::{AssembleError, assemble_bot};
use arena_record::EntrantId;
use arena_scripts::{Language, bundle_in};
use serde_json::{Value, json};

/// The layer over the contract for WebAssembly text.
#[cfg(feature = "texts")]
const LAYER: &str = include_str!("../../../sdk/wat/arena.wat");

/// What makes a module of a text, or says where it has an error.
type Make = fn(&str) -> Result<Vec<u8>, Value>;

/// The languages, by the names that pages have for them: those of the site's form, too.
const LANGUAGES: &[(&str, Make)] = &[
    #[cfg(feature = "texts")]
    ("javascript", |text| {
        const INTERPRETER: &[u8] = Language::JavaScript.interpreter();
        bundled(Language::JavaScript, INTERPRETER, text)
    }),
    #[cfg(feature = "texts")]
    ("wat", |text| assemble_bot(LAYER, text).map_err(unassembled)),
    #[cfg(feature = "python")]
    ("python", |text| {
        const INTERPRETER: &[u8] = Language::Python.interpreter();
        bundled(Language::Python, INTERPRETER, text)
    }),
];

#[cfg(feature = "texts")]
fn unassembled(AssembleError { name, line, column, message, .. }: AssembleError) -> Value {
    flaw(&name, line, column, &message)
}

/// The module of a script in an interpreter, which is a constant, so that no module has the others, too. An error is of
/// the script as a whole: where it does not run, it says itself.
fn bundled(language: Language, interpreter: &[u8], text: &str) -> Result<Vec<u8>, Value> {
    bundle_in(interpreter, text.as_bytes()).map_err(|error| flaw(language.file(), 1, 1, &error.to_string()))
}

fn flaw(text: &str, line: usize, column: usize, message: &str) -> Value {
    json!({ "text": text, "line": line, "column": column, "message": message })
}

/// What an answer begins with that has a module, after which come its id and its bytes.
const MADE: u8 = 1;
/// What an answer begins with that has the place of an error, as JSON.
const FLAWED: u8 = 0;

/// Makes a module of a text, whose first line is the name of its language: a byte that says which, then either the id
/// of the module, in as many bytes as every such id has, and the module; or where the text has an error (`text`, the
/// name of the text that has it, `line`, `column` and `message`).
pub fn made(source: &str) -> Vec<u8> {
    let (language, text) = source.split_once('\n').unwrap_or_default();
    let known = LANGUAGES.iter().find(|(name, _)| *name == language);
    let unknown = || flaw("", 1, 1, "this release does not know the language of the text");
    match known.ok_or_else(unknown).and_then(|(_, make)| make(text)) {
        Ok(module) => [&[MADE][..], EntrantId::of_bytes(&module).as_str().as_bytes(), &module].concat(),
        Err(flaw) => [&[FLAWED][..], flaw.to_string().as_bytes()].concat(),
    }
}

#[cfg(all(test, feature = "texts", feature = "python"))]
mod tests {
    use arena_scripts::bundle;

    use super::*;

    #[test]
    fn a_text_is_the_module_that_a_site_makes_of_it_or_has_an_error_at_its_line() {
        let module = made("wat\n(func $turn)");
        let (id, bytes) = module[1..].split_at(EntrantId::of_bytes(b"").as_str().len());
        assert_eq!((module[0], id), (MADE, EntrantId::of_bytes(bytes).as_str().as_bytes()));
        assert_eq!(bytes, assemble_bot(LAYER, "(func $turn)").expect("a module"));
        for (name, language) in [("javascript", Language::JavaScript), ("python", Language::Python)] {
            let bundled = bundle(language, b"turn = best").expect("a module");
            assert!(made(&format!("{name}\nturn = best")).ends_with(&bundled));
        }
        for (source, place) in [
            ("wat\n(func $turn\n  (oops))", r#""line":2"#),
            ("cobol\n", "language"),
            ("javascript\n", "empty"),
            ("python\n", "bot.py"),
            ("", "language"),
        ] {
            let answer = made(source);
            assert_eq!(answer[0], FLAWED, "{source}");
            let said = String::from_utf8_lossy(&answer[1..]);
            assert!(said.contains(place), "{source}: {said}");
        }
    }
}
