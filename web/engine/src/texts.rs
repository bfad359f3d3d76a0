//! Texts that people write in a page, as modules of bots.

use arena_assembler::{AssembleError, assemble_bot};
use arena_record::EntrantId;
use arena_scripts::{BundleError, Language, bundle};
use serde_json::{Value, json};

/// The layer over the contract for WebAssembly text.
const LAYER: &str = include_str!("../../../sdk/wat/arena.wat");

/// What makes a module of a text, or says where it has an error.
type Make = fn(&str) -> Result<Vec<u8>, Value>;

/// The languages, by the names that pages have for them: those of the site's form, too.
const LANGUAGES: [(&str, Make); 2] = [
    ("javascript", |text| bundle(Language::JavaScript, text.as_bytes()).map_err(unbundled)),
    ("wat", |text| assemble_bot(LAYER, text).map_err(unassembled)),
];

fn unassembled(AssembleError { name, line, column, message, .. }: AssembleError) -> Value {
    flaw(&name, line, column, &message)
}

/// An error of a script as a whole. Where it does not run, it says itself.
fn unbundled(error: BundleError) -> Value {
    flaw(Language::JavaScript.file(), 1, 1, &error.to_string())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_the_module_that_a_site_makes_of_it_or_has_an_error_at_its_line() {
        let module = made("wat\n(func $turn)");
        let (id, bytes) = module[1..].split_at(EntrantId::of_bytes(b"").as_str().len());
        assert_eq!((module[0], id), (MADE, EntrantId::of_bytes(bytes).as_str().as_bytes()));
        assert_eq!(bytes, assemble_bot(LAYER, "(func $turn)").expect("a module"));
        let script = "function turn(o) { return pass(); }";
        let bundled = bundle(Language::JavaScript, script.as_bytes()).expect("a module");
        assert!(made(&format!("javascript\n{script}")).ends_with(&bundled));
        for (source, place) in [
            ("wat\n(func $turn\n  (oops))", r#""line":2"#),
            ("cobol\n", "language"),
            ("javascript\n", "empty"),
            ("", "language"),
        ] {
            let answer = made(source);
            assert_eq!(answer[0], FLAWED, "{source}");
            let said = String::from_utf8_lossy(&answer[1..]);
            assert!(said.contains(place), "{source}: {said}");
        }
    }
}
