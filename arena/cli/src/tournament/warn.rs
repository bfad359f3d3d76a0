//! What is said of entrants before their tournament starts.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use arena_record::EntrantId;
use arena_runner::Host;
use arena_tournaments::{Definition, Source};
use arena_wire::Game;

use crate::{bots, shown};

/// Seed of the sample games: that of `arena check`.
const SEED: u64 = 1;

/// Sentences about entrants with equal bytes, and about bots that `arena check` would refuse.
///
/// # Errors
/// When the machine failed.
pub(super) fn warnings(definition: &Definition, base: &Path, host: &dyn Host) -> Result<Vec<String>> {
    let game = Game::named(&definition.ruleset)?;
    let mut warnings = Vec::new();
    let mut seen: BTreeMap<EntrantId, &str> = BTreeMap::new();
    for entrant in &definition.entrants {
        let Source::File(file) = &entrant.source else { continue };
        // What cannot be read is explained when the tournament starts.
        let Ok(file) = bots::read(&base.join(file), &definition.budgets) else { continue };
        let name = shown::text(&entrant.name);
        if let Some(other) = seen.insert(EntrantId::of_bytes(&file.bytes), &entrant.name) {
            warnings.push(format!("{} and {name} have equal bytes: one bot under two names", shown::text(other)));
            continue;
        }
        if let Some(objection) = bots::judged(host, &file, game, &definition.budgets, SEED)?.objection() {
            let (code, message) = (objection.code, shown::text(&objection.message));
            warnings.push(format!("`arena check` refuses the bot of {name} ({code}): {message}"));
        }
    }
    Ok(warnings)
}
