//! `/bots/NAME/versions/NUMBER`: the verdict on a version.

use arena_record::Objection;
use arena_service::{Placing, WhyOut};
use arena_store::VersionState;
use arena_wire::Game;
use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;

use crate::api::bots::{find_version, game_of, placing};
use crate::api::logs::of_samples;
use crate::app::App;
use crate::identity::Visitor;
use crate::pages::games::Log;
use crate::pages::{Shell, date, page};
use crate::problem::{Problem, sentence};
use crate::said::words as said;
use crate::text;
use crate::words::{self, verdict_word};

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
    visitor: Option<Visitor>,
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
    let visitor = visitor.unwrap_or_default();
    let own = visitor.account.as_ref().is_some_and(|account| account.id == bot.account);
    let logs = if own { of_samples(&app, &bot, &version).await? } else { Vec::new() };
    page(&VersionPage {
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
