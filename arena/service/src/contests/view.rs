//! What people see of a tournament while it is played and afterwards.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena_runner::{FolderError, Progress, Survey};
use arena_store::{BotId, Contest, ContestEvent, ContestId, DELETED, Store, StoreError};
use arena_tournaments::{BracketPicture, BracketRound, Fate, ScheduledGame, Standings};
use parking_lot::Mutex;
use tokio::sync::{Semaphore, watch};

use super::state::{ContestState, Entrant, Event, Stage};
use super::tournament_of;
use crate::core::{on_a_thread_with, unavailable};
use crate::limits::CONTESTS_REMEMBERED_MAX;
use crate::standing::OlderRelease;

/// How far a tournament has got, and its results so far.
#[derive(Clone, Default, Debug)]
pub struct ContestSnapshot {
    /// Games that were played, out of how many.
    pub progress: Option<Progress>,
    /// The standings so far.
    pub standings: Option<Arc<Standings>>,
    /// The final standings as another release wrote them, if another release played it. Then nothing else is shown of
    /// its games.
    pub earlier: Option<Arc<OlderRelease>>,
    /// Who meets whom, in the order of the schedule.
    pub meetings: Arc<Vec<Meeting>>,
    /// The bracket, where there is one.
    pub bracket: Option<Arc<BracketPicture>>,
    /// What keeps it from continuing; `None` when all is well.
    pub trouble: Option<String>,
    /// Grows with every change, also of the log, except changes of the number of played games.
    pub revision: u64,
}

/// An encounter of two or more entrants in a round.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Meeting {
    /// The round, from 1. In a bracket it is the match's round: further pairs of a level match are played later but
    /// belong to it.
    pub round: usize,
    /// The round's name, if it has one, such as `semi-finals`.
    pub name: Option<BracketRound>,
    /// The entrants, by name.
    pub names: Vec<String>,
    /// Games that each won.
    pub wins: Vec<u32>,
    /// Games that were drawn.
    pub draws: u32,
    /// Games that are over, with or without a result.
    pub played: u32,
    /// Games that are planned.
    pub games: u32,
}

/// A tournament, its log read, and the state of its games.
#[derive(Clone)]
pub struct ContestDetails {
    /// What the store knows of it.
    pub contest: Contest,
    /// Its log: the time and content of each event.
    pub events: Vec<(i64, Event)>,
    /// The state that the log leads to.
    pub state: ContestState,
    /// Its games.
    pub shown: ContestSnapshot,
    /// Current names and owners of bots in the log, by the bot's number; deleted bots are missing.
    pub called: BTreeMap<i64, (String, String)>,
}

/// The current names of the bots of a log. One query finds them all, and copies of others' bots take one more each.
pub(super) async fn called(
    store: &Store,
    game: &str,
    events: &[(i64, Event)],
) -> Result<BTreeMap<i64, (String, String)>, StoreError> {
    let entrants = events.iter().flat_map(|(_, event)| match event {
        Event::Opened { entrants, .. } => &entrants[..],
        Event::Entered(entrant) => std::slice::from_ref(entrant),
        _ => &[],
    });
    let entrants: BTreeMap<i64, Entrant> = entrants.map(|entrant| (entrant.bot, entrant.clone())).collect();
    let ids: Vec<_> = entrants.values().map(|entrant| entrant.id.clone()).collect();
    let named = if ids.is_empty() { BTreeMap::new() } else { store.named(Some(game), &ids).await? };
    let mut called = BTreeMap::new();
    for (bot, entrant) in entrants {
        match named.get(&entrant.id) {
            Some(version) if version.name.as_str() == DELETED => {}
            Some(version) if version.account.0 == entrant.account => {
                called.insert(bot, (version.name.to_string(), version.owner.to_string()));
            }
            // Another owner submitted these bytes first.
            _ => {
                if let Some(found) = store.bot(BotId(bot)).await? {
                    called.insert(bot, (found.name.to_string(), found.owner.to_string()));
                }
            }
        }
    }
    Ok(called)
}

