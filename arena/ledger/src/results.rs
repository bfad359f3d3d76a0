//! The files of `results/`, derived from a tournament's games: the same bytes wherever they are derived.

use std::iter;

use arena_record::EntrantId;
use arena_tournaments::{Commitment, Draw, Entrant, Secret, Settled, Standings, games_csv};
use serde::Serialize;

use crate::course::Course;
use crate::plan::Plan;

/// The results of all games together.
pub struct Summary<'a> {
    plan: &'a Plan,
    settled: &'a Settled,
    /// The standings.
    pub standings: Standings,
    /// Further reports, as files.
    reports: Vec<(&'static str, String)>,
}

/// The content of a file, in pieces.
pub type Pieces<'a> = Box<dyn Iterator<Item = String> + 'a>;

/// How the seed was drawn, with everything needed to repeat the draw.
#[derive(Serialize)]
struct Drawn<'a> {
    seed: u64,
    /// The seed for readers whose numbers have 53 bits.
    seed_text: String,
    secret: &'a Secret,
    entrants: Vec<&'a EntrantId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    next: Option<Commitment>,
    /// The draws of later rounds, if each has its own.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    rounds: Vec<DrawnRound<'a>>,
}

/// How the seed of a round was drawn.
#[derive(Serialize)]
struct DrawnRound<'a> {
    /// The round, from 1.
    round: usize,
    seed: u64,
    seed_text: String,
    secret: &'a Secret,
    entrants: Vec<&'a EntrantId>,
}

impl Summary<'_> {
    /// The fold over the games that count, in schedule order.
    pub fn of<'a>(plan: &'a Plan, course: &'a Course) -> Summary<'a> {
        let (Plan { format, entrants, .. }, settled) = (plan, &course.settled);
        let mut reports = format.reports(plan.title(), entrants, settled);
        reports.extend(plan.draw.as_ref().map(|draw| ("seed.json", drawn(plan, draw))));
        Summary { plan, settled, standings: plan.standings(settled), reports }
    }

    /// The files by name. Every file listed here is written, and verified byte by byte.
    pub fn files(&self) -> Vec<(&'static str, Pieces<'_>)> {
        let whole = |text| -> Pieces<'_> { Box::new(iter::once(text)) };
        let standings = self.standings.files().into_iter().map(|(name, text)| (name, whole(text)));
        let reports = self.reports.iter().map(|(name, text)| (*name, whole(text.clone())));
        let games: Pieces<'_> = Box::new(games_csv(&self.plan.entrants, self.settled));
        standings.chain(reports).chain([("games.csv", games)]).collect()
    }
}

fn drawn<'a>(plan: &'a Plan, draw: &'a Draw) -> String {
    let sorted = |entrants: &'a [Entrant]| {
        let mut ids: Vec<&EntrantId> = entrants.iter().map(|entrant| &entrant.id).collect();
        ids.sort_unstable();
        ids
    };
    // Late entrants were not part of the first draw.
    let first = plan.entrants.len() - plan.entered().count();
    let rounds = plan.secrets().filter_map(|(round, secret)| {
        let seed = plan.format_of(round)?.seed();
        Some(DrawnRound {
            round: round + 1,
            seed,
            seed_text: seed.to_string(),
            secret,
            entrants: sorted(plan.present(round)),
        })
    });
    let (seed, entrants, rounds) = (plan.format.seed(), sorted(&plan.entrants[..first]), rounds.collect());
    let drawn = Drawn { seed, seed_text: seed.to_string(), secret: &draw.secret, entrants, next: draw.next, rounds };
    // Strings and numbers always serialise.
    serde_json::to_string_pretty(&drawn).unwrap_or_default() + "\n"
}
