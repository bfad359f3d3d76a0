//! The findings of `arena verify --json`.

use arena_record::EntrantId;
use arena_runner::{Difference, Finding, NotConfirmed, OtherEnd, SeedOrigin, Verified};
use arena_tournaments::Entrant;
use serde::Serialize;
use serde_json::Value;

use crate::tournament::Changed;

/// What `--json` prints.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    verdict: &'static str,
    games: usize,
    played_again: usize,
    by_rules: usize,
    void: usize,
    changes: Vec<Changed>,
    other_builds: Vec<&'a str>,
    platform_faults: u64,
    /// Who played, by names that rest on the organiser's word.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    entrants: Vec<Named<'a>>,
    /// Files that are not the tournament's, and were not looked at.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    foreign: Vec<&'a str>,
    /// What rests on the word of a site or an organiser.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    by_word: Vec<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seed: Option<SeedOrigin>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<SampleReport>,
    #[serde(flatten)]
    details: Details<'a>,
}

/// What the verdict says besides.
#[derive(Serialize)]
#[serde(untagged)]
enum Details<'a> {
    None {},
    Incomplete { code: &'static str, why: String },
    Damaged { code: &'static str, why: String, file: &'a str },
    LineEnds { file: &'a str },
    Differs { file: &'a str, difference: &'a Difference },
    NotConfirmed { not_confirmed: NotConfirmedReport<'a> },
    Semantics { semantics: Release<'a> },
    Form { form: Release<'a> },
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    display: Option<&'a str>,
    id: &'a EntrantId,
}

#[derive(Serialize)]
struct SampleReport {
    seed: u64,
    /// The seed for readers whose numbers have 53 bits.
    seed_text: String,
    from: usize,
    chance_missed: f64,
}

#[derive(Serialize)]
struct NotConfirmedReport<'a> {
    games: &'a [OtherEnd],
    /// As in `standings.json`.
    standings: Value,
}

/// The release that played, and what differs from this one.
#[derive(Serialize)]
struct Release<'a> {
    theirs: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    ours: Option<&'a str>,
    build: &'a str,
}

impl<'a> Report<'a> {
    pub(super) fn of(verified: &'a Verified, seed: Option<u64>, by_word: Vec<&'static str>) -> Report<'a> {
        let Verified { finding, coverage } = verified;
        let sample = seed.zip(coverage.sampled_from);
        let named =
            |entrant: &'a Entrant| Named { name: &entrant.name, display: entrant.display.as_deref(), id: &entrant.id };
        Report {
            verdict: finding.code(),
            games: coverage.games,
            played_again: coverage.played,
            by_rules: coverage.by_rules,
            void: coverage.void,
            changes: coverage.changes.iter().map(Changed::of).collect(),
            other_builds: coverage.other_builds.iter().map(String::as_str).collect(),
            platform_faults: coverage.platform_faults,
            entrants: coverage.entrants.iter().map(named).collect(),
            foreign: coverage.foreign.iter().map(String::as_str).collect(),
            by_word,
            seed: coverage.seed,
            sample: sample.map(|(seed, from)| SampleReport {
                seed,
                seed_text: seed.to_string(),
                from,
                chance_missed: coverage.chance_missed(),
            }),
            details: Details::of(finding),
        }
    }
}

impl<'a> Details<'a> {
    fn of(finding: &'a Finding) -> Details<'a> {
        match finding {
            Finding::Identical | Finding::Sampled => Details::None {},
            Finding::NotConfirmed(not_confirmed) => {
                let NotConfirmed { games, standings } = &**not_confirmed;
                // The JSON is our own, so it parses.
                let standings = serde_json::from_str(&standings.to_json()).unwrap_or_default();
                Details::NotConfirmed { not_confirmed: NotConfirmedReport { games, standings } }
            }
            Finding::Incomplete(why) => Details::Incomplete { code: why.code(), why: why.to_string() },
            Finding::Damaged { file, flaw } => Details::Damaged { code: flaw.code(), why: flaw.to_string(), file },
            Finding::LineEnds { file } => Details::LineEnds { file },
            Finding::OtherForm { theirs, build } => Details::Form { form: Release { theirs, ours: None, build } },
            Finding::OtherSemantics { theirs, ours, build } => {
                Details::Semantics { semantics: Release { theirs, ours: Some(ours), build } }
            }
            Finding::Differs(difference) => Details::Differs { file: &difference.file, difference },
        }
    }
}
