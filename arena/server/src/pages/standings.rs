//! `/standings`, by game.

use std::collections::BTreeMap;
use std::sync::Arc;

use arena_record::EntrantId;
use arena_rules::Seat;
use arena_service::{OlderRelease, PastEdition, Progress, Standing, WhyOut};
use arena_store::NamedVersion;
use arena_tournaments::{Column, Commitment, NoteKind, Rank, Rating, Row, Standings, Tally, Value};
use arena_wire::{GAMES, Game};
use askama::Template;
use axum::extract::{Path, Query};
use axum::response::Response;
use serde::Deserialize;

use super::{Shell, capital, page_with_table, percent, wdl};
use crate::api::standings::{LISTED_MAX, quarantined};
use crate::app::App;
use crate::base_url::BaseUrl;
use crate::identity::{Reader, Visitor};
use crate::interval::Interval;
use crate::names::{self, GameLink};
use crate::notes;
use crate::problem::{Result, sentence_about};
use crate::text;
use crate::words;

/// A row of the standings.
pub(crate) struct Line {
    pub(crate) rank: Rank,
    pub(crate) name: String,
    pub(crate) built_in: bool,
    pub(crate) quarantined: bool,
    /// Its id in records.
    pub(crate) id: EntrantId,
    /// The values of the columns; the first one orders the rows.
    pub(crate) cells: Vec<Cell>,
    /// The first column's interval on a scale that all rows share, if there is one.
    pub(crate) interval: Option<Interval>,
    /// The score against each row in percent; a dash against itself. Empty without a crosstable.
    pub(crate) against: Vec<Against>,
    /// Whether it is one of the selected rows.
    pub(crate) shown: bool,
}

/// The value of a column in a row.
pub(crate) struct Cell {
    /// The column's heading.
    pub(crate) title: String,
    pub(crate) value: String,
    /// Half the width of its interval; empty if there is none.
    pub(crate) half: String,
}

/// A cell of the crosstable.
pub(crate) struct Against {
    pub(crate) score: String,
    pub(crate) record: String,
    /// The opponent of this column.
    pub(crate) name: String,
    /// From 0, all lost, to 10, all won; 11 is no game. The page has a colour for each.
    pub(crate) heat: u32,
}

/// The rows of standings of a game, best first.
pub(crate) fn lines(game: &Game, standings: &Standings) -> Vec<Line> {
    let against = |place: usize| {
        let row = standings.crosstable.iter().flat_map(move |rows| rows[place].iter().copied());
        row.zip(&standings.rows).map(|(tally, other)| Against::of(tally, &other.name)).collect()
    };
    // The picture follows the first column, if that is the value it shows.
    let is_drawn = standings.columns.first().is_some_and(|column| matches!(column.name, "rating" | "score"));
    let drawn = if is_drawn { standings.stretches() } else { Vec::new() };
    let line = |(place, row): (usize, &Row)| Line {
        rank: row.rank,
        name: row.name.clone(),
        built_in: row.id.baseline().is_some(),
        quarantined: row.is_quarantined(),
        id: row.id.clone(),
        cells: cells(game, standings, row),
        interval: drawn.get(place).copied().flatten().map(Interval::of),
        against: against(place),
        shown: true,
    };
    standings.rows.iter().enumerate().map(line).collect()
}

/// The leads of all rows but the last; none of two.
fn ahead(standings: &Standings) -> Vec<Ahead> {
    let one = |one: arena_tournaments::Ahead<'_>| Ahead {
        rank: one.row.rank,
        name: one.row.name.clone(),
        lead: one.lead,
        likelier: one.likelier,
    };
    standings.leads().into_iter().map(one).collect()
}

/// Whether there are two-seat games beside those of a whole field.
fn has_cage_games(standings: &Standings) -> bool {
    matches!(standings.total("cage_games_counted"), Some(Value::Count(1..)))
}

