//! `arena watch`: checks and plays a bot again whenever it changes. Not here: the check itself
//! (`arena_runner::qualify`).

mod build;
mod files;
pub(crate) mod screen;

use std::collections::BTreeSet;
use std::fs;
use std::io::{self, IsTerminal, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use arena_limits::counted;
use arena_record::{Budgets, Record};
use arena_runner::{Contender, Host, Qualification, Spread};
use arena_tournaments::Pairs;
use clap::Args;

use crate::contest::{Contest, Played};
use crate::exit::Exit;
use crate::game::GameChoice;
use crate::interrupt::Interrupt;
use crate::output::{self, grouped};
use crate::parallel::Threads;
use crate::{bots, strength};
use files::Watched;
use screen::Screen;

/// Pause between two looks at the files: short for a person, and cheap for a machine.
const POLL: Duration = Duration::from_millis(250);

/// Builds in a row if sources change during each. An author does not save that often, but a build could go on forever.
const BUILDS_MAX: usize = 3;

const STOPPING: &str = "stopping after the games that are being played; Ctrl-C once more stops at once";

#[derive(Args)]
pub(crate) struct Watch {
    /// The bot's .wasm file.
    bot: PathBuf,
    /// The opponent: a .wasm file, or the name of an opponent such as hard or strategist (`arena play --help` lists
    /// them).
    #[arg(long)]
    against: PathBuf,
    #[command(flatten)]
    choice: GameChoice,
    /// A command that builds the bot. `sh` runs it at the start, and whenever a file in --source changes.
    #[arg(long, value_name = "CMD", requires = "source")]
    build: Option<String>,
    /// The folder of the bot's sources. Folders named `target` or `node_modules` in it, and hidden files, do not count.
    #[arg(long, value_name = "DIR", requires = "build")]
    source: Option<PathBuf>,
    /// Games of each match, in pairs, from the same openings as `play` with the same seed.
    #[arg(long, default_value_t = 40, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    games: u32,
    /// Seed of the match and of the sample games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    threads: Threads,
    /// Build, check and play once, then exit: with 0 if the bot was played, with 1 if it was refused or its build
    /// failed.
    #[arg(long)]
    once: bool,
}

/// What has changed.
#[derive(Clone, Copy)]
enum Change {
    Sources,
    Bot,
}

/// How a round ended.
enum End {
    /// The bot was played as often as requested.
    Played,
    /// It failed to build, or may not play; the reason has been shown.
    Failed,
    /// There is a new module to check.
    Changed,
    Interrupted,
}

/// The result of a build.
#[derive(Default)]
struct Built {
    failed: bool,
    /// Lines to show.
    told: Vec<String>,
}

impl From<Result<(), Vec<String>>> for Built {
    fn from(result: Result<(), Vec<String>>) -> Built {
        Built { failed: result.is_err(), told: result.err().unwrap_or_default() }
    }
}

struct Session<'a> {
    args: &'a Watch,
    budgets: Budgets,
    host: Arc<dyn Host>,
    opponent: Contender,
    interrupt: Interrupt,
    sources: Option<Watched>,
    /// Sources that two builds in a row changed. The build changes them, not the author.
    built: BTreeSet<PathBuf>,
    bot: Watched,
    /// The module whose check and match are shown.
    judged: Option<Vec<u8>>,
    looked: Instant,
    screen: Screen<'a>,
}

pub(crate) fn run(args: &Watch, out: &mut dyn Write) -> Result<Exit> {
    let budgets = args.choice.budgets();
    let host = bots::host(args.threads.count())?;
    let opponent = bots::contender(&args.against, args.choice.game.ruleset, &*host, &budgets)?;
    let sources = match &args.source {
        Some(folder) => {
            let folder = fs::canonicalize(folder).with_context(|| format!("cannot read {}", folder.display()))?;
            Some(Watched::new(&folder, whole(&args.bot).as_deref())?)
        }
        None => None,
    };
    let mut session = Session {
        args,
        budgets,
        host,
        opponent,
        interrupt: Interrupt::listen(STOPPING)?,
        sources,
        built: BTreeSet::new(),
        bot: Watched::new(&args.bot, None)?,
        judged: None,
        looked: Instant::now(),
        screen: Screen::new(out, io::stdout().is_terminal()),
    };
    session.interrupt.idle();
    let mut end = session.take(Change::Sources)?.unwrap_or(End::Changed);
    loop {
        end = match end {
            End::Changed => session.round()?,
            End::Interrupted if args.once => return Ok(Exit::Interrupted),
            // Only an interrupt ends it, and everything requested was done.
            End::Interrupted => return Ok(Exit::Yes),
            End::Played if args.once => return Ok(Exit::Yes),
            End::Failed if args.once => return Ok(Exit::No),
            End::Played | End::Failed => session.wait()?,
        };
    }
}

