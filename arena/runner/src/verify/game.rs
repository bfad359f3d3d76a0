//! Verifying the record of one game.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena_files::read_at_most;
use arena_ledger::{BEGUN_OTHERWISE, BYTE_ORDER_MARK, has_other_line_ends};
use arena_record::{Budgets, EntrantId, ParseRecordError, Record};
use arena_referee::compare::{Parting, first, shown};
use arena_referee::endings;
use arena_rules::{BySeat, Seat};
use arena_sandbox::WALL_MS_DEFAULT;
use arena_tournaments::limits;
use arena_worker::Wall;

use super::files::edited;
use super::{Coverage, Difference, Finding, Flaw, Incomplete, Stop, Verified, VerifyError, verified};
use crate::{
    Archive, ArchiveError, Contender, Fixture, FolderError, GameTerms, Host, JournalError, LoadError, Named, layout,
    semantics_id,
};

/// Files of a folder that are searched for a bot.
const FILES_MAX: usize = 1_000;

/// A folder of bots, found by the hash of their bytes whatever their files' names are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotFolder(PathBuf);

impl BotFolder {
    /// The bots in `path`.
    pub fn new(path: &Path) -> BotFolder {
        BotFolder(path.into())
    }

    /// The bots of the tournament in a folder.
    pub fn of_tournament(folder: &Path) -> BotFolder {
        BotFolder(folder.join(layout::ENTRANTS))
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// The bytes with this hash, at most `bytes_max` of them; `None` if no file has it.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn find(&self, id: &EntrantId, bytes_max: u64) -> Result<Option<Vec<u8>>, VerifyError> {
        let Some(hash) = id.hash() else { return Ok(None) };
        let has_hash = |bytes: &Vec<u8>| EntrantId::of_bytes(bytes) == *id;
        if let Some(bytes) = read_at_most(&self.0.join(format!("{hash}.wasm")), bytes_max).ok().filter(has_hash) {
            return Ok(Some(bytes));
        }
        let unreadable = |source| VerifyError::Io { action: "read", path: self.0.clone(), source };
        for entry in fs::read_dir(&self.0).map_err(unreadable)?.take(FILES_MAX) {
            let path = entry.map_err(unreadable)?.path();
            if path.extension().is_none_or(|ending| ending != "wasm") || !path.is_file() {
                continue;
            }
            if let Some(bytes) = read_at_most(&path, bytes_max).ok().filter(has_hash) {
                return Ok(Some(bytes));
            }
        }
        Ok(None)
    }
}

/// Verifies a game of the finished tournament in `folder`, by its number in the schedule: its record against that
/// schedule, then by playing it again. The bots are the tournament's, unless others are given. The folder's other games
/// are not played.
///
/// # Errors
/// When there is no verdict: the game has no record, a bot is missing, or the machine failed.
pub fn verify_game(
    folder: &Path,
    number: usize,
    bots: Option<&BotFolder>,
    host: &dyn Host,
) -> Result<Verified, VerifyError> {
    let mut coverage = Coverage { games: 1, ..Coverage::default() };
    let finding = of_tournament(folder, number, bots, host, &mut coverage);
    verified(finding.map_err(|stop| edited(folder, stop)), coverage)
}

fn of_tournament(
    folder: &Path,
    number: usize,
    bots: Option<&BotFolder>,
    host: &dyn Host,
    coverage: &mut Coverage,
) -> Result<Finding, Stop> {
    let unread = |unread| match unread {
        ArchiveError::Folder(FolderError::OtherForm { theirs, build, .. }) => {
            Stop::Found(Finding::OtherForm { theirs: shown(&theirs), build: shown(&build) })
        }
        ArchiveError::Index => Stop::content(layout::INDEX, unread),
        ArchiveError::Journal(JournalError::Unreadable { .. }) => Stop::content(layout::JOURNAL, unread),
        unread => Stop::Cannot(unread.into()),
    };
    let record = Archive::open(folder).and_then(|archive| archive.record(number)).map_err(unread)?;
    if super::folder::game(folder, number)?.as_ref() != Some(&record) {
        return Err(Stop::content(layout::INDEX, format!("it does not lead to game {number} in the journal")));
    }
    let of_tournament = BotFolder::of_tournament(folder);
    let name = shown(&format!("{}#{number}", folder.display()));
    whole(&name, record.to_text().as_bytes(), Some(bots.unwrap_or(&of_tournament)), host, coverage)
}

