//! The findings of `arena verify --json`.

use arena_record::{EntrantId, OutcomeRecord};
use arena_runner::{Difference, Finding, OtherEnd, SeedOrigin, Verified};
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
    seed: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sample: Option<SampleReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    code: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<DifferenceReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    not_confirmed: Option<NotConfirmedReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    semantics: Option<SemanticsReport<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    form: Option<FormReport<'a>>,
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
struct DifferenceReport<'a> {
    game: Option<usize>,
    turn: Option<usize>,
    seat: Option<u8>,
    what: &'a str,
    expected: &'a str,
    found: &'a str,
    build: Option<&'a str>,
}

#[derive(Serialize)]
struct NotConfirmedReport<'a> {
    games: Vec<OtherEndReport<'a>>,
    /// As in `standings.json`.
    standings: Value,
}

#[derive(Serialize)]
struct OtherEndReport<'a> {
    game: usize,
    line: usize,
    entrants: &'a [String],
    /// The outcome here; `null` if the game is void because of other bots' deaths.
    outcome: Option<&'a OutcomeRecord>,
}

#[derive(Serialize)]
struct SemanticsReport<'a> {
    theirs: &'a str,
    ours: &'a str,
    build: &'a str,
}

#[derive(Serialize)]
struct FormReport<'a> {
    theirs: &'a str,
    build: &'a str,
}

impl<'a> Report<'a> {
    pub(super) fn of(verified: &'a Verified, seed: Option<u64>, by_word: Vec<&'static str>) -> Report<'a> {
        let Verified { finding, coverage } = verified;
        let sample = seed.zip(coverage.sampled_from);
        let named =
            |entrant: &'a Entrant| Named { name: &entrant.name, display: entrant.display.as_deref(), id: &entrant.id };
        let mut report = Report {
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
            seed: coverage.seed.map(SeedOrigin::code),
            sample: sample.map(|(seed, from)| SampleReport {
                seed,
                seed_text: seed.to_string(),
                from,
                chance_missed: coverage.chance_missed(),
            }),
            code: None,
            why: None,
            file: None,
            difference: None,
            not_confirmed: None,
            semantics: None,
            form: None,
        };
        match finding {
            Finding::Identical | Finding::Sampled => {}
            Finding::NotConfirmed(not_confirmed) => {
                let game = |end: &'a OtherEnd| OtherEndReport {
                    game: end.game,
                    line: end.line,
                    entrants: &end.entrants,
                    outcome: end.outcome.as_ref(),
                };
                // The JSON is our own, so it parses.
                let standings = serde_json::from_str(&not_confirmed.standings.to_json()).unwrap_or_default();
                let games = not_confirmed.games.iter().map(game).collect();
                report.not_confirmed = Some(NotConfirmedReport { games, standings });
            }
            Finding::Incomplete(why) => {
                report.code = Some(why.code());
                report.why = Some(why.to_string());
            }
            Finding::Damaged { file, flaw } => {
                report.file = Some(file);
                report.code = Some(flaw.code());
                report.why = Some(flaw.to_string());
            }
            Finding::LineEnds { file } => report.file = Some(file),
            Finding::OtherForm { theirs, build } => report.form = Some(FormReport { theirs, build }),
            Finding::OtherSemantics { theirs, ours, build } => {
                report.semantics = Some(SemanticsReport { theirs, ours, build });
            }
            Finding::Differs(difference) => {
                let Difference { file, game, turn, seat, what, expected, found, build } = &**difference;
                report.file = Some(file);
                let (game, turn, seat, build) = (*game, *turn, seat.map(|seat| seat.0), build.as_deref());
                report.difference = Some(DifferenceReport { game, turn, seat, what, expected, found, build });
            }
        }
        report
    }
}
