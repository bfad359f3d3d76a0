//! The files that pages load: compiled in, or read from a folder during development.
//!
//! Their address contains a version of all of them, `/static/VERSION/FILE`. So modules and styles find each other by
//! their names, and a browser may cache them forever: another release has another version. They are sent compressed.
//! `cargo xtask bundle` puts everything that a script imports into it; in a plain build a browser loads each module.
//!
//! Each language has a version of its own. By it, scripts get their messages in the language of their page: they import
//! the English modules, `text/en`, and in Spanish get those of `text/es`; their bundle is in `es`.

use std::borrow::Cow;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, LazyLock, OnceLock};

use arena_files::read_at_most;
use arena_record::Hex;
use axum::extract::{self, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use thiserror::Error;

use crate::compression::{brotli, takes_brotli};
use crate::language::{Language, language, speaking};
use crate::limits::ASSET_BYTES_MAX;
use crate::problem::{Problem, Result};

/// Every file of `web/static`, by its path there, and the modules of `web/engine` if they were built before this crate.
/// Bundled scripts stand in for those there and for the modules that these import.
static FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// The versions of all these files, by language: the first digits of a hash of them.
static VERSIONS: LazyLock<[String; 2]> = LazyLock::new(|| Language::ALL.map(version_in));

fn version_in(language: Language) -> String {
    let mut hash = Sha256::new_with_prefix(language.tag());
    for (name, bytes) in FILES {
        hash.update(Sha256::digest(name));
        hash.update(Sha256::digest(bytes));
    }
    let digest = hash.finalize();
    Hex::<8>(std::array::from_fn(|index| digest[index])).to_string()
}

/// Where the modules with messages are, in all languages, and where scripts find them. The build makes them.
const MODULES: &str = "text/";
const MESSAGES: &str = "text/en/";

/// The same files compressed, each on its first request.
static COMPRESSED: LazyLock<Vec<OnceLock<Vec<u8>>>> = LazyLock::new(|| FILES.iter().map(|_| OnceLock::new()).collect());

/// Compression level: the highest, since each file is compressed once per start. Debug builds are slow and are started
/// often by tests.
const BROTLI_QUALITY: u32 = if cfg!(debug_assertions) { 4 } else { 11 };

/// Compression window as a power of two: more than the largest file.
const BROTLI_WINDOW_BITS: u32 = 22;

/// The style as part of a page, which then need not request it.
pub(crate) struct Inline {
    pub text: String,
    /// The source expression of its hash in the page's policy, as in CSP level 3.
    pub source: String,
}

/// The style with full addresses of other files, since it is not beside them, by language.
static INLINE: LazyLock<[Option<Inline>; 2]> = LazyLock::new(|| {
    Language::ALL.map(|language| {
        let (_, bytes) = FILES.iter().find(|(name, _)| *name == STYLE)?;
        let text = str::from_utf8(bytes).ok()?.replace("url(", &format!("url({}", speaking(language, || at(""))));
        let source = format!("'sha256-{}'", STANDARD.encode(Sha256::digest(&text)));
        Some(Inline { text, source })
    })
});

/// The address of a file, for pages in the language of the current answer.
pub(crate) fn at(name: &str) -> String {
    format!("/static/{}/{name}", version())
}

/// The version of all files of this release, in the language of the current answer.
pub(crate) fn version() -> &'static str {
    &VERSIONS[language() as usize]
}

/// The names of all files.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    FILES.iter().map(|(name, _)| *name)
}

/// Whether a file is what another one is in a language other than English; then it has no address of its own.
fn is_translated(name: &str) -> bool {
    Language::ALL.iter().map(|language| language.tag()).any(|tag| {
        name.strip_prefix(tag).is_some_and(|rest| rest.starts_with('/'))
            || (name.starts_with(&format!("{MODULES}{tag}/")) && !name.starts_with(MESSAGES))
    })
}

/// Whether pages load a file: in a build with bundles they have the messages in these.
pub(crate) fn is_loaded(name: &str) -> bool {
    static ARE_BUNDLED: LazyLock<bool> =
        LazyLock::new(|| names().any(|name| is_translated(name) && !name.starts_with(MODULES)));
    !(is_translated(name) || *ARE_BUNDLED && name.starts_with(MODULES))
}

/// The text of a script of this release.
pub(crate) fn script(name: &str) -> Option<&'static str> {
    let (_, bytes) = FILES.iter().find(|(known, _)| *known == name && name.ends_with(".js"))?;
    str::from_utf8(bytes).ok()
}

/// The style of pages.
const STYLE: &str = "style.css";

