//! A tournament's folder.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use arena_record::Record;
use arena_rules::{BySeat, Rng};
use arena_tournaments::{Definition, limits};

use super::compare::{Parting, first, shown};
use super::files::{self, UNKNOWN, cannot, is_missing};
use super::{Depth, Difference, Stop, Verdict, Verified, VerifyError};
use crate::course::Course;
use crate::folder::{Frozen, MANIFEST_BYTES_MAX, Manifest, Plan, frozen, loaded};
use crate::journal::{self, ReadError, Tail};
use crate::layout::{self, RESULTS_NEW, RESULTS_OLD};
use crate::results::Summary;
use crate::{Contender, Ended, FolderError, Host, ManifestError, Misfit, Progress, Table, build_id, semantics_id};

/// Verifies the tournament in the folder `path`, on so many threads. Writes nothing. `seen` is told after every game.
///
/// # Errors
/// When it cannot be said: a file cannot be read, or the machine failed.
pub fn verify_folder(
    path: &Path,
    host: &Host,
    depth: Depth,
    threads: usize,
    seen: impl Fn(Progress) + Sync,
) -> Result<Verified, VerifyError> {
    let mut verified = Verified::nothing_yet();
    let verdict = match every_layer(path, host, depth, threads, &seen, &mut verified) {
        Ok(None) => Verdict::Identical,
        Ok(Some(why)) => Verdict::Incomplete(why),
        Err(Stop::Found(verdict)) => verdict,
        Err(Stop::Cannot(error)) => return Err(error),
    };
    Ok(Verified { verdict, ..verified })
}

/// A game of the journal.
struct Journalled {
    line: usize,
    ended: Ended,
}

/// Everything; why it is not complete, where it is not.
fn every_layer(
    path: &Path,
    host: &Host,
    depth: Depth,
    threads: usize,
    seen: &(impl Fn(Progress) + Sync),
    verified: &mut Verified,
) -> Result<Option<String>, Stop> {
    if !path.join(layout::MANIFEST).exists() && !path.join(layout::RESULTS).exists() {
        return Err(Stop::Cannot(VerifyError::NoTournament(path.into())));
    }
    let mut names = files::list(path)?;
    let (manifest, definition, plan) = start(path)?;
    note_build(verified, &manifest.build);
    let frozen_entrants = entrants(path, &manifest, &definition)?;
    let mut course = Course::of(&plan);
    verified.games = course.schedule.len();
    let (games, tail) = journalled(path, &plan, &mut course)?;
    verified.games = course.schedule.len();
    for record in games.values().filter_map(|game| game.ended.record()) {
        note_build(verified, &record.header.build);
    }
    verified.void = course.settled.void.len();
    let unfinished = derived(path, &mut names, &manifest, (&plan, &course), &games, tail)?;
    replay((&plan, &course), &frozen_entrants, &definition, &games, Run { host, depth, threads, seen }, verified)?;
    let void = games.values().filter(|game| game.ended.record().is_none()).count();
    Ok(unfinished.or_else(|| {
        (void > 0).then(|| format!("whether bots' processes died in {void} void games cannot be computed again"))
    }))
}

fn note_build(verified: &mut Verified, build: &str) {
    if build != build_id() {
        verified.other_builds.insert(shown(build));
    }
}

