//! `/bots/NAME/versions/NUMBER`: the verdict on a version.

use arena_record::Objection;
use arena_service::{Placing, WhyOut};
use arena_store::{Licence, Version, VersionState};
use arena_wire::Game;
use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;

use crate::api::bots::{find_version, game_of, placing};
use crate::api::logs::of_samples;
use crate::app::App;
use crate::identity::Reader;
use crate::language::Text;
use crate::limit_kind::LimitKind;
use crate::limits::SOURCE_COST;
use crate::pages::games::Log;
use crate::pages::{Shell, date, page};
use crate::problem::{Problem, sentence};
use crate::said::words as said;
use crate::sources::Source;
use crate::text;
use crate::upload::{ASSEMBLED, Typed};
use crate::visitors::Taker;
use crate::words::{self, verdict_word};
use crate::{changes, guide};

#[derive(Template)]
#[template(path = "version.html")]
struct VersionPage {
    shell: Shell,
    name: String,
    number: u32,
    /// The name of its game in addresses.
    game: String,
    /// Its logs in the sample games, for its owner.
    logs: Vec<Log>,
    /// Whether these logs are all empty.
    silent: bool,
    /// Whether people can play against bots of its game.
    rooms: bool,
    /// Whether it plays in the standing tournament, if it is the active version.
    placing: Option<Placing>,
    /// Whether the operator has disabled the bot.
    disabled: bool,
    state: &'static str,
    code: String,
    message: String,
    hint: String,
    active: Option<u32>,
    size: u64,
    date: String,
    id: String,
    /// Its source, if its author shows it.
    source: Option<Shown>,
    /// For its owner: what the form for that says now.
    typed: Option<Typed>,
}

/// A source as it is shown.
struct Shown {
    language: Text,
    /// Whether it was made of the module.
    is_printed: bool,
    licence: &'static str,
    html: String,
    /// What changed since the version before it that shows one, with the results of both.
    since: Option<Since>,
}

struct Since {
    number: u32,
    lines: Vec<Line>,
    results: Vec<Text>,
}

/// A line of a list of changes.
struct Line {
    kind: &'static str,
    text: String,
}

impl Line {
    fn of(line: &changes::Line<'_>) -> Line {
        let (kind, text) = match line {
            changes::Line::Same(text) => ("same", format!("  {text}")),
            changes::Line::Gone(text) => ("gone", format!("{} {text}", line.mark())),
            changes::Line::New(text) => ("new", format!("{} {text}", line.mark())),
            changes::Line::Skipped(lines) => ("skipped", text::bot_unchanged_lines(lines).into()),
        };
        Line { kind, text }
    }
}

impl Shown {
    async fn of(app: &App, game: Option<&Game>, version: &Version, source: &Source) -> Result<Option<Shown>, Problem> {
        let Some(licence) = source.licence else { return Ok(None) };
        let since = Source::before(app, version).await?.map(|(earlier, before)| Since {
            number: before.number,
            lines: changes::changes(&before.text, &source.text).iter().map(Line::of).collect(),
            results: [version, &earlier].map(|version| result(app, game, version)).into(),
        });
        let Source { language, text, .. } = source;
        let html = guide::highlighted(text, if language.name == "javascript" { "js" } else { language.name });
        let is_printed = language.name == ASSEMBLED;
        Ok(Some(Shown { language: language.title(), is_printed, licence: licence.spdx(), html, since }))
    }
}

/// What a version has come to in the latest edition that counts in which it played.
fn result(app: &App, game: Option<&Game>, version: &Version) -> Text {
    let number = version.id.number;
    let played = game.and_then(|game| {
        let annulled = app.measures.annulled_editions(game);
        let history = app.service().standing().of(game).history.clone();
        let counts = history.iter().rev().filter(|past| !annulled.contains(&past.number));
        counts
            .filter_map(|past| {
                let row = past.rows.iter().find(|row| row.id == version.entrant)?;
                Some(text::bot_version_had_place(past.number, number, past.rows.len(), row.rank))
            })
            .next()
    });
    played.unwrap_or_else(|| text::bot_version_has_not_played(number))
}

impl VersionPage {
    /// Whether it is the active version.
    fn plays(&self) -> bool {
        self.active == Some(self.number)
    }
}

pub(crate) async fn version(
    State(app): State<App>,
    Path((name, number)): Path<(String, String)>,
    taker: Taker,
    Reader(visitor): Reader,
) -> Result<Response, Problem> {
    let (bot, version) = find_version(&app, &name, &number).await?;
    let (code, message, hint) = match &version.state {
        VersionState::Accepted => ("accepted".into(), String::new(), String::new()),
        VersionState::Pending if app.service().judge().is_unjudgeable(version.id) => {
            ("pending".into(), sentence(&words::unjudgeable()), String::new())
        }
        VersionState::Pending => ("pending".into(), text::bot_the_bot_is_being_judged().into(), String::new()),
        VersionState::Refused(Objection { code, message, hint, offset }) => {
            let at = offset.map_or(String::new(), |offset| text::bot_at_byte(offset).into());
            (code.clone(), sentence(&format!("{}{at}", said(message))), sentence(&said(hint)))
        }
    };
    let own = visitor.account.as_ref().is_some_and(|account| account.id == bot.account);
    let logs = if own { of_samples(&app, &bot, &version).await? } else { Vec::new() };
    if own || version.licence.is_some() {
        taker.take_some(LimitKind::Requests, SOURCE_COST, visitor.account_id())?;
    }
    let found = if own { Source::of_own(&app, &version).await? } else { Source::of(&app, &version).await? };
    let source = match &found {
        Some(source) => Shown::of(&app, game_of(&bot), &version, source).await?,
        None => None,
    };
    let typed = found.filter(|_| own).map(|source| {
        let chosen = source.licence.unwrap_or(Licence::ALL[0]).spdx().into();
        Typed { shown: source.licence.is_some(), licence: chosen, ..Typed::default() }
    });
    page(&VersionPage {
        source,
        typed,
        shell: Shell::new(&visitor, "submit"),
        silent: !logs.is_empty() && logs.iter().all(|log| log.text.is_empty()),
        logs: logs.into_iter().map(|log| Log::of(&bot.game, log)).collect(),
        rooms: game_of(&bot).is_some_and(Game::suits_rooms),
        placing: placing(&app, &bot, &version).await?,
        disabled: bot.disabled,
        name: bot.name.to_string(),
        game: game_of(&bot).map(|game| game.name().into()).unwrap_or_default(),
        number: version.id.number,
        state: verdict_word(&version.state),
        code,
        message,
        hint,
        active: bot.active.map(|active| active.number),
        size: version.size_bytes,
        date: date(version.submitted_at),
        id: version.entrant.to_string(),
    })
}
