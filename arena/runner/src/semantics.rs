//! What results depend on, as one id.

use arena_record::Hex;
use arena_rules::Ruleset;
use arena_rules::conquerors::Position;
use sha2::{Digest, Sha256};

/// Hash of a fixed set of games between the built-in opponents; a test plays them again. A change of baselines or rules
/// shows here, and thereby in the semantics id.
pub(crate) const BASELINES_DIGEST: &str = "c95c992c32c029f13fb76ede0da3b2a9a74dd3e6a8cfc7e5d10f19bc5c074d46";

/// Hash of the boards that a fixed set of openings and seeds starts from; a test draws them again. An opening belongs to a
/// ruleset's options and its boards follow from a game's seed, so a change of the draws is a change of every such game.
pub(crate) const OPENINGS_DIGEST: &str = "973ba8149ccab1b7f93874508fd79dbd06b27baedded9b666567a4e77709e17f";

/// Names everything a verdict depends on: rulesets, contract, record, prices, limits, built-in opponents. Two results are
/// comparable when their ids are equal.
pub fn semantics_id() -> String {
    let text = format!(
        "arena semantics 1\nrulesets: {}\nopenings: {OPENINGS_DIGEST}\nwire: {}\nrecord: {}\nbaselines: {BASELINES_DIGEST}\n{}",
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

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use arena_record::Budgets;
    use arena_rules::BySeat;
    use arena_rules::conquerors::{Opening, Options, Start};
    use arena_sandbox::Wall;

    use super::*;
    use crate::{Contender, Table};

    /// Games between all pairs of built-in opponents, by their digests.
    fn baselines_digest() -> String {
        let table = Table::new(Position::ID, "chain_needs_home,weighted_majority", Budgets::DEFAULT, Wall::None);
        let tiers = ["easy", "normal", "hard"].map(|tier| Contender::baseline(tier).expect("a tier"));
        let mut text = String::new();
        for first in &tiers {
            for second in &tiers {
                for seed in 0..10 {
                    let record = table.play([seed; 32], &BySeat::from([first, second])).expect("a game");
                    let _ = writeln!(text, "{}", record.digest);
                }
            }
        }
        Hex::<32>(Sha256::digest(text).into()).to_string()
    }

    #[test]
    fn baselines_play_as_they_always_did() {
        // A difference means that results from before are not comparable. When it is intended: a new version of the
        // baselines' ids, and this digest.
        assert_eq!(baselines_digest(), BASELINES_DIGEST);
    }

    /// Every opening from a hundred seeds, board by board.
    fn openings_digest() -> String {
        let openings = (0..=u8::MAX).flat_map(|number| [Opening::symmetric(number), Opening::random_turns(number)]);
        let mut text = String::new();
        for opening in openings.flatten() {
            for seed in 0..100 {
                let start = Start { options: Options::V2, opening };
                let _ = writeln!(text, "{opening} {seed} {}", Position::start(&start, &[seed; 32]).board());
            }
        }
        Hex::<32>(Sha256::digest(text).into()).to_string()
    }

    #[test]
    fn openings_are_drawn_as_they_always_were() {
        // A difference means that records from before do not replay: it is only right with a new version of the ruleset.
        assert_eq!(openings_digest(), OPENINGS_DIGEST);
    }

    #[test]
    fn the_semantics_id_changes_only_on_purpose() {
        assert_eq!(semantics_id(), "892657e68146a0a58d3395882606605d5087c02bb38fe06a606e34065afa7e37");
    }
}
