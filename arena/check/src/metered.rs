//! From a module that passed the check to the one that an engine compiles.

use arena_meter::{Checks, METERED_BYTES_MAX, Maxima, MeterError, Metered, meter_checking};

use crate::TABLE_ELEMENTS_MAX;
use crate::refusal::{Refusal, RefusalCode};
use crate::sentences::DOES_NOT_COMPILE;

/// Bits of the size of a page of memory.
const PAGE_BITS: u32 = 16;

/// Meters a module that has passed [the check](crate::check), with this limit on its memory, in bytes.
///
/// # Errors
/// When its metered form might be too large.
pub fn metered(bytes: &[u8], memory_bytes: u64, checks: Checks) -> Result<Metered, Refusal> {
    let maxima = Maxima {
        module_bytes: METERED_BYTES_MAX,
        memory_pages: memory_bytes >> PAGE_BITS,
        table_elements: TABLE_ELEMENTS_MAX,
    };
    meter_checking(bytes, maxima, checks).map_err(|error| {
        let is_large = matches!(error, MeterError::TooLarge(_));
        let code = if is_large { RefusalCode::TooComplex } else { RefusalCode::CompileFailed };
        Refusal::new(code, DOES_NOT_COMPILE.with(&[("why", &error.to_string())]))
    })
}
