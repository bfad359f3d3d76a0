//! A tournament on disk.
//!
//! ```text
//! definition.toml    what was asked for, with all defaults written out
//! entrants/          the bots' bytes, each file named by its SHA-256
//! manifest.json      who plays, frozen, with a checksum: written last, so a folder with one has started
//! journal            finished games, as they finished (see `Journal`)
//! results/           derived from the journal in schedule order: the same bytes whatever the threads or restarts
//!   standings.json  standings.csv  standings.txt
//!   fairness.json  fairness.txt     what the first seat was worth, who sat where, seeds, forfeits, repeated games
//!   crosstable.svg  ratings.svg     the standings as pictures
//!   games/00000.json ...            the record of every game that counts, by its number in the schedule
//! ```

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::sync::{Mutex, PoisonError};
use std::thread;

use arena_baselines::UnknownOpponent;
use arena_record::{Budgets, EntrantId, Hex, Record};
use arena_rules::{BySeat, Seat};
use arena_sandbox::{Refusal, Wall};
use arena_tournaments::{
    Definition, Entrant, GameResult, Ranking, ScheduledGame, Source, field_schedule, limits, schedule,
};
use arena_wire::UnknownGame;
use arena_worker::WorkerError;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::journal::{Ended, JournalError};
use crate::results::Summary;
use crate::settlement::{Settlement, settle};
use crate::{Contender, Host, Journal, LoadError, Table, TableError, Void, build_id, results, semantics_id};

/// The version of the folder's form.
const FORMAT: &str = "arena-tournament/3";
/// The most games a tournament may have: all records are held in memory, about 4 kB each.
pub const GAMES_MAX: usize = 200_000;
/// The longest manifest that is read, in bytes: 64 entrants take a tenth of it.
pub(crate) const MANIFEST_BYTES_MAX: u64 = 128 << 10;
/// What is wrong with a manifest that was changed.
pub(crate) const UNSEALED: &str = "its checksum does not fit";
/// Where results are written before they are put in their place.
pub(crate) const RESULTS_NEW: &str = "results.new";
/// Where results are that others replace.
pub(crate) const RESULTS_OLD: &str = "results.old";

/// What is frozen when a tournament starts.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Manifest {
    format: String,
    pub(crate) ruleset: String,
    pub(crate) semantics: String,
    pub(crate) build: String,
    pub(crate) definition: Hex<32>,
    pub(crate) entrants: Vec<ManifestEntrant>,
    pub(crate) games: usize,
    /// The first bytes of the SHA-256 of this text with zeros here: the build above is nobody's hash otherwise.
    checksum: Hex<8>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ManifestEntrant {
    pub(crate) name: String,
    pub(crate) id: EntrantId,
}

impl Manifest {
    /// With the checksum that it must have.
    fn sealed(self) -> Manifest {
        let open = Manifest { checksum: Hex([0; 8]), ..self };
        let [a, b, c, d, e, f, g, h, ..]: [u8; 32] = Sha256::digest(open.to_text()).into();
        Manifest { checksum: Hex([a, b, c, d, e, f, g, h]), ..open }
    }

    /// Whether it is as it was written.
    pub(crate) fn is_sealed(&self) -> bool {
        self.clone().sealed() == *self
    }

    /// The one text of this manifest.
    pub(crate) fn to_text(&self) -> String {
        // Strings and numbers always serialise.
        serde_json::to_string_pretty(self).unwrap_or_default() + "\n"
    }

    /// What a text says. Whether it is [sealed](Manifest::is_sealed) is for later: another release may seal otherwise.
    pub(crate) fn parse(text: &str) -> Result<Manifest, String> {
        #[derive(Deserialize)]
        struct Any {
            format: String,
        }

        let Any { format } = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if format != FORMAT {
            return Err(format!("its format is {format:?}, this release reads {FORMAT:?}"));
        }
        serde_json::from_str(text).map_err(|error| error.to_string())
    }
}

/// An entrant as it was frozen. Bots are compiled when there is a game to play: reading a finished tournament needs none.
pub(crate) enum Frozen {
    BuiltIn(Contender),
    Bot { name: String, bytes: Vec<u8> },
}

/// A tournament that has started.
pub struct Folder {
    path: PathBuf,
    build: String,
    entrants: Vec<Entrant>,
    frozen: Vec<Frozen>,
    host: Host,
    budgets: Budgets,
    seats: u8,
    schedule: Vec<ScheduledGame>,
    table: Table,
    journal: Journal,
    ended: BTreeMap<usize, Ended>,
    settled: Settlement,
    begins: Option<Begins>,
}