impl ContestDetails {
    /// The tournament as it is shown once these bots are deleted: without their names.
    pub(super) fn without(&mut self, deleted: &BTreeSet<String>) {
        if deleted.is_empty() {
            return;
        }
        let forget = |name: &mut String| {
            if deleted.contains(name) {
                *name = DELETED.into();
            }
        };
        if let Some(standings) = &mut self.shown.standings {
            Arc::make_mut(standings).rows.iter_mut().for_each(|row| forget(&mut row.name));
        }
        if let Some(earlier) = &mut self.shown.earlier {
            let names = self.state.names.iter().filter(|(_, name)| deleted.contains(name));
            let gone: BTreeSet<i64> = names.map(|(bot, _)| *bot).collect();
            let ids = self.state.entrants.iter().filter(|(entrant, _)| gone.contains(&entrant.bot));
            Arc::make_mut(earlier).without(&ids.map(|(entrant, _)| entrant.id.clone()).collect());
        }
        Arc::make_mut(&mut self.shown.meetings).iter_mut().flat_map(|meeting| &mut meeting.names).for_each(forget);
        if let Some(bracket) = &mut self.shown.bracket {
            Arc::make_mut(bracket).names_mut().for_each(forget);
        }
        if let Stage::Playing { definition } | Stage::Finished { definition, .. } = &mut self.state.stage {
            for name in deleted {
                *definition = definition.replace(&format!("\"{name}\""), &format!("\"{DELETED}\""));
            }
        }
    }
}

/// Reads a tournament's log; `None` if it is not one of this release.
pub(crate) fn read(events: &[ContestEvent]) -> Option<(Vec<(i64, Event)>, ContestState)> {
    let parsed = events.iter().map(|line| Some((line.at.0, serde_json::from_str(&line.event).ok()?)));
    let events: Vec<(i64, Event)> = parsed.collect::<Option<_>>()?;
    let state = ContestState::of(events.iter().map(|(at, event)| (*at, event))).ok()?;
    Some((events, state))
}

/// What is shown of tournaments, sent to watchers as it changes.
#[derive(Clone)]
pub(crate) struct Window {
    tournaments: PathBuf,
    /// Of running tournaments and of those that were looked at lately.
    shown: Arc<Mutex<Remembered>>,
    /// The right to read a folder that is not in memory: one at a time.
    reading: Arc<Semaphore>,
}

/// What is shown of tournaments, each with its last use, counted in uses.
#[derive(Default)]
struct Remembered {
    uses: u64,
    all: BTreeMap<ContestId, (u64, watch::Sender<ContestSnapshot>)>,
}

impl Remembered {
    fn sender(&mut self, id: ContestId) -> watch::Sender<ContestSnapshot> {
        if self.all.len() >= CONTESTS_REMEMBERED_MAX && !self.all.contains_key(&id) {
            // Unwatched ones can be read again.
            let unwatched = self.all.iter().filter(|(_, (_, sender))| sender.receiver_count() == 0);
            if let Some(oldest) = unwatched.min_by_key(|(_, (used, _))| *used).map(|(id, _)| *id) {
                self.all.remove(&oldest);
            }
        }
        self.uses += 1;
        let (used, sender) = self.all.entry(id).or_default();
        *used = self.uses;
        sender.clone()
    }
}

impl Window {
    pub(super) fn new(tournaments: &Path) -> Window {
        Window { tournaments: tournaments.into(), shown: Arc::default(), reading: Arc::new(Semaphore::new(1)) }
    }

    /// Where the folders of tournaments are.
    pub(crate) fn tournaments(&self) -> &Path {
        &self.tournaments
    }

    pub(crate) fn path(&self, id: ContestId) -> PathBuf {
        let name = tournament_of(id).map(|name| name.to_string()).unwrap_or_default();
        self.tournaments.join(name)
    }

    /// Changes what is shown.
    pub(crate) fn update(&self, id: ContestId, change: impl FnOnce(&mut ContestSnapshot)) {
        let sender = self.sender(id);
        sender.send_modify(|shown| {
            change(shown);
            shown.revision += 1;
        });
    }

    /// Says how many games are played.
    pub(crate) fn progress(&self, id: ContestId, progress: Progress) {
        self.sender(id).send_modify(|shown| shown.progress = Some(progress));
    }

    fn sender(&self, id: ContestId) -> watch::Sender<ContestSnapshot> {
        self.shown.lock().sender(id)
    }

    /// What is shown, as it changes.
    pub(super) fn watch(&self, id: ContestId) -> watch::Receiver<ContestSnapshot> {
        self.sender(id).subscribe()
    }

