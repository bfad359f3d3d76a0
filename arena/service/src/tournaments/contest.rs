//! Plays tournaments, a turn at a time, on the thread that plays all of them.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use arena_clock::Instant;
use arena_runner::{ChangeError, Folder, FolderError, Host, Named, layout};
use arena_store::{
    AccountId, BotId, Contest, ContestError, ContestId, GameError, IndexedGame, NameError, PAGE_MAX, Page, Phase,
    StoreError, VersionId, VersionState,
};
use arena_tournaments::{Definition, DefinitionError, Draw, EntrantSpec, Secret, Source};
use tokio::runtime::Handle;
use tracing::{info, warn};

use super::paused::Paused;
use crate::contests::{
    By, ContestRefused, Contests, Event, Place, Stage, State, contest_of, least, read, secrets, spec, surplus,
    tournament_of,
};
use crate::core::{Core, with_causes, without_place};
use crate::fleet::{Reconciled, Unread};
use crate::folder_replica::ReplicaError;
use crate::leases::TOURNAMENTS;
use crate::limits::{CONTEST_LOOKS, REFUSED_TRIES, SEND_EVERY, STANDING_TURNS};
use crate::wakeup::{Playing, Wakeup};

/// Longest reason in a folder, in characters.
const REASON_CHARS_MAX: usize = arena_runner::REASON_CHARS_MAX;

/// Plays the tournaments of accounts.
pub(crate) struct ContestRunner {
    core: Arc<Core>,
    contests: Contests,
    wakeup: Wakeup,
    threads: usize,
    runtime: Handle,
    paused: Paused<Folder>,
}

/// What comes next in a tournament.
pub(crate) enum Next {
    /// There is more to do.
    Step,
    /// Nothing to do until it changes or, if given, until this time in seconds since 1970.
    Wait(Option<i64>),
    /// It is over.
    Over,
    /// The service stops.
    Stop,
}