/// Who is told of every game that begins, by its number in the schedule.
type Begins = Box<dyn Fn(usize) + Send + Sync>;

/// A bot whose file is not what it was when the tournament started. The frozen bytes play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Changed {
    /// The entrant's name.
    pub name: String,
}

/// How far a tournament is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Games that need not be played any more: they have ended, or somebody in them is quarantined.
    pub played: usize,
    /// Games of the schedule.
    pub total: usize,
}

/// A finished tournament.
pub struct Played {
    /// The final standings.
    pub ranking: Ranking,
    /// Games of the schedule; all of them were played, or are void as the standings say.
    pub games: usize,
    /// Games that were played again because the machine failed, in this run.
    pub platform_faults: u64,
}

/// Why a tournament cannot be started, gone on with or finished.
#[derive(Debug, thiserror::Error)]
pub enum FolderError {
    /// A file or folder cannot be read or written.
    #[error("cannot {action} {path}")]
    Io {
        /// What was tried.
        action: &'static str,
        /// With what.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The folder has other files in it.
    #[error("{0} is not empty and is not a tournament: choose another folder with --out")]
    Occupied(PathBuf),
    /// The folder holds no tournament that could be gone on with.
    #[error(
        "no tournament has started in {0}: start one with `arena tournament run DEFINITION.toml --out` and this folder"
    )]
    NotStarted(PathBuf),
    /// The folder holds another tournament.
    #[error("{0} holds a tournament of another definition: choose another folder with --out, or remove this one")]
    OtherDefinition(PathBuf),
    /// The folder was started by a release whose verdicts are not comparable.
    #[error(
        "{path} was started under semantics {theirs:.16}... by {build:?}; this release has {ours:.16}... and would give other results"
    )]
    OtherSemantics {
        /// The folder.
        path: PathBuf,
        /// Its semantics id.
        theirs: String,
        /// Ours.
        ours: String,
        /// Which build started it.
        build: String,
    },
    /// A file in the folder is not what was written.
    #[error("{path} is damaged: {why}")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// An entrant's file is not a bot.
    #[error("the entrant {name:?} is refused ({code}): {refusal}", code = refusal.code)]
    Refused {
        /// The entrant's name.
        name: String,
        /// Why.
        refusal: Refusal,
    },
    /// An entrant's bot could not be checked: a worker failed.
    #[error("the bot of entrant {name:?} could not be checked; run the same command again")]
    Worker {
        /// The entrant's name.
        name: String,
        /// How.
        source: WorkerError,
    },
    /// An entrant's file cannot be read.
    #[error(
        "cannot read the bot of entrant {name:?}, {path}: build it first (`cargo xtask bots`) or correct the definition"
    )]
    MissingBot {
        /// The entrant's name.
        name: String,
        /// Its file.
        path: PathBuf,
        /// Why it cannot be read.
        source: io::Error,
    },
    /// An entrant is no built-in opponent.
    #[error(transparent)]
    Baseline(#[from] UnknownOpponent),
    /// A ruleset or options that do not exist.
    #[error(transparent)]
    Unknown(#[from] UnknownGame),
    /// Options that exist for a study alone.
    #[error("games with the options {0:?} are for studies and never count for standings: choose other options")]
    NotForStandings(String),
    /// A number of games where pairs are asked for.
    #[error("games of two seats are played in pairs: leave `games` out and say `pairs`")]
    TwoSeats,
    /// No number of games where there must be one.
    #[error(
        "games with {0} seats are not played in pairs alone: say how many with `games`; `pairs` is for the two-seat games that break ties"
    )]
    NoGames(u8),
    /// Fewer entrants than seats.
    #[error(
        "a game has {seats} seats and there are {entrants} entrants: add entrants, or choose options with fewer seats"
    )]
    EmptySeats {
        /// Seats of a game.
        seats: u8,
        /// Entrants of the definition.
        entrants: usize,
    },
    /// More games than a tournament may have.
    #[error("this definition asks for {0} games; at most {GAMES_MAX} are played in one tournament: lower `pairs`")]
    TooManyGames(usize),
    /// The journal cannot be used.
    #[error("the journal of {path} cannot be used")]
    Journal {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: JournalError,
    },
    /// A game could not be played.
    #[error("game {number} could not be played; run the same command to go on")]
    Game {
        /// Its number in the schedule.
        number: usize,
        /// Why.
        source: TableError,
    },
}

