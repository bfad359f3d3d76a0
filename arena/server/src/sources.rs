//! The sources of versions, where their authors let pages show them.

use arena_scripts::{Language, script_of};
use arena_store::{Bot, Licence, Page, Version, VersionState};
use tokio::task::spawn_blocking;

use crate::app::App;
use crate::limits::ROWS_MAX;
use crate::problem::Result;

/// The source of a version.
pub(crate) struct Source {
    pub(crate) number: u32,
    pub(crate) language: Language,
    /// The licence under which it is shown; `None` if its author shows it to nobody.
    pub(crate) licence: Option<Licence>,
    pub(crate) text: String,
}

impl Source {
    /// The source of a version, for its author; `None` if it was not accepted, or its module has none.
    pub(crate) async fn of_own(app: &App, version: &Version) -> Result<Option<Source>> {
        if version.state != VersionState::Accepted {
            return Ok(None);
        }
        // A page is no place to find out that bytes are damaged: the judge and the export of modules say so.
        let Ok(bytes) = app.store().module(&version.entrant).await else { return Ok(None) };
        let (number, licence) = (version.id.number, version.licence);
        // A megabyte is looked through.
        let found = spawn_blocking(move || {
            let script = script_of(&bytes)?;
            Some(Source { number, language: script.language, licence, text: script.text.to_owned() })
        });
        Ok(found.await.ok().flatten())
    }

    /// The same for everybody; `None` also if its author does not show it.
    pub(crate) async fn of(app: &App, version: &Version) -> Result<Option<Source>> {
        if version.licence.is_none() { Ok(None) } else { Source::of_own(app, version).await }
    }

    /// The source of the latest version before this one that shows one.
    pub(crate) async fn before(app: &App, version: &Version) -> Result<Option<(Version, Source)>> {
        let earlier = app.store().versions(version.id.bot, Page::after(version.id.number, ROWS_MAX)).await?;
        let shown = |version: &Version| version.licence.is_some() && version.state == VersionState::Accepted;
        let Some(earlier) = earlier.into_iter().find(shown) else { return Ok(None) };
        Ok(Source::of(app, &earlier).await?.map(|source| (earlier, source)))
    }

    /// The source as the beginning of another bot: it says where it comes from, as every licence asks.
    pub(crate) fn forked(&self, bot: &Bot) -> String {
        let comment = if self.language.file().ends_with(".py") { "#" } else { "//" };
        let (number, owner, licence) = (self.number, &bot.owner, self.licence.map_or("none", Licence::spdx));
        format!(
            "{comment} From {}, version {number}, by {owner}, under the licence {licence}.\n{}",
            bot.name, self.text
        )
    }
}
