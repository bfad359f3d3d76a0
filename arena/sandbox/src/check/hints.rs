//! Hints about a refusal, where the file says more than the refusal's code.

use wasmparser::{Parser, Payload};

/// Files of compilers for this machine: ELF, three forms of Mach-O, PE, and archives of these.
const NATIVE: [&[u8]; 6] =
    [b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\xce\xfa\xed\xfe", b"\xca\xfe\xba\xbe", b"MZ", b"!<arch>\n"];

const FORGOTTEN_IN_RUST: &str =
    "did you forget `arena_sdk::bot!(Mine);`, at the end of src/lib.rs? Its crate-type must have \"cdylib\"";
const FORGOTTEN_IN_C: &str = "did you forget `ARENA_BOT(turn)`, at the end of the file?";
const FORGOTTEN: &str = "did you forget what exports the bot? Rust: `arena_sdk::bot!(Mine);`; C: `ARENA_BOT(turn)`; \
    Zig: `comptime { arena.bot(turn); }` and -rdynamic; AssemblyScript: `export { arena_observation, arena_turn } from \
    \"./arena\";`; ABI.md of every project has the contract";

/// For a file that is not a module.
pub(super) fn of_other_file(bytes: &[u8]) -> Option<&'static str> {
    let text = bytes.trim_ascii_start();
    if text.starts_with(b"(") || text.starts_with(b";;") {
        return Some("this is WebAssembly text, it seems: `arena assemble` makes the module, which is what to check");
    }
    NATIVE.iter().any(|magic| bytes.starts_with(magic)).then_some(
        "this was built for a computer, not for WebAssembly: with cargo add --target wasm32-unknown-unknown, with clang \
         --target=wasm32, and give the .wasm file",
    )
}

/// For an unknown import: by the crate or library function that causes it.
pub(super) fn of_import(module: &str, name: &str) -> Option<&'static str> {
    let is_bindgen = module.starts_with("__wbindgen_") || module == "wbg" || name.starts_with("__wbindgen_");
    match (module, name) {
        _ if is_bindgen => {
            Some("a crate wants a browser (js-sys, web-sys, rand's wasm_js): leave it out, and draw with `seen.rng()`")
        }
        (module, _) if module.starts_with("wasi") => {
            Some("built for WASI, which is not here: Rust wants --target wasm32-unknown-unknown, clang --target=wasm32")
        }
        ("env", name) if name.starts_with("console.") => Some("there is no console: use `log` of ./arena"),
        ("env", "seed") => Some("Math.random asks for a seed, and there is none: use `any.rng`"),
        ("env", "Date.now" | "performance.now") => Some("there is no clock: count boards"),
        ("env", "abort" | "trace") => Some("build with `--use abort=`, as the project's package.json does"),
        ("env", "memcpy" | "memset" | "memmove") => Some("build with -mbulk-memory, which copies without a library"),
        ("env", _) => Some(
            "a function of this name is declared but not defined: there is no C library, and only arena.log is imported",
        ),
        _ => None,
    }
}

/// For a missing export: by the module's source language, if it is noted in the module.
pub(super) fn of_missing_export(bytes: &[u8]) -> &'static str {
    let has = |producers: &[u8], tool: &[u8]| producers.windows(tool.len()).any(|some| some == tool);
    let producers = Parser::new(0).parse_all(bytes).find_map(|payload| match payload {
        Ok(Payload::CustomSection(section)) if section.name() == "producers" => Some(section.data()),
        _ => None,
    });
    match producers {
        // Checked first, because a Rust crate may contain C.
        Some(producers) if has(producers, b"rustc") => FORGOTTEN_IN_RUST,
        Some(producers) if has(producers, b"clang") => FORGOTTEN_IN_C,
        _ => FORGOTTEN,
    }
}

#[cfg(test)]
mod tests {
    use arena_record::Budgets;

    use super::*;
    use crate::{Refusal, check};

    fn hint(bytes: &[u8]) -> &'static str {
        check(bytes, &Budgets::DEFAULT).map_or_else(|Refusal { hint, .. }| hint, |()| "accepted")
    }

    fn hint_of_text(fields: &str) -> &'static str {
        hint(&wat::parse_str(format!("(module {fields})")).expect("the text is a module"))
    }

    #[test]
    fn an_import_is_explained_by_who_asks_for_it() {
        for (module, name, words) in [
            ("env", "console.log", "use `log` of ./arena"),
            ("env", "seed", "use `any.rng`"),
            ("env", "Date.now", "no clock"),
            ("env", "abort", "--use abort="),
            ("env", "memset", "-mbulk-memory"),
            ("env", "printf", "no C library"),
            ("__wbindgen_placeholder__", "__wbindgen_describe", "`seen.rng()`"),
            ("wasi_snapshot_preview1", "fd_write", "WASI"),
            ("arena", "dance", "the only import is arena.log"),
        ] {
            let told = hint_of_text(&format!("(import \"{module}\" \"{name}\" (func))"));
            assert!(told.contains(words), "{module}::{name}: {told}");
        }
    }

    #[test]
    fn a_missing_export_is_explained_by_language() {
        for (producers, words) in [
            ("\\01\\0cprocessed-by\\01\\05rustc\\061.95.0", "arena_sdk::bot!(Mine)"),
            ("\\01\\0cprocessed-by\\01\\05clang\\0622.1.8", "ARENA_BOT(turn)"),
            ("", "export { arena_observation, arena_turn }"),
        ] {
            let told = hint_of_text(&format!("(@custom \"producers\" \"{producers}\")"));
            assert!(told.contains(words), "{producers}: {told}");
        }
    }

    #[test]
    fn other_files_are_explained_by_how_they_begin() {
        for native in NATIVE {
            assert!(hint(&[native, &[0; 100]].concat()).contains("--target wasm32-unknown-unknown"), "{native:?}");
        }
        assert!(hint(b" ;; text\n(module)").contains("`arena assemble`"));
        assert!(hint(b"something else").contains("the .wasm file that the build produces"));
    }
}
