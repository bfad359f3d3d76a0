//! What an author can do about a refusal, where the file says more than the refusal's code. Each names the cause that
//! is left when it has been followed, and the option of the compiler that removes it.

macro_rules! hints {
    ($($(#[$doc:meta])* $name:ident = $hint:literal;)*) => {
        $($(#[$doc])* pub(super) const $name: &str = $hint;)*

        /// Each of them, with its name.
        #[cfg(test)]
        pub(super) const ALL: &[(&str, &str)] = &[$((stringify!($name), $hint)),*];
    };
}

hints! {
    COMPONENT = "this is a component: give the core module that it is made from, without WASI and its adapter (cargo \
        build --target wasm32-unknown-unknown, not cargo component or componentize)";
    OTHER_VERSION = "build for plain wasm32, WebAssembly of version 1";
    OBJECT = "link it: clang without -c, or wasm-ld --no-entry; `arena new` has projects that do";
    SHARED_LIBRARY = "link it as a program of its own: without -shared and -fPIC, in Emscripten without SIDE_MODULE \
        and MAIN_MODULE";

    GO = "Go's runtime needs WASI or JavaScript, and more than 1 MiB, which no option changes: TinyGo makes bots, with \
        -target wasm-unknown";
    BINDGEN = "a crate wants a browser (js-sys, web-sys, rand's wasm_js): leave it out, and draw with `seen.rng()`";
    EMSCRIPTEN = "built by Emscripten for its JavaScript: -sSTANDALONE_WASM --no-entry leaves that out, and printing \
        and exceptions must go, too; the C project of `arena new` needs no Emscripten";
    WASI = "built for WASI, which is not here: Rust wants --target wasm32-unknown-unknown, clang --target=wasm32 \
        -nostdlib, Zig -target wasm32-freestanding, Emscripten no printing and no files; interpreters with WASI inside \
        cannot play";
    HOST_IN_TINYGO = "built for WASI or for a web page, which are not here: TinyGo wants -target wasm-unknown";
    WASM4 = "built for WASM-4, which is another console: keep your own code, and start from `arena new`";
    MOONBIT = "MoonBit's println asks for a host that is not here: leave it out, and declare `arena.log` if you need \
        it";
    BULK_MEMORY = "build with -mbulk-memory, which copies without a library";
    IMPORTED_MEMORY = "the memory must be the module's own, exported as `memory`: leave out --import-memory (clang, \
        wasm-ld, Zig) or --importMemory (AssemblyScript)";
    IMPORTED_TABLE = "the table must be the module's own: leave out --import-table, and link the module completely";
    IMPORTED_GLOBAL = "this is set by a loader that is not here: link the module completely, not as \
        position-independent code";
    UNDEFINED_FUNCTION = "a function of this name is declared but not defined: there is no C library, and only \
        arena.log is imported";

    FORGOTTEN_IN_RUST = "did you forget `arena_sdk::bot!(Mine);`, at the end of src/lib.rs? Its crate-type must have \
        \"cdylib\"";
    FORGOTTEN_IN_C = "did you forget `ARENA_BOT(turn)`, at the end of the file?";
    FORGOTTEN_IN_TINYGO = "export the two functions with `//go:wasmexport arena_observation` and `//go:wasmexport \
        arena_turn`; ABI.md of every project has the contract";
    FORGOTTEN = "did you forget what exports the bot? Rust: `arena_sdk::bot!(Mine);`; C: `ARENA_BOT(turn)`; Zig: \
        `comptime { arena.bot(turn); }` and -rdynamic; AssemblyScript: `export { arena_observation, arena_turn } from \
        \"./arena\";`; ABI.md of every project has the contract";
    OTHER_MEMORY = "export the memory as `memory`";
    NO_MEMORY = "export the memory as `memory`: clang, wasm-ld and Zig do so unless it is imported; WebAssembly text: \
        (memory (export \"memory\") 1)";
    WRONG_TYPE = "addresses and lengths are 32 bits wide, the answer of arena_turn is 64; ABI.md of every project has \
        the contract";
    WRONG_INITIALISER = "it is called once, before the contract's functions: give it no parameters and no results, or \
        another name";

    CONSTRUCTORS = "export `_initialize`, which the arena calls once, and call the constructors there: in C and C++ \
        write `ARENA_CONSTRUCTORS` after `ARENA_BOT(turn)`; with a WASI SDK or zig cc -mexec-model=reactor \
        -Wl,-z,stack-size=65536, with Emscripten -sSTANDALONE_WASM --no-entry; a set-up of your own asks first whether \
        it has run";
    START = "build a library: Zig with -fno-entry, clang with -Wl,--no-entry, AssemblyScript with --exportStart \
        _initialize; what must run once, before the first call, is exported as `_initialize`";
    START_IN_RUST = "build a library: src/lib.rs with crate-type \"cdylib\", not src/main.rs";
    START_IN_C = "build with -nostdlib -Wl,--no-entry, or with a WASI SDK or zig cc with -mexec-model=reactor \
        -Wl,-z,stack-size=65536; what must run once, before the first call, is exported as `_initialize`";
    START_IN_TINYGO = "build with -target wasm-unknown, or with -buildmode=c-shared";

    DEBUG_BUILD = "this is a build with debug information: Rust wants --release, Zig -O ReleaseFast, C -O2 -g0, \
        AssemblyScript -O3";

    /// For exceptions, and tags that they are imported with.
    EXCEPTIONS = "build without exceptions: C++ with -fno-exceptions, Rust with panic = \"abort\"";

    /// For a file that is too large, if its origin says no more.
    LARGE = "optimise for size, leave unused code and large tables out, and strip names: code beyond 1 MiB compiles \
        too slowly";

    EXPORTS = "export the contract's three alone: leave out --export-all (wasm-ld), -rdynamic exports what Zig exports";
    IMPORTS = "import arena.log once";
    CUSTOM_SECTIONS = "strip debug information: -g0, or `wasm-strip`";
    MORE_THAN_A_BOT = "leave unused code out; this is more than any compiler makes of a bot";
    SEGMENTS = "put the data together: linkers do, with --merge-data-segments";
    UNUSED = "leave unused code out: link-time optimisation and one codegen unit help";

    NATIVE = "this was built for a computer, not for WebAssembly: with cargo add --target wasm32-unknown-unknown, with \
        clang --target=wasm32, and give the .wasm file";
    ARCHIVE = "this is a library of object files: link it to a module, with clang --target=wasm32 or with cargo";
    BITCODE = "this is LLVM bitcode (.bc): compile and link it, with clang --target=wasm32 -nostdlib -Wl,--no-entry";
    GZIP = "this is compressed (gzip): unpack it";
    ZSTD = "this is compressed (zstd): unpack it";
    ZIP = "this is a .zip archive: give the .wasm file in it";
    LFS = "this is a pointer of Git LFS, not the file: `git lfs pull` fetches it";
    BASE64 = "this is base64: decode it (`base64 -d`)";
    SOURCE = "this is a program's source: give the .wasm file that its build produces; scripts (Python, JavaScript) do \
        not run here, and AssemblyScript is the nearest language";
    PAGE = "this is a web page, perhaps of an error: download the file itself";
    JSON = "this is JSON: give the .wasm file that the build produces";
    EMPTY = "the file is empty: build it again";
    TEXT = "this is WebAssembly text, it seems: `arena assemble` makes the module, which is what to check";
}

/// For too many of something.
pub(super) fn of_excess(what: &str) -> &'static str {
    match what {
        "exports" => EXPORTS,
        "imports" => IMPORTS,
        "custom sections" => CUSTOM_SECTIONS,
        "tables" | "globals" | "types" => MORE_THAN_A_BOT,
        "data segments" | "element segments" => SEGMENTS,
        _ => UNUSED,
    }
}

/// Beginnings of files that are no modules, and what to do.
const FILES: [(&[u8], &str); 17] = [
    (b"\x7fELF", NATIVE),
    (b"\xcf\xfa\xed\xfe", NATIVE),
    (b"\xce\xfa\xed\xfe", NATIVE),
    (b"\xca\xfe\xba\xbe", NATIVE),
    (b"MZ", NATIVE),
    (b"!<arch>\n", ARCHIVE),
    (b"BC\xc0\xde", BITCODE),
    (b"\xde\xc0\x17\x0b", BITCODE),
    (b"\x1f\x8b", GZIP),
    (b"\x28\xb5\x2f\xfd", ZSTD),
    (b"PK\x03\x04", ZIP),
    (b"version https://git-lfs", LFS),
    (b"AGFzbQ", BASE64),
    (b"#!", SOURCE),
    (b"\"use", SOURCE),
    // Of HTML, or of XML, at times after a comment.
    (b"<", PAGE),
    (b"{", JSON),
];

/// For a file that is not a module.
pub(super) fn of_other_file(bytes: &[u8]) -> Option<&'static str> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let known = FILES.iter().find(|(begins, _)| bytes.starts_with(begins) || text.starts_with(begins));
    if let Some((_, hint)) = known {
        return Some(hint);
    }
    if bytes.is_empty() {
        return Some(EMPTY);
    }
    if text.starts_with(b"(") || text.starts_with(b";;") {
        return Some(TEXT);
    }
    let is_text = std::str::from_utf8(&bytes[..bytes.len().min(TEXT_BYTES)])
        .is_ok_and(|text| text.chars().all(|char| !char.is_control() || char.is_ascii_whitespace()));
    is_text.then_some(SOURCE)
}

/// Bytes that show whether a file is text. A character that is cut makes it none, which costs a hint.
const TEXT_BYTES: usize = 512;

#[cfg(test)]
mod tests {
    use arena_record::Budgets;

    use super::*;
    use crate::{Refusal, check};

    fn hint(bytes: &[u8]) -> &'static str {
        check(bytes, &Budgets::DEFAULT).map_or_else(|Refusal { hint, .. }| hint, |()| "accepted")
    }

    #[test]
    fn other_files_are_explained_by_how_they_begin() {
        for (begins, words) in FILES {
            assert_eq!(hint(&[begins, &[0; 100]].concat()), words);
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
        assert!(hint(b"import arena\n\ndef turn(seen):\n    pass\n").contains("scripts"));
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
        assert_eq!(hint(&filled(&imports)), WASI);
        let go = [&imports[..], &[0, 12], b"\x0ago:buildidx"].concat();
        assert_eq!(hint(&filled(&go)), GO);
        assert_eq!(hint(&filled(b"\0asm\x01\0\0\0")), LARGE);
        let bot = |fields: &str, contract: &str| {
            let memory = if fields.is_empty() { "(memory (export \"memory\") 1)" } else { fields };
            filled(&wat::parse_str(format!("(module {memory} {contract})")).expect("a module"))
        };
        let contract = r#"(func (export "arena_observation") (param i32) (result i32) (i32.const 8))
            (func (export "arena_turn") (param i32) (result i64) (i64.const 0))"#;
        assert_eq!(hint(&bot("", contract)), LARGE);
        assert_eq!(hint(&bot(r#"(memory (export "memory") i64 1)"#, contract)), "build for wasm32, not for wasm64");
        assert_eq!(hint(&bot("", &format!(r#"{contract} (func (export "_start"))"#))), START);
        assert!(hint(&bot("", &format!("{contract} (type (struct))"))).contains("compilers to WebAssembly GC"));
        let wrapped = r#"(func (export "arena_observation") (param i32) (result i32) call 2 (i32.const 8))
            (func (export "arena_turn") (param i32) (result i64) call 2 (i64.const 0)) (func (call 3)) (func)"#;
        assert_eq!(hint(&bot("", wrapped)), CONSTRUCTORS);
        assert_eq!(hint(&bot("", r#"(func (export "turn"))"#)), FORGOTTEN);
        assert_eq!(hint(&filled(b"\0asm\x01\0\0\0\x00\x0d\x0b.debug_infox")), DEBUG_BUILD);
    }
}
