//! The law of bytes as a script and as a module: a script comes out of its bundle as it went in, and of a module that
//! was changed none comes that would not make it. A target of `fuzz` includes this file.

use std::sync::LazyLock;

use arena_scripts::{Language, SCRIPT_BYTES_MAX, Script, bundle_in, script_in, script_of};

/// As small as one can be.
static INTERPRETER: LazyLock<Vec<u8>> =
    LazyLock::new(|| wat::parse_str(include_str!("../interpreter.wat")).expect("a module"));

/// Panics if the law does not hold for some bytes, shorter than an embedded interpreter.
pub(crate) fn holds_for(bytes: &[u8]) {
    assert_eq!(script_of(bytes), None, "the embedded interpreters are longer");
    read(bytes);
    let Ok(mut module) = bundle_in(&INTERPRETER, bytes) else {
        let is_text = str::from_utf8(bytes).is_ok();
        assert!(bytes.is_empty() || bytes.len() > SCRIPT_BYTES_MAX || !is_text);
        return;
    };
    wasmparser::validate(&module).expect("a module");
    let text = script_in(&INTERPRETER, &module).expect("what was bundled");
    assert_eq!(text.as_bytes(), bytes);
    let of = |language, text: &str| Script { language, text }.fingerprint();
    let (script, python) = (Language::JavaScript, Language::Python);
    assert_eq!(of(script, text), of(script, &format!(" \n{text}")), "spaces in front change nothing");
    if !text.starts_with('\u{feff}') {
        assert_eq!(of(python, text), of(python, &format!("# a\n{text}")), "a comment in front changes nothing");
    }
    // One byte changed, at a place and to a value that the script says.
    let at =
        bytes.iter().fold(0, |at: usize, byte| at.wrapping_mul(31).wrapping_add(usize::from(*byte))) % module.len();
    module[at] = module[at].wrapping_add(bytes[0] | 1);
    read(&module);
}

/// What is in a module, if anything, makes it again.
fn read(module: &[u8]) {
    if let Some(text) = script_in(&INTERPRETER, module) {
        let again = bundle_in(&INTERPRETER, text.as_bytes()).expect("a script");
        assert_eq!(script_in(&INTERPRETER, &again), Some(text));
    }
}