/// A file's absolute path, even if the file is missing.
fn whole(path: &Path) -> Option<PathBuf> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
}

impl Session<'_> {
    /// Handles a change: a change of sources starts a build. `None` if the module is the one that was checked.
    fn take(&mut self, change: Change) -> Result<Option<End>> {
        let built = match (change, &self.args.build) {
            (Change::Sources, Some(command)) => {
                self.screen.passing(&[format!("building: {command}")])?;
                self.build(command)?
            }
            _ => Built::default(),
        };
        if self.interrupt.is_heard() {
            return Ok(Some(End::Interrupted));
        }
        let is_judged = !built.failed && self.is_judged();
        if !is_judged {
            self.judged = None;
            self.screen.clear();
        }
        for line in built.told {
            self.screen.state(line)?;
        }
        if is_judged {
            let name = bots::label(&self.args.bot);
            self.screen.state(format!("{name} is unchanged; keeping the last result"))?;
            return Ok(None);
        }
        Ok(Some(if built.failed { End::Failed } else { End::Changed }))
    }

    /// Whether the bot's file is the module whose result is shown.
    fn is_judged(&self) -> bool {
        self.judged.is_some() && bots::read(&self.args.bot, &self.budgets).ok().map(|file| file.bytes) == self.judged
    }

    /// Checks and plays. Changes after the bytes were read are found by the next look.
    fn round(&mut self) -> Result<End> {
        let examined = self.examine();
        let Some((bot, fuel)) = self.shown(examined)?.flatten() else { return Ok(End::Failed) };
        if self.interrupt.is_heard() {
            return Ok(End::Interrupted);
        }
        let played = self.play(bot, fuel);
        Ok(self.shown(played)?.unwrap_or(End::Failed))
    }

    /// Builds, and builds again if a source changed meanwhile, possibly too late for the build. Changes that the build
    /// itself makes each time do not count.
    fn build(&mut self, command: &str) -> Result<Built> {
        let mut before = BTreeSet::new();
        if let Some(sources) = &mut self.sources {
            sources.renew()?;
        }
        let mut builds = 0;
        loop {
            builds += 1;
            let built = Built::from(build::build(command).context("cannot run sh")?);
            // Changes by a build do not count, even if the build then failed.
            self.bot = Watched::new(&self.args.bot, None)?;
            let changed = self.sources.as_mut().map(Watched::renew).transpose()?.unwrap_or_default();
            let Some(first) = changed.first() else { return Ok(built) };
            let by_build = changed.iter().all(|path| before.contains(path) || self.built.contains(path));
            if self.interrupt.is_heard() {
                return Ok(built);
            }
            if by_build || builds == BUILDS_MAX {
                let name = output::text(&first.display().to_string());
                let line = format!("the build changes {name} itself, which does not start another build");
                self.built.extend(changed);
                return Ok(Built { told: [vec![line], built.told].concat(), ..built });
            }
            before = changed;
        }
    }

    /// With `--once` an error ends everything; otherwise it is shown, and the next change may fix it.
    fn shown<T>(&mut self, result: Result<T>) -> Result<Option<T>> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) if self.args.once => Err(error),
            Err(error) => {
                self.judged = None;
                self.screen.state(format!("not played: {error:#}"))?;
                Ok(None)
            }
        }
    }

    /// Checks the bot as `arena check` does; `None` if it may not play. Also returns the fuel of its turns in the
    /// sample games.
    fn examine(&mut self) -> Result<Option<(Contender, Vec<u64>)>> {
        let (args, name) = (self.args, bots::label(&self.args.bot));
        let file = bots::read(&args.bot, &self.budgets)?;
        self.screen.passing(&[format!("checking {name}")])?;
        let qualification = bots::judged(&*self.host, &file, args.choice.game, &self.budgets, args.seed)?;
        let size = grouped(file.size);
        self.judged = Some(file.bytes);
        if let Some(objection) = qualification.objection() {
            self.screen.state(format!("{name} is REFUSED, {}: {}", objection.code, objection.message))?;
            self.screen.state(format!("  hint: {}", objection.hint))?;
            return Ok(None);
        }
        // For a refused bot, the reason was shown.
        let Qualification::Played(sample) = qualification else { return Ok(None) };
        let fuel = sample.turn_fuel();
        self.screen.state(format!("{name} is accepted: {size} bytes; {}", self.fuel_text(&fuel)))?;
        Ok(Some((sample.bot, fuel)))
    }

    fn play(&mut self, bot: Contender, mut fuel: Vec<u64>) -> Result<End> {
        let args = self.args;
        let (names, contenders) = ([&*args.bot, &*args.against], [bot, self.opponent.clone()]);
        let contest = Contest::new(&args.choice, None, names, contenders, args.seed, args.games)?;
        let [own, other] = [0, 1].map(|entrant: usize| contest.entrants[entrant].name.as_str());
        let (all, mut played, mut forfeits, mut end) = (contest.games.len() / 2, 0, Vec::new(), End::Played);
        let host = self.host.clone();
        self.interrupt.at_work();
        let pairs = contest.play(&*host, args.threads.count(), |pair: [Played; 2], pairs: &Pairs| {
            for Played { game, record, .. } in &pair {
                let seat = game.seats.values().iter().position(|entrant| *entrant == 0).unwrap_or_default();
                fuel.extend(turn_fuel(record, seat));
                forfeits.extend(record.forfeits.iter().find(|forfeit| usize::from(forfeit.seat) == seat).cloned());
            }
            played += 1;
            let elo = pairs.counts().difference();
            let line = format!("{played} of {} against {other}: {elo}", counted(all, "pair"));
            let lines = [line, self.fuel_text(&fuel)];
            self.screen.passing(&lines)?;
            if played < all && self.interrupt.is_heard() {
                end = End::Interrupted;
            } else if !args.once
                && let Some(change) = self.look()?
                && let Some(other) = self.take(change)?
            {
                end = other;
            }
            Ok(if matches!(end, End::Played) { ControlFlow::Continue(()) } else { ControlFlow::Break(()) })
        });
        self.interrupt.idle();
        let pairs = pairs?;
        if matches!(end, End::Changed | End::Failed) {
            return Ok(end);
        }
        let counts = pairs.counts();
        self.screen.state(format!("{played} of {} against {other}: {}", counted(all, "pair"), counts.difference()))?;
        self.screen.state(counts.sentence([own, other]))?;
        if pairs.repeated() > 0 {
            self.screen.state(strength::repeated(&pairs))?;
        }
        self.screen.state(self.fuel_text(&fuel))?;
        if let Some(first) = forfeits.first() {
            self.screen.state(format!("{} forfeited, the first: {first}", output::count(forfeits.len(), "game")))?;
        }
        Ok(end)
    }

    /// The fuel of turns: the 99th percentile and the maximum.
    fn fuel_text(&self, fuel: &[u64]) -> String {
        let Some(Spread { p99, max, .. }) = Spread::of(fuel) else { return "no turn returned".into() };
        let [p99, max, budget] = [p99, max, self.budgets.fuel_per_move].map(grouped);
        format!("fuel of {}: p99 {p99}, max {max} of {budget}", counted(fuel.len(), "turn"))
    }

    /// Looks for a change, at most once in [`POLL`].
    fn look(&mut self) -> Result<Option<Change>> {
        if self.looked.elapsed() < POLL {
            return Ok(None);
        }
        self.looked = Instant::now();
        if let Some(sources) = &mut self.sources
            && sources.has_changed()?
        {
            return Ok(Some(Change::Sources));
        }
        Ok(self.bot.has_changed()?.then_some(Change::Bot))
    }

    /// Waits for a new module, or until the process is asked to stop.
    fn wait(&mut self) -> Result<End> {
        let bot = self.args.bot.display();
        let awaited = match &self.args.source {
            Some(folder) => format!("waiting for a change in {} or of {bot}; Ctrl-C ends", folder.display()),
            None => format!("waiting for a change of {bot}; Ctrl-C ends"),
        };
        self.screen.passing(std::slice::from_ref(&awaited))?;
        while !self.interrupt.is_heard() {
            match self.look()? {
                None => thread::sleep(POLL),
                Some(change) => match self.take(change)? {
                    Some(end) => return Ok(end),
                    None => self.screen.passing(std::slice::from_ref(&awaited))?,
                },
            }
        }
        Ok(End::Interrupted)
    }
}

/// Fuel of a seat's turns that returned.
fn turn_fuel(record: &Record, seat: usize) -> impl Iterator<Item = u64> {
    let plays = record.turns.iter().flat_map(|turn| &turn.plays);
    plays.filter(move |play| usize::from(play.seat) == seat).filter_map(|play| play.fuel)
}
