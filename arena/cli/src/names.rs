//! Names of the entrants of a recorded game.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use arena_files::read_at_most;
use arena_record::EntrantId;
use arena_runner::shown_entrants;

use crate::output;

/// The file beside the records of a match with the names of its two bots, by their ids.
const BESIDE: &str = "names.json";
/// The greatest size of that file, in bytes: two names are two paths.
const BESIDE_BYTES_MAX: u64 = 1 << 14;

/// The names of entrants in a tournament or a match, for people, with a mark on disqualified ones.
#[derive(Default)]
pub(crate) struct EntrantNames(BTreeMap<EntrantId, String>);

impl EntrantNames {
    /// The names in a tournament's folder; none if it is not one.
    pub(crate) fn of_tournament(folder: &Path) -> EntrantNames {
        let marked = shown_entrants(folder).into_iter().map(|entrant| {
            let mark = if entrant.is_disqualified { " (disqualified)" } else { "" };
            (entrant.id, output::text(&entrant.name) + mark)
        });
        marked.collect()
    }

    /// The names in a folder with the records of a match; none if no match wrote them.
    pub(crate) fn of_match(folder: &Path) -> EntrantNames {
        let bytes = read_at_most(&folder.join(BESIDE), BESIDE_BYTES_MAX).unwrap_or_default();
        let names: BTreeMap<EntrantId, String> = serde_json::from_slice(&bytes).unwrap_or_default();
        names.into_iter().map(|(id, name)| (id, output::text(&name))).collect()
    }

    /// Writes the names beside the records of a match.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(crate) fn keep(&self, folder: &Path) -> Result<()> {
        let (file, text) = (folder.join(BESIDE), serde_json::to_string_pretty(&self.0)?);
        fs::write(&file, text + "\n").with_context(|| format!("cannot write {}", file.display()))
    }

    /// Whether an entrant has a name.
    pub(crate) fn knows(&self, id: &EntrantId) -> bool {
        self.0.contains_key(id)
    }

    /// The name of an entrant, or its id if it has none.
    pub(crate) fn of(&self, id: &EntrantId) -> String {
        self.0.get(id).cloned().unwrap_or_else(|| id.to_string())
    }
}

impl FromIterator<(EntrantId, String)> for EntrantNames {
    /// Joins names, since equal bytes may play under several.
    fn from_iter<T: IntoIterator<Item = (EntrantId, String)>>(named: T) -> EntrantNames {
        let mut names: BTreeMap<EntrantId, String> = BTreeMap::new();
        for (id, name) in named {
            names.entry(id).and_modify(|names| *names = format!("{names} or {name}")).or_insert(name);
        }
        EntrantNames(names)
    }
}
