//! `/games/ID/profile`: the functions, or lines of a script, that used a bot's fuel, for the bot's owner.

use arena_scripts::Language;
use askama::Template;
use axum::extract::Path;
use axum::http::header::CACHE_CONTROL;
use axum::response::{IntoResponse, Response};

use super::{Shell, page};
use crate::api::Query;
use crate::api::logs::seat_name;
use crate::api::profiles::{FunctionView, ProfileView, Wish, of_game};
use crate::api::what_if::Mine;
use crate::app::App;
use crate::fuel;
use crate::identity::Visitor;
use crate::problem::{Problem, Result};
use crate::visitors::Taker;

#[derive(Template)]
#[template(path = "profile.html")]
struct ProfilePage {
    shell: Shell,
    game: String,
    mine: Mine,
    /// The name of the bot's seat.
    seat: String,
    profile: ProfileView,
}

impl ProfilePage {
    /// The fuel of all turns.
    fn fuel(&self) -> String {
        fuel::grouped(self.profile.fuel)
    }

    /// Whether what used it are lines of a script, as in `bot.js:12`.
    fn is_of_script(&self) -> bool {
        let files = Language::ALL.map(|language| format!("{}:", language.file()));
        self.profile.functions.iter().any(|used| files.iter().any(|file| used.function.starts_with(file)))
    }

    /// Percent without a fraction.
    fn share(&self, percent: &f64) -> String {
        format!("{percent:.0} %")
    }

    /// The width of a function's bar: what it uses itself, in percent.
    fn width(&self, used: &FunctionView) -> String {
        format!("{:.0}", used.self_percent)
    }
}

pub(crate) async fn show(
    app: App,
    Path(id): Path<String>,
    Query(Wish { seat }): Query<Wish>,
    taker: Taker,
    visitor: Visitor,
) -> Result<Response> {
    let account = visitor.account.clone().ok_or_else(Problem::sign_in)?;
    let (ruleset, mine, profile) = of_game(&app, &id, seat, &taker, &account).await?;
    let shell = Shell::new(&visitor, "games");
    let seat = seat_name(&ruleset, mine.seat.0);
    let shown = page(&ProfilePage { shell, game: id, mine, seat, profile })?;
    Ok(([(CACHE_CONTROL, "no-store")], shown).into_response())
}
