//! Bytes as a script and as a module: a script comes out of its bundle as it went in, and of a module that was changed
//! none comes that would not make it.
#![no_main]

use std::sync::LazyLock;

use arena_scripts::{Language, SCRIPT_BYTES_MAX, Script, bundle_in, script_in, script_of};
use libfuzzer_sys::fuzz_target;

/// As small as one can be.
static INTERPRETER: LazyLock<Vec<u8>> = LazyLock::new(|| {
    wat::parse_str(include_str!("../../arena/scripts/tests/interpreter.wat")).expect("a module")
});

/// What is in it, if anything, makes it again.
fn read(module: &[u8]) {
    if let Some(text) = script_in(&INTERPRETER, module) {
        let again = bundle_in(&INTERPRETER, text.as_bytes()).expect("a script");
        assert_eq!(script_in(&INTERPRETER, &again), Some(text));
    }
}

fuzz_target!(|bytes: &[u8]| {
    assert_eq!(script_of(bytes), None, "the embedded interpreters are longer");
    read(bytes);
    let Ok(module) = bundle_in(&INTERPRETER, bytes) else {
        let is_text = std::str::from_utf8(bytes).is_ok();
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
    let mut changed = module;
    let at = bytes.iter().fold(0, |at: usize, byte| at.wrapping_mul(31).wrapping_add(usize::from(*byte))) % changed.len();
    changed[at] = changed[at].wrapping_add(bytes[0] | 1);
    read(&changed);
});
