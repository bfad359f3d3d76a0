//! The guide "Write a bot": the chapters of `guide/` and the contract, compiled in and rendered once. Not here: the
//! chapters' text (`guide/` at the root) and the pages around it (`pages`).
//!
//! `guide/README.md` is the table of contents: the Markdown files it links to are the chapters, in the order of the
//! last links to them, each followed by those that it lists itself. The same texts are read in the repository, so their
//! links are paths there; [`markdown`] turns them into addresses here.

mod highlight;
mod markdown;
pub(crate) mod plain;
pub(crate) mod search;

use std::sync::LazyLock;

use arena_wire::{GAMES, Game};
use markdown::{Rendered, render};

pub(crate) use highlight::highlighted;

/// All texts by their paths in the repository: chapters, and the sources they name.
static TEXTS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/guide.rs"));

/// The first chapter.
const FIRST: &str = "guide/README.md";

/// A chapter that lists further ones: what `arena study` found.
const STUDIES: &str = "docs/studies/README.md";

static CHAPTERS: LazyLock<Vec<Chapter>> = LazyLock::new(|| {
    let paths = contents();
    let chapter = |path: &&'static str| {
        let Rendered { title, html } = render(text(path).unwrap_or_default(), path, &paths);
        Chapter { path, address: address(path), title, html }
    };
    paths.iter().map(chapter).collect()
});

/// A rendered chapter.
pub(crate) struct Chapter {
    /// Its path in the repository.
    pub(crate) path: &'static str,
    /// Its address on the site.
    pub(crate) address: String,
    /// Its heading as text.
    pub(crate) title: String,
    /// Its body without the heading.
    pub(crate) html: String,
}

/// All chapters, in order; the first is the table of contents.
pub(crate) fn chapters() -> &'static [Chapter] {
    &CHAPTERS
}

/// A text by its path in the repository.
pub(crate) fn text(path: &str) -> Option<&'static str> {
    TEXTS.iter().find_map(|(known, text)| (*known == path).then_some(*text))
}

/// How a line begins that only a bot has which is complete in one file, by the ending of the file, in the workshop's
/// languages.
const WHOLE: [(&str, &str); 4] =
    [(".js", "function turn("), (".py", "def turn("), (".wat", "(func $turn"), (".wat", "(module")];

/// The paths of the bots that are complete in one file, and open in the workshop.
pub(crate) fn bots() -> impl Iterator<Item = &'static str> {
    TEXTS.iter().filter(|(path, text)| is_bot(path, text)).map(|(path, _)| *path)
}

fn is_bot(path: &str, text: &str) -> bool {
    let begins = |start: &str| text.lines().any(|line| line.trim_start().starts_with(start));
    WHOLE.iter().any(|(ending, start)| path.ends_with(ending) && begins(start))
}

/// The address at which the workshop opens such a bot.
pub(crate) fn workshop(path: &str) -> Option<String> {
    bots().any(|bot| bot == path).then(|| format!("/workshop?listing={path}"))
}

/// The game that such a bot plays: its first line says so, unless it is the first game.
pub(crate) fn game_of(path: &str) -> &'static Game {
    let first = text(path).and_then(|text| text.lines().next()).unwrap_or_default();
    GAMES.iter().find(|game| first.contains(game.title)).unwrap_or(&GAMES[0])
}

/// The address of a text as it is.
pub(crate) fn address_of(path: &str) -> String {
    format!("/guide/files/{path}")
}

/// The paths of the chapters: the first, those it links to, and the studies.
fn contents() -> Vec<&'static str> {
    let mut paths = vec![FIRST];
    for list in [FIRST, STUDIES] {
        for link in markdown::links(text(list).unwrap_or_default()) {
            let Some((path, _)) = markdown::target(list, &link) else { continue };
            let known = TEXTS.iter().map(|(known, _)| *known).find(|known| *known == path && known.ends_with(".md"));
            // A text may link to a chapter before its list does.
            if let Some(path) = known.filter(|path| *path != FIRST && (list == FIRST || !paths.contains(path))) {
                paths.retain(|other| *other != path);
                paths.push(path);
            }
        }
    }
    paths
}

/// Text, escaped for HTML.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A chapter's address on the site, from the name of its file, or of its folder if the file's name says nothing.
fn address(path: &str) -> String {
    if path == FIRST {
        return "/guide".into();
    }
    let chapter = path.trim_end_matches(".md").trim_end_matches("/README");
    format!("/guide/{}", chapter.rsplit('/').next().unwrap_or(chapter).to_lowercase())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    #[test]
    fn every_chapter_is_in_the_contents_and_has_an_address_of_its_own() {
        let paths: Vec<&str> = chapters().iter().map(|chapter| chapter.path).collect();
        for (path, _) in TEXTS.iter().filter(|(path, _)| path.starts_with("guide/") && path.ends_with(".md")) {
            assert!(paths.contains(path), "{FIRST} does not link to {path}");
        }
        assert!(paths.contains(&"sdk/ABI.md"));
        for (path, _) in TEXTS.iter().filter(|(path, _)| path.starts_with("docs/studies/") && path.ends_with(".md")) {
            assert!(paths.contains(path), "{STUDIES} does not link to {path}");
        }
        let pictures = chapters().iter().flat_map(|chapter| chapter.html.split("<img src=\"").skip(1));
        let addresses = pictures.filter_map(|rest| rest.split('"').next());
        let known: Vec<bool> =
            addresses.map(|address| address.strip_prefix("/guide/files/").and_then(text).is_some()).collect();
        assert!(!known.is_empty() && known.iter().all(|known| *known), "{known:?}");
        let addresses: BTreeSet<&str> = chapters().iter().map(|chapter| chapter.address.as_str()).collect();
        assert_eq!(addresses.len(), chapters().len());
        for chapter in chapters() {
            assert!(!chapter.title.is_empty() && !chapter.html.is_empty(), "{}", chapter.path);
        }
    }

    #[test]
    fn every_link_of_a_chapter_leads_somewhere_in_the_repository() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the root");
        for chapter in chapters() {
            let here = text(chapter.path).expect("a chapter has a text");
            for link in markdown::links(here) {
                let Some((path, anchor)) = markdown::target(chapter.path, &link) else { continue };
                assert!(root.join(&path).exists(), "{}: {link} leads nowhere", chapter.path);
                let Some(anchor) = anchor else { continue };
                let there = text(&path).unwrap_or_else(|| panic!("{}: {link} is no text", chapter.path));
                let anchors = markdown::anchors(there);
                assert!(anchors.iter().any(|known| known == anchor), "{}: no heading {link}", chapter.path);
            }
        }
    }

    #[test]
    fn no_chapter_has_html() {
        for chapter in chapters() {
            let text = text(chapter.path).expect("a chapter has a text");
            assert_eq!(markdown::html_in(text), None, "{}", chapter.path);
        }
    }
}
