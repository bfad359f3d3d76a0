//! The thread that plays.

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use arena_runner::{Folder, FolderError, Host, Played};
use arena_store::IndexedGame;
use arena_tournaments::Ranking;
use tokio::runtime::Handle;

use super::editions::{EditionError, record_path};
use super::field::Field;
use super::{Edition, Editions, Ending, Ladder, Progress};
use crate::core::{Core, with_causes};
use crate::limits::{EDITIONS_KEPT_MAX, LADDER_PAUSES, REFUSED_TRIES, pause};

/// Plays until the ladder stops. Blocks; `runtime` does what is asynchronous.
pub(crate) fn play(ladder: Ladder, core: Arc<Core>, data: PathBuf, threads: usize, runtime: Handle) {
    let _ending = Ending(ladder.clone());
    let editions = Editions::new(&data.join("tournaments"), data.join("blobs"));
    let host = core.host();
    let mut thread = Thread {
        ladder,
        core,
        data,
        editions,
        host,
        threads,
        runtime,
        recovered: false,
        newest: 0,
        begun: None,
        settled: None,
        failures: 0,
    };
    while !thread.ladder.is_stopping() {
        match thread.step() {
            Ok(Next::Step) => thread.failures = 0,
            Ok(Next::Sleep) => {
                thread.failures = 0;
                thread.ladder.sleep();
            }
            Ok(Next::Stop) => return,
            Err(Trouble(trouble)) => {
                thread.failures = thread.failures.saturating_add(1);
                thread.trouble(trouble);
                thread.ladder.pause(pause(LADDER_PAUSES, thread.failures));
            }
        }
    }
}

struct Thread {
    ladder: Ladder,
    core: Arc<Core>,
    data: PathBuf,
    editions: Editions,
    host: Host,
    threads: usize,
    runtime: Handle,
    /// Whether it is known what earlier processes did.
    recovered: bool,
    /// The highest number that an edition has.
    newest: u32,
    /// The edition that has begun and is not finished.
    begun: Option<u32>,
    /// The field of the latest edition, as it was meant to be.
    settled: Option<Field>,
    /// Failed steps since the last good one.
    failures: u32,
}

/// What the thread does next.
enum Next {
    Step,
    Sleep,
    Stop,
}

/// Why a step failed, in words. It is tried again.
struct Trouble(String);

impl<E: std::error::Error> From<E> for Trouble {
    fn from(error: E) -> Trouble {
        Trouble(with_causes(&error))
    }
}

impl Thread {
    fn step(&mut self) -> Result<Next, Trouble> {
        if !self.recovered {
            self.recover()?;
            self.recovered = true;
        }
        if let Some(number) = self.begun {
            return match self.editions.open(number, &self.host) {
                Ok(folder) => self.play(number, folder, None),
                Err(error) => self.failed(number, error),
            };
        }
        let field = self.field()?;
        if self.settled.as_ref() == Some(&field) {
            self.ladder.update(|standing| {
                standing.waiting = self.ladder.has_changed();
                standing.trouble = None;
            });
            return Ok(Next::Sleep);
        }
        self.ladder.update(|standing| standing.waiting = true);
        self.begin(field)
    }

    /// The field as it would be now.
    fn field(&self) -> Result<Field, Trouble> {
        self.ladder.look();
        let (field, left_out) = self.runtime.block_on(Field::now(&self.core.store))?;
        self.ladder.update(|standing| standing.left_out = left_out);
        Ok(field)
    }

