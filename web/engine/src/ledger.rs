//! What a tournament's folder claims, for a page or a program that plays its games again.

use std::collections::BTreeMap;

use arena_ledger::layout::{self, DEFINITION, ENTRANTS, INDEX, JOURNAL, MANIFEST, RESULTS};
use arena_ledger::{
    Course, Journalled, Manifest, ManifestError, Plan, Summary, Tail, Wrong, change, index_text, journalled,
    semantics_id,
};
use arena_record::EntrantId;
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
    /// Whether another release is needed to read it.
    other_release: bool,
}

/// What a folder claims.
#[derive(Serialize)]
struct Claims {
    /// Games that have a record: number, and where the record begins and ends in the journal.
    games: Vec<(usize, u64, u64)>,
    /// Games in which a bot's process died.
    void: usize,
    /// Whether the game's rules are in the modules for games with wide frames.
    wide: bool,
    /// Whether games are missing, so that there are no results.
    unfinished: bool,
}

/// The files of a folder by their paths.
struct Files<'a>(BTreeMap<String, &'a [u8]>);

/// Reads a folder: a list of paths and lengths in JSON, a line feed, then the files' bytes one after the other. Answers
/// with what it claims (`claims`), once everything that follows from its files was found in it, byte for byte; or with
/// the first thing that is `wrong`.
pub fn ledger(folder: &[u8]) -> String {
    match Files::read(folder).and_then(|files| claims(&files)) {
        Ok(claims) => json!({ "claims": claims }).to_string(),
        Err(wrong) => json!({ "wrong": wrong }).to_string(),
    }
}

fn wrong<T>(file: &str, why: impl ToString) -> Result<T, Wronged> {
    Err(Wronged { file: file.into(), why: why.to_string(), other_release: false })
}

impl<'a> Files<'a> {
    fn read(folder: &'a [u8]) -> Result<Files<'a>, Wronged> {
        #[derive(Deserialize)]
        struct Named(String, usize);

        let end = folder.iter().position(|byte| *byte == b'\n').unwrap_or(folder.len());
        let (list, mut rest) = folder.split_at(end);
        rest = rest.get(1..).unwrap_or_default();
        let list: Vec<Named> = match serde_json::from_slice(list) {
            Ok(list) => list,
            Err(error) => return wrong(".", error),
        };
        let mut files = BTreeMap::new();
        for Named(name, bytes) in list {
            let Some((file, others)) = rest.split_at_checked(bytes) else { return wrong(&name, "it is cut short") };
            files.insert(name, file);
            rest = others;
        }
        Ok(Files(files))
    }

    fn bytes(&self, name: &str) -> Result<&'a [u8], Wronged> {
        self.0.get(name).copied().map_or_else(|| wrong(name, "it is missing"), Ok)
    }

    fn text(&self, name: &str) -> Result<&'a str, Wronged> {
        std::str::from_utf8(self.bytes(name)?).or_else(|_| wrong(name, "it is not text"))
    }
}

/// All that follows from the files but the games, cheapest first.
fn claims(files: &Files<'_>) -> Result<Claims, Wronged> {
    let (manifest, mut plan) = begun(files)?;
    let journal = files.bytes(JOURNAL)?;
    let unread = |wronged: Wrong| {
        let (line, why) = match wronged {
            Wrong::Io(error) => (0, error.to_string()),
            Wrong::Damaged { line, why } => (line, why.to_string()),
            Wrong::Game { line, number, why } => (line, format!("game {number}: {why}")),
            Wrong::Change { line, why } => (line, format!("a change: {why}")),
        };
        Wronged { file: JOURNAL.into(), why: format!("line {line}: {why}"), other_release: false }
    };
    change(&journal, &mut plan, manifest.hash()).map_err(unread)?;
    entrants(files, &plan)?;
    let mut course = Course::of(&plan);
    let read = journalled(&journal, &plan, &mut course, |_| Ok(())).map_err(unread)?;
    let unfinished = course.played() < course.total();
    if !unfinished {
        derived(files, &plan, &course, &read)?;
    } else if files.0.contains_key(INDEX) {
        return wrong(JOURNAL, "there are results, but not all games");
    }
    let numbers = (0..course.settled.len()).filter(|number| course.settled.has_result(*number));
    let record = |number: usize| {
        let at = read.places.get(number)? as usize;
        let line = &journal[at..];
        let from = at + line.iter().position(|byte| *byte == b'{')?;
        Some((number, from as u64, (at + line.iter().position(|byte| *byte == b'\n')? + 1) as u64))
    };
    let wide = Game::named(&manifest.ruleset).is_ok_and(|game| game.wide);
    Ok(Claims { games: numbers.filter_map(record).collect(), void: course.settled.void().count(), wide, unfinished })
}

