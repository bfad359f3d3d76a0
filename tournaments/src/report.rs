//! Standings as text: JSON, CSV, and a table for a terminal. The same standings always give the same bytes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::names::Names;
use crate::standings::{Ahead, Cell, Column, Gap, Row, Share, Value};
use crate::{Leave, Ranks, Rating, Standings, Tally};

/// Crosstables of more entrants have whole percentages, in columns of four characters.
const CROSSTABLE_WIDE: usize = 12;
/// Tournaments of more entrants print no crosstable: a line has 140 characters then. The picture has all entrants.
const CROSSTABLE_MAX: usize = 24;

fn elo(tenths: i64) -> f64 {
    tenths as f64 / 10.0
}

fn points(half_points: u32) -> f64 {
    f64::from(half_points) / 2.0
}

fn share(millionths: i64) -> f64 {
    millionths as f64 / Share::WHOLE as f64
}

pub(crate) fn codes(forfeits: &BTreeMap<arena_record::ForfeitCode, u32>) -> BTreeMap<&'static str, u32> {
    forfeits.iter().map(|(code, games)| (code.as_str(), *games)).collect()
}

/// `standings.json`: rows with their columns by name, then the totals. Ratings are Elo points with one decimal, shares
/// are from 0 to 1, and a draw is half a point. An estimate has two more fields, `_low` and `_high`.
struct Json<'a>(&'a Standings);

struct JsonRow<'a>(&'a Standings, usize);

impl Serialize for Json<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let rows: Vec<JsonRow<'_>> = (0..self.0.rows.len()).map(|row| JsonRow(self.0, row)).collect();
        map.serialize_entry("entrants", &rows)?;
        for (name, value) in &self.0.totals {
            entry(&mut map, name, value)?;
        }
        map.end()
    }
}

impl Serialize for JsonRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let JsonRow(standings, place) = *self;
        let row = &standings.rows[place];
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("rank", &row.rank)?;
        map.serialize_entry("name", &row.name)?;
        if let Some(display) = &row.display {
            map.serialize_entry("display", display)?;
        }
        map.serialize_entry("id", row.id.as_str())?;
        for (column, value) in standings.columns.iter().zip(&row.values).filter(|(column, _)| column.in_json) {
            entry(&mut map, column.name, value)?;
        }
        map.serialize_entry("void", &row.void)?;
        map.serialize_entry("quarantined", &row.is_quarantined())?;
        if let Some(left) = by_organiser(row) {
            map.serialize_entry("left", left.name())?;
        }
        if let Some(crosstable) = &standings.crosstable {
            let others = standings.rows.iter().zip(&crosstable[place]).filter(|(other, _)| other.name != row.name);
            let against: BTreeMap<&str, &Tally> = others.map(|(other, tally)| (other.name.as_str(), tally)).collect();
            map.serialize_entry("against", &against)?;
        }
        map.end()
    }
}

/// A value with its name; an estimate with its interval.
fn entry<M: SerializeMap>(map: &mut M, name: &str, value: &Value) -> Result<(), M::Error> {
    let mut estimate = |[value, low, high]: [Option<f64>; 3]| {
        map.serialize_entry(name, &value)?;
        map.serialize_entry(&format!("{name}_low"), &low)?;
        map.serialize_entry(&format!("{name}_high"), &high)
    };
    match value {
        Value::Rating(rating) | Value::Lead(Some(Gap::Elo(rating))) => {
            estimate([rating.tenths(), rating.low(), rating.high()].map(|end| end.map(elo)))
        }
        Value::Share(of) | Value::Lead(Some(Gap::Share(of))) => {
            estimate([Some(of.mean), of.low, of.high].map(|end| end.map(share)))
        }
        Value::Ranks(ranks) => {
            map.serialize_entry(&format!("{name}_low"), &ranks.map(|ranks| ranks.best))?;
            map.serialize_entry(&format!("{name}_high"), &ranks.map(|ranks| ranks.worst))
        }
        Value::Strength(tenths) => map.serialize_entry(name, &elo(*tenths)),
        Value::Chance(chance) => map.serialize_entry(name, &(f64::from(*chance) / 10_000.0)),
        Value::Words(words) => map.serialize_entry(name, words),
        Value::Reached(reached) => map.serialize_entry(name, &reached.to_string()),
        Value::Lead(None) => estimate([None; 3]),
        Value::Nothing => map.serialize_entry(name, &()),
        Value::Count(count) => map.serialize_entry(name, count),
        Value::Points(half_points) => map.serialize_entry(name, &points(*half_points)),
        Value::QuarterPoints(quarters) => map.serialize_entry(name, &(*quarters as f64 / 4.0)),
        Value::Shares(shares) => {
            map.serialize_entry(name, &shares.iter().map(|of| share(*of as i64)).collect::<Vec<f64>>())
        }
        Value::Score(tally) => map.serialize_entry(name, &score(*tally)),
        Value::Tally(tally) => map.serialize_entry(name, tally),
        Value::BySeat(tallies) => map.serialize_entry(name, tallies),
        Value::Forfeits(forfeits) => map.serialize_entry(name, &codes(forfeits)),
    }
}

