//! What a tournament's folder claims, for a page or a program that plays its games again.

use std::collections::BTreeMap;

use arena_ledger::layout::{self, DEFINITION, JOURNAL, MANIFEST, RESULTS};
use arena_ledger::{
    BEGUN_OTHERWISE, BYTE_ORDER_MARK, Course, Damaged, Entries, Flaw, Kind, Manifest, ManifestError, Names, Pieces,
    Plan, Wrong, change, has_other_line_ends, journalled, semantics_id,
};
use arena_record::EntrantId;
use arena_referee::compare::shown;
use arena_tournaments::Definition;
use arena_wire::Game;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The longest folder that is taken, in bytes, with the list of its files: what a browser's tab has room for.
pub const FOLDER_BYTES_MAX: usize = 512 << 20;

/// Where a folder contradicts itself, or why it is not read.
#[derive(Serialize)]
struct Wronged {
    file: String,
    why: String,
    kind: WrongKind,
}

/// How a folder is wrong.
#[derive(Serialize, Clone, Copy)]
#[serde(rename_all = "snake_case")]
enum WrongKind {
    /// What follows from the journal is other than a file says.
    Differs,
    /// A file is missing, or contradicts another.
    Damaged,
    /// Another release is needed to read it.
    OtherRelease,
    /// It is not the folder of a tournament.
    NoTournament,
}

impl From<Damaged> for Wronged {
    fn from(Damaged { file, flaw }: Damaged) -> Wronged {
        Wronged { file: shown(&file), why: flaw.to_string(), kind: WrongKind::Damaged }
    }
}

/// Why not everything in a folder could be checked.
#[derive(Serialize)]
struct Lack {
    /// As in `arena verify --json`.
    code: &'static str,
    why: String,
    /// Files that are not the tournament's. Nothing was read of them.
    foreign: Vec<String>,
}

/// What a folder claims.
#[derive(Serialize)]
struct Claims {
    /// Games that have a record: number, and where the record begins and ends in the journal.
    games: Vec<(usize, u64, u64)>,
    /// Games that count for nobody, since a bot's process died.
    void: usize,
    /// Those of them that were played: number, and what a record begins with, in JSON.
    void_played: Vec<(usize, String)>,
    /// Whether the game's rules are in the modules for games with wide frames.
    wide: bool,
    incomplete: Option<Lack>,
}

/// The files of a folder by their paths.
struct Files<'a>(BTreeMap<String, &'a [u8]>);

/// An entry of a folder.
#[derive(Deserialize)]
struct Entry(String, Kind);

/// What is to be looked at of a folder: `entries` are a list of paths with kinds in JSON. Answers with files to `read`
/// and with folders whose entries are to be added (`enter`), or with the first thing that is `wrong`.
pub fn own(entries: &[u8]) -> String {
    let listed = serde_json::from_slice(entries).or_else(|error| wrong(".", error)).and_then(|entries: Vec<Entry>| {
        if !entries.iter().any(|Entry(path, _)| [MANIFEST, RESULTS].contains(&&**path)) {
            let why = "the folder holds no tournament that has started".into();
            return Err(Wronged { file: MANIFEST.into(), why, kind: WrongKind::NoTournament });
        }
        let (mut names, mut enter, mut read) = (Names::default(), Vec::new(), Vec::new());
        for Entry(path, kind) in &entries {
            match (names.take(path, *kind)?, kind) {
                (Entries::Own, _) => enter.push(path),
                (Entries::None, Kind::File) if layout::is_own(path) => read.push(path),
                (Entries::None, _) => {}
            }
        }
        Ok(json!({ "read": read, "enter": enter }).to_string())
    });
    listed.unwrap_or_else(|wrong| json!({ "wrong": wrong }).to_string())
}

/// Reads a folder: a list of entries in JSON, each with its path, its kind and, if it is handed over, its length; a
/// line feed, then the files' bytes one after the other. Answers with what it claims (`claims`), once everything that
/// follows from its files was found in it, byte for byte; or with the first thing that is `wrong`.
pub fn ledger(folder: &[u8]) -> String {
    let read = Files::read(folder);
    match read.and_then(|(names, files)| claims(names, &files).map_err(|wronged| files.edited(wronged))) {
        Ok(claims) => json!({ "claims": claims }).to_string(),
        Err(wrong) => json!({ "wrong": wrong }).to_string(),
    }
}

fn wrong<T>(file: &str, why: impl ToString) -> Result<T, Wronged> {
    Err(Wronged { file: file.into(), why: why.to_string(), kind: WrongKind::Damaged })
}

impl<'a> Files<'a> {
    fn read(folder: &'a [u8]) -> Result<(Names, Files<'a>), Wronged> {
        #[derive(Deserialize)]
        struct Named(String, Kind, Option<usize>);

        let end = folder.iter().position(|byte| *byte == b'\n').unwrap_or(folder.len());
        let (list, mut rest) = folder.split_at(end);
        rest = rest.get(1..).unwrap_or_default();
        let list: Vec<Named> = match serde_json::from_slice(list) {
            Ok(list) => list,
            Err(error) => return wrong(".", error),
        };
        let (mut names, mut files) = (Names::default(), BTreeMap::new());
        for Named(name, kind, bytes) in list {
            names.take(&name, kind)?;
            let Some(bytes) = bytes else { continue };
            let Some((file, others)) = rest.split_at_checked(bytes) else { return wrong(&name, "it is cut short") };
            files.insert(name, file);
            rest = others;
        }
        Ok((names, Files(files)))
    }

