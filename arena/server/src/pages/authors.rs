//! `/authors/NUMBER`: an account with its bots.

use arena_store::{AccountId, Bot, Page};
use askama::Template;
use axum::extract::Path;
use axum::response::Response;

use super::standings::{Cell, cells};
use super::{Shell, date, page};
use crate::api::bots::game_of;
use crate::api::standings::row;
use crate::app::App;
use crate::identity::Reader;
use crate::limits::ROWS_MAX;
use crate::problem::{Code, Problem, Result};
use crate::text;

#[derive(Template)]
#[template(path = "author.html")]
struct AuthorPage {
    shell: Shell,
    name: String,
    bots: Vec<BotLine>,
    /// Whether any of their games has editions.
    stand: bool,
}

struct BotLine {
    name: String,
    /// The title of its game.
    game: String,
    /// Its place in the latest edition, and the number of places; `None` if it has none.
    place: Option<(usize, usize)>,
    /// This bot's value in the column that orders the edition.
    cell: Option<Cell>,
    /// The version that plays.
    active: Option<u32>,
    since: String,
}

pub(crate) async fn show(app: App, Path(number): Path<String>, Reader(visitor): Reader) -> Result<Response> {
    let missing =
        || Problem::new(Code::NoSuchAuthor, "there is no such author", "the page of each bot leads to its author");
    let id = AccountId(number.parse().map_err(|_| missing())?);
    let account = app.store().account(id).await?.ok_or_else(missing)?;
    let bots = app.store().bots_of(id, Page::first(ROWS_MAX)).await?;
    let has_editions = |game| {
        let standing = app.service().standing().of(game);
        standing.held || standing.edition.is_some()
    };
    let stand = bots.iter().filter_map(game_of).any(has_editions);
    let bots: Vec<BotLine> = bots.iter().map(|bot| BotLine::of(&app, bot)).collect();
    // A person without bots has no page: only what people publish is shown.
    if bots.is_empty() {
        return Err(missing());
    }
    page(&AuthorPage { stand, shell: Shell::new(&visitor, "standings"), name: account.name.to_string(), bots })
}

impl AuthorPage {
    /// The heading of the values: their column's, if it is the same for all.
    fn heading(&self) -> String {
        let mut titles = self.bots.iter().filter_map(|bot| bot.cell.as_ref()).map(|cell| &cell.title);
        let first = titles.next().filter(|first| titles.all(|title| title == *first));
        first.cloned().unwrap_or_else(|| text::common_value().into())
    }
}

impl BotLine {
    fn of(app: &App, bot: &Bot) -> BotLine {
        let game = game_of(bot);
        let edition = game.and_then(|game| app.counted_edition(game));
        let row = edition.as_deref().and_then(|edition| row(edition, bot.name.as_str()));
        let standings = edition.as_deref().map(|edition| &edition.standings);
        let place = row.zip(standings).and_then(|(row, standings)| Some((row.rank.0?, standings.rows.len())));
        let cell = game
            .zip(standings)
            .zip(row)
            .and_then(|((game, standings), row)| cells(game, standings, row).into_iter().next());
        BotLine {
            name: bot.name.to_string(),
            game: game.map_or_else(|| bot.game.clone(), |game| game.title.into()),
            place,
            cell,
            active: bot.active.map(|active| active.number),
            since: date(bot.created_at),
        }
    }
}
