//! The static check: what can be said about a module without compiling it, in time linear in its size.

mod beginning;
mod bodies;
mod features;
mod functions;
mod hints;
mod lengths;
mod origin;
#[cfg(test)]
mod shown;
mod survey;

pub(crate) use bodies::WEIGHTS;
pub use bodies::{Invalid, Place, compile_weight, invalid};

use arena_record::Budgets;
use wasmparser::{Parser, Validator, WasmFeatures};

use crate::refusal::{Refusal, RefusalCode as Code};
use crate::sentences::*;

/// The export that toolchains expect to be called once, before any other.
pub(crate) const INITIALISER: &str = "_initialize";

/// Checks everything that can be known of a module before compiling it. What the bytes are comes first, limits come
/// last: a refusal names what is left to do when nothing is too large.
///
/// # Errors
/// The first reason why it is not a bot.
pub fn check(bytes: &[u8], budgets: &Budgets) -> Result<(), Refusal> {
    check_beginning(bytes, bytes.len() as u64, budgets)
}

/// The same for a file with `size` bytes, of which only the first may be given if it is larger than a module may be.
///
/// # Errors
/// The first reason why it is not a bot.
pub fn check_beginning(bytes: &[u8], size: u64, budgets: &Budgets) -> Result<(), Refusal> {
    if !bytes.starts_with(b"\0asm") {
        let refusal = Refusal::new(Code::NotWasm, NOT_WASM);
        return Err(match hints::of_other_file(bytes) {
            Some(hint) => refusal.with_hint(hint),
            None => refusal,
        });
    }
    // A file cut within its header is left to the parser, which reports that.
    match bytes.get(4..8) {
        None | Some([1, 0, 0, 0]) => {}
        Some([_, _, 1, 0]) => {
            let message = FEATURE.with(&[("feature", &"components")]);
            return Err(Refusal::new(Code::FeatureNotAllowed, message).with_hint(COMPONENT));
        }
        Some(_) => {
            return Err(Refusal::new(Code::FeatureNotAllowed, NOT_VERSION_1).with_hint(OTHER_VERSION));
        }
    }
    let is_too_large = size > budgets.module_bytes;
    let given = &bytes[..bytes.len().min(usize::try_from(budgets.module_bytes).unwrap_or(usize::MAX))];
    let mut survey = survey::Survey::default();
    let mut parts = Parser::new(0).parse_all(lengths::readable(given));
    let read = parts.try_for_each(|payload| survey.read(payload?, budgets));
    if is_too_large {
        return Err(survey.too_large(size, budgets));
    }
    if let Some(refusal) = survey.foreign() {
        return Err(refusal);
    }
    read.map_err(broken)?;
    let missing = survey.missing_export();
    if let Some(excess) = survey.excess() {
        return Err(missing.unwrap_or(excess));
    }
    match bodies::validate(bytes) {
        Ok(_) => missing.map_or(Ok(()), Err),
        Err(bodies::Fault::TooComplex(refusal)) => Err(missing.unwrap_or_else(|| survey.explained(refusal))),
        Err(bodies::Fault::Invalid(error)) => {
            match Validator::new_with_features(WasmFeatures::all()).validate_all(bytes) {
                Ok(_) => {
                    let message = FEATURE.with(&[("feature", &error.message())]);
                    Err(Refusal::new(Code::FeatureNotAllowed, message).at(error.offset()))
                }
                Err(_) => Err(broken(error)),
            }
        }
    }
}

fn broken(error: wasmparser::BinaryReaderError) -> Refusal {
    Refusal::new(Code::InvalidModule, BROKEN.with(&[("why", &error.message())])).at(error.offset())
}
