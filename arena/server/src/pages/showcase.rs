//! Chooses a game of each kind to show, once for each edition: the latest between the two best players that was played
//! to the end, or with more seats the first of the field.

use std::sync::Arc;

use arena_record::Record;
use arena_rules::Reason;
use arena_service::Edition;
use arena_store::{IndexedGame, Order, Page, Player, Which};
use arena_wire::Game;

use super::games::outcome;
use crate::app::App;
use crate::clip::Clip;
use crate::featured_games::FeaturedGame;
use crate::games::{self, GameId};
use crate::language::{Language, speaking};
use crate::names::{Names, Who};
use crate::problem::Result;

/// Turns that the front page shows, if they fit [`STEPS_BYTES_MAX`](crate::clip::STEPS_BYTES_MAX): at 0.7 s each, some
/// seconds.
const TURNS_MAX: usize = 8;
/// The latest games of the two best players among which one that was played to the end is sought.
const LOOKED_AT: u32 = 10;

/// The game for a site where nothing was played yet: two built-in opponents.
const FIRST: &str = include_str!("showcase.json");

/// The game to show of a game's latest edition.
pub(super) async fn of(app: &App, game: &'static Game) -> Option<Arc<FeaturedGame>> {
    let edition = app.counted_edition(game)?;
    if let Some(known) = app.showcase.of(game, &edition.tournament) {
        return known;
    }
    // If no game can be read, the page does without one.
    let show = chosen(app, game, &edition).await.ok().flatten().map(Arc::new);
    app.showcase.keep(game, edition.tournament.clone(), show.clone());
    show
}

/// The game that is shown before one was played.
pub(super) fn first(game: &'static Game) -> Option<FeaturedGame> {
    let record = Record::parse(FIRST).ok()?;
    let seats: Vec<Who> = record
        .header
        .entrants
        .iter()
        .map(|id| Who::built_in(Some(game), id.baseline().map_or("", |(name, _)| name)))
        .collect();
    let clip = Clip::of(&record, TURNS_MAX)?;
    Some(FeaturedGame { game, page: None, outcome: ends(&record, &seats), seats, clip })
}

async fn chosen(app: &App, game: &'static Game, edition: &Edition) -> Result<Option<FeaturedGame>> {
    let many = game.shape(game.ranked).is_ok_and(|shape| shape.seats > 2);
    let tournament = &edition.tournament;
    let candidates = match &edition.standings.rows[..] {
        // The first games of an edition are those of the field.
        _ if many => app.store().games(tournament, Page::first(1)).await?,
        [first, second, ..] => {
            let [player, opponent] = [first, second].map(|row| Player::Ids(vec![row.id.clone()]));
            let (which, page) = (Which { opponent: Some(opponent), ..Which::default() }, Page::first(LOOKED_AT));
            let among = std::slice::from_ref(tournament);
            let played = app.store().games_of(&player, among, &which, Order::Latest, page).await?;
            played.into_iter().map(|played| played.game).collect()
        }
        _ => Vec::new(),
    };
    let whole = |game: &&IndexedGame| game.outcome.reason == Reason::Majority.code();
    let Some(played) = candidates.iter().find(whole).or(candidates.first()) else { return Ok(None) };
    let id = GameId::Tournament(tournament.clone(), played.number).to_string();
    let Some(record) = games::record_of(app.service(), played).await? else { return Ok(None) };
    let names = Names::of(app.store(), Some(game), Some(edition), &record.header.entrants).await?;
    let seats: Vec<Who> = record.header.entrants.iter().map(|id| names.who(id)).collect();
    // With many seats only the end is shown, because turns change thousands of cells.
    let turns_max = if many { 0 } else { TURNS_MAX };
    let outcome = ends(&record, &seats);
    let clip = tokio::task::spawn_blocking(move || Clip::of(&record, turns_max)).await.ok().flatten();
    let page = Some(format!("/games/{id}"));
    Ok(clip.map(|clip| FeaturedGame { game, page, seats, clip, outcome }))
}

/// The outcome of a game, in each language.
fn ends(record: &Record, seats: &[Who]) -> [String; 2] {
    Language::ALL.map(|language| speaking(language, || outcome(record, seats)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clip::STEPS_BYTES_MAX;

    /// Turns that take some seconds, before the last position stands for three more.
    const TURNS_MIN: usize = 5;

    #[test]
    fn an_empty_site_has_a_game_to_look_at() {
        let show = first(&arena_wire::GAMES[0]).expect("a record of this release");
        assert_eq!(show.seats.iter().map(|seat| &*seat.name).collect::<Vec<_>>(), ["normal", "hard"]);
        let turns = show.clip.steps.split(';').count();
        assert!((TURNS_MIN..=TURNS_MAX).contains(&turns), "{turns} turns");
        assert!(show.clip.steps.len() <= STEPS_BYTES_MAX, "{} bytes", show.clip.steps.len());
    }
}