    /// What is shown now. If nothing is in memory of a tournament with games, its folder is read.
    pub(super) async fn now(&self, id: ContestId, has_games: bool) -> Result<ContestSnapshot, StoreError> {
        let known = || self.sender(id).borrow().clone();
        let shown = known();
        let is_known = |shown: &ContestSnapshot| shown.standings.is_some() || shown.earlier.is_some();
        if is_known(&shown) || !has_games {
            return Ok(shown);
        }
        let right = self.reading.clone().acquire_owned().await;
        // Another caller may have read it meanwhile.
        let shown = known();
        if is_known(&shown) {
            return Ok(shown);
        }
        let window = self.clone();
        let read = move || {
            let path = window.path(id);
            // Set silently: watchers learn nothing new.
            match Survey::open(&path) {
                Ok(survey) => window.sender(id).send_modify(|shown| survey_into(&survey, shown)),
                Err(error) => {
                    let earlier = error.other_build().and_then(|build| OlderRelease::read(&path, build).ok());
                    window.sender(id).send_modify(|shown| shown.earlier = earlier.map(Arc::new));
                }
            }
        };
        on_a_thread_with(right, "a tournament's folder", read)?.await.map_err(unavailable)?;
        Ok(known())
    }

    /// Reads a folder that is being played, and shows it.
    pub(crate) fn look(&self, id: ContestId) -> Result<(), FolderError> {
        let survey = Survey::open(&self.path(id))?;
        self.update(id, |shown| survey_into(&survey, shown));
        Ok(())
    }

    /// Forgets a tournament.
    pub(crate) fn forget(&self, id: ContestId) {
        self.shown.lock().all.remove(&id);
    }
}

fn survey_into(survey: &Survey, shown: &mut ContestSnapshot) {
    let names: Vec<&str> = survey.entrants().iter().map(|entrant| entrant.name.as_str()).collect();
    shown.progress = Some(survey.progress());
    shown.standings = Some(Arc::new(survey.standings()));
    shown.meetings = Arc::new(meetings(&names, survey));
    shown.bracket = survey.bracket().map(Arc::new);
}

/// Who meets whom: the games of each pairing in each round together, and all games of a bracket's match together.
fn meetings(names: &[&str], survey: &Survey) -> Vec<Meeting> {
    let rounds = survey.rounds();
    let mut meetings: BTreeMap<(usize, usize), Meeting> = BTreeMap::new();
    for (game, fate) in survey.games() {
        let ScheduledGame { round, pairing, number, seats, .. } = game;
        // The same order in both games of a pair, whatever the seats.
        let mut order: Vec<usize> = seats.values().to_vec();
        order.sort_unstable();
        let named = rounds.get(pairing);
        let round = named.map_or(round, |(round, _)| *round);
        let meeting = meetings.entry((round, pairing)).or_insert_with(|| Meeting {
            round: round + 1,
            name: named.map(|(_, name)| *name),
            names: order.iter().map(|entrant| names.get(*entrant).copied().unwrap_or_default().into()).collect(),
            wins: vec![0; order.len()],
            draws: 0,
            played: 0,
            games: 0,
        });
        meeting.games += 1;
        meeting.played += u32::from(fate != Fate::Open);
        if fate != Fate::Counted {
            continue;
        }
        match survey.result(number).map(|result| result.winner) {
            Some(Some(winner)) => {
                let place = seats.values().get(usize::from(winner.0)).and_then(|of| order.binary_search(of).ok());
                if let Some(wins) = place.and_then(|place| meeting.wins.get_mut(place)) {
                    *wins += 1;
                }
            }
            Some(None) => meeting.draws += 1,
            None => {}
        }
    }
    meetings.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_asked_for_longest_is_forgotten_and_never_what_somebody_watches() {
        let mut remembered = Remembered::default();
        let _watches = remembered.sender(ContestId(1)).subscribe();
        for id in 2..=CONTESTS_REMEMBERED_MAX as i64 {
            remembered.sender(ContestId(id));
        }
        remembered.sender(ContestId(2));
        remembered.sender(ContestId(9_999));
        let has = |id| remembered.all.contains_key(&ContestId(id));
        assert!(has(1) && has(2) && !has(3) && has(4) && has(9_999));
        assert_eq!(remembered.all.len(), CONTESTS_REMEMBERED_MAX);
    }

    #[tokio::test]
    async fn one_folder_is_read_at_a_time() {
        let window = Window::new(Path::new("/nowhere"));
        let right = window.reading.clone().acquire_owned().await.expect("open");
        let first = |has_games| {
            let window = window.clone();
            async move { window.now(ContestId(1), has_games).await }
        };
        assert!(first(false).await.expect("nothing is read").standings.is_none());
        let waits = tokio::spawn(first(true));
        tokio::task::yield_now().await;
        assert!(!waits.is_finished());
        drop(right);
        assert!(waits.await.expect("it ends").expect("no folder").standings.is_none());
    }
}