/// Manifest and definition, and what they make.
fn start(path: &Path) -> Result<(Manifest, Definition, Plan), Stop> {
    let wrong = |error: ManifestError| match error {
        ManifestError::OtherForm { theirs, build } => {
            Stop::Found(Verdict::OtherForm { theirs: shown(&theirs), build: shown(&build) })
        }
        error => Stop::damaged(layout::MANIFEST, shown(&error.to_string())),
    };
    let text = files::read_text(path, layout::MANIFEST, MANIFEST_BYTES_MAX)?;
    let manifest = Manifest::parse(&text).map_err(wrong)?;
    manifest.check_seal().map_err(wrong)?;
    if manifest.to_text() != text {
        return Err(Stop::damaged(layout::MANIFEST, "it is not in its one spelling"));
    }
    let ours = semantics_id(&manifest.ruleset);
    if manifest.semantics != ours {
        let (theirs, build) = (shown(&manifest.semantics), shown(&manifest.build));
        return Err(Stop::Found(Verdict::OtherSemantics { theirs, ours, build }));
    }
    let text = files::read_text(path, layout::DEFINITION, limits::DEFINITION_BYTES_MAX as u64)?;
    if !manifest.is_of(text.as_bytes()) {
        return Err(Stop::damaged(layout::DEFINITION, "it does not have the hash that the manifest names"));
    }
    let definition = Definition::parse(&text);
    let definition = definition.map_err(|error| Stop::damaged(layout::DEFINITION, shown(&error.to_string())))?;
    if definition.to_toml() != text {
        return Err(Stop::damaged(layout::DEFINITION, "it is not in its complete spelling"));
    }
    let plan = Plan::of(&definition, &manifest).map_err(wrong)?;
    Ok((manifest, definition, plan))
}

/// The entrants by their bytes.
fn entrants(path: &Path, manifest: &Manifest, definition: &Definition) -> Result<Vec<Frozen>, Stop> {
    let wrong = |error| match error {
        FolderError::Damaged { path: file, why } => {
            let file = file.strip_prefix(path).unwrap_or(&file).to_string_lossy().into_owned();
            Stop::damaged(&shown(&file), shown(&why.to_string()))
        }
        FolderError::Io { path: file, source, .. } if is_missing(&source) => {
            let file = file.strip_prefix(path).unwrap_or(&file).to_string_lossy().into_owned();
            Stop::damaged(&shown(&file), "it is missing")
        }
        error => Stop::Cannot(VerifyError::Folder(error)),
    };
    frozen(path, manifest, definition).map_err(wrong)
}

/// The games of the journal, each of the schedule and there once, by their numbers.
fn journalled(path: &Path, plan: &Plan, course: &mut Course) -> Result<(BTreeMap<usize, Journalled>, Tail), Stop> {
    let mut games: BTreeMap<usize, Journalled> = BTreeMap::new();
    let file = path.join(layout::JOURNAL);
    let wrong = |line: usize, number: usize, why: &str| {
        Stop::damaged(layout::JOURNAL, format!("line {line}, game {number}: {why}"))
    };
    let misfit = |line: usize, number: usize, why: Misfit| wrong(line, number, &shown(&why.to_string()));
    let read = journal::read(&file, |line, number, ended| {
        // Games of later rounds are checked when it is known which they are.
        course.check(plan, number, &ended).unwrap_or(Ok(())).map_err(|why| misfit(line, number, why))?;
        match games.insert(number, Journalled { line, ended }) {
            None => Ok(()),
            Some(before) => Err(wrong(line, number, &format!("line {} has it, too", before.line))),
        }
    });
    let tail = read.map_err(|error| match error {
        ReadError::Io(error) if is_missing(&error) => Stop::damaged(layout::JOURNAL, "it is missing"),
        ReadError::Io(error) => cannot("read", &file)(error),
        ReadError::Damaged { line, why } => {
            Stop::damaged(layout::JOURNAL, format!("line {line}: {}", shown(&why.to_string())))
        }
        ReadError::TooLong { line } => {
            Stop::damaged(layout::JOURNAL, format!("line {line}: it is longer than any game"))
        }
        ReadError::Taker(stop) => stop,
    })?;
    let settled = course.settle(plan, |number| games.get(&number).map(|game| &game.ended));
    settled.map_err(|(number, why)| misfit(games.get(&number).map_or(0, |game| game.line), number, why))?;
    match games.range(course.schedule.len()..).next() {
        Some((number, game)) => Err(misfit(game.line, *number, Misfit::NotScheduled)),
        None => Ok((games, tail)),
    }
}