impl FolderError {
    /// Whether the same call fails again until someone changes the folder, the definition or a bot. Otherwise the machine
    /// failed, and trying again may do.
    pub fn is_lasting(&self) -> bool {
        match self {
            // What a started folder had and has no more does not come back.
            FolderError::Io { source, .. } => source.kind() == io::ErrorKind::NotFound,
            FolderError::Worker { .. } | FolderError::MissingBot { .. } | FolderError::Game { .. } => false,
            FolderError::Journal { source, .. } => matches!(source, JournalError::Damaged { .. }),
            FolderError::Occupied(_)
            | FolderError::NotStarted(_)
            | FolderError::OtherDefinition(_)
            | FolderError::OtherSemantics { .. }
            | FolderError::Damaged { .. }
            | FolderError::Refused { .. }
            | FolderError::Baseline(_)
            | FolderError::Unknown(_)
            | FolderError::NotForStandings(_)
            | FolderError::TwoSeats
            | FolderError::NoGames(_)
            | FolderError::EmptySeats { .. }
            | FolderError::TooManyGames(_) => true,
        }
    }
}

fn io_error(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> FolderError + use<> {
    let path = path.into();
    move |source| FolderError::Io { action, path, source }
}

impl Folder {
    /// Starts the tournament of `definition` in the folder `path`, or goes on with it when it has started. Files of bots
    /// are relative to `base`. Also tells which bots' files have changed since the start.
    ///
    /// # Errors
    /// When an entrant is not playable, or the folder holds something else.
    pub fn open(
        path: &Path,
        definition: &Definition,
        base: &Path,
        host: &Host,
    ) -> Result<(Folder, Vec<Changed>), FolderError> {
        let manifest_path = path.join("manifest.json");
        if !manifest_path.exists() {
            begin(path, definition, Bots::Files(base), host)?;
        }
        let manifest = read_manifest_of(&manifest_path, definition)?;
        let changed = changed_bots(definition, &manifest, base);
        Ok((Folder::load(path, definition, &manifest, host)?, changed))
    }

    /// Like [`Folder::open`], for bots that are no files: `bots` are their bytes, by what the definition calls their
    /// files.
    ///
    /// # Errors
    /// As there; a bot without bytes is missing.
    pub fn open_given(
        path: &Path,
        definition: &Definition,
        bots: &BTreeMap<String, Vec<u8>>,
        host: &Host,
    ) -> Result<Folder, FolderError> {
        let manifest_path = path.join("manifest.json");
        if !manifest_path.exists() {
            begin(path, definition, Bots::Given(bots), host)?;
        }
        let manifest = read_manifest_of(&manifest_path, definition)?;
        Folder::load(path, definition, &manifest, host)
    }

    /// Goes on with the tournament in the folder `path`, from the folder alone.
    ///
    /// # Errors
    /// When none has started there, or the folder cannot be gone on with.
    pub fn resume(path: &Path, host: &Host) -> Result<(Folder, Definition), FolderError> {
        let manifest_path = path.join("manifest.json");
        if !manifest_path.exists() {
            return Err(FolderError::NotStarted(path.into()));
        }
        let manifest = read_manifest(&manifest_path)?;
        let file = path.join("definition.toml");
        let bytes = read_at_most(&file, limits::DEFINITION_BYTES_MAX as u64).map_err(io_error("read", &file))?;
        let damaged = |why: String| FolderError::Damaged { path: file.clone(), why };
        if manifest.definition != sha256(&bytes) {
            return Err(damaged("it is not the definition that this tournament was started with".into()));
        }
        let text = String::from_utf8(bytes).map_err(|error| damaged(error.to_string()))?;
        let definition = Definition::parse(&text).map_err(|error| damaged(error.to_string()))?;
        Ok((Folder::load(path, &definition, &manifest, host)?, definition))
    }

    fn load(path: &Path, definition: &Definition, manifest: &Manifest, host: &Host) -> Result<Folder, FolderError> {
        let ours = semantics_id(&manifest.ruleset);
        if manifest.semantics != ours {
            let (theirs, build) = (manifest.semantics.clone(), manifest.build.clone());
            return Err(FolderError::OtherSemantics { path: path.into(), theirs, ours, build });
        }
        let damaged = |why: String| FolderError::Damaged { path: path.join("manifest.json"), why };
        if !manifest.is_sealed() {
            return Err(damaged(UNSEALED.into()));
        }
        check_manifest(manifest, definition).map_err(damaged)?;
        let mut frozen_entrants = Vec::new();
        for ManifestEntrant { name, id } in &manifest.entrants {
            frozen_entrants.push(frozen(path, name, id, definition)?);
        }
        let Plan { entrants, seats, schedule, table } = Plan::of(definition, manifest);
        let journal_error = |source| FolderError::Journal { path: path.into(), source };
        let (journal, games) = Journal::open(&path.join("journal")).map_err(journal_error)?;
        let mut folder = Folder {
            path: path.into(),
            build: manifest.build.clone(),
            entrants,
            frozen: frozen_entrants,
            host: host.clone(),
            budgets: definition.budgets,
            seats,
            schedule,
            table,
            journal,
            ended: BTreeMap::new(),
            settled: Settlement::default(),
            begins: None,
        };
        for (number, game) in games {
            let damaged =
                |why: String| FolderError::Damaged { path: path.join("journal"), why: format!("game {number}: {why}") };
            folder.accept(number, game).map_err(damaged)?;
        }
        folder.settle();
        Ok(folder)
    }

    /// Takes a game from the journal, if it is one of this tournament and was played by the rules.
    fn accept(&mut self, number: usize, ended: Ended) -> Result<(), String> {
        belongs(&self.schedule, &self.entrants, &self.table, number, &ended)?;
        if let Some(record) = ended.record() {
            arena_referee::check(record).map_err(|divergence| divergence.to_string())?;
        }
        match self.ended.insert(number, ended) {
            None => Ok(()),
            Some(_) => Err("it is there twice".into()),
        }
    }

    /// Works out anew what counts.
    fn settle(&mut self) {
        self.settled = settle(&self.schedule, |number| self.ended.get(&number));
    }

    /// Has `told` called whenever a game begins, with its number in the schedule, by the thread that plays it.
    pub fn on_begin(&mut self, told: impl Fn(usize) + Send + Sync + 'static) {
        self.begins = Some(Box::new(told));
    }

    /// How far the tournament is.
    pub fn progress(&self) -> Progress {
        let total = self.schedule.len();
        Progress { played: total - self.settled.open.len(), total }
    }

    /// Which build started the tournament.
    pub fn build(&self) -> &str {
        &self.build
    }

    /// Who plays, in the order of the definition.
    pub fn entrants(&self) -> &[Entrant] {
        &self.entrants
    }

    /// The games that count so far, each with its number, in schedule order.
    pub fn records(&self) -> impl Iterator<Item = (usize, &Record)> {
        self.settled.counted.iter().filter_map(|number| Some((*number, self.record(*number)?)))
    }

    fn record(&self, number: usize) -> Option<&Record> {
        self.ended.get(&number)?.record()
    }

    /// Names of the entrants that are quarantined, each with the number of the game from which on: there, and again alone,
    /// their processes died.
    pub fn quarantined(&self) -> impl Iterator<Item = (&str, usize)> {
        self.settled.quarantined.iter().map(|(entrant, from)| (&*self.entrants[*entrant].name, *from))
    }

    /// The standings after the games played so far.
    pub fn ranking(&self) -> Ranking {
        self.summary().ranking
    }

    fn summary(&self) -> Summary {
        Summary::of(&self.schedule, &self.entrants, self.seats, &self.settled, |number| self.record(number))
    }

    /// Plays all games that are not in the journal, on so many threads, and writes the results. `played` is told after
    /// every game. Stopping the process at any moment loses no finished game, and of each thread at most the one it plays.
    ///
    /// # Errors
    /// When a bot cannot be loaded, a game not be played or a file not be written; what was finished is kept.
    pub fn run(&mut self, threads: usize, mut played: impl FnMut(Progress)) -> Result<Played, FolderError> {
        let ran = self.run_until(threads, |progress| {
            played(progress);
            ControlFlow::<Infallible>::Continue(())
        });
        let ControlFlow::Continue(played) = ran?;
        Ok(played)
    }

    /// Like [`run`](Folder::run), until `played` breaks: then the games that are being played are played to their end and
    /// kept, no others begin, and the results are not written.
    ///
    /// # Errors
    /// As there.
    pub fn run_until<B>(
        &mut self,
        threads: usize,
        mut played: impl FnMut(Progress) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B, Played>, FolderError> {
        let contenders = match self.settled.open.is_empty() {
            true => Vec::new(),
            false => loaded(&self.frozen, &self.host, &self.budgets)?,
        };
        // Once, unless a quarantine ends that kept games from being played: it may turn out that its own game is void.
        while !self.settled.open.is_empty() {
            if let ControlFlow::Break(value) = self.round(&contenders, threads, &mut played)? {
                return Ok(ControlFlow::Break(value));
            }
        }
        let summary = self.summary();
        self.write_results(&summary)?;
        let ranking = summary.ranking;
        let platform_faults = self.table.platform_faults();
        Ok(ControlFlow::Continue(Played { ranking, games: self.schedule.len(), platform_faults }))
    }

    /// Plays what is open.
    fn round<B>(
        &mut self,
        contenders: &[Contender],
        threads: usize,
        played: &mut impl FnMut(Progress) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, FolderError> {
        let open: Vec<&ScheduledGame> = self.settled.open.iter().map(|number| &self.schedule[*number]).collect();
        // From which game on somebody is not to play, as far as it is known: those games would be void.
        let quarantined = Mutex::new(self.settled.quarantined.clone());
        let next = AtomicUsize::new(0);
        let stop = AtomicBool::new(false);
        let (sender, receiver) = mpsc::sync_channel(64);
        let Progress { played: already, total } = self.progress();
        let mut syncing = self.journal.syncing().map_err(io_error("write the journal in", &self.path))?;
        let (table, path, begins) = (&self.table, &self.path, &self.begins);
        let journal = Mutex::new(&mut self.journal);
        // Whoever plays a game puts it into the journal before it begins another: a kill costs each thread one game.
        let keep = |number: usize, ended: &Ended| {
            let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
            journal.append(number, ended).map_err(io_error("write the journal in", path))
        };
        let play = |game: &ScheduledGame| {
            let number = game.number;
            begins.iter().for_each(|told| told(number));
            let seats: BySeat<&Contender> = game.seats.clone().map(|entrant| &contenders[entrant]);
            let ended = match table.play(game.seed, &seats) {
                Ok(record) => Ended::Played(record),
                Err(TableError::Void(void)) => {
                    note(&mut quarantined.lock().unwrap_or_else(PoisonError::into_inner), game, &void);
                    Ended::Void(void)
                }
                Err(source) => return Err(FolderError::Game { number, source }),
            };
            keep(number, &ended)?;
            Ok((number, ended))
        };
        let work = |sender: mpsc::SyncSender<Result<(usize, Ended), FolderError>>| {
            while !stop.load(Ordering::Relaxed) {
                let Some(game) = open.get(next.fetch_add(1, Ordering::Relaxed)) else { return };
                if !may_play(game, &quarantined.lock().unwrap_or_else(PoisonError::into_inner)) {
                    continue;
                }
                let played = play(game);
                if played.is_err() {
                    stop.store(true, Ordering::Relaxed);
                }
                if sender.send(played).is_err() {
                    return;
                }
            }
        };
        let mut finished = Vec::new();
        let (mut failed, mut broken) = (None, None);
        thread::scope(|scope| {
            for _ in 0..threads.clamp(1, open.len().max(1)) {
                let sender = sender.clone();
                scope.spawn(|| work(sender));
            }
            drop(sender);
            for result in receiver {
                let synced = syncing.now_and_then().map_err(io_error("write the journal in", path));
                let kept = result.map(|game| finished.push(game));
                if let Err(error) = kept.and(synced) {
                    stop.store(true, Ordering::Relaxed);
                    failed.get_or_insert(error);
                }
                if let ControlFlow::Break(value) = played(Progress { played: already + finished.len(), total }) {
                    stop.store(true, Ordering::Relaxed);
                    broken.get_or_insert(value);
                }
            }
        });
        self.ended.extend(finished);
        self.settle();
        self.journal.sync().map_err(io_error("write the journal in", &self.path))?;
        match (failed, broken) {
            (Some(error), _) => Err(error),
            (None, Some(value)) => Ok(ControlFlow::Break(value)),
            (None, None) => Ok(ControlFlow::Continue(())),
        }
    }

    /// Writes `results/` beside the old one and then puts it in its place. What is there already stays.
    fn write_results(&self, summary: &Summary) -> Result<(), FolderError> {
        let (results, fresh, old) =
            (self.path.join("results"), self.path.join(RESULTS_NEW), self.path.join(RESULTS_OLD));
        for leftover in [&fresh, &old] {
            if leftover.exists() {
                fs::remove_dir_all(leftover).map_err(io_error("remove", leftover))?;
            }
        }
        if results::is_written(&results, summary, self.records()) {
            return Ok(());
        }
        results::write(&fresh, summary, self.records()).map_err(io_error("write", &fresh))?;
        if results.exists() {
            fs::rename(&results, &old).map_err(io_error("replace", &results))?;
        }
        fs::rename(&fresh, &results).map_err(io_error("write", &results))?;
        sync_folder(&self.path)?;
        if old.exists() {
            fs::remove_dir_all(&old).map_err(io_error("remove", &old))?;
        }
        Ok(())
    }
}

/// What a definition and frozen entrants make: who plays whom, and where.
pub(crate) struct Plan {
    pub(crate) entrants: Vec<Entrant>,
    /// Seats of a game; not of those that break ties.
    pub(crate) seats: u8,
    pub(crate) schedule: Vec<ScheduledGame>,
    pub(crate) table: Table,
}

impl Plan {
    pub(crate) fn of(definition: &Definition, manifest: &Manifest) -> Plan {
        let entrant = |entrant: &ManifestEntrant| Entrant { name: entrant.name.clone(), id: entrant.id.clone() };
        let entrants: Vec<Entrant> = manifest.entrants.iter().map(entrant).collect();
        // No such game: then the manifest was refused, or is about to be.
        let seats = arena_wire::shape(&definition.ruleset, &definition.options).map_or(2, |shape| shape.seats);
        let Definition { seed, pairs, .. } = *definition;
        let schedule = match definition.games {
            None => schedule(seed, &entrants, pairs),
            Some(games) => field_schedule(seed, &entrants, seats, games, pairs),
        };
        let wall = Wall::Milliseconds(definition.wall_ms_per_move);
        let table = Table::new(&definition.ruleset, &definition.options, definition.budgets, wall);
        Plan { entrants, seats, schedule, table }
    }
}

/// Whether this can be what became of the game that the schedule has under this number. By whom it was played is not asked.
pub(crate) fn belongs(
    schedule: &[ScheduledGame],
    entrants: &[Entrant],
    table: &Table,
    number: usize,
    ended: &Ended,
) -> Result<(), String> {
    let game = schedule.get(number).ok_or("there is no such game in the schedule")?;
    let record = match ended {
        Ended::Played(record) => record,
        Ended::Void(void) => {
            // Only a bot's process dies, and each is accused once.
            let is_bot = |seat: Seat| {
                let entrant = game.seats.get(seat).and_then(|entrant| entrants.get(*entrant));
                entrant.is_some_and(|entrant| entrant.id.hash().is_some())
            };
            let in_order = void.quarantined.windows(2).all(|pair| pair[0] < pair[1]);
            let accused = in_order && void.quarantined.iter().all(|seat| is_bot(Seat(*seat)));
            let has_bot = (0..game.seats.seats()).any(|seat| is_bot(Seat(seat)));
            return if accused && has_bot { Ok(()) } else { Err("no such game can be void in such a way".into()) };
        }
    };
    let ids = game.seats.values().iter().map(|entrant| entrants[*entrant].id.clone()).collect();
    let mut expected = table.header(game.seed, ids);
    // Another build of the same semantics may go on with a tournament.
    expected.build.clone_from(&record.header.build);
    if record.header == expected { Ok(()) } else { Err("it is a game of another tournament".into()) }
}

/// Whether none of a game's entrants is quarantined before it.
fn may_play(game: &ScheduledGame, quarantined: &BTreeMap<usize, usize>) -> bool {
    game.seats.values().iter().all(|entrant| quarantined.get(entrant).is_none_or(|from| *from >= game.number))
}

/// Notes who was convicted in a void game.
fn note(quarantined: &mut BTreeMap<usize, usize>, game: &ScheduledGame, void: &Void) {
    for (_, entrant) in game.seats.iter().filter(|(seat, _)| void.quarantined.contains(&seat.0)) {
        let from = quarantined.entry(*entrant).or_insert(game.number);
        *from = game.number.min(*from);
    }
}

/// What the games that are there came to, in schedule order.
pub(crate) fn results_of<'a>(
    schedule: &[ScheduledGame],
    record: impl Fn(usize) -> Option<&'a Record>,
) -> Vec<(ScheduledGame, GameResult)> {
    let result = |game: &ScheduledGame| Some((game.clone(), GameResult::of(record(game.number)?)));
    schedule.iter().filter_map(result).collect()
}

/// Where a definition's bots are.
#[derive(Clone, Copy)]
enum Bots<'a> {
    /// In files relative to this folder.
    Files(&'a Path),
    /// Here, by what the definition calls their files.
    Given(&'a BTreeMap<String, Vec<u8>>),
}

impl Bots<'_> {
    /// The bytes of an entrant, at most one more than may be.
    fn read(self, name: &str, file: &str, bytes_max: u64) -> Result<Vec<u8>, FolderError> {
        let missing = |path| move |source| FolderError::MissingBot { name: name.into(), path, source };
        match self {
            Bots::Files(base) => read_at_most(&base.join(file), bytes_max).map_err(missing(base.join(file))),
            Bots::Given(bots) => {
                let found = bots.get(file).ok_or_else(|| io::Error::from(io::ErrorKind::NotFound));
                found.cloned().map_err(missing(file.into()))
            }
        }
    }
}

/// Freezes the entrants and writes everything a started tournament has, the manifest last.
fn begin(path: &Path, definition: &Definition, given: Bots<'_>, host: &Host) -> Result<(), FolderError> {
    let ours = |name: &str| {
        ["definition.toml", "definition.toml.new", "entrants", "journal", "manifest.json.new"].contains(&name)
    };
    if path.exists() {
        for entry in fs::read_dir(path).map_err(io_error("read", path))? {
            let name = entry.map_err(io_error("read", path))?.file_name();
            if !ours(&name.to_string_lossy()) {
                return Err(FolderError::Occupied(path.into()));
            }
        }
    }
    check_game(definition)?;
    let games = games_of(definition);
    if games > GAMES_MAX {
        return Err(FolderError::TooManyGames(games));
    }
    let entrants_path = path.join("entrants");
    let mut entrants = Vec::new();
    let mut bots = Vec::new();
    for entrant in &definition.entrants {
        let id = match &entrant.source {
            Source::Baseline(name) => Contender::baseline(&definition.ruleset, name)?.id(),
            Source::File(file) => {
                let bytes = given.read(&entrant.name, file, definition.budgets.module_bytes)?;
                let id = host.load(&bytes, &definition.budgets).map_err(not_loaded(&entrant.name))?.id();
                bots.push((id.clone(), bytes));
                id
            }
        };
        entrants.push(ManifestEntrant { name: entrant.name.clone(), id });
    }
    fs::create_dir_all(path).map_err(io_error("create", path))?;
    // Two processes that begin at once would write into each other's files.
    let journal_error = |source| FolderError::Journal { path: path.into(), source };
    let (_journal, played) = Journal::open(&path.join("journal")).map_err(journal_error)?;
    if path.join("manifest.json").exists() {
        return Ok(());
    }
    if !played.is_empty() {
        let why = "there are games in the journal, and no manifest says of which tournament".into();
        return Err(FolderError::Damaged { path: path.into(), why });
    }
    if entrants_path.exists() {
        // Of a start that was killed; its bots may have been others.
        fs::remove_dir_all(&entrants_path).map_err(io_error("remove", &entrants_path))?;
    }
    fs::create_dir(&entrants_path).map_err(io_error("create", &entrants_path))?;
    for (id, bytes) in bots {
        write_durably(&bot_path(path, &id), &bytes)?;
    }
    let text = definition.to_toml();
    write_durably(&path.join("definition.toml"), text.as_bytes())?;
    let ruleset = definition.ruleset.clone();
    let definition = sha256(text.as_bytes());
    let (format, semantics, build, checksum) = (FORMAT.into(), semantics_id(&ruleset), build_id(), Hex([0; 8]));
    let manifest = Manifest { format, ruleset, semantics, build, definition, entrants, games, checksum };
    write_durably(&path.join("manifest.json"), manifest.sealed().to_text().as_bytes())?;
    // The folder's own name is an entry, too; the disk may have it later than what is inside.
    match path.canonicalize().map_err(io_error("find", path))?.parent() {
        Some(parent) => sync_folder(parent),
        None => Ok(()),
    }
}

/// A manifest is only believed where it says what its definition makes of it.
pub(crate) fn check_manifest(manifest: &Manifest, definition: &Definition) -> Result<(), String> {
    if manifest.ruleset != definition.ruleset {
        return Err("it is of another game than its definition".into());
    }
    if manifest.entrants.len() != definition.entrants.len() || manifest.games != games_of(definition) {
        return Err("it has other entrants or games than its definition".into());
    }
    check_game(definition).map_err(|error| error.to_string())?;
    for (frozen, entrant) in manifest.entrants.iter().zip(&definition.entrants) {
        let is_it = match &entrant.source {
            Source::Baseline(name) => {
                Contender::baseline(&definition.ruleset, name).is_ok_and(|opponent| opponent.id() == frozen.id)
            }
            Source::File(_) => frozen.id.hash().is_some(),
        };
        if frozen.name != entrant.name || !is_it {
            return Err(format!("its entrant {:?} is not {:?} of its definition", frozen.name, entrant.name));
        }
    }
    Ok(())
}

/// Games of a definition's schedule.
fn games_of(definition: &Definition) -> usize {
    let entrants = definition.entrants.len();
    entrants * (entrants - 1) * definition.pairs as usize + definition.games.unwrap_or(0) as usize
}

/// Whether games of this definition exist, may count, and have as many seats as it speaks of.
fn check_game(definition: &Definition) -> Result<(), FolderError> {
    let shape = arena_wire::shape(&definition.ruleset, &definition.options)?;
    if !shape.may_count {
        return Err(FolderError::NotForStandings(definition.options.clone()));
    }
    let seats = shape.seats;
    let entrants = definition.entrants.len();
    match definition.games {
        Some(_) if seats == 2 => Err(FolderError::TwoSeats),
        None if seats > 2 => Err(FolderError::NoGames(seats)),
        _ if entrants < usize::from(seats) => Err(FolderError::EmptySeats { seats, entrants }),
        _ => Ok(()),
    }
}

fn read_manifest(path: &Path) -> Result<Manifest, FolderError> {
    let damaged = |why: String| FolderError::Damaged { path: path.into(), why };
    let bytes = read_at_most(path, MANIFEST_BYTES_MAX).map_err(io_error("read", path))?;
    let text = String::from_utf8(bytes).map_err(|error| damaged(error.to_string()))?;
    Manifest::parse(&text).map_err(damaged)
}

/// The manifest of a folder, which must have been started with this definition.
fn read_manifest_of(path: &Path, definition: &Definition) -> Result<Manifest, FolderError> {
    let manifest = read_manifest(path)?;
    let text = definition.to_toml();
    if manifest.definition == sha256(text.as_bytes()) {
        Ok(manifest)
    } else {
        Err(FolderError::OtherDefinition(path.parent().unwrap_or(path).into()))
    }
}

/// The entrant with the bytes that were frozen at the start.
pub(crate) fn frozen(path: &Path, name: &str, id: &EntrantId, definition: &Definition) -> Result<Frozen, FolderError> {
    if let Some((name, _)) = id.baseline() {
        let contender = Contender::baseline(&definition.ruleset, name)?;
        let other = || FolderError::Damaged {
            path: path.join("manifest.json"),
            why: format!("{id} is not a built-in opponent of this release"),
        };
        return if contender.id() == *id { Ok(Frozen::BuiltIn(contender)) } else { Err(other()) };
    }
    let file = bot_path(path, id);
    let bytes = read_at_most(&file, definition.budgets.module_bytes).map_err(io_error("read", &file))?;
    if EntrantId::of_bytes(&bytes) != *id {
        return Err(FolderError::Damaged { path: file, why: "its bytes do not have the hash that is its name".into() });
    }
    Ok(Frozen::Bot { name: name.into(), bytes })
}

/// The entrants, ready to play.
pub(crate) fn loaded(frozen: &[Frozen], host: &Host, budgets: &Budgets) -> Result<Vec<Contender>, FolderError> {
    let load = |entrant: &Frozen| match entrant {
        Frozen::BuiltIn(contender) => Ok(contender.clone()),
        Frozen::Bot { name, bytes } => host.load(bytes, budgets).map_err(not_loaded(name)),
    };
    frozen.iter().map(load).collect()
}

fn not_loaded(name: &str) -> impl FnOnce(LoadError) -> FolderError + use<> {
    let name = name.into();
    |error| match error {
        LoadError::Refused(refusal) => FolderError::Refused { name, refusal },
        LoadError::Worker(source) => FolderError::Worker { name, source },
    }
}

fn changed_bots(definition: &Definition, manifest: &Manifest, base: &Path) -> Vec<Changed> {
    let pairs = definition.entrants.iter().zip(&manifest.entrants);
    pairs
        .filter(|(entrant, frozen)| match &entrant.source {
            Source::Baseline(_) => false,
            Source::File(file) => read_at_most(&base.join(file), definition.budgets.module_bytes)
                .is_ok_and(|bytes| EntrantId::of_bytes(&bytes) != frozen.id),
        })
        .map(|(entrant, _)| Changed { name: entrant.name.clone() })
        .collect()
}

/// The bytes of a file, at most one more than may be: enough to refuse it.
///
/// # Errors
/// When it cannot be read.
pub fn read_at_most(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

pub(crate) fn bot_path(path: &Path, id: &EntrantId) -> PathBuf {
    path.join("entrants").join(format!("{}.wasm", id.hash().unwrap_or_default()))
}

pub(crate) fn sha256(bytes: &[u8]) -> Hex<32> {
    Hex(Sha256::digest(bytes).into())
}

/// Waits until the names in a folder are on the disk.
fn sync_folder(folder: &Path) -> Result<(), FolderError> {
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(io_error("write", folder))
}

/// Writes a file so that it is there as a whole or not at all, whenever the machine stops.
fn write_durably(path: &Path, bytes: &[u8]) -> Result<(), FolderError> {
    let fresh = path.with_added_extension("new");
    let write = || -> io::Result<()> {
        let mut file = File::create(&fresh)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&fresh, path)?;
        match path.parent() {
            Some(folder) => File::open(folder)?.sync_all(),
            None => Ok(()),
        }
    };
    write().map_err(io_error("write", path))
}
