//! The messages of pages, in [Fluent](https://projectfluent.org)'s format, compiled to functions: in Rust for the
//! server, in JavaScript for the scripts of pages.
//!
//! A folder has a folder for each language, with files of the same names: areas. Each message is a text with named
//! variables, and with Fluent's selectors where a number changes the words. Both languages have the same messages with
//! the same variables, so that a program can neither name a message that does not exist nor lack one in a language.
//! Areas called `told-...` are in Spanish only: their messages are what other crates say, which do so in English.
//!
//! ```
//! use arena_text::Catalogue;
//!
//! let english = ("games", "games-won = { $games ->\n    [one] a game\n   *[other] { $games } games\n} won by { $bot }");
//! let spanish = ("games", "games-won = { $games ->\n    [one] una partida\n   *[other] { $games } partidas\n} de { $bot }");
//! let catalogue = Catalogue::of(&[english], &[spanish])?;
//! assert!(catalogue.rust().contains("pub(crate) fn games_won(bot: impl Display, games: impl Count) -> Text {"));
//!
//! let lacking = Catalogue::of(&[english], &[]);
//! assert_eq!(lacking.unwrap_err().to_string(), "games.ftl: `games-won` is not in both languages");
//! # Ok::<(), arena_text::TextError>(())
//! ```
//!
//! What this crate deliberately is not: it is in no program. Builds use it, and a program has functions, no catalogue.

mod javascript;
mod message;
mod rust;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use message::Message;

pub use message::Unsupported;

/// The beginning of the names of areas that scripts of pages use.
const SCRIPTS: &str = "script";

/// The beginning of the names of areas whose English stands in other crates.
const TOLD: &str = "told";

/// The one of them whose messages are found by their codes.
const CODED: &str = "told-coded";

/// The ending of a file of messages.
const ENDING: &str = "ftl";

/// The languages, by their folders. The first one is what programs without a choice get.
pub const LANGUAGES: [&str; 2] = ["en", "es"];

/// Why messages are not compiled. Each error names the file, and the message where there is one.
#[derive(Debug, Error)]
pub enum TextError {
    /// A folder or file cannot be read or written.
    #[error("{place}: {error}", place = place.display())]
    Io {
        /// Which one.
        place: PathBuf,
        /// Why not.
        error: io::Error,
    },
    /// It is not Fluent.
    #[error("{area}.ftl: line {line}: {error}")]
    Syntax {
        /// The file.
        area: String,
        /// Counted from 1.
        line: usize,
        /// What is wrong.
        error: String,
    },
    /// It is Fluent that is not compiled here.
    #[error("{area}.ftl: `{id}` has {what}")]
    Unsupported {
        /// The file.
        area: String,
        /// The message.
        id: String,
        /// What it has.
        what: Unsupported,
    },
    /// An id is there twice, perhaps in two files.
    #[error("{area}.ftl: `{id}` is there twice")]
    Twice {
        /// The file of the second one.
        area: String,
        /// The message.
        id: String,
    },
    /// A message is in one language only, or in different files.
    #[error("{area}.ftl: `{id}` is not in both languages")]
    OneLanguage {
        /// The file that has it.
        area: String,
        /// The message.
        id: String,
    },
    /// The languages have different variables or a different number of HTML tags, or only one begins with
    /// punctuation, so that it would run into the word before.
    #[error("{area}.ftl: `{id}` has other variables, tags or punctuation at its start in the other language")]
    Unlike {
        /// The file.
        area: String,
        /// The message.
        id: String,
    },
}

/// Messages with the same ids, in one language or several.
type Messages<T> = BTreeMap<String, T>;

/// All messages, in both languages.
#[derive(Debug)]
pub struct Catalogue {
    /// By area. A message has its languages, or Spanish alone.
    areas: BTreeMap<String, Messages<Vec<Message>>>,
}

