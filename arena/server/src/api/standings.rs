//! Standings of the standing tournaments.

use std::collections::BTreeMap;

use arena_record::Hex;
use arena_service::{Edition, LeftOut, OlderRelease, Progress, Qualified, Standing, WhyOut};
use arena_tournaments::{Column, Commitment, Draw, Gap, Ranks, Row, SeatTally, Share, Standings, Tally, Value};
use arena_wire::Game;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Query, with_table};
use crate::app::App;
use crate::measures::Annulled;
use crate::names;
use crate::problem::{Result, sentence_about};

/// Standings, by columns.
#[derive(Serialize, ToSchema)]
pub(crate) struct TableView {
    /// The columns, in reading order.
    columns: Vec<ColumnView>,
    /// All rows, best first.
    rows: Vec<RowView>,
    /// Totals over all games, by name.
    totals: BTreeMap<&'static str, ValueView>,
    /// The counted games of each row against each row, where games are played in pairings; `null` elsewhere.
    crosstable: Option<Vec<Vec<TallyView>>>,
}

/// A column.
#[derive(Serialize, ToSchema)]
pub(crate) struct ColumnView {
    /// The key of its values in each row.
    name: &'static str,
    /// Its title for people.
    title: &'static str,
}

/// A row of the standings.
#[derive(Serialize, ToSchema)]
pub(crate) struct RowView {
    /// The rank, from 1. Those that nothing tells apart may share one; `null` for one that withdrew after less than
    /// half of its games.
    rank: Option<usize>,
    /// Its name.
    name: String,
    /// Its id in records.
    id: String,
    /// The value of each column, by the column's name. A column without a value is absent.
    values: BTreeMap<&'static str, ValueView>,
    /// Its void games.
    void: u32,
    /// Whether it was removed from the tournament; it then stands below all that were not.
    quarantined: bool,
}