/// The fields of a value in CSV, each with its name's suffix. Forfeits are only counted.
fn fields(value: &Value) -> Vec<(&'static str, String)> {
    let ends = |ends: [Option<String>; 3]| {
        ["", "_low", "_high"].into_iter().zip(ends.map(Option::unwrap_or_default)).collect::<Vec<_>>()
    };
    match value {
        Value::Rating(rating) | Value::Lead(Some(Gap::Elo(rating))) => {
            let tenths = [rating.tenths(), rating.low(), rating.high()];
            ends(tenths.map(|tenths| tenths.map(|tenths| format!("{:.1}", elo(tenths)))))
        }
        Value::Share(of) | Value::Lead(Some(Gap::Share(of))) => {
            let millionths = [Some(of.mean), of.low, of.high];
            ends(millionths.map(|end| end.map(|end| format!("{:.6}", share(end)))))
        }
        Value::Lead(None) => ends([None, None, None]),
        Value::Ranks(ranks) => {
            let end = |end: fn(Ranks) -> u32| ranks.map(|ranks| end(ranks).to_string()).unwrap_or_default();
            vec![("_low", end(|ranks| ranks.best)), ("_high", end(|ranks| ranks.worst))]
        }
        Value::Strength(tenths) => vec![("", format!("{:.1}", elo(*tenths)))],
        Value::Chance(chance) => vec![("", format!("{:.4}", f64::from(*chance) / 10_000.0))],
        Value::Words(words) => vec![("", csv_text(words))],
        Value::Reached(reached) => vec![("", csv_text(&reached.to_string()))],
        Value::Tally(Tally { wins, draws, losses }) => {
            [("_wins", wins), ("_draws", draws), ("_losses", losses)].map(|(end, n)| (end, n.to_string())).into()
        }
        Value::Points(half_points) => vec![("", format!("{:.1}", points(*half_points)))],
        Value::Forfeits(forfeits) => vec![("", forfeits.values().sum::<u32>().to_string())],
        other => vec![("", other.to_string())],
    }
}

