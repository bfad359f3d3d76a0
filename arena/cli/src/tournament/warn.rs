//! Warnings about entrants before their tournament starts.

use std::collections::BTreeMap;
use std::path::Path;

use anyhow::Result;
use arena_record::EntrantId;
use arena_runner::{Host, Named};
use arena_tournaments::{Definition, Source};
use arena_wire::Game;

use crate::{bots, output};

/// Seed of the sample games, as in `arena check`.
const SEED: u64 = 1;

/// Warnings about entrants that are the same bot, and about bots that `arena check` would refuse.
///
/// # Errors
/// If the machine failed.
pub(super) fn warnings(definition: &Definition, base: &Path, host: &dyn Host) -> Result<Vec<String>> {
    let game = Game::named(&definition.ruleset)?;
    let mut warnings = Vec::new();
    let mut seen: BTreeMap<EntrantId, &str> = BTreeMap::new();
    for entrant in &definition.entrants {
        let name = output::text(&entrant.name);
        // A missing or unreadable file is reported when the tournament starts.
        let (id, file) = match &entrant.source {
            Source::Baseline(named) | Source::Gallery(named) => match Named::find(&definition.ruleset, named) {
                Ok(named) => (named.id(), None),
                Err(_) => continue,
            },
            Source::File(file) => match bots::read(&base.join(file), &definition.budgets) {
                Ok(file) => (EntrantId::of_bytes(&file.bytes), Some(file)),
                Err(_) => continue,
            },
        };
        let is_built_in = id.hash().is_none();
        if let Some(other) = seen.insert(id, &entrant.name) {
            let same = if is_built_in { "are one opponent" } else { "have equal bytes: one bot" };
            warnings.push(format!("{} and {name} {same} under two names", output::text(other)));
            continue;
        }
        let Some(file) = file else { continue };
        if let Some(objection) = bots::judged(host, &file, game, &definition.budgets, SEED)?.objection() {
            let (code, message) = (objection.code, output::text(objection.message.english()));
            warnings.push(format!("`arena check` refuses the bot of {name} ({code}): {message}"));
        }
    }
    Ok(warnings)
}
