//! Bots as scripts. A script is bundled with the interpreter of its language, which is pinned and embedded, into an
//! ordinary module: that is what is checked, stored, played and verified, and no other part of the arena knows scripts.
//!
//! ```
//! use arena_scripts::{Language, bundle, script_of};
//!
//! let module = bundle(Language::JavaScript, b"function turn(o) { return best(o); }\n")?;
//! let script = script_of(&module).expect("it was bundled here");
//! assert_eq!((script.language, script.text), (Language::JavaScript, "function turn(o) { return best(o); }\n"));
//! # Ok::<(), arena_scripts::BundleError>(())
//! ```
//!
//! An interpreter exports an immutable global [`PLACE`] with the address of a region of zeros. A bundle has the script
//! there, its length in four little-endian bytes before it, by one more data segment, and that export no longer.
//!
//! What this crate deliberately is not: it reads no file, and it runs and judges nothing.

mod module;
mod tokens;

use std::path::Path;

use arena_limits::limits;
use thiserror::Error;

pub use module::PLACE;

limits! { pub LIMITS:
    pub SCRIPT_BYTES_MAX: usize = 64 << 10, "script_bytes", "bytes of a script",
        "what interpreters reserve for it; far more than a person writes for one bot";
}

/// A language in which a bot can be a script.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// JavaScript, by QuickJS.
    JavaScript,
    /// Python, by MicroPython.
    Python,
}

impl Language {
    /// All of them.
    pub const ALL: [Language; 2] = [Language::JavaScript, Language::Python];

    /// The language of a file, by how its name ends.
    pub fn of_file(name: &Path) -> Option<Language> {
        let ending = name.extension()?.to_str()?;
        Language::ALL.into_iter().find(|language| language.endings().iter().any(|own| own.eq_ignore_ascii_case(ending)))
    }

    /// Its name for people.
    pub const fn title(self) -> &'static str {
        match self {
            Language::JavaScript => "JavaScript",
            Language::Python => "Python",
        }
    }

    /// How names of its files end, without the dot, the usual one first.
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Language::JavaScript => &["js", "mjs"],
            Language::Python => &["py", "pyw"],
        }
    }

    /// The media types of its texts, the usual one first.
    pub const fn media_types(self) -> &'static [&'static str] {
        match self {
            Language::JavaScript => &["text/javascript", "application/javascript"],
            Language::Python => &["text/x-python", "application/x-python-code"],
        }
    }

    /// The language of a body of this media type, whatever its parameters.
    pub fn of_media_type(media_type: &str) -> Option<Language> {
        let essence = media_type.split(';').next().unwrap_or_default().trim();
        Language::ALL
            .into_iter()
            .find(|language| language.media_types().iter().any(|own| own.eq_ignore_ascii_case(essence)))
    }

    /// What its interpreter calls the script, whatever its file was called: in errors, before the line.
    pub const fn file(self) -> &'static str {
        match self {
            Language::JavaScript => "bot.js",
            Language::Python => "bot.py",
        }
    }

    /// The module of its interpreter, the same in all builds of a release.
    pub const fn interpreter(self) -> &'static [u8] {
        match self {
            Language::JavaScript => include_bytes!("../interpreters/javascript.wasm"),
            Language::Python => include_bytes!("../interpreters/python.wasm"),
        }
    }
}

/// The script of a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Script<'a> {
    /// What it is written in.
    pub language: Language,
    /// Its text, as it was given.
    pub text: &'a str,
}

impl Script<'_> {
    /// Bytes that scripts have in common if they differ in comments, spaces and line breaks alone, in Python as far as
    /// these have no meaning.
    pub fn fingerprint(&self) -> Vec<u8> {
        tokens::fingerprint(self)
    }
}

/// Why a script is not bundled.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum BundleError {
    /// It has no byte.
    #[error("the script is empty")]
    Empty,
    /// It is longer than [`SCRIPT_BYTES_MAX`].
    #[error("a script has at most {SCRIPT_BYTES_MAX} bytes, and this one has more")]
    TooLong,
    /// It is not text.
    #[error("the script is not UTF-8: byte {at} is wrong")]
    NotUtf8 {
        /// The first byte that is wrong, from 0.
        at: usize,
    },
    /// It is a source of another kind.
    #[error("{0} are no bots here")]
    Other(Other),
    /// The interpreter has no place for a script.
    #[error("the interpreter takes no script")]
    Interpreter,
}

