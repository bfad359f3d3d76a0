//! `/games/ID`: a game, to step through.

use std::collections::BTreeSet;

use arena_record::{EntrantId, Header, OutcomeRecord, Record};
use arena_store::Page;
use arena_wire::Game;
use askama::Template;
use axum::extract::Path;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};

use super::previews::Card;
use super::workshop::may_be_tried;
use super::{Shell, capital, page};
use crate::api::logs::{LogView, of_game, seat_name};
use crate::app::App;
use crate::base_url::BaseUrl;
use crate::clip;
use crate::games::{self, GameId};
use crate::identity::{Reader, Visitor};
use crate::language::part;
use crate::names::{self, Face, Who};
use crate::problem::{Problem, Result};
use crate::text;
use crate::words;

/// A replay of up to this many turns is shown at a turn a second: one minute.
const SLOW_TURNS_MAX: usize = 60;

#[derive(Template)]
#[template(path = "game.html")]
struct GamePage {
    shell: Shell,
    game: String,
    /// Name and version of the ruleset.
    ruleset: String,
    face: Face,
    /// Whether the game is long, so that the replay begins at a higher speed.
    long: bool,
    record_url: String,
    /// The address of the site.
    base: String,
    /// Its preview for other sites.
    card: Card,
    seats: Vec<Who>,
    /// The file name of the record.
    file: String,
    /// The bots among the players, with the hashes of their bytes.
    modules: Vec<(String, String)>,
    outcome: String,
    /// Why the operator took it out of the count.
    annulled: Option<String>,
    /// Details of the game, each with its label.
    how: Vec<(String, String)>,
    /// Whether it can be tried again in the workshop.
    tries: bool,
    /// Whether it can be continued: it is a game for two that people play here.
    goes_on: bool,
    /// The final position, a line for each row.
    last: Vec<String>,
    /// Whether one of the visitor's bots played, whose log the visitor may read.
    own: bool,
    /// The games before and after it, if the same players meet there.
    before: Option<String>,
    after: Option<String>,
}

pub(crate) async fn show(
    app: App,
    Path(id): Path<String>,
    BaseUrl(base): BaseUrl,
    Reader(visitor): Reader,
) -> Result<Response> {
    let (record, _) = games::record(app.service(), &id).await?;
    let seats = names::all(app.store(), Game::named(&record.header.ruleset).ok(), &record.header.entrants).await?;
    let seats = names::marked(seats, &games::programs(app.service(), &id).await?);
    let [before, after] = neighbours(&app, &id, &record).await?;
    page(&GamePage {
        own: is_own(&app, &record, &visitor).await?,
        before,
        after,
        shell: Shell::new(&visitor, "games"),
        record_url: format!("/api/v1/games/{id}/record"),
        card: card(&base, &id, &record, &seats),
        base,
        file: format!("{id}.json"),
        modules: modules(&record, &seats),
        outcome: outcome(&record, &seats),
        annulled: games::annulled(&app, &id).await?,
        how: how(&record),
        goes_on: goes_on(&record),
        tries: may_be_tried(&record),
        last: clip::last_rows(&record),
        face: Face::with(&record.header.ruleset, &record.header.options),
        long: record.turns.len() > SLOW_TURNS_MAX,
        ruleset: record.header.ruleset.clone(),
        game: id,
        seats,
    })
}

/// Whether one of a visitor's bots played in a game.
async fn is_own(app: &App, record: &Record, visitor: &Visitor) -> Result<bool> {
    let Some(account) = visitor.account_id() else { return Ok(false) };
    let bots: Vec<EntrantId> = record.header.entrants.iter().filter(|id| id.hash().is_some()).cloned().collect();
    if bots.is_empty() {
        return Ok(false);
    }
    let named = app.store().named(Some(&record.header.ruleset), &bots).await?;
    Ok(named.iter().any(|(_, bot)| bot.account == account))
}

/// The games before and after a tournament's game, if the same players meet there. A tournament plays the games of a
/// pairing consecutively.
async fn neighbours(app: &App, id: &str, record: &Record) -> Result<[Option<String>; 2]> {
    let Some(GameId::Tournament(tournament, number)) = GameId::parse(id) else { return Ok([None, None]) };
    let rows = number.checked_sub(2).map_or(Page::first(3), |after| Page::after(after, 3));
    let around = app.store().games(&tournament, rows).await?;
    let players: BTreeSet<&EntrantId> = record.header.entrants.iter().collect();
    let same = |wanted: Option<u32>| {
        let game = around.iter().find(|game| Some(game.number) == wanted)?;
        let meet = game.entrants.values().iter().collect::<BTreeSet<_>>() == players;
        meet.then(|| GameId::Tournament(tournament.clone(), game.number).to_string())
    };
    Ok([same(number.checked_sub(1)), same(number.checked_add(1))])
}

/// The preview of a game for other sites.
fn card(base: &str, id: &str, record: &Record, seats: &[Who]) -> Card {
    let game = Game::named(&record.header.ruleset).map_or("", |game| game.title);
    let title = match seats {
        [one, other] => format!("{} – {}, {game}", part(&one.name), part(&other.name)),
        many => text::games_players(game, many.len()).into(),
    };
    Card::of(base, &format!("/games/{id}"), title, outcome(record, seats))
}

#[derive(Template)]
#[template(path = "log.html")]
struct LogPage {
    shell: Shell,
    game: String,
    logs: Vec<Log>,
}

