//! Where a module comes from, as far as it says so: the compiler, by custom sections, and the library, by imports.

use arena_record::Sentence;
use wasmparser::{CustomSectionReader, Import, TypeRef};

use crate::sentences::*;

/// What custom sections say.
#[derive(Default)]
pub(super) struct Origin<'a> {
    producers: &'a [u8],
    go: bool,
    object: bool,
    shared_library: bool,
    /// Whether it has debug information.
    pub(super) debug: bool,
}

impl<'a> Origin<'a> {
    pub(super) fn note(&mut self, section: &CustomSectionReader<'a>) {
        match section.name() {
            "producers" => self.producers = section.data(),
            "go:buildid" | "go.buildid" => self.go = true,
            "linking" => self.object = true,
            "dylink" | "dylink.0" => self.shared_library = true,
            name => self.debug |= name.starts_with(".debug_"),
        }
    }

    fn is_by(&self, tool: &str) -> bool {
        self.producers.windows(tool.len()).any(|some| some == tool.as_bytes())
    }

    fn is_by_go(&self) -> bool {
        self.go || (self.is_by("Go") && !self.is_by("TinyGo"))
    }

    /// Whether it is not linked yet: what it is, and what to do.
    pub(super) fn unlinked(&self) -> Option<(Sentence, Sentence)> {
        match (self.object, self.shared_library) {
            (true, _) => Some((NOT_LINKED, OBJECT)),
            (_, true) => Some((A_LIBRARY, SHARED_LIBRARY)),
            _ => None,
        }
    }

    pub(super) fn hint_of_missing_export(&self) -> Sentence {
        // Rust before C, because a crate may contain C; TinyGo before clang, which it contains.
        let known = [("rustc", FORGOTTEN_IN_RUST), ("TinyGo", FORGOTTEN_IN_TINYGO), ("clang", FORGOTTEN_IN_C)];
        known.iter().find(|(tool, _)| self.is_by(tool)).map_or(FORGOTTEN, |(_, hint)| *hint)
    }

    pub(super) fn hint_of_constructors(&self) -> Sentence {
        if self.is_by("rustc") { CONSTRUCTORS_IN_RUST } else { CONSTRUCTORS }
    }

    pub(super) fn hint_of_start(&self) -> Sentence {
        let known = [("rustc", START_IN_RUST), ("TinyGo", START_IN_TINYGO), ("clang", START_IN_C)];
        known.iter().find(|(tool, _)| self.is_by(tool)).map_or(START, |(_, hint)| *hint)
    }

    /// What to do about a file that is too large.
    pub(super) fn hint_of_size(&self) -> Option<Sentence> {
        match self {
            _ if self.is_by_go() => Some(GO),
            Origin { debug: true, .. } => Some(DEBUG_BUILD),
            _ => None,
        }
    }
}

/// An import that bots may not have, and what it tells.
pub(super) struct Asked {
    /// `module::name`, escaped.
    pub(super) name: String,
    kind: Kind,
}

/// Who imports such a thing, the most telling first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Go,
    Bindgen,
    Emscripten,
    Wasi,
    Wasm4,
    MoonBit,
    AssemblyScript(Sentence),
    C(Sentence),
    Exception,
    Memory,
    Table,
    Global,
    Function,
    Other,
}

/// Imports of AssemblyScript's library, and how it does without.
const ASSEMBLYSCRIPT: [(&str, Sentence); 6] = [
    ("seed", NO_SEED),
    ("Date.now", NO_CLOCK),
    ("performance.now", NO_CLOCK),
    ("abort", NO_ABORT),
    ("trace", NO_CONSOLE),
    ("process.exit", NO_EXIT),
];
/// Imports that clang makes up.
const C: [&str; 3] = ["memcpy", "memset", "memmove"];
/// Imports of WASM-4, a console for small games.
const OF_WASM4: [&str; 8] = ["blit", "blitSub", "traceUtf8", "textUtf8", "tone", "diskr", "diskw", "vline"];

impl Asked {
    pub(super) fn of(import: &Import<'_>) -> Asked {
        let short = |text: &str| text.chars().take(100).flat_map(char::escape_debug).collect::<String>();
        Asked { name: format!("{}::{}", short(import.module), short(import.name)), kind: kind_of(import) }
    }

    pub(super) fn tells_more_than(&self, other: &Asked) -> bool {
        self.kind < other.kind
    }

