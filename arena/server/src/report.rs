//! A tournament as one self-contained page, with its style, its script, the rules and all games.

mod records;

use std::io;
use std::time::SystemTime;

use arena_store::UnixSeconds;
use arena_tournaments::{Ahead, Rank, Row, Standings, Stretch, Tally};
use askama::Template;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

pub use self::records::{Place, Records};
use crate::dates::day;
use crate::interval::Interval;
use crate::modules::Alone;
use crate::{Assets, assets, engines};

/// The script of the page.
const SCRIPT: &str = "report.js";
const STYLE: &str = "style.css";
/// The only file that the style names.
const FONT: &str = "atkinson.woff2";

/// The contents of a report. Names, reasons and titles are hostile text.
pub struct Report {
    /// The tournament's name.
    pub title: String,
    /// Its game.
    pub ruleset: String,
    /// When its last game ended, if that is known.
    pub played: Option<SystemTime>,
    /// Its format.
    pub format: String,
    /// The changes of its organiser, in sentences.
    pub changes: Vec<String>,
    /// Who stands where.
    pub standings: Standings,
    /// Pictures as SVG, each with its title.
    pub pictures: Vec<(&'static str, String)>,
    /// Rounds, fairness and the like, each with its title.
    pub texts: Vec<(&'static str, String)>,
    /// The games, in schedule order.
    pub games: Vec<ReportGame>,
    /// Their records.
    pub records: Records,
    /// The command that recomputes it.
    pub verify: String,
}

/// A game of a report.
pub struct ReportGame {
    /// Its number in the schedule.
    pub number: usize,
    /// Who played.
    pub seats: String,
    /// Their ids, in the same order: names are the organiser's word.
    pub ids: String,
    /// How it ended.
    pub result: String,
    /// Where its record is, if the page has it.
    pub record: Option<Place>,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The rules for pages were missing when this program was built.
    #[error("{}", assets::NO_ENGINE)]
    NoEngine,
    /// The page cannot be rendered.
    #[error("the report cannot be put together")]
    Template(#[from] askama::Error),
    /// The games cannot be compressed.
    #[error("the games cannot be packed")]
    Pack(#[from] io::Error),
}

#[derive(Template)]
#[template(path = "report.html")]
struct Page<'a> {
    report: &'a Report,
    date: Option<String>,
    style: String,
    script: Alone,
    /// The title of the column with what ranks, which stands beside the names, if there is one.
    strength: Option<&'static str>,
    /// Those of the other columns.
    titles: Vec<&'static str>,
    lines: &'a [Line],
    has_intervals: bool,
    leads: Vec<Ahead<'a>>,
    heat: Vec<(&'a Line, Vec<Option<u32>>)>,
    pictures: Vec<(&'static str, String)>,
    texts: &'a [(&'static str, String)],
    watchable: usize,
    left_out: usize,
    engine: String,
}

/// A row of the standings.
struct Line {
    rank: Rank,
    name: String,
    /// Digits of its hash, or its built-in opponent: names are the organiser's word.
    id: String,
    left: &'static str,
    /// Its rating or score, if there is such a column.
    strength: Option<String>,
    /// The other columns.
    cells: Vec<String>,
    /// Low end, middle and high end on a scale from 0 to 100 that all rows share.
    interval: Option<Interval>,
    /// What the interval shows, in words.
    in_words: String,
}

impl Report {
    /// The page.
    ///
    /// # Errors
    /// If this build has no rules for pages, or the page cannot be made.
    pub fn to_html(mut self) -> Result<String, ReportError> {
        self.records.pack()?;
        let assets = Assets::embedded();
        let text = |name: &str| assets.find(name).map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let engine = assets.find(engines::of(&self.ruleset).page).ok_or(ReportError::NoEngine)?;
        let font = assets.find(FONT).map(|font| format!("data:font/woff2;base64,{}", BASE64.encode(font)));
        let font = font.unwrap_or_default();
        let (watchable, left_out) = self.records.counts();
        let lines = lines(&self.standings);
        let strength = self.standings.rows.first().and_then(|row| self.standings.strength(row));
        let strength = strength.map(|(column, _)| column);
        let shown = self.standings.columns.iter().filter(|column| column.is_for_people());
        let heat = self.standings.crosstable.iter().flatten().zip(&lines);
        let heat = heat.map(|(against, line)| (line, against.iter().map(percent).collect()));
        let page = Page {
            report: &self,
            date: self.played.map(date),
            style: text(STYLE).unwrap_or_default().replace(FONT, &font),
            script: Alone::new(SCRIPT, assets::script),
            strength: strength.map(|column| column.title),
            titles: shown.filter(|column| Some(*column) != strength).map(|column| column.title).collect(),
            leads: self.standings.leads(),
            has_intervals: lines.iter().any(|line| line.interval.is_some()),
            heat: heat.collect(),
            lines: &lines,
            pictures: self.pictures.iter().map(|(title, svg)| (*title, BASE64.encode(svg))).collect(),
            texts: &self.texts,
            watchable,
            left_out,
            engine: records::packed(&engine)?,
        };
        Ok(page.render()?)
    }
}

/// A day, such as 2026-11-22.
fn date(at: SystemTime) -> String {
    let seconds = at.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs());
    day(UnixSeconds(seconds.cast_signed()))
}

/// The share of a pairing's points in percent; `None` without games.
fn percent(tally: &Tally) -> Option<u32> {
    (tally.games() > 0).then(|| (100 * tally.half_points() + tally.games()) / (2 * tally.games()))
}

/// An entrant's name for people, with its own name where another entrant has the same one for people.
fn called(standings: &Standings, row: &Row) -> String {
    let is_another = |other: &&Row| other.name != row.name && other.shown() == row.shown();
    match standings.rows.iter().find(is_another) {
        Some(_) => format!("{} ({})", row.shown(), row.name),
        None => row.shown().into(),
    }
}

impl Page<'_> {
    fn called(&self, row: &Row) -> String {
        called(&self.report.standings, row)
    }
}

fn lines(standings: &Standings) -> Vec<Line> {
    let line = |(row, stretch): (&Row, Option<Stretch>)| {
        let strength = standings.strength(row);
        let others = standings.for_people(row).filter(|(column, _)| strength.is_none_or(|(ranks, _)| ranks != *column));
        Line {
            rank: row.rank,
            name: called(standings, row),
            id: row.id.short().to_owned(),
            left: row.left.map_or("", |left| left.name()),
            cells: others.map(|(_, value)| value.to_string()).collect(),
            interval: stretch.map(Interval::of),
            in_words: strength
                .map(|(column, value)| format!("{} {value}, 95 % interval", column.title))
                .unwrap_or_default(),
            strength: strength.map(|(_, value)| value.to_string()),
        }
    };
    standings.rows.iter().zip(standings.stretches()).map(line).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use arena_record::EntrantId;
    use arena_tournaments::{Entrant, Format, GameResult, RoundRobin, Settled};

    use super::*;

    const HOSTILE: &str = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'";

    #[test]
    fn hostile_text_makes_no_element_and_no_script() {
        if Assets::embedded().with_engine().is_err() {
            return;
        }
        let entrant = |number: u8| Entrant::new(HOSTILE, EntrantId::of_bytes(&[number]));
        let standings = RoundRobin::new(1, 1).standings(&[0, 1, 2].map(entrant), &Settled::default());
        let text = || HOSTILE.to_owned();
        let mut records = Records::default();
        let record = records.add(&format!("{HOSTILE}\n")).unwrap();
        let game = ReportGame { number: 0, seats: text(), ids: text(), result: text(), record };
        let report = Report {
            title: text(),
            ruleset: text(),
            played: Some(SystemTime::UNIX_EPOCH),
            format: text(),
            changes: vec![text()],
            standings,
            pictures: vec![("Bracket", text())],
            texts: vec![("Rounds", text())],
            games: vec![game],
            records,
            verify: text(),
        };
        let page = report.to_html().unwrap();
        assert!(!page.contains("alert(1)</script>") && !page.contains("<img src=x"), "{page}");
        let modules = page.matches("<script type=\"importmap\">").count();
        assert_eq!(page.matches("<script").count(), 3 + modules, "the page's own");
        assert!(page.contains("<p>1970-01-01; ") && page.contains("data-record=\"0\""));
    }

    #[test]
    fn every_game_of_a_long_tournament_is_in_the_page_and_no_date_that_nobody_knows() {
        if Assets::embedded().with_engine().is_err() {
            return;
        }
        let (mut records, count) = (Records::default(), 6_000);
        let mut game = |number: usize| {
            let record = records.add(&format!("{number}{}\n", " ".repeat(1_000))).unwrap();
            ReportGame {
                number, seats: "a – b".into(), ids: "easy@1 – hard@1".into(), result: "a draw".into(), record
            }
        };
        let standings = RoundRobin::new(1, 1).standings(
            &[0, 1].map(|number: u8| Entrant::new(format!("bot{number}"), EntrantId::of_bytes(&[number]))),
            &Settled::default(),
        );
        let report = Report {
            title: "long".into(),
            ruleset: arena_wire::GAMES[0].ruleset.into(),
            played: None,
            format: "round-robin".into(),
            changes: Vec::new(),
            standings,
            pictures: Vec::new(),
            texts: Vec::new(),
            games: (0..count).map(&mut game).collect(),
            records,
            verify: "arena verify long".into(),
        };
        let page = report.to_html().unwrap();
        assert_eq!(page.matches("data-record=").count(), count);
        for part in 0..5 {
            let place = format!("data-part=\"{part}\"");
            assert_eq!((page.contains(&place), page.contains(&format!("id=\"records-{part}\""))), (true, true));
        }
        assert!(!page.contains("left-out") && page.contains("<p>round-robin, 2 entrants, 6000 games</p>"));
    }

    /// A page of a round robin whose games all end as draws.
    fn page_of_draws(bots: u8) -> Option<String> {
        if Assets::embedded().with_engine().is_err() {
            return None;
        }
        let entrant = |number: u8| Entrant::new(format!("bot{number}"), EntrantId::of_bytes(&[number]));
        let (entrants, format) = ((0..bots).map(entrant).collect::<Vec<_>>(), RoundRobin::new(1, 2));
        let drawn = |game: arena_tournaments::ScheduledGame| {
            let mut digest = [0; 32];
            digest[0] = game.number as u8;
            let (tally, reason) = (game.seats.clone().map(|_| 0), arena_rules::Reason::Majority);
            (game, GameResult { winner: None, forfeits: Vec::new(), tally, digest, reason, turns: 0 })
        };
        let settled = format.games(&entrants).iter().map(drawn).collect();
        let report = Report {
            title: "draws".into(),
            ruleset: arena_wire::GAMES[0].ruleset.into(),
            played: None,
            format: "round-robin".into(),
            changes: Vec::new(),
            standings: format.standings(&entrants, &settled),
            pictures: Vec::new(),
            texts: Vec::new(),
            games: Vec::new(),
            records: Records::default(),
            verify: "arena verify draws".into(),
        };
        Some(report.to_html().unwrap())
    }

    #[test]
    fn an_interval_is_labelled_with_its_rating_and_two_bots_have_none() {
        let (Some(three), Some(two)) = (page_of_draws(3), page_of_draws(2)) else { return };
        assert_eq!(three.matches("aria-label=\"rating 0 ± ").count(), 3, "{three}");
        assert_eq!(three.matches("<svg class=\"interval\"").count(), 3);
        let ids = three.matches("</bdi> <code>").count();
        assert_eq!(ids, 8, "an id at each name, in the standings, of the two that lead and in the crosstable: {three}");
        assert!(three.contains("ahead of the next") && three.contains("<td>50.0 %</td>"));
        assert!(!two.contains("<svg class=\"interval\"") && !two.contains("95 % interval</th>"), "{two}");
        assert!(!two.contains("ahead of the next"));
    }

    #[test]
    fn the_script_needs_no_other_file_and_does_not_end_the_page() {
        let Alone { text, modules } = Alone::new(SCRIPT, assets::script);
        assert!(!text.is_empty() && !text.contains("</script"), "{text}");
        let names = text.lines().filter_map(|line| line.split_once(" from '")?.1.strip_suffix("';"));
        for name in names {
            assert!(modules.contains_key(name), "{name}");
        }
    }
}