/// Verifies the record of one game, given as the bytes of the file `name`. Without `bots` only the rules are checked,
/// unless no player needs a bot's bytes. A person's actions are taken from the record.
///
/// # Errors
/// When there is no verdict: a bot is missing, or the machine failed.
pub fn verify_record(
    name: &str,
    bytes: &[u8],
    bots: Option<&BotFolder>,
    host: &dyn Host,
) -> Result<Verified, VerifyError> {
    let mut coverage = Coverage { games: 1, ..Coverage::default() };
    let finding = whole(&shown(name), bytes, bots, host, &mut coverage);
    verified(finding, coverage)
}

fn whole(
    name: &str,
    bytes: &[u8],
    bots: Option<&BotFolder>,
    host: &dyn Host,
    coverage: &mut Coverage,
) -> Result<Finding, Stop> {
    let text = std::str::from_utf8(bytes).map_err(|_| Stop::damaged(name, Flaw::NotText))?;
    let record = Record::parse(text).map_err(|error| not_a_record(name, text, &error))?;
    let header = &record.header;
    let ours = semantics_id(&header.ruleset);
    if header.semantics != ours {
        let (theirs, build) = (shown(&header.semantics), shown(&header.build));
        return Err(Stop::Found(Finding::OtherSemantics { theirs, ours, build }));
    }
    let build = coverage.note_build(&header.build);
    if !may_be_given(&header.budgets) {
        return Err(Stop::content(name, "no tournament gives budgets like these"));
    }
    let differs = |parting: Parting| {
        let Parting { turn, seat, what, expected, found } = parting;
        let (file, what, build) = (name.into(), what.into(), build.clone());
        Stop::differs(Difference { file, game: None, turn, seat, what, expected, found, build })
    };
    arena_referee::check(&record).map_err(|divergence| {
        let (expected, found) = ("a game by the rules".into(), shown(&divergence.to_string()));
        differs(Parting { turn: None, seat: None, what: "the game", expected, found })
    })?;
    let record = Arc::new(record);
    let Some((contenders, persons)) = seated(&record, bots, host)? else {
        coverage.by_rules = 1;
        return Ok(Finding::Incomplete(Incomplete::NoBots));
    };
    let terms = GameTerms::new(
        &record.header.ruleset,
        &record.header.options,
        record.header.budgets,
        Wall::Milliseconds(WALL_MS_DEFAULT),
    );
    let game = terms.game(record.header.seed.0, &BySeat::from(contenders.iter().collect::<Vec<_>>()));
    let finished = host.play(&Fixture { endings: endings(&record), ..game });
    let finished = finished.map_err(|source| VerifyError::Game { number: 0, source })?;
    coverage.platform_faults = finished.platform_faults.into();
    let played = finished.ended.into_record().map_err(|source| VerifyError::Void { number: 0, source })?;
    if let Some(parting) = first(&played, &record) {
        return Err(differs(parting));
    }
    if persons == contenders.len() {
        coverage.by_rules = 1;
        return Ok(Finding::Incomplete(Incomplete::Persons));
    }
    coverage.played = 1;
    Ok(Finding::Identical)
}