/// As text for people: estimates as `113 ± 48`, or as `1130 -312 +481` if one end is farther away, tallies as `8-0-2`,
/// forfeits as their number.
impl std::fmt::Display for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Rating(Rating::Estimate { tenths, low, high }) => {
                let (below, above) = (tenths - low, high - tenths);
                match one_figure(below, above) {
                    Some(apart) => write!(f, "{} ± {}", whole(*tenths), whole(apart)),
                    None => write!(f, "{} -{} +{}", whole(*tenths), whole(below), whole(above)),
                }
            }
            Value::Rating(Rating::WonAll { low }) => write!(f, "> {}, won all", whole(*low)),
            Value::Rating(Rating::LostAll { high }) => write!(f, "< {}, lost all", whole(*high)),
            Value::Ranks(Some(Ranks { best, worst })) if best == worst => write!(f, "{best}"),
            Value::Ranks(Some(Ranks { best, worst })) => write!(f, "{best}-{worst}"),
            Value::Strength(tenths) => write!(f, "{}", whole(*tenths)),
            Value::Chance(chance) => write!(f, "{} %", percent_of(u64::from(*chance) * 100)),
            Value::Words(words) => f.write_str(words),
            Value::Reached(reached) => write!(f, "{reached}"),
            // It may be the other one that lost everything.
            Value::Lead(Some(Gap::Elo(Rating::WonAll { low }))) => write!(f, "> {}", whole(*low)),
            Value::Lead(Some(Gap::Elo(Rating::LostAll { high }))) => write!(f, "< {}", whole(*high)),
            Value::Lead(Some(Gap::Elo(rating))) => write!(f, "{}", Value::Rating(*rating)),
            Value::Lead(Some(Gap::Share(of))) => write!(f, "{}", Value::Share(*of)),
            Value::Lead(None) | Value::Ranks(None) | Value::Nothing => Ok(()),
            Value::Share(share @ Share { mean, low, high }) => {
                let decimals = decimals(*share);
                let percent = |millionths: u64| percent_with(millionths, decimals);
                let apart = |end: i64| percent(end.abs_diff(*mean));
                write!(f, "{}{}", if *mean < 0 { "-" } else { "" }, percent(mean.unsigned_abs()))?;
                match (*low, *high) {
                    (None, None) => {}
                    (Some(low), None) => write!(f, " -{}", apart(low))?,
                    (None, Some(high)) => write!(f, " +{}", apart(high))?,
                    (Some(low), Some(high)) => match one_figure(mean - low, high - mean) {
                        Some(half) => write!(f, " ± {}", percent(half.unsigned_abs()))?,
                        None => write!(f, " -{} +{}", apart(low), apart(high))?,
                    },
                }
                f.write_str(" %")
            }
            Value::Count(count) => write!(f, "{count}"),
            Value::Points(half_points) => write!(f, "{:.1}", points(*half_points)),
            Value::Shares(shares) => {
                let shares: Vec<String> = shares.iter().map(|of| percent_of(*of)).collect();
                write!(f, "{} %", shares.join(", "))
            }
            Value::QuarterPoints(quarters) => write!(f, "{:.2}", *quarters as f64 / 4.0),
            Value::Score(tally) => f.write_str(&percent(*tally)),
            Value::Tally(Tally { wins, draws, losses }) => write!(f, "{wins}-{draws}-{losses}"),
            Value::BySeat(tallies) => {
                write!(f, "{}, {}", Value::Tally(tallies.first), Value::Tally(tallies.second))
            }
            Value::Forfeits(forfeits) => write!(f, "{}", forfeits.values().sum::<u32>()),
        }
    }
}

impl Standings {
    /// One line of JSON with a newline.
    ///
    /// # Panics
    /// Never: all fields are plain values.
    pub fn to_json(&self) -> String {
        serde_json::to_string(&Json(self)).expect("names and numbers always serialise") + "\n"
    }

    /// A header line, then a comma-separated line per entrant.
    pub fn to_csv(&self) -> String {
        let mut text = String::new();
        let have_display = self.rows.iter().any(|row| row.display.is_some());
        let have_left = self.rows.iter().any(|row| by_organiser(row).is_some());
        let in_csv = |row: &Row| -> Vec<(String, String)> {
            let columns = self.columns.iter().zip(&row.values).filter(|(column, _)| column.in_csv);
            let named = |(column, value): (&Column, &Value)| {
                fields(value).into_iter().map(|(end, text)| (format!("{}{end}", column.name), text)).collect::<Vec<_>>()
            };
            columns.flat_map(named).collect()
        };
        for (place, row) in self.rows.iter().enumerate() {
            let fields = in_csv(row);
            if place == 0 {
                let names: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
                let left = if have_left { ",left" } else { "" };
                let left = if have_display { format!("{left},display") } else { left.into() };
                let _ = writeln!(text, "rank,name,id,{},void,quarantined{left}", names.join(","));
            }
            let values: Vec<&str> = fields.iter().map(|(_, value)| value.as_str()).collect();
            let rank = row.rank.0.map(|rank| rank.to_string()).unwrap_or_default();
            let (name, quarantined, Row { id, void, .. }) = (csv_text(&row.name), row.is_quarantined(), row);
            let left = by_organiser(row).map_or("", Leave::name);
            let left = if have_left { format!(",{left}") } else { String::new() };
            let left = if have_display { format!("{left},{}", csv_text(row.shown())) } else { left };
            let _ = writeln!(text, "{rank},{name},{id},{},{void},{quarantined}{left}", values.join(","));
        }
        text
    }