/// The rules that pages cannot do without: those of most games.
pub(crate) const ENGINE: &str = "arena_engine.wasm";

/// The message of a build that was made without them.
pub(crate) const NO_ENGINE: &str =
    "this build lacks the modules that pages need: run `cargo xtask engine`, then build again";

/// The files that pages load.
#[derive(Clone, Debug)]
pub struct Assets {
    embedded: &'static [(&'static str, &'static [u8])],
    /// The folder where a file is looked for first, on each request.
    folder: Option<Arc<Path>>,
}

/// Why a site cannot be served with these files.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum AssetsError {
    /// The rules for the page were not there when this program was built.
    #[error("{}", NO_ENGINE)]
    NoEngine,
    /// The folder lacks files that pages load.
    #[error("{folder} lacks files that pages load: {missing}", folder = folder.display(), missing = missing.join(", "))]
    Incomplete {
        /// The folder.
        folder: PathBuf,
        /// The files that it lacks.
        missing: Vec<&'static str>,
    },
}

impl Assets {
    /// The files that were compiled in. In a build without the rules for pages, pages have no previews and replays.
    pub fn embedded() -> Assets {
        Assets { embedded: FILES, folder: None }
    }

    /// The same files, but read from a folder such as `web/static` on every request. A file that the folder lacks, such
    /// as the rules for pages, is taken from the embedded ones; so are the messages. Bundles in other languages are not
    /// used, since they are made of other sources.
    ///
    /// # Errors
    /// [`AssetsError::Incomplete`] if the folder lacks a file, other than the rules, messages and these bundles.
    pub fn in_folder(self, folder: &Path) -> Result<Assets, AssetsError> {
        let is_made = |name: &str| name.ends_with(".wasm") || name.starts_with(MODULES) || is_translated(name);
        let is_missing = |name: &&str| !is_made(name) && !folder.join(name).is_file();
        let missing: Vec<&str> = self.embedded.iter().map(|(name, _)| *name).filter(is_missing).collect();
        if missing.is_empty() {
            Ok(Assets { folder: Some(folder.into()), ..self })
        } else {
            Err(AssetsError::Incomplete { folder: folder.into(), missing })
        }
    }

    /// The style to include in a page; `None` if it may change during development.
    pub(crate) fn inline(&self) -> Option<&'static Inline> {
        self.are_fixed().then(|| INLINE[language() as usize].as_ref()).flatten()
    }

    /// Whether they are the release's files, not a folder's.
    pub(crate) fn are_fixed(&self) -> bool {
        self.folder.is_none()
    }

    /// These files, if the rules for pages are among them.
    ///
    /// # Errors
    /// [`AssetsError::NoEngine`] otherwise.
    pub fn with_engine(self) -> Result<Assets, AssetsError> {
        if self.find(ENGINE).is_some() { Ok(self) } else { Err(AssetsError::NoEngine) }
    }

    /// The name of the file that this one is in a language.
    fn in_language<'a>(&self, name: &'a str, language: Language) -> Cow<'a, str> {
        let tag = language.tag();
        let own = match name.strip_prefix(MESSAGES) {
            Some(module) => format!("{MODULES}{tag}/{module}"),
            None if self.folder.is_some() => return name.into(),
            None => format!("{tag}/{name}"),
        };
        if self.embedded.iter().any(|(known, _)| *known == own) { own.into() } else { name.into() }
    }

    pub(crate) fn find(&self, name: &str) -> Option<Cow<'static, [u8]>> {
        let embedded =
            || self.embedded.iter().find(|(known, _)| *known == name).map(|(_, bytes)| Cow::Borrowed(*bytes));
        self.find_in_folder(name).map(Cow::Owned).or_else(embedded)
    }

    /// Whether files are those of this build.
    pub(crate) fn are_built_in(&self) -> bool {
        self.folder.is_none()
    }

    /// The file in the folder, if there is a folder and the name does not lead out of it.
    fn find_in_folder(&self, name: &str) -> Option<Vec<u8>> {
        let folder = self.folder.as_deref()?;
        if name.starts_with(MODULES) || !Path::new(name).components().all(|part| matches!(part, Component::Normal(_))) {
            return None;
        }
        // Blocks a thread, which is acceptable for one developer.
        let bytes = read_at_most(&folder.join(name), ASSET_BYTES_MAX).ok()?;
        (bytes.len() as u64 <= ASSET_BYTES_MAX).then_some(bytes)
    }
}

