//! What an author can do about a refusal, where the file says more than the refusal's code. Each names the cause that
//! is left when it has been followed, and the option of the compiler that removes it.

pub(super) const COMPONENT: &str = "this is a component: give the core module that it is made from, without WASI and its adapter \
    (cargo build --target wasm32-unknown-unknown, not cargo component or componentize)";
pub(super) const OTHER_VERSION: &str = "build for plain wasm32, WebAssembly of version 1";
pub(super) const OBJECT: &str = "link it: clang without -c, or wasm-ld --no-entry; `arena new` has projects that do";
pub(super) const SHARED_LIBRARY: &str =
    "link it as a program of its own: without -shared and -fPIC, in Emscripten without SIDE_MODULE and MAIN_MODULE";

pub(super) const GO: &str = "Go's runtime needs WASI or JavaScript, and more than 1 MiB, which no option changes: TinyGo makes bots, with \
    -target wasm-unknown";
pub(super) const BINDGEN: &str =
    "a crate wants a browser (js-sys, web-sys, rand's wasm_js): leave it out, and draw with `seen.rng()`";
pub(super) const EMSCRIPTEN: &str = "built by Emscripten for its JavaScript: -sSTANDALONE_WASM --no-entry leaves that out, and printing and \
    exceptions must go, too; the C project of `arena new` needs no Emscripten";
pub(super) const WASI: &str = "built for WASI, which is not here: Rust wants --target wasm32-unknown-unknown, clang --target=wasm32 \
    -nostdlib, Zig -target wasm32-freestanding, Emscripten no printing and no files; interpreters with WASI inside cannot play";
pub(super) const HOST_IN_TINYGO: &str =
    "built for WASI or for a web page, which are not here: TinyGo wants -target wasm-unknown";
pub(super) const WASM4: &str =
    "built for WASM-4, which is another console: keep your own code, and start from `arena new`";
pub(super) const MOONBIT: &str =
    "MoonBit's println asks for a host that is not here: leave it out, and declare `arena.log` if you need it";
pub(super) const BULK_MEMORY: &str = "build with -mbulk-memory, which copies without a library";
pub(super) const IMPORTED_MEMORY: &str = "the memory must be the module's own, exported as `memory`: leave out --import-memory (clang, \
    wasm-ld, Zig) or --importMemory (AssemblyScript)";
pub(super) const IMPORTED_TABLE: &str =
    "the table must be the module's own: leave out --import-table, and link the module completely";
pub(super) const IMPORTED_GLOBAL: &str =
    "this is set by a loader that is not here: link the module completely, not as position-independent code";
pub(super) const UNDEFINED_FUNCTION: &str =
    "a function of this name is declared but not defined: there is no C library, and only arena.log is imported";

pub(super) const FORGOTTEN_IN_RUST: &str =
    "did you forget `arena_sdk::bot!(Mine);`, at the end of src/lib.rs? Its crate-type must have \"cdylib\"";
pub(super) const FORGOTTEN_IN_C: &str = "did you forget `ARENA_BOT(turn)`, at the end of the file?";
pub(super) const FORGOTTEN_IN_TINYGO: &str = "export the two functions with `//go:wasmexport arena_observation` and `//go:wasmexport \
    arena_turn`; ABI.md of every project has the contract";
pub(super) const FORGOTTEN: &str = "did you forget what exports the bot? Rust: `arena_sdk::bot!(Mine);`; C: `ARENA_BOT(turn)`; \
    Zig: `comptime { arena.bot(turn); }` and -rdynamic; AssemblyScript: `export { arena_observation, arena_turn } from \
    \"./arena\";`; ABI.md of every project has the contract";
pub(super) const NO_MEMORY: &str = "export the memory as `memory`: clang, wasm-ld and Zig do so unless it is imported; WebAssembly text: \
    (memory (export \"memory\") 1)";
pub(super) const WRONG_TYPE: &str =
    "addresses and lengths are 32 bits wide, the answer of arena_turn is 64; ABI.md of every project has the contract";
pub(super) const WRONG_INITIALISER: &str = "it is called once, before the contract's functions: give it no parameters and no results, or \
    another name";

pub(super) const CONSTRUCTORS: &str = "export `_initialize`, which the arena calls once, and call the constructors there: in C and C++ write \
    `ARENA_CONSTRUCTORS` after `ARENA_BOT(turn)`; with a WASI SDK -mexec-model=reactor, with Emscripten -sSTANDALONE_WASM --no-entry";
