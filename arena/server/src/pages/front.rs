//! `/`: an animated game, and what visitors can do here.

use std::sync::Arc;

use arena_wire::{GAMES, Game};
use askama::Template;
use axum::http::header::CONTENT_SECURITY_POLICY;
use axum::response::Response;

use super::standings::{Line, lines, progress};
use super::{Shell, page, showcase};
use crate::app::App;
use crate::assets::Inline;
use crate::featured_games::FeaturedGame;
use crate::identity::Reader;
use crate::pictures::{self, Drawn};
use crate::problem::Result;
use crate::security;

/// Rows of the standings shown here.
const TOP: usize = 5;

#[derive(Template)]
#[template(path = "front.html")]
struct Front {
    shell: Shell,
    /// The style, included because most visitors of this page lack it: on a slow line it would come a round trip later.
    style: Option<&'static Inline>,
    top: Vec<Line>,
    /// How the tournament stands, where there is no row yet; nothing on a site without it.
    progress: String,
    edition: u32,
    /// That the operator annulled it.
    annulled: Option<String>,
    games: usize,
    /// The game of the standings.
    game: &'static Game,
    /// The animated game.
    hero: Option<Arc<FeaturedGame>>,
    /// All games, each with one to show, if there is one.
    all: Vec<Card>,
    /// Rooms to which the visitor is invited.
    invitations: usize,
}

/// One of all games.
struct Card {
    game: &'static Game,
    show: Option<Arc<FeaturedGame>>,
    /// A picture from its rules, if there is no game to show.
    picture: Option<&'static Drawn>,
}

impl Card {
    fn of(game: &'static Game, show: Option<Arc<FeaturedGame>>) -> Card {
        Card { game, show, picture: pictures::of(game).first().and_then(|figure| figure.boards.last()) }
    }
}

pub(crate) async fn show(app: App, Reader(visitor): Reader) -> Result<Response> {
    let game = &GAMES[0];
    let standing = app.service().standing().of(game);
    let edition = app.counted_edition(game);
    let mut top = edition.as_deref().map(|edition| lines(game, &edition.standings)).unwrap_or_default();
    top.truncate(TOP);
    let (edition, games) = standing.edition.as_ref().map_or((0, 0), |edition| (edition.number, edition.games));
    let mut all = Vec::new();
    for game in GAMES {
        all.push(Card::of(game, showcase::of(&app, game).await));
    }
    let hero = all.first().and_then(|card| card.show.clone()).or_else(|| showcase::first(game).map(Arc::new));
    let invitations = super::lobby::invitations(&app, &visitor);
    let (shell, style) = (Shell::new(&visitor, ""), app.site.assets.inline());
    let mut shown = page(&Front {
        shell,
        style,
        top,
        progress: if standing.held { progress(&standing) } else { String::new() },
        edition,
        annulled: app.latest_annulled(game),
        games,
        game,
        hero,
        all,
        invitations,
    })?;
    if let Some(style) = style {
        shown.headers_mut().insert(CONTENT_SECURITY_POLICY, security::policy_with(style));
    }
    Ok(shown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::identity::Visitor;

    #[test]
    fn an_empty_site_plays_a_game_and_has_a_picture_of_each() {
        let game = &GAMES[0];
        let shell = Shell::new(&Visitor::default(), "");
        let hero = showcase::first(game).map(Arc::new);
        let all = GAMES.iter().map(|game| Card::of(game, None)).collect();
        let empty = Front {
            shell,
            style: None,
            top: Vec::new(),
            progress: String::new(),
            edition: 0,
            annulled: None,
            games: 0,
            game,
            hero,
            all,
            invitations: Default::default(),
        };
        let text = empty.render().expect("a page");
        assert!(text.contains("data-steps="), "a game plays");
        let cards: Vec<&str> = text.split("<li>").skip(1).collect();
        assert_eq!(cards.len(), GAMES.len());
        for (card, game) in cards.iter().zip(GAMES) {
            // As in the page, where an apostrophe is escaped.
            let title = game.title.replace('\'', "&#39;");
            assert!(card.contains("<svg ") && card.contains(&title), "{card}");
        }
    }
}
