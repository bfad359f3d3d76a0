//! Reads folders of test vectors and reports, file by file, how many lines this implementation agrees with.
//!
//! A folder has one sub-folder per game (`conquerors/`) or for the meter (`meter/`), each with files of JSON lines. Any
//! subset of the files and lines will do, and you can pass a game's own folder directly. It is for other
//! implementations and for our own tests. Each reader documents what its file holds.
//!
//! ```
//! use std::path::Path;
//!
//! let sandbox = arena_sandbox::Sandbox::new()?;
//! let vectors = arena_conformance::Vectors::read(Path::new("../meter/tests/golden"))?;
//! let reports = vectors.check(&sandbox);
//! assert!(arena_conformance::all_agree(&reports));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod conquerors;
mod difference;
mod game_of_game_of_life;
mod life2;
mod meter;
mod war_of_life;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use arena_sandbox::Sandbox;
use serde::Deserialize;

use crate::difference::Difference;

/// What was found in one file.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct FileReport {
    /// The file, relative to the folder that was checked.
    pub file: String,
    /// `None` when no reader knows the file.
    pub lines: Option<Lines>,
}

/// How the lines of a file fared.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Lines {
    /// All lines that are not blank.
    pub total: usize,
    /// Lines this implementation agrees with.
    pub agreed: usize,
    /// The first line that it disagrees with: its number from 1, and why.
    pub first_difference: Option<(usize, String)>,
}

/// Why a folder cannot be checked.
#[derive(Debug, thiserror::Error)]
pub enum ConformanceError {
    /// The folder or a file in it cannot be read.
    #[error("cannot read {path}")]
    Read {
        /// What could not be read.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// No file in the folder has a reader.
    #[error(
        "no file of vectors in {0}: give a folder of vectors, or one with a sub-folder per game such as conquerors/"
    )]
    NoVectors(PathBuf),
}

/// Checks a line of one file: `Ok` when this implementation agrees.
type Reader = fn(&str) -> Result<(), Difference>;

/// Checks the lines of one file from the first on. Some lines continue from the state that earlier ones left, and some
/// have modules, which run in the sandbox.
type Lesson = Box<dyn FnMut(&str, &Sandbox) -> Result<(), Difference>>;

fn parse<'a, T: Deserialize<'a>>(line: &'a str) -> Result<T, Difference> {
    Ok(serde_json::from_str(line)?)
}

/// The files of a folder, read.
pub struct Vectors(Vec<File>);

struct File {
    /// Relative to the folder.
    name: String,
    /// Its reader and its text; `None` when no reader knows it.
    known: Option<(Lesson, String)>,
}

impl Vectors {
    /// Reads every file in `folder` and its sub-folders, in the order of their names.
    ///
    /// # Errors
    /// When the folder cannot be read or holds no file of vectors.
    pub fn read(folder: &Path) -> Result<Vectors, ConformanceError> {
        let own_name =
            folder.canonicalize().ok().and_then(|path| Some(path.file_name()?.to_string_lossy().into_owned()));
        let mut files = read_files(folder, "", &own_name.unwrap_or_default())?;
        for entry in entries(folder)? {
            if entry.is_dir() {
                let name = file_name(&entry);
                files.extend(read_files(&entry, &format!("{name}/"), &name)?);
            }
        }
        if files.iter().all(|file| file.known.is_none()) {
            return Err(ConformanceError::NoVectors(folder.into()));
        }
        Ok(Vectors(files))
    }

    /// Checks every line. Files without a reader are reported as such. Modules run in this sandbox, in this process.
    pub fn check(self, sandbox: &Sandbox) -> Vec<FileReport> {
        let report = |File { name, known }| {
            let lines = known.map(|(reader, text)| check_lines(&text, reader, sandbox));
            FileReport { file: name, lines }
        };
        self.0.into_iter().map(report).collect()
    }
}

/// Whether every known file agrees in every line, and at least one is known.
pub fn all_agree(reports: &[FileReport]) -> bool {
    let mut known = reports.iter().filter_map(|report| report.lines.as_ref()).peekable();
    known.peek().is_some() && known.all(|lines| lines.agreed == lines.total)
}

/// The text of a file of vectors.
fn vectors(path: &Path) -> io::Result<String> {
    let bytes = arena_files::read_at_most(path, u64::MAX)?;
    String::from_utf8(bytes).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

fn read_files(folder: &Path, prefix: &str, game: &str) -> Result<Vec<File>, ConformanceError> {
    let mut files = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            continue;
        }
        let name = file_name(&path);
        let known = match name.strip_suffix(".jsonl").and_then(|file| reader(game, file)) {
            None => None,
            Some(reader) => Some((reader, vectors(&path).map_err(|source| ConformanceError::Read { path, source })?)),
        };
        files.push(File { name: format!("{prefix}{name}"), known });
    }
    Ok(files)
}

fn reader(game: &str, file: &str) -> Option<Lesson> {
    let each_alone: Option<Reader> = match game {
        "conquerors" => conquerors::reader(file),
        "game_of_game_of_life" => game_of_game_of_life::reader(file),
        "life2" if file == "api" => return Some(life2::conversation()),
        "life2" => life2::reader(file),
        "meter" => return Some(Box::new(meter::check)),
        "war_of_life" => war_of_life::reader(file),
        _ => None,
    };
    let each_alone = each_alone?;
    Some(Box::new(move |line, _| each_alone(line)))
}

fn check_lines(text: &str, mut reader: Lesson, sandbox: &Sandbox) -> Lines {
    let mut lines = Lines { total: 0, agreed: 0, first_difference: None };
    for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
        lines.total += 1;
        match reader(line, sandbox) {
            Ok(()) => lines.agreed += 1,
            Err(why) => {
                lines.first_difference.get_or_insert_with(|| (number, why.to_string()));
            }
        }
    }
    lines
}

fn entries(folder: &Path) -> Result<Vec<PathBuf>, ConformanceError> {
    let read = |source| ConformanceError::Read { path: folder.into(), source };
    let entries = fs::read_dir(folder).map_err(read)?;
    let mut paths =
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<Result<Vec<_>, _>>().map_err(read)?;
    paths.sort();
    Ok(paths)
}

fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
