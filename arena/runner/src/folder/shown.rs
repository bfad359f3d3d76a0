//! What is shown of a folder before anything in it is checked.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use arena_files::{open, read_at_most};
use arena_ledger::{ChangeKind, MANIFEST_BYTES_MAX, Manifest, changes};
use arena_record::EntrantId;
use arena_tournaments::Definition;
use arena_tournaments::limits::DEFINITION_BYTES_MAX;

use crate::journal::OnDisk;
use crate::layout;

/// An entrant of a tournament, for display.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownEntrant {
    /// Its name in tables for people.
    pub name: String,
    /// Its id.
    pub id: EntrantId,
    /// Whether it was disqualified, which is marked in its games.
    pub is_disqualified: bool,
}

/// The entrants of the tournament in a folder for display, late ones included; none if there is no tournament. The
/// files are not checked for damage.
pub fn shown_entrants(folder: &Path) -> Vec<ShownEntrant> {
    let entrants = read(folder).map_or_else(Vec::new, |manifest| manifest.entrants);
    let definition = read_at_most(&folder.join(layout::DEFINITION), DEFINITION_BYTES_MAX as u64).ok();
    let definition = definition.and_then(|text| Definition::parse(&String::from_utf8(text).ok()?).ok());
    let displayed: BTreeMap<String, String> = definition
        .into_iter()
        .flat_map(|definition| definition.entrants)
        .filter_map(|entrant| Some((entrant.name, entrant.display?)))
        .collect();
    let journal = open(&folder.join(layout::JOURNAL)).ok();
    let changes = journal.and_then(|journal| changes(&OnDisk(&journal)).ok()).unwrap_or_default();
    let (mut late, mut disqualified) = (Vec::new(), BTreeSet::new());
    for (_, change) in changes {
        match change.what {
            ChangeKind::Added { name, display, id } => late.push((name, display, id)),
            ChangeKind::Disqualified { name } => {
                disqualified.insert(name);
            }
            ChangeKind::Withdrawn { .. } | ChangeKind::Drawn { .. } => {}
        }
    }
    let first = entrants.into_iter().map(|entrant| {
        let display = displayed.get(&entrant.name).cloned();
        (entrant.name, display, entrant.id)
    });
    let shown = |(name, display, id): (String, Option<String>, EntrantId)| {
        let is_disqualified = disqualified.contains(&name);
        ShownEntrant { name: display.unwrap_or(name), id, is_disqualified }
    };
    first.chain(late).map(shown).collect()
}

/// The semantics id under which the tournament in a folder was started; `None` if there is none, or if it has another
/// form.
pub fn semantics_of(folder: &Path) -> Option<String> {
    read(folder).map(|manifest| manifest.semantics)
}

fn read(folder: &Path) -> Option<Manifest> {
    let bytes = read_at_most(&folder.join(layout::MANIFEST), MANIFEST_BYTES_MAX).ok()?;
    Manifest::parse(&String::from_utf8(bytes).ok()?).ok()
}
