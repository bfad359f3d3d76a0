//! What `results/` holds: files derived from the games of a tournament, the same bytes whoever derives them.

use std::fs;
use std::io;
use std::path::Path;

use arena_files::{read_at_most, sync_folder, write_synced};
use arena_record::Record;
use arena_tournaments::{
    Entrant, Fairness, GameResult, Ranking, ScheduledGame, fairness, field_standings, standings_with_void,
};

use crate::layout::{GAMES, game_file};
use crate::settlement::Settlement;

/// Everything that is said about all games together.
pub(crate) struct Summary {
    pub(crate) ranking: Ranking,
    /// How fair two-seat games were.
    fairness: Option<Fairness>,
}

impl Summary {
    /// The fold over the games that count, in schedule order.
    pub(crate) fn of<'a>(
        schedule: &[ScheduledGame],
        entrants: &[Entrant],
        seats: u8,
        settled: &Settlement,
        record: impl Fn(usize) -> Option<&'a Record>,
    ) -> Summary {
        let games = results_of(schedule, |number| record(number).filter(|_| settled.counted.contains(&number)));
        let void = settled.to_void(schedule);
        if seats > 2 {
            let ranking = Ranking::Field(field_standings(entrants, seats, &games, &void));
            return Summary { ranking, fairness: None };
        }
        let lost = (schedule.len() - games.len()) as u32;
        let ranking = Ranking::Pairs(standings_with_void(entrants, &games, &void));
        Summary { ranking, fairness: Some(fairness(entrants, &games, lost, &void)) }
    }

    /// The files beside the games, by name. Whatever is added here is written, and verified byte by byte.
    pub(crate) fn files(&self) -> Vec<(&'static str, String)> {
        let Summary { ranking, fairness } = self;
        let mut files = vec![
            ("standings.json", ranking.to_json()),
            ("standings.csv", ranking.to_csv()),
            ("standings.txt", ranking.to_table()),
        ];
        if let Some(fairness) = fairness {
            files.extend([("fairness.json", fairness.to_json()), ("fairness.txt", fairness.to_text())]);
        }
        if let Ranking::Pairs(standings) = ranking {
            files.extend([("crosstable.svg", standings.crosstable_svg()), ("ratings.svg", standings.ratings_svg())]);
        }
        files
    }
}

/// What the games that are there came to, in schedule order.
fn results_of<'a>(
    schedule: &[ScheduledGame],
    record: impl Fn(usize) -> Option<&'a Record>,
) -> Vec<(ScheduledGame, GameResult)> {
    let result = |game: &ScheduledGame| Some((game.clone(), GameResult::of(record(game.number)?)));
    schedule.iter().filter_map(result).collect()
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
    let mut games = 0;
    let same = files(summary, records).all(|(name, text)| {
        games += 1;
        read_at_most(&folder.join(name), text.len() as u64).is_ok_and(|bytes| bytes == text.as_bytes())
    });
    let entries = |folder: &Path| fs::read_dir(folder).map_or(0, Iterator::count);
    // The folder of games is an entry beside the tables.
    same && entries(folder) + entries(&folder.join(GAMES)) == games + 1
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