/// The value of a column, or a total.
#[derive(Serialize, ToSchema)]
#[serde(untagged)]
pub(crate) enum ValueView {
    /// A count, such as a number of games.
    Count(u32),
    /// Points, with a half for a draw; a strength in Elo points; or the share of all possible points, from 0 to 1.
    Number(f64),
    /// An estimate: Elo points, or a share from 0 to 1. If every game was won, or every game lost, only one end is
    /// bounded; in a field no end is after a single game.
    Estimate {
        /// The estimated value.
        value: Option<f64>,
        /// The lower end of its 95 % interval.
        low: Option<f64>,
        /// The upper end.
        high: Option<f64>,
    },
    /// The range of its rank.
    Ranks {
        /// The best rank.
        best: u32,
        /// The worst rank.
        worst: u32,
    },
    /// Text.
    Words(String),
    /// Numbers by seat.
    Numbers(Vec<f64>),
    /// Wins, draws and losses.
    Tally(TallyView),
    /// Wins, draws and losses by seat.
    BySeat {
        /// In the seat that moves first.
        first: TallyView,
        /// In the other seat.
        second: TallyView,
    },
    /// Numbers of games, by code.
    Codes(BTreeMap<&'static str, u32>),
}

/// Wins, draws and losses.
#[derive(Serialize, ToSchema)]
pub(crate) struct TallyView {
    wins: u32,
    draws: u32,
    losses: u32,
}

impl From<Tally> for TallyView {
    fn from(Tally { wins, draws, losses }: Tally) -> TallyView {
        TallyView { wins, draws, losses }
    }
}

impl ValueView {
    /// The value; `None` if it is empty.
    fn of(value: &Value) -> Option<ValueView> {
        let elo = |tenths: i64| tenths as f64 / 10.0;
        let share = |millionths: i64| millionths as f64 / 1e6;
        Some(match value {
            Value::Count(count) => ValueView::Count(*count),
            Value::Points(half_points) => ValueView::Number(f64::from(*half_points) / 2.0),
            Value::QuarterPoints(quarters) => ValueView::Number(*quarters as f64 / 4.0),
            Value::Rating(rating) | Value::Lead(Some(Gap::Elo(rating))) => {
                let [value, low, high] = [rating.tenths(), rating.low(), rating.high()].map(|end| end.map(elo));
                ValueView::Estimate { value, low, high }
            }
            Value::Share(of) | Value::Lead(Some(Gap::Share(of))) => {
                let [value, low, high] = [Some(of.mean), of.low, of.high].map(|end| end.map(share));
                ValueView::Estimate { value, low, high }
            }
            Value::Ranks(Some(Ranks { best, worst })) => ValueView::Ranks { best: *best, worst: *worst },
            Value::Strength(tenths) => ValueView::Number(elo(*tenths)),
            Value::Chance(chance) => ValueView::Number(f64::from(*chance) / 1e4),
            Value::Words(words) => ValueView::Words(words.clone()),
            Value::Reached(reached) => ValueView::Words(reached.to_string()),
            Value::Lead(None) | Value::Ranks(None) | Value::Nothing => return None,
            Value::Shares(shares) => ValueView::Numbers(shares.iter().map(|of| share(*of as i64)).collect()),
            Value::Score(tally) if tally.games() == 0 => return None,
            Value::Score(tally) => ValueView::Number(f64::from(tally.half_points()) / f64::from(2 * tally.games())),
            Value::Tally(tally) => ValueView::Tally((*tally).into()),
            Value::BySeat(SeatTally { first, second }) => {
                ValueView::BySeat { first: (*first).into(), second: (*second).into() }
            }
            Value::Forfeits(forfeits) => {
                ValueView::Codes(forfeits.iter().map(|(code, games)| (code.as_str(), *games)).collect())
            }
        })
    }
}

impl RowView {
    pub(crate) fn of(standings: &Standings, row: &Row) -> RowView {
        let value = |(column, value): (&Column, &Value)| Some((column.name, ValueView::of(value)?));
        RowView {
            rank: row.rank.0,
            name: row.name.clone(),
            id: row.id.to_string(),
            values: standings.columns.iter().zip(&row.values).filter_map(value).collect(),
            void: row.void,
            quarantined: row.is_quarantined(),
        }
    }
}

impl TableView {
    pub(crate) fn of(standings: &Standings) -> TableView {
        let view = |row: &Vec<Tally>| row.iter().map(|tally| TallyView::from(*tally)).collect();
        TableView {
            columns: standings.columns.iter().map(|Column { name, title, .. }| ColumnView { name, title }).collect(),
            rows: standings.rows.iter().map(|row| RowView::of(standings, row)).collect(),
            totals: standings.totals.iter().filter_map(|(name, value)| Some((*name, ValueView::of(value)?))).collect(),
            crosstable: standings.crosstable.as_ref().map(|rows| rows.iter().map(view).collect()),
        }
    }
}

/// An entrant's row; names are compared as those of bots are.
pub(crate) fn row<'a>(edition: &'a Edition, name: &str) -> Option<&'a Row> {
    edition.standings.rows.iter().find(|row| row.name.eq_ignore_ascii_case(name))
}

/// A sentence about the entrants that were quarantined; `None` without any.
pub(crate) fn quarantined(standings: &Standings) -> Option<String> {
    let quarantined = standings.rows.iter().filter(|row| row.is_quarantined());
    let names: Vec<&str> = quarantined.map(|row| row.name.as_str()).collect();
    (!names.is_empty()).then(|| {
        format!(
            "QUARANTINED: {}. The process died again when it ran alone, so it played no later game and stands \
             below every bot that was not.",
            names.join(", ")
        )
    })
}

/// Bots without a place, and newcomers, that are listed at most of each: a flood of them makes the page no longer.
pub(crate) const LISTED_MAX: usize = 100;

/// The standings of a game.
#[derive(Serialize, ToSchema)]
pub(crate) struct StandingsView {
    /// The name and version of the ruleset.
    game: &'static str,
    /// The game's title.
    title: &'static str,
    /// The latest finished edition; `null` until one is finished.
    edition: Option<EditionView>,
    /// The latest finished edition if another release played it, until this release has finished one.
    earlier: Option<EarlierView>,
    /// The edition being played.
    playing: Option<PlayingView>,
    /// The number of bots without a place in the field.
    left_out: usize,
    /// The oldest 100 bots without a place, each with the reason.
    without_place: Vec<LeftOutView>,
    /// The newcomers' results in the qualifying games for the field of the latest edition, the best 100; empty if there
    /// was a place for each.
    qualifying: Vec<QualifiedView>,
}

