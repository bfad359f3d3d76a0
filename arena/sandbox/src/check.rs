//! The static check: what can be said about a module without compiling it, in time linear in its size.

mod bodies;

pub use bodies::compile_weight;
mod hints;
mod survey;

use arena_record::Budgets;
use wasmparser::{Parser, Validator, WasmFeatures};

use crate::refusal::{Refusal, RefusalCode as Code};

/// The features that bots may use; all newer ones are refused.
pub(crate) fn allowed_features() -> WasmFeatures {
    WasmFeatures::MUTABLE_GLOBAL
        | WasmFeatures::SATURATING_FLOAT_TO_INT
        | WasmFeatures::SIGN_EXTENSION
        | WasmFeatures::MULTI_VALUE
        | WasmFeatures::BULK_MEMORY
        | WasmFeatures::REFERENCE_TYPES
        | WasmFeatures::SIMD
        | WasmFeatures::FLOATS
}

/// Checks everything that can be known of a module before compiling it.
///
/// # Errors
/// The first reason why it is not a bot.
pub fn check(bytes: &[u8], budgets: &Budgets) -> Result<(), Refusal> {
    if bytes.len() as u64 > budgets.module_bytes {
        return Err(Refusal::too_large(bytes.len() as u64, budgets.module_bytes));
    }
    if !bytes.starts_with(b"\0asm") {
        let refusal = Refusal::new(Code::NotWasm, "this is not a WebAssembly file: it does not begin with \\0asm");
        return Err(match hints::of_other_file(bytes) {
            Some(hint) => refusal.with_hint(hint),
            None => refusal,
        });
    }
    // A file cut within its header is left to the parser, which reports that.
    if bytes.get(4..8).is_some_and(|version| version != [1, 0, 0, 0]) {
        let message = "this is not a core WebAssembly module of version 1; components are not accepted";
        return Err(Refusal::new(Code::FeatureNotAllowed, message));
    }
    // Counts first, so that no later step works on absurd numbers.
    let mut survey = survey::Survey::default();
    for payload in Parser::new(0).parse_all(bytes) {
        survey.read(payload.map_err(broken)?, budgets)?;
    }
    bodies::validate(bytes).map_err(|fault| match fault {
        bodies::Fault::TooComplex(refusal) => refusal,
        bodies::Fault::Invalid(error) => match Validator::new_with_features(WasmFeatures::all()).validate_all(bytes) {
            Ok(_) => {
                let message = format!("a feature that bots may not use: {}", error.message());
                Refusal::new(Code::FeatureNotAllowed, message).at(error.offset())
            }
            Err(_) => broken(error),
        },
    })?;
    survey.exports_of_the_contract().map_err(|refusal| refusal.with_hint(hints::of_missing_export(bytes)))
}

fn broken(error: wasmparser::BinaryReaderError) -> Refusal {
    Refusal::new(Code::InvalidModule, format!("broken WebAssembly: {}", error.message())).at(error.offset())
}