    fn bytes(&self, name: &str) -> Result<&'a [u8], Wronged> {
        self.0.get(name).copied().map_or_else(|| wrong(name, Flaw::Missing), Ok)
    }

    fn text(&self, name: &str) -> Result<&'a str, Wronged> {
        std::str::from_utf8(self.bytes(name)?).or_else(|_| wrong(name, Flaw::NotText))
    }

    /// Names what an editor or git changed, if that is why a folder contradicts itself.
    fn edited(&self, wronged: Wronged) -> Wronged {
        let mut texts = self.0.iter().filter(|(name, _)| !name.ends_with(".wasm"));
        let edit = |(name, bytes): (&String, &&[u8])| {
            let why = match bytes {
                bytes if has_other_line_ends(bytes) => "it has other line ends than it was written with",
                bytes if bytes.starts_with(BYTE_ORDER_MARK.as_bytes()) => BEGUN_OTHERWISE,
                _ => return None,
            };
            wrong::<()>(name, why).err()
        };
        match wronged.kind {
            WrongKind::Differs | WrongKind::Damaged => texts.find_map(edit).unwrap_or(wronged),
            WrongKind::OtherRelease | WrongKind::NoTournament => wronged,
        }
    }
}

/// All that follows from the files but the games, cheapest first.
fn claims(names: Names, files: &Files<'_>) -> Result<Claims, Wronged> {
    let (manifest, mut plan) = begun(files)?;
    let journal = files.bytes(JOURNAL)?;
    let unread = |wronged: Wrong| {
        let (line, why) = match wronged {
            Wrong::Io(error) => (0, error.to_string()),
            Wrong::Damaged { line, why } => (line, why.to_string()),
            Wrong::Game { line, number, why } => (line, format!("game {number}: {why}")),
            Wrong::Change { line, why } => (line, format!("a change: {why}")),
        };
        let why = format!("line {line}: {why}");
        Wronged { file: JOURNAL.into(), why, kind: WrongKind::Damaged }
    };
    change(&journal, &mut plan, manifest.hash()).map_err(unread)?;
    entrants(files, &plan)?;
    let mut course = Course::of(&plan);
    let read = journalled(&journal, &plan, &mut course, |_| Ok(())).map_err(unread)?;
    let unfit = |why| Wronged { file: JOURNAL.into(), why, kind: WrongKind::Damaged };
    let same = |name: &str, pieces: Pieces<'_>| same(files, name, &pieces.collect::<String>());
    let (incomplete, foreign) = names.derived(&plan, &course, &read, unfit, same)?;
    let foreign = || foreign.iter().map(|name| shown(name)).collect();
    let incomplete = incomplete.map(|lack| Lack { code: lack.code(), why: lack.to_string(), foreign: foreign() });
    let numbers = (0..course.settled.len()).filter(|number| course.settled.has_result(*number));
    let record = |number: usize| {
        let at = read.places.get(number)? as usize;
        let line = &journal[at..];
        let from = at + line.iter().position(|byte| *byte == b'{')?;
        Some((number, from as u64, (at + line.iter().position(|byte| *byte == b'\n')? + 1) as u64))
    };
    let wide = Game::named(&manifest.ruleset).is_ok_and(|game| game.wide);
    let header = |number: usize| {
        let game = course.settled.game(number)?;
        Some((number, json!({ "header": plan.header(&game) }).to_string()))
    };
    Ok(Claims {
        games: numbers.filter_map(record).collect(),
        void: course.settled.void().count(),
        void_played: course.played_void().keys().copied().filter_map(header).collect(),
        wide,
        incomplete,
    })
}

/// The manifest, and the plan that it makes with its definition.
fn begun(files: &Files<'_>) -> Result<(Manifest, Plan), Wronged> {
    let of_manifest = |error: ManifestError| {
        let is_other = matches!(error, ManifestError::OtherForm { .. });
        let kind = if is_other { WrongKind::OtherRelease } else { WrongKind::Damaged };
        Wronged { file: MANIFEST.into(), why: error.to_string(), kind }
    };
    let text = files.text(MANIFEST)?;
    let manifest = Manifest::parse(text).map_err(of_manifest)?;
    manifest.check_seal().map_err(of_manifest)?;
    if manifest.to_text() != text {
        return wrong(MANIFEST, Flaw::Spelling);
    }
    if manifest.semantics != semantics_id(&manifest.ruleset) {
        let why = format!("it was played under other rules, limits or prices: use {}", manifest.build);
        return Err(Wronged { file: MANIFEST.into(), why, kind: WrongKind::OtherRelease });
    }
    let text = files.text(DEFINITION)?;
    if !manifest.is_of(text.as_bytes()) {
        return wrong(DEFINITION, Flaw::OtherHash);
    }
    let definition = Definition::parse(text).or_else(|error| wrong(DEFINITION, error))?;
    if definition.to_toml() != text {
        return wrong(DEFINITION, Flaw::Spelling);
    }
    let plan = manifest.plan(&definition, &manifest.build).map_err(of_manifest)?;
    Ok((manifest, plan))
}

/// Every bot is there, with the bytes of its hash.
fn entrants(files: &Files<'_>, plan: &Plan) -> Result<(), Wronged> {
    for entrant in &plan.entrants {
        let Some(hash) = entrant.id.hash() else { continue };
        let name = layout::bot_file(hash);
        if EntrantId::of_bytes(files.bytes(&name)?) != entrant.id {
            return wrong(&name, "its bytes do not have this hash");
        }
    }
    Ok(())
}

fn same(files: &Files<'_>, name: &str, expected: &str) -> Result<(), Wronged> {
    let found = files.bytes(name)?;
    if found == expected.as_bytes() {
        return Ok(());
    }
    let at = found.iter().zip(expected.as_bytes()).take_while(|(found, expected)| found == expected).count();
    let why = format!("byte {at} is not what follows from the journal");
    Err(Wronged { file: name.into(), why, kind: WrongKind::Differs })
}
