//! Standings as text: JSON, CSV, and a table for a terminal. The same standings always give the same bytes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::Serialize;

use crate::{SeatTally, Standings, Tally};

/// Wider tournaments print no crosstable.
const CROSSTABLE_MAX: usize = 12;

/// `standings.json`. Ratings are Elo points with one decimal, points count a draw as a half.
#[derive(Serialize)]
struct Json<'a> {
    entrants: Vec<JsonRow<'a>>,
    games_played: u32,
    games_counted: u32,
    games_void: u32,
    first_seat: Tally,
    forfeits: BTreeMap<&'static str, u32>,
}

#[derive(Serialize)]
struct JsonRow<'a> {
    rank: usize,
    name: &'a str,
    id: &'a str,
    rating: f64,
    rating_low: f64,
    rating_high: f64,
    played: u32,
    games: u32,
    wins: u32,
    draws: u32,
    losses: u32,
    points: f64,
    by_seat: SeatTally,
    forfeits: BTreeMap<&'static str, u32>,
    void: u32,
    quarantined: bool,
    /// By name of the opponent.
    against: BTreeMap<&'a str, Tally>,
}

fn elo(tenths: i64) -> f64 {
    tenths as f64 / 10.0
}

fn points(tally: Tally) -> f64 {
    f64::from(tally.half_points()) / 2.0
}

pub(crate) fn codes(forfeits: &BTreeMap<arena_record::ForfeitCode, u32>) -> BTreeMap<&'static str, u32> {
    forfeits.iter().map(|(code, games)| (code.as_str(), *games)).collect()
}

impl Standings {
    /// One line of JSON with a newline.
    ///
    /// # Panics
    /// Never: all fields are plain values.
    pub fn to_json(&self) -> String {
        let entrants = self.rows.iter().map(|row| {
            let others = self.rows.iter().zip(&row.against).filter(|(other, _)| other.name != row.name);
            JsonRow {
                rank: row.rank,
                name: &row.name,
                id: row.id.as_str(),
                rating: elo(row.rating.tenths),
                rating_low: elo(row.rating.tenths - row.rating.half_interval_tenths),
                rating_high: elo(row.rating.tenths + row.rating.half_interval_tenths),
                played: row.played,
                games: row.tally.games(),
                wins: row.tally.wins,
                draws: row.tally.draws,
                losses: row.tally.losses,
                points: points(row.tally),
                by_seat: row.by_seat,
                forfeits: codes(&row.forfeits),
                void: row.void,
                quarantined: row.quarantined,
                against: others.map(|(other, tally)| (other.name.as_str(), *tally)).collect(),
            }
        });
        let json = Json {
            entrants: entrants.collect(),
            games_played: self.played,
            games_counted: self.games,
            games_void: self.void,
            first_seat: self.first_seat,
            forfeits: codes(&self.forfeits),
        };
        serde_json::to_string(&json).expect("names and numbers always serialise") + "\n"
    }

    /// A line per entrant, comma-separated, with a header line.
    pub fn to_csv(&self) -> String {
        let mut text = String::from(
            "rank,name,id,rating,rating_low,rating_high,games,wins,draws,losses,points,forfeits,void,quarantined\n",
        );
        for row in &self.rows {
            let (rating, half, tally) = (row.rating.tenths, row.rating.half_interval_tenths, row.tally);
            let _ = writeln!(
                text,
                "{},{},{},{:.1},{:.1},{:.1},{},{},{},{},{:.1},{},{},{}",
                row.rank,
                quoted(&row.name),
                row.id,
                elo(rating),
                elo(rating - half),
                elo(rating + half),
                tally.games(),
                tally.wins,
                tally.draws,
                tally.losses,
                points(tally),
                row.forfeits.values().sum::<u32>(),
                row.void,
                row.quarantined
            );
        }
        text
    }

