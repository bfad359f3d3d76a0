//! How often studies with other seeds contradict the documents, whose rows have 10,000 games.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use super::verdict::Verdict;
use super::{rr_001, war_of_life};
use crate::Games;

/// Games of a row, study by study.
const SIZES: [u32; 10] = [20, 60, 20, 60, 60, 20, 60, 60, 60, 400];
/// A finding about parameters, whose verdict no game changes.
const NOT_OF_GAMES: &str = "F2";
/// At most this share of the verdicts that are given may contradict a document's, in percent.
const WRONG_MAX: f64 = 5.0;

/// The verdicts of one name.
#[derive(Clone, Copy, Default)]
struct Tally {
    all: u32,
    told: u32,
    wrong: u32,
}

impl Tally {
    fn percent(self) -> f64 {
        100.0 * f64::from(self.wrong) / f64::from(self.told.max(1))
    }

    fn add(&mut self, document: Verdict, found: Verdict) {
        let told = found != Verdict::TooFew;
        self.all += 1;
        self.told += u32::from(told);
        self.wrong += u32::from(told && found != document);
    }
}

/// The verdict that stands in a cell or a sentence of a document.
fn verdict_in(text: &str) -> Option<Verdict> {
    [Verdict::InPart, Verdict::DoesNotHold, Verdict::TooFew, Verdict::Holds]
        .into_iter()
        .find(|verdict| text == verdict.to_string())
}

/// The verdicts of the documents, which are those at 10,000 games.
fn documents() -> BTreeMap<String, Verdict> {
    let read = |name: &str| {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/studies");
        fs::read_to_string(folder.join(name)).expect("a document")
    };
    let mut all = BTreeMap::new();
    for line in read("rr-001-findings.md").lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, claim, verdict, ..] = cells[..] else { continue };
        let name = claim.strip_prefix("**").and_then(|rest| rest.split_once("**"));
        if let (Some((name, _)), Some(verdict)) = (name, verdict_in(verdict.trim_matches('*'))) {
            all.insert(name.to_owned(), verdict);
        }
    }
    for line in read("war-of-life.md").lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        if let [_, .., name, verdict, _] = cells[..]
            && let Some(verdict) = verdict_in(verdict)
        {
            all.insert(name.to_owned(), verdict);
        }
    }
    all
}

mod slow {
    use super::*;

    /// Makes studies with other seeds, and counts the verdicts that contradict the documents.
    #[expect(clippy::print_stdout, reason = "the figures are what `cargo xtask studies` is run for")]
    fn count(name: &str, verdicts: fn(u32, u64) -> Vec<(String, Verdict)>) {
        let number =
            |name: &str, usual: u32| std::env::var(name).ok().and_then(|count| count.parse().ok()).unwrap_or(usual);
        let (studies, seed) = (number("ARENA_STUDIES", 2), number("ARENA_STUDY_SEED", 1));
        // The allowance for chance in a small sample.
        let slack = if studies < 100 { 5.0 } else { 0.0 };
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let games = Games { threads, bar: indicatif::ProgressBar::hidden() };
        let found = games.play(studies, |study| {
            verdicts(SIZES[study as usize % SIZES.len()], u64::from(seed) << 32 | u64::from(study))
        });
        let (documents, mut all) = (documents(), Tally::default());
        let mut by_name: BTreeMap<&str, Tally> = BTreeMap::new();
        for (name, verdict) in found.iter().flatten().filter(|(name, _)| name != NOT_OF_GAMES) {
            let document = *documents.get(name).unwrap_or_else(|| panic!("no document says {name}"));
            by_name.entry(name).or_default().add(document, *verdict);
            all.add(document, *verdict);
        }
        for (name, tally) in &by_name {
            println!("{name:<54}{:4} of {:4} given, {:3} contradict", tally.told, tally.all, tally.wrong);
        }
        let (percent, Tally { all: given, told, wrong }) = (all.percent(), all);
        println!("{studies} studies of {name}: {told} of {given} verdicts given, {wrong} contradict, {percent:.1} %");
        assert!(told > 0 && percent <= WRONG_MAX + slack, "{name}: {percent:.1} %");
    }

    #[test]
    fn verdicts_of_rr_001_contradict_the_documents_as_rarely_as_promised() {
        count("rr-001", rr_001::verdicts);
    }

    #[test]
    fn verdicts_of_war_of_life_contradict_the_document_as_rarely_as_promised() {
        count("war-of-life", war_of_life::verdicts);
    }
}
