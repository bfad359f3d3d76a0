//! Playing the games that are open, over threads.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

use arena_rules::BySeat;
use arena_tournaments::ScheduledGame;

use super::error::{Damage, FolderError, damaged, io_error};
use super::{Folder, Progress};
use crate::{Contender, Ended, TableError, VoidGame, layout};

impl Folder {
    /// Plays what is open.
    pub(super) fn round<B>(
        &mut self,
        contenders: &[Contender],
        threads: usize,
        played: &mut impl FnMut(Progress) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, FolderError> {
        let open: Vec<&ScheduledGame> =
            self.course.settled.open.iter().map(|number| &self.course.schedule[*number]).collect();
        // From which game on somebody is not to play, as far as it is known: those games would be void.
        let quarantined = Mutex::new(self.course.settled.quarantined.clone());
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
            let not_kept = |source| FolderError::Append { path: path.clone(), number, source };
            journal.append(number, ended).map_err(not_kept)
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
        // Of games that were played here none misfits.
        self.settle()
            .map_err(|(number, why)| damaged(&self.path.join(layout::JOURNAL))(Damage::Game { number, why }))?;
        self.journal.sync().map_err(io_error("write the journal in", &self.path))?;
        match (failed, broken) {
            (Some(error), _) => Err(error),
            (None, Some(value)) => Ok(ControlFlow::Break(value)),
            (None, None) => Ok(ControlFlow::Continue(())),
        }
    }
}

/// Whether none of a game's entrants is quarantined before it.
fn may_play(game: &ScheduledGame, quarantined: &BTreeMap<usize, usize>) -> bool {
    game.seats.values().iter().all(|entrant| quarantined.get(entrant).is_none_or(|from| *from >= game.number))
}

/// Notes who was convicted in a void game.
fn note(quarantined: &mut BTreeMap<usize, usize>, game: &ScheduledGame, void: &VoidGame) {
    for (_, entrant) in game.seats.iter().filter(|(seat, _)| void.quarantined.contains(&seat.0)) {
        let from = quarantined.entry(*entrant).or_insert(game.number);
        *from = game.number.min(*from);
    }
}
