//! What the standing tournament shows of itself.

use std::collections::BTreeSet;
use std::sync::Arc;

use arena_record::EntrantId;
use arena_runner::{Folder, semantics_id};
use arena_store::{DELETED, TournamentId};
use arena_tournaments::{Draw, Standings};
use arena_wire::Game;

use super::history::PastEdition;

/// The standing tournament of a game at a moment.
#[derive(Clone, Default)]
pub struct Standing {
    /// The latest finished edition.
    pub edition: Option<Arc<Edition>>,
    /// The finished editions of this release that are kept, oldest first: the latest is the last.
    pub history: Vec<Arc<PastEdition>>,
    /// The latest finished edition if another release played it; `None` as soon as there is one of this release.
    pub earlier: Option<Arc<Earlier>>,
    /// The edition that is being played.
    pub playing: Option<Progress>,
    /// Whether bots were accepted that will play in an edition that has not begun, or may have been.
    pub waiting: bool,
    /// Bots for which there is no place in the field: more than an owner may have in it, those that came off worst, and
    /// newcomers whose trial is still to come.
    pub left_out: usize,
    /// What keeps the tournament from going on, or what was wrong with the edition before; `None` when all is well.
    pub trouble: Option<String>,
}

/// A finished edition that another release played: its results are not comparable, and shown as they stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Earlier {
    /// Its number, from 1.
    pub number: u32,
    /// Which build played it, such as `arena 0.1.0 wasmtime 48.0.8 x86_64-unknown-linux-gnu`.
    pub build: String,
    /// Its standings as that release wrote them for people: plain text in lines. Bots that were deleted have no name in it.
    pub table: String,
    /// Who played, by name.
    pub(crate) entrants: Vec<(String, EntrantId)>,
}

impl Earlier {
    /// The edition as it is shown once these bots are deleted: without their names. A name has a column of its own, after the rank.
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
            // As wide as it was, so that columns stay in line where that is possible.
            let spare = name.len().saturating_sub(DELETED.len());
            let wanted = DELETED.len().saturating_sub(name.len());
            let blanks = rest.len() - rest.trim_start_matches(' ').len();
            let cut = wanted.min(blanks.saturating_sub(1));
            Some(format!("{before}{space}{DELETED}{}{}", " ".repeat(spare), rest.get(cut..)?))
        };
        let lines = self.table.lines().map(|text| line(text).unwrap_or_else(|| text.to_owned()) + "\n");
        self.table = lines.collect();
        for (name, _) in self.entrants.iter_mut().filter(|(_, id)| deleted.contains(id)) {
            *name = DELETED.into();
        }
    }
}

/// How far an edition is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// The edition's number.
    pub edition: u32,
    /// Games that were played.
    pub played: usize,
    /// Games of the schedule.
    pub total: usize,
    /// What its seed was drawn from: revealed before the first game.
    pub draw: Option<Draw>,
}

/// A finished edition. It is a tournament like any other, in its folder.
#[derive(Clone, Debug)]
pub struct Edition {
    /// Its number, from 1. Numbers of editions that could not be finished are missing.
    pub number: u32,
    /// The tournament's id, such as `standing-7`, which is also its folder's name.
    pub tournament: TournamentId,
    /// Who played, by name, in the order of its definition.
    pub entrants: Vec<(String, EntrantId)>,
    /// The final standings.
    pub standings: Standings,
    /// Games of its schedule; all of them were played.
    pub games: usize,
    /// What its seed was drawn from, with the commitment to the secret of the next edition; `None` for those of a release that did
    /// not draw.
    pub draw: Option<Draw>,
    /// Games that were played again because the machine failed, as far as this process did it.
    pub platform_faults: u64,
    /// Names what its verdicts depend on, as records do.
    pub semantics: String,
    /// Which build started it.
    pub build: String,
}

impl Edition {
    /// The edition as it is shown once these bots are deleted: without their names.
    pub(crate) fn without(&mut self, deleted: &BTreeSet<EntrantId>) {
        let entrants = self.entrants.iter_mut().map(|(name, id)| (name, &*id));
        let rows = self.standings.rows.iter_mut().map(|row| (&mut row.name, &row.id));
        for (name, _) in entrants.chain(rows).filter(|(_, id)| deleted.contains(id)) {
            *name = DELETED.into();
        }
    }

    /// What the entrant with this id is called in it.
    pub fn name(&self, id: &EntrantId) -> Option<&str> {
        self.entrants.iter().find(|(_, entrant)| entrant == id).map(|(name, _)| name.as_str())
    }

    /// The edition of a folder in which all games are played.
    pub(crate) fn of(
        game: &Game,
        number: u32,
        tournament: TournamentId,
        folder: &Folder,
        standings: Standings,
        platform_faults: u64,
    ) -> Edition {
        let entrants = folder.entrants().iter().map(|entrant| (entrant.name.clone(), entrant.id.clone()));
        Edition {
            number,
            tournament,
            entrants: entrants.collect(),
            standings,
            games: folder.progress().total,
            draw: folder.draw(),
            platform_faults,
            // A folder of other semantics is never opened.
            semantics: semantics_id(game.ruleset),
            build: folder.build().into(),
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
        let mut earlier = Earlier { number: 1, build: "arena 0.1.0".into(), table: table.into(), entrants };
        earlier.without(&BTreeSet::new());
        assert_eq!(earlier.table, table);
        earlier.without(&BTreeSet::from([ann]));
        let once = table.replace("mason  ", "deleted");
        assert_eq!(earlier.table, once);
        earlier.without(&BTreeSet::from([bob]));
        assert_eq!(earlier.table, once.replace("  2  it     ", "  2  deleted"));
    }
}