    /// Tables for people, with an explanation of the numbers.
    pub fn to_table(&self) -> String {
        let names = Names::of(self.rows.iter().map(|row| (row.shown(), &row.id)));
        // A column has its intended width, or that of its longest value.
        let wide = |column: &Column, cell: Cell| {
            let values = self.rows.iter().filter_map(|row| self.value(row, column.name));
            let longest = values.map(|value| value.to_string().chars().count()).max().unwrap_or(0);
            Cell { width: if cell.width == 0 { 0 } else { cell.width.max(longest) }, ..cell }
        };
        let cells = self.columns.iter().filter_map(|column| Some((column, wide(column, column.in_text?))));
        let cells: Vec<(&Column, Cell)> = cells.collect();
        let runs = cells.iter().any(|(_, cell)| cell.width == 0);
        let mut text = format!("  #  {}", names.cells("bot", "id"));
        for (column, Cell { gap, width }) in &cells {
            let _ = write!(text, "{:gap$}{:>width$}", "", column.title);
        }
        text.push('\n');
        for row in &self.rows {
            let mut line = format!("{:>3}  {}", row.rank, names.cells(row.shown(), row.id.short()));
            for ((column, Cell { gap, width }), (_, value)) in cells.iter().zip(self.for_people(row)) {
                debug_assert!(column.is_for_people());
                let _ = match width {
                    0 => write!(line, "{:gap$}{}", "", remarks(value, row)),
                    _ => write!(line, "{:gap$}{:>width$}", "", value.to_string()),
                };
            }
            if let (Some(left), false) = (row.left, runs) {
                let _ = write!(line, "  {}", left.name().to_uppercase());
            }
            let _ = writeln!(text, "{}", line.trim_end());
        }
        if self.rows.len() > 2 && self.rows.len() <= CROSSTABLE_MAX {
            self.crosstable(&mut text, &names);
        }
        self.ahead(&mut text, &names);
        text.push('\n');
        for note in &self.notes {
            let _ = writeln!(text, "{}", note.text);
        }
        text
    }

    /// The lead of each entrant over the next.
    fn ahead(&self, text: &mut String, names: &Names<'_>) {
        let leads = self.leads();
        if leads.is_empty() {
            return;
        }
        let lead_width = leads.iter().map(|ahead| ahead.lead.chars().count()).max().unwrap_or(0).max(12);
        let width = names.cells("", "").len();
        let _ = writeln!(text, "\n     {:<width$}   {:>lead_width$}  likelier", "ahead of the next", "lead");
        for Ahead { row, lead, likelier } in leads {
            let called = names.cells(row.shown(), row.id.short());
            let _ = writeln!(text, "{:>3}  {called}   {lead:>lead_width$}  {likelier:>8}", row.rank);
        }
    }

    /// Scores of each entrant (a row) against each other one (a column).
    fn crosstable(&self, text: &mut String, names: &Names<'_>) {
        let Some(crosstable) = &self.crosstable else { return };
        let is_wide = self.rows.len() > CROSSTABLE_WIDE;
        let column = if is_wide { 4 } else { 6 };
        let ranks = self.rows.iter().map(|row| format!("{:>column$}", format!("#{}", row.rank)));
        let ranks: String = ranks.collect();
        let _ = writeln!(text, "\n     {}   {ranks}   score in %, row against column", names.cells("", ""));
        for (row, against) in self.rows.iter().zip(crosstable) {
            let score = |tally: &Tally| if is_wide { whole_percent(*tally) } else { percent(*tally) };
            let scores = against.iter().map(|tally| format!("{:>column$}", score(tally).trim_end_matches(" %")));
            let called = names.cells(row.shown(), row.id.short());
            let _ = writeln!(text, "{:>3}  {called}   {}", row.rank, scores.collect::<String>());
        }
    }
}

