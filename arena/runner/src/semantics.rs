//! What results depend on, as one id.

use arena_record::Hex;
use arena_rules::Ruleset;
use arena_rules::conquerors::Position;
use sha2::{Digest, Sha256};

/// Hash of a fixed set of games between the built-in opponents; a test plays them again. A change of baselines or rules
/// shows here, and thereby in the semantics id.
pub(crate) const BASELINES_DIGEST: &str = "unset";

/// Names everything a verdict depends on: rulesets, contract, record, prices, limits, built-in opponents. Two results are
/// comparable when their ids are equal.
pub fn semantics_id() -> String {
    let text = format!(
        "arena semantics 1\nrulesets: {}\nwire: {}\nrecord: {}\nbaselines: {BASELINES_DIGEST}\n{}",
        Position::ID,
        arena_wire::VERSION,
        arena_record::FORMAT,
        arena_sandbox::semantics()
    );
    Hex::<32>(Sha256::digest(text).into()).to_string()
}

/// Notes which release and engine produced a result.
pub fn build_id() -> String {
    format!("arena {} {}", env!("CARGO_PKG_VERSION"), arena_sandbox::build())
}