/// Why a step failed. The step is retried.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Trouble {
    #[error("it is played, and workers differ about {games} of its games: further ones decide")]
    Undecided { games: usize },
    #[error(transparent)]
    Unread(#[from] Unread),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    FolderReplica(#[from] ReplicaError),
    #[error(transparent)]
    Refused(#[from] ContestRefused),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(transparent)]
    Index(#[from] GameError),
    #[error(transparent)]
    Disk(#[from] io::Error),
}

/// Why a turn ended before the tournament did.
enum Pause {
    Stopping,
    Changed,
    OthersWait,
}

impl ContestRunner {
    pub(crate) fn new(
        core: Arc<Core>,
        contests: Contests,
        wakeup: Wakeup,
        threads: usize,
        runtime: Handle,
    ) -> ContestRunner {
        ContestRunner { core, contests, wakeup, threads, runtime, paused: Paused::new() }
    }

    /// The tournaments that are not over.
    pub(crate) fn under_way(&self) -> Result<Vec<ContestId>, StoreError> {
        self.runtime.block_on(self.core.store.contests_under_way())
    }

    /// The owner of a tournament; `None` if it is over or missing.
    pub(crate) fn owner(&self, id: ContestId) -> Result<Option<AccountId>, StoreError> {
        let contest = self.runtime.block_on(self.core.store.contest(id))?;
        Ok(contest.filter(|(contest, _)| contest.counted.phase != Phase::Over).map(|(contest, _)| contest.owner))
    }

    /// Forgets all open work: another server may have played since.
    pub(crate) fn forget(&mut self) {
        self.paused = Paused::new();
    }

    /// Shows what another server has played of a tournament so far, and forgets this server's own work on it.
    pub(crate) fn follow(&mut self, id: ContestId) -> Result<(), FolderError> {
        drop(self.paused.take(id));
        if self.contests.window().path(id).join(layout::MANIFEST).exists() {
            self.contests.window().look(id)
        } else {
            Ok(())
        }
    }

    /// Takes a turn.
    pub(crate) fn step(&mut self, id: ContestId, others_wait: bool, failures: u32) -> Result<Next, Trouble> {
        let Some((contest, events)) = self.runtime.block_on(self.core.store.contest(id))? else {
            return Ok(Next::Over);
        };
        let seq = events.len() as u32;
        let Some((_, state)) = read(&events) else { return Ok(Next::Over) };
        match &state.stage {
            Stage::Entry if state.is_closed(self.core.now().0) => {
                self.core.store.has_space()?;
                unless_taken(self.freeze(&contest, &state, seq).map(|()| Next::Step))
            }
            Stage::Entry => Ok(Next::Wait(state.entry.until)),
            Stage::Playing { definition } => match self.play(id, seq, &state, definition, others_wait) {
                Err(Trouble::Folder(error)) if is_final(&error, failures) => {
                    let reason = format!("it cannot be played: {}", self.told(&error));
                    self.append(id, &Event::Cancelled { by: By::Arena, reason })?;
                    Ok(Next::Step)
                }
                Err(Trouble::Folder(error)) if failures == 0 && error.is_lasting() => {
                    // Perhaps only this server's copy is damaged.
                    self.runtime.block_on(self.core.replica.distrust(&tournament_of(id)?))?;
                    Err(error.into())
                }
                played => unless_taken(played),
            },
            Stage::Finished { .. } => Ok(Next::Over),
            Stage::Cancelled { .. } => {
                drop(self.paused.take(id));
                self.remove(id)?;
                self.make_place()?;
                Ok(Next::Over)
            }
        }
    }

    /// Shows what keeps a tournament from continuing.
    pub(crate) fn trouble(&self, id: ContestId, trouble: &Trouble) {
        warn!(contest = id.0, trouble = with_causes(trouble), "a tournament has trouble");
        let trouble = self.told(trouble);
        self.contests.window().update(id, |shown| shown.trouble = Some(trouble));
    }

    /// An error's text for the public: without our paths.
    fn told(&self, error: &dyn std::error::Error) -> String {
        let tournaments = self.contests.window().tournaments();
        without_place(&with_causes(error), tournaments.parent().unwrap_or(tournaments))
    }

    fn append(&self, id: ContestId, event: &Event) -> Result<(), ContestRefused> {
        self.runtime.block_on(self.contests.append(id, event, self.core.now()))
    }

    /// Appends an event at this place, unless another event has taken it.
    fn append_at(&self, id: ContestId, seq: u32, event: &Event) -> Result<(), ContestRefused> {
        self.runtime.block_on(self.contests.append_at(id, Some(seq), event, self.core.now()))
    }

    /// Freezes the field: takes out bots that cannot play, then reveals the secret.
    fn freeze(&self, contest: &Contest, state: &State, seq: u32) -> Result<(), Trouble> {
        let owner = self.runtime.block_on(self.core.store.account(contest.owner))?;
        if owner.is_none_or(|owner| owner.disabled) {
            let reason = "the account of the organiser was deleted or disabled".into();
            return Ok(self.append_at(contest.id, seq, &Event::Cancelled { by: By::Arena, reason })?);
        }
        let (id, mut names, mut specs, mut ids) = (contest.id, Vec::new(), Vec::new(), Vec::new());
        let mut gone = Vec::new();
        for place in state.field() {
            let bot = match place {
                Place::Bot(bot) => bot,
                Place::Reserved(name) => {
                    // The opponent existed when the tournament was opened; another release may lack it.
                    let Ok(named) = Named::find(&contest.game, &name) else {
                        let reason = format!("this release has no opponent {name}");
                        return Ok(self.append_at(id, seq, &Event::Cancelled { by: By::Arena, reason })?);
                    };
                    let name = named.name().to_owned();
                    let source = match named {
                        Named::BuiltIn(_) => Source::Baseline(name.clone()),
                        Named::Gallery(_) => Source::Gallery(name.clone()),
                    };
                    ids.push(named.id());
                    specs.push(EntrantSpec { name, display: None, source });
                    continue;
                }
            };
            let Some(entrant) = state.playing().find(|entrant| entrant.bot == bot) else { continue };
            let is_taken = |name: &str| {
                state.reserved.iter().any(|reserved| reserved == name) || specs.iter().any(|spec| spec.name == name)
            };
            match self.runtime.block_on(self.ready(bot, entrant.version))? {
                Some(name) if !is_taken(&name) => {
                    specs.push(spec(&name, &entrant.id));
                    ids.push(entrant.id.clone());
                    names.push((bot, name));
                }
                _ => gone.push(bot),
            }
        }
        if !gone.is_empty() {
            return self.take_out(id, seq, gone);
        }
        if specs.len() < least(&state.terms) {
            let reason = format!("entry closed with {} entrants; it takes {}", specs.len(), least(&state.terms));
            return Ok(self.append_at(id, seq, &Event::Cancelled { by: By::Arena, reason })?);
        }
        let Some(secret) = self.secret(state, id, 0)? else { return Ok(()) };
        let draw = Draw { secret, next: None, chain: state.entry.late };
        let event = match state.terms.definition(specs, secret.seed(&ids), draw) {
            Ok((definition, _)) => Event::Frozen { definition: definition.to_toml(), names },
            // The number of rounds may not fit so few entrants.
            Err(wrong) => Event::Cancelled { by: By::Arena, reason: format!("it cannot begin: {wrong}") },
        };
        Ok(self.append_at(id, seq, &event)?)
    }

    /// Takes out bots that cannot play. Each is an event of its own; the step is then repeated.
    fn take_out(&self, id: ContestId, seq: u32, gone: Vec<i64>) -> Result<(), Trouble> {
        for (seq, bot) in (seq..).zip(gone) {
            let reason = "the bot or its account was deleted or disabled, or its name is taken".into();
            self.append_at(id, seq, &Event::Withdrawn { bot, by: By::Arena, reason })?;
        }
        Ok(())
    }

    /// The secret of a round, from 0.
    fn secret(&self, state: &State, id: ContestId, round: usize) -> Result<Option<Secret>, StoreError> {
        let stored = self.runtime.block_on(self.core.store.contest_secret(id))?;
        Ok(stored.and_then(|stored| secrets(stored, state.entry.late).secret(round).copied()))
    }

    /// Freezes the entrants of a later round: takes out newcomers that cannot play, then reveals the round's secret.
    fn freeze_round(&self, id: ContestId, state: &State, seq: u32, round: usize) -> Result<(), Trouble> {
        let (mut names, mut gone) = (Vec::<(i64, String)>::new(), Vec::new());
        for entrant in state.pending() {
            let is_taken = |name: &String| {
                state.reserved.contains(name) || state.names.iter().chain(&names).any(|(_, known)| known == name)
            };
            match self.runtime.block_on(self.ready(entrant.bot, entrant.version))? {
                Some(name) if !is_taken(&name) => names.push((entrant.bot, name)),
                _ => gone.push(entrant.bot),
            }
        }
        if !gone.is_empty() {
            return self.take_out(id, seq, gone);
        }
        let Some(secret) = self.secret(state, id, round)? else { return Ok(()) };
        Ok(self.append_at(id, seq, &Event::Drawn { round, secret, names })?)
    }

    /// Admits newcomers from the log to a folder, and draws the seed of its next round if the log has the secret.
    fn draw_round(&self, id: ContestId, state: &State, mut folder: Folder) -> Result<Folder, Trouble> {
        for (bot, name) in &state.names {
            if folder.entrants().iter().any(|entrant| entrant.name == *name) {
                continue;
            }
            let Some((entrant, _)) = state.entrants.iter().find(|(entrant, _)| entrant.bot == *bot) else { continue };
            let spec = spec(name, &entrant.id);
            let Source::File(file) = &spec.source else { continue };
            let bytes = self.runtime.block_on(self.core.store.module(&entrant.id))?;
            folder.add_given(&spec, &BTreeMap::from([(file.clone(), bytes)]), "it entered between two rounds")?;
            folder = Folder::resume(&self.contests.window().path(id), &self.host_of(id)?)?.0;
        }
        if let Some(round) = folder.undrawn().filter(|round| *round <= state.drawn)
            && let Some(secret) = self.secret(state, id, round)?
        {
            folder.draw_round(secret)?;
        }
        Ok(folder)
    }

    /// A bot's name, if this version of it may play.
    async fn ready(&self, bot: i64, version: u32) -> Result<Option<String>, StoreError> {
        let store = &self.core.store;
        let Some(bot) = store.bot(BotId(bot)).await?.filter(|bot| !bot.disabled) else { return Ok(None) };
        let version = store.version(VersionId { bot: bot.id, number: version }).await?;
        Ok(version.filter(|version| version.state == VersionState::Accepted).map(|_| bot.name.to_string()))
    }

    /// Plays until the end, or until the turn is over because others wait.
    fn play(
        &mut self,
        id: ContestId,
        seq: u32,
        state: &State,
        definition: &str,
        others_wait: bool,
    ) -> Result<Next, Trouble> {
        let path = self.contests.window().path(id);
        let mut folder = match self.paused.take(id) {
            Some(folder) => folder,
            None => self.opened(id, &path, state, definition)?,
        };
        folder = self.draw_round(id, state, folder)?;
        for (name, reason) in state.taken_out() {
            if folder.changes().any(|change| change.word() != "added" && change.name() == Some(name)) {
                continue;
            }
            let reason: String = reason.chars().take(REASON_CHARS_MAX).collect();
            match folder.withdraw(name, &reason) {
                Ok(_) => info!(contest = id.0, "an entrant is taken out"),
                Err(FolderError::Change(ChangeError::Over | ChangeError::Gone { .. })) => {}
                Err(error) => return Err(error.into()),
            }
            folder = Folder::resume(&path, &self.host_of(id)?)?.0;
        }
        self.send(id)?;
        self.contests.window().look(id)?;
        self.contests.window().update(id, |shown| shown.trouble = None);
        if let Some(round) = folder.undrawn() {
            self.paused.keep(id, folder.progress().played, folder);
            self.freeze_round(id, state, seq, round)?;
            return Ok(Next::Step);
        }
        let began = self.core.clock.now();
        let (pause_min, factor) = CONTEST_LOOKS;
        let (mut next_look, mut next_send) = (began + pause_min, began + SEND_EVERY);
        let ran = folder.run_until(self.core.games_at_once(self.threads), |progress| {
            let asked = self.core.clock.now();
            if asked >= next_look {
                // A look takes at most a twentieth of the time of the thread that plays.
                if let Err(error) = self.contests.window().look(id) {
                    warn!(contest = id.0, cause = with_causes(&error), "the standings so far cannot be read");
                }
                let took = self.core.clock.since(asked);
                next_look = asked + took + pause_min.max(took * factor);
            } else {
                self.contests.window().progress(id, progress);
            }
            if asked >= next_send {
                self.send_so_far(id);
                next_send = self.core.clock.now() + SEND_EVERY;
            }
            match self.pause(id, began, others_wait) {
                Some(pause) => ControlFlow::Break(pause),
                None => ControlFlow::Continue(()),
            }
        });
        let ran = match ran {
            Err(FolderError::Undrawn(_)) => ControlFlow::Break(Pause::Changed),
            ran => ran?,
        };
        match ran {
            ControlFlow::Break(Pause::Stopping) => {
                self.send_so_far(id);
                Ok(Next::Stop)
            }
            ControlFlow::Break(Pause::Changed | Pause::OthersWait) => {
                self.send_so_far(id);
                self.paused.keep(id, folder.progress().played, folder);
                Ok(Next::Step)
            }
            // Fewer than two are left to play on, but with those who entered since there are enough.
            ControlFlow::Continue(_) if state.pending().next().is_some() && state.count() >= least(&state.terms) => {
                self.paused.keep(id, folder.progress().played, folder);
                self.freeze_round(id, state, seq, state.drawn + 1)?;
                Ok(Next::Step)
            }
            ControlFlow::Continue(played) => {
                let tournament = tournament_of(id)?;
                match self.runtime.block_on(Reconciled::of(
                    &*self.core.store,
                    &tournament,
                    &folder,
                    self.core.games(),
                ))? {
                    Reconciled::Whole => {}
                    Reconciled::Open(games) => return Err(Trouble::Undecided { games }),
                    Reconciled::Wrong(hashes) => {
                        self.runtime.block_on(self.core.replica.doubt(&tournament));
                        let games = self.runtime.block_on(hashes.reconcile(&*self.core.store, &tournament, folder))?;
                        warn!(%tournament, games, "games are played again: what workers said of some does not stand");
                        return Ok(Next::Step);
                    }
                }
                // Before the queue forgets its games and before others find them in the index.
                self.send(id)?;
                let game = |(number, record): (usize, arena_record::Record)| {
                    // A tournament has at most `GAMES_MAX` games.
                    IndexedGame::new(number as u32, &record, tournament.to_string())
                };
                let games = folder.records().map(|record| record.map(game)).collect::<Result<Vec<_>, _>>()?;
                self.runtime.block_on(self.core.store.reindex(&tournament, &games))?;
                self.contests.window().look(id)?;
                info!(contest = id.0, games = played.games, "a tournament is finished");
                self.runtime.block_on(self.core.store.forget_games(&tournament))?;
                self.finish(id, seq, state, played.games)?;
                self.make_place()?;
                Ok(Next::Over)
            }
        }
    }

    /// Sends what is new in a tournament to other servers.
    fn send(&self, id: ContestId) -> Result<(), Trouble> {
        Ok(self.runtime.block_on(self.core.replica.send(&tournament_of(id)?))?)
    }

    /// The same while it is being played. If this server dies, games that were not sent are played again.
    fn send_so_far(&self, id: ContestId) {
        if let Err(error) = self.send(id) {
            warn!(contest = id.0, cause = with_causes(&error), "other servers do not have the latest games yet");
        }
    }

    /// Ends a tournament. Bots that wait for a round that will never come, because nobody else is left, are taken out.
    fn finish(&self, id: ContestId, seq: u32, state: &State, games: usize) -> Result<(), ContestRefused> {
        let mut places = seq..;
        for (entrant, seq) in state.pending().zip(places.by_ref()) {
            let reason = "the tournament ended before its first round".into();
            self.append_at(id, seq, &Event::Withdrawn { bot: entrant.bot, by: By::Arena, reason })?;
        }
        // A tournament has at most `GAMES_MAX` games.
        self.append_at(id, places.start, &Event::Finished { games: games as u32 })
    }

    /// The folder of a tournament whose field is frozen: created now, or opened.
    fn opened(&self, id: ContestId, path: &Path, state: &State, definition: &str) -> Result<Folder, Trouble> {
        let host = self.host_of(id)?;
        if path.join(layout::MANIFEST).exists() {
            return Ok(Folder::resume(path, &host)?.0);
        }
        let definition = Definition::parse(definition)?;
        let mut bots = BTreeMap::new();
        for entrant in state.entrants.iter().map(|(entrant, _)| entrant) {
            let Source::File(file) = spec("", &entrant.id).source else { continue };
            bots.insert(file, self.runtime.block_on(self.core.store.module(&entrant.id))?);
        }
        Ok(Folder::open_given(path, &definition, &bots, &host)?)
    }

    /// Where the games of a tournament are played.
    fn host_of(&self, id: ContestId) -> Result<Arc<dyn Host>, NameError> {
        Ok(self.core.host_of(&tournament_of(id)?, &self.runtime))
    }

    /// Whether the turn that began at `began` is over.
    fn pause(&self, id: ContestId, began: Instant, others_wait: bool) -> Option<Pause> {
        let (for_bots, for_others) = STANDING_TURNS;
        let lasted = self.core.clock.since(began);
        if self.wakeup.is_stopping() {
            return Some(Pause::Stopping);
        }
        if self.wakeup.has_contest_changed(id) {
            return Some(Pause::Changed);
        }
        let over = !self.core.leases.holds(TOURNAMENTS)
            || !self.core.replica.is_in_step()
            || (lasted >= for_bots && self.wakeup.has_another_changed(Playing::Contest(id)))
            || (lasted >= for_others && others_wait);
        over.then_some(Pause::OthersWait)
    }

    /// Removes the folder of a tournament, its results first, so that a half-removed one is never taken for a finished one.
    fn remove(&self, id: ContestId) -> Result<(), Trouble> {
        // From the index first, so that it never names a missing record.
        let tournament = tournament_of(id)?;
        self.runtime.block_on(self.core.store.reindex(&tournament, &[]))?;
        self.runtime.block_on(self.core.store.forget_games(&tournament))?;
        self.runtime.block_on(self.core.replica.forget(&tournament))?;
        let path = self.contests.window().path(id);
        if path.exists() {
            let results = path.join(layout::RESULTS);
            if results.exists() {
                fs::remove_dir_all(results)?;
            }
            fs::remove_dir_all(path)?;
        }
        Ok(())
    }

    /// Removes folders of tournaments that were cancelled or forgotten, if the site stopped before it could.
    pub(crate) fn tidy(&self) -> Result<(), Trouble> {
        let tournaments = self.contests.window().tournaments();
        let entries = match fs::read_dir(tournaments) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries?,
        };
        for entry in entries {
            let Some(id) = entry?.file_name().to_str().and_then(contest_of) else { continue };
            let is_unused = match self.runtime.block_on(self.core.store.contest(id))? {
                None => true,
                Some((_, events)) => {
                    read(&events).is_some_and(|(_, state)| matches!(state.stage, Stage::Cancelled { .. }))
                }
            };
            if is_unused {
                self.remove(id)?;
                info!(contest = id.0, "the folder of a tournament without games is removed");
            }
        }
        self.make_place()
    }

    /// Forgets some of the finished tournaments.
    fn make_place(&self) -> Result<(), Trouble> {
        let (mut over, mut page) = (Vec::new(), Page::first(PAGE_MAX));
        loop {
            let contests = self.runtime.block_on(self.core.store.contests(None, page))?;
            let Some(last) = contests.last().map(|contest| contest.id) else { break };
            over.extend(contests.into_iter().filter(|contest| contest.counted.phase == Phase::Over));
            page = Page::after(last, PAGE_MAX);
        }
        for old in surplus(over, self.core.now()) {
            // Before its games, so that their addresses always have an answer. Leftovers are removed after a restart.
            self.runtime.block_on(self.core.store.forget_contest(old, self.core.now()))?;
            self.remove(old)?;
            self.contests.window().forget(old);
            info!(contest = old.0, "an old tournament is removed");
        }
        Ok(())
    }
}

/// Repeats a step if an entrant came or left meanwhile: its result is for another field.
fn unless_taken(step: Result<Next, Trouble>) -> Result<Next, Trouble> {
    match step {
        Err(Trouble::Refused(ContestRefused::Quota(ContestError::Taken))) => Ok(Next::Step),
        step => step,
    }
}

/// Whether a folder that failed this often can never be played. A folder of another release is kept, because that release can play
/// it; its trouble is shown, and its owner may cancel it.
fn is_final(error: &FolderError, failures: u32) -> bool {
    error.is_lasting() && error.other_build().is_none() && failures >= REFUSED_TRIES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_release_cancels_nothing() {
        let [theirs, ours] = ["0", "1"].map(|digit| digit.repeat(64));
        let other = FolderError::OtherSemantics { path: "/x".into(), theirs, ours, build: "arena 0.0.9".into() };
        assert!(other.is_lasting() && !is_final(&other, u32::MAX));
        let broken = FolderError::NotStarted("/x".into());
        assert!(is_final(&broken, REFUSED_TRIES) && !is_final(&broken, REFUSED_TRIES - 1));
    }
}