/// The remarks in a last column with room: forfeits by code, and whether the entrant was removed.
fn remarks(value: &Value, row: &Row) -> String {
    let said = match value {
        Value::Forfeits(forfeits) => forfeits.iter().map(|(code, games)| format!("{games} {code}")).collect(),
        other => vec![other.to_string()],
    };
    let left = row.left.map(|left| match left {
        Leave::Quarantined => format!("QUARANTINED, {} void", row.void),
        left => left.name().to_uppercase(),
    });
    said.into_iter().chain(left).collect::<Vec<_>>().join(", ")
}

/// How an entrant left, if the organiser removed it.
fn by_organiser(row: &Row) -> Option<Leave> {
    row.left.filter(|left| *left != Leave::Quarantined)
}

/// Text as a field of CSV: quoted if necessary, and with an apostrophe before anything that a spreadsheet would take
/// for a formula. Names in a match are file names and may contain any character. Source: RFC 4180; OWASP, CSV
/// injection.
pub fn csv_text(field: &str) -> String {
    let guard = if field.len() > 1 && field.starts_with(['=', '+', '-', '@', '\t', '\r']) { "'" } else { "" };
    let field = format!("{guard}{field}");
    if field.contains([',', '"', '\r', '\n']) { format!("\"{}\"", field.replace('"', "\"\"")) } else { field }
}

/// How far both ends of an interval are away, if that is nearly the same: then they are shown as one figure, the
/// larger.
fn one_figure(below: i64, above: i64) -> Option<i64> {
    (4 * below.max(above) <= 5 * below.min(above)).then_some(below.max(above))
}

/// Tenths as a whole number, rounded half away from zero.
pub(crate) fn whole(tenths: i64) -> i64 {
    (tenths + 5 * tenths.signum()) / 10
}

/// The points of the games played, as a fraction of all possible points; `None` without a game.
fn score(tally: Tally) -> Option<f64> {
    (tally.games() > 0).then(|| f64::from(tally.half_points()) / f64::from(2 * tally.games()))
}

/// The score in percent; a dash without a game.
pub(crate) fn percent(tally: Tally) -> String {
    if tally.games() == 0 {
        return "-".into();
    }
    let twice_per_mille = 1000 * u64::from(tally.half_points()) / u64::from(tally.games());
    let per_mille = twice_per_mille.div_ceil(2);
    format!("{}.{} %", per_mille / 10, per_mille % 10)
}

/// The score in percent without decimals.
fn whole_percent(tally: Tally) -> String {
    let (half_points, games) = (u64::from(tally.half_points()), u64::from(tally.games()));
    (100 * half_points + games).checked_div(2 * games).map_or("-".into(), |percent| percent.to_string())
}

/// A share in percent with one decimal, rounded half up.
pub(crate) fn percent_of(millionths: u64) -> String {
    percent_with(millionths, 1)
}

/// The same with one to four decimals.
fn percent_with(millionths: u64, decimals: u32) -> String {
    let (unit, whole) = (10_u64.pow(4 - decimals), 10_u64.pow(decimals));
    let rounded = (millionths + unit / 2) / unit;
    format!("{}.{:0width$}", rounded / whole, rounded % whole, width = decimals as usize)
}