/// The values of the columns that people see, and of the seats.
pub(super) fn cells(game: &Game, standings: &Standings, row: &Row) -> Vec<Cell> {
    let mut cells = Vec::new();
    let has_values = |column: &Column| column.name != "cage" || has_cage_games(standings);
    for (column, value) in standings.columns.iter().zip(&row.values).filter(|(column, _)| has_values(column)) {
        match value {
            Value::BySeat(tallies) => {
                for (seat, tally) in [(Seat(0), tallies.first), (Seat(1), tallies.second)] {
                    let title = text::standings_as(words::seat(game.seat_name(seat))).into();
                    cells.push(Cell { title, value: wdl(tally), half: String::new() });
                }
            }
            of if column.is_for_people() => {
                let text = of.to_string();
                let (value, half) = match (of, text.split_once(' ')) {
                    (Value::Rating(Rating::Estimate { .. }) | Value::Share(_), Some((value, half))) => (value, half),
                    _ => (&*text, ""),
                };
                let value = match of {
                    Value::Reached(reached) => words::reached(*reached).into(),
                    of => words::rating(of).map_or_else(|| value.to_owned(), String::from),
                };
                cells.push(Cell { title: capital(&words::column(column)), value, half: half.into() });
            }
            _ => {}
        }
    }
    cells
}

impl Against {
    /// Stands for no game.
    pub(crate) const NONE: &'static str = "–";

    fn of(tally: Tally, name: &str) -> Against {
        Against {
            name: name.into(),
            score: percent(tally),
            record: wdl(tally),
            heat: (10 * tally.half_points() + tally.games()).checked_div(2 * tally.games()).unwrap_or(11),
        }
    }
}

/// The lead of a row over the next.
struct Ahead {
    rank: Rank,
    name: String,
    lead: String,
    likelier: String,
}

/// The table of standings, the leads, and the crosstable.
#[derive(Template)]
#[template(path = "standings_table.html")]
pub(crate) struct Table {
    game: &'static Game,
    /// Whether it is the first game: links to its built-in opponents need not name it.
    is_first: bool,
    lines: Vec<Line>,
    ahead: Vec<Ahead>,
    /// The owners of bots, by the bots' ids in records.
    authors: BTreeMap<EntrantId, NamedVersion>,
    /// The edition before, to show who rose and who fell.
    before: Option<Arc<PastEdition>>,
    /// Whether the cells of the crosstable link to the same games on bots' pages.
    leads: bool,
    /// The selected rows: [`BOTS`], [`BUILT_IN`] or an author's number; anything else selects all.
    only: String,
}

/// Selects submitted bots, and built-in opponents.
const BOTS: &str = "bots";
const BUILT_IN: &str = "built-in";

#[derive(Template)]
#[template(path = "standings.html")]
struct StandingsPage {
    shell: Shell,
    game: &'static Game,
    games: Vec<GameLink>,
    table: Table,
    /// Another release's edition, until there is one of this release.
    earlier: Option<(u32, Arc<OlderRelease>)>,
    /// Void games and quarantined bots, in sentences.
    warnings: Vec<String>,
    /// Sentences about the edition.
    facts: Vec<String>,
    /// The meaning of the columns, in sentences.
    meanings: Vec<String>,
    progress: String,
    /// Bots that are new in the edition that is being played, with their names and their games so far.
    newcomers: Vec<(NamedVersion, EntrantId, usize)>,
    /// Whether it says that an edition is being played.
    playing: bool,
    /// The tournament of the edition that is shown.
    tournament: String,
    /// The number of the edition that is shown; 0 for none.
    edition: u32,
    /// Whether the page reloads itself.
    moving: bool,
    /// The address of the site.
    base: String,
}

/// A place compared with the one before.
enum Trend {
    New,
    Same,
    Up(usize),
    Down(usize),
}

impl Table {
    /// The table of a tournament that is not an edition.
    pub(crate) async fn of(app: &App, game: &'static Game, standings: &Standings) -> Result<Table> {
        let ids = standings.rows.iter().map(|row| row.id.clone()).collect();
        Table::with(app, game, ids, Some(standings), None, false).await
    }