/// The names in the folder, and every byte of the results. Why the tournament is not finished, where it is not.
fn derived(
    path: &Path,
    names: &mut BTreeSet<String>,
    manifest: &Manifest,
    (plan, course): (&Plan, &Course),
    games: &BTreeMap<usize, Journalled>,
    tail: Tail,
) -> Result<Option<String>, Stop> {
    let bots = manifest.entrants.iter().filter_map(|entrant| Some(layout::bot_file(entrant.id.hash()?)));
    let entrants = format!("{}/", layout::ENTRANTS);
    let own = [layout::DEFINITION, layout::MANIFEST, layout::JOURNAL, &entrants].map(String::from);
    for name in own.into_iter().chain(bots) {
        names.remove(&name);
    }
    let (played, total) = (course.played(), course.total());
    let has_results = names.iter().any(|name| name.starts_with("results/"));
    let is_leftover = |name: &&String| {
        let within = |folder: &str| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        within(RESULTS_NEW) || within(RESULTS_OLD)
    };
    let leftovers = names.iter().filter(is_leftover).count();
    let mut unfinished = None;
    if has_results {
        if played < total || tail == Tail::Cut {
            let why = match played < total {
                true => format!("it has {played} of {total} games, and yet there are results"),
                false => "bytes follow its last line".into(),
            };
            return Err(Stop::damaged(layout::JOURNAL, why));
        }
        let record = |number: &usize| Some((*number, games.get(number)?.ended.record()?));
        let counted: BTreeMap<usize, &Record> = course.settled.counted.iter().filter_map(record).collect();
        results_agree(path, names, (plan, course), &counted)?;
    } else if played < total {
        unfinished = Some(format!("the tournament is not finished: {played} of {total} games are played"));
    } else {
        unfinished = Some("the tournament is not finished: its results are not written".into());
    }
    if leftovers > 0 {
        names.retain(|name| !is_leftover(&name));
        unfinished.get_or_insert_with(|| {
            format!("{leftovers} files in {RESULTS_NEW} or {RESULTS_OLD} are left of a run that was killed, and are nobody's word")
        });
    }
    match names.first() {
        Some(strange) => Err(Stop::damaged(&shown(strange), UNKNOWN)),
        None => Ok(unfinished),
    }
}

/// Every file in `results/` is what the journal makes it; takes their names away.
fn results_agree(
    path: &Path,
    names: &mut BTreeSet<String>,
    (plan, course): (&Plan, &Course),
    records: &BTreeMap<usize, &Record>,
) -> Result<(), Stop> {
    names.remove("results/");
    names.remove(&format!("results/{}/", layout::GAMES));
    for (number, record) in records {
        let name = layout::record_file(*number);
        agrees(path, &name, &record.to_text(), Some((*number, record)))?;
        names.remove(&name);
    }
    let summary = Summary::of(plan, course, |number| records.get(&number).copied());
    for (name, text) in summary.files() {
        let name = format!("results/{name}");
        agrees(path, &name, &text, None)?;
        names.remove(&name);
    }
    Ok(())
}

/// A derived file has the bytes it must have.
fn agrees(path: &Path, name: &str, expected: &str, game: Option<(usize, &Record)>) -> Result<(), Stop> {
    // One byte more is enough to see that there are more.
    let found = files::read(path, name, expected.len() as u64 + 1)?;
    if found == expected.as_bytes() {
        return Ok(());
    }
    let record = std::str::from_utf8(&found).ok().and_then(|text| Record::parse(text).ok());
    let parting = game.zip(record.as_ref()).and_then(|((_, expected), found)| first(expected, found));
    let at = expected.bytes().zip(&found).take_while(|(expected, found)| expected == *found).count();
    let bytes = |bytes: &[u8]| match bytes.get(at..) {
        None | Some([]) => "the end of the file".into(),
        Some(rest) => shown(&String::from_utf8_lossy(&rest[..rest.len().min(24)])),
    };
    let (expected, found) = (bytes(expected.as_bytes()), bytes(&found));
    let parting = parting.unwrap_or(Parting { turn: None, seat: None, what: "", expected, found });
    let what = if parting.what.is_empty() { format!("byte {at}") } else { parting.what.into() };
    let Parting { turn, seat, expected, found, .. } = parting;
    let game = game.map(|(number, _)| number);
    Err(Stop::differs(Difference {
        file: format!("{name} against the journal"),
        game,
        turn,
        seat,
        what,
        expected,
        found,
        build: None,
    }))
}

/// How games are played again.
struct Run<'a, S> {
    host: &'a Host,
    depth: Depth,
    threads: usize,
    seen: &'a S,
}