/// A bot's log in one game.
pub(crate) struct Log {
    pub(crate) bot: String,
    pub(crate) seat: String,
    pub(crate) text: String,
    pub(crate) dropped: u64,
}

impl Log {
    pub(crate) fn of(ruleset: &str, log: LogView) -> Log {
        Log {
            seat: words::seat(seat_name(ruleset, log.seat)).into(),
            bot: log.bot,
            text: log.text,
            dropped: log.dropped,
        }
    }
}

/// The logs of the visitor's bots in a game.
pub(crate) async fn log(app: App, Path(id): Path<String>, visitor: Visitor) -> Result<Response> {
    let account = visitor.account.clone().ok_or_else(Problem::sign_in)?;
    let logs = of_game(&app, &id, &account).await?;
    let (record, _) = games::record(app.service(), &id).await?;
    let logs = logs.into_iter().map(|log| Log::of(&record.header.ruleset, log)).collect();
    let shown = page(&LogPage { shell: Shell::new(&visitor, "games"), game: id, logs })?;
    Ok(([(CACHE_CONTROL, "no-store")], shown).into_response())
}

/// The bots whose bytes are needed to recompute the game, each once.
fn modules(record: &Record, seats: &[Who]) -> Vec<(String, String)> {
    let bots = record.header.entrants.iter().zip(seats);
    let mut modules: Vec<(String, String)> =
        bots.filter_map(|(id, who)| Some((who.name.clone(), id.hash()?.to_owned()))).collect();
    modules.dedup_by(|one, other| one.1 == other.1);
    modules
}

/// Whether a visitor can continue from a turn of this game.
fn goes_on(record: &Record) -> bool {
    !record.turns.is_empty() && Game::named(&record.header.ruleset).is_ok_and(Game::suits_rooms)
}

/// The outcome of the game in a sentence.
pub(crate) fn outcome(record: &Record, seats: &[Who]) -> String {
    let by = record.forfeits.first().map(|forfeit| forfeit.code.as_str());
    ended(&record.header.ruleset, &record.outcome, by, seats)
}

/// An outcome in a sentence, with the code of the first forfeit.
pub(crate) fn ended(ruleset: &str, outcome: &OutcomeRecord, forfeit: Option<&str>, seats: &[Who]) -> String {
    let name = |seat: u8| {
        let who = seats.get(usize::from(seat)).map_or("", |who| who.name.as_str());
        format!("{who} ({})", words::seat(seat_name(ruleset, seat)))
    };
    if seats.len() > 2 {
        return ended_of_many(outcome, name);
    }
    let mut tally: Vec<String> = outcome.tally.iter().map(u32::to_string).collect();
    if outcome.winner == Some(1) {
        // The winner's number comes first, as people say it.
        tally.reverse();
    }
    let score = match &tally[..] {
        [one, other] => text::common_to(one, other).to_string(),
        _ => tally.join(" "),
    };
    match (outcome.winner, outcome.reason.as_str()) {
        (Some(winner), "majority") => text::games_won_with_score(score, name(winner)).into(),
        (Some(winner), "extinction") => text::games_won_the_other_colour_died(name(winner)).into(),
        (Some(winner), "forfeit") => {
            let by = forfeit.map(|code| format!(" ({code})")).unwrap_or_default();
            text::games_won_the_other_side_forfeited(by, name(winner)).into()
        }
        (Some(winner), other) => text::games_won_because(words::reason(other), score, name(winner)).into(),
        (None, "mutual_extinction") => text::games_a_draw_both_colours_died().into(),
        (None, "stalemate") => text::games_a_draw_the_player_to_move(score).into(),
        (None, "exhausted") => text::games_a_draw_all_moves_that_a_game(score).into(),
        (None, _) => text::games_a_draw(score).into(),
    }
}

/// The same for more than two seats.
fn ended_of_many(outcome: &OutcomeRecord, name: impl Fn(u8) -> String) -> String {
    let sum: u64 = outcome.tally.iter().map(|tally| u64::from(*tally)).sum();
    let tally = |seat: u8| outcome.tally.get(usize::from(seat)).copied().unwrap_or_default();
    match outcome.winner {
        Some(winner) => text::games_won_with_of_cells(tally(winner), sum, name(winner)).into(),
        None => text::games_a_draw_no_player_has_the_most(sum).into(),
    }
}

/// The ruleset with its options, if there are any.
fn ruleset(header: &Header) -> String {
    let options = header.options.split(',').filter(|option| !option.is_empty());
    std::iter::once(header.ruleset.as_str()).chain(options).collect::<Vec<&str>>().join(", ")
}

fn how(record: &Record) -> Vec<(String, String)> {
    let header = &record.header;
    let fixed = vec![
        (text::games_ruleset(), ruleset(header)),
        (text::games_turns(), record.turns.len().to_string()),
        (text::games_seed(), header.seed.to_string()),
        (text::games_digest(), record.digest.to_string()),
        (text::games_semantics(), header.semantics.clone()),
        (text::games_build(), header.build.clone()),
    ];
    let mut how: Vec<(String, String)> = fixed.into_iter().map(|(label, text)| (label.into(), text)).collect();
    for (seat, id) in (0..).zip(&header.entrants) {
        how.push((
            text::games_s_id(capital(&words::seat(seat_name(&record.header.ruleset, seat)))).into(),
            id.to_string(),
        ));
    }
    how
}
