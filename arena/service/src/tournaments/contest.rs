//! Plays the tournaments that accounts start, a turn at a time.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

use arena_clock::Clock;
use arena_limits::counted;
use arena_record::Record;
use arena_runner::{ChangeError, Folder, FolderError, Named, Sight, layout};
use arena_store::{
    AccountId, BotId, Contest, ContestError, ContestId, IndexedGame, PAGE_MAX, Page, Phase, StoreError, VersionId,
    VersionState,
};
use arena_tournaments::{Definition, Draw, EntrantSpec, Secret, Source};
use tracing::{info, warn};

use super::paused::Paused;
use super::run::{Others, Run, Turn};
use super::samples::SampleWaits;
use super::{Next, Trouble};
use crate::contests::sentences::*;
use crate::contests::{
    By, ContestRefused, ContestState, Contests, Event, Place, Stage, Window, contest_of, read, secrets, spec, surplus,
    tournament_of,
};
use crate::core::{Core, with_causes, without_place};
use crate::limits::{CONTEST_LOOKS, REFUSED_TRIES};
use crate::wakeup::Playing;

/// Longest reason in a folder, in characters.
const REASON_CHARS_MAX: usize = arena_runner::REASON_CHARS_MAX;

/// Plays the tournaments of accounts.
pub(crate) struct ContestRunner {
    run: Run,
    contests: Contests,
    paused: Paused<Folder>,
    waits: SampleWaits,
}

impl ContestRunner {
    pub(super) fn new(run: Run, contests: Contests) -> ContestRunner {
        ContestRunner { run, contests, paused: Paused::new(), waits: SampleWaits::default() }
    }

    fn core(&self) -> &Core {
        &self.run.core
    }

    /// The tournaments that are not over.
    pub(super) async fn under_way(&self) -> Result<Vec<ContestId>, StoreError> {
        self.core().store.contests_under_way().await
    }

    /// The owner of a tournament; `None` if it is over or missing.
    pub(super) async fn owner(&self, id: ContestId) -> Result<Option<AccountId>, StoreError> {
        let contest = self.core().store.contest(id).await?;
        Ok(contest.filter(|(contest, _)| contest.counted.phase != Phase::Over).map(|(contest, _)| contest.owner))
    }

    /// Forgets all open work: another server may have played since.
    pub(super) fn forget(&mut self) {
        (self.paused, self.waits) = (Paused::new(), SampleWaits::default());
    }

    /// Shows what another server has played of a tournament so far, and forgets this server's own work on it.
    pub(super) fn follow(&mut self, id: ContestId) -> Result<(), FolderError> {
        drop(self.paused.take(id));
        if self.contests.window().path(id).join(layout::MANIFEST).exists() {
            self.contests.window().look(id)
        } else {
            Ok(())
        }
    }

    /// Takes a turn.
    pub(super) async fn step(&mut self, id: ContestId, others: Others, failures: u32) -> Result<Next, Trouble> {
        let Some((contest, events)) = self.core().store.contest(id).await? else {
            return Ok(Next::Over);
        };
        let seq = events.len() as u32;
        let Some((_, state)) = read(&events) else { return Ok(Next::Over) };
        match &state.stage {
            Stage::Entry if state.is_closed(self.core().now().0) => {
                self.core().store.has_space()?;
                unless_taken(self.freeze(&contest, &state, seq).await.map(|()| Next::Step))
            }
            Stage::Entry => Ok(Next::Wait(state.entry.until)),
            Stage::Playing { definition } => match self.play(id, seq, &state, definition, others).await {
                Err(Trouble::Folder(error)) if is_final(&error, failures) => {
                    let reason = CANNOT_BE_PLAYED.with(&[("why", &self.public_text(&error))]);
                    self.append(id, &Event::Cancelled { by: By::Arena, reason }).await?;
                    Ok(Next::Step)
                }
                Err(Trouble::Folder(error)) if failures == 0 && error.is_lasting() => {
                    // Perhaps only this server's copy is damaged.
                    self.core().replica.distrust(&tournament_of(id)?).await?;
                    Err(error.into())
                }
                played => unless_taken(played),
            },
            Stage::Finished { .. } => Ok(Next::Over),
            Stage::Cancelled { .. } => {
                drop(self.paused.take(id));
                self.waits.forget(&tournament_of(id)?);
                self.remove(id).await?;
                self.make_place().await?;
                Ok(Next::Over)
            }
        }
    }

