//! The owner's forms on a bot's page: choosing its version, renaming, deleting.

use arena_store::BotName;
use axum::extract::Path;
use axum::response::Redirect;
use serde::Deserialize;

use super::Form;
use crate::api::bots::find_version;
use crate::api::own_bots::own;
use crate::app::App;
use crate::identity::Signed;
use crate::limit_kind::LimitKind;
use crate::problem::{Code, Problem, Result};
use crate::upload::licence_of;
use crate::visitors::Taker;

/// A form with the number of a version; empty for none.
#[derive(Deserialize)]
pub(crate) struct Chosen {
    version: String,
}

/// A form with a licence, which counts if the source is to be shown.
#[derive(Deserialize)]
pub(crate) struct Licensed {
    shown: Option<String>,
    licence: String,
}

/// A form with a name.
#[derive(Deserialize)]
pub(crate) struct Named {
    name: String,
}

pub(crate) async fn choose(
    app: App,
    Path(name): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Form(Chosen { version }): Form<Chosen>,
) -> Result<Redirect> {
    let bot = own(&app, account.id, &name).await?;
    let number = match version.as_str() {
        "" => None,
        // No version has the number 0.
        number => Some(number.parse().unwrap_or(0)),
    };
    taker.take(LimitKind::Uploads, Some(account.id))?;
    let bot = app.service().choose_version(bot.id, number).await?;
    Ok(Redirect::to(&format!("/bots/{}", bot.name)))
}

/// Lets pages show the source of a version under a licence, or no longer.
pub(crate) async fn license(
    app: App,
    Path((name, number)): Path<(String, String)>,
    taker: Taker,
    Signed(account): Signed,
    Form(Licensed { shown, licence }): Form<Licensed>,
) -> Result<Redirect> {
    let bot = own(&app, account.id, &name).await?;
    let (_, version) = find_version(&app, bot.name.as_str(), &number).await?;
    let licence = if shown.is_some() { Some(licence_of(&licence)?) } else { None };
    taker.take(LimitKind::Uploads, Some(account.id))?;
    app.store().license(version.id, licence).await?;
    Ok(Redirect::to(&format!("/bots/{}/versions/{}", bot.name, version.id.number)))
}

pub(crate) async fn rename(
    app: App,
    Path(name): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Form(Named { name: new }): Form<Named>,
) -> Result<Redirect> {
    let bot = own(&app, account.id, &name).await?;
    let new = BotName::parse(new.trim())?;
    taker.take(LimitKind::Uploads, Some(account.id))?;
    let bot = app.service().rename_bot(bot.id, &new).await?;
    Ok(Redirect::to(&format!("/bots/{}", bot.name)))
}

/// Deletes a bot. The owner must type its name, so that no click does it by accident.
pub(crate) async fn delete(
    app: App,
    Path(name): Path<String>,
    Signed(account): Signed,
    Form(Named { name: written }): Form<Named>,
) -> Result<Redirect> {
    let bot = own(&app, account.id, &name).await?;
    if written.trim() != bot.name.as_str() {
        let detail = format!("a bot is deleted when its name is written: `{}`", bot.name);
        let hint = "nothing was deleted; a withdrawn bot can come back, a deleted one cannot";
        return Err(Problem::new(Code::OtherName, detail, hint));
    }
    app.service().delete_bot(&bot).await?;
    Ok(Redirect::to("/account"))
}