/// The manifest, and the plan that it makes with its definition.
fn begun(files: &Files<'_>) -> Result<(Manifest, Plan), Wronged> {
    let of_manifest = |error: ManifestError| {
        let other_release = matches!(error, ManifestError::OtherForm { .. });
        Wronged { file: MANIFEST.into(), why: error.to_string(), other_release }
    };
    let text = files.text(MANIFEST)?;
    let manifest = Manifest::parse(text).map_err(of_manifest)?;
    manifest.check_seal().map_err(of_manifest)?;
    if manifest.to_text() != text {
        return wrong(MANIFEST, "it is not in its canonical encoding");
    }
    if manifest.semantics != semantics_id(&manifest.ruleset) {
        let why = format!("it was played under other rules, limits or prices: use {}", manifest.build);
        return Err(Wronged { file: MANIFEST.into(), why, other_release: true });
    }
    let text = files.text(DEFINITION)?;
    if !manifest.is_of(text.as_bytes()) {
        return wrong(DEFINITION, "it does not have the hash that the manifest names");
    }
    let definition = Definition::parse(text).or_else(|error| wrong(DEFINITION, error))?;
    if definition.to_toml() != text {
        return wrong(DEFINITION, "it is not in its canonical encoding");
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
    let is_bot = |name: &str| name.strip_prefix(ENTRANTS).is_some_and(|rest| rest.starts_with('/'));
    let bots = plan.entrants.iter().filter_map(|entrant| Some(layout::bot_file(entrant.id.hash()?)));
    let known: Vec<String> = bots.collect();
    match files.0.keys().find(|name| is_bot(name) && !known.contains(name)) {
        Some(name) => wrong(name, "it is no entrant's"),
        None => Ok(()),
    }
}

/// The index and every byte of the results follow from the journal.
fn derived(files: &Files<'_>, plan: &Plan, course: &Course, read: &Journalled) -> Result<(), Wronged> {
    if read.end.tail == Tail::Cut {
        return wrong(JOURNAL, "bytes follow its last line");
    }
    same(files, INDEX, &index_text(course.settled.len(), course.counted(), &read.places))?;
    let summary = Summary::of(plan, course);
    let mut names = Vec::new();
    for (name, pieces) in summary.files() {
        let name = format!("{RESULTS}/{name}");
        same(files, &name, &pieces.collect::<String>())?;
        names.push(name);
    }
    let is_result = |name: &str| name.strip_prefix(RESULTS).is_some_and(|rest| rest.starts_with('/'));
    match files.0.keys().find(|name| is_result(name) && !names.contains(name)) {
        Some(name) => wrong(name, "it does not follow from the journal"),
        None => Ok(()),
    }
}

fn same(files: &Files<'_>, name: &str, expected: &str) -> Result<(), Wronged> {
    let found = files.bytes(name)?;
    if found == expected.as_bytes() {
        return Ok(());
    }
    let at = found.iter().zip(expected.as_bytes()).take_while(|(found, expected)| found == expected).count();
    wrong(name, format!("byte {at} is not what follows from the journal"))
}