/// Why a text is not a record: first what an editor does, then what this release does not know.
fn not_a_record(name: &str, text: &str, error: &ParseRecordError) -> Stop {
    if has_other_line_ends(text.as_bytes()) {
        return Stop::Found(Finding::LineEnds { file: name.into() });
    }
    if text.starts_with(BYTE_ORDER_MARK) {
        return Stop::content(name, BEGUN_OTHERWISE);
    }
    if !text.ends_with('\n') && Record::parse(&format!("{text}\n")).is_ok() {
        return Stop::content(name, "the newline at its end is missing: get the file again as it was");
    }
    if let ParseRecordError::Format(theirs) = error {
        // Its other fields may have other meanings, but for this note.
        let build = text.split_once("\"build\":\"").and_then(|(_, rest)| rest.split('"').next());
        let (theirs, build) = (shown(theirs), shown(build.unwrap_or("a later release")));
        return Stop::Found(Finding::OtherForm { theirs, build });
    }
    Stop::content(name, with_source(error))
}

/// The players, ready to play again, and how many of them are persons. `None` if a bot's bytes are needed that are not
/// in the gallery, and no folder of bots was given.
fn seated(
    record: &Arc<Record>,
    bots: Option<&BotFolder>,
    host: &dyn Host,
) -> Result<Option<(Vec<Contender>, usize)>, Stop> {
    let wrong = |why: String| Stop::content("the record", why);
    let mut loaded: BTreeMap<&EntrantId, Contender> = BTreeMap::new();
    let mut contenders = Vec::new();
    let mut persons = 0;
    for (id, seat) in record.header.entrants.iter().zip(0..) {
        let contender = if let Some(contender) = loaded.get(id) {
            contender.clone()
        } else if id.baseline().is_some() {
            let known = Contender::of_baseline(&record.header.ruleset, id);
            known.ok_or_else(|| wrong(format!("{id} is not a built-in opponent of this release")))?
        } else if id.person().is_some() {
            persons += 1;
            Contender::Recorded(record.clone(), Seat(seat))
        } else {
            let budgets = &record.header.budgets;
            let found = bots.map(|folder| folder.find(id, budgets.module_bytes)).transpose()?.flatten();
            let loaded = match (found, Named::of_id(&record.header.ruleset, id), bots) {
                (Some(bytes), ..) => host.load(&bytes, budgets),
                (None, Some(released), _) => released.load(host, budgets),
                (None, None, None) => return Ok(None),
                (None, None, Some(folder)) => {
                    return Err(VerifyError::NoBot { folder: folder.path().into(), id: id.clone() }.into());
                }
            };
            loaded.map_err(|error| match error {
                LoadError::Refused(refusal) if refusal.code.is_the_machines() => VerifyError::Compile(refusal).into(),
                LoadError::Refused(refusal) => wrong(format!("{id} is not a bot: {refusal}")),
                LoadError::Worker(error) => Stop::Cannot(error.into()),
            })?
        };
        if id.person().is_none() {
            loaded.insert(id, contender.clone());
        }
        contenders.push(contender);
    }
    Ok(Some((contenders, persons)))
}

/// Whether a definition could have these budgets: a forged record could ask for years of work.
pub(crate) fn may_be_given(budgets: &Budgets) -> bool {
    let Budgets { fuel_per_move, fuel_per_game, fuel_at_start, memory_bytes, module_bytes } = *budgets;
    let fuel = 1..=limits::FUEL_MAX;
    fuel.contains(&fuel_per_move)
        && fuel_per_game.is_none_or(|bank| fuel.contains(&bank))
        && fuel.contains(&fuel_at_start)
        && (limits::MEMORY_PAGE_BYTES..=limits::MEMORY_BYTES_MAX).contains(&memory_bytes)
        && memory_bytes % limits::MEMORY_PAGE_BYTES == 0
        && (1..=limits::MODULE_BYTES_MAX).contains(&module_bytes)
}

fn with_source(error: &dyn std::error::Error) -> String {
    let source = error.source().map(|source| format!(": {source}")).unwrap_or_default();
    format!("{error}{source}")
}
