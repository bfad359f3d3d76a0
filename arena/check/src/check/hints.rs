//! What an author can do about a file that is no module at all.

use arena_record::Sentence;

use crate::sentences::*;

/// Beginnings of files that are no modules, and what to do.
const FILES: [(&[u8], Sentence); 25] = [
    (b"\x7fELF", NATIVE),
    (b"\xcf\xfa\xed\xfe", NATIVE),
    (b"\xce\xfa\xed\xfe", NATIVE),
    (b"\xca\xfe\xba\xbe", NATIVE),
    (b"MZ", NATIVE),
    (b"!<arch>\n", OBJECT_LIBRARY),
    (b"BC\xc0\xde", BITCODE),
    (b"\xde\xc0\x17\x0b", BITCODE),
    (b"\x1f\x8b", GZIP),
    (b"BZh", BZIP2),
    (b"\x28\xb5\x2f\xfd", ZSTD),
    (b"PK\x03\x04", ZIP),
    (b"version https://git-lfs", GIT_LFS),
    (b"AGFzbQ", BASE64),
    (b"data:", DATA_URI),
    (b"0061736d", HEX),
    (b"00 61 73 6d", HEX),
    (b"00000000: 0061 736d", HEX),
    (b"%PDF", DOCUMENT),
    (b"{\\rtf", DOCUMENT),
    (b"<?php", SOURCE),
    (b"#!", SOURCE),
    (b"\"use", SOURCE),
    // Of HTML, or of XML, at times after a comment.
    (b"<", PAGE),
    (b"{", JSON),
];

/// For a file that is not a module.
pub(super) fn of_other_file(bytes: &[u8]) -> Option<Sentence> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    // The same first bytes as a program for several computers, whose number comes where Java has its version.
    if bytes.starts_with(b"\xca\xfe\xba\xbe") && bytes.get(7).is_some_and(|version| *version >= JAVA_1_1) {
        return Some(JAVA);
    }
    let known = FILES.iter().find(|(begins, _)| bytes.starts_with(begins) || text.starts_with(begins));
    if let Some((_, hint)) = known {
        return Some(*hint);
    }
    if bytes.is_empty() {
        return Some(EMPTY);
    }
    if text.starts_with(b"(") || text.starts_with(b";;") {
        return Some(WASM_TEXT);
    }
    let is_text = std::str::from_utf8(&bytes[..bytes.len().min(TEXT_BYTES)])
        .is_ok_and(|text| text.chars().all(|char| !char.is_control() || char.is_ascii_whitespace()));
    is_text.then_some(SOURCE)
}

/// The version in class files of the first Java; no program is for so many computers.
const JAVA_1_1: u8 = 45;
/// Bytes that show whether a file is text. A character that is cut makes it none, which costs a hint.
const TEXT_BYTES: usize = 512;

#[cfg(test)]
mod tests {
    use arena_record::Budgets;

    use super::*;
    use crate::{Refusal, check};

    fn hint(bytes: &[u8]) -> String {
        check(bytes, &Budgets::DEFAULT).map_or_else(|Refusal { hint, .. }| hint.to_string(), |()| "accepted".into())
    }

    #[test]
    fn other_files_are_explained_by_how_they_begin() {
        for (begins, words) in FILES {
            assert_eq!(hint(&[begins, &[0; 100]].concat()), words.english);
        }
        assert!(hint(b" ;; text\n(module)").contains("`arena assemble`"));
        assert!(hint(b"\xef\xbb\xbf(module)").contains("`arena assemble`"));
        for page in [
            &b"\n<!DOCTYPE html>"[..],
            b"<html>",
            b"<!-- a comment -->\n<!doctype html>",
            b"<?xml version=\"1.0\"?><Error/>",
        ] {
            assert!(hint(page).contains("web page"));
        }
        assert!(hint(b"import arena\n\ndef turn(seen):\n    pass\n").contains("or Python"));
        assert_eq!(hint(b"\xca\xfe\xba\xbe\0\0\0\x41\0\x0f"), JAVA.english);
        assert_eq!(hint(b"\xca\xfe\xba\xbe\0\0\0\x02\x01\0"), NATIVE.english);
        assert!(hint(b"").contains("empty"));
        assert!(hint(b"\x00\x01\x02something else").contains("the .wasm file that the build produces"));
        assert!(hint(b"\0asm\x0d\0\x01\0").contains("component"));
    }

    /// What a file is comes before how large it is.
    #[test]
    fn a_large_file_is_explained_by_what_it_is() {
        let filled = |begins: &[u8]| [begins, &vec![0; 2 << 20]].concat();
        assert!(hint(&filled(b"\x1f\x8b")).contains("gzip"));
        let imports =
            wat::parse_str("(module (import \"wasi_snapshot_preview1\" \"fd_write\" (func)))").expect("a module");
        assert_eq!(hint(&filled(&imports)), WASI.english);
        let go = [&imports[..], &[0, 12], b"\x0ago:buildidx"].concat();
        assert_eq!(hint(&filled(&go)), GO.english);
        assert_eq!(hint(&filled(b"\0asm\x01\0\0\0")), LARGE.english);
        let bot = |fields: &str, contract: &str| {
            let memory = if fields.is_empty() { "(memory (export \"memory\") 1)" } else { fields };
            filled(&wat::parse_str(format!("(module {memory} {contract})")).expect("a module"))
        };
        let contract = r#"(func (export "arena_observation") (param i32) (result i32) (i32.const 8))
            (func (export "arena_turn") (param i32) (result i64) (i64.const 0))"#;
        assert_eq!(hint(&bot("", contract)), LARGE.english);
        assert_eq!(hint(&bot(r#"(memory (export "memory") i64 1)"#, contract)), NO_MEMORY64.english);
        assert_eq!(hint(&bot("", &format!(r#"{contract} (func (export "_start"))"#))), START.english);
        assert_eq!(hint(&bot("", &format!("{contract} (type (struct))"))), NO_GC.english);
        let wrapped = r#"(func (export "arena_observation") (param i32) (result i32) call 2 (i32.const 8))
            (func (export "arena_turn") (param i32) (result i64) call 2 (i64.const 0)) (func (call 3)) (func)"#;
        assert_eq!(hint(&bot("", wrapped)), CONSTRUCTORS.english);
        assert_eq!(hint(&bot("", r#"(func (export "turn"))"#)), FORGOTTEN.english);
        assert_eq!(hint(&filled(b"\0asm\x01\0\0\0\x00\x0d\x0b.debug_infox")), DEBUG_BUILD.english);
    }
}
