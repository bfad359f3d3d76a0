//! Plays the open games on several threads.

use std::collections::{BTreeMap, BTreeSet};
use std::mem;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use arena_tournaments::{Leave, ScheduledGame};

use super::error::{FolderError, io_error};
use super::reuse::Proof;
use super::view::{Sight, lock};
use super::{Folder, Progress};
use crate::host::fixture;
use crate::{Contender, Ended, Finished, VoidGame, as_they_come};

impl Folder {
    /// Plays the open games, until `played` breaks.
    pub(super) fn round<B>(
        &mut self,
        contenders: &[Contender],
        threads: usize,
        played: &mut impl FnMut(&Sight<'_>) -> ControlFlow<B>,
    ) -> Result<ControlFlow<B>, FolderError> {
        let Progress { played: already, total } = self.progress();
        let (plan, host, path, begins, known) = (&self.plan, &self.host, &self.path, &self.begins, &self.known);
        let taken = AtomicUsize::new(0);
        let mut syncing = self.journal.syncing().map_err(io_error("write the journal in", path))?;
        // For each entrant known to be quarantined, the game from which it must not play: later games would be void.
        let left = self.course.settled.left.iter().filter(|(_, left)| left.why == Leave::Quarantined);
        let quarantined = Mutex::new(left.map(|(entrant, left)| (*entrant, left.from)).collect::<BTreeMap<_, _>>());
        let mut open = mem::take(&mut self.course.open);
        let settled = &self.course.settled;
        // Those with nobody who comes first keep the order of the schedule.
        let turn =
            |number: &usize| settled.game(*number).filter(|game| begins_early(game, &self.first)).map(|game| game.pair);
        if !self.first.is_empty() {
            open.sort_by_cached_key(|number| turn(number).map_or((true, 0), |pair| (false, pair)));
        }
        let course = Mutex::new(&mut self.course);
        let open = open.into_iter().filter_map(|number| lock(&course).settled.game(number));
        let open = open.filter(|game| may_play(game, &lock(&quarantined)));
        let journal = Mutex::new(&mut self.journal);
        // A thread journals its game before it begins another, so a kill costs each thread at most one game.
        let keep = |number: usize, text: &str| {
            let not_kept = |source| FolderError::Append { path: path.clone(), number, source };
            lock(&journal).append(number, text).map_err(not_kept)
        };
        let playing = Mutex::new(BTreeSet::new());
        let play = |game: ScheduledGame| {
            let number = game.number;
            lock(&playing).insert(number);
            let header = plan.header(&game);
            let reused = known.ended(&header)?;
            if let Some(ended) = reused.as_ref().filter(|_| known.proof == Proof::Rules) {
                let finished = Finished::new(ended.clone(), 0);
                keep(number, &finished.text)?;
                taken.fetch_add(1, Ordering::Relaxed);
                return Ok((number, finished));
            }
            begins.iter().for_each(|told| told(number));
            let finished = host.play(&fixture(plan, &game, contenders));
            let finished = finished.map_err(|source| FolderError::Game { number, source })?;
            if let Some(ended) = reused {
                known.compare(&header, &ended, &finished.ended)?;
                taken.fetch_add(1, Ordering::Relaxed);
            }
            if let Ended::Void(void) = &finished.ended {
                note(&mut lock(&quarantined), &game, void);
            }
            keep(number, &finished.text)?;
            Ok((number, finished))
        };
        let mut ended = 0;
        let (mut failed, mut broken, mut faults) = (None, None, 0);
        // After a break, games in progress are still finished and kept.
        let _ = as_they_come(open, threads, play, |result: Result<(usize, Finished), FolderError>| {
            let synced = syncing.now_and_then().map_err(io_error("write the journal in", path));
            let number = result.as_ref().ok().map(|(number, _)| *number);
            let taken = result.map(|(number, Finished { ended: game, platform_faults, .. })| {
                faults += u64::from(platform_faults);
                ended += 1;
                lock(&course).keep(number, &game);
            });
            if let Err(error) = taken.and(synced) {
                failed.get_or_insert(error);
            }
            let progress = Progress { played: already + ended, total };
            let seen = played(&Sight { progress, plan, course: &course, playing: &playing });
            if let Some(number) = number {
                lock(&playing).remove(&number);
            }
            if let ControlFlow::Break(value) = seen {
                broken.get_or_insert(value);
            }
            if failed.is_some() || broken.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.platform_faults += faults;
        self.taken += taken.into_inner();
        self.course.settle(&self.plan);
        self.journal.sync().map_err(io_error("write the journal in", &self.path))?;
        match (failed, broken) {
            (Some(error), _) => Err(error),
            (None, Some(value)) => Ok(ControlFlow::Break(value)),
            (None, None) => Ok(ControlFlow::Continue(())),
        }
    }
}

/// Whether an entrant that comes first plays a game.
fn begins_early(game: &ScheduledGame, first: &BTreeSet<usize>) -> bool {
    game.seats.values().iter().any(|entrant| first.contains(entrant))
}

/// Whether none of a game's entrants is quarantined by then.
fn may_play(game: &ScheduledGame, quarantined: &BTreeMap<usize, usize>) -> bool {
    game.seats.values().iter().all(|entrant| quarantined.get(entrant).is_none_or(|from| *from >= game.number))
}

/// Notes the entrants convicted in a void game.
fn note(quarantined: &mut BTreeMap<usize, usize>, game: &ScheduledGame, void: &VoidGame) {
    for (_, entrant) in game.seats.iter().filter(|(seat, _)| void.quarantined.contains(&seat.0)) {
        let from = quarantined.entry(*entrant).or_insert(game.number);
        *from = game.number.min(*from);
    }
}