    /// What to do about it; `None` if nothing is known.
    pub(super) fn hint(&self, origin: &Origin<'_>) -> Option<Sentence> {
        Some(match self.kind {
            Kind::Go | Kind::Wasi if origin.is_by("TinyGo") => HOST_IN_TINYGO,
            Kind::Go => GO,
            Kind::Wasi if origin.is_by_go() => GO,
            Kind::Bindgen => BINDGEN,
            Kind::Wasi => WASI,
            Kind::Emscripten => EMSCRIPTEN,
            Kind::Wasm4 => WASM4,
            Kind::MoonBit => MOONBIT,
            Kind::AssemblyScript(hint) | Kind::C(hint) => hint,
            Kind::Exception => EXCEPTIONS,
            Kind::Memory => IMPORTED_MEMORY,
            Kind::Table => IMPORTED_TABLE,
            Kind::Global => IMPORTED_GLOBAL,
            Kind::Function => UNDEFINED_FUNCTION,
            Kind::Other => return None,
        })
    }
}

fn kind_of(import: &Import<'_>) -> Kind {
    let (module, name) = (import.module, import.name);
    let emscripten = ["emscripten_", "_emscripten_", "invoke_", "__cxa_", "__syscall_", "_embind_", "_emval_"];
    match import.ty {
        _ if module.starts_with("__wbindgen_") || module == "wbg" => Kind::Bindgen,
        // In any module, such as ./bot_bg.js.
        _ if name.starts_with("__wbindgen_") || name.starts_with("__wbg_") => Kind::Bindgen,
        _ if ["go", "gojs"].contains(&module) => Kind::Go,
        _ if module.starts_with("wasi") => Kind::Wasi,
        _ if ["spectest", "moonbit:ffi"].contains(&module) => Kind::MoonBit,
        TypeRef::Tag(_) => Kind::Exception,
        TypeRef::Memory(_) => Kind::Memory,
        TypeRef::Table(_) => Kind::Table,
        TypeRef::Global(_) => Kind::Global,
        TypeRef::Func(_) if module == "env" => {
            if name.starts_with("console.") {
                return Kind::AssemblyScript(NO_CONSOLE);
            }
            if let Some((_, hint)) = ASSEMBLYSCRIPT.iter().find(|(other, _)| *other == name) {
                return Kind::AssemblyScript(*hint);
            }
            match name {
                _ if C.contains(&name) => Kind::C(BULK_MEMORY),
                _ if OF_WASM4.contains(&name) => Kind::Wasm4,
                _ if emscripten.iter().any(|begins| name.starts_with(begins)) => Kind::Emscripten,
                _ => Kind::Function,
            }
        }
        // Emscripten shortens all names.
        TypeRef::Func(_) if module == "a" && name.len() <= 2 => Kind::Emscripten,
        _ => Kind::Other,
    }
}

#[cfg(test)]
mod tests {
    use arena_record::Budgets;

    use super::*;
    use crate::{Refusal, check};

    fn refusal(fields: &str) -> Refusal {
        let bytes = wat::parse_str(format!("(module {fields})")).unwrap_or_else(|error| panic!("{error}: {fields}"));
        check(&bytes, &Budgets::DEFAULT).expect_err(fields)
    }

