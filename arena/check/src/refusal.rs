//! Why bytes are not a bot.

use std::fmt;

use arena_record::{Said, Sentence};

use crate::sentences::*;

/// A refusal: a stable code, a sentence, a hint, and where in the file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The check that failed; codes never change their meaning.
    pub code: RefusalCode,
    /// What is wrong, in a sentence. May quote names from the file, escaped.
    pub message: Said,
    /// What the author can do about it.
    pub hint: Said,
    /// The position in the file, in bytes, if there is one.
    pub offset: Option<u64>,
}

impl Refusal {
    /// A refusal with its code's hint and no position.
    pub fn new(code: RefusalCode, message: impl Into<Said>) -> Refusal {
        Refusal { code, message: message.into(), hint: code.hint().into(), offset: None }
    }

    /// The refusal of a file with `bytes` bytes, more than `bytes_max`.
    pub fn too_large(bytes: u64, bytes_max: u64) -> Refusal {
        Refusal::new(RefusalCode::TooLarge, FILE_TOO_LARGE.with(&[("bytes", &bytes), ("most", &bytes_max)]))
    }

    pub(crate) fn with_hint(self, hint: Sentence) -> Refusal {
        Refusal { hint: hint.into(), ..self }
    }

    pub(crate) fn at(self, offset: usize) -> Refusal {
        Refusal { offset: Some(offset as u64), ..self }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(f)?;
        match self.offset {
            Some(offset) => write!(f, " (at byte {offset})"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for Refusal {}

macro_rules! codes {
    ($($(#[$about:meta])* $code:ident: $word:literal, $hint:ident;)*) => {
        /// A kind of refusal. Codes are stable.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum RefusalCode {
            $($(#[$about])* $code,)*
        }

        impl RefusalCode {
            /// Every code.
            pub const ALL: &[RefusalCode] = &[$(RefusalCode::$code),*];

            /// The code as text.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(RefusalCode::$code => $word,)*
                }
            }

            /// The hint that the code alone allows.
            fn hint(self) -> Sentence {
                match self {
                    $(RefusalCode::$code => $hint,)*
                }
            }
        }
    };
}

codes! {
    /// Not a WebAssembly module at all.
    NotWasm: "not_wasm", FOR_NOT_WASM;
    /// More bytes than a module may have.
    TooLarge: "too_large", FOR_TOO_LARGE;
    /// Broken WebAssembly.
    InvalidModule: "invalid_module", FOR_INVALID_MODULE;
    /// A WebAssembly feature that bots may not use.
    FeatureNotAllowed: "feature_not_allowed", FOR_FEATURE_NOT_ALLOWED;
    /// An import other than `arena.log` and `arena.fuel`.
    UnknownImport: "unknown_import", FOR_UNKNOWN_IMPORT;
    /// An export of the contract is missing or has another type.
    MissingExport: "missing_export", FOR_MISSING_EXPORT;
    /// It expects to be started, or to have its constructors run by somebody else.
    Command: "command", FOR_COMMAND;
    /// The memory's minimum is above the limit.
    MemoryTooLarge: "memory_too_large", FOR_MEMORY_TOO_LARGE;
    /// A table's minimum is above the limit.
    TableTooLarge: "table_too_large", FOR_TABLE_TOO_LARGE;
    /// Too many of something; the message says of what.
    TooMany: "too_many", LEAVE_OUT;
    /// A function, or the whole module, would take too long to compile.
    TooComplex: "too_complex", FOR_TOO_COMPLEX;
    /// Compiling took too long.
    CompileBudget: "compile_budget", FOR_COMPILE_BUDGET;
    /// The compiler gave up.
    CompileFailed: "compile_failed", FOR_COMPILE_FAILED;
    /// Its process died in every try.
    EngineCrash: "engine_crash", FOR_ENGINE_CRASH;
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