/// The fewest decimals with which nothing of a share looks like 0 that is not, and its mean does not look like the
/// whole if it is less.
fn decimals(Share { mean, low, high }: Share) -> u32 {
    let ends = [low, high].into_iter().flatten().map(|end| end.abs_diff(mean));
    let sizes = [mean.unsigned_abs(), Share::WHOLE.abs_diff(mean.unsigned_abs())].into_iter().chain(ends);
    let smallest = sizes.filter(|size| *size > 0).min();
    (1..4).find(|decimals| smallest.is_none_or(|size| 2 * size >= 10_u64.pow(4 - decimals))).unwrap_or(4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena_record::EntrantId;
    use arena_rules::Seat;

    use crate::testing::{entrants, play, won};
    use crate::{Entrant, Field, Format, GameResult, RoundRobin, ScheduledGame, Settled};

    fn played() -> Standings {
        let names = ["ant", "bee", "cat"];
        let entrants: Vec<Entrant> =
            names.iter().map(|name| Entrant::new(*name, EntrantId::of_baseline(name, 1))).collect();
        let result = |game: ScheduledGame| {
            let winner = [Some(Seat(0)), None, Some(Seat(1)), Some(Seat(0))][game.number % 4];
            let mut digest = [0; 32];
            digest[0] = game.number as u8 / 3;
            (game, GameResult { digest, ..won(winner, 0) })
        };
        let format = RoundRobin::new(1, 4);
        format.standings(&entrants, &format.games(&entrants).iter().map(result).collect())
    }

    fn told(standings: &Standings, row: &Row, column: &str) -> String {
        standings.value(row, column).expect("a column").to_string()
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
            assert_eq!(json["points"].as_f64(), told(&standings, row, "points").parse().ok());
            assert_eq!(json["rating"].as_f64(), fields[3].parse().ok());
            assert_eq!(fields[1], row.name);
            assert_eq!(fields[9], told(&standings, row, "games"));
            assert_eq!(json["against"].as_object().map(serde_json::Map::len), Some(2));
        }
        assert_eq!(
            Some(&Value::Count(json["games_counted"].as_u64().expect("a number") as u32)),
            standings.total("games_counted")
        );
    }

    #[test]
    fn the_table_is_aligned_and_names_everybody() {
        let standings = played();
        let table = standings.to_table();
        let lines: Vec<&str> = table.lines().take(4).collect();
        let column = lines[0].find("games").expect("a header");
        for (line, row) in lines[1..].iter().zip(&standings.rows) {
            assert!(line.contains(&format!("{}  {}", row.name, row.id.short())), "{line}");
            let games: String = line.chars().skip(column).take("games".len()).collect();
            assert_eq!(games.trim(), told(&standings, row, "games"), "{line}");
        }
        assert!(table.contains("distinct"));
    }

    #[test]
    fn a_table_without_ratings_fits_80_columns_beside_its_ids() {
        let two = entrants(2);
        let duel = RoundRobin::new(1, 500);
        let duel = duel.standings(&two, &play(&duel, &two, |game| game.seats.values().iter().min().copied()));
        let five = entrants(5);
        let field = Field { seed: 1, seats: 5, games: 100, pairs: 2 };
        let drawn = |game: ScheduledGame| {
            let tally = game.seats.clone().map(|_| 1);
            let result = GameResult { tally, ..won(None, game.number) };
            (game, result)
        };
        let settled = field.next(&five, &Settled::default()).iter().map(drawn).collect();
        let field = field.standings(&five, &settled);
        for table in [duel.to_table(), field.to_table()] {
            let lines: Vec<&str> = table.lines().take_while(|line| !line.is_empty()).collect();
            assert!(lines.iter().all(|line| line.chars().count() <= 80), "{table}");
            assert!(lines[0].contains("bot") && lines[0].contains("  id "), "{table}");
        }
    }

    #[test]
    fn a_crosstable_is_in_the_text_up_to_24_entrants() {
        for (count, has_one) in [(12, true), (13, true), (24, true), (25, false)] {
            let names = entrants(count);
            let format = RoundRobin::new(1, 1);
            let settled = play(&format, &names, |game| game.seats.values().iter().min().copied());
            let table = format.standings(&names, &settled).to_table();
            let lines: Vec<&str> = table.lines().skip_while(|line| !line.contains("row against column")).collect();
            assert_eq!(!lines.is_empty(), has_one, "{count}");
            if has_one {
                let cells: Vec<&str> = lines[1].split_whitespace().collect();
                assert_eq!(cells.len(), 3 + count, "{}", lines[1]);
                assert!(cells[4].starts_with("100") && lines[1].chars().count() <= 140, "{}", lines[1]);
            }
        }
    }

    #[test]
    fn fields_of_csv_are_quoted_where_they_must_be_and_no_formula() {
        assert_eq!(csv_text("plain-1.2"), "plain-1.2");
        assert_eq!(csv_text("a,b\"c"), "\"a,b\"\"c\"");
        assert_eq!(csv_text("-1+1"), "'-1+1");
        assert_eq!(csv_text("=HYPERLINK(\"x\",\"y\")"), "\"'=HYPERLINK(\"\"x\"\",\"\"y\"\")\"");
    }

    #[test]
    fn an_interval_is_one_figure_unless_its_ends_differ() {
        let said = |low, high| Value::Rating(Rating::Estimate { tenths: 1_000, low, high }).to_string();
        assert_eq!([said(600, 1_500), said(599, 1_500), said(600, 1_501)], ["100 ± 50", "100 ± 50", "100 -40 +50"]);
        assert_eq!([said(1_000, 1_000), said(-2_000, 1_400)], ["100 ± 0", "100 -300 +40"]);
    }

    #[test]
    fn a_lead_does_not_say_who_won_all() {
        let names = entrants(3);
        // The second wins one game of many against the first, and the third none.
        let format = RoundRobin::new(1, 6);
        let won = |game: &ScheduledGame| {
            let [one, other] = *game.seats.values() else { panic!("two seats") };
            Some(if game.pair == 0 && one == 1 { one } else { one.min(other) })
        };
        let standings = format.standings(&names, &play(&format, &names, won));
        let [first, second] = [0, 1].map(|row: usize| told(&standings, &standings.rows[row], "lead"));
        assert!(first.contains(['±', '+']), "{first}");
        let bound = second.strip_prefix("> ").expect("the third lost all");
        assert!(bound.parse::<i64>().is_ok(), "{second}");
        let said = |rating| Value::Lead(Some(Gap::Elo(rating))).to_string();
        assert_eq!([said(Rating::WonAll { low: -2_160 }), said(Rating::LostAll { high: -10 })], ["> -216", "< -1"]);
    }

    #[test]
    fn a_share_is_bounded_on_one_side_if_it_was_all_or_nothing() {
        let said = |mean, low, high| Value::Share(Share { mean, low, high }).to_string();
        assert_eq!(said(491_000, Some(458_000), Some(524_000)), "49.1 ± 3.3 %");
        assert_eq!(said(50_000, Some(20_000), Some(130_000)), "5.0 -3.0 +8.0 %");
        assert_eq!([said(0, None, Some(88_000)), said(1_000_000, Some(912_000), None)], ["0.0 +8.8 %", "100.0 -8.8 %"]);
        assert_eq!([said(250_000, None, None), said(-300, None, None)], ["25.0 %", "-0.03 %"]);
        assert_eq!(said(360, Some(80), Some(2_100)), "0.04 -0.03 +0.17 %");
        assert_eq!(
            [said(999_996, Some(999_000), None), said(0, Some(0), Some(0))],
            ["99.9996 -0.0996 %", "0.0 ± 0.0 %"]
        );
        let lead = Share { mean: -20_000, low: Some(-70_000), high: Some(30_000) };
        assert_eq!(Value::Lead(Some(Gap::Share(lead))).to_string(), "-2.0 ± 5.0 %");
    }

    #[test]
    fn percentages_are_rounded_half_up() {
        let tally = |wins, draws, losses| Tally { wins, draws, losses };
        assert_eq!(percent(tally(1, 0, 2)), "33.3 %");
        assert_eq!(percent(tally(2, 0, 1)), "66.7 %");
        assert_eq!(percent(tally(0, 1, 0)), "50.0 %");
        assert_eq!(percent(tally(3, 0, 0)), "100.0 %");
        assert_eq!(percent(tally(0, 0, 0)), "-");
        let whole_of =
            [tally(1, 0, 2), tally(2, 0, 1), tally(1, 0, 7), tally(3, 0, 0), tally(0, 0, 0)].map(whole_percent);
        assert_eq!(whole_of, ["33", "67", "13", "100", "-"]);
        assert_eq!((whole(-1905), whole(1904), whole(5), whole(-4)), (-191, 190, 1, 0));
    }
}