    /// A `producers` section as compilers write it: one field, `processed-by`, of one tool.
    fn by(tool: &str) -> String {
        format!("(@custom \"producers\" \"\\01\\0cprocessed-by\\01\\{:02x}{tool}\\011\")", tool.len())
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
            ("env", "emscripten_resize_heap", "-sSTANDALONE_WASM"),
            ("a", "b", "-sSTANDALONE_WASM"),
            ("env", "blit", "WASM-4"),
            ("gojs", "runtime.wasmExit", "TinyGo"),
            ("spectest", "print_char", "println"),
            ("__wbindgen_placeholder__", "__wbindgen_describe", "`seen.rng()`"),
            ("./bot_bg.js", "__wbg_random_9526caf33df4270d", "`seen.rng()`"),
            ("wasi_snapshot_preview1", "fd_write", "WASI"),
            ("arena", "dance", "the only imports are arena.log"),
        ] {
            let told = refusal(&format!("(import \"{module}\" \"{name}\" (func))")).hint.to_string();
            assert!(told.contains(words), "{module}::{name}: {told}");
        }
    }

    /// However many there are, and in whatever order, the one that says who asks is shown.
    #[test]
    fn of_many_imports_the_most_telling_one_is_explained() {
        let wasi = |count: usize| -> String {
            (0..count).map(|n| format!("(import \"wasi_snapshot_preview1\" \"f{n}\" (func))")).collect()
        };
        let memory = r#"(import "env" "memory" (memory 1))"#;
        let unknown = r#"(import "env" "g" (func))"#;
        for (fields, words) in [
            (wasi(17), "WASI"),
            (format!("{memory} {}", wasi(65)), "WASI"),
            (format!("{} {unknown} {}", unknown.repeat(30), wasi(1)), "WASI"),
            (format!("{memory} (import \"env\" \"traceUtf8\" (func (param i32 i32)))"), "WASM-4"),
            (format!("{} (@custom \"go:buildid\" \"x\")", wasi(16)), "TinyGo"),
            (format!("{} {}", wasi(3), by("TinyGo")), "TinyGo wants"),
            (format!("(import \"gojs\" \"runtime.ticks\" (func)) {}", by("TinyGo")), "TinyGo wants"),
            (memory.into(), "--import-memory"),
            (format!("{memory} (import \"env\" \"__cpp_exception\" (tag (param i32)))"), "-fno-exceptions"),
            (r#"(import "env" "__indirect_function_table" (table 1 funcref))"#.into(), "link"),
            (r#"(import "env" "__stack_pointer" (global (mut i32)))"#.into(), "link"),
        ] {
            let refusal = refusal(&fields);
            assert_eq!(refusal.code.as_str(), "unknown_import", "{refusal}");
            assert!(refusal.hint.english().contains(words), "{fields}: {}", refusal.hint);
        }
    }

    /// It remains when nothing is imported any more.
    #[test]
    fn what_asks_for_another_compiler_is_named_before_its_imports() {
        let println = r#"(import "spectest" "print_char" (func (param i32)))"#;
        for (fields, words) in [
            (format!("(type (struct)) {println}"), NO_GC),
            (format!("(type (struct)) {println} (table 1 externref)"), NO_GC),
            (format!("{println} (table 1 externref) (type (struct))"), NO_GC),
            (r#"(import "js_code" "kotlin.captureStackTrace" (func)) (type (array i32))"#.into(), NO_GC),
            (format!("{println} (func (param (ref func)))"), NO_FUNCTION_REFERENCES),
            (format!("{println} (memory i64 1)"), NO_MEMORY64),
            (format!("{println} (tag $e) (func (throw $e))"), EXCEPTIONS),
        ] {
            assert_eq!(refusal(&fields).hint.english(), words.english, "{fields}");
        }
        let refusal = refusal(&format!("{println} (table 1 externref)"));
        assert_eq!(refusal.hint.english(), MOONBIT.english, "an option leaves the table out");
    }

    #[test]
    fn what_is_not_linked_is_named_before_its_imports() {
        let memory = r#"(import "env" "__linear_memory" (memory 0))"#;
        for (section, words) in [("linking", "wasm-ld"), ("dylink.0", "-shared")] {
            let refusal = refusal(&format!("{memory} (@custom \"{section}\" \"\\02\")"));
            assert!(refusal.hint.english().contains(words), "{refusal}: {}", refusal.hint);
        }
    }

    #[test]
    fn a_missing_export_is_explained_by_language() {
        for (producers, words) in [
            (by("rustc"), "arena_sdk::bot!(Mine)"),
            (by("clang"), "ARENA_BOT(turn)"),
            (by("clang") + &by("TinyGo"), "//go:wasmexport"),
            (String::new(), "export { arena_observation, arena_turn }"),
        ] {
            let told = refusal(&producers).hint.to_string();
            assert!(told.contains(words), "{producers}: {told}");
        }
    }

    const CONTRACT: &str = r#"(func (export "arena_observation") (param i32) (result i32) (i32.const 8))
        (func (export "arena_turn") (param i32) (result i64) (i64.const 0))"#;

    #[test]
    fn a_memory_of_another_name_is_named() {
        let refusal = refusal(&format!("(memory (export \"$\") 1) {CONTRACT}"));
        assert_eq!(refusal.message.english(), "the export `memory` is missing; there is a memory named `$`");
        assert_eq!(refusal.hint.english(), "export the memory as `memory`");
    }

    #[test]
    fn a_debug_build_is_named_whatever_there_is_too_much_of() {
        let locals = format!("(func (local{}))", " i32".repeat(1_166));
        let exports: String = (0..70).map(|n| format!("(export \"e{n}\" (func 0))")).collect();
        for much in [locals, exports, format!("(@custom \"name\" \"{}\")", "x".repeat(70_000))] {
            let debug = "(@custom \".debug_info\" \"x\")";
            let refusal = refusal(&format!("(memory (export \"memory\") 1) {CONTRACT} {much} {debug}"));
            assert!(refusal.hint.english().contains("ReleaseFast"), "{refusal}: {}", refusal.hint);
        }
    }
}
