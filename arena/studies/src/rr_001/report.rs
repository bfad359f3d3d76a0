//! The study's figures as JSON.

use arena_rules::Seat;
use serde::Serialize;

use super::{Row, Stress};

/// All rows as one JSON object.
pub(super) fn json(rows: &[Row], stress: Option<&Stress>) -> serde_json::Result<String> {
    #[derive(Serialize)]
    struct JsonRow {
        campaign: &'static str,
        seating: &'static str,
        matchup: String,
        games: u64,
        p1: f64,
        p2: f64,
        draw: f64,
        extinction: f64,
        round: f64,
        margin: f64,
        bombs: f64,
        p1_invaded: f64,
        p2_invaded: f64,
        p1_without_home: usize,
        p2_without_home: usize,
    }

    #[derive(Serialize)]
    struct Json {
        rows: Vec<JsonRow>,
        #[serde(skip_serializing_if = "Option::is_none")]
        stress: Option<JsonStress>,
    }

    /// The stress test of hard.
    #[derive(Serialize)]
    struct JsonStress {
        games: u32,
        turns: u64,
        games_without_home: usize,
        generations_without_home: u64,
    }

    let row = |row: &Row| {
        let [p1, p2, draw, extinction, round, margin] = row.sample.figures().map(|figure| figure.value);
        JsonRow {
            campaign: row.key.campaign.name(),
            seating: row.key.seating.name(),
            matchup: row.key.matchup.name(),
            games: row.sample.games() as u64,
            p1,
            p2,
            draw,
            extinction,
            round,
            margin,
            bombs: row.sample.bombs().value,
            p1_invaded: row.sample.invaded(Seat(0)).value,
            p2_invaded: row.sample.invaded(Seat(1)).value,
            p1_without_home: row.sample.unanchored(Seat(0)),
            p2_without_home: row.sample.unanchored(Seat(1)),
        }
    };
    let stress = stress.map(|stress| JsonStress {
        games: stress.games,
        turns: stress.all.turns,
        games_without_home: stress.lost,
        generations_without_home: stress.all.homeless,
    });
    serde_json::to_string(&Json { rows: rows.iter().map(row).collect(), stress })
}
