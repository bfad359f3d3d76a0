//! The sources of versions, where their authors let pages show them.

use std::io;

use arena_scripts::script_of;
use arena_store::{Bot, Licence, Page, Version, VersionState};
use tokio::task::spawn_blocking;
use wasmprinter::{Config, Print};

use crate::app::App;
use crate::limits::{ROWS_MAX, TEXT_BYTES_MAX};
use crate::problem::Result;
use crate::upload::{ASSEMBLED, Written, written_as, written_in};

/// Longest text that a module is shown as, in bytes: with what a fork begins with, a form still takes it. Compilers
/// make modules of hundreds of kilobytes of text, which nobody reads.
const PRINTED_BYTES_MAX: usize = TEXT_BYTES_MAX - (1 << 10);

/// The source of a version.
pub(crate) struct Source {
    pub(crate) number: u32,
    pub(crate) language: &'static Written,
    /// The licence under which it is shown; `None` if its author shows it to nobody.
    pub(crate) licence: Option<Licence>,
    pub(crate) text: String,
}

impl Source {
    /// The source of a version, for its author: its script, or its module as text. `None` if it was not accepted, or
    /// that text is too long.
    pub(crate) async fn of_own(app: &App, version: &Version) -> Result<Option<Source>> {
        if version.state != VersionState::Accepted {
            return Ok(None);
        }
        // A page is no place to find out that bytes are damaged: the judge and the export of modules say so.
        let Ok(bytes) = app.store().module(&version.entrant).await else { return Ok(None) };
        let (number, licence) = (version.id.number, version.licence);
        // A megabyte is looked through.
        let found = spawn_blocking(move || {
            let (language, text) = match script_of(&bytes) {
                Some(script) => (written_as(script.language.file())?, script.text.to_owned()),
                None => (written_in(ASSEMBLED), printed(&bytes)?),
            };
            Some(Source { number, language, licence, text })
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
        let comment = match self.language.name {
            "python" => "#",
            ASSEMBLED => ";;",
            _ => "//",
        };
        let (number, owner, licence) = (self.number, &bot.owner, self.licence.map_or("none", Licence::spdx));
        format!(
            "{comment} From {}, version {number}, by {owner}, under the licence {licence}.\n{}",
            bot.name, self.text
        )
    }
}

/// A text that grows up to a limit.
struct Bounded(String);

impl Print for Bounded {
    fn write_str(&mut self, text: &str) -> io::Result<()> {
        if self.0.len() + text.len() > PRINTED_BYTES_MAX {
            return Err(io::ErrorKind::FileTooLarge.into());
        }
        self.0.push_str(text);
        Ok(())
    }
}

/// A module as text, which assembled is the same code; `None` if the text is too long. An instruction has a line of
/// its own: to nest them, the printer would take as much of the stack as a module likes.
fn printed(module: &[u8]) -> Option<String> {
    // No text is shorter than its module, and a longer one is not even begun.
    if module.len() > PRINTED_BYTES_MAX {
        return None;
    }
    let mut text = Bounded(String::new());
    Config::new().print(module, &mut text).ok()?;
    Some(text.0)
}

#[cfg(test)]
mod tests {
    use arena_runner::assembler::assemble_bot;

    use super::*;
    use crate::guide;
    use crate::upload::WRITTEN;

    #[test]
    fn a_module_as_text_is_the_same_code_and_no_text_is_longer_than_the_limit() {
        let layer = guide::text("sdk/wat/arena.wat").expect("the layer");
        for path in guide::bots().filter(|path| WRITTEN[2].names(path)) {
            let module = assemble_bot(layer, guide::text(path).expect("a bot")).expect("a module");
            let text = printed(&module).expect("short enough");
            assert!(text.starts_with("(module\n"), "{path}");
            // A name may be lost that no text says, such as that of an import's parameter.
            let again = assemble_bot("no layer", &text).expect("a module");
            assert_eq!(printed(&again), Some(text), "{path}");
        }
        // Few bytes that would be a long text: locals, and names that are said at each call.
        let locals = format!("(func (local{}))", " i32".repeat(40_000));
        let name = "x".repeat(20_000);
        let calls = format!("(func ${name}){}", format!("(func call ${name})").repeat(10));
        for fields in [locals, calls] {
            let module = assemble_bot("", &format!("(module {fields})")).expect("a module");
            assert!(module.len() < PRINTED_BYTES_MAX && printed(&module).is_none(), "{}", &fields[..20]);
        }
        let nested = format!("(module (func (result i32) i32.const 0 {}))", "i32.eqz ".repeat(60_000));
        assert_eq!(printed(&assemble_bot("", &nested).expect("a module")), None);
        assert_eq!(printed(b"no module"), None);
    }
}