    async fn with(
        app: &App,
        game: &'static Game,
        mut ids: Vec<EntrantId>,
        standings: Option<&Standings>,
        before: Option<Arc<PastEdition>>,
        leads: bool,
    ) -> Result<Table> {
        ids.retain(|id| id.hash().is_some());
        let authors =
            if ids.is_empty() { BTreeMap::new() } else { app.store().named(Some(game.ruleset), &ids).await? };
        let lines = standings.map(|standings| lines(game, standings)).unwrap_or_default();
        Ok(Table {
            game,
            is_first: game.ruleset == GAMES[0].ruleset,
            lines,
            ahead: standings.map(ahead).unwrap_or_default(),
            authors,
            before,
            leads,
            only: String::new(),
        })
    }

    /// Shows only the selected rows, or all if none is selected.
    fn show_only(&mut self, only: String) {
        let is_of = |line: &Line, authors: &BTreeMap<EntrantId, NamedVersion>| match &*only {
            BOTS => !line.built_in,
            BUILT_IN => line.built_in,
            number => authors.get(&line.id).is_some_and(|author| author.account.0.to_string() == number),
        };
        if self.lines.iter().any(|line| is_of(line, &self.authors)) {
            self.lines.iter_mut().for_each(|line| line.shown = is_of(line, &self.authors));
            self.only = only;
        }
    }

    /// The selections with their names.
    fn choices(&self) -> Vec<(String, String)> {
        let authors: BTreeMap<i64, String> =
            self.authors.values().map(|author| (author.account.0, author.owner.to_string())).collect();
        let kinds = [
            (BOTS.to_owned(), text::standings_submitted_bots().into()),
            (BUILT_IN.to_owned(), text::standings_built_in_bots().into()),
        ];
        let number = |(number, name): (i64, String)| (number.to_string(), String::from(text::standings_of(name)));
        kinds.into_iter().chain(authors.into_iter().map(number)).collect()
    }

    /// A line's place compared with the edition before; `None` without one.
    fn trend(&self, line: &Line) -> Option<Trend> {
        let before = self.before.as_ref()?.rows.iter().find(|row| row.name.eq_ignore_ascii_case(&line.name));
        let now = line.rank.0?;
        Some(match before.map(|row| row.rank) {
            None => Trend::New,
            Some(rank) if rank > now => Trend::Up(rank - now),
            Some(rank) if rank < now => Trend::Down(now - rank),
            Some(_) => Trend::Same,
        })
    }

    /// Whether the table has a column with pictures of intervals.
    fn has_intervals(&self) -> bool {
        self.lines.iter().any(|line| line.interval.is_some())
    }

    fn author(&self, line: &Line) -> Option<&NamedVersion> {
        self.authors.get(&line.id)
    }
}

/// The selection of rows.
#[derive(Deserialize)]
pub(crate) struct Whose {
    only: Option<String>,
}

/// The standings of the first game.
pub(crate) async fn first(
    app: App,
    Query(whose): Query<Whose>,
    base: BaseUrl,
    Reader(visitor): Reader,
) -> Result<Response> {
    shown(&app, &GAMES[0], whose, base, &visitor).await
}

/// The standings of a game.
pub(crate) async fn show(
    app: App,
    Path(game): Path<String>,
    Query(whose): Query<Whose>,
    base: BaseUrl,
    Reader(visitor): Reader,
) -> Result<Response> {
    shown(&app, names::game(Some(&game))?, whose, base, &visitor).await
}

