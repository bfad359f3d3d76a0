//! The output of `arena --version`: the release, and the ids by which results are compared.

use std::fmt::Write as _;
use std::sync::LazyLock;

use arena_runner::{build_id, semantics_id};
use arena_wire::GAMES;

/// The release alone in the first line, for scripts; then the build id, and the semantics id of each game. Results with
/// equal semantics ids are comparable; a different build alone changes nothing.
pub(crate) fn version() -> &'static str {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let mut text = format!("{}\nbuild: {}", env!("CARGO_PKG_VERSION"), build_id());
        for game in GAMES {
            // Writing to a string cannot fail.
            let _ = write!(text, "\nsemantics of {}: {}", game.ruleset, semantics_id(game.ruleset));
        }
        text
    });
    &TEXT
}
