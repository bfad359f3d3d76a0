//! What `results/` holds: files derived from the games of a tournament, the same bytes wherever they are derived.

use std::fs;
use std::io;
use std::path::Path;

use arena_files::{read_at_most, sync_folder, write_synced};
use arena_tournaments::{Standings, games_csv};

use crate::course::Course;
use crate::plan::Plan;

/// Everything that is said about all games together.
pub(crate) struct Summary {
    pub(crate) standings: Standings,
    /// What the format says besides, as files.
    reports: Vec<(&'static str, String)>,
}

impl Summary {
    /// The fold over the games that count, in schedule order.
    pub(crate) fn of(plan: &Plan, course: &Course) -> Summary {
        let (Plan { format, entrants, .. }, settled) = (plan, &course.settled);
        let games = ("games.csv", games_csv(entrants, settled));
        let reports = format.reports(entrants, settled).into_iter().chain([games]).collect();
        Summary { standings: format.standings(entrants, settled), reports }
    }

    /// The files by name. Whatever is added here is written, and verified byte by byte.
    pub(crate) fn files(&self) -> Vec<(&'static str, String)> {
        self.standings.files().into_iter().chain(self.reports.iter().cloned()).collect()
    }

    /// Whether `folder` holds exactly these files.
    pub(crate) fn is_written(&self, folder: &Path) -> bool {
        let files = self.files();
        let entries = fs::read_dir(folder).map_or(0, Iterator::count);
        entries == files.len()
            && files.iter().all(|(name, text)| {
                let found = read_at_most(&folder.join(name), text.len() as u64);
                found.is_ok_and(|bytes| bytes == text.as_bytes())
            })
    }

    /// Writes the files into a new folder, and waits until they are on the disk.
    ///
    /// # Errors
    /// When a file cannot be written.
    pub(crate) fn write(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir(folder)?;
        for (name, text) in self.files() {
            write_synced(&folder.join(name), text.as_bytes())?;
        }
        sync_folder(folder)
    }
}