async fn shown(
    app: &App,
    game: &'static Game,
    Whose { only }: Whose,
    BaseUrl(base): BaseUrl,
    visitor: &Visitor,
) -> Result<Response> {
    let standing = app.service().standing().of(game);
    let entrants = standing.edition.iter().flat_map(|edition| &edition.entrants);
    let playing = standing.playing.iter().flat_map(|playing| &playing.newcomers).take(LISTED_MAX);
    let ids = entrants.map(|(_, id)| id).chain(playing.clone().map(|(id, _)| id)).cloned().collect();
    let standings = standing.edition.as_deref().map(|edition| &edition.standings);
    let annulled = app.measures.annulled_editions(game);
    let before = standing.history.iter().rev().skip(1).find(|past| !annulled.contains(&past.number)).cloned();
    let mut table = Table::with(app, game, ids, standings, before, true).await?;
    // They have no rows yet.
    let named = playing.filter_map(|(id, games)| Some((table.authors.remove(id)?, id.clone(), *games)));
    let newcomers = named.collect();
    table.show_only(only.unwrap_or_default());
    let said = |kind| standings.map(|standings| notes_of(standings, kind)).unwrap_or_default();
    page_with_table(&StandingsPage {
        shell: Shell::new(visitor, "standings"),
        game,
        games: GameLink::all(GAMES.iter(), game),
        table,
        base,
        earlier: standing.earlier.clone(),
        warnings: app
            .latest_annulled(game)
            .into_iter()
            .chain(said(NoteKind::Void))
            .chain(standings.and_then(quarantined))
            .collect(),
        facts: facts(&standing, said(NoteKind::Fact)),
        meanings: standings.map(meanings).unwrap_or_default(),
        progress: progress(&standing),
        newcomers,
        playing: standing.playing.is_some(),
        tournament: standing.edition.as_ref().map(|edition| edition.tournament.to_string()).unwrap_or_default(),
        edition: standing.edition.as_ref().map_or(0, |edition| edition.number),
        moving: standing.held && (standing.playing.is_some() || standing.waiting || standing.edition.is_none()),
    })
}

/// What is being played, in a sentence.
pub(super) fn progress(standing: &Standing) -> String {
    match (&standing.playing, &standing.trouble) {
        _ if !standing.held => text::common_this_site_holds_no_standing().into(),
        (Some(progress), trouble) => {
            let trouble =
                trouble.as_ref().map(|trouble| text::standings_before(trouble).to_string()).unwrap_or_default();
            let Progress { edition, played, total, .. } = progress;
            format!("{}{trouble}", text::standings_edition_is_being_played_of_games(edition, played, total))
        }
        (None, Some(trouble)) => text::standings_the_next_edition_has_trouble(trouble).into(),
        (None, None) if standing.waiting => text::standings_the_next_edition_is_about().into(),
        (None, None) => text::standings_all_bots_have_played_the_next().into(),
    }
}

/// The notes on standings, as sentences.
pub(super) fn notes(standings: &Standings) -> Vec<String> {
    let said = [NoteKind::Void, NoteKind::Fact].into_iter().flat_map(|kind| notes_of(standings, kind));
    said.chain(quarantined(standings)).collect()
}

/// The meanings of the columns, as sentences.
pub(super) fn meanings(standings: &Standings) -> Vec<String> {
    let tie_break = |column: &Column| match column.name {
        "buchholz" => Some(text::standings_buchholz_the_sum_of_the_opponents()),
        "sonneborn_berger" => Some(text::standings_s_b_sonneborn_berger_each()),
        "head_to_head" => Some(text::standings_h2h_head_to_head_the_points()),
        _ => None,
    };
    let tie_breaks = standings.columns.iter().filter_map(tie_break).map(String::from);
    notes_of(standings, NoteKind::Meaning).into_iter().chain(tie_breaks).collect()
}

/// The notes of one kind, as sentences.
fn notes_of(standings: &Standings, kind: NoteKind) -> Vec<String> {
    let names: Vec<&str> = standings.rows.iter().map(Row::shown).collect();
    let notes = standings.notes.iter().filter(|note| note.kind == kind);
    notes.map(|note| sentence_about(&notes::told(note), &names)).collect()
}

/// The facts about an edition; `said` comes from its standings.
fn facts(standing: &Standing, said: Vec<String>) -> Vec<String> {
    let Some(edition) = standing.edition.as_deref() else { return Vec::new() };
    let mut facts = said;
    if let Some(Commitment(next)) = edition.draw.and_then(|draw| draw.next) {
        let next = text::standings_nobody_chooses_the_seed_of_an_edition(next);
        facts.push(next.into());
    }
    let (games, void) = (edition.games, edition.standings.void);
    let uncounted = if has_cage_games(&edition.standings) {
        text::standings_games_that_do_not_count(games, void)
    } else {
        text::standings_games_that_do_not_count_of(games, void)
    };
    facts.push(uncounted.into());
    let copies = standing.left_out.iter().filter(|bot| matches!(bot.why, WhyOut::CopyOf(_))).count();
    let waiting = standing.left_out.len() - copies;
    if waiting > 0 {
        facts.push(text::standings_bots_that_wait_for_a_place(waiting).into());
    }
    if copies > 0 {
        facts.push(text::standings_copies_of_other_bots_which_play(copies).into());
    }
    if !standing.qualifying.is_empty() {
        let plays = standing.qualifying.iter().filter(|newcomer| newcomer.plays).count();
        let newcomers = standing.qualifying.len();
        facts.push(text::standings_there_were_more_newcomers_than(newcomers, plays).into());
    }
    facts
}