impl Catalogue {
    /// Reads `en/*.ftl` and `es/*.ftl`.
    ///
    /// # Errors
    /// [`TextError`] if a file cannot be read, or is refused by [`Catalogue::of`].
    pub fn read(folder: &Path) -> Result<Catalogue, TextError> {
        let [english, spanish] = LANGUAGES.map(|language| files(&folder.join(language)));
        fn borrowed(files: &[(String, String)]) -> Vec<(&str, &str)> {
            files.iter().map(|(area, text)| (area.as_str(), text.as_str())).collect()
        }
        Catalogue::of(&borrowed(&english?), &borrowed(&spanish?))
    }

    /// The messages of files in English and Spanish, each with the name of its area and its text.
    ///
    /// # Errors
    /// [`TextError`] if a text is not understood, or the languages do not have the same messages.
    pub fn of(english: &[(&str, &str)], spanish: &[(&str, &str)]) -> Result<Catalogue, TextError> {
        let (english, mut spanish) = (parsed(english)?, parsed(spanish)?);
        let mut areas: BTreeMap<String, Messages<Vec<Message>>> = BTreeMap::new();
        for ((area, id), message) in english {
            let Some(other) = spanish.remove(&(area.clone(), id.clone())) else {
                return Err(TextError::OneLanguage { area, id });
            };
            if !message.is_like(&other) {
                return Err(TextError::Unlike { area, id });
            }
            areas.entry(area).or_default().insert(id, vec![message, other]);
        }
        for ((area, id), message) in spanish {
            if !area.starts_with(TOLD) {
                return Err(TextError::OneLanguage { area, id });
            }
            areas.entry(area).or_default().insert(id, vec![message]);
        }
        Ok(Catalogue { areas })
    }

    /// The items of a module in Rust: a function for each message, with its variables in alphabetical order. Those of a
    /// message with HTML tags are escaped, so that it is safe HTML. It finds `Count`, `Text`, `escaped`, `language`,
    /// `part`, `Language` and `Display` where it is included. Those of `told-coded` have a list, `CODED`, and a
    /// function that finds them by their codes, `coded`.
    pub fn rust(&self) -> String {
        let areas = self.areas.iter().map(|(area, messages)| (area.starts_with(SCRIPTS), messages));
        rust::module(areas, self.areas.get(CODED))
    }

    /// The modules in JavaScript, each with its path, such as `es/script-rooms.js`.
    pub fn javascript(&self) -> impl Iterator<Item = (String, String)> {
        let areas = self.areas.iter().filter(|(area, _)| area.starts_with(SCRIPTS));
        areas.flat_map(|(area, messages)| {
            LANGUAGES.iter().enumerate().map(move |(index, language)| {
                (format!("{language}/{area}.js"), javascript::module(language, area, messages, index))
            })
        })
    }

    /// Writes the modules in JavaScript into a folder. A file that is the same is left as it is, and one of no area is
    /// removed.
    ///
    /// # Errors
    /// [`TextError::Io`].
    pub fn write_javascript(&self, folder: &Path) -> Result<(), TextError> {
        for language in LANGUAGES {
            let folder = folder.join(language);
            fs::create_dir_all(&folder).map_err(at(&folder))?;
            for entry in fs::read_dir(&folder).map_err(at(&folder))? {
                let path = entry.map_err(at(&folder))?.path();
                if !path.file_stem().and_then(|area| area.to_str()).is_some_and(|area| self.areas.contains_key(area)) {
                    fs::remove_file(&path).map_err(at(&path))?;
                }
            }
        }
        for (name, text) in self.javascript() {
            let path = folder.join(name);
            if fs::read_to_string(&path).ok().as_ref() != Some(&text) {
                fs::write(&path, text).map_err(at(&path))?;
            }
        }
        Ok(())
    }
}

/// Names of areas and their texts, in the order of the names.
fn files(folder: &Path) -> Result<Vec<(String, String)>, TextError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(at(folder))? {
        let path = entry.map_err(at(folder))?.path();
        if path.extension().is_some_and(|ending| ending == ENDING) {
            let area = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            files.push((area, fs::read_to_string(&path).map_err(at(&path))?));
        }
    }
    files.sort();
    Ok(files)
}

fn at(place: &Path) -> impl Fn(io::Error) -> TextError {
    move |error| TextError::Io { place: place.to_owned(), error }
}