impl BundleError {
    /// What its author can do about it.
    pub const fn hint(self) -> &'static str {
        match self {
            BundleError::Empty => "was it saved? `arena new` has scripts to start from",
            BundleError::TooLong => "leave out data and comments, or compute tables at the start",
            BundleError::NotUtf8 { .. } => "save it as UTF-8",
            BundleError::Other(other) => other.hint(),
            BundleError::Interpreter => "please report this: the arena's own interpreters do",
        }
    }
}

/// Sources that people take for bots, by how their names end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum Other {
    /// `.ipynb`.
    #[error("notebooks")]
    Notebook,
    /// `.ts`, `.mts`, `.jsx` and `.tsx`.
    #[error("scripts in TypeScript and JSX")]
    TypeScript,
    /// `.cjs`.
    #[error("CommonJS modules")]
    CommonJs,
}

impl Other {
    fn of_file(name: &Path) -> Option<Other> {
        Some(match name.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "ipynb" => Other::Notebook,
            "ts" | "mts" | "tsx" | "jsx" => Other::TypeScript,
            "cjs" | "cts" => Other::CommonJs,
            _ => return None,
        })
    }

    const fn hint(self) -> &'static str {
        match self {
            Other::Notebook => {
                "a notebook is a document around code: save the code of its cells as one script, bot.py \
                 (`jupyter nbconvert --to script`)"
            }
            Other::TypeScript => {
                "compile it to JavaScript (`npx esbuild bot.ts --outfile=bot.js`), and give that, or write types in \
                 comments (`arena new NAME --lang typescript`); AssemblyScript, which has the same ending, has a compiler \
                 of its own (`arena new NAME --lang assemblyscript`)"
            }
            Other::CommonJs => "a bot is one script without `require` and `exports`, in a file that ends in .js",
        }
    }
}

/// What is played of a bot's file with this name: the bundle of a script, and any other bytes as they are.
///
/// # Errors
/// If it is a script that cannot be bundled, or a source of a kind that is none.
pub fn module_of(name: &Path, bytes: Vec<u8>) -> Result<Vec<u8>, BundleError> {
    match (Language::of_file(name), Other::of_file(name)) {
        // What is a module already is taken under any name.
        _ if bytes.starts_with(b"\0asm") => Ok(bytes),
        (Some(language), _) => bundle(language, &bytes),
        (None, Some(other)) => Err(BundleError::Other(other)),
        (None, None) => Ok(bytes),
    }
}

/// The module of a script: for the same one the same bytes, on every machine.
///
/// # Errors
/// If it is empty, too long or not text. Whether it runs, the module says when it starts.
pub fn bundle(language: Language, script: &[u8]) -> Result<Vec<u8>, BundleError> {
    bundle_in(language.interpreter(), script)
}

/// The same in an interpreter that is given.
///
/// # Errors
/// Also if the interpreter takes no script.
pub fn bundle_in(interpreter: &[u8], script: &[u8]) -> Result<Vec<u8>, BundleError> {
    if script.is_empty() {
        return Err(BundleError::Empty);
    }
    if script.len() > SCRIPT_BYTES_MAX {
        return Err(BundleError::TooLong);
    }
    let text = str::from_utf8(script).map_err(|error| BundleError::NotUtf8 { at: error.valid_up_to() })?;
    module::with(interpreter, text).ok_or(BundleError::Interpreter)
}

/// The script of a module, if the module is what [`bundle`] makes of one, byte for byte but for custom sections, which
/// have no effect: nothing that a module says of itself counts.
pub fn script_of(module: &[u8]) -> Option<Script<'_>> {
    let in_one = |language: Language| Some(Script { language, text: script_in(language.interpreter(), module)? });
    Language::ALL.into_iter().find_map(in_one)
}