#[cfg(test)]
mod tests {
    use arena_service::PastRow;
    use arena_store::{AccountId, BotName, DisplayName, UnixSeconds};

    use super::*;

    fn id(name: &str) -> EntrantId {
        EntrantId::of_bytes(name.as_bytes())
    }

    fn line(rank: usize, name: &str, built_in: bool) -> Line {
        Line {
            rank: Rank(Some(rank)),
            name: name.into(),
            built_in,
            quarantined: false,
            id: id(name),
            cells: Vec::new(),
            interval: None,
            against: Vec::new(),
            shown: true,
        }
    }

    fn by(name: &str, number: i64, owner: &str) -> (EntrantId, NamedVersion) {
        let version = NamedVersion {
            name: BotName::parse(name).expect("a name"),
            number: 1,
            account: AccountId(number),
            owner: DisplayName::parse(owner).expect("a name"),
            submitted_at: UnixSeconds(0),
        };
        (id(name), version)
    }

    fn table() -> Table {
        Table {
            game: &GAMES[0],
            is_first: true,
            lines: vec![line(1, "hard", true), line(2, "one", false), line(3, "two", false)],
            ahead: Vec::new(),
            authors: BTreeMap::from([by("one", 1, "Ann"), by("two", 2, "Bob")]),
            before: None,
            leads: false,
            only: String::new(),
        }
    }

    #[test]
    fn rows_are_chosen_by_whose_they_are() {
        let shown = |only: &str| {
            let mut table = table();
            table.show_only(only.into());
            let shown = table.lines.iter().filter(|line| line.shown);
            shown.map(|line| line.name.clone()).collect::<Vec<_>>().join(" ")
        };
        let choices = table().choices();
        let names: Vec<&str> = choices.iter().map(|(_, name)| name.as_str()).collect();
        assert_eq!(names, ["submitted", "built in", "of Ann", "of Bob"]);
        let found: Vec<String> = choices.iter().map(|(value, _)| shown(value)).collect();
        assert_eq!(found, ["one two", "hard", "one", "two"]);
        assert_eq!((shown(""), shown("3")), ("hard one two".into(), "hard one two".into()), "nobody's are everybody's");
    }

    #[test]
    fn a_row_has_its_author_and_its_places_won_and_lost() {
        let past = |rank: usize, name: &str| PastRow {
            rank,
            name: name.into(),
            id: id(name),
            value: None,
            low: None,
            high: None,
        };
        let rows = vec![past(1, "Two"), past(3, "hard"), past(2, "gone")];
        let table = Table {
            before: Some(Arc::new(PastEdition { number: 3, finished_at: UnixSeconds(0), anchor: None, rows })),
            ..table()
        };
        let page = table.render().expect("rendered");
        let row = |name: &str| {
            let row =
                page.split_once(&format!("<tr data-bot=\"{name}\">")).and_then(|(_, rest)| rest.split_once("</tr>"));
            row.expect("a row").0.to_owned()
        };
        for (name, trend, author) in [
            ("hard", "<span class=\"up\">▲ 2</span>", ""),
            ("one", "<span class=\"tag\">new</span>", "<a href=\"/authors/1\"><bdi>Ann</bdi></a>"),
            ("two", "<span class=\"down\">▼ 2</span>", "<a href=\"/authors/2\"><bdi>Bob</bdi></a>"),
        ] {
            let row = row(name);
            assert!(row.contains(&format!("<td class=\"trend\">{trend}</td>")), "{row}");
            assert!(row.contains(&format!("<td class=\"author\">{author}</td>")), "{row}");
        }
    }
}
