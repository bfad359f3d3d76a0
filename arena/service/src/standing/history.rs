//! Results of past editions, read from their files.

use std::fs;
use std::path::Path;
use std::time::UNIX_EPOCH;

use arena_files::read_at_most;
use arena_record::EntrantId;
use arena_runner::layout;
use arena_store::UnixSeconds;
use serde::Deserialize;

/// An edition's standings for programs.
const STANDINGS_JSON: &str = "standings.json";
/// How it begins to say that its ratings have no anchor.
const ADRIFT: &str = "not anchored";
/// How much of it is read, in bytes: five times as much as 64 entrants take.
const STANDINGS_BYTES_MAX: u64 = 1 << 20;

/// A finished edition, in short.
#[derive(Clone, PartialEq, Debug)]
pub struct PastEdition {
    /// Its number, from 1.
    pub number: u32,
    /// When its results were written, by the file's time.
    pub finished_at: UnixSeconds,
    /// What its ratings are measured from, in words; `None` if they have no such anchor, so that no other edition has
    /// their zero.
    pub anchor: Option<String>,
    /// All entrants, best first.
    pub rows: Vec<PastRow>,
}

/// A place in it.
#[derive(Clone, PartialEq, Debug, Deserialize)]
pub struct PastRow {
    /// From 1.
    pub rank: usize,
    /// Its name there.
    pub name: String,
    /// Its id: the hash of its bytes, or a built-in opponent.
    pub id: EntrantId,
    /// The value that determines the order: a rating in Elo points, or a mean share from 0 to 1. `None` if nothing can
    /// be estimated, and for two entrants.
    #[serde(default, alias = "rating", alias = "score")]
    pub value: Option<f64>,
    /// The lower end of its 95 % interval.
    #[serde(default, alias = "rating_low", alias = "score_low")]
    pub low: Option<f64>,
    /// The upper end.
    #[serde(default, alias = "rating_high", alias = "score_high")]
    pub high: Option<f64>,
}

#[derive(Deserialize)]
struct Standings {
    entrants: Vec<PastRow>,
    anchor: Option<String>,
}

/// The standings in a tournament's folder; `None` if they cannot be read.
fn standings(folder: &Path) -> Option<Standings> {
    let bytes = read_at_most(&folder.join(layout::RESULTS).join(STANDINGS_JSON), STANDINGS_BYTES_MAX).ok()?;
    serde_json::from_slice(&bytes).ok()
}

/// All entrants in a tournament's folder, best first; `None` if they cannot be read.
pub(super) fn rows(folder: &Path) -> Option<Vec<PastRow>> {
    Some(standings(folder)?.entrants)
}

/// When the results in a tournament's folder were written; `None` if there are none.
fn finished_at(folder: &Path) -> Option<UnixSeconds> {
    let written = fs::metadata(folder.join(layout::RESULTS).join(STANDINGS_JSON)).ok()?.modified().ok()?;
    let seconds = written.duration_since(UNIX_EPOCH).ok()?.as_secs();
    i64::try_from(seconds).ok().map(UnixSeconds)
}

impl PastEdition {
    /// Reads an edition's folder; `None` if it cannot be read.
    pub(crate) fn read(folder: &Path, number: u32) -> Option<PastEdition> {
        let Standings { entrants: rows, anchor } = standings(folder)?;
        let anchor = anchor.filter(|anchor| !anchor.starts_with(ADRIFT));
        Some(PastEdition { number, finished_at: finished_at(folder)?, anchor, rows })
    }

    /// The row of an entrant.
    pub fn row(&self, id: &EntrantId) -> Option<&PastRow> {
        self.rows.iter().find(|row| row.id == *id)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_and_shares_are_read_and_what_cannot_be_estimated_is_none() {
        let folder = tempfile::tempdir().expect("a folder");
        let results = folder.path().join(layout::RESULTS);
        std::fs::create_dir(&results).expect("made");
        assert_eq!(PastEdition::read(folder.path(), 3), None);
        let rows = r#"{"entrants":[
            {"rank":1,"name":"a","id":"baseline:hard@1","rating":null,"rating_low":20.5,"rating_high":null,"more":1},
            {"rank":2,"name":"b","id":"baseline:easy@1","score":0.25,"score_low":0.1,"score_high":0.4}],"void":0}"#;
        std::fs::write(results.join(STANDINGS_JSON), rows).expect("written");
        let past = PastEdition::read(folder.path(), 3).expect("readable");
        let ends = |row: &PastRow| (row.rank, row.value, row.low, row.high);
        assert_eq!(
            past.rows.iter().map(ends).collect::<Vec<_>>(),
            [(1, None, Some(20.5), None), (2, Some(0.25), Some(0.1), Some(0.4))]
        );
        assert_eq!(past.row(&EntrantId::of_baseline("easy", 1)).map(|row| row.name.as_str()), Some("b"));
        let anchor = |said: &str| {
            std::fs::write(results.join(STANDINGS_JSON), format!("{{\"entrants\":[],\"anchor\":\"{said}\"}}"))
                .expect("written");
            PastEdition::read(folder.path(), 3).expect("readable").anchor
        };
        assert_eq!(past.anchor, None);
        assert_eq!(anchor("0 in the mean of easy@1").as_deref(), Some("0 in the mean of easy@1"));
        assert_eq!(anchor("not anchored: easy@1 does not take part"), None);
    }
}
