//! What `results/` holds: files derived from the games of a tournament, the same bytes wherever they are derived.

use std::fs;
use std::io;
use std::path::Path;

use arena_files::{read_at_most, sync_folder, write_synced};
use arena_record::Record;
use arena_tournaments::Standings;

use crate::course::Course;
use crate::layout::{GAMES, game_file};
use crate::plan::Plan;

/// Everything that is said about all games together.
pub(crate) struct Summary {
    pub(crate) standings: Standings,
    /// What the format says besides, as files.
    reports: Vec<(&'static str, String)>,
}

impl Summary {
    /// The fold over the games that count, in schedule order.
    pub(crate) fn of<'a>(plan: &Plan, course: &Course, record: impl Fn(usize) -> Option<&'a Record>) -> Summary {
        let settled = course.results(record);
        let Plan { format, entrants, .. } = plan;
        Summary { standings: format.standings(entrants, &settled), reports: format.reports(entrants, &settled) }
    }

    /// The files beside the games, by name. Whatever is added here is written, and verified byte by byte.
    pub(crate) fn files(&self) -> Vec<(&'static str, String)> {
        self.standings.files().into_iter().chain(self.reports.iter().cloned()).collect()
    }
}

/// Every file in `results/` with its bytes, made when it is asked for.
fn files<'a>(
    summary: &Summary,
    records: impl Iterator<Item = (usize, &'a Record)>,
) -> impl Iterator<Item = (String, String)> {
    let tables = summary.files().into_iter().map(|(name, text)| (name.to_string(), text));
    tables.chain(records.map(|(number, record)| (format!("{GAMES}/{}", game_file(number)), record.to_text())))
}

/// Whether `folder` holds exactly the derived files.
pub(crate) fn is_written<'a>(
    folder: &Path,
    summary: &Summary,
    records: impl Iterator<Item = (usize, &'a Record)>,
) -> bool {
    let mut count = 0;
    let same = files(summary, records).all(|(name, text)| {
        count += 1;
        read_at_most(&folder.join(name), text.len() as u64).is_ok_and(|bytes| bytes == text.as_bytes())
    });
    let entries = |folder: &Path| fs::read_dir(folder).map_or(0, Iterator::count);
    // The folder of games is an entry beside the tables.
    same && entries(folder) + entries(&folder.join(GAMES)) == count + 1
}

/// Writes the derived files into `folder`, and waits until they are on the disk.
///
/// # Errors
/// When a file cannot be written.
pub(crate) fn write<'a>(
    folder: &Path,
    summary: &Summary,
    records: impl Iterator<Item = (usize, &'a Record)>,
) -> io::Result<()> {
    let games = folder.join(GAMES);
    fs::create_dir_all(&games)?;
    for (name, text) in files(summary, records) {
        write_synced(&folder.join(name), text.as_bytes())?;
    }
    sync_folder(&games)?;
    sync_folder(folder)
}
