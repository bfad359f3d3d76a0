//! Why bytes are not a bot.

use std::fmt;

/// A refusal: a stable code, a sentence, a hint, and where in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The check that failed; codes never change their meaning.
    pub code: RefusalCode,
    /// What is wrong, in a sentence. May quote names from the file, escaped.
    pub message: String,
    /// What the author can do about it.
    pub hint: &'static str,
    /// The position in the file, in bytes, if there is one.
    pub offset: Option<u64>,
}

impl Refusal {
    /// A refusal with its code's hint and no position.
    pub fn new(code: RefusalCode, message: impl Into<String>) -> Refusal {
        Refusal { code, message: message.into(), hint: code.hint(), offset: None }
    }

    /// The refusal of a file with `bytes` bytes, more than `bytes_max`.
    pub fn too_large(bytes: u64, bytes_max: u64) -> Refusal {
        Refusal::new(RefusalCode::TooLarge, format!("the file has {bytes} bytes; {bytes_max} are allowed"))
    }

    pub(crate) fn with_hint(self, hint: &'static str) -> Refusal {
        Refusal { hint, ..self }
    }

    pub(crate) fn at(self, offset: usize) -> Refusal {
        Refusal { offset: Some(offset as u64), ..self }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        match self.offset {
            Some(offset) => write!(f, " (at byte {offset})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $hint:literal;)*) => {
        /// A kind of refusal. Codes are stable.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum RefusalCode {
            $($(#[$doc])* $name),*
        }

        impl RefusalCode {
            /// Every code.
            pub const ALL: [RefusalCode; [$($text),*].len()] = [$(RefusalCode::$name),*];

            /// The code as text.
            pub fn as_str(self) -> &'static str {
                match self { $(RefusalCode::$name => $text),* }
            }

            /// The hint that the code alone allows.
            fn hint(self) -> &'static str {
                match self { $(RefusalCode::$name => $hint),* }
            }
        }
    };
}

codes! {
    /// Not a WebAssembly module at all.
    NotWasm = "not_wasm", "give the .wasm file that the build produces, not its source or an archive";
    /// More bytes than a module may have.
    TooLarge = "too_large", "build in release mode, optimise for size and strip names and debug information";
    /// Broken WebAssembly.
    InvalidModule = "invalid_module", "the file is damaged or cut short; build it again";
    /// A WebAssembly feature that bots may not use.
    FeatureNotAllowed = "feature_not_allowed", "build for plain wasm32 without threads, exceptions, GC or 64-bit \
        memory";
    /// An import other than `arena.log`.
    UnknownImport = "unknown_import", "build for wasm32-unknown-unknown (no WASI, no JavaScript); the only import is \
        arena.log(i32, i32)";
    /// An export of the contract is missing or has another type.
    MissingExport = "missing_export", "export `memory`, `arena_observation` (i32) -> i32 and `arena_turn` (i32) -> \
        i64; ABI.md of every project has the contract";
    /// It expects to be started, or to have its constructors run by somebody else.
    Command = "command", "build a library: what must run once, before the first call, is exported as `_initialize`";
    /// The memory's minimum is above the limit.
    MemoryTooLarge = "memory_too_large", "lower the initial memory: the stack with -Wl,-z,stack-size=65536 (clang, zig \
        cc) or --stack 65536 (Zig), and large arrays";
    /// A table's minimum is above the limit.
    TableTooLarge = "table_too_large", "lower the table's minimum";
    /// Too many of something; the message says of what.
    TooMany = "too_many", "leave unused code out: link-time optimisation and one codegen unit help";
    /// A function, or the whole module, would take too long to compile.
    TooComplex = "too_complex", "split the function, or compile it with less inlining";
    /// Compiling took too long.
    CompileBudget = "compile_budget", "split large functions and leave unused code out";
    /// The compiler gave up.
    CompileFailed = "compile_failed", "please report this module: it passed every check";
    /// Its process died in every try.
    EngineCrash = "engine_crash", "please report this module: no bot should be able to do that (SECURITY.md)";
}

impl RefusalCode {
    /// Whether the same bytes might be accepted on another machine or at another time.
    pub fn is_the_machines(self) -> bool {
        matches!(self, RefusalCode::CompileBudget | RefusalCode::CompileFailed | RefusalCode::EngineCrash)
    }
}

impl fmt::Display for RefusalCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