/// The messages of all files of a language, by area and id.
fn parsed(files: &[(&str, &str)]) -> Result<BTreeMap<(String, String), Message>, TextError> {
    let mut all = BTreeMap::new();
    let mut ids = BTreeMap::new();
    for (area, text) in files {
        for (id, message) in message::messages(area, text)? {
            if ids.insert(id.clone(), ()).is_some() {
                return Err(TextError::Twice { area: (*area).to_owned(), id });
            }
            all.insert(((*area).to_owned(), id), message);
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(english: &str, spanish: &str) -> String {
        Catalogue::of(&[("a", english)], &[("a", spanish)]).expect_err("refused").to_string()
    }

    #[test]
    fn a_message_that_differs_in_a_language_is_named_with_its_file() {
        assert_eq!(refused("a-b = x", ""), "a.ftl: `a-b` is not in both languages");
        assert_eq!(refused("", "a-b = x"), "a.ftl: `a-b` is not in both languages");
        assert_eq!(refused("a-b = x\na-b = x", ""), "a.ftl: `a-b` is there twice");
        let unlike = "a.ftl: `a-b` has other variables, tags or punctuation at its start in the other language";
        assert_eq!(refused("a-b = x { $c }", "a-b = x { $d }"), unlike);
        assert_eq!(refused("a-b = x { $c }", "a-b = x"), unlike);
        assert_eq!(refused("a-b = <b>x</b>", "a-b = <b>x"), unlike);
        assert_eq!(refused("a-b = , x", "a-b = x"), unlike);
        assert_eq!(refused("a-b = x", "a-b = , x"), unlike);
    }

    #[test]
    fn what_is_not_compiled_is_refused() {
        assert_eq!(refused("a-b = x { a }", ""), "a.ftl: `a-b` has a reference");
        assert_eq!(refused("a-b = x\n    .c = d", ""), "a.ftl: `a-b` has an attribute");
        assert_eq!(refused("-a-b = x", ""), "a.ftl: `a-b` has a term");
        assert_eq!(
            refused("a-b = { $c ->\n    [x] y\n   *[other] z\n}", ""),
            "a.ftl: `a-b` has variants other than `one` and `other`"
        );
        assert_eq!(refused("a = x\n\nb x", ""), "a.ftl: line 3: Expected a token starting with \"=\"");
    }

    #[test]
    fn text_means_the_same_in_both_targets() {
        let odd = r#"a = "`${ $b }`\ ${ "{" }"#;
        let odd = Catalogue::of(&[("script-a", odd)], &[("script-a", odd)]).expect("compiled");
        let (rust, scripts) = (odd.rust(), odd.javascript().collect::<Vec<_>>());
        assert!(rust.contains(r#"["\"`$", &*b, "`\\ ${"].concat()"#), "{rust}");
        let names: Vec<&str> = scripts.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["en/script-a.js", "es/script-a.js"]);
        assert!(scripts[0].1.contains(r#"`"\`$${isolated(String(b))}\`\\ \${`"#), "{}", scripts[0].1);
    }

    #[test]
    fn variables_of_a_message_with_tags_are_escaped() {
        let of = |text: &str| Catalogue::of(&[], &[("told-a", text)]).expect("compiled").rust();
        for html in ["a = <b>x</b> { $c }", "a = { $n ->\n    [one] <i>x</i>\n   *[other] y\n} { $c }"] {
            assert!(of(html).contains("let c = self::escaped(&self::part(c));"), "{html}");
        }
        for text in ["a = x { $c }", "a = < { $c }, 1 <2"] {
            assert!(of(text).contains("let c = self::part(c);"), "{text}");
        }
    }

    #[test]
    fn what_other_crates_say_has_spanish_alone_and_no_script() {
        let told = Catalogue::of(&[], &[("told-a", "a = { $n ->\n    [one] x\n   *[other] y\n}")]).expect("compiled");
        assert_eq!(
            told.rust(),
            "pub(crate) fn a(n: impl Count) -> Text {\n    let one_n = n.is_one();\n    \
             if one_n { Text::Borrowed(\"x\") } else { Text::Borrowed(\"y\") }\n}\n"
        );
        assert_eq!(told.javascript().count(), 0);
    }
}