    /// Tables for people, and what the numbers mean.
    pub fn to_table(&self) -> String {
        let width = self.rows.iter().map(|row| row.name.chars().count()).max().unwrap_or(0).max("bot".len());
        let mut text = String::new();
        let _ = writeln!(
            text,
            "  #  {:<width$}   {:>12}  {:>6} {:>5} {:>5} {:>5}  {:>7}  {:>6}  forfeits",
            "bot", "rating", "games", "won", "drawn", "lost", "points", "score"
        );
        for row in &self.rows {
            let tally = row.tally;
            let rating = format!("{} ± {}", whole(row.rating.tenths), whole(row.rating.half_interval_tenths));
            let forfeits = row.forfeits.iter().map(|(code, games)| format!("{games} {code}"));
            let quarantined = row.quarantined.then(|| format!("QUARANTINED, {} void", row.void));
            let forfeits: Vec<String> = forfeits.chain(quarantined).collect();
            let line = format!(
                "{:>3}  {:<width$}   {rating:>12}  {:>6} {:>5} {:>5} {:>5}  {:>7.1}  {:>6}  {}",
                row.rank,
                row.name,
                tally.games(),
                tally.wins,
                tally.draws,
                tally.losses,
                points(tally),
                percent(tally),
                forfeits.join(", ")
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
        if self.rows.len() > 2 && self.rows.len() <= CROSSTABLE_MAX {
            self.crosstable(&mut text, width);
        }
        self.explanation(&mut text);
        text
    }

    /// Scores of each entrant (a row) against each other one (a column).
    fn crosstable(&self, text: &mut String, width: usize) {
        let ranks: String = self.rows.iter().map(|row| format!("{:>6}", format!("#{}", row.rank))).collect();
        let _ = writeln!(text, "\n     {:<width$}   {ranks}   score in %, row against column", "");
        for row in &self.rows {
            let scores = row.against.iter().map(|tally| format!("{:>6}", percent(*tally).trim_end_matches(" %")));
            let _ = writeln!(text, "{:>3}  {:<width$}   {}", row.rank, row.name, scores.collect::<String>());
        }
    }

    fn explanation(&self, text: &mut String) {
        let first = self.first_seat;
        let _ = writeln!(
            text,
            "\nrating: Bradley-Terry strength in Elo points above the field, one pseudo-draw per entrant; 95 % interval over pairs"
        );
        let _ = writeln!(text, "first seat: won {}, drew {}, lost {}", first.wins, first.draws, first.losses);
        if self.void > 0 {
            let _ = writeln!(
                text,
                "{} games are void and count for nobody: a bot's process died in them each time, or a bot was quarantined before",
                self.void
            );
        }
        if self.games == self.played {
            let _ = writeln!(text, "{} games, all distinct", self.played);
        } else {
            let _ = writeln!(
                text,
                "{} games, {} distinct: games that were played alike count once (bots that ignore their seed repeat themselves)",
                self.played, self.games
            );
        }
    }
}

/// A field of CSV. Names of a match are files' names and may have any character. Source: RFC 4180.
fn quoted(field: &str) -> String {
    if field.contains([',', '"', '\r', '\n']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field.into() }
}

/// Tenths as a whole number, rounded half away from zero.
pub(crate) fn whole(tenths: i64) -> i64 {
    (tenths + 5 * tenths.signum()) / 10
}

/// Points of the games that were played, in percent; a dash without a game.
pub(crate) fn percent(tally: Tally) -> String {
    if tally.games() == 0 {
        return "-".into();
    }
    let twice_per_mille = 1000 * u64::from(tally.half_points()) / u64::from(tally.games());
    let per_mille = twice_per_mille.div_ceil(2);
    format!("{}.{} %", per_mille / 10, per_mille % 10)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Entrant, GameResult, schedule, standings};
    use arena_record::EntrantId;
    use arena_rules::{BySeat, Seat};

    fn played() -> Standings {
        let names = ["ant", "bee", "cat"];
        let entrants: Vec<Entrant> =
            names.iter().map(|name| Entrant { name: (*name).into(), id: EntrantId::of_baseline(name, 1) }).collect();
        let result = |(number, game): (usize, crate::ScheduledGame)| {
            let winner = [Some(Seat(0)), None, Some(Seat(1)), Some(Seat(0))][number % 4];
            let mut digest = [0; 32];
            digest[0] = number as u8 / 3;
            (game, GameResult { winner, forfeits: Vec::new(), tally: BySeat::from([0, 0]), digest })
        };
        let games: Vec<_> = schedule(1, &entrants, 4).into_iter().enumerate().map(result).collect();
        standings(&entrants, &games)
    }

    #[test]
    fn json_and_csv_say_what_the_standings_say() {
        let standings = played();
        let json: serde_json::Value = serde_json::from_str(&standings.to_json()).expect("JSON");
        let csv: Vec<Vec<String>> =
            standings.to_csv().lines().skip(1).map(|line| line.split(',').map(String::from).collect()).collect();
        assert_eq!(json["entrants"].as_array().map(Vec::len), Some(3));
        for ((row, fields), json) in standings.rows.iter().zip(csv).zip(json["entrants"].as_array().expect("rows")) {
            assert_eq!(json["name"], row.name.as_str());
            assert_eq!(json["points"].as_f64(), Some(points(row.tally)));
            assert_eq!(json["rating"].as_f64(), fields[3].parse().ok());
            assert_eq!(fields[1], row.name);
            assert_eq!(fields[6], row.tally.games().to_string());
            assert_eq!(json["against"].as_object().map(serde_json::Map::len), Some(2));
        }
        assert_eq!(json["games_counted"], standings.games);
    }

    #[test]
    fn the_table_is_aligned_and_names_everybody() {
        let standings = played();
        let table = standings.to_table();
        let lines: Vec<&str> = table.lines().take(4).collect();
        let column = lines[0].find("games").expect("a header");
        for (line, row) in lines[1..].iter().zip(&standings.rows) {
            assert!(line.contains(&row.name), "{line}");
            let games: String = line.chars().skip(column).take("games".len()).collect();
            assert_eq!(games.trim(), row.tally.games().to_string(), "{line}");
        }
        assert!(table.contains("distinct"));
    }

    #[test]
    fn fields_of_csv_are_quoted_where_they_must_be() {
        assert_eq!(quoted("plain-1.2"), "plain-1.2");
        assert_eq!(quoted("a,b\"c"), "\"a,b\"\"c\"");
    }

    #[test]
    fn percentages_are_rounded_half_up() {
        let tally = |wins, draws, losses| Tally { wins, draws, losses };
        assert_eq!(percent(tally(1, 0, 2)), "33.3 %");
        assert_eq!(percent(tally(2, 0, 1)), "66.7 %");
        assert_eq!(percent(tally(0, 1, 0)), "50.0 %");
        assert_eq!(percent(tally(3, 0, 0)), "100.0 %");
        assert_eq!(percent(tally(0, 0, 0)), "-");
        assert_eq!((whole(-1905), whole(1904), whole(5), whole(-4)), (-191, 190, 1, 0));
    }
}