/// A bot without a place in the field.
#[derive(Serialize, ToSchema)]
pub(crate) struct LeftOutView {
    /// Its name.
    bot: String,
    /// The reason: `copy` (it does what another bot does, whose owner had it first), `owner` (its owner has as many
    /// other bots in the field as allowed), `newcomer` (it is new, and others come first) or `beaten` (it has played,
    /// and there are better ones).
    why: &'static str,
    /// The bot of which it is a copy.
    copy_of: Option<String>,
}

impl From<&LeftOut> for LeftOutView {
    fn from(left_out: &LeftOut) -> LeftOutView {
        let (why, copy_of) = match &left_out.why {
            WhyOut::CopyOf(original) => ("copy", Some(original.clone())),
            WhyOut::OwnersOthers(_) => ("owner", None),
            WhyOut::Newcomer => ("newcomer", None),
            WhyOut::Beaten => ("beaten", None),
        };
        LeftOutView { bot: left_out.bot.clone(), why, copy_of }
    }
}

/// A newcomer that played for a place.
#[derive(Serialize, ToSchema)]
pub(crate) struct QualifiedView {
    /// Its name.
    bot: String,
    /// The hash of its bytes. Anyone who has the bytes can replay the games.
    entrant: String,
    /// Its score against the built-in opponents, from 0 to 1.
    score: f64,
    /// Whether it got a place.
    plays: bool,
}

impl From<&Qualified> for QualifiedView {
    fn from(newcomer: &Qualified) -> QualifiedView {
        let Qualified { bot, id, score, plays } = newcomer;
        let score = *score as f64 / Share::WHOLE as f64;
        QualifiedView { bot: bot.clone(), entrant: id.to_string(), score, plays: *plays }
    }
}

/// A finished edition of the standing tournament.
#[derive(Serialize, ToSchema)]
pub(crate) struct EditionView {
    /// Its number, from 1.
    number: u32,
    /// The tournament's id, as in the ids of its games.
    tournament: String,
    /// The id of its semantics, on which its verdicts depend.
    semantics: String,
    /// The build that played it.
    build: String,
    /// The number of games in its schedule.
    games: usize,
    /// What its seed was drawn from; `null` if a number was chosen.
    draw: Option<DrawView>,
    /// The number of its void games.
    void: u32,
    /// Why and when the operator annulled it.
    #[serde(skip_serializing_if = "Option::is_none")]
    annulled: Option<Annulled>,
    /// Notes on the standings, in sentences: what the columns mean, what the games came to, void games, quarantined
    /// bots.
    notes: Vec<String>,
    /// The standings, with the same numbers as the files in its folder.
    standings: TableView,
}

/// What a seed was drawn from. It is a hash of a secret and of all entrants, so that nobody could choose it.
#[derive(Serialize, ToSchema)]
pub(crate) struct DrawView {
    /// The secret, 32 bytes in hex, revealed when the field was frozen. The previous edition has its SHA-256.
    secret: String,
    /// The SHA-256 of the secret for the next edition's seed.
    next: Option<String>,
}

impl From<Draw> for DrawView {
    fn from(Draw { secret, next, .. }: Draw) -> DrawView {
        DrawView { secret: Hex(secret.0).to_string(), next: next.map(|Commitment(hash)| hash.to_string()) }
    }
}

/// A finished edition that another release played. Its results are not comparable with this release's.
#[derive(Serialize, ToSchema)]
pub(crate) struct EarlierView {
    /// Its number, from 1.
    number: u32,
    /// The build that played it.
    build: String,
    /// Its standings as that release wrote them for people, in plain text.
    table: String,
}

impl EarlierView {
    fn of(number: u32, earlier: &OlderRelease) -> EarlierView {
        let OlderRelease { build, table, .. } = earlier.clone();
        EarlierView { number, build, table }
    }
}

