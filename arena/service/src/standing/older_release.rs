//! Editions played by another release, shown as that release wrote them.

use std::collections::BTreeSet;
use std::io::{self, Read};
use std::path::Path;

use arena_files::open;
use arena_record::EntrantId;
use arena_runner::layout;
use arena_store::DELETED;

use super::history;

/// The file of a tournament's standings for people, in all releases.
const STANDINGS_TEXT: &str = "standings.txt";
/// How much of it is shown, in bytes: ten times as much as 64 entrants take.
const EARLIER_BYTES_MAX: u64 = 64 << 10;

/// The standings of a finished tournament that another release played. They are not comparable, so they are shown
/// unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OlderRelease {
    /// The build that played it, such as `arena 0.1.0 wasmtime 48.0.8 x86_64-unknown-linux-gnu`.
    pub build: String,
    /// Its standings as that release wrote them for people: lines of plain text, without the names of deleted bots.
    pub table: String,
    /// Who played, by name.
    pub(crate) entrants: Vec<(String, EntrantId)>,
}

impl OlderRelease {
    /// Reads the standings in the folder of a finished tournament, as written by the release that played it, `build`.
    pub(crate) fn read(folder: &Path, build: &str) -> io::Result<OlderRelease> {
        let file = open(&folder.join(layout::RESULTS).join(STANDINGS_TEXT))?;
        let mut table = String::new();
        file.take(EARLIER_BYTES_MAX).read_to_string(&mut table)?;
        let rows = history::rows(folder).unwrap_or_default();
        let entrants = rows.into_iter().map(|row| (row.name, row.id)).collect();
        Ok(OlderRelease { build: build.into(), table, entrants })
    }

    /// Removes the names of deleted bots. A name has a column of its own, after the rank.
    pub(crate) fn without(&mut self, deleted: &BTreeSet<EntrantId>) {
        let gone = |name: &str| self.entrants.iter().any(|(known, id)| known == name && deleted.contains(id));
        let line = |line: &str| {
            let mut words = line.split_whitespace();
            let (rank, name) = (words.next()?, words.next()?);
            if rank.parse::<usize>().is_err() || !gone(name) {
                return None;
            }
            let at = line.find(rank)? + rank.len();
            let (before, after) = (line.get(..at)?, line.get(at..)?);
            let at = after.find(name)?;
            let (space, rest) = (after.get(..at)?, after.get(at + name.len()..)?);
            // Padded to the old width, so that columns stay aligned where possible.
            let spare = name.len().saturating_sub(DELETED.len());
            let wanted = DELETED.len().saturating_sub(name.len());
            let blanks = rest.len() - rest.trim_start_matches(' ').len();
            let cut = wanted.min(blanks.saturating_sub(1));
            Some(format!("{before}{space}{DELETED}{}{}", " ".repeat(spare), rest.get(cut..)?))
        };
        // A tournament of two also has a sentence that names both.
        let is_of_two = self.entrants.len() == 2;
        let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        let names = |text: &str| is_of_two && text.split(|c: char| !is_plain(c)).any(gone);
        let lines = self.table.lines().filter_map(|text| match line(text) {
            None if names(text) => None,
            shown => Some(shown.unwrap_or_else(|| text.to_owned()) + "\n"),
        });
        self.table = lines.collect();
        for (name, _) in self.entrants.iter_mut().filter(|(_, id)| deleted.contains(id)) {
            *name = DELETED.into();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_of_an_earlier_release_loses_the_names_of_what_was_deleted_and_nothing_else() {
        let (ann, bob) = (EntrantId::of_bytes(b"ann"), EntrantId::of_bytes(b"bob"));
        let easy = EntrantId::of_baseline("easy", 1);
        let table = "  #  bot            rating   games
  1  mason        110 ± 53     120
  2  it            40 ± 49     120
  3  easy        -296 ± 82     120

                  #1    #2    #3
  1  mason         -  68.8  58.8
  2  it          31.3     -  60.0
  3  easy        12.5  10.0     -

rating: easy as it is
";
        let entrants = vec![("mason".into(), ann.clone()), ("it".into(), bob.clone()), ("easy".into(), easy)];
        let mut earlier = OlderRelease { build: "arena 0.1.0".into(), table: table.into(), entrants };
        earlier.without(&BTreeSet::new());
        assert_eq!(earlier.table, table);
        earlier.without(&BTreeSet::from([ann]));
        let once = table.replace("mason  ", "deleted");
        assert_eq!(earlier.table, once);
        earlier.without(&BTreeSet::from([bob]));
        assert_eq!(earlier.table, once.replace("  2  it     ", "  2  deleted"));
    }
}