/// `GET /static/VERSION/FILE`. Files of this version never change. Pages of an earlier release, and developers, get the
/// current files and revalidate them each time.
pub(crate) async fn file(
    State(assets): State<Assets>,
    extract::Path((version, name)): extract::Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response> {
    let of_version = Language::ALL.into_iter().find(|language| VERSIONS[*language as usize] == version);
    let name = assets.in_language(&name, of_version.unwrap_or_default());
    let bytes = assets.find(&name).ok_or_else(Problem::no_such_page)?;
    if assets.folder.is_some() || of_version.is_none() {
        return Ok(revalidated(&headers, &name, bytes));
    }
    let kind = [(CONTENT_TYPE, content_type(&name)), (VARY, "accept-encoding")];
    let head = (kind, [(CACHE_CONTROL, "public, max-age=31536000, immutable")]);
    match FILES.iter().position(|(known, _)| *known == &*name).filter(|_| takes_brotli(&headers) && is_text(&name)) {
        // The first request waits for the compression, on a thread that may block.
        Some(place) => match tokio::task::spawn_blocking(move || compressed(place)).await {
            Ok(bytes) => Ok((head, [(CONTENT_ENCODING, "br")], bytes).into_response()),
            Err(_) => Err(Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR)),
        },
        None => Ok((head, bytes).into_response()),
    }
}

/// A file of this name, which caches may keep, but ask for each time: who has these bytes gets none.
pub(crate) fn revalidated(headers: &HeaderMap, name: &str, bytes: Cow<'static, [u8]>) -> Response {
    let digest = Sha256::digest(&bytes);
    let tag = format!("\"{}\"", Hex::<16>(std::array::from_fn(|index| digest[index])));
    let kept = headers.get_all(IF_NONE_MATCH).iter().filter_map(|sent| sent.to_str().ok());
    // A proxy that compresses an answer marks its tag as weak.
    let is_same = |kept: &str| kept == "*" || kept.strip_prefix("W/").unwrap_or(kept) == tag;
    let is_kept = kept.flat_map(|sent| sent.split(',')).any(|kept| is_same(kept.trim()));
    let head =
        ([(CONTENT_TYPE, content_type(name)), (VARY, "accept-encoding"), (CACHE_CONTROL, "no-cache")], [(ETAG, tag)]);
    if is_kept { (StatusCode::NOT_MODIFIED, head).into_response() } else { (head, bytes).into_response() }
}

/// Prepares all files that pages load, so that no visitor waits for it.
pub(crate) fn compress_all() {
    for (place, _) in FILES.iter().enumerate().filter(|(_, (name, _))| is_text(name)) {
        compressed(place);
    }
}

fn compressed(place: usize) -> &'static [u8] {
    COMPRESSED[place].get_or_init(|| brotli(FILES[place].1, BROTLI_QUALITY, BROTLI_WINDOW_BITS))
}

/// Whether compression makes a file smaller; fonts and pictures are compressed already.
fn is_text(name: &str) -> bool {
    !name.ends_with(".woff2") && !name.ends_with(".png")
}

