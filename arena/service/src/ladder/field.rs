//! Who plays in the next edition, and by which definition.

use std::collections::BTreeSet;
use std::path::Path;

use arena_record::EntrantId;
use arena_rules::conquerors::Position;
use arena_runner::Contender;
use arena_store::{PAGE_MAX, Page, Store, StoreError};
use arena_tournaments::{Definition, EntrantSpec, Source, limits};
use arena_wire::Protocol;

use crate::core::{BUDGETS, RULESET};
use crate::limits::{ENTRANTS_MAX, GAMES_TARGET, PAIRS_MAX};

/// The built-in opponents, which play in every edition.
const BUILT_IN: [&str; 3] = ["easy", "normal", "hard"];

/// The seed of edition n is this and n: known beforehand, so that nobody can be suspected of having chosen it.
const SEED: u64 = 1_000_000;

/// Who plays, by name and id: the built-in opponents, then bots, the oldest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Field(Vec<(String, EntrantId)>);

impl Field {
    /// The field of an edition that has begun.
    pub(crate) fn of(entrants: &[arena_tournaments::Entrant]) -> Field {
        Field(entrants.iter().map(|entrant| (entrant.name.clone(), entrant.id.clone())).collect())
    }

    /// The field as it would be now, and how many bots have no place in it.
    pub(crate) async fn now(store: &Store) -> Result<(Field, usize), StoreError> {
        let built_in =
            BUILT_IN.iter().filter_map(|name| Some(((*name).into(), Contender::baseline(RULESET, name).ok()?.id())));
        let mut field: Vec<(String, EntrantId)> = built_in.collect();
        let mut left_out = 0;
        let mut page = Page::first(PAGE_MAX);
        loop {
            let bots = store.active_bots(page).await?;
            let Some(last) = bots.last().map(|active| active.bot.id) else { return Ok((Field(field), left_out)) };
            for active in bots {
                // Equal bytes are one entrant however many names they have: the oldest bot plays for all of them.
                if field.iter().any(|(_, entrant)| *entrant == active.version.entrant) {
                    continue;
                }
                if field.len() < ENTRANTS_MAX {
                    field.push((active.bot.name.to_string(), active.version.entrant));
                } else {
                    left_out += 1;
                }
            }
            page = Page::after(last, PAGE_MAX);
        }
    }

    /// The definition of edition `number` of this field, `without` some. Files of bots are relative to `blobs`.
    pub(crate) fn definition(
        &self,
        number: u32,
        without: &BTreeSet<String>,
        store: &Store,
        blobs: &Path,
    ) -> Definition {
        let playing = self.0.iter().filter(|(name, _)| !without.contains(name));
        let entrants: Vec<EntrantSpec> =
            playing.map(|(name, id)| EntrantSpec { name: name.clone(), source: source(id, store, blobs) }).collect();
        Definition {
            name: format!("standing tournament, edition {number}"),
            ruleset: RULESET.into(),
            options: Position::RANKED.into(),
            seed: SEED + u64::from(number),
            pairs: pairs(entrants.len()),
            games: None,
            budgets: BUDGETS,
            wall_ms_per_move: limits::WALL_MS_DEFAULT,
            entrants,
        }
    }
}

/// Where an entrant comes from. No absolute path: a definition is published, and says nothing of this machine.
fn source(id: &EntrantId, store: &Store, blobs: &Path) -> Source {
    if let Some((tier, _)) = id.baseline() {
        return Source::Baseline(tier.into());
    }
    let path = store.module_path(id).unwrap_or_default();
    Source::File(path.strip_prefix(blobs).unwrap_or(&path).to_string_lossy().into())
}

/// Pairs of games per pairing, so that an edition has about [`GAMES_TARGET`] games.
fn pairs(entrants: usize) -> u32 {
    let games_per_pair = (entrants * entrants.saturating_sub(1)).max(1);
    u32::try_from(GAMES_TARGET / games_per_pair).unwrap_or(PAIRS_MAX).clamp(1, PAIRS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edition_has_about_as_many_games_as_it_aims_at() {
        let found: Vec<u32> = [2, 3, 14, 15, 20, 32, 33, 63, 64].into_iter().map(pairs).collect();
        assert_eq!(found, [20, 20, 20, 19, 10, 4, 3, 1, 1]);
        // A round robin of everybody is never too much for one tournament.
        assert!(ENTRANTS_MAX * (ENTRANTS_MAX - 1) * pairs(ENTRANTS_MAX) as usize <= arena_runner::GAMES_MAX);
    }
}
