//! Lists of bots by their places in the latest edition: opponents to choose from, and an account's own bots.

use arena_runner::Contender;
use arena_service::Standing;
use arena_store::{ActiveBot, Bot, BotName, PAGE_MAX, Page, StoreError};
use arena_tournaments::Row;
use arena_wire::Game;

use crate::api::bots::game_of;
use crate::app::App;
use crate::identity::Visitor;
use crate::limits::ROWS_MAX;
use crate::names;

/// The opponent that is chosen at first: the strongest built-in one of those for the usual options.
pub(super) fn usual(game: &Game) -> &'static str {
    Contender::usual(game.ruleset).last().unwrap_or_default()
}

/// The bots to choose an opponent from: as many as a list has, and the wanted one if it is none of these.
pub(super) async fn of(app: &App, game: &'static Game, wanted: Option<&str>) -> Result<Vec<ActiveBot>, StoreError> {
    let standing = app.service().standing().of(game);
    let rows = rows(&standing);
    let wanted = wanted.and_then(|name| BotName::parse(name).ok());
    let placed = rows.iter().filter(|row| row.id.hash().is_some()).filter_map(|row| BotName::parse(&row.name).ok());
    let names: Vec<BotName> = wanted.iter().cloned().chain(placed).collect();
    let mut bots = app.store().active_bots_named(game.ruleset, &names).await?;
    if bots.len() <= ROWS_MAX as usize {
        let mut others = app.store().active_bots(Some(game.ruleset), Page::first(PAGE_MAX)).await?;
        others.retain(|other| bots.iter().all(|known| known.bot.id != other.bot.id));
        bots.extend(others);
    }
    bots.sort_by_cached_key(|active| key(rows, &active.bot.name));
    let is_wanted =
        |name: &BotName| wanted.as_ref().is_some_and(|wanted| wanted.as_str().eq_ignore_ascii_case(name.as_str()));
    let mut places = 0..;
    bots.retain(|active| places.next() < Some(ROWS_MAX) || is_wanted(&active.bot.name));
    Ok(bots)
}

/// The names of the gallery's bots that play a game, except those that bots of the site have: then these play.
pub(super) async fn gallery(app: &App, game: &Game) -> Result<Vec<&'static str>, StoreError> {
    let mut names: Vec<&'static str> = names::gallery(game).map(|named| named.name()).collect();
    let as_bots: Vec<BotName> = names.iter().filter_map(|name| BotName::parse(name).ok()).collect();
    let bots = app.store().active_bots_named(game.ruleset, &as_bots).await?;
    names.retain(|name| !bots.iter().any(|active| active.bot.name.as_str().eq_ignore_ascii_case(name)));
    Ok(names)
}

/// The names of a visitor's bots with their games' titles, each by its place.
pub(super) async fn own(app: &App, visitor: &Visitor) -> Result<Vec<(String, String)>, StoreError> {
    let Some(account) = &visitor.account else { return Ok(Vec::new()) };
    let mut bots = app.store().bots_of(account.id, Page::first(ROWS_MAX)).await?;
    by_place(app, &mut bots);
    let title = |bot: &Bot| game_of(bot).map_or_else(|| bot.game.clone(), |game| game.title.into());
    Ok(bots.iter().map(|bot| (bot.name.to_string(), title(bot))).collect())
}

/// Sorts an account's bots, each by its place among those of its game.
pub(super) fn by_place(app: &App, bots: &mut [Bot]) {
    bots.sort_by_cached_key(|bot| {
        let standing = game_of(bot).map(|game| app.service().standing().of(game));
        key(standing.as_deref().map(rows).unwrap_or_default(), &bot.name)
    });
}

/// The rows of the latest edition, best first.
fn rows(standing: &Standing) -> &[Row] {
    standing.edition.as_deref().map(|edition| edition.standings.rows.as_slice()).unwrap_or_default()
}

/// What bots are sorted by: the place, and where there is none, behind all that have one, the name.
fn key(rows: &[Row], name: &BotName) -> (usize, String) {
    let place = rows.iter().position(|row| row.name.eq_ignore_ascii_case(name.as_str()));
    (place.unwrap_or(usize::MAX), name.as_str().to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use arena_record::EntrantId;
    use arena_tournaments::Rank;

    use super::*;

    #[test]
    fn bots_are_sorted_by_place_and_those_without_one_come_last_by_name() {
        let row = |name: &str| Row {
            rank: Rank(Some(1)),
            name: name.into(),
            display: None,
            id: EntrantId::of_bytes(name.as_bytes()),
            values: Vec::new(),
            void: 0,
            left: None,
        };
        let rows = ["zebra", "hard", "Mouse", "ant"].map(row);
        let sorted = |rows: &[Row]| {
            let mut names = ["bee", "ant", "Cat", "mouse", "zebra"].map(|name| BotName::parse(name).expect("a name"));
            names.sort_by_cached_key(|name| key(rows, name));
            names.map(|name| name.to_string())
        };
        assert_eq!(sorted(&rows), ["zebra", "mouse", "ant", "bee", "Cat"]);
        assert_eq!(sorted(&[]), ["ant", "bee", "Cat", "mouse", "zebra"], "before the first edition");
    }
}