fn content_type(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("json") => "application/json",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("woff2") => "font/woff2",
        Some("webmanifest") => "application/manifest+json",
        Some("txt") => "text/plain; charset=utf-8",
        Some("md") => "text/markdown; charset=utf-8",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A miniature of a build's files.
    const WITH_ENGINE: Assets = Assets { embedded: &[("a.js", b"embedded"), (ENGINE, b"\0asm")], folder: None };
    const WITHOUT_ENGINE: Assets = Assets { embedded: &[("a.js", b"embedded")], folder: None };

    #[test]
    fn every_file_has_a_type() {
        for (name, bytes) in FILES {
            assert!(!bytes.is_empty(), "{name}");
            assert_ne!(content_type(name), "application/octet-stream", "{name}");
        }
    }

    #[test]
    fn modules_are_there_unless_they_are_in_the_scripts_that_import_them() {
        let scripts: Vec<&str> = names().filter(|name| name.ends_with(".js") && !name.starts_with(MODULES)).collect();
        let imports =
            |name: &&str| script(name).is_some_and(|text| text.contains("import{") || text.contains("import {"));
        let are_apart = scripts.iter().any(imports);
        assert!(scripts.contains(&"room.js") && scripts.contains(&"board/board.js") == are_apart, "{scripts:?}");
    }

    #[test]
    fn the_engine_is_embedded_where_it_was_built() {
        let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/engine/built").join(ENGINE).is_file();
        assert_eq!(Assets::embedded().with_engine().is_ok(), built);
    }

    #[test]
    fn a_build_without_the_engine_names_the_command_that_makes_it() {
        assert!(WITH_ENGINE.with_engine().is_ok());
        let refused = WITHOUT_ENGINE.with_engine().expect_err("no engine");
        assert_eq!(refused, AssetsError::NoEngine);
        let told = "run `cargo xtask engine`, then build again";
        assert!(refused.to_string().ends_with(told), "{refused}");
        // The warning of the build.
        let warning: String = include_str!("../build.rs").split('\\').map(str::trim_start).collect();
        for words in [told, "`arena serve` and exports as HTML are refused"] {
            assert!(warning.contains(words), "{words}");
        }
    }

    #[test]
    fn a_folder_goes_before_what_is_embedded_and_is_read_each_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.js");
        fs::write(&path, "first").expect("written");
        let assets = WITHOUT_ENGINE.in_folder(folder.path()).expect("complete");
        assert_eq!(assets.find("a.js").as_deref(), Some(&b"first"[..]));
        fs::write(&path, "second").expect("written");
        assert_eq!(assets.find("a.js").as_deref(), Some(&b"second"[..]));
        assert_eq!(assets.clone().with_engine().err(), Some(AssetsError::NoEngine));
        fs::write(folder.path().join(ENGINE), "\0asm").expect("written");
        assert!(assets.with_engine().is_ok(), "a folder may have the engine, too");
        let engine = WITH_ENGINE.in_folder(folder.path()).expect("complete").find(ENGINE);
        assert_eq!(engine.as_deref(), Some(&b"\0asm"[..]));
    }

    #[test]
    fn a_folder_goes_before_bundles_and_has_its_messages_in_both_languages() {
        const ENGLISH: (&str, &[u8]) = ("text/en/a.js", b"yes");
        const SPANISH: (&str, &[u8]) = ("text/es/a.js", b"claro");
        const APART: Assets =
            Assets { embedded: &[("board/b.js", b""), ("room.js", b""), ENGLISH, SPANISH], folder: None };
        const BUNDLED: Assets =
            Assets { embedded: &[("es/room.js", b"es"), ("room.js", b"en"), ENGLISH, SPANISH], folder: None };
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("board")).expect("made");
        for name in ["room.js", "board/b.js"] {
            fs::write(folder.path().join(name), "new").expect("written");
        }
        for build in [APART, BUNDLED] {
            let assets = build.in_folder(folder.path()).expect("complete");
            for (language, said) in Language::ALL.into_iter().zip([ENGLISH.1, SPANISH.1]) {
                let found = |name: &str| assets.find(&assets.in_language(name, language));
                assert_eq!(found("text/en/a.js").as_deref(), Some(said));
                for name in ["room.js", "board/b.js"] {
                    assert_eq!(found(name).as_deref(), Some(&b"new"[..]), "{name}");
                }
            }
        }
        assert_eq!(BUNDLED.in_language("room.js", Language::Spanish), "es/room.js");
        assert_eq!(BUNDLED.in_language("room.js", Language::English), "room.js");
        assert_eq!(APART.in_language("room.js", Language::Spanish), "room.js");
    }

    #[test]
    fn messages_are_there_in_every_build() {
        for language in Language::ALL {
            let module = format!("{MODULES}{}/script-rooms.js", language.tag());
            assert!(names().any(|name| name == module), "{module}");
        }
    }

    #[test]
    fn a_folder_without_the_files_is_refused_and_they_are_named() {
        let folder = tempfile::tempdir().expect("a folder");
        for folder in [folder.path(), &folder.path().join("missing")] {
            let refused = WITH_ENGINE.in_folder(folder).expect_err("incomplete");
            assert_eq!(refused, AssetsError::Incomplete { folder: folder.into(), missing: vec!["a.js"] });
            assert!(refused.to_string().ends_with("lacks files that pages load: a.js"), "{refused}");
        }
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let outside = tempfile::tempdir().expect("a folder");
        fs::write(outside.path().join("secret.js"), "secret").expect("written");
        let folder = outside.path().join("static");
        fs::create_dir(&folder).expect("made");
        fs::write(folder.join("a.js"), "a").expect("written");
        fs::create_dir(folder.join("board")).expect("made");
        fs::write(folder.join("board/b.js"), "b").expect("written");
        let assets = WITH_ENGINE.in_folder(&folder).expect("complete");
        assert_eq!(assets.find("board/b.js").as_deref(), Some(&b"b"[..]));
        let absolute = outside.path().join("secret.js");
        for name in ["../secret.js", "..", ".", "", "/", "board/../../secret.js", absolute.to_str().expect("text")] {
            assert_eq!(assets.find(name), None, "{name}");
        }
    }
}
