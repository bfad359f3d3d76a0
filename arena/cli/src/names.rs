//! What the entrants of a recorded game are called.

use std::collections::BTreeMap;
use std::path::Path;

use arena_record::EntrantId;
use arena_runner::shown_entrants;

use crate::shown;

/// The names that a tournament gave its entrants, for people, with a mark on those that were disqualified.
#[derive(Default)]
pub(crate) struct EntrantNames(BTreeMap<EntrantId, String>);

impl EntrantNames {
    /// Those of the tournament in a folder; none where there is none.
    pub(crate) fn of_tournament(folder: &Path) -> EntrantNames {
        let mut names: BTreeMap<EntrantId, String> = BTreeMap::new();
        for entrant in shown_entrants(folder) {
            let mark = if entrant.is_disqualified { " (disqualified)" } else { "" };
            let (id, name) = (entrant.id, shown::text(&entrant.name) + mark);
            // Equal bytes may play under several names.
            names.entry(id).and_modify(|names| *names = format!("{names} or {name}")).or_insert(name);
        }
        EntrantNames(names)
    }

    /// Whether an entrant has a name.
    pub(crate) fn knows(&self, id: &EntrantId) -> bool {
        self.0.contains_key(id)
    }

    /// The name of an entrant, or else its id.
    pub(crate) fn of(&self, id: &EntrantId) -> String {
        self.0.get(id).cloned().unwrap_or_else(|| id.to_string())
    }
}