    /// Shows what keeps a tournament from continuing.
    pub(super) fn trouble(&self, id: ContestId, trouble: &Trouble) {
        warn!(contest = id.0, trouble = with_causes(trouble), "a tournament has trouble");
        let trouble = self.public_text(trouble);
        self.contests.window().update(id, |shown| shown.trouble = Some(trouble));
    }

    /// An error's text for the public: without our paths.
    fn public_text(&self, error: &dyn std::error::Error) -> String {
        let tournaments = self.contests.window().tournaments();
        without_place(&with_causes(error), tournaments.parent().unwrap_or(tournaments))
    }

    async fn append(&self, id: ContestId, event: &Event) -> Result<(), ContestRefused> {
        self.contests.append(id, event, self.core().now()).await
    }

    /// Appends an event at this place, unless another event has taken it.
    async fn append_at(&self, id: ContestId, seq: u32, event: &Event) -> Result<(), ContestRefused> {
        self.contests.append_at(id, Some(seq), event, self.core().now()).await
    }

    /// Freezes the field: takes out bots that cannot play, then reveals the secret.
    async fn freeze(&self, contest: &Contest, state: &ContestState, seq: u32) -> Result<(), Trouble> {
        let owner = self.core().store.account(contest.owner).await?;
        if owner.is_none_or(|owner| owner.disabled) {
            let reason = ORGANISER_GONE.into();
            return Ok(self.append_at(contest.id, seq, &Event::Cancelled { by: By::Arena, reason }).await?);
        }
        let (id, mut names, mut specs, mut ids) = (contest.id, Vec::new(), Vec::new(), Vec::new());
        let mut gone = Vec::new();
        for place in state.field() {
            let bot = match place {
                Place::Bot(bot) => bot,
                Place::Reserved(name) => {
                    // The opponent existed when the tournament was opened; another release may lack it.
                    let Ok(named) = Named::find(&contest.game, &name) else {
                        let reason = OPPONENT_GONE.with(&[("name", &name)]);
                        return Ok(self.append_at(id, seq, &Event::Cancelled { by: By::Arena, reason }).await?);
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
            match self.ready(bot, entrant.version).await? {
                Some(name) if !is_taken(&name) => {
                    specs.push(spec(&name, &entrant.id));
                    ids.push(entrant.id.clone());
                    names.push((bot, name));
                }
                _ => gone.push(bot),
            }
        }
        if !gone.is_empty() {
            return self.take_out(id, seq, gone).await;
        }
        if specs.len() < state.terms.least() {
            let (entrants, least) = (specs.len(), state.terms.least());
            let counted = counted(entrants, "entrant");
            let reason =
                TOO_FEW_ENTRANTS.with(&[("entrants", &entrants), ("counted_entrants", &counted), ("least", &least)]);
            return Ok(self.append_at(id, seq, &Event::Cancelled { by: By::Arena, reason }).await?);
        }
        let Some(secret) = self.secret(state, id, 0).await? else { return Ok(()) };
        let draw = Draw { secret, next: None, chain: state.entry.late };
        let event = match state.terms.definition(specs, secret.seed(&ids), draw) {
            Ok((definition, _)) => Event::Frozen { definition: definition.to_toml(), names },
            // The number of rounds may not fit so few entrants.
            Err(wrong) => Event::Cancelled { by: By::Arena, reason: CANNOT_BEGIN.with(&[("why", &wrong)]) },
        };
        Ok(self.append_at(id, seq, &event).await?)
    }

    /// Takes out bots that cannot play. Each is an event of its own; the step is then repeated.
    async fn take_out(&self, id: ContestId, seq: u32, gone: Vec<i64>) -> Result<(), Trouble> {
        for (seq, bot) in (seq..).zip(gone) {
            let reason = BOT_GONE.into();
            self.append_at(id, seq, &Event::Withdrawn { bot, by: By::Arena, reason }).await?;
        }
        Ok(())
    }

    /// The secret of a round, from 0.
    async fn secret(&self, state: &ContestState, id: ContestId, round: usize) -> Result<Option<Secret>, StoreError> {
        let stored = self.core().store.contest_secret(id).await?;
        Ok(stored.and_then(|stored| secrets(stored, state.entry.late).secret(round).copied()))
    }

    /// Freezes the entrants of a later round: takes out newcomers that cannot play, then reveals the round's secret.
    async fn freeze_round(&self, id: ContestId, state: &ContestState, seq: u32, round: usize) -> Result<(), Trouble> {
        let (mut names, mut gone) = (Vec::<(i64, String)>::new(), Vec::new());
        for entrant in state.pending() {
            let is_taken = |name: &String| {
                state.reserved.contains(name) || state.names.iter().chain(&names).any(|(_, known)| known == name)
            };
            match self.ready(entrant.bot, entrant.version).await? {
                Some(name) if !is_taken(&name) => names.push((entrant.bot, name)),
                _ => gone.push(entrant.bot),
            }
        }
        if !gone.is_empty() {
            return self.take_out(id, seq, gone).await;
        }
        let Some(secret) = self.secret(state, id, round).await? else { return Ok(()) };
        Ok(self.append_at(id, seq, &Event::Drawn { round, secret, names }).await?)
    }

    /// Admits newcomers from the log to a folder, and draws the seed of its next round if the log has the secret.
    async fn draw_round(&self, id: ContestId, state: &ContestState, mut folder: Folder) -> Result<Folder, Trouble> {
        for (bot, name) in &state.names {
            if folder.entrants().iter().any(|entrant| entrant.name == *name) {
                continue;
            }
            let Some((entrant, _)) = state.entrants.iter().find(|(entrant, _)| entrant.bot == *bot) else { continue };
            let spec = spec(name, &entrant.id);
            let Source::File(file) = &spec.source else { continue };
            let bytes = self.core().store.module(&entrant.id).await?;
            folder.add_given(&spec, &BTreeMap::from([(file.clone(), bytes)]), "it entered between two rounds")?;
            folder = Folder::resume(&self.contests.window().path(id), &self.run.host_of(&tournament_of(id)?))?.0;
        }
        if let Some(round) = folder.undrawn().filter(|round| *round <= state.drawn)
            && let Some(secret) = self.secret(state, id, round).await?
        {
            folder.draw_round(secret)?;
        }
        Ok(folder)
    }

    /// A bot's name, if this version of it may play.
    async fn ready(&self, bot: i64, version: u32) -> Result<Option<String>, StoreError> {
        let store = &self.core().store;
        let Some(bot) = store.bot(BotId(bot)).await?.filter(|bot| !bot.disabled) else { return Ok(None) };
        let version = store.version(VersionId { bot: bot.id, number: version }).await?;
        Ok(version.filter(|version| version.state == VersionState::Accepted).map(|_| bot.name.to_string()))
    }

    /// Plays until the end, or until the turn is over because others wait.
    async fn play(
        &mut self,
        id: ContestId,
        seq: u32,
        state: &ContestState,
        definition: &str,
        others: Others,
    ) -> Result<Next, Trouble> {
        let (path, tournament) = (self.contests.window().path(id), tournament_of(id)?);
        let mut folder = match self.paused.take(id) {
            Some(folder) => folder,
            None => self.opened(id, &path, state, definition).await?,
        };
        folder = self.draw_round(id, state, folder).await?;
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
            folder = Folder::resume(&path, &self.run.host_of(&tournament_of(id)?))?.0;
        }
        self.run.send(&tournament).await?;
        self.contests.window().look(id)?;
        self.contests.window().update(id, |shown| shown.trouble = None);
        if let Some(round) = folder.undrawn() {
            self.paused.keep(id, folder.progress().played, folder);
            self.freeze_round(id, state, seq, round).await?;
            return Ok(Next::Step);
        }
        let watch = looks(self.contests.window().clone(), id, self.core().clock.clone());
        let (folder, played) = match self.run.turn((Playing::Contest(id), &tournament), folder, others, watch).await? {
            Turn::Played(folder, played) => (folder, played),
            Turn::Paused(pause, folder) => {
                let played = folder.progress().played;
                return Ok(Turn::next_after(pause, || self.paused.keep(id, played, folder)));
            }
        };
        // Fewer than two are left to play on, but with those who entered since there are enough.
        if state.pending().next().is_some() && state.count() >= state.terms.least() {
            self.paused.keep(id, folder.progress().played, folder);
            self.freeze_round(id, state, seq, state.drawn + 1).await?;
            return Ok(Next::Step);
        }
        // A tournament has at most `GAMES_MAX` games.
        let indexed = |number: usize, record: &Record| IndexedGame::new(number as u32, record, tournament.to_string());
        if let Err(next) = self.run.settle((&tournament, &mut self.waits), folder, indexed).await? {
            return Ok(next);
        }
        self.contests.window().look(id)?;
        info!(contest = id.0, games = played.games, "a tournament is finished");
        self.finish(id, seq, state, played.games).await?;
        self.make_place().await?;
        Ok(Next::Over)
    }

    /// Ends a tournament. Bots that wait for a round that will never come, because nobody else is left, are taken out.
    async fn finish(&self, id: ContestId, seq: u32, state: &ContestState, games: usize) -> Result<(), ContestRefused> {
        let mut places = seq..;
        for (entrant, seq) in state.pending().zip(places.by_ref()) {
            let reason = NO_ROUND_LEFT.into();
            self.append_at(id, seq, &Event::Withdrawn { bot: entrant.bot, by: By::Arena, reason }).await?;
        }
        // A tournament has at most `GAMES_MAX` games.
        self.append_at(id, places.start, &Event::Finished { games: games as u32 }).await
    }

    /// The folder of a tournament whose field is frozen: created now, or opened.
    async fn opened(
        &self,
        id: ContestId,
        path: &Path,
        state: &ContestState,
        definition: &str,
    ) -> Result<Folder, Trouble> {
        let host = self.run.host_of(&tournament_of(id)?);
        if path.join(layout::MANIFEST).exists() {
            return Ok(Folder::resume(path, &host)?.0);
        }
        let definition = Definition::parse(definition)?;
        let mut bots = BTreeMap::new();
        for entrant in state.entrants.iter().map(|(entrant, _)| entrant) {
            let Source::File(file) = spec("", &entrant.id).source else { continue };
            bots.insert(file, self.core().store.module(&entrant.id).await?);
        }
        Ok(Folder::open_given(path, &definition, &bots, &host)?)
    }

    /// Removes the folder of a tournament, its results first, so that a half-removed one is never taken for a finished
    /// one.
    async fn remove(&self, id: ContestId) -> Result<(), Trouble> {
        // From the index first, so that it never names a missing record.
        let tournament = tournament_of(id)?;
        self.core().store.reindex(&tournament, &[]).await?;
        self.core().store.forget_games(&tournament).await?;
        self.core().replica.forget(&tournament).await?;
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
    pub(super) async fn tidy(&self) -> Result<(), Trouble> {
        let tournaments = self.contests.window().tournaments();
        let entries = match fs::read_dir(tournaments) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            entries => entries?,
        };
        for entry in entries {
            let Some(id) = entry?.file_name().to_str().and_then(contest_of) else { continue };
            let is_unused = match self.core().store.contest(id).await? {
                None => true,
                Some((_, events)) => {
                    read(&events).is_some_and(|(_, state)| matches!(state.stage, Stage::Cancelled { .. }))
                }
            };
            if is_unused {
                self.remove(id).await?;
                info!(contest = id.0, "the folder of a tournament without games is removed");
            }
        }
        self.make_place().await
    }

    /// Forgets some of the finished tournaments.
    async fn make_place(&self) -> Result<(), Trouble> {
        let (mut over, mut page) = (Vec::new(), Page::first(PAGE_MAX));
        loop {
            let contests = self.core().store.contests(None, page).await?;
            let Some(last) = contests.last().map(|contest| contest.id) else { break };
            over.extend(contests.into_iter().filter(|contest| contest.counted.phase == Phase::Over));
            page = Page::after(last, PAGE_MAX);
        }
        for old in surplus(over, self.core().now()) {
            // Before its games, so that their addresses always have an answer. Leftovers are removed after a restart.
            self.core().store.forget_contest(old, self.core().now()).await?;
            self.remove(old).await?;
            self.contests.window().forget(old);
            info!(contest = old.0, "an old tournament is removed");
        }
        Ok(())
    }
}

/// Shows how far a tournament is, after each of its games, and from time to time its standings so far: looking at those
/// takes at most a twentieth of the time of the thread that plays.
fn looks(window: Window, id: ContestId, clock: Clock) -> impl FnMut(&Sight<'_>) + Send + 'static {
    let (pause_min, factor) = CONTEST_LOOKS;
    let mut next_look = clock.now() + pause_min;
    move |sight| {
        let asked = clock.now();
        if asked < next_look {
            return window.progress(id, sight.progress());
        }
        if let Err(error) = window.look(id) {
            warn!(contest = id.0, cause = with_causes(&error), "the standings so far cannot be read");
        }
        let took = clock.since(asked);
        next_look = asked + took + pause_min.max(took * factor);
    }
}

/// Repeats a step if an entrant came or left meanwhile: its result is for another field.
fn unless_taken(step: Result<Next, Trouble>) -> Result<Next, Trouble> {
    match step {
        Err(Trouble::Refused(ContestRefused::Quota(ContestError::Taken))) => Ok(Next::Step),
        step => step,
    }
}

/// Whether a folder that failed this often can never be played. A folder of another release is kept, because that
/// release can play it; its trouble is shown, and its owner may cancel it.
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