/// The same for an interpreter that is given.
pub fn script_in<'a>(interpreter: &[u8], module: &'a [u8]) -> Option<&'a str> {
    let text = module::last_text(module, interpreter.len())?;
    let bundled = bundle_in(interpreter, text.as_bytes()).ok()?;
    (module::code(&bundled)? == module::code(module)?).then_some(text)
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;

    fn interpreter() -> Vec<u8> {
        wat::parse_str(include_str!("../tests/interpreter.wat")).expect("a module")
    }

    #[test]
    fn a_bundle_gives_its_script_back_and_no_other_module_gives_one() {
        let interpreter = interpreter();
        assert_eq!(script_in(&interpreter, &interpreter), None);
        for text in ["x", "bot.turn = o => 'ñ' // 棋\n", &"y".repeat(SCRIPT_BYTES_MAX)] {
            let module = bundle_in(&interpreter, text.as_bytes()).expect("a script");
            wasmparser::validate(&module).expect("a module");
            assert_eq!(script_in(&interpreter, &module), Some(text));
            // With its own export it is no interpreter any more.
            assert_eq!(bundle_in(&module, b"x"), Err(BundleError::Interpreter));
            // A stranger's bytes may end anywhere.
            let cut = (0..module.len().min(400)).filter(|end| script_in(&interpreter, &module[..*end]).is_some());
            assert!(cut.count() <= 1, "the names at its end are a custom section");
            let custom = [&module[..], &[0, 2, 1, b'x']].concat();
            assert_eq!(script_in(&interpreter, &custom), Some(text), "it has no effect");
            let at = module.iter().rposition(|byte| *byte == 33).expect("a byte of the interpreter");
            let mut other = module.clone();
            other[at] = 34;
            assert_eq!(script_in(&interpreter, &other), None, "another interpreter");
        }
    }

    #[test]
    fn a_script_is_text_of_some_bytes_and_not_too_many() {
        let interpreter = interpreter();
        let longest = vec![b' '; SCRIPT_BYTES_MAX];
        assert!(bundle_in(&interpreter, &longest).is_ok());
        for (script, why) in [
            (&b""[..], BundleError::Empty),
            (&[&longest[..], b" "].concat(), BundleError::TooLong),
            (b"ab\xff", BundleError::NotUtf8 { at: 2 }),
        ] {
            assert_eq!(bundle_in(&interpreter, script), Err(why));
        }
        assert_eq!(bundle_in(b"\0asm\x01\0\0\0", b"x"), Err(BundleError::Interpreter));
    }

    #[test]
    fn a_bundle_has_the_same_bytes_everywhere() {
        let module = bundle_in(&interpreter(), b"bot.turn = o => o.pass();\n").expect("a script");
        let hash: String = Sha256::digest(&module).iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(hash, "b38dd5be2da2f8e947325515c15c2ffaf06ca732d6c5152b6c158b27db4fa438");
    }

    #[test]
    fn every_interpreter_that_is_embedded_takes_the_longest_script() {
        for language in Language::ALL {
            let text = "x".repeat(SCRIPT_BYTES_MAX);
            let module = bundle(language, text.as_bytes()).expect("it takes scripts");
            assert_eq!(script_of(&module), Some(Script { language, text: &text }));
        }
    }

    #[test]
    fn what_a_file_is_is_told_by_its_name_unless_it_is_a_module() {
        let of = |name: &str, bytes: &[u8]| module_of(Path::new(name), bytes.into());
        for (name, language) in [
            ("bot.js", Language::JavaScript),
            ("a/b.MJS", Language::JavaScript),
            ("bot.py", Language::Python),
            ("my bot.PYW", Language::Python),
        ] {
            let module = of(name, b"a = 1").expect("a script");
            assert_eq!(script_of(&module), Some(Script { language, text: "a = 1" }));
            assert_eq!(of(name, b"\0asm\x01\0\0\0").as_deref(), Ok(&b"\0asm\x01\0\0\0"[..]));
        }
        for (name, other) in [("b.ipynb", Other::Notebook), ("b.ts", Other::TypeScript), ("b.cjs", Other::CommonJs)] {
            assert_eq!(of(name, b"x"), Err(BundleError::Other(other)));
            assert!(!BundleError::Other(other).hint().is_empty());
        }
        for name in ["bot.wasm", "js", ".js", "bot"] {
            assert_eq!(of(name, b"x").as_deref(), Ok(&b"x"[..]), "{name}");
        }
    }
}