/// The progress of an edition.
#[derive(Serialize, ToSchema)]
pub(crate) struct PlayingView {
    edition: u32,
    played: usize,
    total: usize,
    /// What its seed was drawn from.
    draw: Option<DrawView>,
    /// Bots that were not in the edition before, the first 100.
    newcomers: Vec<NewcomerView>,
}

/// A bot that is new in an edition.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewcomerView {
    /// The hash of its bytes.
    entrant: String,
    /// Its games so far.
    games: usize,
}

impl From<&Progress> for PlayingView {
    fn from(progress: &Progress) -> PlayingView {
        let Progress { edition, played, total, draw, ref newcomers } = *progress;
        let newcomers = newcomers.iter().take(LISTED_MAX);
        let newcomers = newcomers.map(|(id, games)| NewcomerView { entrant: id.to_string(), games: *games }).collect();
        PlayingView { edition, played, total, draw: draw.map(DrawView::from), newcomers }
    }
}

impl EditionView {
    fn of(app: &App, edition: &Edition) -> EditionView {
        let quarantined = quarantined(&edition.standings);
        let names: Vec<&str> = edition.standings.rows.iter().map(Row::shown).collect();
        let notes = edition.standings.notes.iter().map(|note| sentence_about(&note.text, &names));
        EditionView {
            number: edition.number,
            tournament: edition.tournament.to_string(),
            semantics: edition.semantics.clone(),
            build: edition.build.clone(),
            games: edition.games,
            draw: edition.draw.map(DrawView::from),
            void: edition.standings.void,
            annulled: app.measures.annulled(edition.tournament.as_str()),
            notes: notes.chain(quarantined).collect(),
            standings: TableView::of(&edition.standings),
        }
    }
}

impl StandingsView {
    fn of(app: &App, game: &'static Game) -> StandingsView {
        let standing: std::sync::Arc<Standing> = app.service().standing().of(game);
        let edition = standing.edition.as_deref().map(|edition| EditionView::of(app, edition));
        let earlier = standing.earlier.as_ref().map(|(number, earlier)| EarlierView::of(*number, earlier));
        let playing = standing.playing.as_ref().map(PlayingView::from);
        let without_place = standing.left_out.iter().take(LISTED_MAX).map(LeftOutView::from).collect();
        let qualifying = standing.qualifying.iter().take(LISTED_MAX).map(QualifiedView::from).collect();
        StandingsView {
            game: game.ruleset,
            title: game.title,
            edition,
            earlier,
            playing,
            left_out: standing.left_out.len(),
            without_place,
            qualifying,
        }
    }
}

/// Which game.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct OfGame {
    /// The game's name, with or without its version; default: the first one.
    #[param(required = false)]
    game: Option<String>,
}

/// The latest standings of a game, and the edition being played.
#[utoipa::path(get, path = "/api/v1/standings", params(OfGame),
    responses((status = 200, body = StandingsView), (status = 404)))]
pub(crate) async fn show(app: App, Query(OfGame { game }): Query<OfGame>) -> Result<Response> {
    let game = names::game(game.as_deref())?;
    Ok(with_table(|| StandingsView::of(&app, game)))
}

#[cfg(test)]
mod tests {
    use arena_record::EntrantId;
    use serde_json::json;

    use super::*;

    #[test]
    fn a_bot_without_a_place_says_why_and_whose_copy_it_is() {
        let reasons = [
            (WhyOut::CopyOf("first".into()), json!({ "bot": "late", "why": "copy", "copy_of": "first" })),
            (WhyOut::OwnersOthers(Vec::new()), json!({ "bot": "late", "why": "owner", "copy_of": null })),
            (WhyOut::Newcomer, json!({ "bot": "late", "why": "newcomer", "copy_of": null })),
            (WhyOut::Beaten, json!({ "bot": "late", "why": "beaten", "copy_of": null })),
        ];
        for (why, said) in reasons {
            let left_out = LeftOut { bot: "late".into(), id: EntrantId::of_bytes(b"late"), why };
            assert_eq!(serde_json::to_value(LeftOutView::from(&left_out)).expect("it serialises"), said);
        }
    }
}