    /// Finds out what earlier processes did: mends the index, and shows the latest finished edition.
    fn recover(&mut self) -> Result<(), Trouble> {
        let numbers = self.editions.begun()?;
        self.newest = numbers.last().copied().unwrap_or(0);
        self.begun = numbers.last().copied().filter(|number| !self.editions.is_finished(*number));
        let finished: Vec<u32> = numbers.into_iter().filter(|number| self.editions.is_finished(*number)).collect();
        for number in finished.iter().copied() {
            let tournament = Editions::tournament(number)?;
            let indexed = self.runtime.block_on(self.core.store.games_count(&tournament))?;
            if indexed != self.editions.records_count(number)? {
                // What cannot be read is not indexed; the standings do not depend on it.
                let games = self.editions.games(number).unwrap_or_default();
                self.runtime.block_on(self.core.store.reindex(&tournament, &games))?;
            }
        }
        for number in finished.iter().rev() {
            match self.editions.open(*number, &self.host) {
                Ok(folder) if folder.progress().played == folder.progress().total => {
                    let Ranking::Pairs(standings) = folder.ranking() else { continue };
                    self.show(Edition::of(*number, Editions::tournament(*number)?, &folder, standings, 0));
                    self.settled = Some(Field::of(folder.entrants()));
                    break;
                }
                Ok(_) => self.trouble(format!("edition {number} lacks games that it had")),
                Err(error) if error.is_lasting() => {
                    self.trouble(format!("edition {number} cannot be shown: {}", with_causes(&error)));
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }

    /// Begins the next edition. Bots that cannot play are left out of it.
    fn begin(&mut self, field: Field) -> Result<Next, Trouble> {
        let number = self.newest + 1;
        let mut without = BTreeSet::new();
        let begun = loop {
            let definition = field.definition(number, &without, &self.core.store, self.editions.blobs());
            match self.editions.open_or_begin(number, &definition, &self.host) {
                Err(FolderError::Refused { name, .. } | FolderError::MissingBot { name, .. })
                    if without.insert(name.clone()) => {}
                begun => break begun,
            }
        };
        if self.editions.has_begun(number) {
            // Whatever comes now, it is frozen.
            self.newest = number;
            self.begun = Some(number);
        }
        let folder = begun?;
        if !without.is_empty() {
            let names = without.into_iter().collect::<Vec<_>>().join(", ");
            self.trouble(format!("edition {number} is played without {names}: refused, although accepted before"));
        }
        self.play(number, folder, Some(field))
    }

    /// Plays an edition to its end. `field` is what it was meant to be, as far as this process knows.
    fn play(&mut self, number: u32, mut folder: Folder, field: Option<Field>) -> Result<Next, Trouble> {
        let entrants = Field::of(folder.entrants());
        let others_wait = self.field()? != *field.as_ref().unwrap_or(&entrants);
        let tell = |progress: arena_runner::Progress| {
            let arena_runner::Progress { played, total } = progress;
            self.ladder.update(|standing| standing.playing = Some(Progress { edition: number, played, total }));
        };
        tell(folder.progress());
        self.ladder.update(|standing| standing.waiting = others_wait || self.ladder.has_changed());
        let ran = folder.run_until(self.threads, |progress| {
            tell(progress);
            if self.ladder.is_stopping() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        match ran {
            Ok(ControlFlow::Break(())) => Ok(Next::Stop),
            Ok(ControlFlow::Continue(played)) => {
                self.finish(number, &folder, played)?;
                self.settled = Some(field.unwrap_or(entrants));
                self.begun = None;
                Ok(Next::Step)
            }
            Err(error) => {
                self.ladder.update(|standing| standing.playing = None);
                self.failed(number, error.into())
            }
        }
    }

    /// Puts an edition's games into the index, shows it, and makes place for others.
    fn finish(&self, number: u32, folder: &Folder, played: Played) -> Result<(), Trouble> {
        let tournament = Editions::tournament(number)?;
        let mut games = Vec::new();
        for (game, record) in folder.records() {
            let game = u32::try_from(game)?;
            games.push(IndexedGame::new(game, record, record_path(number, game)));
        }
        self.runtime.block_on(self.core.store.reindex(&tournament, &games))?;
        if let Ranking::Pairs(standings) = played.ranking {
            self.show(Edition::of(number, tournament, folder, standings, played.platform_faults));
        }
        let kept = self.editions.begun()?;
        for old in &kept[..kept.len().saturating_sub(EDITIONS_KEPT_MAX)] {
            // From the index first: it never names a record that is not there.
            self.runtime.block_on(self.core.store.reindex(&Editions::tournament(*old)?, &[]))?;
            self.editions.remove(*old)?;
        }
        Ok(())
    }

    /// An edition that has begun cannot be gone on with: now, or not ever.
    fn failed(&mut self, number: u32, error: EditionError) -> Result<Next, Trouble> {
        let refused = matches!(error, EditionError::Folder(FolderError::Refused { .. }));
        if !error.is_lasting() || (refused && self.failures < REFUSED_TRIES) {
            return Err(error.into());
        }
        self.begun = None;
        // Whatever the latest one was: this one was to be another.
        self.settled = None;
        Err(Trouble(format!("edition {number} cannot be gone on with, the next is played: {}", with_causes(&error))))
    }

    fn show(&self, edition: Edition) {
        self.ladder.update(|standing| {
            standing.edition = Some(Arc::new(edition));
            standing.playing = None;
            standing.trouble = None;
        });
    }

    /// Says what is wrong, without the place of our folder: everybody reads it.
    fn trouble(&self, trouble: String) {
        let data = format!("{}/", self.data.display());
        let trouble = trouble.replace(&data, "");
        self.ladder.update(|standing| standing.trouble = Some(trouble));
    }
}
