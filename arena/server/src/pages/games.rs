//! `/games/ID`: a game to step through.

use arena_record::Record;
use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;

use super::bots::colour;
use super::{Shell, page};
use crate::app::App;
use crate::games;
use crate::identity::Visitor;
use crate::names::{self, Who};
use crate::problem::Problem;

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    shell: Shell,
    game: String,
    record_url: String,
    seats: Vec<Who>,
    /// What the record's file is called.
    file: String,
    /// The bots among the players, with the hashes of their bytes.
    modules: Vec<(String, String)>,
    outcome: String,
    /// What there is to know of the game, each with its label.
    how: Vec<(&'static str, String)>,
}

pub(crate) async fn show(
    State(app): State<App>,
    Path(id): Path<String>,
    visitor: Option<Visitor>,
) -> Result<Response, Problem> {
    let (record, _) = games::record(app.service(), &id).await?;
    let seats = names::all(app.store(), &record.header.entrants).await?;
    page(&GamePage {
        shell: Shell::new(&visitor.unwrap_or_default(), "standings"),
        record_url: format!("/api/v1/games/{id}/record"),
        file: format!("{id}.json"),
        modules: modules(&record, &seats),
        outcome: outcome(&record, &seats),
        how: how(&record),
        game: id,
        seats,
    })
}

/// The bots whose bytes are needed to recompute the game, each once.
fn modules(record: &Record, seats: &[Who]) -> Vec<(String, String)> {
    let bots = record.header.entrants.iter().zip(seats);
    let mut modules: Vec<(String, String)> =
        bots.filter_map(|(id, who)| Some((who.name.clone(), id.hash()?.to_owned()))).collect();
    modules.dedup_by(|one, other| one.1 == other.1);
    modules
}

/// How the game ended, in a sentence.
fn outcome(record: &Record, seats: &[Who]) -> String {
    let name = |seat: u8| {
        let who = seats.get(usize::from(seat)).map_or("", |who| who.name.as_str());
        format!("{who} ({})", colour(seat))
    };
    let mut tally: Vec<String> = record.outcome.tally.iter().map(u32::to_string).collect();
    if record.outcome.winner == Some(1) {
        // The winner's first, as people say it.
        tally.reverse();
    }
    let score = tally.join(" to ");
    match (record.outcome.winner, record.outcome.reason.as_str()) {
        (Some(winner), "majority") => format!("{} won {score} on weighted cells.", name(winner)),
        (Some(winner), "extinction") => format!("{} won: the other colour died out.", name(winner)),
        (Some(winner), "forfeit") => {
            let by = record.forfeits.first().map(|forfeit| format!(" ({})", forfeit.code)).unwrap_or_default();
            format!("{} won: the other side forfeited{by}.", name(winner))
        }
        (Some(winner), other) => format!("{} won ({other}).", name(winner)),
        (None, "mutual_extinction") => "A draw: both colours died out.".into(),
        (None, _) => format!("A draw, {score}."),
    }
}

fn how(record: &Record) -> Vec<(&'static str, String)> {
    let header = &record.header;
    let mut how = vec![
        ("Ruleset", format!("{}, {}", header.ruleset, header.options.replace(',', ", "))),
        ("Turns", record.turns.len().to_string()),
        ("Seed", header.seed.to_string()),
        ("Digest", record.digest.to_string()),
        ("Semantics", header.semantics.clone()),
        ("Build", header.build.clone()),
    ];
    for (seat, id) in (0..).zip(&header.entrants) {
        how.push((if seat == 0 { "Blue's id" } else { "Red's id" }, id.to_string()));
    }
    how
}
