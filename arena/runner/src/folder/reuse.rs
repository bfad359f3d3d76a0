//! Reusing games of other tournaments: a game is a function of its header and the bots' bytes, so a game with an equal
//! header need not be played again.

use std::collections::BTreeMap;
use std::path::PathBuf;

use arena_record::{Digest, Header};
use arena_referee::compare::first;
use sha2::Digest as _;

use super::error::FolderError;
use super::survey::Survey;
use crate::{Ended, Misfit};

/// Folders that games are reused from. Each game takes about 100 bytes of memory.
pub const SOURCES_MAX: usize = 64;

/// What shows that games of another tournament were played as it says.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Proof {
    /// They follow the rules. Whether bots played them like this is not known, and they are not played here.
    #[default]
    Rules,
    /// They are played again with the bots' bytes, and are the same.
    Played,
}

/// Games that ended in other tournaments, by the hash of their headers.
#[derive(Default)]
pub(crate) struct Known {
    pub(super) proof: Proof,
    sources: Vec<Survey>,
    /// The number of a folder, and of a game in it, by the hash of the game's header.
    games: BTreeMap<Digest, (usize, usize)>,
}

impl Known {
    /// The games of some folders, each replayed by the rules. Void games are left out.
    ///
    /// # Errors
    /// When a folder is not a tournament with this release's semantics, or is damaged. The error names the folder.
    pub(crate) fn of(paths: &[PathBuf], proof: Proof) -> Result<Known, FolderError> {
        let mut known = Known { proof, ..Known::default() };
        for path in paths {
            let survey = Survey::checked(path, |ended| match ended.record() {
                Some(record) => Ok(arena_referee::check(record).map_err(Box::new)?),
                None => Ok(()),
            })?;
            let source = known.sources.len();
            let games = survey.headers().map(|(number, header)| (key(&header), (source, number)));
            known.games.extend(games);
            known.sources.push(survey);
        }
        Ok(known)
    }

    /// The result of the game with this header, if one of the folders has it.
    ///
    /// # Errors
    /// When it cannot be read any more, or has changed.
    pub(crate) fn ended(&self, header: &Header) -> Result<Option<Ended>, FolderError> {
        let place = if self.games.is_empty() { None } else { self.games.get(&key(header)) };
        let Some((source, number)) = place else { return Ok(None) };
        let (survey, changed) = (&self.sources[*source], Misfit::OtherHeader);
        match survey.ended(*number)? {
            Some(ended) if survey.agrees(*number, &ended) => Ok(Some(ended)),
            _ => Err(survey.misfit(*number, changed)),
        }
    }

    /// Compares a game as one of the folders has it with the same game played here.
    ///
    /// # Errors
    /// When they differ; with the folder, the game there, and the first difference.
    pub(super) fn compare(&self, header: &Header, known: &Ended, played: &Ended) -> Result<(), FolderError> {
        let (Some(known), Some(played)) = (known.record(), played.record()) else { return Ok(()) };
        let Some(parting) = first(played, known) else { return Ok(()) };
        let Some((source, number)) = self.games.get(&key(header)) else { return Ok(()) };
        Err(FolderError::NotPlayedSo {
            path: self.sources[*source].path().into(),
            number: *number,
            why: parting.to_string(),
        })
    }
}

/// The hash of all that a game follows from. The build is left out: builds with the same semantics play the same games.
fn key(header: &Header) -> Digest {
    let header = Header { build: String::new(), ..header.clone() };
    // Strings and numbers always serialise.
    sha2::Sha256::digest(serde_json::to_vec(&header).unwrap_or_default()).into()
}