/// Plays the games again, or as many as are drawn; the others are replayed by the rules. The first that differs, in the
/// order of the schedule, whatever the threads.
fn replay<S: Fn(Progress) + Sync>(
    (plan, course): (&Plan, &Course),
    frozen: &[Frozen],
    definition: &Definition,
    games: &BTreeMap<usize, Journalled>,
    run: Run<'_, S>,
    verified: &mut Verified,
) -> Result<(), Stop> {
    let is_played = |(number, game): (&usize, &Journalled)| game.ended.record().map(|_| *number);
    let numbers: Vec<usize> = games.iter().filter_map(is_played).collect();
    let drawn = draw(&numbers, run.depth);
    if matches!(run.depth, Depth::Sample { .. }) {
        verified.sampled_from = Some(numbers.len());
    }
    let contenders = match drawn.is_empty() {
        true => Vec::new(),
        false => loaded(frozen, run.host, &definition.budgets).map_err(|error| match error {
            FolderError::Refused { name, refusal } if !refusal.code.is_the_machines() => {
                Stop::damaged("entrants/", format!("the bot of {name:?} is none: {}", shown(&refusal.to_string())))
            }
            error => Stop::Cannot(VerifyError::Folder(error)),
        })?,
    };
    let table = Table::on(plan.terms.clone());
    let check = |number: usize| -> Result<(), Stop> {
        let Some((game, Journalled { line, ended: Ended::Played(record) })) =
            course.schedule.get(number).zip(games.get(&number))
        else {
            return Ok(());
        };
        let build = (record.header.build != build_id()).then(|| shown(&record.header.build));
        let differs = |parting: Parting| {
            let Parting { turn, seat, what, expected, found } = parting;
            let (file, game, what) = (format!("journal, line {line}"), Some(number), what.into());
            Stop::differs(Difference { file, game, turn, seat, what, expected, found, build })
        };
        if !drawn.contains(&number) {
            let expected = "a game by the rules".into();
            let parting = |found| Parting { turn: None, seat: None, what: "the game", expected, found };
            let replayed = arena_referee::check(record);
            return replayed.map_err(|divergence| differs(parting(shown(&divergence.to_string()))));
        }
        let seats: BySeat<&Contender> = game.seats.clone().map(|entrant| &contenders[entrant]);
        let played = table.play(game.seed, &seats);
        let played = played.map_err(|source| Stop::Cannot(VerifyError::Game { number, source }))?;
        first(&played, record).map_or(Ok(()), |parting| Err(differs(parting)))
    };
    let next = AtomicUsize::new(0);
    let checked = AtomicUsize::new(0);
    let end = AtomicUsize::new(numbers.len());
    let found: Mutex<BTreeMap<usize, Stop>> = Mutex::new(BTreeMap::new());
    let work = || loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        // Games are given out in order, so those before the first that differs are all checked.
        if at >= end.load(Ordering::Relaxed) {
            return;
        }
        if let Err(stop) = check(numbers[at]) {
            end.fetch_min(at, Ordering::Relaxed);
            found.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(at, stop);
        }
        (run.seen)(Progress { played: checked.fetch_add(1, Ordering::Relaxed) + 1, total: numbers.len() });
    };
    thread::scope(|scope| {
        for _ in 0..run.threads.clamp(1, numbers.len().max(1)) {
            scope.spawn(work);
        }
    });
    verified.platform_faults = table.platform_faults();
    let found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    let whole = found.first_key_value().map_or(numbers.len(), |(at, _)| *at);
    verified.played = numbers[..whole].iter().filter(|number| drawn.contains(number)).count();
    verified.by_rules = whole - verified.played;
    found.into_values().next().map_or(Ok(()), Err)
}

/// Which games are played again.
fn draw(numbers: &[usize], depth: Depth) -> BTreeSet<usize> {
    let Depth::Sample { games, seed } = depth else { return numbers.iter().copied().collect() };
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut drawn = numbers.to_vec();
    Rng::new(&key, 0).shuffle(&mut drawn);
    drawn.truncate(games);
    drawn.into_iter().collect()
}