pub(super) const START: &str = "build a library: Zig with -fno-entry, clang with -Wl,--no-entry, AssemblyScript with --exportStart \
    _initialize; what must run once, before the first call, is exported as `_initialize`";
pub(super) const START_IN_RUST: &str = "build a library: src/lib.rs with crate-type \"cdylib\", not src/main.rs";
pub(super) const START_IN_C: &str = "build with -nostdlib -Wl,--no-entry, or with a WASI SDK with -mexec-model=reactor; what must run once, \
    before the first call, is exported as `_initialize`";
pub(super) const START_IN_TINYGO: &str = "build with -target wasm-unknown, or with -buildmode=c-shared";

pub(super) const DEBUG_BUILD: &str = "this is a build with debug information: Rust wants --release, Zig -O ReleaseFast, C -O2 -g0, \
    AssemblyScript -O3";

/// For exceptions, and tags that they are imported with.
pub(super) const EXCEPTIONS: &str = "build without exceptions: C++ with -fno-exceptions, Rust with panic = \"abort\"";

/// For a file that is too large, if its origin says no more.
pub(super) const LARGE: &str =
    "optimise for size, leave unused code and large tables out, and strip names: code beyond 1 MiB compiles too slowly";

/// For too many of something.
pub(super) fn of_excess(what: &str) -> &'static str {
    match what {
        "exports" => {
            "export the contract's three alone: leave out --export-all (wasm-ld), -rdynamic exports what Zig exports"
        }
        "imports" => "import arena.log once",
        "custom sections" => "strip debug information: -g0, or `wasm-strip`",
        "tables" | "globals" | "types" => "leave unused code out; this is more than any compiler makes of a bot",
        "data segments" | "element segments" => "put the data together: linkers do, with --merge-data-segments",
        _ => "leave unused code out: link-time optimisation and one codegen unit help",
    }
}

/// Beginnings of files that are no modules, and what to do.
const FILES: [(&[u8], &str); 17] = [
    (b"\x7fELF", NATIVE),
    (b"\xcf\xfa\xed\xfe", NATIVE),
    (b"\xce\xfa\xed\xfe", NATIVE),
    (b"\xca\xfe\xba\xbe", NATIVE),
    (b"MZ", NATIVE),
    (b"!<arch>\n", "this is a library of object files: link it to a module, with clang --target=wasm32 or with cargo"),
    (b"BC\xc0\xde", BITCODE),
    (b"\xde\xc0\x17\x0b", BITCODE),
    (b"\x1f\x8b", "this is compressed (gzip): unpack it"),
    (b"\x28\xb5\x2f\xfd", "this is compressed (zstd): unpack it"),
    (b"PK\x03\x04", "this is a .zip archive: give the .wasm file in it"),
    (b"version https://git-lfs", "this is a pointer of Git LFS, not the file: `git lfs pull` fetches it"),
    (b"AGFzbQ", "this is base64: decode it (`base64 -d`)"),
    (b"#!", SOURCE),
    (b"\"use", SOURCE),
    // Of HTML, or of XML, at times after a comment.
    (b"<", PAGE),
    (b"{", "this is JSON: give the .wasm file that the build produces"),
];
const NATIVE: &str = "this was built for a computer, not for WebAssembly: with cargo add --target wasm32-unknown-unknown, with clang \
    --target=wasm32, and give the .wasm file";
const BITCODE: &str =
    "this is LLVM bitcode (.bc): compile and link it, with clang --target=wasm32 -nostdlib -Wl,--no-entry";
const SOURCE: &str = "this is a program's source: give the .wasm file that its build produces; scripts (Python, JavaScript) do not run \
    here, and AssemblyScript is the nearest language";
const PAGE: &str = "this is a web page, perhaps of an error: download the file itself";

/// For a file that is not a module.
pub(super) fn of_other_file(bytes: &[u8]) -> Option<&'static str> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes).trim_ascii_start();
    let known = FILES.iter().find(|(begins, _)| bytes.starts_with(begins) || text.starts_with(begins));
    if let Some((_, hint)) = known {
        return Some(hint);
    }
    if bytes.is_empty() {
        return Some("the file is empty: build it again");
    }
    if text.starts_with(b"(") || text.starts_with(b";;") {
        return Some("this is WebAssembly text, it seems: `arena assemble` makes the module, which is what to check");
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
        assert_eq!(hint(&filled(b"\0asm\x01\0\0\0\x00\x0d\x0b.debug_infox")), DEBUG_BUILD);
    }
}
