//! What verdicts on bots depend on, as text.

use crate::check::{INITIALISER, WEIGHTS};
use crate::*;

/// Everything about bots that verdicts depend on, as text: the meter's rule, prices, limits, and allowed features.
pub fn semantics() -> String {
    let limits = [
        ("stack units", STACK_UNITS_MAX.into()),
        ("frame units", arena_meter::FRAME_UNITS.into()),
        ("uncounted units", arena_meter::UNCOUNTED_UNITS_MAX.into()),
        ("metered bytes", arena_meter::METERED_BYTES_MAX),
        ("action bytes", ACTION_BYTES_MAX.into()),
        ("log call fuel", LOG_CALL_FUEL),
        ("log byte fuel", LOG_BYTE_FUEL),
        ("fuel call fuel", FUEL_CALL_FUEL),
        ("tables", TABLES_MAX.into()),
        ("table elements", TABLE_ELEMENTS_MAX),
        ("functions", FUNCTIONS_MAX.into()),
        ("types", TYPES_MAX.into()),
        ("globals", GLOBALS_MAX.into()),
        ("exports", EXPORTS_MAX.into()),
        ("imports", IMPORTS_MAX.into()),
        ("segments", SEGMENTS_MAX.into()),
        ("body bytes", BODY_BYTES_MAX),
        ("locals", LOCALS_MAX),
        ("all locals", LOCALS_TOTAL_MAX),
        ("nesting", NESTING_MAX as u64),
        ("branch targets", BRANCH_TARGETS_MAX),
        ("params", PARAMS_MAX as u64),
        ("operands", OPERANDS_MAX.into()),
        ("compile weight", COMPILE_WEIGHT_MAX),
        ("all compile weight", COMPILE_WEIGHT_TOTAL_MAX),
        ("weights", WEIGHTS),
        ("weight of a function", COMPILE_WEIGHT_OF_FUNCTION),
        ("weight of what is alive", COMPILE_WEIGHT_OF_ALIVE),
        ("divisor of what is alive across calls", COMPILE_ALIVE_DIVISOR),
        ("divisor of what is merged", COMPILE_MERGED_DIVISOR),
        ("divisor of what is merged often", COMPILE_MERGED_OFTEN_DIVISOR),
        ("carried", CARRIED_MAX as u64),
        ("all carried", CARRIED_TOTAL_MAX),
        ("custom sections", CUSTOM_SECTIONS_MAX.into()),
        ("custom bytes", CUSTOM_BYTES_MAX),
    ];
    let limits: String = limits.iter().map(|(name, most)| format!("{name}: {most}\n")).collect();
    let features: Vec<&str> = arena_meter::features().iter_names().map(|(name, _)| name).collect();
    let features = features.join(" ");
    format!(
        "fuel: budget + 1 is set, at least 1 is left\nmeter {}\nstart: data, start function, {INITIALISER}, \
         arena_observation\nfeatures: {features}\n{limits}prices {} (others 1):\n{}",
        arena_meter::RULE,
        arena_meter::VERSION,
        arena_meter::TEXT
    )
}
